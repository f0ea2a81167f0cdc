#include "viewer/viewer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "io/file.h"
#include "viewer/apply_controls.h"
#include "viewer/brush_cursor.h"
#include "viewer/capture.h"
#include "viewer/controls_file.h"
#include "viewer/exports.h"
#include "viewer/look_presets.h"
#include "viewer/lost_display.h"
#include "viewer/obstacle_edits.h"
#include "viewer/opened_files.h"
#include "viewer/past.h"
#include "viewer/preparation.h"
#include "viewer/present.h"
#include "viewer/scene_file.h"
#include "viewer/sequence.h"
#include "viewer/viewer_state.h"
#include "viewer/window/x_errors.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double max_end_wait = 0.5;                 // for the present step of each thread [s]
static const double max_event_wait = 0.1;               // so that rates and messages are updated [s]
static const double min_present_interval = 1.0 / 120.0; // [s]
// With software OpenGL, a change is shown together with the next picture of the smoke if that comes within this time,
// because presenting twice would be slow [s].
static const double max_present_delay = 1.0 / 30.0;

// Any thread may wake the loop. One event in SDL's queue is enough.
static atomic_bool wake_event_is_queued;
static Uint32 wake_event;

static void push_wake_event(void)
{
    SDL_Event event = {.type = wake_event};
    (void)SDL_PushEvent(&event);
}

static void wake_loop(void)
{
    if (!atomic_exchange(&wake_event_is_queued, true)) {
        brume_x_errors_guard(push_wake_event);
    }
}

static bool is_pointer_event(Uint32 type)
{
    return type == SDL_MOUSEMOTION || type == SDL_MOUSEBUTTONDOWN || type == SDL_MOUSEWHEEL;
}

// whether the panel alone handles an event
static bool is_for_panel(const BrumeViewer *viewer, const SDL_Event *event)
{
    if (viewer->input.drag != BRUME_DRAG_NONE) {
        return false;
    }
    return is_pointer_event(event->type) ? brume_panel_wants_mouse(viewer->panel)
                                         : event->type == SDL_KEYDOWN && brume_panel_wants_keys(viewer->panel) &&
                                               !brume_input_is_window_key(event);
}

static void handle_event(BrumeViewer *viewer, const SDL_Event *event)
{
    if (event->type == wake_event) {
        atomic_store(&wake_event_is_queued, false);
        return;
    }
    viewer->needs_redraw = true;
    if (event->type == SDL_QUIT) {
        viewer->commands.quit = true;
        return;
    }
    if (event->type == SDL_WINDOWEVENT) {
        viewer->hidden = !brume_window_update_size(viewer->window);
        viewer->readouts.area = brume_viewer_area(viewer);
        if (event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            viewer->commands.edited = viewer->commands.edited || viewer->input.drag == BRUME_DRAG_GIZMO;
            brume_input_release_all(&viewer->input, brume_seconds());
        }
    }
    if (event->type == SDL_DROPFILE) {
        char *const path = brume_is_sky_file(event->drop.file) ? viewer->commands.open_sky : viewer->commands.open;
        (void)snprintf(path, BRUME_VIEWER_PATH, "%s", event->drop.file);
        SDL_free(event->drop.file);
        return;
    }
    if (event->type == SDL_KEYDOWN && event->key.keysym.sym == SDLK_ESCAPE && !viewer->controls.help &&
        brume_viewer_cancel_preparation(viewer)) {
        return;
    }
    brume_panel_event(viewer->panel, event);
    brume_input_note_modifiers(&viewer->input, event);
    if (!brume_panel_wants_keys(viewer->panel) && brume_panel_takes_key(viewer->panel, event)) {
        return;
    }
    const bool for_panel = is_for_panel(viewer, event);
    brume_viewer_note_pointer(viewer, event, for_panel);
    if (for_panel) {
        return;
    }
    const BrumePictureArea *area = &viewer->readouts.area;
    BrumePick pick;
    const BrumePick *pressed = NULL;
    if (brume_input_needs_pick(&viewer->input, &viewer->controls, event) && viewer->playback) {
        brume_viewer_refuse_edit(viewer, "the brush"); // without a pick, the press starts no stroke
    } else if (brume_input_needs_pick(&viewer->input, &viewer->controls, event) &&
               !brume_viewer_refuse_past_edit(viewer, "the brush")) {
        pick = brume_viewer_pick(viewer, ((float)event->button.x - area->left) / area->width,
                                 ((float)event->button.y - area->top) / area->height);
        pressed = &pick;
    }
    brume_input_event(&viewer->input, event, area, pressed, &viewer->controls, &viewer->commands);
}

