/*
 * The exchanges of the transport in flux form among ranks: with one plane less in any of them, the result differs.
 */
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

static void set_state(BrumeSim *sim, Flow flow)
{
    const BrumeGrid grid = sim->fields[0].grid;
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                sim->fields[BRUME_FIELD_W].data[c] = k <= BRUME_SLAB_UNIT ? flow.below : flow.above;
                for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_DENSITY; id++) {
                    const uint32_t key = (uint32_t)(c * BRUME_FIELD_COUNT + id);
                    sim->fields[id].data[c] = 0.5f + (float)(key * 2654435761u >> 8) * 0x1p-24f;
                }
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
    set_state(sim, run->flow);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_exchange_is_deeper_than_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
