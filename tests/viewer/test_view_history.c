// The past of a running simulation: frames that are kept in memory and in a temporary file, played, and gone on from.
#include "core/half.h"
#include "core/memory.h"
#include "simulation_thread_support.h"
#include "viewer/history/frame_history.h"
#include "viewer/threads/playback_thread.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

static BrumeFrameHistory *create_history(size_t memory, uint64_t disk)
{
    const BrumeFrameHistoryDef def = {.memory = memory, .disk = disk, .playback = (size_t)1 << 26};
    BrumeFrameHistory *history = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_frame_history_create(&history, &def, &error), BRUME_OK);
    return history;
}

static BrumeFrameHistoryStatus status_of(BrumeFrameHistory *history)
{
    BrumeFrameHistoryStatus status;
    brume_frame_history_status(history, &status);
    return status;
}

static void start_session(BrumeSession *session)
{
    const BrumeSimDef def = small_def();
    BrumeError error = {0};
    assert_int_equal(brume_session_start(session, &def, 1, &error), BRUME_OK);
}

static void run_frame(BrumeSession *session)
{
    static const BrumeFrameEdits edits;
    BrumeError rejected = {0};
    BrumeError error = {0};
    assert_int_equal(brume_session_run_frame(session, &edits, &rejected, &error), BRUME_OK);
}

static void free_frame(BrumeStoredFrame *frame)
{
    BrumeSnapshot snapshot = {.variants = {frame->state, frame->second}};
    brume_snapshot_destroy(&snapshot);
    *frame = (BrumeStoredFrame){0};
}

static BrumeStoredFrame read_frame(BrumeFrameHistory *history, int number)
{
    const BrumeStoredFrames frames = brume_frame_history_frames(history, 24.0);
    BrumeStoredFrame frame = {0};
    BrumeError error = {0};
    if (frames.read(frames.context, number, &frame, &error) != BRUME_OK) {
        fail_msg("frame %d: %s", number, error.text);
    }
    return frame;
}

// every entry of a cell or face is the half nearest to that of the simulation
static void assert_is_rounded(const BrumeField *field, const BrumeField *exact, int id)
{
    assert_int_equal(field->data != NULL, exact != NULL);
    for (int k = 1; exact && field->data && k <= exact->grid.nz + (id == BRUME_FIELD_W); k++) {
        for (int j = 1; j <= exact->grid.ny + (id == BRUME_FIELD_V); j++) {
            for (int i = 1; i <= exact->grid.nx + (id == BRUME_FIELD_U); i++) {
                const float value = exact->data[brume_field_index(exact, i, j, k)];
                const float kept = field->data[brume_field_index(field, i, j, k)];
                const float expected = brume_float_of_half(brume_half_of_float(value));
                if (kept < expected || kept > expected) {
                    fail_msg("field %d at %d %d %d: %.9g, expected %.9g", id, i, j, k, (double)kept, (double)expected);
                }
            }
        }
    }
}

