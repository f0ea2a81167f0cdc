/*
 * Emitters: sources of smoke, heat and motion (Stam 2003, add_source), applied over the part of the step in which they
 * are active. A source acts in proportion to the fraction of the cell that the shape covers, so that the total emission
 * varies continuously with the position of the emitter; a soft edge scales it by the depth of the cell's center.
 *
 * The emitted amount does not depend on the number of steps:
 *   - A rate is integrated over the step; where it is animated, it is the mean over the step.
 *   - A shape that moves is swept: it acts at positions along its path, at most half a cell apart.
 *   - Where the covered fraction c of a cell has the value V, the mean of the cell is at least c V. It is raised to
 * that, and lowered to V / c, but not relaxed to V in every step. (V below 0: the other way around.)
 *   - The air that was inside the shape during the step, and has left it since, has the value as well: the path of the
 *     shape is its path relative to the air, which moves on along straight lines.
 *   - An emitter from its surface covers the cells of a larger shape less those of its shape.
 *   - One from vertices covers balls around them, over whose edge of two cells the fraction falls linearly. Its radius
 *     there makes the volume that of the ball, and below 1.5 cells all fractions are smaller instead. The sum over the
 *     cells is that of the ball within 1 %, wherever it lies.
 *   - Entries of a row are compared with a mesh in segments; those that are far from its triangles are not searched one
 *     by one.
 *   - An imposed velocity V acts as the drag of a porous body that fills the fraction c of the cell,
 *     du/dt = c / (1 - c) |u - V| (V - u) / dx, which is integrated exactly.
 */
#include "core/color.h"
#include "core/coverage.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/noise.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/forces/forces.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/state/state.h"

enum {
    MAX_POSITIONS = 1024, // of a shape in a step
    SEGMENT = 8,          // cells of a row that are compared with a mesh as a whole
};

static const double PI = 3.14159265358979323846;
static const float SPACING = 0.5f; // of positions [cells]

// an emitter at a position of its path
typedef struct Exposure {
    BrumeEmitterDef emitter;   // as it is there
    BrumeSourceMode mode;      // its sources of this mode act
    double time;               // [s]
    float seconds;             // for which rates act
    float age;                 // time up to the end of the step [s]
    BrumeShapeFrame frame;     // of the shape, where its velocity counts
    BrumeShapeFrame frames[2]; // the same around this time, where its velocity counts
    float between;             // time from one to the other [s]; 0: its velocity does not count
} Exposure;

// two octaves of noise, the second with half the amplitude
static float noise_factor(const BrumeEmitterDef *emitter, BrumeVec3 point, double time, uint32_t seed)
{
    if (emitter->noise <= 0.0f) {
        return 1.0f;
    }
    const float scale = 1.0f / emitter->noise_scale;
    float at[4] = {point.x * scale, point.y * scale, point.z * scale, (float)time * emitter->noise_speed};
    float noise = brume_lattice_noise(at, NULL, seed) * (2.0f / 3.0f);
    for (int axis = 0; axis < 4; axis++) {
        at[axis] *= 2.0f;
    }
    noise += brume_lattice_noise(at, NULL, seed + 1) * (1.0f / 3.0f);
    return 1.0f - emitter->noise + 2.0f * emitter->noise * noise;
}

// a ball around a vertex: its fraction is `weight` inside, and half of it at `radius` [m]
typedef struct VertexBall {
    float radius, weight;
} VertexBall;

// The mean of 4/3 pi (R + s)^3 over the edge, s from -dx to dx, is 4/3 pi (R^3 + R dx^2).
static VertexBall vertex_ball(const BrumeEmitterDef *emitter, float dx)
{
    const double cell = (double)dx;
    const double wanted = (double)emitter->thickness * (double)emitter->thickness * (double)emitter->thickness;
    const double least = 1.5 * cell;
    const double of_least = least * (least * least + cell * cell);
    if (wanted < of_least) {
        return (VertexBall){(float)least, (float)(wanted / of_least)};
    }
    double radius = (double)emitter->thickness;
    for (int n = 0; n < 16; n++) { // Newton's method, from above
        radius -= (radius * (radius * radius + cell * cell) - wanted) / (3.0 * radius * radius + cell * cell);
    }
    return (VertexBall){(float)radius, 1.0f};
}

