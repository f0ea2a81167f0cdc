// Union-find over runs of cells: the two-pass labeling of Rosenfeld and Pfaltz (1966), applied to runs.
#include "sim/pressure/poisson/components.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/poisson/poisson.h"

#include <limits.h>
#include <string.h>

// The union-find forest of all runs.
typedef struct Labels {
    const BrumeCells *cells;
    int run_count;
    BrumeRun *runs; ///< `component` is the run's parent in the forest, a run of lower or equal index
    int *row_start; ///< (nz x ny + 1) the first run of each row, and the number of runs
    uint8_t *open;  ///< (run_count) of a root: whether its tree reaches an open side
} Labels;

static const uint8_t *flags_row(const BrumeCells *cells, int j, int k)
{
    return cells->flags + cells->sy * j + cells->sz * k;
}

static int row_index(const BrumeCells *cells, int j, int k) { return (k - 1) * cells->grid.ny + (j - 1); }

// Writes the runs of a row, the first with index `next`, to `runs` unless that is NULL; returns their number.
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

// whether row (j, k) has the same flags as row (j - 1, k)
static bool same_as_row_below(const BrumeCells *cells, int j, int k)
{
    return j > 1 && memcmp(flags_row(cells, j, k), flags_row(cells, j - 1, k), (size_t)cells->grid.nx + 1) == 0;
}

// writes the runs of row (j, k), which is equal to the row below
static void copy_runs(Labels *labels, int j, int k)
{
    const int row = row_index(labels->cells, j, k);
    const int start = labels->row_start[row];
    const int below = labels->row_start[row - 1];
    for (int n = 0; n < labels->row_start[row + 1] - start; n++) {
        labels->runs[start + n] = labels->runs[below + n];
        labels->runs[start + n].j = j;
        labels->runs[start + n].component = start + n;
    }
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

static void unite(Labels *labels, int a, int b)
{
    const int root_a = find_root(labels, a);
    const int root_b = find_root(labels, b);
    const int root = brume_min_int(root_a, root_b);
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

// unites runs of row (j, k) with runs of its neighbor row (to_j, to_k) that open faces `face` connect
static void unite_rows(Labels *labels, int j, int k, int to_j, int to_k, int face)
{
    const uint8_t *flags = flags_row(labels->cells, j, k);
    const int row = row_index(labels->cells, j, k);
    const int to_row = row_index(labels->cells, to_j, to_k);
    int a = labels->row_start[row];
    int b = labels->row_start[to_row];
    while (a < labels->row_start[row + 1] && b < labels->row_start[to_row + 1]) {
        const BrumeRun *run_a = &labels->runs[a];
        const BrumeRun *run_b = &labels->runs[b];
        const int first = brume_max_int(run_a->first, run_b->first);
        const int last = brume_min_int(run_a->last, run_b->last);
        if (any_open(flags, first, last, face)) {
            unite(labels, a, b);
        }
        if (run_a->last < run_b->last) {
            a++;
        } else {
            b++;
        }
    }
}

static void unite_all(Labels *labels)
{
    const BrumeCells *cells = labels->cells;
    const BrumeGrid grid = cells->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const int row = row_index(cells, j, k);
            const int end = labels->row_start[row + 1];
            const uint8_t *flags = flags_row(cells, j, k);
            if (cells->coupled[0] && flags[grid.nx] & BRUME_CELL_X_UPPER) {
                unite(labels, labels->row_start[row], end - 1);
            }
            if (j < grid.ny || cells->coupled[1]) {
                unite_rows(labels, j, k, j < grid.ny ? j + 1 : 1, k, BRUME_CELL_Y_UPPER);
            }
            if (k < grid.nz || cells->coupled[2]) {
                unite_rows(labels, j, k, j, k < grid.nz ? k + 1 : 1, BRUME_CELL_Z_UPPER);
            }
        }
    }
}

// whether a run has a face on an open side of the box
static bool reaches_open_side(const BrumeCells *cells, const BrumeRun *run)
{
    const BrumeGrid grid = cells->grid;
    const uint8_t *flags = flags_row(cells, run->j, run->k);
    int faces = 0;
    if (!cells->coupled[1]) {
        faces |= (run->j == 1 ? BRUME_CELL_Y_LOWER : 0) | (run->j == grid.ny ? BRUME_CELL_Y_UPPER : 0);
    }
    if (!cells->coupled[2]) {
        faces |= (run->k == 1 ? BRUME_CELL_Z_LOWER : 0) | (run->k == grid.nz ? BRUME_CELL_Z_UPPER : 0);
    }
    if (any_open(flags, run->first, run->last, faces)) {
        return true;
    }
    return !cells->coupled[0] && ((run->first == 1 && flags[1] & BRUME_CELL_X_LOWER) ||
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
    size_t count = 0; // of the row below
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            labels->row_start[row_index(cells, j, k)] = (int)total;
            if (!same_as_row_below(cells, j, k)) {
                count = (size_t)find_runs(cells, j, k, NULL, 0);
            }
            total += count;
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
#pragma omp parallel for schedule(static) if (brume_needs_team(grid))
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const int start = labels->row_start[row_index(cells, j, k)];
            if (same_as_row_below(cells, j, k)) {
                copy_runs(labels, j, k);
            } else {
                (void)find_runs(cells, j, k, labels->runs + start, start);
            }
        }
    }
    for (int run = 0; run < labels->run_count; run++) {
        labels->open[run] = reaches_open_side(cells, &labels->runs[run]);
    }
    unite_all(labels);
    return true;
}

