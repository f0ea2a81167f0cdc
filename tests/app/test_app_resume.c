// A run that is killed or interrupted and goes on computes what an undisturbed one computes: states, images, tables.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/checkpoint/checkpoint.h"
#include "core/hash.h"
#include "core/memory.h"
#include "program.h"

static ProgramRun run;

enum { FRAMES = 12 };

// all that a state can have: a body that moves, strokes, heat, two kinds of smoke, diffusion, budgets, probes
static const char eventful_scene[] =
    "name: Eventful\n"
    "domain: {size: [1, 1.5, 1], boundaries: {all: open, y_min: wall, x_min: {kind: inflow, velocity: [0.4, 0, "
    "0]}}}\n"
    "solver: {resolution: 12}\n"
    "time: {fps: 24, frames: 12}\n"
    "air: {viscosity: 1e-4, thermal_diffusivity: 1e-4, cooling: 0.1, vorticity_confinement: 0.3}\n"
    "bodies: [{shape: sphere, center: [0, 0.8, 0], radius: 0.15}]\n"
    "emitters:\n"
    "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.15, density: 1, color_1: 0.5, temperature: 80, end: 0.3,\n"
    "     noise: {amount: 0.5}}\n"
    "image: {width: 48, height: 32, samples: 1}\n"
    "camera: {position: [0, 0.7, 3], target: [0, 0.7, 0]}\n"
    "probes:\n"
    "  - {name: line, kind: line, from: [0, 0, 0], to: [0, 1.5, 0], counts: 5, every: 3, quantities: [temperature]}\n"
    "timeline:\n"
    "  - {frame: 3, set: {air.drag: 0.5}}\n"
    "  - {frame: 4, moves: [{body: 0, velocity: [0.5, 0, 0]}]}\n"
    "  - {frame: 6, strokes: [{start: 0.26, end: 0.29, from: [-0.2, 0.5, 0], to: [0.2, 0.6, 0], radius: 0.2, density: "
    "2,\n"
    "     push: 1, velocity: [0, 1, 0]}]}\n"
    "  - {frame: 9, set: {solver.cfl: 1}}\n";

// The folder with the results that the tests share: of a run that nothing disturbs in reference/, and of one that keeps
// checkpoints in out/.
static char shared[] = "/tmp/brume-resume-XXXXXX";
static double reference_seconds; // the wall time of the first

static int enter_with_scene(void **state)
{
    if (enter_folder(state) != 0) {
        return -1;
    }
    make_file("eventful.yaml", eventful_scene);
    return 0;
}

// copies one of the two folders into the folder of this test
static void copy_shared(const char *name)
{
    char copy[64];
    (void)snprintf(copy, sizeof copy, "cp -r %s/%s .", shared, name);
    assert_int_equal(system(copy), 0); // NOLINT(bugprone-command-processor): a folder of this test
}

static int enter_with_reference(void **state)
{
    if (enter_with_scene(state) != 0) {
        return -1;
    }
    copy_shared("reference");
    return 0;
}

static int enter_with_reference_and_checkpoints(void **state)
{
    if (enter_with_reference(state) != 0) {
        return -1;
    }
    copy_shared("out");
    return 0;
}

// a run of the scene into `folder` with images and tables
static void command(char *text, size_t size, const char *folder, const char *more)
{
    (void)snprintf(text, size,
                   "render eventful.yaml -q -o %s/a.####.png --stats %s/s.json --measures %s/m.csv --probes-dir %s %s",
                   folder, folder, folder, folder, more);
}

static void expect_success(const char *folder, const char *more)
{
    char arguments[512];
    command(arguments, sizeof arguments, folder, more);
    run_successfully(&run, arguments);
}

// the hashes of all states, one behind the other
static char *state_hashes(const char *path)
{
    size_t size;
    char *text = read_whole_file(path, &size);
    size_t used = 0;
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\"hash\": ")) != NULL; at += strlen("\"hash\": ")) {
        memmove(text + used, at + strlen("\"hash\": "), 18);
        used += 18;
        count++;
    }
    text[used] = '\0';
    assert_int_equal(count, FRAMES);
    return text;
}

static void assert_same_results(const char *folder)
{
    char path[64];
    for (int frame = 1; frame <= FRAMES; frame++) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "reference/a.%04d.png", frame);
        (void)snprintf(path, sizeof path, "%s/a.%04d.png", folder, frame);
        assert_same_files(expected, path);
    }
    (void)snprintf(path, sizeof path, "%s/m.csv", folder);
    assert_same_files("reference/m.csv", path);
    (void)snprintf(path, sizeof path, "%s/line.csv", folder);
    assert_same_files("reference/line.csv", path);
    (void)snprintf(path, sizeof path, "%s/s.json", folder);
    char *expected = state_hashes("reference/s.json");
    char *hashes = state_hashes(path);
    assert_string_equal(hashes, expected);
    free(expected);
    free(hashes);
    // nothing else is left: 12 images and three tables
    assert_int_equal(count_entries(folder), FRAMES + 3);
}