// the entries within `reach` [m] of the entries that `shape` may cover, grown by one
static BrumeIndexBox entries_near(const BrumeSimDef *def, const BrumeShape *shape, float reach)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const BrumeVec3 around = {reach, reach, reach};
    const BrumeVec3 from = brume_scale(brume_sub(brume_sub(lower, around), def->origin), 1.0f / def->dx); // [cells]
    const BrumeVec3 to = brume_scale(brume_sub(brume_add(upper, around), def->origin), 1.0f / def->dx);
    const BrumeGrid grid = {def->nx, def->ny, def->nz};
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) {
        const float n = (float)brume_cells_along(grid, axis);
        box.from[axis] = (int)brume_fminf(brume_fmaxf(floorf(brume_component(from, axis)), 1.0f), n + 1.0f);
        box.to[axis] = (int)brume_fminf(brume_fmaxf(ceilf(brume_component(to, axis)) + 2.0f, 0.0f), n);
    }
    return box;
}

// the position of an entry
static BrumeVec3 position_of(const BrumeSimDef *def, int location, int i, int j, int k)
{
    return brume_vec3(def->origin.x + ((float)i - (location == 0 ? 1.0f : 0.5f)) * def->dx,
                      def->origin.y + ((float)j - (location == 1 ? 1.0f : 0.5f)) * def->dx,
                      def->origin.z + ((float)k - (location == 2 ? 1.0f : 0.5f)) * def->dx);
}

// how an emitter covers the entries at one location
typedef struct Covering {
    const BrumeEmitterDef *emitter;
    BrumeCoverage shape;
    VertexBall ball;   // around vertices
    float reach;       // how far it acts outside its shape [m]
    float common_edge; // the factor for the soft edge where that is the same in all cells; else 0
    bool by_triangles; // of a mesh, whose distances are searched for
} Covering;

static Covering covering_by(const BrumeSimDef *def, const BrumeEmitterDef *emitter, int location)
{
    Covering covering = {
        .emitter = emitter,
        .shape = brume_coverage_of(&emitter->shape, position_of(def, location, 0, 0, 0), def->dx),
        .ball = vertex_ball(emitter, def->dx),
        .by_triangles = emitter->shape.kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(emitter->shape.mesh),
    };
    covering.reach = emitter->from == BRUME_EMIT_VERTICES  ? covering.ball.radius + def->dx
                     : emitter->from == BRUME_EMIT_SURFACE ? emitter->thickness
                                                           : 0.0f;
    covering.common_edge = emitter->softness <= 0.0f ? 1.0f
                           : covering.shape.weighs_inside // as in shapes thinner than two cells
                               ? brume_mean_edge(&emitter->shape, emitter->softness)
                               : 0.0f;
    return covering;
}

// 0 at the surface of the shape and outside, 1 deeper inside than the softness, a smoothstep between
static float edge_factor(const Covering *covering, BrumeVec3 point)
{
    if (covering->common_edge > 0.0f) {
        return covering->common_edge;
    }
    const float softness = covering->emitter->softness;
    const float distance = brume_placed_distance(&covering->shape.placed, point, 2.0f * softness);
    const float depth = brume_fminf(-distance / softness, 1.0f);
    return depth > 0.0f ? depth * depth * (3.0f - 2.0f * depth) : 0.0f;
}

// the entries of a part of a row
typedef enum SegmentCover {
    SEGMENT_ANY,
    SEGMENT_NOT_COVERED,
    SEGMENT_COVERED, // as a whole
} SegmentCover;

