/**
 * @file gauss_seidel.h
 * Red-black Gauss-Seidel on the cells of the box: the smoother of multigrid's finest level and, over-relaxed, a
 * solver of its own (Young 1950; Press et al., "Numerical Recipes", 20.5).
 *
 * Where an odd number of cells along a periodic axis puts two cells of one color side by side, their coupling is
 * added to the diagonal that the update divides by (l1 smoothing: Baker, Falgout, Kolev, Yang 2011, "Multigrid
 * smoothers for ultraparallel computing"), which keeps the sweep convergent and its mirror image symmetric to it.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_GAUSS_SEIDEL_H
#define BRUME_SIM_PRESSURE_MULTIGRID_GAUSS_SEIDEL_H

#include "sim/pressure/poisson.h"

/**
 * One sweep over A x = b with over-relaxation `omega` in (0, 2): the cells with (i + j + k) % 2 == `first`, then the
 * others. Ghosts of x are in order before and after. Same bits at any thread count.
 */
void brume_gauss_seidel(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first, float omega);

/** The sweep for an x that is 0: its contents, ghosts included, may be undefined. */
void brume_gauss_seidel_from_zero(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first,
                                  float omega);

#endif
