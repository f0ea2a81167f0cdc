/*
 * MacCormack transport of scalars (Selle, Fedkiw, Kim, Liu, Rossignac 2008), by the kernels of src/sim/advection. Sums
 * are not conserved: the range of the predictor's values, to which the result is limited, makes smoke at its edges.
 */
#include "core/minmax.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/transport/transport.h"

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    (void)dt; // of the displacements
    (void)exchange;
    for (int first = 0; first < count; first += BRUME_SCALARS_PER_PASS) {
        const int group = brume_min_int(count - first, BRUME_SCALARS_PER_PASS);
        for (int n = 0; n < group; n++) {
            brume_set_boundary(sim, ids[first + n], &sim->fields[ids[first + n]]);
        }
        brume_advection_maccormack.advect_scalars(sim, velocity, ids + first, decay + first, group);
    }
}

const BrumeTransportScheme brume_transport_maccormack = {
    .name = "maccormack",
    .conserves = false,
    .needs_displacement = true,
    .advance = advance,
};
