#include "viewer/scene_saver.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/text.h"
#include "scene/format/animation.h"
#include "viewer/sequence.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double quiet_time = 2.0;    // time after an edit before the scene is kept [s]
static const double longest_time = 20.0; // longest time between two files while edits continue [s]
static const double max_end_wait = 2.0;  // longest wait for the present frame at the end of the program [s]

// sets the camera of the whole scene
static void set_camera(BrumeScene *scene, const BrumeCamera *camera)
{
    scene->turntable = 0.0f; // the view of the window does not turn
    scene->camera_key_count = 1;
    scene->camera_keys[0] = (BrumeCameraKey){0.0, *camera};
}

// Sets the keys of the camera; without them the camera path of the recording, or the view of the window. Either way the
// last frame, at `time` [s], shows the view of the window.
static void set_camera_keys(const BrumeViewer *viewer, double time, BrumeScene *scene)
{
    const BrumeCamera *last = &viewer->saver.camera;
    const BrumeCameraPath *keys = &viewer->controls.camera_path;
    if (keys->count > 0) {
        scene->camera_key_count = keys->count;
        memcpy(scene->camera_keys, keys->keys, (size_t)keys->count * sizeof keys->keys[0]);
        return;
    }
    set_camera(scene, last);
    BrumeRecordedPath path;
    brume_picture_thread_path(viewer->picture_thread, &path);
    if (path.key_count < 2 || path.epoch != viewer->snapshot.epoch) {
        return;
    }
    int count = 0;
    while (count < path.key_count && count < BRUME_MAX_CAMERA_KEYS - 1 && path.keys[count].time < time) {
        scene->camera_keys[count] = path.keys[count];
        count++;
    }
    scene->camera_keys[count++] = (BrumeCameraKey){time, *last};
    for (int n = 1; n < count; n++) { // all keys of a scene have one projection
        BrumeCamera *key = &scene->camera_keys[n].camera;
        if (key->projection != scene->camera_keys[0].camera.projection) {
            *key = brume_camera_with_other_projection(key);
        }
    }
    scene->camera_key_count = count;
}

// returns a copy of the loaded scene with the present look and the size of pictures; NULL without memory
static BrumeScene *copy_scene(const BrumeViewer *viewer, BrumeError *error)
{
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    if (!scene) {
        (void)brume_out_of_memory(error, "the viewer");
        return NULL;
    }
    *scene = *viewer->scene;
    scene->render_settings = *brume_controls_edited_look(&viewer->controls);
    const char *sky_file = brume_opened_skies_path(&viewer->skies, &scene->render_settings.sky.image);
    if (sky_file) {
        (void)snprintf(scene->sky_file, sizeof scene->sky_file, "%s", sky_file);
    }
    memcpy(scene->surface_of, viewer->controls.surface_of, sizeof scene->surface_of);
    brume_viewer_picture_size(viewer, &scene->width, &scene->height);
    scene->samples = viewer->controls.picture.samples > 0 ? viewer->controls.picture.samples : scene->samples;
    return scene;
}

// Removes keys of values that the scene never has, such as keys of a removed light: a scene file with them is not
// valid.
static void drop_missing_values(BrumeScene *scene)
{
    for (int n = scene->animation.count - 1; n >= 0; n--) {
        BrumeAnimatedMember member;
        BrumeAnimatedValue *value = &scene->animation.values[n];
        bool found = brume_animated_find(value->path, &member);
        bool is_there =
            found && brume_animated_number(&member, &scene->sim, &scene->render_settings, scene->surface_of);
        for (int change = 0; found && change < scene->timeline.count && !is_there; change++) {
            BrumeSimDef *settings = (BrumeSimDef *)scene->timeline.changes[change].settings; // the value is only read
            is_there =
                settings && !brume_animated_is_look(&member) && brume_animated_number(&member, settings, NULL, NULL);
        }
        if (!is_there) {
            brume_keys_clear(&scene->animation, value);
        }
    }
}

// Adds missing bodies to the settings at the start and in all changes, because a scene has one list of bodies:
// later ones are disabled at first.
static void unify_bodies(BrumeSimDef *start, const BrumeTimeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        const BrumeSimDef *settings = timeline->changes[n].settings;
        for (int i = start->body_count; settings && i < settings->body_count; i++) {
            start->bodies[i] = settings->bodies[i];
            start->bodies[i].disabled = true;
            start->body_count++;
        }
    }
    for (int n = 0; n < timeline->count; n++) {
        BrumeSimDef *settings = (BrumeSimDef *)timeline->changes[n].settings; // of the replay, owned by the saver
        for (int i = settings ? settings->body_count : start->body_count; i < start->body_count; i++) {
            settings->bodies[i] = start->bodies[i];
            settings->body_count++;
            brume_samples_retain(start->bodies[i].shape.samples); // the timeline releases them
            brume_mesh_retain(start->bodies[i].shape.mesh);
        }
    }
}

