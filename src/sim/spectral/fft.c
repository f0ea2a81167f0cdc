/*
 * Stockham's self-sorting form of the fast Fourier transform (Cochran et al. 1967), decimation in frequency: with
 * N = r M, a stage transforms r points at distance M, multiplies the t-th result by exp(-2 pi i p t / N) and writes the
 * results side by side, which leaves r interleaved transforms of length M. Butterflies as in Van Loan, Computational
 * Frameworks for the Fast Fourier Transform (SIAM 1992).
 */
#include "sim/spectral/fft.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "sim/spectral/lines.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/** Eight complex numbers. Passed by address only: the calling convention for vectors depends on their width. */
typedef struct Complex8 {
    BrumeFloat8 re, im;
} Complex8;

INLINE void load(Complex8 *z, const float *x)
{
    brume_load8(&z->re, x);
    brume_load8(&z->im, x + 8);
}

INLINE void store(float *y, const Complex8 *z)
{
    brume_store8(y, &z->re);
    brume_store8(y + 8, &z->im);
}

// y = z times the factor at `twiddle`, or z if that is NULL
INLINE void store_rotated(float *y, const Complex8 *z, const float *twiddle)
{
    if (!twiddle) {
        store(y, z);
        return;
    }
    const float c = twiddle[0];
    const float s = twiddle[1];
    const Complex8 rotated = {z->re * c - z->im * s, z->re * s + z->im * c};
    store(y, &rotated);
}

// a + b and a - b
INLINE void sum_and_difference(Complex8 *sum, Complex8 *difference, const Complex8 *a, const Complex8 *b)
{
    *sum = (Complex8){a->re + b->re, a->im + b->im};
    *difference = (Complex8){a->re - b->re, a->im - b->im};
}

// a - i b and a + i b
INLINE void rotate_and_sum(Complex8 *minus, Complex8 *plus, const Complex8 *a, const Complex8 *b)
{
    *minus = (Complex8){a->re + b->im, a->im - b->re};
    *plus = (Complex8){a->re - b->im, a->im + b->re};
}

// Butterflies: inputs at a distance of `input_stride` floats, outputs of `output_stride`; `twiddles` are radix - 1
// factors, or NULL for factors of 1.
INLINE void butterfly_2(float *restrict y, const float *restrict x, ptrdiff_t input_stride, ptrdiff_t output_stride,
                        const float *twiddles)
{
    Complex8 a[2];
    Complex8 z[2];
    load(&a[0], x);
    load(&a[1], x + input_stride);
    sum_and_difference(&z[0], &z[1], &a[0], &a[1]);
    store(y, &z[0]);
    store_rotated(y + output_stride, &z[1], twiddles);
}

INLINE void butterfly_3(float *restrict y, const float *restrict x, ptrdiff_t input_stride, ptrdiff_t output_stride,
                        const float *twiddles)
{
    const float half_root_3 = 0.86602540378443865f;
    Complex8 a[3];
    Complex8 z[3];
    for (int n = 0; n < 3; n++) {
        load(&a[n], x + n * input_stride);
    }
    Complex8 sum;
    Complex8 difference;
    sum_and_difference(&sum, &difference, &a[1], &a[2]);
    z[0] = (Complex8){a[0].re + sum.re, a[0].im + sum.im};
    const Complex8 even = {a[0].re - 0.5f * sum.re, a[0].im - 0.5f * sum.im};
    const Complex8 odd = {half_root_3 * difference.re, half_root_3 * difference.im};
    rotate_and_sum(&z[1], &z[2], &even, &odd);
    store(y, &z[0]);
    store_rotated(y + output_stride, &z[1], twiddles);
    store_rotated(y + 2 * output_stride, &z[2], twiddles ? twiddles + 2 : NULL);
}

INLINE void butterfly_4(float *restrict y, const float *restrict x, ptrdiff_t input_stride, ptrdiff_t output_stride,
                        const float *twiddles)
{
    Complex8 a[4];
    for (int n = 0; n < 4; n++) {
        load(&a[n], x + n * input_stride);
    }
    Complex8 sum_02;
    Complex8 difference_02;
    Complex8 sum_13;
    Complex8 difference_13;
    sum_and_difference(&sum_02, &difference_02, &a[0], &a[2]);
    sum_and_difference(&sum_13, &difference_13, &a[1], &a[3]);
    Complex8 z[4];
    sum_and_difference(&z[0], &z[2], &sum_02, &sum_13);
    rotate_and_sum(&z[1], &z[3], &difference_02, &difference_13);
    store(y, &z[0]);
    store_rotated(y + output_stride, &z[1], twiddles);
    store_rotated(y + 2 * output_stride, &z[2], twiddles ? twiddles + 2 : NULL);
    store_rotated(y + 3 * output_stride, &z[3], twiddles ? twiddles + 4 : NULL);
}

