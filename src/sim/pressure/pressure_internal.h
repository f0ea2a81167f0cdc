/**
 * @file pressure_internal.h
 * What a pressure solver is made of: the table's entry and the work that pressure.c hands to it.
 */
#ifndef BRUME_SIM_PRESSURE_PRESSURE_INTERNAL_H
#define BRUME_SIM_PRESSURE_PRESSURE_INTERNAL_H

#include "sim/pressure/components.h"
#include "sim/pressure/poisson.h"
#include "sim/pressure/pressure.h"

/** The system and the fields of one solve. Ghosts of p are in order; p, b and r are 0 in dead cells. */
typedef struct BrumePressureWork {
    const BrumePoisson *poisson;
    const BrumeComponents *components;
    const BrumePressureDef *def;
    BrumeField *p; ///< the solution so far
    BrumeField *b; ///< right-hand side, orthogonal to the null space; must be left as it is
    BrumeField *r; ///< b - Ap
    BrumeField *z; ///< undefined, free to use
    BrumeField *s; ///< undefined, free to use
    double norm;   ///< |r|_2 on entry
    double goal;   ///< |r|_2 to reach
    int budget;    ///< most iterations, at least 1
    bool fresh;    ///< for direct methods: no start was any good; p and r are undefined and stand for 0 and b
} BrumePressureWork;

/**
 * A pressure solver. Where it does not work everywhere, `only_air` and `only_periodic` say so. `create` prepares
 * `*state` for a system that outlives it; it, `destroy` and `bytes` are NULL for a method that needs no preparation.
 * `solve` improves work->p until the residual it keeps track of is at most the goal, and returns the iterations it
 * took, 0 where it can do no more. The caller computes the true residual afterwards and may call again.
 */
typedef struct BrumePressureMethod {
    const char *name;
    bool only_air;      ///< boxes without obstacles only
    bool only_periodic; ///< boxes with periodic sides only
    bool direct;        ///< solves at once; where work->fresh, it does so without a start
    const struct BrumePressureMethod *(*choose)(bool obstacles, bool all_periodic); ///< of one that stands for others
    BrumeStatus (*create)(void **state, const BrumePoisson *poisson, bool singular, BrumeError *error);
    void (*destroy)(void *state);
    size_t (*bytes)(const void *state);
    int (*solve)(void *state, BrumePressureWork *work);
} BrumePressureMethod;

/** Every solver. */
#define BRUME_PRESSURE_METHODS(METHOD)                                                                                 \
    METHOD(mgpcg)                                                                                                      \
    METHOD(multigrid)                                                                                                  \
    METHOD(cg)                                                                                                         \
    METHOD(relaxation)                                                                                                 \
    METHOD(dct)                                                                                                        \
    METHOD(fft)                                                                                                        \
    METHOD(auto)

#define BRUME_DECLARE_PRESSURE(method) extern const BrumePressureMethod brume_pressure_##method;
BRUME_PRESSURE_METHODS(BRUME_DECLARE_PRESSURE)

/** z = M r with a symmetric positive (semi-)definite M close to the inverse of A. Ghosts of z need not be in order. */
typedef void BrumePreconditioner(void *state, const BrumePressureWork *work, BrumeField *z, const BrumeField *r);

/** The conjugate gradient method, preconditioned unless `precondition` is NULL; as BrumePressureMethod.solve. */
int brume_conjugate_gradient(BrumePressureWork *work, BrumePreconditioner *precondition, void *state);

#endif
