/*
 * Where the air comes from and where it goes: Runge-Kutta traces through the velocity of this step, second order
 * (midpoint) or third (Ralston 1962; Bridson 2015, A.2). One trace a cell, from its center, serves the cell's scalars,
 * and the means of neighbouring traces serve its faces.
 */
#include "core/simd.h"
#include "sim/sample.h"
#include "sim/sim_internal.h"

typedef struct Row {
    float x[BRUME_STRETCH], y[BRUME_STRETCH], z[BRUME_STRETCH];
} Row;

// the velocity at centers of a stretch displaced by `at`, times `scale`
static void velocity_at(const BrumeSim *sim, const BrumePlace places[3], int i, int j, int k, const Row *at, Row *out,
                        int count)
{
    float *const rows[3] = {out->x, out->y, out->z};
    for (int axis = 0; axis < 3; axis++) {
        BrumeStencil stencil;
        brume_stencil_at(&stencil, &places[axis], places[axis].shift, i, j, k, at->x, at->y, at->z, count);
        brume_sample(&stencil, &places[axis], sim->fields[axis].data, rows[axis], count);
    }
}

BRUME_KERNEL static void center_row(float *restrict out, const float *lower, const float *upper, int count)
{
    for (int n = 0; n < count; n++) {
        out[n] = 0.5f * (lower[n] + upper[n]);
    }
}

// the velocity at the centers themselves
static void velocity_at_centers(const BrumeSim *sim, ptrdiff_t c, Row *out, int count)
{
    float *const rows[3] = {out->x, out->y, out->z};
    for (int axis = 0; axis < 3; axis++) {
        const float *lower = sim->fields[axis].data + c;
        center_row(rows[axis], lower, lower + brume_stride(&sim->fields[axis], axis), count);
    }
}

BRUME_KERNEL static void scale_row(float *restrict out, const float *a, float scale, int count)
{
    for (int n = 0; n < count; n++) {
        out[n] = scale * a[n];
    }
}

BRUME_KERNEL static void combine_row(float *restrict out, const float *a, const float *b, const float *c, float scale,
                                     int count)
{
    for (int n = 0; n < count; n++) {
        out[n] = scale * ((2.0f * a[n] + 3.0f * b[n]) + 4.0f * c[n]);
    }
}

static void scale_to(float *const out[3], const Row *a, float scale, int count)
{
    scale_row(out[0], a->x, scale, count);
    scale_row(out[1], a->y, scale, count);
    scale_row(out[2], a->z, scale, count);
}

// travel of a stretch of centers with `cells_per_mps` < 0 backward, > 0 forward
static void trace_stretch(const BrumeSim *sim, const BrumePlace places[3], float cells_per_mps, int i, int j, int k,
                          float *const travel[3], int count)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    Row first;
    Row second;
    Row at;
    float *const positions[3] = {at.x, at.y, at.z};
    velocity_at_centers(sim, brume_field_index(u, i, j, k), &first, count);
    scale_to(positions, &first, 0.5f * cells_per_mps, count);
    velocity_at(sim, places, i, j, k, &at, &second, count);
    if (sim->def.trace_order == 2) {
        scale_to(travel, &second, cells_per_mps, count);
        return;
    }
    Row third;
    scale_to(positions, &second, 0.75f * cells_per_mps, count);
    velocity_at(sim, places, i, j, k, &at, &third, count);
    const float ninth = cells_per_mps / 9.0f;
    combine_row(travel[0], first.x, second.x, third.x, ninth, count);
    combine_row(travel[1], first.y, second.y, third.y, ninth, count);
    combine_row(travel[2], first.z, second.z, third.z, ninth, count);
}

static void trace(const BrumeSim *sim, BrumeTravel *travel, float cells_per_mps)
{
    const BrumePlace places[3] = {brume_place(sim, 0), brume_place(sim, 1), brume_place(sim, 2)};
    const BrumeGrid grid = sim->geometry->cells.grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i += BRUME_STRETCH) {
                const int count = grid.nx - i + 1 < BRUME_STRETCH ? grid.nx - i + 1 : BRUME_STRETCH;
                const ptrdiff_t c = brume_field_index(&travel->along[0], i, j, k);
                float *const rows[3] = {travel->along[0].data + c, travel->along[1].data + c,
                                        travel->along[2].data + c};
                trace_stretch(sim, places, cells_per_mps, i, j, k, rows, count);
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_continue_sides(sim, &travel->along[axis]);
    }
}

/** Finds the travel of all centers over `dt` [s] through the velocity, whose boundary is set. */
void brume_trace(BrumeSim *sim, float dt)
{
    const float cells_per_mps = dt / sim->def.dx; // [m/s] -> [cells/step]
    trace(sim, &sim->back, -cells_per_mps);
    if (sim->advection->needs_forth) {
        trace(sim, &sim->forth, cells_per_mps);
    }
}
