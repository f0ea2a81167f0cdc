/*
 * The correction of the means. With m the mean of the fine cells in a cell and c the density of the cell, both smoothed
 * by weights 1/4, 1/2, 1/4 along each axis, the mean becomes
 *
 *     t = m + r (c - m),   r = |c - m| / (c + m), at least `least_rate`,
 *
 * so that smoke that a source adds where there is none, and smoke where the cells have none, is corrected at once, and
 * the displacements of smoke by turbulence, which are small differences, slowly. Fine values q become
 *
 *     f q + a,   f = min(t / m, 2),   a = (t - f m) (density of the cell) / c,
 *
 * with f and a interpolated linearly between the centers of the cells, so that the faces of cells do not appear.
 * Temperatures stay within the range of those of the cells: flames would otherwise become brighter. Last, all values
 * are multiplied by the ratio of the sums of both grids. Where c or m is negative, as temperatures may be, f = 1.
 */
#include "refine/fine_mean.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "raymarch/grid_medium.h"
#include "raymarch/smooth_field.h"

#include <math.h>
#include <string.h>

static const float LARGEST_FACTOR = 2.0f; // of values

// the sum of the fine cells in a coarse cell
static float sum_of_cell(const BrumeFineCells *cells, const float *fine, int i, int j, int k)
{
    const int factor = cells->factor;
    float sum = 0.0f;
    for (int c = 0; c < factor; c++) {
        for (int b = 0; b < factor; b++) {
            const float *row = fine + brume_fine_row(cells, i, j * factor + b, k * factor + c);
            for (int a = 0; a < factor; a++) {
                sum += row[a];
            }
        }
    }
    return sum;
}

// sets the factor and the addend of an active cell of the value `wanted`, whose fine cells have the mean `mean`
static void find_correction(float wanted, float mean, float least_rate, float *factor, float *addend)
{
    if (wanted < 0.0f || mean < 0.0f) {
        *factor = 1.0f;
        *addend = wanted - mean;
        return;
    }
    const float sum = wanted + mean;
    const float rate = sum > 0.0f ? brume_fmaxf(fabsf(wanted - mean) / sum, least_rate) : 0.0f;
    const float target = mean + rate * (wanted - mean);
    *factor = mean > 0.0f ? brume_fminf(target / mean, LARGEST_FACTOR) : 1.0f;
    *addend = brume_fmaxf(target - *factor * mean, 0.0f);
}

// sets the means of the fine cells, and the values that they should have
static void load_means(const BrumeFineCells *cells, const float *coarse, const float *fine, bool exact,
                       BrumeField *means, BrumeField *wanted)
{
    const BrumeGrid grid = cells->coarse;
    const float part = 1.0f / (float)(cells->factor * cells->factor * cells->factor);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < grid.nz; k++) {
        for (int j = 0; j < grid.ny; j++) {
            for (int i = 0; i < grid.nx; i++) {
                const size_t n = brume_coarse_index(cells, i, j, k);
                const ptrdiff_t at = brume_field_index(means, i + 1, j + 1, k + 1);
                const float value = exact ? brume_fmaxf(coarse[n], 0.0f) : coarse[n];
                wanted->data[at] = value;
                means->data[at] = cells->active[n] ? part * sum_of_cell(cells, fine, i, j, k) : value;
            }
        }
    }
}

// replaces the means and the values that they should have by the factor and the addend of each cell
static void find_corrections(const BrumeFineCells *cells, const float *coarse, float least_rate, BrumeField *means,
                             BrumeField *wanted)
{
    const BrumeGrid grid = cells->coarse;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                float *mean = &means->data[brume_field_index(means, i, j, k)];
                float *value = &wanted->data[brume_field_index(means, i, j, k)];
                const float smoothed = *value;
                find_correction(smoothed, *mean, least_rate, mean, value);
                if (smoothed > 0.0f) { // what is added is as sharp as the value of the cell
                    *value *= brume_fmaxf(coarse[brume_coarse_index(cells, i - 1, j - 1, k - 1)], 0.0f) / smoothed;
                }
            }
        }
    }
    brume_replicate_edges(means->data, grid, 1);
    brume_replicate_edges(wanted->data, grid, 1);
}

