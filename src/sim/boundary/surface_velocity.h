/**
 * @file surface_velocity.h
 * The velocity of the surfaces of bodies in the present step, at faces: inline, because all faces in bodies ask for it.
 */
#ifndef BRUME_SIM_BOUNDARY_SURFACE_VELOCITY_H
#define BRUME_SIM_BOUNDARY_SURFACE_VELOCITY_H

#include "core/vec3.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

/** Whether it is not 0. */
static inline bool brume_is_velocity(const BrumeRigidVelocity *rigid)
{
    return brume_dot(rigid->velocity, rigid->velocity) > 0.0f || brume_dot(rigid->spin, rigid->spin) > 0.0f;
}

/** Whether the surface of a body has a velocity by its deformation in the present step. */
static inline bool brume_body_deforms(const BrumeSim *sim, int body)
{
    return sim->deformed && sim->deformed->bodies[body].velocities;
}

/** Whether the faces of a body hold a velocity other than 0 in the present step, rigid or by its deformation. */
static inline bool brume_body_moves(const BrumeSim *sim, int body)
{
    return brume_is_velocity(&sim->surface_velocity[body]) || brume_body_deforms(sim, body);
}

/** The part of a component that the motion of the whole body gives, at the lower face of a cell along `axis` [m/s]. */
static inline float brume_rigid_velocity_at(const BrumeSim *sim, int body, const int index[3], int axis, int component)
{
    const BrumeRigidVelocity *rigid = &sim->surface_velocity[body];
    const BrumeVec3 center = brume_cell_center(&sim->def, index[0], index[1], index[2]);
    const BrumeVec3 face = brume_sub(center, brume_along(axis, 0.5f * sim->def.dx));
    const BrumeVec3 turning = brume_cross(rigid->spin, brume_sub(face, rigid->pivot));
    return brume_component(brume_add(rigid->velocity, turning), component);
}

/** A component of the velocity of a body at the center of the lower face of a cell along `axis` [m/s]. */
static inline float brume_face_velocity_of_body(const BrumeSim *sim, int body, const int index[3], int axis,
                                                int component)
{
    const float rigid = brume_rigid_velocity_at(sim, body, index, axis, component);
    return brume_body_deforms(sim, body)
               ? rigid + brume_component(brume_deformation_velocity(sim, body, index, axis), component)
               : rigid;
}

/** The same of the component along this axis. */
static inline float brume_body_velocity_at(const BrumeSim *sim, int body, const int index[3], int axis)
{
    return brume_face_velocity_of_body(sim, body, index, axis, axis);
}

#endif
