#include "raymarch/light/scattered_light.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "raymarch/intersect.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/transmittance_sweep.h"

#include <assert.h>
#include <string.h>

enum {
    TASKS = 6,      // of the directions: one for each axis and sign
    MAX_CYCLES = 8, // of the iteration on two grids
    FIELDS = 8 * 3, // of a transport grid
    SUMS = 3 * TASKS > TASKS *BRUME_LIGHT_MOMENTS ? 3 * TASKS : TASKS *BRUME_LIGHT_MOMENTS, // arrays
};

static const float tolerance = 2e-3f; // relative change of phi in the last cycle

static float channel(BrumeVec3 color, int c) { return c == 0 ? color.x : c == 1 ? color.y : color.z; }

static int divide_rounding_up(int a, int b) { return (a + b - 1) / b; }

// cells of the medium along a side of a coarse cell
static int coarsening(int cells) { return divide_rounding_up(cells, BRUME_SCATTERED_CELLS); }

static BrumeGrid coarse_grid(BrumeGrid grid)
{
    return (BrumeGrid){divide_rounding_up(grid.nx, coarsening(grid.nx)),
                       divide_rounding_up(grid.ny, coarsening(grid.ny)),
                       divide_rounding_up(grid.nz, coarsening(grid.nz))};
}

static BrumeGrid half_grid(BrumeGrid grid)
{
    return (BrumeGrid){(grid.nx + 1) / 2, (grid.ny + 1) / 2, (grid.nz + 1) / 2};
}

static BrumeGrid transposed(BrumeGrid grid) { return (BrumeGrid){grid.nz, grid.ny, grid.nx}; }

// the largest coarse grid of any volume within the capacity
static BrumeGrid largest_grid(BrumeGrid capacity)
{
    const int side = BRUME_SCATTERED_CELLS;
    return (BrumeGrid){capacity.nx < side ? capacity.nx : side, capacity.ny < side ? capacity.ny : side,
                       capacity.nz < side ? capacity.nz : side};
}

// the fields of a transport grid, in the order of its members
static BrumeField *field_of(BrumeTransportGrid *grid, int n)
{
    BrumeField *const fields[] = {grid->extinction,        grid->albedo, grid->source, grid->transposed_extinction,
                                  grid->transposed_source, grid->direct, grid->phi,    grid->next};
    return &fields[n / 3][n % 3];
}

