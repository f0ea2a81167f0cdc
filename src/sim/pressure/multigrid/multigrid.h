/**
 * @file multigrid.h
 * One symmetric multigrid cycle for the operator of poisson.h, a preconditioner of conjugate gradients (Trottenberg,
 * Oosterlee, Schueller 2001, "Multigrid"; for smoke: McAdams, Sifakis, Teran 2010, "A parallel multigrid Poisson solver
 * for fluids simulation on large grids"). sim/reference/vcycle.c is the same cycle in plain loops: read that first.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_MULTIGRID_H
#define BRUME_SIM_PRESSURE_MULTIGRID_MULTIGRID_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/multigrid/coarsest.h"
#include "sim/pressure/multigrid/level.h"
#include "sim/pressure/multigrid/operator.h"
#include "sim/pressure/poisson/poisson.h"

#include <stdbool.h>
#include <stddef.h>

enum { BRUME_MULTIGRID_LEVELS = 16 }; ///< largest number of coarse levels

/** The hierarchy of levels. */
typedef struct BrumeMultigrid {
    BrumeOperator finest;                               ///< the operator on the cells of the box
    bool bodies;                                        ///< whether any cell is solid
    int count;                                          ///< coarse levels
    BrumeMultigridLevel levels[BRUME_MULTIGRID_LEVELS]; ///< coarse levels, from the finest to the coarsest
    BrumeCoarsest coarsest;                             ///< the inverse on the last level
} BrumeMultigrid;

/**
 * Builds the hierarchy for cells that outlive it; `singular`: whether the box has singular components. BRUME_FAILED
 * without memory; `*multigrid` is NULL then.
 */
BrumeStatus brume_multigrid_create(BrumeMultigrid **multigrid, const BrumePoisson *poisson, bool singular,
                                   BrumeError *error);

/** Frees all memory; NULL is allowed. */
void brume_multigrid_destroy(BrumeMultigrid *multigrid);

/** Bytes allocated. */
size_t brume_multigrid_bytes(const BrumeMultigrid *multigrid);

/**
 * The number of visits to coarse level n (from 0) in a cycle: two for every coarse level but the first (a W-cycle),
 * with bodies two for the first too. Piecewise-constant corrections are too rough for a V-cycle.
 */
static inline int brume_multigrid_visits(const BrumeMultigrid *multigrid, int n)
{
    return n > 0 || multigrid->bodies ? 2 : 1;
}

/**
 * Plain versions of the cycle and of the vector operations around it, one function each, for an iteration without fused
 * passes. They have a hierarchy of their own. Fields have rows in plain order; ghosts must be 0 at first, and ghosts
 * along periodic axes are filled.
 */
typedef struct BrumeCycleKernels {
    /** Builds the hierarchy, as brume_multigrid_create. */
    BrumeStatus (*create)(void **cycle, const BrumePoisson *poisson, bool singular, BrumeError *error);
    void (*destroy)(void *cycle);       ///< NULL is allowed
    size_t (*bytes)(const void *cycle); ///< allocated
    /** z = M r; as brume_multigrid_cycle without hooks. */
    void (*precondition)(void *cycle, BrumeField *z, const BrumeField *r);
    /** As brume_components_remove_mean_parity. */
    void (*remove_mean)(const BrumeComponents *components, BrumeField *x);
    /** q = A x on the finest level. */
    void (*apply)(const void *cycle, BrumeField *q, const BrumeField *x);
    /** y += alpha x in all cells. */
    void (*add)(BrumeField *y, float alpha, const BrumeField *x);
    /** s = z - mean + beta s in all cells, or z - mean without reading s if beta is 0. */
    void (*update_direction)(const void *cycle, BrumeField *s, const BrumeField *z, float mean, float beta);
} BrumeCycleKernels;

/** Additional work of a pass on rows from..to-1 of plane k of the finest level. */
typedef void BrumeRowHook(void *context, int k, int from, int to);

/**
 * Work that is fused with the passes of a cycle over the finest level, so that it needs no separate pass through
 * memory. Every row of a plane is passed once, in ascending order; calls for different planes may be concurrent.
 */
typedef struct BrumeCycleHooks {
    void *context;
    BrumeRowHook *update_r_rows; ///< updates rows of r, before the cycle reads them; may be NULL
    BrumeRowHook *read_z_rows;   ///< called when rows of z are final; may be NULL
} BrumeCycleHooks;

/**
 * z = M r with rows in parity order. M is symmetric, positive definite orthogonally to the null space of A, and close
 * to the inverse of A. r must be 0 in inactive cells and have mean 0 on singular components; the caller removes the
 * mean of z. The cells of z are not read; its ghosts must be 0 except along periodic axes, and are filled afterwards,
 * except for ghost planes where several ranks have planes. `hooks` may be NULL. Same bits at any thread count and
 * number of ranks, with hooks or with their work done in separate passes.
 */
void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r, const BrumeCycleHooks *hooks);

#endif
