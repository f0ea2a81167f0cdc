// Simulations in their own thread: what is wished happens, in order, and can be made again bit for bit.
#include "core/clock.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/threads.h"
#include "core/vec3.h"
#include "viewer/threads/simulation_thread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CELLS = 16 };

static const double patience = 60.0; // longest wait for anything [s]

// a small box with a hot emitter below and a sphere above
static BrumeSimDef small_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.nz = CELLS;
    def.ny = CELLS + 8;
    def.dx = 1.0f / CELLS;
    def.max_steps = 2;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    def.obstacle_count = 1;
    def.obstacles[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.9f, 0.5f}, .radius = 0.15f};
    return def;
}

static BrumeSimulationThread *create(const BrumeSimDef *settings, bool running)
{
    const BrumeSimulationThreadDef def = {.settings = *settings, .threads = 2, .running = running};
    BrumeSimulationThread *live = NULL;
    BrumeError error = {0};
    if (brume_simulation_thread_create(&live, &def, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
    brume_simulation_thread_set_pace(live, INFINITY);
    return live;
}

// waits until a snapshot has that many frames of that epoch or more, checking that none is older than another
static const BrumeSnapshot *wait_for(BrumeSimulationThread *live, int epoch, int frame)
{
    const double start = brume_seconds();
    uint64_t serial = 0;
    for (;;) {
        const BrumeSnapshot *snapshot = brume_simulation_thread_newest(live);
        assert_true(snapshot->serial >= serial);
        serial = snapshot->serial;
        if (snapshot->epoch >= epoch && snapshot->frame >= frame) {
            return snapshot;
        }
        assert_true(brume_seconds() - start < patience);
        usleep(500);
    }
}

static const BrumeSnapshot *advance(BrumeSimulationThread *live, int frames)
{
    const BrumeSnapshot *snapshot = brume_simulation_thread_newest(live);
    const int epoch = snapshot->epoch;
    const int frame = snapshot->frame;
    for (int n = 0; n < frames; n++) {
        brume_simulation_thread_advance(live);
    }
    return wait_for(live, epoch, frame + frames);
}

// waits for the new start that a wish, made when `epoch` was the newest, leads to
static const BrumeSnapshot *wait_for_start(BrumeSimulationThread *live, int epoch)
{
    return wait_for(live, epoch + 1, 0);
}

static int epoch_of(BrumeSimulationThread *live) { return brume_simulation_thread_newest(live)->epoch; }

static const BrumeSnapshot *run_on(BrumeSimulationThread *live, int frames)
{
    const BrumeSnapshot *snapshot = brume_simulation_thread_newest(live);
    return wait_for(live, snapshot->epoch, snapshot->frame + frames);
}

static BrumeRecord take_record(BrumeSimulationThread *live, int side)
{
    BrumeRecord record = {0};
    const double start = brume_seconds();
    brume_simulation_thread_ask_record(live, side);
    while (!brume_simulation_thread_take_record(live, &record)) {
        assert_true(brume_seconds() - start < patience);
        usleep(500);
    }
    BrumeRecord again;
    assert_false(brume_simulation_thread_take_record(live, &again));
    return record;
}

// the state that a record leads to, made without any viewer
static uint64_t replay(const BrumeRecord *record)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_sim_create(&sim, &record->settings, &error), BRUME_OK);
    for (int frame = 0; frame < record->frame; frame++) {
        const BrumeChange *change = brume_timeline_find(&record->timeline, frame);
        if (change) {
            assert_int_equal(brume_change_apply(change, sim, &error), BRUME_OK);
        }
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    assert_int_equal(brume_sim_frames(sim), record->frame);
    assert_true(brume_sim_time(sim) == record->time);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

static void check_replay(BrumeSimulationThread *live, int side)
{
    BrumeRecord record = take_record(live, side);
    assert_true(record.frame > 0);
    assert_true(replay(&record) == record.hash);
    brume_timeline_clear(&record.timeline);
}

static uint64_t hash_of(const BrumeSnapshotSide *side)
{
    uint64_t hash = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (side->fields[id].data) {
            hash = brume_hash_field(&side->fields[id], id <= BRUME_FIELD_W ? id : -1, hash);
        }
    }
    return hash;
}

// the n-th piece of a stroke across the box
static BrumeDab dab_at(int n, int count)
{
    const float width = 0.6f / (float)count;
    const BrumeVec3 along = {width, 0.0f, 0.0f};
    const BrumeVec3 from = {0.2f + width * (float)n, 0.5f, 0.4f};
    return (BrumeDab){
        .stroke =
            {
                .from = from,
                .to = {0.2f + width * (float)(n + 1), 0.5f, 0.4f},
                .from_slope = along,
                .to_slope = along,
                .radius = 0.1f,
                .smoke = {0.5f},
                .temperature = 40.0f,
                .push = 5.0f,
                .velocity = {1.0f, 0.5f, 0.0f},
            },
        .drawn_for = 0.002 + 0.001 * n,
    };
}

static void test_paused_takes_single_frames(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    const BrumeSnapshot *snapshot = brume_simulation_thread_newest(live);
    assert_int_equal(snapshot->frame, 0);
    assert_int_equal(snapshot->sides, 1);
    assert_true(brume_snapshot_is_whole(&snapshot->side[0]));
    assert_int_equal(snapshot->threads, 2);
    for (int frame = 1; frame <= 3; frame++) {
        brume_simulation_thread_advance(live);
        (void)wait_for(live, 0, frame);
        usleep(20000);
        snapshot = brume_simulation_thread_newest(live);
        assert_int_equal(snapshot->frame, frame);
        assert_false(snapshot->running);
        assert_int_equal(snapshot->side[0].stats.frame, frame);
        assert_true(fabs(snapshot->time - frame / (double)settings.fps) < 1e-9);
        assert_string_equal(snapshot->error.text, "");
    }
    brume_simulation_thread_run(live, true);
    (void)wait_for(live, 0, 10); // in order, as it checks
    brume_simulation_thread_run(live, false);
    const double start = brume_seconds();
    while (brume_simulation_thread_newest(live)->running) { // the end is told without another frame
        assert_true(brume_seconds() - start < patience);
        usleep(500);
    }
    const int stopped = brume_simulation_thread_newest(live)->frame;
    usleep(20000);
    assert_int_equal(brume_simulation_thread_newest(live)->frame, stopped);
    check_replay(live, 0);
    brume_simulation_thread_destroy(live);
}

// the central promise: a session of all kinds of deeds, while it runs, comes out the same from its record
static void test_record_leads_to_the_same_state(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, true);
    (void)run_on(live, 3);
    for (int n = 0; n < 100; n++) { // more than a frame can hold
        const BrumeDab dab = dab_at(n, 100);
        brume_simulation_thread_stir(live, &dab);
    }
    (void)run_on(live, 3);
    brume_simulation_thread_move(live, 0, brume_vec3(0.02f, 0.0f, 0.0f));
    brume_simulation_thread_move(live, 0, brume_vec3(0.02f, 0.01f, 0.0f));
    (void)run_on(live, 3);
    settings.vorticity_confinement = 3.0f;
    settings.fps = 25.0f;
    for (int n = 0; n < 5; n++) { // the same again is no change
        brume_simulation_thread_change(live, 0, &settings);
        (void)run_on(live, 2);
    }
    settings.nx = settings.nz = 24;
    settings.ny = 36;
    settings.dx = 1.0f / 24.0f;
    settings.color_count = 1;
    brume_simulation_thread_change(live, 0, &settings);
    const BrumeDab last = dab_at(0, 1);
    brume_simulation_thread_stir(live, &last);
    const BrumeSnapshot *snapshot = run_on(live, 3);
    assert_int_equal(snapshot->side[0].fields[BRUME_FIELD_DENSITY].grid.ny, 36);
    assert_non_null(snapshot->side[0].fields[BRUME_FIELD_COLOR_1].data);
    assert_true(fabsf(snapshot->side[0].settings.obstacles[0].shape.a.x - 0.54f) < 1e-4f);
    brume_simulation_thread_run(live, false);
    brume_simulation_thread_set_threads(live, 3);
    (void)advance(live, 2);

    BrumeRecord record = take_record(live, 0);
    int changes = 0;
    int strokes = 0;
    int moves = 0;
    for (int n = 0; n < record.timeline.count; n++) {
        changes += record.timeline.changes[n].settings != NULL;
        strokes += record.timeline.changes[n].stroke_count;
        moves += record.timeline.changes[n].move_count;
    }
    assert_int_equal(changes, 2);
    assert_true(strokes > 1);
    assert_true(moves >= 1);
    assert_int_equal(record.settings.nx, CELLS);
    assert_true(replay(&record) == record.hash);
    brume_timeline_clear(&record.timeline);
    brume_simulation_thread_destroy(live);
}

