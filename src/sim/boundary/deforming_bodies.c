/*
 * A body that deforms moves as a rigid one does, and its vertices move relative to it. In a step they move along
 * straight lines from their positions at its start to those at its end. At a face, the velocity is that of the point of
 * the surface which is nearest: the mean over the step of the vertices of its triangle, weighted as they are in the
 * point.
 */
#include "sim/boundary/deforming_bodies.h"

#include "core/memory.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"

#include <math.h>

enum { NEAR = 4 }; // velocities are known at centers up to this distance from the surface [cells]

/*
 * Triangles.
 */

// the mesh at a frame, from those that exist already if they have it; NULL where it must be created
static const BrumeMesh *find_mesh(const BrumeDeformedBodies *bodies, const BrumeMesh *first, double frame)
{
    for (int n = 0; bodies && n < BRUME_MAX_BODIES; n++) {
        for (int end = 0; end < 2; end++) {
            const BrumeDeformedBody *body = &bodies->bodies[n];
            if (body->first == first && body->frames[end] == frame && body->meshes[end]) {
                return body->meshes[end];
            }
        }
    }
    return NULL;
}

// a reference to the mesh at a frame: `found`, or a new one where that is NULL
static BrumeStatus take_mesh(const BrumeMesh **mesh, const BrumeMesh *found, const BrumeMesh *first, double frame,
                             BrumeError *error)
{
    *mesh = found;
    if (found) {
        brume_mesh_retain(found);
        return BRUME_OK;
    }
    BrumeMesh *created;
    const BrumeStatus status = brume_mesh_create_at(&created, first, frame, error);
    *mesh = created;
    return status;
}

static BrumeStatus add_mesh(BrumeDeformedBodies *deformed, int body, int end, double frame,
                            const BrumeDeformedBodies *present, BrumeError *error)
{
    const BrumeMesh *first = deformed->bodies[body].first;
    deformed->bodies[body].frames[end] = frame;
    const BrumeMesh *found = find_mesh(deformed, first, frame);
    return take_mesh(&deformed->bodies[body].meshes[end], found ? found : find_mesh(present, first, frame), first,
                     frame, error);
}

BrumeStatus brume_deformed_create(BrumeDeformedBodies **deformed, const BrumeSimDef *settings,
                                  const BrumeDeformedTime *time, const BrumeDeformedBodies *present, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    *deformed = NULL;
    for (int n = 0; n < settings->body_count && status == BRUME_OK; n++) {
        const BrumeMesh *first = settings->bodies[n].shape.mesh;
        if (!brume_mesh_has_frames(first)) {
            continue;
        }
        if (!*deformed) {
            *deformed = brume_alloc(1, sizeof **deformed);
        }
        if (!*deformed) {
            return brume_out_of_memory(error, "bodies that deform");
        }
        (*deformed)->bodies[n].first = first;
        brume_mesh_retain(first);
        for (int end = 0; end < 2 && status == BRUME_OK; end++) {
            status = add_mesh(*deformed, n, end, brume_mesh_clamp_frame(first, time->frames[end]), present, error);
        }
    }
    if (status != BRUME_OK) {
        brume_deformed_destroy(*deformed);
        *deformed = NULL;
    }
    return status;
}

void brume_deformed_destroy(BrumeDeformedBodies *deformed)
{
    for (int n = 0; deformed && n < BRUME_MAX_BODIES; n++) {
        BrumeDeformedBody *body = &deformed->bodies[n];
        brume_mesh_release(body->first);
        brume_mesh_release(body->meshes[0]);
        brume_mesh_release(body->meshes[1]);
        brume_free(body->velocities);
    }
    brume_free(deformed);
}

static size_t cells_of(const BrumeIndexBox *box)
{
    size_t cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        cells *= (size_t)brume_max_int(box->to[axis] - box->from[axis] + 1, 0);
    }
    return cells;
}

