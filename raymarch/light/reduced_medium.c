// The medium and its direct light on the coarse grids of scattered light.
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/light/scattered_light_internal.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/transmittance_sweep.h"

#include <string.h>

static const float MOST_DEPTH = 6.0f; // of a cell

static int divide_rounding_up(int a, int b) { return (a + b - 1) / b; }

// cells of the medium along a side of a coarse cell
static int coarsening(int cells, int most_cells) { return divide_rounding_up(cells, most_cells); }

static BrumeGrid transposed_grid(BrumeGrid grid) { return brume_grid(grid.nz, grid.ny, grid.nx); }

// sets the shape of all fields of a coarse grid, and clears those that are summed
static void set_shape(BrumeTransportGrid *grid, BrumeGrid cells, BrumeVec3 cell)
{
    grid->cell = cell;
    for (int n = 0; n < BRUME_TRANSPORT_FIELDS; n++) {
        BrumeField *field = brume_transport_field(grid, n);
        const bool exchanged = n / 3 == 3 || n / 3 == 4; // the transposed fields
        brume_field_reshape(field, exchanged ? transposed_grid(cells) : cells);
    }
    for (int c = 0; c < 3; c++) {
        const size_t bytes = brume_grid_entries(cells) * sizeof(float);
        memset(grid->extinction[c].data, 0, bytes); // the ghosts stay 0
        memset(grid->direct[c].data, 0, bytes);
        memset(grid->glow[c].data, 0, bytes);
    }
}

// extinction and scattering of the cells of the medium in one coarse cell, after the reduction
typedef struct ReducedCell {
    double extinction[3], scattering[3];
} ReducedCell;

// adds smoke to a coarse cell; the fraction `anisotropy` of its scattered light counts as going straight on
static void add_cell(ReducedCell *cell, float extinction, BrumeVec3 albedo, float anisotropy)
{
    for (int c = 0; c < 3; c++) {
        const float w = brume_channel(albedo, c);
        cell->extinction[c] += (double)(extinction * (1.0f - w * anisotropy));
        cell->scattering[c] += (double)(extinction * (w - w * anisotropy));
    }
}

// the cells of the medium in the coarse cell (i, j, k), which has `side` of them along each side, and within a box
static BrumeCellBox cells_of(const BrumeCellBox *box, const int side[3], int i, int j, int k)
{
    const int index[3] = {i, j, k};
    BrumeCellBox cells;
    for (int axis = 0; axis < 3; axis++) {
        cells.lower[axis] = brume_max_int(index[axis] * side[axis], box->lower[axis]);
        cells.upper[axis] = brume_min_int((index[axis] + 1) * side[axis], box->upper[axis]);
    }
    return cells;
}

static float sum_of_row(const float *row, int count)
{
    float sum = 0.0f;
    for (int n = 0; n < count; n++) {
        sum += row[n];
    }
    return sum;
}

// sums over cells of the medium
static ReducedCell reduce_cells(const BrumeGridMedium *medium, const BrumeRenderSettings *settings, float mean_cosine,
                                const BrumeCellBox *cells)
{
    ReducedCell cell = {0};
    for (int k = cells->lower[2]; k < cells->upper[2]; k++) {
        for (int j = cells->lower[1]; j < cells->upper[1]; j++) {
            const ptrdiff_t row = brume_field_index(&medium->extinction, 1, j + 1, k + 1);
            const ptrdiff_t first = row + cells->lower[0];
            const int count = cells->upper[0] - cells->lower[0];
            const float *of_smoke = (medium->smoke_alone ? medium->smoke_alone : &medium->extinction)->data + first;
            if (medium->smoke_alone) {
                const float all = sum_of_row(medium->extinction.data + first, count);
                add_cell(&cell, brume_max(all - sum_of_row(of_smoke, count), 0.0f), medium->particle_albedo, 0.0f);
            }
            if (!medium->mixed) {
                add_cell(&cell, sum_of_row(of_smoke, count), medium->albedo, mean_cosine);
                continue;
            }
            for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
                float sum = 0.0f;
                for (ptrdiff_t n = row + cells->lower[0]; n < row + cells->upper[0]; n++) {
                    sum += medium->kinds[BRUME_VOLUME_KINDS * n + kind];
                }
                add_cell(&cell, sum, settings->smoke[kind].albedo, mean_cosine);
            }
        }
    }
    return cell;
}

