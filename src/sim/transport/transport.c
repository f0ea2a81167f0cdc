/*
 * Transport of temperature and smoke: selects the scheme, allocates its memory and computes the decay.
 */
#include "sim/transport/transport.h"
#include "sim/measures/sums.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/threads.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cells.h"
#include "sim/transport/strip.h"

#include <assert.h>
#include <string.h>

#define ENTRY(scheme) &brume_transport_##scheme,
static const BrumeTransportScheme *const schemes[] = {BRUME_TRANSPORT_SCHEMES(ENTRY)};

enum { SCHEME_COUNT = sizeof schemes / sizeof schemes[0] };

const char *brume_transport_name(int index) { return index >= 0 && index < SCHEME_COUNT ? schemes[index]->name : NULL; }

const BrumeTransportScheme *brume_transport_find(const char *name)
{
    for (int n = 0; n < SCHEME_COUNT; n++) {
        if (name && strcmp(name, schemes[n]->name) == 0) {
            return schemes[n];
        }
    }
    return NULL;
}

// entries of an array that holds any strip of the box
static size_t strip_entries(const BrumeSimDef *def)
{
    const size_t columns = (size_t)brume_min_int(def->nx, BRUME_STRIP_LANES);
    const size_t ends = 2 * (size_t)BRUME_STRIP_PAD + 2;
    const size_t row = (size_t)def->nx + ends;
    const size_t lines = ((size_t)brume_max_int(def->ny, def->nz) + ends) * columns;
    const size_t most = row > lines ? row : lines;
    return (most + 15) / 16 * 16; // arrays start on cache lines
}

static size_t mark_count(const BrumeSimDef *def)
{
    return (size_t)BRUME_FLUX_SCALARS * (size_t)def->ny * ((size_t)def->nz + 2);
}

// marks of rows of blocks: those of BrumeFluxSubstep, and those with values at the start of a step
static size_t row_count(const BrumeSimDef *def)
{
    const BrumeGrid blocks = brume_active_grid(brume_settings_grid(def));
    return 2 * (size_t)blocks.ny * (size_t)blocks.nz;
}

// blocks of rows of a plane, of which each has its amounts
static int blocks_of_rows(const BrumeSimDef *def) { return (def->ny + BRUME_SUM_ROWS - 1) / BRUME_SUM_ROWS; }

static size_t amount_count(const BrumeSimDef *def)
{
    return (size_t)BRUME_FLUX_SCALARS * BRUME_AMOUNTS * (size_t)blocks_of_rows(def) * ((size_t)def->nz + 2);
}

static size_t amount_count_along_z(const BrumeSimDef *def, int bodies)
{
    const BrumeGrid blocks = brume_active_grid(brume_settings_grid(def));
    const size_t amounts = BRUME_FACE_COUNT + 2 * (size_t)bodies;
    return (size_t)BRUME_FLUX_SCALARS * amounts * (size_t)def->ny * (size_t)blocks.nz;
}

static BrumeStatus create_arrays(BrumeTransport *transport, const BrumeSimDef *def, BrumeError *error)
{
    if (transport->scheme->needs_displacement) {
        return BRUME_OK;
    }
    transport->threads = brume_most_threads();
    transport->strip_entries = strip_entries(def);
    transport->strips = brume_alloc((size_t)transport->threads * BRUME_STRIP_ARRAYS * transport->strip_entries,
                                    sizeof *transport->strips);
    transport->passed = brume_alloc(amount_count(def), sizeof *transport->passed);
    // pages of bodies that are not there are not touched
    transport->passed_along_z =
        brume_alloc(amount_count_along_z(def, BRUME_MAX_BODIES), sizeof *transport->passed_along_z);
    transport->occupied = brume_alloc(mark_count(def), sizeof *transport->occupied);
    transport->rows = brume_alloc(row_count(def), sizeof *transport->rows);
    if (!transport->strips || !transport->passed || !transport->passed_along_z || !transport->occupied ||
        !transport->rows) {
        return brume_out_of_memory(error, "a simulation");
    }
    return BRUME_OK;
}

BrumeStatus brume_transport_create(BrumeTransport **transport, const BrumeSimDef *def, BrumeFluxKernel *flux_kernel,
                                   BrumeError *error)
{
    *transport = NULL;
    BrumeTransport *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "a simulation");
    }
    created->scheme = brume_transport_find(def->transport);
    created->flux_kernel = flux_kernel;
    assert(created->scheme);
    const BrumeStatus status = create_arrays(created, def, error);
    if (status != BRUME_OK) {
        brume_transport_destroy(created);
        return status;
    }
    *transport = created;
    return BRUME_OK;
}

void brume_transport_destroy(BrumeTransport *transport)
{
    if (!transport) {
        return;
    }
    brume_free(transport->strips);
    brume_free(transport->passed);
    brume_free(transport->passed_along_z);
    brume_free(transport->occupied);
    brume_free(transport->rows);
    brume_free(transport);
}

size_t brume_transport_bytes(const BrumeSimDef *def)
{
    const BrumeTransportScheme *scheme = brume_transport_find(def->transport);
    if (!scheme) {
        return 0;
    }
    const size_t strips = (size_t)brume_most_threads() * BRUME_STRIP_ARRAYS * strip_entries(def) * sizeof(float);
    const size_t flux = strips + (amount_count(def) + amount_count_along_z(def, def->body_count)) * sizeof(double) +
                        mark_count(def) * sizeof(uint64_t) + row_count(def);
    return sizeof(BrumeTransport) + (scheme->needs_displacement ? 0 : flux);
}

