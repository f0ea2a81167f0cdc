/*
 * Sphere tracing (Hart 1996): brume_shape_distance never exceeds the distance to the surface, so that a step of this
 * length cannot pass through it. Steps have at least a fraction of a cell, and a change of sign is bisected.
 */
#include "raymarch/intersect_volume.h"

#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

enum { BISECTIONS = 16 };

// the shortest side of the cells of the samples as they are placed [m]
static float cell_side(const BrumeShape *shape)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const int *n = shape->samples->n;
    return brume_min(sides.x / (float)n[0], brume_min(sides.y / (float)n[1], sides.z / (float)n[2]));
}

static bool is_inside(const BrumeShape *shape, const BrumeRay *ray, float distance)
{
    double value;
    return brume_shape_value(shape, brume_ray_at(ray, distance), &value) && value > (double)shape->threshold;
}

// the first distance after `distance` and up to `end` at which the ray is inside, or outside where not `inside`;
// `end` if there is none
static float next_crossing(const BrumeShape *shape, const BrumeRay *ray, float distance, float end, bool inside)
{
    const float shortest_step = 0.2f * cell_side(shape);
    while (distance < end) {
        const float bound = fabsf(brume_shape_distance(shape, brume_ray_at(ray, distance)));
        float next = brume_min(distance + brume_max(bound, shortest_step), end);
        if (!(next > distance)) { // a step below the precision of the distance
            return end;
        }
        if (next < end && is_inside(shape, ray, next) == inside) {
            for (int n = 0; n < BISECTIONS; n++) {
                const float middle = 0.5f * (distance + next);
                if (is_inside(shape, ray, middle) == inside) {
                    next = middle;
                } else {
                    distance = middle;
                }
            }
            return next;
        }
        distance = next;
    }
    return end;
}

BrumeRayInterval brume_ray_volume(const BrumeRay *ray, const BrumeShape *shape, BrumeRayInterval box, float from)
{
    const BrumeRayInterval empty = {INFINITY, -INFINITY};
    const float start = brume_max(box.enter, from);
    if (!(start < box.leave) || !brume_samples_have_values(shape->samples)) {
        return empty;
    }
    // a position within rounding of the face of the box counts as inside the box
    const float margin = 1e-3f * cell_side(shape);
    const bool starts_inside = is_inside(shape, ray, start + margin);
    const float enter = starts_inside ? start : next_crossing(shape, ray, start, box.leave, true);
    if (!(enter < box.leave)) {
        return empty;
    }
    return (BrumeRayInterval){enter, next_crossing(shape, ray, enter + margin, box.leave, false)};
}

// the value at a point; `other` outside the box
static double value_or(const BrumeShape *shape, BrumeVec3 point, double other)
{
    double value;
    return brume_shape_value(shape, point, &value) ? value : other;
}

BrumeVec3 brume_volume_normal(const BrumeShape *shape, BrumeVec3 point, BrumeVec3 of_box)
{
    const float side = cell_side(shape);
    double here;
    const bool has_value = brume_shape_value(shape, point, &here);
    // on a face of the box, values are above the threshold by more than the error of the bisection
    double beyond;
    const bool at_face = !brume_shape_value(shape, brume_add(point, brume_scale(of_box, 1e-2f * side)), &beyond);
    if (!has_value || at_face) {
        return of_box;
    }
    float slope[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 step =
            brume_vec3(axis == 0 ? 0.5f * side : 0.0f, axis == 1 ? 0.5f * side : 0.0f, axis == 2 ? 0.5f * side : 0.0f);
        slope[axis] =
            (float)(value_or(shape, brume_add(point, step), here) - value_or(shape, brume_sub(point, step), here));
    }
    const BrumeVec3 downhill = brume_vec3(-slope[0], -slope[1], -slope[2]);
    return brume_length(downhill) > 0.0f ? brume_normalize(downhill) : of_box;
}
