/**
 * @file tone.h
 * From radiance to what a display is sent.
 */
#ifndef BRUME_RAYMARCH_TONE_H
#define BRUME_RAYMARCH_TONE_H

#include "brume/render_settings.h"

/**
 * One color of a scaled radiance to [0, 1], rising throughout. Filmic: the fit of Narkowicz, "ACES Filmic Tone Mapping
 * Curve", 2015. Negative values and NaN become 0.
 */
float brume_tone_curve(BrumeToneCurve curve, float value);

/** The transfer function of sRGB (IEC 61966-2-1) for a linear value in [0, 1]. */
float brume_srgb_from_linear(float linear);

/** Offset in (0, 1) by which the pixel (x, y) is dithered: the 8 x 8 matrix of Bayer 1973, centred. */
float brume_dither(int x, int y);

#endif
