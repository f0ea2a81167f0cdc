/*
 * Measurements of the state: its largest divergence, its largest speed, and whether all values are finite.
 *
 * The state is checked before advection, because advection can hide values that are not finite: the limiter of the
 * MacCormack scheme discards a NaN, which compares neither above nor below its bounds, and the value of a cell that no
 * trace reads vanishes. The limit of the check is so far below the largest float that no interpolation overflows, so
 * the state at the end of the step is finite too.
 */
#include "sim/measures/monitor.h"
#include "core/domain.h"
#include "core/error.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/poisson/poisson.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

#include <assert.h>
#include <math.h>

enum { CHUNK = 256 };

static const float LARGEST = 0x1p125f; // six faces within it have a finite divergence

// running maxima over rows of velocity, as the bits of floats that are not negative
typedef struct Flow {
    int32_t divergence; // largest |sum of face differences| of a fluid cell [m/s]
    int32_t speed;      // largest |component| [m/s]
} Flow;

BRUME_KERNEL static void flow_sum_row(float *restrict sums, const float *u, const float *v, const float *w,
                                      const uint8_t *flags, ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        sums[i] = flags[i] & BRUME_CELL_FLUID ? sum : 0.0f;
    }
}

BRUME_KERNEL static void flow_row(Flow *flow, const float *sums, const float *u, const float *v, const float *w,
                                  int count)
{
    flow->divergence = brume_max_bits_row(sums, count, flow->divergence);
    flow->speed = brume_max_bits_row(u, count, flow->speed);
    flow->speed = brume_max_bits_row(v, count, flow->speed);
    flow->speed = brume_max_bits_row(w, count, flow->speed);
}

// the same for a row of cut cells
static void cut_flow_row(Flow *flow, const BrumeSim *sim, int j, int k)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    float sums[BRUME_PRESSURE_MAX_ROW + 2];
    brume_cut_divergence_row(sim, sums, 1.0f, j, k);
    brume_subtract_expansion(sim, sums + 1, brume_field_index(u, 1, j, k), u->grid.nx, 1.0f);
    flow->divergence = brume_max_bits_row(sums + 1, u->grid.nx, flow->divergence);
    for (int axis = 0; axis < 3; axis++) {
        const float *row = sim->fields[axis].data + brume_field_index(u, 1, j, k);
        flow->speed = brume_max_bits_row(row, u->grid.nx, flow->speed);
    }
}

double brume_measure_flow(BrumeSim *sim)
{
    assert(brume_holds(sim, BRUME_VALID_CLOSED_FACES));
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    const BrumeGrid grid = u->grid;
    double *divergences = sim->planes;
    double *speeds = sim->planes + grid.nz + 2;
    if (!brume_holds(sim, BRUME_VALID_VELOCITY_GHOSTS)) {
        brume_exchange_field(&sim->fields[BRUME_FIELD_W], 1);
    }
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        Flow flow = {0};
        for (int j = 1; j <= grid.ny; j++) {
            if (brume_cells_row_is_cut(&sim->geometry->cells, j, k)) {
                cut_flow_row(&flow, sim, j, k);
                continue;
            }
            for (int first = 1; first <= grid.nx; first += CHUNK) {
                const int count = grid.nx - first + 1 < CHUNK ? grid.nx - first + 1 : CHUNK;
                const ptrdiff_t c = brume_field_index(u, first, j, k);
                float sums[CHUNK];
                flow_sum_row(sums, u->data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                             sim->geometry->cells.flags + c, u->sy, u->sz, count);
                brume_subtract_expansion(sim, sums, c, count, 1.0f);
                flow_row(&flow, sums, u->data + c, sim->fields[1].data + c, sim->fields[2].data + c, count);
            }
        }
        divergences[k] = (double)brume_float_of_bits(flow.divergence);
        speeds[k] = (double)brume_float_of_bits(flow.speed);
    }
    const double divergence = brume_max_planes(grid, divergences);
    sim->max_speed = isfinite(divergence) ? brume_max_planes(grid, speeds) : (double)NAN;
    brume_establish(sim, BRUME_VALID_MAX_SPEED);
    sim->divergence = divergence / (double)sim->def.dx;
    return sim->divergence;
}