void brume_reduce_medium(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                         float mean_cosine, int most_cells)
{
    const BrumeGrid whole = medium->grid;
    const int side[3] = {coarsening(whole.nx, most_cells), coarsening(whole.ny, most_cells),
                         coarsening(whole.nz, most_cells)};
    const BrumeGrid cells = brume_grid(divide_rounding_up(whole.nx, side[0]), divide_rounding_up(whole.ny, side[1]),
                                       divide_rounding_up(whole.nz, side[2]));
    set_shape(grid, cells, brume_vec3((float)side[0], (float)side[1], (float)side[2]));
    const float per_cell = 1.0f / (float)(side[0] * side[1] * side[2]);
    // empty cells next to smoke have the albedo of a medium whose kinds have equal shares
    ReducedCell typical = {0};
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        add_cell(&typical, 1.0f, medium->mixed ? settings->smoke[kind].albedo : medium->albedo, mean_cosine);
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            for (int i = 0; i < cells.nx; i++) {
                const BrumeCellBox fine = cells_of(&medium->smoke, side, i, j, k);
                const ReducedCell cell = reduce_cells(medium, settings, mean_cosine, &fine);
                const ptrdiff_t n = brume_field_index(&grid->albedo[0], i + 1, j + 1, k + 1);
                for (int c = 0; c < 3; c++) {
                    const bool empty = !(cell.extinction[c] > 0.0);
                    grid->extinction[c].data[n] = per_cell * (float)cell.extinction[c];
                    grid->albedo[c].data[n] = empty ? (float)(typical.scattering[c] / typical.extinction[c])
                                                    : (float)(cell.scattering[c] / cell.extinction[c]);
                }
            }
        }
    }
}

void brume_coarsen_medium(BrumeTransportGrid *coarse, const BrumeTransportGrid *fine)
{
    const BrumeGrid cells = fine->extinction[0].grid;
    set_shape(coarse, brume_half_grid(cells), brume_scale(fine->cell, 2.0f));
    const BrumeGrid half = coarse->extinction[0].grid;
    for (int c = 0; c < 3; c++) {
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= half.nz; k++) {
            for (int j = 1; j <= half.ny; j++) {
                for (int i = 1; i <= half.nx; i++) {
                    float extinction = 0.0f;
                    float scattering = 0.0f;
                    float direct = 0.0f;
                    float albedo = 0.0f;
                    float any_direct = 0.0f;
                    float glow = 0.0f;
                    float count = 0.0f;
                    for (int dk = 2 * k - 1; dk <= 2 * k && dk <= cells.nz; dk++) {
                        for (int dj = 2 * j - 1; dj <= 2 * j && dj <= cells.ny; dj++) {
                            for (int di = 2 * i - 1; di <= 2 * i && di <= cells.nx; di++) {
                                const ptrdiff_t n = brume_field_index(&fine->albedo[c], di, dj, dk);
                                const float scattered = fine->extinction[c].data[n] * fine->albedo[c].data[n];
                                extinction += fine->extinction[c].data[n];
                                scattering += scattered;
                                direct += scattered * fine->direct[c].data[n];
                                albedo += fine->albedo[c].data[n];
                                any_direct += fine->direct[c].data[n];
                                glow += fine->extinction[c].data[n] * fine->glow[c].data[n];
                                count += 1.0f;
                            }
                        }
                    }
                    const ptrdiff_t n = brume_field_index(&coarse->albedo[c], i, j, k);
                    coarse->extinction[c].data[n] = 0.125f * extinction;
                    coarse->albedo[c].data[n] = extinction > 0.0f ? scattering / extinction : albedo / count;
                    coarse->glow[c].data[n] = extinction > 0.0f ? glow / extinction : 0.0f;
                    coarse->direct[c].data[n] = scattering > 0.0f ? direct / scattering : any_direct / count;
                }
            }
        }
    }
}

void brume_transpose_extinction(BrumeTransportGrid *grid)
{
    for (int c = 0; c < 3; c++) {
        brume_transpose_field(&grid->transposed_extinction[c], &grid->extinction[c]);
    }
}

// The optical depth over which the light at a point of a part of a cell is averaged, where that of the part is `depth`:
// nearly `depth` where that is large, 0 up to 1, where the light at the point is the mean.
static float spread_of(float depth) { return depth > 1.0f ? depth - 1.0f / depth : 0.0f; }

void brume_limit_extinction(BrumeTransportGrid *grid)
{
    const float most = MOST_DEPTH / brume_least(grid->cell);
    for (int c = 0; c < 3; c++) {
        float *extinction = grid->extinction[c].data;
        const ptrdiff_t entries = (ptrdiff_t)brume_grid_entries(grid->extinction[c].grid);
#pragma omp parallel for schedule(static)
        for (ptrdiff_t n = 0; n < entries; n++) {
            if (extinction[n] > most) {
                grid->direct[c].data[n] *= extinction[n] / most;
                grid->glow[c].data[n] *= extinction[n] / most;
                extinction[n] = most;
            }
        }
    }
}