size_t brume_deformed_bytes(const BrumeDeformedBodies *deformed)
{
    size_t bytes = deformed ? sizeof *deformed : 0;
    for (int n = 0; deformed && n < BRUME_MAX_BODIES; n++) {
        const BrumeDeformedBody *body = &deformed->bodies[n];
        for (int end = 0; body->first && end < 2; end++) {
            bytes += end == 0 || body->meshes[1] != body->meshes[0] ? brume_mesh_bytes(body->meshes[end]) : 0;
        }
        bytes += body->velocities ? cells_of(&body->box) * sizeof *body->velocities : 0;
    }
    return bytes;
}

BrumeSimDef brume_deformed_settings(const BrumeDeformedBodies *deformed, const BrumeSimDef *settings, int end)
{
    BrumeSimDef with = *settings;
    for (int n = 0; deformed && n < settings->body_count; n++) {
        if (deformed->bodies[n].first) {
            with.bodies[n].shape.mesh = deformed->bodies[n].meshes[end];
        }
    }
    return with;
}

// the present triangles of a body; NULL where it does not deform
static const BrumeMesh *present_mesh(const BrumeSim *sim, int body)
{
    return sim->deformed ? sim->deformed->bodies[body].meshes[sim->deformed_time.now] : NULL;
}

BrumeShape brume_present_shape(const BrumeSim *sim, int body)
{
    BrumeShape shape = brume_body_shape(&sim->def, body);
    const BrumeMesh *mesh = present_mesh(sim, body);
    shape.mesh = mesh ? mesh : shape.mesh;
    return shape;
}

BrumeStatus brume_deformed_mesh_at(const BrumeSim *sim, int body, double time, const BrumeMesh **mesh,
                                   BrumeError *error)
{
    *mesh = NULL;
    if (!present_mesh(sim, body)) {
        return BRUME_OK;
    }
    const BrumeDeformedBody *deformed = &sim->deformed->bodies[body];
    const double frame = brume_mesh_clamp_frame(deformed->first, brume_frame_at(sim, time));
    const BrumeMesh *found = deformed->meshes[0] == deformed->meshes[1]
                                 ? deformed->meshes[0]
                                 : find_mesh(sim->deformed, deformed->first, frame);
    return take_mesh(mesh, found, deformed->first, frame, error);
}

/*
 * Velocities.
 */

// the way of a point of the surface in the step, in the world [m/s]
static BrumeVec3 velocity_of(const BrumeDeformedBody *body, const BrumeDeformedTime *time, const BrumeShapeFrame *frame,
                             const BrumeMeshPoint *point)
{
    const BrumeVec3 way = brume_mesh_way(body->meshes[0], body->meshes[1], point->triangle, point->share);
    const BrumeVec3 own = brume_mul(brume_scale(way, (float)(1.0 / time->seconds)), frame->scale);
    return brume_add(brume_add(brume_scale(frame->axes[0], own.x), brume_scale(frame->axes[1], own.y)),
                     brume_scale(frame->axes[2], own.z));
}

static bool has_moved(const BrumeDeformedBody *body, const BrumeDeformedTime *time)
{
    return time->seconds > 0.0 && body->meshes[0] != body->meshes[1];
}

static BrumeIndexBox box_around(const BrumeSimDef *def, const BrumeShape *a, const BrumeShape *b)
{
    const BrumeIndexBox boxes[2] = {brume_cells_overlapping(def, a), brume_cells_overlapping(def, b)};
    const int cells[3] = {def->nx, def->ny, def->nz};
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) { // the entries of ghosts have faces too
        box.from[axis] = brume_max_int(brume_min_int(boxes[0].from[axis], boxes[1].from[axis]) - NEAR, 0);
        box.to[axis] = brume_min_int(brume_max_int(boxes[0].to[axis], boxes[1].to[axis]) + NEAR, cells[axis] + 1);
    }
    return box;
}

