/**
 * @file strip.h
 * The vectorized kernels of the flux form. A strip is a set of adjacent lines along the axis of a pass, copied into
 * arrays of one thread: up to BRUME_STRIP_LANES columns side by side, or one row along x. All kernels are flat loops
 * over the cells or faces of a strip, in which `stride` leads from a cell to the next one along the axis: the number of
 * columns, or 1 for a row. Face n is the lower face of cell n. Reference: src/sim/reference/transport.c.
 */
#ifndef BRUME_SIM_TRANSPORT_STRIP_H
#define BRUME_SIM_TRANSPORT_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BRUME_STRIP_LANES = 64,  ///< most columns of a strip
    BRUME_STRIP_PAD = 32,    ///< cells beyond each end of a line
    BRUME_STRIP_ARRAYS = 10, ///< arrays of a BrumeStrip
    BRUME_LARGEST_REACH = BRUME_STRIP_PAD - 4,
};

/** The arrays of a strip; each points to entry 0 of the lines, which is the last cell before the first one. */
typedef struct BrumeStrip {
    float *q;             ///< cell averages [unit]
    float *edge;          ///< values at the faces [unit]
    float *below, *above; ///< cell average minus lower edge, upper edge minus cell average [unit]
    float *courant;       ///< displacement at the faces [cells]
    float *volume;        ///< of the cells before the pass [cells]; not used in the first pass
    float *per_volume;    ///< 1 / volume
    float *per_next;      ///< 1 / volume after the pass; used where the pass divides by it
    float *flux;          ///< amount through the faces [unit cells]
    int32_t *solid;       ///< -1 in solid cells, otherwise 0
} BrumeStrip;

/** How a pass turns amounts into values. */
typedef struct BrumeUpdate {
    bool first;   ///< pass of the substep: all volumes before it are 1
    bool divides; ///< by the volume after the pass; otherwise that is 1
    float lowest; ///< results are at least this [unit]
    float decay;  ///< factor of the results
} BrumeUpdate;

/** Edge values at faces from..to-1. `masked`: the strip has solid cells. */
void brume_strip_edges(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool masked);

/** Limited differences to the edges in cells from..to-1. */
void brume_strip_limit(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool masked);

/** Amounts through faces from..to-1. `first`: all volumes are 1. */
void brume_strip_fluxes(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool first,
                        bool masked);

/** New values of `rows` rows of `length` cells from cell `from` on; row n is written to result[n * step]. */
void brume_strip_update(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, int rows, int length,
                        const BrumeUpdate *update, float *result, ptrdiff_t step);

/** courant[n] = scale velocity[n] of a row of faces; returns the largest absolute value. */
float brume_strip_courant(float *courant, const float *velocity, float scale, int count);

/** volume[n] -= scale velocity[n + step] - scale velocity[n] of a row of cells; with `start`, from a volume of 1. */
void brume_strip_volume(float *volume, const float *velocity, ptrdiff_t step, float scale, bool start, int count);

/** Set per_volume and per_next in cells from..to-1; `first`: all volumes before the pass are 1. */
void brume_strip_reciprocals(const BrumeStrip *strip, ptrdiff_t from, ptrdiff_t to);
void brume_strip_next_reciprocals(const BrumeStrip *strip, ptrdiff_t stride, ptrdiff_t from, ptrdiff_t to, bool first);

/** solid[n] of a row of cells from their flags; returns whether any is solid. */
bool brume_strip_solids(int32_t *solid, const uint8_t *flags, int count);

/** A bit for each `segment` values of a row, the last ones may be fewer: whether a bit of them is set. */
uint64_t brume_strip_marks(const float *row, int count, int segment);

/** The largest of `count` displacements in a direction, 1 or -1; 0 where all are against it. */
float brume_strip_largest(const float *courant, float direction, int count);

#endif
