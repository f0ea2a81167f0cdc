/**
 * @file color_scale.h
 * Color scales for scalar quantities, and the transfer function that maps a quantity to smoke of these colors. A scale
 * has as many knots as there are kinds of smoke, so that a mixture of two kinds has the color between two knots, and
 * every renderer draws a quantity as it draws smoke.
 */
#ifndef BRUME_VIEWER_VIEWS_COLOR_SCALE_H
#define BRUME_VIEWER_VIEWS_COLOR_SCALE_H

#include "brume/render_settings.h"
#include "core/field.h"

#include <stdbool.h>
#include <stdint.h>

/** The range of a quantity that the colors cover. */
typedef struct BrumeColorScale {
    float lower, upper; ///< values at the ends
    const char *name;   ///< "temperature"
    const char *unit;   ///< "K"
    bool is_signed;     ///< the middle is 0 and transparent; otherwise the lower end is 0 and transparent
} BrumeColorScale;

/** Linear RGB at a position of the scale, 0 to 1: dark to bright, or blue over white to red for a signed scale. */
BrumeVec3 brume_color_scale_at(bool is_signed, float position);

enum { BRUME_COLOR_TABLE_SIZE = 256 };

/** The colors as sRGB bytes, at the positions n / (BRUME_COLOR_TABLE_SIZE - 1). */
void brume_color_scale_table(bool is_signed, uint8_t table[BRUME_COLOR_TABLE_SIZE][3]);

/** The position of a value, clamped to 0 at the lower end and 1 at the upper end; NaN counts as the value 0. */
static inline float brume_color_scale_position(const BrumeColorScale *scale, float value)
{
    const float number = value == value ? value : 0.0f;
    const float position = (number - scale->lower) / (scale->upper - scale->lower);
    return position > 0.0f ? (position < 1.0f ? position : 1.0f) : 0.0f;
}

/** Returns the scale that covers two scales of the same quantity: signed where one of them is. */
BrumeColorScale brume_color_scale_of_both(const BrumeColorScale *a, const BrumeColorScale *b);

/** Optical depth along the longest side of a box that is filled with the value at the scale's end. */
#define BRUME_TRANSFER_OPTICAL_DEPTH 60.0f

/** Values closer than this to the transparent position are not visible at all. */
#define BRUME_TRANSFER_THRESHOLD 0.04f

/**
 * Converts values to smoke: writes the densities of four kinds (fields of the grid of `values`), which increase with
 * the distance from the transparent position, and sets the albedos and extinctions of `render_settings` so that the
 * smoke has the scale's colors; other settings are not changed. `longest_side` of the box [m] sets the extinction: a
 * ray through all of it at the scale's end is nearly opaque. Parallel over z-planes.
 */
void brume_apply_transfer_function(const BrumeField *values, const BrumeColorScale *scale, float longest_side,
                                   BrumeField densities[4], BrumeRenderSettings *render_settings);

#endif
