/*
 * Moving bodies (Bridson 2015, chapter 5). In each step a body is at its position at the step's end. The faces
 * that it covers, surfaces included, hold its velocity, which enters the divergence before the projection, and pressure
 * does not act on them. Cells that a body uncovers are set to the mean of the air around them, layer by layer; with cut
 * cells their velocity is the one that was carried there, from the air behind the body or from the layers inside. The
 * content of cells that it covers is returned, for the transport to give it back to the air (transport/displacement.c).
 */
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cut_cells.h"
#include "sim/state/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double RADIANS = 3.14159265358979323846 / 180.0; // of a degree

enum { SOLID, KNOWN, UNCOVERED, FILLED }; // marks of an entry

// whether time `a` is at or after time `b` [s], up to rounding
static bool is_reached(double a, double b) { return a >= b - 1e-9 * b; }

static BrumeVec3 move_point(BrumeVec3 point, BrumeVec3 velocity, double seconds)
{
    return brume_vec3((float)((double)point.x + (double)velocity.x * seconds),
                      (float)((double)point.y + (double)velocity.y * seconds),
                      (float)((double)point.z + (double)velocity.z * seconds));
}

double brume_motion_end(const BrumeSim *sim)
{
    const bool at_frame_start = sim->time == brume_frame_end(sim, sim->frames);
    return at_frame_start ? brume_frame_end(sim, sim->frames + 1) : sim->time + 1.0 / (double)sim->def.fps;
}

static bool is_moving(const BrumeMotion *motion)
{
    return brume_length(motion->velocity) > 0.0f || brume_length(motion->rotation_rate) > 0.0f;
}

// an angle after `seconds` [degrees], within a turn where the limits of settings require it
static float turn_angle(float degrees, float rate, double seconds)
{
    const double angle = (double)degrees + (double)rate * seconds;
    return (float)(fabs(angle) > 1e6 ? angle - 360.0 * floor(angle / 360.0) : angle);
}

// the shape at a time [s] of a motion, or at its end after that
static BrumeShape shape_at(const BrumeMotion *motion, double time)
{
    const double elapsed = (is_reached(time, motion->end) ? motion->end : time) - motion->start;
    BrumeShape shape = motion->from;
    shape.a = move_point(motion->from.a, motion->velocity, elapsed);
    shape.b = move_point(motion->from.b, motion->velocity, elapsed);
    shape.rotation.x = turn_angle(motion->from.rotation.x, motion->rotation_rate.x, elapsed);
    shape.rotation.y = turn_angle(motion->from.rotation.y, motion->rotation_rate.y, elapsed);
    shape.rotation.z = turn_angle(motion->from.rotation.z, motion->rotation_rate.z, elapsed);
    return shape;
}

BrumeShape brume_body_shape_at(const BrumeSim *sim, int body, double time)
{
    const BrumeMotion *motion = &sim->motions[body];
    const int parent = sim->def.bodies[body].parent;
    BrumeShape shape = is_moving(motion) ? shape_at(motion, time) : sim->def.bodies[body].shape;
    shape.mesh = brume_present_shape(sim, body).mesh;
    if (parent == 0) {
        return shape;
    }
    const BrumeShape outer = brume_body_shape_at(sim, parent - 1, time);
    return brume_shape_out_of(&outer, &shape);
}

void brume_sim_move(BrumeSim *sim, int body, BrumeVec3 velocity)
{
    brume_sim_move_and_turn(sim, body, velocity, brume_vec3(0.0f, 0.0f, 0.0f));
}

void brume_sim_move_and_turn(BrumeSim *sim, int body, BrumeVec3 velocity, BrumeVec3 rotation_rate)
{
    assert(body >= 0 && body < sim->def.body_count && isfinite(brume_length(velocity)) &&
           isfinite(brume_length(rotation_rate)));
    sim->motions[body] = (BrumeMotion){
        .velocity = velocity,
        .rotation_rate = rotation_rate,
        .from = sim->def.bodies[body].shape,
        .start = sim->time,
        .end = brume_motion_end(sim),
    };
}

