/**
 * @file samples.h
 * Values of one quantity on a regular grid, as from a volume file, for initial fields, emitters and bodies;
 * and the function by which a scene reads its volume files.
 */
#ifndef BRUME_SAMPLES_H
#define BRUME_SAMPLES_H

#include "brume/error.h"
#include "brume/export.h"

#include <stddef.h>

BRUME_BEGIN_DECLS

/** Values on a regular grid, which do not change. Several threads may use the same samples. */
typedef struct BrumeSamples BrumeSamples;

/** The arguments of brume_samples_create. */
typedef struct BrumeSamplesDef {
    int nx, ny, nz;      ///< values along each axis, 1 to 2^17 each
    double first[3];     ///< position of the first value [m]
    double spacing;      ///< distance between neighbors along each axis [m], above 0
    const float *values; ///< (nz x ny x nx), x fastest, in the unit of the quantity; all finite
    const char *file;    ///< path of the volume file, as a scene file names it; NULL for values of the caller
    const char *grid;    ///< name of the grid in the file; NULL with `file` NULL
} BrumeSamplesDef;

/**
 * Copies values into new samples, which are freed with brume_samples_release. Between the positions of the values,
 * samples are interpolated trilinearly; the outermost values hold for half a spacing beyond their positions, and the
 * value that lies farther outside has no value.
 *
 * Fails with BRUME_BAD_INPUT where a number is outside its range or a value is not finite (the text names it), and with
 * BRUME_FAILED without memory; `*samples` is NULL then.
 */
BRUME_API BrumeStatus brume_samples_create(BrumeSamples **samples, const BrumeSamplesDef *def, BrumeError *error);

/**
 * Adds a reference to samples; NULL is allowed. Scenes, timelines and simulations hold references to the samples of
 * their settings, so that a caller may release its own as soon as it has created them. A renderer holds none: the
 * samples of its surfaces must exist while it draws.
 */
BRUME_API void brume_samples_retain(const BrumeSamples *samples);

/** Releases a reference; the last one frees the samples. NULL is allowed. */
BRUME_API void brume_samples_release(const BrumeSamples *samples);

/** Bytes of the values. */
BRUME_API size_t brume_samples_bytes(const BrumeSamples *samples);

/**
 * Reads grid `grid` of the volume file `path`, and creates `count` samples from it with these two as `file` and `grid`:
 * 1 of a scalar, or 3 of the components x, y and z of a vector, whose positions may differ. Fails with BRUME_BAD_INPUT
 * where there is no such file or grid, and with BRUME_FAILED where it cannot be read; the text is one line that names
 * the file, and no samples are left. Called by the thread that loads the scene.
 */
typedef BrumeStatus BrumeSamplesReader(void *context, const char *path, const char *grid, int count,
                                       BrumeSamples *samples[3], BrumeError *error);

BRUME_END_DECLS

#endif
