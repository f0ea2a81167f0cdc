#include "viewer/threads/switched_source.h"

void brume_switched_source_init(BrumeSwitchedSource *source, BrumeStateSource simulation, BrumeStateSource playback)
{
    source->simulation = simulation;
    source->playback = playback;
    atomic_init(&source->shows_playback, false);
    atomic_init(&source->after, 0);
    source->callback = NULL;
}

static void announce(const BrumeSwitchedSource *source)
{
    if (source->callback) {
        source->callback(source->callback_context);
    }
}

void brume_switched_source_show_playback(BrumeSwitchedSource *source, uint64_t after)
{
    atomic_store(&source->after, after);
    atomic_store(&source->shows_playback, true);
    announce(source); // a snapshot may have been published before, when it was not shown
}

void brume_switched_source_show_simulation(BrumeSwitchedSource *source)
{
    atomic_store(&source->shows_playback, false);
    announce(source);
}

static const BrumeStateSource *shown(BrumeSwitchedSource *source)
{
    return atomic_load(&source->shows_playback) ? &source->playback : &source->simulation;
}

static const BrumeSnapshot *latest_snapshot(void *self)
{
    BrumeSwitchedSource *source = self;
    if (atomic_load(&source->shows_playback)) {
        const BrumeSnapshot *snapshot = source->playback.functions->latest_snapshot(source->playback.self);
        if (snapshot->serial > atomic_load(&source->after)) {
            return snapshot;
        }
    }
    return source->simulation.functions->latest_snapshot(source->simulation.self);
}

static void set_snapshot_callback(void *self, void (*callback)(void *), void *context)
{
    BrumeSwitchedSource *source = self;
    source->callback = callback;
    source->callback_context = context;
    source->simulation.functions->set_snapshot_callback(source->simulation.self, callback, context);
    source->playback.functions->set_snapshot_callback(source->playback.self, callback, context);
}

static void set_running(void *self, bool running)
{
    const BrumeStateSource *source = shown(self);
    source->functions->set_running(source->self, running);
}

static void step(void *self)
{
    const BrumeStateSource *source = shown(self);
    source->functions->step(source->self);
}

static void restart(void *self)
{
    BrumeSwitchedSource *source = self;
    source->simulation.functions->restart(source->simulation.self);
}

static void set_speed_limit(void *self, double limit)
{
    BrumeSwitchedSource *source = self;
    source->simulation.functions->set_speed_limit(source->simulation.self, limit);
    source->playback.functions->set_speed_limit(source->playback.self, limit);
}

static void set_frame_by_frame(void *self, bool enabled)
{
    BrumeSwitchedSource *source = self;
    source->simulation.functions->set_frame_by_frame(source->simulation.self, enabled);
    source->playback.functions->set_frame_by_frame(source->playback.self, enabled);
}

// called by the threads of pictures too
static void permit_frame(void *self)
{
    const BrumeStateSource *source = shown(self);
    source->functions->permit_frame(source->self);
}

static bool stop(void *self, double seconds)
{
    BrumeSwitchedSource *source = self;
    return source->simulation.functions->stop(source->simulation.self, seconds);
}

static void destroy(void *self)
{
    BrumeSwitchedSource *source = self;
    source->simulation.functions->destroy(source->simulation.self);
}

BrumeStateSource brume_switched_source(BrumeSwitchedSource *source)
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
    return (BrumeStateSource){source, &functions};
}
