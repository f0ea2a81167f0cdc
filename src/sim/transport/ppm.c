/*
 * The scheme `ppm`, in flux form: a step is divided into substeps that keep all volume weights positive (courant.c),
 * and each substep consists of one-dimensional passes, whose order alternates between x, y, z and z, y, x so that the
 * error of splitting is of second order (Strang 1968). The passes are in flux_form.c and strip_kernels.c, the method is
 * derived in src/sim/reference/transport.c.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "sim/advection/advection.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/inflow.h"
#include "sim/grid/blocks.h"
#include "sim/transport/transport.h"

#include <string.h>

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

_Static_assert((int)BRUME_ACTIVE_SIDE == (int)BRUME_SLAB_UNIT, "each block is of one rank");

// marks the rows of blocks in which a bit of a scalar is set, or into which an inflow brings one
static void mark_occupied_rows(BrumeSim *sim, const BrumeFieldId *ids, int count, uint8_t *rows)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const BrumeGrid blocks = brume_active_grid(grid);
    bool everywhere = false;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        everywhere = everywhere || brume_inflow_brings_scalars(&sim->def.faces[side]);
    }
    memset(rows, everywhere, (size_t)blocks.ny * (size_t)blocks.nz);
#pragma omp parallel for schedule(static)
    for (int first = brume_first_plane(grid); first <= brume_last_plane(grid); first += BRUME_ACTIVE_SIDE) {
        const int last = brume_min_int(first + BRUME_ACTIVE_SIDE - 1, grid.nz);
        for (int k = first; k <= last; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                uint8_t *row = &rows[brume_block_row(grid, j, k)];
                for (int n = 0; n < count && !*row; n++) {
                    const BrumeField *field = &sim->fields[ids[n]];
                    *row = brume_any_bits(field->data + brume_field_index(field, 1, j, k), grid.nx) != 0;
                }
            }
        }
    }
    brume_gather_layers(grid, BRUME_SLAB_UNIT, false, rows, (size_t)blocks.ny);
}

/*
 * Finds the rows of blocks that the substeps read, and the substeps: rows with values, and those that these reach. Each
 * pass reads two reaches and a few cells beyond the values, and writes values to half as far.
 */
static BrumeSubsteps find_rows(BrumeSim *sim, const BrumeField velocity[3], double cells_per_mps,
                               const BrumeFieldId *ids, int count)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeGrid blocks = brume_active_grid(cells->grid);
    const size_t row_count = (size_t)blocks.ny * (size_t)blocks.nz;
    uint8_t *rows = sim->scalar_transport->rows;
    uint8_t *occupied = rows + row_count;
    int distance = 2 * BRUME_ACTIVE_SIDE;
    mark_occupied_rows(sim, ids, count, occupied);
    for (;;) {
        memcpy(rows, occupied, row_count);
        brume_dilate_marks(cells->grid, cells->periodic, 1, (const int[3]){0, distance, distance}, rows);
        const BrumeSubsteps substeps = brume_choose_substeps(brume_measure_courant(sim, velocity, rows), cells_per_mps);
        const int needed = substeps.count * (substeps.reach + 2) + substeps.reach + 1;
        if (needed <= distance) {
            return substeps;
        }
        distance = needed;
    }
}

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    static const float no_decay[BRUME_FLUX_SCALARS] = {1.0f, 1.0f, 1.0f};
    const double dx = (double)sim->def.dx;
    brume_exchange_wall_fluxes(sim, velocity);
    brume_exchange_field(&velocity[2], 1);
    const uint8_t *rows = sim->advection->partial ? sim->scalar_transport->rows : NULL;
    const BrumeSubsteps substeps = rows ? find_rows(sim, velocity, dt / dx, ids, count)
                                        : brume_choose_substeps(brume_measure_courant(sim, velocity, NULL), dt / dx);
    BrumeFluxSubstep substep = {
        .velocity = velocity,
        .cells_per_mps = substeps.cells_per_mps,
        .along_z = substeps.along_z,
        .reach = substeps.reach,
        .least_volume = substeps.least_volume,
        .bounded = sim->pressure_residual > (double)sim->def.tolerance && !brume_has_fuel(&sim->def),
        .rows = rows,
    };
    brume_exchange_fields(velocity, 3, brume_pass_depth(&substep, false));
    for (int first = 0; first < count; first += BRUME_FLUX_SCALARS) {
        substep.ids = ids + first;
        substep.count = brume_min_int(count - first, BRUME_FLUX_SCALARS);
        substep.exchange = exchange + first;
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
