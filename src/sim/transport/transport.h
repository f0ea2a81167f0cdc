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
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/state/state.h"

#include <math.h>
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
    BRUME_PARABOLA_CELLS = 2,    ///< cells beside a cell on which the parabola in it depends

    // amounts through the boundary: of the faces of the box, then given and taken by each body
    BRUME_GIVEN = BRUME_FACE_COUNT,
    BRUME_TAKEN = BRUME_GIVEN + 1,
    BRUME_AMOUNTS = BRUME_FACE_COUNT + 2 * BRUME_MAX_BODIES,
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
    float along_z;              ///< largest displacement along z in the substep [cells]
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

/** The cells upstream of a face that a displacement covers; `first`: in the first pass, where all volumes are 1. */
static inline int brume_cells_upstream(const BrumeFluxSubstep *substep, bool first, float displacement)
{
    const float least = first ? 1.0f : substep->least_volume;
    const float cells = ceilf(displacement / least + 0.5f); // half a cell for rounding
    return displacement > 0.0f ? brume_min_int((int)cells, substep->reach) : 0;
}

/** How far beyond the planes of its results a pass along z reads others. */
static inline int brume_pass_depth(const BrumeFluxSubstep *substep, bool first)
{
    const bool is_bounded = substep->along_z < (float)substep->reach; // not where it is NaN
    const int cells = is_bounded ? brume_cells_upstream(substep, first, substep->along_z) : substep->reach;
    return brume_max_int(cells, 1) + BRUME_PARABOLA_CELLS;
}

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
    int threads;          ///< most threads that take part
    size_t strip_entries; ///< entries of one array of a strip
    float *strips;        ///< BRUME_STRIP_ARRAYS arrays of each thread
    uint64_t *occupied;   ///< one per row of cells: marks of flux_form.c, (nz+2 x BRUME_FLUX_SCALARS x ny)
    uint8_t *rows;        ///< BrumeFluxSubstep.rows
    // amounts through the boundary, BRUME_AMOUNTS or fewer; 0 between passes
    double *passed;         ///< by blocks of rows: (nz+2 x blocks along y x scalars x amounts)
    double *passed_along_z; ///< in passes along z, by rows of blocks: (blocks along z x ny x scalars x amounts)
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

/** Bytes that brume_transport_create allocates and the bodies of `def` need. */
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

/** Exchanges what a pass along z reads: the scalars of the state in the first pass, else those in the scratch. */
void brume_exchange_pass_sources(BrumeSim *sim, const BrumeFluxSubstep *substep, bool first);

/**
 * The amounts of a scalar (`slot` of the substep) through the boundary in the rows of plane k that are in a block with
 * row j (core/parallel/reductions.h), for passes along x and y.
 */
double *brume_passed_in_plane(const BrumeSim *sim, const BrumeFluxSubstep *substep, int slot, int j, int k);

/** The same in row j of the planes that are in a block with plane k, for passes along z. */
double *brume_passed_along_z(const BrumeSim *sim, const BrumeFluxSubstep *substep, int slot, int j, int k);

/** Adds the amounts of passes to the exchanges of the substep, and sets them to 0. */
void brume_exchange_passed(BrumeSim *sim, const BrumeFluxSubstep *substep, bool along_z);

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
    float along_z; ///< largest velocity along z [m/s]
    float outflow; ///< largest sum of velocity differences across a cell of air after a pass, in either order [m/s]
} BrumeCourantBounds;

/**
 * Measures the bounds of a velocity (three fields) in `rows` of blocks (BrumeFluxSubstep.rows). Reads the velocity
 * along z on the faces above the planes of this rank.
 */
BrumeCourantBounds brume_measure_courant(const BrumeSim *sim, const BrumeField *velocity, const uint8_t *rows);

/** Division of a step into substeps that keep every volume weight positive. */
typedef struct BrumeSubsteps {
    int count;
    float cells_per_mps; ///< of one substep
    float along_z;       ///< see BrumeFluxSubstep
    int reach;           ///< see BrumeFluxSubstep
    float least_volume;  ///< likewise
} BrumeSubsteps;

/** Chooses the substeps of a step in which a velocity of 1 m/s displaces air by `cells_per_mps` cells. */
BrumeSubsteps brume_choose_substeps(BrumeCourantBounds bounds, double cells_per_mps);

#define BRUME_DECLARE_TRANSPORT(scheme) extern const BrumeTransportScheme brume_transport_##scheme;
BRUME_TRANSPORT_SCHEMES(BRUME_DECLARE_TRANSPORT)

#endif
