/**
 * @file transport.h
 * Transport of temperature and smoke along a velocity on the faces of the cells. A scheme is one file that defines a
 * BrumeTransportScheme named brume_transport_<scheme>, and one line in the list below; docs/transport.md compares them.
 * The default, `ppm`, is in flux form: the content that leaves a cell through a face enters the cell beyond it, so that
 * sums are conserved to rounding. Read src/sim/reference/transport.c first.
 */
#ifndef BRUME_SIM_TRANSPORT_TRANSPORT_H
#define BRUME_SIM_TRANSPORT_TRANSPORT_H

#include "brume/sim.h"
#include "sim/boundary/boundary.h"
#include "sim/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/** Every scheme, the default first. */
#define BRUME_TRANSPORT_SCHEMES(SCHEME)                                                                                \
    SCHEME(ppm)                                                                                                        \
    SCHEME(maccormack)                                                                                                 \
    SCHEME(cubic)                                                                                                      \
    SCHEME(accounting)                                                                                                 \
    SCHEME(semi_lagrangian)

enum {
    BRUME_TRANSPORT_SCALARS = BRUME_FIELD_COUNT - BRUME_FIELD_TEMPERATURE, ///< most scalars of a simulation
    BRUME_FLUX_SCALARS = 3,      ///< most scalars that are transported together in flux form
    BRUME_TRANSPORT_SCRATCH = 6, ///< fields of sim->scratch that a scheme may use

    // amounts through the boundary: of the faces of the box, given by bodies and taken by them
    BRUME_GIVEN = BRUME_FACE_COUNT,
    BRUME_TAKEN = BRUME_GIVEN + BRUME_MAX_BODIES,
    BRUME_AMOUNTS = BRUME_TAKEN + BRUME_MAX_BODIES,
};

/** The fluxes of one scalar through the boundary of the air during a step. */
typedef struct BrumeScalarExchange {
    double left[BRUME_FACE_COUNT];  ///< amount that left through each face of the box, < 0 if it entered [unit m^3]
    double given[BRUME_MAX_BODIES]; ///< amount that entered the air through faces in front of each body, likewise
    double taken[BRUME_MAX_BODIES]; ///< amount that left the air through faces behind it
} BrumeScalarExchange;

/** A transport scheme. */
typedef struct BrumeTransportScheme {
    const char *name;        ///< as in a scene
    bool conserves;          ///< whether sums are conserved to rounding and exchanges are known; they are 0 otherwise
    bool needs_displacement; ///< whether it reads sim->advection->backward (BRUME_VALID_DISPLACEMENT)
    /**
     * Advances `count` scalars (1 to BRUME_TRANSPORT_SCALARS) by one step of `dt` [s] along `velocity` [m/s], whose
     * ghosts and closed faces are set and whose divergence is 0 up to the tolerance of the pressure solve, and
     * multiplies them by `decay[n]`. Reads and writes sim->fields[ids[n]], without boundary values, and writes
     * `exchange[n]`. Results inside bodies are undefined. May use the first BRUME_TRANSPORT_SCRATCH fields of
     * sim->scratch; a scheme that does not need displacements uses the first BRUME_FLUX_SCALARS alone.
     */
    void (*advance)(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange);
} BrumeTransportScheme;

/** One substep in flux form: one-dimensional passes along up to three axes. */
typedef struct BrumeFluxSubstep {
    const BrumeField *velocity; ///< along x, y, z [m/s]
    float cells_per_mps;        ///< displacement in the substep per velocity [cells / (m/s)]
    int axes[3];                ///< of the passes, in their order
    int passes;                 ///< 1 to 3; a periodic axis of one cell needs no pass
    int reach;                  ///< no face receives air from farther away [cells]
    float least_volume;         ///< of a cell after a pass [cells]
    const BrumeFieldId *ids;
    const float *decay;            ///< factors of the last pass
    const uint8_t *rows;           ///< of blocks (sim/grid/blocks.h), y fastest: where values may be; NULL: everywhere
    bool bounded;                  ///< amounts become values in the volume that the air has, even if it is not 1
    int count;                     ///< of the scalars, 1 to BRUME_FLUX_SCALARS
    BrumeScalarExchange *exchange; ///< added to [unit cells]
} BrumeFluxSubstep;

/** Takes one substep in flux form. All implementations give the same bits in the fields. */
typedef void BrumeFluxKernel(BrumeSim *sim, const BrumeFluxSubstep *substep);

/** The vectorized implementation (flux_form.c); the plain loops are in src/sim/reference/transport.c. */
void brume_flux_substep_fast(BrumeSim *sim, const BrumeFluxSubstep *substep);