static void test_frame_is_kept_as_halves(void **state)
{
    (void)state;
    BrumeSession session = {0};
    start_session(&session);
    BrumeError error = {0};
    for (int n = 0; n < 4; n++) {
        run_frame(&session);
    }
    assert_int_equal(brume_session_fork(&session, 1, &error), BRUME_OK);
    BrumeSimDef settings = small_def();
    settings.texture_period = 1.0f; // and texture coordinates
    static BrumeFrameEdits edits;
    edits.settings[1] = &settings;
    BrumeError rejected = {0};
    assert_int_equal(brume_session_run_frame(&session, &edits, &rejected, &error), BRUME_OK);
    BrumeFrameHistory *history = create_history((size_t)1 << 30, 0);
    brume_frame_history_clear(history, 3);
    brume_frame_history_keep(history, &session, 0);
    BrumeStoredFrame frame = read_frame(history, 5);
    const BrumeSnapshotVariant *variants[] = {&frame.state, &frame.second};
    BrumeKeptFrame kept;
    assert_true(brume_frame_history_find(history, 5, &kept));
    assert_int_equal(kept.variant_count, 2);
    for (int n = 0; n < 2; n++) {
        const BrumeSim *sim = session.variants[n].sim;
        for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
            assert_is_rounded(&variants[n]->fields[id], brume_sim_field(sim, (BrumeFieldId)id), id);
        }
        assert_memory_equal(&variants[n]->settings, brume_sim_settings(sim), sizeof(BrumeSimDef));
        assert_memory_equal(&kept.settings[n], brume_sim_settings(sim), sizeof(BrumeSimDef));
        assert_int_equal(variants[n]->stats.frame, session.variants[n].stats.frame);
        assert_true(kept.hash[n] == brume_sim_hash(sim));
        const BrumeField *texture = brume_sim_texture(sim, 1, 2);
        assert_int_equal(texture != NULL, n == 1);
        for (int k = 1; texture && k <= CELLS; k++) { // with all bits
            assert_memory_equal(frame.second.fields[BRUME_SNAPSHOT_TEXTURE + 5].data +
                                    brume_field_index(&frame.second.fields[BRUME_SNAPSHOT_TEXTURE + 5], 1, 3, k),
                                texture->data + brume_field_index(texture, 1, 3, k), CELLS * sizeof(float));
        }
    }
    assert_true(frame.time == brume_sim_time(session.variants[0].sim));
    assert_true(kept.time == frame.time);
    assert_int_equal(frame.seed, 5);
    assert_int_equal(frame.epoch, 3);
    assert_true(frame.revision < 0);
    free_frame(&frame);
    BrumeError missing = {0};
    const BrumeStoredFrames frames = brume_frame_history_frames(history, 24.0);
    assert_int_equal(frames.read(history, 6, &frame, &missing), BRUME_FAILED);
    assert_string_equal(missing.text, ""); // it is no defect
    brume_frame_history_destroy(history);
    brume_session_destroy(&session);
}

// keeps `count` frames of a session whose state does not change, because only their numbers matter
static void keep_frames(BrumeFrameHistory *history, BrumeSession *session, int first, int count)
{
    for (int n = 0; n < count; n++) {
        session->frame = first + n;
        brume_frame_history_keep(history, session, 0);
        const BrumeFrameHistoryStatus status = status_of(history);
        assert_true(status.bytes <= status.memory);
        assert_true(status.file_bytes <= status.disk || status.disk == 0);
        assert_int_equal(status.last, first + n);
    }
}

static int *list_frames(BrumeFrameHistory *history, int *count)
{
    const BrumeStoredFrames frames = brume_frame_history_frames(history, 24.0);
    int *numbers = NULL;
    BrumeError error = {0};
    assert_int_equal(frames.list(frames.context, &numbers, count, &error), BRUME_OK);
    return numbers;
}

// the latest half is complete, the older half sparse and even, and the first frame is there
static void check_thinned(BrumeFrameHistory *history, int last)
{
    int count;
    int *numbers = list_frames(history, &count);
    assert_true(count >= 8);
    assert_int_equal(numbers[0], 0);
    assert_int_equal(numbers[count - 1], last);
    for (int n = count / 2 + 1; n < count; n++) {
        assert_int_equal(numbers[n] - numbers[n - 1], 1);
    }
    int largest = 0;
    for (int n = 1; n < count; n++) {
        largest = numbers[n] - numbers[n - 1] > largest ? numbers[n] - numbers[n - 1] : largest;
    }
    // even: if all the older frames had this distance, they would reach over no more than three times the range
    assert_true(largest > 1);
    if (largest * (count / 2) > 3 * last) {
        fail_msg("a gap of %d frames among %d kept of %d", largest, count, last);
    }
    brume_free(numbers);
}

