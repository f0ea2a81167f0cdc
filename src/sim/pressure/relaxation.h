/**
 * @file relaxation.h
 * Red-black Gauss-Seidel sweeps with over-relaxation on the cells of the box: the pressure solver "relaxation"
 * (successive over-relaxation: Young 1950; Press et al., "Numerical Recipes", 20.5).
 *
 * An odd number of cells along a periodic axis makes the first and the last cell neighbors of the same color. Their
 * coupling is added to the diagonal that the update divides by (l1 Gauss-Seidel: Baker, Falgout, Kolev, Yang 2011,
 * "Multigrid smoothers for ultraparallel computing"), so that the sweep converges.
 */
#ifndef BRUME_SIM_PRESSURE_RELAXATION_H
#define BRUME_SIM_PRESSURE_RELAXATION_H

#include "sim/pressure/poisson/poisson.h"

/**
 * One sweep over A x = b with over-relaxation `omega` in (0, 2): the cells with (i + j + k) % 2 == `first`, then the
 * others. Ghosts of x must be filled, and are filled afterwards, where several ranks have planes by the next sweep.
 * Same bits at any thread count.
 */
void brume_relaxation_sweep(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first, float omega);

/** The same sweep for x = 0; x, ghosts included, is not read. */
void brume_relaxation_sweep_from_zero(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first,
                                      float omega);

#endif
