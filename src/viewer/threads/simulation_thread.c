#include "viewer/threads/simulation_thread.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "core/triple_buffer.h"
#include "core/vec3.h"
#include "viewer/session.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/** Wishes that the solver's thread has not seen yet. */
typedef struct Inbox {
    bool open, reset, compare; ///< to be done, in this order
    BrumeSimDef opened;
    BrumeTimeline script; ///< of what is opened; the inbox's own
    bool two;
    BrumeDeeds deeds;
    bool record; ///< is asked for
    int record_of;
    BrumeError error; ///< of a wish that could not be kept
} Inbox;

struct BrumeSimulationThread {
    pthread_t thread;
    bool started;
    void (*wake)(void);

    pthread_mutex_t mutex; // of all to the next gap; held for copies only
    pthread_cond_t changed;
    Inbox inbox;
    int advance; // frames to be finished while paused
    bool quit, running, held, released;
    int threads;
    double pace, least_frame_ms;
    double due; // clock before which the next frame does not begin [s]
    bool ready; // the first start is done, as `status` and `error` tell
    BrumeStatus status;
    BrumeError error; // told in the next snapshot
    bool record_ready;
    BrumeRecord record;

    pthread_mutex_t listening; // of the listener; held while it is called
    void (*listener)(void *);
    void *context;

    // the solver's thread's own
    BrumeSession session;
    Inbox now; // wishes being done
    int epoch, team;
    uint64_t serial;
    double frame_ms;
    unsigned newest; // slot that was published last
    bool told_running;

    BrumeTripleBuffer handoff;
    BrumeSnapshot snapshots[BRUME_TRIPLE_BUFFER_SLOTS];
};

static void lock(BrumeSimulationThread *live) { (void)pthread_mutex_lock(&live->mutex); }

static void unlock(BrumeSimulationThread *live) { (void)pthread_mutex_unlock(&live->mutex); }

static void unlock_and_signal(BrumeSimulationThread *live)
{
    (void)pthread_cond_broadcast(&live->changed);
    unlock(live);
}

static void tell_error(BrumeSimulationThread *live, const BrumeError *error)
{
    lock(live);
    live->error = *error;
    unlock(live);
}

static void call_listeners(BrumeSimulationThread *live)
{
    if (live->wake) {
        live->wake();
    }
    (void)pthread_mutex_lock(&live->listening);
    if (live->listener) {
        live->listener(live->context);
    }
    (void)pthread_mutex_unlock(&live->listening);
}

static void publish(BrumeSimulationThread *live)
{
    const BrumeSession *session = &live->session;
    const BrumeSnapshot *last = &live->snapshots[live->newest];
    const unsigned slot = brume_triple_buffer_write_slot(&live->handoff);
    BrumeSnapshot *snapshot = &live->snapshots[slot];
    lock(live);
    snapshot->error = live->error;
    snapshot->running = live->running;
    unlock(live);
    for (int n = 0; n < session->sides; n++) {
        // a state that failed is not shown: the one before is, which a reader may be reading too
        const BrumeSessionSide *side = &session->side[n];
        const BrumeStatus status =
            session->broken ? brume_snapshot_copy(&snapshot->side[n], &last->side[n], &snapshot->error)
                            : brume_snapshot_take(&snapshot->side[n], side->sim, &side->stats, &snapshot->error);
        if (status != BRUME_OK) {
            break;
        }
    }
    snapshot->sides = session->sides;
    snapshot->frame = session->frame;
    snapshot->time = session->broken ? last->time : brume_sim_time(session->side[0].sim);
    snapshot->serial = ++live->serial;
    snapshot->epoch = live->epoch;
    snapshot->frame_ms = live->frame_ms;
    snapshot->threads = live->team;
    live->told_running = snapshot->running;
    live->newest = slot;
    brume_triple_buffer_publish(&live->handoff);
    call_listeners(live);
}

static BrumeStatus start(BrumeSimulationThread *live, const BrumeSimDef *settings, int sides)
{
    BrumeError error = {0};
    const BrumeStatus status = brume_session_start(&live->session, settings, sides, &error);
    tell_error(live, &error); // or that there is none any more
    if (status == BRUME_OK) {
        live->epoch++;
        live->frame_ms = 0.0;
    }
    return status;
}

static void open_scene(BrumeSimulationThread *live)
{
    Inbox *now = &live->now;
    if (start(live, &now->opened, 1) == BRUME_OK) {
        brume_timeline_clear(&live->session.script);
        live->session.script = now->script;
    } else {
        brume_timeline_clear(&now->script);
    }
    now->script = (BrumeTimeline){0};
}

