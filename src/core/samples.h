/**
 * @file samples.h
 * The values of samples at any position and at any time, and their hash.
 */
#ifndef BRUME_CORE_SAMPLES_H
#define BRUME_CORE_SAMPLES_H

#include "brume/samples.h"

#include <stdbool.h>
#include <stdint.h>

/** The contents of samples. Without values, they only name a grid of a file that was not read. */
struct BrumeSamples {
    int references; ///< changed atomically
    int n[3];       ///< values along each axis
    double first[3];
    double spacing;
    float *values;   ///< (nz x ny x nx); NULL: not read
    float steepness; ///< largest difference of neighbors along an axis, over the spacing [unit/m]
    uint64_t hash;   ///< of sizes, positions and values
    char *file;      ///< NULL: values of the caller
    char *grid;
    bool vary;                        ///< with time; the values are those of the first frame
    int component;                    ///< of the frames: which of the samples that were given them this is
    struct BrumeSampleFrames *frames; ///< a reference; NULL where they do not vary, or where the frames are not known
};

/** Samples without values: the name of a grid, and the hash that its values should have. NULL without memory. */
BrumeSamples *brume_samples_create_unread(const char *file, const char *grid, uint64_t hash);

/** Whether samples exist and have values. */
bool brume_samples_have_values(const BrumeSamples *samples);

/** Whether samples exist and vary with time. Those of a saved state vary without frames. */
bool brume_samples_vary(const BrumeSamples *samples);
bool brume_samples_have_frames(const BrumeSamples *samples);

/** The number of the frames, 0 where there are none, and the first and the last one. */
int brume_samples_frame_range(const BrumeSamples *samples, int *first, int *last);

/**
 * The samples at a frame, to be released, of samples that vary. Fails as the function that reads them, and with
 * BRUME_FAILED where the frames are not known; `*found` is NULL then.
 */
BrumeStatus brume_samples_find_at(const BrumeSamples **found, const BrumeSamples *samples, double frame,
                                  BrumeError *error);

/** The lower and the upper corner of the box in which all of `count` samples have values [m]. */
void brume_samples_bounds(const BrumeSamples *const *samples, int count, double lower[3], double upper[3]);

/** A hash of the values of `count` samples, of which all after the first may be NULL. */
uint64_t brume_samples_hash(const BrumeSamples *const *samples, int count);

/** The value at a position [m], trilinearly interpolated; false, and `*value` 0, outside the box. */
bool brume_samples_at(const BrumeSamples *samples, const double at[3], double *value);

#endif
