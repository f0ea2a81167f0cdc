#include "viewer/viewer.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "viewer/viewer_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double longest_wait = 0.1;       // for events, so that rates and messages stay fresh [s]
static const double message_stays = 6.0;      // [s]
static const double least_turn = 1.0 / 120.0; // between two pictures where nothing else limits them [s]
static const double patience = 1.0 / 30.0;    // of a change that waits for the smoke's picture to go with it [s]

// any thread may wake the loop; one waiting event is enough
static atomic_bool awake;
static Uint32 wake_event;

static void wake(void)
{
    if (!atomic_exchange(&awake, true)) {
        SDL_Event event = {.type = wake_event};
        (void)SDL_PushEvent(&event);
    }
}

void brume_viewer_say(BrumeViewer *viewer, bool is_error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(viewer->facts.message, sizeof viewer->facts.message, format, args);
    va_end(args);
    viewer->facts.message_is_error = is_error;
    viewer->message_at = brume_seconds();
    viewer->stale = true;
}

BrumeRect brume_viewer_rect(const BrumeViewer *viewer)
{
    return (BrumeRect){.width = viewer->window->pixels_wide, .height = viewer->window->pixels_high};
}

static bool is_pointer_event(Uint32 type)
{
    return type == SDL_MOUSEMOTION || type == SDL_MOUSEBUTTONDOWN || type == SDL_MOUSEWHEEL;
}

// whether an event is the panel's alone
static bool is_taken(const BrumeViewer *viewer, const SDL_Event *event)
{
    if (viewer->input.drag != BRUME_DRAG_NONE) {
        return false;
    }
    return is_pointer_event(event->type) ? brume_panel_wants_mouse(viewer->panel)
                                         : event->type == SDL_KEYDOWN && brume_panel_wants_keys(viewer->panel);
}

static void handle(BrumeViewer *viewer, const SDL_Event *event)
{
    if (event->type == wake_event) {
        atomic_store(&awake, false);
        return;
    }
    viewer->stale = true;
    if (event->type == SDL_QUIT) {
        viewer->commands.quit = true;
        return;
    }
    if (event->type == SDL_WINDOWEVENT) {
        viewer->hidden = !brume_window_measure(viewer->window);
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            brume_input_let_go(&viewer->input, brume_seconds());
        }
    }
    if (event->type == SDL_DROPFILE) {
        (void)snprintf(viewer->commands.open, sizeof viewer->commands.open, "%s", event->drop.file);
        SDL_free(event->drop.file);
        return;
    }
    brume_panel_event(viewer->panel, event);
    if (is_taken(viewer, event)) {
        return;
    }
    const int width = viewer->window->width;
    const int height = viewer->window->height;
    BrumePick pick;
    const BrumePick *pressed = NULL;
    if (brume_input_needs_pick(event)) {
        pick = brume_viewer_pick(viewer, (float)event->button.x / (float)width, (float)event->button.y / (float)height);
        pressed = &pick;
    }
    brume_input_event(&viewer->input, event, width, height, pressed, &viewer->controls, &viewer->commands);
}

static void take_events(BrumeViewer *viewer, bool wait)
{
    SDL_Event event;
    if (wait && SDL_WaitEventTimeout(&event, (int)(1e3 * longest_wait))) {
        handle(viewer, &event);
    }
    while (SDL_PollEvent(&event)) {
        handle(viewer, &event);
    }
}

// what the pointer drew and dragged since the last turn
static void stir(BrumeViewer *viewer, double now)
{
    BrumeDab dabs[BRUME_MAX_STROKES];
    const int count = brume_input_take_dabs(&viewer->input, now, dabs);
    for (int n = 0; n < count; n++) {
        brume_simulation_thread_stir(viewer->live, &dabs[n]);
    }
    int surface;
    BrumeVec3 by;
    if (brume_input_take_move(&viewer->input, &surface, &by)) {
        for (int n = 0; n < viewer->controls.sim[0].obstacle_count; n++) {
            if (viewer->scene->surface_of[n] == surface) {
                brume_simulation_thread_move(viewer->live, n, by);
            }
        }
    }
}

