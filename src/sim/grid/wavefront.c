#include "sim/grid/wavefront.h"

#include <omp.h>

enum { CACHE_BYTES = 256 * 1024 }; // for the planes of a block; less than the second-level cache of current cores

// Planes from..to-1, which one thread processes. `from` is odd: it starts a pair of planes.
typedef struct Slab {
    int from, to;
    bool below, above; ///< whether another slab borders this one there
} Slab;

static int slab_start(int planes, int slabs, int n) { return 1 + 2 * (int)((long long)((planes + 1) / 2) * n / slabs); }

static Slab slab_of(const BrumeWavefront *wavefront, int slabs, int n)
{
    const int planes = wavefront->grid.nz;
    const int end = slab_start(planes, slabs, n + 1);
    return (Slab){
        .from = slab_start(planes, slabs, n),
        .to = end <= planes ? end : planes + 1,
        .below = n > 0 || wavefront->wrap,
        .above = n + 1 < slabs || wavefront->wrap,
    };
}

// Rows of a block, for somewhat more than two fields in all planes that the stages read at a time. Even, so that pairs
// of rows are not separated.
static int block_rows(const BrumeWavefront *wavefront)
{
    const int row_bytes = 3 * (wavefront->grid.nx + 2) * (int)sizeof(float);
    const int rows = CACHE_BYTES / (row_bytes * (wavefront->stages + 2)) / 2 * 2;
    const int least = 2 * wavefront->stages;
    const int all = wavefront->grid.ny + wavefront->stages; // the last stage starts that many rows lower
    return wavefront->whole_planes || rows >= wavefront->grid.ny ? all : rows > least ? rows : least;
}

static void visit_rows(const BrumeWavefront *wavefront, int stage, int k, int from, int to)
{
    const int ny = wavefront->grid.ny;
    from = from > 1 ? from : 1;
    to = to <= ny ? to : ny + 1;
    if (from < to) {
        wavefront->visit(wavefront->context, stage, k, from, to);
    }
}

// the part of each stage that reads no other slab
static void visit_interior(const BrumeWavefront *wavefront, Slab slab)
{
    const int rows = block_rows(wavefront);
    const int last = wavefront->stages - 1;
    // the last stage starts `last` rows lower, and may need an additional block to reach the end of the plane
    for (int start = 1; start <= wavefront->grid.ny + (wavefront->whole_planes ? 0 : last); start += rows) {
        for (int front = slab.from; front < slab.to + last; front++) {
            for (int stage = 0; stage <= last; stage++) {
                const int k = front - stage;
                const int offset = wavefront->whole_planes ? 0 : stage;
                if (k >= slab.from + (slab.below ? stage : 0) && k < slab.to - (slab.above ? stage : 0)) {
                    visit_rows(wavefront, stage, k, start - offset, start - offset + rows);
                }
            }
        }
    }
}

// the planes that the stages omitted around the lower end of a slab, plane `start`
static void visit_triangle(const BrumeWavefront *wavefront, int start)
{
    for (int stage = 1; stage < wavefront->stages; stage++) {
        for (int k = start - stage; k < start + stage; k++) {
            visit_rows(wavefront, stage, k, 1, wavefront->grid.ny + 1);
        }
    }
}

// the planes that the stages omitted on both sides of a periodic z
static void visit_periodic_ends(const BrumeWavefront *wavefront)
{
    const int planes = wavefront->grid.nz;
    for (int stage = 1; stage < wavefront->stages; stage++) {
        wavefront->wrap(wavefront->context);
        for (int k = 1; k <= stage; k++) {
            visit_rows(wavefront, stage, k, 1, wavefront->grid.ny + 1);
        }
        for (int k = planes - stage + 1; k <= planes; k++) {
            visit_rows(wavefront, stage, k, 1, wavefront->grid.ny + 1);
        }
    }
}

static void run_stage_by_stage(const BrumeWavefront *wavefront, Slab slab)
{
    for (int stage = 0; stage < wavefront->stages; stage++) {
        for (int k = slab.from; k < slab.to; k++) {
            visit_rows(wavefront, stage, k, 1, wavefront->grid.ny + 1);
        }
#pragma omp barrier
        if (wavefront->wrap) {
#pragma omp single
            wavefront->wrap(wavefront->context);
        }
    }
}

// The part of thread n of `threads`. One thread may call it outside a parallel region: barriers have no effect there.
static void run_thread(const BrumeWavefront *wavefront, int threads, int n)
{
    const int most_slabs = wavefront->grid.nz / (2 * wavefront->stages + 1); // triangles must not touch each other
    const Slab slab = slab_of(wavefront, threads, n);
    if (wavefront->stage_by_stage || threads > most_slabs) {
        run_stage_by_stage(wavefront, slab);
        return;
    }
    visit_interior(wavefront, slab);
#pragma omp barrier
    if (n > 0) {
        visit_triangle(wavefront, slab.from);
    } else if (wavefront->wrap) {
        visit_periodic_ends(wavefront);
    }
#pragma omp barrier
    if (n == 0 && wavefront->wrap) {
        wavefront->wrap(wavefront->context);
    }
}

void brume_wavefront_run(const BrumeWavefront *wavefront)
{
    if (!wavefront->parallel) {
        run_thread(wavefront, 1, 0);
        return;
    }
#pragma omp parallel
    run_thread(wavefront, omp_get_num_threads(), omp_get_thread_num());
}