// Whether entries of the segment from `first` on, or points within `moved` [m] of them, may be near a mesh.
static SegmentCover compare_segment(const Covering *covering, BrumeVec3 first, float moved)
{
    const BrumePlacedShape *placed = &covering->shape.placed;
    if (!covering->by_triangles) {
        return SEGMENT_ANY; // its distance takes no longer than this comparison
    }
    const float dx = covering->shape.dx;
    const float half = 0.5f * (SEGMENT - 1) * dx;
    const BrumeVec3 middle = brume_add(first, brume_along(0, half));
    const float near = 1.001f * (half + moved + covering->reach + dx);
    const BrumeEmitFrom from = covering->emitter->from;
    if (from == BRUME_EMIT_VERTICES) {
        BrumeMeshPoint closest;
        return brume_mesh_closest_vertex(placed->shape->mesh, brume_placed_own_point(placed, middle),
                                         (double)(near / placed->least_scale), &closest)
                   ? SEGMENT_ANY
                   : SEGMENT_NOT_COVERED;
    }
    if (brume_placed_distance_outside(placed, middle, 0.99f * near, 1.01f * near) < near) {
        return SEGMENT_ANY;
    }
    if (from == BRUME_EMIT_SURFACE) {
        return SEGMENT_NOT_COVERED;
    }
    // through a hole, the inside ends where no triangle is near
    const bool closed = brume_mesh_info(placed->shape->mesh)->closed;
    return !closed                                                         ? SEGMENT_ANY
           : brume_placed_signed_distance(placed, middle, INFINITY) > 0.0f ? SEGMENT_NOT_COVERED
                                                                           : SEGMENT_COVERED;
}

static float covered_by_vertices(const Covering *covering, BrumeVec3 point)
{
    const BrumePlacedShape *placed = &covering->shape.placed;
    const VertexBall ball = covering->ball;
    const double scale = placed->is_placed ? (double)placed->least_scale : 1.0;
    const BrumeVec3 own = brume_placed_own_point(placed, point);
    BrumeMeshPoint closest;
    if (!brume_mesh_closest_vertex(placed->shape->mesh, own, (double)covering->reach / scale, &closest)) {
        return 0.0f;
    }
    const float depth = 0.5f - ((float)(closest.distance * scale) - ball.radius) / (2.0f * covering->shape.dx);
    return ball.weight * brume_fminf(brume_fmaxf(depth, 0.0f), 1.0f);
}

// The part of a cell that is within the thickness of the surface of a shape, but not inside. `outside` is the distance
// to the shape, without a sign to a mesh.
static float covered_by_surface(const Covering *covering, BrumeVec3 point, float outside)
{
    const BrumeCoverage *inner = &covering->shape;
    const float thickness = covering->emitter->thickness;
    if (!(0.5f - (outside - thickness) / inner->dx > 0.0f)) { // also inside, where both coverages are 1
        return 0.0f;
    }
    const float distance = brume_placed_signed_distance(&inner->placed, point, outside);
    const float outer = brume_fminf(brume_fmaxf(0.5f - (distance - thickness) / inner->dx, 0.0f), 1.0f);
    const BrumeShape *shape = inner->placed.shape;
    return !brume_shape_is_solid(shape)        ? outer
           : shape->kind == BRUME_SHAPE_VOLUME ? brume_fmaxf(outer - brume_coverage_at(inner, point), 0.0f)
                                               : brume_fmaxf(outer - brume_coverage_at_distance(inner, distance), 0.0f);
}

// the parts of cells of a segment in which an emitter acts, at `count` points
static void cover_segment(const Covering *covering, SegmentCover segment, const BrumeVec3 *points, int count,
                          float *parts)
{
    const BrumeEmitFrom from = covering->emitter->from;
    const BrumePlacedShape *placed = &covering->shape.placed;
    const float most = covering->reach + covering->shape.dx;
    float outside[SEGMENT];
    if (segment == SEGMENT_ANY && covering->by_triangles && from != BRUME_EMIT_VERTICES) {
        brume_placed_distances_outside(placed, points, count, most, outside);
    }
    for (int n = 0; n < count; n++) {
        if (segment != SEGMENT_ANY) {
            parts[n] = segment == SEGMENT_COVERED ? 1.0f : 0.0f;
        } else if (from == BRUME_EMIT_VERTICES) {
            parts[n] = covered_by_vertices(covering, points[n]);
        } else if (from == BRUME_EMIT_SURFACE) {
            const float distance = covering->by_triangles ? outside[n] : brume_placed_distance(placed, points[n], most);
            parts[n] = covered_by_surface(covering, points[n], distance);
        } else {
            parts[n] = covering->by_triangles
                           ? brume_coverage_at_distance(&covering->shape,
                                                        brume_placed_signed_distance(placed, points[n], outside[n]))
                           : brume_coverage_at(&covering->shape, points[n]);
        }
    }
}

