/**
 * @file intersect.h
 * Rays, and their intersections with boxes, shapes, solids and the ground.
 */
#ifndef BRUME_RAYMARCH_INTERSECT_H
#define BRUME_RAYMARCH_INTERSECT_H

#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/ray.h"

#include <stdbool.h>

/** The interval of a ray inside the axis-aligned box. */
BrumeRayInterval brume_ray_box(const BrumeRay *ray, BrumeVec3 lower, BrumeVec3 upper);

/**
 * The interval of a ray inside a shape. A volume and a mesh may have several: the result is the first that ends beyond
 * the distance `from`, where one that is entered before `from` starts there. The other shapes are convex and have at
 * most one.
 */
BrumeRayInterval brume_ray_shape(const BrumeRay *ray, const BrumeShape *shape, float from);

/**
 * Of a volume, the shortest side of the cells of its samples; of other shapes, a length that is small for it, in its
 * own frame [m].
 */
float brume_shape_detail(const BrumeShape *shape);

/** A point of the surface of a mesh. */
typedef struct BrumeMeshPlace {
    int triangle;
    double share[3]; ///< of each corner in the position; the sum is 1
} BrumeMeshPlace;

/** The distance [m] at which the line of a ray first enters a shape, INFINITY where it does not. */
float brume_ray_entry(const BrumeRay *ray, const BrumeShape *shape);

enum { BRUME_MESH_CROSSINGS = 32, BRUME_MESH_RAYS = 16 };

/** Where a ray crosses the surface of a mesh. */
typedef struct BrumeMeshCrossing {
    float distance; ///< [m]
    bool leaves;    ///< whether the outside is behind the surface
    BrumeMeshPlace place;
} BrumeMeshCrossing;

/** The crossings of `count` rays, BRUME_MESH_RAYS at most, with a mesh between two distances [m], in their order, and
 * their numbers. Where there are more, the last ones are left out. */
void brume_ray_mesh_crossings(const BrumeRay *rays, int count, const BrumeShape *shape, float from, float to,
                              BrumeMeshCrossing (*crossings)[BRUME_MESH_CROSSINGS], int *counts);

/**
 * The outward unit normal of the shape's surface point nearest to `point`, which lies on or near it; of a mesh, the
 * smooth one at `place`, which others do not use.
 */
BrumeVec3 brume_shape_normal(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place);

/**
 * The same on the side that a ray with this unit direction sees. The smooth normal of a mesh that is turned away from
 * the ray, as near a silhouette, is bent until it is about at a right angle to it.
 */
BrumeVec3 brume_seen_normal(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place, BrumeVec3 direction);

/** Whether a drawn solid has a velocity or its rotation changes; streamlines are at rest. */
static inline bool brume_surface_moves(const BrumeRenderSettings *settings, int surface)
{
    if (surface >= settings->surface_count) {
        return false;
    }
    const BrumeVec3 velocity = settings->surface_velocities[surface];
    const BrumeVec3 rate = settings->surface_rotation_rates[surface];
    return brume_dot(velocity, velocity) + brume_dot(rate, rate) > 0.0f;
}

/** The shape of a drawn solid at a time [s] from the middle of the opening of the shutter, by its velocity and the rate
 * of its rotation. */
BrumeShape brume_surface_shape(const BrumeRenderSettings *settings, int surface, float time);

/** Values of BrumeSurfaceHit.surface that are not an index. */
enum {
    BRUME_HIT_GROUND = -1,
    BRUME_HIT_SKY = -2,
    BRUME_HIT_WALL = -3, ///< this value minus the index of the face: -3 for x_min to -8 for z_max
};

/** The nearest surface on a ray, smoke disregarded. */
typedef struct BrumeSurfaceHit {
    float distance;       ///< [m], INFINITY for the sky
    int surface;          ///< of a drawn solid (drawn_solids.h), or one of the values above
    float time;           ///< at which the ray meets it, from the middle of the opening of the shutter [s]
    BrumeMeshPlace place; ///< of a surface that is a mesh
} BrumeSurfaceHit;

/** The nearest surface on a ray [m], walls disregarded, streamlines included, of solids where they are at a `time`
 * (BrumeSurfaceHit). */
BrumeSurfaceHit brume_intersect_surfaces(const BrumeRenderSettings *settings, const BrumeRay *ray, float time);

/**
 * The nearest surface that a camera ray [m] shows, including the walls of the box from `lower` to `upper` [m]: a ray
 * that leaves the box through a wall shows its inner side.
 */
BrumeSurfaceHit brume_intersect_visible(const BrumeRenderSettings *settings, BrumeVec3 lower, BrumeVec3 upper,
                                        const BrumeRay *ray, float time);

/** brume_intersect_visible of `count` rays, which takes less time than one after the other. */
void brume_intersect_all_visible(const BrumeRenderSettings *settings, BrumeVec3 lower, BrumeVec3 upper,
                                 const BrumeRay *rays, const float *times, int count, BrumeSurfaceHit *hits);

/** The faces of the box that are drawn as walls, a bit for each as in BrumeRenderSettings.wall_faces. */
uint32_t brume_visible_walls(const BrumeRenderSettings *settings);

/** The unit normal of a wall, into the box. */
BrumeVec3 brume_wall_normal(int surface);

/** Where a ray [m] first crosses the surface of a solid; the sky where it crosses none. From inside a solid that is
 * where the ray leaves. */
BrumeSurfaceHit brume_intersect_solids(const BrumeRenderSettings *settings, const BrumeRay *ray, float time);

/** Whether brume_intersect_surfaces finds a surface closer than `limit` [m]. */
bool brume_surface_before(const BrumeRenderSettings *settings, const BrumeRay *ray, float limit, float time);

/** Whether a solid or a streamline lies on a ray [m] closer than `limit` [m], or the origin of the ray is inside a
 * solid.
 */
bool brume_ray_occluded(const BrumeRenderSettings *settings, const BrumeRay *ray, float limit, float time);

#endif
