#include "viewer/scene_load.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/path.h"
#include "viewer/animate.h"
#include "viewer/past.h"
#include "viewer/viewer_state.h"

#include <stdio.h>
#include <string.h>

// for small files, of which no line tells: before the window opens, and where it stands still [s]
static const double max_first_wait = 5.0;
static const double max_read_wait = 1.0;
static const double line_interval = 0.1; // between events of the window that has the line [s]

// sets the start of the names of written files: the file's name without folder, extension and pattern of frame numbers,
// which a name of a video or a picture must not have
static void set_file_stem(BrumeViewer *viewer)
{
    char *stem = viewer->opened.file_stem;
    (void)snprintf(stem, sizeof viewer->opened.file_stem, "%.48s", brume_path_name(viewer->readouts.scene_path));
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) {
        *dot = '\0';
    }
    size_t length = strcspn(stem, "#%");
    while (length > 1 && length < strlen(stem) && strchr("._-", stem[length - 1])) {
        length--;
    }
    (void)snprintf(stem + length, sizeof viewer->opened.file_stem - length, "%s", length > 0 ? "" : "frame");
}

// reserves memory for keeping the present scene when another one is adopted
static BrumeStatus reserve_former_scene(BrumeViewer *viewer, BrumeError *error)
{
    const size_t count = (size_t)viewer->opened.former_count;
    BrumeScene **former_scenes =
        brume_realloc(viewer->opened.former_scenes, count * sizeof(BrumeScene *), (count + 1) * sizeof(BrumeScene *));
    if (!former_scenes) {
        return brume_out_of_memory(error, "the viewer");
    }
    viewer->opened.former_scenes = former_scenes;
    return BRUME_OK;
}

// whether threads may still refer to values that belong to a scene
static bool has_files(const BrumeScene *scene)
{
    bool found = scene->sky_radiance || scene->ground_image;
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        found = found || scene->textures[n];
    }
    for (int n = 0; n < scene->sim.body_count; n++) {
        const BrumeShape *shape = &scene->sim.bodies[n].shape;
        found = found || shape->samples || shape->mesh;
    }
    return found;
}

// Shows a scene from now on, with its camera and settings; the viewer owns it. The present scene is kept if it has
// files of bodies or images, because pictures may still refer to them; the memory for this is
// reserved.
static void adopt_scene(BrumeViewer *viewer, BrumeScene *scene, const char *path, bool running)
{
    if (viewer->scene && has_files(viewer->scene)) {
        viewer->opened.former_scenes[viewer->opened.former_count++] = viewer->scene;
    } else {
        brume_scene_destroy(viewer->scene);
    }
    viewer->scene = scene;
    (void)snprintf(viewer->readouts.scene_path, sizeof viewer->readouts.scene_path, "%s", path);
    set_file_stem(viewer);
    brume_controls_load_scene(&viewer->controls, scene);
    viewer->controls.compare = false;
    viewer->controls.edited_variant = 0;
    (void)snprintf(viewer->readouts.scene, sizeof viewer->readouts.scene, "%s", scene->name);
    viewer->controls.running = running;
    viewer->applied = viewer->controls;
    viewer->keyed.keys_changed = false;
    viewer->keyed.is_flying = viewer->keyed.is_following = false;
    brume_flight_clear(&viewer->keyed.flight);
    brume_viewer_restart_animation(viewer);
    viewer->capture.number = 0; // the names of files begin with the scene's name
    brume_undo_history_restart(viewer->history, &viewer->controls);
}

// starts the simulation of a scene, or replaces the thread's present one
static BrumeStatus start_simulation(BrumeViewer *viewer, const BrumeScene *scene, bool running, BrumeError *error)
{
    BrumeStatus status = viewer->simulation_thread ? BRUME_OK : brume_viewer_create_history(viewer, error);
    const BrumeSimulationThreadDef def = {
        .settings = scene->sim,
        .timeline = scene->timeline,
        .animation = &scene->animation,
        .threads = viewer->def.threads,
        .running = running,
        .memory = viewer->def.memory / 2, // the other half is for the frames of the timeline
        .min_frame_ms = viewer->def.min_frame_ms,
        .history = viewer->past.history,
    };
    if (viewer->simulation_thread) {
        brume_viewer_show_present(viewer);
        brume_simulation_thread_load_scene(viewer->simulation_thread, &def);
        viewer->opened.awaits_picture = true;
        viewer->opened.former_epoch = viewer->snapshot.epoch;
        viewer->picture = NULL;
    } else if (status == BRUME_OK) {
        status = brume_simulation_thread_create(&viewer->simulation_thread, &def, error);
    }
    return status;
}

BrumeStatus brume_viewer_use_scene(BrumeViewer *viewer, BrumeScene *scene, const char *path, BrumeError *error)
{
    const bool running = viewer->scene ? viewer->controls.running : !viewer->def.paused;
    BrumeStatus status = reserve_former_scene(viewer, error);
    if (status == BRUME_OK && !viewer->def.sequence) {
        status = start_simulation(viewer, scene, running, error);
    }
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    adopt_scene(viewer, scene, path, running);
    return BRUME_OK;
}

BrumeStatus brume_viewer_load_look(BrumeViewer *viewer, BrumeError *error)
{
    BrumeScene *scene;
    const BrumeViewerSequence *sequence = viewer->def.sequence;
    const BrumeStatus status = sequence->load_look(sequence->context, &scene, error);
    return status == BRUME_OK ? brume_viewer_use_scene(viewer, scene, sequence->name, error) : status;
}

BrumeStatus brume_viewer_request_scene(BrumeViewer *viewer, const char *path, BrumeError *error)
{
    const BrumeViewerDef *def = &viewer->def;
    const int count = viewer->scene ? 0 : def->override_count;
    const BrumeStatus status = brume_file_queue_request_scene(&viewer->file_queue, path, def->overrides, count, error);
    if (status == BRUME_OK) {
        brume_file_queue_wait(&viewer->file_queue, viewer->scene ? max_read_wait : max_first_wait);
    }
    return status;
}

// shows the line until the first scene is read; whether the user closes the window
static bool show_reading(BrumeViewer *viewer)
{
    bool closes = false;
    for (SDL_Event event; SDL_PollEvent(&event);) {
        const bool escapes = event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE;
        const bool quits =
            event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_q && (event.key.keysym.mod & KMOD_CTRL) != 0;
        closes = closes || event.type == SDL_QUIT || escapes || quits;
        if (event.type == SDL_WINDOWEVENT) {
            (void)brume_window_update_size(viewer->window);
        }
    }
    char name[72];
    if (brume_file_queue_describe(&viewer->file_queue, name, sizeof name)) {
        char line[128];
        (void)snprintf(line, sizeof line, "reading %s (Esc closes the window)", name);
        brume_panel_draw_line(viewer->panel, line);
        brume_window_swap_buffers(viewer->window);
    }
    return closes;
}

BrumeStatus brume_viewer_await_scene(BrumeViewer *viewer, BrumeError *error)
{
    BrumeFileReading reading;
    while (!brume_file_queue_poll(&viewer->file_queue, &reading)) {
        if (!viewer->window) {
            return BRUME_OK; // no window is opened for a scene with an error
        }
        if (viewer->def.is_interrupted && viewer->def.is_interrupted()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted");
        }
        if (show_reading(viewer)) {
            return BRUME_OK;
        }
        brume_file_queue_wait(&viewer->file_queue, line_interval);
    }
    if (!reading.scene) {
        *error = reading.error;
        return error->status;
    }
    return brume_viewer_use_scene(viewer, reading.scene, reading.path, error);
}