static void test_script_of_the_scene_is_followed(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimDef later = settings;
    later.wind = brume_vec3(0.5f, 0.0f, 0.0f);
    later.drag = 1.0f;
    BrumeStroke stroke = dab_at(0, 1).stroke;
    stroke.start = 2.0 / (double)settings.fps;
    stroke.end = 3.0 / (double)settings.fps;
    const BrumeMove move = {0, {0.3f, 0.0f, 0.0f}};
    BrumeSimulationThreadDef def = {.settings = settings, .threads = 1};
    BrumeError error = {0};
    const BrumeChange first = {.frame = 2, .stroke_count = 1, .strokes = &stroke, .move_count = 1, .moves = &move};
    const BrumeChange second = {.frame = 4, .settings = &later};
    assert_int_equal(brume_timeline_add(&def.timeline, &first, &error), BRUME_OK);
    assert_int_equal(brume_timeline_add(&def.timeline, &second, &error), BRUME_OK);

    BrumeSimulationThread *live = NULL;
    assert_int_equal(brume_simulation_thread_create(&live, &def, &error), BRUME_OK);
    brume_simulation_thread_set_pace(live, INFINITY);
    (void)advance(live, 6);
    BrumeRecord record = take_record(live, 0);
    const BrumeRecord scene = {.settings = settings, .timeline = def.timeline, .frame = 6, .time = record.time};
    assert_true(replay(&scene) == record.hash);
    assert_true(replay(&record) == record.hash);
    brume_timeline_clear(&record.timeline);

    // once more from the start: the scene's own settings, not those that its script changed to
    const int epoch = epoch_of(live);
    brume_simulation_thread_reset(live);
    (void)wait_for_start(live, epoch);
    (void)advance(live, 2);
    const BrumeDab dab = dab_at(0, 1);
    brume_simulation_thread_stir(live, &dab); // together with the scene's
    brume_simulation_thread_move(live, 0, brume_vec3(0.0f, 0.01f, 0.0f));
    (void)advance(live, 3);
    record = take_record(live, 0);
    assert_int_equal(record.timeline.count, 2);
    assert_int_equal(record.timeline.changes[0].stroke_count, 2);
    assert_int_equal(record.timeline.changes[0].move_count, 1);
    assert_true(record.settings.drag == settings.drag);
    assert_true(replay(&record) == record.hash);
    brume_timeline_clear(&record.timeline);
    brume_timeline_clear(&def.timeline);
    brume_simulation_thread_destroy(live);
}

