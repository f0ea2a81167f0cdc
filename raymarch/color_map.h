/**
 * @file color_map.h
 * Color maps for scalar quantities, piecewise linear between knots. A map has as many knots as there are kinds of
 * smoke, so that a mixture of two kinds has the color between two knots, and every renderer can draw a quantity as it
 * draws smoke.
 */
#ifndef BRUME_RAYMARCH_COLOR_MAP_H
#define BRUME_RAYMARCH_COLOR_MAP_H

#include "brume/render_settings.h"

/** The colors at the positions n / (BRUME_VOLUME_KINDS - 1), linear RGB. */
const BrumeVec3 *brume_color_map_knots(BrumeColorMap map);

/** Linear RGB at a position of the map; below 0, above 1 and NaN count as the nearest, of NaN 0. */
BrumeVec3 brume_color_map_at(BrumeColorMap map, float position);

/** The map, the lower and the upper end that these colors have with a reference speed [m/s] of the settings. */
BrumeFlowColors brume_flow_colors_resolved(const BrumeFlowColors *colors, float reference_speed);

/** The albedo by a value in the unit of the quantity; `colors` are resolved. */
BrumeVec3 brume_flow_color(const BrumeFlowColors *colors, float value);

#endif
