/*
 * Transport in flux form by several ranks: with one plane less in any exchange the result differs, and fluxes through
 * sides and bodies do not depend on the number of ranks.
 */
#include "busy_box.h"
#include "sim_support.h"
#include "thread_team.h"
#include "transport_support.h"

enum { RANKS = 3, EXCHANGES = 4 };

// a flow along z: displacements on the lowest faces of the second slab and above, and below them [cells]
typedef struct Flow {
    float below, above;
} Flow;

typedef struct Run {
    Flow flow;
    int thin; // number of the exchange that copies one plane less, 0: none
    uint64_t hash;
    long long exchanges;
} Run;

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

static void transport(void *context, BrumeTeam *team)
{
    Run *run = context;
    BrumeSimDef def = box_def(9, 10, BRUME_SLAB_UNIT * RANKS, 1.0f, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
    def.team = team;
    BrumeSim *sim = create(&def);
    set_scalars(sim);
    set_flow(sim, run->flow);
    brume_compute_own(sim);
    const long long before = team ? team->exchanges : 0;
    if (team) {
        team->thin_exchange = run->thin ? before + run->thin : 0;
    }
    brume_transport_scalars(sim, sim->fields, 1.0);
    const long long after = team ? team->exchanges : 0;
    brume_compute_whole(sim);
    const uint64_t hash = brume_sim_hash(sim);
    if (!team || team->rank == 0) {
        run->hash = hash;
        run->exchanges = after - before;
    }
    brume_sim_destroy(sim);
    if (team) {
        brume_team_clear(team);
    }
}

// the flow down through several slabs to an open side, and one whose substeps follow from faces between two slabs
static void test_no_exchange_is_deeper_than_needed(void **state)
{
    (void)state;
    const Flow flows[] = {{-6.3f, -6.3f}, {-3.0f, -2.2f}};
    bool is_needed[EXCHANGES + 1] = {false};
    for (int n = 0; n < 2; n++) {
        Run alone = {.flow = flows[n]};
        transport(&alone, NULL);
        for (int thin = 0; thin <= EXCHANGES; thin++) {
            Run shared = {.flow = flows[n], .thin = thin};
            run_as_ranks(RANKS, transport, &shared);
            assert_true(shared.exchanges >= EXCHANGES);
            if (thin == 0) {
                assert_true(shared.hash == alone.hash);
            }
            is_needed[thin] = is_needed[thin] || shared.hash != alone.hash;
        }
    }
    for (int thin = 1; thin <= EXCHANGES; thin++) {
        if (!is_needed[thin]) {
            fail_msg("exchange %d has a plane that is not needed", thin);
        }
    }
}

// steps with moving bodies: the state and the fluxes through sides and bodies in the last step
typedef struct Steps {
    const char *kernels;
    uint64_t hash;
    BrumeScalarExchange exchange[2];
} Steps;

static void take_steps(void *context, BrumeTeam *team)
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
    if (!team || team->rank == 1) {
        steps->hash = hash;
        for (int n = 0; n < 2; n++) {
            steps->exchange[n] = *brume_transport_exchange(sim, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + n));
        }
    }
    brume_sim_destroy(sim);
    if (team) {
        brume_team_clear(team);
    }
}

static void test_fluxes_have_the_same_bits(void **state)
{
    (void)state;
    for (int n = 0; brume_kernels_name(n); n++) {
        Steps alone = {.kernels = brume_kernels_name(n)};
        take_steps(&alone, NULL);
        assert_true(alone.exchange[1].given[0] != 0.0 && alone.exchange[1].left[BRUME_FACE_Y_MAX] != 0.0);
        for (int ranks = 2; ranks <= 4; ranks++) {
            Steps shared = {.kernels = alone.kernels};
            run_as_ranks(ranks, take_steps, &shared);
            assert_true(shared.hash == alone.hash);
            assert_memory_equal(shared.exchange, alone.exchange, sizeof alone.exchange);
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