// the factors of the kinds of smoke at a point
static void find_colors(const BrumeEmitterDef *emitter, BrumeVec3 point, float factors[BRUME_SMOKE_KINDS])
{
    const BrumeShapeFrame frame = brume_shape_frame(&emitter->shape);
    const BrumeVec3 own = brume_sub(brume_frame_own_point(&frame, point), emitter->shape.a);
    const BrumeMesh *mesh = emitter->shape.mesh;
    BrumeMeshPoint closest;
    if (emitter->from == BRUME_EMIT_VERTICES ? brume_mesh_closest_vertex(mesh, own, INFINITY, &closest)
                                             : brume_mesh_closest(mesh, own, INFINITY, &closest)) {
        const BrumeVec3 color = brume_mesh_attributes(mesh, closest.triangle, closest.share).color;
        factors[0] = brume_luminance(color);
        factors[1] = color.x;
        factors[2] = color.y;
        factors[3] = color.z;
    }
}

// the velocity that an emitter imposes at a point
static BrumeVec3 velocity_at(const BrumeSim *sim, const Exposure *exposure, BrumeVec3 point)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeEmitterDef *emitter = &exposure->emitter;
    BrumeVec3 velocity = emitter->velocity.value;
    if (exposure->between > 0.0f) {
        // points of the surface keep their places to the pivot, while a motion changes the keys
        const BrumeShapeFrame *now = &exposure->frame;
        const BrumeVec3 own = brume_sub(brume_frame_own_point(now, point), now->own_pivot);
        const BrumeShapeFrame *ends = exposure->frames;
        const BrumeVec3 way = brume_sub(brume_frame_point(&ends[1], brume_add(own, ends[1].own_pivot)),
                                        brume_frame_point(&ends[0], brume_add(own, ends[0].own_pivot)));
        velocity = brume_add(velocity, brume_scale(way, emitter->source_velocity / exposure->between));
        if (emitter->body > 0 && sim->deformed) {
            const BrumeVec3 relative = brume_deformation_velocity_near(sim, emitter->body - 1, point);
            velocity = brume_add(velocity, brume_scale(relative, emitter->source_velocity));
        }
    }
    if (emitter->normal_velocity != 0.0f) {
        const BrumeVec3 normal = brume_shape_direction(&emitter->shape, point, 0.25f * def->dx);
        velocity = brume_add(velocity, brume_scale(normal, emitter->normal_velocity));
    }
    return velocity;
}

// The value that `value` becomes where the fraction `coverage` of a cell has the value `target`. Where a soft edge
// makes the target smaller, it is the least that the cell has: it would otherwise take smoke away.
static float imposed_value(float value, float target, float coverage, bool soft)
{
    const float least = coverage * target;
    const float most = target / coverage;
    if (target >= 0.0f) {
        return soft ? brume_fmaxf(value, least) : brume_fminf(brume_fmaxf(value, least), most);
    }
    return soft ? brume_fminf(value, least) : brume_fmaxf(brume_fminf(value, least), most);
}

// the velocity after `cells` = seconds / dx under the drag of a body of velocity `target`
static float dragged_velocity(float value, float target, float coverage, float cells)
{
    const float free = 1.0f - coverage;
    const float excess = value - target;
    return free > 0.0f ? target + excess * free / (free + coverage * fabsf(excess) * cells) : target;
}