void brume_restart_motions(BrumeSim *sim, const BrumeMotion motions[BRUME_MAX_BODIES])
{
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        const BrumeMotion old_motion = motions[n];
        sim->motions[n] = (BrumeMotion){0};
        if (n < sim->def.body_count && is_moving(&old_motion)) {
            brume_sim_move_and_turn(sim, n, old_motion.velocity, old_motion.rotation_rate);
            sim->motions[n].end = old_motion.start == sim->time ? sim->motions[n].end : old_motion.end;
        }
    }
}

void brume_end_motions(BrumeSim *sim)
{
    sim->bodies_move = false;
    memset(sim->motions, 0, sizeof sim->motions);
}

// the distance from a pivot to the farthest point of a shape inside the box [m]
static double reach_from_pivot(const BrumeSimDef *def, const BrumeShape *shape, BrumeVec3 pivot)
{
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(shape, &center, &radius);
    const BrumeVec3 sides = brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx);
    const BrumeVec3 middle = brume_add(def->origin, brume_scale(sides, 0.5f));
    const double to_corner = (double)(brume_length(brume_sub(middle, pivot)) + 0.5f * brume_length(sides));
    return brume_fmin((double)(brume_length(brume_sub(center, pivot)) + radius), to_corner);
}

double brume_speed_on_body(const BrumeSim *sim, int body, const BrumeShape *shape)
{
    double speed = 0.0;
    for (int next = body + 1; next > 0; next = sim->def.bodies[next - 1].parent) {
        const BrumeMotion *motion = &sim->motions[next - 1];
        const int parent = sim->def.bodies[next - 1].parent;
        const BrumeVec3 rate = motion->rotation_rate;
        const double spin = (double)(fabsf(rate.x) + fabsf(rate.y) + fabsf(rate.z)) * RADIANS;
        const BrumeShape turning = brume_body_shape(&sim->def, next - 1);
        speed += spin > 0.0 ? spin * reach_from_pivot(&sim->def, shape, brume_shape_pivot(&turning)) : 0.0;
        const BrumeShape outer = parent > 0 ? brume_body_shape(&sim->def, parent - 1) : turning;
        speed += (double)brume_length(parent > 0 ? brume_vector_out_of(&outer, motion->velocity) : motion->velocity);
    }
    return speed;
}

double brume_body_speed(const BrumeSim *sim, int body)
{
    const BrumeShape shape = brume_present_shape(sim, body);
    return brume_speed_on_body(sim, body, &shape);
}

static bool is_velocity(const BrumeRigidVelocity *rigid)
{
    return brume_length(rigid->velocity) > 0.0f || brume_length(rigid->spin) > 0.0f;
}

bool brume_body_moves(const BrumeSim *sim, int body)
{
    return is_velocity(&sim->surface_velocity[body]) || brume_body_deforms(sim, body);
}

// The mean velocity of a body in a step, in the frame of its parent: its spin in the middle of the step, about its
// pivot at the end of the step.
static BrumeRigidVelocity own_velocity(const BrumeSim *sim, int body, double dt)
{
    const BrumeMotion *motion = &sim->motions[body];
    const bool ends_within = !is_reached(motion->end, sim->time + dt);
    const float share = ends_within ? (float)((motion->end - sim->time) / dt) : 1.0f;
    BrumeRigidVelocity rigid = {.velocity = {0}};
    if (brume_length(motion->velocity) > 0.0f) {
        rigid.velocity = brume_scale(motion->velocity, share);
    }
    if (brume_length(motion->rotation_rate) > 0.0f) {
        const BrumeShape middle = shape_at(motion, sim->time + 0.5 * dt);
        const BrumeShape end = shape_at(motion, sim->time + dt);
        rigid.spin = brume_shape_spin(&middle, brume_scale(motion->rotation_rate, share));
        rigid.pivot = brume_shape_pivot(&end);
    }
    return rigid;
}

