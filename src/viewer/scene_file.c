#include "viewer/scene_file.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "io/file.h"
#include "scene/format/animation.h"
#include "viewer/animate.h"
#include "viewer/capture.h"
#include "viewer/past.h"
#include "viewer/sequence.h"
#include "viewer/threads/numbered_files.h"
#include "viewer/viewer_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// sets the start of the names of written files: the file's name without folder, extension and pattern of frame numbers
static void set_file_stem(BrumeViewer *viewer)
{
    char *stem = viewer->file_stem;
    const char *slash = strrchr(viewer->path, '/');
    (void)snprintf(stem, sizeof viewer->file_stem, "%.48s", slash ? slash + 1 : viewer->path);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) {
        *dot = '\0';
    }
    if (viewer->sequence) {
        size_t length = strcspn(stem, "#%");
        while (length > 1 && length < strlen(stem) && strchr("._-", stem[length - 1])) {
            length--;
        }
        (void)snprintf(stem + length, sizeof viewer->file_stem - length, "%s", length > 0 ? "" : "frame");
    }
}

// takes the memory to keep the present scene when another one is adopted
static BrumeStatus reserve_former_scene(BrumeViewer *viewer, BrumeError *error)
{
    const size_t count = (size_t)viewer->former_scene_count;
    BrumeScene **former_scenes =
        brume_realloc(viewer->former_scenes, count * sizeof(BrumeScene *), (count + 1) * sizeof(BrumeScene *));
    if (!former_scenes) {
        return brume_out_of_memory(error, "the viewer");
    }
    viewer->former_scenes = former_scenes;
    return BRUME_OK;
}

// Shows a scene from now on, with its camera and settings; the viewer owns it. A present scene whose volume files or
// image of the sky or the ground are drawn is kept, because pictures may still refer to them; the memory for that is
// reserved.
static void adopt_scene(BrumeViewer *viewer, BrumeScene *scene, const char *path, bool running)
{
    if (viewer->scene &&
        (brume_viewer_has_volume_surface(viewer) || viewer->scene->sky_radiance || viewer->scene->ground_image)) {
        viewer->former_scenes[viewer->former_scene_count++] = viewer->scene;
    } else {
        brume_scene_destroy(viewer->scene);
    }
    viewer->scene = scene;
    (void)snprintf(viewer->path, sizeof viewer->path, "%s", path);
    set_file_stem(viewer);
    brume_controls_load_scene(&viewer->controls, scene);
    viewer->controls.compare = false;
    viewer->controls.edited_variant = 0;
    (void)snprintf(viewer->readouts.scene, sizeof viewer->readouts.scene, "%s", scene->name);
    (void)snprintf(viewer->readouts.scene_path, sizeof viewer->readouts.scene_path, "%s", viewer->path);
    viewer->controls.running = running;
    viewer->applied = viewer->controls;
    viewer->keys_changed = false;
    viewer->flying = viewer->is_following = false;
    brume_flight_clear(&viewer->flight);
    brume_viewer_restart_animation(viewer);
    viewer->picture_number = 0; // its files are named after the scene
    brume_undo_history_restart(viewer->history, &viewer->controls);
}

BrumeStatus brume_viewer_load_look(BrumeViewer *viewer, BrumeError *error)
{
    BrumeScene *scene;
    const BrumeViewerSequence *sequence = viewer->sequence;
    BrumeStatus status = sequence->load_look(sequence->context, &scene, error);
    if (status != BRUME_OK) {
        return status;
    }
    status = reserve_former_scene(viewer, error);
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    adopt_scene(viewer, scene, sequence->name, viewer->player ? viewer->controls.running : !viewer->paused_at_start);
    return BRUME_OK;
}

