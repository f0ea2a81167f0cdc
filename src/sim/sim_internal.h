/**
 * @file sim_internal.h
 * The members of a simulation and the functions of its stages, for the files of the solver and for tests.
 */
#ifndef BRUME_SIM_SIM_INTERNAL_H
#define BRUME_SIM_SIM_INTERNAL_H

#include "brume/sim.h"
#include "core/field.h"
#include "core/vec3.h"
#include "sim/boundary/geometry.h"

/** The location of a quantity: 0, 1, 2 for the lower x, y, z faces of the cells, BRUME_AT_CENTER for their centres. */
enum { BRUME_AT_CENTER = 3 };

/** How far the air at each cell's center travels in a step, along x, y, z [cells]. */
typedef struct BrumeDisplacement {
    BrumeField along[3];
} BrumeDisplacement;

/** The motion of an obstacle along a straight line; without a velocity the other members have no meaning. */
typedef struct BrumeMotion {
    BrumeVec3 velocity; ///< [m/s], 0 for an obstacle at rest
    BrumeShape from;    ///< the shape at `start`
    double start, end;  ///< simulated time [s]
    float share;        ///< of the present step during which it moves, 1 unless the motion ends within the step
} BrumeMotion;

/**
 * Properties of the state that a stage establishes and later stages rely on: bits of BrumeSim.valid. A stage asserts
 * what it needs (brume_holds), and clears the bits that its writes make untrue (brume_invalidate).
 */
enum {
    /** Faces on walls, inflows and obstacles hold their prescribed normal velocity. */
    BRUME_VALID_CLOSED_FACES = 1 << 0,
    /** The ghosts of velocity and its extrapolation into obstacles were set after the last write to velocity. */
    BRUME_VALID_VELOCITY_GHOSTS = 1 << 1,
    /** The ghosts of temperature and smoke were set after the last write to them. */
    BRUME_VALID_SCALAR_GHOSTS = 1 << 2,
    /** max_speed is that of the velocity. A change of settings or obstacles between steps does not clear it. */
    BRUME_VALID_MAX_SPEED = 1 << 3,
    /** The displacements belong to the velocity that was advected last. */
    BRUME_VALID_DISPLACEMENT = 1 << 4,

    BRUME_VALID_VELOCITY = BRUME_VALID_CLOSED_FACES | BRUME_VALID_VELOCITY_GHOSTS,
};

/** How velocity and scalars are carried along; one file each, listed in advection.c. */
typedef struct BrumeAdvection {
    const char *name;
    bool needs_forth; ///< whether it reads the forward travel too
    /**
     * Carries `count` quantities at the centers along `back` (and `forth`) and leaves them in their own
     * fields, multiplied by `keep[n]`, the share that decay leaves.
     */
    void (*advect)(struct BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count);
    /**
     * Finds `back` (and `forth`) while 1 m/s moves air by `cells_per_mps` cells, and carries the velocity along it;
     * its boundary is set afterwards.
     */
    void (*advect_velocity)(struct BrumeSim *sim, float cells_per_mps);
} BrumeAdvection;

enum {
    BRUME_SCALARS_AT_ONCE = 2, ///< quantities that share one trace's weights in a pass
    BRUME_SCRATCH_FIELDS = 6,  ///< the velocity carried once and corrected; a scheme that only carries has fewer
};
_Static_assert((int)BRUME_SCRATCH_FIELDS >= 2 * BRUME_SCALARS_AT_ONCE, "scalars are carried once and corrected too");
_Static_assert((int)BRUME_SCRATCH_FIELDS >= (int)BRUME_PRESSURE_SCRATCH, "advection and pressure share their scratch");
_Static_assert((int)BRUME_PRESSURE_SCRATCH >= 3, "the velocity carried once");

struct BrumeSim {
    BrumeSimDef def;
    double time;      ///< [s]
    int frames;       ///< finished
    int steps;        ///< finished in the current frame
    unsigned valid;   ///< bits BRUME_VALID_*
    double max_speed; ///< largest velocity component, NaN if a component is not finite [m/s]
    int reach;        ///< cells that nothing travels beyond in this step
    double base_time; ///< frame n ends at base_time + (n - base_frames) / fps [s]
    int base_frames;

