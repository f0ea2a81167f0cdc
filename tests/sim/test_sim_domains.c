/*
 * The same bits for any number of ranks that share a grid: ranks are threads here. After each exchange, planes of other
 * ranks that it did not copy are NaN.
 *
 * Without arguments the test runs fixed scenes and some random ones. `test_sim_domains FIRST COUNT FRAMES` runs others.
 */
#include "busy_box.h"
#include "core/memory.h"
#include "random_scene.h"
#include "sim_support.h"
#include "thread_team.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_FRAMES = 20 };

typedef struct Run {
    const BrumeSimDef *def;
    const BrumeScene *scene; // NULL: of `def` alone
    int frames;
    uint64_t hashes[MOST_FRAMES + 1]; // of the first rank
} Run;

static void run_frames(void *context, BrumeTeam *team)
{
    Run *run = context;
    BrumeSimDef def = *run->def;
    def.team = team;
    BrumeSim *sim;
    BrumeError error;
    if (brume_sim_create(&sim, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
        return;
    }
    for (int frame = 0; frame <= run->frames; frame++) {
        if (frame > 0 && brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
            fail_msg("frame %d: %s", frame, error.text);
            break;
        }
        const uint64_t hash = brume_sim_hash(sim);
        if (!team || team->rank == 0) {
            run->hashes[frame] = hash;
        }
    }
    brume_sim_destroy(sim);
    if (team) {
        brume_team_clear(team);
    }
}

// the first frame after which a run with this number of ranks differs from one without; -1: none
static int first_difference(const Run *alone, int ranks)
{
    Run shared = *alone;
    run_as_ranks(ranks, run_frames, &shared);
    for (int frame = 0; frame <= alone->frames; frame++) {
        if (shared.hashes[frame] != alone->hashes[frame]) {
            return frame;
        }
    }
    return -1;
}

static void expect_same_bits(const char *name, const BrumeSimDef *def, int frames, const int *ranks, int count)
{
    Run alone = {.def = def, .frames = frames};
    run_frames(&alone, NULL);
    for (int n = 0; n < count; n++) {
        const int frame = first_difference(&alone, ranks[n]);
        if (frame >= 0) {
            fail_msg("%s: frame %d differs with %d ranks", name, frame, ranks[n]);
        }
    }
}

static void test_each_pressure_solver(void **state)
{
    (void)state;
    const int ranks[] = {2, 3, 5};
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumeSimDef def = busy_box();
        def.pressure = brume_pressure_name(method);
        busy_box_for_solver(&def);
        expect_same_bits(def.pressure, &def, 5, ranks, 3);
    }
}

static void test_thin_box(void **state)
{
    (void)state;
    const int ranks[] = {2};
    BrumeSimDef def = busy_box();
    def.nz = 1;
    expect_same_bits("thin", &def, 5, ranks, 1);
}

// a window that follows a jet
static void test_far_field(void **state)
{
    (void)state;
    const int ranks[] = {2, 3};
    for (int factor = 2; factor <= 4; factor *= 2) {
        BrumeSimDef def = box_def(64, 96, 64, 0.02f, BRUME_OPEN);
        def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
        def.far_factor = factor;
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.2f, 0.5f}, .radius = 0.1f};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 300.0f};
        expect_same_bits("far field", &def, 12, ranks, 2);
    }
}

// whether the random scene has the same bits with 2, 3 and 5 ranks
static bool check_random_scene(uint32_t seed, int frames)
{
    BrumeScene *scene = NULL;
    char *text = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(random_scene(&scene, &text, seed, &error), BRUME_OK);
    Run alone = {.def = &scene->sim, .frames = frames};
    run_frames(&alone, NULL);
    bool same = true;
    for (int ranks = 2; same && ranks <= 5; ranks = 2 * ranks - 1) {
        const int frame = first_difference(&alone, ranks);
        same = frame < 0;
        if (!same) {
            printf("random-%u: frame %d differs with %d ranks\n%s", seed, frame, ranks, text);
        }
    }
    (void)fflush(stdout);
    brume_scene_destroy(scene);
    brume_free(text);
    return same;
}

static void test_random_scenes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        assert_true(check_random_scene(seed, 3));
    }
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        const uint32_t first = (uint32_t)strtoul(argv[1], NULL, 10);
        const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
        uint32_t different = 0;
        for (uint32_t n = 0; n < count; n++) {
            different += !check_random_scene(first + n, (int)strtol(argv[3], NULL, 10));
        }
        printf("%u of %u random scenes differ\n", different, count);
        return different > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_pressure_solver),
        cmocka_unit_test(test_thin_box),
        cmocka_unit_test(test_far_field),
        cmocka_unit_test(test_random_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