// The active cells of a coarse row: from the first one to behind the last one, and in between maybe others.
typedef struct ActiveRange {
    int first, end;
} ActiveRange;

static ActiveRange active_range(const BrumeFineCells *cells, int j, int k)
{
    const uint8_t *active = cells->active + brume_coarse_index(cells, 0, j, k);
    const uint8_t *found = memchr(active, 1, (size_t)cells->coarse.nx);
    ActiveRange range = {found ? (int)(found - active) : 0, found ? cells->coarse.nx : 0};
    while (range.end > range.first && !active[range.end - 1]) {
        range.end--;
    }
    return range;
}

// the values of a padded field at the centers of the cells of a range, and those beside it, interpolated to a fine row
BRUME_KERNEL static void interpolate_row_of_cells(const BrumeField *field, ActiveRange range, float y, float z,
                                                  float *restrict row)
{
    const float *restrict near = field->data + brume_field_index(field, 0, (int)y, (int)z);
    const float *restrict above = near + field->sy;
    const float *restrict behind = near + field->sz;
    const float *restrict opposite = behind + field->sy;
    const float fy = y - (float)(int)y;
    const float fz = z - (float)(int)z;
    for (int i = range.first; i < range.end + 2; i++) {
        const float lower = near[i] + fy * (above[i] - near[i]);
        const float upper = behind[i] + fy * (opposite[i] - behind[i]);
        row[i] = lower + fz * (upper - lower);
    }
}

// the correction of a row of coarse cells at the place of a fine row
typedef struct RowCorrection {
    float *factors, *addends; // of the cells, ghosts included
    float *places;            // of the fine cells in a cell, from the center of the cell before
    float least, largest;     // values of all cells, which the fine ones of a temperature do not exceed
} RowCorrection;

// corrects the fine values of row (jf, kf) in active cells; the others get the value of their cell
static void correct_row(const BrumeFineCells *cells, const float *coarse, float *fine, bool exact, int jf, int kf,
                        const RowCorrection *correction)
{
    const int factor = cells->factor;
    for (int i = 0; i < cells->coarse.nx; i++) {
        const size_t n = brume_coarse_index(cells, i, jf / factor, kf / factor);
        float *row = fine + brume_fine_row(cells, i, jf, kf);
        for (int a = 0; a < factor && cells->active[n]; a++) {
            const float x = correction->places[a];
            const int at = i + (int)x;
            const float *f = correction->factors + at;
            const float *added = correction->addends + at;
            const float fx = x - (float)(int)x;
            const float value = row[a] * (f[0] + fx * (f[1] - f[0])) + (added[0] + fx * (added[1] - added[0]));
            row[a] = exact ? value : brume_clamp(value, correction->least, correction->largest);
        }
        const float value = exact ? brume_fmaxf(coarse[n], 0.0f) : coarse[n];
        for (int a = 0; a < factor && !cells->active[n] && value != 0.0f; a++) { // 0 would take memory
            row[a] = value;
        }
    }
}

// the range of the values of all cells
static void find_range(const BrumeFineCells *cells, const float *coarse, float *least, float *largest)
{
    const size_t count = brume_grid_cells(cells->coarse);
    *least = INFINITY;
    *largest = -INFINITY;
    for (size_t n = 0; n < count; n++) {
        *least = brume_fminf(*least, coarse[n]);
        *largest = brume_fmaxf(*largest, coarse[n]);
    }
}