// no file under its final name is incomplete
static void assert_whole_images(const char *folder)
{
    for (int frame = 1; frame <= FRAMES; frame++) {
        char path[64];
        (void)snprintf(path, sizeof path, "%s/a.%04d.png", folder, frame);
        if (exists(path)) {
            assert_whole_png(path, 48, 32);
        }
    }
}

static double seconds_of_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// kills a run after some time; returns whether it had ended before
static bool kill_after(Program *program, double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)(1e9 * (seconds - (double)(long)seconds))};
    (void)nanosleep(&pause, NULL);
    (void)kill(program->pid, SIGKILL);
    finish_program(program, &run);
    if (run.status != 0 && run.status != 128 + SIGKILL) {
        fail_msg("status %d: %s", run.status, run.err);
    }
    return run.status == 0;
}

static int make_shared(void **state)
{
    (void)state;
    if (!mkdtemp(shared) || chdir(shared) != 0) {
        return -1;
    }
    make_file("eventful.yaml", eventful_scene);
    const double start = seconds_of_clock();
    expect_success("reference", "-t 2");
    reference_seconds = seconds_of_clock() - start;
    expect_success("out", "--checkpoint-every 4 --keep-checkpoints all");
    return 0;
}

static int remove_shared(void **state)
{
    (void)state;
    char removal[64];
    (void)snprintf(removal, sizeof removal, "rm -r %s", shared);
    return system(removal); // NOLINT(bugprone-command-processor): a folder of this test
}

static void test_killed_runs_go_on(void **state)
{
    (void)state;
    assert_int_equal(count_entries("reference"), FRAMES + 3);
    const char *wanted = getenv("BRUME_KILLS");
    const int rounds = wanted ? atoi(wanted) : 4;
    uint32_t random = 1;
    int kills = 0;
    for (int round = 0; kills < rounds; round++) {
        char folder[32];
        (void)snprintf(folder, sizeof folder, "killed-%d", round);
        bool done = false;
        for (int attempt = 0; !done; attempt++) {
            random = random * 1664525u + 1013904223u;
            char more[128];
            (void)snprintf(more, sizeof more, "-t %d --checkpoint-every %u%s", 1 + attempt % 3, 1 + (random >> 20) % 3,
                           attempt > 0 ? " --resume" : "");
            char arguments[512];
            command(arguments, sizeof arguments, folder, more);
            Program program = start_program(arguments, 0);
            done = kill_after(&program, reference_seconds * (double)(random >> 8) * 0x1p-24);
            kills += !done;
            assert_whole_images(folder);
        }
        assert_same_results(folder);
    }
}

static void test_interrupted_run_goes_on(void **state)
{
    (void)state;
    char arguments[512];
    command(arguments, sizeof arguments, "out", "");
    Program program = start_program(arguments, 0);
    wait_for_file(&program, "out/a.0003.png");
    assert_int_equal(kill(program.pid, SIGINT), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    int done = 0;
    const char *line = strstr(run.err, "brume: interrupted");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "brume: interrupted after frame %d of 12 (go on with --resume)", &done), 1);
    char path[64];
    (void)snprintf(path, sizeof path, "out/a.checkpoints/%04d.checkpoint", done);
    assert_true(exists(path));
    assert_int_equal(count_entries("out/a.checkpoints"), 1);

    // without --resume nothing is replaced
    run_program(&run, "render eventful.yaml -q -o out/a.####.png");
    assert_int_equal(run.status, 2);
    expect_success("out", "--resume");
    assert_same_results("out");

    run_program(&run, "render little.yaml -q -o little/a.####.png --frames 1:3 --keep-checkpoints 1");
    assert_int_equal(run.status, 0);
    run_program(&run, "render little.yaml -q -o little/a.####.png --frames 4:6");
    assert_string_equal(run.err,
                        "brume: little/a.checkpoints holds checkpoints of an earlier run (give --resume to go on "
                        "from frame 3, or --overwrite to start again)\n");
    assert_int_equal(run.status, 2);
    run_program(&run, "render little.yaml -o little/a.####.png --frames 1:3 --resume");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out, "nothing to do: all files exist (give --overwrite to make them again)\n");
}

