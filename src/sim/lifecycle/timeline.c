/*
 * Timelines: lists of changes to a simulation, each before a given frame.
 */
#include "brume/timeline.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "sim/settings/references.h"

#include <assert.h>
#include <string.h>

static void free_change(BrumeChange *change)
{
    if (change->settings) {
        brume_settings_release(change->settings);
    }
    brume_free((void *)change->settings);
    brume_free((void *)change->strokes);
    brume_free((void *)change->moves);
    *change = (BrumeChange){0};
}

// a copy of `count` items, NULL for none; clears `*ok` if memory runs out
static void *copy_of(const void *items, int count, size_t size, bool *ok)
{
    if (!items || count == 0) {
        return NULL;
    }
    void *copy = brume_alloc((size_t)count, size);
    if (!copy) {
        *ok = false;
        return NULL;
    }
    return memcpy(copy, items, (size_t)count * size);
}

BrumeStatus brume_timeline_add(BrumeTimeline *timeline, const BrumeChange *change, BrumeError *error)
{
    assert(timeline->count == 0 || change->frame > timeline->changes[timeline->count - 1].frame);
    bool ok = true;
    BrumeChange copy = {
        .frame = change->frame,
        .placed = change->placed,
        .settings = copy_of(change->settings, 1, sizeof *change->settings, &ok),
        .stroke_count = change->stroke_count,
        .strokes = copy_of(change->strokes, change->stroke_count, sizeof *change->strokes, &ok),
        .move_count = change->move_count,
        .moves = copy_of(change->moves, change->move_count, sizeof *change->moves, &ok),
    };
    if (copy.settings) {
        brume_settings_retain(copy.settings);
    }
    BrumeChange *changes =
        ok ? brume_make_room(timeline->changes, timeline->count, &timeline->capacity, sizeof *changes) : NULL;
    if (!changes) {
        free_change(&copy);
        return brume_out_of_memory(error, "the change at frame %d", change->frame);
    }
    timeline->changes = changes;
    changes[timeline->count++] = copy;
    return BRUME_OK;
}

BrumeStatus brume_timeline_copy(BrumeTimeline *copy, const BrumeTimeline *timeline, BrumeError *error)
{
    *copy = (BrumeTimeline){0};
    for (int n = 0; n < timeline->count; n++) {
        const BrumeStatus status = brume_timeline_add(copy, &timeline->changes[n], error);
        if (status != BRUME_OK) {
            brume_timeline_clear(copy);
            return status;
        }
    }
    return BRUME_OK;
}

void brume_timeline_clear(BrumeTimeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        free_change(&timeline->changes[n]);
    }
    brume_free(timeline->changes);
    *timeline = (BrumeTimeline){0};
}

const BrumeChange *brume_timeline_find(const BrumeTimeline *timeline, int frame)
{
    int from = 0;
    int to = timeline->count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (timeline->changes[middle].frame < frame) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < timeline->count && timeline->changes[from].frame == frame ? &timeline->changes[from] : NULL;
}

static BrumeStatus check_moves(const BrumeChange *change, int body_count, BrumeError *error)
{
    for (int n = 0; n < change->move_count; n++) {
        const int body = change->moves[n].body;
        if (body < 0 || body >= body_count) {
            return brume_fail(error, BRUME_BAD_INPUT, "body %d cannot move at frame %d: there are %d", body,
                              change->frame, body_count);
        }
        const BrumeMove *move = &change->moves[n];
        if (!isfinite(brume_length(move->velocity)) || !isfinite(brume_length(move->rotation_rate))) {
            return brume_fail(error, BRUME_BAD_INPUT, "body %d moves at no finite velocity at frame %d", body,
                              change->frame);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_change_apply(const BrumeChange *change, BrumeSim *sim, BrumeError *error)
{
    const BrumeSimDef *present = brume_sim_settings(sim);
    BrumeStatus status =
        check_moves(change, change->settings ? change->settings->body_count : present->body_count, error);
    if (status == BRUME_OK && change->settings) {
        BrumeSimDef settings = *change->settings;
        for (int n = 0; n < settings.body_count && n < present->body_count; n++) {
            if ((change->placed >> n & 1) == 0) {
                settings.bodies[n] = present->bodies[n];
            }
        }
        status = brume_sim_change(sim, &settings, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    brume_sim_set_strokes(sim, change->strokes, change->stroke_count);
    for (int n = 0; n < change->move_count; n++) {
        const BrumeMove *move = &change->moves[n];
        brume_sim_move_and_turn(sim, move->body, move->velocity, move->rotation_rate);
    }
    return BRUME_OK;
}
