#include "raymarch/intersect.h"

#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/fast_math.h"

static const BrumeRayInterval whole_line = {-INFINITY, INFINITY};
static const BrumeRayInterval empty_interval = {INFINITY, -INFINITY};

static BrumeRayInterval intersect_intervals(BrumeRayInterval a, BrumeRayInterval b)
{
    return (BrumeRayInterval){brume_max(a.enter, b.enter), brume_min(a.leave, b.leave)};
}

// the smallest interval that contains both
static BrumeRayInterval enclosing_interval(BrumeRayInterval a, BrumeRayInterval b)
{
    if (!(a.enter < a.leave)) {
        return b;
    }
    if (!(b.enter < b.leave)) {
        return a;
    }
    return (BrumeRayInterval){brume_min(a.enter, b.enter), brume_max(a.leave, b.leave)};
}

// distances with lower <= origin + distance * direction <= upper
static BrumeRayInterval slab_interval(float origin, float direction, float lower, float upper)
{
    if (direction == 0.0f) {
        return origin >= lower && origin <= upper ? whole_line : empty_interval;
    }
    const float inverse = 1.0f / direction;
    const float a = (lower - origin) * inverse;
    const float b = (upper - origin) * inverse;
    return (BrumeRayInterval){brume_min(a, b), brume_max(a, b)};
}

BrumeRayInterval brume_ray_box(const BrumeRay *ray, BrumeVec3 lower, BrumeVec3 upper)
{
    const BrumeRayInterval x = slab_interval(ray->origin.x, ray->direction.x, lower.x, upper.x);
    const BrumeRayInterval y = slab_interval(ray->origin.y, ray->direction.y, lower.y, upper.y);
    const BrumeRayInterval z = slab_interval(ray->origin.z, ray->direction.z, lower.z, upper.z);
    return intersect_intervals(x, intersect_intervals(y, z));
}

// Distances with |offset + distance * direction| <= radius. The closest approach is computed first, so that the
// argument of the square root is small even where the origin is far away.
static BrumeRayInterval ball_interval(BrumeVec3 offset, BrumeVec3 direction, float radius)
{
    const float squared = brume_dot(direction, direction);
    if (squared <= 0.0f) {
        return brume_dot(offset, offset) <= radius * radius ? whole_line : empty_interval;
    }
    const float closest = -brume_dot(offset, direction) / squared;
    const BrumeVec3 nearest = brume_add(offset, brume_scale(direction, closest));
    const float half_squared = radius * radius - brume_dot(nearest, nearest); // of half the chord
    if (half_squared <= 0.0f) {
        return empty_interval;
    }
    const float half = sqrtf(half_squared / squared);
    return (BrumeRayInterval){closest - half, closest + half};
}

static BrumeRayInterval sphere_interval(const BrumeRay *ray, BrumeVec3 center, float radius)
{
    return ball_interval(brume_sub(ray->origin, center), ray->direction, radius);
}

// an infinite cylinder, intersected with the slab between the planes of its ends
static BrumeRayInterval cylinder_interval(const BrumeRay *ray, const BrumeShape *shape)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const float length = brume_length(axis);
    if (length <= 0.0f) {
        return empty_interval;
    }
    const BrumeVec3 unit = brume_scale(axis, 1.0f / length);
    const BrumeVec3 from_a = brume_sub(ray->origin, shape->a);
    const float along = brume_dot(from_a, unit);
    const float direction_along = brume_dot(ray->direction, unit);
    BrumeVec3 across = brume_sub(ray->direction, brume_scale(unit, direction_along));
    if (brume_dot(across, across) < 1e-12f) { // parallel to the axis up to rounding
        across = brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const BrumeRayInterval side = ball_interval(brume_sub(from_a, brume_scale(unit, along)), across, shape->radius);
    return intersect_intervals(side, slab_interval(along, direction_along, 0.0f, length));
}

