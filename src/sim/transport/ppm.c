/*
 * The scheme `ppm`, in flux form: a step is divided into substeps that keep all volume weights positive (courant.c),
 * and each substep consists of one-dimensional passes, whose order alternates between x, y, z and z, y, x so that the
 * error of splitting is of second order (Strang 1968). The passes are in flux_form.c and strip_kernels.c, the method is
 * derived in src/sim/reference/transport.c.
 */
#include "core/minmax.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/transport/transport.h"

// the axes of a substep; along a periodic axis of one cell, the flux through one face enters through the other
static void choose_axes(const BrumeCells *cells, bool reversed, BrumeFluxSubstep *substep)
{
    substep->passes = 0;
    for (int n = 0; n < 3; n++) {
        const int axis = reversed ? 2 - n : n;
        if (!(cells->periodic[axis] && brume_cells_along(cells->grid, axis) == 1)) {
            substep->axes[substep->passes++] = axis;
        }
    }
}

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    static const float no_decay[BRUME_FLUX_SCALARS] = {1.0f, 1.0f, 1.0f};
    const double dx = (double)sim->def.dx;
    brume_exchange_wall_fluxes(sim, velocity);
    const BrumeSubsteps substeps = brume_choose_substeps(brume_measure_courant(sim, velocity), dt / dx);
    for (int first = 0; first < count; first += BRUME_FLUX_SCALARS) {
        BrumeFluxSubstep substep = {
            .velocity = velocity,
            .cells_per_mps = substeps.cells_per_mps,
            .reach = substeps.reach,
            .ids = ids + first,
            .count = brume_min_int(count - first, BRUME_FLUX_SCALARS),
            .bounded = sim->pressure_residual > (double)sim->def.tolerance,
            .exchange = exchange + first,
        };
        for (int n = 0; n < substeps.count; n++) {
            choose_axes(&sim->geometry->cells, (sim->frames + sim->steps + n) % 2 != 0, &substep);
            substep.decay = n == substeps.count - 1 ? decay + first : no_decay;
            sim->scalar_transport->flux_kernel(sim, &substep);
        }
    }
    brume_restore_wall_velocities(sim, velocity);
    for (int n = 0; n < count; n++) {
        for (int face = 0; face < BRUME_FACE_COUNT; face++) {
            exchange[n].left[face] *= dx * dx * dx;
        }
        for (int body = 0; body < BRUME_MAX_BODIES; body++) {
            exchange[n].given[body] *= dx * dx * dx;
            exchange[n].taken[body] *= dx * dx * dx;
        }
    }
}

const BrumeTransportScheme brume_transport_ppm = {
    .name = "ppm",
    .conserves = true,
    .needs_displacement = false,
    .advance = advance,
};