void brume_transport_scalars(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    BrumeTransport *transport = sim->scalar_transport;
    assert(brume_holds(sim, BRUME_VALID_DISPLACEMENT) || !transport->scheme->needs_displacement);
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    BrumeFieldId ids[BRUME_TRANSPORT_SCALARS] = {BRUME_FIELD_TEMPERATURE};
    float decay[BRUME_TRANSPORT_SCALARS] = {1.0f};
    BrumeScalarExchange exchange[BRUME_TRANSPORT_SCALARS] = {0};
    int count = 0;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (brume_has_scalar(sim, scalar)) {
            ids[count] = brume_scalar_id(scalar);
            decay[count] = brume_decay_factor(&sim->def, ids[count], dt);
            count++;
        }
    }
    transport->scheme->advance(sim, velocity, dt, ids, decay, count, exchange);
    memset(transport->exchange, 0, sizeof transport->exchange);
    for (int n = 0; n < count; n++) {
        transport->exchange[ids[n] - BRUME_FIELD_TEMPERATURE] = exchange[n];
        brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[ids[n]]);
    }
}

bool brume_transport_is_exact(const BrumeSim *sim) { return sim->scalar_transport->scheme->conserves; }

const BrumeScalarExchange *brume_transport_exchange(const BrumeSim *sim, BrumeFieldId id)
{
    assert(id >= BRUME_FIELD_TEMPERATURE && id < BRUME_FIELD_COUNT);
    return &sim->scalar_transport->exchange[id - BRUME_FIELD_TEMPERATURE];
}

double brume_from_bodies(const BrumeScalarExchange *exchange)
{
    double sum = 0.0;
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        sum += exchange->given[n] - exchange->taken[n];
    }
    return sum;
}

void brume_exchange_pass_sources(BrumeSim *sim, const BrumeFluxSubstep *substep, bool first)
{
    const BrumeField *sources[BRUME_FLUX_SCALARS];
    for (int slot = 0; slot < substep->count; slot++) {
        sources[slot] = first ? &sim->fields[substep->ids[slot]] : &sim->scratch[slot];
    }
    brume_exchange(sources, substep->count, brume_pass_depth(substep, first));
}

// the amounts of a scalar that are in use
static int amounts_in_use(const BrumeSim *sim)
{
    return BRUME_FACE_COUNT + (sim->bodies_move ? 2 * sim->def.body_count : 0);
}

double *brume_passed_in_plane(const BrumeSim *sim, const BrumeFluxSubstep *substep, int slot, int j, int k)
{
    const ptrdiff_t block = (ptrdiff_t)blocks_of_rows(&sim->def) * k + (j - 1) / BRUME_SUM_ROWS;
    return sim->scalar_transport->passed + (substep->count * block + slot) * amounts_in_use(sim);
}

double *brume_passed_along_z(const BrumeSim *sim, const BrumeFluxSubstep *substep, int slot, int j, int k)
{
    const ptrdiff_t row = (ptrdiff_t)sim->def.ny * brume_block_along(k, sim->def.nz) + j - 1;
    return sim->scalar_transport->passed_along_z + (substep->count * row + slot) * amounts_in_use(sim);
}

// Adds the amounts of passes along z to those of the first plane of each block: the sums do not depend on where the
// box is divided among ranks.
static void add_rows_of_blocks(BrumeSim *sim, const BrumeFluxSubstep *substep)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int count = substep->count * amounts_in_use(sim);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k += BRUME_ACTIVE_SIDE) {
        const bool at_side = k == 1 || k + BRUME_ACTIVE_SIDE > grid.nz;
        for (int j = 1; (at_side || sim->bodies_move) && j <= grid.ny; j++) {
            brume_move_sums(brume_passed_along_z(sim, substep, 0, j, k), brume_passed_in_plane(sim, substep, 0, j, k),
                            count);
        }
    }
}

void brume_exchange_passed(BrumeSim *sim, const BrumeFluxSubstep *substep, bool along_z)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int count = amounts_in_use(sim);
    if (along_z) {
        add_rows_of_blocks(sim, substep);
    }
    brume_gather_planes(grid, sim->scalar_transport->passed,
                        (size_t)(blocks_of_rows(&sim->def) * substep->count * count) * sizeof(double));
    for (int slot = 0; slot < substep->count; slot++) {
        BrumeScalarExchange *exchange = &substep->exchange[slot];
        for (int k = 1; k <= grid.nz; k++) {
            double *amounts = brume_passed_in_plane(sim, substep, slot, 1, k);
            for (int j = 1 + BRUME_SUM_ROWS; j <= grid.ny; j += BRUME_SUM_ROWS) {
                brume_move_sums(brume_passed_in_plane(sim, substep, slot, j, k), amounts, count);
            }
            brume_move_sums(amounts, exchange->left, BRUME_FACE_COUNT);
            for (int n = 0; BRUME_FACE_COUNT + 2 * n < count; n++) {
                brume_move_sums(amounts + BRUME_GIVEN + 2 * n, &exchange->given[n], 1);
                brume_move_sums(amounts + BRUME_TAKEN + 2 * n, &exchange->taken[n], 1);
            }
        }
    }
}
