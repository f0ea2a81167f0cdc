/**
 * @file multigrid.h
 * One symmetric multigrid cycle for the operator of poisson.h, as a preconditioner (Trottenberg, Oosterlee, Schueller
 * 2001, "Multigrid"; as preconditioner of smoke: McAdams, Sifakis, Teran 2010, "A parallel multigrid Poisson solver
 * for fluids simulation on large grids").
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_H
#define BRUME_SIM_PRESSURE_MULTIGRID_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/components.h"
#include "sim/pressure/poisson.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeMultigrid BrumeMultigrid;

/**
 * Builds the coarse levels for a system that outlives them; `singular` says whether any part of the box is.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_multigrid_create(BrumeMultigrid **multigrid, const BrumePoisson *poisson, bool singular,
                                   BrumeError *error);

void brume_multigrid_destroy(BrumeMultigrid *multigrid);

size_t brume_multigrid_bytes(const BrumeMultigrid *multigrid);

/**
 * z = M r, where M is symmetric, positive definite orthogonally to the null space of A, and close to the inverse of
 * A. r must be 0 in dead cells and have mean 0 on singular components; the caller removes z's mean there. z may hold
 * anything; its ghosts are in order afterwards. Same bits at any thread count.
 */
void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r);

#endif
