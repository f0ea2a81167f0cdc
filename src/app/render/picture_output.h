/**
 * @file picture_output.h
 * The form in which a run writes its pictures, from the scene and the extension of the output.
 */
#ifndef BRUME_APP_RENDER_PICTURE_OUTPUT_H
#define BRUME_APP_RENDER_PICTURE_OUTPUT_H

#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/tiles/tile.h"
#include "brume/renderer.h"
#include "brume/scene.h"
#include "core/error.h"
#include "io/exr_write.h"
#include "io/pixel_format.h"

/** Layers of EXR images in addition to the picture. */
typedef enum BrumePictureLayer {
    BRUME_LAYER_DEPTH = 1 << 0,
    BRUME_LAYER_TRANSMITTANCE = 1 << 1,
    BRUME_LAYER_LIGHTS = 1 << 2,
    BRUME_LAYER_SKY = 1 << 3,
    BRUME_LAYER_EMISSION = 1 << 4,
    BRUME_LAYER_MOTION = 1 << 5,
    BRUME_LAYER_NOISY = 1 << 6, ///< the picture before the noise was removed
    BRUME_LAYERS_ALL = (1 << 7) - 1,
} BrumePictureLayer;

/** The form of the pictures of a run. */
typedef struct BrumePictureOutput {
    int width, height;     ///< of the files [pixels]
    BrumePictureCrop crop; ///< of the picture of the scene; all zero: all of it
    BrumePixelFormat format;
    bool transparent;     ///< with alpha instead of the sky
    unsigned layers;      ///< bits of BrumePictureLayer
    int lights;           ///< of the scene
    BrumeExrHeader exr;   ///< of EXR images; the metadata have no frame
    BrumeTileRecord tile; ///< of tiles, without a frame; all zero: pictures are no tiles
} BrumePictureOutput;

/** The choices of the command line. */
typedef struct BrumePictureOptions {
    unsigned layers;       ///< bits of BrumePictureLayer
    BrumePictureCrop crop; ///< all zero: the whole picture
    bool no_velocity;      ///< there is no velocity for motion vectors, which `all` layers therefore omit
    BrumeChunk tile;       ///< all zero: the whole picture
} BrumePictureOptions;

/**
 * Finds the form of the pictures of a scene for this output. BRUME_BAD_INPUT where the output does not support the
 * scene or the options, BRUME_FAILED without memory.
 */
BrumeStatus brume_picture_output_resolve(BrumePictureOutput *output, const BrumeScene *scene,
                                         const BrumeOutputPattern *pattern, const BrumePictureOptions *options,
                                         BrumeError *error);

/** Warns of a requested layer that is empty, because the scene lacks its content. */
void brume_picture_output_warn(const BrumePictureOutput *output, const BrumeScene *scene, BrumeMessages *messages);

/** A picture that is drawn, before it is converted: radiance and layers. All zero: none. */
typedef struct BrumeDrawnPicture {
    float *radiance; ///< height x width x 3
    BrumePictureLayers layers;
    bool has_layers;
    float *memory;
} BrumeDrawnPicture;

/** Allocates the arrays that the pictures of a run need. BRUME_FAILED without memory; nothing is allocated then. */
BrumeStatus brume_drawn_picture_create(BrumeDrawnPicture *picture, const BrumePictureOutput *output, BrumeError *error);

/** Frees the arrays. All zero is allowed. */
void brume_drawn_picture_destroy(BrumeDrawnPicture *picture);

/**
 * Converts a picture to `pixels` of the output's format: by exposure and tone curve for display, or to the planes of an
 * EXR file. Parallel over rows or planes.
 */
void brume_drawn_picture_convert(const BrumeDrawnPicture *picture, const BrumePictureOutput *output,
                                 const BrumeRenderSettings *settings, void *pixels);

/** Lower and upper bounds of the size of an image file [bytes]. */
double brume_least_image_bytes(const BrumePictureOutput *output);
double brume_most_image_bytes(const BrumePictureOutput *output);

/**
 * Bytes of the buffers of a picture: radiance and layers, the sums of the path tracer, the pictures in the queue of the
 * writer, and what its encoder needs.
 */
size_t brume_picture_buffer_bytes(const BrumePictureOutput *output, const BrumeScene *scene);

#endif