/*
 * Cones and tori: sphere tracing too, with the exact distance. Volumes: the surface is where trilinearly interpolated
 * samples have the value of the threshold, and where the box of the samples cuts off values above it. Sphere tracing
 * (Hart 1996): brume_shape_distance never exceeds the distance to the surface, so that a step of this length cannot
 * pass through it. Steps have at least a fraction of a cell, and a change of sign is bisected.
 */
enum { BISECTIONS = 16 };

float brume_shape_detail(const BrumeShape *shape)
{
    if (shape->kind != BRUME_SHAPE_VOLUME) {
        return 0.02f * brume_shape_thickness(shape);
    }
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const int *n = shape->samples->n;
    return brume_min(sides.x / (float)n[0], brume_min(sides.y / (float)n[1], sides.z / (float)n[2]));
}

static bool is_inside(const BrumeShape *shape, const BrumeRay *ray, float distance)
{
    double value;
    const BrumeVec3 point = brume_ray_at(ray, distance);
    return shape->kind == BRUME_SHAPE_VOLUME
               ? brume_shape_value(shape, point, &value) && value > (double)shape->threshold
               : brume_shape_distance(shape, point) < 0.0f;
}

// the first distance after `distance` and up to `end` at which the ray is inside, or outside where not `inside`;
// `end` if there is none
static float next_crossing(const BrumeShape *shape, const BrumeRay *ray, float distance, float end, bool inside)
{
    const float shortest_step = 0.2f * brume_shape_detail(shape);
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

// brume_ray_shape by steps; `box` is the interval of the ray inside a box around the shape
static BrumeRayInterval traced_interval(const BrumeRay *ray, const BrumeShape *shape, BrumeRayInterval box, float from)
{
    const float start = brume_max(box.enter, from);
    const bool has_surface = shape->kind != BRUME_SHAPE_VOLUME || brume_samples_have_values(shape->samples);
    if (!(start < box.leave) || !has_surface) {
        return empty_interval;
    }
    // a position within rounding of the face of the box counts as inside the box
    const float margin = 1e-3f * brume_shape_detail(shape);
    const bool starts_inside = is_inside(shape, ray, start + margin);
    const float enter = starts_inside ? start : next_crossing(shape, ray, start, box.leave, true);
    if (!(enter < box.leave)) {
        return empty_interval;
    }
    return (BrumeRayInterval){enter, next_crossing(shape, ray, enter + margin, box.leave, false)};
}

// distances at which the line is below the plane
static BrumeRayInterval plane_interval(const BrumeRay *ray, const BrumeShape *shape)
{
    return slab_interval(ray->origin.y, ray->direction.y, -INFINITY, shape->a.y);
}

static BrumeRayInterval bounded_interval(const BrumeRay *ray, const BrumeShape *shape, float from)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const float side = brume_shape_detail(shape); // a step ends outside the shape
    const BrumeVec3 margin = {side, side, side};
    return traced_interval(ray, shape, brume_ray_box(ray, brume_sub(lower, margin), brume_add(upper, margin)), from);
}

