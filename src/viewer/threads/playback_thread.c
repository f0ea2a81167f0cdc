/*
 * One monitor guards all state except published frames, which do not change. It is never locked while a file is read.
 * The slots of the triple buffer refer to frames of the cache and count as their users.
 */
#include "viewer/threads/playback_thread.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/parallel/worker.h"
#include "viewer/playback/playhead.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { NO_FRAME = INT_MIN }; // frames have numbers of either sign

static const double poll_interval = 0.5; // the frames are listed again after this time [s]
static const double max_end_wait = 0.5;  // for a file that is being read when the thread is destroyed [s]
static const double max_rate = 1000.0;   // positions per second

/** The data that the window thread, the player and the reader share, guarded by the monitor. */
typedef struct BrumePlaybackShared {
    BrumeFrameCache cache;
    BrumePlayhead playhead;
    double fps; ///< frames per second of wall time
    bool frame_by_frame, frame_permitted;
    double read_seconds;
    bool stopped, has_error;
    BrumeError error;
    bool active;                         ///< the player publishes and the reader reads
    uint64_t requested_lists;            ///< number of requests to list the frames again
    uint64_t finished_lists;             ///< requests that are answered; fewer: the list is outdated
    int wanted;                          ///< frame to go to once the list has it; NO_FRAME: none
    const BrumeSnapshot *latest;         ///< snapshot that was published last; an empty one at first
    const BrumeCachedFrame *shown_frame; ///< frame of `latest`; NULL: the frame of the position is to be published
    BrumeCachedFrame *held_frames[BRUME_TRIPLE_BUFFER_SLOTS]; ///< frames to which the snapshots refer
} BrumePlaybackShared;

struct BrumePlaybackThread {
    BrumeStoredFrames frames;
    void (*on_change)(void);
    BrumeStateSource source; // the player publishes
    BrumeWorker player, reader;

    BrumeMonitor monitor;
    BrumePlaybackShared shared;

    struct { // of the window thread: copies for the status
        int *numbers;
        unsigned char *states;
        int capacity;
    } window;
};

/*
 * All threads, with the monitor locked.
 */

// whether the list of frames is to be made again, or is being made
static bool is_outdated(const BrumePlaybackShared *shared) { return shared->finished_lists < shared->requested_lists; }

// Goes to the position nearest to a frame. If the list is outdated and lacks the frame, goes there again after the next
// list.
static void go_to(BrumePlaybackShared *shared, int frame)
{
    brume_playhead_seek(&shared->playhead, frame);
    const bool is_there = shared->playhead.position == frame;
    shared->wanted = is_outdated(shared) && !is_there ? frame : NO_FRAME;
}

// sets the positions per second, after a change of their distance or of the speed
static void update_rate(BrumePlaybackShared *shared)
{
    shared->playhead.rate = fmin(shared->fps / fmax(shared->playhead.stride, 1), max_rate);
    brume_playhead_restart_clock(&shared->playhead);
}

// sets the playhead's range to the numbers of the listed frames
static void update_range(BrumePlaybackShared *shared)
{
    const BrumeFrameCache *cache = &shared->cache;
    const int stride = shared->playhead.stride;
    if (cache->count > 0) {
        brume_playhead_set_range(&shared->playhead, cache->entries[0].number, cache->entries[cache->count - 1].number,
                                 brume_frame_cache_stride(cache));
    }
    if (shared->playhead.stride != stride) {
        update_rate(shared);
    }
}

// reading starts ahead of the position by as many frames as are shown while one is read
static BrumeReadOrder read_order(const BrumePlaybackShared *shared)
{
    const BrumePlayhead *playhead = &shared->playhead;
    const bool is_late = playhead->running && playhead->started && shared->read_seconds * playhead->rate > 1.0;
    return (BrumeReadOrder){
        .present = brume_frame_cache_find_shown(&shared->cache, playhead->position),
        .backwards = playhead->backwards,
        .loop = playhead->loop && playhead->running,
        .lead = is_late && !shared->frame_by_frame ? (int)fmin(shared->read_seconds * playhead->rate, 1e6) : 0,
    };
}

static void call_on_change(BrumePlaybackThread *thread)
{
    if (thread->on_change) {
        thread->on_change();
    }
}

/*
 * The player.
 */