// the same in the world: the velocity of the parent at the pivot of the body is added
static BrumeRigidVelocity mean_velocity(const BrumeSim *sim, int body, double dt)
{
    const int parent = sim->def.bodies[body].parent;
    BrumeRigidVelocity rigid = own_velocity(sim, body, dt);
    const BrumeRigidVelocity outer =
        parent > 0 ? mean_velocity(sim, parent - 1, dt) : (BrumeRigidVelocity){.velocity = {0}};
    if (parent == 0 || !(is_velocity(&rigid) || is_velocity(&outer))) {
        return rigid;
    }
    const BrumeShape middle = brume_body_shape_at(sim, parent - 1, sim->time + 0.5 * dt);
    const BrumeShape end = brume_body_shape_at(sim, body, sim->time + dt);
    const float scale = brume_shape_scale(&middle).x; // of vectors, but not of spins
    const BrumeVec3 pivot = brume_shape_pivot(&end);
    const BrumeVec3 carried =
        brume_add(outer.velocity, brume_cross(outer.spin, brume_sub(pivot, outer.pivot))); // of the parent there
    rigid.velocity = brume_add(carried, brume_vector_out_of(&middle, rigid.velocity));
    rigid.spin = brume_add(outer.spin, brume_scale(brume_vector_out_of(&middle, rigid.spin), 1.0f / scale));
    rigid.pivot = brume_length(rigid.spin) > 0.0f ? pivot : brume_vec3(0.0f, 0.0f, 0.0f);
    return rigid;
}

// After a change of what moving bodies cover, or of their velocities. The velocity before it remains of use with cut
// cells: faces that a body covered then have its velocity, as the air at its surface.
static void invalidate_flow(BrumeSim *sim)
{
    const bool is_cut = sim->geometry->cells.fractions != NULL;
    brume_invalidate(sim, BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS_FLUXES |
                              (is_cut ? 0u : (unsigned)BRUME_VALID_PREVIOUS));
}

// Whether the velocity of a body that cuts cells is the one before up to rounding, as that of keys from frame to frame:
// a change would be an impulse, and a projection for it.
static bool continues(const BrumeSim *sim, const BrumeRigidVelocity *before, const BrumeRigidVelocity *next, double dt)
{
    const float way = brume_length(brume_sub(next->velocity, before->velocity)) * (float)dt;
    return sim->geometry->cells.fractions && brume_length(before->velocity) > 0.0f &&
           !(brume_length(before->spin) > 0.0f || brume_length(next->spin) > 0.0f) && way <= 1e-5f * sim->def.dx;
}

static bool any_deforms(const BrumeSim *sim)
{
    bool any = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        any = any || brume_body_deforms(sim, n);
    }
    return any;
}

BrumeStatus brume_start_motions(BrumeSim *sim, double dt, BrumeError *error)
{
    bool changed = any_deforms(sim);
    const BrumeStatus status = brume_start_deformations(sim, dt, error);
    if (status != BRUME_OK) {
        return status;
    }
    changed = changed || any_deforms(sim);
    sim->bodies_move = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        BrumeMotion *motion = &sim->motions[n];
        if (is_reached(sim->time, motion->end)) {
            motion->velocity = motion->rotation_rate = brume_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    for (int n = 0; n < sim->def.body_count; n++) {
        const BrumeRigidVelocity mean = mean_velocity(sim, n, dt);
        const BrumeRigidVelocity rigid = sim->def.bodies[n].passable ? (BrumeRigidVelocity){.velocity = {0}} : mean;
        const BrumeRigidVelocity *before = &sim->surface_velocity[n];
        if (continues(sim, before, &rigid, dt)) {
            sim->bodies_move = true;
            continue;
        }
        changed = changed || brume_length(brume_sub(rigid.velocity, before->velocity)) > 0.0f ||
                  brume_length(brume_sub(rigid.spin, before->spin)) > 0.0f ||
                  brume_length(brume_sub(rigid.pivot, before->pivot)) > 0.0f;
        sim->surface_velocity[n] = rigid;
        sim->bodies_move =
            sim->bodies_move || is_velocity(&mean) || (sim->deformed && sim->deformed->bodies[n].speed > 0.0);
    }
    if (changed) {
        brume_set_velocity_boundary(sim);
        invalidate_flow(sim);
    }
    return BRUME_OK;
}

static void add_displaced(const BrumeSim *sim, BrumeDisplaced *displaced,
                          double sums[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES], int id, ptrdiff_t c)
{
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
        if (field->data) {
            sums[scalar][id - 1] += (double)field->data[c];
            displaced->low[scalar] = brume_fminf(field->data[c], displaced->low[scalar]);
            displaced->high[scalar] = brume_fmaxf(field->data[c], displaced->high[scalar]);
        }
    }
}

