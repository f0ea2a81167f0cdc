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

// how far before and behind a line a mesh is searched, to know whether it is thin there
static float reach_of(float length) { return 2.5f * length; }

// The intervals of a line of this length inside a mesh, from its crossings; those before the line too, and their ends,
// within the reach. A mesh that is not closed is a wall, whose intervals are as short as can be.
static int mesh_intervals(const BrumeMeshCrossing *crossings, int crossed, float length, const BrumeShape *shape,
                          LineInterval *intervals)
{
    const bool closed = crossed > 0 && brume_mesh_info(shape->mesh)->closed;
    int count = 0;
    float behind = -reach_of(length); // the end of the interval before
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

// The intervals of a line of this length inside a shape other than a mesh. A volume and a torus are sampled; a convex
// shape has one.
static int intervals_of(const BrumeRay *line, float length, const BrumeShape *shape, LineInterval *intervals)
{
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

enum {
    ALL_LINES = LINES * LINES, // along an axis
    GROUP = BRUME_MAX_SURFACES // lines of all solids that are searched together: each solid has one at least
};

_Static_assert(ALL_LINES <= (int)BRUME_MESH_RAYS && ALL_LINES <= (int)GROUP, "a mesh is searched on all lines at once");

// the intervals of lines of the same length inside a solid
static void group_intervals(const BrumeRay *lines, int count, float length, const BrumeShape *shape,
                            LineInterval (*intervals)[SAMPLES], int *counts)
{
    if (shape->kind != BRUME_SHAPE_MESH) {
        for (int n = 0; n < count; n++) {
            counts[n] = intervals_of(&lines[n], length, shape, intervals[n]);
        }
        return;
    }
    BrumeMeshCrossing crossings[BRUME_MESH_RAYS][BRUME_MESH_CROSSINGS];
    int crossed[BRUME_MESH_RAYS];
    brume_ray_mesh_crossings(lines, count, shape, -reach_of(length), length + reach_of(length), crossings, crossed);
    for (int n = 0; n < count; n++) {
        counts[n] = mesh_intervals(crossings[n], crossed[n], length, shape, intervals[n]);
    }
}

// what one of the lines through a cell has inside solids so far
typedef struct LineSums {
    float inside;
    float thin;
} LineSums;

// adds the crossings of a line with a solid, and the length inside it
static void add_intervals(BrumeCellSurface *sum, LineSums *of_line, const BrumeSolidGrid *grid,
                          const BrumeIncidentLight *sources, int s, int axis, const BrumeRay *line, float length,
                          const LineInterval *intervals, int count)
{
    for (int n = 0; n < count; n++) {
        const bool enters = intervals[n].enter > 0.0f && intervals[n].enter < length;
        const bool leaves = intervals[n].leave > 0.0f && intervals[n].leave < length;
        const float from = brume_max(intervals[n].enter, 0.0f);
        const float to = brume_min(intervals[n].leave, length);
        if (!(from < to)) {
            continue;
        }
        of_line->inside += (to - from) / length;
        const float whole = (intervals[n].leave - intervals[n].enter) / length;
        of_line->thin += (to - from) / length / whole * brume_clamp(2.5f - whole, 0.0f, 1.0f);
        if (enters) {
            add_crossing(sum, grid, sources, s, axis, brume_ray_at(line, intervals[n].enter), &intervals[n].first);
        }
        if (leaves) {
            add_crossing(sum, grid, sources, s, axis, brume_ray_at(line, intervals[n].leave), &intervals[n].last);
        }
    }
}

// adds the crossings of lines through a cell along an axis with the solids `near` it, and the lengths inside them
static void add_lines(BrumeCellSurface *sum, const BrumeSolidGrid *grid, const BrumeIncidentLight *sources,
                      const int *near, int near_count, int axis, const BrumeRay *lines, float length)
{
    const float per_line = 1.0f / ALL_LINES;
    const int together = near_count * ALL_LINES <= GROUP ? ALL_LINES : 1;
    LineInterval intervals[GROUP][SAMPLES];
    int counts[GROUP];
    for (int first = 0; first < ALL_LINES; first += together) {
        for (int s = 0; s < near_count; s++) {
            group_intervals(lines + first, together, length, &grid->settings->surfaces[near[s]].shape,
                            intervals + (ptrdiff_t)s * together, counts + (ptrdiff_t)s * together);
        }
        for (int n = 0; n < together; n++) {
            LineSums of_line = {0};
            for (int s = 0; s < near_count; s++) {
                add_intervals(sum, &of_line, grid, sources, near[s], axis, &lines[first + n], length,
                              intervals[s * together + n], counts[s * together + n]);
            }
            sum->inside += brume_min(of_line.inside, 1.0f) * per_line / 3.0f;
            sum->thin[axis] += brume_min(of_line.thin, 1.0f) * per_line;
        }
    }
}

BrumeCellSurface brume_surface_in_cell(const BrumeSolidGrid *grid, const BrumeIncidentLight *sources, BrumeVec3 center)
{
    const float margin = 0.01f; // of the side: surfaces in the face between two cells belong to both
    const BrumeVec3 lower = brume_sub(center, brume_scale(grid->side, 0.5f));
    int near[BRUME_MAX_SURFACES];
    int near_count = 0;
    for (int s = 0; s < grid->settings->surface_count; s++) {
        if (grid->settings->surface_count == 1 || // the cells of brume_solid_cell_kind are near one at least
            fabsf(distance_to_cell(grid, s, center)) < 1.01f * grid->half_diagonal) {
            near[near_count++] = s;
        }
    }
    BrumeCellSurface sum = {0};
    for (int axis = 0; axis < 3; axis++) {
        BrumeRay lines[ALL_LINES];
        for (int n = 0; n < ALL_LINES; n++) {
            const float u = ((float)(n % LINES) + 0.5f) / LINES;
            const int row = n / LINES;
            const float v = ((float)row + 0.5f) / LINES;
            const BrumeVec3 at = axis == 0   ? brume_vec3(-margin, u, v)
                                 : axis == 1 ? brume_vec3(u, -margin, v)
                                             : brume_vec3(u, v, -margin);
            lines[n].origin = brume_add(lower, brume_mul(at, grid->side));
            lines[n].direction = brume_along(axis, 1.0f);
        }
        add_lines(&sum, grid, sources, near, near_count, axis, lines,
                  (1.0f + 2.0f * margin) * brume_component(grid->side, axis));
    }
    return sum;
}