// passes the strokes and the motion of obstacles since the last iteration to the simulation thread
static void send_strokes_and_moves(BrumeViewer *viewer, double now)
{
    if (!viewer->simulation_thread) {
        return;
    }
    brume_viewer_send_obstacle_edits(viewer);
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    const int count = brume_input_drain_stroke(&viewer->input, now, segments);
    for (int n = 0; n < count; n++) {
        brume_undo_history_add_edit(viewer->history, &viewer->controls, segments[n].edit);
        brume_simulation_thread_add_stroke(viewer->simulation_thread, &segments[n]);
    }
    int surface;
    BrumeVec3 displacement;
    if (brume_input_drain_obstacle_motion(&viewer->input, &surface, &displacement)) {
        for (int n = 0; n < viewer->controls.sim[0].obstacle_count; n++) {
            if (viewer->controls.surface_of[n] == surface) {
                const BrumeObstacleMotion motion = {
                    .edit = viewer->input.edit, .obstacle = n, .displacement = displacement};
                brume_undo_history_add_edit(viewer->history, &viewer->controls, motion.edit);
                brume_simulation_thread_move_obstacle(viewer->simulation_thread, &motion);
            }
        }
    }
}

static bool has_commands(const BrumeViewer *viewer)
{
    BrumeCommands commands = viewer->commands;
    commands.quit = commands.window_picture = false; // the loop handles them
    static const BrumeCommands none;
    return memcmp(&commands, &none, sizeof commands) != 0;
}

// whether a command waits: until the window is drawn, or until the picture or scene that was requested before is there
static bool must_wait(const BrumeViewer *viewer)
{
    const BrumeCommands *commands = &viewer->commands;
    return (commands->window_picture && !viewer->hidden) || (commands->save && viewer->saving) ||
           (commands->screenshot && viewer->awaits_framebuffer && !viewer->hidden);
}

static void apply_controls(BrumeViewer *viewer)
{
    const BrumeCommands commands = viewer->commands;
    const bool saves_later = commands.save && viewer->saving;
    const bool draws_later = commands.screenshot && viewer->awaits_framebuffer;
    viewer->commands.save = commands.save && !saves_later;
    viewer->commands.screenshot = commands.screenshot && !draws_later;
    brume_viewer_apply_controls(viewer);
    viewer->commands = (BrumeCommands){.quit = viewer->commands.quit,
                                       .window_picture = commands.window_picture,
                                       .save = saves_later,
                                       .screenshot = draws_later};
    if (saves_later) {
        memcpy(viewer->commands.save_as, commands.save_as, sizeof commands.save_as);
    }
    viewer->readouts.area = brume_viewer_area(viewer);
    viewer->readouts.can_undo = brume_undo_history_can_undo(viewer->history);
    viewer->readouts.can_redo = brume_undo_history_can_redo(viewer->history);
}

static void apply_commands(BrumeViewer *viewer)
{
    if (has_commands(viewer) && !must_wait(viewer)) {
        apply_controls(viewer);
    }
}

static void lay_out_panel(BrumeViewer *viewer)
{
    brume_panel_lay_out(viewer->panel, viewer->scene, &viewer->readouts, &viewer->controls, &viewer->commands);
    apply_commands(viewer);
}