void brume_add_direct_light(BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, const BrumeIncidentLight *sources)
{
    const BrumeGrid cells = grid->extinction[0].grid;
    const BrumeVec3 side = grid->cell;
    const BrumeVec3 extent = brume_grid_extent(medium->grid);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            for (int i = 0; i < cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(&grid->albedo[0], i + 1, j + 1, k + 1);
                const bool empty = !(grid->extinction[0].data[n] > 0.0f);
                const int points = empty ? 1 : 2; // along each side
                float sum[3] = {0};
                float weight = 0.0f;
                for (int p = 0; p < points * points * points; p++) {
                    const int layer = p / (points * points);
                    const float fx = ((float)(p % points) + 0.5f) / (float)points;
                    const float fy = ((float)(p / points % points) + 0.5f) / (float)points;
                    const float fz = ((float)layer + 0.5f) / (float)points;
                    const BrumeVec3 point = brume_vec3(brume_min(((float)i + fx) * side.x, extent.x),
                                                       brume_min(((float)j + fy) * side.y, extent.y),
                                                       brume_min(((float)k + fz) * side.z, extent.z));
                    const float extinction = brume_field_sample(&medium->extinction, point);
                    if (!empty && extinction <= 0.0f) {
                        continue;
                    }
                    const BrumeVec3 albedo = brume_grid_medium_albedo_at(medium, settings, point);
                    const float scattered = empty ? 1.0f : extinction;
                    const float spread = spread_of(0.5f * extinction * brume_least(side));
                    weight += scattered;
                    for (int light = 0; light < sources->light_count; light++) {
                        float depth;
                        const BrumeVec3 irradiance = sources->direct_light(sources->context, light, point, &depth);
                        const BrumeVec3 left = brume_reduced_transmittance(albedo, sources->mean_cosine,
                                                                           brume_max(depth - 0.5f * spread, 0.0f));
                        for (int c = 0; c < 3; c++) {
                            const float part = 1.0f - sources->mean_cosine * brume_channel(albedo, c);
                            sum[c] += scattered * brume_channel(irradiance, c) * brume_channel(left, c) *
                                      brume_mean_transmittance(part * spread);
                        }
                    }
                }
                for (int c = 0; c < 3; c++) {
                    grid->direct[c].data[n] = weight > 0.0f ? sum[c] / (4.0f * BRUME_PI * weight) : 0.0f;
                }
            }
        }
    }
}

// The emission of a cell, the mean over 2^3 points: thermal radiation is a steep function of the temperature. `i`, `j`,
// `k` count from 0.
static BrumeVec3 emission_of_cell(const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int i, int j,
                                  int k)
{
    const float dark = 600.0f; // [K]; less is emitted below it than can be seen
    const ptrdiff_t n = brume_field_index(&medium->extinction, i + 1, j + 1, k + 1);
    BrumeVec3 sum = {0};
    if (!(medium->temperature.data[n] > dark)) {
        return sum;
    }
    for (int p = 0; p < 8; p++) {
        const BrumeVec3 point = {(float)i + (p % 2 == 0 ? 0.25f : 0.75f), (float)j + (p / 2 % 2 == 0 ? 0.25f : 0.75f),
                                 (float)k + (p < 4 ? 0.25f : 0.75f)};
        const float extinction = brume_field_sample(&medium->extinction, point);
        if (extinction > 0.0f) {
            const BrumeVec3 albedo = brume_grid_medium_albedo_at(medium, settings, point);
            const BrumeVec3 emitted = brume_grid_medium_emission_at(medium, albedo, point);
            sum = brume_add(sum, brume_scale(emitted, 0.125f * extinction));
        }
    }
    return sum;
}

void brume_add_glow(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings)
{
    const BrumeGrid cells = grid->albedo[0].grid;
    const int side[3] = {(int)grid->cell.x, (int)grid->cell.y, (int)grid->cell.z};
    const BrumeCellBox near = brume_widened_box(medium->smoke, 1, medium->grid); // smoke reaches beyond its cells
    const float per_cell = 1.0f / (float)(side[0] * side[1] * side[2]);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            for (int i = 0; i < cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(&grid->albedo[0], i + 1, j + 1, k + 1);
                BrumeVec3 sum = {0};
                const BrumeCellBox fine = cells_of(&near, side, i, j, k);
                for (int fk = fine.lower[2]; fk < fine.upper[2]; fk++) {
                    for (int fj = fine.lower[1]; fj < fine.upper[1]; fj++) {
                        for (int fi = fine.lower[0]; fi < fine.upper[0]; fi++) {
                            sum = brume_add(sum, emission_of_cell(medium, settings, fi, fj, fk));
                        }
                    }
                }
                for (int c = 0; c < 3; c++) {
                    const float extinction = grid->extinction[c].data[n];
                    grid->glow[c].data[n] = extinction > 0.0f ? per_cell * brume_channel(sum, c) / extinction : 0.0f;
                }
            }
        }
    }
}
