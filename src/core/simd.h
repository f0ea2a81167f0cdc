/**
 * @file simd.h
 * Wider vectors where the machine has them. A row kernel marked BRUME_KERNEL is compiled for every x86-64 and again
 * for AVX2; the loader picks one at start-up. Contraction is off and no kernel reassociates, so both give the same
 * bits. Kernels work on whole rows: the call through the loader's table is paid once a row. Their names, static or not,
 * are unique in the library: clang 14 gives every picker a global name made from its kernel's.
 */
#ifndef BRUME_CORE_SIMD_H
#define BRUME_CORE_SIMD_H

// sanitizers' runtimes are not ready when the loader picks
#if defined(__x86_64__) && defined(__linux__) && !defined(BRUME_SANITIZED)
#define BRUME_KERNEL __attribute__((target_clones("avx2", "default")))
#else
#define BRUME_KERNEL
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

/** Lanes of a vector. */
enum { BRUME_LANES = 8 };

/** Eight floats that are worked on together; compilers make two halves of them where vectors are narrower. */
typedef float BrumeFloat8 __attribute__((vector_size(32)));

/** Eight whole numbers, as many as there are floats. */
typedef int32_t BrumeInt8 __attribute__((vector_size(32)));

/** Half as many. */
typedef int32_t BrumeInt4 __attribute__((vector_size(16)));

/** Two whole numbers of 64 bits. */
typedef int64_t BrumeLong2 __attribute__((vector_size(16)));

/** Eight floats anywhere in memory. */
typedef float BrumeLoose8 __attribute__((vector_size(32), aligned(4)));

/** Eight whole numbers anywhere in memory. */
typedef int32_t BrumeLooseInt8 __attribute__((vector_size(32), aligned(4)));

/** Four pairs of floats, each loaded as one. */
typedef double BrumePairs4 __attribute__((vector_size(32)));

/*
 * The helpers below are part of the kernels that use them, and take vectors by address: as arguments they would have
 * another calling convention in each of a kernel's two versions. Loops over lanes become one instruction each.
 */
#define BRUME_INLINE static inline __attribute__((always_inline))

/** a < b ? a : b, one instruction. */
BRUME_INLINE float brume_lesser(float a, float b) { return a < b ? a : b; }

/** a > b ? a : b, one instruction. */
BRUME_INLINE float brume_greater(float a, float b) { return a > b ? a : b; }

/** Loads eight floats from anywhere. */
BRUME_INLINE void brume_load8(BrumeFloat8 *to, const float *from) { *to = *(const BrumeLoose8 *)from; }

/** Loads eight whole numbers from anywhere. */
BRUME_INLINE void brume_load_ints8(BrumeInt8 *to, const int32_t *from) { *to = *(const BrumeLooseInt8 *)from; }

/** Stores eight whole numbers anywhere. */
BRUME_INLINE void brume_store_ints8(int32_t *to, const BrumeInt8 *from) { *(BrumeLooseInt8 *)to = *from; }

/** Stores eight floats anywhere. */
BRUME_INLINE void brume_store8(float *to, const BrumeFloat8 *from) { *(BrumeLoose8 *)to = *from; }

/** The same float eight times; GCC 12 broadcasts whole numbers, but puts floats together one by one. */
BRUME_INLINE void brume_fill8(BrumeFloat8 *to, float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const BrumeInt8 none = {0};
    *to = (BrumeFloat8)(bits | none);
}

/** a[n] * factor, into `a`. */
BRUME_INLINE void brume_scale8(BrumeFloat8 *a, float factor)
{
    BrumeFloat8 factors;
    brume_fill8(&factors, factor);
    *a = factors * *a;
}

/**
 * a[n] < b[n] ? a[n] : b[n], into `a`. Through arrays, which compilers see through: from comparisons of vectors none
 * makes the one instruction that this is.
 */
BRUME_INLINE void brume_lesser8(BrumeFloat8 *a, const BrumeFloat8 *b)
{
    _Alignas(32) float left[8];
    _Alignas(32) float right[8];
    *(BrumeFloat8 *)left = *a;
    *(BrumeFloat8 *)right = *b;
#pragma GCC unroll 1
    for (int n = 0; n < 8; n++) {
        left[n] = brume_lesser(left[n], right[n]);
    }
    *a = *(BrumeFloat8 *)left;
}

/** a[n] > b[n] ? a[n] : b[n], into `a`. */
BRUME_INLINE void brume_greater8(BrumeFloat8 *a, const BrumeFloat8 *b)
{
    _Alignas(32) float left[8];
    _Alignas(32) float right[8];
    *(BrumeFloat8 *)left = *a;
    *(BrumeFloat8 *)right = *b;
#pragma GCC unroll 1
    for (int n = 0; n < 8; n++) {
        left[n] = brume_greater(left[n], right[n]);
    }
    *a = *(BrumeFloat8 *)left;
}

/** Whether a[n] is a[0] + n. */
BRUME_INLINE int brume_consecutive8(const BrumeInt8 *a)
{
    const BrumeInt8 along = {0, 1, 2, 3, 4, 5, 6, 7};
    const BrumeInt8 off = *a - ((*a)[0] + along);
    const BrumeInt4 folded =
        __builtin_shufflevector(off, off, 0, 1, 2, 3) | __builtin_shufflevector(off, off, 4, 5, 6, 7);
    const BrumeLong2 pairs = (BrumeLong2)folded;
    return (pairs[0] | pairs[1]) == 0;
}

/** |a[n]|, into `a`. */
BRUME_INLINE void brume_abs8(BrumeFloat8 *a) { *a = (BrumeFloat8)((BrumeInt8)*a & INT32_MAX); }

/** The largest whole numbers not above `a`, into `a`. */
BRUME_INLINE void brume_floor8(BrumeFloat8 *a)
{
    _Alignas(32) float lanes[8];
    *(BrumeFloat8 *)lanes = *a;
#pragma GCC unroll 1
    for (int n = 0; n < 8; n++) {
        lanes[n] = floorf(lanes[n]);
    }
    *a = *(BrumeFloat8 *)lanes;
}

BRUME_INLINE double brume_load_pair(const float *pair)
{
    double both;
    memcpy(&both, pair, sizeof both);
    return both;
}

/**
 * Loads the neighbours data[base[n]] and data[base[n] + 1] of eight lanes n into `lower` and `upper`: one 64-bit load a
 * lane instead of two of 32 bits, then two shuffles within halves, for which the lanes are loaded in this order.
 */
BRUME_INLINE void brume_load_pairs(const float *data, const int32_t *base, BrumeFloat8 *lower, BrumeFloat8 *upper)
{
    // NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): callers fill rows in whole eights
    const BrumePairs4 first = {brume_load_pair(data + base[0]), brume_load_pair(data + base[1]),
                               brume_load_pair(data + base[4]), brume_load_pair(data + base[5])};
    const BrumePairs4 second = {brume_load_pair(data + base[2]), brume_load_pair(data + base[3]),
                                brume_load_pair(data + base[6]), brume_load_pair(data + base[7])};
    // NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult)
    const BrumeFloat8 a = (BrumeFloat8)first;
    const BrumeFloat8 b = (BrumeFloat8)second;
    *lower = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    *upper = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

#endif
