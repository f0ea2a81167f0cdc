// The functions of the window thread.
#include "core/memory.h"
#include "viewer/threads/playback_thread_internal.h"

#include <math.h>

void brume_playback_thread_seek(BrumePlaybackThread *thread, int frame)
{
    brume_monitor_lock(&thread->monitor);
    brume_playback_go_to(&thread->shared, frame);
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_playback_thread_step(BrumePlaybackThread *thread, int count)
{
    brume_monitor_lock(&thread->monitor);
    brume_playhead_step(&thread->shared.playhead, count);
    thread->shared.wanted = BRUME_NO_FRAME;
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
        brume_playback_update_rate(shared);
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