// the displacement during the time `age` [s] of the air that is at the center of cell `c`
static BrumeVec3 displacement_of_air(const BrumeField velocity[3], ptrdiff_t c, float age)
{
    const ptrdiff_t strides[3] = {1, velocity[0].sy, velocity[0].sz};
    float by[3];
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = 0.5f * age * (velocity[axis].data[c] + velocity[axis].data[c + strides[axis]]);
    }
    return brume_vec3(by[0], by[1], by[2]);
}

// The points of at most SEGMENT entries of a row from `first` to `last`, or where the air there was `age` [s] ago, with
// the parts of them in which an emitter acts. Returns their number, or 0 where all parts are 0.
static int cover_entries(const BrumeSim *sim, const Covering *covering, int location, const int first[3], int last,
                         float age, BrumeVec3 points[SEGMENT], float parts[SEGMENT])
{
    const BrumeVec3 start = position_of(&sim->def, location, first[0], first[1], first[2]);
    const SegmentCover segment = compare_segment(covering, start, 2.0f * age * (float)sim->max_speed);
    if (segment == SEGMENT_NOT_COVERED) {
        return 0;
    }
    const int count = brume_min_int(SEGMENT, last - first[0] + 1);
    for (int n = 0; n < count; n++) {
        const int i = first[0] + n;
        points[n] = position_of(&sim->def, location, i, first[1], first[2]);
        if (age > 0.0f) {
            const ptrdiff_t c = brume_field_index(&sim->fields[0], i, first[1], first[2]);
            points[n] = brume_sub(points[n], displacement_of_air(sim->transport_velocity, c, age));
        }
    }
    cover_segment(covering, segment, points, count, parts);
    return count;
}

// the scalars that an emitter has sources of
typedef struct EmittedScalars {
    int count;
    BrumeFieldId ids[BRUME_SCALAR_COUNT];
    float *data[BRUME_SCALAR_COUNT];
    float values[BRUME_SCALAR_COUNT];
} EmittedScalars;

static void add_scalar(EmittedScalars *scalars, BrumeSim *sim, BrumeFieldId id, BrumeSource source,
                       BrumeSourceMode mode)
{
    if (source.mode == mode && sim->fields[id].data) {
        scalars->ids[scalars->count] = id;
        scalars->data[scalars->count] = sim->fields[id].data;
        scalars->values[scalars->count++] = source.value;
    }
}

// emits into cell c, of which the emitter covers the part `coverage` at a point; adds to the sums of fluid cells
static void emit_into_cell(const BrumeSim *sim, const Exposure *exposure, const EmittedScalars *scalars,
                           const Covering *covering, ptrdiff_t c, BrumeVec3 point, float coverage,
                           double added[BRUME_SCALAR_COUNT])
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    float colors[BRUME_SMOKE_KINDS] = {1.0f, 1.0f, 1.0f, 1.0f};
    if (emitter->mesh_color) {
        find_colors(emitter, point, colors);
    }
    const float edge = edge_factor(covering, point);
    const float factor = edge * noise_factor(emitter, point, exposure->time, sim->def.seed);
    for (int n = 0; n < scalars->count; n++) {
        const int kind = (int)scalars->ids[n] - (int)BRUME_FIELD_DENSITY; // below 0: temperature
        const float value = kind < 0 ? scalars->values[n] : scalars->values[n] * colors[kind];
        const float old_value = scalars->data[n][c];
        const float new_value = exposure->mode == BRUME_SOURCE_RATE
                                    ? old_value + coverage * factor * value * exposure->seconds
                                    : imposed_value(old_value, factor * value, coverage, edge < 1.0f);
        scalars->data[n][c] = new_value;
        const bool is_fluid = sim->geometry->cells.flags[c] & BRUME_CELL_FLUID;
        added[n] += is_fluid ? (double)new_value - (double)old_value : 0.0;
    }
}

static void emit_scalars(BrumeSim *sim, const Exposure *exposure)
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    EmittedScalars scalars = {0};
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        add_scalar(&scalars, sim, brume_smoke_id(kind), emitter->smoke[kind], exposure->mode);
    }
    add_scalar(&scalars, sim, BRUME_FIELD_TEMPERATURE, emitter->temperature, exposure->mode);
    if (scalars.count == 0) {
        return;
    }
    const float way = exposure->age * (float)sim->max_speed; // of the air along each axis
    const Covering covering = covering_by(&sim->def, emitter, BRUME_AT_CENTER);
    const BrumeIndexBox box = entries_near(&sim->def, &emitter->shape, way + covering.reach);
