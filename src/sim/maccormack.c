/*
 * MacCormack advection (Selle, Fedkiw, Kim, Liu, Rossignac 2008): carry the field along, carry the result back, and
 * take away half of what did not return. Second order; the result is held within the values that the first carry read,
 * so that no new extremum appears and any step is stable. Where the way back leaves the box, the correction is left
 * out.
 */
#include "core/simd.h"
#include "sim/advection.h"
#include "sim/sample.h"

BRUME_KERNEL static void correct_row(float *restrict out, const float *guess, const float *field, const float *returned,
                                     const float *inside, const float *low, const float *high, float keep, int count)
{
    for (int n = 0; n < count; n++) {
        const float corrected = guess[n] + 0.5f * inside[n] * (field[n] - returned[n]);
        const float raised = corrected > low[n] ? corrected : low[n];
        out[n] = keep * (raised < high[n] ? raised : high[n]);
    }
}

// a stretch of entries; `guesses` holds what the first carry gave
static void correct_stretch(const BrumeSim *sim, const BrumePlace *place, int location, const BrumeFieldId *ids,
                            const float *keep, const BrumeField *guesses, BrumeField *results, int quantities, int i,
                            int j, int k, int count)
{
    const float here[3] = {0.0f, 0.0f, 0.0f};
    const ptrdiff_t c = brume_field_index(&results[0], i, j, k);
    float x[BRUME_STRETCH];
    float y[BRUME_STRETCH];
    float z[BRUME_STRETCH];
    BrumeStencil back;
    BrumeStencil forth;
    brume_travel_at(&sim->back, location, c, x, y, z, count);
    brume_stencil_at(&back, place, here, i, j, k, x, y, z, count);
    brume_travel_at(&sim->forth, location, c, x, y, z, count);
    brume_stencil_at(&forth, place, here, i, j, k, x, y, z, count);
    for (int n = 0; n < quantities; n++) {
        const float *field = sim->fields[ids[n]].data;
        float low[BRUME_STRETCH];
        float high[BRUME_STRETCH];
        float returned[BRUME_STRETCH];
        brume_sample_range(&back, place, field, low, high, count);
        brume_sample(&forth, place, guesses[n].data, returned, count);
        correct_row(results[n].data + c, guesses[n].data + c, field + c, returned, forth.inside, low, high, keep[n],
                    count);
    }
}

static void advect(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    const float all[BRUME_SCALARS_AT_ONCE] = {1.0f, 1.0f};
    BrumeField *guesses = sim->scratch;
    BrumeField *results = sim->scratch + BRUME_SCALARS_AT_ONCE;
    const int location = brume_location(ids[0]);
    const BrumePlace place = brume_place(sim, location);
    const BrumeGrid carried = brume_carried(sim, location);
    const int nz = sim->geometry->cells.grid.nz;

    brume_carry_back(sim, ids, all, guesses, count);
    for (int n = 0; n < count; n++) {
        brume_set_boundary(sim, ids[n], &guesses[n]);
    }

#pragma omp parallel for schedule(static)
    for (int slab = 1; slab <= nz; slab++) {
        for (int k = slab; k <= (slab == nz ? carried.nz : slab); k++) {
            for (int j = 1; j <= carried.ny; j++) {
                for (int i = 1; i <= carried.nx; i += BRUME_STRETCH) {
                    const int length = carried.nx - i + 1 < BRUME_STRETCH ? carried.nx - i + 1 : BRUME_STRETCH;
                    correct_stretch(sim, &place, location, ids, keep, guesses, results, count, i, j, k, length);
                }
            }
        }
    }
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &results[n]);
    }
}

const BrumeAdvection brume_advection_maccormack = {
    .name = "maccormack",
    .needs_forth = true,
    .advect = advect,
};
