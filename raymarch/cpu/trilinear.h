/**
 * @file trilinear.h
 * The blend of eight neighbours that every lookup of the renderer ends in: of one value, and of four side by side.
 */
#ifndef BRUME_RAYMARCH_CPU_TRILINEAR_H
#define BRUME_RAYMARCH_CPU_TRILINEAR_H

#include <stddef.h>
#include <string.h>

/**
 * The value between the eight entries from `a` on: `s1`, `s2`, `s3` are the entries from one neighbour to the next
 * along three axes, `f1`, `f2`, `f3` in [0, 1] the shares of the further neighbours. Axes are blended in that order.
 */
static inline float brume_trilinear(const float *a, ptrdiff_t s1, ptrdiff_t s2, ptrdiff_t s3, float f1, float f2,
                                    float f3)
{
    const float *b = a + s3;
    const float a0 = a[0] + f1 * (a[s1] - a[0]);
    const float a1 = a[s2] + f1 * (a[s2 + s1] - a[s2]);
    const float b0 = b[0] + f1 * (b[s1] - b[0]);
    const float b1 = b[s2] + f1 * (b[s2 + s1] - b[s2]);
    const float near = a0 + f2 * (a1 - a0);
    const float far = b0 + f2 * (b1 - b0);
    return near + f3 * (far - near);
}

/** Four floats that are worked on together. */
typedef float BrumeFloat4 __attribute__((vector_size(16)));

static inline BrumeFloat4 brume_load4(const float *a)
{
    BrumeFloat4 four;
    memcpy(&four, a, sizeof four);
    return four;
}

/** brume_trilinear for four values side by side, with the same bits. */
static inline BrumeFloat4 brume_trilinear4(const float *a, ptrdiff_t s1, ptrdiff_t s2, ptrdiff_t s3, float f1, float f2,
                                           float f3)
{
    const float *b = a + s3;
    const BrumeFloat4 a0 = brume_load4(a) + f1 * (brume_load4(a + s1) - brume_load4(a));
    const BrumeFloat4 a1 = brume_load4(a + s2) + f1 * (brume_load4(a + s2 + s1) - brume_load4(a + s2));
    const BrumeFloat4 b0 = brume_load4(b) + f1 * (brume_load4(b + s1) - brume_load4(b));
    const BrumeFloat4 b1 = brume_load4(b + s2) + f1 * (brume_load4(b + s2 + s1) - brume_load4(b + s2));
    const BrumeFloat4 near = a0 + f2 * (a1 - a0);
    const BrumeFloat4 far = b0 + f2 * (b1 - b0);
    return near + f3 * (far - near);
}

#endif
