/*
 * The acceleration by the pressure where the density varies (McGrattan et al., FDS Technical Reference Guide, 3.3).
 * With P = p / rho, the kinematic pressure of the state,
 *
 *     (grad p) / rho = grad P + P (grad rho) / rho.
 *
 * The projection finds the first term, with which it makes the velocity fit the expansion; its equation has constant
 * coefficients. The second one, whose curl makes vorticity where the gradients of pressure and density are not
 * parallel, is taken with the pressure of the last step.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/forces/forces.h"
#include "sim/state/heat.h"

#include <assert.h>

static const float LEAST_SUM = 100.0f; // of two temperatures [K]

// The discrete form of (grad p) / rho - grad P, with p = rho P and means at the faces, is the mean of P times the
// difference of rho over its mean, where rho is in proportion to 1 / T.
BRUME_KERNEL static void fire_baroclinic_row(float *restrict u, const float *pressure, const float *temperature,
                                             ptrdiff_t stride, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float difference = temperature[i] - temperature[i - stride];
        const float sum = 2.0f * BRUME_AMBIENT_TEMPERATURE + (temperature[i] + temperature[i - stride]);
        u[i] += scale * (pressure[i] + pressure[i - stride]) * (difference / brume_max_float(sum, LEAST_SUM));
    }
}

void brume_add_baroclinic(const BrumeSim *sim, BrumeField onto[3], float seconds, const BrumeBlockSet *blocks)
{
    if (!brume_has_fuel(&sim->def) || seconds == 0.0f) {
        return;
    }
    assert(!sim->holds_heat && brume_holds(sim, BRUME_VALID_SCALAR_GHOSTS));
    const BrumeField *pressure = &sim->fields[BRUME_FIELD_PRESSURE];
    const BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    const BrumeGrid grid = pressure->grid;
    brume_exchange_field(pressure, 1);
    // entry n+1 along each axis is the face on the upper side
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (BrumeBlockRun run = {0}; brume_next_block_run(blocks, grid, 1, grid.nx + 1, j, k, &run);) {
                const ptrdiff_t c = brume_field_index(pressure, run.first, j, k);
                const float *row = temperature->data + c;
                const int count = run.last - run.first + 1;
                const bool is_warm = brume_any_bits(row - 1, count + 1) != 0;
                for (int axis = 0; axis < 3; axis++) {
                    const ptrdiff_t stride = brume_stride(pressure, axis);
                    if (is_warm || brume_any_bits(row - stride, count) != 0) {
                        fire_baroclinic_row(onto[axis].data + c, pressure->data + c, row, stride, seconds / sim->def.dx,
                                            count);
                    }
                }
            }
        }
    }
}