// the smoke's picture is another, and so is what is said about it
static void take_picture(BrumeViewer *viewer, double now)
{
    if (!brume_render_thread_take(viewer->canvas, &viewer->picture)) {
        return;
    }
    const BrumeRenderedPicture *picture = viewer->picture;
    viewer->stale = true;
    viewer->fresh = true;
    const int frame = viewer->snapshot.frame;
    brume_render_thread_facts(viewer->canvas, &viewer->snapshot);
    if (viewer->snapshot.frame != frame) {
        viewer->moved = now;
    }
    if (picture->error.text[0]) {
        brume_viewer_say(viewer, true, "%s", picture->error.text);
    }
    const BrumeError *error = &viewer->snapshot.error;
    if (error->text[0] && strcmp(error->text, viewer->refusal) != 0) {
        brume_viewer_say(viewer, true, "%s", error->text);
        viewer->controls.running = viewer->snapshot.running;
        viewer->applied.running = viewer->snapshot.running;
    }
    (void)snprintf(viewer->refusal, sizeof viewer->refusal, "%s", error->text);
}

static void gather_facts(BrumeViewer *viewer, double now)
{
    BrumeFacts *facts = &viewer->facts;
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    const BrumeSnapshotSide *side = &snapshot->side[snapshot->sides > 1 ? viewer->controls.edited : 0];
    const BrumeFrameStats *stats = &side->stats;
    facts->pictures_per_second = brume_performance_counters_rate(&viewer->meter.presented, now);
    facts->renders_per_second = brume_performance_counters_rate(&viewer->meter.drawn, now);
    facts->latency_ms = brume_performance_counters_quantile(&viewer->meter.latency, 0.5);
    facts->sim_steps = stats->steps;
    facts->sim_ms = stats->steps > 0 ? stats->total_ms / stats->steps : 0.0;
    facts->grid = (BrumeGrid){side->settings.nx, side->settings.ny, side->settings.nz};
    facts->mcells_per_second = facts->sim_ms > 0.0 ? 1e-3 * (double)brume_grid_cells(facts->grid) / facts->sim_ms : 0.0;
    facts->sim_bytes = side->sim_bytes;
    facts->threads = snapshot->threads;
    facts->iterations = stats->max_iterations;
    facts->converged = stats->frame == 0 || stats->converged;
    facts->frame = snapshot->frame;
    facts->time = snapshot->time;
    facts->renderer = viewer->controls.cpu ? "CPU" : viewer->window->renderer;
    facts->recording = viewer->film.recorder != NULL;
    facts->recorded = viewer->film.recorded;
    facts->message_age = now - viewer->message_at;
    if (facts->message_age > message_stays || viewer->commands.screenshot) { // a picture without passing words
        facts->message[0] = '\0';
    }
    facts->can_undo = brume_history_can_undo(viewer->history);
    facts->can_redo = brume_history_can_redo(viewer->history);
    const BrumeRenderedPicture *picture = viewer->picture;
    if (picture) {
        facts->light_ms = picture->light_ms;
        facts->picture_bytes = picture->bytes;
        for (int n = 0; n < BRUME_MAX_SIDES && !viewer->controls.cpu; n++) {
            facts->picture_bytes += brume_gl_renderer_bytes(viewer->gl[n]);
        }
        facts->draw_ms = picture->rgb ? picture->draw_ms : viewer->gl_ms / (viewer->gl_shrink * viewer->gl_shrink);
        const BrumeRect rect = brume_viewer_rect(viewer);
        facts->width = picture->rgb ? picture->width : rect.width / viewer->gl_shrink;
        facts->height = picture->rgb ? picture->height : rect.height / viewer->gl_shrink;
        facts->samples = picture->rgb ? picture->samples : 1;
        facts->scale = picture->scale[0];
    }
}

