/*
 * Outside its core, a vortex of circulation G has the stream function -G / (4 pi) ln r^2 of a point vortex. An infinite
 * row of point vortices at a spacing of L has -G / (4 pi) ln(2 cosh(2 pi x / L) - 2 cos(2 pi y / L)) (Lamb 1932,
 * section 156); rows side by side make a lattice, which sums fast because a row is a uniform flow at a distance. The
 * contribution of the images is smooth in the core of the vortex.
 */
#include "sim/initial/vortex.h"

#include "core/elementary.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double EULER_GAMMA = 0.57721566490153286061;

// ln x + E1(x), with the exponential integral E1; -gamma at 0 (Abramowitz, Stegun 1964, 5.1.11 and 5.1.22)
static double log_plus_e1(double x)
{
    if (x < 2.0) {
        double term = 1.0;
        double sum = -EULER_GAMMA;
        for (int n = 1; n < 40; n++) {
            term *= -x / n;
            sum -= term / n;
        }
        return sum;
    }
    double fraction = 0.0; // continued fraction of E1, from its end
    for (int n = 60; n > 0; n--) {
        fraction = n / (1.0 + n / (x + fraction));
    }
    return brume_ln(x) + brume_exp(-x) / (x + fraction);
}

// circulation by the speed at the radius
static double circulation_of(const BrumeInitialDef *def)
{
    const double rigid = 2.0 * PI * (double)def->radius * (double)def->speed;
    return def->profile == BRUME_INITIAL_LAMB     ? rigid / (1.0 - brume_exp(-1.0))
           : def->profile == BRUME_INITIAL_TAYLOR ? 0.0
                                                  : rigid;
}

// the stream function of the vortex alone; q is the square of the distance over the radius
static double core_potential(const BrumeInitialDef *def, double circulation, double q)
{
    switch (def->profile) {
    case BRUME_INITIAL_TAYLOR: // the speed is U r/a exp((1 - r^2/a^2) / 2)
        return (double)def->speed * (double)def->radius * brume_exp(0.5 * (1.0 - q));
    case BRUME_INITIAL_LAMB: // the speed is G / (2 pi r) (1 - exp(-r^2/a^2))
        return -circulation / (4.0 * PI) * log_plus_e1(q);
    default: // rigid rotation inside the radius
        return -circulation / (4.0 * PI) * (q < 1.0 ? q - 1.0 : brume_ln(q));
    }
}

// ln of 2 (cosh x - cos y) / (x^2 + y^2)
static double row_around_point(double x, double y)
{
    const double square = x * x + y * y;
    const double sine = brume_sin(0.5 * y);
    const double hyperbolic = brume_sinh(0.5 * x);
    return square < 1e-14 ? 0.0 : brume_ln(4.0 * (hyperbolic * hyperbolic + sine * sine) / square);
}

// the stream function of a row at the distance x, without its uniform flow far away
static double far_row(double x, double y)
{
    const double decay = brume_exp(-fabs(x));
    return brume_ln(1.0 - 2.0 * decay * brume_cos(y) + decay * decay);
}

// the potential of the images of a vortex of circulation 4 pi at the origin, at distances that are multiples of `along`
// in a row and of `across` (0: one row) from row to row
static double image_potential(double x, double y, double along, double across)
{
    const double scale = 2.0 * PI / along;
    double sum = row_around_point(scale * x, scale * y);
    if (across > 0.0) {
        const int rows = (int)ceil(0.5 + 40.0 / (scale * across));
        for (int n = 1; n <= rows; n++) {
            sum += far_row(scale * (x - n * across), scale * y) + far_row(scale * (x + n * across), scale * y);
        }
        sum -= 2.0 * PI * x * x / (along * across); // the uniform vorticity
    }
    return -sum;
}

double brume_vortex_potential(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    const int a = (def->axis + 1) % 3;
    const int b = (def->axis + 2) % 3;
    const double x = brume_initial_offset(box, point, def->center, a);
    const double y = brume_initial_offset(box, point, def->center, b);
    const double radius = (double)def->radius;
    const double circulation = circulation_of(def);
    double potential = core_potential(def, circulation, (x * x + y * y) / (radius * radius));
    if (circulation != 0.0 && box->periodic[b]) {
        const double across = box->periodic[a] ? box->sides[a] : 0.0;
        potential += circulation / (4.0 * PI) * image_potential(x, y, box->sides[b], across);
    } else if (circulation != 0.0 && box->periodic[a]) {
        potential += circulation / (4.0 * PI) * image_potential(y, x, box->sides[a], 0.0);
    }
    return potential;
}