// returns the index of the frame to show, -1 if it is shown already or not in memory
static int choose_shown(const BrumePlaybackShared *shared)
{
    const BrumeFrameCache *cache = &shared->cache;
    const BrumeReadOrder order = read_order(shared);
    if (order.present < 0) {
        return -1;
    }
    const BrumeFrameEntry *present = &cache->entries[order.present];
    int index = order.present;
    if (!present->cached) { // during playback the latest frame in memory is shown
        const bool passes = shared->playhead.running && shared->playhead.started;
        index = passes
                    ? brume_frame_cache_find_passed(cache, &order, brume_frame_cache_find(cache, shared->latest->frame))
                    : -1;
    }
    const bool is_new = index >= 0 && cache->entries[index].cached != shared->shown_frame;
    return is_new ? index : -1;
}

// Returns the index of the shown frame if it must be published again after playback was started or paused; else -1.
static int choose_again(const BrumePlaybackShared *shared)
{
    const bool is_reported =
        shared->latest->running == shared->playhead.running && shared->latest->frame_by_frame == shared->frame_by_frame;
    const int index =
        shared->shown_frame && !is_reported ? brume_frame_cache_find(&shared->cache, shared->latest->frame) : -1;
    return index >= 0 && shared->cache.entries[index].cached ? index : -1;
}

// Publishes the frame of an entry. The monitor is locked, and is unlocked during the callbacks.
static void publish(BrumePlaybackThread *thread, int index)
{
    BrumePlaybackShared *shared = &thread->shared;
    BrumeSnapshot *snapshot = brume_state_source_next(&thread->source);
    BrumeCachedFrame **held = &shared->held_frames[snapshot - thread->source.snapshots];
    BrumeCachedFrame *cached = brume_frame_cache_acquire(&shared->cache, index);
    brume_frame_cache_release(&shared->cache, *held);
    *held = cached;
    shared->shown_frame = cached;
    *snapshot = (BrumeSnapshot){
        .variant_count = brume_snapshot_has_fields(&cached->frame.second) ? 2 : 1,
        .variants = {cached->frame.state, cached->frame.second},
        .frame = shared->cache.entries[index].number,
        .seed = cached->frame.seed,
        .time = cached->frame.time,
        .serial = shared->latest->serial + 1,
        .epoch = cached->frame.epoch > 0 ? cached->frame.epoch : 1,
        .revision = cached->frame.revision,
        .running = shared->playhead.running,
        .frame_by_frame = shared->frame_by_frame,
        .waits = shared->frame_by_frame && !shared->frame_permitted,
    };
    shared->latest = snapshot;
    brume_triple_buffer_publish(&thread->source.buffer);
    brume_monitor_signal_and_unlock(&thread->monitor); // the order of reading may have changed
    brume_state_source_announce(&thread->source);
    call_on_change(thread);
    brume_monitor_lock(&thread->monitor);
}

// in frame-by-frame mode, goes to the next readable file once that is permitted
static void advance_to_next_file(BrumePlaybackThread *thread)
{
    BrumePlaybackShared *shared = &thread->shared;
    const BrumeFrameCache *cache = &shared->cache;
    const BrumeReadOrder order = read_order(shared);
    if (!shared->frame_permitted || !shared->playhead.running || order.present < 0 ||
        cache->entries[order.present].cached != shared->shown_frame) {
        return;
    }
    shared->frame_permitted = false;
    int next = order.present;
    do {
        next += order.backwards ? -1 : 1;
    } while (next >= 0 && next < cache->count && cache->entries[next].state == BRUME_FRAME_BROKEN);
    if (next >= 0 && next < cache->count) {
        brume_playhead_seek(&shared->playhead, cache->entries[next].number);
        brume_monitor_signal(&thread->monitor);
    } else {
        shared->playhead.running = false;
        shared->stopped = true;
    }
}

static void move_playhead(BrumePlaybackThread *thread, double now)
{
    BrumePlaybackShared *shared = &thread->shared;
    BrumePlayhead *playhead = &shared->playhead;
    const int position = playhead->position;
    if (shared->frame_by_frame) {
        advance_to_next_file(thread);
        return;
    }
    const BrumeReadOrder order = read_order(shared);
    if (playhead->running && !playhead->held && order.present >= 0 && shared->cache.entries[order.present].cached) {
        brume_playhead_start(playhead, now); // the frame of the start can be shown
    }
    shared->stopped = brume_playhead_advance(playhead, now) || shared->stopped;
    if (playhead->position != position) {
        brume_monitor_signal(&thread->monitor); // for the reader
    }
}

