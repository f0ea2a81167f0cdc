// From what the user wants to what the simulation and the pictures do.
#include "viewer/viewer_internal.h"

#include "core/clock.h"
#include "core/vec3.h"

#include <string.h>

static const double cpu_budget_ms = 22.0; // of a picture in motion by the CPU raymarcher

static void fly_to(BrumeViewer *viewer, BrumeCamera camera)
{
    brume_input_fly_to(&viewer->input, &viewer->controls, &camera);
}

static void frame_smoke(BrumeViewer *viewer)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeVec3 lower;
    BrumeVec3 upper;
    if (!brume_render_thread_bounds(viewer->canvas, 0, &lower, &upper)) {
        const BrumeSimDef *def = &viewer->controls.sim[0];
        lower = def->origin;
        upper = brume_add(lower, brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx));
    }
    fly_to(viewer, brume_camera_frame(&viewer->controls.camera, lower, upper, (float)rect.width / (float)rect.height));
}

static void move_camera(BrumeViewer *viewer, const BrumeCommands *commands)
{
    if (commands->frame_smoke) {
        frame_smoke(viewer);
    }
    if (commands->home) {
        const BrumeScene *scene = viewer->scene;
        fly_to(viewer, brume_camera_at(scene->camera_keys, scene->camera_key_count, viewer->snapshot.time));
    }
    if (commands->bookmark_save > 0) {
        viewer->bookmarks[commands->bookmark_save - 1] = viewer->controls.camera;
        viewer->has_bookmark[commands->bookmark_save - 1] = true;
        brume_viewer_say(viewer, false, "bookmark %d kept (Alt+%d comes back)", commands->bookmark_save,
                         commands->bookmark_save);
    }
    if (commands->bookmark_recall > 0 && viewer->has_bookmark[commands->bookmark_recall - 1]) {
        fly_to(viewer, viewer->bookmarks[commands->bookmark_recall - 1]);
    }
}

static void travel_in_history(BrumeViewer *viewer, const BrumeCommands *commands)
{
    if (commands->edited) {
        brume_history_keep(viewer->history, &viewer->controls);
    }
    if (commands->undo) {
        (void)brume_history_undo(viewer->history, &viewer->controls);
    }
    if (commands->redo) {
        (void)brume_history_redo(viewer->history, &viewer->controls);
    }
}

static void open_scene(BrumeViewer *viewer, const char *path)
{
    BrumeError error;
    if (brume_viewer_open(viewer, path, NULL, 0, &error) != BRUME_OK) {
        brume_viewer_say(viewer, true, "%s", error.text);
    } else {
        brume_viewer_say(viewer, false, "%s", viewer->scene->description);
        brume_window_set_title(viewer->window, viewer->scene->name);
    }
}

static void do_commands(BrumeViewer *viewer)
{
    const BrumeCommands commands = viewer->commands;
    travel_in_history(viewer, &commands);
    move_camera(viewer, &commands);
    if (commands.open[0]) {
        open_scene(viewer, commands.open);
    }
    if (commands.reset) {
        brume_simulation_thread_reset(viewer->live);
    }
    if (commands.advance) {
        viewer->controls.running = false;
        brume_simulation_thread_run(viewer->live, false);
        viewer->applied.running = false;
        brume_simulation_thread_advance(viewer->live);
    }
    if (commands.save) {
        brume_viewer_save(viewer, commands.save_as);
    }
    if (commands.record) {
        brume_viewer_film(viewer);
    }
}

// what has changed is passed on; the newest counts
static void pass_on(BrumeViewer *viewer)
{
    BrumeControls *now = &viewer->controls;
    const BrumeControls *before = &viewer->applied;
    if (now->compare != before->compare) {
        if (now->compare) {
            now->sim[1] = now->sim[0];
        }
        now->edited = now->compare ? 1 : 0;
        brume_simulation_thread_compare(viewer->live, now->compare);
    }
    for (int side = 0; side < (now->compare ? 2 : 1); side++) {
        if (memcmp(&now->sim[side], &before->sim[side], sizeof now->sim[side]) != 0) {
            brume_simulation_thread_change(viewer->live, side, &now->sim[side]);
        }
    }
    if (now->threads != before->threads) {
        brume_simulation_thread_set_threads(viewer->live, now->threads);
        brume_render_thread_set_threads(viewer->canvas, now->threads);
    }
    if (now->pace < before->pace || now->pace > before->pace) {
        brume_simulation_thread_set_pace(viewer->live, now->pace);
    }
    if (now->running != before->running) {
        brume_simulation_thread_run(viewer->live, now->running);
    }
    if (now->fullscreen != before->fullscreen) {
        brume_window_set_fullscreen(viewer->window, now->fullscreen);
    }
    if (now->vsync != before->vsync) {
        brume_window_set_vsync(viewer->window, now->vsync);
    }
    if (memcmp(&now->camera, &before->camera, sizeof now->camera) != 0) {
        viewer->moved = brume_seconds();
        viewer->stale = true;
    }
    viewer->applied = *now;
}

static void wish(BrumeViewer *viewer)
{
    const BrumeControls *controls = &viewer->controls;
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeRenderRequest made = {
        .camera = controls->camera,
        .look = controls->look,
        .view = controls->view,
        .streamlines = controls->streamlines,
        .iso_level = controls->iso_level,
        .slice = controls->slice,
        .slice_axis = controls->slice_axis,
        .slice_at = controls->slice_at,
        .width = rect.width,
        .height = rect.height,
        .cpu = controls->cpu,
        .full = viewer->film.recorder != NULL,
        .samples = viewer->scene->samples,
        .budget_ms = cpu_budget_ms,
        .divider = controls->divider,
        .wished_at = viewer->input_at,
    };
    memcpy(made.surface_of, viewer->scene->surface_of, sizeof made.surface_of);
    if (!brume_render_thread_request(viewer->canvas, &made) && viewer->input_is_new) {
        viewer->input_at = 0.0; // it changes nothing that is seen: no picture will answer it
    }
}

void brume_viewer_conduct(BrumeViewer *viewer)
{
    do_commands(viewer);
    pass_on(viewer);
    wish(viewer);
}