static void test_a_range_from_a_kept_state(void **state)
{
    (void)state;
    assert_int_equal(count_entries("out/a.checkpoints"), 3 + 1); // and the mark that they are kept
    assert_int_equal(unlink("out/a.0007.png"), 0);
    run_program(&run, "render eventful.yaml -v -o out/a.####.png --frames 6:8 --resume --checkpoint-every 1");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "going on after frame 4 (out/a.checkpoints/0004.checkpoint)\n"));
    assert_null(strstr(run.out, "frame 4:"));
    assert_non_null(strstr(run.out, "frame 5:"));
    assert_non_null(strstr(run.out, "1 frame in "));
    assert_same_files("reference/a.0007.png", "out/a.0007.png");
    assert_int_equal(count_entries("out/a.checkpoints"), 3 + 1); // its own are gone, the kept ones are not
    // the tables were not asked for and stay, also those of the probes
    assert_same_files("reference/m.csv", "out/m.csv");
    assert_same_files("reference/line.csv", "out/line.csv");
}

static void assert_refused(const char *more, int status, const char *expected)
{
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments, "render eventful.yaml -q -o out/a.####.png %s", more);
    run_program(&run, arguments);
    assert_string_equal(run.err, expected);
    assert_int_equal(run.status, status);
}

// without --resume: a range is drawn again from the states that a complete run has kept, and from nothing else
static void test_a_range_is_made_again(void **state)
{
    (void)state;
    for (int frame = 1; frame <= FRAMES; frame++) {
        char path[64];
        (void)snprintf(path, sizeof path, "out/a.%04d.png", frame);
        make_file(path, "of an earlier look");
    }
    run_program(&run, "render eventful.yaml -v -o out/a.####.png --frames 6:7 --overwrite --checkpoint-every 1 --stats "
                      "again.json");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "going on after frame 4 (out/a.checkpoints/0004.checkpoint)\n"));
    assert_null(strstr(run.out, "frame 4:"));
    assert_non_null(strstr(run.out, "frame 5:"));
    assert_null(strstr(run.out, "frame 8:"));
    assert_non_null(strstr(run.out, "2 frames in "));
    assert_same_files("reference/a.0006.png", "out/a.0006.png");
    assert_same_files("reference/a.0007.png", "out/a.0007.png");
    assert_whole_png("out/a.0007.png", 48, 32);
    size_t size;
    char *earlier = read_whole_file("out/a.0008.png", &size);
    assert_string_equal(earlier, "of an earlier look");
    free(earlier);
    // the kept states, and the tables of the whole run, stay
    assert_int_equal(count_entries("out/a.checkpoints"), 3 + 1);
    assert_same_files("reference/m.csv", "out/m.csv");
    assert_same_files("reference/line.csv", "out/line.csv");
    // the same states
    char *expected = read_whole_file("reference/s.json", &size);
    char *again = read_whole_file("again.json", &size);
    for (int frame = 1; frame <= 7; frame++) {
        char start[32];
        (void)snprintf(start, sizeof start, "{\"frame\": %d,", frame);
        const char *a = strstr(expected, start);
        const char *b = strstr(again, start);
        assert_non_null(a);
        assert_non_null(b);
        assert_memory_equal(strstr(a, "\"hash\": "), strstr(b, "\"hash\": "), strlen("\"hash\": ") + 18);
    }
    free(expected);
    free(again);

    // a single frame, from the nearest state; with a checkpoint of its frame, which stays as it is
    struct stat before;
    struct stat after;
    assert_int_equal(stat("out/a.checkpoints/0008.checkpoint", &before), 0);
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --frame 9 --overwrite --checkpoint-every 1");
    assert_int_equal(run.status, 0);
    assert_same_files("reference/a.0009.png", "out/a.0009.png");
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --frame 8 --overwrite --checkpoint-every 1");
    assert_int_equal(run.status, 0);
    assert_int_equal(stat("out/a.checkpoints/0008.checkpoint", &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);

    // a look may change, the simulation may not
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --frames 6:7 --overwrite -D lights.0.intensity=2");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_refused("--frames 6:7 --overwrite -D solver.cfl=3", 2,
                   "brume: --resume: the scene has changed since frame 4: solver.cfl (default, now 3) (change it back, "
                   "give --resume=force to go on with the new values, or another --checkpoints to simulate from the "
                   "first frame)\n");
    assert_int_equal(count_entries("out/a.checkpoints"), 3 + 1);
    run_program(&run, "render eventful.yaml -v -o out/a.####.png --frames 6:7 --overwrite -D solver.cfl=3 "
                      "--checkpoints new");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "frame 1:"));

    // a run with --overwrite from the first frame starts again
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --overwrite");
    assert_int_equal(run.status, 0);
    assert_false(exists("out/a.checkpoints"));
}

