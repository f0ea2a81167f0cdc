// Union-find over runs of cells (the two-pass labelling of Rosenfeld and Pfaltz 1966, by rows instead of pixels).
#include "sim/pressure/components.h"

#include "core/error.h"
#include "core/lanes.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/pressure/multigrid/split.h"

#include <limits.h>

// The runs of all components while they are being joined.
typedef struct Labels {
    const BrumeCells *cells;
    int run_count;
    BrumeRun *runs; ///< component is the parent in the union-find forest, a run of lower or equal index
    int *row_start; ///< a row (nz x ny) and one more: its first run
    uint8_t *open;  ///< a run: whether its tree's root has reached an open side
} Labels;

static const uint8_t *flags_row(const BrumeCells *cells, int j, int k)
{
    return cells->flags + cells->sy * j + cells->sz * k;
}

static int row_index(const BrumeCells *cells, int j, int k) { return (k - 1) * cells->grid.ny + (j - 1); }

// Writes the runs of a row, unless `runs` is NULL, and returns how many there are.
static int find_runs(const BrumeCells *cells, int j, int k, BrumeRun *runs, int next)
{
    const uint8_t *flags = flags_row(cells, j, k);
    const int nx = cells->grid.nx;
    int count = 0;
    for (int i = 1; i <= nx; i++) {
        if (!(flags[i] & BRUME_CELL_FLUID)) {
            continue;
        }
        const int first = i;
        while (i < nx && flags[i] & BRUME_CELL_X_UPPER && flags[i + 1] & BRUME_CELL_FLUID) {
            i++;
        }
        if (runs) {
            runs[count] = (BrumeRun){.first = first, .last = i, .j = j, .k = k, .component = next + count};
        }
        count++;
    }
    return count;
}

static int find_root(Labels *labels, int run)
{
    BrumeRun *runs = labels->runs;
    while (runs[run].component != run) {
        runs[run].component = runs[runs[run].component].component;
        run = runs[run].component;
    }
    return run;
}

static void join(Labels *labels, int a, int b)
{
    const int root_a = find_root(labels, a);
    const int root_b = find_root(labels, b);
    const int root = root_a < root_b ? root_a : root_b;
    labels->open[root] = labels->open[root_a] | labels->open[root_b];
    labels->runs[root_a].component = root;
    labels->runs[root_b].component = root;
}

static bool any_open(const uint8_t *flags, int first, int last, int face)
{
    for (int i = first; i <= last; i++) {
        if (flags[i] & face) {
            return true;
        }
    }
    return false;
}

// joins what touches through open faces `face` of row (j, k) with its neighbor row (to_j, to_k)
static void join_rows(Labels *labels, int j, int k, int to_j, int to_k, int face)
{
    const uint8_t *flags = flags_row(labels->cells, j, k);
    const int row = row_index(labels->cells, j, k);
    const int to_row = row_index(labels->cells, to_j, to_k);
    int a = labels->row_start[row];
    int b = labels->row_start[to_row];
    while (a < labels->row_start[row + 1] && b < labels->row_start[to_row + 1]) {
        const BrumeRun *run_a = &labels->runs[a];
        const BrumeRun *run_b = &labels->runs[b];
        const int first = run_a->first > run_b->first ? run_a->first : run_b->first;
        const int last = run_a->last < run_b->last ? run_a->last : run_b->last;
        if (any_open(flags, first, last, face)) {
            join(labels, a, b);
        }
        if (run_a->last < run_b->last) {
            a++;
        } else {
            b++;
        }
    }
}

static void join_all(Labels *labels)
{
    const BrumeCells *cells = labels->cells;
    const BrumeGrid grid = cells->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const int row = row_index(cells, j, k);
            const int end = labels->row_start[row + 1];
            const uint8_t *flags = flags_row(cells, j, k);
            if (cells->periodic[0] && flags[grid.nx] & BRUME_CELL_X_UPPER) {
                join(labels, labels->row_start[row], end - 1);
            }
            if (j < grid.ny || cells->periodic[1]) {
                join_rows(labels, j, k, j < grid.ny ? j + 1 : 1, k, BRUME_CELL_Y_UPPER);
            }
            if (k < grid.nz || cells->periodic[2]) {
                join_rows(labels, j, k, j, k < grid.nz ? k + 1 : 1, BRUME_CELL_Z_UPPER);
            }
        }
    }
}

// whether a run has a face on a side of the box that pressure 0 lies behind
static bool reaches_open_side(const BrumeCells *cells, const BrumeRun *run)
{
    const BrumeGrid grid = cells->grid;
    const uint8_t *flags = flags_row(cells, run->j, run->k);
    int faces = 0;
    if (!cells->periodic[1]) {
        faces |= (run->j == 1 ? BRUME_CELL_Y_LOWER : 0) | (run->j == grid.ny ? BRUME_CELL_Y_UPPER : 0);
    }
    if (!cells->periodic[2]) {
        faces |= (run->k == 1 ? BRUME_CELL_Z_LOWER : 0) | (run->k == grid.nz ? BRUME_CELL_Z_UPPER : 0);
    }
    if (any_open(flags, run->first, run->last, faces)) {
        return true;
    }
    return !cells->periodic[0] && ((run->first == 1 && flags[1] & BRUME_CELL_X_LOWER) ||
                                   (run->last == grid.nx && flags[grid.nx] & BRUME_CELL_X_UPPER));
}

