#include "raymarch/tone.h"

#include "brume/renderer.h"
#include "core/elementary.h"
#include "core/minmax.h"

#include <assert.h>
#include <math.h>

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

// a value in [0, 1] as the n-th number of a picture; 16 bits need no dither
static void store(void *values, size_t n, int bits, float value, float dither)
{
    if (bits == 16) {
        ((uint16_t *)values)[n] = (uint16_t)(65535.0f * value + 0.5f);
    } else {
        ((uint8_t *)values)[n] = (uint8_t)brume_fminf(255.0f * value + dither, 255.0f);
    }
}

void brume_tone_map_picture(const BrumeRenderSettings *settings, const BrumeTonePicture *picture, void *values)
{
    assert(picture->width > 0 && picture->height > 0);
    const float scale = brume_powf(2.0f, settings->exposure);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < picture->height; y++) {
        for (int x = 0; x < picture->width; x++) {
            const float dither = brume_dither(picture->left + x, picture->top + y);
            const size_t pixel = (size_t)y * (size_t)picture->width + (size_t)x;
            const float alpha = picture->alpha != NULL ? picture->alpha[pixel] : 1.0f;
            const float share = alpha > 0.0f ? scale / alpha : 0.0f;
            const size_t first = (picture->alpha != NULL ? 4 : 3) * pixel;
            for (size_t c = 0; c < 3; c++) {
                const float radiance = picture->radiance[3 * pixel + c];
                const float shown = brume_srgb_from_linear(brume_tone_curve(settings->tone, share * radiance));
                store(values, first + c, picture->bits, shown, dither);
            }
            if (picture->alpha != NULL) {
                store(values, first + 3, picture->bits, alpha, dither);
            }
        }
    }
}

void brume_tone_map(const BrumeRenderSettings *settings, int width, int height, const float *radiance, uint8_t *rgb)
{
    const BrumeTonePicture picture = {.width = width, .height = height, .radiance = radiance, .bits = 8};
    brume_tone_map_picture(settings, &picture, rgb);
}
