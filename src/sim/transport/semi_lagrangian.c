/*
 * Semi-Lagrangian transport of scalars (Stam 1999), by the kernels of src/sim/advection. Sums are not conserved.
 */
#include "core/minmax.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/transport/transport.h"

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    (void)dt;
    (void)exchange;
    for (int first = 0; first < count; first += BRUME_SCALARS_PER_PASS) {
        const int group = brume_min_int(count - first, BRUME_SCALARS_PER_PASS);
        for (int n = 0; n < group; n++) {
            brume_set_boundary(sim, ids[first + n], &sim->fields[ids[first + n]]);
        }
        brume_advection_semi_lagrangian.advect_scalars(sim, velocity, ids + first, decay + first, group);
    }
}

const BrumeTransportScheme brume_transport_semi_lagrangian = {
    .name = "semi-lagrangian",
    .conserves = false,
    .needs_displacement = true,
    .advance = advance,
};
