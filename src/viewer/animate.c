#include "viewer/animate.h"

#include <math.h>
#include <string.h>

void brume_viewer_restart_animation(BrumeViewer *viewer) { viewer->keyed.time = NAN; }

static bool same_camera(const BrumeCamera *a, const BrumeCamera *b) { return memcmp(a, b, sizeof *a) == 0; }

static float longest_side(const BrumeSimDef *sim) { return sim->dx * (float)fmax(fmax(sim->nx, sim->ny), sim->nz); }

// Moves the camera to its keys. A motion by hand stops this.
static void follow_path(BrumeViewer *viewer, bool has_new_time)
{
    BrumeControls *controls = &viewer->controls;
    if (!controls->follow_path || controls->camera_path.count == 0 || viewer->keyed.is_flying) {
        controls->follow_path = false;
        viewer->keyed.is_following = false;
        return;
    }
    if (viewer->keyed.is_following && !same_camera(&controls->camera, &viewer->keyed.followed_camera)) {
        controls->follow_path = false;
        viewer->keyed.is_following = false;
        brume_viewer_show_message(viewer, false, "the camera no longer follows its keys");
        return;
    }
    if (has_new_time || !viewer->keyed.is_following) {
        controls->camera = brume_controls_scene_camera(controls, viewer->scene, viewer->snapshot.time);
        viewer->input.animation.active = false;
        viewer->keyed.followed_camera = controls->camera;
        viewer->keyed.is_following = true;
    }
}

// begins to record the motion of the camera
static void start_flight(BrumeViewer *viewer)
{
    viewer->keyed.is_flying = true;
    viewer->keyed.flight_epoch = viewer->snapshot.epoch;
    viewer->controls.follow_path = false;
    brume_flight_clear(&viewer->keyed.flight);
    brume_viewer_show_message(viewer, false,
                              "the motion of the camera is recorded while time runs; Shift + I ends the recording");
}

void brume_viewer_end_flight(BrumeViewer *viewer)
{
    if (!viewer->keyed.is_flying) {
        return;
    }
    BrumeFlight *flight = &viewer->keyed.flight;
    BrumeControls *controls = &viewer->controls;
    viewer->keyed.is_flying = false;
    viewer->needs_redraw = true;
    if (flight->count < 2) {
        brume_viewer_show_message(viewer, false, "no flight was recorded, because time did not run (Space)");
        brume_flight_clear(flight);
        return;
    }
    for (int n = 0; n < flight->count; n++) { // all keys of a scene have one projection
        BrumeCamera *camera = &flight->samples[n].camera;
        if (camera->projection != controls->camera.projection) {
            *camera = brume_camera_with_other_projection(camera);
        }
    }
    const BrumeFlightBound bound = brume_flight_bound(longest_side(&controls->sim[0]));
    const int samples = flight->count;
    const double remaining = brume_flight_reduce(flight, &bound, &controls->camera_path);
    brume_flight_clear(flight);
    brume_undo_history_add(viewer->history, controls);
    if (remaining > 1.0) {
        brume_viewer_show_message(viewer, true,
                                  "the flight needs more than %d keys: these differ from it by up to %.3g m or %.2g°; "
                                  "record a shorter one",
                                  BRUME_MAX_CAMERA_KEYS, remaining * (double)bound.distance,
                                  remaining * (double)bound.angle);
    } else {
        brume_viewer_show_message(viewer, false,
                                  "flight of %d frames recorded: the camera has %d keys, within %.3g m and %.2g°; "
                                  "Shift + F follows them",
                                  samples, controls->camera_path.count, (double)bound.distance, (double)bound.angle);
    }
}

// adds the present camera to the recording, which a restart or the end of a loop ends
static void record_flight(BrumeViewer *viewer)
{
    if (!viewer->keyed.is_flying) {
        return;
    }
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    const BrumeFlight *flight = &viewer->keyed.flight;
    const bool went_back = flight->count > 0 && snapshot->time < flight->samples[flight->count - 1].time;
    if (snapshot->epoch != viewer->keyed.flight_epoch || went_back) { // a restart, or the end of a loop
        brume_viewer_end_flight(viewer);
        return;
    }
    BrumeError error;
    BrumeCamera camera = viewer->controls.camera;
    if (viewer->scene->turntable != 0.0f) {
        camera = brume_camera_turned(&camera, -6.283185307179586 * snapshot->time / (double)viewer->scene->turntable);
    }
    if (brume_flight_add(&viewer->keyed.flight, snapshot->time, &camera, &error) != BRUME_OK) {
        brume_viewer_end_flight(viewer);
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

void brume_viewer_animate(BrumeViewer *viewer)
{
    BrumeControls *controls = &viewer->controls;
    const double time = viewer->snapshot.time;
    const bool has_new_time = !(time >= viewer->keyed.time && time <= viewer->keyed.time);
    const bool has_new_keys =
        memcmp(&controls->animation, &viewer->keyed.animation, sizeof viewer->keyed.animation) != 0;
    if (has_new_time || has_new_keys) {
        brume_controls_animate(controls, time);
        for (int n = 0; n < BRUME_MAX_VARIANTS; n++) { // the simulation thread animates the values itself
            (void)brume_animation_apply_sim(&controls->animation, time, &viewer->applied.sim[n]);
        }
        viewer->keyed.time = time;
        memcpy(&viewer->keyed.animation, &controls->animation, sizeof viewer->keyed.animation);
        viewer->needs_redraw = true;
    }
    record_flight(viewer);
    follow_path(viewer, has_new_time || has_new_keys);
    viewer->readouts.recording_flight = viewer->keyed.is_flying;
}

// removes the key at the present time if the camera equals it, otherwise sets it
static void set_camera_key(BrumeViewer *viewer)
{
    BrumeControls *controls = &viewer->controls;
    BrumeCameraPath *path = &controls->camera_path;
    const double time = viewer->snapshot.time;
    const int present = brume_camera_path_at(path, time);
    BrumeCamera camera = controls->camera;
    if (path->count > 0 && camera.projection != path->keys[0].camera.projection) {
        camera = brume_camera_with_other_projection(&camera); // all keys of a scene have one projection
    }
    const BrumeCamera keyed = brume_controls_scene_camera(controls, viewer->scene, time);
    if (present >= 0 && same_camera(&keyed, &camera)) {
        brume_camera_path_remove(path, present);
        brume_viewer_show_message(viewer, false, "key of the camera at %.4g s removed", time);
    } else if (brume_controls_set_camera_key(controls, viewer->scene, time, &camera)) {
        brume_viewer_show_message(viewer, false, "key of the camera at %.4g s set", time);
    } else {
        brume_viewer_show_message(viewer, true, "the camera has %d keys, which is the most that a scene can have",
                                  path->count);
        return;
    }
    brume_undo_history_add(viewer->history, controls);
}

void brume_viewer_execute_keys(BrumeViewer *viewer, const BrumeCommands *commands)
{
    if (commands->key && !brume_panel_key_hovered(viewer->panel, &viewer->controls, viewer->snapshot.time)) {
        set_camera_key(viewer);
    } else if (commands->key) {
        brume_undo_history_add(viewer->history, &viewer->controls);
    }
    if (commands->camera_key) {
        set_camera_key(viewer);
    }
    if (commands->record_flight && viewer->keyed.is_flying) {
        brume_viewer_end_flight(viewer);
    } else if (commands->record_flight) {
        start_flight(viewer);
    }
    viewer->needs_redraw = viewer->needs_redraw || commands->key || commands->camera_key || commands->record_flight;
}