#pragma omp parallel for schedule(static)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        double added[BRUME_SCALAR_COUNT] = {0}; // to the fluid cells of the plane
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i += SEGMENT) {
                const ptrdiff_t c = brume_field_index(&sim->fields[BRUME_FIELD_TEMPERATURE], i, j, k);
                BrumeVec3 points[SEGMENT];
                float parts[SEGMENT];
                const int count = cover_entries(sim, &covering, BRUME_AT_CENTER, (const int[]){i, j, k}, box.to[0],
                                                exposure->age, points, parts);
                for (int n = 0; n < count; n++) {
                    if (parts[n] > 0.0f) {
                        emit_into_cell(sim, exposure, &scalars, &covering, c + n, points[n], parts[n], added);
                    }
                }
            }
        }
        for (int n = 0; n < scalars.count; n++) {
            sim->planes[BRUME_PLANE_VALUES * k + n] = added[n];
        }
    }
    for (int n = 0; n < scalars.count; n++) {
        double added = 0.0;
        for (int k = box.from[2]; k <= box.to[2]; k++) {
            added += sim->planes[BRUME_PLANE_VALUES * k + n];
        }
        brume_budget_add_emitted(sim, scalars.ids[n], added * brume_cell_volume(sim));
    }
}

static void emit_velocity(BrumeSim *sim, const Exposure *exposure, int axis)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeEmitterDef *emitter = &exposure->emitter;
    BrumeField *field = &sim->fields[axis];
    const Covering covering = covering_by(def, emitter, axis);
    const BrumeIndexBox box = entries_near(def, &emitter->shape, covering.reach);
    const bool varies = exposure->between > 0.0f || emitter->normal_velocity != 0.0f;
    const float same_value = brume_component(emitter->velocity.value, axis);
    const float cells_per_mps = exposure->seconds / def->dx;
#pragma omp parallel for schedule(static)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i += SEGMENT) {
                float *u = &field->data[brume_field_index(field, i, j, k)];
                BrumeVec3 points[SEGMENT];
                float parts[SEGMENT];
                const int count =
                    cover_entries(sim, &covering, axis, (const int[]){i, j, k}, box.to[0], 0.0f, points, parts);
                for (int n = 0; n < count; n++) {
                    const float coverage = parts[n] > 0.0f ? parts[n] * edge_factor(&covering, points[n]) : 0.0f;
                    if (coverage > 0.0f) {
                        const float value =
                            varies ? brume_component(velocity_at(sim, exposure, points[n]), axis) : same_value;
                        u[n] = exposure->mode == BRUME_SOURCE_RATE
                                   ? u[n] + coverage * value * exposure->seconds
                                   : dragged_velocity(u[n], value, coverage, cells_per_mps);
                    }
                }
            }
        }
    }
}

static void apply_emitter(BrumeSim *sim, const Exposure *exposure)
{
    emit_scalars(sim, exposure);
    if (exposure->emitter.velocity.mode == exposure->mode) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
        for (int axis = 0; axis < 3; axis++) {
            emit_velocity(sim, exposure, axis);
        }
    }
}

static float mix(float from, float to, float share) { return from + share * (to - from); }

static BrumeVec3 mix_vec3(BrumeVec3 from, BrumeVec3 to, float share)
{
    return brume_add(from, brume_scale(brume_sub(to, from), share));
}

static BrumeSource mix_source(BrumeSource from, BrumeSource to, float share)
{
    return (BrumeSource){to.mode, mix(from.value, to.value, share)};
}

