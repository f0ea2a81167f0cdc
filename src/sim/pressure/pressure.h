/**
 * @file pressure.h
 * One interface to every pressure solver. They solve A p = b with the 7-point operator
 *     (A p)_c = sum over the open faces of cell c of (p_c - p_neighbor),
 * where the ghost beyond an open side of the box has pressure 0, and a periodic neighbor is the opposite cell. Where
 * solids cut cells (grid/cut_cells.h), each term has the open fraction of its face as factor: the finite volumes of Ng,
 * Min, Gibou 2009, "An efficient fluid-solid coupling algorithm for single-phase flows", of which Batty, Bertails,
 * Bridson 2007, "A fast variational framework for accurate solid-fluid coupling", have the variational form. A is
 * symmetric and positive semi-definite. It is singular on every connected component of air that reaches no open side:
 * there the mean of b is removed, which distributes the divergence that no pressure can balance over all cells of the
 * component, and p is given mean 0.
 *
 * A solver is a file that defines a BrumePressureMethod, and a line in pressure_internal.h.
 */
#ifndef BRUME_SIM_PRESSURE_PRESSURE_H
#define BRUME_SIM_PRESSURE_PRESSURE_H

#include "core/error.h"
#include "core/field.h"
#include "sim/grid/cells.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumePressure BrumePressure;
typedef struct BrumeSpectral BrumeSpectral;
typedef struct BrumePoisson BrumePoisson;
typedef struct BrumeComponents BrumeComponents;
typedef struct BrumeCycleKernels BrumeCycleKernels;

/** The method and its stopping rule. */
typedef struct BrumePressureDef {
    const char *method;    ///< a name of brume_pressure_name
    float tolerance;       ///< relative residual |b - Ap|_2 / |b|_2
    int max_iterations;    ///< of a solve
    float over_relaxation; ///< of "relaxation", in (0, 2)
    /**
     * Of "mgpcg" and "multigrid": NULL for the fused passes, or plain kernels (multigrid/multigrid.h) such as the
     * kernels of sim/reference/vcycle.c, which give the same bits more slowly. They must outlive the solver.
     */
    const BrumeCycleKernels *kernels;
} BrumePressureDef;

/** The result of a solve. */
typedef struct BrumePressureResult {
    int iterations;  ///< cycles or sweeps; 1 for a direct solve, 0 if none was needed
    double residual; ///< |b - Ap|_2 over brume_pressure_reference, computed from p after the solve; 0 if b is 0
    bool converged;  ///< whether the residual is at most the tolerance
} BrumePressureResult;

/** Number of scratch fields of a solve. The first contains b before it; all are undefined after it. */
enum { BRUME_PRESSURE_SCRATCH = 4 };

/**
 * Creates a solver for `cells`, which must outlive it. BRUME_BAD_INPUT for a method that is unknown or not applicable
 * to these cells, BRUME_FAILED without memory; `*pressure` is NULL then.
 */
BrumeStatus brume_pressure_create(BrumePressure **pressure, const BrumePressureDef *def, const BrumeCells *cells,
                                  BrumeError *error);

/** Frees a solver; NULL is allowed. */
void brume_pressure_destroy(BrumePressure *pressure);

/**
 * Solves for `p` [m^2/s^2], starting from its contents (a warm start) unless p = 0 has the smaller residual. `b`
 * [m^2/s^2] is the first of the scratch fields and is overwritten. In solid cells and ghosts, p is 0 afterwards;
 * periodic ghosts are copies; the plane of other ranks on each side is up to date. A b that is not finite gives p = 0,
 * not converged. Allocates nothing; same bits at any thread count and number of ranks. One solve at a time per solver.
 */
BrumePressureResult brume_pressure_solve(BrumePressure *pressure, BrumeField *p,
                                         BrumeField scratch[BRUME_PRESSURE_SCRATCH]);

/** As brume_pressure_solve with p = 0 as the start; the contents of p before the call are not read. */
BrumePressureResult brume_pressure_solve_from_zero(BrumePressure *pressure, BrumeField *p,
                                                   BrumeField scratch[BRUME_PRESSURE_SCRATCH]);

/** Sets the ghosts of p as a solve does, after its cells were changed. */
void brume_pressure_fill_ghosts(const BrumePressure *pressure, BrumeField *p);

/**
 * Sets the rounding error of an entry of b [m^2/s^2], which later solves do not try to go below; 0 at first. Where b is
 * the divergence of a velocity that is almost free of it, b consists of rounding errors of the velocity to a large
 * part, and no pressure reduces their norm to the tolerance times itself.
 */
void brume_pressure_set_rounding(BrumePressure *pressure, double error);

/**
 * The norm that residuals are relative to: |b|_2, or the norm of rounding errors over the tolerance if that is more. A
 * solve has converged when the residual is at most the tolerance times this norm.
 */
double brume_pressure_reference(const BrumePressure *pressure, double b_norm);

/** The transforms of a direct method ("dct", "fft"), with which a caller can solve without a check; otherwise NULL. */
const BrumeSpectral *brume_pressure_transforms(const BrumePressure *pressure);

/** The operator A. */
const BrumePoisson *brume_pressure_operator(const BrumePressure *pressure);

/** The components of the air on which A is singular: components without a face at an open side. */
const BrumeComponents *brume_pressure_components(const BrumePressure *pressure);

/** Whether A is singular on a component of the air. */
bool brume_pressure_is_singular(const BrumePressure *pressure);

/**
 * Whether a right-hand side of norm `norm` counts as 0. `given_norm` is its norm before the mean was removed: of a
 * constant, only rounding errors are left then.
 */
bool brume_pressure_is_negligible(const BrumePressure *pressure, double norm, double given_norm);

/** The name of the method in use; for "auto", the name of the method that it selected. */
const char *brume_pressure_method(const BrumePressure *pressure);

/** The transforms of "fft", with which diffusion is exact in time; NULL for every other method. */
const BrumeSpectral *brume_pressure_spectral(const BrumePressure *pressure);

/** Bytes allocated by the solver, scratch not included. */
size_t brume_pressure_bytes(const BrumePressure *pressure);

#endif