// the entry of a cell in an array of those of a box, x fastest
static ptrdiff_t entry_of(const BrumeIndexBox *box, int i, int j, int k)
{
    const ptrdiff_t row = box->to[0] - box->from[0] + 1;
    const ptrdiff_t plane = row * (box->to[1] - box->from[1] + 1);
    return plane * (k - box->from[2]) + row * (j - box->from[1]) + (i - box->from[0]);
}

static BrumeStatus set_velocities(BrumeDeformedBody *body, const BrumeDeformedTime *time, const BrumeSim *sim,
                                  int number, double end, BrumeError *error)
{
    const BrumeSimDef *def = &sim->def;
    BrumeShape start = brume_body_shape(def, number);
    BrumeShape shape = brume_body_shape_at(sim, number, end);
    start.mesh = body->meshes[0];
    shape.mesh = body->meshes[1];
    const BrumePlacedShape placed = brume_shape_place(&shape);
    const BrumeShapeFrame frame = brume_shape_frame(&shape);
    const BrumeIndexBox box = box_around(def, &start, &shape);
    const double most = (double)(NEAR * def->dx / (placed.is_placed ? placed.least_scale : 1.0f));
    BrumeVec3 *velocities = brume_alloc(cells_of(&box), sizeof *velocities);
    if (!velocities) {
        return brume_out_of_grid_memory(error, "the velocities of a body that deforms");
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                const BrumeVec3 at = brume_placed_own_point(&placed, brume_cell_center(def, i, j, k));
                BrumeMeshPoint point;
                if (brume_mesh_closest(shape.mesh, at, most, &point)) {
                    velocities[entry_of(&box, i, j, k)] = velocity_of(body, time, &frame, &point);
                }
            }
        }
    }
    body->box = box;
    body->velocities = velocities;
    return BRUME_OK;
}

// sets the velocities of all surfaces in the step that ends at `end` [s]
static BrumeStatus set_all_velocities(BrumeDeformedBodies *deformed, const BrumeDeformedTime *time, const BrumeSim *sim,
                                      double end, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; deformed && n < sim->def.body_count && status == BRUME_OK; n++) {
        BrumeDeformedBody *body = &deformed->bodies[n];
        if (body->first && has_moved(body, time)) {
            double way = 0.0;
            status = brume_mesh_largest_way(body->first, body->frames[0], body->frames[1], &way, error);
            body->speed = way / time->seconds;
            if (status == BRUME_OK && body->speed > 0.0 && brume_body_is_solid(&sim->def.bodies[n])) {
                status = set_velocities(body, time, sim, n, end, error);
            }
        }
    }
    return status;
}

// the velocity at the center of a cell
static BrumeVec3 velocity_at_center(const BrumeDeformedBody *body, int i, int j, int k)
{
    const BrumeIndexBox *box = &body->box;
    if (i < box->from[0] || j < box->from[1] || k < box->from[2] || i > box->to[0] || j > box->to[1] ||
        k > box->to[2]) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    return body->velocities[entry_of(box, i, j, k)];
}

BrumeVec3 brume_deformation_velocity(const BrumeSim *sim, int body, const int index[3], int axis)
{
    const BrumeDeformedBody *deformed = &sim->deformed->bodies[body];
    const BrumeVec3 above = velocity_at_center(deformed, index[0], index[1], index[2]);
    const BrumeVec3 below =
        velocity_at_center(deformed, index[0] - (axis == 0), index[1] - (axis == 1), index[2] - (axis == 2));
    return brume_scale(brume_add(above, below), 0.5f);
}

BrumeVec3 brume_deformation_velocity_in_cell(const BrumeSim *sim, int body, const int index[3])
{
    return velocity_at_center(&sim->deformed->bodies[body], index[0], index[1], index[2]);
}