// the number of frames up to the last key
static int frames_of_keys(const BrumeScene *scene)
{
    double last = scene->camera_key_count > 1 ? scene->camera_keys[scene->camera_key_count - 1].time : 0.0;
    for (int n = 0; n < scene->animation.count; n++) {
        const BrumeAnimatedValue *value = &scene->animation.values[n];
        last = fmax(last, value->keys[value->key_count - 1].time);
    }
    return (int)fmin(ceil(last * (double)scene->sim.fps - 1e-3), 1e6);
}

// Begins to write the scene that computes the state of `replay`, whose timeline it takes over, or with NULL the scene
// of the played sequence; with the present look.
static BrumeStatus start_writing(BrumeViewer *viewer, const BrumeReplay *replay, const char *comment, BrumeError *error)
{
    BrumeScene *scene = copy_scene(viewer, error);
    if (!scene) {
        return BRUME_FAILED;
    }
    if (replay) {
        scene->sim = replay->settings;
        scene->timeline = replay->timeline;
        unify_bodies(&scene->sim, &scene->timeline);
        scene->frames = replay->frame > 0 ? replay->frame + replay->edits_wait : scene->frames;
    } else if (brume_timeline_copy(&scene->timeline, &viewer->scene->timeline, error) != BRUME_OK) {
        brume_free(scene);
        return BRUME_FAILED;
    }
    scene->frames = viewer->saver.frames > 0 ? viewer->saver.frames : scene->frames;
    scene->animation = viewer->controls.animation;
    drop_missing_values(scene);
    (void)brume_animation_apply_look(&scene->animation, 0.0, scene->surface_of, &scene->render_settings);
    (void)brume_animation_apply_sim(&scene->animation, 0.0, &scene->sim);
    (void)brume_animation_apply_bodies(&scene->animation, 0.0, &scene->sim);
    set_camera_keys(viewer, replay ? replay->time : viewer->snapshot.time, scene);
    if (replay && viewer->saver.destination == BRUME_SAVE_FILE && frames_of_keys(scene) > scene->frames) {
        scene->frames = frames_of_keys(scene); // the present one is in the comment
    }
    brume_scene_writer_start(&viewer->saver.writer, scene, comment, viewer->saver.path);
    return BRUME_OK;
}

BrumeStatus brume_viewer_scene_text(const BrumeViewer *viewer, char **text, BrumeError *error)
{
    BrumeScene *scene = copy_scene(viewer, error);
    if (!scene) {
        return BRUME_FAILED;
    }
    if (viewer->simulation_thread) {
        scene->sim = viewer->controls.sim[viewer->controls.compare ? viewer->controls.edited_variant : 0];
        scene->sim.body_count = viewer->controls.present.count;
        memcpy(scene->sim.bodies, viewer->controls.present.bodies, sizeof scene->sim.bodies);
        scene->timeline = (BrumeTimeline){0};
        scene->frames = viewer->snapshot.frame > 0 ? viewer->snapshot.frame : scene->frames;
    }
    scene->animation.count = 0; // the look has the values of the present time
    set_camera(scene, &viewer->controls.camera);
    const BrumeStatus status = brume_scene_write(scene, NULL, text, error);
    brume_free(scene); // its pointers belong to the viewer
    return status;
}

void brume_viewer_start_keeping(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->saver.kept;
    if (!brume_window_state_folder(viewer->window_state_path, "unsaved", kept->folder, sizeof kept->folder)) {
        kept->folder[0] = '\0';
    }
    viewer->readouts.files.kept = &kept->files;
    brume_viewer_begin_kept_scene(viewer);
}

void brume_viewer_begin_kept_scene(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->saver.kept;
    kept->path[0] = '\0';
    kept->saved_position = kept->seen = brume_undo_history_position(viewer->history);
    kept->failed = false;
    if (kept->folder[0]) {
        brume_kept_files_list(&kept->files, kept->folder, "");
    }
}

// removes the file or folder of kept edits, because the user has saved all edits or none was kept
static void drop(BrumeKeptScene *kept)
{
    if (kept->path[0]) {
        (void)unlink(kept->path);
        brume_kept_files_drop(kept->path);
        kept->path[0] = '\0';
    }
}

static void fail_to_keep(BrumeViewer *viewer, const BrumeError *error)
{
    if (!viewer->saver.kept.failed) {
        brume_viewer_show_message(viewer, true, "edits are not kept: %s", error->text);
    }
    viewer->saver.kept.failed = true;
}

