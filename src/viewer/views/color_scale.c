// Scales of color, and values as smoke in a scale's colors: a scale has as many knots as there are kinds of smoke, so
// that a mixture of two kinds has the color between two knots.
#include "core/vec3.h"
#include "raymarch/tone.h"
#include "viewer/views/field_view.h"

#include <assert.h>

enum { KNOTS = BRUME_VOLUME_KINDS };

// linear RGB. Brightness rises from knot to knot, and hues differ for all kinds of color vision; both halves of the
// signed scale are alike in brightness.
static const BrumeVec3 rising[KNOTS] = {
    {0.020f, 0.045f, 0.330f}, {0.330f, 0.035f, 0.420f}, {0.930f, 0.230f, 0.050f}, {1.000f, 0.890f, 0.420f}};
static const BrumeVec3 both_ways[KNOTS] = {
    {0.020f, 0.130f, 0.850f}, {0.560f, 0.780f, 1.000f}, {1.000f, 0.700f, 0.500f}, {0.690f, 0.015f, 0.012f}};

static const BrumeVec3 *knots(bool is_signed) { return is_signed ? both_ways : rising; }

// the lower of the two knots beside a share, and how far it is from there to the next
static int knot_below(float s, float *beyond)
{
    const float at = s * (KNOTS - 1);
    const int knot = at < (float)(KNOTS - 2) ? (int)at : KNOTS - 2;
    *beyond = at - (float)knot;
    return knot;
}

BrumeVec3 brume_scale_color(bool is_signed, float s)
{
    float beyond;
    const int knot = knot_below(s > 0.0f ? fminf(s, 1.0f) : 0.0f, &beyond);
    const BrumeVec3 *colors = knots(is_signed);
    return brume_add(brume_scale(colors[knot], 1.0f - beyond), brume_scale(colors[knot + 1], beyond));
}

void brume_scale_table(bool is_signed, uint8_t table[BRUME_SCALE_ENTRIES][3])
{
    for (int n = 0; n < BRUME_SCALE_ENTRIES; n++) {
        const BrumeVec3 color = brume_scale_color(is_signed, (float)n / (BRUME_SCALE_ENTRIES - 1));
        table[n][0] = (uint8_t)(255.0f * brume_srgb_from_linear(color.x) + 0.5f);
        table[n][1] = (uint8_t)(255.0f * brume_srgb_from_linear(color.y) + 0.5f);
        table[n][2] = (uint8_t)(255.0f * brume_srgb_from_linear(color.z) + 0.5f);
    }
}

// how opaque a value is: nothing near the clear end, which is most of a box, then smoothly to 1
static inline float opacity(bool is_signed, float s)
{
    const float away = is_signed ? fabsf(2.0f * s - 1.0f) : s;
    const float beyond = (away - BRUME_VIEW_CLEAR) * (1.0f / (1.0f - BRUME_VIEW_CLEAR));
    const float held = beyond > 0.0f ? beyond : 0.0f;
    return held * held * (3.0f - 2.0f * held);
}

// a hat over a knot, as wide as to its neighbors, times the opacity
static void split_row(float *restrict out, const float *restrict values, const BrumeScale *scale, int knot, int count)
{
    const BrumeScale held = *scale;
    for (int i = 0; i < count; i++) {
        const float s = brume_scale_share(&held, values[i]);
        const float weight = 1.0f - fabsf(s * (KNOTS - 1) - (float)knot);
        out[i] = opacity(held.is_signed, s) * (weight > 0.0f ? weight : 0.0f);
    }
}

void brume_view_as_smoke(const BrumeField *values, const BrumeScale *scale, float side, BrumeField kinds[4],
                         BrumeRenderSettings *look)
{
    assert(side > 0.0f);
    const BrumeGrid grid = values->grid;
    for (int knot = 0; knot < KNOTS; knot++) {
        assert(kinds[knot].grid.nx == grid.nx && kinds[knot].grid.ny == grid.ny && kinds[knot].grid.nz == grid.nz);
        look->smoke[knot] =
            (BrumeSmokeMedium){.extinction = BRUME_VIEW_DEPTH / side, .albedo = knots(scale->is_signed)[knot]};
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const float *in = values->data + brume_field_index(values, 1, j, k);
            for (int knot = 0; knot < KNOTS; knot++) {
                split_row(kinds[knot].data + brume_field_index(&kinds[knot], 1, j, k), in, scale, knot, grid.nx);
            }
        }
    }
}