// adds the present contents of the cells that are air in `air` and solid in `solid`, by the body there
static void add_cells(const BrumeSim *sim, const BrumeCells *air, const BrumeCells *solid, BrumeDisplaced *displaced,
                      double sums[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES])
{
    const BrumeGrid grid = air->grid;
    for (int k = 1; solid->bodies && k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = air->sy * j + air->sz * k;
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                if (solid->flags[c] & ~air->flags[c] & BRUME_CELL_SOLID) {
                    add_displaced(sim, displaced, sums, solid->body_ids[c], c);
                }
            }
        }
    }
}

static BrumeIndexBox enclosing_box(BrumeIndexBox a, BrumeIndexBox b)
{
    for (int axis = 0; axis < 3; axis++) {
        a.from[axis] = brume_min_int(a.from[axis], b.from[axis]);
        a.to[axis] = brume_max_int(a.to[axis], b.to[axis]);
    }
    return a;
}

enum { MOST_POSITIONS = 64 }; // between the start and the end of a step at which a body that turns is looked at

// the way of a body in a step
typedef struct BodySweep {
    BrumePlacedShape from, to; // at its start and its end
    BrumeVec3 way;             // of a body that does not turn [m]
    float reach;               // of a body that turns: the largest way of its points [m]
    int positions;             // of such a body, `between` start and end
    float apart;               // upper limit of the distance to a position of the points that it passes [m]
    bool deforms;              // then `reach` is the largest way of its points as well
    float to_scale;            // least factor of scale at the end
    BrumePlacedShape between[MOST_POSITIONS];
    BrumeShape start, end, shapes[MOST_POSITIONS]; // of all of them, in the world
} BodySweep;

static void find_sweep(BodySweep *sweep, const BrumeSim *sim, const BrumeSimDef *def, int body, double dt)
{
    sweep->start = brume_present_shape(sim, body);
    sweep->end = brume_body_shape(def, body);
    sweep->from = brume_shape_place(&sweep->start);
    sweep->to = brume_shape_place(&sweep->end);
    sweep->way =
        brume_add(brume_sub(sweep->end.a, sweep->start.a), brume_sub(sweep->end.position, sweep->start.position));
    sweep->positions = 0;
    sweep->deforms = brume_body_deforms(sim, body);
    if (sweep->deforms) {
        const BrumeVec3 scale = brume_shape_frame(&sweep->end).scale;
        const double largest = (double)brume_fmaxf(scale.x, brume_fmaxf(scale.y, scale.z));
        sweep->to_scale = brume_fminf(scale.x, brume_fminf(scale.y, scale.z));
        sweep->reach = (float)(dt * (brume_body_speed(sim, body) + largest * sim->deformed->bodies[body].speed));
    } else if (brume_length(sim->surface_velocity[body].spin) > 0.0f) {
        sweep->reach = (float)(brume_body_speed(sim, body) * dt);
        const float needed = ceilf(4.0f * sweep->reach / def->dx); // a quarter of a cell from one to the next
        sweep->positions = needed < (float)MOST_POSITIONS ? (int)needed : MOST_POSITIONS;
        sweep->apart = 0.5f * sweep->reach / (float)(sweep->positions + 1);
        for (int n = 0; n < sweep->positions; n++) {
            sweep->shapes[n] = brume_body_shape_at(sim, body, sim->time + dt * (n + 1) / (sweep->positions + 1));
            sweep->between[n] = brume_shape_place(&sweep->shapes[n]);
        }
    }
}

// whether a point crosses the surface of a mesh on its way in the frame of the mesh, from one position to the next
static bool passes_mesh(const BodySweep *sweep, BrumeVec3 point)
{
    const BrumeMesh *mesh = sweep->to.shape->mesh;
    BrumeVec3 at = brume_placed_own_point(&sweep->from, point);
    bool passed = false;
    for (int n = 0; n <= sweep->positions && !passed && brume_mesh_has_triangles(mesh); n++) {
        const BrumePlacedShape *next = n < sweep->positions ? &sweep->between[n] : &sweep->to;
        const BrumeVec3 to = brume_placed_own_point(next, point);
        passed = brume_mesh_crosses(mesh, at, to);
        at = to;
    }
    return passed;
}

