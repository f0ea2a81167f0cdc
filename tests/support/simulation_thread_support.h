/**
 * @file simulation_thread_support.h
 * A small simulation in a simulation thread, and queries for tests.
 */
#ifndef BRUME_TESTS_SUPPORT_SIMULATION_THREAD_SUPPORT_H
#define BRUME_TESTS_SUPPORT_SIMULATION_THREAD_SUPPORT_H

#include "core/hash.h"
#include "core/parallel/clock.h"
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

static const double max_wait = 240.0; // longest wait for anything [s]

/** a small box with a hot emitter below and a sphere above */
static inline BrumeSimDef small_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.nz = CELLS;
    def.ny = CELLS + 8;
    def.dx = 1.0f / CELLS;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    def.max_steps = 2;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.9f, 0.5f}, .radius = 0.15f};
    return def;
}

/** a thread without a limit of its speed */
static inline BrumeSimulationThread *create_by(const BrumeSimulationThreadDef *def)
{
    BrumeSimulationThread *simulation_thread = NULL;
    BrumeError error = {0};
    if (brume_simulation_thread_create(&simulation_thread, def, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
    brume_simulation_thread_set_speed_limit(simulation_thread, INFINITY);
    return simulation_thread;
}

static inline BrumeSimulationThread *create(const BrumeSimDef *settings, bool running)
{
    const BrumeSimulationThreadDef def = {.settings = *settings, .threads = 2, .running = running};
    return create_by(&def);
}

static inline const BrumeSnapshot *latest_snapshot(BrumeSimulationThread *simulation_thread)
{
    return brume_state_source_latest(brume_simulation_thread_source(simulation_thread));
}

/** waits until a snapshot has at least that epoch and frame; checks that the serials never decrease */
static inline const BrumeSnapshot *wait_for(BrumeSimulationThread *simulation_thread, int epoch, int frame)
{
    const double start = brume_seconds();
    uint64_t serial = 0;
    for (;;) {
        const BrumeSnapshot *snapshot = latest_snapshot(simulation_thread);
        assert_true(snapshot->serial >= serial);
        serial = snapshot->serial;
        if (snapshot->epoch >= epoch && snapshot->frame >= frame) {
            return snapshot;
        }
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

static inline const BrumeSnapshot *advance(BrumeSimulationThread *simulation_thread, int frames)
{
    const BrumeSnapshot *snapshot = latest_snapshot(simulation_thread);
    const int epoch = snapshot->epoch;
    const int frame = snapshot->frame;
    for (int n = 0; n < frames; n++) {
        brume_simulation_thread_request_frame(simulation_thread);
    }
    return wait_for(simulation_thread, epoch, frame + frames);
}

/** waits for the restart that was requested during `epoch` */
static inline const BrumeSnapshot *wait_for_restart(BrumeSimulationThread *simulation_thread, int epoch)
{
    return wait_for(simulation_thread, epoch + 1, 0);
}

static inline int epoch_of(BrumeSimulationThread *simulation_thread)
{
    return latest_snapshot(simulation_thread)->epoch;
}

static inline const BrumeSnapshot *wait_for_frames(BrumeSimulationThread *simulation_thread, int frames)
{
    const BrumeSnapshot *snapshot = latest_snapshot(simulation_thread);
    return wait_for(simulation_thread, snapshot->epoch, snapshot->frame + frames);
}

/** moves the sphere; `edit` is the number of the edit, 0 for one that cannot be undone */
static inline void move_solid(BrumeSimulationThread *simulation_thread, int edit, BrumeVec3 displacement)
{
    const BrumeBodyMotion motion = {.edit = edit, .displacement = displacement};
    brume_simulation_thread_move_body(simulation_thread, &motion);
}

static inline BrumeReplay get_replay(BrumeSimulationThread *simulation_thread, int variant)
{
    BrumeReplay replay = {0};
    const double start = brume_seconds();
    brume_simulation_thread_request_replay(simulation_thread, variant, -1);
    while (!brume_simulation_thread_poll_replay(simulation_thread, &replay)) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    BrumeReplay again;
    assert_false(brume_simulation_thread_poll_replay(simulation_thread, &again));
    return replay;
}

/** the hash of the state that a replay leads to with animated values (NULL: none), computed without the viewer */
static inline uint64_t run_animated_replay(const BrumeReplay *replay, const BrumeAnimation *animation)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_sim_create(&sim, &replay->settings, &error), BRUME_OK);
    brume_sim_animate(sim, animation);
    for (int frame = 0; frame < replay->frame; frame++) {
        const BrumeChange *change = brume_timeline_find(&replay->timeline, frame);
        if (change) {
            assert_int_equal(brume_change_apply(change, sim, &error), BRUME_OK);
        }
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    assert_int_equal(brume_sim_frames(sim), replay->frame);
    assert_true(brume_sim_time(sim) == replay->time);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

static inline uint64_t run_replay(const BrumeReplay *replay) { return run_animated_replay(replay, NULL); }

static inline void check_replay(BrumeSimulationThread *simulation_thread, int variant)
{
    BrumeReplay replay = get_replay(simulation_thread, variant);
    assert_true(replay.frame > 0);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
}

static inline uint64_t hash_of(const BrumeSnapshotVariant *variant)
{
    uint64_t hash = 0;
    uint64_t *planes = calloc((size_t)variant->fields[0].grid.nz + 2, sizeof *planes);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (variant->fields[id].data) {
            hash = brume_hash_field(&variant->fields[id], id <= BRUME_FIELD_W ? id : -1, hash, planes);
        }
    }
    free(planes);
    return hash;
}

/** the n-th segment of a stroke across the box */
static inline BrumeStrokeSegment segment_at(int n, int count)
{
    const float width = 0.6f / (float)count;
    const BrumeVec3 along = {width, 0.0f, 0.0f};
    const BrumeVec3 from = {0.2f + width * (float)n, 0.5f, 0.4f};
    return (BrumeStrokeSegment){
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
                .suck = 0.3f,
                .twist = -4.0f,
                .axis = {0.0f, 0.6f, 0.8f},
            },
        .draw_time = 0.002 + 0.001 * n,
    };
}

#endif