// a ray in the own frame of a shape, and how many lengths there are one of the world
static BrumeRay own_ray(const BrumeRay *ray, const BrumeShape *shape, float *length)
{
    *length = 1.0f;
    if (!brume_shape_is_placed(shape)) {
        return *ray;
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeVec3 direction = brume_frame_own_vector(&frame, ray->direction);
    *length = brume_length(direction);
    return (BrumeRay){brume_frame_own_point(&frame, ray->origin), brume_scale(direction, 1.0f / *length)};
}

// a ray between two distances, in the frame of the triangles of a mesh, and how many lengths there are one of the world
static BrumeMeshRay own_mesh_ray(const BrumeRay *ray, const BrumeShape *shape, float from, float to, float *length)
{
    const BrumeRay own = own_ray(ray, shape, length);
    return (BrumeMeshRay){brume_sub(own.origin, shape->a), own.direction, (double)(from * *length),
                          (double)(to * *length)};
}

static BrumeMeshPlace place_of(const BrumeMeshHit *hit)
{
    return (BrumeMeshPlace){hit->triangle, {hit->share[0], hit->share[1], hit->share[2]}};
}

// whether a ray goes to the outside of a mesh where it hits it; meshes may be inside out
static bool leaves_mesh(const BrumeMesh *mesh, const BrumeMeshHit *hit)
{
    return (hit->outward > 0) != (brume_mesh_info(mesh)->volume < 0.0);
}

// The interval from the first hit to the next one that leaves the mesh. A mesh that is not closed is a wall without
// thickness, whose interval is as short as can be.
static BrumeRayInterval mesh_interval(const BrumeRay *ray, const BrumeShape *shape, float from)
{
    const BrumeMesh *mesh = shape->mesh;
    const BrumeVec3 origin = brume_sub(ray->origin, shape->a);
    const double end = (double)INFINITY;
    BrumeMeshHit hit;
    if (!brume_mesh_has_triangles(mesh) || !brume_mesh_hit(mesh, origin, ray->direction, (double)from, end, &hit)) {
        return empty_interval;
    }
    const float first = (float)hit.distance;
    if (!brume_mesh_info(mesh)->closed) {
        return (BrumeRayInterval){first, nextafterf(first, INFINITY)};
    }
    if (leaves_mesh(mesh, &hit)) {
        return (BrumeRayInterval){from, brume_max(first, nextafterf(from, INFINITY))};
    }
    while (brume_mesh_hit(mesh, origin, ray->direction, nextafter(hit.distance, end), end, &hit)) {
        if (leaves_mesh(mesh, &hit)) {
            break;
        }
    }
    return (BrumeRayInterval){first, brume_max((float)hit.distance, nextafterf(first, INFINITY))};
}

// in the own frame of the shape
static BrumeRayInterval own_interval(const BrumeRay *ray, const BrumeShape *shape, float from)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return sphere_interval(ray, shape->a, shape->radius);
    case BRUME_SHAPE_BOX:
        return brume_ray_box(ray, shape->a, shape->b);
    case BRUME_SHAPE_CYLINDER:
        return cylinder_interval(ray, shape);
    case BRUME_SHAPE_CAPSULE:
        return enclosing_interval(cylinder_interval(ray, shape),
                                  enclosing_interval(sphere_interval(ray, shape->a, shape->radius),
                                                     sphere_interval(ray, shape->b, shape->radius)));
    case BRUME_SHAPE_VOLUME:
        return traced_interval(ray, shape, brume_ray_box(ray, shape->a, shape->b), from);
    case BRUME_SHAPE_CONE:
    case BRUME_SHAPE_TORUS:
        return bounded_interval(ray, shape, from);
    case BRUME_SHAPE_PLANE:
        return plane_interval(ray, shape);
    case BRUME_SHAPE_MESH:
        return mesh_interval(ray, shape, from);
    }
    return empty_interval;
}

BrumeRayInterval brume_ray_shape(const BrumeRay *ray, const BrumeShape *shape, float from)
{
    if (!brume_shape_is_placed(shape)) {
        return own_interval(ray, shape, from);
    }
    float length;
    const BrumeShape own = brume_shape_in_own_frame(shape);
    const BrumeRay in_frame = own_ray(ray, shape, &length);
    const BrumeRayInterval own_inside = own_interval(&in_frame, &own, from * length);
    BrumeRayInterval inside = {own_inside.enter / length, own_inside.leave / length};
    if (shape->kind == BRUME_SHAPE_MESH && own_inside.enter < own_inside.leave) { // rounding must not end a wall
        inside.leave = brume_max(inside.leave, nextafterf(inside.enter, INFINITY));
    }
    return inside;
}

// the first point of a mesh on a ray, between two distances
static bool hit_mesh(const BrumeRay *ray, const BrumeShape *shape, float from, float to, BrumeMeshPlace *place,
                     float *distance)
{
    if (!brume_mesh_has_triangles(shape->mesh)) {
        return false;
    }
    float length;
    const BrumeMeshRay own = own_mesh_ray(ray, shape, from, to, &length);
    if (!place) {
        return brume_mesh_occludes(shape->mesh, own.origin, own.direction, own.from, own.to);
    }
    BrumeMeshHit hit;
    if (!brume_mesh_hit(shape->mesh, own.origin, own.direction, own.from, own.to, &hit)) {
        return false;
    }
    *place = place_of(&hit);
    *distance = (float)hit.distance / length;
    return true;
}