// the player's main function
static void run_player(void *context)
{
    BrumePlaybackThread *thread = context;
    BrumePlaybackShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->player)) {
        if (!shared->active) {
            brume_monitor_wait(&thread->monitor, INFINITY);
            continue;
        }
        move_playhead(thread, brume_seconds());
        const int chosen = choose_shown(shared);
        const int index = chosen >= 0 ? chosen : choose_again(shared);
        if (index >= 0) {
            publish(thread, index);
        } else {
            brume_monitor_wait(&thread->monitor, shared->frame_by_frame
                                                     ? INFINITY
                                                     : brume_playhead_next_change(&shared->playhead, brume_seconds()));
        }
    }
    brume_monitor_unlock(&thread->monitor);
}

/*
 * The reader.
 */

static void set_error(BrumePlaybackShared *shared, const BrumeError *error)
{
    shared->error = *error;
    shared->has_error = true;
}

// reads broken frames again whose files have changed; the monitor is unlocked
static void check_broken_frames(BrumePlaybackThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    for (int index = 0; index < thread->shared.cache.count; index++) { // only this thread changes the list
        BrumeFrameEntry *entry = &thread->shared.cache.entries[index];
        if (entry->state == BRUME_FRAME_BROKEN) {
            const int number = entry->number;
            brume_monitor_unlock(&thread->monitor);
            const uint64_t stamp = thread->frames.stamp(thread->frames.context, number);
            brume_monitor_lock(&thread->monitor);
            entry->state = stamp != entry->stamp ? BRUME_FRAME_UNREAD : BRUME_FRAME_BROKEN;
        }
    }
    brume_monitor_unlock(&thread->monitor);
}

// returns the properties of these frames that are known before reading; NULL without memory
static BrumeListedFrame *describe_frames(const BrumeStoredFrames *frames, const int *numbers, int count)
{
    BrumeListedFrame *listed = brume_alloc((size_t)count + 1, sizeof *listed);
    for (int n = 0; listed && n < count; n++) {
        listed[n].number = numbers[n];
        if (frames->replaces) {
            listed[n].stamp = frames->stamp(frames->context, numbers[n]);
            listed[n].is_close = frames->is_close && frames->is_close(frames->context, numbers[n]);
        }
    }
    return listed;
}

