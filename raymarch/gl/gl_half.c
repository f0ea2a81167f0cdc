#include "raymarch/gl/gl_half.h"

#include "core/parallel/simd.h"

#include <math.h>
#include <string.h>

// The exponent is biased by 127 in a float and by 15 in a half, whose fraction is 13 bits shorter. Adding one less than
// half of the last remaining bit, plus that bit, rounds to nearest, ties to even.
static inline uint16_t half_of(float value)
{
    const float smallest = 6.103515625e-5f; // 2^-14
    const float largest = 65504.0f;
    uint32_t sign;
    memcpy(&sign, &value, sizeof sign);
    sign = sign >> 16 & 0x8000u;
    const float size = fabsf(value);
    const float normal = size >= smallest ? size : 0.0f;
    const float clamped = normal < largest ? normal : largest;
    uint32_t bits;
    memcpy(&bits, &clamped, sizeof bits);
    const uint32_t rounded = (bits - ((127u - 15u) << 23) + 0xfffu + (bits >> 13 & 1u)) >> 13;
    return (uint16_t)(bits != 0 ? sign | rounded : 0);
}

uint16_t brume_half(float value) { return half_of(value); }

float brume_half_scale(float largest)
{
    int exponent = 0;
    (void)frexpf(largest, &exponent); // largest < 2^exponent
    return largest > 0.0f && largest < INFINITY ? ldexpf(1.0f, 15 - exponent) : 1.0f;
}

BRUME_KERNEL static void pack_half_row(uint16_t *restrict packed, const float *restrict row, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        packed[i] = half_of(scale * row[i]);
    }
}

// the mean of one channel over a block of entries, from (i, j, k) on
static float block_mean(const BrumeGlArrayView *entries, int i, int j, int k, int factor)
{
    const int i_end = i + factor < entries->nx ? i + factor : entries->nx;
    const int j_end = j + factor < entries->ny ? j + factor : entries->ny;
    const int k_end = k + factor < entries->nz ? k + factor : entries->nz;
    float sum = 0.0f;
    for (int bk = k; bk < k_end; bk++) {
        for (int bj = j; bj < j_end; bj++) {
            const float *row = entries->data + entries->sz * bk + entries->sy * bj;
            for (int bi = i; bi < i_end; bi++) {
                sum += row[(ptrdiff_t)entries->channels * bi];
            }
        }
    }
    return sum / (float)((i_end - i) * (j_end - j) * (k_end - k));
}

static void pack_means(uint16_t *packed, const BrumeGlArrayView *entries, int j, int k, int factor)
{
    for (int i = 0; i < entries->nx; i += factor) {
        for (int channel = 0; channel < entries->channels; channel++) {
            BrumeGlArrayView one = *entries;
            one.data += channel;
            *packed++ = half_of(entries->scale * block_mean(&one, i, j, k, factor));
        }
    }
}

void brume_pack_halves(uint16_t *packed, const BrumeGlArrayView *entries, int factor)
{
    const int nx = (entries->nx + factor - 1) / factor;
    const int ny = (entries->ny + factor - 1) / factor;
    const int nz = (entries->nz + factor - 1) / factor;
    const ptrdiff_t row = (ptrdiff_t)entries->channels * nx;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < nz; k++) {
        for (int j = 0; j < ny; j++) {
            uint16_t *to = packed + row * ((ptrdiff_t)k * ny + j);
            if (factor > 1) {
                pack_means(to, entries, j * factor, k * factor, factor);
                continue;
            }
            pack_half_row(to, entries->data + entries->sz * k + entries->sy * j, entries->scale, (int)row);
        }
    }
}
