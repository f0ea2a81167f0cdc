/**
 * @file minmax.h
 * The smaller and larger of two numbers. The functions fmin and fmax of <math.h> may return either zero of fmin(0, -0),
 * and processors and compilers differ; the functions below are exactly specified, and need no call.
 */
#ifndef BRUME_CORE_MINMAX_H
#define BRUME_CORE_MINMAX_H

static inline int brume_min_int(int a, int b) { return a < b ? a : b; }
static inline int brume_max_int(int a, int b) { return a > b ? a : b; }

/** The smaller or larger of two; `b` where both are equal, zeros of any sign included; the other one where one is NaN.
 */
static inline double brume_fmin(double a, double b) { return a < b || b != b ? a : b; }
static inline double brume_fmax(double a, double b) { return a > b || b != b ? a : b; }
static inline float brume_fminf(float a, float b) { return a < b || b != b ? a : b; }
static inline float brume_fmaxf(float a, float b) { return a > b || b != b ? a : b; }

#endif
