/**
 * @file boundary.h
 * Boundary conditions at the sides of the box and at bodies, which may move.
 */
#ifndef BRUME_SIM_BOUNDARY_BOUNDARY_H
#define BRUME_SIM_BOUNDARY_BOUNDARY_H

#include "brume/measures.h"
#include "sim/boundary/air_regions.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/blocks.h"
#include "sim/state/state.h"

// boundary.c

/** The component along an axis of the velocity of the surface of a body that deforms, in a cell that it cuts [m/s]. */
float brume_wall_velocity_in_cell(const BrumeSim *sim, int body, const int index[3], int axis);

/**
 * Sets the ghosts of a field of quantity `id`, in the state or in a work field, by the rules of transport: no ghost is
 * a scalar value that neither the air inside nor the air outside has. For a velocity component also sets its values on
 * the sides of the box that are not open. The state's velocity decides where air enters through open sides.
 */
void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/**
 * As brume_set_sides by the rules of diffusion: values that a wall or an inflow prescribes hold on the side itself
 * (ghost = 2 value - inside). These ghosts must not be transported or limited. Ranks exchange one plane.
 */
void brume_set_diffusion_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/**
 * As brume_set_diffusion_sides with every prescribed value 0: the ghosts of a difference of two fields of quantity
 * `id`.
 */
void brume_set_difference_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/** The largest speed that the sides of the box prescribe: of walls without slip, and of inflows [m/s]. */
double brume_max_side_speed(const BrumeSim *sim);

/** Whether the air at the surface of this body has the velocity of the body. */
bool brume_body_has_no_slip(const BrumeSimDef *def, int body);

/**
 * Makes a field of quantity `id`, in the state or in a work field, readable everywhere. Sets its sides as
 * brume_set_sides; sets the entries on the surfaces of bodies and inside to 0, or to the velocity of a moving
 * body; and extrapolates the field into the two outermost layers of bodies. Velocity is not extrapolated into
 * bodies without slip, so that inside it is the velocity of the body.
 */
void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/**
 * Sets the boundary of the three components of a velocity, in the state or in work fields, as brume_set_boundary.
 * Planes of other ranks are not current afterwards.
 */
void brume_set_vector_boundary(const BrumeSim *sim, BrumeField velocity[3]);

/**
 * Replaces the ghosts that mirror a prescribed value about a side (2 value - inside, at no-slip and inflow sides for
 * the tangential velocity, at walls of fixed temperature) by the value itself. The mirrored ghosts let an interpolation
 * give the value on the side, but a limiter must not count them among the values of the field. Planes of other ranks
 * are not current afterwards.
 */
void brume_set_ghosts_on_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);

/**
 * Sets the boundary of a velocity that paths follow, as brume_set_boundary. With cut cells, also removes the part
 * normal to the surface on extrapolated faces (brume_set_slip_faces).
 */
void brume_set_path_boundary(const BrumeSim *sim, BrumeField velocity[3]);

/**
 * Sets the boundary of a velocity that is carried along the paths, as brume_set_vector_boundary. Where a mesh cuts
 * cells, as brume_set_path_boundary, because in creases air that comes from one surface would enter the other one; and
 * replaces the values of narrow faces (brume_extrapolate_to_narrow_faces). A small part of a face lets little air pass
 * at any speed. Carried into the wider cells behind it, this speed would be that of much air, which the pressure would
 * have to draw through the small part, faster in each step.
 */
void brume_set_carried_boundary(const BrumeSim *sim, BrumeField velocity[3]);

/** Sets the boundary of the state's velocity, which is that of paths, as brume_set_path_boundary. */
void brume_set_velocity_boundary(BrumeSim *sim);

/** Sets the ghosts of the state's temperature and smoke, and clears both inside bodies, without extrapolation. */
void brume_set_scalar_ghosts(BrumeSim *sim);

// backflow.c

/**
 * Applies the Bernoulli pressure beyond the open sides over `dt` [s] to the air that enters through them. Changes the
 * normal velocity on the open sides alone, whose ghosts are not current afterwards; on those in `blocks`, NULL for all.
 */
