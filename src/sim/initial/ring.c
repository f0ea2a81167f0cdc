/*
 * A circular vortex filament of circulation G that has diffused to a core of Gaussian vorticity,
 *
 *     A(x) = G / (4 pi) integral of erf(|x - X| / delta) / |x - X| dX along the circle,
 *
 * which is the filament convolved with exp(-r^2 / delta^2): the ring of Saffman 1970, with delta^2 = 4 nu t. Its speed
 * is G / (4 pi R) (ln(8 R / delta) - .558). The integrand is smooth and periodic, so that the trapezoidal rule
 * converges exponentially. A has an azimuthal component alone, a function of the distance from the axis and from the
 * plane.
 */
#include "sim/initial/ring.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/minmax.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

enum { TAPS = 6, HALF_TAPS = TAPS / 2, MAX_ENTRIES = 1024 };

// erf(r / delta) / r
static double smoothed_inverse(double r, double delta)
{
    const double q = r / delta;
    // the series of erf to q^3
    return q < 1e-4 ? 2.0 / (sqrt(PI) * delta) * (1.0 - q * q / 3.0) : brume_erf(q) / r;
}

// A / (G rho) at the distance rho > 0 from the axis and z from the plane
static double potential_over_distance(double rho, double z, double radius, double delta)
{
    const int count = 16 + (int)ceil(4.0 * PI * radius / delta); // of points over half the circle
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        const double cosine = brume_cos(PI * (n + 0.5) / count);
        const double square = rho * rho + radius * radius - 2.0 * rho * radius * cosine + z * z;
        sum += cosine * smoothed_inverse(sqrt(brume_fmax(square, 0.0)), delta);
    }
    return radius * sum / (2.0 * count * rho);
}

// the greatest distance between a point of the box and the center or one of its nearest images
static double greatest_distance(const BrumeInitialDef *def, const BrumeInitialBox *box)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double center = (double)brume_component(def->center, axis);
        const double below = fabs(center - box->lower[axis]);
        const double above = fabs(box->lower[axis] + box->sides[axis] - center);
        const double distance = box->periodic[axis] ? 1.5 * box->sides[axis] : brume_fmax(below, above);
        square += distance * distance;
    }
    return sqrt(square);
}

BrumeStatus brume_ring_create(BrumeInitialRing *ring, const BrumeInitialDef *def, const BrumeInitialBox *box,
                              BrumeError *error)
{
    const double radius = (double)def->radius;
    const double delta = (double)def->thickness;
    const double reach = greatest_distance(def, box) + box->dx;
    const double spacing = brume_fmax(brume_fmin(0.5 * box->dx, delta / 8.0), reach / (MAX_ENTRIES - TAPS));
    const int entries = (int)ceil(reach / spacing) + TAPS;
    *ring = (BrumeInitialRing){
        .radial = entries, .axial = entries, .spacing = spacing, .circulation = (double)def->circulation};
    const double length = (double)brume_length(def->direction);
    for (int axis = 0; axis < 3; axis++) {
        ring->axis[axis] = (double)brume_component(def->direction, axis) / length;
    }
    ring->values = brume_alloc((size_t)entries * (size_t)entries, sizeof *ring->values);
    if (!ring->values) {
        return brume_out_of_memory(error, "the table of a vortex ring");
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < entries; n++) {
        for (int m = 0; m < entries; m++) {
            // A / rho is even in rho; near the axis its limit is approached to rounding
            const double rho = m == 0 ? 1e-3 * spacing : m * spacing;
            ring->values[(ptrdiff_t)n * entries + m] = potential_over_distance(rho, n * spacing, radius, delta);
        }
    }
    return BRUME_OK;
}

void brume_ring_destroy(BrumeInitialRing *ring)
{
    brume_free(ring->values);
    *ring = (BrumeInitialRing){0};
}

// weights of Lagrange's polynomial through the entries first .. first + 5 at the position t [entries]
static int lagrange_weights(double t, int entries, double weights[TAPS])
{
    const int first = (int)brume_fmin(floor(t), (double)(entries - HALF_TAPS - 1)) - (HALF_TAPS - 1);
    for (int n = 0; n < TAPS; n++) {
        weights[n] = 1.0;
        for (int other = 0; other < TAPS; other++) {
            weights[n] *= other == n ? 1.0 : (t - (first + other)) / (n - other);
        }
    }
    return first;
}

// A / (G rho) from the table
static double interpolate(const BrumeInitialRing *ring, double rho, double z)
{
    double radial[TAPS];
    double axial[TAPS];
    const int m = lagrange_weights(rho / ring->spacing, ring->radial, radial);
    const int n = lagrange_weights(fabs(z) / ring->spacing, ring->axial, axial);
    double sum = 0.0;
    for (int b = 0; b < TAPS; b++) {
        const double *const row = ring->values + (ptrdiff_t)abs(n + b) * ring->radial;
        double line = 0.0;
        for (int a = 0; a < TAPS; a++) {
            line += radial[a] * row[abs(m + a)];
        }
        sum += axial[b] * line;
    }
    return sum;
}

double brume_ring_potential(const BrumeInitialRing *ring, const BrumeInitialDef *def, const BrumeInitialBox *box,
                            int component, const BrumeInitialPoint *point)
{
    const int b = (component + 1) % 3;
    const int c = (component + 2) % 3;
    double sum = 0.0;
    for (int image = 0; image < 27; image++) {
        const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        double offset[3];
        double along = 0.0;
        bool exists = true;
        for (int axis = 0; axis < 3; axis++) {
            exists = exists && (shift[axis] == 0 || box->periodic[axis]);
            offset[axis] = brume_initial_offset(box, point, def->center, axis) + shift[axis] * box->sides[axis];
            along += offset[axis] * ring->axis[axis];
        }
        if (exists) {
            double square = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                const double across = offset[axis] - along * ring->axis[axis];
                square += across * across;
            }
            // the azimuthal unit vector times rho is axis x offset
            const double azimuthal = ring->axis[b] * offset[c] - ring->axis[c] * offset[b];
            sum += azimuthal * interpolate(ring, sqrt(square), along);
        }
    }
    return ring->circulation * sum;
}