// records that all edits up to the saved position are kept in a file, or reports the error
static void end_keeping(BrumeViewer *viewer, const BrumeError *error)
{
    BrumeKeptScene *kept = &viewer->saver.kept;
    if (error) {
        if (access(kept->path, F_OK) != 0) {
            drop(kept);
        }
        fail_to_keep(viewer, error);
    } else {
        kept->saved_position = viewer->saver.position;
        kept->failed = false;
    }
}

// ends saving, with an error if it has failed
static void end_save(BrumeViewer *viewer, const BrumeError *error)
{
    BrumeSceneSaver *saver = &viewer->saver;
    const BrumeSaveDestination destination = saver->destination;
    saver->destination = BRUME_SAVE_NOTHING;
    if (destination == BRUME_SAVE_KEPT) {
        end_keeping(viewer, error);
    } else if (error) {
        brume_viewer_show_message(viewer, true, "%s", error->text);
    } else if (destination == BRUME_SAVE_JOB) {
        saver->start_job(viewer);
    } else {
        brume_viewer_show_message(viewer, false, "%s", saver->message);
        if (!saver->is_past) {
            saver->kept.saved_position = saver->position;
            drop(&saver->kept);
        }
    }
}

// begins to write the look of a played sequence as a scene file
static BrumeStatus write_look(BrumeViewer *viewer, BrumeError *error)
{
    BrumeSceneSaver *save = &viewer->saver;
    char comment[512];
    const int used =
        snprintf(comment, sizeof comment,
                 "Written by brume view at frame %d (%.6g s) of %s.\n"
                 "brume render VOLUMES --look THIS_FILE -o picture.png",
                 viewer->snapshot.frame, viewer->snapshot.time, brume_quote(viewer->readouts.scene_path).text);
    if (viewer->timeline.count > 1) {
        (void)snprintf(comment + used, sizeof comment - (size_t)used, " --frame %d", viewer->snapshot.frame);
    }
    (void)snprintf(save->message, sizeof save->message, "%s written; brume render VOLUMES --look %s draws this view",
                   save->path, brume_quote(save->path).text);
    return start_writing(viewer, NULL, comment, error);
}

// begins to write the simulation that computes the present state as a scene file
static BrumeStatus write_replay(BrumeViewer *viewer, const BrumeReplay *replay, BrumeError *error)
{
    BrumeSceneSaver *save = &viewer->saver;
    const bool keys_changed = viewer->keyed.keys_changed;
    char shown[32] = ""; // frames for brume render, which draws them from the first on
    if (replay->frame > 0) {
        (void)snprintf(shown, sizeof shown, "%d", replay->frame);
    }
    char comment[512];
    (void)snprintf(comment, sizeof comment,
                   "Written by brume view after frame %d (%.6g s), state hash %016" PRIx64 ".\n%s%s"
                   "brume render THIS_FILE -o %s%s",
                   replay->frame, replay->time, replay->hash,
                   replay->edits_wait ? "The next frame applies what was edited after it.\n" : "",
                   keys_changed ? "Keys were changed after the restart: this scene computes other states.\n" : "",
                   shown[0] ? "picture.png --frame " : "frame.####.png", shown);
    (void)snprintf(save->message, sizeof save->message, "%s written; brume render draws its frame%s%s%s%s", save->path,
                   shown[0] ? " " : "s", shown,
                   keys_changed ? " with the keys in effect from its start, as a restart (R)" : "",
                   replay->edits_wait ? "; the next frame applies the edits that wait" : "");
    return start_writing(viewer, replay, comment, error);
}

// begins to write the scene when its replay is ready
static void take_replay(BrumeViewer *viewer)
{
    BrumeReplay replay;
    if (!viewer->simulation_thread || !brume_simulation_thread_poll_replay(viewer->simulation_thread, &replay)) {
        return;
    }
    BrumeError error;
    BrumeStatus status = replay.is_lost ? BRUME_FAILED : replay.status;
    if (status != BRUME_OK) {
        (void)brume_fail(&error, BRUME_FAILED, "frame %d cannot be saved: %s", replay.frame,
                         replay.is_lost ? "the comparison that it shows has ended" : "out of memory");
    } else {
        status = write_replay(viewer, &replay, &error);
    }
    if (status != BRUME_OK) {
        brume_timeline_clear(&replay.timeline);
        end_save(viewer, &error);
    }
}

void brume_viewer_finish_save(BrumeViewer *viewer)
{
    BrumeSceneSaver *saver = &viewer->saver;
    BrumeError error;
    BrumeStatus status;
    if (brume_scene_writer_poll(&saver->writer, &status, &error)) {
        end_save(viewer, status == BRUME_OK ? NULL : &error);
    } else if (saver->destination != BRUME_SAVE_NOTHING && !saver->writer.active) {
        take_replay(viewer);
    }
}

bool brume_viewer_is_saving(const BrumeViewer *viewer)
{
    const BrumeSceneSaver *saver = &viewer->saver;
    return saver->destination == BRUME_SAVE_FILE || saver->destination == BRUME_SAVE_JOB || saver->writer.active;
}