static void test_sides_in_lockstep(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    (void)advance(live, 2);
    int epoch = epoch_of(live);
    brume_simulation_thread_compare(live, true);
    const BrumeSnapshot *snapshot = wait_for_start(live, epoch);
    assert_int_equal(snapshot->sides, 2);
    assert_int_equal(snapshot->frame, 0);
    const BrumeDab dab = dab_at(0, 1);
    brume_simulation_thread_stir(live, &dab);
    snapshot = advance(live, 3);
    assert_int_equal(snapshot->side[0].stats.frame, 3);
    assert_int_equal(snapshot->side[1].stats.frame, 3);
    assert_true(hash_of(&snapshot->side[0]) == hash_of(&snapshot->side[1]));

    settings.cooling += 5.0f;
    brume_simulation_thread_change(live, 1, &settings);
    brume_simulation_thread_stir(live, &dab);
    snapshot = advance(live, 3);
    assert_int_equal(snapshot->side[0].stats.frame, snapshot->side[1].stats.frame);
    assert_true(hash_of(&snapshot->side[0]) != hash_of(&snapshot->side[1]));
    check_replay(live, 0);
    check_replay(live, 1);

    epoch = epoch_of(live);
    brume_simulation_thread_reset(live); // both, with the settings that they have
    snapshot = wait_for_start(live, epoch);
    assert_int_equal(snapshot->sides, 2);
    assert_true(snapshot->side[1].settings.cooling == settings.cooling);
    (void)advance(live, 1);
    brume_simulation_thread_compare(live, false);
    snapshot = advance(live, 1);
    assert_int_equal(snapshot->sides, 1);
    assert_int_equal(snapshot->frame, 2); // the first goes on
    brume_simulation_thread_destroy(live);
}

