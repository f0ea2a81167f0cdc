/**
 * @file simd_wide.h
 * Vectors of sixteen lanes, for kernels on machines with AVX-512. A header of its own, because <immintrin.h> takes the
 * compilers longer than all the other headers of a kernel.
 */
#ifndef BRUME_CORE_PARALLEL_SIMD_WIDE_H
#define BRUME_CORE_PARALLEL_SIMD_WIDE_H

#include "core/parallel/simd.h"

#include <stdbool.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A kernel on BrumeFloat16, which may be called only where brume_has_wide_vectors() is true. The compilers split such
// vectors badly for narrower machines, so every such kernel has a twin of eight lanes with the same bits.
#if defined(__x86_64__)
#define BRUME_WIDE_KERNEL __attribute__((target("avx512f")))
#else
#define BRUME_WIDE_KERNEL
#endif

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