// starts `sides` anew with what is wished for them
static void restart(BrumeSimulationThread *live, int sides)
{
    BrumeDeeds *deeds = &live->now.deeds;
    const BrumeSession *session = &live->session;
    BrumeSimDef settings[BRUME_MAX_SIDES];
    for (int n = 0; n < sides; n++) {
        const BrumeSimDef *present = n < session->sides ? &session->side[n].present : &settings[0];
        settings[n] = *present;
        if (deeds->changed[n]) {
            settings[n] = deeds->settings[n];
            settings[n].obstacle_count = present->obstacle_count;
            memcpy(settings[n].obstacles, present->obstacles, sizeof settings[n].obstacles);
        }
    }
    *deeds = (BrumeDeeds){0};
    (void)start(live, settings, sides);
}

static void write_record(BrumeSimulationThread *live)
{
    const int last = live->session.sides - 1;
    const BrumeSessionSide *side = &live->session.side[live->now.record_of < last ? live->now.record_of : last];
    BrumeRecord record = {
        .settings = side->start,
        .frame = brume_sim_frames(side->sim),
        .time = brume_sim_time(side->sim),
        .hash = brume_sim_hash(side->sim),
    };
    BrumeError error = {0};
    if (brume_timeline_copy(&record.timeline, &side->done, &error) != BRUME_OK) {
        tell_error(live, &error);
        return;
    }
    lock(live);
    brume_timeline_clear(&live->record.timeline);
    live->record = record;
    live->record_ready = true;
    unlock(live);
}

// does what is wished for beside frames; whether that asks for a snapshot
static bool serve(BrumeSimulationThread *live)
{
    Inbox *now = &live->now;
    if (now->error.status != BRUME_OK) {
        tell_error(live, &now->error);
    }
    if (now->open) {
        open_scene(live);
    }
    const int sides = now->compare ? 1 + now->two : live->session.sides;
    if (now->reset || sides > live->session.sides) {
        restart(live, sides);
    } else if (sides < live->session.sides) {
        brume_session_drop(&live->session, sides);
    }
    if (now->record) {
        write_record(live);
    }
    return now->open || now->reset || now->compare || now->error.status != BRUME_OK;
}

// makes a frame take as long as it must, unless that is no longer wanted; locked
static void stretch(BrumeSimulationThread *live, double begun)
{
    const bool running = live->running;
    while (!live->quit && live->running == running && brume_seconds() < begun + 1e-3 * live->least_frame_ms) {
        brume_wait_until(&live->changed, &live->mutex, begun + 1e-3 * live->least_frame_ms);
    }
}

static void run_frame(BrumeSimulationThread *live)
{
    const double begun = brume_seconds();
    const bool changed = live->now.deeds.changed[0] || live->now.deeds.changed[1];
    const bool was_broken = live->session.broken;
    BrumeError refused = {0};
    BrumeError failed = {0};
    const BrumeStatus status = brume_session_frame(&live->session, &live->now.deeds, &refused, &failed);
    live->frame_ms = 1e3 * (brume_seconds() - begun);
    const double length = 1.0 / (double)brume_sim_settings(live->session.side[0].sim)->fps; // [s]

    lock(live);
    const double wall = length / live->pace;
    live->due = (begun - live->due > wall ? begun : live->due) + wall; // what is late by more than a frame stays so
    stretch(live, begun);
    if (status != BRUME_OK) {
        live->running = false;
        live->error = was_broken ? live->error : failed; // the first reason is the one to know
    } else if (changed || refused.status != BRUME_OK) {
        live->error = refused;
    }
    unlock(live);
    publish(live);
}

static bool wants_frame(const BrumeSimulationThread *live)
{
    return (live->running || live->advance > 0) && !(live->held && !live->released);
}

static bool wants_other(const BrumeSimulationThread *live)
{
    const Inbox *inbox = &live->inbox;
    return inbox->open || inbox->reset || inbox->compare || inbox->record || inbox->error.status != BRUME_OK;
}

// forgets what was to stir and move
static void drop_motion(BrumeDeeds *deeds)
{
    deeds->dabs.count = 0;
    memset(deeds->moved, 0, sizeof deeds->moved);
    memset(deeds->by, 0, sizeof deeds->by);
}

