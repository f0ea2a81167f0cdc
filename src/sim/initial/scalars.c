#include "sim/initial/scalars.h"

#include "core/elementary.h"
#include "core/minmax.h"
#include "sim/initial/noise.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

enum { SAMPLES = 8 }; // along each side of a cell of which a disc covers a part

static double blob(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double offset = brume_initial_offset(box, point, def->center, axis);
        square += offset * offset;
    }
    const double distance = sqrt(square);
    const double radius = (double)def->radius;
    switch (def->profile) {
    case BRUME_INITIAL_COSINE:
        return distance < radius ? 0.5 * (1.0 + brume_cos(PI * distance / radius)) : 0.0;
    case BRUME_INITIAL_SHARP: // the covered fraction of the cell, as of an emitter
        return brume_fmin(brume_fmax(0.5 - (distance - radius) / box->dx, 0.0), 1.0);
    default:
        return brume_exp(-square / (radius * radius));
    }
}

// whether a point at (a, b) from the center lies in the disc and not in the slot, which starts at the rim below
static bool in_disc(const BrumeInitialDef *def, double a, double b)
{
    const double radius = (double)def->radius;
    const bool in_slot = 2.0 * fabs(a) < (double)def->slot_width && b + radius < (double)def->slot_depth;
    return a * a + b * b < radius * radius && !in_slot;
}

// the fraction of the cell that the disc of Zalesak 1979 covers
static double disc(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    const double a = brume_initial_offset(box, point, def->center, (def->axis + 1) % 3);
    const double b = brume_initial_offset(box, point, def->center, (def->axis + 2) % 3);
    int inside = 0;
    for (int n = 0; n < SAMPLES; n++) {
        for (int m = 0; m < SAMPLES; m++) {
            const double right = ((m + 0.5) / SAMPLES - 0.5) * box->dx;
            const double up = ((n + 0.5) / SAMPLES - 0.5) * box->dx;
            inside += in_disc(def, a + right, b + up);
        }
    }
    return (double)inside / (SAMPLES * SAMPLES);
}

static double layer(const BrumeInitialDef *def, const BrumeInitialPoint *point)
{
    const double distance = point->at[def->across] - (double)brume_component(def->center, def->across);
    const double s = distance / (double)def->thickness;
    const double share =
        def->profile == BRUME_INITIAL_LINEAR ? brume_fmin(brume_fmax(0.5 + s, 0.0), 1.0) : 0.5 * (1.0 + brume_tanh(s));
    return (double)def->lower + ((double)def->upper - (double)def->lower) * share;
}

static double mode(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    double product = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        if (box->cells[axis] > 1) {
            const double waves = (double)brume_component(def->waves, axis) * point->fraction[axis];
            product *= brume_cos(2.0 * PI * (waves + (double)brume_component(def->phase, axis)));
        }
    }
    return product;
}

double brume_scalar_value(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    switch (def->kind) {
    case BRUME_INITIAL_UNIFORM:
        return (double)def->value;
    case BRUME_INITIAL_BLOB:
        return (double)def->value * blob(def, box, point);
    case BRUME_INITIAL_DISC:
        return (double)def->value * disc(def, box, point);
    case BRUME_INITIAL_LAYER:
        return layer(def, point);
    case BRUME_INITIAL_MODE:
        return (double)def->value * mode(def, box, point);
    case BRUME_INITIAL_NOISE:
        return (double)def->value * brume_initial_noise(def, box, point, def->seed) *
               brume_initial_decay(def, box, point);
    default:
        return 0.0;
    }
}
