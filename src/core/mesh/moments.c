/*
 * The solid angle of a surface seen from the origin is the integral of n . f over its area, with f(x) = x / |x|^3. Its
 * Taylor series about the center c of a group of triangles, with x = c + y, is (Barill et al. 2018, section 3)
 *
 *     n . c / c^3  -  3 (y . c) (n . c) / c^5  +  15/2 (y . c)^2 (n . c) / c^7  +  ...
 *
 * up to terms with c^2 = c . c that make the polynomials in c harmonic: parts of them that are multiples of c^2
 * contribute nothing and are left out, as in multipole expansions. A polynomial that is moved to another center is
 * made from those of up to its own degree, and its harmonic part from their harmonic parts.
 */
#include "core/mesh/moments.h"

#include "core/mesh/triangle.h"

// homogeneous polynomials of degree 1, 2 and 3, with coefficients in the order of BrumeBvhMoments
typedef struct Multipole {
    double center[3];
    double area;
    double linear[3], quadratic[6], cubic[10];
} Multipole;

enum { XX, YY, ZZ, XY, XZ, YZ };
enum { XXX, YYY, ZZZ, XXY, XXZ, YYX, YYZ, ZZX, ZZY, XYZ };

// adds the product of two linear polynomials
static void add_product2(double sum[6], double factor, const double a[3], const double b[3])
{
    sum[XX] += factor * a[0] * b[0];
    sum[YY] += factor * a[1] * b[1];
    sum[ZZ] += factor * a[2] * b[2];
    sum[XY] += factor * (a[0] * b[1] + a[1] * b[0]);
    sum[XZ] += factor * (a[0] * b[2] + a[2] * b[0]);
    sum[YZ] += factor * (a[1] * b[2] + a[2] * b[1]);
}

// adds the product of a linear and a quadratic polynomial
static void add_product3(double sum[10], double factor, const double a[3], const double q[6])
{
    sum[XXX] += factor * a[0] * q[XX];
    sum[YYY] += factor * a[1] * q[YY];
    sum[ZZZ] += factor * a[2] * q[ZZ];
    sum[XXY] += factor * (a[0] * q[XY] + a[1] * q[XX]);
    sum[XXZ] += factor * (a[0] * q[XZ] + a[2] * q[XX]);
    sum[YYX] += factor * (a[1] * q[XY] + a[0] * q[YY]);
    sum[YYZ] += factor * (a[1] * q[YZ] + a[2] * q[YY]);
    sum[ZZX] += factor * (a[2] * q[XZ] + a[0] * q[ZZ]);
    sum[ZZY] += factor * (a[2] * q[YZ] + a[1] * q[ZZ]);
    sum[XYZ] += factor * (a[0] * q[YZ] + a[1] * q[XZ] + a[2] * q[XY]);
}

// adds moments about another center, which is at `by` from that of the sum
static void add_moved(Multipole *sum, const Multipole *other, const double by[3])
{
    for (int n = 0; n < 3; n++) {
        sum->linear[n] += other->linear[n];
    }
    double squared[6] = {0.0};
    add_product2(squared, 1.0, by, by);
    add_product3(sum->cubic, 1.0, other->linear, squared);
    add_product3(sum->cubic, 2.0, by, other->quadratic);
    for (int n = 0; n < 10; n++) {
        sum->cubic[n] += other->cubic[n];
    }
    add_product2(sum->quadratic, 1.0, by, other->linear);
    for (int n = 0; n < 6; n++) {
        sum->quadratic[n] += other->quadratic[n];
    }
}

// about the center of the triangle, where the first order vanishes; the integral of y_i y_j is that over the corners
// times area / 12 (Stroud, "Approximate Calculation of Multiple Integrals", 1971)
static Multipole moments_of(const BrumeBvhTriangle *triangle)
{
    Multipole moments = {0};
    const BrumeVec3 *v = triangle->corners;
    moments.center[0] = ((double)v[0].x + (double)v[1].x + (double)v[2].x) / 3.0;
    moments.center[1] = ((double)v[0].y + (double)v[1].y + (double)v[2].y) / 3.0;
    moments.center[2] = ((double)v[0].z + (double)v[1].z + (double)v[2].z) / 3.0;
    brume_triangle_area(&v[0], &v[1], &v[2], moments.linear);
    moments.area = sqrt(brume_dot3(moments.linear, moments.linear));
    double squares[6] = {0.0};
    for (int corner = 0; corner < 3; corner++) {
        const double y[3] = {(double)v[corner].x - moments.center[0], (double)v[corner].y - moments.center[1],
                             (double)v[corner].z - moments.center[2]};
        add_product2(squares, 1.0 / 12.0, y, y);
    }
    add_product3(moments.cubic, 1.0, moments.linear, squares);
    return moments;
}

