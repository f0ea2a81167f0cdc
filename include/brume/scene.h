/**
 * @file scene.h
 * A scene: the contents of one YAML file as settings for the solver, the renderer and the program.
 *
 * A scene is not changed by any function but its creators and brume_scene_destroy, so that several threads may read it.
 * Functions that read files or text set the "C" locale of the calling thread during the call.
 */
#ifndef BRUME_SCENE_H
#define BRUME_SCENE_H

#include "brume/animation.h"
#include "brume/camera.h"
#include "brume/error.h"
#include "brume/export.h"
#include "brume/mesh.h"
#include "brume/probe.h"
#include "brume/render_settings.h"
#include "brume/timeline.h"

BRUME_BEGIN_DECLS

enum { BRUME_MAX_SCENE_WARNINGS = 8 };

/** How pictures are computed. */
typedef enum BrumeImageIntegrator {
    BRUME_INTEGRATOR_MARCH, ///< brume_renderer_draw: ray marching, with approximate multiple scattering
    BRUME_INTEGRATOR_PATH,  ///< brume_renderer_trace: path tracing, a reference
} BrumeImageIntegrator;

/** The numbers of an image file. */
typedef enum BrumeImageBits {
    BRUME_IMAGE_BITS_AUTO, ///< the usual number of the format of the file
    BRUME_IMAGE_BITS_8,
    BRUME_IMAGE_BITS_16,
    BRUME_IMAGE_BITS_32,
} BrumeImageBits;

/** The contents of a scene file. Format, units, defaults and limits: docs/scene.md. */
typedef struct BrumeScene {
    char name[64];          ///< short title; by default the name of the file without folder and extension
    char description[256];  ///< one sentence
    BrumeSimDef sim;        ///< settings of the simulation before the first frame
    BrumeTimeline timeline; ///< changes during the simulation
    BrumeRenderSettings render_settings;
    char sky_file[1024];    ///< path of the image of render_settings.sky; empty where the sky is no image of a file
    float *sky_radiance;    ///< its values, which belong to the scene; NULL where they were not read
    char ground_file[1024]; ///< path of the image of render_settings.ground_image; empty without one
    float *ground_image;    ///< its levels, which belong to the scene; NULL where they were not read
    const BrumeTexture *textures[BRUME_MAX_SURFACES]; ///< of render_settings.surfaces; references of the scene
    int surface_of[BRUME_MAX_BODIES];                 ///< index in render_settings.surfaces of each body; -1: none
    int camera_key_count;                             ///< at least 1
    BrumeCameraKey camera_keys[BRUME_MAX_CAMERA_KEYS];
    BrumeAnimation animation; ///< values that change with time; `sim` and `render_settings` have the values at time 0
    int probe_count;
    BrumeProbe probes[BRUME_MAX_PROBES]; ///< positions whose values the program writes to files
    int frames;                          ///< number of frames, at least 1
    int first_frame;   ///< number of the first frame in files and messages; the frame before it is the initial state
    int width, height; ///< of the picture [pixels]
    BrumeImageIntegrator integrator;
    int samples;     ///< rays per pixel; of the path tracer the most light paths per pixel
    float noise;     ///< of the path tracer: BrumeTraceDef.noise; 0 where `integrator` is the ray marcher
    bool denoise;    ///< of the path tracer: BrumeTraceDef.denoise; false where `integrator` is the ray marcher
    int bounces;     ///< of the path tracer: BrumeTraceDef.bounces; the default where `integrator` is the ray marcher
    float shutter;   ///< part of a frame for which the shutter is open, for motion blur, 0 to 1; 0: none
    float turntable; ///< time in which the camera turns around its target once [s], in addition to its keys; 0: never
    BrumeImageBits bits; ///< of the numbers in image files
    bool transparent;    ///< images have no sky but alpha (BrumePictureLayers.alpha)
    /**
     * Probable mistakes in the file, in the form of errors: `file:line:column: text`. Of the settings before the first
     * frame; found by brume_scene_load and brume_scene_parse.
     */
    char warnings[BRUME_MAX_SCENE_WARNINGS][512];
    int warning_count;
} BrumeScene;