// empties the inbox: all of it for a frame, otherwise what need not wait for one; locked
static void take_wishes(BrumeSimulationThread *live, bool for_frame)
{
    Inbox *inbox = &live->inbox;
    Inbox *now = &live->now;
    if (inbox->open) {
        now->deeds = (BrumeDeeds){0};
    } else if (inbox->reset) {
        drop_motion(&now->deeds); // strokes that were left over are of the past
    }
    BrumeDeeds left = now->deeds;
    *now = *inbox;
    now->deeds = left;
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        if (inbox->deeds.changed[n]) {
            now->deeds.changed[n] = true;
            now->deeds.settings[n] = inbox->deeds.settings[n];
            inbox->deeds.changed[n] = false;
        }
    }
    if (for_frame) {
        for (int n = 0; n < inbox->deeds.dabs.count; n++) {
            brume_stroke_queue_add(&now->deeds.dabs, &inbox->deeds.dabs.dabs[n]);
        }
        memcpy(now->deeds.moved, inbox->deeds.moved, sizeof now->deeds.moved);
        memcpy(now->deeds.by, inbox->deeds.by, sizeof now->deeds.by);
        inbox->deeds = (BrumeDeeds){0};
        live->released = false;
        live->advance -= live->running || live->advance == 0 ? 0 : 1;
    }
    const BrumeDeeds waiting = inbox->deeds;
    *inbox = (Inbox){.deeds = waiting};
}

static void set_team(BrumeSimulationThread *live, int threads)
{
    if (threads != live->team) {
        brume_set_threads(threads);
        live->team = threads;
    }
}

static void *work(void *context)
{
    BrumeSimulationThread *live = context;
    lock(live);
    const int threads = live->threads;
    const BrumeSimDef settings = live->inbox.opened;
    unlock(live);
    brume_name_threads("brume-solver");
    brume_lower_priority(); // to the picture, before a team is started
    set_team(live, threads);
    const BrumeStatus status = start(live, &settings, 1);
    if (status == BRUME_OK) {
        publish(live);
    }
    lock(live);
    live->ready = true;
    live->status = status;
    (void)pthread_cond_broadcast(&live->changed);
    while (!live->quit && status == BRUME_OK) {
        const bool other =
            wants_other(live); // before a frame, so that what is wished after a new start is done after it
        const bool framing = !other && wants_frame(live) && (!live->running || brume_seconds() >= live->due);
        const bool telling = live->running != live->told_running;
        if (!framing && !telling && !other) {
            brume_wait_until(&live->changed, &live->mutex, wants_frame(live) ? live->due : INFINITY);
            continue;
        }
        const int team = live->threads;
        take_wishes(live, framing);
        unlock(live);
        set_team(live, team);
        if (serve(live) || (telling && !framing)) {
            publish(live);
        }
        if (framing) {
            run_frame(live);
        }
        lock(live);
    }
    unlock(live);
    return NULL;
}

BrumeStatus brume_simulation_thread_create(BrumeSimulationThread **live, const BrumeSimulationThreadDef *def,
                                           BrumeError *error)
{
    *live = NULL;
    BrumeSimulationThread *made = brume_alloc(1, sizeof *made);
    if (!made) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&made->changed);
    (void)pthread_mutex_init(&made->mutex, NULL);
    (void)pthread_mutex_init(&made->listening, NULL);
    brume_triple_buffer_init(&made->handoff);
    made->wake = def->wake;
    made->inbox.opened = def->settings;
    made->threads = def->threads;
    made->running = made->told_running = def->running;
    made->least_frame_ms = def->least_frame_ms;
    made->pace = 1.0;
    BrumeStatus status = brume_timeline_copy(&made->session.script, &def->timeline, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const int failure = pthread_create(&made->thread, NULL, work, made);
    if (failure != 0) {
        status = brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
        goto cleanup;
    }
    made->started = true;
    lock(made);
    while (!made->ready) {
        (void)pthread_cond_wait(&made->changed, &made->mutex);
    }
    status = made->status;
    if (status != BRUME_OK && error) {
        *error = made->error;
    }
    unlock(made);
cleanup:
    if (status != BRUME_OK) {
        brume_simulation_thread_destroy(made);
        made = NULL;
    }
    *live = made;
    return status;
}

void brume_simulation_thread_destroy(BrumeSimulationThread *live)
{
    if (!live) {
        return;
    }
    if (live->started) {
        lock(live);
        live->quit = true;
        unlock_and_signal(live);
        (void)pthread_join(live->thread, NULL);
    }
    brume_session_destroy(&live->session);
    brume_timeline_clear(&live->inbox.script);
    brume_timeline_clear(&live->record.timeline);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_snapshot_destroy(&live->snapshots[n]);
    }
    (void)pthread_mutex_destroy(&live->listening);
    (void)pthread_mutex_destroy(&live->mutex);
    (void)pthread_cond_destroy(&live->changed);
    brume_free(live);
}

