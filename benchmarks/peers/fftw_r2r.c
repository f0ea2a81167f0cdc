// Solves the pressure in a closed box with FFTW's cosine transforms: one 3D transform (REDFT10), a division by the
// eigenvalues of the operator, and the inverse transform (REDFT01), in single precision, planned with FFTW_MEASURE.
//     fftw_r2r CELLS THREADS REPEATS [WISDOM]
// WISDOM is a file that stores the plans. Prints a line of CSV (lift_problem.h); the time does not include planning.
#include "core/quantile.h"
#include "lift_problem.h"

#include <fftw3.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_REPEATS = 101 };

static const double pi = 3.14159265358979323846;

static void fill(float *b, int n)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                b[((size_t)k * (size_t)n + (size_t)j) * (size_t)n + (size_t)i] = (float)lift_at(n, false, i, j, k);
            }
        }
    }
}

// a transform and its inverse multiply by 2n along each axis; mode 0 is the mean, which is arbitrary
static void divide_by_eigenvalues(float *x, const float *axis, int n)
{
    const float scale = 1.0f / (8.0f * (float)n * (float)n * (float)n);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            float *row = x + ((size_t)k * (size_t)n + (size_t)j) * (size_t)n;
            const float sum_yz = axis[k] + axis[j];
            for (int i = 0; i < n; i++) {
                row[i] *= scale / (sum_yz + axis[i]);
            }
        }
    }
    x[0] = 0.0f;
}

int main(int argc, char **argv)
{
    const int n = argc >= 4 ? atoi(argv[1]) : 0;
    const int threads = argc >= 4 ? atoi(argv[2]) : 0;
    const int repeats = argc >= 4 ? atoi(argv[3]) : 0;
    const char *wisdom = argc == 5 ? argv[4] : NULL;
    if (n < 8 || n > 1024 || threads < 1 || repeats < 1 || repeats > MAX_REPEATS || argc > 5) {
        (void)fprintf(stderr, "usage: fftw_r2r CELLS THREADS REPEATS [WISDOM]\n");
        return 2;
    }
    omp_set_num_threads(threads);
    if (!fftwf_init_threads()) {
        (void)fprintf(stderr, "fftw_r2r: FFTW cannot start threads\n");
        return 1;
    }
    fftwf_plan_with_nthreads(threads);
    if (wisdom) {
        (void)fftwf_import_wisdom_from_filename(wisdom); // fails in the first run
    }
    float *x = fftwf_alloc_real((size_t)n * (size_t)n * (size_t)n);
    float *axis = fftwf_alloc_real((size_t)n);
    if (!x || !axis) {
        (void)fprintf(stderr, "fftw_r2r: out of memory\n");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        const double half = sin(0.5 * pi * i / n);
        axis[i] = (float)(4.0 * half * half);
    }
    fftwf_plan forward = fftwf_plan_r2r_3d(n, n, n, x, x, FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10, FFTW_MEASURE);
    fftwf_plan inverse = fftwf_plan_r2r_3d(n, n, n, x, x, FFTW_REDFT01, FFTW_REDFT01, FFTW_REDFT01, FFTW_MEASURE);
    if (!forward || !inverse) {
        (void)fprintf(stderr, "fftw_r2r: FFTW has no plan\n");
        return 1;
    }
    if (wisdom && !fftwf_export_wisdom_to_filename(wisdom)) {
        (void)fprintf(stderr, "fftw_r2r: cannot write %s\n", wisdom);
        return 1;
    }
    double ms[MAX_REPEATS];
    for (int repeat = -1; repeat < repeats; repeat++) { // the first one warms up
        fill(x, n);
        const double start = omp_get_wtime();
        fftwf_execute(forward);
        divide_by_eigenvalues(x, axis, n);
        fftwf_execute(inverse);
        ms[repeat < 0 ? 0 : repeat] = 1e3 * (omp_get_wtime() - start);
    }
    const double median = brume_median(ms, repeats);
    (void)printf(LIFT_COLUMNS LIFT_LINE, "fftw r2r", n, "closed", threads, 1, lift_residual(n, false, x, NULL), median,
                 median);
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(inverse);
    fftwf_free(x);
    fftwf_free(axis);
    return 0;
}