BrumeVec3 brume_deformation_velocity_near(const BrumeSim *sim, int body, BrumeVec3 point)
{
    const BrumeDeformedBody *deformed = sim->deformed ? &sim->deformed->bodies[body] : NULL;
    const BrumeShape shape = brume_present_shape(sim, body);
    const BrumeShapeFrame frame = brume_shape_frame(&shape);
    const BrumePlacedShape placed = brume_shape_place(&shape);
    BrumeMeshPoint nearest;
    const bool moves = deformed && deformed->first && has_moved(deformed, &sim->deformed_time);
    return moves && brume_mesh_closest(shape.mesh, brume_placed_own_point(&placed, point), INFINITY, &nearest)
               ? velocity_of(deformed, &sim->deformed_time, &frame, &nearest)
               : brume_vec3(0.0f, 0.0f, 0.0f);
}

BrumeStatus brume_deformation_speed(const BrumeSim *sim, int body, double end, double *speed, BrumeError *error)
{
    const BrumeDeformedBodies *deformed = sim->deformed;
    *speed = 0.0;
    if (!deformed || !deformed->bodies[body].first) {
        return BRUME_OK;
    }
    double way = 0.0;
    const BrumeStatus status =
        brume_mesh_largest_way(deformed->bodies[body].first, sim->deformed_time.frames[sim->deformed_time.now],
                               brume_frame_at(sim, end), &way, error);
    const BrumeShape shape = brume_body_shape(&sim->def, body);
    const BrumeVec3 scale = brume_shape_frame(&shape).scale;
    *speed = way / (end - sim->time) * (double)brume_fmaxf(scale.x, brume_fmaxf(scale.y, scale.z));
    return status;
}

/*
 * Steps.
 */

BrumeStatus brume_start_deformations(BrumeSim *sim, double dt, BrumeError *error)
{
    for (int n = 0; n < sim->def.body_count; n++) {
        const BrumeMesh *mesh = sim->def.bodies[n].shape.mesh;
        if (brume_mesh_deforms(mesh) && !brume_mesh_has_frames(mesh)) {
            double way;
            return brume_mesh_largest_way(mesh, 0.0, 0.0, &way, error);
        }
    }
    const BrumeDeformedTime *before = &sim->deformed_time;
    const BrumeDeformedTime time = {.frames = {before->frames[before->now], brume_frame_at(sim, sim->time + dt)},
                                    .seconds = dt};
    BrumeDeformedBodies *deformed;
    BrumeStatus status = brume_deformed_create(&deformed, &sim->def, &time, sim->deformed, error);
    if (status == BRUME_OK) {
        status = set_all_velocities(deformed, &time, sim, sim->time + dt, error);
    }
    if (status != BRUME_OK) {
        brume_deformed_destroy(deformed);
        return status;
    }
    brume_deformed_destroy(sim->deformed);
    sim->deformed = deformed;
    sim->deformed_time = time;
    return BRUME_OK;
}

BrumeStatus brume_restore_deformations(BrumeSim *sim, BrumeError *error)
{
    const BrumeDeformedTime *time = &sim->deformed_time;
    BrumeDeformedBodies *deformed;
    BrumeGeometry *geometry = NULL;
    BrumeStatus status = brume_deformed_create(&deformed, &sim->def, time, sim->deformed, error);
    if (status == BRUME_OK) {
        status = set_all_velocities(deformed, time, sim, sim->time, error);
    }
    if (status == BRUME_OK && deformed) {
        const BrumeSimDef settings = brume_deformed_settings(deformed, &sim->def, time->now);
        status = brume_geometry_create(&geometry, &settings, sim->geometry->kernels, error);
    }
    if (status != BRUME_OK) {
        brume_deformed_destroy(deformed);
        return status;
    }
    brume_deformed_destroy(sim->deformed);
    sim->deformed = deformed;
    if (geometry) {
        brume_geometry_destroy(sim->geometry);
        sim->geometry = geometry;
    }
    return BRUME_OK;
}
