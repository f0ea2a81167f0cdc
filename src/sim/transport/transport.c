/*
 * Transport of temperature and smoke: selects the scheme, allocates its memory and computes the decay.
 */
#include "sim/transport/transport.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
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

static size_t cell_rows(const BrumeSimDef *def) { return (size_t)def->ny * (size_t)def->nz; }

// marks of rows of blocks: those of BrumeFluxSubstep, and those with values at the start of a step
static size_t row_count(const BrumeSimDef *def)
{
    const BrumeGrid blocks = brume_active_grid(brume_settings_grid(def));
    return 2 * (size_t)blocks.ny * (size_t)blocks.nz;
}

static size_t amount_count(const BrumeSimDef *def)
{
    return (size_t)BRUME_FLUX_SCALARS * (size_t)(brume_max_int(def->ny, def->nz) + 1) * BRUME_AMOUNTS;
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
    transport->occupied[0] = brume_alloc(BRUME_FLUX_SCALARS * cell_rows(def), sizeof *transport->occupied[0]);
    transport->rows = brume_alloc(row_count(def), sizeof *transport->rows);
    if (!transport->strips || !transport->passed || !transport->occupied[0] || !transport->rows) {
        return brume_out_of_memory(error, "a simulation");
    }
    for (size_t slot = 1; slot < BRUME_FLUX_SCALARS; slot++) {
        transport->occupied[slot] = transport->occupied[0] + slot * cell_rows(def);
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
    brume_free(transport->occupied[0]);
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
    const size_t flux = strips + amount_count(def) * sizeof(double) +
                        BRUME_FLUX_SCALARS * cell_rows(def) * sizeof(uint64_t) + row_count(def);
    return sizeof(BrumeTransport) + (scheme->needs_displacement ? 0 : flux);
}

void brume_transport_scalars(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    BrumeTransport *transport = sim->scalar_transport;
    assert(brume_holds(sim, BRUME_VALID_DISPLACEMENT) || !transport->scheme->needs_displacement);
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    BrumeFieldId ids[BRUME_TRANSPORT_SCALARS] = {BRUME_FIELD_TEMPERATURE};
    float decay[BRUME_TRANSPORT_SCALARS] = {1.0f};
    const int count = 2 + sim->def.color_count;
    for (int n = 0; n < count; n++) {
        ids[n] = (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + n);
        decay[n] = brume_decay_factor(&sim->def, ids[n], dt);
    }
    memset(transport->exchange, 0, sizeof transport->exchange);
    transport->scheme->advance(sim, velocity, dt, ids, decay, count, transport->exchange);
    for (int n = 0; n < count; n++) {
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

void brume_exchange_add(BrumeScalarExchange *exchange, double amounts[BRUME_AMOUNTS], bool bodies_move)
{
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        exchange->left[face] += amounts[face];
    }
    for (int n = 0; bodies_move && n < BRUME_MAX_BODIES; n++) {
        exchange->given[n] += amounts[BRUME_GIVEN + n];
        exchange->taken[n] += amounts[BRUME_TAKEN + n];
    }
    memset(amounts, 0, (size_t)(bodies_move ? BRUME_AMOUNTS : BRUME_FACE_COUNT) * sizeof *amounts);
}
