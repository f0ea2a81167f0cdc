#include "sim/wavefront.h"

#include <omp.h>

enum { CACHE_BYTES = 256 * 1024 }; // of the planes that a block works on; less than a core's second level of today

// Planes from..to-1 of one thread; the first of a pair of planes begins it.
typedef struct Slab {
    int from, to;
    bool below, above; ///< whether another slab lies there
} Slab;

static int slab_start(int planes, int slabs, int n) { return 1 + 2 * (int)((long long)((planes + 1) / 2) * n / slabs); }

static Slab slab_of(const BrumeWavefront *wave, int slabs, int n)
{
    const int planes = wave->grid.nz;
    const int end = slab_start(planes, slabs, n + 1);
    return (Slab){
        .from = slab_start(planes, slabs, n),
        .to = end <= planes ? end : planes + 1,
        .below = n > 0 || wave->wrap,
        .above = n + 1 < slabs || wave->wrap,
    };
}

// Rows of a block: two fields and more in the planes that all stages look at. Even, so that pairs stay together.
static int block_rows(const BrumeWavefront *wave)
{
    const int row_bytes = 3 * (wave->grid.nx + 2) * (int)sizeof(float);
    const int rows = CACHE_BYTES / (row_bytes * (wave->stages + 2)) / 2 * 2;
    const int least = 2 * wave->stages;
    const int all = wave->grid.ny + wave->stages; // the last stage lies back
    return wave->whole || rows >= wave->grid.ny ? all : rows > least ? rows : least;
}

static void visit_rows(const BrumeWavefront *wave, int stage, int k, int from, int to)
{
    const int ny = wave->grid.ny;
    from = from > 1 ? from : 1;
    to = to <= ny ? to : ny + 1;
    if (from < to) {
        wave->visit(wave->context, stage, k, from, to);
    }
}

// what needs no other slab
static void visit_inside(const BrumeWavefront *wave, Slab slab)
{
    const int rows = block_rows(wave);
    const int last = wave->stages - 1;
    // the last stage lies `last` rows back, and may reach the end of the plane in a block of its own
    for (int start = 1; start <= wave->grid.ny + (wave->whole ? 0 : last); start += rows) {
        for (int front = slab.from; front < slab.to + last; front++) {
            for (int stage = 0; stage <= last; stage++) {
                const int k = front - stage;
                const int back = wave->whole ? 0 : stage;
                if (k >= slab.from + (slab.below ? stage : 0) && k < slab.to - (slab.above ? stage : 0)) {
                    visit_rows(wave, stage, k, start - back, start - back + rows);
                }
            }
        }
    }
}

// what is left around the lower end of a slab, plane `start`
static void visit_triangle(const BrumeWavefront *wave, int start)
{
    for (int stage = 1; stage < wave->stages; stage++) {
        for (int k = start - stage; k < start + stage; k++) {
            visit_rows(wave, stage, k, 1, wave->grid.ny + 1);
        }
    }
}

// the same around the seam of a periodic z
static void visit_seam(const BrumeWavefront *wave)
{
    const int planes = wave->grid.nz;
    for (int stage = 1; stage < wave->stages; stage++) {
        wave->wrap(wave->context);
        for (int k = 1; k <= stage; k++) {
            visit_rows(wave, stage, k, 1, wave->grid.ny + 1);
        }
        for (int k = planes - stage + 1; k <= planes; k++) {
            visit_rows(wave, stage, k, 1, wave->grid.ny + 1);
        }
    }
}

static void run_in_step(const BrumeWavefront *wave, Slab slab)
{
    for (int stage = 0; stage < wave->stages; stage++) {
        for (int k = slab.from; k < slab.to; k++) {
            visit_rows(wave, stage, k, 1, wave->grid.ny + 1);
        }
#pragma omp barrier
        if (wave->wrap) {
#pragma omp single
            wave->wrap(wave->context);
        }
    }
}

// what thread n of so many does; one alone needs no team
static void run_share(const BrumeWavefront *wave, int threads, int n)
{
    const int most_slabs = wave->grid.nz / (2 * wave->stages + 1); // triangles of neighbors must not touch
    const Slab slab = slab_of(wave, threads, n);
    if (wave->in_step || threads > most_slabs) {
        run_in_step(wave, slab);
        return;
    }
    visit_inside(wave, slab);
#pragma omp barrier
    if (n > 0) {
        visit_triangle(wave, slab.from);
    } else if (wave->wrap) {
        visit_seam(wave);
    }
#pragma omp barrier
    if (n == 0 && wave->wrap) {
        wave->wrap(wave->context);
    }
}

void brume_wavefront_run(const BrumeWavefront *wave)
{
    if (!wave->parallel) {
        run_share(wave, 1, 0);
        return;
    }
#pragma omp parallel
    run_share(wave, omp_get_num_threads(), omp_get_thread_num());
}
