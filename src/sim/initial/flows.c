/*
 * Differences over a cell are exact for the values that they are meant to give: where a potential is a cosine of wave
 * number k, it is divided by the wave number of the difference, 2 sin(k dx / 2) / dx, so that the velocity on a face is
 * the velocity at its center.
 */
#include "sim/initial/flows.h"

#include "core/elementary.h"
#include "core/minmax.h"
#include "sim/initial/noise.h"
#include "sim/initial/vortex.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// the wave number of a centered difference over a cell [rad/m]
static double difference_wave_number(double wave_number, double dx)
{
    return 2.0 / dx * brume_sin(0.5 * wave_number * dx);
}

/*
 * Taylor, Green 1937: u_a = U sin(a) cos(b) cos(c), u_b = -U (k_a / k_b) cos(a) sin(b) cos(c), u_c = 0 with c = `axis`.
 */
static double taylor_green_potential(const BrumeInitialDef *def, const BrumeInitialBox *box,
                                     const BrumeInitialPoint *point)
{
    const int a = (def->axis + 1) % 3;
    const int b = (def->axis + 2) % 3;
    double angle[3];
    for (int axis = 0; axis < 3; axis++) {
        const double waves = box->cells[axis] == 1 ? 0.0 : (double)brume_component(def->waves, axis);
        angle[axis] = 2.0 * PI * waves * point->fraction[axis];
    }
    const double k = difference_wave_number(brume_initial_wave_number(box, def->waves, b), box->dx);
    return k == 0.0 ? 0.0
                    : (double)def->speed / k * brume_sin(angle[a]) * brume_sin(angle[b]) * brume_cos(angle[def->axis]);
}

// the Gaussian by which the perturbation of a shear layer decays
static double perturbation_decay(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    const double s = brume_initial_offset(box, point, def->center, def->across) / (double)def->spread;
    return brume_exp(-s * s);
}

// the potential of the perturbation of a shear layer, whose velocity across the layer is
// perturbation sin(2 pi waves s) exp(-(distance / spread)^2)
static double perturbation_potential(const BrumeInitialDef *def, const BrumeInitialBox *box,
                                     const BrumeInitialPoint *point)
{
    const double k = difference_wave_number(brume_initial_wave_number(box, def->waves, def->along), box->dx);
    if (k == 0.0) {
        return 0.0;
    }
    // with A along the span, u_across = -dA/ds where along, across, span are in cyclic order, dA/ds otherwise
    const double sign = (def->along + 1) % 3 == def->across ? 1.0 : -1.0;
    const double angle = 2.0 * PI * (double)brume_component(def->waves, def->along) * point->fraction[def->along];
    const double decay = def->spread > 0.0f ? perturbation_decay(def, box, point) : 1.0;
    return sign * (double)def->perturbation / k * brume_cos(angle) * decay;
}

// U tanh(s / thickness), or the jet of two such layers at a distance of `width`, whose speeds are U inside and -U
// outside
static double shear_speed(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    const double s = brume_initial_offset(box, point, def->center, def->across);
    const double thickness = (double)def->thickness;
    const double half = 0.5 * (double)def->width;
    const double profile = def->width > 0.0f
                               ? brume_tanh((s + half) / thickness) - brume_tanh((s - half) / thickness) - 1.0
                               : brume_tanh(s / thickness);
    return (double)def->speed * profile;
}

// the axis orthogonal to the flow of a shear layer and to the direction of its variation
static int span_of(const BrumeInitialDef *def) { return 3 - def->along - def->across; }

// the axis of one cell, -1 where there is none
static int thin_axis(const BrumeInitialBox *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (box->cells[axis] == 1) {
            return axis;
        }
    }
    return -1;
}

/*
 * LeVeque 1996, section 9.3: u = 2 U sin^2(x) sin(2y) sin(2z), v = -U sin(2x) sin^2(y) sin(2z),
 * w = -U sin(2x) sin(2y) sin^2(z), with the box as [0, pi]^3; in a box that is no cube, u is scaled by the ratio of the
 * sides. In two dimensions it is his flow of section 9.2.
 */
static double deformation_potential(const BrumeInitialDef *def, const BrumeInitialBox *box,
                                    const BrumeInitialPoint *point, int component)
{
    const int thin = thin_axis(box);
    double square[3];
    double wave[3];
    for (int axis = 0; axis < 3; axis++) {
        const double angle = PI * point->fraction[axis];
        square[axis] = brume_sin(angle) * brume_sin(angle);
        wave[axis] = brume_sin(2.0 * angle);
    }
    if (thin >= 0) {
        const int a = (thin + 1) % 3;
        const int b = (thin + 2) % 3;
        return component == thin ? (double)def->speed * box->sides[a] / PI * square[a] * square[b] : 0.0;
    }
    const double scale = (double)def->speed * box->sides[0] / PI * square[0];
    return component == 2 ? scale * square[1] * wave[2] : component == 1 ? -scale * wave[1] * square[2] : 0.0;
}

