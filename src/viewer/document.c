// Scenes in and out: what is opened lives, and what lived is written so that it can be made again.
#include "viewer/viewer_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void set_stem(BrumeViewer *viewer)
{
    const char *slash = strrchr(viewer->path, '/');
    (void)snprintf(viewer->stem, sizeof viewer->stem, "%.48s", slash ? slash + 1 : viewer->path);
    char *dot = strrchr(viewer->stem, '.');
    if (dot && dot != viewer->stem) {
        *dot = '\0';
    }
}

BrumeStatus brume_viewer_open(BrumeViewer *viewer, const char *path, const char *const *overrides, int count,
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
        .threads = viewer->def->threads,
        .running = viewer->live ? viewer->controls.running : !viewer->def->paused,
        .least_frame_ms = viewer->def->least_frame_ms,
    };
    if (viewer->live) {
        brume_simulation_thread_open(viewer->live, &def);
    } else {
        status = brume_simulation_thread_create(&viewer->live, &def, error);
    }
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    brume_scene_destroy(viewer->scene);
    viewer->scene = scene;
    (void)snprintf(viewer->path, sizeof viewer->path, "%s", path);
    set_stem(viewer);
    brume_controls_take_scene(&viewer->controls, scene);
    viewer->controls.compare = false;
    viewer->controls.edited = 0;
    (void)snprintf(viewer->facts.scene, sizeof viewer->facts.scene, "%s", scene->name);
    (void)snprintf(viewer->facts.scene_path, sizeof viewer->facts.scene_path, "%s", viewer->path);
    viewer->controls.running = def.running;
    viewer->applied = viewer->controls;
    viewer->film.key_count = 0;
    brume_recorder_destroy(viewer->shots); // whose pictures are named after the scene
    viewer->shots = NULL;
    brume_history_restart(viewer->history, &viewer->controls);
    return BRUME_OK;
}

void brume_viewer_save(BrumeViewer *viewer, const char *path)
{
    if (viewer->saving) {
        return;
    }
    viewer->saving = true;
    viewer->save_camera = viewer->controls.camera;
    (void)snprintf(viewer->save_path, sizeof viewer->save_path, "%s", path);
    if (!path[0]) {
        (void)snprintf(viewer->save_path, sizeof viewer->save_path, "%s-%04d.yaml", viewer->stem,
                       brume_next_number(".", viewer->stem, ".yaml"));
    }
    brume_simulation_thread_ask_record(viewer->live, viewer->controls.compare ? viewer->controls.edited : 0);
}

// the flight that was recorded, or the camera at rest; either way the picture of now is the last one
static void set_camera(const BrumeViewer *viewer, double time, BrumeScene *scene)
{
    const BrumeFilm *film = &viewer->film;
    scene->camera_key_count = 1;
    scene->camera_keys[0] = (BrumeCameraKey){0.0, viewer->save_camera};
    if (film->key_count < 2 || film->keys_epoch != viewer->snapshot.epoch) {
        return;
    }
    int count = 0;
    while (count < film->key_count && count < BRUME_MAX_CAMERA_KEYS - 1 && film->keys[count].time < time) {
        scene->camera_keys[count] = film->keys[count];
        count++;
    }
    scene->camera_keys[count++] = (BrumeCameraKey){time, viewer->save_camera};
    scene->camera_key_count = count;
}

static BrumeStatus write_scene(const BrumeViewer *viewer, const BrumeRecord *record, BrumeError *error)
{
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    if (!scene) {
        return brume_out_of_memory(error, "the viewer");
    }
    const BrumeRect rect = brume_viewer_rect(viewer);
    *scene = *viewer->scene;
    scene->sim = record->settings;
    scene->timeline = record->timeline;
    scene->render_settings = viewer->controls.look;
    scene->frames = record->frame > 0 ? record->frame : viewer->scene->frames;
    scene->width = rect.width;
    scene->height = rect.height;
    set_camera(viewer, record->time, scene);
    char comment[256];
    (void)snprintf(comment, sizeof comment,
                   "Written by brume view after frame %d (%.6g s), state hash %016" PRIx64 ".\n"
                   "brume render THIS_FILE -o picture.png --frame %d",
                   record->frame, record->time, record->hash, record->frame);
    char *text = NULL;
    BrumeStatus status = brume_scene_write(scene, comment, &text, error);
    if (status == BRUME_OK) {
        status = brume_file_write(viewer->save_path, text, strlen(text), error);
    }
    brume_free(text);
    brume_free(scene); // what it points to is the record's and the viewer's
    return status;
}

void brume_viewer_finish_save(BrumeViewer *viewer)
{
    BrumeRecord record;
    if (!viewer->saving || !brume_simulation_thread_take_record(viewer->live, &record)) {
        return;
    }
    viewer->saving = false;
    BrumeError error;
    if (write_scene(viewer, &record, &error) == BRUME_OK) {
        brume_viewer_say(viewer, false, "%s written: brume render makes frame %d of it", viewer->save_path,
                         record.frame);
    } else {
        brume_viewer_say(viewer, true, "%s", error.text);
    }
    brume_timeline_clear(&record.timeline);
}
