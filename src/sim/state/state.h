/**
 * @file state.h
 * The members of a simulation and the properties of its state that stages rely on.
 */
#ifndef BRUME_SIM_STATE_STATE_H
#define BRUME_SIM_STATE_STATE_H

#include "brume/measures.h"
#include "brume/sim.h"
#include "core/field.h"
#include "core/vec3.h"
#include "sim/grid/cells.h"
#include "sim/pressure/pressure.h"
#include "sim/state/object_ids.h"

/** Planes of other ranks on each side of those of a rank that are current after the boundary of a field was set. */
enum { BRUME_HALO = 2 };

/** The location of a quantity: 0, 1, 2 for the lower x, y, z faces of the cells, BRUME_AT_CENTER for their centers. */
enum { BRUME_AT_CENTER = 3 };

/** The motion of a body; with velocity and rate 0 the other members are undefined. */
typedef struct BrumeMotion {
    BrumeVec3 velocity;      ///< [m/s]
    BrumeVec3 rotation_rate; ///< [degrees/s]
    BrumeShape from;         ///< the shape at `start`
    double start, end;       ///< simulated time [s]
} BrumeMotion;

/** The velocity of a rigid body: `velocity` + `spin` x (point - `pivot`). */
typedef struct BrumeRigidVelocity {
    BrumeVec3 velocity; ///< of the pivot [m/s]
    BrumeVec3 spin;     ///< angular velocity [1/s]
    BrumeVec3 pivot;    ///< [m]; 0 without spin
} BrumeRigidVelocity;

/** Where the triangles of bodies that deform are: at two frames of theirs (brume/mesh.h), at the ends of a step. */
typedef struct BrumeDeformedTime {
    double frames[2]; ///< at the start and at the end of the step, counted from the start of the simulation
    double seconds;   ///< length of the step [s]; 0 before the first one
    int now;          ///< 0 before bodies have moved in the step, then 1
} BrumeDeformedTime;

/**
 * Sets those settings that change with time to their means over `from` to `to` [s]; to their values at `from` where
 * both are equal.
 */
typedef void BrumeSettingsMean(const void *context, double from, double to, BrumeSimDef *settings);

/**
 * Properties of the state that a stage establishes and later stages rely on: bits of BrumeSim.valid. A stage asserts
 * the bits that it needs (brume_holds), and clears the bits that its writes make untrue (brume_invalidate).
 */
enum {
    /** Faces on walls, inflows and bodies hold their prescribed normal velocity. */
    BRUME_VALID_CLOSED_FACES = 1 << 0,
    /** The ghosts of velocity and its extrapolation into bodies were set after the last write to velocity; BRUME_HALO
     * planes of other ranks on each side are current. */
    BRUME_VALID_VELOCITY_GHOSTS = 1 << 1,
    /** The ghosts of temperature and smoke were set after the last write to them; BRUME_HALO planes of other ranks on
     * each side are current. */
    BRUME_VALID_SCALAR_GHOSTS = 1 << 2,
    /** max_speed was computed from the present velocity. A change of settings or bodies does not clear it. */
    BRUME_VALID_MAX_SPEED = 1 << 3,
    /** The displacements were computed by the latest advection of velocity. */
    BRUME_VALID_DISPLACEMENT = 1 << 4,
    /** The velocity is free of divergence, to the tolerance of the pressure solve. */
    BRUME_VALID_DIVERGENCE_FREE = 1 << 5,
    /** `previous` is the velocity before the last step; or as the integrator defines. Its closed faces are the present
     * ones if BRUME_VALID_PREVIOUS_FLUXES holds. */
    BRUME_VALID_PREVIOUS = 1 << 6,
    /** The pressure is the result of a step, not the 0 of a new simulation. */
    BRUME_VALID_PRESSURE = 1 << 7,
    /** `previous` is free of divergence around the present bodies, which have the same velocities as then. */
    BRUME_VALID_PREVIOUS_FLUXES = 1 << 8,

    BRUME_VALID_VELOCITY = BRUME_VALID_CLOSED_FACES | BRUME_VALID_VELOCITY_GHOSTS,
};

/**
 * The first field of BrumeSim.scratch of each use that outlasts a call. Other uses are named where they are; they end
 * with the call, and begin at field 0.
 */
enum {
    // a velocity has three fields
    BRUME_SCRATCH_CARRIED = 0,   ///< the velocity that the second-order integrator carries
    BRUME_SCRATCH_PREDICTED = 3, ///< the velocity that the corrector of the advection reads
    BRUME_SCRATCH_RESULTS = 6,   ///< the result of the advection of velocity; then the velocity before it