/**
 * Reads the image of a sky: `*radiance` becomes an array as of BrumeSkyImage, allocated with malloc, which the scene
 * frees. Fails with BRUME_BAD_INPUT where there is no such file or it is not such an image, and with BRUME_FAILED where
 * it cannot be read; the text is one line that names the file. Called by the thread that loads the scene.
 */
typedef BrumeStatus BrumeSkyReader(void *context, const char *path, int *width, int *height, float **radiance,
                                   BrumeError *error);

/** The functions that read the files which a scene names. Where one is NULL, a scene with such a file is an error. */
typedef struct BrumeSceneReaders {
    BrumeSamplesReader *samples;  ///< of volume files
    BrumeSamplesReader *points;   ///< of files with points, as one grid of BrumePointNumber; the name of the grid is ""
    BrumeSkyReader *sky;          ///< of images of skies
    BrumeSkyReader *ground_image; ///< of images of the ground, whose values are albedos in linear RGB
    BrumeMeshReader *mesh;        ///< of mesh files
    BrumeTextureReader *texture;  ///< of the textures of bodies
    void *context;                ///< passed to each function
} BrumeSceneReaders;

/**
 * Reads and checks a scene file. `overrides` are `count` texts `dotted.path=value`, which replace values of the file
 * and are checked like them (errors name them as `-D dotted.path=value`); NULL where `count` is 0. `null` removes the
 * value, so that its default applies.
 *
 * Volume files, mesh files, textures and images that the scene names are read by `readers`, which are not needed
 * afterwards; NULL for none. A relative path starts at the folder of the scene, the path of an override at the working
 * folder.
 *
 * Fails with BRUME_BAD_INPUT and one line `file:line:column: ...` where the scene is not valid, and with BRUME_FAILED
 * without memory or where the system cannot read the file. `*scene` is NULL after a failure; otherwise it is freed with
 * brume_scene_destroy.
 */
BRUME_API BrumeStatus brume_scene_load(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                                       const BrumeSceneReaders *readers, BrumeError *error);

/**
 * Reads and checks a scene from a text in memory, terminated by a 0, which is not needed afterwards. `name` is used
 * instead of the path: errors are `name:line:column: ...`, and it is the default title. Otherwise as brume_scene_load.
 */
BRUME_API BrumeStatus brume_scene_parse(BrumeScene **scene, const char *text, const char *name,
                                        const char *const *overrides, int count, const BrumeSceneReaders *readers,
                                        BrumeError *error);

/** Which volume and mesh files of a scene are read; others are only named, and no simulation can be created from their
 * settings.
 */
typedef enum BrumeSceneFiles {
    BRUME_SCENE_FILES_ALL,
    BRUME_SCENE_FILES_OF_SURFACES, ///< of bodies that are drawn, and the image of the sky
    BRUME_SCENE_FILES_NONE,
} BrumeSceneFiles;

/**
 * As brume_scene_parse, for a text that brume_scene_write made from a scene whose files had been read: `files` selects
 * the volume and mesh files that are read again. The checks that need the values of other files are left out.
 */
BRUME_API BrumeStatus brume_scene_parse_written(BrumeScene **scene, const char *text, const char *name,
                                                const char *const *overrides, int count, BrumeSceneFiles files,
                                                const BrumeSceneReaders *readers, BrumeError *error);

/**
 * Applies the change of the timeline for the next frame, if there is one, to a simulation that was created from
 * scene->sim, and advances the simulation by this frame, in whose steps the animated values act (brume_sim_animate
 * until the end of the call). `stats` may be NULL.
 *
 * Fails as brume_change_apply and brume_sim_frame do. Where the change fails, the simulation is unchanged; where the
 * frame fails, the change has been applied, and the state is as brume_sim_frame describes.
 */
BRUME_API BrumeStatus brume_scene_frame(const BrumeScene *scene, BrumeSim *sim, BrumeFrameStats *stats,
                                        BrumeError *error);

