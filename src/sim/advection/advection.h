/**
 * @file advection.h
 * Advection: transport of velocity by the flow, and the kernels of the transport schemes that trace paths
 * (src/sim/transport selects the scheme of temperature and smoke). A scheme is one file that defines a
 * BrumeAdvectionScheme named brume_advection_<scheme>, and one line in the list below. A scheme calls the kernels of a
 * BrumeAdvectionKernels, of which there are two sets with the same bits: plain loops to read (src/sim/reference) and
 * vectorized ones (this folder). Read the reference first.
 */
#ifndef BRUME_SIM_ADVECTION_ADVECTION_H
#define BRUME_SIM_ADVECTION_ADVECTION_H

#include "brume/sim.h"
#include "sim/grid/blocks.h"
#include "sim/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/** Every scheme, the default first. */
#define BRUME_ADVECTION_SCHEMES(SCHEME)                                                                                \
    SCHEME(maccormack)                                                                                                 \
    SCHEME(semi_lagrangian)

enum {
    BRUME_SCALARS_PER_PASS = 2, ///< most scalars that are advected together

    // levels of the blocks of a step
    BRUME_LEVEL_IDLE = 0,   ///< the velocity is extrapolated in time
    BRUME_LEVEL_AROUND = 1, ///< likewise, but paths from the margin end here
    BRUME_LEVEL_MARGIN = 2, ///< likewise, but the corrector of active blocks reads predicted values here
    BRUME_LEVEL_ACTIVE = 3, ///< the velocity is carried
};

/** Displacement of the air at each cell center during a step, along x, y, z (each nz+2 × ny+2 × nx+2) [cells]. */
typedef struct BrumeDisplacement {
    BrumeField along[3]; ///< ghosts: equal to the adjacent center, or periodic; those above a periodic z are not set
} BrumeDisplacement;

/**
 * How an advection scheme combines the kernels. Results have no boundary values. advect_velocity may use the three
 * fields of sim->scratch from BRUME_SCRATCH_PREDICTED on, advect_scalars the fields before BRUME_SCRATCH_RESULTS.
 */
typedef struct BrumeAdvectionScheme {
    const char *name; ///< as in a scene
    /**
     * Advects the velocity `carried` into `results` by one step along the velocity `transport`, in which 1 m/s
     * displaces air by `cells_per_mps` cells, and finds sim->advection->backward for the scalars.
     * Boundary values of both velocities are set before; they may be the same fields. The results are other fields. The
     * ghosts of `carried` are undefined afterwards.
     */
    void (*advect_velocity)(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], float cells_per_mps,
                            BrumeField results[3]);
    /**
     * For the transport scheme of the same name: advects `count` scalars of the state (1 to BRUME_SCALARS_PER_PASS)
     * along the displacements that advect_velocity found for the same `transport`, and multiplies them by `decay[n]`.
     * Boundary values of the scalars are set before. The results are in sim->fields.
     */
    void (*advect_scalars)(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids, const float *decay,
                           int count);
} BrumeAdvectionScheme;

/**
 * The kernels that schemes are built from. None changes sim->fields: results go to the `results`, which must be other
 * fields. A result is set in the entries of brume_advected_entries in planes of this rank and undefined in all others.
 * The planes of other ranks that paths reach (brume_path_reach) must have been copied.
 */
typedef struct BrumeAdvectionKernels {
    /**
     * Traces backward along `transport` from all cell centers into sim->advection->backward, and takes one
     * semi-Lagrangian step of `carried`: results[axis] at a face is carried[axis] at the face's departure point.
     */
    void (*predict_velocity)(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                             float cells_per_mps, BrumeField results[3]);
    /**
     * Applies the MacCormack corrector to `predicted`, the results of predict_velocity for the same arguments with
     * their boundary values.
     */
    void (*correct_velocity)(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                             float cells_per_mps, const BrumeField predicted[3], BrumeField results[3]);
    /** One semi-Lagrangian step of scalars along sim->advection->backward; results[n] is multiplied by decay[n]. */
    void (*predict_scalars)(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results, int count);
    /**
     * Applies the MacCormack corrector to `predicted`, the results of predict_scalars for the same `ids` (with a decay
     * of 1) with their boundary values; results[n] is multiplied by decay[n]. `transport`: as in predict_velocity.
     */
    void (*correct_scalars)(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids, const float *decay,
                            const BrumeField *predicted, BrumeField *results, int count);
} BrumeAdvectionKernels;