static void test_changed_scenes(void **state)
{
    (void)state;
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --frames 1:5 --keep-checkpoints 1");
    assert_int_equal(run.status, 0);
    assert_refused("--resume -D solver.cfl=3 -D emitters.0.temperature=90  "
                   "-D timeline.1.moves.0.velocity=[0.7,0,0]",
                   2,
                   "brume: --resume: the scene has changed since frame 5: solver.cfl (default, now 3), "
                   "emitters.0.temperature (80, now 90), timeline.1.moves.0.velocity.0 (0.5, now 0.7) (change it back, "
                   "give --resume=force to go on with the new values, or --overwrite to start again)\n");
    // the picture, the length and later changes are free
    run_program(&run, "render eventful.yaml -o out/a.####.png --resume -D image.samples=2 -D time.frames=8 "
                      "-D lights.0.intensity=2 -D timeline.2.strokes.0.radius=0.3 --keep-checkpoints 1");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "going on after frame 5 "));
    assert_true(exists("out/a.0008.png"));
    run_program(&run, "render eventful.yaml -o out/a.####.png --resume=force -D solver.cfl=0.05 -v");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "going on after frame 8 "));
    int steps = 0; // of frame 9 with the new, smaller steps
    assert_int_equal(sscanf(strstr(run.out, "frame 9: "), "frame 9: %d steps", &steps), 1);
    assert_true(steps > 1);
}

static void test_tables_that_do_not_fit(void **state)
{
    (void)state;
    run_program(&run, "render eventful.yaml -q -o out/a.####.png --frames 1:5 --keep-checkpoints 1");
    assert_int_equal(run.status, 0);
    assert_refused("--resume --measures out/m.csv", 2,
                   "brume: --resume: the frames so far were not measured (leave out --measures and --stats, or start "
                   "again with --overwrite)\n");
    make_file("out/line.csv", "frame,time,x,y,z,temperature\n");
    assert_refused("--resume", 2, "brume: out/line.csv: the first 226 bytes are not those that were written before\n");
}

static void test_a_damaged_checkpoint_is_skipped(void **state)
{
    (void)state;
    char arguments[512];
    command(arguments, sizeof arguments, "out", "--frames 1:8 --checkpoint-every 4 --keep-checkpoints 2");
    run_program(&run, arguments);
    assert_int_equal(run.status, 0);
    assert_int_equal(truncate("out/a.checkpoints/0008.checkpoint", 5000), 0);
    command(arguments, sizeof arguments, "out", "--resume");
    run_program(&run, arguments);
    assert_int_equal(run.status, 0);
    const char expected[] = "brume: warning: out/a.checkpoints/0008.checkpoint: the checkpoint has 4968 bytes of ";
    assert_memory_equal(run.err, expected, sizeof expected - 1);
    assert_int_equal(rename("out/a.checkpoints", "kept"), 0);
    assert_same_results("out");
}

static void test_two_runs_in_one_folder(void **state)
{
    (void)state;
    Program program =
        start_program("render little.yaml -q -o out/a.####.png -D time.frames=100000 --checkpoint-every 1", 0);
    wait_for_file(&program, "out/a.checkpoints/0002.checkpoint");
    // of as many frames, so that there is something to do however far the first run is
    run_program(&run, "render little.yaml -q -o out/a.####.png -D time.frames=100000 --resume");
    assert_string_equal(run.err, "brume: out/a.checkpoints: another run uses this folder (wait for its end, or give "
                                 "another --checkpoints)\n");
    assert_int_equal(run.status, 1);
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
}

static void test_options(void **state)
{
    (void)state;
    assert_refused("--resume=yes", 2, "brume: --resume: 'yes' is not 'force'\n");
    assert_refused(
        "--checkpoint-every 5d", 2,
        "brume: --checkpoint-every: '5d' is neither a number of frames nor a time such as 90s, 10m or 2h (0: "
        "none)\n");
    assert_refused("--keep-checkpoints some", 2,
                   "brume: --keep-checkpoints: 'some' is neither a whole number from 0 to 1000000 nor 'all'\n");
    // a place of one's own, also without images
    run_program(&run, "sim eventful.yaml -q --measures m.csv --probes-dir p --checkpoints states --checkpoint-every 5 "
                      "--keep-checkpoints 5");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("states"), 3 + 1);
    assert_true(exists("states/0012.checkpoint"));
}

/* The parts in memory: a checkpoint of a small simulation. */