BrumeStatus brume_scattered_light_create(BrumeScatteredLight *light, BrumeGrid capacity, BrumeError *error)
{
    const BrumeGrid grids[2] = {largest_grid(capacity), half_grid(largest_grid(capacity))};
    for (int level = 0; level < 2; level++) {
        for (int n = 0; n < FIELDS; n++) {
            if (brume_field_create(field_of(&light->grids[level], n), grids[level], error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            if (brume_field_create(&light->basis[c][n], grids[1], error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
    }
    const size_t entries = brume_grid_entries(grids[0]);
    light->plane_entries = brume_ordinate_scratch(grids[0]);
    light->sums = brume_alloc(SUMS * entries, sizeof(float));
    light->planes = brume_alloc(3 * TASKS * light->plane_entries, sizeof(float));
    light->moments = brume_alloc(3 * BRUME_LIGHT_MOMENTS * entries, sizeof(float));
    light->ground = brume_alloc((size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP, sizeof(float));
    if (light->sums == NULL || light->planes == NULL || light->moments == NULL || light->ground == NULL) {
        return brume_out_of_memory(error, "scattered light");
    }
    return BRUME_OK;
}

void brume_scattered_light_destroy(BrumeScatteredLight *light)
{
    for (int level = 0; level < 2; level++) {
        for (int n = 0; n < FIELDS; n++) {
            brume_field_destroy(field_of(&light->grids[level], n));
        }
    }
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            brume_field_destroy(&light->basis[c][n]);
        }
    }
    brume_free(light->sums);
    brume_free(light->planes);
    brume_free(light->moments);
    brume_free(light->ground);
}

size_t brume_scattered_light_bytes(BrumeGrid capacity)
{
    const BrumeGrid largest = largest_grid(capacity);
    const size_t entries = brume_grid_entries(largest);
    return (entries * (FIELDS + SUMS + 3 * BRUME_LIGHT_MOMENTS) +
            brume_grid_entries(half_grid(largest)) * (FIELDS + 3 * (BRUME_KRYLOV + 1)) +
            3 * TASKS * brume_ordinate_scratch(largest) + (size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP) *
           sizeof(float);
}

// --- the reduced medium ---

static void reshape(BrumeTransportGrid *grid, BrumeGrid cells, BrumeVec3 cell)
{
    grid->cell = cell;
    for (int n = 0; n < FIELDS; n++) {
        BrumeField *field = field_of(grid, n);
        const bool exchanged = n / 3 == 3 || n / 3 == 4; // the transposed fields
        brume_field_reshape(field, exchanged ? transposed(cells) : cells);
    }
    for (int c = 0; c < 3; c++) {
        const size_t bytes = brume_grid_entries(cells) * sizeof(float);
        memset(grid->extinction[c].data, 0, bytes); // the ghosts stay 0
        memset(grid->direct[c].data, 0, bytes);
    }
}

// what the cells of the medium in one coarse cell extinguish, and scatter, after the reduction
typedef struct ReducedCell {
    double extinction[3], scattering[3];
} ReducedCell;

static void add_cell(ReducedCell *cell, float extinction, BrumeVec3 albedo, float anisotropy)
{
    for (int c = 0; c < 3; c++) {
        const float w = channel(albedo, c);
        cell->extinction[c] += (double)(extinction * (1.0f - w * anisotropy));
        cell->scattering[c] += (double)(extinction * (w - w * anisotropy));
    }
}

static ReducedCell reduced_cell(const BrumeGridMedium *medium, const BrumeRenderSettings *settings, float mean_cosine,
                                const int first[3], const int last[3])
{
    ReducedCell cell = {0};
    for (int k = first[2]; k < last[2]; k++) {
        for (int j = first[1]; j < last[1]; j++) {
            const ptrdiff_t row = brume_field_index(&medium->extinction, 1, j + 1, k + 1);
            if (!medium->mixed) {
                float sum = 0.0f;
                for (ptrdiff_t n = row + first[0]; n < row + last[0]; n++) {
                    sum += medium->extinction.data[n];
                }
                add_cell(&cell, sum, medium->albedo, mean_cosine);
                continue;
            }
            for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
                float sum = 0.0f;
                for (ptrdiff_t n = row + first[0]; n < row + last[0]; n++) {
                    sum += medium->kinds[BRUME_VOLUME_KINDS * n + kind];
                }
                add_cell(&cell, sum, settings->smoke[kind].albedo, mean_cosine);
            }
        }
    }
    return cell;
}

static void reduce_medium(BrumeTransportGrid *grid, const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                          float mean_cosine)
{
    const int side[3] = {coarsening(medium->grid.nx), coarsening(medium->grid.ny), coarsening(medium->grid.nz)};
    reshape(grid, coarse_grid(medium->grid), brume_vec3((float)side[0], (float)side[1], (float)side[2]));
    const BrumeGrid cells = grid->extinction[0].grid;
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
                const int first[3] = {i * side[0], j * side[1], k * side[2]};
                const int end[3] = {first[0] + side[0], first[1] + side[1], first[2] + side[2]};
                const int last[3] = {end[0] < medium->grid.nx ? end[0] : medium->grid.nx,
                                     end[1] < medium->grid.ny ? end[1] : medium->grid.ny,
                                     end[2] < medium->grid.nz ? end[2] : medium->grid.nz};
                const ReducedCell cell = reduced_cell(medium, settings, mean_cosine, first, last);
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

// the reduced medium on cells twice as wide; albedo and direct light are means weighted by extinction and scattering
static void coarsen_medium(BrumeTransportGrid *coarse, const BrumeTransportGrid *fine)
{
    const BrumeGrid cells = fine->extinction[0].grid;
    reshape(coarse, half_grid(cells), brume_scale(fine->cell, 2.0f));
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
                                count += 1.0f;
                            }
                        }
                    }
                    const ptrdiff_t n = brume_field_index(&coarse->albedo[c], i, j, k);
                    coarse->extinction[c].data[n] = 0.125f * extinction;
                    coarse->albedo[c].data[n] = extinction > 0.0f ? scattering / extinction : albedo / count;
                    coarse->direct[c].data[n] = scattering > 0.0f ? direct / scattering : any_direct / count;
                }
            }
        }
    }
}

static void transpose_extinction(BrumeTransportGrid *grid)
{
    for (int c = 0; c < 3; c++) {
        brume_transpose_field(&grid->transposed_extinction[c], &grid->extinction[c]);
    }
}

