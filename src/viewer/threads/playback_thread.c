/*
 * One mutex guards all state but the frames that are published, which do not change. It is never held while a file is
 * read. The slots of the triple buffer refer to the frames of the cache and count as users of them.
 */
#include "viewer/threads/playback_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static const double poll_interval = 0.5; // between two lists of the frames that exist [s]
static const double max_end_wait = 0.5;  // for a file that is being read at the end [s]
static const double max_rate = 1000.0;   // positions per second

static void lock(BrumePlaybackThread *thread) { brume_playback_lock(thread); }

static void unlock(BrumePlaybackThread *thread) { brume_playback_unlock(thread); }

static void unlock_and_signal(BrumePlaybackThread *thread) { brume_playback_unlock_and_signal(thread); }

/*
 * Both threads, with the mutex locked.
 */

// the largest distance that all frames have, and 1 where there are none
static int find_stride(const BrumeFrameCache *cache)
{
    int stride = 0;
    for (int n = 1; n < cache->count; n++) { // Euclid's algorithm
        int rest = cache->entries[n].number - cache->entries[n - 1].number;
        while (rest > 0) {
            const int next = stride % rest;
            stride = rest;
            rest = next;
        }
    }
    return stride > 0 ? stride : 1;
}

static void update_range(BrumePlaybackThread *thread)
{
    const BrumeFrameCache *cache = &thread->cache;
    if (cache->count > 0) {
        brume_playhead_set_range(&thread->playhead, cache->entries[0].number, cache->entries[cache->count - 1].number,
                                 find_stride(cache));
    }
}

void brume_playback_go_to(BrumePlaybackThread *thread, int frame)
{
    brume_playhead_seek(&thread->playhead, frame);
    const bool is_there = thread->playhead.position == frame;
    thread->wanted = brume_playback_is_outdated(thread) && !is_there ? frame : BRUME_NO_FRAME;
}

void brume_playback_update_rate(BrumePlaybackThread *thread)
{
    thread->playhead.rate = fmin(thread->frames.fps * thread->speed / fmax(thread->playhead.stride, 1), max_rate);
    brume_playhead_restart_clock(&thread->playhead);
}

static BrumeReadOrder read_order(const BrumePlaybackThread *thread)
{
    const BrumePlayhead *playhead = &thread->playhead;
    const bool is_late = playhead->running && playhead->started && thread->read_seconds * playhead->rate > 1.0;
    return (BrumeReadOrder){
        .present = brume_frame_cache_find_shown(&thread->cache, playhead->position),
        .backwards = playhead->backwards,
        .loop = playhead->loop && playhead->running,
        .lead = is_late && !thread->frame_by_frame ? (int)fmin(thread->read_seconds * playhead->rate, 1e6) : 0,
    };
}

/*
 * The player.
 */

// the index of the frame to show, -1 for the one that is shown already
static int choose_shown(const BrumePlaybackThread *thread)
{
    const BrumeFrameCache *cache = &thread->cache;
    const BrumeReadOrder order = read_order(thread);
    if (order.present < 0) {
        return -1;
    }
    const BrumeFrameEntry *present = &cache->entries[order.present];
    int index = order.present;
    if (!present->cached) { // playing shows the latest one that there is
        const bool passes = thread->playhead.running && thread->playhead.started;
        index =
            passes ? brume_frame_cache_find_passed(cache, &order, brume_frame_cache_find(cache, thread->shown)) : -1;
    }
    const bool is_new = index >= 0 && cache->entries[index].cached != thread->shown_frame;
    return is_new ? index : -1;
}

static void call_snapshot_callback(BrumePlaybackThread *thread)
{
    (void)pthread_mutex_lock(&thread->callback_mutex);
    if (thread->callback) {
        thread->callback(thread->callback_context);
    }
    (void)pthread_mutex_unlock(&thread->callback_mutex);
}

