#include "raymarch/color_map.h"

#include "core/vec3.h"

enum { KNOTS = BRUME_VOLUME_KINDS };

// The brightness of `heat` increases from knot to knot, and its hues differ for all kinds of color vision. Both halves
// of `blue_red` have the same brightness.
static const BrumeVec3 all_knots[BRUME_MAP_COUNT][KNOTS] = {
    [BRUME_MAP_HEAT] = {{0.020f, 0.045f, 0.330f},
                        {0.330f, 0.035f, 0.420f},
                        {0.930f, 0.230f, 0.050f},
                        {1.000f, 0.890f, 0.420f}},
    [BRUME_MAP_BLUE_RED] = {{0.020f, 0.130f, 0.850f},
                            {0.560f, 0.780f, 1.000f},
                            {1.000f, 0.700f, 0.500f},
                            {0.690f, 0.015f, 0.012f}},
    [BRUME_MAP_RAINBOW] = {{0.020f, 0.080f, 0.800f},
                           {0.020f, 0.700f, 0.450f},
                           {1.000f, 0.800f, 0.030f},
                           {0.800f, 0.020f, 0.010f}},
};

const BrumeVec3 *brume_color_map_knots(BrumeColorMap map) { return all_knots[map]; }

BrumeVec3 brume_color_map_at(BrumeColorMap map, float position)
{
    const float inside = position > 0.0f ? (position < 1.0f ? position : 1.0f) : 0.0f;
    const float place = inside * (KNOTS - 1);
    const int knot = place < (float)(KNOTS - 2) ? (int)place : KNOTS - 2;
    const float fraction = place - (float)knot;
    const BrumeVec3 *colors = all_knots[map];
    return brume_add(brume_scale(colors[knot], 1.0f - fraction), brume_scale(colors[knot + 1], fraction));
}

BrumeFlowColors brume_flow_colors_resolved(const BrumeFlowColors *colors, float reference_speed)
{
    const bool is_pressure = colors->quantity == BRUME_FLOW_PRESSURE;
    BrumeFlowColors resolved = *colors;
    if (colors->map == BRUME_MAP_AUTO) {
        resolved.map = is_pressure ? BRUME_MAP_BLUE_RED : BRUME_MAP_HEAT;
    }
    if (colors->lower == colors->upper) {
        const float speed = reference_speed > 0.0f ? reference_speed : 1.0f;
        resolved.lower = is_pressure ? -1.0f : 0.0f;
        resolved.upper = is_pressure ? 1.0f : colors->quantity == BRUME_FLOW_SPEED ? 1.5f * speed : 100.0f;
    }
    return resolved;
}

BrumeVec3 brume_flow_color(const BrumeFlowColors *colors, float value)
{
    return brume_color_map_at(colors->map, (value - colors->lower) / (colors->upper - colors->lower));
}