    // of the projection; an iterative solve uses the first BRUME_PRESSURE_SCRATCH fields
    BRUME_SCRATCH_RIGHT_SIDE = 0,                          ///< b
    BRUME_SCRATCH_DIRECT_SOLUTION = 1,                     ///< phi of a direct solve
    BRUME_SCRATCH_INCREMENT = (int)BRUME_PRESSURE_SCRATCH, ///< phi of an iterative one; a pressure that is not kept

    BRUME_SCRATCH_FIELDS = 9,
};
enum { BRUME_MOST_REGIONS = 64 }; ///< regions of air that are told apart where bodies move (boundary/air_regions.h)
enum { BRUME_PLANE_VALUES = 32 }; ///< sums or maxima of one plane that a reduction computes at once

_Static_assert((int)BRUME_SCRATCH_FIELDS > (int)BRUME_SCRATCH_INCREMENT, "advection and pressure share their scratch");

/** A window: cells of a box along each axis, counted from 1, both included; whole large cells. */
typedef struct BrumeFarWindow {
    int from[3], to[3];
} BrumeFarWindow;

/** The box in large cells of which a simulation is a window (lifecycle/far_field.h). */
typedef struct BrumeFar {
    BrumeSim *coarse;      ///< the whole box
    BrumeSimDef box;       ///< the settings, with the grid and the faces of the box in small cells
    BrumeFarWindow window; ///< the grid of the simulation that has this far field
    /**
     * Of each side of the window and velocity component (outer + 2) x (inner + 2) values on the lines across the side:
     * on the side of the normal component, in the ghosts of the others [m/s]. NULL where the side is one of the box.
     */
    float *sides[BRUME_FACE_COUNT][3];
} BrumeFar;

/** What the air has given to a particle in a step. */
typedef struct BrumeImpulse {
    BrumeVec3 momentum; ///< over the density of air [m^4/s]
    float mass;         ///< the part of the mass of the particle that took on the velocity of the air, likewise [m^3]
} BrumeImpulse;

/** The particles of a simulation (particles/particles.h). */
typedef struct BrumeParticles {
    int count, capacity;
    uint32_t births; ///< so far
    BrumeParticle *items;
    // during a step
    int *planes; ///< in which they were at its start, 1 to nz; below 0 where they are removed
    BrumeImpulse *impulses;
    struct BrumeParticles *sorted; ///< memory in which they are ordered; NULL before the first time
} BrumeParticles;

struct BrumeSim {
    BrumeSimDef def;
    double time;       ///< [s]
    int frames;        ///< number of finished frames
    int steps;         ///< number of finished steps of the current frame
    unsigned valid;    ///< bits BRUME_VALID_*
    double max_speed;  ///< largest velocity component, NaN if a component is not finite [m/s]
    double divergence; ///< largest |div u| of a fluid cell at the last measurement of the flow [1/s]
    double base_time;  ///< frame n ends at base_time + (n - base_frames) / fps [s]
    int base_frames;   ///< see base_time

    BrumeObjectIds emitter_ids, body_ids;

    int stroke_count; ///< strokes in use
    BrumeStroke strokes[BRUME_MAX_STROKES];
    bool bodies_move; ///< whether any body moves in the present step
    BrumeMotion motions[BRUME_MAX_BODIES];
    BrumeRigidVelocity surface_velocity[BRUME_MAX_BODIES]; ///< that the faces of each body hold
    BrumeFar *far; ///< the box in which this simulation is a window; NULL: it is the whole box
    BrumeDeformedTime deformed_time;
    uint64_t deformed_hashes[BRUME_MAX_BODIES]; ///< of triangles in the state that this one was read from
    struct BrumeDeformedBodies *deformed;       ///< bodies that deform (boundary/deforming_bodies.h); NULL: none

    BrumeSimHooks hooks;     ///< functions of the embedding program
    void *user_data;         ///< of the embedding program
    bool has_written_fields; ///< whether the program has written fields whose ghosts are not set yet
    bool stop_requested;     ///< whether the progress hook has stopped the present frame

    BrumeSettingsMean *animate; ///< of settings that change within a frame, with its context; NULL where none do
    const void *animation;
    BrumeEmitterDef emitters_at[2][BRUME_MAX_EMITTERS]; ///< with `animate`, at the start and at the end of the step

    /** Where samples of emitters vary, those in the middle and at the end of the step (state/emitter_samples.h). */
    const BrumeSamples *emitter_samples[2][BRUME_MAX_EMITTERS][4];