// an input's picture is on the screen: how long did it take?
static void note_latency(BrumeViewer *viewer, double now)
{
    const double shown = viewer->picture && viewer->picture->rgb ? viewer->picture->wish.wished_at : viewer->input_at;
    if (viewer->input_at > 0.0 && shown >= viewer->input_at) {
        brume_performance_counters_add(&viewer->meter.latency, 1e3 * (now - viewer->input_at));
        viewer->input_at = 0.0;
    }
}

static void present(BrumeViewer *viewer)
{
    double now = brume_seconds();
    gather_facts(viewer, now);
    brume_viewer_draw_stage(viewer);
    brume_viewer_film_picture(viewer);
    brume_panel_draw(viewer->panel, viewer->scene, &viewer->facts, &viewer->controls, &viewer->commands);
    if (viewer->commands.screenshot) {
        brume_viewer_shoot(viewer);
        viewer->commands.screenshot = false;
    }
    brume_window_show(viewer->window);
    now = brume_seconds();
    note_latency(viewer, now);
    BrumePerformanceCounters *meter = &viewer->meter;
    meter->started = meter->presented.count > 0 ? meter->started : now;
    meter->newest = now;
    brume_performance_counters_add(&meter->presented, now);
    if (viewer->fresh || !viewer->controls.cpu) {
        brume_performance_counters_add(&meter->drawn, now);
    }
    viewer->fresh = false;
    viewer->stale = false;
}

// messages fade, the panel's cursor blinks, rates are counted: now and then without a reason
static bool is_due(const BrumeViewer *viewer, double now)
{
    const double since = now - viewer->meter.newest;
    if (viewer->hidden) {
        return false;
    }
    // where drawing is costly, what has changed without a new picture of the smoke waits for one a little
    const double least = viewer->fresh || !viewer->window->software ? least_turn : patience;
    return viewer->commands.screenshot || since >= (viewer->stale ? least : 2.0 * longest_wait);
}

static BrumeStatus turn(BrumeViewer *viewer, double *clock, BrumeError *error)
{
    const bool busy = viewer->stale || viewer->input.flight.under_way;
    take_events(viewer, !busy);
    const double now = brume_seconds();
    if (brume_input_fly(&viewer->input, fmin(now - *clock, 0.1), &viewer->controls)) {
        viewer->input.newest = viewer->input.newest > 0.0 ? viewer->input.newest : now;
    }
    *clock = now;
    viewer->input_is_new = viewer->input.newest > 0.0 && viewer->input_at <= 0.0;
    if (viewer->input_is_new) {
        viewer->input_at = viewer->input.newest;
    }
    viewer->input.newest = 0.0;
    stir(viewer, now);
    brume_viewer_conduct(viewer);
    brume_viewer_finish_save(viewer);
    take_picture(viewer, now);
    const bool quit = viewer->commands.quit;
    const bool screenshot = viewer->commands.screenshot;
    viewer->commands = (BrumeCommands){.quit = quit, .screenshot = screenshot};
    if (is_due(viewer, now)) {
        present(viewer);
        brume_performance_counters_add(&viewer->meter.turn, 1e3 * (brume_seconds() - now));
    } else if (viewer->stale) {
        SDL_Delay(viewer->hidden ? 20 : 1);
    }
    return brume_window_is_lost(viewer->window)
               ? brume_fail(error, BRUME_FAILED,
                            "the graphics driver has lost the window's context (start again; "
                            "--renderer cpu needs less of it)")
               : BRUME_OK;
}

