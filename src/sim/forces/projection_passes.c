/*
 * The projection in separate passes, for any solver: the divergence, the solve, the subtraction of the gradient. The
 * rows of the divergence and of the sum of pressures also serve direct_projection.c.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/forces/projection.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

BRUME_KERNEL static void divergence_row(float *restrict b, const float *u, const float *v, const float *w,
                                        const uint8_t *flags, ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        b[i] = flags[i] & BRUME_CELL_FLUID ? scale * sum : 0.0f;
    }
}

void brume_divergence_row(const BrumeSim *sim, BrumeField *b, float scale, int j, int k)
{
    const ptrdiff_t c = brume_field_index(b, 1, j, k);
    if (brume_cells_row_is_cut(&sim->geometry->cells, j, k)) {
        brume_cut_divergence_row(sim, b->data + c - 1, scale, j, k);
    } else {
        divergence_row(b->data + c, sim->fields[0].data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                       sim->geometry->cells.flags + c, b->sy, b->sz, scale, b->grid.nx);
    }
    brume_subtract_expansion(sim, b->data + c, c, b->grid.nx, scale);
}

BRUME_KERNEL static void subtract_gradient_row(float *restrict u, float *restrict v, float *restrict w, const float *p,
                                               ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        u[i] -= scale * (p[i] - p[i - 1]);
        v[i] -= scale * (p[i] - p[i - sy]);
        w[i] -= scale * (p[i] - p[i - sz]);
    }
}

BRUME_KERNEL static void copy_minus_gradient_row(float *restrict to_u, float *restrict to_v, float *restrict to_w,
                                                 const float *u, const float *v, const float *w, const float *p,
                                                 ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        to_u[i] = u[i] - scale * (p[i] - p[i - 1]);
        to_v[i] = v[i] - scale * (p[i] - p[i - sy]);
        to_w[i] = w[i] - scale * (p[i] - p[i - sz]);
    }
}

BRUME_KERNEL static void add_increment_row(float *restrict p, const float *increment, float share, int count)
{
    for (int i = 0; i < count; i++) {
        p[i] = share * p[i] + increment[i];
    }
}

void brume_add_increment_row(BrumeField *p, const BrumeField *phi, float share, int j, int k)
{
    const ptrdiff_t c = brume_field_index(p, 0, j, k);
    if (share == 0.0f) {
        memcpy(p->data + c, phi->data + c, (size_t)p->sy * sizeof *p->data);
    } else {
        add_increment_row(p->data + c, phi->data + c, share, (int)p->sy);
    }
}

// Writes all faces, also the faces on which no pressure acts: setting the boundary values afterwards restores them.
static void subtract_gradient(const BrumeField from[3], BrumeField onto[3], const BrumeField *p, float scale,
                              const BrumeBlockSet *blocks)
{
    const BrumeGrid grid = p->grid;
    const bool in_place = from[0].data == onto[0].data;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (BrumeBlockRun run = {0}; brume_next_block_run(blocks, grid, 1, grid.nx + 1, j, k, &run);) {
                const ptrdiff_t c = brume_field_index(p, run.first, j, k);
                const int count = run.last - run.first + 1;
                if (in_place) {
                    subtract_gradient_row(onto[0].data + c, onto[1].data + c, onto[2].data + c, p->data + c, p->sy,
                                          p->sz, scale, count);
                } else {
                    copy_minus_gradient_row(onto[0].data + c, onto[1].data + c, onto[2].data + c, from[0].data + c,
                                            from[1].data + c, from[2].data + c, p->data + c, p->sy, p->sz, scale,
                                            count);
                }
            }
        }
    }
}

void brume_add_pressure_gradient(const BrumeSim *sim, const BrumeField from[3], BrumeField onto[3], float seconds,
                                 const BrumeBlockSet *blocks)
{
    brume_exchange_field(&sim->fields[BRUME_FIELD_PRESSURE], 1);
    subtract_gradient(from, onto, &sim->fields[BRUME_FIELD_PRESSURE], seconds / sim->def.dx, blocks);
}

BrumePressureResult brume_project_in_passes(BrumeSim *sim, BrumeField *phi, float dt, bool from_zero)
{
    BrumePressure *pressure = sim->geometry->pressure;
    BrumeField *b = &sim->scratch[BRUME_SCRATCH_RIGHT_SIDE]; // the first of the fields that a solve takes
    const BrumeGrid grid = b->grid;
    const float dt_per_dx = dt / sim->def.dx;
    const float scale = -1.0f / dt_per_dx; // [m/s] -> the right-hand side of A phi = b [m^2/s^2]
    brume_exchange_field(&sim->fields[BRUME_FIELD_W], 1);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_divergence_row(sim, b, scale, j, k);
        }
    }
    const BrumePressureResult result =
        from_zero ? brume_pressure_solve_from_zero(pressure, phi, b) : brume_pressure_solve(pressure, phi, b);
    subtract_gradient(sim->fields, sim->fields, phi, dt_per_dx, NULL);
    return result;
}