void brume_stabilize_backflow(BrumeSim *sim, float dt, const BrumeBlockSet *blocks);

// motions.c: shapes and velocities of bodies in the present step

/**
 * Ends the motions whose time is over, and sets the faces of each body to its mean velocity in the step of the next
 * `dt` [s]. Where that is not the velocity of the last step, the air is not free of divergence afterwards: bodies
 * start and stop by an impulse. Fails as brume_start_deformations.
 */
BrumeStatus brume_start_motions(BrumeSim *sim, double dt, BrumeError *error);

/**
 * Continues `motions`, which may be the simulation's own, from the bodies' present shapes, after the settings have
 * changed; motions of bodies that do not exist any more end. A motion that has just started lasts a frame of the
 * present settings.
 */
void brume_restart_motions(BrumeSim *sim, const BrumeMotion motions[BRUME_MAX_BODIES]);

/**
 * An upper limit of the speed of the surface of a body inside the box [m/s], from its motion and the distance of its
 * farthest point from its pivot; without its deformation (brume_deformation_speed).
 */
double brume_body_speed(const BrumeSim *sim, int body);

/** An upper limit of the speed inside the box of the points of `shape`, in the world, which a body carries along [m/s].
 */
double brume_speed_on_body(const BrumeSim *sim, int body, const BrumeShape *shape);

/** The same in a scene where the bodies have these velocities and rates of rotation; the rest of `motions` is not read.
 */
double brume_speed_by_motions(const BrumeSimDef *def, const BrumeMotion motions[BRUME_MAX_BODIES], int body,
                              const BrumeShape *shape);

/** The shape of a body in the frame of its parent at a time of the present step [s]. */
BrumeShape brume_own_shape_at(const BrumeSim *sim, int body, double time);

/** The shape of a body in the world at a time of the present step [s]; with its present triangles if it deforms. */
BrumeShape brume_body_shape_at(const BrumeSim *sim, int body, double time);

/** The end of a motion that starts now: the end of the frame that starts now, or else after a frame's duration [s]. */
double brume_motion_end(const BrumeSim *sim);

/** Ends all motions; the bodies stay where they are. */
void brume_end_motions(BrumeSim *sim);

/**
 * After a change of what moving bodies cover, or of their velocities. The velocity before it remains of use with cut
 * cells: faces that a body covered then have its velocity, as the air at its surface.
 */
void brume_invalidate_flow(BrumeSim *sim);

// moving_bodies.c: the cells that bodies cover, pass and uncover

/** Content of the cells covered and uncovered by bodies in a step, by scalar (0: temperature) and body. */
typedef struct BrumeDisplaced {
    double covered[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES];    ///< of air cells that a body passed [unit cells]
    double filled[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES];     ///< given to cells that it left [unit cells]
    float low[BRUME_SCALAR_COUNT], high[BRUME_SCALAR_COUNT]; ///< range of the values in these cells
    BrumeAirRegions regions;
} BrumeDisplaced;

/**
 * Moves the bodies to their positions at the end of the next `dt` [s] and replaces the geometry if other cells are
 * solid then. Cells that a body has passed within the step count as covered and uncovered. On failure
 * (BRUME_FAILED without memory) the state and the positions are unchanged. The ghosts of temperature and smoke are not
 * current afterwards. Uses the first five scratch fields.
 */
BrumeStatus brume_move_bodies(BrumeSim *sim, double dt, BrumeDisplaced *displaced, BrumeError *error);

/**
 * Replaces the geometry by one of the present settings and frees the previous one; fills the cells that are uncovered
 * and sets the boundary of the whole state.
 */
void brume_replace_geometry(BrumeSim *sim, BrumeGeometry *geometry);

// uncovered.c

/**
 * Fills the entries of the state's fields from `first` on that are in the air now and were not with the cells
 * `old_cells`, of the same grid: layer by layer with the mean of their known neighbors, or 0 where none are connected
 * to air. Overwrites the first and the fourth scratch field.
 */
void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *old_cells, BrumeFieldId first);

#endif
