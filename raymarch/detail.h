/**
 * @file detail.h
 * Detail below the size of cells that follows the flow: a finer volume from a volume, before it is loaded into a
 * medium, so that both renderers, the path tracer and the light see the same smoke (detail.c, docs/rendering.md).
 */
#ifndef BRUME_RAYMARCH_DETAIL_H
#define BRUME_RAYMARCH_DETAIL_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "brume/volume.h"
#include "core/field.h"
#include "raymarch/wavelet_noise.h"

#include <stddef.h>

enum { BRUME_MAX_DETAIL_FACTOR = 4 };

/** Memory for finer volumes, which stays from volume to volume. All zero: none. */
typedef struct BrumeDetailMemory {
    BrumeWaveletNoise noise;
    BrumeField coarse[4];  ///< of the cells of the coarse volume: scratch
    float *texture;        ///< (nz+2 x ny+2 x nx+2 x 4) per layer: texture coordinates and amplitude
    size_t coarse_entries; ///< of each field of the coarse cells
    float *fine;           ///< the arrays of the finer volume, one behind the other
    size_t fine_entries;   ///< of all of them
} BrumeDetailMemory;

void brume_detail_destroy(BrumeDetailMemory *memory);

/** The cells of a finer volume. */
BrumeGrid brume_detail_grid(const BrumeDetail *detail, BrumeGrid coarse);

/** Whether the settings enable a finer volume. */
static inline bool brume_detail_is_on(const BrumeDetail *detail) { return detail->factor > 1; }

/** Bytes in use after brume_detail_refine of a volume of these cells with `kinds` kinds of smoke. */
size_t brume_detail_bytes_needed(const BrumeRenderSettings *settings, BrumeGrid coarse, int kinds);

/** Bytes in use. */
size_t brume_detail_bytes(const BrumeDetailMemory *memory);

/**
 * Sets `fine` to `volume` on a grid of cells smaller by the factor of `settings->detail`, which is on. The mean density
 * of the fine cells in a coarse cell equals the cell's density, to rounding, for every kind of smoke; negative
 * densities and NaN count as 0. Its arrays belong to `memory`. BRUME_FAILED without memory. Parallel over z-planes.
 */
BrumeStatus brume_detail_refine(BrumeDetailMemory *memory, const BrumeRenderSettings *settings,
                                const BrumeVolume *volume, BrumeVolume *fine, BrumeError *error);

#endif