// Publishes the frame of an entry; where `index` is negative the one that is shown, because it runs or pauses now. The
// mutex is locked, and unlocked during the callback.
static void publish(BrumePlaybackThread *thread, int index)
{
    const unsigned slot = brume_triple_buffer_write_slot(&thread->buffer);
    BrumeSnapshot *snapshot = &thread->snapshots[slot];
    const int shown = index >= 0 ? index : brume_frame_cache_find(&thread->cache, thread->shown);
    BrumeCachedFrame *cached = brume_frame_cache_acquire(&thread->cache, shown);
    brume_frame_cache_release(&thread->cache, thread->held_frames[slot]);
    thread->held_frames[slot] = cached;
    thread->shown = thread->cache.entries[shown].number;
    thread->shown_frame = cached;
    thread->shown_running = thread->playhead.running;
    thread->shown_frame_by_frame = thread->frame_by_frame;
    *snapshot = (BrumeSnapshot){
        .variant_count = brume_snapshot_has_fields(&cached->frame.second) ? 2 : 1,
        .variants = {cached->frame.state, cached->frame.second},
        .frame = thread->shown,
        .seed = cached->frame.seed,
        .time = cached->frame.time,
        .serial = ++thread->serial,
        .epoch = cached->frame.epoch > 0 ? cached->frame.epoch : 1,
        .revision = cached->frame.revision,
        .running = thread->shown_running,
        .frame_by_frame = thread->frame_by_frame,
        .waits = thread->frame_by_frame && !thread->frame_permitted,
    };
    brume_triple_buffer_publish(&thread->buffer);
    (void)pthread_cond_broadcast(&thread->changed); // the order of reading may have changed
    unlock(thread);
    call_snapshot_callback(thread);
    lock(thread);
}

// with frame by frame, goes to the next file after the one that was permitted
static void advance_to_next_file(BrumePlaybackThread *thread)
{
    const BrumeFrameCache *cache = &thread->cache;
    const BrumeReadOrder order = read_order(thread);
    if (!thread->frame_permitted || !thread->playhead.running || order.present < 0 ||
        cache->entries[order.present].cached != thread->shown_frame) {
        return;
    }
    thread->frame_permitted = false;
    int next = order.present;
    do {
        next += order.backwards ? -1 : 1;
    } while (next >= 0 && next < cache->count && cache->entries[next].state == BRUME_FRAME_BROKEN);
    if (next >= 0 && next < cache->count) {
        brume_playhead_seek(&thread->playhead, cache->entries[next].number);
        (void)pthread_cond_broadcast(&thread->changed);
    } else {
        thread->playhead.running = false;
        thread->stopped = true;
    }
}

static void move_playhead(BrumePlaybackThread *thread, double now)
{
    BrumePlayhead *playhead = &thread->playhead;
    const int position = playhead->position;
    if (thread->frame_by_frame) {
        advance_to_next_file(thread);
        return;
    }
    const BrumeReadOrder order = read_order(thread);
    if (playhead->running && !playhead->held && order.present >= 0 && thread->cache.entries[order.present].cached) {
        brume_playhead_start(playhead, now); // the frame of the start can be shown
    }
    thread->stopped = brume_playhead_advance(playhead, now) || thread->stopped;
    if (playhead->position != position) {
        (void)pthread_cond_broadcast(&thread->changed); // for the reader
    }
}

// the player's main function
static void *run_player(void *context)
{
    BrumePlaybackThread *thread = context;
    brume_name_threads("brume-player");
    lock(thread);
    while (!thread->quit) {
        if (!thread->active) {
            brume_wait_until(&thread->changed, &thread->mutex, INFINITY);
            continue;
        }
        move_playhead(thread, brume_seconds());
        const int index = choose_shown(thread);
        const bool is_reported =
            thread->shown_running == thread->playhead.running && thread->shown_frame_by_frame == thread->frame_by_frame;
        if (index >= 0 ||
            (thread->shown_frame && !is_reported && brume_frame_cache_find(&thread->cache, thread->shown) >= 0 &&
             thread->cache.entries[brume_frame_cache_find(&thread->cache, thread->shown)].cached)) {
            publish(thread, index);
            if (thread->on_change) {
                unlock(thread);
                thread->on_change();
                lock(thread);
            }
            continue;
        }
        const double now = brume_seconds();
        brume_wait_until(&thread->changed, &thread->mutex,
                         thread->frame_by_frame ? INFINITY : brume_playhead_next_change(&thread->playhead, now));
    }
    unlock(thread);
    return NULL;
}

/*
 * The reader.
 */

static void set_error(BrumePlaybackThread *thread, const BrumeError *error)
{
    thread->error = *error;
    thread->has_error = true;
}

