/*
 * Semi-Lagrangian advection (Stam 1999, section 2.2): an entry takes the value that its air had where it came from.
 * First order in time and space, never a new extremum, stable at any step.
 */
#include "core/simd.h"
#include "sim/advection.h"
#include "sim/sample.h"

BRUME_KERNEL static void keep_row(float *restrict row, const float *value, float keep, int count)
{
    for (int n = 0; n < count; n++) {
        row[n] = keep * value[n];
    }
}

void brume_carry_back(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count)
{
    const int location = brume_location(ids[0]);
    const BrumePlace place = brume_place(sim, location);
    const float here[3] = {0.0f, 0.0f, 0.0f};
    const BrumeGrid carried = brume_carried(sim, location);
    const int nz = sim->geometry->cells.grid.nz;
#pragma omp parallel for schedule(static)
    for (int slab = 1; slab <= nz; slab++) {
        for (int k = slab; k <= (slab == nz ? carried.nz : slab); k++) {
            for (int j = 1; j <= carried.ny; j++) {
                for (int i = 1; i <= carried.nx; i += BRUME_STRETCH) {
                    const int length = carried.nx - i + 1 < BRUME_STRETCH ? carried.nx - i + 1 : BRUME_STRETCH;
                    const ptrdiff_t c = brume_field_index(&results[0], i, j, k);
                    float x[BRUME_STRETCH];
                    float y[BRUME_STRETCH];
                    float z[BRUME_STRETCH];
                    float value[BRUME_STRETCH];
                    BrumeStencil stencil;
                    brume_travel_at(&sim->back, location, c, x, y, z, length);
                    brume_stencil_at(&stencil, &place, here, i, j, k, x, y, z, length);
                    for (int n = 0; n < count; n++) {
                        brume_sample(&stencil, &place, sim->fields[ids[n]].data, value, length);
                        keep_row(results[n].data + c, value, keep[n], length);
                    }
                }
            }
        }
    }
}

static void advect(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    brume_carry_back(sim, ids, keep, sim->scratch, count);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &sim->scratch[n]);
    }
}

const BrumeAdvection brume_advection_semi_lagrangian = {
    .name = "semi-lagrangian",
    .needs_forth = false,
    .advect = advect,
};
