#include "raymarch/fast_math.h"

#include "core/parallel/simd.h"

BRUME_KERNEL static void exp_row(float *row, float scale, ptrdiff_t count)
{
    for (ptrdiff_t n = 0; n < count; n++) {
        row[n] = brume_fast_exp(scale * row[n]);
    }
}

void brume_fast_exp_row(float *row, float scale, ptrdiff_t count) { exp_row(row, scale, count); }