// Whether a body that deforms passes a point: the part of its surface that is nearest moves as a whole, along the way
// of its nearest point.
static bool passes_deforming(const BodySweep *sweep, BrumeVec3 point)
{
    const BrumeMesh *mesh = sweep->to.shape->mesh;
    const BrumeVec3 at = brume_placed_own_point(&sweep->to, point);
    BrumeMeshPoint nearest;
    if (!brume_mesh_closest(mesh, at, (double)(sweep->reach / sweep->to_scale), &nearest)) {
        return false;
    }
    const BrumeVec3 way = brume_mesh_way(sweep->from.shape->mesh, mesh, nearest.triangle, nearest.share);
    const BrumeVec3 rigid = brume_sub(brume_placed_own_point(&sweep->from, point), at);
    return brume_mesh_crosses(mesh, brume_add(brume_add(at, rigid), way), at);
}

// whether a body passes a point that is outside it before and after the step
static bool passes(const BodySweep *sweep, BrumeVec3 point)
{
    if (sweep->deforms) {
        return passes_deforming(sweep, point);
    }
    if (sweep->positions == 0) {
        return brume_placed_entry(&sweep->to, point, brume_add(point, sweep->way)) <= 1.0f;
    }
    bool passed = false;
    if (brume_placed_distance_outside(&sweep->to, point, 0.99f * sweep->reach, 1.01f * sweep->reach) > sweep->reach) {
        return false;
    }
    if (sweep->to.shape->kind == BRUME_SHAPE_MESH) {
        return passes_mesh(sweep, point);
    }
    for (int n = 0; n < sweep->positions && !passed; n++) {
        passed = brume_placed_rough_distance(&sweep->between[n], point, 0.99f * sweep->apart, 1.01f * sweep->apart) <
                 sweep->apart;
    }
    return passed;
}

// the cells that may be inside a body on its way
static BrumeIndexBox swept_box(const BrumeSimDef *def, const BodySweep *sweep)
{
    BrumeIndexBox box =
        enclosing_box(brume_cells_overlapping(def, &sweep->start), brume_cells_overlapping(def, &sweep->end));
    for (int n = 0; n < sweep->positions; n++) {
        box = enclosing_box(box, brume_cells_overlapping(def, &sweep->shapes[n]));
    }
    return box;
}

// Cells of air before and after the step that a body passes on its way from its present shape to the shape in
// `def`. They become solid in the cells before the step. Of a body that cuts cells, and is not thinner than them, cells
// that it cuts before or after the step are not passed, though their centers may be inside.
static void pass_cells(BrumeSim *sim, const BrumeSimDef *def, const BrumeCells *new_cells, int body, double dt,
                       BrumeDisplaced *displaced)
{
    BrumeCells *cells = &sim->geometry->cells;
    BodySweep sweep;
    find_sweep(&sweep, sim, def, body, dt);
    const float thickness = brume_shape_thickness(sweep.to.shape);
    const bool is_thin = thickness > 0.0f && thickness < def->dx;
    const BrumeIndexBox box = swept_box(def, &sweep);
    uint8_t *marks = (uint8_t *)sim->scratch[0].data;
#pragma omp parallel for schedule(dynamic)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                const bool in_air = is_thin ? !((cells->flags[c] | new_cells->flags[c]) & BRUME_CELL_SOLID)
                                            : !brume_cell_is_cut(cells, c) && !brume_cell_is_cut(new_cells, c);
                marks[c] = in_air && passes(&sweep, brume_cell_center(def, i, j, k));
            }
        }
    }
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                if (marks[c]) {
                    add_displaced(sim, displaced, displaced->covered, body + 1, c);
                    brume_cells_set_solid(cells, c, body);
                    if (cells->fractions) {
                        brume_fractions_close_cell(cells->fractions, i, j, k);
                    }
                }
            }
        }
    }
}

// sets another geometry and returns the old one; entries of fields before `first` that bodies uncover keep their values
static BrumeGeometry *exchange_geometry(BrumeSim *sim, BrumeGeometry *geometry, BrumeFieldId first)
{
    BrumeGeometry *old_geometry = sim->geometry;
    sim->geometry = geometry;
    for (int axis = 0; axis < 3; axis++) { // advection does not write the faces on closed sides, which are known here
        brume_set_sides(sim, (BrumeFieldId)axis, &sim->fields[axis]);
    }
    brume_fill_uncovered(sim, &old_geometry->cells, first);
    brume_set_velocity_boundary(sim);
    return old_geometry;
}