void brume_simulation_thread_run(BrumeSimulationThread *live, bool running)
{
    lock(live);
    live->running = running;
    live->advance = 0;
    unlock_and_signal(live);
}

void brume_simulation_thread_advance(BrumeSimulationThread *live)
{
    lock(live);
    live->advance += live->running ? 0 : 1;
    unlock_and_signal(live);
}

void brume_simulation_thread_reset(BrumeSimulationThread *live)
{
    lock(live);
    live->inbox.reset = true;
    live->due = 0.0;
    drop_motion(&live->inbox.deeds);
    unlock_and_signal(live);
}

void brume_simulation_thread_open(BrumeSimulationThread *live, const BrumeSimulationThreadDef *def)
{
    BrumeTimeline script = {0};
    BrumeError error = {0};
    const BrumeStatus status = brume_timeline_copy(&script, &def->timeline, &error);
    lock(live);
    if (status == BRUME_OK) {
        brume_timeline_clear(&live->inbox.script);
        const bool record = live->inbox.record;
        live->inbox = (Inbox){.open = true, .opened = def->settings, .script = script, .record = record};
        live->running = def->running;
        live->advance = 0;
        live->threads = def->threads;
        live->least_frame_ms = def->least_frame_ms;
        live->due = 0.0;
    } else {
        live->inbox.error = error;
    }
    unlock_and_signal(live);
}

void brume_simulation_thread_change(BrumeSimulationThread *live, int side, const BrumeSimDef *settings)
{
    lock(live);
    live->inbox.deeds.changed[side] = true;
    live->inbox.deeds.settings[side] = *settings;
    unlock(live);
}

void brume_simulation_thread_compare(BrumeSimulationThread *live, bool two)
{
    lock(live);
    live->inbox.compare = true;
    live->inbox.two = two;
    unlock_and_signal(live);
}

void brume_simulation_thread_stir(BrumeSimulationThread *live, const BrumeDab *dab)
{
    lock(live);
    brume_stroke_queue_add(&live->inbox.deeds.dabs, dab);
    unlock(live);
}

void brume_simulation_thread_move(BrumeSimulationThread *live, int obstacle, BrumeVec3 by)
{
    lock(live);
    BrumeDeeds *deeds = &live->inbox.deeds;
    deeds->moved[obstacle] = true;
    deeds->by[obstacle] = brume_add(deeds->by[obstacle], by);
    unlock(live);
}

void brume_simulation_thread_set_threads(BrumeSimulationThread *live, int threads)
{
    lock(live);
    live->threads = threads;
    unlock(live);
}

void brume_simulation_thread_set_pace(BrumeSimulationThread *live, double pace)
{
    lock(live);
    live->pace = pace;
    live->due = 0.0;
    unlock_and_signal(live);
}

void brume_simulation_thread_hold(BrumeSimulationThread *live, bool held)
{
    lock(live);
    live->held = held;
    live->released = false;
    unlock_and_signal(live);
}

void brume_simulation_thread_release(BrumeSimulationThread *live)
{
    lock(live);
    live->released = true;
    unlock_and_signal(live);
}

void brume_simulation_thread_ask_record(BrumeSimulationThread *live, int side)
{
    lock(live);
    live->inbox.record = true;
    live->inbox.record_of = side;
    unlock_and_signal(live);
}

bool brume_simulation_thread_take_record(BrumeSimulationThread *live, BrumeRecord *record)
{
    lock(live);
    const bool ready = live->record_ready;
    if (ready) {
        *record = live->record;
        live->record = (BrumeRecord){0};
        live->record_ready = false;
    }
    unlock(live);
    return ready;
}

void brume_simulation_thread_listen(BrumeSimulationThread *live, void (*wake)(void *), void *context)
{
    (void)pthread_mutex_lock(&live->listening);
    live->listener = wake;
    live->context = context;
    (void)pthread_mutex_unlock(&live->listening);
}

const BrumeSnapshot *brume_simulation_thread_newest(BrumeSimulationThread *live)
{
    (void)brume_triple_buffer_take(&live->handoff);
    return &live->snapshots[brume_triple_buffer_read_slot(&live->handoff)];
}
