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

// A kernel on BrumeFloat16, which may be called only where brume_has_wide_vectors() is true. The compilers split such
// vectors badly for narrower machines, so every such kernel has a twin of eight lanes with the same bits.
#if defined(__x86_64__)
#define BRUME_WIDE_KERNEL __attribute__((target("avx512f")))
#else
#define BRUME_WIDE_KERNEL
#endif

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/** Lanes of a vector. */
enum { BRUME_LANES = 8 };

/** Eight floats; the compiler splits them into two halves where the machine's vectors are narrower. */
typedef float BrumeFloat8 __attribute__((vector_size(32)));

/** Sixteen floats. */
typedef float BrumeFloat16 __attribute__((vector_size(64)));

/** Whether the machine has vectors of sixteen floats (AVX-512). */
static inline bool brume_has_wide_vectors(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return false;
#endif
}

/** Sixteen floats at any address of a float. */
typedef float BrumeUnalignedFloat16 __attribute__((vector_size(64), aligned(4)));

/** Sixteen 32-bit integers. */
typedef int32_t BrumeInt16 __attribute__((vector_size(64)));
typedef uint32_t BrumeUnsigned16 __attribute__((vector_size(64)));

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

/*
 * Helpers of kernels on sixteen lanes. A mask has bit n for lane n.
 */
#define BRUME_WIDE_INLINE static inline __attribute__((always_inline)) BRUME_WIDE_KERNEL

/** Sets all lanes to `value`. */
BRUME_WIDE_INLINE BrumeFloat16 brume_broadcast16(float value)
{
#if defined(__x86_64__)
    return (BrumeFloat16)_mm512_set1_ps(value);
#else
    return value - (BrumeFloat16){0};
#endif
}

/** Loads sixteen floats from any address. */
BRUME_WIDE_INLINE BrumeFloat16 brume_load16(const float *from) { return *(const BrumeUnalignedFloat16 *)from; }

/** Stores sixteen floats to any address. */
BRUME_WIDE_INLINE void brume_store16(float *to, BrumeFloat16 from) { *(BrumeUnalignedFloat16 *)to = from; }

/** brume_min_float in each lane. */
BRUME_WIDE_INLINE BrumeFloat16 brume_min16(BrumeFloat16 a, BrumeFloat16 b)
{
#if defined(__x86_64__)
    return (BrumeFloat16)_mm512_min_ps((__m512)a, (__m512)b);
#else
    for (int n = 0; n < 16; n++) {
        a[n] = brume_min_float(a[n], b[n]);
    }
    return a;
#endif
}

/** brume_max_float in each lane. */
BRUME_WIDE_INLINE BrumeFloat16 brume_max16(BrumeFloat16 a, BrumeFloat16 b)
{
#if defined(__x86_64__)
    return (BrumeFloat16)_mm512_max_ps((__m512)a, (__m512)b);
#else
    for (int n = 0; n < 16; n++) {
        a[n] = brume_max_float(a[n], b[n]);
    }
    return a;
#endif
}

/** Rounds each lane down to an integer. */
BRUME_WIDE_INLINE BrumeFloat16 brume_floor16(BrumeFloat16 a)
{
#if defined(__x86_64__)
    return (BrumeFloat16)_mm512_floor_ps((__m512)a);
#else
    for (int n = 0; n < 16; n++) {
        a[n] = floorf(a[n]);
    }
    return a;
#endif
}

/** The smaller of two integers in each lane. */
BRUME_WIDE_INLINE BrumeInt16 brume_min_ints16(BrumeInt16 a, BrumeInt16 b)
{
#if defined(__x86_64__)
    return (BrumeInt16)_mm512_min_epi32((__m512i)a, (__m512i)b);
#else
    for (int n = 0; n < 16; n++) {
        a[n] = a[n] < b[n] ? a[n] : b[n];
    }
    return a;
#endif
}

/** The lanes where a > b, both as unsigned numbers. */
BRUME_WIDE_INLINE uint32_t brume_above16(BrumeInt16 a, BrumeInt16 b)
{
#if defined(__x86_64__)
    return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
#else
    uint32_t above = 0;
    for (int n = 0; n < 16; n++) {
        above |= (uint32_t)((uint32_t)a[n] > (uint32_t)b[n]) << n;
    }
    return above;
#endif
}

/** The lanes where a is 0. */
BRUME_WIDE_INLINE uint32_t brume_zero16(BrumeInt16 a)
{
#if defined(__x86_64__)
    return _mm512_testn_epi32_mask((__m512i)a, (__m512i)a);
#else
    return ~brume_above16(a, (BrumeInt16){0}) & 0xffff;
#endif
}

/** a - b, which wraps around. */
BRUME_WIDE_INLINE BrumeInt16 brume_difference16(BrumeInt16 a, BrumeInt16 b)
{
    return (BrumeInt16)((BrumeUnsigned16)a - (BrumeUnsigned16)b);
}

/** The smallest lane. */
BRUME_WIDE_INLINE int32_t brume_least_of16(BrumeInt16 a)
{
#if defined(__x86_64__)
    return _mm512_reduce_min_epi32((__m512i)a);
#else
    int32_t least = a[0];
    for (int n = 1; n < 16; n++) {
        least = a[n] < least ? a[n] : least;
    }
    return least;
#endif
}

/** The lanes where a == b. */
BRUME_WIDE_INLINE uint32_t brume_equal16(BrumeFloat16 a, BrumeFloat16 b)
{
#if defined(__x86_64__)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#else
    uint32_t equal = 0;
    for (int n = 0; n < 16; n++) {
        equal |= (uint32_t)(a[n] == b[n]) << n;
    }
    return equal;
#endif
}

/** b in the lanes of the mask, a in the others. */
BRUME_WIDE_INLINE BrumeFloat16 brume_select16(uint32_t mask, BrumeFloat16 a, BrumeFloat16 b)
{
#if defined(__x86_64__)
    return (BrumeFloat16)_mm512_mask_blend_ps((__mmask16)mask, (__m512)a, (__m512)b);
#else
    for (int n = 0; n < 16; n++) {
        a[n] = mask >> n & 1 ? b[n] : a[n];
    }
    return a;
#endif
}

/** Sets `lower` and `upper` to row[index[n]] and row[index[n] + 1]; each index is from 0 to 18. Loads 20 entries. */
BRUME_WIDE_INLINE void brume_load_pairs16(const float *row, BrumeInt16 index, BrumeFloat16 *lower, BrumeFloat16 *upper)
{
#if defined(__x86_64__)
    __m512 entries = _mm512_loadu_ps(row);
    const __m512 rest = _mm512_castps128_ps512(_mm_loadu_ps(row + 16));
    *lower = (BrumeFloat16)_mm512_permutex2var_ps(entries, (__m512i)index, rest);
    __asm__("" : "+v"(entries)); // GCC would load the row again
    *upper = (BrumeFloat16)_mm512_permutex2var_ps(entries, (__m512i)(index + 1), rest);
#else
    for (int n = 0; n < 16; n++) {
        (*lower)[n] = row[index[n]];
        (*upper)[n] = row[index[n] + 1];
    }
#endif
}

#endif
