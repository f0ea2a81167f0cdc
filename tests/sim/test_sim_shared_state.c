/*
 * Boundary conditions, checks and measures of a state whose planes are divided among ranks, which are threads here. An
 * exchange that copies a plane less than it should must change the result: planes that were not copied are NaN.
 */
#include "brume/probe.h"
#include "busy_box.h"
#include "core/hash.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cut_cells.h"
#include "sim/lifecycle/ranks.h"
#include "sim/measures/monitor.h"
#include "sim/measures/sealed_inflow.h"
#include "sim_support.h"
#include "thread_team.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 32, RANKS = 2, BAD_PLANE = 29 };

// a ball in the planes of the second rank, whose lower side is at those of the first one
static BrumeSimDef box_with_ball(BrumeTeam *team)
{
    BrumeSimDef def = box_def(CELLS, CELLS, CELLS, 1.0f / CELLS, BRUME_WALL);
    def.solids = "cut";
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.51f, 0.48f, 0.715f}, .radius = 0.25f};
    def.team = team;
    return def;
}

// values without a pattern, in the planes of this rank
static void fill_velocity(BrumeSim *sim)
{
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *u = &sim->fields[axis];
        for (int k = brume_lowest_plane(u->grid); k <= brume_highest_plane(u->grid); k++) {
            for (ptrdiff_t n = 0; n < u->sz; n++) {
                const ptrdiff_t seed[2] = {axis, u->sz * k + n};
                const uint64_t bits = brume_hash_bytes(seed, sizeof seed, 0);
                u->data[u->sz * k + n] = 1.0f + 0x1p-24f * (float)(bits >> 40);
            }
        }
    }
}

static uint64_t set_boundary(void *context, BrumeTeam *team)
{
    (void)context;
    const BrumeSimDef def = box_with_ball(team);
    BrumeSim *sim = create(&def);
    brume_compute_own(sim);
    fill_velocity(sim);
    start_tested_exchanges(team);
    brume_set_velocity_boundary(sim);
    end_tested_exchanges(team);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

static void test_depths_of_exchanges(void **state)
{
    (void)state;
    NeededExchanges found = {0};
    find_needed_exchanges(&found, set_boundary(NULL, NULL), RANKS, set_boundary, NULL);
    // two layers of the extrapolation, the faces along which air slips, and the halo, which the hash does not contain
    assert_int_equal(found.count, BRUME_EXTRAPOLATION_LAYERS + 2);
    for (int n = 1; n < found.count; n++) {
        if (!found.is_needed[n]) {
            fail_msg("exchange %d could copy a plane less", n);
        }
    }
}

typedef struct CheckRun {
    BrumeFieldId id; // of the value that is not finite
    BrumeStatus status[RANKS];
    char text[RANKS][sizeof((BrumeError *)0)->text];
} CheckRun;

static void check_state(void *context, BrumeTeam *team)
{
    CheckRun *run = context;
    const int rank = team ? team->rank : 0;
    const BrumeSimDef def = box_with_ball(team);
    BrumeSim *sim;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_OK);
    brume_compute_own(sim);
    BrumeField *field = &sim->fields[run->id];
    if (brume_has_plane(field->grid, BAD_PLANE)) {
        field->data[brume_field_index(field, 3, 2, BAD_PLANE)] = (float)NAN;
    }
    (void)brume_measure_flow(sim);
    run->status[rank] = brume_check_finite(sim, &error);
    memcpy(run->text[rank], error.text, sizeof error.text);
    brume_sim_destroy(sim);
}

static void test_same_failure_on_all_ranks(void **state)
{
    (void)state;
    const BrumeFieldId ids[] = {BRUME_FIELD_W, BRUME_FIELD_PRESSURE, BRUME_FIELD_DENSITY};
    for (int n = 0; n < 3; n++) {
        CheckRun alone = {.id = ids[n]};
        check_state(&alone, NULL);
        assert_int_equal(alone.status[0], BRUME_FAILED);
        assert_non_null(strstr(alone.text[0], "(3, 2, 29)"));
        CheckRun shared = {.id = ids[n]};
        run_as_ranks(RANKS, check_state, &shared);
        for (int rank = 0; rank < RANKS; rank++) {
            assert_int_equal(shared.status[rank], BRUME_FAILED);
            assert_string_equal(shared.text[rank], alone.text[0]);
        }
    }
}

enum { SAMPLES = 600 };

typedef struct Measured {
    BrumeMeasures measures;
    BrumeSealedInflow sealed;
    BrumeProbeSample samples[SAMPLES];
} Measured;

typedef struct MeasureRun {
    const BrumeSimDef *def;
    Measured ranks[RANKS];
} MeasureRun;

// all measures after a frame
static void measure(void *context, BrumeTeam *team)
{
    MeasureRun *run = context;
    Measured *measured = &run->ranks[team ? team->rank : 0];
    BrumeSimDef def = *run->def;
    def.team = team;
    BrumeSim *sim;
    assert_int_equal(brume_sim_create(&sim, &def, NULL), BRUME_OK);
    brume_sim_set_budgets(sim, true);
    assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
    brume_sim_measure(sim, &measured->measures);
    (void)brume_find_sealed_inflow(sim, &measured->sealed);
    for (int n = 0; n < SAMPLES; n++) { // through the box, beyond its sides too
        for (int axis = 0; axis < 3; axis++) {
            measured->samples[n].position[axis] = -0.1 + 0.0037 * n + 0.01 * axis;
        }
    }
    brume_sim_sample(sim, ~0U, measured->samples, SAMPLES);
    brume_sim_destroy(sim);
}

static void expect_same_measures(const BrumeSimDef *def)
{
    MeasureRun *alone = calloc(1, sizeof *alone);
    MeasureRun *shared = calloc(1, sizeof *shared);
    alone->def = shared->def = def;
    measure(alone, NULL);
    run_as_ranks(RANKS, measure, shared);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_memory_equal(&shared->ranks[rank].measures, &alone->ranks[0].measures, sizeof(BrumeMeasures));
        assert_memory_equal(&shared->ranks[rank].sealed, &alone->ranks[0].sealed, sizeof(BrumeSealedInflow));
        assert_memory_equal(shared->ranks[rank].samples, alone->ranks[0].samples, sizeof alone->ranks[0].samples);
    }
    free(alone);
    free(shared);
}

static void test_measures(void **state)
{
    (void)state;
    const BrumeSimDef busy = busy_box();
    expect_same_measures(&busy);
    BrumeSimDef cut = box_with_ball(NULL);
    cut.viscosity = 1e-3f;
    cut.bodies[0].slip = BRUME_SLIP_NO;
    cut.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.5f, 0.0f, 0.1f}};
    expect_same_measures(&cut); // the inflow is sealed
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths_of_exchanges),
        cmocka_unit_test(test_same_failure_on_all_ranks),
        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