static void test_reset_and_open_start_anew(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    const BrumeSnapshot *snapshot = advance(live, 3);
    const uint64_t third = hash_of(&snapshot->side[0]);
    const BrumeDab dab = dab_at(0, 1);
    brume_simulation_thread_stir(live, &dab);
    brume_simulation_thread_move(live, 0, brume_vec3(0.05f, 0.0f, 0.0f));
    (void)advance(live, 2);
    brume_simulation_thread_stir(live, &dab); // of the past when the new start comes
    int epoch = epoch_of(live);
    brume_simulation_thread_reset(live);
    snapshot = wait_for_start(live, epoch);
    assert_int_equal(snapshot->frame, 0);
    assert_true(snapshot->time == 0.0);
    assert_true(snapshot->side[0].settings.obstacles[0].shape.a.x == settings.obstacles[0].shape.a.x);
    snapshot = advance(live, 3);
    assert_true(hash_of(&snapshot->side[0]) == third);
    BrumeRecord record = take_record(live, 0);
    assert_int_equal(record.timeline.count, 0);

    // what is wished after a reset is done after it, however soon
    for (int n = 0; n < 20; n++) {
        epoch = epoch_of(live);
        brume_simulation_thread_reset(live);
        brume_simulation_thread_stir(live, &dab);
        brume_simulation_thread_advance(live);
        (void)wait_for(live, epoch + 1, 1);
        record = take_record(live, 0);
        assert_int_equal(record.timeline.count, 1);
        assert_int_equal(record.timeline.changes[0].stroke_count, 1);
        brume_timeline_clear(&record.timeline);
    }

    BrumeSimulationThreadDef other = {.settings = settings, .threads = 1};
    other.settings.nx = 20;
    other.settings.gravity.y = -5.0f;
    epoch = epoch_of(live);
    brume_simulation_thread_open(live, &other);
    snapshot = wait_for_start(live, epoch);
    assert_int_equal(snapshot->side[0].settings.nx, 20);
    assert_int_equal(snapshot->threads, 1);
    (void)advance(live, 2);
    check_replay(live, 0);

    other.settings.nx = 2; // too few: the scene that runs goes on
    brume_simulation_thread_open(live, &other);
    snapshot = advance(live, 1);
    assert_int_equal(snapshot->side[0].settings.nx, 20);
    assert_int_equal(snapshot->error.status, BRUME_BAD_INPUT);
    brume_simulation_thread_destroy(live);

    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&live, &other, &error), BRUME_BAD_INPUT);
    assert_null(live);
    assert_true(strlen(error.text) > 0);
}

static void test_refusal_is_told_and_changes_nothing(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    (void)advance(live, 1);
    BrumeSimDef bad = settings;
    bad.viscosity = -1.0f;
    brume_simulation_thread_change(live, 0, &bad);
    const BrumeDab dab = dab_at(0, 1);
    brume_simulation_thread_stir(live, &dab); // which happens nevertheless
    const BrumeSnapshot *snapshot = advance(live, 1);
    assert_int_equal(snapshot->error.status, BRUME_BAD_INPUT);
    assert_non_null(strstr(snapshot->error.text, "viscosity"));
    assert_true(snapshot->side[0].settings.viscosity == settings.viscosity);
    snapshot = advance(live, 1);
    assert_non_null(strstr(snapshot->error.text, "viscosity")); // until something is accepted
    BrumeRecord record = take_record(live, 0);
    assert_int_equal(record.timeline.count, 1);
    assert_int_equal(record.timeline.changes[0].stroke_count, 1);
    assert_true(replay(&record) == record.hash);
    brume_timeline_clear(&record.timeline);

    settings.viscosity = 1e-3f;
    brume_simulation_thread_change(live, 0, &settings);
    snapshot = advance(live, 1);
    assert_string_equal(snapshot->error.text, "");
    brume_simulation_thread_destroy(live);
}

