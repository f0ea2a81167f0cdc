// The functions of the window thread, and those of the source of states.
#include "core/memory.h"
#include "viewer/threads/playback_thread_internal.h"

#include <limits.h>

static void lock(BrumePlaybackThread *thread) { brume_playback_lock(thread); }

static void unlock(BrumePlaybackThread *thread) { brume_playback_unlock(thread); }

static void unlock_and_signal(BrumePlaybackThread *thread) { brume_playback_unlock_and_signal(thread); }

void brume_playback_thread_seek(BrumePlaybackThread *thread, int frame)
{
    lock(thread);
    brume_playback_go_to(thread, frame);
    unlock_and_signal(thread);
}

void brume_playback_thread_seek_last(BrumePlaybackThread *thread) { brume_playback_thread_seek(thread, INT_MAX); }

void brume_playback_thread_step(BrumePlaybackThread *thread, int count)
{
    lock(thread);
    brume_playhead_step(&thread->playhead, count);
    thread->wanted = BRUME_NO_FRAME;
    unlock_and_signal(thread);
}

void brume_playback_thread_set_held(BrumePlaybackThread *thread, bool held)
{
    lock(thread);
    thread->playhead.held = held;
    brume_playhead_restart_clock(&thread->playhead);
    unlock_and_signal(thread);
}

void brume_playback_thread_set_loop(BrumePlaybackThread *thread, bool loop)
{
    lock(thread);
    thread->playhead.loop = loop;
    brume_playhead_restart_clock(&thread->playhead);
    unlock_and_signal(thread);
}

void brume_playback_thread_set_backwards(BrumePlaybackThread *thread, bool backwards)
{
    lock(thread);
    thread->playhead.backwards = backwards;
    brume_playhead_restart_clock(&thread->playhead);
    unlock_and_signal(thread);
}

void brume_playback_thread_set_fps(BrumePlaybackThread *thread, double fps)
{
    lock(thread);
    thread->frames.fps = fps;
    brume_playback_update_rate(thread);
    unlock_and_signal(thread);
}

void brume_playback_thread_refresh(BrumePlaybackThread *thread)
{
    lock(thread);
    thread->requested_lists++;
    unlock_and_signal(thread);
}

uint64_t brume_playback_thread_set_active(BrumePlaybackThread *thread, bool active)
{
    lock(thread);
    const uint64_t serial = thread->serial;
    thread->active = active;
    thread->shown_frame = NULL; // the frame of the position is published in any case
    unlock_and_signal(thread);
    return serial;
}

// copies the states of all frames; the mutex is locked
static void copy_states(BrumePlaybackThread *thread, BrumePlaybackStatus *status)
{
    const BrumeFrameCache *cache = &thread->cache;
    if (cache->count > thread->status_capacity) {
        brume_free(thread->numbers);
        brume_free(thread->states);
        thread->numbers = brume_alloc_untouched((size_t)cache->capacity, sizeof *thread->numbers);
        thread->states = brume_alloc_untouched((size_t)cache->capacity, sizeof *thread->states);
        thread->status_capacity = thread->numbers && thread->states ? cache->capacity : 0;
    }
    status->count = cache->count < thread->status_capacity ? cache->count : thread->status_capacity;
    status->numbers = thread->numbers;
    status->states = thread->states;
    for (int n = 0; n < status->count; n++) {
        thread->numbers[n] = cache->entries[n].number;
        const BrumeFrameEntry *entry = &cache->entries[n];
        const bool is_close = entry->is_close && entry->state == BRUME_FRAME_UNREAD;
        thread->states[n] = (unsigned char)(is_close ? BRUME_FRAME_IN_MEMORY : entry->state);
    }
}

void brume_playback_thread_poll(BrumePlaybackThread *thread, BrumePlaybackStatus *status)
{
    lock(thread);
    const BrumeFrameCache *cache = &thread->cache;
    const BrumePlayhead *playhead = &thread->playhead;
    const int index = brume_frame_cache_find(cache, playhead->position);
    const int shown = brume_frame_cache_find_shown(cache, playhead->position);
    *status = (BrumePlaybackStatus){
        .first = playhead->first,
        .last = playhead->last,
        .stride = playhead->stride,
        .position = playhead->position,
        .shown = thread->shown,
        .frame = shown >= 0 ? cache->entries[shown].number : -1,
        .is_missing = cache->count > 0 && index < 0,
        .is_broken = index >= 0 && cache->entries[index].state == BRUME_FRAME_BROKEN,
        .is_reading = shown >= 0 && !cache->entries[shown].cached,
        .stopped = thread->stopped,
        .in_memory = cache->in_memory,
        .bytes = cache->bytes,
        .budget = cache->budget,
        .read_ms = 1e3 * thread->read_seconds,
        .has_error = thread->has_error,
        .error = thread->error,
    };
    thread->stopped = false;
    thread->has_error = false;
    copy_states(thread, status);
    unlock(thread);
}

/*
 * The functions of the source of states.
 */

static const BrumeSnapshot *latest_snapshot(void *self)
{
    BrumePlaybackThread *thread = self;
    (void)brume_triple_buffer_take(&thread->buffer);
    return &thread->snapshots[brume_triple_buffer_read_slot(&thread->buffer)];
}

static void set_snapshot_callback(void *self, void (*callback)(void *), void *context)
{
    BrumePlaybackThread *thread = self;
    (void)pthread_mutex_lock(&thread->callback_mutex);
    thread->callback = callback;
    thread->callback_context = context;
    (void)pthread_mutex_unlock(&thread->callback_mutex);
}

static void set_running(void *self, bool running)
{
    BrumePlaybackThread *thread = self;
    lock(thread);
    brume_playhead_set_running(&thread->playhead, running);
    unlock_and_signal(thread);
}

static void step(void *self) { brume_playback_thread_step(self, 1); }

static void restart(void *self)
{
    BrumePlaybackThread *thread = self;
    lock(thread);
    brume_playback_go_to(thread, thread->playhead.first);
    unlock_and_signal(thread);
}

static void set_speed_limit(void *self, double limit)
{
    BrumePlaybackThread *thread = self;
    lock(thread);
    thread->speed = limit;
    brume_playback_update_rate(thread);
    unlock_and_signal(thread);
}

static void set_frame_by_frame(void *self, bool enabled)
{
    BrumePlaybackThread *thread = self;
    lock(thread);
    thread->frame_by_frame = enabled;
    thread->frame_permitted = false;
    brume_playhead_restart_clock(&thread->playhead);
    unlock_and_signal(thread);
}

// destroy waits for a short time only
static bool stop(void *self, double seconds)
{
    (void)self;
    (void)seconds;
    return true;
}

static void permit_frame(void *self)
{
    BrumePlaybackThread *thread = self;
    lock(thread);
    thread->frame_permitted = true;
    unlock_and_signal(thread);
}

static void destroy(void *self) { brume_playback_thread_destroy(self); }

BrumeStateSource brume_playback_thread_source(BrumePlaybackThread *thread)
{
    static const BrumeStateSourceFunctions functions = {
        .latest_snapshot = latest_snapshot,
        .set_snapshot_callback = set_snapshot_callback,
        .set_running = set_running,
        .step = step,
        .restart = restart,
        .set_speed_limit = set_speed_limit,
        .set_frame_by_frame = set_frame_by_frame,
        .permit_frame = permit_frame,
        .stop = stop,
        .destroy = destroy,
    };
    return (BrumeStateSource){thread, &functions};
}
