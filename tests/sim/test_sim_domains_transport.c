/*
 * Transport in flux form by several ranks: with one plane less in any exchange the result differs, and fluxes through
 * sides and bodies do not depend on the number of ranks.
 */
#include "busy_box.h"
#include "sim/lifecycle/ranks.h"
#include "sim_support.h"
#include "thread_team.h"
#include "transport_support.h"

enum { RANKS = 3, MOST_RANKS = 4, EXCHANGES = 4 };

// a flow along z: displacements on the lowest faces of the second slab and above, and below them [cells]
typedef struct Flow {
    float below, above;
} Flow;

// values from .5 to 1.5 in all cells
static void set_scalars(BrumeSim *sim)
{
    const size_t entries = brume_grid_entries(sim->fields[0].grid);
    for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_DENSITY; id++) {
        for (size_t c = 0; c < entries; c++) {
            const uint32_t key = (uint32_t)c * BRUME_FIELD_COUNT + (uint32_t)id;
            sim->fields[id].data[c] = 0.5f + (float)(key * 2654435761u >> 8) * 0x1p-24f;
        }
    }
}

static void set_flow(BrumeSim *sim, Flow flow)
{
    const BrumeField *w = &sim->fields[BRUME_FIELD_W];
    for (int k = 1; k <= w->grid.nz + 1; k++) {
        for (int j = 1; j <= w->grid.ny; j++) {
            for (int i = 1; i <= w->grid.nx; i++) {
                w->data[brume_field_index(w, i, j, k)] = k <= BRUME_SLAB_UNIT ? flow.below : flow.above;
            }
        }
    }
}

static uint64_t transport(void *context, BrumeTeam *team)
{
    const Flow *flow = context;
    BrumeSimDef def = box_def(9, 10, BRUME_SLAB_UNIT * RANKS, 1.0f, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
    def.team = team;
    BrumeSim *sim = create(&def);
    set_scalars(sim);
    set_flow(sim, *flow);
    brume_compute_own(sim);
    start_tested_exchanges(team);
    brume_transport_scalars(sim, sim->fields, 1.0);
    end_tested_exchanges(team);
    brume_compute_whole(sim);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

// the flow down through several slabs to an open side, and one whose substeps follow from faces between two slabs
static void test_no_exchange_is_deeper_than_needed(void **state)
{
    (void)state;
    Flow flows[] = {{-6.3f, -6.3f}, {-3.0f, -2.2f}};
    NeededExchanges found = {0};
    for (int n = 0; n < 2; n++) {
        find_needed_exchanges(&found, transport(&flows[n], NULL), RANKS, transport, &flows[n]);
        assert_true(found.count >= EXCHANGES);
    }
    for (int n = 1; n <= EXCHANGES; n++) {
        if (!found.is_needed[n]) {
            fail_msg("exchange %d has a plane that is not needed", n);
        }
    }
}

// steps with moving bodies: the state and the fluxes through sides and bodies in the last step
typedef struct Steps {
    const char *kernels;
    BrumeScalarExchange exchange[MOST_RANKS][2]; // of each rank
} Steps;

static uint64_t take_steps(void *context, BrumeTeam *team)
{
    Steps *steps = context;
    BrumeSimDef def = busy_box();
    def.kernels = steps->kernels;
    def.team = team;
    BrumeSim *sim = create(&def);
    set_scalars(sim);
    brume_set_scalar_ghosts(sim);
    for (int n = 0; n < 4; n++) {
        for (int body = 0; body < 2; body++) {
            brume_sim_move(sim, body, brume_vec3(0.3f, 0.2f, body ? 0.8f : -0.4f));
        }
        step(sim, 0.05, NULL);
    }
    const uint64_t hash = brume_sim_hash(sim);
    BrumeScalarExchange *exchange = steps->exchange[team ? team->rank : 0];
    for (int n = 0; n < 2; n++) {
        exchange[n] = *brume_transport_exchange(sim, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + n));
    }
    brume_sim_destroy(sim);
    return hash;
}

static void test_fluxes_have_the_same_bits(void **state)
{
    (void)state;
    for (int n = 0; brume_kernels_name(n); n++) {
        Steps alone = {.kernels = brume_kernels_name(n)};
        const uint64_t expected = take_steps(&alone, NULL);
        const BrumeScalarExchange *exchange = alone.exchange[0];
        assert_true(exchange[1].given[0] != 0.0 && exchange[1].left[BRUME_FACE_Y_MAX] != 0.0);
        for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
            Steps shared = {.kernels = alone.kernels};
            assert_true(all_ranks_return(expected, ranks, take_steps, &shared));
            for (int r = 0; r < ranks; r++) {
                assert_memory_equal(shared.exchange[r], exchange, sizeof shared.exchange[r]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_exchange_is_deeper_than_needed),
        cmocka_unit_test(test_fluxes_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