// whether the next crossing of a ray with a closed mesh leaves it
static bool starts_inside(const BrumeRay *ray, const BrumeShape *shape)
{
    if (!brume_mesh_has_triangles(shape->mesh) || !brume_mesh_info(shape->mesh)->closed) {
        return false;
    }
    float length;
    const BrumeMeshRay own = own_mesh_ray(ray, shape, 0.0f, INFINITY, &length);
    BrumeMeshHit hit;
    return brume_mesh_hit(shape->mesh, own.origin, own.direction, own.from, own.to, &hit) &&
           leaves_mesh(shape->mesh, &hit);
}

float brume_ray_entry(const BrumeRay *ray, const BrumeShape *shape)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        BrumeMeshPlace place;
        float distance;
        return hit_mesh(ray, shape, -INFINITY, INFINITY, &place, &distance) ? distance : INFINITY;
    }
    const BrumeRayInterval inside = brume_ray_shape(ray, shape, -INFINITY);
    return inside.enter < inside.leave ? inside.enter : INFINITY;
}

void brume_ray_mesh_crossings(const BrumeRay *rays, int count, const BrumeShape *shape, float from, float to,
                              BrumeMeshCrossing (*crossings)[BRUME_MESH_CROSSINGS], int *counts)
{
    float lengths[BRUME_MESH_RAYS];
    BrumeMeshRay own_rays[BRUME_MESH_RAYS];
    BrumeMeshHit hits[BRUME_MESH_RAYS][BRUME_MESH_CROSSINGS];
    for (int n = 0; n < count; n++) {
        own_rays[n] = own_mesh_ray(&rays[n], shape, from, to, &lengths[n]);
        counts[n] = 0;
    }
    if (brume_mesh_has_triangles(shape->mesh)) {
        brume_mesh_all_hits(shape->mesh, own_rays, count, hits[0], BRUME_MESH_CROSSINGS, counts);
    }
    for (int n = 0; n < count; n++) {
        counts[n] = brume_min_int(counts[n], BRUME_MESH_CROSSINGS);
        for (int at = 0; at < counts[n]; at++) {
            const BrumeMeshHit *hit = &hits[n][at];
            crossings[n][at] = (BrumeMeshCrossing){
                .distance = (float)hit->distance / lengths[n],
                .leaves = leaves_mesh(shape->mesh, hit),
                .place = place_of(hit),
            };
        }
    }
}

BrumeShape brume_surface_shape(const BrumeRenderSettings *settings, int surface, float time)
{
    BrumeShape shape = brume_drawn_solid(settings, surface)->shape;
    if (brume_surface_moves(settings, surface)) {
        shape.position = brume_add(shape.position, brume_scale(settings->surface_velocities[surface], time));
        shape.rotation = brume_add(shape.rotation, brume_scale(settings->surface_rotation_rates[surface], time));
    }
    return shape;
}

// Where a ray first crosses the surface of a shape other than a mesh; INFINITY where it does not.
static float first_crossing(const BrumeRay *ray, const BrumeShape *shape)
{
    const BrumeRayInterval inside = brume_ray_shape(ray, shape, 0.0f);
    if (!(inside.enter < inside.leave) || inside.leave <= 0.0f) {
        return INFINITY;
    }
    return inside.enter > 0.0f ? inside.enter : inside.leave;
}

// the shape of a drawn solid at a time, which is `moved` where it is another one than that of the settings
static const BrumeShape *shape_at(const BrumeRenderSettings *settings, int n, float time, BrumeShape *moved)
{
    if (time == 0.0f || !brume_surface_moves(settings, n)) {
        return &brume_drawn_solid(settings, n)->shape;
    }
    *moved = brume_surface_shape(settings, n, time);
    return moved;
}

