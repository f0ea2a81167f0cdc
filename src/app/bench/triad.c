#include "app/bench/triad.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"

enum { LEAST_PASSES = 10, MOST_PASSES = 2000 };

static const double least_seconds = 0.05; // of all passes, so that small arrays are measured as surely

size_t brume_triad_array(size_t last_cache)
{
    const size_t least = (size_t)64 << 20;
    const size_t most = brume_physical_memory() / 12;
    const size_t wanted = 4 * last_cache > least ? 4 * last_cache : least;
    return most > 0 && wanted > most ? most : wanted;
}

static double pass(double *restrict a, const double *restrict b, const double *restrict c, ptrdiff_t entries)
{
    const double scale = 3.0;
    const double start = brume_seconds();
#pragma omp parallel for schedule(static)
    for (ptrdiff_t i = 0; i < entries; i++) {
        a[i] = b[i] + scale * c[i];
    }
    return brume_seconds() - start;
}

BrumeStatus brume_measure_triad(int threads, size_t array, double *rate, BrumeError *error)
{
    const ptrdiff_t entries = (ptrdiff_t)(array / sizeof(double));
    double *a = brume_alloc_untouched((size_t)entries, sizeof *a);
    double *b = brume_alloc_untouched((size_t)entries, sizeof *b);
    double *c = brume_alloc_untouched((size_t)entries, sizeof *c);
    BrumeStatus status = BRUME_OK;
    if (!a || !b || !c) {
        status = brume_fail(error, BRUME_FAILED, "out of memory for the triad's arrays");
        goto cleanup;
    }
    brume_set_threads(threads);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t i = 0; i < entries; i++) {
        a[i] = 0.0;
        b[i] = 1.0;
        c[i] = 2.0;
    }
    double best = 0.0;
    double all = 0.0;
    for (int n = 0; n < LEAST_PASSES || (all < least_seconds && n < MOST_PASSES); n++) {
        const double seconds = pass(a, b, c, entries);
        best = n == 0 || seconds < best ? seconds : best;
        all += seconds;
    }
    *rate = 3.0 * sizeof(double) * (double)entries / best;
cleanup:
    brume_free(a);
    brume_free(b);
    brume_free(c);
    return status;
}
