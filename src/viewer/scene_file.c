#include "viewer/scene_file.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "viewer/viewer_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// sets the start of the names of written files: the scene file's name without folder and extension
static void set_file_stem(BrumeViewer *viewer)
{
    const char *slash = strrchr(viewer->path, '/');
    (void)snprintf(viewer->file_stem, sizeof viewer->file_stem, "%.48s", slash ? slash + 1 : viewer->path);
    char *dot = strrchr(viewer->file_stem, '.');
    if (dot && dot != viewer->file_stem) {
        *dot = '\0';
    }
}

BrumeStatus brume_viewer_load_scene(BrumeViewer *viewer, const char *path, const char *const *overrides, int count,
                                    BrumeError *error)
{
    BrumeScene *scene;
    BrumeStatus status = brume_scene_load(&scene, path, overrides, count, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeSimulationThreadDef def = {
        .settings = scene->sim,
        .timeline = scene->timeline,
        .threads = viewer->threads,
        .running = viewer->simulation_thread ? viewer->controls.running : !viewer->paused_at_start,
        .min_frame_ms = viewer->min_frame_ms,
    };
    if (viewer->simulation_thread) {
        brume_simulation_thread_load_scene(viewer->simulation_thread, &def);
    } else {
        status = brume_simulation_thread_create(&viewer->simulation_thread, &def, error);
    }
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    brume_scene_destroy(viewer->scene);
    viewer->scene = scene;
    (void)snprintf(viewer->path, sizeof viewer->path, "%s", path);
    set_file_stem(viewer);
    brume_controls_load_scene(&viewer->controls, scene);
    viewer->controls.compare = false;
    viewer->controls.edited_variant = 0;
    (void)snprintf(viewer->readouts.scene, sizeof viewer->readouts.scene, "%s", scene->name);
    (void)snprintf(viewer->readouts.scene_path, sizeof viewer->readouts.scene_path, "%s", viewer->path);
    viewer->controls.running = def.running;
    viewer->applied = viewer->controls;
    viewer->recording.key_count = 0;
    brume_recorder_destroy(viewer->screenshots); // its files are named after the previous scene
    viewer->screenshots = NULL;
    brume_undo_history_restart(viewer->history, &viewer->controls);
    return BRUME_OK;
}

void brume_viewer_request_save(BrumeViewer *viewer, const char *path)
{
    if (viewer->saving) {
        return;
    }
    viewer->saving = true;
    viewer->save_camera = viewer->controls.camera;
    (void)snprintf(viewer->save_path, sizeof viewer->save_path, "%s", path);
    if (!path[0]) {
        (void)snprintf(viewer->save_path, sizeof viewer->save_path, "%s-%04d.yaml", viewer->file_stem,
                       brume_next_file_number(".", viewer->file_stem, ".yaml"));
    }
    brume_simulation_thread_request_replay(viewer->simulation_thread,
                                           viewer->controls.compare ? viewer->controls.edited_variant : 0);
}

// Sets the camera path of the recording, or a fixed camera. Either way the last frame shows the current view.
static void set_camera(const BrumeViewer *viewer, double time, BrumeScene *scene)
{
    const BrumeRecording *recording = &viewer->recording;
    scene->camera_key_count = 1;
    scene->camera_keys[0] = (BrumeCameraKey){0.0, viewer->save_camera};
    if (recording->key_count < 2 || recording->keys_epoch != viewer->snapshot.epoch) {
        return;
    }
    int count = 0;
    while (count < recording->key_count && count < BRUME_MAX_CAMERA_KEYS - 1 && recording->keys[count].time < time) {
        scene->camera_keys[count] = recording->keys[count];
        count++;
    }
    scene->camera_keys[count++] = (BrumeCameraKey){time, viewer->save_camera};
    scene->camera_key_count = count;
}

static BrumeStatus write_scene(const BrumeViewer *viewer, const BrumeReplay *replay, BrumeError *error)
{
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    if (!scene) {
        return brume_out_of_memory(error, "the viewer");
    }
    const BrumeRect rect = brume_viewer_rect(viewer);
    *scene = *viewer->scene;
    scene->sim = replay->settings;
    scene->timeline = replay->timeline;
    scene->render_settings = viewer->controls.render_settings;
    scene->frames = replay->frame > 0 ? replay->frame : viewer->scene->frames;
    scene->width = rect.width;
    scene->height = rect.height;
    set_camera(viewer, replay->time, scene);
    char comment[256];
    (void)snprintf(comment, sizeof comment,
                   "Written by brume view after frame %d (%.6g s), state hash %016" PRIx64 ".\n"
                   "brume render THIS_FILE -o picture.png --frame %d",
                   replay->frame, replay->time, replay->hash, replay->frame);
    char *text = NULL;
    BrumeStatus status = brume_scene_write(scene, comment, &text, error);
    if (status == BRUME_OK) {
        status = brume_file_write(viewer->save_path, text, strlen(text), error);
    }
    brume_free(text);
    brume_free(scene); // its pointers belong to the replay and to the viewer
    return status;
}

void brume_viewer_finish_save(BrumeViewer *viewer)
{
    BrumeReplay replay;
    if (!viewer->saving || !brume_simulation_thread_poll_replay(viewer->simulation_thread, &replay)) {
        return;
    }
    viewer->saving = false;
    BrumeError error;
    if (write_scene(viewer, &replay, &error) == BRUME_OK) {
        brume_viewer_show_message(viewer, false, "%s written; brume render draws its frame %d", viewer->save_path,
                                  replay.frame);
    } else {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
    brume_timeline_clear(&replay.timeline);
}
