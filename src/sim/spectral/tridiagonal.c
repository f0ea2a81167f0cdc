/*
 * Gaussian elimination (Thomas 1949) of all lines at once. With c_n = 1 / pivot, the pivot of an inner row is
 * 2 + shift - c_{n-1}. For low modes c is close to 1, and the difference cancels. The recurrence is therefore computed
 * for e = 1 - c, with sums and products of positive numbers only:
 *     c_n = 1 / (1 + (shift + e_{n-1})),    e_n = (shift + e_{n-1}) c_n.
 */
#include "sim/spectral/tridiagonal.h"

#include "core/parallel/simd.h"

// elimination of a row: x = (scale b + x of the previous row) c
BRUME_KERNEL static void tridiagonal_eliminate(float *restrict x, const float *restrict previous, float *restrict c,
                                               float *restrict e, const float *restrict shifts, float shift,
                                               float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float remainder = (shifts[i] + shift) + e[i];
        const float inverse = 1.0f / (1.0f + remainder);
        c[i] = inverse;
        e[i] = remainder * inverse;
        x[i] = (scale * x[i] + previous[i]) * inverse;
    }
}

// the last row, whose pivot only an open end adds to: elimination and solution
BRUME_KERNEL static void tridiagonal_solve_last(float *restrict x, const float *restrict previous,
                                                const float *restrict e, const float *restrict shifts, float shift,
                                                float scale, float upper, int count)
{
    for (int i = 0; i < count; i++) {
        const float pivot = ((shifts[i] + shift) + e[i]) + upper;
        const float solution = (scale * x[i] + previous[i]) / (pivot > 0.0f ? pivot : 1.0f);
        x[i] = pivot > 0.0f ? solution : 0.0f;
    }
}

// back substitution of a row
BRUME_KERNEL static void tridiagonal_substitute(float *restrict x, const float *restrict next, const float *restrict c,
                                                int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += c[i] * next[i];
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
    const float *previous = zeros;
    for (int n = 0; n < last; n++) {
        tridiagonal_eliminate(x + stride * n, previous, c + (ptrdiff_t)BRUME_TRIDIAGONAL_LINES * n, e, shifts,
                              system->shift, system->scale, count);
        previous = x + stride * n;
    }
    tridiagonal_solve_last(x + stride * last, previous, e, shifts, system->shift, system->scale, system->upper, count);
    for (int n = last - 1; n >= 0; n--) {
        tridiagonal_substitute(x + stride * n, x + stride * (n + 1), c + (ptrdiff_t)BRUME_TRIDIAGONAL_LINES * n, count);
    }
}
