/**
 * @file tone.h
 * From radiance to 8-bit display values: tone curve, transfer function and dither.
 */
#ifndef BRUME_RAYMARCH_TONE_H
#define BRUME_RAYMARCH_TONE_H

#include "brume/render_settings.h"
#include "core/minmax.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/** By how much a color approaches white for each unit that its largest component is above 1. */
#define BRUME_TONE_WHITENING 0.0005f

/**
 * Maps one color of a radiance after exposure to [0, 1], monotonically. Filmic: the fit of Narkowicz, "ACES Filmic Tone
 * Mapping Curve", 2015. Negative values and NaN become 0.
 */
float brume_tone_curve(BrumeToneCurve curve, float value);

/**
 * What precedes the filmic curve for a color (after exposure) with a component above 1: it approaches white of its
 * largest component p, by the share 1 - 1 / (1 + BRUME_TONE_WHITENING (p - 1)) of the way, as very bright light does on
 * film and for the eye; the curve alone would turn flames to pure yellow (Khronos, "PBR Neutral Tone Mapper", 2024,
 * does so behind its curve). Other colors, and all with the linear curve, keep their bits.
 */
static inline void brume_tone_whiten(BrumeToneCurve curve, float color[3])
{
    const float peak = brume_fminf(brume_fmaxf(color[0], brume_fmaxf(color[1], color[2])), 1e6f);
    if (curve == BRUME_TONE_FILMIC && peak > 1.0f) {
        const float kept = 1.0f / (1.0f + BRUME_TONE_WHITENING * (peak - 1.0f));
        for (int c = 0; c < 3; c++) {
            color[c] = peak + kept * (brume_fminf(brume_fmaxf(color[c], 0.0f), peak) - peak);
        }
    }
}

/** The transfer function of sRGB (IEC 61966-2-1) for a linear value in [0, 1]. */
float brume_srgb_from_linear(float linear);

/*
 * Tone curve, transfer function and dither for many values, by a table: the same bytes as by the functions above, most
 * of them without a power.
 *
 * The table interpolates 255 times the display value linearly between points that divide each octave evenly. Its error
 * is below BRUME_TONE_ERROR: where it is larger between two points, at kinks of the curve, that interval is marked. A
 * byte is the integer part of the value plus dither, so the table gives the byte of the exact functions unless the sum
 * is within that error of an integer; then, in marked intervals and outside the table, they are evaluated.
 */

/** Largest error of the table, of 255 times the display value. */
#define BRUME_TONE_ERROR (1.0f / 256.0f)

enum {
    BRUME_TONE_SHIFT = 16, ///< bits of a float below its interval: 128 intervals in an octave
    BRUME_TONE_OCTAVES = 16,
    BRUME_TONE_LOWEST = (127 - 10) << 23, ///< bits of 2^-10, where the table begins; it ends at 2^6
    BRUME_TONE_INTERVALS = BRUME_TONE_OCTAVES << (23 - BRUME_TONE_SHIFT),
};

/** A line for each interval: value = offset + slope * x; NaN marks an interval. */
typedef struct BrumeToneTable {
    BrumeToneCurve curve;
    float offset[BRUME_TONE_INTERVALS], slope[BRUME_TONE_INTERVALS];
} BrumeToneTable;

/** Fills a table for one curve. Parallel over intervals. */
void brume_tone_table_fill(BrumeToneTable *table, BrumeToneCurve curve);

/** The 8-bit value of one color of a radiance after exposure, with a dither of brume_dither, by the exact functions. */
static inline uint8_t brume_tone_byte(BrumeToneCurve curve, float value, float dither)
{
    const float shown = brume_srgb_from_linear(brume_tone_curve(curve, value));
    return (uint8_t)brume_fminf(255.0f * shown + dither, 255.0f);
}

/** brume_tone_byte by the table, with the same result. */
static inline uint8_t brume_tone_table_byte(const BrumeToneTable *table, float value, float dither)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t interval = (bits - (uint32_t)BRUME_TONE_LOWEST) >> BRUME_TONE_SHIFT; // large below, and if negative
    if (interval < BRUME_TONE_INTERVALS) {
        const float sum = table->offset[interval] + table->slope[interval] * value + dither;
        // not for NaN; both bounds are below 256, because dither is at most 1 - 1/128
        if (sum >= BRUME_TONE_ERROR) {
            const int whole = (int)(sum - BRUME_TONE_ERROR);
            if (whole == (int)(sum + BRUME_TONE_ERROR)) {
                return (uint8_t)whole;
            }
        }
    }
    return brume_tone_byte(table->curve, value, dither);
}

/** 255 times the display value of one color of a radiance after exposure. */
static inline float brume_tone_table_value(const BrumeToneTable *table, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t interval = (bits - (uint32_t)BRUME_TONE_LOWEST) >> BRUME_TONE_SHIFT;
    const float shown =
        interval < BRUME_TONE_INTERVALS ? table->offset[interval] + table->slope[interval] * value : NAN;
    return shown == shown ? shown : 255.0f * brume_srgb_from_linear(brume_tone_curve(table->curve, value));
}

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
    int columns[2];        ///< the columns from the first on and before the second are converted; 0, 0: all
} BrumeTonePicture;

/**
 * Converts as brume_tone_map, to `values` (height x width x 3 of uint8_t or uint16_t). With alpha there are four values
 * for each pixel: the colors divided by alpha, as PNG files have them, and alpha. Parallel over rows.
 */
void brume_tone_map_picture(const BrumeRenderSettings *settings, const BrumeTonePicture *picture, void *values);

#endif
