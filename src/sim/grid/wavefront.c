#include "sim/grid/wavefront.h"

#include "core/domain.h"
#include "core/minmax.h"

#include <omp.h>

enum { CACHE_BYTES = 256 * 1024 }; // for the planes of a block; less than the second-level cache of current cores

// Planes from..to-1, which a rank or one of its threads processes. `from` is odd: it starts a pair of planes.
typedef struct Slab {
    int from, to;
    bool below, above; ///< whether another slab borders this one there
} Slab;

// the planes of this rank
static Slab slab_of_rank(const BrumeWavefront *wavefront)
{
    const int first = brume_first_plane(wavefront->grid);
    const int last = brume_last_plane(wavefront->grid);
    const bool any = first <= last;
    return (Slab){
        .from = first,
        .to = last + 1,
        .below = any && (first > 1 || wavefront->wrap),
        .above = any && (last < wavefront->grid.nz || wavefront->wrap),
    };
}

static int slab_start(Slab all, int slabs, int n)
{
    const int pairs = (all.to - all.from + 1) / 2;
    return brume_min_int(all.from + 2 * (int)((long long)pairs * n / slabs), all.to);
}

// the part of the thread that calls this, one of a team or alone, of the planes of this rank
static Slab slab_of_thread(Slab all)
{
    const int threads = omp_get_num_threads();
    const int n = omp_get_thread_num();
    return (Slab){
        .from = slab_start(all, threads, n),
        .to = slab_start(all, threads, n + 1),
        .below = n > 0 || all.below,
        .above = n + 1 < threads || all.above,
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

static void visit_plane(const BrumeWavefront *wavefront, int stage, int k)
{
    visit_rows(wavefront, stage, k, 1, wavefront->grid.ny + 1);
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
            visit_plane(wavefront, stage, k);
        }
    }
}

// a stage in the planes first..last of a slab
static void visit_planes(const BrumeWavefront *wavefront, int stage, Slab slab, int first, int last)
{
    for (int k = brume_max_int(slab.from, first); k <= brume_min_int(slab.to - 1, last); k++) {
        visit_plane(wavefront, stage, k);
    }
}

// The part of a thread up to the ends of the planes `all` of this rank. One thread may call it outside a parallel
// region: barriers have no effect there.
static void visit_inside(const BrumeWavefront *wavefront, Slab all)
{
    const int most_slabs = (all.to - all.from) / (2 * wavefront->stages + 1); // triangles must not touch each other
    const Slab slab = slab_of_thread(all);
    if (omp_get_num_threads() > most_slabs) {
        for (int stage = 0; stage < wavefront->stages; stage++) {
            visit_planes(wavefront, stage, slab, all.from + (all.below ? stage : 0),
                         all.to - 1 - (all.above ? stage : 0));
#pragma omp barrier
        }
        return;
    }
    visit_interior(wavefront, slab);
#pragma omp barrier
    if (omp_get_thread_num() > 0) {
        visit_triangle(wavefront, slab.from);
    }
}

static void wrap_ghosts(const BrumeWavefront *wavefront)
{
    const BrumeGrid grid = wavefront->grid;
    if (wavefront->wrap && (brume_has_plane(grid, 0) || brume_has_plane(grid, grid.nz + 1))) {
        wavefront->wrap(wavefront->context);
    }
}

// the most planes of another rank that a stage of a pass also computes, of those next to the end of a slab
static int planes_beyond(int stages, int stage) { return brume_min_int(stage, stages - 1 - stage); }

// The planes that the stages omitted at the ends of the planes `all` of this rank: the planes within, and planes of the
// rank beyond that later stages read. The threads divide pairs of planes.
static void visit_ends(const BrumeWavefront *wavefront, Slab all)
{
    enum { REACH = BRUME_WAVEFRONT_STAGES - 1, PAIRS = REACH }; // of an end: REACH planes on both sides
    const int nz = wavefront->grid.nz;
    const bool alone = all.to - all.from == nz; // both sides of a periodic z are within
    for (int stage = 1; stage < wavefront->stages; stage++) {
        const int beyond = alone ? 0 : planes_beyond(wavefront->stages, stage);
#pragma omp single
        wrap_ghosts(wavefront);
#pragma omp for schedule(static)
        for (int pair = 0; pair < 2 * PAIRS; pair++) {
            const bool upper = pair >= PAIRS;
            const int start = (upper ? all.to : all.from) - REACH + 2 * (pair % PAIRS);
            const int first = upper ? all.to - stage : all.from - beyond;
            const int last = upper ? all.to - 1 + beyond : all.from - 1 + stage;
            for (int k = start; k < start + 2 && (upper ? all.above : all.below); k++) {
                if (k >= first && k <= last) {
                    visit_plane(wavefront, stage, brume_wrap_index(k, nz));
                }
            }
        }
    }
}

static void exchange(const BrumeWavefront *wavefront, int depth, const BrumeField *b)
{
    if (brume_is_shared(wavefront->grid)) {
        brume_exchange((const BrumeField *const[]){wavefront->x, b}, 2, depth);
    }
}

static void run_stage_by_stage(const BrumeWavefront *wavefront, Slab all)
{
    for (int stage = 0; stage < wavefront->stages; stage++) {
        if (stage > 0) {
            exchange(wavefront, 1, NULL);
            wrap_ghosts(wavefront);
        }
#pragma omp parallel if (wavefront->parallel)
        visit_planes(wavefront, stage, slab_of_thread(all), all.from, all.to - 1);
    }
    wrap_ghosts(wavefront);
}

bool brume_wavefront_fits(BrumeGrid grid, int stages)
{
    bool fits = grid.nz >= 2 * stages;
    for (int r = 0; grid.domain && r < grid.domain->team->ranks; r++) {
        const int planes = grid.domain->starts[r + 1] - grid.domain->starts[r];
        fits = fits && (planes == 0 || planes >= 2 * stages);
    }
    return fits;
}

void brume_wavefront_run(const BrumeWavefront *wavefront)
{
    const Slab all = slab_of_rank(wavefront);
    const bool has_ends = brume_is_shared(wavefront->grid) || wavefront->wrap;
    if (wavefront->stage_by_stage || (has_ends && !brume_wavefront_fits(wavefront->grid, wavefront->stages))) {
        run_stage_by_stage(wavefront, all);
        return;
    }
#pragma omp parallel if (wavefront->parallel)
    visit_inside(wavefront, all);
    if (has_ends) {
        exchange(wavefront, 1 + planes_beyond(wavefront->stages, wavefront->stages / 2), wavefront->b);
#pragma omp parallel if (wavefront->parallel)
        visit_ends(wavefront, all);
        wrap_ghosts(wavefront);
    }
}
