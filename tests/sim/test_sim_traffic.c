/*
 * What ranks send to each other: a model in one process counts the same messages and bytes as ranks that are threads.
 */
#include "busy_box.h"
#include "sim_support.h"
#include "thread_team.h"

#include <string.h>

enum { MOST_RANKS = 5, FRAMES = 3 };

typedef struct Run {
    BrumeSimDef def;
    uint64_t hash; // of the first rank
    BrumeTraffic traffic[MOST_RANKS];
} Run;

static void run_frames(void *context, BrumeTeam *team)
{
    Run *run = context;
    BrumeSimDef def = run->def;
    def.team = team;
    BrumeSim *sim;
    assert_int_equal(brume_sim_create(&sim, &def, NULL), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_team_clear(team);
    if (team->rank == 0) {
        run->hash = hash;
    }
    if (!team->modeled) {
        run->traffic[team->rank] = team->traffic;
    }
}

static void expect_same_traffic(const char *name, const BrumeSimDef *def, int ranks)
{
    Run real = {.def = *def};
    Run model = {.def = *def};
    run_as_ranks(ranks, run_frames, &real);
    BrumeTeam team = {.ranks = ranks, .modeled = model.traffic};
    run_frames(&model, &team);
    assert_int_equal(model.hash, real.hash);
    for (int r = 0; r < ranks; r++) {
        if (memcmp(&model.traffic[r], &real.traffic[r], sizeof model.traffic[r]) != 0) {
            fail_msg("%s, rank %d of %d: the model has %lld exchanges, %lld messages, %lld bytes, %lld gathers of %lld "
                     "bytes; sent were %lld, %lld, %lld, %lld, %lld",
                     name, r, ranks, model.traffic[r].exchanges, model.traffic[r].messages, model.traffic[r].bytes,
                     model.traffic[r].gathers, model.traffic[r].gathered_bytes, real.traffic[r].exchanges,
                     real.traffic[r].messages, real.traffic[r].bytes, real.traffic[r].gathers,
                     real.traffic[r].gathered_bytes);
        }
    }
    assert_true(model.traffic[0].messages > 0);
}

static void test_each_pressure_solver(void **state)
{
    (void)state;
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumeSimDef def = busy_box();
        def.pressure = brume_pressure_name(method);
        busy_box_for_solver(&def);
        for (int ranks = 2; ranks <= MOST_RANKS; ranks = 2 * ranks - 1) {
            expect_same_traffic(def.pressure, &def, ranks);
        }
    }
}

static void test_periodic_box(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(20, 20, 40, 0.05f, BRUME_PERIODIC);
    expect_same_traffic("periodic", &def, 3);
}

/* 16 and 24 planes: with an exchange of one plane each way, each rank sends one plane of each field. */
static void exchange_one_plane(void *context, BrumeTeam *team)
{
    BrumeTraffic *traffic = context;
    BrumeField field = {0};
    BrumeGrid grid = brume_grid(6, 10, 40);
    grid.domain = brume_team_domain(team, grid.nz, false);
    assert_int_equal(brume_field_create(&field, grid, NULL), BRUME_OK);
    brume_exchange_field(&field, 1);
    brume_gather_field(&field);
    brume_field_destroy(&field);
    brume_team_clear(team);
    traffic[team->rank] = team->traffic;
}

static void test_one_exchange(void **state)
{
    (void)state;
    BrumeTraffic traffic[2];
    run_as_ranks(2, exchange_one_plane, traffic);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(traffic[r].exchanges, 1);
        assert_int_equal(traffic[r].messages, 1);
        assert_int_equal(traffic[r].bytes, 8 * 12 * sizeof(float));
        assert_int_equal(traffic[r].gathers, 1);
        assert_int_equal(traffic[r].gathered_bytes, 8 * 12 * 42 * sizeof(float));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_exchange),
        cmocka_unit_test(test_each_pressure_solver),
        cmocka_unit_test(test_periodic_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
