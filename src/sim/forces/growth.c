/*
 * Growth of smoke whose dissipation is negative: ds/dt = g s (1 - s) with g = -dissipation, exactly over a step,
 *
 *     s' = s / (s + (1 - s) exp(-g dt)).
 *
 * It ends at a density of 1; where smoke is denser, and where there is none, nothing grows.
 */
#include "core/domain.h"
#include "core/elementary.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

BRUME_KERNEL static void grow_row(float *density, float factor, int count)
{
    for (int i = 0; i < count; i++) {
        const float s = density[i];
        const float grown = s / (s + (1.0f - s) * factor);
        density[i] = s > 0.0f && s < 1.0f ? grown : s;
    }
}

bool brume_smoke_grows(const BrumeSimDef *def)
{
    bool grows = false;
    for (int kind = 0; kind <= def->color_count; kind++) {
        grows = grows || def->smoke[kind].dissipation < 0.0f;
    }
    return grows;
}

void brume_grow_smoke(BrumeSim *sim, double dt)
{
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        const double rate = (double)sim->def.smoke[kind].dissipation;
        BrumeField *field = &sim->fields[brume_smoke_id(kind)];
        if (!field->data || !(rate < 0.0)) {
            continue;
        }
        const float factor = (float)brume_exp(rate * dt);
        const BrumeGrid grid = field->grid;
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            for (int j = 1; j <= grid.ny; j++) {
                grow_row(field->data + brume_field_index(field, 1, j, k), factor, grid.nx);
            }
        }
    }
    brume_set_scalar_ghosts(sim);
}
