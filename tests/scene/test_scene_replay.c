/*
 * A scene with a timeline gives the same state in the program with any number of threads and in the library frame by
 * frame, also from the file that brume_scene_write writes.
 */
#include "scene_support.h"

#include "core/memory.h"
#include "core/parallel/threads.h"
#include "program.h"

#include <inttypes.h>

enum { FRAMES = 9 };

static const char *stroked_scene = "name: Stroked\n"
                                   "domain: {size: [1, 1.5, 1]}\n"
                                   "solver: {resolution: 16}\n"
                                   "time: {fps: 24, frames: 9}\n"
                                   "emitters:\n"
                                   "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.15, density: 1,\n"
                                   "     temperature: 100, noise: {amount: 0.5}}\n"
                                   "bodies:\n"
                                   "  - {shape: sphere, center: [0, 0.7, 0], radius: 0.15}\n"
                                   "timeline:\n"
                                   "  - frame: 0\n"
                                   "    strokes:\n"
                                   "      - {start: 0, end: 0.02, from: [-0.3, 0.5, 0], to: [0, 0.6, 0.1],\n"
                                   "         to_slope: [0.3, 0.2, 0], radius: 0.08, color_1: 1, temperature: 40}\n"
                                   "      - {end: 0.04, to: [0.3, 0.9, 0], push: 20, velocity: [0, 2, 0]}\n"
                                   "  - frame: 2\n"
                                   "    set: {air.vorticity_confinement: 0.4, emitters.0.temperature: 200}\n"
                                   "  - frame: 4\n"
                                   "    set: {solver.resolution: 24}\n"
                                   "    moves: [{body: 0, velocity: [2.5, 0, 0]}]\n"
                                   "  - {frame: 5, moves: [{body: 0, velocity: [0, 2.5, 0]}]}\n"
                                   "  - frame: 6\n"
                                   "    strokes: [{start: 0.25, end: 0.29, from: [-0.1, 0.3, 0], to: [0.1, 0.5, 0],\n"
                                   "               radius: 0.12, erase: 0.2}]\n"
                                   "image: {width: 48, height: 48, samples: 1}\n";

static ProgramRun run;

/** The state hashes of a render, in their order. */
static void render_hashes(const char *scene, int threads, uint64_t hashes[FRAMES])
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render %s -q -o a.##.png --overwrite -t %d --stats stats.json", scene,
                   threads);
    run_program(&run, arguments);
    if (run.status != 0) {
        fail_msg("brume %s: %s", arguments, run.err);
    }
    size_t size;
    char *const stats = read_whole_file("stats.json", &size);
    const char *place = stats;
    for (int frame = 0; frame < FRAMES; frame++) {
        place = strstr(place, "\"hash\": \"");
        assert_non_null(place);
        place += strlen("\"hash\": \"");
        assert_int_equal(sscanf(place, "%16" SCNx64, &hashes[frame]), 1);
    }
    free(stats);
}

static void expect_hashes(const char *what, const uint64_t hashes[FRAMES], const uint64_t expected[FRAMES])
{
    for (int frame = 0; frame < FRAMES; frame++) {
        if (hashes[frame] != expected[frame]) {
            fail_msg("%s: frame %d has the state %016" PRIx64 ", expected %016" PRIx64, what, frame + 1, hashes[frame],
                     expected[frame]);
        }
    }
}

/** Applies the timeline as an embedding program may: change by change, without brume_scene_frame. */
static void replay(const BrumeScene *scene, uint64_t hashes[FRAMES])
{
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        const BrumeChange *const change = brume_timeline_find(&scene->timeline, brume_sim_frames(sim));
        if (change && brume_change_apply(change, sim, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        hashes[frame] = brume_sim_hash(sim);
    }
    assert_int_equal(brume_sim_settings(sim)->ny, 24);
    expect_near("body", (double)brume_sim_settings(sim)->bodies[0].shape.a.x, 2.5 / 24.0, 1e-6);
    expect_near("body", (double)brume_sim_settings(sim)->bodies[0].shape.a.y, 0.7 + 2.5 / 24.0, 1e-6);
    brume_sim_destroy(sim);
}

static void test_same_state(void **state)
{
    (void)state;
    uint64_t expected[FRAMES];
    uint64_t hashes[FRAMES];
    make_file("stroked.yaml", stroked_scene);
    render_hashes("stroked.yaml", 1, expected);
    for (int frame = 1; frame < FRAMES; frame++) {
        assert_true(expected[frame] != expected[frame - 1]);
    }
    render_hashes("stroked.yaml", 2, hashes);
    expect_hashes("two threads", hashes, expected);

    BrumeScene *scene = load_text(stroked_scene, NULL, 0);
    brume_set_threads(2);
    replay(scene, hashes);
    expect_hashes("the library", hashes, expected);

    char *text = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    make_file("written.yaml", text);
    render_hashes("written.yaml", 2, hashes);
    expect_hashes("written back", hashes, expected);
    brume_free(text);
    brume_scene_destroy(scene);
}

/** The state at the end of the scene on a coarser grid, with an override; NULL for none. */
static uint64_t coarse_hash(const char *override)
{
    const char *const overrides[] = {"solver.resolution=16", "timeline.2.set={solver.resolution: 20}", override};
    BrumeScene *const scene = load_text(stroked_scene, overrides, override ? 3 : 2);
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return hash;
}

static void test_each_change_has_an_effect(void **state)
{
    (void)state;
    // each change that is removed or altered alters the final state
    static const char *const alterations[] = {
        "timeline.0.strokes.1.push=0",     "timeline.4.strokes.0.erase=0",    "timeline.0.strokes.0.color_1=0.5",
        "timeline.1.set={air.cooling: 0}", "timeline.2.set={air.cooling: 0}", "timeline.3.moves.0.velocity=[0, 0, 0]"};
    const uint64_t unaltered = coarse_hash(NULL);
    for (size_t n = 0; n < sizeof alterations / sizeof alterations[0]; n++) {
        if (coarse_hash(alterations[n]) == unaltered) {
            fail_msg("-D %s changes nothing", alterations[n]);
        }
    }
}

static void test_commands_apply_the_timeline(void **state)
{
    (void)state;
    make_file("stroked.yaml", stroked_scene);
    run_program(&run, "info stroked.yaml");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "timeline     5 changes after 0 to 6 frames: 2 of settings, 3 stroke segments, "
                                    "2 body moves\n"));
    assert_non_null(strstr(run.out, " later in the run"));
    run_program(&run, "render stroked.yaml --dry-run -t 2");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\nprobe        "));
    run_program(&run, "bench stroked.yaml --sizes 16 --threads 1,2 --warmup 0.3 --steps 5");
    assert_int_equal(run.status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_state, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_each_change_has_an_effect, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_commands_apply_the_timeline, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