bool brume_flow_has_potential(const BrumeInitialDef *def, const BrumeInitialBox *box, int component)
{
    switch (def->kind) {
    case BRUME_INITIAL_TAYLOR_GREEN:
    case BRUME_INITIAL_VORTEX:
        return component == def->axis;
    case BRUME_INITIAL_SHEAR:
        return def->perturbation != 0.0f && component == span_of(def);
    case BRUME_INITIAL_DEFORMATION:
        return thin_axis(box) >= 0 ? component == thin_axis(box) : component > 0;
    case BRUME_INITIAL_NOISE:
        return def->quantity == BRUME_INITIAL_VELOCITY && (thin_axis(box) < 0 || component == thin_axis(box));
    default:
        return false;
    }
}

// a component of the vector potential at a point [m^2/s], but for noise
static double flow_potential(const BrumeInitialDef *def, const BrumeInitialBox *box, int component,
                             const BrumeInitialPoint *point)
{
    switch (def->kind) {
    case BRUME_INITIAL_TAYLOR_GREEN:
        return taylor_green_potential(def, box, point);
    case BRUME_INITIAL_VORTEX:
        return brume_vortex_potential(def, box, point);
    case BRUME_INITIAL_SHEAR:
        return perturbation_potential(def, box, point);
    case BRUME_INITIAL_DEFORMATION:
        return deformation_potential(def, box, point, component);
    default:
        return 0.0;
    }
}

// multiplies noise in place by what makes the root mean square of the speed about `speed`
static void scale_noise(const BrumeInitialDef *def, const BrumeInitialBox *box, const int half[3], int count,
                        double *values)
{
    const double factor = 0.6;
    for (int n = 0; n < count; n++) {
        values[n] = factor * (double)def->speed * (double)def->scale * values[n];
        if (def->spread > 0.0f) {
            const BrumeInitialPoint point =
                brume_initial_point(box, (const int[3]){half[0] + 2 * n, half[1], half[2]}, true);
            values[n] *= brume_initial_decay(def, box, &point);
        }
    }
}

void brume_flow_potential_row(const BrumeInitialDef *def, const BrumeInitialBox *box, int component, const int half[3],
                              int count, double *values)
{
    enum { CHUNK = 256 };
    for (int first = 0; first < count; first += CHUNK) {
        const int points = brume_min_int(count - first, CHUNK);
        const int start[3] = {half[0] + 2 * first, half[1], half[2]};
        if (def->kind == BRUME_INITIAL_NOISE) {
            const BrumeInitialPoint point = brume_initial_point(box, start, true);
            double fractions[CHUNK];
            for (int n = 0; n < points; n++) {
                fractions[n] = (double)brume_initial_place(box, 0, start[0] + 2 * n, true) / (2 * box->cells[0]);
            }
            brume_initial_noise_row(def, box, fractions, points, point.fraction + 1,
                                    def->seed + 2 * (uint32_t)component, values + first);
            scale_noise(def, box, start, points, values + first);
            continue;
        }
        for (int n = 0; n < points; n++) {
            const int at[3] = {start[0] + 2 * n, half[1], half[2]};
            const BrumeInitialPoint point = brume_initial_point(box, at, true);
            values[first + n] = flow_potential(def, box, component, &point);
        }
    }
}

bool brume_flow_has_velocity(const BrumeInitialDef *def)
{
    return def->kind == BRUME_INITIAL_UNIFORM || def->kind == BRUME_INITIAL_SHEAR ||
           def->kind == BRUME_INITIAL_ROTATION;
}

double brume_flow_velocity(const BrumeInitialDef *def, const BrumeInitialBox *box, int axis,
                           const BrumeInitialPoint *point)
{
    if (def->kind == BRUME_INITIAL_UNIFORM) {
        return (double)brume_component(def->velocity, axis);
    }
    if (def->kind == BRUME_INITIAL_SHEAR) {
        return axis == def->along ? shear_speed(def, box, point) : 0.0;
    }
    if (def->kind == BRUME_INITIAL_ROTATION && axis != def->axis) {
        // u_a = -rate b, u_b = rate a
        const int other = 3 - axis - def->axis;
        const double offset = point->at[other] - (double)brume_component(def->center, other);
        return (axis == (def->axis + 1) % 3 ? -(double)def->rate : (double)def->rate) * offset;
    }
    return 0.0;
}