static void test_failed_frame_pauses_and_keeps_the_last(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    const BrumeSnapshot *snapshot = advance(live, 2);
    const uint64_t good = hash_of(&snapshot->side[0]);
    const uint64_t serial = snapshot->serial;
    BrumeDab dab = dab_at(0, 1);
    dab.stroke.temperature = INFINITY;
    brume_simulation_thread_stir(live, &dab);
    brume_simulation_thread_run(live, true);
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < patience);
        usleep(500);
        snapshot = brume_simulation_thread_newest(live);
    } while (snapshot->serial == serial || snapshot->running);
    assert_int_equal(snapshot->frame, 2);
    assert_true(hash_of(&snapshot->side[0]) == good);
    assert_int_equal(snapshot->error.status, BRUME_FAILED);
    assert_non_null(strstr(snapshot->error.text, "no longer finite"));

    const int epoch = epoch_of(live);
    brume_simulation_thread_reset(live);
    snapshot = wait_for_start(live, epoch);
    assert_string_equal(snapshot->error.text, "");
    snapshot = advance(live, 2);
    assert_true(hash_of(&snapshot->side[0]) == good);
    brume_simulation_thread_destroy(live);
}

static void test_pace_and_hold(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    settings.fps = 50.0f;
    BrumeSimulationThread *live = create(&settings, false);
    brume_simulation_thread_set_pace(live, 1.0);
    brume_simulation_thread_run(live, true);
    const double start = brume_seconds();
    (void)wait_for(live, 0, 11);
    assert_true(brume_seconds() - start >= 10 / 50.0 - 1e-3); // ten frames after the first

    brume_simulation_thread_set_pace(live, INFINITY);
    brume_simulation_thread_hold(live, true);
    BrumeRecord record = take_record(live, 0); // what was under way is over
    brume_timeline_clear(&record.timeline);
    int frame = brume_simulation_thread_newest(live)->frame;
    for (int n = 0; n < 5; n++) {
        usleep(10000);
        assert_int_equal(brume_simulation_thread_newest(live)->frame, frame);
        brume_simulation_thread_release(live);
        frame++;
        (void)wait_for(live, 0, frame);
    }
    brume_simulation_thread_hold(live, false);
    (void)wait_for(live, 0, frame + 3);
    brume_simulation_thread_destroy(live);
}

// with frames that take 20 s, no call waits for one
static void test_nothing_waits_for_a_slow_frame(void **state)
{
    (void)state;
    BrumeSimulationThreadDef def = {.settings = small_def(), .threads = 1, .running = true, .least_frame_ms = 20000.0};
    BrumeSimulationThread *live = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&live, &def, &error), BRUME_OK);
    usleep(200000); // the first frame is waiting for its end
    const double start = brume_seconds();
    const BrumeDab dab = dab_at(0, 1);
    for (int n = 0; n < 1000; n++) {
        brume_simulation_thread_stir(live, &dab);
        brume_simulation_thread_change(live, 0, &def.settings);
    }
    brume_simulation_thread_move(live, 0, brume_vec3(0.01f, 0.0f, 0.0f));
    (void)brume_simulation_thread_newest(live);
    brume_simulation_thread_run(live, false); // ends the wait: the frame is shown
    (void)wait_for(live, 0, 1);
    brume_simulation_thread_run(live, true);
    usleep(50000);
    brume_simulation_thread_destroy(live);
    assert_true(brume_seconds() - start < 10.0);
}

static void count_call(void *context) { (*(int *)context)++; }