// Mean radiance of direct light in the reduced medium: at one point of an empty coarse cell; elsewhere at up to two
// points along each side, weighted by what they scatter.
static void add_direct_light(BrumeTransportGrid *grid, const BrumeGridMedium *medium,
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
                const int points[3] = {empty || side.x < 1.5f ? 1 : 2, empty || side.y < 1.5f ? 1 : 2,
                                       empty || side.z < 1.5f ? 1 : 2};
                float sum[3] = {0};
                float weight = 0.0f;
                for (int p = 0; p < points[0] * points[1] * points[2]; p++) {
                    const float fx = ((float)(p % points[0]) + 0.5f) / (float)points[0];
                    const int row = p / points[0] % points[1];
                    const float fy = ((float)row + 0.5f) / (float)points[1];
                    const int layer = p / (points[0] * points[1]);
                    const float fz = ((float)layer + 0.5f) / (float)points[2];
                    const BrumeVec3 point = brume_vec3(brume_min(((float)i + fx) * side.x, extent.x),
                                                       brume_min(((float)j + fy) * side.y, extent.y),
                                                       brume_min(((float)k + fz) * side.z, extent.z));
                    const float extinction = brume_field_sample(&medium->extinction, point);
                    if (!empty && extinction <= 0.0f) {
                        continue;
                    }
                    const BrumeVec3 albedo = brume_grid_medium_albedo_at(medium, settings, point);
                    const float scattered = empty ? 1.0f : extinction;
                    weight += scattered;
                    for (int light = 0; light < sources->light_count; light++) {
                        float depth;
                        const BrumeVec3 irradiance = sources->direct_light(sources->context, light, point, &depth);
                        const BrumeVec3 left = brume_reduced_transmittance(albedo, sources->mean_cosine, depth);
                        for (int c = 0; c < 3; c++) {
                            sum[c] += scattered * channel(irradiance, c) * channel(left, c);
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

// --- sweeps through all directions ---

// one batch of sweeps
typedef struct Transport {
    BrumeScatteredLight *light;
    BrumeTransportGrid *grid;
    const BrumeIncidentLight *sources; // NULL: no light enters the box
} Transport;

// source = albedo * (phi + direct light, if `direct`), with its ghosts, and transposed
static void set_source(BrumeTransportGrid *grid, const BrumeField phi[3], bool direct)
{
    const BrumeGrid cells = grid->albedo[0].grid;
    for (int c = 0; c < 3; c++) {
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= cells.nz; k++) {
            for (ptrdiff_t n = grid->albedo[c].sz * k; n < grid->albedo[c].sz * (k + 1); n++) {
                const float light = phi[c].data[n] + (direct ? grid->direct[c].data[n] : 0.0f);
                grid->source[c].data[n] = grid->albedo[c].data[n] * light;
            }
        }
        brume_replicate_edges(grid->source[c].data, cells, 1);
        brume_transpose_field(&grid->transposed_source[c], &grid->source[c]);
    }
}

static BrumeVec3 exchange_xz(BrumeVec3 a) { return brume_vec3(a.z, a.y, a.x); }

// the sweep of one ordinate for one color, transposed where that is needed
static BrumeOrdinateSweep sweep_of(const Transport *transport, int c, int n, bool *exchanged)
{
    const BrumeTransportGrid *grid = transport->grid;
    const BrumeVec3 direction = brume_ordinate(n).direction;
    *exchanged = brume_ordinate_axis(direction, grid->cell) == 0;
    return (BrumeOrdinateSweep){
        .extinction = *exchanged ? &grid->transposed_extinction[c] : &grid->extinction[c],
        .source = *exchanged ? &grid->transposed_source[c] : &grid->source[c],
        .cell = *exchanged ? exchange_xz(grid->cell) : grid->cell,
        .direction = *exchanged ? exchange_xz(direction) : direction,
        .inflow = transport->sources != NULL ? channel(transport->sources->inflow[n], c) : 0.0f,
    };
}

static float *sum_of(const Transport *transport, int n)
{
    return transport->light->sums + brume_grid_entries(transport->grid->albedo[0].grid) * (size_t)n;
}

// The sums over the ordinates of one axis and sign (`task`), of `count` moments, from the `first` sum on. The sums of
// axis x are transposed.
static void sweep_task(const Transport *transport, int c, int task, int count, int first, float *planes)
{
    float *sums[BRUME_LIGHT_MOMENTS];
    for (int m = 0; m < count; m++) {
        sums[m] = sum_of(transport, first + m);
        memset(sums[m], 0, brume_grid_entries(transport->grid->albedo[0].grid) * sizeof(float));
    }
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        const BrumeOrdinate ordinate = brume_ordinate(n);
        const int sign = n < BRUME_DOWNWARD_ORDINATES ? 0 : 1;
        if (2 * brume_ordinate_axis(ordinate.direction, transport->grid->cell) + sign != task) {
            continue;
        }
        bool exchanged;
        const BrumeOrdinateSweep sweep = sweep_of(transport, c, n, &exchanged);
        const BrumeVec3 flux = brume_scale(ordinate.direction, ordinate.weight);
        const float weights[BRUME_LIGHT_MOMENTS] = {ordinate.weight, flux.x, flux.y, flux.z};
        brume_ordinate_sweep(&sweep, count, sums, weights, planes);
    }
}

// adds the sums of all tasks, which lie `stride` apart, into out[out_stride * n]
static void add_tasks(const Transport *transport, int first, int stride, float *out, int out_stride)
{
    const BrumeField *shape = &transport->grid->albedo[0];
    const BrumeField *other = &transport->grid->transposed_extinction[0];
    const BrumeGrid cells = shape->grid;
    const float *sums[TASKS];
    for (int task = 0; task < TASKS; task++) {
        sums[task] = sum_of(transport, first + stride * task);
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(shape, i, j, k);
                const ptrdiff_t m = brume_field_index(other, k, j, i);
                out[out_stride * n] =
                    ((sums[0][m] + sums[1][m]) + (sums[2][n] + sums[3][n])) + (sums[4][n] + sums[5][n]);
            }
        }
    }
}

