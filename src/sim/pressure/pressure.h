/**
 * @file pressure.h
 * One interface to every pressure solver. They solve A p = b with the 7-point operator
 *     (A p)_c = sum over the open faces of cell c of (p_c - p_neighbour),
 * where the ghost beyond an open side of the box holds pressure 0 and a periodic neighbour is the opposite cell: A is
 * symmetric and positive semi-definite, and singular on every component of air that reaches no open side. On those,
 * the mean of b is removed (what cannot be balanced is spread evenly) and p has mean 0.
 *
 * A solver is a file that defines a BrumePressureMethod, and a line in pressure_internal.h.
 */
#ifndef BRUME_SIM_PRESSURE_PRESSURE_H
#define BRUME_SIM_PRESSURE_PRESSURE_H

#include "core/error.h"
#include "core/field.h"
#include "sim/boundary/cells.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumePressure BrumePressure;
typedef struct BrumeSpectral BrumeSpectral;

/** When to stop, and with what. */
typedef struct BrumePressureDef {
    const char *method; ///< a name of brume_pressure_name
    float tolerance;    ///< relative residual |b - Ap|_2 / |b|_2
    int max_iterations;
    float over_relaxation; ///< of "relaxation"
} BrumePressureDef;

/** What a solve reached. */
typedef struct BrumePressureResult {
    int iterations;
    double residual; ///< relative; 0 where b is 0
    bool converged;
} BrumePressureResult;

/** Work fields that solvers borrow, contents undefined before and after a solve; as many as CG needs. */
enum { BRUME_PRESSURE_SCRATCH = 4 };

/**
 * Prepares a solver for these cells (which must outlive it). BRUME_BAD_INPUT for a method that is unknown or does not
 * fit, BRUME_FAILED without memory; `*pressure` is NULL then.
 */
BrumeStatus brume_pressure_create(BrumePressure **pressure, const BrumePressureDef *def, const BrumeCells *cells,
                                  BrumeError *error);

void brume_pressure_destroy(BrumePressure *pressure);

/**
 * Solves for `p`, starting from what it holds. `b` is the first of the scratch fields on entry and is destroyed;
 * entries of p in solid cells and ghosts come back 0, periodic ghosts as copies. No allocation; same bits at any
 * thread count.
 */
BrumePressureResult brume_pressure_solve(BrumePressure *pressure, BrumeField *p,
                                         BrumeField scratch[BRUME_PRESSURE_SCRATCH]);

/** The name of the method that solves: never "auto", but what that chose. */
const char *brume_pressure_method(const BrumePressure *pressure);

/** The transforms of "fft", with which diffusion is exact in time; NULL for every other method. */
const BrumeSpectral *brume_pressure_spectral(const BrumePressure *pressure);

/** Bytes that the solver holds, scratch not counted. */
size_t brume_pressure_bytes(const BrumePressure *pressure);

#endif
