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

#include <stdint.h>
#include <string.h>

/** Eight floats that are worked on together; compilers make two halves of them where vectors are narrower. */
typedef float BrumeFloat8 __attribute__((vector_size(32)));

/** Four pairs of floats, each loaded as one. */
typedef double BrumePairs4 __attribute__((vector_size(32)));

static inline __attribute__((always_inline)) double brume_load_pair(const float *pair)
{
    double both;
    memcpy(&both, pair, sizeof both);
    return both;
}

/**
 * Loads the neighbours data[base[n]] and data[base[n] + 1] of eight lanes n into `lower` and `upper`: one 64-bit load a
 * lane instead of two of 32 bits, then two shuffles within halves, for which the lanes are loaded in this order.
 */
static inline __attribute__((always_inline)) void brume_load_pairs(const float *data, const int32_t *base,
                                                                   BrumeFloat8 *lower, BrumeFloat8 *upper)
{
    const BrumePairs4 first = {brume_load_pair(data + base[0]), brume_load_pair(data + base[1]),
                               brume_load_pair(data + base[4]), brume_load_pair(data + base[5])};
    const BrumePairs4 second = {brume_load_pair(data + base[2]), brume_load_pair(data + base[3]),
                                brume_load_pair(data + base[6]), brume_load_pair(data + base[7])};
    BrumeFloat8 a;
    BrumeFloat8 b;
    memcpy(&a, &first, sizeof a);
    memcpy(&b, &second, sizeof b);
    *lower = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    *upper = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

#endif