// `to` = the mean radiance that the source and, with `sources`, the inflow cause
static void transport_mean(const Transport *transport, BrumeField to[3])
{
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < 3 * TASKS; n++) {
        sweep_task(transport, n / TASKS, n % TASKS, 1, n,
                   transport->light->planes + (size_t)n * transport->light->plane_entries);
    }
    for (int c = 0; c < 3; c++) {
        add_tasks(transport, TASKS * c, 1, to[c].data, 1);
    }
}

static void transport_moments(const Transport *transport)
{
    BrumeScatteredLight *light = transport->light;
    const BrumeGrid cells = transport->grid->albedo[0].grid;
    for (int c = 0; c < 3; c++) {
        float *moments = light->moments + (size_t)c * BRUME_LIGHT_MOMENTS * brume_grid_entries(cells);
#pragma omp parallel for schedule(dynamic)
        for (int task = 0; task < TASKS; task++) {
            sweep_task(transport, c, task, BRUME_LIGHT_MOMENTS, BRUME_LIGHT_MOMENTS * task,
                       light->planes + (size_t)task * light->plane_entries);
        }
        for (int m = 0; m < BRUME_LIGHT_MOMENTS; m++) {
            add_tasks(transport, m, BRUME_LIGHT_MOMENTS, moments + m, BRUME_LIGHT_MOMENTS);
        }
        brume_replicate_edges(moments, cells, BRUME_LIGHT_MOMENTS);
    }
}

// --- the iteration ---

// sum over the cells of extinction * a * b: the scattering equation sees phi only where there is extinction
static double weighted_dot(const BrumeTransportGrid *grid, int c, const BrumeField *a, const BrumeField *b)
{
    enum { MAX_PLANES = BRUME_SCATTERED_CELLS + 1 };
    double partial[MAX_PLANES];
    const BrumeField *shape = &grid->albedo[c];
    const float *weight = grid->extinction[c].data;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= shape->grid.nz; k++) {
        double lanes[BRUME_LANES] = {0};
        for (int j = 1; j <= shape->grid.ny; j++) { // without the ghosts, which the steps of GMRES would let grow
            const ptrdiff_t row = brume_field_index(shape, 0, j, k);
            for (ptrdiff_t n = row + 1; n <= row + shape->grid.nx; n++) {
                lanes[n % BRUME_LANES] += (double)(weight[n] * a->data[n]) * (double)b->data[n];
            }
        }
        partial[k] = brume_sum_lanes(lanes);
    }
    double sum = 0.0;
    for (int k = 1; k <= shape->grid.nz; k++) {
        sum += partial[k];
    }
    return sum;
}

// a += factor * b
static void add_multiple(BrumeField *a, float factor, const BrumeField *b)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= a->grid.nz; k++) {
        for (ptrdiff_t n = a->sz * k; n < a->sz * (k + 1); n++) {
            a->data[n] += factor * b->data[n];
        }
    }
}

static void scale_to(BrumeField *to, float factor, const BrumeField *from)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < to->grid.nz + 2; k++) {
        for (ptrdiff_t n = to->sz * k; n < to->sz * (k + 1); n++) {
            to->data[n] = factor * from->data[n];
        }
    }
}

// the state of GMRES for one color: Givens rotations of the Hessenberg matrix and the rotated right-hand side
typedef struct Krylov {
    double upper[BRUME_KRYLOV][BRUME_KRYLOV + 1]; // by column
    double cosine[BRUME_KRYLOV], sine[BRUME_KRYLOV];
    double rest[BRUME_KRYLOV + 1];
    double initial; // norm of the right-hand side
    int count;      // of columns
    bool done;
} Krylov;

