#include "viewer/saved_scene.h"

#include "core/memory.h"
#include "scene/format/animation.h"
#include "viewer/capture.h"
#include "viewer/viewer_state.h"

#include <stdio.h>
#include <string.h>

// the view of the whole scene
static void set_camera(BrumeScene *scene, const BrumeCamera *camera)
{
    scene->turntable = 0.0f; // the view of the window does not turn
    scene->camera_key_count = 1;
    scene->camera_keys[0] = (BrumeCameraKey){0.0, *camera};
}

// Sets the keys of the camera; without them the camera path of the recording, or the view of the window. Either way the
// last frame, at `time` [s], shows that view.
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

// a copy of the scene that was loaded with the present look and the size of pictures; NULL without memory
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

BrumeStatus brume_viewer_make_saved_scene(const BrumeViewer *viewer, const BrumeReplay *replay, BrumeScene **saved,
                                          BrumeError *error)
{
    BrumeScene *scene = copy_scene(viewer, error);
    if (!scene) {
        return BRUME_FAILED;
    }
    if (replay) {
        scene->sim = replay->settings;
        scene->timeline = replay->timeline;
        unify_obstacles(&scene->sim, &scene->timeline);
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
    (void)brume_animation_apply_obstacles(&scene->animation, 0.0, &scene->sim);
    set_camera_keys(viewer, replay ? replay->time : viewer->snapshot.time, scene);
    *saved = scene;
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
        scene->sim.obstacle_count = viewer->controls.present.count;
        memcpy(scene->sim.obstacles, viewer->controls.present.obstacles, sizeof scene->sim.obstacles);
        scene->timeline = (BrumeTimeline){0};
        scene->frames = viewer->snapshot.frame > 0 ? viewer->snapshot.frame : scene->frames;
    }
    scene->animation.count = 0; // the look has the values of the present time
    set_camera(scene, &viewer->controls.camera);
    const BrumeStatus status = brume_scene_write(scene, NULL, text, error);
    brume_free(scene); // its pointers belong to the viewer
    return status;
}
