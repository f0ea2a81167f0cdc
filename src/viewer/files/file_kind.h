/**
 * @file file_kind.h
 * The kinds of files that the viewer writes, by their extensions.
 */
#ifndef BRUME_VIEWER_FILES_FILE_KIND_H
#define BRUME_VIEWER_FILES_FILE_KIND_H

#include <stdbool.h>

typedef enum BrumeFileKind {
    BRUME_FILE_PNG,
    BRUME_FILE_EXR, ///< linear, with alpha, as `brume render` writes it without --layers
    BRUME_FILE_MP4,
    BRUME_FILE_WEBM,
    BRUME_FILE_VDB,
    BRUME_FILE_HDF, ///< the cache
    BRUME_FILE_VTI,
} BrumeFileKind;
enum { BRUME_FILE_KINDS = 7 };

/** Returns the extension of a kind: ".png" and so on. */
const char *brume_file_extension(BrumeFileKind kind);

/** Returns the name of a kind for the user: "PNG", "cache (HDF5)". */
const char *brume_file_kind_name(BrumeFileKind kind);

/** Finds the kind of a path by its extension, in small or capital letters; false, `*kind` unchanged, for others. */
bool brume_file_kind_of(const char *path, BrumeFileKind *kind);

bool brume_file_is_video(BrumeFileKind kind);
bool brume_file_is_volume(BrumeFileKind kind);

/** Whether each frame is a separate image, PNG or EXR. */
bool brume_file_is_image(BrumeFileKind kind);

#endif