    BrumeField fields[BRUME_FIELD_COUNT]; ///< the state; unused colors have no data
    /** Texture coordinates [m], brume_sim_texture; without data where there are none. How often each layer started. */
    BrumeField texture[BRUME_TEXTURE_LAYERS][3];
    int texture_generation[BRUME_TEXTURE_LAYERS];
    BrumeParticles particles;
    BrumeField previous[3];               ///< another velocity that the integrator needs (BRUME_VALID_PREVIOUS)
    double previous_dt;                   ///< length of the last step [s]
    double pressure_residual;             ///< relative residual of the last pressure solve
    const BrumeField *transport_velocity; ///< during a step: the velocity (3 fields) along which it carries everything

    struct BrumeGeometry *geometry; ///< cells and pressure solver for the present bodies (boundary/geometry.h)
    BrumeCells spare_cells;         ///< of an earlier geometry, whose arrays the next one takes; empty: none
    const struct BrumeIntegrator *integrator; ///< the stages of a step (integrators/integrator.h)
    struct BrumeAdvection *advection;         ///< displacements and work arrays (advection/advection.h)
    struct BrumeTransport *scalar_transport;  ///< scheme and work arrays of the scalars (transport/transport.h)
    BrumeField scratch[BRUME_SCRATCH_FIELDS]; ///< contents are undefined between stages
    double *planes; ///< (BRUME_PLANE_VALUES x (nz+2)) partial sums or maxima of z-planes; undefined between stages

    double region_gains[BRUME_SCALAR_COUNT][BRUME_MOST_REGIONS]; ///< by the transport of a step [unit cells]

    bool holds_heat; ///< whether the field of temperature has heat in place of temperature (state/heat.h)

    bool budgets_on;                         ///< whether the stages book the amounts that they add and remove
    BrumeBudget budgets[BRUME_SCALAR_COUNT]; ///< of temperature, smoke and fuel (measures/budget.h)
    BrumeFireMeasures fire;                  ///< likewise
};

/** The location of quantity `id`. */
static inline int brume_location(BrumeFieldId id) { return id <= BRUME_FIELD_W ? (int)id : BRUME_AT_CENTER; }

/** The quantity that holds smoke of this kind, 0 to BRUME_SMOKE_KINDS - 1. */
static inline BrumeFieldId brume_smoke_id(int kind) { return (BrumeFieldId)(BRUME_FIELD_DENSITY + kind); }

/**
 * The buoyancy of a kind of smoke, downwards, over g: its weight and, of vapor and liquid water, that of its mass.
 * Vapor is lighter than the air that it replaces: 1 / 0.622 - 1 (Rogers and Yau 1989, eq. 2.17).
 */
static inline float brume_smoke_weight(const BrumeSimDef *def, int kind)
{
    const bool water = brume_has_vapor(def);
    const float of_water = water && def->vapor.kind == kind + 1 ? -0.608f
                           : water && def->vapor.liquid == kind ? 1.0f
                                                                : 0.0f;
    return def->smoke[kind].weight + of_water;
}

/** Whether a simulation with these settings has a field. */
static inline bool brume_has_field(const BrumeSimDef *def, BrumeFieldId id)
{
    const bool of_fire = id == BRUME_FIELD_HEATING || id >= BRUME_FIELD_FUEL;
    return of_fire ? brume_has_fuel(def) : (int)id <= (int)BRUME_FIELD_DENSITY + def->color_count;
}

/** The number of these fields. */
static inline int brume_count_fields(const BrumeSimDef *def)
{
    int count = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        count += brume_has_field(def, (BrumeFieldId)id);
    }
    return count;
}

/** The factor by which temperature (`cooling`) or a kind of smoke (`dissipation`) decays in `dt` [s]; 1 if it grows. */
float brume_decay_factor(const BrumeSimDef *def, BrumeFieldId id, double dt);

/** Whether all of the properties `bits` hold. */
static inline bool brume_holds(const BrumeSim *sim, unsigned bits) { return (sim->valid & bits) == bits; }

/** Marks the properties `bits` as established. */
static inline void brume_establish(BrumeSim *sim, unsigned bits) { sim->valid |= bits; }

/** Marks the properties `bits` as not established. */
static inline void brume_invalidate(BrumeSim *sim, unsigned bits) { sim->valid &= ~bits; }

/** The time at which a frame ends, independent of its number of steps [s]. */
double brume_frame_end(const BrumeSim *sim, int frame);

/** The frame of meshes and samples at a time [s]. */
double brume_frame_at(const BrumeSim *sim, double time);

#endif