// reads broken frames again whose files have changed; the mutex is unlocked
static void check_broken_frames(BrumePlaybackThread *thread)
{
    lock(thread);
    for (int index = 0; index < thread->cache.count; index++) { // only this thread changes the list
        BrumeFrameEntry *entry = &thread->cache.entries[index];
        if (entry->state == BRUME_FRAME_BROKEN) {
            const int number = entry->number;
            unlock(thread);
            const uint64_t stamp = thread->frames.stamp(thread->frames.context, number);
            lock(thread);
            entry->state = stamp != entry->stamp ? BRUME_FRAME_UNREAD : BRUME_FRAME_BROKEN;
        }
    }
    unlock(thread);
}

// adds the frames that exist now; the mutex is unlocked
static BrumeStatus list_frames(BrumePlaybackThread *thread, BrumeError *error)
{
    int *numbers = NULL;
    int count = 0;
    BrumeStatus status = thread->frames.list(thread->frames.context, &numbers, &count, error);
    lock(thread);
    const int before = thread->cache.count;
    if (status == BRUME_OK) {
        status = brume_frame_cache_add(&thread->cache, numbers, count, error);
    }
    const bool is_new = thread->cache.count != before;
    if (is_new) {
        const int stride = thread->playhead.stride;
        update_range(thread);
        if (thread->playhead.stride != stride) {
            brume_playback_update_rate(thread);
        }
    }
    unlock_and_signal(thread);
    brume_free(numbers);
    if (is_new && thread->on_change) {
        thread->on_change();
    }
    return status;
}

// Makes the frames that exist now the only ones. The mutex is unlocked. A list that is requested meanwhile is made by
// another call.
static BrumeStatus replace_frames(BrumePlaybackThread *thread, BrumeError *error)
{
    lock(thread);
    const uint64_t requested = thread->requested_lists;
    unlock(thread);
    int *numbers = NULL;
    int count = 0;
    BrumeStatus status = thread->frames.list(thread->frames.context, &numbers, &count, error);
    BrumeListedFrame *listed = NULL;
    if (status == BRUME_OK) {
        listed = brume_alloc((size_t)count + 1, sizeof *listed);
        status = listed ? BRUME_OK : brume_out_of_memory(error, "the list of %d frames", count);
    }
    for (int n = 0; listed && n < count; n++) {
        listed[n] = (BrumeListedFrame){
            .number = numbers[n],
            .stamp = thread->frames.stamp(thread->frames.context, numbers[n]),
            .is_close = thread->frames.is_close && thread->frames.is_close(thread->frames.context, numbers[n]),
        };
    }
    lock(thread);
    if (status == BRUME_OK) {
        status = brume_frame_cache_replace(&thread->cache, listed, count, error);
        update_range(thread);
    }
    thread->finished_lists = requested;
    if (thread->wanted != BRUME_NO_FRAME) {
        brume_playback_go_to(thread, thread->wanted);
    }
    unlock_and_signal(thread);
    brume_free(listed);
    brume_free(numbers);
    if (thread->on_change) {
        thread->on_change();
    }
    return status;
}

static void watch(BrumePlaybackThread *thread)
{
    BrumeError error;
    if (list_frames(thread, &error) != BRUME_OK) {
        lock(thread);
        if (strcmp(error.text, thread->error.text) != 0) {
            set_error(thread, &error);
        }
        unlock(thread);
    }
    check_broken_frames(thread);
}

// Reads the frame of an entry. The mutex is locked, and unlocked while the file is read.
static void read_entry(BrumePlaybackThread *thread, int index, const BrumeReadOrder *order)
{
    brume_frame_cache_make_room(&thread->cache, order);
    const int number = thread->cache.entries[index].number;
    thread->reading = number;
    unlock(thread);
    const double start = brume_seconds();
    BrumeStoredFrame frame = {0};
    BrumeError error;
    const uint64_t stamp = thread->frames.stamp(thread->frames.context, number); // before it is read
    BrumeStatus status = thread->frames.read(thread->frames.context, number, &frame, &error);
    const double seconds = brume_seconds() - start;
    lock(thread);
    thread->reading = 0;
    if (status == BRUME_OK) {
        status = brume_frame_cache_insert(&thread->cache, index, &frame, &error);
        thread->read_seconds = thread->read_seconds > 0.0 ? 0.7 * thread->read_seconds + 0.3 * seconds : seconds;
    }
    thread->cache.entries[index].stamp = stamp;
    if (status != BRUME_OK) {
        thread->cache.entries[index].state = BRUME_FRAME_BROKEN;
    }
    if (status != BRUME_OK && error.text[0]) {
        set_error(thread, &error);
    }
    (void)pthread_cond_broadcast(&thread->changed);
    if (thread->on_change && !thread->quit) {
        unlock(thread);
        thread->on_change();
        lock(thread);
    }
}