static void test_listener_is_called_for_every_snapshot(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, false);
    const uint64_t serial = brume_simulation_thread_newest(live)->serial;
    int calls = 0;
    brume_simulation_thread_listen(live, count_call, &calls);
    (void)advance(live, 4);
    usleep(20000);
    brume_simulation_thread_listen(live, NULL, NULL);
    assert_int_equal(calls, (int)(brume_simulation_thread_newest(live)->serial - serial));
    (void)advance(live, 1);
    assert_int_equal(calls, 4);
    brume_simulation_thread_destroy(live);
}

static float unit(uint32_t n, uint32_t which) { return brume_unit_float(brume_hash3(n, which, 77)); }

static void test_random_wishes(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *live = create(&settings, true);
    for (uint32_t n = 0; n < 200; n++) {
        BrumeSimDef wish = settings;
        BrumeDab dab = dab_at((int)(n % 7), 7);
        switch ((int)(unit(n, 0) * 12.0f)) {
        case 0:
            brume_simulation_thread_run(live, unit(n, 1) < 0.7f);
            break;
        case 1:
            brume_simulation_thread_advance(live);
            break;
        case 2:
            brume_simulation_thread_reset(live);
            break;
        case 3: {
            const BrumeSimulationThreadDef def = {
                .settings = settings, .threads = 1 + (int)(2.0f * unit(n, 1)), .running = true};
            brume_simulation_thread_open(live, &def);
            break;
        }
        case 4:
            wish.nx = wish.nz = 8 + (int)(12.0f * unit(n, 1));
            wish.dx = 1.0f / (float)wish.nx;
            brume_simulation_thread_change(live, (int)(2.0f * unit(n, 2)), &wish);
            break;
        case 5:
            wish.cooling = 3.0f * unit(n, 1) - 0.5f; // at times refused
            brume_simulation_thread_change(live, 0, &wish);
            break;
        case 6:
            brume_simulation_thread_compare(live, unit(n, 1) < 0.5f);
            break;
        case 7:
            brume_simulation_thread_move(live, 0, brume_vec3(0.02f * unit(n, 1), 0.0f, -0.02f * unit(n, 2)));
            break;
        case 8:
            brume_simulation_thread_set_threads(live, 1 + (int)(3.0f * unit(n, 1)));
            break;
        case 9:
            brume_simulation_thread_hold(live, unit(n, 1) < 0.3f);
            brume_simulation_thread_release(live);
            break;
        case 10:
            brume_simulation_thread_ask_record(live, (int)(2.0f * unit(n, 1)));
            break;
        default:
            brume_simulation_thread_stir(live, &dab);
            break;
        }
        usleep((useconds_t)(4000.0f * unit(n, 3)));
        (void)brume_simulation_thread_newest(live);
    }
    brume_simulation_thread_hold(live, false);
    brume_simulation_thread_run(live, false);
    for (int n = 0; n < 3; n++) { // after the last of these, all that was wished is done and told
        BrumeRecord record = {0};
        const double start = brume_seconds();
        brume_simulation_thread_ask_record(live, 0);
        while (!brume_simulation_thread_take_record(live, &record)) {
            assert_true(brume_seconds() - start < patience);
            usleep(500);
        }
        brume_timeline_clear(&record.timeline);
    }
    (void)advance(live, 1);
    check_replay(live, 0);
    brume_simulation_thread_destroy(live);
}

