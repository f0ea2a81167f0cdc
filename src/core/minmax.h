/**
 * @file minmax.h
 * The smaller and larger of two integers; floats have fminf and fmaxf.
 */
#ifndef BRUME_CORE_MINMAX_H
#define BRUME_CORE_MINMAX_H

static inline int brume_min_int(int a, int b) { return a < b ? a : b; }
static inline int brume_max_int(int a, int b) { return a > b ? a : b; }

#endif
