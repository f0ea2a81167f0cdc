/*
 * Displacements to arrival points from those to departure points. The expansion of both for a time step is
 *     forward = dt u + dt^2/2 (u . grad) u + O(dt^3),   backward = -dt u + dt^2/2 (u . grad) u + O(dt^3).
 */
#include "sim/transport/displacement.h"

#include "core/parallel/simd.h"
#include "sim/advection/advection.h"

BRUME_KERNEL static void forward_row(float *restrict forward, const float *backward, const float *velocity,
                                     ptrdiff_t step, float cells_per_mps, int count)
{
    for (int n = 0; n < count; n++) { // twice the mean of two faces is their sum
        forward[n] = cells_per_mps * (velocity[n] + velocity[n + step]) + backward[n];
    }
}

static void exchange(BrumeSim *sim)
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField forward = sim->scalar_transport->forward[axis];
        sim->scalar_transport->forward[axis] = sim->advection->forward.along[axis];
        sim->advection->forward.along[axis] = forward;
    }
}

void brume_borrow_forward(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    if (sim->advection->scheme->needs_forward) {
        return;
    }
    exchange(sim);
    const float cells_per_mps = (float)dt / sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *backward = &sim->advection->backward.along[axis];
        BrumeField *forward = &sim->advection->forward.along[axis];
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= backward->grid.nz; k++) {
            for (int j = 1; j <= backward->grid.ny; j++) {
                const ptrdiff_t c = brume_field_index(backward, 1, j, k);
                forward_row(forward->data + c, backward->data + c, velocity[axis].data + c,
                            brume_stride(backward, axis), cells_per_mps, backward->grid.nx);
            }
        }
    }
}

void brume_return_forward(BrumeSim *sim)
{
    if (!sim->advection->scheme->needs_forward) {
        exchange(sim);
    }
}
