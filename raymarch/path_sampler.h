/**
 * @file path_sampler.h
 * The random numbers of one light path. Decisions that every path takes in the same order (the point in the pixel, the
 * directions of the first scatterings) use Sobol' points with hashed Owen scrambling, which are spread more evenly than
 * independent numbers; tracking, whose number of decisions varies, uses hashes. All numbers are functions of pixel,
 * seed and index of the path, so they depend neither on threads nor on the order of evaluation.
 *
 * Sources: Burley, "Practical Hash-based Owen Scrambling", Journal of Computer Graphics Techniques 9(4), 2020: shuffled
 * indices, and independently scrambled pairs of the first two Sobol' dimensions. The hash is by Laine and Karras with
 * the constants of Vegdahl (https://psychopath.io/post/2021_01_30_building_a_better_lk_hash).
 */
#ifndef BRUME_RAYMARCH_PATH_SAMPLER_H
#define BRUME_RAYMARCH_PATH_SAMPLER_H

#include "core/random.h"

#include <stdint.h>

/** The numbers of one path. */
typedef struct BrumePathSampler {
    uint32_t key;       ///< of the pixel and the seed
    uint32_t index;     ///< of the path in its pixel
    uint32_t dimension; ///< of the next pair
    uint32_t stream;    ///< counter of the hashes
    float time;         ///< at which the path is taken, from the middle of the shutter's opening [s]
} BrumePathSampler;

/** Two numbers in [0, 1). */
typedef struct BrumePair {
    float u, v;
} BrumePair;

/** The random numbers of the path number `index` through the pixel (x, y). */
static inline BrumePathSampler brume_path_sampler(uint32_t x, uint32_t y, uint32_t seed, uint32_t index)
{
    const uint32_t key = brume_hash3(x, y, seed);
    return (BrumePathSampler){key, index, 0, brume_hash_u32(key ^ brume_hash_u32(index + 0x9e3779b9u)), 0.0f};
}

static inline uint32_t brume_reverse_bits(uint32_t x)
{
    x = (x >> 16) | (x << 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

/** Owen scrambling: every bit of `x` is flipped by a hash of the bits above it and of `seed`. */
static inline uint32_t brume_owen_scramble(uint32_t x, uint32_t seed)
{
    x = brume_reverse_bits(x);
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return brume_reverse_bits(x);
}

/**
 * The second dimension of the Sobol' sequence; the first is brume_reverse_bits. The generator matrix is Pascal's
 * triangle modulo 2: bit j of the product is the sum of the bits k of the index whose binary digits contain the digits
 * of j (Lucas), and such sums over supersets are those over the five binary digits of k, one after the other.
 */
static inline uint32_t brume_sobol_second(uint32_t index)
{
    index ^= (index & 0xaaaaaaaau) >> 1;
    index ^= (index & 0xccccccccu) >> 2;
    index ^= (index & 0xf0f0f0f0u) >> 4;
    index ^= (index & 0xff00ff00u) >> 8;
    index ^= index >> 16;
    return brume_reverse_bits(index);
}

/** The next pair of well-distributed numbers. */
static inline BrumePair brume_path_pair(BrumePathSampler *sampler)
{
    const uint32_t seed = brume_hash_u32(sampler->key + 0x9e3779b9u * ++sampler->dimension);
    const uint32_t index = brume_owen_scramble(sampler->index, seed);
    const uint32_t u = brume_owen_scramble(brume_reverse_bits(index), brume_hash_u32(seed ^ 0x68bc21ebu));
    const uint32_t v = brume_owen_scramble(brume_sobol_second(index), brume_hash_u32(seed ^ 0x02e5be93u));
    return (BrumePair){brume_unit_float(u), brume_unit_float(v)};
}

/** The next independent number in [0, 1). */
static inline float brume_path_number(BrumePathSampler *sampler)
{
    sampler->stream += 0x9e3779b9u;
    return brume_unit_float(brume_hash_u32(sampler->stream));
}

#endif