    int stroke_count;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    bool obstacles_move; ///< whether any motion has a velocity
    BrumeMotion motions[BRUME_MAX_OBSTACLES];

    BrumeSimHooks hooks;     ///< functions of the embedding program
    bool has_written_fields; ///< whether the program has written fields whose ghosts are not set yet
    bool stop_requested;     ///< whether the progress hook has stopped the present frame

    BrumeField fields[BRUME_FIELD_COUNT]; ///< the state; unused colors have no data

    BrumeGeometry *geometry; ///< of def.obstacles at their present positions
    const BrumeAdvection *advection;
    BrumeDisplacement back;                   ///< from each center to where its air came from
    BrumeDisplacement forth;                  ///< from each center to where its air goes
    BrumeField scratch[BRUME_SCRATCH_FIELDS]; ///< contents are undefined between stages
    double *planes;  ///< (2 x (nz+2)) partial sums or maxima, one for each z-plane; undefined between stages
    float *farthest; ///< of each strip (sample.h) the longest travel back along an axis [cells]
    uint8_t *marks;  ///< one a block, work of clean.c
    uint8_t *clean[BRUME_SCALARS_AT_ONCE]; ///< one a block, whether there is nothing to carry
};

/** The location of quantity `id`. */
static inline int brume_location(BrumeFieldId id) { return id <= BRUME_FIELD_W ? (int)id : BRUME_AT_CENTER; }

/** The quantity that holds smoke of this kind, 0 to BRUME_SMOKE_KINDS - 1. */
static inline BrumeFieldId brume_smoke_id(int kind) { return (BrumeFieldId)(BRUME_FIELD_DENSITY + kind); }

/** Whether all of the properties `bits` hold. */
static inline bool brume_holds(const BrumeSim *sim, unsigned bits) { return (sim->valid & bits) == bits; }

/** Marks the properties `bits` as established. */
static inline void brume_establish(BrumeSim *sim, unsigned bits) { sim->valid |= bits; }

/** Marks the properties `bits` as not established. */
static inline void brume_invalidate(BrumeSim *sim, unsigned bits) { sim->valid &= ~bits; }

// check.c: the ranges of the settings
BrumeStatus brume_sim_check(const BrumeSimDef *def, BrumeError *error);

// boundary/boundary.c: boundary conditions at the sides of the box and at obstacles
void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_sides_homogeneous(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_velocity_boundary(BrumeSim *sim);
void brume_set_scalar_ghosts(BrumeSim *sim);

// the terms of the equations, in the order of a step
void brume_apply_strokes(BrumeSim *sim, double dt);
void brume_emit(BrumeSim *sim, double dt);
void brume_add_buoyancy(BrumeSim *sim, float dt);
void brume_add_vorticity_confinement(BrumeSim *sim, float dt, double max_speed);
void brume_add_drag(BrumeSim *sim, double dt);
void brume_stabilise_backflow(BrumeSim *sim, float dt);
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);
BrumePressureResult brume_project(BrumeSim *sim, float dt);
void brume_advect_velocity(BrumeSim *sim, float dt);
void brume_advect_scalars(BrumeSim *sim, double dt);

// sim.c: the time at which a frame ends, independent of its number of steps [s]
double brume_frame_end(const BrumeSim *sim, int frame);

// boundary/moving_obstacles.c: moving obstacles and the cells that they uncover
BrumeStatus brume_move_obstacles(BrumeSim *sim, double dt, BrumeError *error);
void brume_impose_obstacle_velocity(const BrumeSim *sim, int axis, BrumeField *velocity);
void brume_replace_geometry(BrumeSim *sim, BrumeGeometry *geometry);
void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *before);
void brume_restart_motions(BrumeSim *sim, const BrumeMotion motions[BRUME_MAX_OBSTACLES]);
void brume_end_motions(BrumeSim *sim);

// state/create.c
void brume_use_listed_names(BrumeSimDef *def);

// state/resample.c: the state on another grid
BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, BrumeError *error);

// monitor.c: measurements of the state
double brume_measure_flow(BrumeSim *sim);
BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error);
void brume_measure_speed(BrumeSim *sim);

/** The scheme of that name, NULL if there is none. */
const BrumeAdvection *brume_advection_find(const char *name);

#endif
