#include "viewer/simulation/session.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "sim/lifecycle/lifecycle.h"

#include <string.h>

/** A change under construction, with the memory that it points to. */
typedef struct ChangeBuilder {
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[BRUME_MAX_OBSTACLES];
    BrumeChange change;
} ChangeBuilder;

static void destroy_variant(BrumeSessionVariant *variant)
{
    brume_sim_destroy(variant->sim);
    brume_timeline_clear(&variant->applied);
    *variant = (BrumeSessionVariant){0};
}

void brume_session_destroy(BrumeSession *session)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        destroy_variant(&session->variants[n]);
    }
    brume_timeline_clear(&session->scene_timeline);
    *session = (BrumeSession){0};
}

BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int count, BrumeError *error)
{
    BrumeSim *sims[BRUME_MAX_VARIANTS] = {NULL};
    for (int n = 0; n < count; n++) {
        const BrumeStatus status = brume_sim_create(&sims[n], &settings[n], error);
        if (status != BRUME_OK) {
            for (int created = 0; created < n; created++) {
                brume_sim_destroy(sims[created]);
            }
            return status;
        }
    }
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        destroy_variant(&session->variants[n]);
    }
    for (int n = 0; n < count; n++) {
        session->variants[n] = (BrumeSessionVariant){
            .sim = sims[n],
            .initial_settings = settings[n],
            .restart_settings = settings[n],
        };
    }
    session->variant_count = count;
    session->carried_strokes.count = 0;
    session->frame = 0;
    session->failed = false;
    return BRUME_OK;
}

// a simulation in the same state, from the bytes of `sim`
static BrumeStatus copy_sim(BrumeSim **copy, const BrumeSim *sim, BrumeError *error)
{
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = brume_alloc_untouched(size, 1);
    if (!bytes) {
        return brume_out_of_memory(error, "a second variant");
    }
    BrumeStatus status = brume_sim_save(sim, bytes, size, error);
    if (status == BRUME_OK) {
        status = brume_sim_create_saved(copy, bytes, size, error);
    }
    if (status == BRUME_OK) {
        brume_sim_share_samples(*copy, brume_sim_settings(sim));
    }
    brume_free(bytes);
    return status;
}

