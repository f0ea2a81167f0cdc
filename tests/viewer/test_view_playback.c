// Playing frames that were computed before: the order of reading and the memory, the playhead, and the threads.
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "raymarch_check.h"
#include "viewer/playback/frame_cache.h"
#include "viewer/playback/playhead.h"
#include "viewer/threads/playback_thread.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 4, MAX_FRAMES = 32 };

static const double max_wait = 240.0; // longest wait for anything [s]

/*
 * Frames without files: each is a field of densities that are equal to its number.
 */

static pthread_mutex_t frames_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t frames_changed = PTHREAD_COND_INITIALIZER;
static int listed[MAX_FRAMES], listed_count; // guarded by the mutex, as the four below
static int broken, blocked;                  // frame that cannot be read; first frame whose reading waits; 0: none
static int list_blocked;                     // 1: a list that is made waits before it is returned
static bool is_blocked;
static uint64_t stamp;
static atomic_int reads;

static void set_listed(int first, int last, int gap)
{
    (void)pthread_mutex_lock(&frames_mutex);
    listed_count = 0;
    for (int number = first; number <= last; number++) {
        if (number != gap) {
            listed[listed_count++] = number;
        }
    }
    (void)pthread_mutex_unlock(&frames_mutex);
}

static void set_number(int *number, int value)
{
    (void)pthread_mutex_lock(&frames_mutex);
    *number = value;
    stamp++;
    (void)pthread_cond_broadcast(&frames_changed);
    (void)pthread_mutex_unlock(&frames_mutex);
}

// waits until `number` is 0; the mutex is locked
static void wait_until_zero(const int *number)
{
    while (*number > 0) {
        is_blocked = true;
        (void)pthread_cond_broadcast(&frames_changed);
        (void)pthread_cond_wait(&frames_changed, &frames_mutex);
    }
    is_blocked = false;
}

static void wait_until_blocked(void)
{
    (void)pthread_mutex_lock(&frames_mutex);
    while (!is_blocked) {
        (void)pthread_cond_wait(&frames_changed, &frames_mutex);
    }
    (void)pthread_mutex_unlock(&frames_mutex);
}

static BrumeStatus list(void *context, int **numbers, int *count, BrumeError *error)
{
    (void)context;
    (void)error;
    (void)pthread_mutex_lock(&frames_mutex);
    *count = listed_count;
    *numbers = brume_alloc(MAX_FRAMES, sizeof **numbers);
    memcpy(*numbers, listed, (size_t)listed_count * sizeof **numbers);
    wait_until_zero(&list_blocked);
    (void)pthread_mutex_unlock(&frames_mutex);
    return BRUME_OK;
}

static BrumeStatus read_frame(void *context, int number, BrumeStoredFrame *frame, BrumeError *error)
{
    (void)context;
    (void)pthread_mutex_lock(&frames_mutex);
    if (number >= blocked) {
        wait_until_zero(&blocked);
    }
    const bool fails = number == broken;
    (void)pthread_mutex_unlock(&frames_mutex);
    atomic_fetch_add(&reads, 1);
    if (fails) {
        return brume_fail(error, BRUME_BAD_INPUT, "frame.%04d: damaged", number);
    }
    const BrumeStatus status =
        brume_field_create(&frame->state.fields[BRUME_FIELD_DENSITY], brume_grid(CELLS, CELLS, CELLS), error);
    if (status == BRUME_OK) {
        brume_field_fill(&frame->state.fields[BRUME_FIELD_DENSITY], (float)number);
        frame->time = 0.1 * number;
        frame->seed = (uint32_t)number;
    }
    return status;
}

static uint64_t stamp_of(void *context, int number)
{
    (void)context;
    (void)number;
    (void)pthread_mutex_lock(&frames_mutex);
    const uint64_t now = stamp;
    (void)pthread_mutex_unlock(&frames_mutex);
    return now;
}

static BrumePlaybackThread *create_from(const BrumePlaybackDef *def)
{
    BrumePlaybackThread *playback = NULL;
    BrumeError error;
    assert_int_equal(brume_playback_thread_create(&playback, def, &error), BRUME_OK);
    return playback;
}

static BrumePlaybackThread *create_playback(bool running, double fps, size_t budget, bool watch)
{
    const BrumePlaybackDef def = {
        .frames = {.list = list, .read = read_frame, .stamp = stamp_of, .fps = fps, .budget = budget, .watch = watch},
        .running = running,
    };
    return create_from(&def);
}