// Handles one event and executes its command, so that two equal commands between two pictures are executed twice.
static void handle_event_at_once(BrumeViewer *viewer, const SDL_Event *event)
{
    handle_event(viewer, event);
    if (event->type == SDL_MOUSEBUTTONUP) {
        send_strokes_and_moves(viewer, brume_seconds()); // the next drag may be another stroke or obstacle
    }
    apply_commands(viewer);
}

// A layout may request what must wait, too: then the event waits in SDL's queue.
static void handle_events(BrumeViewer *viewer, bool wait)
{
    SDL_Event event;
    if (must_wait(viewer)) {
        SDL_Delay(1);
    } else if (wait) {
        (void)SDL_WaitEventTimeout(NULL, (int)(1e3 * max_event_wait));
    }
    SDL_PumpEvents();
    while (!viewer->commands.quit && !must_wait(viewer) &&
           SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0) {
        if (brume_panel_needs_layout(viewer->panel, &event)) {
            lay_out_panel(viewer);
        } else if (SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) > 0) {
            handle_event_at_once(viewer, &event);
        }
    }
    if (brume_panel_has_input(viewer->panel) && !must_wait(viewer)) {
        lay_out_panel(viewer);
    }
}

// acquires the latest picture from the render thread, with the state and the errors that belong to it
static void acquire_picture(BrumeViewer *viewer, double now)
{
    if (!brume_render_thread_poll_picture(viewer->render_thread, &viewer->picture)) {
        return;
    }
    const BrumeRenderedPicture *picture = viewer->picture;
    viewer->needs_redraw = true;
    viewer->has_new_picture = true;
    const int frame = viewer->snapshot.frame;
    brume_render_thread_snapshot_info(viewer->render_thread, &viewer->snapshot);
    if (viewer->snapshot.frame != frame) {
        viewer->last_motion = now;
        brume_measurements_add(&viewer->frame_changes, now);
    }
    if (picture->error.text[0]) {
        brume_viewer_show_message(viewer, true, "%s", picture->error.text);
    }
    const BrumeError *error = &viewer->snapshot.error;
    if (error->text[0] && strcmp(error->text, viewer->reported_error) != 0) {
        brume_viewer_show_message(viewer, true, "%s", error->text);
        viewer->controls.running = viewer->snapshot.running;
        viewer->applied.running = viewer->snapshot.running;
    }
    (void)snprintf(viewer->reported_error, sizeof viewer->reported_error, "%s", error->text);
}

// records the latency of the pending input if the picture that answers it is on the screen
static void record_latency(BrumeViewer *viewer, double now)
{
    const double answered =
        viewer->picture && viewer->picture->rgb ? viewer->picture->request.requested_at : viewer->pending_input;
    if (viewer->pending_input > 0.0 && answered >= viewer->pending_input) {
        brume_measurements_add(&viewer->counters.latency, 1e3 * (now - viewer->pending_input));
        viewer->pending_input = 0.0;
    }
}

// reads the pixels of a picture that is logged, before panel and HUD cover them
static void log_pixels(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    uint8_t *pixels = viewer->picture && viewer->has_new_picture
                          ? brume_shown_pictures_pixels(&viewer->shown, rect.width, rect.height)
                          : NULL;
    if (pixels) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    }
}

static void log_picture(BrumeViewer *viewer, double now)
{
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!picture || !viewer->has_new_picture) {
        return;
    }
    const BrumeRect rect = brume_viewer_rect(viewer);
    const bool by_cpu = picture->rgb != NULL;
    const BrumeShownPicture shown = {
        .shown_at = now,
        .frame = picture->frame,
        .epoch = picture->epoch,
        .newer_states = brume_render_thread_snapshot_count(viewer->render_thread) - picture->snapshot_count,
        .shrink = by_cpu ? picture->shrink : viewer->gl_picture.shrink,
        .samples = by_cpu ? picture->samples : 1,
        .prepare_ms = picture->prepare_ms,
        .draw_ms = by_cpu ? picture->draw_ms : viewer->gl_picture.ms,
        .camera = by_cpu ? picture->request.camera : viewer->controls.camera,
        .width = rect.width,
        .height = rect.height,
    };
    brume_shown_pictures_add(&viewer->shown, &shown);
}

