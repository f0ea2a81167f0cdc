/**
 * @file fine_mean.h
 * Brings the means of fine cells back to the values of the coarse cells that contain them (fine_mean.c).
 */
#ifndef BRUME_REFINE_FINE_MEAN_H
#define BRUME_REFINE_FINE_MEAN_H

#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>
#include <stdint.h>

/** A grid and the same in smaller cells. */
typedef struct BrumeFineCells {
    int factor; ///< fine cells along a cell
    BrumeGrid coarse, fine;
    const uint8_t
        *active;      ///< (nz x ny x nx of the coarse grid): whether the fine cells in a cell differ from its value
    BrumeCellBox box; ///< coarse cells beyond which none is active
} BrumeFineCells;

/** The index of a coarse cell, and that of the first fine cell of fine row (j, k) in coarse column i. */
static inline size_t brume_coarse_index(const BrumeFineCells *cells, int i, int j, int k)
{
    return ((size_t)k * (size_t)cells->coarse.ny + (size_t)j) * (size_t)cells->coarse.nx + (size_t)i;
}
static inline size_t brume_fine_row(const BrumeFineCells *cells, int i, int j, int k)
{
    return ((size_t)k * (size_t)cells->fine.ny + (size_t)j) * (size_t)cells->fine.nx +
           (size_t)i * (size_t)cells->factor;
}

/**
 * Moves the means of the fine values towards the coarse values, by `least_rate` of the difference or more. With
 * `exact`, negative values count as 0, and the sums of both are equal afterwards. Fine cells that are not in active
 * cells get the value of their cell. BRUME_FAILED without memory. Parallel over z-planes.
 */
BrumeStatus brume_correct_means(const BrumeFineCells *cells, const float *coarse, float *fine, bool exact,
                                float least_rate, BrumeError *error);

#endif
