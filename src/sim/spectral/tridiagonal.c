/*
 * Gaussian elimination (Thomas 1949), all lines side by side. With c_n = 1 / pivot the pivot of an inner row is
 * 2 + shift - c_{n-1}. Low modes have c close to 1, so that this difference loses their digits; what is carried
 * along instead is e = 1 - c, which obeys a recurrence of sums and products of positive numbers:
 *     c_n = 1 / (1 + (shift + e_{n-1})),    e_n = (shift + e_{n-1}) c_n.
 */
#include "sim/spectral/tridiagonal.h"

#include "core/simd.h"

// a row on the way up: x = (scale b + x of the row before) c
BRUME_KERNEL static void tridiagonal_eliminate(float *restrict x, const float *restrict before, float *restrict c,
                                               float *restrict e, const float *restrict shifts, float shift,
                                               float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float rest = (shifts[i] + shift) + e[i];
        const float inverse = 1.0f / (1.0f + rest);
        c[i] = inverse;
        e[i] = rest * inverse;
        x[i] = (scale * x[i] + before[i]) * inverse;
    }
}

// the last row, where only an open end adds to the pivot
BRUME_KERNEL static void tridiagonal_turn(float *restrict x, const float *restrict before, const float *restrict e,
                                          const float *restrict shifts, float shift, float scale, float upper,
                                          int count)
{
    for (int i = 0; i < count; i++) {
        const float pivot = ((shifts[i] + shift) + e[i]) + upper;
        const float solution = (scale * x[i] + before[i]) / (pivot > 0.0f ? pivot : 1.0f);
        x[i] = pivot > 0.0f ? solution : 0.0f;
    }
}

// a row on the way down
BRUME_KERNEL static void tridiagonal_substitute(float *restrict x, const float *restrict above, const float *restrict c,
                                                int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += c[i] * above[i];
    }
}

void brume_tridiagonal_solve(const BrumeTridiagonal *system, float *x, ptrdiff_t stride, const float *shifts, int count,
                             float *work)
{
    static const float zeros[BRUME_TRIDIAGONAL_LINES];
    const int last = system->length - 1;
    float *e = work;
    float *c = work + BRUME_TRIDIAGONAL_LINES; // of each row
    for (int i = 0; i < count; i++) {
        e[i] = system->lower;
    }
    const float *before = zeros;
    for (int n = 0; n < last; n++) {
        tridiagonal_eliminate(x + stride * n, before, c + (ptrdiff_t)BRUME_TRIDIAGONAL_LINES * n, e, shifts,
                              system->shift, system->scale, count);
        before = x + stride * n;
    }
    tridiagonal_turn(x + stride * last, before, e, shifts, system->shift, system->scale, system->upper, count);
    for (int n = last - 1; n >= 0; n--) {
        tridiagonal_substitute(x + stride * n, x + stride * (n + 1), c + (ptrdiff_t)BRUME_TRIDIAGONAL_LINES * n, count);
    }
}