static void present(BrumeViewer *viewer)
{
    double now = brume_seconds();
    brume_viewer_update_readouts(viewer, now);
    brume_viewer_update_brush_cursor(viewer);
    brume_viewer_draw_picture(viewer);
    brume_viewer_read_framebuffer(viewer);
    log_pixels(viewer);
    brume_panel_draw(viewer->panel, viewer->scene, &viewer->readouts, &viewer->controls, &viewer->commands);
    if (viewer->commands.window_picture) {
        brume_viewer_take_window(viewer);
        viewer->commands.window_picture = false;
    }
    brume_window_swap_buffers(viewer->window);
    brume_viewer_write_controls(viewer);
    now = brume_seconds();
    record_latency(viewer, now);
    log_picture(viewer, now);
    BrumePerformanceCounters *counters = &viewer->counters;
    counters->started = counters->presented.count > 0 ? counters->started : now;
    counters->latest_present = now;
    brume_measurements_add(&counters->presented, now);
    if (viewer->has_new_picture) {
        brume_measurements_add(&counters->drawn, now);
    }
    viewer->has_new_picture = false;
    viewer->needs_redraw = false;
}

// Whether the window can only change with the next picture: the camera is dragged, so that the panel has no input, and
// the render thread draws. On a software device presenting takes as long as half a picture.
static bool awaits_picture(const BrumeViewer *viewer)
{
    return viewer->window->software && viewer->controls.cpu && viewer->input.drag >= BRUME_DRAG_LOOK &&
           viewer->picture && viewer->picture->rgb && !viewer->has_new_picture;
}

// Whether to present now: at once after a change, at a low rate without one, because messages fade, the cursor of text
// fields blinks and rates change.
static bool is_due(const BrumeViewer *viewer, double now)
{
    const double since = now - viewer->counters.latest_present;
    if (viewer->hidden) {
        return false;
    }
    const double min_interval =
        viewer->has_new_picture || !viewer->window->software ? min_present_interval : max_present_delay;
    const bool has_changed = viewer->needs_redraw && !awaits_picture(viewer);
    return viewer->commands.window_picture || since >= (has_changed ? min_interval : 2.0 * max_event_wait);
}

// one iteration of the loop: handles events, applies controls, and presents a picture if one is due
static BrumeStatus run_iteration(BrumeViewer *viewer, double *clock, BrumeError *error)
{
    const bool busy = (viewer->needs_redraw && !awaits_picture(viewer)) || viewer->input.animation.active ||
                      has_commands(viewer) || brume_viewer_can_refine(viewer, brume_seconds());
    handle_events(viewer, !busy);
    const double now = brume_seconds();
    if (brume_input_advance_camera(&viewer->input, fmin(now - *clock, 0.1), &viewer->controls)) {
        viewer->input.latest_event = viewer->input.latest_event > 0.0 ? viewer->input.latest_event : now;
    }
    *clock = now;
    viewer->has_new_input = viewer->input.latest_event > 0.0 && viewer->pending_input <= 0.0;
    if (viewer->has_new_input) {
        viewer->pending_input = viewer->input.latest_event;
    }
    viewer->input.latest_event = 0.0;
    send_strokes_and_moves(viewer, now);
    apply_controls(viewer);
    brume_viewer_finish_save(viewer);
    acquire_picture(viewer, now);
    brume_viewer_follow_obstacles(viewer);
    brume_viewer_update_timeline(viewer);
    if (viewer->past.player) {
        brume_viewer_update_past(viewer);
    }
    brume_viewer_update_pictures(viewer);
    brume_viewer_update_jobs(viewer);
    brume_viewer_update_dialog(viewer);
    brume_viewer_update_preparation(viewer);
    brume_viewer_update_looks(viewer, now);
    if (is_due(viewer, now)) {
        present(viewer);
        brume_measurements_add(&viewer->counters.iteration, 1e3 * (brume_seconds() - now));
    } else if (viewer->needs_redraw && !awaits_picture(viewer)) {
        SDL_Delay(viewer->hidden ? 20 : 1);
    } else if (brume_viewer_can_refine(viewer, now)) {
        brume_viewer_refine(viewer);
    }
    return brume_window_context_is_lost(viewer->window)
               ? brume_fail(error, BRUME_FAILED,
                            "the graphics driver has lost the window's context (start brume view again; "
                            "--renderer cpu depends less on the driver)")
               : BRUME_OK;
}

