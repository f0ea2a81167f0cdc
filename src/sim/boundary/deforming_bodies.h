/**
 * @file deforming_bodies.h
 * Bodies whose meshes deform: their triangles at the start and at the end of a step, and the velocity of their surfaces
 * between both. The settings have the mesh of the first frame; the functions here have that of the present time.
 */
#ifndef BRUME_SIM_BOUNDARY_DEFORMING_BODIES_H
#define BRUME_SIM_BOUNDARY_DEFORMING_BODIES_H

#include "core/error.h"
#include "core/shape.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

/** A body that deforms. */
typedef struct BrumeDeformedBody {
    const BrumeMesh *first;     ///< of the settings; NULL: the body does not deform, and the others are 0
    double frames[2];           ///< of its own at the ends of the step (brume_mesh_clamp_frame)
    const BrumeMesh *meshes[2]; ///< at both
    double speed;               ///< of the fastest vertex, in the frame of the mesh [m/s]
    BrumeIndexBox box;          ///< of cells with a velocity
    BrumeVec3 *velocities;      ///< of the nearest point of the surface, at the centers of these cells [m/s]; NULL: 0
} BrumeDeformedBody;

/** All of them. */
typedef struct BrumeDeformedBodies {
    BrumeDeformedBody bodies[BRUME_MAX_BODIES];
} BrumeDeformedBodies;

/**
 * Creates the triangles of the bodies of `settings` at a time; those that `present` has are shared. `*deformed` is NULL
 * where no body deforms. A mesh of a saved state without frames stays that of its first frame. Fails as
 * brume_mesh_create_at.
 */
BrumeStatus brume_deformed_create(BrumeDeformedBodies **deformed, const BrumeSimDef *settings,
                                  const BrumeDeformedTime *time, const BrumeDeformedBodies *present, BrumeError *error);

/** NULL is allowed. */
void brume_deformed_destroy(BrumeDeformedBodies *deformed);

/** Bytes allocated; 0 for NULL. */
size_t brume_deformed_bytes(const BrumeDeformedBodies *deformed);

/** A copy of `settings` with the triangles at the start (0) or at the end (1) of the step. */
BrumeSimDef brume_deformed_settings(const BrumeDeformedBodies *deformed, const BrumeSimDef *settings, int end);

/** brume_body_shape with the present triangles. */
BrumeShape brume_present_shape(const BrumeSim *sim, int body);

/** The shape of a body with the triangles at a time of the step [s] between its ends, which the caller releases with
 * brume_mesh_release(*mesh); `*mesh` is NULL where it does not deform. Fails as brume_mesh_create_at. */
BrumeStatus brume_deformed_mesh_at(const BrumeSim *sim, int body, double time, const BrumeMesh **mesh,
                                   BrumeError *error);

/**
 * Prepares the next step of `dt` [s]: the triangles at its end, and the velocities of the surfaces in it. Fails as
 * brume_deformed_create; the simulation is unchanged then.
 */
BrumeStatus brume_start_deformations(BrumeSim *sim, double dt, BrumeError *error);

/**
 * Replaces the triangles and velocities by those of its `deformed_time` and settings, and where bodies deform the
 * geometry by that of these triangles. No field changes. Fails as brume_deformed_create and brume_geometry_create; the
 * simulation is unchanged then.
 */
BrumeStatus brume_restore_deformations(BrumeSim *sim, BrumeError *error);

/** The velocity of the surface next to the face below a cell along an axis, relative to the body [m/s]. */
BrumeVec3 brume_deformation_velocity(const BrumeSim *sim, int body, const int index[3], int axis);

/** The velocity of the surface that is nearest to the center of a cell. */
BrumeVec3 brume_deformation_velocity_in_cell(const BrumeSim *sim, int body, const int index[3]);

/** The same at the point of the surface that is nearest to a point in the world. */
BrumeVec3 brume_deformation_velocity_near(const BrumeSim *sim, int body, BrumeVec3 point);

/** The largest speed of vertices relative to their body, in the world, in the step before and up to `end` [s]. Fails as
 * brume_mesh_largest_way. */
BrumeStatus brume_deformation_speed(const BrumeSim *sim, int body, double end, double *speed, BrumeError *error);

#endif
