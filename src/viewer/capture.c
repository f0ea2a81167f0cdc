#include "viewer/capture.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "io/file.h"
#include "viewer/past.h"
#include "viewer/threads/numbered_files.h"
#include "viewer/viewer_state.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

void brume_viewer_picture_size(const BrumeViewer *viewer, int *width, int *height)
{
    const BrumePictureControls *picture = &viewer->controls.picture;
    *width = picture->own_size ? picture->width : viewer->window->pixels_wide;
    *height = picture->own_size ? picture->height : viewer->window->pixels_high;
}

// whether OpenGL draws a part of the view, over the smoke
static bool has_overlay(const BrumeViewer *viewer)
{
    const BrumeControls *controls = &viewer->controls;
    return controls->view == BRUME_VIEW_VELOCITY || controls->view == BRUME_VIEW_ISOSURFACE || controls->slice;
}

static BrumePictureLook present_look(const BrumeViewer *viewer, BrumeFileKind kind)
{
    const bool linear = kind == BRUME_FILE_EXR;
    const bool video = brume_file_is_video(kind);
    const BrumeControls *controls = &viewer->controls;
    const BrumeScene *scene = viewer->scene;
    BrumePictureLook look = {
        .view = {.render_settings = controls->render_settings,
                 .two_looks = controls->compare_looks,
                 .other_look = controls->other_look,
                 .kind = controls->view},
        .camera = controls->camera,
        .samples = controls->picture.samples > 0 ? controls->picture.samples : scene->samples,
        .divider = controls->divider,
        .integrator = scene->integrator,
        .bounces = scene->bounces,
        .noise = scene->noise,
        .shutter = scene->shutter,
        .denoise = scene->denoise,
        .transparent = scene->transparent && !video,
        .deep = scene->bits == BRUME_IMAGE_BITS_16 && !video,
        .linear = linear,
        .single = linear && scene->bits == BRUME_IMAGE_BITS_32,
    };
    brume_viewer_picture_size(viewer, &look.width, &look.height);
    memcpy(look.view.surface_of, controls->surface_of, sizeof look.view.surface_of);
    return look;
}

void brume_viewer_export_path(const BrumeViewer *viewer, const char *name, char *path)
{
    const char *folder = viewer->controls.exports.folder;
    const bool needs_slash = folder[0] && folder[strlen(folder) - 1] != '/';
    (void)snprintf(path, BRUME_VIEWER_PATH, "%s%s%s", folder, needs_slash ? "/" : "", name);
}

int brume_viewer_numbered_path(const BrumeViewer *viewer, const char *stem, const char *extension, int least,
                               char *path)
{
    char folder[BRUME_VIEWER_PATH];
    char name[128];
    brume_viewer_export_path(viewer, ".", folder);
    const int number = brume_max_int(brume_next_file_number(folder, stem, extension), least);
    (void)snprintf(name, sizeof name, "%s-%04d%s", stem, number, extension);
    brume_viewer_export_path(viewer, name, path);
    return number;
}

void brume_viewer_next_path(BrumeViewer *viewer, const char *extension, char *path)
{
    BrumeCapture *capture = &viewer->capture;
    capture->number =
        brume_viewer_numbered_path(viewer, viewer->opened.file_stem, extension, capture->number + 1, path);
}

BrumeFileKind brume_viewer_picture_kind(const BrumeViewer *viewer)
{
    const BrumeFileKind kind = viewer->controls.exports.frame;
    return brume_file_is_image(kind) && viewer->readouts.exports.available[kind] ? kind : BRUME_FILE_PNG;
}