static void free_all(BrumePlaybackThread *thread)
{
    for (int slot = 0; slot < BRUME_TRIPLE_BUFFER_SLOTS; slot++) { // the cache may not have these frames any more
        brume_frame_cache_release(&thread->cache, thread->held_frames[slot]);
    }
    brume_frame_cache_destroy(&thread->cache);
    brume_free(thread->numbers);
    brume_free(thread->states);
    (void)pthread_mutex_destroy(&thread->callback_mutex);
    (void)pthread_mutex_destroy(&thread->mutex);
    (void)pthread_cond_destroy(&thread->changed);
    brume_free(thread);
}

// the reader's main function
static void *run_reader(void *context)
{
    BrumePlaybackThread *thread = context;
    brume_name_threads("brume-reader");
    brume_set_threads(1); // the processors are for the pictures
    double next_poll = thread->frames.watch ? brume_seconds() + poll_interval : INFINITY;
    lock(thread);
    while (!thread->quit) {
        if (brume_seconds() >= next_poll) {
            unlock(thread);
            watch(thread);
            next_poll = brume_seconds() + poll_interval;
            lock(thread);
            continue;
        }
        if (brume_playback_is_outdated(thread)) {
            unlock(thread);
            BrumeError error;
            const BrumeStatus status = replace_frames(thread, &error);
            lock(thread);
            if (status != BRUME_OK) {
                set_error(thread, &error);
            }
            continue;
        }
        const BrumeReadOrder order = read_order(thread);
        const int index = thread->active ? brume_frame_cache_next(&thread->cache, &order) : -1;
        if (index >= 0) {
            read_entry(thread, index, &order);
        } else {
            brume_wait_until(&thread->changed, &thread->mutex, next_poll);
        }
    }
    thread->reader_runs = false;
    const bool abandoned = thread->abandoned;
    unlock_and_signal(thread);
    if (abandoned) {
        free_all(thread);
    }
    return NULL;
}

/*
 * The window thread.
 */

BrumeStatus brume_playback_thread_create(BrumePlaybackThread **thread, const BrumePlaybackDef *def, BrumeError *error)
{
    *thread = NULL;
    BrumePlaybackThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&created->changed);
    (void)pthread_mutex_init(&created->mutex, NULL);
    (void)pthread_mutex_init(&created->callback_mutex, NULL);
    brume_triple_buffer_init(&created->buffer);
    created->frames = def->frames;
    created->speed = 1.0;
    created->cache.budget = def->frames.budget;
    created->playhead = (BrumePlayhead){.stride = 1, .running = def->running, .loop = def->loop};
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        created->snapshots[n].variant_count = 1;
    }
    created->active = !def->inactive;
    created->wanted = BRUME_NO_FRAME;
    BrumeStatus status = created->frames.replaces ? replace_frames(created, error) : list_frames(created, error);
    brume_playback_update_rate(created);
    created->on_change = def->on_change;
    int failure = 0;
    if (status == BRUME_OK) {
        failure = pthread_create(&created->player, NULL, run_player, created);
        created->player_started = failure == 0;
    }
    if (status == BRUME_OK && failure == 0) {
        created->reader_runs = true;
        failure = pthread_create(&created->reader, NULL, run_reader, created);
        created->reader_runs = failure == 0;
    }
    if (status == BRUME_OK && failure != 0) {
        status = brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    if (status != BRUME_OK) {
        brume_playback_thread_destroy(created);
        created = NULL;
    }
    *thread = created;
    return status;
}

void brume_playback_thread_destroy(BrumePlaybackThread *thread)
{
    if (!thread) {
        return;
    }
    lock(thread);
    const bool has_reader = thread->reader_runs;
    thread->quit = true;
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
    if (thread->player_started) {
        (void)pthread_join(thread->player, NULL);
    }
    lock(thread);
    const double until = brume_seconds() + max_end_wait;
    while (thread->reader_runs && brume_seconds() < until) {
        brume_wait_until(&thread->changed, &thread->mutex, until);
    }
    thread->abandoned = thread->reader_runs;
    const bool abandoned = thread->abandoned;
    const pthread_t reader = thread->reader;
    unlock(thread);
    if (abandoned) {
        (void)pthread_detach(reader);
        return;
    }
    if (has_reader) {
        (void)pthread_join(reader, NULL);
    }
    free_all(thread);
}
