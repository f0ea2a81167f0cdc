// Creates the parts of the viewer before the event loop and frees them after it; saves the window state between runs.
#include "viewer/lifetime.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "viewer/events.h"
#include "viewer/exports.h"
#include "viewer/look_presets.h"
#include "viewer/opened_files.h"
#include "viewer/past.h"
#include "viewer/scene_load.h"
#include "viewer/scene_saver.h"
#include "viewer/sequence.h"

#include <math.h>

static const double max_end_wait = 0.5; // longest wait for the present step of each thread [s]

// passes a snapshot to its users; called by the preparation thread
static void offer_snapshot(void *context, const BrumeSnapshot *snapshot)
{
    BrumeViewer *viewer = context;
    brume_picture_thread_offer(viewer->picture_thread, snapshot);
    brume_viewer_offer_to_looks(viewer, snapshot);
}

// Restores the brush of the previous run. A color that the scene lacks is not added to it.
static void restore_brush(BrumeViewer *viewer)
{
    const BrumePanelState *state = &viewer->window_state.panel_state;
    BrumeControls *controls = &viewer->controls;
    brume_brush_select(&controls->brush, (BrumeBrushMode)state->brush_mode);
    if (state->brush_color <= controls->sim[0].color_count) {
        brume_controls_set_smoke_kind(controls, state->brush_color);
    }
    controls->brush.radius *= state->brush_size;
}

static void store_brush(BrumeViewer *viewer)
{
    BrumePanelState *state = &viewer->window_state.panel_state;
    const BrumeBrush *brush = &viewer->controls.brush;
    state->brush_mode = (int)brush->mode;
    state->brush_color = brush->kind;
    const float size = brush->radius / brume_brush_of_scene(viewer->scene).radius;
    state->brush_size = fminf(fmaxf(size, BRUME_MIN_BRUSH_SIZE), BRUME_MAX_BRUSH_SIZE);
}

