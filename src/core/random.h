/**
 * @file random.h
 * Stateless random numbers: a number is the hash of its key (cell or pixel, frame, seed), so it depends neither on the
 * order of evaluation nor on threads. The hash is lowbias32 of Wellons (https://nullprogram.com/blog/2018/07/31/).
 */
#ifndef BRUME_CORE_RANDOM_H
#define BRUME_CORE_RANDOM_H

#include <stdint.h>

/** A hash of one integer. */
static inline uint32_t brume_hash_u32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

/** A hash of three integers. */
static inline uint32_t brume_hash3(uint32_t a, uint32_t b, uint32_t c)
{
    return brume_hash_u32(a ^ brume_hash_u32(b ^ brume_hash_u32(c)));
}

/** A number in [0, 1) from the upper 24 bits of a hash. */
static inline float brume_unit_float(uint32_t hash) { return (float)(hash >> 8) * 0x1p-24f; }

#endif
