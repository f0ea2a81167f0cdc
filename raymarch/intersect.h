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

/** The outward unit normal of the shape's surface point nearest to `point`, which lies on or near it; of a mesh, the
 * smooth one. */
BrumeVec3 brume_shape_normal(const BrumeShape *shape, BrumeVec3 point);

/** The albedo of a surface at `point`, which lies on or near it: of a mesh, times its base color there. */
BrumeVec3 brume_surface_albedo(const BrumeSurface *surface, BrumeVec3 point);

/** Values of BrumeSurfaceHit.surface that are not an index. */
enum {
    BRUME_HIT_GROUND = -1,
    BRUME_HIT_SKY = -2,
    BRUME_HIT_WALL = -3, ///< this value minus the index of the face: -3 for x_min to -8 for z_max
};

/** The nearest surface on a ray, smoke disregarded. */
typedef struct BrumeSurfaceHit {
    float distance; ///< [m], INFINITY for the sky
    int surface;    ///< index in the settings' surfaces, or one of the values above
} BrumeSurfaceHit;

/** The nearest surface on a ray [m], walls disregarded. */
BrumeSurfaceHit brume_intersect_surfaces(const BrumeRenderSettings *settings, const BrumeRay *ray);

/**
 * The nearest surface that a camera ray [m] shows, including the walls of the box from `lower` to `upper` [m]: a ray
 * that leaves the box through a wall shows its inner side.
 */
BrumeSurfaceHit brume_intersect_visible(const BrumeRenderSettings *settings, BrumeVec3 lower, BrumeVec3 upper,
                                        const BrumeRay *ray);

/** The faces of the box that are drawn as walls, a bit for each as in BrumeRenderSettings.wall_faces. */
uint32_t brume_visible_walls(const BrumeRenderSettings *settings);

/** The unit normal of a wall, into the box. */
BrumeVec3 brume_wall_normal(int surface);

/**
 * Distance [m] at which a ray [m] first crosses the surface of a solid, and that solid's index in `*surface` (may be
 * NULL); INFINITY, and `*surface` unchanged, where it crosses none. From inside a solid that is where the ray leaves.
 */
float brume_intersect_solids(const BrumeRenderSettings *settings, const BrumeRay *ray, int *surface);

/** Whether a solid lies on a ray [m] closer than `limit` [m]. */
bool brume_ray_occluded(const BrumeRenderSettings *settings, const BrumeRay *ray, float limit);

#endif