INLINE void butterfly_5(float *restrict y, const float *restrict x, ptrdiff_t input_stride, ptrdiff_t output_stride,
                        const float *twiddles)
{
    const float cos_1 = 0.30901699437494742f; // of 72 degrees and of twice that
    const float cos_2 = -0.80901699437494742f;
    const float sin_1 = 0.95105651629515357f;
    const float sin_2 = 0.58778525229247313f;
    Complex8 a[5];
    for (int n = 0; n < 5; n++) {
        load(&a[n], x + n * input_stride);
    }
    Complex8 sum_14;
    Complex8 difference_14;
    Complex8 sum_23;
    Complex8 difference_23;
    sum_and_difference(&sum_14, &difference_14, &a[1], &a[4]);
    sum_and_difference(&sum_23, &difference_23, &a[2], &a[3]);
    Complex8 z[5];
    z[0] = (Complex8){a[0].re + (sum_14.re + sum_23.re), a[0].im + (sum_14.im + sum_23.im)};
    const Complex8 even_1 = {a[0].re + (cos_1 * sum_14.re + cos_2 * sum_23.re),
                             a[0].im + (cos_1 * sum_14.im + cos_2 * sum_23.im)};
    const Complex8 even_2 = {a[0].re + (cos_2 * sum_14.re + cos_1 * sum_23.re),
                             a[0].im + (cos_2 * sum_14.im + cos_1 * sum_23.im)};
    const Complex8 odd_1 = {sin_1 * difference_14.re + sin_2 * difference_23.re,
                            sin_1 * difference_14.im + sin_2 * difference_23.im};
    const Complex8 odd_2 = {sin_2 * difference_14.re - sin_1 * difference_23.re,
                            sin_2 * difference_14.im - sin_1 * difference_23.im};
    rotate_and_sum(&z[1], &z[4], &even_1, &odd_1);
    rotate_and_sum(&z[2], &z[3], &even_2, &odd_2);
    store(y, &z[0]);
    for (int t = 1; t < 5; t++) {
        store_rotated(y + t * output_stride, &z[t], twiddles ? twiddles + (ptrdiff_t)2 * (t - 1) : NULL);
    }
}

// One stage for each radix: `count` groups of `stride` butterflies; the factors of the first group are 1.
#define STAGE(radix)                                                                                                   \
    BRUME_KERNEL static void fft_stage_##radix(float *restrict y, const float *restrict x, const float *twiddles,      \
                                               int count, int stride)                                                  \
    {                                                                                                                  \
        const ptrdiff_t output_stride = (ptrdiff_t)BRUME_LINE_BLOCK * stride;                                          \
        const ptrdiff_t input_stride = output_stride * count;                                                          \
        for (int q = 0; q < stride; q++) {                                                                             \
            butterfly_##radix(y + (ptrdiff_t)BRUME_LINE_BLOCK * q, x + (ptrdiff_t)BRUME_LINE_BLOCK * q, input_stride,  \
                              output_stride, NULL);                                                                    \
        }                                                                                                              \
        for (int p = 1; p < count; p++) {                                                                              \
            const float *from = x + output_stride * p;                                                                 \
            float *to = y + output_stride * (radix)*p;                                                                 \
            const float *twiddle = twiddles + (ptrdiff_t)2 * ((radix)-1) * p;                                          \
            for (int q = 0; q < stride; q++) {                                                                         \
                butterfly_##radix(to + (ptrdiff_t)BRUME_LINE_BLOCK * q, from + (ptrdiff_t)BRUME_LINE_BLOCK * q,        \
                                  input_stride, output_stride, twiddle);                                               \
            }                                                                                                          \
        }                                                                                                              \
    }

STAGE(2)
STAGE(3)
STAGE(4)
STAGE(5)

static int pick_radix(int length)
{
    return length % 4 == 0 ? 4 : length % 2 == 0 ? 2 : length % 3 == 0 ? 3 : length % 5 == 0 ? 5 : 0;
}

bool brume_fft_supports(int length)
{
    while (length > 1) {
        const int radix = pick_radix(length);
        if (radix == 0) {
            return false;
        }
        length /= radix;
    }
    return length == 1;
}

// the factors of a stage that divides transforms of `length`; the factors of a group are contiguous
static void fill_twiddles(float *twiddles, int length, int radix)
{
    for (int p = 0; p < length / radix; p++) {
        for (int t = 1; t < radix; t++) {
            const double angle = -2.0 * 3.14159265358979323846 * p * t / length;
            *twiddles++ = (float)brume_cos(angle);
            *twiddles++ = (float)brume_sin(angle);
        }
    }
}

BrumeStatus brume_fft_create(BrumeFft *fft, int length, BrumeError *error)
{
    *fft = (BrumeFft){.length = length};
    int stride = 1;
    for (int rest = length; rest > 1;) {
        const int radix = pick_radix(rest);
        const int count = rest / radix; // NOLINT(clang-analyzer-core.DivideZero): a supported length has a radix
        fft->stages[fft->stage_count++] =
            (BrumeFftStage){.radix = radix, .count = count, .stride = stride, .twiddles = fft->twiddle_floats};
        fft->twiddle_floats += 2 * (size_t)count * (size_t)(radix - 1);
        stride *= radix;
        rest = count;
    }
    fft->twiddles = brume_alloc(fft->twiddle_floats + 1, sizeof *fft->twiddles);
    if (!fft->twiddles) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    for (int n = 0; n < fft->stage_count; n++) {
        const BrumeFftStage *stage = &fft->stages[n];
        fill_twiddles(fft->twiddles + stage->twiddles, stage->count * stage->radix, stage->radix);
    }
    return BRUME_OK;
}

void brume_fft_destroy(BrumeFft *fft)
{
    brume_free(fft->twiddles);
    *fft = (BrumeFft){0};
}

size_t brume_fft_bytes(const BrumeFft *fft) { return fft->twiddle_floats * sizeof *fft->twiddles; }

float *brume_fft_run(const BrumeFft *fft, float *x, float *y)
{
    for (int n = 0; n < fft->stage_count; n++) {
        const BrumeFftStage *stage = &fft->stages[n];
        const float *twiddles = fft->twiddles + stage->twiddles;
        switch (stage->radix) {
        case 2:
            fft_stage_2(y, x, twiddles, stage->count, stage->stride);
            break;
        case 3:
            fft_stage_3(y, x, twiddles, stage->count, stage->stride);
            break;
        case 4:
            fft_stage_4(y, x, twiddles, stage->count, stage->stride);
            break;
        default:
            fft_stage_5(y, x, twiddles, stage->count, stage->stride);
            break;
        }
        float *result = y;
        y = x;
        x = result;
    }
    return x;
}
