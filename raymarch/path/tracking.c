#include "raymarch/path/tracking.h"

#include "core/elementary.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

// A ray through the box, macro-cell by macro-cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray
// tracing", Eurographics 1987). Points are in cells of the padded field, distances in cells from the ray's origin.
typedef struct MacroTraversal {
    const BrumeGridMedium *medium;
    BrumeVec3 origin, direction;
    float at, leave;  // distances: of the present segment's start, and of the end of the ray
    float next[3];    // distances at which the ray crosses the next face across each axis
    float spacing[3]; // between two such faces
    ptrdiff_t cell;   // index of the present macro-cell
    int index[3], end[3], step[3];
    ptrdiff_t stride[3];
} MacroTraversal;

// enters the box where it may contain smoke; false where the ray misses it
static bool begin_segments(MacroTraversal *traversal, const BrumeGridMedium *medium, const BrumeRay *ray, float limit)
{
    const float per_meter = 1.0f / medium->dx;
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 in_cells = brume_scale(brume_sub(ray->origin, medium->origin), per_meter);
    const BrumeRay padded = {brume_add(in_cells, half), ray->direction};
    const BrumeVec3 upper = brume_add(brume_grid_extent(medium->grid), half);
    const BrumeRayInterval inside = brume_ray_box(&padded, half, upper);
    const BrumeRayInterval occupied = brume_ray_box(&padded, medium->occupied_lower, medium->occupied_upper);
    traversal->medium = medium;
    traversal->origin = padded.origin;
    traversal->direction = padded.direction;
    traversal->at = brume_max(brume_max(inside.enter, occupied.enter), 0.0f);
    traversal->leave = brume_min(brume_min(inside.leave, occupied.leave), limit * per_meter);
    if (!(traversal->at < traversal->leave)) {
        return false;
    }
    const BrumeVec3 from = brume_ray_at(&padded, traversal->at);
    const int cells[3] = {medium->macro_cells.nx, medium->macro_cells.ny, medium->macro_cells.nz};
    traversal->stride[0] = 1;
    traversal->stride[1] = cells[0];
    traversal->stride[2] = (ptrdiff_t)cells[0] * cells[1];
    traversal->cell = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float position = brume_component(from, axis) / BRUME_MACRO_CELL_SIDE;
        const float direction = brume_component(traversal->direction, axis);
        const float origin = brume_component(traversal->origin, axis);
        const int index = (int)brume_clamp(position, 0.0f, (float)cells[axis] - 0.5f);
        traversal->index[axis] = index;
        traversal->cell += index * traversal->stride[axis];
        traversal->step[axis] = direction < 0.0f ? -1 : 1;
        traversal->end[axis] = direction < 0.0f ? -1 : cells[axis];
        if (direction == 0.0f) {
            traversal->next[axis] = INFINITY;
            traversal->spacing[axis] = INFINITY;
            continue;
        }
        const float face = (float)(BRUME_MACRO_CELL_SIDE * (direction < 0.0f ? index : index + 1));
        traversal->next[axis] = (face - origin) / direction;
        traversal->spacing[axis] = BRUME_MACRO_CELL_SIDE / fabsf(direction);
    }
    return true;
}

// the ray's segment in the present macro-cell; the traversal goes on to the next cell. False at the ray's end.
static bool next_segment(MacroTraversal *traversal, float *from, float *until, float *majorant)
{
    if (!(traversal->at < traversal->leave)) {
        return false;
    }
    int axis = traversal->next[0] <= traversal->next[1] ? 0 : 1;
    axis = traversal->next[2] < traversal->next[axis] ? 2 : axis;
    *from = traversal->at;
    *until = brume_min(brume_max(traversal->next[axis], traversal->at), traversal->leave);
    *majorant = traversal->medium->majorant[traversal->cell];
    traversal->at = *until;
    traversal->next[axis] += traversal->spacing[axis];
    traversal->index[axis] += traversal->step[axis];
    traversal->cell += traversal->step[axis] * traversal->stride[axis];
    if (traversal->index[axis] == traversal->end[axis]) {
        traversal->at = traversal->leave;
    }
    return true;
}

// the point at a distance, in cells of the box; rounding may move it slightly outside
static BrumeVec3 point_at(const MacroTraversal *traversal, float distance)
{
    const BrumeGrid grid = traversal->medium->grid;
    return brume_vec3(
        brume_clamp(traversal->origin.x + distance * traversal->direction.x - 0.5f, 0.0f, (float)grid.nx),
        brume_clamp(traversal->origin.y + distance * traversal->direction.y - 0.5f, 0.0f, (float)grid.ny),
        brume_clamp(traversal->origin.z + distance * traversal->direction.z - 0.5f, 0.0f, (float)grid.nz));
}

// distance to the next tentative collision in a medium of this extinction [1/cell]; the logarithm has an absolute error
// of 2e-7, in units of the mean free path
static float free_path(float extinction, BrumePathSampler *sampler)
{
    return brume_max(0.0f, -brume_fast_ln(1.0f - brume_path_number(sampler))) / extinction;
}

bool brume_track_collision(const BrumeGridMedium *medium, const BrumeRay *ray, float limit, BrumePathSampler *sampler,
                           BrumeCollision *collision)
{
    MacroTraversal traversal;
    if (!begin_segments(&traversal, medium, ray, limit)) {
        return false;
    }
    float from;
    float until;
    float majorant;
    while (next_segment(&traversal, &from, &until, &majorant)) {
        if (!(majorant > 0.0f)) {
            continue;
        }
        float at = from;
        while ((at += free_path(majorant, sampler)) < until) {
            const BrumeVec3 cells = brume_grid_medium_origin(medium, point_at(&traversal, at), sampler->time);
            if (brume_path_number(sampler) * majorant < brume_grid_medium_extinction_at(medium, cells)) {
                collision->cells = cells;
                collision->point = brume_ray_at(ray, brume_min(at * medium->dx, limit));
                return true;
            }
        }
    }
    return false;
}

float brume_track_transmittance(const BrumeGridMedium *medium, const BrumeRay *ray, float limit,
                                BrumePathSampler *sampler)
{
    MacroTraversal traversal;
    if (!begin_segments(&traversal, medium, ray, limit)) {
        return 1.0f;
    }
    const float least = 0.3f;
    float transmittance = 1.0f;
    float from;
    float until;
    float majorant;
    while (next_segment(&traversal, &from, &until, &majorant)) {
        if (!(majorant > 0.0f)) {
            continue;
        }
        float at = from;
        while ((at += free_path(majorant, sampler)) < until) {
            const BrumeVec3 cells = brume_grid_medium_origin(medium, point_at(&traversal, at), sampler->time);
            const float extinction = brume_grid_medium_extinction_at(medium, cells);
            transmittance *= brume_max(1.0f - extinction / majorant, 0.0f);
            // Russian roulette where little light is left
            if (transmittance < least) {
                if (brume_path_number(sampler) * least >= transmittance) {
                    return 0.0f;
                }
                transmittance = least;
            }
        }
    }
    return transmittance;
}