static uint8_t *make_checkpoint(size_t *size)
{
    BrumeError error;
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 8;
    def.dx = 0.1f;
    BrumeSim *sim = NULL;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_OK);
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    static BrumeRunStats stats;
    assert_int_equal(brume_run_stats_create(&stats, 1, &error), BRUME_OK);
    brume_run_stats_add(&stats, &(BrumeFrameStats){.frame = 1}, 1);
    BrumeMeasureLog measures = {0};
    BrumeProbeFiles probes = {0};
    const BrumeRunRecord record = {
        .scene_text = "name: x\n", .stats = &stats, .measures = &measures, .probes = &probes};
    uint8_t *bytes = NULL;
    assert_int_equal(brume_checkpoint_encode(&record, sim, &bytes, size, &error), BRUME_OK);
    brume_run_stats_destroy(&stats);
    brume_sim_destroy(sim);
    return bytes;
}

// opens a copy of the bytes
static BrumeStatus open_copy(const uint8_t *bytes, size_t size, BrumeCheckpoint *checkpoint, BrumeError *error)
{
    uint8_t *copy = brume_alloc_untouched(size + 1, 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return brume_checkpoint_open(checkpoint, copy, size, "copy", error);
}

static void test_every_damaged_byte_is_found(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = make_checkpoint(&size);
    BrumeCheckpoint checkpoint;
    BrumeError error;
    assert_int_equal(open_copy(bytes, size, &checkpoint, &error), BRUME_OK);
    assert_int_equal(checkpoint.frame, 1);
    assert_string_equal(checkpoint.scene_text, "name: x\n");
    brume_checkpoint_free(&checkpoint);
    for (size_t n = 0; n < size; n++) {
        bytes[n] ^= 0x10;
        assert_int_equal(open_copy(bytes, size, &checkpoint, &error), BRUME_BAD_INPUT);
        assert_null(strchr(error.text, '\n'));
        brume_checkpoint_free(&checkpoint);
        bytes[n] ^= 0x10;
        assert_int_equal(open_copy(bytes, n, &checkpoint, &error), BRUME_BAD_INPUT); // cut off here
        brume_checkpoint_free(&checkpoint);
    }
    brume_free(bytes);
}

/* A checkpoint whose hash is right, and which names another frame than that of its state. */
static void test_a_state_of_another_frame(void **state)
{
    (void)state;
    enum { HEADER = 32, FRAME = HEADER + BRUME_MAX_VERSION };
    const int32_t frame = 2;
    size_t size;
    uint8_t *bytes = make_checkpoint(&size);
    memcpy(bytes + FRAME, &frame, sizeof frame);
    const uint64_t hash = brume_hash_blocks(bytes + HEADER, size - HEADER, BRUME_CHECKPOINT_FORMAT);
    memcpy(bytes + HEADER - sizeof hash, &hash, sizeof hash);
    BrumeCheckpoint checkpoint;
    BrumeError error;
    assert_int_equal(open_copy(bytes, size, &checkpoint, &error), BRUME_OK);
    assert_int_equal(checkpoint.frame, frame);
    BrumeRunStats stats;
    assert_int_equal(brume_run_stats_create(&stats, 2, &error), BRUME_OK);
    BrumeMeasureLog measures = {0};
    BrumeProbeEnds ends;
    BrumeSim *sim = NULL;
    assert_int_equal(brume_checkpoint_restore(&checkpoint, &(BrumeRunRecord){NULL, &stats, &measures, NULL}, &ends,
                                              NULL, &sim, &error),
                     BRUME_BAD_INPUT);
    assert_string_equal(error.text, "--resume: the checkpoint of frame 2 has the state of frame 1");
    assert_null(sim);
    brume_run_stats_destroy(&stats);
    brume_checkpoint_free(&checkpoint);
    brume_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed_runs_go_on, enter_with_reference, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupted_run_goes_on, enter_with_reference, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_range_from_a_kept_state, enter_with_reference_and_checkpoints,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(test_a_range_is_made_again, enter_with_reference_and_checkpoints, leave_folder),
        cmocka_unit_test_setup_teardown(test_changed_scenes, enter_with_scene, leave_folder),
        cmocka_unit_test_setup_teardown(test_tables_that_do_not_fit, enter_with_scene, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_damaged_checkpoint_is_skipped, enter_with_reference, leave_folder),
        cmocka_unit_test_setup_teardown(test_two_runs_in_one_folder, enter_with_scene, leave_folder),
        cmocka_unit_test_setup_teardown(test_options, enter_with_scene, leave_folder),
        cmocka_unit_test(test_every_damaged_byte_is_found),
        cmocka_unit_test(test_a_state_of_another_frame),
    };
    return cmocka_run_group_tests(tests, make_shared, remove_shared);
}