// Copies the runs of singular components, which are numbered by first appearance. False without memory.
static bool copy_singular(BrumeComponents *components, Labels *labels, int *number)
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
    components->plane_runs = brume_alloc((size_t)components->grid.nz + 2, sizeof *components->plane_runs);
    if (!components->plane_runs || !components->runs || !components->sums || !components->means || !components->cells) {
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
            components->plane_runs[labels->runs[run].k + 1] = next;
        }
    }
    for (int k = 1; k <= components->grid.nz; k++) { // planes without runs
        components->plane_runs[k + 1] = brume_max_int(components->plane_runs[k + 1], components->plane_runs[k]);
    }
    return true;
}

BrumeStatus brume_components_create(BrumeComponents *components, const BrumeCells *cells, BrumeError *error)
{
    *components = (BrumeComponents){.grid = cells->grid};
    BrumeStatus status = BRUME_OK;
    Labels labels = {.cells = cells};
    int *number = NULL;
    if (label_runs(&labels)) {
        number = brume_alloc((size_t)labels.run_count, sizeof *number);
    }
    if (!number || !copy_singular(components, &labels, number)) {
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
    brume_free(components->plane_runs);
    *components = (BrumeComponents){0};
}

// whether a run lies before cell (i, j, k) in memory order
static bool is_before(const BrumeRun *run, int i, int j, int k)
{
    return run->k != k ? run->k < k : run->j != j ? run->j < j : run->last < i;
}

int brume_components_find(const BrumeComponents *components, int i, int j, int k)
{
    int from = 0;
    int to = components->run_count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (is_before(&components->runs[middle], i, j, k)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    const BrumeRun *run = from < components->run_count ? &components->runs[from] : NULL;
    return run && run->k == k && run->j == j && run->first <= i ? run->component : -1;
}

size_t brume_components_bytes(const BrumeComponents *components)
{
    return (size_t)components->run_count * (sizeof *components->runs + sizeof *components->sums) +
           (size_t)components->count * (sizeof *components->means + sizeof *components->cells) +
           (components->count > 0 ? ((size_t)components->grid.nz + 2) * sizeof *components->plane_runs : 0);
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

BRUME_KERNEL static void subtract_from_run(float *x, int count, float mean)
{
    for (int i = 0; i < count; i++) {
        x[i] -= mean;
    }
}

BrumeRunRange brume_components_own_runs(const BrumeComponents *components)
{
    return (BrumeRunRange){components->plane_runs[brume_first_plane(components->grid)],
                           components->plane_runs[brume_last_plane(components->grid) + 1]};
}

void brume_components_find_means(const BrumeComponents *components)
{
    brume_gather_elements(components->grid, components->sums, sizeof *components->sums, components->plane_runs);
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
    const BrumeRunRange own = brume_components_own_runs(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        components->sums[n] = sum_run(x + run->first + sy * run->j + sz * run->k, run->last - run->first + 1);
    }
    brume_components_find_means(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        subtract_from_run(x + run->first + sy * run->j + sz * run->k, run->last - run->first + 1,
                          (float)components->means[run->component]);
    }
}

// The cells of a run of even (0) or odd (1) i: their first entry in a row in parity order; returns their number.
static int parity_of_run(const BrumeRun *run, int parity, int nx, ptrdiff_t *start)
{
    const int first = run->first + (run->first % 2 != parity);
    *start = brume_parity_entry(nx, first);
    return first <= run->last ? (run->last - first) / 2 + 1 : 0;
}

void brume_components_remove_mean_parity(const BrumeComponents *components, float *x, int nx, ptrdiff_t sy,
                                         ptrdiff_t sz, bool parallel)
{
    if (components->count == 0) {
        return;
    }
    const BrumeRunRange own = brume_components_own_runs(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        const float *row = x + sy * run->j + sz * run->k;
        double sum = 0.0;
        for (int parity = 0; parity < 2; parity++) {
            ptrdiff_t start;
            const int count = parity_of_run(run, parity, nx, &start);
            sum += sum_run(row + start, count);
        }
        components->sums[n] = sum;
    }
    brume_components_find_means(components);
#pragma omp parallel for schedule(static) if (parallel)
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        float *row = x + sy * run->j + sz * run->k;
        for (int parity = 0; parity < 2; parity++) {
            ptrdiff_t start;
            const int count = parity_of_run(run, parity, nx, &start);
            subtract_from_run(row + start, count, (float)components->means[run->component]);
        }
    }
}