BrumeStatus brume_session_fork(BrumeSession *session, BrumeError *error)
{
    if (session->variant_count == BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    if (session->failed) {
        return brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed: restart it before a comparison");
    }
    const BrumeSessionVariant *from = &session->variants[0];
    BrumeSessionVariant made = *from;
    made.sim = NULL;
    BrumeStatus status = brume_timeline_copy(&made.applied, &from->applied, error);
    if (status == BRUME_OK) {
        status = copy_sim(&made.sim, from->sim, error);
    }
    if (status != BRUME_OK) {
        brume_timeline_clear(&made.applied);
        return status;
    }
    session->variants[session->variant_count++] = made;
    return BRUME_OK;
}

void brume_session_keep_variant(BrumeSession *session, int kept)
{
    const BrumeSessionVariant variant = session->variants[kept];
    for (int n = 0; n < session->variant_count; n++) {
        if (n != kept) {
            destroy_variant(&session->variants[n]);
        }
    }
    session->variants[kept] = (BrumeSessionVariant){0};
    session->variants[0] = variant;
    session->variant_count = 1;
}

static void copy_obstacles(BrumeSimDef *settings, const BrumeSimDef *from)
{
    settings->obstacle_count = from->obstacle_count;
    memcpy(settings->obstacles, from->obstacles, sizeof settings->obstacles);
}

// whether two settings are equal except for the positions of obstacles and the state at the start
static bool same_settings(const BrumeSimDef *a, const BrumeSimDef *b)
{
    BrumeSimDef copy = *a; // padding bytes included, because memcmp compares them
    copy_obstacles(&copy, b);
    memcpy(copy.initial, b->initial, sizeof copy.initial); // of no effect after the start; a saved state has no samples
    copy.initial_count = b->initial_count;
    if (strcmp(copy.kernels, b->kernels) != 0 || strcmp(copy.advection, b->advection) != 0 ||
        strcmp(copy.transport, b->transport) != 0 || strcmp(copy.pressure, b->pressure) != 0 ||
        strcmp(copy.integrator, b->integrator) != 0) {
        return false;
    }
    copy.kernels = b->kernels; // equal names may be different pointers
    copy.advection = b->advection;
    copy.transport = b->transport;
    copy.pressure = b->pressure;
    copy.integrator = b->integrator;
    return memcmp(&copy, b, sizeof copy) == 0;
}

static void add_move(ChangeBuilder *builder, int obstacle, BrumeVec3 velocity)
{
    for (int n = 0; n < builder->change.move_count; n++) {
        if (builder->moves[n].obstacle == obstacle) {
            builder->moves[n].velocity = brume_add(builder->moves[n].velocity, velocity);
            return;
        }
    }
    builder->moves[builder->change.move_count++] = (BrumeMove){obstacle, velocity};
}

// Sets the strokes and obstacle moves of the coming frame, whose length follows from the settings that the change sets.
static void set_strokes_and_moves(ChangeBuilder *builder, const BrumeChange *scheduled, const BrumeSim *sim,
                                  const BrumePendingEdits *edits, BrumeStrokeQueue *queue)
{
    const BrumeSimDef *settings = builder->change.settings ? builder->change.settings : brume_sim_settings(sim);
    const double fps = (double)settings->fps;
    const double time = brume_sim_time(sim);
    int strokes = scheduled ? scheduled->stroke_count : 0;
    if (strokes > 0) {
        memcpy(builder->strokes, scheduled->strokes, (size_t)strokes * sizeof(BrumeStroke));
    }
    strokes += brume_stroke_queue_pop_frame(queue, time, time + 1.0 / fps, BRUME_MAX_STROKES - strokes,
                                            builder->strokes + strokes);
    builder->change.strokes = builder->strokes;
    builder->change.stroke_count = strokes;

    builder->change.moves = builder->moves;
    builder->change.move_count = 0;
    for (int n = 0; scheduled && n < scheduled->move_count; n++) {
        add_move(builder, scheduled->moves[n].obstacle, scheduled->moves[n].velocity);
    }
    for (int n = 0; n < settings->obstacle_count; n++) {
        BrumeVec3 displacement;
        if (brume_pending_edits_displacement(edits, n, &displacement)) {
            add_move(builder, n, brume_scale(displacement, settings->fps));
        }
    }
}

void brume_session_set_restart_settings(BrumeSessionVariant *variant, const BrumeSimDef *settings)
{
    const BrumeSimDef before = variant->restart_settings;
    variant->restart_settings = *settings;
    copy_obstacles(&variant->restart_settings, &before);
}

// The settings of the change: those that were requested, with the obstacles as they are, but those that the scene or
// the edits place. None where nothing changes.
static void set_settings(ChangeBuilder *builder, const BrumeSimDef *requested, const BrumeChange *scheduled,
                         const BrumeSimDef *now, const BrumePendingEdits *edits)
{
    const bool differs = requested && !same_settings(requested, now);
    memcpy(&builder->settings, requested ? requested : now, sizeof builder->settings);
    copy_obstacles(&builder->settings, now);
    builder->change.placed = scheduled && scheduled->settings ? scheduled->placed : 0;
    for (int n = 0; n < builder->settings.obstacle_count; n++) {
        if ((builder->change.placed >> n & 1) != 0) {
            builder->settings.obstacles[n] = scheduled->settings->obstacles[n];
        }
    }
    brume_pending_edits_place(edits, &builder->settings, &builder->change.placed);
    builder->change.settings = differs || builder->change.placed != 0 ? &builder->settings : NULL;
}

static bool is_empty(const BrumeChange *change)
{
    return !change->settings && change->stroke_count == 0 && change->move_count == 0;
}

// Applies the edits to a variant and appends them to its timeline; strokes that exceed the frame stay in `queue`.
static BrumeStatus apply_edits(BrumeSession *session, int n, const BrumePendingEdits *edits, BrumeStrokeQueue *queue,
                               BrumeError *rejected, BrumeError *error)
{
    BrumeSessionVariant *variant = &session->variants[n];
    const BrumeChange *scheduled = brume_timeline_find(&session->scene_timeline, session->frame);
    ChangeBuilder builder = {.change = {.frame = session->frame}};
    const BrumeStrokeQueue all_strokes = *queue;
    variant->rejected = false;

    const BrumeSimDef *requested = edits->settings_changed[n] ? &edits->settings[n]
                                   : scheduled                ? scheduled->settings
                                                              : NULL;
    set_settings(&builder, requested, scheduled, brume_sim_settings(variant->sim), edits);
    set_strokes_and_moves(&builder, scheduled, variant->sim, edits, queue);
    if (is_empty(&builder.change)) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_change_apply(&builder.change, variant->sim, error);
    variant->rejected = status != BRUME_OK && builder.change.settings;
    if (variant->rejected) { // repeated without the settings
        *rejected = *error;
        builder.change.settings = NULL;
        builder.change.placed = 0;
        *queue = all_strokes;
        set_strokes_and_moves(&builder, scheduled, variant->sim, edits, queue);
        status = brume_change_apply(&builder.change, variant->sim, error);
    } else if (status == BRUME_OK && edits->settings_changed[n] && !edits->animated[n]) {
        brume_session_set_restart_settings(variant, &edits->settings[n]);
    }
    for (int motion = 0; status == BRUME_OK && !variant->rejected && motion < edits->motion_count; motion++) {
        brume_obstacle_motion_keep(&edits->motions[motion], &variant->restart_settings);
    }
    if (status == BRUME_OK && !is_empty(&builder.change)) {
        status = brume_timeline_add(&variant->applied, &builder.change, error);
    }
    return status;
}

static bool report_progress(void *context, double fraction, BrumeStage stage)
{
    (void)stage;
    const BrumeSession *session = context;
    return session->progress(session->progress_context, (session->computing + fraction) / session->variant_count);
}

BrumeStatus brume_session_run_frame(BrumeSession *session, const BrumePendingEdits *edits, BrumeError *rejected,
                                    BrumeError *error)
{
    BrumeStrokeQueue strokes = session->carried_strokes;
    for (int n = 0; n < edits->strokes.count; n++) {
        brume_stroke_queue_add(&strokes, &edits->strokes.segments[n]);
    }
    BrumeStatus status = session->failed
                             ? brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed; restart it")
                             : BRUME_OK;
    for (int n = 0; n < session->variant_count && status == BRUME_OK; n++) {
        session->carried_strokes = strokes; // every variant gets the same strokes
        status = apply_edits(session, n, edits, &session->carried_strokes, rejected, error);
    }
    for (int n = 0; n < session->variant_count && status == BRUME_OK; n++) {
        const BrumeSimHooks hooks = {.context = session, .progress = session->progress ? report_progress : NULL};
        brume_sim_set_hooks(session->variants[n].sim, &hooks);
        session->computing = n;
        status = session->progress && !report_progress(session, 0.0, BRUME_STAGE_ADVECT_VELOCITY)
                     ? brume_fail(error, BRUME_INTERRUPTED, "a frame was stopped")
                     : brume_sim_frame(session->variants[n].sim, &session->variants[n].stats, error);
    }
    session->failed = status != BRUME_OK;
    session->frame += status == BRUME_OK;
    return status;
}
