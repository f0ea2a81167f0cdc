/*
 * Advection: transport of velocity and scalars by the flow (Stam 2003, "Real-Time Fluid Dynamics for Games", advect).
 * This file selects the scheme of velocity; the schemes differ in how they evaluate a quantity at its departure point.
 * The schemes of temperature and smoke are in src/sim/transport.
 *
 * Velocity can be advected in a part of the box. Where it has neither vorticity nor force, its advection is a gradient,
 * which the projection removes; there the integrator extrapolates it. The corrector of an active block reads predicted
 * values up to one displacement away, and values inside bodies are extrapolated from two more layers: the predictor
 * therefore runs in the active blocks and a margin around them, and the trace in the cells at the faces of both.
 */
#include "sim/advection/advection.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/threads.h"
#include "sim/advection/fast_kernels.h"
#include "sim/advection/sampling.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

#include <assert.h>
#include <string.h>

#define ENTRY(scheme) &brume_advection_##scheme,
static const BrumeAdvectionScheme *const schemes[] = {BRUME_ADVECTION_SCHEMES(ENTRY)};

enum { SCHEME_COUNT = sizeof schemes / sizeof schemes[0] };

const char *brume_advection_name(int index) { return index >= 0 && index < SCHEME_COUNT ? schemes[index]->name : NULL; }

const BrumeAdvectionScheme *brume_advection_find(const char *name)
{
    for (int n = 0; n < SCHEME_COUNT; n++) {
        if (name && strcmp(name, schemes[n]->name) == 0) {
            return schemes[n];
        }
    }
    return NULL;
}

const BrumeAdvectionKernels brume_fast_advection = {
    .predict_velocity = brume_predict_velocity_fast,
    .correct_velocity = brume_correct_velocity_fast,
    .predict_scalars = brume_predict_scalars_fast,
    .correct_scalars = brume_correct_scalars_fast,
};

static size_t window_floats(const BrumeSimDef *def)
{
    return 3 * (size_t)brume_most_threads() * (size_t)brume_window_entries(brume_settings_grid(def));
}

static size_t block_count(const BrumeSimDef *def)
{
    const BrumeBlocks blocks = brume_blocks(brume_settings_grid(def));
    return brume_block(&blocks, 0, 0, blocks.nz);
}

static size_t strip_count(const BrumeSimDef *def)
{
    const BrumeBlocks blocks = brume_blocks(brume_settings_grid(def));
    return brume_block(&blocks, 0, 0, def->nz);
}

_Static_assert((int)BRUME_SCRATCH_FIELDS >= 2 * BRUME_SCALARS_PER_PASS, "scalars are predicted and corrected too");

enum { MARKS_PER_BLOCK = 7 };

static BrumeStatus create_arrays(BrumeAdvection *advection, const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        status = brume_field_create(&advection->backward.along[axis], brume_settings_grid(def), error);
    }
    if (status == BRUME_OK) {
        const size_t blocks = block_count(def);
        const size_t active_blocks = brume_grid_cells(brume_active_grid(brume_settings_grid(def)));
        uint8_t **marks[] = {&advection->found,   &advection->active,       &advection->margin, &advection->levels,
                             &advection->highest, &advection->extrapolated, &advection->fresh};
        _Static_assert(sizeof marks / sizeof marks[0] == MARKS_PER_BLOCK, "brume_advection_bytes counts them");
        uint8_t *memory = brume_alloc(MARKS_PER_BLOCK * active_blocks, sizeof *memory);
        for (size_t n = 0; memory && n < MARKS_PER_BLOCK; n++) {
            *marks[n] = memory + n * active_blocks;
        }
        advection->window_count = brume_most_threads();
        advection->windows = brume_alloc_untouched(window_floats(def), sizeof *advection->windows);
        advection->strip_displacement = brume_alloc(strip_count(def), sizeof *advection->strip_displacement);
        advection->occupied = brume_alloc((1 + BRUME_SCALARS_PER_PASS) * blocks, sizeof *advection->occupied);
        for (size_t n = 0; advection->occupied && n < BRUME_SCALARS_PER_PASS; n++) {
            advection->empty[n] = advection->occupied + (1 + n) * blocks;
        }
        if (!advection->found || !advection->windows || !advection->strip_displacement || !advection->occupied) {
            status = brume_out_of_memory(error, "a simulation");
        }
    }
    return status;
}