/** The transport part of a simulation. */
typedef struct BrumeTransport {
    const BrumeTransportScheme *scheme;
    BrumeFluxKernel *flux_kernel;
    BrumeScalarExchange exchange[BRUME_TRANSPORT_SCALARS]; ///< of the latest step, from BRUME_FIELD_TEMPERATURE on

    // of flux_form.c
    int threads;                            ///< most threads that take part
    size_t strip_entries;                   ///< entries of one array of a strip
    float *strips;                          ///< BRUME_STRIP_ARRAYS arrays of each thread
    uint64_t *occupied[BRUME_FLUX_SCALARS]; ///< one per row of cells: marks of flux_form.c
    uint8_t *rows;                          ///< BrumeFluxSubstep.rows
    double *passed; ///< amounts through the boundary: BRUME_AMOUNTS for each scalar and plane or row
} BrumeTransport;

/** The scheme with this name; NULL if there is none. */
const BrumeTransportScheme *brume_transport_find(const char *name);

/**
 * Allocates the memory of the scheme that `def` names, which must exist, and selects the implementation of the flux
 * form. Buffers are made for as many threads as the calling thread's team has, or the machine has processors. Fails
 * with BRUME_FAILED without memory; `*transport` is NULL then.
 */
BrumeStatus brume_transport_create(BrumeTransport **transport, const BrumeSimDef *def, BrumeFluxKernel *flux_kernel,
                                   BrumeError *error);

/** Frees the memory of brume_transport_create; NULL is allowed. */
void brume_transport_destroy(BrumeTransport *transport);

/** Bytes that brume_transport_create allocates. */
size_t brume_transport_bytes(const BrumeSimDef *def);

/**
 * Transports temperature and smoke over `dt` [s] along `velocity` [m/s] by the selected scheme, applies their
 * exponential decay and clears them inside bodies. Needs BRUME_VALID_DISPLACEMENT where the scheme does; clears
 * BRUME_VALID_SCALAR_GHOSTS. `velocity` must not be within the first three scratch fields.
 */
void brume_transport_scalars(BrumeSim *sim, const BrumeField velocity[3], double dt);

/** Whether the selected scheme computes the fluxes at the boundary of the air (BrumeTransportScheme.conserves). */
bool brume_transport_is_exact(const BrumeSim *sim);

/** The exchange of a scalar in the latest step. */
const BrumeScalarExchange *brume_transport_exchange(const BrumeSim *sim, BrumeFieldId id);

/** The net amount that entered the air through the faces of all moving bodies [unit m^3]. */
double brume_from_bodies(const BrumeScalarExchange *exchange);

/** Adds the amounts of a plane or row to an exchange, and sets them to 0. */
void brume_exchange_add(BrumeScalarExchange *exchange, double amounts[BRUME_AMOUNTS], bool bodies_move);

// displacement.c: smoke and heat that moving bodies displace

/**
 * Makes the displacement by moving bodies conserve smoke and heat, after a transport in flux form and
 * brume_move_bodies, which has covered and uncovered `displaced`. In front of a body, the content of covered
 * cells, less the amount that the transport gave to the air, is added to the air; behind it, the amount that the
 * transport took, less the amount that uncovered cells were filled with. No value leaves the range of the field; a
 * remainder beyond it is lost. Ghosts are not current afterwards. Uses the first scratch field. Does nothing for other
 * transport schemes.
 */
void brume_return_displaced(BrumeSim *sim, const BrumeDisplaced *displaced);

// courant.c: the length of substeps

/** Bounds of a step, with a velocity of 1 m/s displacing air by one cell. */
typedef struct BrumeCourantBounds {
    float speed;   ///< largest velocity component [m/s]
    float outflow; ///< largest sum of velocity differences across a cell of air after a pass, in either order [m/s]
} BrumeCourantBounds;

/** Measures the bounds of a velocity (three fields) in `rows` of blocks (BrumeFluxSubstep.rows). */
BrumeCourantBounds brume_measure_courant(const BrumeSim *sim, const BrumeField *velocity, const uint8_t *rows);

/** Division of a step into substeps that keep every volume weight positive. */
typedef struct BrumeSubsteps {
    int count;
    float cells_per_mps; ///< of one substep
    int reach;           ///< see BrumeFluxSubstep
    float least_volume;  ///< likewise
} BrumeSubsteps;

/** Chooses the substeps of a step in which a velocity of 1 m/s displaces air by `cells_per_mps` cells. */
BrumeSubsteps brume_choose_substeps(BrumeCourantBounds bounds, double cells_per_mps);

#define BRUME_DECLARE_TRANSPORT(scheme) extern const BrumeTransportScheme brume_transport_##scheme;
BRUME_TRANSPORT_SCHEMES(BRUME_DECLARE_TRANSPORT)

#endif