static bool label_runs(Labels *labels)
{
    const BrumeCells *cells = labels->cells;
    const BrumeGrid grid = cells->grid;
    const size_t rows = (size_t)grid.ny * (size_t)grid.nz;
    labels->row_start = brume_alloc(rows + 1, sizeof *labels->row_start);
    if (!labels->row_start) {
        return false;
    }
    size_t total = 0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            labels->row_start[row_index(cells, j, k)] = (int)total;
            total += (size_t)find_runs(cells, j, k, NULL, 0);
            if (total > INT_MAX) {
                return false;
            }
        }
    }
    labels->row_start[rows] = (int)total;
    labels->run_count = (int)total;
    labels->runs = brume_alloc(total, sizeof *labels->runs);
    labels->open = brume_alloc(total, sizeof *labels->open);
    if (!labels->runs || !labels->open) {
        return false;
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const int start = labels->row_start[row_index(cells, j, k)];
            (void)find_runs(cells, j, k, labels->runs + start, start);
        }
    }
    for (int run = 0; run < labels->run_count; run++) {
        labels->open[run] = reaches_open_side(cells, &labels->runs[run]);
    }
    join_all(labels);
    return true;
}

// Keeps the runs of singular components, numbered by first appearance.
static bool keep_singular(BrumeComponents *components, Labels *labels, int *number)
{
    for (int run = 0; run < labels->run_count; run++) {
        const int root = find_root(labels, run);
        if (labels->open[root]) {
            continue;
        }
        if (run == root) {
            number[run] = components->count++;
        }
        components->run_count++;
    }
    if (components->count == 0) {
        return true;
    }
    const size_t runs = (size_t)components->run_count;
    const size_t count = (size_t)components->count;
    components->runs = brume_alloc(runs, sizeof *components->runs);
    components->sums = brume_alloc(runs, sizeof *components->sums);
    components->means = brume_alloc(count, sizeof *components->means);
    components->cells = brume_alloc(count, sizeof *components->cells);
    if (!components->runs || !components->sums || !components->means || !components->cells) {
        return false;
    }
    int next = 0;
    for (int run = 0; run < labels->run_count; run++) {
        const int root = find_root(labels, run);
        if (!labels->open[root]) {
            components->runs[next] = labels->runs[run];
            components->runs[next].component = number[root];
            components->cells[number[root]] += labels->runs[run].last - labels->runs[run].first + 1;
            next++;
        }
    }
    return true;
}

BrumeStatus brume_components_create(BrumeComponents *components, const BrumeCells *cells, BrumeError *error)
{
    *components = (BrumeComponents){0};
    BrumeStatus status = BRUME_OK;
    Labels labels = {.cells = cells};
    int *number = NULL;
    if (label_runs(&labels)) {
        number = brume_alloc((size_t)labels.run_count, sizeof *number);
    }
    if (!number || !keep_singular(components, &labels, number)) {
        brume_components_destroy(components);
        status = brume_out_of_grid_memory(error, "the pressure solver");
    }
    brume_free(number);
    brume_free(labels.runs);
    brume_free(labels.row_start);
    brume_free(labels.open);
    return status;
}

void brume_components_destroy(BrumeComponents *components)
{
    brume_free(components->runs);
    brume_free(components->sums);
    brume_free(components->means);
    brume_free(components->cells);
    *components = (BrumeComponents){0};
}

size_t brume_components_bytes(const BrumeComponents *components)
{
    return (size_t)components->run_count * (sizeof *components->runs + sizeof *components->sums) +
           (size_t)components->count * (sizeof *components->means + sizeof *components->cells);
}

BRUME_KERNEL static double sum_run(const float *x, int count)
{
    double lanes[BRUME_LANES] = {0};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            lanes[lane] += (double)x[i + lane];
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        lanes[lane] += (double)x[i];
    }
    return brume_sum_lanes(lanes);
}

BRUME_KERNEL static void shift_run(float *x, int count, float by)
{
    for (int i = 0; i < count; i++) {
        x[i] -= by;
    }
}

// a component's mean from the sums of its runs
static void find_means(const BrumeComponents *components)
{
    for (int c = 0; c < components->count; c++) {
        components->means[c] = 0.0;
    }
    for (int n = 0; n < components->run_count; n++) {
        components->means[components->runs[n].component] += components->sums[n];
    }
    for (int c = 0; c < components->count; c++) {
        components->means[c] /= components->cells[c];
    }
}

void brume_components_remove_mean(const BrumeComponents *components, float *x, ptrdiff_t sy, ptrdiff_t sz,
                                  bool parallel)
{
    if (components->count == 0) {
        return;
    }
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        components->sums[n] = sum_run(x + run->first + sy * run->j + sz * run->k, run->last - run->first + 1);
    }
    find_means(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        shift_run(x + run->first + sy * run->j + sz * run->k, run->last - run->first + 1,
                  (float)components->means[run->component]);
    }
}

// the part of a run whose i are even (0) or odd (1): where it begins in a split row, and how many cells it has
static int half_run(const BrumeRun *run, int parity, int nx, ptrdiff_t *start)
{
    const int first = run->first + (run->first % 2 != parity);
    *start = brume_split_at(nx, first);
    return first <= run->last ? (run->last - first) / 2 + 1 : 0;
}

void brume_components_remove_mean_split(const BrumeComponents *components, float *x, int nx, ptrdiff_t sy, ptrdiff_t sz,
                                        bool parallel)
{
    if (components->count == 0) {
        return;
    }
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        const float *row = x + sy * run->j + sz * run->k;
        double sum = 0.0;
        for (int parity = 0; parity < 2; parity++) {
            ptrdiff_t start;
            const int count = half_run(run, parity, nx, &start);
            sum += sum_run(row + start, count);
        }
        components->sums[n] = sum;
    }
    find_means(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        float *row = x + sy * run->j + sz * run->k;
        for (int parity = 0; parity < 2; parity++) {
            ptrdiff_t start;
            const int count = half_run(run, parity, nx, &start);
            shift_run(row + start, count, (float)components->means[run->component]);
        }
    }
}