static void finish_geometry(BrumeSim *sim, BrumeGeometry *old_geometry)
{
    brume_set_scalar_ghosts(sim);
    brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[BRUME_FIELD_PRESSURE]);
    brume_pressure_fill_ghosts(sim->geometry->pressure, &sim->fields[BRUME_FIELD_PRESSURE]);
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT);
    if (!brume_cells_equal(&sim->geometry->cells, &old_geometry->cells)) {
        invalidate_flow(sim);
    }
    brume_geometry_destroy(old_geometry);
}

// the bodies are at their positions at the end of the step
static void take_positions(BrumeSim *sim, const BrumeSimDef *def)
{
    sim->def = *def;
    sim->deformed_time.now = 1;
}

BrumeStatus brume_move_bodies(BrumeSim *sim, double dt, BrumeDisplaced *displaced, BrumeError *error)
{
    memset(displaced, 0, sizeof *displaced);
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        displaced->low[scalar] = INFINITY;
        displaced->high[scalar] = -INFINITY;
    }
    BrumeSimDef def = sim->def;
    for (int n = 0; n < def.body_count; n++) {
        const BrumeMotion *motion = &sim->motions[n];
        if (is_moving(motion)) {
            const BrumeMesh *mesh = def.bodies[n].shape.mesh; // settings may have changed since the motion began
            def.bodies[n].shape = shape_at(motion, sim->time + dt);
            def.bodies[n].shape.mesh = mesh;
        }
    }

    const BrumeSimDef shown = brume_deformed_settings(sim->deformed, &def, 1);
    BrumeCells cells;
    BrumeStatus status = brume_cells_create_by_solids(&cells, &shown, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeGeometry *geometry = NULL;
    if (brume_cells_equal(&cells, &sim->geometry->cells)) {
        brume_cells_destroy(&cells);
    } else {
        status = brume_geometry_from_cells(&geometry, &cells, &shown, sim->geometry->kernels, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    if (!geometry) {
        brume_regions_begin(&displaced->regions, sim, sim->geometry);
        brume_regions_cover(&displaced->regions, sim, 0);
        take_positions(sim, &def);
        brume_set_velocity_boundary(sim);
        brume_set_scalar_ghosts(sim);
        return BRUME_OK;
    }
    brume_regions_begin(&displaced->regions, sim, geometry);
    add_cells(sim, &sim->geometry->cells, &geometry->cells, displaced, displaced->covered);
    int moving = 0;
    for (int n = 0; n < def.body_count; n++) {
        if (brume_body_moves(sim, n) && brume_body_is_solid(&def.bodies[n])) {
            pass_cells(sim, &shown, &geometry->cells, n, dt, displaced);
            moving = n;
        }
    }
    brume_regions_cover(&displaced->regions, sim, moving);
    take_positions(sim, &def);
    const bool is_carried = geometry->cells.fractions && brume_holds(sim, BRUME_VALID_PREVIOUS);
    BrumeGeometry *old_geometry = exchange_geometry(sim, geometry, is_carried ? BRUME_FIELD_PRESSURE : BRUME_FIELD_U);
    brume_regions_fill(&displaced->regions, sim, &old_geometry->cells);
    add_cells(sim, &geometry->cells, &old_geometry->cells, displaced, displaced->filled);
    finish_geometry(sim, old_geometry);
    return BRUME_OK;
}

void brume_replace_geometry(BrumeSim *sim, BrumeGeometry *geometry)
{
    BrumeGeometry *old_geometry = exchange_geometry(sim, geometry, BRUME_FIELD_U);
    if (!brume_cells_equal(&geometry->cells, &old_geometry->cells)) {
        brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    }
    finish_geometry(sim, old_geometry);
}

// whether cell c or one of its lower faces is in the air and was not; of whole cells the cell alone is looked at
static bool is_uncovered(const BrumeCells *cells, const BrumeCells *old_cells, ptrdiff_t c)
{
    bool uncovered = (old_cells->flags[c] & ~cells->flags[c] & BRUME_CELL_SOLID) != 0;
    for (int axis = 0; old_cells->fractions && !uncovered && axis < 3; axis++) {
        uncovered = brume_cells_in_air(cells, axis, c) && !brume_cells_in_air(old_cells, axis, c);
    }
    return uncovered;
}

// the bounding box of the cells of which an entry was solid and is not any more; `to` is 0 where there are none
static BrumeIndexBox find_uncovered(const BrumeCells *cells, const BrumeCells *old_cells)
{
    const BrumeGrid grid = cells->grid;
    BrumeIndexBox box = {{grid.nx + 1, grid.ny + 1, grid.nz + 1}, {0, 0, 0}};
    for (int k = 1; old_cells->bodies && k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (int i = 1; (!old_cells->fractions || brume_cells_row_is_cut(old_cells, j, k)) && i <= grid.nx; i++) {
                if (is_uncovered(cells, old_cells, row + i)) {
                    const int index[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        box.from[axis] = brume_min_int(index[axis], box.from[axis]);
                        box.to[axis] = brume_max_int(index[axis], box.to[axis]);
                    }
                }
            }
        }
    }
    return box;
}

// the entries of a location at the cells of a box, and their neighbors
static BrumeIndexBox entries_around(BrumeIndexBox cells, BrumeGrid grid, int location)
{
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) {
        const int upper_face = location == axis;
        const int last = brume_cells_along(grid, axis) + upper_face;
        box.from[axis] = brume_max_int(cells.from[axis] - 1, 1);
        box.to[axis] = brume_min_int(cells.to[axis] + upper_face + 1, last);
    }
    return box;
}

