/**
 * @file triangle.h
 * One triangle: its area, and the queries of core/mesh.h. All arithmetic is in double precision; differences of two
 * floats of similar size are exact in it.
 */
#ifndef BRUME_CORE_MESH_TRIANGLE_H
#define BRUME_CORE_MESH_TRIANGLE_H

#include "brume/vec3.h"
#include "core/mesh.h"
#include "core/parallel/simd.h"

#include <math.h>
#include <stdbool.h>

static inline double brume_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void brume_cross3(const double a[3], const double b[3], double result[3])
{
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

/** From point `a` to point `b`. */
static inline void brume_between3(const BrumeVec3 *a, const BrumeVec3 *b, double result[3])
{
    result[0] = (double)b->x - (double)a->x;
    result[1] = (double)b->y - (double)a->y;
    result[2] = (double)b->z - (double)a->z;
}

/** The outward normal times the area [m^2]. */
static inline void brume_triangle_area(const BrumeVec3 *a, const BrumeVec3 *b, const BrumeVec3 *c, double area[3])
{
    double ab[3];
    double ac[3];
    brume_between3(a, b, ab);
    brume_between3(a, c, ac);
    brume_cross3(ab, ac, area);
    for (int axis = 0; axis < 3; axis++) {
        area[axis] *= 0.5;
    }
}

/**
 * A ray for the watertight test: a shear along the axis of the largest component of the direction makes the ray the
 * axis. A vertex is at the same place for all triangles that share it.
 */
typedef struct BrumeShearedRay {
    BrumeVec3 origin;
    double direction[3];
    int x, y, z;     ///< axes; z that of the largest component
    double along[2]; ///< x and y of the ray per z
} BrumeShearedRay;

/** `direction` is not 0. */
BrumeShearedRay brume_shear_ray(BrumeVec3 origin, const double direction[3]);

_Static_assert(sizeof(BrumeVec3) == 3 * sizeof(float), "corners are nine floats");

/** Whether the line of a ray passes through a triangle, and where; the number of the triangle stays as it is. Part of
 * the loops over triangles. */
BRUME_INLINE bool brume_triangle_hit(const BrumeShearedRay *ray, const BrumeVec3 corners[3], BrumeMeshHit *hit)
{
    const float *origin = &ray->origin.x;
    const float *corner = &corners[0].x;
    double x[3];
    double y[3];
    double z[3];
    for (int n = 0; n < 3; n++) {
        z[n] = (double)corner[3 * n + ray->z] - (double)origin[ray->z];
        x[n] = (double)corner[3 * n + ray->x] - (double)origin[ray->x] - ray->along[0] * z[n];
        y[n] = (double)corner[3 * n + ray->y] - (double)origin[ray->y] - ray->along[1] * z[n];
    }
    // both triangles at an edge compute the same product with the opposite sign
    const double u = x[2] * y[1] - y[2] * x[1];
    const double v = x[0] * y[2] - y[0] * x[2];
    const double w = x[1] * y[0] - y[1] * x[0];
    if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) {
        return false;
    }
    const double sum = u + v + w;
    if (sum == 0.0) { // seen along its plane
        return false;
    }
    hit->share[0] = u / sum;
    hit->share[1] = v / sum;
    hit->share[2] = w / sum;
    hit->distance = (hit->share[0] * z[0] + hit->share[1] * z[1] + hit->share[2] * z[2]) / ray->direction[ray->z];
    hit->outward = (sum < 0.0) == (ray->direction[ray->z] > 0.0) ? 1 : -1; // the area along the axis is -sum / 2
    return true;
}

/** Six times the volume between a triangle and a point: its sign is that of the side of the plane, 0 in the plane. */
double brume_triangle_side(const BrumeVec3 corners[3], const BrumeVec3 *point);

/** Whether two points are on different sides of the plane, or one is in it. */
bool brume_triangle_separates(const BrumeVec3 corners[3], const BrumeVec3 points[2]);

/** The square of the distance to the closest point of a triangle [m^2], and the share of each corner in it. */
double brume_triangle_closest(const BrumeVec3 corners[3], const BrumeVec3 *point, double share[3]);

/**
 * The complex number x + i y whose argument is half the solid angle of a triangle seen from a point, positive from
 * inside (van Oosterom, Strackee 1983, equation 8).
 */
void brume_triangle_solid_angle(const BrumeVec3 corners[3], const BrumeVec3 *point, double *x, double *y);

#endif
