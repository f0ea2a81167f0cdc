/**
 * @file resample.h
 * Values on one lattice from values on another one, which may be rotated, sheared, or of other sides.
 */
#ifndef BRUME_EXCHANGE_RESAMPLE_H
#define BRUME_EXCHANGE_RESAMPLE_H

#include "brume/field.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/** One component of the values that are resampled. */
typedef struct BrumeResampleSource {
    const float *values; ///< (nz x ny x nx), x fastest, entries `stride` apart
    ptrdiff_t stride;
    int extents[3];      ///< nx, ny, nz
    float outside;       ///< value of the entries beyond them
    double matrix[3][3]; ///< entry (i, j, k) of the target is at the position matrix (i, j, k) + offset,
    double offset[3];    ///< in units of the entries of the source
} BrumeResampleSource;

/**
 * Sets, or with `adds` increases, the entries of a target of these cells, which are `stride` apart. The value is
 * interpolated trilinearly at the center of the cell; where a cell is larger than the entries of the source, it is the
 * mean at up to 16 equidistant points along each axis, about one for each entry. Serial.
 */
void brume_resample(float *target, ptrdiff_t stride, BrumeGrid cells, bool adds, const BrumeResampleSource *source);

BRUME_END_DECLS

#endif
