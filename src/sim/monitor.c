/*
 * Watching the state: how free of divergence it is, how fast it moves, whether it is still finite.
 */
#include "core/lanes.h"
#include "core/planes.h"
#include "core/simd.h"
#include "sim/sim_internal.h"

enum { CHUNK = 256 };

// what rows of velocity have come to
typedef struct Flow {
    float divergence; // largest size [m/s]
    int32_t speed;    // bits of the largest size of a component [m/s]
} Flow;

BRUME_KERNEL static void flow_row(Flow *flow, const float *u, const float *v, const float *w, const uint8_t *flags,
                                  ptrdiff_t sy, ptrdiff_t sz, int count)
{
    float sums[CHUNK];
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        sums[i] = flags[i] & BRUME_CELL_FLUID ? sum : 0.0f;
    }
    flow->divergence = fmaxf(flow->divergence, brume_max_abs_row(sums, count));
    flow->speed = brume_max_bits_row(u, count, flow->speed);
    flow->speed = brume_max_bits_row(v, count, flow->speed);
    flow->speed = brume_max_bits_row(w, count, flow->speed);
}

/** Measures the largest velocity component, and returns the largest |div u| of a cell of air [1/s]. */
double brume_measure_flow(BrumeSim *sim)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    const BrumeGrid grid = u->grid;
    double *divergences = sim->planes;
    double *speeds = sim->planes + grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        Flow flow = {0};
        for (int j = 1; j <= grid.ny; j++) {
            for (int first = 1; first <= grid.nx; first += CHUNK) {
                const int count = grid.nx - first + 1 < CHUNK ? grid.nx - first + 1 : CHUNK;
                const ptrdiff_t c = brume_field_index(u, first, j, k);
                flow_row(&flow, u->data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                         sim->geometry->cells.flags + c, u->sy, u->sz, count);
            }
        }
        divergences[k] = (double)flow.divergence;
        speeds[k] = (double)brume_float_of_bits(flow.speed);
    }
    sim->max_speed = brume_max_planes(speeds, grid.nz);
    return brume_max_planes(divergences, grid.nz) / (double)sim->def.dx;
}

BRUME_KERNEL static int32_t max_bits_row(const float *a, int count, int32_t max)
{
    return brume_max_bits_row(a, count, max);
}

// the first entry that is not finite in plane k, for the message
static BrumeStatus fail_at_cell(const BrumeSim *sim, BrumeFieldId id, int k, BrumeError *error)
{
    static const char *const names[BRUME_FIELD_COUNT] = {"u",       "v",       "w",       "pressure", "temperature",
                                                         "density", "color_1", "color_2", "color_3"};
    const BrumeField *field = &sim->fields[id];
    for (int j = 1; j <= field->grid.ny + 1; j++) {
        for (int i = 1; i <= field->grid.nx + 1; i++) {
            if (!isfinite(brume_field_at(field, i, j, k))) {
                return brume_fail(error, BRUME_FAILED,
                                  "%s is no longer finite at cell (%d, %d, %d) in frame %d, step %d (a rate or a "
                                  "strength of the scene is out of all bounds)",
                                  names[id], i, j, k, sim->frames + 1, sim->steps + 1);
            }
        }
    }
    return BRUME_OK;
}

/** Measures the largest velocity component, and fails where any value of the state is not finite. */
BrumeStatus brume_check_finite(BrumeSim *sim, BrumeError *error)
{
    double *largest = sim->planes;
    sim->max_speed = 0.0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        const BrumeField *field = &sim->fields[id];
        if (!field->data) {
            continue;
        }
        const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz; k++) {
            int32_t max = 0;
            for (int j = 1; j <= grid.ny; j++) {
                max = max_bits_row(field->data + brume_field_index(field, 1, j, k), grid.nx, max);
            }
            largest[k] = (double)brume_float_of_bits(max);
        }
        for (int k = 1; k <= grid.nz; k++) {
            if (!isfinite(largest[k])) {
                return fail_at_cell(sim, (BrumeFieldId)id, k, error);
            }
        }
        if (id <= BRUME_FIELD_W) {
            sim->max_speed = fmax(sim->max_speed, brume_max_planes(largest, grid.nz));
        }
    }
    return BRUME_OK;
}