static void rotate_column(Krylov *krylov, double *column, int n)
{
    for (int m = 0; m < n; m++) {
        const double a = column[m];
        const double b = column[m + 1];
        column[m] = krylov->cosine[m] * a + krylov->sine[m] * b;
        column[m + 1] = krylov->cosine[m] * b - krylov->sine[m] * a;
    }
    const double length = sqrt(column[n] * column[n] + column[n + 1] * column[n + 1]);
    krylov->cosine[n] = length > 0.0 ? column[n] / length : 1.0;
    krylov->sine[n] = length > 0.0 ? column[n + 1] / length : 0.0;
    column[n] = length;
    krylov->rest[n + 1] = -krylov->sine[n] * krylov->rest[n];
    krylov->rest[n] = krylov->cosine[n] * krylov->rest[n];
    krylov->count = n + 1;
}

// Solves (1 - K) x = b by GMRES in the norm of weighted_dot, K being the transport of the source albedo * x without
// inflow. `x` holds b before and the solution after.
static void solve_by_gmres(BrumeScatteredLight *light, BrumeTransportGrid *grid, BrumeField x[3], double reduction)
{
    const Transport transport = {light, grid, NULL};
    Krylov krylov[3] = {0};
    BrumeField vectors[3];
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            brume_field_reshape(&light->basis[c][n], x[c].grid);
        }
        krylov[c].initial = sqrt(weighted_dot(grid, c, &x[c], &x[c]));
        krylov[c].rest[0] = krylov[c].initial;
        krylov[c].done = !(krylov[c].initial > 0.0);
        scale_to(&light->basis[c][0], krylov[c].done ? 0.0f : (float)(1.0 / krylov[c].initial), &x[c]);
    }
    for (int n = 0; n < BRUME_KRYLOV && !(krylov[0].done && krylov[1].done && krylov[2].done); n++) {
        for (int c = 0; c < 3; c++) {
            vectors[c] = light->basis[c][krylov[c].done ? 0 : n];
        }
        set_source(grid, vectors, false);
        transport_mean(&transport, grid->next);
        for (int c = 0; c < 3; c++) {
            if (krylov[c].done) {
                continue;
            }
            BrumeField *next = &grid->next[c];
            double *column = krylov[c].upper[n];
            scale_to(next, -1.0f, next);
            add_multiple(next, 1.0f, &vectors[c]);
            for (int m = 0; m <= n; m++) {
                column[m] = weighted_dot(grid, c, next, &light->basis[c][m]);
                add_multiple(next, (float)-column[m], &light->basis[c][m]);
            }
            column[n + 1] = sqrt(weighted_dot(grid, c, next, next));
            scale_to(&light->basis[c][n + 1], column[n + 1] > 0.0 ? (float)(1.0 / column[n + 1]) : 0.0f, next);
            rotate_column(&krylov[c], column, n);
            krylov[c].done = !(fabs(krylov[c].rest[n + 1]) > reduction * krylov[c].initial);
        }
    }
    for (int c = 0; c < 3; c++) {
        double weights[BRUME_KRYLOV];
        for (int n = krylov[c].count - 1; n >= 0; n--) {
            double sum = krylov[c].rest[n];
            for (int m = n + 1; m < krylov[c].count; m++) {
                sum -= krylov[c].upper[m][n] * weights[m];
            }
            weights[n] = krylov[c].upper[n][n] > 0.0 ? sum / krylov[c].upper[n][n] : 0.0;
        }
        scale_to(&x[c], 0.0f, &x[c]);
        for (int n = 0; n < krylov[c].count; n++) {
            add_multiple(&x[c], (float)weights[n], &light->basis[c][n]);
        }
    }
}

// means over 2^3 cells
static void restrict_to(BrumeField *coarse, const BrumeField *fine)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= coarse->grid.nz; k++) {
        for (int j = 1; j <= coarse->grid.ny; j++) {
            for (int i = 1; i <= coarse->grid.nx; i++) {
                float sum = 0.0f;
                float count = 0.0f;
                for (int dk = 2 * k - 1; dk <= 2 * k && dk <= fine->grid.nz; dk++) {
                    for (int dj = 2 * j - 1; dj <= 2 * j && dj <= fine->grid.ny; dj++) {
                        for (int di = 2 * i - 1; di <= 2 * i && di <= fine->grid.nx; di++) {
                            sum += fine->data[brume_field_index(fine, di, dj, dk)];
                            count += 1.0f;
                        }
                    }
                }
                coarse->data[brume_field_index(coarse, i, j, k)] = sum / count;
            }
        }
    }
}