// Adds the existing frames to the list, or replaces the list by them (BrumeStoredFrames.replaces). The monitor is
// unlocked. Another call makes a list that is requested meanwhile.
static BrumeStatus list_frames(BrumePlaybackThread *thread, BrumeError *error)
{
    BrumePlaybackShared *shared = &thread->shared;
    const BrumeStoredFrames *frames = &thread->frames;
    brume_monitor_lock(&thread->monitor);
    const uint64_t requested = shared->requested_lists;
    brume_monitor_unlock(&thread->monitor);
    int *numbers = NULL;
    int count = 0;
    BrumeListedFrame *listed = NULL;
    BrumeStatus status = frames->list(frames->context, &numbers, &count, error);
    if (status == BRUME_OK) {
        listed = describe_frames(frames, numbers, count);
        status = listed ? BRUME_OK : brume_out_of_memory(error, "the list of %d frames", count);
    }
    brume_monitor_lock(&thread->monitor);
    const int before = shared->cache.count;
    if (status == BRUME_OK) {
        status = brume_frame_cache_list(&shared->cache, listed, count, frames->replaces, error);
    }
    const bool is_new = frames->replaces || shared->cache.count != before;
    if (is_new) {
        update_range(shared);
    }
    shared->finished_lists = requested;
    if (shared->wanted != NO_FRAME) {
        go_to(shared, shared->wanted);
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
    brume_free(listed);
    brume_free(numbers);
    if (is_new) {
        call_on_change(thread);
    }
    return status;
}

// lists the frames; an error is reported unless it is the latest one and `is_repeated`; the monitor is unlocked
static void update_list(BrumePlaybackThread *thread, bool is_repeated)
{
    BrumeError error;
    if (list_frames(thread, &error) != BRUME_OK) {
        brume_monitor_lock(&thread->monitor);
        if (!is_repeated || strcmp(error.text, thread->shared.error.text) != 0) {
            set_error(&thread->shared, &error);
        }
        brume_monitor_unlock(&thread->monitor);
    }
}

// Reads the frame of an entry. The monitor is locked, and is unlocked while the file is read.
static void read_entry(BrumePlaybackThread *thread, int index, const BrumeReadOrder *order)
{
    BrumePlaybackShared *shared = &thread->shared;
    brume_frame_cache_make_room(&shared->cache, order);
    const int number = shared->cache.entries[index].number;
    brume_monitor_unlock(&thread->monitor);
    const double start = brume_seconds();
    BrumeStoredFrame frame = {0};
    BrumeError error;
    const uint64_t stamp = thread->frames.stamp(thread->frames.context, number); // before it is read
    BrumeStatus status = thread->frames.read(thread->frames.context, number, &frame, &error);
    const double seconds = brume_seconds() - start;
    brume_monitor_lock(&thread->monitor);
    if (status == BRUME_OK) {
        status = brume_frame_cache_insert(&shared->cache, index, &frame, &error);
        shared->read_seconds = shared->read_seconds > 0.0 ? 0.7 * shared->read_seconds + 0.3 * seconds : seconds;
    }
    shared->cache.entries[index].stamp = stamp;
    if (status != BRUME_OK) {
        shared->cache.entries[index].state = BRUME_FRAME_BROKEN;
    }
    if (status != BRUME_OK && error.text[0]) {
        set_error(shared, &error);
    }
    brume_monitor_signal(&thread->monitor);
    if (!brume_worker_quits(&thread->reader)) {
        brume_monitor_unlock(&thread->monitor);
        call_on_change(thread);
        brume_monitor_lock(&thread->monitor);
    }
}

// frees everything when both threads have ended
static void release(void *context)
{
    BrumePlaybackThread *thread = context;
    for (int slot = 0; slot < BRUME_TRIPLE_BUFFER_SLOTS; slot++) { // the cache may have dropped these frames
        brume_frame_cache_release(&thread->shared.cache, thread->shared.held_frames[slot]);
    }
    brume_frame_cache_destroy(&thread->shared.cache);
    brume_free(thread->window.numbers);
    brume_free(thread->window.states);
    brume_state_source_destroy(&thread->source);
    brume_monitor_destroy(&thread->monitor);
    brume_free(thread);
}

// the reader's main function
static void run_reader(void *context)
{
    BrumePlaybackThread *thread = context;
    BrumePlaybackShared *shared = &thread->shared;
    brume_set_threads(1); // the processors are for the pictures
    double next_poll = thread->frames.watch ? brume_seconds() + poll_interval : INFINITY;
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->reader)) {
        const bool polls = brume_seconds() >= next_poll;
        if (polls || is_outdated(shared)) {
            brume_monitor_unlock(&thread->monitor);
            update_list(thread, polls);
            if (polls) {
                check_broken_frames(thread);
                next_poll = brume_seconds() + poll_interval;
            }
            brume_monitor_lock(&thread->monitor);
            continue;
        }
        const BrumeReadOrder order = read_order(shared);
        const int index = shared->active ? brume_frame_cache_next(&shared->cache, &order) : -1;
        if (index >= 0) {
            read_entry(thread, index, &order);
        } else {
            brume_monitor_wait(&thread->monitor, next_poll);
        }
    }
    brume_monitor_unlock(&thread->monitor);
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
    brume_monitor_init(&created->monitor);
    brume_state_source_init(&created->source);
    created->frames = def->frames;
    created->shared.latest = &created->source.snapshots[0]; // empty
    created->shared.fps = def->frames.fps;
    created->shared.cache.budget = def->frames.budget;
    created->shared.playhead = (BrumePlayhead){.stride = 1, .running = def->running, .loop = def->loop};
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        created->source.snapshots[n].variant_count = 1;
    }
    created->shared.active = !def->inactive;
    created->shared.wanted = NO_FRAME;
    BrumeStatus status = list_frames(created, error);
    update_rate(&created->shared);
    created->on_change = def->on_change;
    if (status == BRUME_OK) {
        status = brume_worker_start(&created->player, &created->monitor, "brume-player", run_player, created, error);
    }
    if (status == BRUME_OK) {
        status = brume_worker_start(&created->reader, &created->monitor, "brume-reader", run_reader, created, error);
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
    if (thread) {
        (void)brume_worker_stop(&thread->reader, 0.0);
        brume_worker_join(&thread->player);
        brume_worker_join_or_detach(&thread->reader, max_end_wait, release, thread);
    }
}

BrumeStateSource *brume_playback_thread_source(BrumePlaybackThread *thread) { return &thread->source; }

