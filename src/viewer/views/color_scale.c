// Color scales, and the transfer function.
#include "viewer/views/color_scale.h"
#include "raymarch/color_map.h"
#include "raymarch/tone.h"

#include <assert.h>

enum { KNOTS = BRUME_VOLUME_KINDS };

static BrumeColorMap map_of(bool is_signed) { return is_signed ? BRUME_MAP_BLUE_RED : BRUME_MAP_HEAT; }

BrumeVec3 brume_color_scale_at(bool is_signed, float position)
{
    return brume_color_map_at(map_of(is_signed), position);
}

void brume_color_scale_table(bool is_signed, uint8_t table[BRUME_COLOR_TABLE_SIZE][3])
{
    for (int n = 0; n < BRUME_COLOR_TABLE_SIZE; n++) {
        const BrumeVec3 color = brume_color_scale_at(is_signed, (float)n / (BRUME_COLOR_TABLE_SIZE - 1));
        table[n][0] = (uint8_t)(255.0f * brume_srgb_from_linear(color.x) + 0.5f);
        table[n][1] = (uint8_t)(255.0f * brume_srgb_from_linear(color.y) + 0.5f);
        table[n][2] = (uint8_t)(255.0f * brume_srgb_from_linear(color.z) + 0.5f);
    }
}

BrumeColorScale brume_color_scale_of_both(const BrumeColorScale *a, const BrumeColorScale *b)
{
    BrumeColorScale both = *a;
    both.upper = fmaxf(a->upper, b->upper);
    both.is_signed = a->is_signed || b->is_signed;
    both.lower = both.is_signed ? -both.upper : 0.0f;
    return both;
}

// Opacity at position `s`: a smoothstep from the threshold to 1, and 0 below it, because most values in a box are close
// to the transparent position.
static inline float opacity(bool is_signed, float s)
{
    const float distance = is_signed ? fabsf(2.0f * s - 1.0f) : s;
    const float fraction = (distance - BRUME_TRANSFER_THRESHOLD) * (1.0f / (1.0f - BRUME_TRANSFER_THRESHOLD));
    const float t = fraction > 0.0f ? fraction : 0.0f;
    return t * t * (3.0f - 2.0f * t);
}

// computes a row of the density of one kind: the hat function of its knot times the opacity
static void split_row(float *restrict out, const float *restrict values, const BrumeColorScale *scale, int knot,
                      int count)
{
    const BrumeColorScale local = *scale; // a copy that `out` cannot alias
    for (int i = 0; i < count; i++) {
        const float s = brume_color_scale_position(&local, values[i]);
        const float weight = 1.0f - fabsf(s * (KNOTS - 1) - (float)knot);
        out[i] = opacity(local.is_signed, s) * (weight > 0.0f ? weight : 0.0f);
    }
}

void brume_apply_transfer_function(const BrumeField *values, const BrumeColorScale *scale, float longest_side,
                                   BrumeField densities[4], BrumeRenderSettings *render_settings)
{
    assert(longest_side > 0.0f);
    const BrumeGrid grid = values->grid;
    for (int knot = 0; knot < KNOTS; knot++) {
        assert(densities[knot].grid.nx == grid.nx && densities[knot].grid.ny == grid.ny &&
               densities[knot].grid.nz == grid.nz);
        render_settings->smoke[knot] =
            (BrumeSmokeMedium){.extinction = BRUME_TRANSFER_OPTICAL_DEPTH / longest_side,
                               .albedo = brume_color_map_knots(map_of(scale->is_signed))[knot]};
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const float *in = values->data + brume_field_index(values, 1, j, k);
            for (int knot = 0; knot < KNOTS; knot++) {
                split_row(densities[knot].data + brume_field_index(&densities[knot], 1, j, k), in, scale, knot,
                          grid.nx);
            }
        }
    }
}