// the way of the pointer is kept whole, and takes the whole frame
static void test_dabs_share_a_frame(void **state)
{
    (void)state;
    static BrumeStrokeQueue dabs;
    dabs.count = 0;
    enum { COUNT = 1000 };
    for (int n = 0; n < COUNT; n++) {
        const BrumeDab dab = dab_at(n, COUNT);
        brume_stroke_queue_add(&dabs, &dab);
    }
    assert_int_equal(dabs.count, BRUME_MAX_DABS);
    BrumeStroke strokes[BRUME_MAX_STROKES];
    assert_int_equal(brume_stroke_queue_take(&dabs, 2.0, 3.0, BRUME_MAX_STROKES, strokes), BRUME_MAX_STROKES);
    assert_int_equal(dabs.count, 0);
    assert_true(strokes[0].start == 2.0);
    assert_true(strokes[BRUME_MAX_STROKES - 1].end == 3.0);
    const BrumeVec3 from = dab_at(0, COUNT).stroke.from;
    const BrumeVec3 to = dab_at(COUNT - 1, COUNT).stroke.to;
    assert_true(strokes[0].from.x == from.x);
    assert_true(strokes[BRUME_MAX_STROKES - 1].to.x == to.x);
    for (int n = 0; n < BRUME_MAX_STROKES; n++) {
        assert_true(strokes[n].start < strokes[n].end);
        assert_true(strokes[n].to.x - strokes[n].from.x < 0.03f); // of 0.6 in all: even pieces
        if (n > 0) {
            assert_true(strokes[n].start == strokes[n - 1].end);
            assert_true(strokes[n].from.x == strokes[n - 1].to.x);
        }
    }

    // shares by time; what cannot be joined waits
    BrumeDab apart = dab_at(0, 1);
    apart.drawn_for = 0.03;
    brume_stroke_queue_add(&dabs, &apart);
    apart.drawn_for = 0.01;
    brume_stroke_queue_add(&dabs, &apart);
    brume_stroke_queue_add(&dabs, &apart);
    assert_int_equal(brume_stroke_queue_take(&dabs, 0.0, 1.0, 2, strokes), 2);
    assert_true(fabs(strokes[0].end - 0.75) < 1e-12);
    assert_int_equal(dabs.count, 1);
    assert_int_equal(brume_stroke_queue_take(&dabs, 0.0, 1.0, 0, strokes), 0);
    assert_int_equal(brume_stroke_queue_take(&dabs, 0.0, 1.0, 2, strokes), 1);
}

// two halves of a cubic joined are the cubic again
static void test_joined_dabs_keep_the_curve(void **state)
{
    (void)state;
    static BrumeStrokeQueue dabs;
    dabs.count = 0;
    // (t, t^2 - t^3 / 2) over t in 0..0.25..1
    const float times[3] = {0.0f, 0.25f, 1.0f};
    for (int n = 0; n < 2; n++) {
        const float a = times[n];
        const float b = times[n + 1];
        const BrumeDab dab = {
            .stroke = {.from = {a, a * a - 0.5f * a * a * a, 0.0f},
                       .to = {b, b * b - 0.5f * b * b * b, 0.0f},
                       .from_slope = {b - a, (b - a) * (2.0f * a - 1.5f * a * a), 0.0f},
                       .to_slope = {b - a, (b - a) * (2.0f * b - 1.5f * b * b), 0.0f},
                       .radius = 0.1f},
            .drawn_for = (double)(b - a),
        };
        brume_stroke_queue_add(&dabs, &dab);
    }
    BrumeStroke whole;
    assert_int_equal(brume_stroke_queue_take(&dabs, 0.0, 1.0, 1, &whole), 1);
    for (int n = 0; n <= 8; n++) {
        const float t = (float)n / 8.0f;
        const BrumeVec3 point = brume_stroke_at(&whole, t);
        assert_true(fabsf(point.x - t) < 1e-6f);
        assert_true(fabsf(point.y - (t * t - 0.5f * t * t * t)) < 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dabs_share_a_frame),
        cmocka_unit_test(test_joined_dabs_keep_the_curve),
        cmocka_unit_test(test_paused_takes_single_frames),
        cmocka_unit_test(test_record_leads_to_the_same_state),
        cmocka_unit_test(test_script_of_the_scene_is_followed),
        cmocka_unit_test(test_sides_in_lockstep),
        cmocka_unit_test(test_reset_and_open_start_anew),
        cmocka_unit_test(test_refusal_is_told_and_changes_nothing),
        cmocka_unit_test(test_failed_frame_pauses_and_keeps_the_last),
        cmocka_unit_test(test_pace_and_hold),
        cmocka_unit_test(test_nothing_waits_for_a_slow_frame),
        cmocka_unit_test(test_listener_is_called_for_every_snapshot),
        cmocka_unit_test(test_random_wishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
