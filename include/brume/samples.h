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

/** Values on a regular grid, which do not change, or which vary with time. Several threads may use the same samples. */
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

/**
 * Samples that vary with time: at frames, counted from the start of a simulation at its frame rate. Between two frames
 * of the same grid they are linear; of other grids, those of the earlier frame hold until the later one. Before the
 * first and after the last frame they are constant.
 */
typedef struct BrumeSamplesFramesDef {
    int count;         ///< 1 or more
    const int *frames; ///< (count) in increasing order
    /**
     * Creates the samples, as many as were given frames, at the frame `frames[index]`. Fails with one line that names
     * the file; no samples are left then. Called by any thread, by one at a time.
     */
    BrumeStatus (*read)(void *context, int index, BrumeSamples *samples[3], BrumeError *error);
    void (*destroy)(void *context); ///< called once, with the last of the samples; NULL: nothing is freed
    void *context;                  ///< passed to both
} BrumeSamplesFramesDef;

/**
 * Lets `count` samples vary, 1 of a scalar or 3 of a vector, which are not yet used elsewhere: their values are those
 * of the first frame. Simulations read the other frames for emitters; for bodies and initial fields the values stay
 * those of the first one. The context belongs to the samples then. Fails with BRUME_FAILED without memory; the samples
 * and the context are unchanged then.
 */
BRUME_API BrumeStatus brume_samples_set_frames(BrumeSamples *const samples[3], int count,
                                               const BrumeSamplesFramesDef *def, BrumeError *error);

/** Bytes of the values. */
BRUME_API size_t brume_samples_bytes(const BrumeSamples *samples);

/**
 * Reads grid `grid` of the volume file `path`, and creates `count` samples from it with these two as `file` and `grid`:
 * 1 of a scalar, or 3 of the components x, y and z of a vector, whose positions may differ. Where `path` names a
 * sequence of files, the samples vary; `frame` is the number of the file at time 0. Fails with BRUME_BAD_INPUT where
 * there is no such file or grid, and with BRUME_FAILED where it cannot be read; the text is one line that names the
 * file, and no samples are left. Called by the thread that loads the scene.
 */
typedef BrumeStatus BrumeSamplesReader(void *context, const char *path, const char *grid, int count, int frame,
                                       BrumeSamples *samples[3], BrumeError *error);

BRUME_END_DECLS

#endif