// how much is left to do before the window closes
static int left_to_close(const BrumeViewer *viewer)
{
    return brume_viewer_pictures_left(viewer) + brume_viewer_jobs_left(viewer);
}

// Whether the window closes now. Pictures that wait are written first, and the job that runs completes its frame; a
// second request discards them.
static bool is_over(BrumeViewer *viewer, bool interrupted)
{
    const bool requested = viewer->commands.quit;
    viewer->commands.quit = false;
    if (!viewer->closing && (requested || interrupted)) {
        viewer->closing = true;
        brume_viewer_stop_recording(viewer);
        brume_viewer_stop_jobs(viewer);
        brume_viewer_set_running(viewer, false); // the processors are for the pictures
        return left_to_close(viewer) == 0;
    }
    if (viewer->closing && brume_viewer_jobs_left(viewer) > 0) {
        brume_viewer_show_message(viewer, false,
                                  "closing after the present frame of the job; once more closes at once");
    } else if (viewer->closing) {
        brume_viewer_show_message(viewer, false, "closing after %d pictures; once more closes without them",
                                  brume_viewer_pictures_left(viewer));
    }
    return viewer->closing && (requested || left_to_close(viewer) == 0);
}

// called by the render thread
static void offer_snapshot(void *context, const BrumeSnapshot *snapshot)
{
    BrumeViewer *viewer = context;
    brume_picture_thread_offer(viewer->picture_thread, snapshot);
    brume_viewer_offer_to_looks(viewer, snapshot);
}