/** The advection part of a simulation. */
typedef struct BrumeAdvection {
    const BrumeAdvectionScheme *scheme;
    const BrumeAdvectionKernels *kernels;
    BrumeDisplacement backward; ///< from each cell center to the departure point of its air
    float cells_per_mps;        ///< displacement in this step of air at 1 m/s [cells s/m]
    /** No displacement component of this step exceeds this many cells; 0 before the first step. */
    int displacement_bound;
    int reach;             ///< brume_path_reach of this step
    const uint8_t *region; ///< the blocks in which the kernels of velocity set their results; NULL: everywhere

    // active blocks, one byte per block (sim/grid/blocks.h) or row of blocks
    bool partial;          ///< whether the step carries the velocity in active blocks alone
    uint8_t *found;        ///< whether a block has vorticity, buoyancy or a source
    uint8_t *active;       ///< whether it is reached from those
    uint8_t *margin;       ///< whether it is active or the corrector of active blocks reads it
    uint8_t *levels;       ///< BRUME_LEVEL_...
    uint8_t *highest;      ///< the highest level of each row of blocks
    uint8_t *extrapolated; ///< whether a block has the velocity at the middle of the step
    uint8_t *fresh;        ///< whether it is to be given that

    // of the fast kernels
    int window_count; ///< threads that have a window
    float *windows;   ///< of brume_trace_forward: displacements to arrival points, two planes for each thread and axis
    // blocks and strips: see sampling.h
    float *strip_displacement; ///< one per strip: largest backward displacement component [cells]
    uint8_t *occupied;         ///< one per block: whether any entry of a scalar is not +0; scratch of empty_blocks.c
    uint8_t *empty[BRUME_SCALARS_PER_PASS];            ///< one per block: whether its results are known to be +0
    BrumeFieldId empty_scalar[BRUME_SCALARS_PER_PASS]; ///< the scalar that empty[n] was found for
} BrumeAdvection;

/**
 * How many planes on each side of those of this rank are read by paths along `transport` and at their ends, in a step
 * in which 1 m/s displaces air by `cells_per_mps` cells; all planes where the velocity is not finite. The same on all
 * ranks; 0 where they do not share the grid. Communicates.
 */
int brume_path_reach(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps);

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
 * Advects the velocity `carried` along the velocity `transport` over `dt` [s] into `results`, without boundary values,
 * and finds the displacements for schemes of transport that follow paths. No component of `transport` exceeds
 * `max_speed` [m/s], which may be NaN or infinite. Both velocities have their boundary values and may be the same
 * fields; the ghosts of `carried` are undefined afterwards. `results` are other fields and not among the three of
 * sim->scratch from BRUME_SCRATCH_PREDICTED on, which are overwritten. Establishes BRUME_VALID_DISPLACEMENT.
 *
 * Where sim->advection->partial is set, the results have the same bits in the active blocks of the levels that
 * brume_level_blocks has set for this step, and are not set in others. Paths are traced only near active blocks then,
 * and BRUME_VALID_DISPLACEMENT is cleared.
 * `transport` and `carried` need values only as far as BRUME_LEVEL_AROUND.
 */
void brume_advect_velocity(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], double max_speed,
                           float dt, BrumeField results[3]);

/**
 * Finds the blocks in which a component of the vorticity of the state's velocity, times dx, exceeds `limit` [m/s], in
 * which the buoyancy of temperature or a kind of smoke exceeds `acceleration` [m/s^2], or into which an emitter or an
 * inflow brings them, and sets `speeds` to the largest absolute value of each component [m/s]. Ghosts of the velocity
 * must be set. Communicates.
 */
void brume_search_active_blocks(BrumeSim *sim, float limit, float acceleration, double speeds[3]);

/**
 * Sets the levels of all blocks for a step in which no air is faster than `speeds` along x, y, z [m/s], and air of 1
 * m/s moves by `cells_per_mps` cells.
 */
void brume_level_blocks(BrumeSim *sim, const double speeds[3], double cells_per_mps);

/** The blocks whose level is from `least` to `most`. */
BrumeBlockSet brume_blocks_of_levels(const BrumeSim *sim, int least, int most);

/**
 * The planes, rows and entries of a location that are advected: all in the cells, and for faces the ones on an open or
 * periodic upper side.
 */
BrumeGrid brume_advected_entries(const BrumeSim *sim, int location);

#define BRUME_DECLARE_ADVECTION(scheme) extern const BrumeAdvectionScheme brume_advection_##scheme;
BRUME_ADVECTION_SCHEMES(BRUME_DECLARE_ADVECTION)

#endif
