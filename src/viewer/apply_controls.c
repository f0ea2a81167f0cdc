#include "viewer/apply_controls.h"

#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "viewer/animate.h"
#include "viewer/body_edits.h"
#include "viewer/capture.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/exports.h"
#include "viewer/look_presets.h"
#include "viewer/opened_files.h"
#include "viewer/past.h"
#include "viewer/scene_load.h"
#include "viewer/scene_saver.h"
#include "viewer/sequence.h"
#include "viewer/undo.h"
#include "viewer/viewer_state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const double max_keep_wait = 0.5;  // longest wait for the present frame before a restart or another scene [s]
static const double cpu_budget_ms = 12.0; // time for a picture by the CPU ray marcher while camera and smoke move

// moves the camera to another position in an animation
static void animate_camera(BrumeViewer *viewer, BrumeCamera camera)
{
    brume_input_animate_camera(&viewer->input, &viewer->controls, &camera);
}

// moves the camera so that the smoke, or the box where there is none, fills the picture
static void frame_smoke(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeVec3 lower;
    BrumeVec3 upper;
    if (!brume_render_thread_smoke_bounds(viewer->render_thread, 0, &lower, &upper)) { // no smoke: the whole box
        const BrumeSimDef *shown = &viewer->snapshot.variants[0].settings; // without cells before the first frame
        const BrumeSimDef *def = viewer->def.sequence && shown->nx > 0 ? shown : &viewer->controls.sim[0];
        lower = def->origin;
        upper = brume_add(lower, brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx));
    }
    BrumeCamera framed =
        brume_camera_frame(&viewer->controls.camera, lower, upper, (float)rect.width / (float)rect.height);
    brume_camera_orbit_above(&framed, brume_controls_lowest_camera(&viewer->controls));
    animate_camera(viewer, framed);
}

static void move_camera(BrumeViewer *viewer, const BrumeCommands *commands)
{
    if (commands->frame_smoke) {
        frame_smoke(viewer);
    }
    if (commands->change_projection) {
        viewer->controls.camera = brume_camera_with_other_projection(&viewer->controls.camera);
        viewer->input.animation.active = false;
    }
    if (commands->home) {
        animate_camera(viewer, brume_scene_camera(viewer->scene, viewer->snapshot.time)); // without keys set later
    }
    if (commands->bookmark_save > 0) {
        viewer->bookmarks[commands->bookmark_save - 1] = (BrumeBookmark){true, viewer->controls.camera};
        brume_viewer_show_message(viewer, false, "camera bookmark %d saved (Alt+%d goes back to it)",
                                  commands->bookmark_save, commands->bookmark_save);
    }
    if (commands->bookmark_recall > 0 && viewer->bookmarks[commands->bookmark_recall - 1].is_set) {
        animate_camera(viewer, viewer->bookmarks[commands->bookmark_recall - 1].camera);
    }
}

// adds complete edits to the undo history, and executes undo and redo
static void update_history(BrumeViewer *viewer, const BrumeCommands *commands)
{
    brume_viewer_send_body_edits(viewer);
    if (commands->edit_is_dropped) {
        brume_undo_history_drop_latest(viewer->history, &viewer->controls);
    }
    if (commands->edited) {
        brume_undo_history_add(viewer->history, &viewer->controls);
    }
    if (commands->edited || commands->cancel_edit) {
        brume_viewer_end_body_edit(viewer, commands->cancel_edit);
    }
    if (brume_input_is_editing(&viewer->input)) {
        return; // an edit is undone only when it is complete
    }
    if (commands->undo) {
        brume_viewer_undo(viewer, true);
    }
    if (commands->redo) {
        brume_viewer_undo(viewer, false);
    }
}

static void show_opened(BrumeViewer *viewer, const char *path)
{
    if (brume_viewer_is_kept_scene(viewer, path)) {
        brume_viewer_show_message(viewer, false,
                                  "edits that were not saved: they come as the simulation runs, up to frame %d",
                                  viewer->scene->frames);
    } else {
        brume_viewer_show_message(viewer, false, "%s", viewer->scene->description);
    }
}

// whether a body can be added now; a message says why not
static bool has_room_for_mesh(BrumeViewer *viewer, const char *path)
{
    if (brume_viewer_refuse_past_edit(viewer, "adding a body")) {
        return false;
    }
    const bool has_room = brume_object_has_room(&viewer->controls, BRUME_OBJECT_BODY);
    if (!has_room) {
        brume_viewer_show_message(viewer, true, "%s: the scene has %d bodies, which is the most that it can have", path,
                                  viewer->controls.present.count);
    }
    return has_room;
}