static void test_memory_stays_in_budget(void **state)
{
    (void)state;
    BrumeSession session = {0};
    start_session(&session);
    run_frame(&session);
    BrumeFrameHistory *history = create_history(SIZE_MAX, 0);
    keep_frames(history, &session, 0, 2);
    const BrumeFrameHistoryStatus two = status_of(history);
    keep_frames(history, &session, 2, 1);
    const size_t size = status_of(history).bytes - two.bytes; // of one frame, whose settings are shared
    const size_t shared = two.bytes - 2 * size;
    assert_int_equal(shared, sizeof(BrumeSimDef) + 8);
    brume_frame_history_destroy(history);

    history = create_history(shared + 16 * size, 0);
    keep_frames(history, &session, 0, 16);
    assert_int_equal(status_of(history).count, 16);
    keep_frames(history, &session, 16, 200);
    const BrumeFrameHistoryStatus full = status_of(history);
    assert_int_equal(full.count, 16);
    assert_int_equal(full.in_memory, 16);
    assert_true(full.bytes == shared + 16 * size);
    check_thinned(history, 215);

    session.frame = 215; // computed again: in its place, unless it has led from the same edits to it
    const BrumeStoredFrames frames = brume_frame_history_frames(history, 24.0);
    const uint64_t stamp = frames.stamp(frames.context, 215);
    brume_frame_history_keep(history, &session, 0);
    assert_true(frames.stamp(frames.context, 215) == stamp);
    brume_frame_history_keep(history, &session, 1);
    assert_int_equal(status_of(history).count, 16);
    assert_true(frames.stamp(frames.context, 215) > stamp);

    // a discarded future is set aside, listed again, and dropped where others need its memory
    static BrumeEditLog no_edits;
    brume_frame_history_follow(history, &no_edits, 210);
    assert_int_equal(status_of(history).last, 210);
    assert_true(status_of(history).bytes == full.bytes);
    assert_int_equal(frames.stamp(frames.context, 212), 0);
    brume_frame_history_follow(history, &no_edits, 215);
    assert_int_equal(status_of(history).last, 214);
    assert_int_equal(status_of(history).count, 15);
    brume_frame_history_follow(history, &no_edits, 210);
    const int listed = status_of(history).count;
    for (int number = 211; number <= 212; number++) {
        session.frame = number;
        brume_frame_history_keep(history, &session, 2);
        assert_int_equal(status_of(history).count, listed + number - 210);
        assert_true(status_of(history).bytes <= full.bytes);
    }
    brume_frame_history_clear(history, 2);
    assert_int_equal(status_of(history).count, 0);
    assert_int_equal(status_of(history).bytes, 0);
    brume_frame_history_destroy(history);

    history = create_history(size / 2, 0); // not one
    session.frame = 0;
    brume_frame_history_keep(history, &session, 0);
    assert_int_equal(status_of(history).count, 0);
    brume_frame_history_destroy(history);
    brume_session_destroy(&session);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(dir);
    return count;
}

static void test_file_takes_the_oldest(void **state)
{
    (void)state;
    char folder[] = "/tmp/brume-history-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    BrumeSession session = {0};
    start_session(&session);
    BrumeFrameHistory *large = create_history((size_t)1 << 30, 0);
    BrumeFrameHistory *small = create_history(600000, (uint64_t)1 << 30);
    for (int n = 0; n < 12; n++) {
        brume_frame_history_keep(large, &session, 0);
        brume_frame_history_keep(small, &session, 0);
        run_frame(&session);
    }
    BrumeFrameHistoryStatus status = status_of(small);
    assert_int_equal(status.count, 12);
    assert_true(status.in_memory > 0 && status.in_memory < 12);
    assert_true(status.bytes <= 600000);
    assert_true(status.file_bytes > 0);
    const BrumeStoredFrames frames = brume_frame_history_frames(small, 24.0);
    for (int n = 0; n < 12; n++) {
        assert_int_equal(frames.is_close(frames.context, n), n >= 12 - status.in_memory);
        BrumeStoredFrame a = read_frame(large, n);
        BrumeStoredFrame b = read_frame(small, n);
        assert_true(hash_of(&a.state) == hash_of(&b.state));
        assert_true(a.time == b.time);
        free_frame(&a);
        free_frame(&b);
    }
    char inside[64];
    (void)snprintf(inside, sizeof inside, "%s/brume", folder);
    assert_int_equal(count_files(inside), 0); // it has no name
    brume_frame_history_destroy(large);
    brume_frame_history_destroy(small);

    // a file that becomes full is bounded like memory, and its space is used again
    const size_t size = (size_t)(status.file_bytes / (uint64_t)(12 - status.in_memory));
    small = create_history(600000, 10 * size);
    keep_frames(small, &session, 0, 100);
    status = status_of(small);
    assert_true(status.file_bytes > 5 * size && status.file_bytes <= 10 * size);
    assert_false(status.has_error);
    check_thinned(small, 99);
    brume_frame_history_destroy(small);

    // a disk that is full: one line, and memory alone; what was written stays
    const struct rlimit limit = {.rlim_cur = 3 * size, .rlim_max = RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    small = create_history(600000, (uint64_t)1 << 30);
    int errors = 0;
    for (session.frame = 0; session.frame < 60; session.frame++) {
        brume_frame_history_keep(small, &session, 0);
        status = status_of(small);
        errors += status.has_error;
        assert_true(status.bytes <= 600000);
        if (status.has_error) {
            assert_non_null(strstr(status.error.text, "temporary file"));
            assert_null(strchr(status.error.text, '\n'));
        }
    }
    assert_int_equal(errors, 1);
    assert_int_equal(status.last, 59);
    assert_int_equal(status.disk, 0);
    assert_true(status.file_bytes > 0 && status.file_bytes <= 3 * size);
    assert_true(status.in_memory >= 4 && status.in_memory < status.count);
    int count;
    int *numbers = list_frames(small, &count);
    for (int n = 0; n < count; n++) {
        BrumeStoredFrame frame = read_frame(small, numbers[n]);
        free_frame(&frame);
    }
    brume_free(numbers);
    brume_frame_history_destroy(small);
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    brume_session_destroy(&session);
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(folder), 0);
}