BrumeStatus brume_viewer_load_scene(BrumeViewer *viewer, const char *path, const char *const *overrides, int count,
                                    BrumeError *error)
{
    BrumeScene *scene;
    BrumeStatus status = brume_scene_load(&scene, path, overrides, count, viewer->readers, error);
    if (status != BRUME_OK) {
        return status;
    }
    status = reserve_former_scene(viewer, error);
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    if (!viewer->simulation_thread) {
        status = brume_viewer_create_history(viewer, error);
        if (status != BRUME_OK) {
            brume_scene_destroy(scene);
            return status;
        }
    }
    const BrumeSimulationThreadDef def = {
        .settings = scene->sim,
        .timeline = scene->timeline,
        .animation = &scene->animation,
        .threads = viewer->threads,
        .running = viewer->simulation_thread ? viewer->controls.running : !viewer->paused_at_start,
        .memory = viewer->memory / 2, // the other half is for the frames of the timeline
        .min_frame_ms = viewer->min_frame_ms,
        .history = viewer->past.history,
    };
    if (viewer->simulation_thread) {
        brume_viewer_show_present(viewer);
        brume_simulation_thread_load_scene(viewer->simulation_thread, &def);
        viewer->opening = true;
        viewer->former_epoch = viewer->snapshot.epoch;
        viewer->picture = NULL;
    } else {
        status = brume_simulation_thread_create(&viewer->simulation_thread, &def, error);
    }
    if (status != BRUME_OK) {
        brume_scene_destroy(scene);
        return status;
    }
    adopt_scene(viewer, scene, path, def.running);
    return BRUME_OK;
}

// Sets the keys of the camera; without them the camera path of the recording, or a `fixed` camera, the present one.
// Either way the last frame shows the current view.
static void set_camera(const BrumeViewer *viewer, double time, bool fixed, BrumeScene *scene)
{
    BrumeRecordedPath path;
    brume_picture_thread_path(viewer->picture_thread, &path);
    const BrumeCameraPath *keys = &viewer->controls.camera_path;
    if (keys->count > 0 && !fixed) {
        scene->camera_key_count = keys->count;
        memcpy(scene->camera_keys, keys->keys, (size_t)keys->count * sizeof keys->keys[0]);
        return;
    }
    scene->turntable = 0.0f; // the view of the window does not turn
    scene->camera_key_count = 1;
    scene->camera_keys[0] = (BrumeCameraKey){0.0, fixed ? viewer->controls.camera : viewer->save.camera};
    if (fixed || path.key_count < 2 || path.epoch != viewer->snapshot.epoch) {
        return;
    }
    int count = 0;
    while (count < path.key_count && count < BRUME_MAX_CAMERA_KEYS - 1 && path.keys[count].time < time) {
        scene->camera_keys[count] = path.keys[count];
        count++;
    }
    scene->camera_keys[count++] = (BrumeCameraKey){time, viewer->save.camera};
    for (int n = 1; n < count; n++) { // all keys of a scene have one projection
        BrumeCamera *key = &scene->camera_keys[n].camera;
        if (key->projection != scene->camera_keys[0].camera.projection) {
            *key = brume_camera_with_other_projection(key);
        }
    }
    scene->camera_key_count = count;
}

// the look and the size of pictures
static void set_look(const BrumeViewer *viewer, BrumeScene *scene)
{
    scene->render_settings = *brume_controls_edited_look(&viewer->controls);
    const char *sky_file = brume_opened_skies_path(&viewer->skies, &scene->render_settings.sky.image);
    if (sky_file) {
        (void)snprintf(scene->sky_file, sizeof scene->sky_file, "%s", sky_file);
    }
    memcpy(scene->surface_of, viewer->controls.surface_of, sizeof scene->surface_of);
    brume_viewer_picture_size(viewer, &scene->width, &scene->height);
    scene->samples = viewer->controls.picture.samples > 0 ? viewer->controls.picture.samples : scene->samples;
}

// Removes the keys of values that the scene has at no time, as those of a light that was removed: a scene file with
// them is an error.
static void drop_missing_values(BrumeScene *scene)
{
    for (int n = scene->animation.count - 1; n >= 0; n--) {
        BrumeAnimatedMember member;
        BrumeAnimatedValue *value = &scene->animation.values[n];
        bool found = brume_animated_find(value->path, &member);
        bool is_there =
            found && brume_animated_number(&member, &scene->sim, &scene->render_settings, scene->surface_of);
        for (int change = 0; found && change < scene->timeline.count && !is_there; change++) {
            BrumeSimDef *settings = (BrumeSimDef *)scene->timeline.changes[change].settings; // is only read
            is_there =
                settings && !brume_animated_is_look(&member) && brume_animated_number(&member, settings, NULL, NULL);
        }
        if (!is_there) {
            brume_keys_clear(&scene->animation, value);
        }
    }
}