// hits of rays with a solid that is a mesh, where they are nearer than those so far
static void hit_mesh_with_all(const BrumeRenderSettings *settings, int surface, const BrumeRay *rays, int count,
                              BrumeSurfaceHit *hits)
{
    const BrumeMesh *mesh = brume_drawn_solid(settings, surface)->shape.mesh;
    for (int first = 0; first < count && brume_mesh_has_triangles(mesh); first += BRUME_MESH_RAYS) {
        float lengths[BRUME_MESH_RAYS];
        BrumeMeshRay own_rays[BRUME_MESH_RAYS];
        BrumeMeshHit found[BRUME_MESH_RAYS];
        const int end = brume_min_int(first + BRUME_MESH_RAYS, count);
        for (int n = first; n < end; n++) {
            BrumeShape moved;
            const BrumeShape *shape = shape_at(settings, surface, hits[n].time, &moved);
            own_rays[n - first] = own_mesh_ray(&rays[n], shape, 0.0f, hits[n].distance, &lengths[n - first]);
        }
        brume_mesh_first_hits(mesh, own_rays, end - first, found);
        for (int n = first; n < end; n++) {
            const BrumeMeshHit *hit = &found[n - first];
            const float distance = (float)hit->distance / lengths[n - first];
            if (hit->triangle >= 0 && distance < hits[n].distance) {
                hits[n] = (BrumeSurfaceHit){
                    distance, surface, hits[n].time, {hit->triangle, {hit->share[0], hit->share[1], hit->share[2]}}};
            }
        }
    }
}

// brume_intersect_solids of `count` rays with the first `surfaces` drawn solids
static void intersect_drawn(const BrumeRenderSettings *settings, int surfaces, const BrumeRay *rays, const float *times,
                            int count, BrumeSurfaceHit *hits)
{
    for (int n = 0; n < count; n++) {
        hits[n] = (BrumeSurfaceHit){.distance = INFINITY, .surface = BRUME_HIT_SKY, .time = times[n]};
    }
    for (int s = 0; s < surfaces; s++) {
        const BrumeShape *shape = &brume_drawn_solid(settings, s)->shape;
        if (shape->kind == BRUME_SHAPE_MESH) {
            hit_mesh_with_all(settings, s, rays, count, hits);
            continue;
        }
        for (int n = 0; n < count; n++) {
            BrumeShape moved;
            const float distance = first_crossing(&rays[n], shape_at(settings, s, times[n], &moved));
            if (distance < hits[n].distance) {
                hits[n] = (BrumeSurfaceHit){.distance = distance, .surface = s, .time = times[n]};
            }
        }
    }
}

BrumeSurfaceHit brume_intersect_solids(const BrumeRenderSettings *settings, const BrumeRay *ray, float time)
{
    BrumeSurfaceHit hit;
    intersect_drawn(settings, settings->surface_count, ray, &time, 1, &hit);
    return hit;
}

bool brume_surface_before(const BrumeRenderSettings *settings, const BrumeRay *ray, float limit, float time)
{
    if (settings->ground && ray->direction.y != 0.0f) {
        const float distance = (settings->ground_height - ray->origin.y) / ray->direction.y;
        if (distance > 0.0f && distance < limit) {
            return true;
        }
    }
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        BrumeShape moved;
        const BrumeShape *shape = shape_at(settings, n, time, &moved);
        if (shape->kind == BRUME_SHAPE_MESH ? hit_mesh(ray, shape, 0.0f, limit, NULL, NULL)
                                            : first_crossing(ray, shape) < limit) {
            return true;
        }
    }
    return false;
}

bool brume_ray_occluded(const BrumeRenderSettings *settings, const BrumeRay *ray, float limit, float time)
{
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        BrumeShape moved;
        const BrumeShape *shape = shape_at(settings, n, time, &moved);
        const bool may_contain = n < settings->surface_count && limit < INFINITY;
        if (shape->kind == BRUME_SHAPE_MESH) {
            if (hit_mesh(ray, shape, 0.0f, limit, NULL, NULL) || (may_contain && starts_inside(ray, shape))) {
                return true;
            }
            continue;
        }
        const BrumeRayInterval inside = brume_ray_shape(ray, shape, 0.0f);
        if (inside.enter < inside.leave && inside.leave > 0.0f && inside.enter < limit) {
            return true;
        }
    }
    return false;
}

