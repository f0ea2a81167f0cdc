#include "raymarch/light/solid_surface.h"

#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "raymarch/surface_albedo.h"

#include <math.h>

enum {
    LINES = 4,   // along each side of a cell, for each axis
    SAMPLES = 4, // of a volume on each line
};

BrumeSolidGrid brume_solid_grid(const BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                                const BrumeRenderSettings *settings)
{
    const BrumeVec3 side = brume_scale(grid->cell, medium->dx);
    return (BrumeSolidGrid){settings, medium->origin, side, medium->dx, 0.5f * brume_length(side)};
}

BrumeVec3 brume_solid_grid_center(const BrumeSolidGrid *grid, int i, int j, int k)
{
    const BrumeVec3 cells = brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f);
    return brume_add(grid->origin, brume_mul(cells, grid->side));
}

// the distance of a solid from the center of a cell, as far as it matters whether the surface crosses the cell
static float distance_to_cell(const BrumeSolidGrid *grid, int s, BrumeVec3 center)
{
    const BrumePlacedShape placed = brume_shape_place(&grid->settings->surfaces[s].shape);
    return brume_placed_rough_distance(&placed, center, 0.99f * grid->half_diagonal, 1.02f * grid->half_diagonal);
}

BrumeSolidCellKind brume_solid_cell_kind(const BrumeSolidGrid *grid, BrumeVec3 center, bool *inside)
{
    *inside = false;
    BrumeSolidCellKind kind = BRUME_CELL_OPEN;
    for (int s = 0; s < grid->settings->surface_count; s++) {
        const float distance = distance_to_cell(grid, s, center);
        if (distance < -grid->half_diagonal) {
            return BRUME_CELL_INSIDE;
        }
        *inside |= distance < 0.0f;
        // a hundredth more: surfaces in the face between two cells belong to both
        kind = distance < 1.01f * grid->half_diagonal ? BRUME_CELL_CROSSED : kind;
    }
    return kind;
}

// adds the point where a line along `axis` crosses the surface of the solid `s`, unless it is inside another solid
static void add_crossing(BrumeCellSurface *sum, const BrumeSolidGrid *grid, const BrumeIncidentLight *sources, int s,
                         int axis, BrumeVec3 point, const BrumeMeshPlace *place)
{
    const BrumeRenderSettings *settings = grid->settings;
    for (int other = 0; other < settings->surface_count; other++) {
        if (other != s && brume_shape_distance_within(&settings->surfaces[other].shape, point, 0.0f) < 0.0f) {
            return;
        }
    }
    const BrumeVec3 normal = brume_shape_normal(&settings->surfaces[s].shape, point, place);
    const float area = fabsf(brume_component(normal, axis)); // seen along the lines, over the area of the surface
    if (!sum->crossed) {
        sum->crossed = true;
        sum->first = normal;
    }
    // faces at right angles are on the same side
    BrumeSurfaceSide *side = brume_dot(normal, sum->first) > -0.1f ? &sum->front : &sum->back;
    side->area += area;
    side->normal = brume_add(side->normal, brume_scale(normal, area));
    side->albedo =
        brume_add(side->albedo, brume_scale(brume_solid_albedo(settings, s, point, normal, 0.0f, place), area));
    // light volumes begin to be dark one cell behind the surface
    const BrumeVec3 in_front = brume_add(point, brume_scale(normal, 0.5f * grid->dx));
    const BrumeVec3 in_cells = brume_scale(brume_sub(in_front, grid->origin), 1.0f / grid->dx);
    const BrumeVec3 direct = sources->surface_light(sources->context, in_cells, normal);
    side->direct = brume_add(side->direct, brume_scale(direct, area));
}

// an interval of a line inside a shape, and of a mesh the places of its ends
typedef struct LineInterval {
    float enter, leave;
    BrumeMeshPlace first, last;
} LineInterval;

// the intervals of a line of this length inside a mesh; those before the line too, and their ends, as far as they
// decide whether the mesh is thin there; a mesh that is not closed is a wall, whose intervals are as short as can be
static int mesh_intervals(const BrumeRay *line, float length, const BrumeShape *shape, LineInterval *intervals)
{
    const float reach = 2.5f * length;
    BrumeMeshCrossing crossings[BRUME_MESH_CROSSINGS];
    const int crossed = brume_ray_mesh_crossings(line, shape, -reach, length + reach, crossings);
    const bool closed = crossed > 0 && brume_mesh_info(shape->mesh)->closed;
    int count = 0;
    float behind = -reach; // the end of the interval before
    for (int n = 0; n < crossed && count < SAMPLES; n++) {
        const BrumeMeshCrossing *from = &crossings[n];
        if (from->distance < behind) {
            continue;
        }
        LineInterval found = {from->distance, INFINITY, from->place, from->place};
        if (!closed) {
            found.leave = nextafterf(from->distance, INFINITY);
        } else if (from->leaves) {
            found.enter = behind;
            found.leave = from->distance;
        }
        while (found.leave == INFINITY && ++n < crossed) {
            if (crossings[n].leaves) {
                found.leave = crossings[n].distance;
                found.last = crossings[n].place;
            }
        }
        if (!(found.enter < length)) {
            break;
        }
        if (found.leave > 0.0f) {
            intervals[count++] = found;
        }
        behind = found.leave + 1e-4f * length;
    }
    return count;
}

