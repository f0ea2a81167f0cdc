#include "viewer/threads/state_source.h"

void brume_state_source_init(BrumeStateSource *source)
{
    brume_triple_buffer_init(&source->buffer);
    (void)pthread_mutex_init(&source->callback_mutex, NULL);
}

void brume_state_source_destroy(BrumeStateSource *source) { (void)pthread_mutex_destroy(&source->callback_mutex); }

void brume_state_source_announce(BrumeStateSource *source)
{
    (void)pthread_mutex_lock(&source->callback_mutex);
    if (source->callback) {
        source->callback(source->callback_context);
    }
    (void)pthread_mutex_unlock(&source->callback_mutex);
}

void brume_state_source_publish(BrumeStateSource *source)
{
    brume_triple_buffer_publish(&source->buffer);
    brume_state_source_announce(source);
}

const BrumeSnapshot *brume_state_source_latest(BrumeStateSource *source)
{
    (void)brume_triple_buffer_take(&source->buffer);
    return &source->snapshots[brume_triple_buffer_read_slot(&source->buffer)];
}

void brume_state_source_set_callback(BrumeStateSource *source, void (*callback)(void *), void *context)
{
    (void)pthread_mutex_lock(&source->callback_mutex);
    source->callback = callback;
    source->callback_context = context;
    (void)pthread_mutex_unlock(&source->callback_mutex);
}

void brume_state_switch_show_past(BrumeStateSwitch *states, uint64_t first)
{
    atomic_store(&states->first, first);
    brume_state_source_announce(states->past); // a snapshot may have been published while the past was not shown
}

void brume_state_switch_show_present(BrumeStateSwitch *states)
{
    atomic_store(&states->first, 0);
    brume_state_source_announce(states->present);
}

const BrumeSnapshot *brume_state_switch_latest(BrumeStateSwitch *states)
{
    const uint64_t first = atomic_load(&states->first);
    if (first > 0) {
        const BrumeSnapshot *snapshot = brume_state_source_latest(states->past);
        if (snapshot->serial >= first) {
            return snapshot;
        }
    }
    return brume_state_source_latest(states->present);
}

void brume_state_switch_set_callback(BrumeStateSwitch *states, void (*callback)(void *), void *context)
{
    brume_state_source_set_callback(states->present, callback, context);
    if (states->past) {
        brume_state_source_set_callback(states->past, callback, context);
    }
}