static void intersect_surfaces(const BrumeRenderSettings *settings, const BrumeRay *rays, const float *times, int count,
                               BrumeSurfaceHit *hits)
{
    intersect_drawn(settings, brume_drawn_solid_count(settings), rays, times, count, hits);
    for (int n = 0; n < count && settings->ground; n++) {
        const float distance = (settings->ground_height - rays[n].origin.y) / rays[n].direction.y;
        if (rays[n].direction.y != 0.0f && distance > 0.0f && distance < hits[n].distance) {
            hits[n] = (BrumeSurfaceHit){.distance = distance, .surface = BRUME_HIT_GROUND, .time = times[n]};
        }
    }
}

BrumeSurfaceHit brume_intersect_surfaces(const BrumeRenderSettings *settings, const BrumeRay *ray, float time)
{
    BrumeSurfaceHit hit;
    intersect_surfaces(settings, ray, &time, 1, &hit);
    return hit;
}

uint32_t brume_visible_walls(const BrumeRenderSettings *settings)
{
    const uint32_t all = 0x3f;
    const bool shown = settings->walls == BRUME_WALLS_SHOWN ||
                       (settings->walls == BRUME_WALLS_AUTO && (settings->wall_faces & all) == all);
    return shown ? settings->wall_faces & all : 0;
}

// the face through which a ray leaves a box, and the distance there; 0 where it misses the box
static float leave_box(const BrumeRay *ray, BrumeVec3 lower, BrumeVec3 upper, int *face)
{
    const BrumeRayInterval axes[3] = {slab_interval(ray->origin.x, ray->direction.x, lower.x, upper.x),
                                      slab_interval(ray->origin.y, ray->direction.y, lower.y, upper.y),
                                      slab_interval(ray->origin.z, ray->direction.z, lower.z, upper.z)};
    int axis = axes[1].leave < axes[0].leave ? 1 : 0;
    axis = axes[2].leave < axes[axis].leave ? 2 : axis;
    *face = 2 * axis + (brume_component(ray->direction, axis) > 0.0f ? 1 : 0);
    const BrumeRayInterval inside = intersect_intervals(axes[0], intersect_intervals(axes[1], axes[2]));
    return inside.enter < inside.leave ? brume_max(inside.leave, 0.0f) : 0.0f;
}

void brume_intersect_all_visible(const BrumeRenderSettings *settings, BrumeVec3 lower, BrumeVec3 upper,
                                 const BrumeRay *rays, const float *times, int count, BrumeSurfaceHit *hits)
{
    intersect_surfaces(settings, rays, times, count, hits);
    const uint32_t walls = brume_visible_walls(settings);
    for (int n = 0; n < count && walls != 0; n++) {
        int face;
        const float distance = leave_box(&rays[n], lower, upper, &face);
        // a floor that coincides with the ground is drawn as ground
        if (distance > 0.0f && distance < 0.9999f * hits[n].distance && (walls >> face & 1u) != 0) {
            hits[n] = (BrumeSurfaceHit){.distance = distance, .surface = BRUME_HIT_WALL - face, .time = times[n]};
        }
    }
}

BrumeSurfaceHit brume_intersect_visible(const BrumeRenderSettings *settings, BrumeVec3 lower, BrumeVec3 upper,
                                        const BrumeRay *ray, float time)
{
    BrumeSurfaceHit hit;
    brume_intersect_all_visible(settings, lower, upper, ray, &time, 1, &hit);
    return hit;
}

BrumeVec3 brume_wall_normal(int surface)
{
    const int face = BRUME_HIT_WALL - surface;
    return brume_along(face / 2, face % 2 == 0 ? 1.0f : -1.0f);
}
