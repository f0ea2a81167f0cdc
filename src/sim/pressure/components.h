/**
 * @file components.h
 * The parts of the air that reach no open side: on each of them pressure is known up to a constant only, so a
 * right-hand side must have, and a solution is given, the mean 0.
 */
#ifndef BRUME_SIM_PRESSURE_COMPONENTS_H
#define BRUME_SIM_PRESSURE_COMPONENTS_H

#include "core/error.h"
#include "core/field.h"
#include "sim/boundary/cells.h"

#include <stdint.h>

/** Cells first..last of row (j, k), joined by open faces and part of one component. */
typedef struct BrumeRun {
    int first, last;
    int j, k;
    int component;
} BrumeRun;

/** The singular components of a box, as runs in the order of memory; no runs where there is none. */
typedef struct BrumeComponents {
    int count; ///< singular components
    int run_count;
    BrumeRun *runs; ///< (run_count)
    double *sums;   ///< a run: sum over its cells
    double *means;  ///< a component
    double *cells;  ///< a component: how many cells it has
} BrumeComponents;

/** Finds them. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_components_create(BrumeComponents *components, const BrumeCells *cells, BrumeError *error);

void brume_components_destroy(BrumeComponents *components);

size_t brume_components_bytes(const BrumeComponents *components);

/**
 * Subtracts from each singular component of x (laid out with strides sy and sz like a BrumeField of the cells' grid)
 * its mean. Same bits at any thread count; `parallel` says whether the grid is worth a team.
 */
void brume_components_remove_mean(const BrumeComponents *components, float *x, ptrdiff_t sy, ptrdiff_t sz,
                                  bool parallel);

/** The same for a field of split rows (split.h) with nx cells each; sums are formed in another order. */
void brume_components_remove_mean_parity(const BrumeComponents *components, float *x, int nx, ptrdiff_t sy,
                                         ptrdiff_t sz, bool parallel);

#endif