// adds the body of a mesh file that was read, as one step of the undo history
static void add_mesh(BrumeViewer *viewer, BrumeMesh *mesh, const char *path)
{
    BrumeError error;
    if (!has_room_for_mesh(viewer, path)) {
        brume_mesh_release(mesh);
        return;
    }
    if (brume_opened_meshes_add(&viewer->meshes, mesh, path, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    const float factor = brume_object_add_mesh(&viewer->controls, mesh);
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    char scaled[64] = "";
    if (factor < 1.0f || factor > 1.0f) {
        (void)snprintf(scaled, sizeof scaled, ", scaled by %.2g because it is %s", (double)factor,
                       factor < 1.0f ? "larger than the box" : "tiny in the box");
    }
    viewer->controls.select.active = true;
    brume_viewer_send_body_edits(viewer);
    brume_viewer_end_body_edit(viewer, false);
    brume_viewer_note_opened(viewer, path);
    const char *kind = info->closed && info->volume < 0.0
                           ? ", inside out: a wall without thickness (give it 'flip: true' in the saved scene)"
                       : info->solid ? ""
                                     : ", open: a wall without thickness";
    brume_viewer_show_message(viewer, false, "%s: %d triangles%s%s", path, info->triangles, scaled, kind);
}

// shows a scene that was read, or the look of a sequence (NULL) again; edits of the one before are kept first
static void use_scene(BrumeViewer *viewer, BrumeScene *scene, const char *path)
{
    BrumeError error;
    (void)brume_viewer_keep_scene_now(viewer, max_keep_wait);
    if ((scene ? brume_viewer_use_scene(viewer, scene, path, &error) : brume_viewer_load_look(viewer, &error)) !=
        BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    brume_viewer_begin_kept_scene(viewer);
    show_opened(viewer, path);
    brume_window_set_title(viewer->window, viewer->scene->name);
    brume_viewer_note_opened(viewer, path);
}

// adds the bodies of files that were read, and shows scenes, unless a drag is in progress
static void use_read_files(BrumeViewer *viewer)
{
    BrumeFileReading reading;
    while (!brume_input_is_editing(&viewer->input) && brume_file_queue_poll(&viewer->file_queue, &reading)) {
        if (reading.mesh) {
            add_mesh(viewer, reading.mesh, reading.path);
        } else if (reading.scene && viewer->def.sequence) {
            brume_scene_destroy(reading.scene); // the next window reads it again
            brume_viewer_open_next(viewer, reading.path);
        } else if (reading.scene) {
            use_scene(viewer, reading.scene, reading.path);
        } else {
            brume_viewer_show_message(viewer, true, "%s", reading.error.text);
        }
    }
}

// requests a scene or a mesh, or opens another file in the next window
static void open_file(BrumeViewer *viewer, const char *path)
{
    BrumeError error;
    BrumeStatus status = BRUME_OK;
    const bool is_look = viewer->def.sequence && strcmp(path, viewer->def.sequence->name) == 0;
    if (viewer->simulation_thread && brume_is_mesh_file(path) && strcmp(path, viewer->readouts.scene_path) != 0) {
        if (has_room_for_mesh(viewer, path)) {
            status = brume_file_queue_request(&viewer->file_queue, path, &error);
        }
    } else if (is_look) {
        use_scene(viewer, NULL, path);
    } else if (!brume_viewer_opens_elsewhere(viewer, path)) {
        status = brume_viewer_request_scene(viewer, path, &error);
    }
    if (status != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

// shows an image as the sky from now on, as one step of the undo history
static void open_sky(BrumeViewer *viewer, const char *path)
{
    BrumeError error;
    BrumeSky *sky = &brume_controls_look(&viewer->controls)->sky;
    if (brume_opened_skies_read(&viewer->skies, viewer->def.readers, path, &sky->image, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    sky->kind = BRUME_SKY_IMAGE;
    brume_undo_history_add(viewer->history, &viewer->controls);
    brume_viewer_show_message(viewer, false, "the sky is %s", path);
}

// starts or ends the comparison of looks as one step of the undo history, which keeps the removed look
static void toggle_looks(BrumeViewer *viewer)
{
    BrumeControls *controls = &viewer->controls;
    brume_controls_toggle_looks(controls);
    brume_undo_history_add(viewer->history, controls);
    if (controls->compare_looks) {
        brume_viewer_show_message(viewer, false,
                                  "two looks of the same smoke; Shift + B ends this with the selected one");
    } else {
        brume_viewer_show_message(viewer, false, "look %s stays; undo brings the other one back",
                                  controls->edited_variant == 0 ? "A" : "B");
    }
}

// Restarts the simulation. This discards strokes and motions, but not settings.
static void restart(BrumeViewer *viewer)
{
    const bool kept = brume_viewer_keep_scene_now(viewer, max_keep_wait);
    if (kept && viewer->saver.kept.path[0]) {
        brume_viewer_show_message(viewer, false,
                                  "restarted; the scene before is in the list 'unsaved' of the section Scene");
    }
    brume_undo_history_drop_edits(viewer->history);
    brume_viewer_begin_kept_scene(viewer);
    brume_viewer_release_bodies(viewer);
    brume_input_restart_drag(&viewer->input, brume_seconds());
    if (viewer->def.sequence) {
        brume_playback_thread_seek(viewer->player, INT_MIN);
    } else {
        brume_simulation_thread_reset(viewer->simulation_thread);
    }
    viewer->keyed.keys_changed = false;
}

static void execute_commands(BrumeViewer *viewer)
{
    BrumeCommands commands = viewer->commands;
    update_history(viewer, &commands);
    brume_viewer_execute_keys(viewer, &commands);
    move_camera(viewer, &commands);
    if (commands.open[0]) {
        open_file(viewer, commands.open);
    }
    use_read_files(viewer);
    if (commands.toggle_looks) {
        toggle_looks(viewer);
    }
    brume_viewer_change_looks(viewer, &commands);
    if (commands.open_sky[0]) {
        open_sky(viewer, commands.open_sky);
    }
    brume_viewer_apply_playback(viewer); // before the steps, which depend on the loop
    if (viewer->past.history) {
        brume_viewer_move_in_past(viewer, &commands);
    }
    if (commands.reset) {
        restart(viewer);
    }
    if (commands.advance > 0 || (commands.timeline_steps != 0 && viewer->def.sequence)) {
        viewer->controls.running = false;
        if (viewer->applied.running) { // a pause discards the frames that were requested before
            brume_viewer_set_running(viewer, false);
            viewer->applied.running = false;
        }
    }
    for (int n = 0; n < commands.advance; n++) {
        brume_viewer_step(viewer);
    }
    if (viewer->def.sequence) {
        brume_viewer_move_playhead(viewer, &commands);
    }
    if (commands.save) {
        brume_viewer_save_scene(viewer, commands.save_as);
    }
    if (commands.needs_present) {
        (void)brume_viewer_refuse_past_edit(viewer, "editing emitters and bodies");
    }
    if (commands.record) {
        brume_viewer_toggle_recording(viewer);
    }
    if (commands.screenshot) {
        brume_viewer_write_frame(viewer, brume_viewer_picture_kind(viewer), "");
    }
    if (commands.name_brush) {
        brume_viewer_show_message(viewer, false, "brush: %s", brume_brush_mode_name(viewer->controls.brush.mode));
    }
    if (commands.message[0]) {
        brume_viewer_show_message(viewer, true, "%s", commands.message);
    }
    brume_viewer_execute_exports(viewer, &commands.exports);
    if (commands.choose != BRUME_CHOOSE_NOTHING) {
        brume_viewer_choose_file(viewer, commands.choose);
    }
}

// Starts a comparison, in which both variants continue from the present state, or ends it with the selected variant.
// Either is a step of the undo history.
static void change_comparison(BrumeViewer *viewer)
{
    BrumeControls *now = &viewer->controls;
    const int kept = now->edited_variant;
    const int edit = ++viewer->input.edit;
    now->sim[now->compare] = now->sim[now->compare ? 0 : kept];
    now->edited_variant = now->compare;
    if (now->compare) {
        brume_simulation_thread_fork(viewer->simulation_thread, edit);
        brume_viewer_show_message(viewer, false, "two variants go on from here; B ends this with the selected one");
    } else {
        brume_simulation_thread_end_comparison(viewer->simulation_thread, kept, edit);
        brume_viewer_show_message(viewer, false, "variant %s goes on alone; undo brings the other one back",
                                  kept == 0 ? "A" : "B");
    }
    brume_undo_history_add_comparison(viewer->history, now, edit);
}

// passes on the settings of the simulation that differ from the applied ones
static void apply_simulation_changes(BrumeViewer *viewer)
{
    BrumeControls *now = &viewer->controls;
    const BrumeControls *before = &viewer->applied;
    if (now->compare != before->compare && brume_viewer_refuse_past_edit(viewer, "side by side")) {
        now->compare = before->compare;
    } else if (now->compare != before->compare) {
        change_comparison(viewer);
    } else if (now->compare && !brume_simulation_thread_compares(viewer->simulation_thread)) {
        now->compare = false; // there was no memory for a second variant
        now->edited_variant = 0;
    }
    // a value that is no longer animated has its present number from now on
    const bool has_new_keys = memcmp(&now->animation, &before->animation, sizeof now->animation) != 0;
    for (int variant = 0; variant < (now->compare ? BRUME_MAX_VARIANTS : 1); variant++) {
        if (has_new_keys || memcmp(&now->sim[variant], &before->sim[variant], sizeof now->sim[variant]) != 0) {
            brume_simulation_thread_set_settings(viewer->simulation_thread, variant, &now->sim[variant]);
        }
    }
    if (has_new_keys) {
        brume_simulation_thread_set_animation(viewer->simulation_thread, &now->animation);
        viewer->keyed.keys_changed = viewer->keyed.keys_changed || viewer->snapshot.frame > 0;
    }
    if (now->threads != before->threads) {
        brume_simulation_thread_set_threads(viewer->simulation_thread, now->threads);
    }
    if (now->speed_limit < before->speed_limit || now->speed_limit > before->speed_limit) {
        brume_simulation_thread_set_speed_limit(viewer->simulation_thread, now->speed_limit);
    }
}

// passes on the controls that differ from the applied ones
static void apply_changes(BrumeViewer *viewer)
{
    BrumeControls *now = &viewer->controls;
    const BrumeControls *before = &viewer->applied;
    if (viewer->simulation_thread) {
        apply_simulation_changes(viewer);
    }
    if (now->threads != before->threads) {
        brume_render_thread_set_threads(viewer->render_thread, now->threads);
    }
    if (now->running != before->running) {
        brume_viewer_set_running(viewer, now->running);
    }
    if (now->fullscreen != before->fullscreen) {
        brume_window_set_fullscreen(viewer->window, now->fullscreen);
    }
    if (now->vsync != before->vsync) {
        brume_window_set_vsync(viewer->window, now->vsync);
    }
    if (memcmp(&now->camera, &before->camera, sizeof now->camera) != 0) {
        viewer->last_motion = brume_seconds();
        viewer->needs_redraw = true;
    }
    viewer->applied = *now;
}

/** The rays per pixel of a scene; for the path tracer a scene has light paths, which the viewer does not use. */
static int samples_of(const BrumeScene *scene)
{
    return scene->integrator == BRUME_INTEGRATOR_MARCH ? scene->samples : brume_default_samples(BRUME_INTEGRATOR_MARCH);
}

static void request_picture(BrumeViewer *viewer)
{
    const BrumeControls *controls = &viewer->controls;
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeRenderRequest request = {
        .view =
            {
                .render_settings = controls->render_settings,
                .two_looks = controls->compare_looks,
                .other_look = controls->other_look,
                .kind = controls->view,
                .streamlines = controls->streamlines,
                .iso_level = controls->iso_level,
                .slice = controls->slice,
                .slice_axis = controls->slice_axis,
                .slice_at = controls->slice_at,
            },
        .camera = controls->camera,
        .width = rect.width,
        .height = rect.height,
        .cpu = controls->cpu,
        .full = brume_viewer_reads_framebuffer(viewer),
        .samples = samples_of(viewer->scene),
        .budget_ms = cpu_budget_ms,
        .divider = controls->divider,
        .hidden = viewer->window->hidden,
        .requested_at = viewer->counters.pending_input,
    };
    memcpy(request.view.surface_of, controls->surface_of, sizeof request.view.surface_of);
    if (!brume_render_thread_request(viewer->render_thread, &request) && viewer->counters.has_new_input) {
        viewer->counters.pending_input = 0.0; // it changes nothing visible, so that no picture follows it
    }
}

void brume_viewer_apply_controls(BrumeViewer *viewer)
{
    execute_commands(viewer);
    brume_viewer_animate(viewer);
    apply_changes(viewer);
    request_picture(viewer);
}
