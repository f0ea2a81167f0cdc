/*
 * The part of each cell in which an emitter acts.
 * - An emitter from its surface covers the cells of a larger shape less those of its shape.
 * - One from vertices covers balls around them, over whose edge of two cells the fraction falls linearly. Its radius
 *   there makes the volume that of the ball, and below 1.5 cells all fractions are smaller instead. The sum over the
 *   cells is that of the ball within 1 %, wherever it lies.
 * - Entries of a row are compared with a mesh in segments; those that are far from its triangles are not searched one
 *   by one.
 */
#include "sim/forces/source_cover.h"

#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/grid/cells.h"

#include <math.h>

// The mean of 4/3 pi (R + s)^3 over the edge, s from -dx to dx, is 4/3 pi (R^3 + R dx^2).
static BrumeVertexBall vertex_ball(const BrumeEmitterDef *emitter, float dx)
{
    const double cell = (double)dx;
    const double wanted = (double)emitter->thickness * (double)emitter->thickness * (double)emitter->thickness;
    const double least = 1.5 * cell;
    const double of_least = least * (least * least + cell * cell);
    if (wanted < of_least) {
        return (BrumeVertexBall){(float)least, (float)(wanted / of_least)};
    }
    double radius = (double)emitter->thickness;
    for (int n = 0; n < 16; n++) { // Newton's method, from above
        radius -= (radius * (radius * radius + cell * cell) - wanted) / (3.0 * radius * radius + cell * cell);
    }
    return (BrumeVertexBall){(float)radius, 1.0f};
}

BrumeIndexBox brume_entries_near(const BrumeSimDef *def, const BrumeShape *shape, BrumeVec3 around)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const BrumeVec3 from = brume_scale(brume_sub(brume_sub(lower, around), def->origin), 1.0f / def->dx); // [cells]
    const BrumeVec3 to = brume_scale(brume_sub(brume_add(upper, around), def->origin), 1.0f / def->dx);
    const BrumeGrid grid = brume_settings_grid(def);
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) {
        const float n = (float)brume_cells_along(grid, axis);
        box.from[axis] = (int)brume_fminf(brume_fmaxf(floorf(brume_component(from, axis)), 1.0f), n + 1.0f);
        box.to[axis] = (int)brume_fminf(brume_fmaxf(ceilf(brume_component(to, axis)) + 2.0f, 0.0f), n);
    }
    return box;
}

BrumeVec3 brume_entry_position(const BrumeSimDef *def, int location, int i, int j, int k)
{
    return brume_vec3(def->origin.x + ((float)i - (location == 0 ? 1.0f : 0.5f)) * def->dx,
                      def->origin.y + ((float)j - (location == 1 ? 1.0f : 0.5f)) * def->dx,
                      def->origin.z + ((float)k - (location == 2 ? 1.0f : 0.5f)) * def->dx);
}

BrumeSourceCover brume_source_cover(const BrumeSimDef *def, const BrumeEmitterDef *emitter, int location)
{
    BrumeSourceCover covering = {
        .emitter = emitter,
        .shape = brume_coverage_of(&emitter->shape, brume_entry_position(def, location, 0, 0, 0), def->dx),
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

float brume_edge_factor(const BrumeSourceCover *covering, BrumeVec3 point)
{
    if (covering->common_edge > 0.0f) {
        return covering->common_edge;
    }
    const float softness = covering->emitter->softness;
    const float distance = brume_placed_distance(&covering->shape.placed, point, 2.0f * softness);
    const float depth = brume_fminf(-distance / softness, 1.0f);
    return depth > 0.0f ? depth * depth * (3.0f - 2.0f * depth) : 0.0f;
}

BrumeSegmentCover brume_compare_segment(const BrumeSourceCover *covering, BrumeVec3 first, float moved)
{
    const BrumePlacedShape *placed = &covering->shape.placed;
    if (!covering->by_triangles) {
        return BRUME_SEGMENT_ANY; // its distance takes no longer than this comparison
    }
    const float dx = covering->shape.dx;
    const float half = 0.5f * (BRUME_SEGMENT - 1) * dx;
    const BrumeVec3 middle = brume_add(first, brume_along(0, half));
    const float near = 1.001f * (half + moved + covering->reach + dx);
    const BrumeEmitFrom from = covering->emitter->from;
    if (from == BRUME_EMIT_VERTICES) {
        BrumeMeshPoint closest;
        return brume_mesh_closest_vertex(placed->shape->mesh, brume_placed_own_point(placed, middle),
                                         (double)(near / placed->least_scale), &closest)
                   ? BRUME_SEGMENT_ANY
                   : BRUME_SEGMENT_NOT_COVERED;
    }
    if (brume_placed_distance_outside(placed, middle, 0.99f * near, 1.01f * near) < near) {
        return BRUME_SEGMENT_ANY;
    }
    if (from == BRUME_EMIT_SURFACE) {
        return BRUME_SEGMENT_NOT_COVERED;
    }
    // through a hole, the inside ends where no triangle is near
    const bool closed = brume_mesh_info(placed->shape->mesh)->closed;
    return !closed                                                         ? BRUME_SEGMENT_ANY
           : brume_placed_signed_distance(placed, middle, INFINITY) > 0.0f ? BRUME_SEGMENT_NOT_COVERED
                                                                           : BRUME_SEGMENT_COVERED;
}

static float covered_by_vertices(const BrumeSourceCover *covering, BrumeVec3 point)
{
    const BrumePlacedShape *placed = &covering->shape.placed;
    const BrumeVertexBall ball = covering->ball;
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
static float covered_by_surface(const BrumeSourceCover *covering, BrumeVec3 point, float outside)
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

void brume_cover_segment(const BrumeSourceCover *covering, BrumeSegmentCover segment, const BrumeVec3 *points,
                         int count, float *parts)
{
    const BrumeEmitFrom from = covering->emitter->from;
    const BrumePlacedShape *placed = &covering->shape.placed;
    const float most = covering->reach + covering->shape.dx;
    float outside[BRUME_SEGMENT];
    if (segment == BRUME_SEGMENT_ANY && covering->by_triangles && from != BRUME_EMIT_VERTICES) {
        brume_placed_distances_outside(placed, points, count, most, outside);
    }
    for (int n = 0; n < count; n++) {
        if (segment != BRUME_SEGMENT_ANY) {
            parts[n] = segment == BRUME_SEGMENT_COVERED ? 1.0f : 0.0f;
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
