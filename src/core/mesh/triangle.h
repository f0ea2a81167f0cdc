/**
 * @file triangle.h
 * One triangle: its area, and the queries of core/mesh.h. All arithmetic is in double precision; differences of two
 * floats of similar size are exact in it.
 */
#ifndef BRUME_CORE_MESH_TRIANGLE_H
#define BRUME_CORE_MESH_TRIANGLE_H

#include "brume/vec3.h"
#include "core/mesh.h"

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

/** Whether the line of a ray passes through a triangle, and where; the number of the triangle stays as it is. */
bool brume_triangle_hit(const BrumeShearedRay *ray, const BrumeVec3 corners[3], BrumeMeshHit *hit);

/** Six times the volume between a triangle and a point: its sign is that of the side of the plane, 0 in the plane. */
double brume_triangle_side(const BrumeVec3 corners[3], const BrumeVec3 *point);

/** The square of the distance to the closest point of a triangle [m^2], and the share of each corner in it. */
double brume_triangle_closest(const BrumeVec3 corners[3], const BrumeVec3 *point, double share[3]);

/**
 * The complex number x + i y whose argument is half the solid angle of a triangle seen from a point, positive from
 * inside (van Oosterom, Strackee 1983, equation 8).
 */
void brume_triangle_solid_angle(const BrumeVec3 corners[3], const BrumeVec3 *point, double *x, double *y);

#endif
