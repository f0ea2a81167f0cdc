/**
 * @file simd.h
 * Vectors of eight lanes and run-time selection of the instruction set. A row kernel marked BRUME_KERNEL is compiled
 * twice, for baseline x86-64 and for AVX2; the dynamic loader selects one version at start-up. Floating-point
 * contraction is off and no kernel reassociates, so both versions give the same bits. A kernel works on a whole row,
 * because the indirect call to the selected version has a cost per call. Kernel names, static or not, must be unique in
 * the library: clang 14 derives the global name of each selector function from the name of its kernel.
 */
#ifndef BRUME_CORE_PARALLEL_SIMD_H
#define BRUME_CORE_PARALLEL_SIMD_H

// The run-time libraries of the sanitizers are not initialized yet when the loader selects.
#if defined(__x86_64__) && defined(__linux__) && !defined(BRUME_SANITIZED)
#define BRUME_KERNEL __attribute__((target_clones("avx2", "default")))
// the same with a third version for AVX-512: plain loops over arrays, which its masks and registers make faster
#define BRUME_STREAM_KERNEL __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BRUME_KERNEL
#define BRUME_STREAM_KERNEL
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

/** Lanes of a vector. */
enum { BRUME_LANES = 8 };

/** Eight floats; the compiler splits them into two halves where the machine's vectors are narrower. */
typedef float BrumeFloat8 __attribute__((vector_size(32)));

/** Eight 32-bit integers. */
typedef int32_t BrumeInt8 __attribute__((vector_size(32)));

/** Four 32-bit integers. */
typedef int32_t BrumeInt4 __attribute__((vector_size(16)));

/** Four floats, also at any address of a float; four doubles; four 64-bit integers. */
typedef float BrumeFloat4 __attribute__((vector_size(16)));
typedef float BrumeUnalignedFloat4 __attribute__((vector_size(16), aligned(4)));
typedef double BrumeDouble4 __attribute__((vector_size(32)));
typedef int64_t BrumeLong4 __attribute__((vector_size(32)));

/** Two 64-bit integers. */
typedef int64_t BrumeLong2 __attribute__((vector_size(16)));

/** Eight floats at any address of a float. */
typedef float BrumeUnalignedFloat8 __attribute__((vector_size(32), aligned(4)));

/** Eight 32-bit integers at any address of an integer. */
typedef int32_t BrumeUnalignedInt8 __attribute__((vector_size(32), aligned(4)));

/** Four pairs of floats, each pair loaded as one 64-bit value. */
typedef double BrumePairs4 __attribute__((vector_size(32)));

/*
 * The helpers below are inlined into the kernels that use them. They take vectors by address, because the calling
 * convention of a vector argument differs between the two versions of a kernel. Each loop over lanes compiles to one
 * instruction.
 */
#define BRUME_INLINE static inline __attribute__((always_inline))

/** a < b ? a : b, the semantics of one minss instruction: the second operand where neither is smaller. */
BRUME_INLINE float brume_min_float(float a, float b) { return a < b ? a : b; }

/** a > b ? a : b, the semantics of one maxss instruction: the second operand where neither is larger. */
BRUME_INLINE float brume_max_float(float a, float b) { return a > b ? a : b; }

/** Loads eight floats from any address. */
BRUME_INLINE void brume_load8(BrumeFloat8 *to, const float *from) { *to = *(const BrumeUnalignedFloat8 *)from; }

/** Loads eight integers from any address. */
BRUME_INLINE void brume_load_ints8(BrumeInt8 *to, const int32_t *from) { *to = *(const BrumeUnalignedInt8 *)from; }

/** Stores eight integers to any address. */
BRUME_INLINE void brume_store_ints8(int32_t *to, const BrumeInt8 *from) { *(BrumeUnalignedInt8 *)to = *from; }

/** Stores eight floats to any address. */
BRUME_INLINE void brume_store8(float *to, const BrumeFloat8 *from) { *(BrumeUnalignedFloat8 *)to = *from; }

/** Sets all lanes to `value`. GCC 12 broadcasts integers in one instruction, but inserts floats lane by lane. */
BRUME_INLINE void brume_broadcast8(BrumeFloat8 *to, float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const BrumeInt8 zeros = {0};
    *to = (BrumeFloat8)(bits | zeros);
}

