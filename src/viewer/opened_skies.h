/**
 * @file opened_skies.h
 * Images of the sky that were opened in the window. They are not freed before the end, because pictures and the undo
 * history may refer to them.
 */
#ifndef BRUME_VIEWER_OPENED_SKIES_H
#define BRUME_VIEWER_OPENED_SKIES_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "brume/scene.h"

/** An image with its file. */
typedef struct BrumeOpenedSky {
    char path[1024]; ///< absolute
    BrumeSkyImage image;
    float *radiance; ///< pixels of the image, allocated with malloc
} BrumeOpenedSky;

/** All opened images. Zeroed, there are none. */
typedef struct BrumeOpenedSkies {
    int count;
    BrumeOpenedSky *skies;
} BrumeOpenedSkies;

/** Whether a file is an image of the sky by its extension: .hdr or .exr. */
bool brume_is_sky_file(const char *path);

/**
 * Reads a file by the function `sky` of `readers`. Fails as `sky` does, with BRUME_BAD_INPUT without this function, and
 * with BRUME_FAILED without memory; `*image` is unchanged then.
 */
BrumeStatus brume_opened_skies_read(BrumeOpenedSkies *opened, const BrumeSceneReaders *readers, const char *path,
                                    BrumeSkyImage *image, BrumeError *error);

/**
 * Adds an image that was read from `path`, with its values allocated with malloc, which belong to `opened` from now on.
 * Where the same image of this path was opened before, the new values are freed and `*image` has the earlier ones.
 * BRUME_FAILED without memory; the values are freed then, too.
 */
BrumeStatus brume_opened_skies_add(BrumeOpenedSkies *opened, const char *path, float *radiance, BrumeSkyImage *image,
                                   BrumeError *error);

/** Returns the absolute path of an opened image; NULL for others. */
const char *brume_opened_skies_path(const BrumeOpenedSkies *opened, const BrumeSkyImage *image);

/** Frees all images. */
void brume_opened_skies_destroy(BrumeOpenedSkies *opened);

#endif