void brume_playback_thread_seek(BrumePlaybackThread *thread, int frame)
{
    brume_monitor_lock(&thread->monitor);
    go_to(&thread->shared, frame);
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_step(BrumePlaybackThread *thread, int count)
{
    brume_monitor_lock(&thread->monitor);
    brume_playhead_step(&thread->shared.playhead, count);
    thread->shared.wanted = NO_FRAME;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_set_running(BrumePlaybackThread *thread, bool running)
{
    brume_monitor_lock(&thread->monitor);
    brume_playhead_set_running(&thread->shared.playhead, running);
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_set_mode(BrumePlaybackThread *thread, const BrumePlaybackMode *mode)
{
    BrumePlaybackShared *shared = &thread->shared;
    BrumePlayhead *playhead = &shared->playhead;
    brume_monitor_lock(&thread->monitor);
    if (playhead->loop != mode->loop || playhead->backwards != mode->backwards || playhead->held != mode->held ||
        fabs(shared->fps - mode->fps) > 0.0) {
        playhead->loop = mode->loop;
        playhead->backwards = mode->backwards;
        playhead->held = mode->held;
        shared->fps = mode->fps;
        update_rate(shared);
        brume_monitor_signal(&thread->monitor);
    }
    brume_monitor_unlock(&thread->monitor);
}

void brume_playback_thread_set_frame_by_frame(BrumePlaybackThread *thread, bool enabled)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.frame_by_frame = enabled;
    thread->shared.frame_permitted = false;
    brume_playhead_restart_clock(&thread->shared.playhead);
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_permit_frame(BrumePlaybackThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.frame_permitted = true;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_refresh(BrumePlaybackThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.requested_lists++;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

uint64_t brume_playback_thread_set_active(BrumePlaybackThread *thread, bool active)
{
    brume_monitor_lock(&thread->monitor);
    const uint64_t next = thread->shared.latest->serial + 1;
    thread->shared.active = active;
    thread->shared.shown_frame = NULL; // the frame of the position is published in any case
    brume_monitor_signal_and_unlock(&thread->monitor);
    return next;
}

// copies the states of all frames; the monitor is locked
static void copy_states(BrumePlaybackThread *thread, BrumePlaybackStatus *status)
{
    const BrumeFrameCache *cache = &thread->shared.cache;
    if (cache->count > thread->window.capacity) {
        const size_t capacity = 2 * (size_t)cache->count;
        brume_free(thread->window.numbers);
        brume_free(thread->window.states);
        thread->window.numbers = brume_alloc_untouched(capacity, sizeof *thread->window.numbers);
        thread->window.states = brume_alloc_untouched(capacity, sizeof *thread->window.states);
        thread->window.capacity = thread->window.numbers && thread->window.states ? (int)capacity : 0;
    }
    status->count = cache->count < thread->window.capacity ? cache->count : thread->window.capacity;
    status->numbers = thread->window.numbers;
    status->states = thread->window.states;
    for (int n = 0; n < status->count; n++) {
        const BrumeFrameEntry *entry = &cache->entries[n];
        const bool is_close = entry->is_close && entry->state == BRUME_FRAME_UNREAD;
        thread->window.numbers[n] = entry->number;
        thread->window.states[n] = (unsigned char)(is_close ? BRUME_FRAME_IN_MEMORY : entry->state);
    }
}

void brume_playback_thread_poll(BrumePlaybackThread *thread, BrumePlaybackStatus *status)
{
    BrumePlaybackShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    const BrumeFrameCache *cache = &shared->cache;
    const BrumePlayhead *playhead = &shared->playhead;
    const int index = brume_frame_cache_find(cache, playhead->position);
    const int shown = brume_frame_cache_find_shown(cache, playhead->position);
    *status = (BrumePlaybackStatus){
        .first = playhead->first,
        .last = playhead->last,
        .stride = playhead->stride,
        .position = playhead->position,
        .shown = shared->latest->frame,
        .frame = shown >= 0 ? cache->entries[shown].number : -1,
        .is_missing = cache->count > 0 && index < 0,
        .is_broken = index >= 0 && cache->entries[index].state == BRUME_FRAME_BROKEN,
        .is_reading = shown >= 0 && !cache->entries[shown].cached,
        .stopped = shared->stopped,
        .in_memory = cache->in_memory,
        .bytes = cache->bytes,
        .budget = cache->budget,
        .read_ms = 1e3 * shared->read_seconds,
        .has_error = shared->has_error,
        .error = shared->error,
    };
    shared->stopped = false;
    shared->has_error = false;
    copy_states(thread, status);
    brume_monitor_unlock(&thread->monitor);
}