static int set_up(void **state)
{
    (void)state;
    broken = blocked = list_blocked = 0;
    is_blocked = false;
    atomic_store(&reads, 0);
    return 0;
}

static void rest(void) { (void)usleep(2000); }

// waits until the status has these members; -1: any
static BrumePlaybackStatus wait_for(BrumePlaybackThread *playback, int position, int shown, int in_memory)
{
    BrumePlaybackStatus status = {0};
    bool has_error = false;
    BrumeError error = {0};
    bool stopped = false;
    for (const double start = brume_seconds(); brume_seconds() - start < max_wait; rest()) {
        brume_playback_thread_poll(playback, &status);
        error = status.has_error ? status.error : error;
        has_error = has_error || status.has_error;
        stopped = stopped || status.stopped;
        if ((position < 0 || status.position == position) && (shown < 0 || status.shown == shown) &&
            (in_memory < 0 || status.in_memory == in_memory)) {
            status.has_error = has_error;
            status.error = error;
            status.stopped = stopped;
            return status;
        }
    }
    fail_msg("position %d, shown %d, %d in memory; expected %d, %d, %d", status.position, status.shown,
             status.in_memory, position, shown, in_memory);
    return status;
}

// the snapshot has the densities, the time and the seed of its frame
static void expect_snapshot(BrumePlaybackThread *playback, int frame)
{
    const BrumeSnapshot *snapshot = brume_state_source_latest(brume_playback_thread_source(playback));
    assert_int_equal(snapshot->frame, frame);
    assert_int_equal(snapshot->seed, frame);
    assert_near("time", snapshot->time, 0.1 * frame, 1e-12);
    const BrumeField *density = &snapshot->variants[0].fields[BRUME_FIELD_DENSITY];
    assert_near("density", brume_field_at(density, 2, 2, 2), frame, 0.0);
    assert_null(snapshot->variants[0].fields[BRUME_FIELD_PRESSURE].data);
}

/*
 * The cache.
 */

static void insert(BrumeFrameCache *cache, int index)
{
    BrumeStoredFrame frame = {0};
    BrumeError error;
    assert_int_equal(brume_field_create(&frame.state.fields[0], brume_grid(CELLS, CELLS, CELLS), &error), BRUME_OK);
    assert_int_equal(brume_frame_cache_insert(cache, index, &frame, &error), BRUME_OK);
}

// adds frames of these numbers
static BrumeStatus add_frames(BrumeFrameCache *cache, const int *numbers, int count)
{
    BrumeListedFrame frames[MAX_FRAMES] = {0};
    BrumeError error;
    for (int n = 0; n < count; n++) {
        frames[n].number = numbers[n];
    }
    return brume_frame_cache_list(cache, frames, count, false, &error);
}

static void test_list_of_frames(void **state)
{
    (void)state;
    BrumeFrameCache cache = {.budget = 1 << 20};
    const int odd[] = {3, 5, 9};
    const int more[] = {1, 4, 5, 11};
    assert_int_equal(brume_frame_cache_find_shown(&cache, 1), -1);
    assert_int_equal(add_frames(&cache, odd, 3), BRUME_OK);
    cache.entries[1].state = BRUME_FRAME_BROKEN; // stays with its frame
    assert_int_equal(add_frames(&cache, more, 4), BRUME_OK);
    assert_int_equal(cache.count, 6);
    const int expected[] = {1, 3, 4, 5, 9, 11};
    for (int n = 0; n < 6; n++) {
        assert_int_equal(cache.entries[n].number, expected[n]);
    }
    assert_int_equal(cache.entries[3].state, BRUME_FRAME_BROKEN);
    assert_int_equal(brume_frame_cache_find(&cache, 9), 4);
    assert_int_equal(brume_frame_cache_find(&cache, 10), -1);
    assert_int_equal(brume_frame_cache_find_shown(&cache, 8), 2); // 5 is broken, 4 is before it
    assert_int_equal(brume_frame_cache_find_shown(&cache, 10), 4);
    assert_int_equal(brume_frame_cache_find_shown(&cache, 0), 0); // the first one behind
    brume_frame_cache_destroy(&cache);
}