BrumeStatus brume_advection_create(BrumeAdvection **advection, const BrumeSimDef *def,
                                   const BrumeAdvectionKernels *kernels, BrumeError *error)
{
    *advection = NULL;
    BrumeAdvection *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "a simulation");
    }
    created->scheme = brume_advection_find(def->advection);
    created->kernels = kernels;
    assert(created->scheme);
    const BrumeStatus status = create_arrays(created, def, error);
    if (status != BRUME_OK) {
        brume_advection_destroy(created);
        return status;
    }
    *advection = created;
    return BRUME_OK;
}

void brume_advection_destroy(BrumeAdvection *advection)
{
    if (!advection) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&advection->backward.along[axis]);
    }
    brume_free(advection->found);
    brume_free(advection->windows);
    brume_free(advection->strip_displacement);
    brume_free(advection->occupied);
    brume_free(advection);
}

size_t brume_advection_bytes(const BrumeSimDef *def)
{
    return 3 * brume_grid_entries(brume_settings_grid(def)) * sizeof(float) + strip_count(def) * sizeof(float) +
           (1 + BRUME_SCALARS_PER_PASS) * block_count(def) * sizeof(uint8_t) +
           MARKS_PER_BLOCK * brume_grid_cells(brume_active_grid(brume_settings_grid(def))) * sizeof(uint8_t) +
           window_floats(def) * sizeof(float);
}

/*
 * Paths are traced from the centers of the planes of a rank, and of the plane below for the faces in between. The last
 * point at which the trace reads the velocity is 3/4 or 1/2 of a displacement away from the center. At the ends of
 * paths, values for the planes of the rank are read. The displacement along z follows from the largest of all values of
 * w, of which some are in no max_speed: ghosts, and faces on the upper side of the box.
 */
int brume_path_reach(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps)
{
    const double rounding = 1.0 / 64.0; // of positions in the largest boxes [cells]
    const BrumeField *w = &transport[2];
    if (!brume_is_shared(w->grid)) {
        return 0;
    }
    int32_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int k = brume_lowest_plane(w->grid); k <= brume_highest_plane(w->grid); k++) {
        largest = brume_largest_bits(w->data + w->sz * k, (int)w->sz, largest);
    }
    brume_largest_of_ranks(w->grid, &largest, 1);
    const double displacement = (double)brume_float_of_bits(largest) * (double)cells_per_mps;
    const double to_last_point = (sim->def.trace_order == 3 ? 0.75 : 0.5) * displacement;
    const int reach = brume_max_int(brume_displacement_bound(to_last_point + rounding) + 1,
                                    brume_displacement_bound(displacement + rounding));
    return brume_min_int(reach, w->grid.nz);
}

void brume_advect_velocity(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], double max_speed,
                           float dt, BrumeField results[3])
{
    BrumeAdvection *advection = sim->advection;
    const float cells_per_mps = dt / sim->def.dx; // [m/s] -> [cells/step]
    advection->displacement_bound = brume_displacement_bound(max_speed * (double)cells_per_mps);
    advection->cells_per_mps = cells_per_mps;
    advection->reach = brume_path_reach(sim, transport, cells_per_mps);
    advection->region = advection->partial ? advection->active : NULL;
    brume_exchange_vectors(transport, carried, advection->reach);
    advection->scheme->advect_velocity(sim, transport, carried, cells_per_mps, results);
    advection->region = NULL;
    if (advection->partial) {
        brume_invalidate(sim, BRUME_VALID_DISPLACEMENT);
    } else {
        brume_establish(sim, BRUME_VALID_DISPLACEMENT);
    }
}
