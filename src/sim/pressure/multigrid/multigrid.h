/**
 * @file multigrid.h
 * One symmetric multigrid cycle for the operator of poisson.h, as a preconditioner (Trottenberg, Oosterlee, Schueller
 * 2001, "Multigrid"; as preconditioner of smoke: McAdams, Sifakis, Teran 2010, "A parallel multigrid Poisson solver
 * for fluids simulation on large grids").
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_MULTIGRID_H
#define BRUME_SIM_PRESSURE_MULTIGRID_MULTIGRID_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/components.h"
#include "sim/pressure/multigrid/stencil.h"
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

/** The operator of the box on split rows. */
const BrumeStencil *brume_multigrid_stencil(const BrumeMultigrid *multigrid);

/** What is done with rows from..to-1 of plane k along with a cycle; NULL for nothing. */
typedef void BrumeCycleRows(void *context, int k, int from, int to);

/**
 * Work that shares a cycle's passes through memory. In every plane it sees the rows once each, in ascending order. It
 * may be called for different planes at once.
 */
typedef struct BrumeCycleHooks {
    void *context;
    BrumeCycleRows *before; ///< puts r's rows in order, before anything reads them
    BrumeCycleRows *after;  ///< once z's rows are final
} BrumeCycleHooks;

/**
 * z = M r on split rows (split.h), where M is symmetric, positive definite orthogonally to the null space of A, and
 * close to the inverse of A. r must be 0 in dead cells and have mean 0 on singular components; the caller removes z's
 * mean there. z may hold anything in cells, and must hold 0 in ghosts that are not periodic; its ghosts are in order
 * afterwards. Same bits at any thread count, and with hooks as with their work done by itself.
 */
void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r, const BrumeCycleHooks *hooks);

#endif
