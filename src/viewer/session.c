#include "viewer/session.h"
#include "core/error.h"
#include "core/vec3.h"

#include <string.h>

/** A change that is being put together. */
typedef struct Draft {
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[BRUME_MAX_OBSTACLES];
    BrumeChange change;
} Draft;

static void end_side(BrumeSessionSide *side)
{
    brume_sim_destroy(side->sim);
    brume_timeline_clear(&side->done);
    *side = (BrumeSessionSide){0};
}

void brume_session_destroy(BrumeSession *session)
{
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        end_side(&session->side[n]);
    }
    brume_timeline_clear(&session->script);
    *session = (BrumeSession){0};
}

BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int sides, BrumeError *error)
{
    BrumeSim *sims[BRUME_MAX_SIDES] = {NULL};
    for (int n = 0; n < sides; n++) {
        const BrumeStatus status = brume_sim_create(&sims[n], &settings[n], error);
        if (status != BRUME_OK) {
            for (int made = 0; made < n; made++) {
                brume_sim_destroy(sims[made]);
            }
            return status;
        }
    }
    for (int n = 0; n < BRUME_MAX_SIDES; n++) {
        end_side(&session->side[n]);
    }
    for (int n = 0; n < sides; n++) {
        session->side[n] = (BrumeSessionSide){.sim = sims[n], .start = settings[n], .present = settings[n]};
    }
    session->sides = sides;
    session->frame = 0;
    session->broken = false;
    return BRUME_OK;
}

void brume_session_drop(BrumeSession *session, int sides)
{
    for (int n = sides; n < session->sides; n++) {
        end_side(&session->side[n]);
    }
    session->sides = sides;
}

static void place_obstacles(BrumeSimDef *settings, const BrumeSimDef *as)
{
    settings->obstacle_count = as->obstacle_count;
    memcpy(settings->obstacles, as->obstacles, sizeof settings->obstacles);
}

static bool same_settings(const BrumeSimDef *a, const BrumeSimDef *b)
{
    BrumeSimDef like = *a; // copied whole, so that the bytes between members are alike too
    place_obstacles(&like, b);
    if (strcmp(like.advection, b->advection) != 0 || strcmp(like.pressure, b->pressure) != 0) {
        return false;
    }
    like.advection = b->advection;
    like.pressure = b->pressure;
    return memcmp(&like, b, sizeof like) == 0;
}

static void add_move(Draft *draft, int obstacle, BrumeVec3 velocity)
{
    for (int n = 0; n < draft->change.move_count; n++) {
        if (draft->moves[n].obstacle == obstacle) {
            draft->moves[n].velocity = brume_add(draft->moves[n].velocity, velocity);
            return;
        }
    }
    draft->moves[draft->change.move_count++] = (BrumeMove){obstacle, velocity};
}

// what stirs and moves during the coming frame; its length is that of the settings which are in force by then
static void draft_motion(Draft *draft, const BrumeChange *script, const BrumeSim *sim, const BrumeDeeds *deeds,
                         BrumeStrokeQueue *dabs)
{
    const BrumeSimDef *settings = draft->change.settings ? draft->change.settings : brume_sim_settings(sim);
    const double fps = (double)settings->fps;
    const double time = brume_sim_time(sim);
    int strokes = script ? script->stroke_count : 0;
    if (strokes > 0) {
        memcpy(draft->strokes, script->strokes, (size_t)strokes * sizeof(BrumeStroke));
    }
    strokes +=
        brume_stroke_queue_take(dabs, time, time + 1.0 / fps, BRUME_MAX_STROKES - strokes, draft->strokes + strokes);
    draft->change.strokes = draft->strokes;
    draft->change.stroke_count = strokes;

    draft->change.moves = draft->moves;
    draft->change.move_count = 0;
    for (int n = 0; script && n < script->move_count; n++) {
        add_move(draft, script->moves[n].obstacle, script->moves[n].velocity);
    }
    for (int n = 0; n < settings->obstacle_count; n++) {
        if (deeds->moved[n]) {
            add_move(draft, n, brume_scale(deeds->by[n], settings->fps));
        }
    }
}

static bool is_empty(const BrumeChange *change)
{
    return !change->settings && change->stroke_count == 0 && change->move_count == 0;
}

// does the deeds to a side and records them; `dabs` are left with what had no room
static BrumeStatus change_side(BrumeSession *session, int n, const BrumeDeeds *deeds, BrumeStrokeQueue *dabs,
                               BrumeError *refused, BrumeError *error)
{
    BrumeSessionSide *side = &session->side[n];
    const BrumeChange *script = brume_timeline_find(&session->script, session->frame);
    Draft draft = {.change = {.frame = session->frame}};
    const BrumeStrokeQueue queued = *dabs;

    const BrumeSimDef *wished = deeds->changed[n] ? &deeds->settings[n] : script ? script->settings : NULL;
    if (wished && !same_settings(wished, brume_sim_settings(side->sim))) {
        draft.settings = *wished;
        place_obstacles(&draft.settings, brume_sim_settings(side->sim));
        draft.change.settings = &draft.settings;
    }
    draft_motion(&draft, script, side->sim, deeds, dabs);
    if (is_empty(&draft.change)) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_change_apply(&draft.change, side->sim, error);
    if (status != BRUME_OK && draft.change.settings) {
        *refused = *error;
        draft.change.settings = NULL;
        *dabs = queued;
        draft_motion(&draft, script, side->sim, deeds, dabs);
        status = brume_change_apply(&draft.change, side->sim, error);
    } else if (status == BRUME_OK && deeds->changed[n]) {
        const BrumeSimDef start = side->start;
        side->present = deeds->settings[n];
        place_obstacles(&side->present, &start);
    }
    if (status == BRUME_OK && !is_empty(&draft.change)) {
        status = brume_timeline_add(&side->done, &draft.change, error);
    }
    return status;
}

BrumeStatus brume_session_frame(BrumeSession *session, BrumeDeeds *deeds, BrumeError *refused, BrumeError *error)
{
    BrumeStrokeQueue left = {0};
    BrumeStatus status =
        session->broken ? brume_fail(error, BRUME_FAILED, "the simulation has failed; start it anew") : BRUME_OK;
    for (int n = 0; n < session->sides && status == BRUME_OK; n++) {
        left = deeds->dabs;
        status = change_side(session, n, deeds, &left, refused, error);
    }
    for (int n = 0; n < session->sides && status == BRUME_OK; n++) {
        status = brume_sim_frame(session->side[n].sim, &session->side[n].stats, error);
    }
    session->broken = status != BRUME_OK;
    session->frame += status == BRUME_OK;
    *deeds = (BrumeDeeds){.dabs = left};
    return status;
}
