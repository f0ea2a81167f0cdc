/**
 * @file simd.h
 * Wider vectors where the machine has them. A row kernel marked BRUME_KERNEL is compiled for every x86-64 and again
 * for AVX2; the loader picks one at start-up. Contraction is off and no kernel reassociates, so both give the same
 * bits. Kernels work on whole rows: the call through the loader's table is paid once a row.
 */
#ifndef BRUME_CORE_SIMD_H
#define BRUME_CORE_SIMD_H

// sanitizers' runtimes are not ready when the loader picks
#if defined(__x86_64__) && defined(__linux__) && !defined(BRUME_SANITIZED)
#define BRUME_KERNEL __attribute__((target_clones("avx2", "default")))
#else
#define BRUME_KERNEL
#endif

#endif
