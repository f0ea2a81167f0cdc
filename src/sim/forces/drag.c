/*
 * Drag towards the ambient wind, du/dt = -drag (u - wind), integrated exactly over a step.
 */
#include "core/domain.h"
#include "core/elementary.h"
#include "core/parallel/simd.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <math.h>

BRUME_KERNEL static void relax_row(float *restrict velocity, float wind, float decay, int count)
{
    for (int i = 0; i < count; i++) {
        velocity[i] = wind + decay * (velocity[i] - wind);
    }
}

void brume_add_drag(BrumeSim *sim, double dt)
{
    if (sim->def.drag <= 0.0f) {
        return;
    }
    brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    const float decay = (float)brume_exp(-(double)sim->def.drag * dt);
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &sim->fields[axis];
        const BrumeGrid grid = velocity->grid;
        const float wind = brume_component(sim->def.wind, axis);
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                relax_row(velocity->data + brume_field_index(velocity, 1, j, k), wind, decay, grid.nx + 1);
            }
        }
    }
}
