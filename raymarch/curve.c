#include "raymarch/curve.h"

#include <math.h>

// the slope at a point between two secants with the widths h0 and h1: their weighted harmonic mean, 0 at an extremum
static float harmonic_slope(float secant0, float secant1, float h0, float h1)
{
    if (!(secant0 * secant1 > 0.0f)) {
        return 0.0f;
    }
    return 3.0f * (h0 + h1) / ((2.0f * h1 + h0) / secant0 + (h1 + 2.0f * h0) / secant1);
}

BrumeCubics brume_curve_cubics(const BrumeCurve *curve)
{
    BrumeCubics cubics = {.count = curve->count, .smooth = curve->kind == BRUME_CURVE_SMOOTH};
    float secant[BRUME_MAX_CURVE_POINTS] = {0};
    for (int n = 0; n < curve->count; n++) {
        cubics.at[n] = curve->points[n].at;
        cubics.value[n] = curve->points[n].value;
        if (n > 0) {
            secant[n - 1] = (cubics.value[n] - cubics.value[n - 1]) / (cubics.at[n] - cubics.at[n - 1]);
        }
    }
    const int last = curve->count - 1;
    for (int n = 1; n < last; n++) {
        cubics.slope[n] =
            harmonic_slope(secant[n - 1], secant[n], cubics.at[n] - cubics.at[n - 1], cubics.at[n + 1] - cubics.at[n]);
    }
    cubics.slope[0] = secant[0];
    cubics.slope[last] = secant[last - 1];
    return cubics;
}

float brume_cubics_at(const BrumeCubics *cubics, float position)
{
    const int last = cubics->count - 1;
    if (!(position > cubics->at[0])) {
        return cubics->value[0];
    }
    if (position >= cubics->at[last]) {
        return cubics->value[last];
    }
    int n = 0;
    while (position >= cubics->at[n + 1]) {
        n++;
    }
    const float width = cubics->at[n + 1] - cubics->at[n];
    const float t = (position - cubics->at[n]) / width;
    const float from = cubics->value[n];
    const float rise = cubics->value[n + 1] - from;
    if (!cubics->smooth) {
        return from + t * rise;
    }
    // Hermite's form: c1 t + c2 t^2 + c3 t^3 above the first value
    const float c1 = width * cubics->slope[n];
    const float c2 = 3.0f * rise - 2.0f * c1 - width * cubics->slope[n + 1];
    const float c3 = rise - c1 - c2;
    const float value = from + t * (c1 + t * (c2 + t * c3));
    return value > 0.0f ? value : 0.0f; // rounding
}

float brume_curve_at(const BrumeCurve *curve, float position)
{
    const BrumeCubics cubics = brume_curve_cubics(curve);
    return brume_cubics_at(&cubics, position);
}

bool brume_curve_is_valid(const BrumeCurve *curve)
{
    if (curve->count == 0) {
        return true;
    }
    bool valid = curve->count >= 2 && curve->count <= BRUME_MAX_CURVE_POINTS;
    for (int n = 0; n < curve->count && valid; n++) {
        const BrumeCurvePoint point = curve->points[n];
        valid = isfinite(point.at) && isfinite(point.value) && point.value >= 0.0f &&
                (n == 0 || point.at > curve->points[n - 1].at);
    }
    return valid;
}