// the bits of the largest |value| in plane k; `upper` is 1 if the faces n+1 count too
static int32_t largest_in_plane(const BrumeField *field, int upper, int k)
{
    int32_t max = 0;
    for (int j = 1; j <= field->grid.ny + upper; j++) {
        max = brume_largest_bits(field->data + brume_field_index(field, 1, j, k), field->grid.nx + upper, max);
    }
    return max;
}

// true for NaN too
static bool is_too_large(double size) { return !(size <= (double)LARGEST); }

// the offset in plane k of its first entry that is too large; -1 if there is none
static ptrdiff_t find_in_plane(const BrumeField *field, int k)
{
    for (int j = 1; j <= field->grid.ny + 1; j++) {
        for (int i = 1; i <= field->grid.nx + 1; i++) {
            if (is_too_large(fabs((double)brume_field_at(field, i, j, k)))) {
                return brume_field_index(field, i, j, 0);
            }
        }
    }
    return -1;
}

// reports the first entry of plane k that is too large, on all ranks
static BrumeStatus fail_at_cell(const BrumeSim *sim, BrumeFieldId id, int k, BrumeError *error)
{
    static const char *const names[BRUME_FIELD_TEMPERATURE] = {"u", "v", "w", "heating", "pressure"};
    const BrumeField *field = &sim->fields[id];
    int32_t entry = brume_has_plane(field->grid, k) ? (int32_t)find_in_plane(field, k) : -1;
    brume_largest_of_ranks(field->grid, &entry, 1);
    int index[3];
    brume_entry_indices(entry, field->sy, field->sz, index);
    return brume_fail(error, BRUME_FAILED,
                      "%s is no longer finite at cell (%d, %d, %d) in frame %d, step %d (a rate or a "
                      "strength of the scene is out of all bounds)",
                      id < BRUME_FIELD_TEMPERATURE ? names[id] : brume_scalar_name((int)(id - BRUME_FIELD_TEMPERATURE)),
                      index[0], index[1], k, sim->frames + 1, sim->steps + 1);
}

static BrumeStatus check_field(const BrumeSim *sim, BrumeFieldId id, BrumeError *error)
{
    const BrumeField *field = &sim->fields[id];
    const int upper = id <= BRUME_FIELD_W;
    const int planes = field->grid.nz + upper;
    double *largest = sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(field->grid, 1); k <= brume_planes_to(field->grid, planes); k++) {
        largest[k] = (double)brume_float_of_bits(largest_in_plane(field, upper, k));
    }
    brume_gather_planes(field->grid, largest, sizeof *largest);
    for (int k = 1; k <= planes; k++) {
        if (is_too_large(largest[k])) {
            return fail_at_cell(sim, id, k, error);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_check_finite(const BrumeSim *sim, BrumeError *error)
{
    assert(brume_holds(sim, BRUME_VALID_MAX_SPEED));
    BrumeStatus status = BRUME_OK;
    for (int n = 0; status == BRUME_OK && n < BRUME_FIELD_COUNT; n++) {
        const BrumeFieldId id = (BrumeFieldId)((BRUME_FIELD_TEMPERATURE + n) % BRUME_FIELD_COUNT);
        if (sim->fields[id].data && (id > BRUME_FIELD_W || is_too_large(sim->max_speed))) {
            status = check_field(sim, id, error);
        }
    }
    return status;
}

void brume_measure_speed(BrumeSim *sim)
{
    double *speeds = sim->planes;
    sim->max_speed = 0.0;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        const BrumeField *field = &sim->fields[id];
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(field->grid); k <= brume_last_plane(field->grid); k++) {
            speeds[k] = (double)brume_float_of_bits(largest_in_plane(field, 0, k));
        }
        sim->max_speed = brume_fmax(sim->max_speed, brume_max_planes(field->grid, speeds));
    }
    brume_establish(sim, BRUME_VALID_MAX_SPEED);
}