static void test_order_of_reading(void **state)
{
    (void)state;
    BrumeFrameCache cache = {.budget = 1 << 24};
    const int numbers[] = {1, 2, 3, 4, 5};
    assert_int_equal(add_frames(&cache, numbers, 5), BRUME_OK);
    // the present one first, then those ahead, then those behind
    const BrumeReadOrder forward = {.present = 2};
    const int expected[] = {2, 3, 4, 1, 0};
    for (int n = 0; n < 5; n++) {
        assert_int_equal(brume_frame_cache_next(&cache, &forward), expected[n]);
        insert(&cache, expected[n]);
    }
    assert_int_equal(brume_frame_cache_next(&cache, &forward), -1);
    for (int index = 0; index < 5; index++) {
        cache.entries[index].state = BRUME_FRAME_UNREAD; // as if they were not in memory
    }
    const BrumeReadOrder loop = {.present = 1, .backwards = true, .loop = true};
    const int backwards[] = {1, 0, 4, 3, 2};
    for (int n = 0; n < 5; n++) {
        assert_int_equal(brume_frame_cache_next(&cache, &loop), backwards[n]);
        cache.entries[backwards[n]].state = BRUME_FRAME_IN_MEMORY;
    }
    cache.entries[3].state = cache.entries[4].state = BRUME_FRAME_UNREAD;
    const BrumeReadOrder late = {.present = 2, .lead = 2};
    assert_int_equal(brume_frame_cache_next(&cache, &late), 4);
    // of those between the frame that is shown and the present one, the latest in memory is shown
    const BrumeReadOrder at_four = {.present = 3};
    assert_int_equal(brume_frame_cache_find_passed(&cache, &at_four, 0), 2);
    assert_int_equal(brume_frame_cache_find_passed(&cache, &at_four, 2), -1);
    brume_frame_cache_destroy(&cache);
}

static void test_budget(void **state)
{
    (void)state;
    BrumeFrameCache cache = {0};
    int numbers[20];
    for (int n = 0; n < 20; n++) {
        numbers[n] = n + 1;
    }
    assert_int_equal(add_frames(&cache, numbers, 20), BRUME_OK);
    BrumeReadOrder order = {.present = 0};
    insert(&cache, 0);
    cache.budget = 8 * cache.largest; // four for the window, besides those in use
    for (int n = 1; n < 20; n++) {
        order.present = n;
        BrumeCachedFrame *shown = brume_frame_cache_acquire(&cache, n - 1);
        for (int next = brume_frame_cache_next(&cache, &order); next >= 0;
             next = brume_frame_cache_next(&cache, &order)) {
            brume_frame_cache_make_room(&cache, &order);
            insert(&cache, next);
            assert_true(cache.bytes <= cache.budget);
        }
        assert_ptr_equal(cache.entries[n - 1].cached, shown); // a frame in use is not dropped
        brume_frame_cache_release(&cache, shown);
        if (n < 15) { // the window has four frames ahead
            assert_int_equal(cache.entries[n + 4].state, BRUME_FRAME_IN_MEMORY);
            assert_int_equal(cache.entries[n + 5].state, BRUME_FRAME_UNREAD);
        }
    }
    assert_int_equal(cache.entries[0].state, BRUME_FRAME_UNREAD); // the least recently used were dropped
    assert_int_equal(cache.in_memory, 8);
    brume_frame_cache_destroy(&cache);
}

/*
 * The playhead.
 */

static void test_playhead(void **state)
{
    (void)state;
    BrumePlayhead playhead = {.stride = 1, .rate = 10.0};
    brume_playhead_set_range(&playhead, 2, 12, 2); // 2, 4, 6, 8, 10, 12
    assert_int_equal(playhead.position, 2);
    assert_int_equal(brume_playhead_nearest(&playhead, 6.9), 6);
    assert_int_equal(brume_playhead_nearest(&playhead, 7.1), 8);
    assert_int_equal(brume_playhead_nearest(&playhead, 1e9), 12);
    brume_playhead_step(&playhead, -1);
    assert_int_equal(playhead.position, 2); // without a loop
    brume_playhead_set_running(&playhead, true);
    assert_false(brume_playhead_advance(&playhead, 5.0)); // not started: its frame cannot be shown yet
    assert_int_equal(playhead.position, 2);
    brume_playhead_start(&playhead, 100.0);
    assert_near("next", brume_playhead_next_change(&playhead, 100.05), 100.1, 1e-9);
    assert_false(brume_playhead_advance(&playhead, 100.35)); // skips positions
    assert_int_equal(playhead.position, 8);
    assert_false(brume_playhead_advance(&playhead, 100.55));
    assert_int_equal(playhead.position, 12);
    assert_true(brume_playhead_advance(&playhead, 100.65)); // the end
    assert_int_equal(playhead.position, 12);
    assert_false(playhead.running);
    brume_playhead_set_running(&playhead, true); // again from the first
    assert_int_equal(playhead.position, 2);
    playhead.loop = true;
    brume_playhead_start(&playhead, 200.0);
    assert_false(brume_playhead_advance(&playhead, 200.75));
    assert_int_equal(playhead.position, 4); // seven positions on
    playhead.backwards = true;
    brume_playhead_restart_clock(&playhead);
    brume_playhead_start(&playhead, 300.0);
    assert_false(brume_playhead_advance(&playhead, 300.35));
    assert_int_equal(playhead.position, 10); // 2, 12, 10
    playhead.held = true;
    assert_false(brume_playhead_advance(&playhead, 400.0));
    assert_int_equal(playhead.position, 10);
    brume_playhead_step(&playhead, 2);
    assert_int_equal(playhead.position, 2);
}