/*
 * Going back, by the simulation thread.
 */

static BrumeSimulationThread *create_with_timeline(BrumeFrameHistory *history, size_t memory,
                                                   const BrumeTimeline *timeline)
{
    const BrumeSimulationThreadDef def = {
        .settings = small_def(), .timeline = *timeline, .threads = 2, .memory = memory, .history = history};
    return create_by(&def);
}

static BrumeSimulationThread *create_with_history(BrumeFrameHistory *history, size_t memory)
{
    return create_with_timeline(history, memory, &(BrumeTimeline){0});
}

static void stroke(BrumeSimulationThread *thread, int edit, int part)
{
    BrumeStrokeSegment segment = segment_at(part, 3);
    segment.edit = edit;
    brume_simulation_thread_add_stroke(thread, &segment);
}

static void set_cooling(BrumeSimulationThread *thread, int variant, float cooling)
{
    BrumeSimDef settings = small_def();
    settings.cooling = cooling;
    brume_simulation_thread_set_settings(thread, variant, &settings);
}

// hash and frame of the present state, once nothing is computed again
static uint64_t present(BrumeSimulationThread *thread, int variant, int frame)
{
    BrumeReplay replay = get_replay(thread, variant);
    assert_int_equal(replay.frame, frame);
    brume_timeline_clear(&replay.timeline);
    return replay.hash;
}

static uint64_t kept_hash(BrumeFrameHistory *history, int frame, int variant)
{
    BrumeKeptFrame kept;
    if (!brume_frame_history_find(history, frame, &kept)) {
        fail_msg("frame %d is not kept", frame);
    }
    assert_in_range(variant, 0, kept.variant_count - 1);
    return kept.hash[variant];
}

// the work that the thread has done
static int stages_of(BrumeSimulationThread *thread)
{
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(thread, &progress);
    return progress.stages;
}

enum { RETURN = 100, BACK = 20, PRESENT = 26, END = 25 };

// the part that all runs share: strokes, a moved solid and other settings, up to the frame to which is gone back
static void run_shared(BrumeSimulationThread *thread)
{
    (void)advance(thread, 2);
    stroke(thread, 1, 0);
    (void)advance(thread, 3);
    set_cooling(thread, 0, 1.5f);
    move_solid(thread, 2, brume_vec3(0.05f, -0.1f, 0.0f));
    (void)advance(thread, BACK - 5);
}

// goes on from there: an edit, then frames up to END
static uint64_t run_on(BrumeSimulationThread *thread)
{
    stroke(thread, 7, 2);
    (void)advance(thread, END - BACK);
    return present(thread, 0, END);
}

