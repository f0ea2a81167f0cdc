/**
 * @file sim_internal.h
 * What a simulation holds, for the files that each own one term of the equations, and for tests.
 */
#ifndef BRUME_SIM_SIM_INTERNAL_H
#define BRUME_SIM_SIM_INTERNAL_H

#include "brume/sim.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

/** Where a quantity sits: on the lower faces along an axis, or at the centres. */
enum { BRUME_AT_CENTER = 3 };

/** An obstacle's travel during a frame. */
typedef struct BrumeMotion {
    BrumeVec3 velocity; ///< [m/s], 0 for one at rest
    BrumeShape from;    ///< where it was at the frame's start; of one that travels only
} BrumeMotion;

enum {
    BRUME_SCRATCH_FIELDS = 6, ///< the velocity predicted and corrected; schemes without correction need fewer
};
_Static_assert((int)BRUME_SCRATCH_FIELDS >= 2 * BRUME_SCALARS_PER_PASS, "scalars are predicted and corrected too");
_Static_assert((int)BRUME_SCRATCH_FIELDS >= (int)BRUME_PRESSURE_SCRATCH, "advection and pressure share their scratch");
_Static_assert((int)BRUME_PRESSURE_SCRATCH >= 3, "the velocity predicted");

struct BrumeSim {
    BrumeSimDef def;
    double time;      ///< [s]
    int frames;       ///< finished
    int steps;        ///< finished in the current frame
    double max_speed; ///< largest velocity component [m/s]
    double base_time; ///< when frames began to be as long as they are now [s]
    int base_frames;  ///< finished until then

    int stroke_count; ///< pieces that stir during this frame
    BrumeStroke strokes[BRUME_MAX_STROKES];
    bool moving; ///< whether any obstacle travels during this frame
    BrumeMotion motions[BRUME_MAX_OBSTACLES];

    BrumeField fields[BRUME_FIELD_COUNT]; ///< the state; colors not in use have no data

    BrumeGeometry *geometry; ///< of the obstacles where they are now
    BrumeAdvection advection;
    BrumeField scratch[BRUME_SCRATCH_FIELDS]; ///< contents are undefined between two stages
    double *planes;                           ///< (nz+2) one partial sum or maximum a z-plane
};

/** Where the quantity sits: 0, 1, 2 on the lower x, y, z faces, or BRUME_AT_CENTER. */
static inline int brume_location(BrumeFieldId id) { return id <= BRUME_FIELD_W ? (int)id : BRUME_AT_CENTER; }

/** The field of the `kind`-th smoke. */
static inline BrumeFieldId brume_smoke_id(int kind) { return (BrumeFieldId)(BRUME_FIELD_DENSITY + kind); }

/** Entries from one neighbour to the next along an axis. */
static inline ptrdiff_t brume_stride(const BrumeField *field, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? field->sy : field->sz;
}

/** A component of a vector by axis. */
static inline float brume_component(BrumeVec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

// check.c: the ranges of the settings
BrumeStatus brume_sim_check(const BrumeSimDef *def, BrumeError *error);

// boundary.c: what lies beyond the sides of the box and inside the obstacles
void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_sides_homogeneous(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_continue_sides(const BrumeSim *sim, BrumeField *field);
void brume_clean_boundary(BrumeSim *sim);

// the terms of the equations, in the order of a step; advection is in sim/advection/advection.h
void brume_apply_strokes(BrumeSim *sim, double dt);
void brume_emit(BrumeSim *sim, double dt);
void brume_add_buoyancy(BrumeSim *sim, float dt);
void brume_add_vorticity_confinement(BrumeSim *sim, float dt);
void brume_add_drag(BrumeSim *sim, double dt);
void brume_stabilise_backflow(BrumeSim *sim, float dt);
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);
BrumePressureResult brume_project(BrumeSim *sim, float dt);

// sim.c: when a frame ends, exact however many steps it takes [s]
double brume_frame_end(const BrumeSim *sim, int frame);

// motion.c: obstacles that travel, and the cells that they give free
BrumeStatus brume_move_obstacles(BrumeSim *sim, double dt, BrumeError *error);
void brume_impose_motion(const BrumeSim *sim, int axis, BrumeField *velocity);
void brume_take_geometry(BrumeSim *sim, BrumeGeometry *geometry);
void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *before);

// resample.c: a state on another grid
BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, BrumeError *error);

// monitor.c: what the state is like
double brume_measure_flow(BrumeSim *sim);
BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error);
void brume_measure_speed(BrumeSim *sim);

#endif
