/*
 * Watching the state: how free of divergence it is, how fast it moves, whether it is still finite.
 */
#include "core/lanes.h"
#include "core/planes.h"
#include "core/simd.h"
#include "sim/sim_internal.h"

enum { CHUNK = 256 };

BRUME_KERNEL static float max_divergence_row(const float *u, const float *v, const float *w, const uint8_t *flags,
                                             ptrdiff_t sy, ptrdiff_t sz, int count)
{
    float sums[CHUNK];
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        sums[i] = flags[i] & BRUME_CELL_FLUID ? sum : 0.0f;
    }
    return brume_max_abs_row(sums, count);
}

/** The largest |div u| of a cell of air [1/s]. */
double brume_max_divergence(const BrumeSim *sim)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    const BrumeGrid grid = u->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        float max = 0.0f;
        for (int j = 1; j <= grid.ny; j++) {
            for (int first = 1; first <= grid.nx; first += CHUNK) {
                const int count = grid.nx - first + 1 < CHUNK ? grid.nx - first + 1 : CHUNK;
                const ptrdiff_t c = brume_field_index(u, first, j, k);
                max = fmaxf(max, max_divergence_row(u->data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                                                    sim->geometry->cells.flags + c, u->sy, u->sz, count));
            }
        }
        sim->planes[k] = (double)max;
    }
    return brume_max_planes(sim->planes, grid.nz) / (double)sim->def.dx;
}

BRUME_KERNEL static float max_abs_row(const float *a, int count) { return brume_max_abs_row(a, count); }

BRUME_KERNEL static int finite_row(const float *a, int count) { return brume_finite_row(a, count); }

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
    double *speeds = sim->planes;
    double *finite = sim->planes + sim->geometry->cells.grid.nz + 2;
    sim->max_speed = 0.0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        const BrumeField *field = &sim->fields[id];
        if (!field->data) {
            continue;
        }
        const bool moves = id <= BRUME_FIELD_W;
        const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz; k++) {
            int is_finite = 1;
            float speed = 0.0f;
            for (int j = 1; j <= grid.ny; j++) {
                const float *row = field->data + brume_field_index(field, 1, j, k);
                is_finite &= finite_row(row, grid.nx);
                speed = moves ? fmaxf(speed, max_abs_row(row, grid.nx)) : 0.0f;
            }
            speeds[k] = (double)speed;
            finite[k] = is_finite;
        }
        for (int k = 1; k <= grid.nz; k++) {
            if (finite[k] == 0.0) {
                return fail_at_cell(sim, (BrumeFieldId)id, k, error);
            }
        }
        sim->max_speed = fmax(sim->max_speed, brume_max_planes(speeds, grid.nz));
    }
    return BRUME_OK;
}