static BrumeStatus create(BrumeViewer *viewer, const BrumeViewerDef *def, BrumeError *error)
{
    viewer->threads = def->threads;
    viewer->paused_at_start = def->paused;
    viewer->min_frame_ms = def->min_frame_ms;
    viewer->memory = def->memory;
    viewer->disk = def->disk;
    viewer->sequence = def->sequence;
    viewer->controls_path = def->controls_file;
    viewer->writers = def->writers;
    viewer->opener = def->opener;
    brume_viewer_start_exports(viewer);
    (void)brume_window_state_path(viewer->window_state_path, sizeof viewer->window_state_path);
    viewer->window_state = brume_window_state_load(viewer->window_state_path);
    brume_viewer_start_files(viewer);
    if (def->width > 0) {
        viewer->window_state.width = def->width;
        viewer->window_state.height = def->height;
        viewer->window_state.has_position = false;
        viewer->window_state.fullscreen = false;
    }
    viewer->window_state.fullscreen = viewer->window_state.fullscreen || def->fullscreen;
    BrumeControls *controls = &viewer->controls;
    *controls = brume_default_controls();
    controls->threads = def->threads;
    controls->loop = def->sequence != NULL; // playing the past of a simulation ends at the present
    controls->panel = !def->plain && viewer->window_state.panel;
    controls->hud = !def->plain && viewer->window_state.hud;
    controls->fullscreen = viewer->window_state.fullscreen;
    controls->light = viewer->window_state.light;
    controls->ui_scale = viewer->window_state.ui_scale;
    controls->picture = viewer->window_state.picture;
    controls->exports = viewer->window_state.exports;
    controls->box = !def->plain;
    // the scene or the look first, so that an error in it opens no window
    BrumeStatus status = brume_undo_history_create(&viewer->history, controls, error);
    if (status == BRUME_OK) {
        status = def->sequence
                     ? brume_viewer_load_look(viewer, error)
                     : brume_viewer_load_scene(viewer, def->scene_path, def->overrides, def->override_count, error);
    }
    if (status == BRUME_OK && def->stats) {
        status = brume_file_check_writable(def->stats, error);
    }
    if (status == BRUME_OK && def->controls_file) {
        status = brume_file_check_writable(def->controls_file, error);
    }
    if (status == BRUME_OK && def->log_pictures) {
        status = brume_shown_pictures_start(&viewer->shown, def->log_pictures, error);
    }
    if (status == BRUME_OK) {
        status = brume_window_create(&viewer->window, viewer->scene->name, &viewer->window_state, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    wake_event = SDL_RegisterEvents(1);
    viewer->input = brume_default_input();
    controls->cpu =
        def->renderer == BRUME_VIEWER_CPU || (def->renderer == BRUME_VIEWER_AUTO && viewer->window->software);
    status = brume_panel_create(&viewer->panel, viewer->window->handle, viewer->window->context, viewer->window->scale,
                                &def->presets, error);
    if (status == BRUME_OK) {
        status = brume_overlay_create(&viewer->overlay, error);
    }
    for (int variant = 0; variant < BRUME_MAX_VARIANTS && status == BRUME_OK; variant++) {
        status = brume_gl_renderer_create(&viewer->gl[variant], error);
    }
    if (status == BRUME_OK) {
        status = brume_gl_picture_create(&viewer->gl_picture, viewer->window->software, error);
    }
    if (status == BRUME_OK && def->sequence) {
        status = brume_viewer_start_playback(viewer, wake_loop, error);
    } else if (status == BRUME_OK) {
        status = brume_viewer_start_past(viewer, wake_loop, error);
    }
    if (status == BRUME_OK) {
        status = brume_render_thread_create(&viewer->render_thread, viewer->source, def->threads, wake_loop, error);
    }
    const BrumePictureThreadDef pictures = {.threads = def->threads,
                                            .on_change = wake_loop,
                                            .permit =
                                                status == BRUME_OK ? viewer->source.functions->permit_frame : NULL,
                                            .source = viewer->source.self,
                                            .writers = def->writers};
    if (status == BRUME_OK) {
        status = brume_picture_thread_create(&viewer->picture_thread, &pictures, error);
    }
    if (status == BRUME_OK) {
        brume_viewer_start_looks(viewer, def->looks, wake_loop);
        brume_render_thread_set_snapshot_user(viewer->render_thread, offer_snapshot, viewer);
    }
    if (status == BRUME_OK) {
        viewer->readouts.area = brume_viewer_area(viewer);
    }
    if (status == BRUME_OK) {
        brume_viewer_note_opened(viewer, def->sequence ? def->sequence->name : def->scene_path);
    }
    viewer->applied = viewer->controls;
    viewer->needs_redraw = true;
    return status;
}

static void save_window_state(BrumeViewer *viewer)
{
    BrumeError error;
    brume_window_store_state(viewer->window, &viewer->window_state);
    viewer->window_state.panel = viewer->controls.panel;
    viewer->window_state.hud = viewer->controls.hud;
    viewer->window_state.light = viewer->controls.light;
    viewer->window_state.ui_scale = viewer->controls.ui_scale;
    viewer->window_state.picture = viewer->controls.picture;
    viewer->window_state.exports = viewer->controls.exports;
    if (viewer->window_state_path[0]) {
        // a failure is ignored: the next window opens at its default position
        (void)brume_window_state_save(&viewer->window_state, viewer->window_state_path, &error);
    }
}

// resident memory of the program, as Linux reports it; 0 on other systems
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

static BrumeStatus write_stats(BrumeViewer *viewer, const char *path, BrumeError *error)
{
    brume_viewer_update_readouts(viewer, brume_seconds());
    const BrumeReadouts *facts = &viewer->readouts;
    const BrumeRect rect = brume_viewer_rect(viewer);
    const BrumePerformanceContext context = {
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
    return brume_performance_counters_write(&viewer->counters, &context, path, error);
}

// Asks the threads to end; false where one has not soon, because it computes.
static bool stop_threads(BrumeViewer *viewer)
{
    bool ended = true;
    if (viewer->window) {
        SDL_HideWindow(viewer->window->handle); // at once, whatever is left to do
        SDL_PumpEvents();
    }
    for (int pass = 0; pass < 2; pass++) { // all are asked before one is waited for
        const double seconds = pass == 0 ? 0.0 : max_end_wait;
        ended = !viewer->render_thread || brume_render_thread_stop(viewer->render_thread, seconds);
        ended = (!viewer->picture_thread || brume_picture_thread_stop(viewer->picture_thread, seconds)) && ended;
        ended = (!viewer->source.functions || viewer->source.functions->stop(viewer->source.self, seconds)) && ended;
    }
    return ended;
}

static void destroy(BrumeViewer *viewer)
{
    brume_render_thread_destroy(viewer->render_thread);
    brume_picture_thread_destroy(viewer->picture_thread);
    brume_viewer_end_looks(viewer);
    if (viewer->source.functions) {
        viewer->source.functions->destroy(viewer->source.self);
    }
    brume_viewer_destroy_past(viewer);
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        brume_gl_renderer_destroy(viewer->gl[variant]);
    }
    brume_gl_picture_destroy(&viewer->gl_picture);
    brume_overlay_destroy(viewer->overlay);
    brume_panel_destroy(viewer->panel);
    brume_window_destroy(viewer->window);
    brume_undo_history_destroy(viewer->history);
    brume_flight_clear(&viewer->flight);
    brume_scene_destroy(viewer->scene);
    for (int n = 0; n < viewer->former_scene_count; n++) {
        brume_scene_destroy(viewer->former_scenes[n]);
    }
    brume_free(viewer->former_scenes);
    brume_opened_skies_destroy(&viewer->skies);
    brume_shown_pictures_destroy(&viewer->shown);
    brume_free(viewer);
}

BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error)
{
    BrumeViewer *viewer = brume_alloc(1, sizeof *viewer);
    if (!viewer) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeStatus status = create(viewer, def, error);
    if (status == BRUME_OK) {
        brume_viewer_expect_lost_display(viewer, def->is_interrupted);
    }
    double clock = brume_seconds();
    bool interrupted = false;
    while (status == BRUME_OK && !is_over(viewer, interrupted)) {
        status = run_iteration(viewer, &clock, error);
        interrupted = def->is_interrupted && def->is_interrupted();
    }
    if (status == BRUME_OK) {
        if (!def->plain) {
            save_window_state(viewer);
        }
        status = def->stats ? write_stats(viewer, def->stats, error) : BRUME_OK;
        status = status == BRUME_OK ? brume_shown_pictures_write(&viewer->shown, error) : status;
    }
    if (status == BRUME_OK && interrupted) {
        status = brume_fail(error, BRUME_INTERRUPTED, "interrupted");
    }
    brume_job_list_destroy(&viewer->jobs);
    brume_system_dialog_close(&viewer->dialog);
    const bool ended = stop_threads(viewer);
    if (ended || !def->unfinished) {
        destroy(viewer);
    } else {
        *def->unfinished = true; // the threads use the memory
    }
    return status;
}