/** Multiplies each lane of `a` by `factor`. */
BRUME_INLINE void brume_scale8(BrumeFloat8 *a, float factor)
{
    BrumeFloat8 factors;
    brume_broadcast8(&factors, factor);
    *a = factors * *a;
}

/**
 * a[n] = brume_min_float(a[n], b[n]) in each lane. The values pass through arrays, which the compilers remove again:
 * neither GCC nor clang compiles a vector comparison and selection to the single instruction for a minimum.
 */
BRUME_INLINE void brume_min8(BrumeFloat8 *a, const BrumeFloat8 *b)
{
    _Alignas(32) float left[8];
    _Alignas(32) float right[8];
    *(BrumeFloat8 *)left = *a;
    *(BrumeFloat8 *)right = *b;
#pragma GCC unroll 1
    for (int n = 0; n < 8; n++) {
        left[n] = brume_min_float(left[n], right[n]);
    }
    *a = *(BrumeFloat8 *)left;
}

/** a[n] = brume_max_float(a[n], b[n]) in each lane, in the same way. */
BRUME_INLINE void brume_max8(BrumeFloat8 *a, const BrumeFloat8 *b)
{
    _Alignas(32) float left[8];
    _Alignas(32) float right[8];
    *(BrumeFloat8 *)left = *a;
    *(BrumeFloat8 *)right = *b;
#pragma GCC unroll 1
    for (int n = 0; n < 8; n++) {
        left[n] = brume_max_float(left[n], right[n]);
    }
    *a = *(BrumeFloat8 *)left;
}

/** Requests a row of `count` floats, which a loop over rows reads soon, from the memory. */
BRUME_INLINE void brume_prefetch_row(const float *row, int count)
{
    enum { FLOATS_PER_LINE = 16 };
    for (int n = 0; n < count; n += FLOATS_PER_LINE) {
        __builtin_prefetch(row + n);
    }
}

/** Whether a[n] == a[0] + n in every lane. */
BRUME_INLINE int brume_consecutive8(const BrumeInt8 *a)
{
    const BrumeInt8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    const BrumeInt8 difference = *a - ((*a)[0] + lanes);
    const BrumeInt4 folded = __builtin_shufflevector(difference, difference, 0, 1, 2, 3) |
                             __builtin_shufflevector(difference, difference, 4, 5, 6, 7);
    const BrumeLong2 pairs = (BrumeLong2)folded;
    return (pairs[0] | pairs[1]) == 0;
}

/** The lanes of a mask, whose lanes are -1 or 0, as bits. */
BRUME_INLINE unsigned brume_lanes_of(const BrumeInt8 *mask)
{
    const BrumeInt8 lanes = *mask & (BrumeInt8){1, 2, 4, 8, 16, 32, 64, 128};
    const BrumeInt4 halves =
        __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3) | __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7);
    const BrumeLong2 pairs = (BrumeLong2)halves;
    const uint64_t pair = (uint64_t)(pairs[0] | pairs[1]);
    return (unsigned)pair | (unsigned)(pair >> 32);
}

/** Rounds each lane of `a` down to an integer. */
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
 * Loads the adjacent entries data[offset[n]] and data[offset[n] + 1] of eight lanes n into `lower` and `upper`: one
 * 64-bit load per lane instead of two 32-bit loads, then two shuffles within the vector halves, for which the lanes are
 * loaded in this order.
 */
BRUME_INLINE void brume_load_pairs(const float *data, const int32_t *offset, BrumeFloat8 *lower, BrumeFloat8 *upper)
{
    // NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): callers fill whole vectors of offsets
    const BrumePairs4 first = {brume_load_pair(data + offset[0]), brume_load_pair(data + offset[1]),
                               brume_load_pair(data + offset[4]), brume_load_pair(data + offset[5])};
    const BrumePairs4 second = {brume_load_pair(data + offset[2]), brume_load_pair(data + offset[3]),
                                brume_load_pair(data + offset[6]), brume_load_pair(data + offset[7])};
    // NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult)
    const BrumeFloat8 a = (BrumeFloat8)first;
    const BrumeFloat8 b = (BrumeFloat8)second;
    *lower = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    *upper = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

#endif