// fine += coarse, interpolated trilinearly
static void add_prolonged(BrumeField *fine, BrumeField *coarse)
{
    brume_replicate_edges(coarse->data, coarse->grid, 1);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= fine->grid.nz; k++) {
        for (int j = 1; j <= fine->grid.ny; j++) {
            float *row = fine->data + brume_field_index(fine, 0, j, k);
            // the cell 2m - 1 lies a quarter of a coarse cell below the centre of the coarse cell m, 2m above
            const ptrdiff_t sy = j % 2 == 1 ? -coarse->sy : coarse->sy;
            const ptrdiff_t sz = k % 2 == 1 ? -coarse->sz : coarse->sz;
            const float *from = coarse->data + brume_field_index(coarse, 0, (j + 1) / 2, (k + 1) / 2);
            for (int i = 1; i <= fine->grid.nx; i++) {
                const float *a = from + (i + 1) / 2;
                row[i] += brume_trilinear(a, i % 2 == 1 ? -1 : 1, sy, sz, 0.25f, 0.25f, 0.25f);
            }
        }
    }
}

// relative change of phi from `phi` to `next`, of the color that changes most; phi becomes the difference next - phi
static double take_difference(BrumeTransportGrid *grid)
{
    double largest = 0.0;
    for (int c = 0; c < 3; c++) {
        scale_to(&grid->phi[c], -1.0f, &grid->phi[c]);
        add_multiple(&grid->phi[c], 1.0f, &grid->next[c]);
        const double change = weighted_dot(grid, c, &grid->phi[c], &grid->phi[c]);
        const double total = weighted_dot(grid, c, &grid->next[c], &grid->next[c]);
        const double relative = total > 0.0 ? sqrt(change / total) : 0.0;
        largest = relative > largest ? relative : largest;
    }
    return largest;
}

static void solve(BrumeScatteredLight *light, const BrumeIncidentLight *sources)
{
    BrumeTransportGrid *fine = &light->grids[0];
    BrumeTransportGrid *coarse = &light->grids[1];
    const Transport on_fine = {light, fine, sources};
    const Transport on_coarse = {light, coarse, sources};
    // the initial values: the solution on the second grid
    for (int c = 0; c < 3; c++) {
        scale_to(&coarse->phi[c], 0.0f, &coarse->extinction[c]);
        scale_to(&fine->phi[c], 0.0f, &fine->extinction[c]);
    }
    set_source(coarse, coarse->phi, true);
    transport_mean(&on_coarse, coarse->phi);
    solve_by_gmres(light, coarse, coarse->phi, 1e-3);
    for (int c = 0; c < 3; c++) {
        add_prolonged(&fine->phi[c], &coarse->phi[c]);
    }
    light->change = 1.0;
    for (light->iterations = 0; light->iterations < MAX_CYCLES && light->change > (double)tolerance;
         light->iterations++) {
        set_source(fine, fine->phi, true);
        transport_mean(&on_fine, fine->next);
        light->change = take_difference(fine);
        // phi = next + (the smooth part of the error of phi, less what the sweep has removed of it)
        for (int c = 0; c < 3; c++) {
            restrict_to(&coarse->phi[c], &fine->phi[c]);
            scale_to(&coarse->direct[c], 1.0f, &coarse->phi[c]); // no longer needed otherwise
        }
        solve_by_gmres(light, coarse, coarse->phi, 0.05);
        for (int c = 0; c < 3; c++) {
            add_multiple(&coarse->phi[c], -1.0f, &coarse->direct[c]);
            scale_to(&fine->phi[c], 1.0f, &fine->next[c]);
            add_prolonged(&fine->phi[c], &coarse->phi[c]);
        }
    }
    set_source(fine, fine->phi, true);
    transport_moments(&on_fine);
}

// --- the light of the ground ---

// the map extends beyond the footprint of the box by the box's longest side
static void set_ground_map_corners(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                                   const BrumeRenderSettings *settings)
{
    const BrumeVec3 size = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    const float margin = brume_max(size.x, brume_max(size.y, size.z));
    const BrumeVec3 lower = medium->origin;
    light->ground_lower = brume_vec3(lower.x - margin, settings->ground_height, lower.z - margin);
    light->ground_upper = brume_vec3(lower.x + size.x + margin, settings->ground_height, lower.z + size.z + margin);
}

static BrumeVec3 ground_point(const BrumeScatteredLight *light, int ix, int iz)
{
    const BrumeVec3 size = brume_sub(light->ground_upper, light->ground_lower);
    const float x = (float)ix / (BRUME_GROUND_MAP - 1);
    const float z = (float)iz / (BRUME_GROUND_MAP - 1);
    return brume_add(light->ground_lower, brume_vec3(x * size.x, 0.0f, z * size.z));
}

