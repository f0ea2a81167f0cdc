/**
 * @file components.h
 * The singular components of the pressure system: connected components of air that reach no open side. On each of them
 * the pressure is determined up to a constant only; the right-hand side must have mean 0, and the solution is
 * chosen with mean 0.
 */
#ifndef BRUME_SIM_PRESSURE_POISSON_COMPONENTS_H
#define BRUME_SIM_PRESSURE_POISSON_COMPONENTS_H

#include "core/error.h"
#include "core/field.h"
#include "sim/grid/cells.h"

#include <stdint.h>

/** A run of cells, first..last of row (j, k), that open faces connect. */
typedef struct BrumeRun {
    int first, last;
    int j, k;
    int component;
} BrumeRun;

/** The runs `from` to before `to`. */
typedef struct BrumeRunRange {
    int from, to;
} BrumeRunRange;

/** The singular components of a box as runs in memory order; no runs and no memory if there is none. */
typedef struct BrumeComponents {
    BrumeGrid grid;
    int count; ///< singular components
    int run_count;
    BrumeRun *runs;  ///< (run_count)
    double *sums;    ///< (run_count) work: sums over the cells of runs
    double *means;   ///< (count) work: means over components
    double *cells;   ///< (count) numbers of cells
    int *plane_runs; ///< (nz+2) the first run of each plane 1..nz, and the number of runs
} BrumeComponents;

/** Finds the singular components. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_components_create(BrumeComponents *components, const BrumeCells *cells, BrumeError *error);

void brume_components_destroy(BrumeComponents *components);

/** The singular component of cell (i, j, k), from 0; -1 for a solid cell and one of another component. */
int brume_components_find(const BrumeComponents *components, int i, int j, int k);

/** The runs in the planes of this rank; there are singular components. */
BrumeRunRange brume_components_own_runs(const BrumeComponents *components);

/** Sets the means of the components from the sums of their runs, of which this rank has set its own. */
void brume_components_find_means(const BrumeComponents *components);

/** Bytes allocated. */
size_t brume_components_bytes(const BrumeComponents *components);

/**
 * Subtracts the mean over each singular component from x, a field of the cells' grid with strides sy and sz. Same bits
 * at any thread count; `parallel`: whether to use a team of threads.
 */
void brume_components_remove_mean(const BrumeComponents *components, float *x, ptrdiff_t sy, ptrdiff_t sz,
                                  bool parallel);

/** The same for a field with rows of nx cells in parity order (grid/parity_rows.h), with sums in another order. */
void brume_components_remove_mean_parity(const BrumeComponents *components, float *x, int nx, ptrdiff_t sy,
                                         ptrdiff_t sz, bool parallel);

#endif