// the emitter at a part of the step in [0, 1], in the frame of its parent; it keeps the rates of the whole step
static BrumeEmitterDef own_emitter_at(const BrumeSim *sim, int index, float share)
{
    BrumeEmitterDef emitter = sim->def.emitters[index];
    if (!sim->animate) {
        return emitter;
    }
    const BrumeEmitterDef *from = &sim->emitters_at[0][index];
    const BrumeEmitterDef *to = &sim->emitters_at[1][index];
    emitter.shape.a = mix_vec3(from->shape.a, to->shape.a, share);
    emitter.shape.b = mix_vec3(from->shape.b, to->shape.b, share);
    emitter.shape.radius = mix(from->shape.radius, to->shape.radius, share);
    emitter.shape.second_radius = mix(from->shape.second_radius, to->shape.second_radius, share);
    emitter.shape.position = mix_vec3(from->shape.position, to->shape.position, share);
    emitter.shape.rotation = mix_vec3(from->shape.rotation, to->shape.rotation, share);
    emitter.shape.scale = mix_vec3(from->shape.scale, to->shape.scale, share);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (emitter.smoke[kind].mode == BRUME_SOURCE_SET) {
            emitter.smoke[kind] = mix_source(from->smoke[kind], to->smoke[kind], share);
        }
    }
    if (emitter.temperature.mode == BRUME_SOURCE_SET) {
        emitter.temperature = mix_source(from->temperature, to->temperature, share);
    }
    if (emitter.velocity.mode == BRUME_SOURCE_SET) {
        emitter.velocity.value = mix_vec3(from->velocity.value, to->velocity.value, share);
    }
    return emitter;
}

// the emitter in the world at a time of the step, which lasts `dt` [s]
static BrumeEmitterDef emitter_at(const BrumeSim *sim, int index, double time, double dt)
{
    BrumeEmitterDef emitter = own_emitter_at(sim, index, dt > 0.0 ? (float)((time - sim->time) / dt) : 0.0f);
    if (emitter.body > 0) {
        emitter.shape = brume_body_shape_at(sim, emitter.body - 1, time);
    } else if (emitter.parent > 0) {
        const BrumeShape parent = brume_body_shape_at(sim, emitter.parent - 1, time);
        emitter.shape = brume_shape_out_of(&parent, &emitter.shape);
    }
    return emitter;
}

// the number of parts into which positions divide the path of a shape that moves by `distance` [m]
static int count_parts(const BrumeSim *sim, double distance)
{
    const double parts = ceil(distance / (double)(SPACING * sim->def.dx) - 1e-6);
    return parts < MAX_POSITIONS ? (int)brume_fmax(parts, 1.0) : MAX_POSITIONS;
}

// the largest way of the points of a shape in the frame of its parent, or more; of a plane that turns, 0
static double own_distance_moved(const BrumeSim *sim, int index)
{
    const BrumeShape from = own_emitter_at(sim, index, 0.0f).shape;
    const BrumeShape to = own_emitter_at(sim, index, 1.0f).shape;
    double moved = (double)(brume_fmaxf(brume_length(brume_sub(to.a, from.a)), brume_length(brume_sub(to.b, from.b))) +
                            fabsf(to.radius - from.radius) + fabsf(to.second_radius - from.second_radius) +
                            brume_length(brume_sub(to.position, from.position)));
    const float turned = brume_length(brume_sub(to.rotation, from.rotation)) * (float)(PI / 180.0);
    const float grown = brume_length(brume_sub(to.scale, from.scale));
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(&to, &center, &radius);
    if ((turned > 0.0f || grown > 0.0f) && radius < INFINITY) {
        const float reach = radius + brume_length(brume_sub(center, brume_shape_pivot(&to)));
        moved += (double)((turned + grown) * reach);
    }
    return moved;
}

// the same in the world
static double distance_moved(const BrumeSim *sim, int index, double dt)
{
    const int body = sim->def.emitters[index].body;
    const int parent = body > 0 ? body : sim->def.emitters[index].parent;
    const bool deforms = body > 0 && sim->deformed;
    const double moved = body == 0 ? own_distance_moved(sim, index)
                         : deforms ? dt * sim->deformed->bodies[body - 1].speed
                                   : 0.0;
    if (parent == 0) {
        return moved;
    }
    const BrumeShape outer = brume_body_shape(&sim->def, parent - 1);
    const BrumeShape shape = emitter_at(sim, index, sim->time + dt, dt).shape;
    return moved * (double)brume_shape_scale(&outer).x + dt * brume_speed_on_body(sim, parent - 1, &shape);
}