// value at a point [cells of the padded field] between the centres of cells
static float between_centres(const BrumeField *shape, const float *data, BrumeVec3 at)
{
    const BrumeGrid n = shape->grid;
    const int i = (int)at.x < n.nx ? (int)at.x : n.nx;
    const int j = (int)at.y < n.ny ? (int)at.y : n.ny;
    const int k = (int)at.z < n.nz ? (int)at.z : n.nz;
    const float *a = data + brume_field_index(shape, i, j, k);
    return brume_trilinear(a, 1, shape->sy, shape->sz, at.x - (float)i, at.y - (float)j, at.z - (float)k);
}

// Radiance that arrives at a point [cells of the medium] outside the box from the sweep of one ordinate, whose radiance
// is known at the centres of the cells. The half cell to the face of the box has the extinction and source of its cell.
static float radiance_from_box(const BrumeOrdinateSweep *sweep, const float *radiance, BrumeVec3 extent,
                               BrumeVec3 point)
{
    const BrumeRay back = {point, brume_scale(sweep->direction, -1.0f)};
    const BrumeRayInterval inside = brume_ray_box(&back, brume_vec3(0.0f, 0.0f, 0.0f), extent);
    if (!(inside.enter < inside.leave) || inside.leave <= 0.0f) {
        return sweep->inflow;
    }
    const BrumeField *shape = sweep->extinction;
    const BrumeVec3 cell = sweep->cell;
    const BrumeVec3 face = brume_ray_at(&back, brume_max(inside.enter, 0.0f));
    const BrumeVec3 at = brume_vec3(brume_clamp(face.x / cell.x + 0.5f, 1.0f, (float)shape->grid.nx),
                                    brume_clamp(face.y / cell.y + 0.5f, 1.0f, (float)shape->grid.ny),
                                    brume_clamp(face.z / cell.z + 0.5f, 1.0f, (float)shape->grid.nz));
    const float incoming = between_centres(shape, radiance, at);
    const float extinction = between_centres(shape, shape->data, at);
    const float source = between_centres(shape, sweep->source->data, at);
    const float x = fabsf(face.x - cell.x * (at.x - 0.5f)) / fabsf(sweep->direction.x);
    const float y = fabsf(face.y - cell.y * (at.y - 0.5f)) / fabsf(sweep->direction.y);
    const float z = fabsf(face.z - cell.z * (at.z - 0.5f)) / fabsf(sweep->direction.z);
    const float length = brume_max(x, brume_max(y, z));
    const float transmittance = brume_fast_exp(-extinction * length);
    return incoming * transmittance + source * (1.0f - transmittance);
}

static void light_ground(BrumeScatteredLight *light, const BrumeGridMedium *medium, const BrumeIncidentLight *sources)
{
    const Transport transport = {light, &light->grids[0], sources};
    const size_t entries = brume_grid_entries(transport.grid->albedo[0].grid);
    const BrumeVec3 extent = brume_grid_extent(medium->grid);
    float cosines = 0.0f;
    for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
        cosines -= brume_ordinate(n).weight * brume_ordinate(n).direction.y;
    }
    light->ground_irradiance = sources->ground_irradiance;
    for (int c = 0; c < 3; c++) {
        BrumeOrdinateSweep sweeps[BRUME_DOWNWARD_ORDINATES];
        bool exchanged[BRUME_DOWNWARD_ORDINATES];
        float unoccluded = 0.0f;
#pragma omp parallel for schedule(dynamic)
        for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
            sweeps[n] = sweep_of(&transport, c, n, &exchanged[n]);
            const float one = 1.0f;
            float *radiance = sum_of(&transport, n);
            memset(radiance, 0, entries * sizeof(float));
            brume_ordinate_sweep(&sweeps[n], 1, &radiance, &one, light->planes + (size_t)n * light->plane_entries);
        }
        for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
            const BrumeOrdinate ordinate = brume_ordinate(n);
            unoccluded -= ordinate.weight * ordinate.direction.y * channel(sources->inflow[n], c) / cosines;
        }
#pragma omp parallel for schedule(dynamic)
        for (int iz = 0; iz < BRUME_GROUND_MAP; iz++) {
            for (int ix = 0; ix < BRUME_GROUND_MAP; ix++) {
                const BrumeVec3 point =
                    brume_scale(brume_sub(ground_point(light, ix, iz), medium->origin), 1.0f / medium->dx);
                float sum = 0.0f;
                for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
                    const BrumeOrdinate ordinate = brume_ordinate(n);
                    const float radiance = exchanged[n]
                                               ? radiance_from_box(&sweeps[n], sum_of(&transport, n),
                                                                   exchange_xz(extent), exchange_xz(point))
                                               : radiance_from_box(&sweeps[n], sum_of(&transport, n), extent, point);
                    sum -= ordinate.weight * ordinate.direction.y * radiance / cosines;
                }
                // the exact irradiance without smoke, and the difference that smoke makes
                light->ground[4 * (iz * BRUME_GROUND_MAP + ix) + c] =
                    brume_max(channel(sources->ground_irradiance, c) + (sum - unoccluded), 0.0f);
            }
        }
    }
}

