/**
 * @file exr_file.h
 * Reads EXR files by OpenEXRCore, for tests.
 */
#ifndef BRUME_TESTS_SUPPORT_EXR_FILE_H
#define BRUME_TESTS_SUPPORT_EXR_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { EXR_FILE_CHANNELS = 40 };

/** A channel with its values. */
typedef struct ExrChannel {
    char name[32];
    bool single;   ///< stored in single precision; otherwise half
    float *values; ///< height x width
} ExrChannel;

/** A file. */
typedef struct ExrFile {
    int left, top, width, height;  ///< the data window
    int whole_width, whole_height; ///< the display window, which starts at (0, 0)
    int channel_count;
    ExrChannel channels[EXR_FILE_CHANNELS];
    char software[64], scene_hash[64];
    int frame;
    double time;
} ExrFile;

/** Reads a file. Fails the test where it is not a whole file of one part of scanlines with ZIP compression. */
ExrFile *read_exr(const char *path);

/** The values of a channel. Fails the test where there is no such channel. */
const float *exr_values(const ExrFile *file, const char *name);

void free_exr(ExrFile *file);

#endif