// where its velocity counts, the frames of an emitter around the time of an exposure, at most `half` [s] from it
static void find_motion(const BrumeSim *sim, int index, Exposure *exposure, double half, double dt)
{
    if (exposure->emitter.source_velocity != 0.0f) {
        const double times[2] = {brume_fmax(exposure->time - half, sim->time),
                                 brume_fmin(exposure->time + half, sim->time + dt)};
        for (int n = 0; n < 2; n++) {
            const BrumeEmitterDef emitter = emitter_at(sim, index, times[n], dt);
            exposure->frames[n] = brume_shape_frame(&emitter.shape);
        }
        exposure->frame = brume_shape_frame(&exposure->emitter.shape);
        exposure->between = (float)(times[1] - times[0]);
    }
}

// applies an emitter, which has the triangles of the time of its exposure if its body deforms, at time `at` [s]
static BrumeStatus expose(BrumeSim *sim, Exposure *exposure, double at, BrumeError *error)
{
    const BrumeMesh *mesh = NULL;
    const int body = exposure->emitter.body;
    const BrumeStatus status = body > 0 ? brume_deformed_mesh_at(sim, body - 1, at, &mesh, error) : BRUME_OK;
    if (status == BRUME_OK) {
        exposure->emitter.shape.mesh = mesh ? mesh : exposure->emitter.shape.mesh;
        apply_emitter(sim, exposure);
    }
    brume_mesh_release(mesh);
    return status;
}

BrumeStatus brume_emit(BrumeSim *sim, double dt, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < sim->def.emitter_count && status == BRUME_OK; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n];
        const double from = brume_fmax(sim->time, (double)emitter->start);
        const double to = brume_fmin(sim->time + dt, (double)emitter->end);
        if (!(to > from)) {
            continue;
        }
        // rates act in the middle of the parts, values at their ends and where a path begins within the step
        const double moved = distance_moved(sim, n, dt);
        const int parts = count_parts(sim, moved);
        for (int part = 0; part < parts && status == BRUME_OK; part++) {
            const double start = from + (to - from) * part / parts;
            const double middle = from + (to - from) * (part + 0.5) / parts;
            Exposure exposure = {
                .emitter = emitter_at(sim, n, middle, dt),
                .mode = BRUME_SOURCE_RATE,
                .time = start,
                .seconds = (float)((to - from) / parts),
            };
            status = expose(sim, &exposure, middle, error);
        }
        const double air = sim->max_speed * dt;
        const int ends = count_parts(sim, moved + air);
        for (int end = from > sim->time ? 0 : 1; end <= ends && status == BRUME_OK; end++) {
            const double time = end < ends ? from + (to - from) * end / ends : to;
            Exposure exposure = {
                .emitter = emitter_at(sim, n, time, dt),
                .mode = BRUME_SOURCE_SET,
                .time = time,
                .seconds = end > 0 ? (float)((to - from) / ends) : 0.0f,
                .age = (float)(sim->time + dt - time),
            };
            find_motion(sim, n, &exposure, 0.5 * (to - from) / ends, dt);
            status = expose(sim, &exposure, time, error);
        }
    }
    brume_set_scalar_ghosts(sim);
    return status;
}

void brume_emit_initially(BrumeSim *sim)
{
    for (int n = 0; n < sim->def.emitter_count; n++) {
        if ((double)sim->def.emitters[n].start <= sim->time && (double)sim->def.emitters[n].end > sim->time) {
            const Exposure exposure = {
                .emitter = emitter_at(sim, n, sim->time, 0.0), .mode = BRUME_SOURCE_SET, .time = sim->time};
            emit_scalars(sim, &exposure);
        }
    }
    brume_set_scalar_ghosts(sim);
}
