#include "raymarch/light/lattice_fit.h"

#include "core/parallel/simd.h"
#include "raymarch/fast_math.h"

#include <string.h>

enum { ROW = 256 }; // entries of scratch

// f - f'' / 12 at the sample `b` between the samples `a` and `c`, limited to their range
static inline float fitted(float a, float b, float c)
{
    const float value = b - (1.0f / 12.0f) * ((a - b) + (c - b));
    const float lowest = brume_min(brume_min(a, c), b);
    const float highest = brume_max(brume_max(a, c), b);
    return brume_clamp(value, lowest, highest);
}

// fits `count` entries of a row; samples[0] is the sample before the first of them
BRUME_KERNEL static void fit_samples(float *restrict out, const float *restrict samples, int count)
{
    for (int n = 0; n < count; n++) {
        out[n] = fitted(samples[n], samples[n + 1], samples[n + 2]);
    }
}

static void fit_row(float *row, int count)
{
    float samples[ROW + 2];
    float last = row[0]; // the sample before the present ones
    for (int from = 1; from + 1 < count; from += ROW) {
        const int block = count - 1 - from < ROW ? count - 1 - from : ROW;
        samples[0] = last;
        memcpy(samples + 1, row + from, (size_t)(block + 1) * sizeof *row);
        last = samples[block];
        fit_samples(row + from, samples, block);
    }
}

// fits a row to the next row and to `previous`, the samples of the row before, which become the samples of this row
BRUME_KERNEL static void fit_between_rows(float *restrict row, float *restrict previous, const float *restrict next,
                                          int count)
{
    for (int n = 0; n < count; n++) {
        const float sample = row[n];
        row[n] = fitted(previous[n], sample, next[n]);
        previous[n] = sample;
    }
}

// fits `count` rows of n1 entries, of which successive ones lie `stride` apart
static void fit_rows(float *rows, int count, int n1, ptrdiff_t stride)
{
    float previous[ROW];
    for (int from = 0; from < n1; from += ROW) {
        const int block = n1 - from < ROW ? n1 - from : ROW;
        memcpy(previous, rows + from, (size_t)block * sizeof *rows);
        for (int n = 1; n + 1 < count; n++) {
            float *row = rows + stride * n + from;
            fit_between_rows(row, previous, row + stride, block);
        }
    }
}

void brume_fit_lattice(float *entries, int n1, int n2, int n3)
{
    const ptrdiff_t s2 = n1;
    const ptrdiff_t s3 = s2 * n2;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n3; k++) {
        for (int j = 0; j < n2; j++) {
            fit_row(entries + s3 * k + s2 * j, n1);
        }
        fit_rows(entries + s3 * k, n2, n1, s2);
    }
#pragma omp parallel for schedule(static)
    for (int j = 0; j < n2; j++) {
        fit_rows(entries + s2 * j, n3, n1, s3);
    }
}