// The intervals of a line of this length inside a shape. A volume and a torus are sampled; a convex shape has one.
static int intervals_of(const BrumeRay *line, float length, const BrumeShape *shape, LineInterval *intervals)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        return mesh_intervals(line, length, shape, intervals);
    }
    if (shape->kind != BRUME_SHAPE_VOLUME && shape->kind != BRUME_SHAPE_TORUS) {
        const BrumeRayInterval inside = brume_ray_shape(line, shape, -INFINITY);
        intervals[0] = (LineInterval){.enter = inside.enter, .leave = inside.leave};
        return inside.enter < inside.leave ? 1 : 0;
    }
    const float step = length / SAMPLES;
    int count = 0;
    bool was_inside = false;
    for (int n = 0; n < SAMPLES; n++) {
        const bool inside = brume_shape_distance(shape, brume_ray_at(line, ((float)n + 0.5f) * step)) < 0.0f;
        if (inside && !was_inside) {
            intervals[count].enter = n == 0 ? -INFINITY : (float)n * step;
            intervals[count++].leave = INFINITY;
        } else if (!inside && was_inside) {
            intervals[count - 1].leave = (float)n * step;
        }
        was_inside = inside;
    }
    return count;
}

// adds the crossings of one of the lines through a cell with the solids `near` it, and the length inside them
static void add_line(BrumeCellSurface *sum, const BrumeSolidGrid *grid, const BrumeIncidentLight *sources,
                     const bool near[], int axis, const BrumeRay *line, float length)
{
    const BrumeRenderSettings *settings = grid->settings;
    const float per_line = 1.0f / (LINES * LINES);
    float inside = 0.0f;
    float thin = 0.0f;
    for (int s = 0; s < settings->surface_count; s++) {
        const BrumeShape *shape = &settings->surfaces[s].shape;
        if (!near[s]) {
            continue;
        }
        LineInterval intervals[SAMPLES];
        const int count = intervals_of(line, length, shape, intervals);
        for (int n = 0; n < count; n++) {
            const bool enters = intervals[n].enter > 0.0f && intervals[n].enter < length;
            const bool leaves = intervals[n].leave > 0.0f && intervals[n].leave < length;
            const float from = brume_max(intervals[n].enter, 0.0f);
            const float to = brume_min(intervals[n].leave, length);
            if (!(from < to)) {
                continue;
            }
            inside += (to - from) / length;
            const float whole = (intervals[n].leave - intervals[n].enter) / length;
            thin += (to - from) / length / whole * brume_clamp(2.5f - whole, 0.0f, 1.0f);
            if (enters) {
                add_crossing(sum, grid, sources, s, axis, brume_ray_at(line, intervals[n].enter), &intervals[n].first);
            }
            if (leaves) {
                add_crossing(sum, grid, sources, s, axis, brume_ray_at(line, intervals[n].leave), &intervals[n].last);
            }
        }
    }
    sum->inside += brume_min(inside, 1.0f) * per_line / 3.0f;
    sum->thin[axis] += brume_min(thin, 1.0f) * per_line;
}

BrumeCellSurface brume_surface_in_cell(const BrumeSolidGrid *grid, const BrumeIncidentLight *sources, BrumeVec3 center)
{
    const float margin = 0.01f; // of the side: surfaces in the face between two cells belong to both
    const BrumeVec3 lower = brume_sub(center, brume_scale(grid->side, 0.5f));
    bool near[BRUME_MAX_SURFACES];
    for (int s = 0; s < grid->settings->surface_count; s++) {
        near[s] = grid->settings->surface_count == 1 || // the cells of brume_solid_cell_kind are near one at least
                  fabsf(distance_to_cell(grid, s, center)) < 1.01f * grid->half_diagonal;
    }
    BrumeCellSurface sum = {0};
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 direction = brume_along(axis, 1.0f);
        for (int n = 0; n < LINES * LINES; n++) {
            const float u = ((float)(n % LINES) + 0.5f) / LINES;
            const int row = n / LINES;
            const float v = ((float)row + 0.5f) / LINES;
            const BrumeVec3 at = axis == 0   ? brume_vec3(-margin, u, v)
                                 : axis == 1 ? brume_vec3(u, -margin, v)
                                             : brume_vec3(u, v, -margin);
            const BrumeRay line = {brume_add(lower, brume_mul(at, grid->side)), direction};
            add_line(&sum, grid, sources, near, axis, &line,
                     (1.0f + 2.0f * margin) * brume_component(grid->side, axis));
        }
    }
    return sum;
}