/**
 * Gives a simulation that brume_sim_create_saved has restored the frames of those meshes of the scene that deform,
 * which are not part of a saved state. Fails where they give other positions than those of the state, or cannot be
 * read.
 */
BRUME_API BrumeStatus brume_scene_restore_meshes(const BrumeScene *scene, BrumeSim *sim, BrumeError *error);

/** Whether an emitter or a stroke of the scene, or of its timeline, can have particles, or it has initial points. */
BRUME_API bool brume_scene_has_particles(const BrumeScene *scene);

/** The maximum number of cells of the fields along each axis over all settings of the scene and its timeline; with a
 * far field of the first window, which may grow. */
BRUME_API BrumeGrid brume_scene_largest_grid(const BrumeScene *scene);

/**
 * An estimate of the most memory that the simulation of the scene and its timeline uses at a time [bytes]: the memory
 * of brume_sim_bytes_needed, the samples of its volume files, its meshes, and the second copy that a change of the box
 * and a moving body need.
 */
BRUME_API size_t brume_scene_bytes_needed(const BrumeScene *scene);

/**
 * scene->render_settings with the surfaces of bodies at their positions in `settings`, as of brume_sim_settings, and
 * the shutter of a frame at their frame rate.
 */
BRUME_API BrumeRenderSettings brume_scene_render_settings(const BrumeScene *scene, const BrumeSimDef *settings);

/** As brume_scene_render_settings, with the animated values at `time` [s] in place of the values at time 0. */
BRUME_API BrumeRenderSettings brume_scene_render_settings_at(const BrumeScene *scene, const BrumeSimDef *settings,
                                                             double time);

/**
 * Gives the surfaces of `render` the shapes of the bodies in `settings`, by `surface_of` as in BrumeScene. A surface
 * that is hidden, or whose body is disabled or does not exist, becomes a point, or is left out at the end of the list.
 * Surfaces to which no body refers stay as they are. A reference speed of 0 becomes that of the wind, else of the
 * fastest inflow.
 */
BRUME_API void brume_place_surfaces(BrumeRenderSettings *render, const int surface_of[BRUME_MAX_BODIES],
                                    const BrumeSimDef *settings);

/**
 * Sets velocity and rotation rate of the surfaces of `render` to those of their bodies in the frame that follows
 * `frame` frames, at `time` [s]: for motion blur and motion vectors. `now` are the settings before it, as of
 * brume_sim_settings.
 */
BRUME_API void brume_scene_move_surfaces(const BrumeScene *scene, const BrumeSimDef *now, int frame, double time,
                                         BrumeRenderSettings *render);

/*
 * Parts of a scene for programs in other languages, in which BrumeScene is not declared. The pointers are valid until
 * the scene is destroyed.
 */

/** The settings of the simulation at its start: `&scene->sim`. */
BRUME_API const BrumeSimDef *brume_scene_sim_def(const BrumeScene *scene);

/** The render settings with the bodies at their first positions: `&scene->render_settings`. */
BRUME_API const BrumeRenderSettings *brume_scene_initial_render_settings(const BrumeScene *scene);

/**
 * The camera at `time` [s]: brume_camera_at of the scene's camera keys, turned about the vertical axis through its
 * target by the scene's turntable: from +z towards +x where that is above 0.
 */
BRUME_API BrumeCamera brume_scene_camera(const BrumeScene *scene, double time);

/** Frees a scene; NULL is allowed. */
BRUME_API void brume_scene_destroy(BrumeScene *scene);

/**
 * Writes a scene as the text of a scene file, in the order of docs/scene.md and without values that equal the defaults.
 * brume_scene_load reads the same scene from it, bit for bit. `comment` is written as comment lines at the top; NULL
 * for none.
 *
 * `*text` is freed with brume_free. Fails with BRUME_FAILED without memory, and with BRUME_BAD_INPUT where the timeline
 * changes the number of bodies, which a scene file cannot express; `*text` is NULL then.
 */
BRUME_API BrumeStatus brume_scene_write(const BrumeScene *scene, const char *comment, char **text, BrumeError *error);

BRUME_END_DECLS

#endif
