// A half has 1 bit of sign, 5 of exponent (biased by 15) and 10 of fraction; a float has 1, 8 (biased by 127) and 23.
#include "core/half.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint16_t brume_half_of_float(float value)
{
    const uint32_t bits = bits_of(value);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) { // NaN
        return (uint16_t)(sign | 0x7e00u);
    }
    if (magnitude >= 0x477ff000u) { // 65520, half-way between the largest half and 2^16
        return (uint16_t)(sign | 0x7c00u);
    }
    if (magnitude < 0x38800000u) { // below 2^-14: multiples of 2^-24, to which the addition of 0.5 rounds
        return (uint16_t)(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
    }
    const uint32_t odd = magnitude >> 13 & 1u;
    return (uint16_t)(sign | (magnitude - ((127u - 15u) << 23) + 0xfffu + odd) >> 13);
}

float brume_float_of_half(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) { // infinity, NaN
        return float_of(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    }
    if (magnitude < 0x400u) { // a multiple of 2^-24
        return float_of(sign | bits_of((float)magnitude * 0x1p-24f));
    }
    return float_of(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
}
