#include "raymarch/tone.h"

#include "brume/renderer.h"
#include "core/elementary.h"
#include "core/minmax.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

float brume_tone_curve(BrumeToneCurve curve, float value)
{
    const float x = value > 0.0f ? brume_fminf(value, 1e6f) : 0.0f;
    if (curve == BRUME_TONE_LINEAR) {
        return brume_fminf(x, 1.0f);
    }
    return brume_fminf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 1.0f);
}

float brume_srgb_from_linear(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * brume_powf(linear, 1.0f / 2.4f) - 0.055f;
}

// 255 times the display value, in double precision where the line through its points is computed
static double shown(BrumeToneCurve curve, float value)
{
    return (double)(255.0f * brume_srgb_from_linear(brume_tone_curve(curve, value)));
}

// the lowest value of an interval of the table: an interval has all floats with the same upper bits
static float interval_start(uint32_t interval)
{
    const uint32_t bits = (uint32_t)BRUME_TONE_LOWEST + (interval << BRUME_TONE_SHIFT);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void brume_tone_table_fill(BrumeToneTable *table, BrumeToneCurve curve)
{
    enum { CHECKS = 4 }; // parts of an interval, at whose ends the error is computed
    table->curve = curve;
#pragma omp parallel for schedule(static)
    for (uint32_t n = 0; n < BRUME_TONE_INTERVALS; n++) {
        const float start = interval_start(n);
        const float width = interval_start(n + 1) - start;
        const double first = shown(curve, start);
        const double slope = (shown(curve, start + width) - first) / (double)width;
        table->slope[n] = (float)slope;
        table->offset[n] = (float)(first - slope * (double)start);
        for (int part = 1; part < CHECKS; part++) {
            const float value = start + width * (float)part / CHECKS;
            const double error = (double)(table->offset[n] + table->slope[n] * value) - shown(curve, value);
            // the error between the points is less than twice the error at the nearest of them
            if (!(fabs(error) < 0.5 * (double)BRUME_TONE_ERROR)) {
                table->slope[n] = NAN;
            }
        }
    }
}

float brume_dither(int x, int y)
{
    // the matrix's entry interleaves the bits of x ^ y and y, most significant last
    const unsigned a = (unsigned)(x ^ y);
    const unsigned b = (unsigned)y;
    unsigned entry = 0;
    for (unsigned bit = 0; bit < 3; bit++) {
        entry = entry << 2 | (a >> bit & 1u) << 1 | (b >> bit & 1u);
    }
    return ((float)entry + 0.5f) / 64.0f;
}

enum { DITHER_SIDE = 8 }; // of the matrix

// fewer values than the table has are converted one by one
static bool is_small(const BrumeTonePicture *picture)
{
    return (int64_t)picture->width * picture->height < 4 * BRUME_TONE_INTERVALS;
}

// the display value in [0, 1] of a radiance after exposure
static float shown_value(BrumeToneCurve curve, float value)
{
    return brume_srgb_from_linear(brume_tone_curve(curve, value));
}

// alpha in [0, 1] as an 8-bit value
static uint8_t alpha_byte(float alpha, float dither) { return (uint8_t)brume_fminf(255.0f * alpha + dither, 255.0f); }

static uint16_t quantize_16_bits(float value) { return (uint16_t)(65535.0f * value + 0.5f); }

// Converts the colors of a pixel divided by alpha, and alpha, or the colors alone. `table` is NULL for 16 bits and for
// small pictures.
static void convert_pixel(const BrumeTonePicture *picture, BrumeToneCurve curve, const BrumeToneTable *table,
                          float exposure, size_t pixel, float dither, void *values)
{
    const float alpha = picture->alpha != NULL ? picture->alpha[pixel] : 1.0f;
    const float scale = alpha > 0.0f ? exposure / alpha : 0.0f;
    const size_t first = (picture->alpha != NULL ? 4 : 3) * pixel;
    uint8_t *bytes = values;
    uint16_t *words = values;
    float color[3];
    for (size_t c = 0; c < 3; c++) {
        color[c] = scale * picture->radiance[3 * pixel + c];
    }
    brume_tone_whiten(curve, color);
    for (size_t c = 0; c < 3; c++) {
        if (picture->bits == 16) {
            words[first + c] = quantize_16_bits(shown_value(curve, color[c]));
        } else {
            bytes[first + c] = table != NULL ? brume_tone_table_byte(table, color[c], dither)
                                             : brume_tone_byte(curve, color[c], dither);
        }
    }
    if (picture->alpha != NULL && picture->bits == 16) {
        words[first + 3] = quantize_16_bits(alpha);
    } else if (picture->alpha != NULL) {
        bytes[first + 3] = alpha_byte(alpha, dither);
    }
}

void brume_tone_map_picture(const BrumeRenderSettings *settings, const BrumeTonePicture *picture, void *values)
{
    assert(picture->width > 0 && picture->height > 0);
    const float scale = brume_powf(2.0f, settings->exposure);
    const bool tabulated = picture->bits == 8 && !is_small(picture);
    const int end = picture->columns[1] > 0 ? picture->columns[1] : picture->width;
    BrumeToneTable table;
    if (tabulated) {
        brume_tone_table_fill(&table, settings->tone);
    }
#pragma omp parallel for schedule(static)
    for (int y = 0; y < picture->height; y++) {
        float dithers[DITHER_SIDE];
        for (int x = 0; x < DITHER_SIDE; x++) {
            dithers[x] = brume_dither(x, picture->top + y);
        }
        for (int x = picture->columns[0]; x < end; x++) {
            const size_t pixel = (size_t)y * (size_t)picture->width + (size_t)x;
            convert_pixel(picture, settings->tone, tabulated ? &table : NULL, scale, pixel,
                          dithers[(picture->left + x) % DITHER_SIDE], values);
        }
    }
}

void brume_tone_map(const BrumeRenderSettings *settings, int width, int height, const float *radiance, uint8_t *rgb)
{
    const BrumeTonePicture picture = {.width = width, .height = height, .radiance = radiance, .bits = 8};
    brume_tone_map_picture(settings, &picture, rgb);
}