// Gives the settings at the start and those of all changes the same obstacles, as a scene has them: those that are
// added later wait until then. They are no volumes, so that no samples are shared.
static void unify_obstacles(BrumeSimDef *start, const BrumeTimeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        const BrumeSimDef *settings = timeline->changes[n].settings;
        for (int i = start->obstacle_count; settings && i < settings->obstacle_count; i++) {
            start->obstacles[i] = settings->obstacles[i];
            start->obstacles[i].disabled = true;
            start->obstacle_count++;
        }
    }
    for (int n = 0; n < timeline->count; n++) {
        BrumeSimDef *settings = (BrumeSimDef *)timeline->changes[n].settings; // of the replay, which is ours
        for (int i = settings ? settings->obstacle_count : start->obstacle_count; i < start->obstacle_count; i++) {
            settings->obstacles[i] = start->obstacles[i];
            settings->obstacle_count++;
        }
    }
}

// Begins to write the scene with the view at `time` [s]. `replay` is the simulation up to then, whose timeline it takes
// over; NULL: that of the scene.
static BrumeStatus start_writing(BrumeViewer *viewer, const BrumeReplay *replay, double time, const char *comment,
                                 BrumeError *error)
{
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    if (!scene) {
        return brume_out_of_memory(error, "the viewer");
    }
    *scene = *viewer->scene;
    if (replay) {
        scene->sim = replay->settings;
        scene->timeline = replay->timeline;
        unify_obstacles(&scene->sim, &scene->timeline);
        scene->frames = replay->frame > 0 ? replay->frame + replay->edits_wait : viewer->scene->frames;
    } else if (brume_timeline_copy(&scene->timeline, &viewer->scene->timeline, error) != BRUME_OK) {
        brume_free(scene);
        return BRUME_FAILED;
    }
    scene->frames = viewer->save.frames > 0 ? viewer->save.frames : scene->frames;
    set_look(viewer, scene);
    scene->animation = viewer->controls.animation;
    drop_missing_values(scene);
    (void)brume_animation_apply_look(&scene->animation, 0.0, scene->surface_of, &scene->render_settings);
    (void)brume_animation_apply_sim(&scene->animation, 0.0, &scene->sim);
    (void)brume_animation_apply_obstacles(&scene->animation, 0.0, &scene->sim);
    set_camera(viewer, time, false, scene);
    brume_scene_writer_start(&viewer->scene_writer, scene, comment, viewer->save.path);
    viewer->save.is_written = true;
    return BRUME_OK;
}

BrumeStatus brume_viewer_scene_text(const BrumeViewer *viewer, char **text, BrumeError *error)
{
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    if (!scene) {
        return brume_out_of_memory(error, "the viewer");
    }
    *scene = *viewer->scene;
    if (viewer->simulation_thread) {
        scene->sim = viewer->controls.sim[viewer->controls.compare ? viewer->controls.edited_variant : 0];
        scene->sim.obstacle_count = viewer->controls.present.count;
        memcpy(scene->sim.obstacles, viewer->controls.present.obstacles, sizeof scene->sim.obstacles);
        scene->timeline = (BrumeTimeline){0};
        scene->frames = viewer->snapshot.frame > 0 ? viewer->snapshot.frame : scene->frames;
    }
    set_look(viewer, scene);
    scene->animation.count = 0; // the look has the values of the present time
    set_camera(viewer, viewer->snapshot.time, true, scene);
    const BrumeStatus status = brume_scene_write(scene, NULL, text, error);
    brume_free(scene); // its pointers belong to the viewer
    return status;
}

// the scene is saved, or is not: with an error
static void end_save(BrumeViewer *viewer, const BrumeError *error)
{
    const BrumeSaveDestination destination = viewer->save.destination;
    viewer->save.destination = BRUME_SAVE_NOTHING;
    if (error && destination != BRUME_SAVE_KEPT) { // which says so itself
        brume_viewer_show_message(viewer, true, "%s", error->text);
    } else if (destination == BRUME_SAVE_FILE) {
        brume_viewer_show_message(viewer, false, "%s", viewer->save.message);
    }
    if (viewer->save.then) {
        viewer->save.then(viewer, error);
    }
}