// begins to save the scene; for a simulation, asks its thread for the replay, which brume_viewer_finish_save writes
static void request_save(BrumeViewer *viewer, BrumeSaveDestination destination, const char *path)
{
    BrumeSceneSaver *saver = &viewer->saver;
    if (brume_viewer_is_saving(viewer)) {
        return;
    }
    saver->destination = destination;
    saver->camera = viewer->controls.camera;
    saver->frames = 0;
    saver->is_past = false;
    saver->position = brume_undo_history_position(viewer->history);
    (void)snprintf(saver->path, sizeof saver->path, "%s", path);
    if (!path[0]) {
        (void)brume_viewer_numbered_path(viewer, viewer->opened.file_stem, ".yaml", 0, saver->path);
    }
    BrumeError error;
    if (viewer->simulation_thread) {
        brume_viewer_update_timeline(viewer); // a key of the same iteration may have moved the position
        saver->is_past = destination != BRUME_SAVE_KEPT && viewer->past.shown && !viewer->past.going_back;
        brume_simulation_thread_request_replay(viewer->simulation_thread,
                                               viewer->controls.compare ? viewer->controls.edited_variant : 0,
                                               saver->is_past ? viewer->timeline.frame : -1);
    } else if (write_look(viewer, &error) != BRUME_OK) {
        end_save(viewer, &error);
    }
}

void brume_viewer_save_scene(BrumeViewer *viewer, const char *path) { request_save(viewer, BRUME_SAVE_FILE, path); }

void brume_viewer_save_job_scene(BrumeViewer *viewer, const char *path, int frames, void (*start_job)(BrumeViewer *))
{
    request_save(viewer, BRUME_SAVE_JOB, path);
    viewer->saver.frames = frames;
    viewer->saver.start_job = start_job;
}

// whether there are edits that are in no file
static bool has_edits(const BrumeViewer *viewer)
{
    return viewer->saver.kept.folder[0] && viewer->simulation_thread &&
           brume_undo_history_position(viewer->history) != viewer->saver.kept.saved_position;
}

// begins to save edits that are in no file to a file of their own
static void request_keeping(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->saver.kept;
    kept->kept_at = brume_seconds(); // of the attempt
    BrumeError error;
    if (!kept->path[0]) {
        if (brume_kept_files_add(kept->folder, viewer->opened.file_stem, time(NULL), kept->path, &error) != BRUME_OK) {
            fail_to_keep(viewer, &error);
            return;
        }
        brume_kept_files_prune(kept->folder);
    }
    request_save(viewer, BRUME_SAVE_KEPT, kept->path);
}

void brume_viewer_keep_scene(BrumeViewer *viewer, double now)
{
    BrumeKeptScene *kept = &viewer->saver.kept;
    const unsigned position = brume_undo_history_position(viewer->history);
    if (position != kept->seen || brume_input_is_editing(&viewer->input)) {
        kept->seen = position;
        kept->edited_at = now;
    }
    if (!has_edits(viewer)) {
        kept->kept_at = now; // later edits are newer than the file
    } else if (viewer->saver.destination == BRUME_SAVE_NOTHING &&
               ((now - kept->edited_at >= quiet_time && !kept->failed) || now - kept->kept_at >= longest_time)) {
        request_keeping(viewer);
    }
}

// waits until no scene is being saved
static void wait_for_save(BrumeViewer *viewer, double end)
{
    while (viewer->saver.destination != BRUME_SAVE_NOTHING && brume_seconds() < end) {
        brume_viewer_finish_save(viewer);
        (void)usleep(500);
    }
}

bool brume_viewer_keep_scene_now(BrumeViewer *viewer, double seconds)
{
    BrumeSceneSaver *saver = &viewer->saver;
    const double end = brume_seconds() + seconds;
    wait_for_save(viewer, end);
    const bool is_kept = saver->kept.path[0] != '\0'; // there is a file with an earlier frame and camera
    if ((has_edits(viewer) || is_kept) && saver->destination == BRUME_SAVE_NOTHING) {
        request_keeping(viewer);
        wait_for_save(viewer, end);
    }
    if (saver->destination == BRUME_SAVE_KEPT && !saver->writer.active) { // it would be the scene that is opened next
        saver->destination = BRUME_SAVE_NOTHING;
    }
    return !has_edits(viewer);
}

void brume_viewer_end_saving(BrumeViewer *viewer)
{
    (void)brume_viewer_keep_scene_now(viewer, max_end_wait);
    brume_scene_writer_finish(&viewer->saver.writer);
}

bool brume_viewer_is_kept_scene(const BrumeViewer *viewer, const char *path)
{
    const char *folder = viewer->saver.kept.folder;
    const size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}