void brume_viewer_take_picture(BrumeViewer *viewer, BrumeFileKind kind, const char *path)
{
    if (has_overlay(viewer)) {
        if (kind == BRUME_FILE_EXR) {
            brume_viewer_show_message(viewer, true,
                                      "arrows, streamlines, slices and isosurfaces are drawn for the "
                                      "display only (choose PNG, or the view of the smoke)");
            return;
        }
        viewer->capture.awaits_framebuffer = true;
        (void)snprintf(viewer->capture.framebuffer_path, sizeof viewer->capture.framebuffer_path, "%s", path);
        return;
    }
    char numbered[BRUME_VIEWER_PATH];
    const BrumePictureLook look = present_look(viewer, kind);
    if (!path[0]) {
        brume_viewer_next_path(viewer, brume_file_extension(kind), numbered);
    }
    const char *chosen = path[0] ? path : numbered;
    BrumeError error;
    if (brume_file_check_writable(chosen, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    if (!brume_picture_thread_request(viewer->picture_thread, &look, chosen)) {
        brume_viewer_show_message(viewer, false, "too many pictures wait for their state");
        return;
    }
    brume_render_thread_offer_snapshot(viewer->render_thread);
    brume_viewer_show_message(viewer, false, "drawing %s, %d x %d pixels", chosen, look.width, look.height);
}

// reads pixels of the framebuffer; the caller frees them
static uint8_t *read_pixels(BrumeRect rect, BrumeError *error)
{
    uint8_t *rgb = brume_alloc_untouched((size_t)rect.width * (size_t)rect.height, 3);
    if (!rgb) {
        (void)brume_out_of_memory(error, "a picture of %d x %d", rect.width, rect.height);
        return NULL;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    return rgb;
}

void brume_viewer_take_window(BrumeViewer *viewer)
{
    const BrumeRect rect = {.width = viewer->window->pixels_wide, .height = viewer->window->pixels_high};
    BrumeError error;
    BrumeStatus status = BRUME_FAILED;
    uint8_t *rgb = read_pixels(rect, &error);
    if (rgb) {
        char path[BRUME_VIEWER_PATH];
        brume_viewer_next_path(viewer, ".png", path);
        status = brume_picture_thread_add(viewer->picture_thread, path, rect.width, rect.height, rgb, &error);
        brume_free(rgb);
    }
    if (status != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

// returns the kind of recording; overlays that OpenGL draws have no linear values
static BrumeFileKind recording_kind(const BrumeViewer *viewer)
{
    const BrumeFileKind kind = viewer->controls.exports.recording;
    const bool possible = viewer->readouts.exports.available[kind] && !brume_file_is_volume(kind) &&
                          !(kind == BRUME_FILE_EXR && viewer->capture.recording.of_pixels);
    return possible ? kind : BRUME_FILE_PNG;
}

// sets the path of the next numbered folder or video
static void set_recording_path(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    const char *extension = brume_file_is_video(recording->kind) ? brume_file_extension(recording->kind) : "";
    // a video that is not complete has no file yet
    recording->number = brume_viewer_numbered_path(viewer, viewer->opened.file_stem, extension,
                                                   recording->finishing ? recording->number + 1 : 0, recording->folder);
}

// returns the look of the recording; a video has the size of its first picture, with even sides
static BrumePictureLook recorded_look(const BrumeViewer *viewer)
{
    const BrumeRecording *recording = &viewer->capture.recording;
    BrumePictureLook look = present_look(viewer, recording->kind);
    if (brume_file_is_video(recording->kind)) {
        look.width = (recording->active ? recording->width : look.width) & ~1;
        look.height = (recording->active ? recording->height : look.height) & ~1;
    }
    return look;
}

// passes the keys of values, and of a camera that follows its keys, to the picture thread
static void set_recorded_keys(const BrumeViewer *viewer)
{
    const BrumeControls *controls = &viewer->controls;
    const BrumeRecordedKeys keys = {.animation = controls->animation,
                                    .follows = controls->follow_path,
                                    .camera_path = controls->camera_path,
                                    .turntable = (double)viewer->scene->turntable};
    brume_picture_thread_set_keys(viewer->picture_thread, &keys);
}

static void start_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    BrumeError error;
    recording->of_pixels = has_overlay(viewer);
    recording->kind = recording_kind(viewer);
    set_recording_path(viewer);
    const BrumePictureLook look = recorded_look(viewer);
    recording->width = look.width;
    recording->height = look.height;
    brume_picture_thread_set_look(viewer->picture_thread, &look);
    set_recorded_keys(viewer);
    const BrumeRecordingDef def = {.path = recording->folder,
                                   .kind = recording->kind,
                                   .of_pixels = recording->of_pixels,
                                   .fps = (double)viewer->controls.sim[0].fps};
    BrumeStatus status = BRUME_OK;
    if (brume_file_is_video(recording->kind)) {
        status = viewer->def.writers->check_video(look.width, look.height, def.fps, &error);
    }
    if (status == BRUME_OK) {
        status = brume_picture_thread_start_recording(viewer->picture_thread, &def, &error);
    }
    if (status != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    recording->active = true;
    recording->finishing = false; // frames of the previous recording are written first
    recording->frame = recording->epoch = -1;
    brume_viewer_set_frame_by_frame(viewer, true);
    brume_viewer_show_message(viewer, false, "recording to %s; F11 stops it", recording->folder);
}

void brume_viewer_stop_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    if (recording->active) {
        brume_picture_thread_stop_recording(viewer->picture_thread);
        brume_viewer_set_frame_by_frame(viewer, false);
        recording->active = false;
        recording->finishing = true;
    }
}

void brume_viewer_toggle_recording(BrumeViewer *viewer)
{
    if (viewer->capture.recording.active) {
        brume_viewer_stop_recording(viewer);
    } else {
        start_recording(viewer);
    }
}

void brume_viewer_read_framebuffer(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!brume_viewer_reads_framebuffer(viewer) || !picture || !picture->request.full ||
        (picture->rgb && !picture->finished)) {
        return;
    }
    const bool is_frame = recording->active && recording->of_pixels && viewer->capture.status.left < 4 &&
                          (picture->frame != recording->frame || picture->epoch != recording->epoch);
    if (!is_frame && !viewer->capture.awaits_framebuffer) {
        return;
    }
    BrumeRect rect = brume_viewer_rect(viewer);
    if (is_frame && brume_file_is_video(recording->kind)) { // a video has even sides
        rect.width &= ~1;
        rect.height &= ~1;
    }
    BrumeError error;
    uint8_t *rgb = read_pixels(rect, &error);
    BrumeStatus status = rgb ? BRUME_OK : BRUME_FAILED;
    if (status == BRUME_OK && viewer->capture.awaits_framebuffer) {
        char path[BRUME_VIEWER_PATH];
        if (viewer->capture.framebuffer_path[0]) {
            (void)snprintf(path, sizeof path, "%s", viewer->capture.framebuffer_path);
        } else {
            brume_viewer_next_path(viewer, ".png", path);
        }
        status = brume_picture_thread_add(viewer->picture_thread, path, rect.width, rect.height, rgb, &error);
    }
    viewer->capture.awaits_framebuffer = false;
    if (status == BRUME_OK && is_frame) {
        status = brume_picture_thread_add_frame(viewer->picture_thread, picture->epoch, picture->time, rect.width,
                                                rect.height, rgb, &error);
        recording->frame = picture->frame;
        recording->epoch = picture->epoch;
        brume_viewer_permit_frame(viewer);
    }
    brume_free(rgb);
    if (status != BRUME_OK) {
        brume_viewer_stop_recording(viewer);
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

// shows one line on a failure
static void report_failure(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    const BrumePictureStatus *status = &viewer->capture.status;
    if (status->recording_failed && (recording->active || recording->finishing)) {
        brume_viewer_stop_recording(viewer);
        recording->finishing = false;
        brume_viewer_show_message(viewer, true, "%s; the recording has ended after %d frame%s", status->error.text,
                                  status->recorded, status->recorded == 1 ? "" : "s");
    } else {
        brume_viewer_show_message(viewer, true, "%s", status->error.text);
    }
}

void brume_viewer_update_pictures(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->capture.recording;
    const BrumePictureStatus before = viewer->capture.status;
    BrumePictureStatus *status = &viewer->capture.status;
    if (recording->active) {
        const BrumePictureLook look = recorded_look(viewer);
        brume_picture_thread_set_look(viewer->picture_thread, &look);
        set_recorded_keys(viewer);
    }
    brume_picture_thread_poll(viewer->picture_thread, status);
    if (status->requested > 0) {
        brume_render_thread_offer_snapshot(viewer->render_thread);
    }
    if (status->failed) {
        report_failure(viewer);
    } else if (recording->finishing && status->left == 0) {
        recording->finishing = false;
        brume_viewer_show_message(viewer, false, "%d frame%s recorded in %s; G saves a scene with this camera path",
                                  status->recorded, status->recorded == 1 ? "" : "s", recording->folder);
    } else if (status->written != before.written) {
        brume_viewer_show_message(viewer, false, "%s written", status->path);
    }
    viewer->needs_redraw = viewer->needs_redraw || status->recorded != before.recorded || status->left != before.left;
    viewer->readouts.recording = recording->active;
    viewer->readouts.recorded = status->recorded;
    viewer->readouts.frames_left = recording->active || recording->finishing ? status->left : 0;
    viewer->readouts.pictures_left = brume_viewer_pictures_left(viewer) - viewer->readouts.frames_left;
}

int brume_viewer_pictures_left(const BrumeViewer *viewer)
{
    return viewer->capture.status.requested + viewer->capture.status.waiting +
           (viewer->capture.awaits_framebuffer ? 1 : 0);
}
