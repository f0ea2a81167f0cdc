/**
 * @file pressure_internal.h
 * The parts of a pressure solver: its entry in the table of methods, and the system that pressure.c passes to it.
 */
#ifndef BRUME_SIM_PRESSURE_PRESSURE_INTERNAL_H
#define BRUME_SIM_PRESSURE_PRESSURE_INTERNAL_H

#include "sim/pressure/poisson/components.h"
#include "sim/pressure/poisson/poisson.h"
#include "sim/pressure/pressure.h"

/** The system and the fields of one solve. p, b and r are 0 in inactive cells, and the ghosts of p are filled. */
typedef struct BrumePressureWork {
    const BrumePoisson *poisson;
    const BrumeComponents *components;
    const BrumePressureDef *def;
    BrumeField *p; ///< the solution so far
    BrumeField *b; ///< right-hand side, orthogonal to the null space; must not be changed
    BrumeField *r; ///< the residual b - Ap
    BrumeField *z; ///< scratch, undefined on entry
    BrumeField *s; ///< scratch, undefined on entry
    double norm;   ///< |r|_2 on entry
    double goal;   ///< |r|_2 to reach
    int budget;    ///< maximum number of iterations, at least 1
    bool no_start; ///< for direct methods: no start is used; p and r are undefined and stand for 0 and b
} BrumePressureWork;

/**
 * A pressure solver. `create` prepares `*state` for a system that outlives it; `create`, `destroy` and `bytes` are NULL
 * for a method without a state. `solve` improves work->p until the residual that it updates is at most the goal, and
 * returns the number of iterations, 0 if it can make no progress. The caller computes the true residual afterwards and
 * may call again.
 */
typedef struct BrumePressureMethod {
    const char *name;
    bool only_air;      ///< only for boxes without bodies
    bool only_whole;    ///< only for whole cells (grid/cut_cells.h)
    bool only_periodic; ///< only for boxes with periodic sides
    bool direct;        ///< solves in one iteration, and without a start if work->no_start
    /** For a name that stands for other methods ("auto"): the method for such a box. */
    const struct BrumePressureMethod *(*choose)(bool bodies, bool all_periodic);
    BrumeStatus (*create)(void **state, const BrumePressureDef *def, const BrumePoisson *poisson, bool singular,
                          BrumeError *error);
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

#endif