static BrumeStatus create(BrumeViewer *viewer, BrumeError *error)
{
    const BrumeViewerDef *def = viewer->def;
    (void)brume_window_state_path(viewer->place_path, sizeof viewer->place_path);
    viewer->place = brume_window_state_load(viewer->place_path);
    if (def->width > 0) {
        viewer->place.width = def->width;
        viewer->place.height = def->height;
        viewer->place.has_position = false;
        viewer->place.fullscreen = false;
    }
    viewer->place.fullscreen = viewer->place.fullscreen || def->fullscreen;
    BrumeControls *controls = &viewer->controls;
    *controls = brume_default_controls();
    controls->threads = def->threads;
    controls->panel = !def->plain && viewer->place.panel;
    controls->hud = !def->plain && viewer->place.hud;
    controls->fullscreen = viewer->place.fullscreen;
    controls->box = !def->plain;
    // the scene first: a wrong one needs no window
    BrumeStatus status = brume_history_create(&viewer->history, controls, error);
    if (status == BRUME_OK) {
        status = brume_viewer_open(viewer, def->scene_path, def->overrides, def->override_count, error);
    }
    if (status == BRUME_OK) {
        status = brume_window_create(&viewer->window, viewer->scene->name, &viewer->place, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    wake_event = SDL_RegisterEvents(1);
    viewer->input = brume_input_start();
    controls->cpu =
        def->renderer == BRUME_VIEWER_CPU || (def->renderer == BRUME_VIEWER_AUTO && viewer->window->software);
    status = brume_panel_create(&viewer->panel, viewer->window->handle, viewer->window->context, viewer->window->scale,
                                &def->presets, error);
    if (status == BRUME_OK) {
        status = brume_overlay_create(&viewer->overlay, error);
    }
    for (int side = 0; side < BRUME_MAX_SIDES && status == BRUME_OK; side++) {
        status = brume_gl_renderer_create(&viewer->gl[side], error);
    }
    if (status == BRUME_OK) {
        status = brume_render_thread_create(&viewer->canvas, viewer->live, def->threads, wake, error);
    }
    viewer->gl_shrink = 1;
    viewer->applied = viewer->controls;
    viewer->stale = true;
    return status;
}

static void remember(BrumeViewer *viewer)
{
    BrumeError error;
    brume_window_remember(viewer->window, &viewer->place);
    viewer->place.panel = viewer->controls.panel;
    viewer->place.hud = viewer->controls.hud;
    if (!viewer->def->plain && viewer->place_path[0]) {
        (void)brume_window_state_save(&viewer->place, viewer->place_path,
                                      &error); // a convenience: no reason to complain
    }
}

static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*d %ld", &pages) != 1) {
            pages = 0;
        }
        (void)fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static BrumeStatus write_stats(BrumeViewer *viewer, BrumeError *error)
{
    gather_facts(viewer, brume_seconds());
    const BrumeFacts *facts = &viewer->facts;
    const BrumeRect rect = brume_viewer_rect(viewer);
    const BrumePerformanceCountersFacts told = {
        .renderer = facts->renderer,
        .scene = facts->scene,
        .width = rect.width,
        .height = rect.height,
        .threads = facts->threads,
        .cells = {facts->grid.nx, facts->grid.ny, facts->grid.nz},
        .frames = facts->frame,
        .sim_ms = viewer->snapshot.frame_ms,
        .time = facts->time,
        .bytes = resident_bytes(),
    };
    return brume_performance_counters_write(&viewer->meter, &told, viewer->def->stats, error);
}

static void destroy(BrumeViewer *viewer)
{
    brume_viewer_end_film(viewer);
    brume_recorder_destroy(viewer->shots);
    brume_render_thread_destroy(viewer->canvas);
    brume_simulation_thread_destroy(viewer->live);
    for (int side = 0; side < BRUME_MAX_SIDES; side++) {
        brume_gl_renderer_destroy(viewer->gl[side]);
    }
    brume_overlay_destroy(viewer->overlay);
    brume_panel_destroy(viewer->panel);
    brume_window_destroy(viewer->window);
    brume_history_destroy(viewer->history);
    brume_scene_destroy(viewer->scene);
    brume_free(viewer);
}

BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error)
{
    BrumeViewer *viewer = brume_alloc(1, sizeof *viewer);
    if (!viewer) {
        return brume_out_of_memory(error, "the viewer");
    }
    viewer->def = def;
    BrumeStatus status = create(viewer, error);
    double clock = brume_seconds();
    while (status == BRUME_OK && !viewer->commands.quit) {
        status = turn(viewer, &clock, error);
    }
    if (status == BRUME_OK) {
        remember(viewer);
        status = def->stats ? write_stats(viewer, error) : BRUME_OK;
    }
    destroy(viewer);
    return status;
}