static void wait_until_returned(BrumeSimulationThread *thread)
{
    const double start = brume_seconds();
    while (brume_simulation_thread_recomputation(thread).active) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

// The state after going back, and all that follows, has the bits of a run that never went on; and undone, those of
// before.
static void test_going_back_equals_never_gone_on(void **state)
{
    (void)state;
    BrumeFrameHistory *plain = create_history((size_t)1 << 30, 0);
    BrumeSimulationThread *reference = create_with_history(plain, 0);
    run_shared(reference);
    const uint64_t at_back = present(reference, 0, BACK);
    const uint64_t at_end = run_on(reference);
    brume_simulation_thread_destroy(reference);

    static const size_t memories[] = {(size_t)1 << 30, 700000, 0};
    for (int m = 0; m < 3; m++) {
        BrumeFrameHistory *history = create_history((size_t)1 << 30, 0);
        BrumeSimulationThread *thread = create_with_history(history, memories[m]);
        run_shared(thread);
        stroke(thread, 3, 1); // what is discarded
        (void)advance(thread, 2);
        brume_simulation_thread_fork(thread, 0);
        set_cooling(thread, 1, 4.0f);
        (void)advance(thread, PRESENT - BACK - 2);
        const uint64_t left[] = {present(thread, 0, PRESENT), present(thread, 1, PRESENT)};
        assert_true(left[0] != left[1]);
        assert_true(kept_hash(history, PRESENT, 1) == left[1]);
        stroke(thread, 4, 0); // waits for the next frame, and is left, too

        brume_simulation_thread_go_back(thread, RETURN, BACK);
        assert_true(brume_simulation_thread_recomputation(thread).active);
        wait_until_returned(thread);
        assert_int_equal(latest_snapshot(thread)->frame, BACK);
        assert_int_equal(latest_snapshot(thread)->variant_count, 1);
        assert_false(brume_simulation_thread_compares(thread));
        assert_true(present(thread, 0, BACK) == at_back);
        assert_int_equal(status_of(history).last, BACK);
        assert_true(run_on(thread) == at_end);
        check_replay(thread, 0);
        for (int frame = 0; frame <= END; frame++) {
            assert_true(kept_hash(history, frame, 0) == kept_hash(plain, frame, 0));
        }

        brume_simulation_thread_set_undone(thread, 7, true); // as the undo history does: the latest edit first
        (void)present(thread, 0, END);
        int stages = stages_of(thread);
        brume_simulation_thread_set_undone(thread, RETURN, true);
        assert_true(present(thread, 0, PRESENT) == left[0]);
        assert_true(present(thread, 1, PRESENT) == left[1]);
        assert_true(brume_simulation_thread_compares(thread));
        assert_true(kept_hash(history, PRESENT, 1) == left[1]);
        assert_int_equal(status_of(history).count, PRESENT + 1);
        if (m == 0) { // nothing is computed again
            assert_int_equal(stages_of(thread), stages);
        }
        brume_simulation_thread_set_undone(thread, RETURN, false);
        brume_simulation_thread_set_undone(thread, 7, false);
        assert_true(present(thread, 0, END) == at_end);
        assert_false(brume_simulation_thread_compares(thread));
        if (m == 0) {
            assert_int_equal(stages_of(thread), stages);
        }

        // an edit before that frame is undone on both ways
        brume_simulation_thread_set_undone(thread, 1, true);
        const uint64_t without = present(thread, 0, END);
        assert_true(without != at_end);
        assert_true(kept_hash(history, END, 0) == without);
        assert_true(kept_hash(history, 2, 0) == kept_hash(plain, 2, 0));
        assert_true(kept_hash(history, 3, 0) != kept_hash(plain, 3, 0));
        brume_simulation_thread_set_undone(thread, 1, false);
        brume_simulation_thread_set_undone(thread, RETURN, true);
        assert_true(present(thread, 1, PRESENT) == left[1]);
        (void)advance(thread, 1); // with the stroke that waited
        BrumeReplay replay = get_replay(thread, 0);
        const BrumeChange *change = brume_timeline_find(&replay.timeline, PRESENT);
        assert_non_null(change);
        assert_int_equal(change->stroke_count, 1);
        brume_timeline_clear(&replay.timeline);
        brume_simulation_thread_destroy(thread);
        brume_frame_history_destroy(history);
    }
    brume_frame_history_destroy(plain);
}

static BrumeReplay past_replay(BrumeSimulationThread *thread, int variant, int frame)
{
    BrumeReplay replay = {0};
    brume_simulation_thread_request_replay(thread, variant, frame);
    const double start = brume_seconds();
    while (!brume_simulation_thread_poll_replay(thread, &replay)) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    return replay;
}

static void check_past_replay(BrumeSimulationThread *thread, BrumeFrameHistory *history, int variant, int frame)
{
    BrumeReplay replay = past_replay(thread, variant, frame);
    assert_false(replay.is_lost);
    assert_int_equal(replay.frame, frame);
    assert_true(replay.hash == kept_hash(history, frame, variant));
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
}

// a saved scene of an earlier frame has what the scene prescribes for later ones, but not what was drawn since
static void test_past_has_what_the_scene_prescribes(void **state)
{
    (void)state;
    BrumeSimDef later = small_def();
    later.viscosity = 0.02f;
    const BrumeChange change = {.frame = 3, .settings = &later};
    BrumeTimeline timeline = {0};
    assert_int_equal(brume_timeline_add(&timeline, &change, NULL), BRUME_OK);
    BrumeFrameHistory *history = create_history((size_t)1 << 30, 0);
    BrumeSimulationThread *thread = create_with_timeline(history, (size_t)1 << 30, &timeline);
    (void)advance(thread, 4);
    stroke(thread, 1, 0);
    (void)advance(thread, 1);
    stroke(thread, 2, 1); // it waits
    check_past_replay(thread, history, 0, 2);
    BrumeReplay replay = past_replay(thread, 0, 2);
    assert_int_equal(replay.timeline.count, 1);
    assert_int_equal(replay.timeline.changes[0].frame, 3);
    assert_true(replay.timeline.changes[0].settings->viscosity == later.viscosity);
    assert_false(replay.edits_wait);
    brume_timeline_clear(&replay.timeline);
    brume_timeline_clear(&timeline);
    brume_simulation_thread_destroy(thread);
    brume_frame_history_destroy(history);
}

// the saved scene of an earlier frame leads to its state; going back into a comparison, and to before a restart of one
static void test_past_of_a_comparison(void **state)
{
    (void)state;
    BrumeFrameHistory *history = create_history((size_t)1 << 30, 0);
    BrumeSimulationThread *thread = create_with_history(history, (size_t)1 << 30);
    (void)advance(thread, 1);
    stroke(thread, 1, 0);
    (void)advance(thread, 2);
    brume_simulation_thread_fork(thread, 0);
    set_cooling(thread, 1, 4.0f);
    (void)advance(thread, 2);
    check_past_replay(thread, history, 0, 2);
    check_past_replay(thread, history, 0, 4);
    check_past_replay(thread, history, 1, 4);
    const uint64_t at_4 = kept_hash(history, 4, 1);
    const uint64_t at_5 = kept_hash(history, 5, 1);
    brume_simulation_thread_end_comparison(thread, 1, 0);
    (void)advance(thread, 1);
    check_past_replay(thread, history, 0, 6);
    check_past_replay(thread, history, 0, 2);
    BrumeReplay lost = past_replay(thread, 0, 4); // the first variant has not gone on
    assert_true(lost.is_lost);
    assert_int_equal(lost.timeline.count, 0);

    brume_simulation_thread_go_back(thread, 2, 4);
    wait_until_returned(thread);
    assert_int_equal(latest_snapshot(thread)->variant_count, 2);
    assert_true(brume_simulation_thread_compares(thread));
    assert_true(present(thread, 1, 4) == at_4);
    (void)advance(thread, 1);
    assert_true(present(thread, 1, 5) == at_5);

    // going back twice, and both undone at once
    brume_simulation_thread_go_back(thread, 3, 1);
    (void)present(thread, 0, 1);
    brume_simulation_thread_set_undone(thread, 3, true);
    brume_simulation_thread_set_undone(thread, 2, true);
    (void)present(thread, 0, 6);
    assert_false(brume_simulation_thread_compares(thread));
    check_past_replay(thread, history, 0, 6);

    // a return that is undone before it was begun; and a restart during one
    brume_simulation_thread_go_back(thread, 4, 2);
    brume_simulation_thread_set_undone(thread, 4, true);
    assert_true(present(thread, 0, 6) == kept_hash(history, 6, 0));
    brume_simulation_thread_go_back(thread, 5, 3);
    const int epoch = epoch_of(thread);
    brume_simulation_thread_reset(thread);
    assert_int_equal(wait_for_restart(thread, epoch)->frame, 0);
    assert_int_equal(status_of(history).count, 1);
    assert_int_equal(status_of(history).epoch, epoch + 1);
    brume_simulation_thread_set_undone(thread, 5, true); // of before the restart
    (void)advance(thread, 1);
    (void)present(thread, 0, 1);
    brume_simulation_thread_destroy(thread);
    brume_frame_history_destroy(history);
}

/*
 * Showing the past, by the playback and the switch of states.
 */

static const BrumeSnapshot *wait_for_shown(BrumeStateSwitch *states, int frame, bool past)
{
    const double start = brume_seconds();
    for (;;) {
        const BrumeSnapshot *snapshot = brume_state_switch_latest(states);
        if (snapshot->frame == frame && (snapshot->revision < 0) == past) {
            return snapshot;
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

static void test_past_is_played(void **state)
{
    (void)state;
    BrumeFrameHistory *history = create_history((size_t)1 << 30, 0);
    BrumeSimulationThread *thread = create_with_history(history, (size_t)1 << 30);
    const BrumePlaybackDef def = {.frames = brume_frame_history_frames(history, 1000.0), .inactive = true};
    BrumePlaybackThread *player = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_playback_thread_create(&player, &def, &error), BRUME_OK);
    BrumeStateSwitch *const states = &(BrumeStateSwitch){.present = brume_simulation_thread_source(thread),
                                                         .past = brume_playback_thread_source(player)};
    (void)advance(thread, 2);
    stroke(thread, 1, 0);
    (void)advance(thread, 4);
    brume_simulation_thread_fork(thread, 0);
    (void)advance(thread, 2);
    const int epoch = wait_for_shown(states, 8, false)->epoch;

    brume_playback_thread_refresh(player);
    brume_playback_thread_seek(player, 5); // before the list is known
    brume_state_switch_show_past(states, brume_playback_thread_set_active(player, true));
    const BrumeSnapshot *snapshot = wait_for_shown(states, 5, true);
    assert_int_equal(snapshot->variant_count, 1);
    assert_int_equal(snapshot->epoch, epoch);
    assert_int_equal(snapshot->seed, 5);
    const int revision = snapshot->revision;
    brume_playback_thread_seek(player, 7);
    assert_int_equal(wait_for_shown(states, 7, true)->variant_count, 2);
    brume_playback_thread_step(player, -2);
    assert_int_equal(wait_for_shown(states, 5, true)->revision, revision);

    // frames that are computed again replace those that are shown
    const uint64_t before = hash_of(&wait_for_shown(states, 5, true)->variants[0]);
    brume_simulation_thread_set_undone(thread, 1, true);
    (void)present(thread, 0, 8);
    brume_playback_thread_refresh(player);
    const double start = brume_seconds();
    do {
        snapshot = brume_state_switch_latest(states);
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    } while (snapshot->revision == revision);
    assert_int_equal(snapshot->frame, 5);
    assert_true(hash_of(&snapshot->variants[0]) != before);

    // played on, it stops at the last frame; played backwards with a loop, it passes the ends
    brume_playback_thread_set_running(player, true);
    (void)wait_for_shown(states, 8, true);
    BrumePlaybackStatus status;
    do {
        brume_playback_thread_poll(player, &status);
        assert_true(brume_seconds() - start < max_wait);
    } while (!status.stopped);
    assert_int_equal(status.position, 8);
    assert_int_equal(status.frame, 8);
    assert_int_equal(status.count, 9);
    brume_playback_thread_set_mode(player, &(BrumePlaybackMode){.loop = true, .backwards = true, .fps = 1000.0});
    brume_playback_thread_seek(player, 1);
    brume_playback_thread_set_running(player, true);
    (void)wait_for_shown(states, 6, true);
    brume_playback_thread_set_running(player, false);

    // the present, and the past again: never a frame of before
    brume_state_switch_show_present(states);
    (void)brume_playback_thread_set_active(player, false);
    assert_int_equal(wait_for_shown(states, 8, false)->epoch, epoch);
    brume_simulation_thread_go_back(thread, 2, 3);
    wait_until_returned(thread);
    brume_playback_thread_refresh(player);
    do {
        brume_playback_thread_poll(player, &status);
        assert_true(brume_seconds() - start < max_wait);
    } while (status.count != 4);
    brume_playback_thread_seek(player, 2);
    brume_state_switch_show_past(states, brume_playback_thread_set_active(player, true));
    const double again = brume_seconds();
    do {
        snapshot = brume_state_switch_latest(states);
        assert_true(snapshot->frame == 2 || snapshot->revision >= 0);
        assert_true(brume_seconds() - again < max_wait);
    } while (snapshot->frame != 2);
    brume_playback_thread_destroy(player);
    brume_simulation_thread_destroy(thread);
    brume_frame_history_destroy(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_is_kept_as_halves),
        cmocka_unit_test(test_memory_stays_in_budget),
        cmocka_unit_test(test_file_takes_the_oldest),
        cmocka_unit_test(test_going_back_equals_never_gone_on),
        cmocka_unit_test(test_past_has_what_the_scene_prescribes),
        cmocka_unit_test(test_past_of_a_comparison),
        cmocka_unit_test(test_past_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
