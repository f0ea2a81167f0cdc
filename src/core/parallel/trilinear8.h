/**
 * @file trilinear8.h
 * Trilinear interpolation at eight points at once, for kernels (core/parallel/simd.h).
 */
#ifndef BRUME_CORE_PARALLEL_TRILINEAR8_H
#define BRUME_CORE_PARALLEL_TRILINEAR8_H

#include "core/parallel/simd.h"

#include <stddef.h>
#include <stdint.h>

// linear interpolation by f between the entries entry[n] and entry[n] + 1 of eight lanes
BRUME_INLINE void brume_blend_pairs8(BrumeFloat8 *value, const float *data, const int32_t *entry, const BrumeFloat8 *f)
{
    BrumeFloat8 lower;
    BrumeFloat8 upper;
    brume_load_pairs(data, entry, &lower, &upper);
    *value = lower + *f * (upper - lower);
}

/**
 * brume_trilinear, with the same bits, at the entries data[entry[n]] of eight lanes n, where entries along the first
 * axis lie side by side: they are loaded as pairs, half the loads of a gather. `s2` and `s3` are the strides along the
 * other axes.
 */
BRUME_INLINE void brume_trilinear8(float *values, const float *data, ptrdiff_t s2, ptrdiff_t s3, const int32_t *entry,
                                   const float *along1, const float *along2, const float *along3)
{
    BrumeFloat8 f1, f2, f3, a0, a1, b0, b1;
    brume_load8(&f1, along1);
    brume_load8(&f2, along2);
    brume_load8(&f3, along3);
    brume_blend_pairs8(&a0, data, entry, &f1);
    brume_blend_pairs8(&a1, data + s2, entry, &f1);
    brume_blend_pairs8(&b0, data + s3, entry, &f1);
    brume_blend_pairs8(&b1, data + s3 + s2, entry, &f1);
    const BrumeFloat8 near = a0 + f2 * (a1 - a0);
    const BrumeFloat8 far = b0 + f2 * (b1 - b0);
    const BrumeFloat8 value = near + f3 * (far - near);
    brume_store8(values, &value);
}

#endif