void brume_scattered_light_fill(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                                const BrumeRenderSettings *settings, const BrumeIncidentLight *sources)
{
    reduce_medium(&light->grids[0], medium, settings, sources->mean_cosine);
    add_direct_light(&light->grids[0], medium, settings, sources);
    coarsen_medium(&light->grids[1], &light->grids[0]);
    transpose_extinction(&light->grids[0]);
    transpose_extinction(&light->grids[1]);
    for (int c = 0; c < 3; c++) {
        float moments[BRUME_LIGHT_MOMENTS] = {0};
        for (int n = 0; n < BRUME_ORDINATES; n++) {
            const BrumeOrdinate ordinate = brume_ordinate(n);
            const float radiance = ordinate.weight * channel(sources->inflow[n], c);
            moments[0] += radiance;
            moments[1] += radiance * ordinate.direction.x;
            moments[2] += radiance * ordinate.direction.y;
            moments[3] += radiance * ordinate.direction.z;
        }
        light->unoccluded.color[c] = brume_load4(moments);
    }
    solve(light, sources);
    set_ground_map_corners(light, medium, settings);
    if (settings->ground) {
        light_ground(light, medium, sources);
    } else {
        light->ground_irradiance = sources->ground_irradiance;
        memset(light->ground, 0, (size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP * sizeof(float));
    }
}

BrumeLightMoments brume_scattered_light_at(const BrumeScatteredLight *light, BrumeVec3 point)
{
    const BrumeTransportGrid *coarse = &light->grids[0];
    const BrumeField *shape = &coarse->albedo[0];
    const float x = point.x / coarse->cell.x + 0.5f;
    const float y = point.y / coarse->cell.y + 0.5f;
    const float z = point.z / coarse->cell.z + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const ptrdiff_t sx = BRUME_LIGHT_MOMENTS;
    const ptrdiff_t color = sx * (ptrdiff_t)brume_grid_entries(shape->grid);
    const float *a = light->moments + sx * brume_field_index(shape, i, j, k);
    BrumeLightMoments moments;
    for (int c = 0; c < 3; c++) {
        moments.color[c] = brume_trilinear4(a + c * color, sx, sx * shape->sy, sx * shape->sz, x - (float)i,
                                            y - (float)j, z - (float)k);
    }
    return moments;
}

BrumeVec3 brume_scattered_light_ground(const BrumeScatteredLight *light, BrumeVec3 point)
{
    const BrumeVec3 size = brume_sub(light->ground_upper, light->ground_lower);
    const float u = (point.x - light->ground_lower.x) / size.x;
    const float v = (point.z - light->ground_lower.z) / size.z;
    // the irradiance changes to that without smoke at the edges of the map
    const float to_edge = 10.0f * brume_min(brume_min(u, 1.0f - u), brume_min(v, 1.0f - v));
    if (!(to_edge > 0.0f)) {
        return light->ground_irradiance;
    }
    const float x = u * (BRUME_GROUND_MAP - 1);
    const float z = v * (BRUME_GROUND_MAP - 1);
    const int i = (int)x < BRUME_GROUND_MAP - 2 ? (int)x : BRUME_GROUND_MAP - 2;
    const int k = (int)z < BRUME_GROUND_MAP - 2 ? (int)z : BRUME_GROUND_MAP - 2;
    const float fx = x - (float)i;
    const float fz = z - (float)k;
    const float *a = light->ground + 4 * (ptrdiff_t)(k * BRUME_GROUND_MAP + i);
    const float *b = a + 4 * (ptrdiff_t)BRUME_GROUND_MAP;
    const BrumeFloat4 near = brume_load4(a) + fx * (brume_load4(a + 4) - brume_load4(a));
    const BrumeFloat4 far = brume_load4(b) + fx * (brume_load4(b + 4) - brume_load4(b));
    const BrumeFloat4 map = near + fz * (far - near);
    const float weight = brume_min(to_edge, 1.0f);
    const float smooth = weight * weight * (3.0f - 2.0f * weight);
    const BrumeVec3 away = light->ground_irradiance;
    return brume_add(away, brume_scale(brume_sub(brume_vec3(map[0], map[1], map[2]), away), smooth));
}