static void write_look(BrumeViewer *viewer)
{
    char comment[512];
    BrumeError error;
    const int used = snprintf(comment, sizeof comment,
                              "Written by brume view at frame %d (%.6g s) of %s.\n"
                              "brume render VOLUMES --look THIS_FILE -o picture.png",
                              viewer->snapshot.frame, viewer->snapshot.time, brume_quote(viewer->path).text);
    if (viewer->timeline.count > 1) {
        (void)snprintf(comment + used, sizeof comment - (size_t)used, " --frame %d", viewer->snapshot.frame);
    }
    BrumeSceneSave *save = &viewer->save;
    (void)snprintf(save->message, sizeof save->message, "%s written; brume render VOLUMES --look %s draws this view",
                   save->path, brume_quote(save->path).text);
    if (start_writing(viewer, NULL, viewer->snapshot.time, comment, &error) != BRUME_OK) {
        end_save(viewer, &error);
    }
}

bool brume_viewer_is_saving(const BrumeViewer *viewer)
{
    return viewer->save.destination == BRUME_SAVE_FILE || viewer->save.destination == BRUME_SAVE_JOB;
}

void brume_viewer_request_save(BrumeViewer *viewer, BrumeSaveDestination destination, const char *path,
                               BrumeSceneSaved *then)
{
    if (brume_viewer_is_saving(viewer)) {
        return;
    }
    BrumeSceneSave *save = &viewer->save;
    *save = (BrumeSceneSave){.destination = destination,
                             .then = then,
                             .camera = viewer->controls.camera,
                             .position = brume_undo_history_position(viewer->history)};
    (void)snprintf(save->path, sizeof save->path, "%s", path);
    if (!path[0]) {
        char folder[BRUME_VIEWER_PATH];
        char name[128];
        brume_viewer_export_path(viewer, ".", folder);
        (void)snprintf(name, sizeof name, "%s-%04d.yaml", viewer->file_stem,
                       brume_next_file_number(folder, viewer->file_stem, ".yaml"));
        brume_viewer_export_path(viewer, name, save->path);
    }
    if (viewer->simulation_thread) {
        brume_viewer_update_timeline(viewer); // a key of the same iteration may have moved the position
        save->is_past = destination != BRUME_SAVE_KEPT && viewer->past.shown && !viewer->past.returns;
        brume_simulation_thread_request_replay(viewer->simulation_thread,
                                               viewer->controls.compare ? viewer->controls.edited_variant : 0,
                                               save->is_past ? viewer->timeline.frame : -1);
    } else {
        write_look(viewer);
    }
}

// begins to write the scene with the replay, whose timeline it takes over
static BrumeStatus write_replay(BrumeViewer *viewer, const BrumeReplay *replay, BrumeError *error)
{
    BrumeSceneSave *save = &viewer->save;
    char shown[32] = ""; // by brume render, which draws frames from the first on
    if (replay->frame > 0) {
        (void)snprintf(shown, sizeof shown, "%d", replay->frame);
    }
    char comment[512];
    (void)snprintf(comment, sizeof comment,
                   "Written by brume view after frame %d (%.6g s), state hash %016" PRIx64 ".\n%s%s"
                   "brume render THIS_FILE -o %s%s",
                   replay->frame, replay->time, replay->hash,
                   replay->edits_wait ? "The next frame applies what was edited after it.\n" : "",
                   viewer->keys_changed ? "Keys were changed after the restart: this scene computes other states.\n"
                                        : "",
                   shown[0] ? "picture.png --frame " : "frame.####.png", shown);
    (void)snprintf(save->message, sizeof save->message, "%s written; brume render draws its frame%s%s%s%s", save->path,
                   shown[0] ? " " : "s", shown,
                   viewer->keys_changed ? " with the keys in effect from its start, as a restart (R)" : "",
                   replay->edits_wait ? "; the next frame applies the edits that wait" : "");
    return start_writing(viewer, replay, replay->time, comment, error);
}

// the scene is written as soon as its replay is there
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
    BrumeError error;
    BrumeStatus status;
    if (brume_scene_writer_poll(&viewer->scene_writer, &status, &error) && viewer->save.is_written) {
        end_save(viewer, status == BRUME_OK ? NULL : &error);
    }
    if (viewer->save.destination != BRUME_SAVE_NOTHING && !viewer->save.is_written && !viewer->scene_writer.active) {
        take_replay(viewer);
    }
}