BrumeStatus brume_viewer_create(BrumeViewer *viewer, const BrumeViewerDef *def, BrumeError *error)
{
    viewer->def = *def;
    brume_viewer_start_exports(viewer);
    (void)brume_window_state_path(viewer->window_state_path, sizeof viewer->window_state_path);
    BrumeError state_error;
    viewer->window_state = brume_window_state_load(viewer->window_state_path, &state_error);
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
    BrumeStatus status = brume_undo_history_create(&viewer->history, controls, error);
    if (status == BRUME_OK && def->stats) {
        status = brume_file_check_writable(def->stats, error);
    }
    if (status == BRUME_OK && def->controls_file) {
        status = brume_file_check_writable(def->controls_file, error);
    }
    if (status == BRUME_OK && def->log_pictures) {
        status = brume_shown_pictures_start(&viewer->shown, def->log_pictures, error);
    }
    // the scene or the look before the window, so that an error in a small file opens none
    brume_file_queue_init(&viewer->file_queue, def->readers, brume_viewer_wake_loop);
    if (status == BRUME_OK) {
        status = def->sequence ? brume_viewer_load_look(viewer, error)
                               : brume_viewer_request_scene(viewer, def->scene_path, error);
    }
    if (status == BRUME_OK && !viewer->scene) {
        status = brume_viewer_await_scene(viewer, error);
    }
    if (status == BRUME_OK) {
        status = brume_window_create(&viewer->window, viewer->scene ? viewer->scene->name : def->scene_path,
                                     &viewer->window_state, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    brume_viewer_register_wake_event();
    viewer->input = brume_default_input();
    status = brume_panel_create(&viewer->panel, viewer->window->handle, viewer->window->context, viewer->window->scale,
                                &def->presets, error);
    if (status == BRUME_OK && !viewer->scene) {
        status = brume_viewer_await_scene(viewer, error);
        if (status != BRUME_OK || !viewer->scene) {
            return status;
        }
        brume_window_set_title(viewer->window, viewer->scene->name);
    }
    controls->cpu =
        def->renderer == BRUME_VIEWER_CPU || (def->renderer == BRUME_VIEWER_AUTO && viewer->window->software);
    if (status == BRUME_OK && !def->plain) {
        brume_viewer_start_keeping(viewer);
        brume_panel_restore(viewer->panel, &viewer->window_state.panel_state);
        restore_brush(viewer);
    }
    if (status == BRUME_OK && state_error.status != BRUME_OK && !def->plain) {
        brume_viewer_show_message(viewer, true, "%s", state_error.text);
    }
    if (status == BRUME_OK) {
        status = brume_overlay_create(&viewer->gl.overlay, error);
    }
    for (int variant = 0; variant < BRUME_MAX_VARIANTS && status == BRUME_OK; variant++) {
        status = brume_gl_renderer_create(&viewer->gl.renderers[variant], error);
    }
    if (status == BRUME_OK) {
        status = brume_gl_picture_create(&viewer->gl.picture, viewer->window->software, error);
    }
    if (status == BRUME_OK) {
        status = brume_viewer_start_player(viewer, brume_viewer_wake_loop, error);
    }
    const BrumePictureThreadDef pictures = {.threads = def->threads,
                                            .on_change = brume_viewer_wake_loop,
                                            .permit = brume_viewer_permit_frame,
                                            .source = viewer,
                                            .writers = def->writers};
    if (status == BRUME_OK) {
        status = brume_picture_thread_create(&viewer->picture_thread, &pictures, error);
    }
    const BrumeRenderThreadDef rendering = {.states = &viewer->states,
                                            .threads = def->threads,
                                            .on_picture = brume_viewer_wake_loop,
                                            .use = offer_snapshot,
                                            .use_context = viewer};
    if (status == BRUME_OK) {
        brume_viewer_start_looks(viewer, def->looks, brume_viewer_wake_loop);
        status = brume_render_thread_create(&viewer->render_thread, &rendering, error);
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

void brume_viewer_save_window_state(BrumeViewer *viewer)
{
    BrumeError error;
    brume_window_store_state(viewer->window, &viewer->window_state);
    viewer->window_state.panel = viewer->controls.panel;
    viewer->window_state.hud = viewer->controls.hud;
    viewer->window_state.light = viewer->controls.light;
    viewer->window_state.ui_scale = viewer->controls.ui_scale;
    viewer->window_state.picture = viewer->controls.picture;
    viewer->window_state.exports = viewer->controls.exports;
    brume_panel_store(viewer->panel, &viewer->window_state.panel_state);
    store_brush(viewer);
    if (viewer->window_state_path[0]) {
        // a failure is ignored: the next window opens at its default position
        (void)brume_window_state_save(&viewer->window_state, viewer->window_state_path, &error);
    }
}

void brume_viewer_hide(BrumeViewer *viewer)
{
    if (viewer->window) {
        SDL_HideWindow(viewer->window->handle);
        SDL_PumpEvents();
    }
}

bool brume_viewer_stop_threads(BrumeViewer *viewer)
{
    bool ended = true;
    for (int pass = 0; pass < 2; pass++) { // all threads are asked to end before waiting for one
        const double seconds = pass == 0 ? 0.0 : max_end_wait;
        ended = !viewer->render_thread || brume_render_thread_stop(viewer->render_thread, seconds);
        ended = (!viewer->picture_thread || brume_picture_thread_stop(viewer->picture_thread, seconds)) && ended;
        ended =
            (!viewer->simulation_thread || brume_simulation_thread_stop(viewer->simulation_thread, seconds)) && ended;
        ended = brume_file_queue_stop(&viewer->file_queue, seconds) && ended;
    }
    return ended;
}

void brume_viewer_destroy(BrumeViewer *viewer)
{
    brume_render_thread_destroy(viewer->render_thread);
    brume_picture_thread_destroy(viewer->picture_thread);
    brume_viewer_end_looks(viewer);
    brume_simulation_thread_destroy(viewer->simulation_thread);
    brume_playback_thread_destroy(viewer->player);
    brume_frame_history_destroy(viewer->past.history);
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        brume_gl_renderer_destroy(viewer->gl.renderers[variant]);
    }
    brume_gl_picture_destroy(&viewer->gl.picture);
    brume_overlay_destroy(viewer->gl.overlay);
    brume_panel_destroy(viewer->panel);
    brume_window_destroy(viewer->window);
    brume_undo_history_destroy(viewer->history);
    brume_flight_clear(&viewer->keyed.flight);
    brume_scene_destroy(viewer->scene);
    for (int n = 0; n < viewer->opened.former_count; n++) {
        brume_scene_destroy(viewer->opened.former_scenes[n]);
    }
    brume_free(viewer->opened.former_scenes);
    brume_opened_skies_destroy(&viewer->skies);
    brume_file_queue_destroy(&viewer->file_queue);
    brume_opened_meshes_destroy(&viewer->meshes);
    brume_shown_pictures_destroy(&viewer->shown);
    brume_free(viewer);
}
