/**
 * @file advection.h
 * Advection: transport of velocity by the flow, and the kernels of the transport schemes that trace paths
 * (src/sim/transport selects the scheme of temperature and smoke). A scheme is one file that defines a BrumeAdvectionScheme
 * named brume_advection_<scheme>, and one line in the list below. A scheme calls the kernels of a
 * BrumeAdvectionKernels, of which there are two sets with the same bits: plain loops to read (src/sim/reference) and
 * vectorised ones (this folder). Read the reference first.
 */
#ifndef BRUME_SIM_ADVECTION_ADVECTION_H
#define BRUME_SIM_ADVECTION_ADVECTION_H

#include "brume/sim.h"
#include "sim/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/** Every scheme, the default first. */
#define BRUME_ADVECTION_SCHEMES(SCHEME)                                                                                \
    SCHEME(maccormack)                                                                                                 \
    SCHEME(semi_lagrangian)

enum {
    BRUME_SCALARS_PER_PASS = 2, ///< most scalars that are advected together
};

/** Displacement of the air at each cell centre during a step, along x, y, z (each nz+2 × ny+2 × nx+2) [cells]. */
typedef struct BrumeDisplacement {
    BrumeField along[3]; ///< ghosts: equal to the adjacent centre, or periodic
} BrumeDisplacement;

/**
 * How an advection scheme combines the kernels. Both functions leave the results in sim->fields, without boundary
 * values, and may use sim->scratch: 6 fields with `needs_forward`, 3 without.
 */
typedef struct BrumeAdvectionScheme {
    const char *name;   ///< as in a scene
    bool needs_forward; ///< whether it uses the forward displacement
    /**
     * Advects the velocity by one step, in which a velocity of 1 m/s displaces air by `cells_per_mps` cells, and finds
     * sim->advection->backward (and forward) for the scalars. Boundary values of the velocity are set before.
     */
    void (*advect_velocity)(BrumeSim *sim, float cells_per_mps);
    /**
     * For the transport scheme of the same name: advects `count` scalars (1 to BRUME_SCALARS_PER_PASS) along the displacements that advect_velocity found and
     * multiplies them by `decay[n]`. Boundary values of the scalars are set before.
     */
    void (*advect_scalars)(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, int count);
} BrumeAdvectionScheme;

/**
 * The kernels that schemes are built from. None changes sim->fields: results go to the `results`, which must be other
 * fields. A result is set in the entries of brume_advected_entries and undefined in all others.
 */
typedef struct BrumeAdvectionKernels {
    /**
     * Traces backward from all cell centres into sim->advection->backward, and takes one semi-Lagrangian step of the
     * velocity: results[axis] at a face is component `axis` at the face's departure point.
     */
    void (*advect_velocity)(BrumeSim *sim, float cells_per_mps, BrumeField results[3]);
    /**
     * Traces forward from all cell centres into sim->advection->forward, and applies the MacCormack corrector to
     * `predicted`, the results of advect_velocity with their boundary values.
     */
    void (*correct_velocity)(BrumeSim *sim, float cells_per_mps, const BrumeField predicted[3], BrumeField results[3]);
    /** One semi-Lagrangian step of scalars along sim->advection->backward; results[n] is multiplied by decay[n]. */
    void (*advect_scalars)(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results, int count);
    /**
     * Applies the MacCormack corrector to `predicted`, the results of advect_scalars for the same `ids` (with a decay
     * of 1) with their boundary values; results[n] is multiplied by decay[n].
     */
    void (*correct_scalars)(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, const BrumeField *predicted,
                            BrumeField *results, int count);
} BrumeAdvectionKernels;

/** The advection part of a simulation. */
typedef struct BrumeAdvection {
    const BrumeAdvectionScheme *scheme;
    const BrumeAdvectionKernels *kernels;
    BrumeDisplacement backward; ///< from each cell centre to the departure point of its air
    BrumeDisplacement forward;  ///< from each cell centre to the arrival point of its air; without data if unused
    /** No displacement component of this step exceeds this many cells; 0 before the first step. */
    int displacement_bound;

    // of the fast kernels; blocks and strips are those of sampling.h
    float *strip_displacement; ///< one per strip: largest backward displacement component [cells]
    uint8_t *occupied;         ///< one per block: whether any entry of a scalar is not +0; scratch of empty_blocks.c
    uint8_t *empty[BRUME_SCALARS_PER_PASS];            ///< one per block: whether its results are known to be +0
    BrumeFieldId empty_scalar[BRUME_SCALARS_PER_PASS]; ///< the scalar that empty[n] was found for
} BrumeAdvection;

/** The scheme with this name; NULL if there is none. */
const BrumeAdvectionScheme *brume_advection_find(const char *name);

/**
 * Allocates the displacements and work arrays for the scheme that `def` names, which must exist, and selects `kernels`.
 * Fails with BRUME_FAILED without memory; `*advection` is NULL then.
 */
BrumeStatus brume_advection_create(BrumeAdvection **advection, const BrumeSimDef *def,
                                   const BrumeAdvectionKernels *kernels, BrumeError *error);

/** Frees the memory of brume_advection_create; NULL is allowed. */
void brume_advection_destroy(BrumeAdvection *advection);

/** Bytes that brume_advection_create allocates. */
size_t brume_advection_bytes(const BrumeSimDef *def);

/**
 * Advects the velocity over `dt` [s] and finds the displacements for the transport of scalars. Needs BRUME_VALID_VELOCITY
 * and BRUME_VALID_MAX_SPEED (the speed may be NaN or infinite); clears BRUME_VALID_MAX_SPEED, establishes
 * BRUME_VALID_DISPLACEMENT and sets the boundary values of the result. The velocity before the advection, with its
 * boundary values, is in sim->scratch[3..5] afterwards.
 */
void brume_advect_velocity(BrumeSim *sim, float dt);

/**
 * The planes, rows and entries of a location that are advected: those of the cells, and for faces those on an open or
 * periodic upper side.
 */
BrumeGrid brume_advected_entries(const BrumeSim *sim, int location);

#define BRUME_DECLARE_ADVECTION(scheme) extern const BrumeAdvectionScheme brume_advection_##scheme;
BRUME_ADVECTION_SCHEMES(BRUME_DECLARE_ADVECTION)

#endif
