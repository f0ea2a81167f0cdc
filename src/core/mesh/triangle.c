#include "core/mesh/triangle.h"

BrumeShearedRay brume_shear_ray(BrumeVec3 origin, const double direction[3])
{
    int z = fabs(direction[1]) > fabs(direction[0]) ? 1 : 0;
    z = fabs(direction[2]) > fabs(direction[z]) ? 2 : z;
    const int x = (z + 1) % 3;
    const int y = (z + 2) % 3;
    return (BrumeShearedRay){
        .origin = origin,
        .direction = {direction[0], direction[1], direction[2]},
        .x = x,
        .y = y,
        .z = z,
        .along = {direction[x] / direction[z], direction[y] / direction[z]},
    };
}

// the vectors a, b, c from a point to the corners, and their triple product
static double triple_product(const BrumeVec3 corners[3], const BrumeVec3 *point, double to[3][3])
{
    double bc[3];
    for (int n = 0; n < 3; n++) {
        brume_between3(point, &corners[n], to[n]);
    }
    brume_cross3(to[1], to[2], bc);
    return brume_dot3(to[0], bc);
}

double brume_triangle_side(const BrumeVec3 corners[3], const BrumeVec3 *point)
{
    double to[3][3];
    return triple_product(corners, point, to);
}

bool brume_triangle_separates(const BrumeVec3 corners[3], const BrumeVec3 points[2])
{
    const double a = brume_triangle_side(corners, &points[0]);
    const double b = brume_triangle_side(corners, &points[1]);
    return !(a > 0.0 && b > 0.0) && !(a < 0.0 && b < 0.0);
}

static double set_share(double share[3], double a, double b, double c, double to[3][3])
{
    share[0] = a;
    share[1] = b;
    share[2] = c;
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double offset = a * to[0][axis] + b * to[1][axis] + c * to[2][axis];
        squared += offset * offset;
    }
    return squared;
}

// by the regions of vertices, edges and interior to which the point projects (Ericson, "Real-Time Collision Detection",
// 2005, section 5.1.5)
double brume_triangle_closest(const BrumeVec3 corners[3], const BrumeVec3 *point, double share[3])
{
    double to[3][3]; // from the point to the corners
    double ab[3];
    double ac[3];
    brume_between3(&corners[0], &corners[1], ab);
    brume_between3(&corners[0], &corners[2], ac);
    for (int n = 0; n < 3; n++) {
        brume_between3(point, &corners[n], to[n]);
    }
    const double d1 = -brume_dot3(ab, to[0]);
    const double d2 = -brume_dot3(ac, to[0]);
    if (d1 <= 0.0 && d2 <= 0.0) {
        return set_share(share, 1.0, 0.0, 0.0, to);
    }
    const double d3 = -brume_dot3(ab, to[1]);
    const double d4 = -brume_dot3(ac, to[1]);
    if (d3 >= 0.0 && d4 <= d3) {
        return set_share(share, 0.0, 1.0, 0.0, to);
    }
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        const double v = d1 / (d1 - d3);
        return set_share(share, 1.0 - v, v, 0.0, to);
    }
    const double d5 = -brume_dot3(ab, to[2]);
    const double d6 = -brume_dot3(ac, to[2]);
    if (d6 >= 0.0 && d5 <= d6) {
        return set_share(share, 0.0, 0.0, 1.0, to);
    }
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        const double w = d2 / (d2 - d6);
        return set_share(share, 1.0 - w, 0.0, w, to);
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return set_share(share, 0.0, 1.0 - w, w, to);
    }
    const double sum = va + vb + vc;
    const double v = vb / sum;
    const double w = vc / sum;
    return set_share(share, 1.0 - v - w, v, w, to);
}

void brume_triangle_solid_angle(const BrumeVec3 corners[3], const BrumeVec3 *point, double *x, double *y)
{
    double to[3][3];
    *y = triple_product(corners, point, to);
    const double *a = to[0];
    const double *b = to[1];
    const double *c = to[2];
    const double length_a = sqrt(brume_dot3(a, a));
    const double length_b = sqrt(brume_dot3(b, b));
    const double length_c = sqrt(brume_dot3(c, c));
    *x = length_a * length_b * length_c + brume_dot3(a, b) * length_c + brume_dot3(b, c) * length_a +
         brume_dot3(c, a) * length_b;
}