// the mean of the known neighbors within the box; false if there are none
static bool mean_of_known(const BrumeField *field, const uint8_t *marks, const BrumeIndexBox *box, const int index[3],
                          float *mean)
{
    const ptrdiff_t c = brume_field_index(field, index[0], index[1], index[2]);
    float sum = 0.0f;
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const ptrdiff_t stride = brume_stride(field, axis);
        if (index[axis] > box->from[axis] && marks[c - stride] == KNOWN) {
            sum += field->data[c - stride];
            count++;
        }
        if (index[axis] < box->to[axis] && marks[c + stride] == KNOWN) {
            sum += field->data[c + stride];
            count++;
        }
    }
    *mean = count > 0 ? sum / (float)count : 0.0f;
    return count > 0;
}

// fills the uncovered entries that have a known neighbor; returns their number
static int fill_layer(BrumeField *field, uint8_t *marks, const BrumeIndexBox *box)
{
    int filled = 0;
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                if (marks[c] == UNCOVERED &&
                    mean_of_known(field, marks, box, (const int[]){i, j, k}, &field->data[c])) {
                    marks[c] = FILLED;
                    filled++;
                }
            }
        }
    }
    for (int k = box->from[2]; filled > 0 && k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            uint8_t *row = marks + brume_field_index(field, 0, j, k);
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                row[i] = row[i] == FILLED ? KNOWN : row[i];
            }
        }
    }
    return filled;
}

static void mark_entries(const BrumeCells *cells, const BrumeCells *old_cells, int location, const BrumeIndexBox *box,
                         uint8_t *marks)
{
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                const bool was = brume_cells_in_air(old_cells, location, c);
                const bool is = brume_cells_in_air(cells, location, c);
                marks[c] = is ? (was ? KNOWN : UNCOVERED) : SOLID;
            }
        }
    }
}

void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *old_cells, BrumeFieldId first)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeIndexBox uncovered = find_uncovered(cells, old_cells);
    if (uncovered.to[0] == 0) {
        return;
    }
    uint8_t *marks = (uint8_t *)sim->scratch[0].data;
    for (int id = (int)first; id < BRUME_FIELD_COUNT; id++) {
        BrumeField *field = &sim->fields[id];
        if (!field->data) {
            continue;
        }
        const int location = brume_location((BrumeFieldId)id);
        const BrumeIndexBox box = entries_around(uncovered, cells->grid, location);
        mark_entries(cells, old_cells, location, &box, marks);
        while (fill_layer(field, marks, &box) > 0) {
        }
    }
}