/*
 * The threads.
 */

static void test_scrubbing(void **state)
{
    (void)state;
    set_listed(1, 10, 4);
    broken = 7;
    BrumePlaybackThread *playback = create_playback(false, 24.0, 1 << 24, false);
    BrumePlaybackStatus status = wait_for(playback, 1, 1, 8); // all of 9 but the broken one
    assert_int_equal(status.first, 1);
    assert_int_equal(status.last, 10);
    assert_int_equal(status.stride, 1);
    assert_int_equal(status.count, 9);
    assert_true(status.has_error);
    assert_string_equal(status.error.text, "frame.0007: damaged");
    assert_int_equal(status.states[5], BRUME_FRAME_BROKEN);
    expect_snapshot(playback, 1);
    brume_playback_thread_seek(playback, 6);
    status = wait_for(playback, 6, 6, -1);
    assert_false(status.is_missing || status.is_broken || status.is_reading || status.has_error); // told once
    expect_snapshot(playback, 6);
    brume_playback_thread_step(playback, 1);
    status = wait_for(playback, 7, 6, -1);
    assert_true(status.is_broken);
    brume_playback_thread_step(playback, -3);
    status = wait_for(playback, 4, 3, -1);
    assert_true(status.is_missing);
    assert_false(status.is_broken);
    expect_snapshot(playback, 3);
    brume_playback_thread_seek(playback, INT_MAX);
    (void)wait_for(playback, 10, 10, -1);
    expect_snapshot(playback, 10);
    brume_playback_thread_seek(playback, INT_MIN);
    (void)wait_for(playback, 1, 1, -1);
    assert_int_equal(atomic_load(&reads), 9);
    brume_playback_thread_destroy(playback);
}

static void test_playing_to_the_end(void **state)
{
    (void)state;
    set_listed(1, 6, 3);
    broken = 5;
    BrumePlaybackThread *playback = create_playback(true, 200.0, 1 << 24, false);
    BrumePlaybackStatus status = wait_for(playback, 6, 6, -1);
    for (const double start = brume_seconds(); !status.stopped && brume_seconds() - start < max_wait; rest()) {
        brume_playback_thread_poll(playback, &status);
    }
    assert_true(status.stopped);
    expect_snapshot(playback, 6);
    brume_playback_thread_set_mode(playback, &(BrumePlaybackMode){.backwards = true, .fps = 200.0});
    brume_playback_thread_set_running(playback, true);
    status = wait_for(playback, 1, 1, -1);
    expect_snapshot(playback, 1);
    brume_playback_thread_destroy(playback);
}

// a recording gets every file, however fast the sequence is played
static void test_frame_by_frame(void **state)
{
    (void)state;
    set_listed(1, 6, 3);
    BrumePlaybackThread *playback = create_playback(false, 1000.0, 1 << 24, false);
    (void)wait_for(playback, 1, 1, 5);
    brume_playback_thread_set_frame_by_frame(playback, true);
    brume_playback_thread_set_running(playback, true);
    static const int frames[] = {1, 2, 4, 5, 6};
    for (int n = 0; n < 5; n++) {
        (void)wait_for(playback, -1, frames[n], -1);
        expect_snapshot(playback, frames[n]);
        brume_playback_thread_permit_frame(playback);
    }
    BrumePlaybackStatus status = wait_for(playback, 6, 6, -1);
    for (const double start = brume_seconds(); !status.stopped && brume_seconds() - start < max_wait; rest()) {
        brume_playback_thread_poll(playback, &status);
    }
    assert_true(status.stopped);
    brume_playback_thread_destroy(playback);
}