// corrects all fine values. BRUME_FAILED without memory
static BrumeStatus correct_rows(const BrumeFineCells *cells, const float *coarse, float *fine, bool exact,
                                const BrumeField *factors, const BrumeField *addends, BrumeError *error)
{
    const size_t entries = (size_t)cells->coarse.nx + 2;
    float least = 0.0f;
    float largest = 0.0f;
    bool ok = true;
    if (!exact) {
        find_range(cells, coarse, &least, &largest);
    }
#pragma omp parallel reduction(&& : ok)
    {
        float *rows = brume_alloc_untouched(2 * entries + (size_t)cells->factor, sizeof *rows);
        const RowCorrection correction = {rows, rows + (rows ? entries : 0), rows + (rows ? 2 * entries : 0), least,
                                          largest};
        ok = rows != NULL;
        for (int a = 0; a < cells->factor && ok; a++) {
            correction.places[a] = ((float)a + 0.5f) / (float)cells->factor + 0.5f;
        }
#pragma omp for schedule(dynamic)
        for (int kf = 0; kf < cells->fine.nz; kf++) {
            for (int jf = 0; jf < cells->fine.ny && ok; jf++) {
                const float y = ((float)jf + 0.5f) / (float)cells->factor + 0.5f; // in entries of the padded fields
                const float z = ((float)kf + 0.5f) / (float)cells->factor + 0.5f;
                const ActiveRange range = active_range(cells, jf / cells->factor, kf / cells->factor);
                if (range.first < range.end) {
                    interpolate_row_of_cells(factors, range, y, z, correction.factors);
                    interpolate_row_of_cells(addends, range, y, z, correction.addends);
                }
                correct_row(cells, coarse, fine, exact, jf, kf, &correction);
            }
        }
        brume_free(rows);
    }
    return ok ? BRUME_OK : brume_out_of_memory(error, "a fine frame");
}

// multiplies all fine values by the ratio of the sums of both grids
static BrumeStatus correct_sum(const BrumeFineCells *cells, const float *coarse, float *fine, BrumeError *error)
{
    const int factor = cells->factor;
    const BrumeGrid grid = cells->coarse;
    double *sums = brume_alloc((size_t)grid.nz, 2 * sizeof *sums);
    if (!sums) {
        return brume_out_of_memory(error, "a fine frame");
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < grid.nz; k++) {
        for (int j = 0; j < grid.ny; j++) {
            for (int i = 0; i < grid.nx; i++) {
                const float value = coarse[brume_coarse_index(cells, i, j, k)];
                if (value > 0.0f || cells->active[brume_coarse_index(cells, i, j, k)]) {
                    sums[2 * k] += (double)brume_fmaxf(value, 0.0f);
                    sums[2 * k + 1] += (double)sum_of_cell(cells, fine, i, j, k);
                }
            }
        }
    }
    double wanted = 0.0;
    double sum = 0.0;
    for (int k = 0; k < grid.nz; k++) {
        wanted += sums[2 * k];
        sum += sums[2 * k + 1];
    }
    brume_free(sums);
    const float ratio = sum > 0.0 ? (float)(wanted * (factor * factor * factor) / sum) : 1.0f;
#pragma omp parallel for schedule(dynamic)
    for (int kf = 0; kf < cells->fine.nz; kf++) {
        for (int jf = 0; jf < cells->fine.ny; jf++) {
            for (int i = 0; i < grid.nx; i++) {
                const size_t n = brume_coarse_index(cells, i, jf / factor, kf / factor);
                if (coarse[n] > 0.0f || cells->active[n]) {
                    float *row = fine + brume_fine_row(cells, i, jf, kf);
                    for (int a = 0; a < factor; a++) {
                        row[a] *= ratio;
                    }
                }
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_correct_means(const BrumeFineCells *cells, const float *coarse, float *fine, bool exact,
                                float least_rate, BrumeError *error)
{
    BrumeField means = {.data = NULL};
    BrumeField wanted = {.data = NULL};
    BrumeField scratch = {.data = NULL};
    BrumeStatus status = brume_field_create(&means, cells->coarse, error);
    status = status == BRUME_OK ? brume_field_create(&wanted, cells->coarse, error) : status;
    status = status == BRUME_OK ? brume_field_create(&scratch, cells->coarse, error) : status;
    if (status == BRUME_OK) {
        load_means(cells, coarse, fine, exact, &means, &wanted);
        brume_smooth_field(&means, &scratch, 1);
        brume_smooth_field(&wanted, &scratch, 1);
        find_corrections(cells, coarse, least_rate, &means, &wanted);
        status = correct_rows(cells, coarse, fine, exact, &means, &wanted, error);
    }
    if (status == BRUME_OK && exact) {
        status = correct_sum(cells, coarse, fine, error);
    }
    brume_field_destroy(&means);
    brume_field_destroy(&wanted);
    brume_field_destroy(&scratch);
    return status;
}