// removes the multiples of r^2
static void make_harmonic(Multipole *moments)
{
    double *q = moments->quadratic;
    double *c = moments->cubic;
    const double trace = (q[XX] + q[YY] + q[ZZ]) / 3.0;
    q[XX] -= trace;
    q[YY] -= trace;
    q[ZZ] -= trace;
    const double x = (6.0 * c[XXX] + 2.0 * c[YYX] + 2.0 * c[ZZX]) / 10.0; // of the Laplacian over 10
    const double y = (6.0 * c[YYY] + 2.0 * c[XXY] + 2.0 * c[ZZY]) / 10.0;
    const double z = (6.0 * c[ZZZ] + 2.0 * c[XXZ] + 2.0 * c[YYZ]) / 10.0;
    c[XXX] -= x;
    c[YYX] -= x;
    c[ZZX] -= x;
    c[YYY] -= y;
    c[XXY] -= y;
    c[ZZY] -= y;
    c[ZZZ] -= z;
    c[XXZ] -= z;
    c[YYZ] -= z;
}

// The center is stored rounded to float, and the moments are not moved to it: that is far below the error of the
// series. (GCC 12 leaves out a conversion to float and back in vectorized code.)
static Multipole sum_moments(const Multipole *parts, int count)
{
    Multipole sum = {0};
    for (int n = 0; n < count; n++) {
        sum.area += parts[n].area;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < count; n++) { // areas below the least float are 0
            const double share = sum.area > 0.0 ? parts[n].area / sum.area : 1.0 / count;
            sum.center[axis] += share * parts[n].center[axis];
        }
    }
    for (int n = 0; n < count; n++) {
        const double by[3] = {parts[n].center[0] - sum.center[0], parts[n].center[1] - sum.center[1],
                              parts[n].center[2] - sum.center[2]};
        add_moved(&sum, &parts[n], by);
    }
    make_harmonic(&sum);
    return sum;
}

// of the sphere around the center that contains the box, rounded up
static float radius_of(const BrumeBvhNode *node, const double center[3])
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = center[axis] - (double)node->lower[axis];
        const double above = (double)node->upper[axis] - center[axis];
        const double farther = below > above ? below : above;
        squared += farther * farther;
    }
    return (float)(sqrt(squared) * 1.000001);
}

static void store(float *to, const double *from, int count)
{
    for (int n = 0; n < count; n++) {
        to[n] = (float)from[n];
    }
}

static Multipole load(const BrumeBvhMoments *from)
{
    Multipole moments = {.area = (double)from->area};
    for (int n = 0; n < 3; n++) {
        moments.center[n] = (double)from->center[n];
        moments.linear[n] = (double)from->linear[n];
    }
    for (int n = 0; n < 6; n++) {
        moments.quadratic[n] = (double)from->quadratic[n];
    }
    for (int n = 0; n < 10; n++) {
        moments.cubic[n] = (double)from->cubic[n];
    }
    return moments;
}

static void set_moments(BrumeBvhMoments *to, const BrumeBvhNode *node, const Multipole *parts, int count)
{
    const Multipole sum = sum_moments(parts, count);
    to->radius = radius_of(node, sum.center);
    to->area = (float)sum.area;
    store(to->center, sum.center, 3);
    store(to->linear, sum.linear, 3);
    store(to->quadratic, sum.quadratic, 6);
    store(to->cubic, sum.cubic, 10);
}

void brume_bvh_set_moments(BrumeBvh *bvh)
{
#pragma omp parallel for schedule(static)
    for (int n = 0; n < bvh->node_count; n++) {
        const BrumeBvhNode *node = &bvh->nodes[n];
        if (node->count > 0) {
            Multipole parts[BRUME_BVH_LEAF];
            for (int t = 0; t < node->count; t++) {
                parts[t] = moments_of(&bvh->triangles[node->other + t]);
            }
            set_moments(&bvh->moments[n], node, parts, node->count);
        }
    }
    for (int n = bvh->node_count - 1; n >= 0; n--) { // children before parents
        const BrumeBvhNode *node = &bvh->nodes[n];
        if (node->count == 0) {
            const Multipole parts[2] = {load(&bvh->moments[n + 1]), load(&bvh->moments[node->other])};
            set_moments(&bvh->moments[n], node, parts, 2);
        }
    }
}

double brume_moments_solid_angle(const BrumeBvhMoments *moments, const double offset[3])
{
    const double x = offset[0];
    const double y = offset[1];
    const double z = offset[2];
    const double xx = x * x;
    const double yy = y * y;
    const double zz = z * z;
    const float *l = moments->linear;
    const float *q = moments->quadratic;
    const float *c = moments->cubic;
    const double linear = (double)l[0] * x + (double)l[1] * y + (double)l[2] * z;
    const double quadratic = (double)q[XX] * xx + (double)q[YY] * yy + (double)q[ZZ] * zz + (double)q[XY] * x * y +
                             (double)q[XZ] * x * z + (double)q[YZ] * y * z;
    const double cubic = x * ((double)c[XXX] * xx + (double)c[YYX] * yy + (double)c[ZZX] * zz) +
                         y * ((double)c[YYY] * yy + (double)c[XXY] * xx + (double)c[ZZY] * zz) +
                         z * ((double)c[ZZZ] * zz + (double)c[XXZ] * xx + (double)c[YYZ] * yy) +
                         (double)c[XYZ] * x * y * z;
    const double per_square = 1.0 / (xx + yy + zz);
    const double series = linear + per_square * (-3.0 * quadratic + per_square * (7.5 * cubic));
    return series * per_square * sqrt(per_square);
}