// playing goes past frames whose reading takes long, and the functions of the window do not wait for it
static void test_slow_reading(void **state)
{
    (void)state;
    set_listed(1, 8, 0);
    blocked = 3;
    BrumePlaybackThread *playback = create_playback(true, 100.0, 1 << 24, false);
    BrumePlaybackStatus status = wait_for(playback, 8, -1, -1); // the position moves on
    assert_true(status.is_reading);
    assert_in_range(status.shown, 1, 2);
    set_number(&blocked, 0);
    (void)wait_for(playback, 8, 8, -1);
    expect_snapshot(playback, 8);
    brume_playback_thread_destroy(playback);
}

static void test_watching(void **state)
{
    (void)state;
    set_listed(1, 3, 0);
    broken = 3; // it is being written
    BrumePlaybackThread *playback = create_playback(false, 24.0, 1 << 24, true);
    (void)wait_for(playback, 1, 1, 2);
    set_listed(1, 5, 0);
    BrumePlaybackStatus status = wait_for(playback, -1, -1, 4);
    assert_int_equal(status.last, 5);
    brume_playback_thread_seek(playback, 3);
    status = wait_for(playback, 3, 2, -1);
    assert_true(status.is_broken);
    set_number(&broken, 0); // complete now
    (void)wait_for(playback, 3, 3, 5);
    expect_snapshot(playback, 3);
    brume_playback_thread_destroy(playback);
}

// the frames 1 to `last` exist, while a list of those before is being made
static void begin_list(BrumePlaybackThread *playback, int last)
{
    set_number(&list_blocked, 1);
    brume_playback_thread_refresh(playback);
    wait_until_blocked();
    set_listed(1, last, 0);
}

// that list is there, and then a new one
static void finish_list(BrumePlaybackThread *playback, int last)
{
    brume_playback_thread_refresh(playback);
    set_number(&list_blocked, 0);
    (void)wait_for(playback, -1, -1, last);
}

// A frame that is not in the list yet is gone to when it is, also where the list is being made at that moment.
static void test_seeking_in_an_outdated_list(void **state)
{
    (void)state;
    const BrumePlaybackDef def = {
        .frames =
            {.list = list, .read = read_frame, .stamp = stamp_of, .fps = 24.0, .budget = 1 << 24, .replaces = true},
    };
    set_listed(1, 3, 0);
    BrumePlaybackThread *playback = create_from(&def);
    (void)wait_for(playback, 1, 1, 3);
    begin_list(playback, 8);
    brume_playback_thread_seek(playback, 7);
    (void)wait_for(playback, 3, -1, -1); // the end of the former list
    finish_list(playback, 8);
    (void)wait_for(playback, 7, 7, -1);
    begin_list(playback, 12);
    brume_playback_thread_seek(playback, 11);
    (void)wait_for(playback, 8, -1, -1);
    brume_playback_thread_step(playback, -3); // a later move of the position counts
    finish_list(playback, 12);
    (void)wait_for(playback, 5, 5, -1);
    begin_list(playback, 14);
    brume_playback_thread_seek(playback, INT_MAX);
    finish_list(playback, 14);
    (void)wait_for(playback, 14, 14, -1);
    brume_playback_thread_destroy(playback);
}

// a file that is being read does not keep the window open
static void test_end_while_reading(void **state)
{
    (void)state;
    set_listed(1, 3, 0);
    blocked = 2;
    BrumePlaybackThread *playback = create_playback(false, 24.0, 1 << 24, false);
    (void)wait_for(playback, 1, 1, 1);
    wait_until_blocked();
    const int before = atomic_load(&reads);
    brume_playback_thread_destroy(playback); // returns although frame 2 is never read until the next line
    assert_int_equal(atomic_load(&reads), before);
    set_number(&blocked, 0);
    for (const double start = brume_seconds(); atomic_load(&reads) == before && brume_seconds() - start < max_wait;) {
        rest();
    }
    assert_int_equal(atomic_load(&reads), before + 1);
    (void)usleep(100000); // for the reader to free its memory, which a leak check would report
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_list_of_frames, set_up),
        cmocka_unit_test_setup(test_order_of_reading, set_up),
        cmocka_unit_test_setup(test_budget, set_up),
        cmocka_unit_test_setup(test_playhead, set_up),
        cmocka_unit_test_setup(test_scrubbing, set_up),
        cmocka_unit_test_setup(test_playing_to_the_end, set_up),
        cmocka_unit_test_setup(test_frame_by_frame, set_up),
        cmocka_unit_test_setup(test_slow_reading, set_up),
        cmocka_unit_test_setup(test_watching, set_up),
        cmocka_unit_test_setup(test_seeking_in_an_outdated_list, set_up),
        cmocka_unit_test_setup(test_end_while_reading, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
