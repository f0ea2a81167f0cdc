/**
 * @file tone.h
 * From radiance to 8-bit display values: tone curve, transfer function and dither.
 */
#ifndef BRUME_RAYMARCH_TONE_H
#define BRUME_RAYMARCH_TONE_H

#include "brume/render_settings.h"

#include <stdint.h>

/**
 * Maps one color of a radiance after exposure to [0, 1], monotonically. Filmic: the fit of Narkowicz, "ACES Filmic Tone
 * Mapping Curve", 2015. Negative values and NaN become 0.
 */
float brume_tone_curve(BrumeToneCurve curve, float value);

/** The transfer function of sRGB (IEC 61966-2-1) for a linear value in [0, 1]. */
float brume_srgb_from_linear(float linear);

/**
 * The offset in (0, 1) that is added to the 8-bit value of the pixel (x, y) before truncation: ordered dithering with
 * the 8 x 8 matrix of Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
 */
float brume_dither(int x, int y);

/** A picture to convert for display. */
typedef struct BrumeTonePicture {
    int width, height;
    int left, top;         ///< of its pixels in the whole picture, for the dither
    const float *radiance; ///< height x width x 3
    const float *alpha;    ///< height x width, by which radiance is multiplied; NULL for none
    int bits;              ///< of the result: 8, dithered, or 16, rounded
} BrumeTonePicture;

/**
 * Converts as brume_tone_map, to `values` (height x width x 3 of uint8_t or uint16_t). With alpha there are four values
 * for each pixel: the colors divided by alpha, as PNG files have them, and alpha. Parallel over rows.
 */
void brume_tone_map_picture(const BrumeRenderSettings *settings, const BrumeTonePicture *picture, void *values);

#endif
