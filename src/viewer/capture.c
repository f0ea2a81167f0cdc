#include "viewer/capture.h"

#include "core/memory.h"
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

static BrumePictureLook present_look(const BrumeViewer *viewer)
{
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
        .transparent = scene->transparent,
        .deep = scene->bits == BRUME_IMAGE_BITS_16,
    };
    brume_viewer_picture_size(viewer, &look.width, &look.height);
    memcpy(look.view.surface_of, scene->surface_of, sizeof look.view.surface_of);
    return look;
}

// the next numbered file, also while earlier ones are not written yet
static void next_path(BrumeViewer *viewer, char path[BRUME_VIEWER_PATH])
{
    const int next = brume_next_file_number(".", viewer->file_stem, ".png");
    viewer->picture_number = next > viewer->picture_number ? next : viewer->picture_number + 1;
    (void)snprintf(path, BRUME_VIEWER_PATH, "%s-%04d.png", viewer->file_stem, viewer->picture_number);
}

void brume_viewer_take_picture(BrumeViewer *viewer)
{
    if (has_overlay(viewer)) {
        viewer->awaits_framebuffer = true;
        return;
    }
    char path[BRUME_VIEWER_PATH];
    const BrumePictureLook look = present_look(viewer);
    next_path(viewer, path);
    if (!brume_picture_thread_request(viewer->picture_thread, &look, path)) {
        brume_viewer_show_message(viewer, false, "too many pictures wait for their state");
        return;
    }
    brume_render_thread_offer_snapshot(viewer->render_thread);
    brume_viewer_show_message(viewer, false, "drawing %s, %d x %d pixels", path, look.width, look.height);
}

// the pixels of the framebuffer, to be freed
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
        next_path(viewer, path);
        status = brume_picture_thread_add(viewer->picture_thread, path, rect.width, rect.height, rgb, &error);
        brume_free(rgb);
    }
    if (status != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

static void start_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    if (recording->finishing) {
        brume_viewer_show_message(viewer, false, "%s is not written yet: %d frames wait", recording->folder,
                                  viewer->pictures.left);
        return;
    }
    BrumeError error;
    const BrumePictureLook look = present_look(viewer);
    (void)snprintf(recording->folder, sizeof recording->folder, "%s-%04d", viewer->file_stem,
                   brume_next_file_number(".", viewer->file_stem, ""));
    recording->of_pixels = has_overlay(viewer);
    brume_picture_thread_set_look(viewer->picture_thread, &look);
    if (brume_picture_thread_start_recording(viewer->picture_thread, recording->folder, recording->of_pixels, &error) !=
        BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    recording->active = true;
    recording->frame = recording->epoch = -1;
    viewer->source.functions->set_frame_by_frame(viewer->source.self, true);
    brume_viewer_show_message(viewer, false, "recording to %s; F11 stops it", recording->folder);
}

void brume_viewer_stop_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    if (recording->active) {
        brume_picture_thread_stop_recording(viewer->picture_thread);
        viewer->source.functions->set_frame_by_frame(viewer->source.self, false);
        recording->active = false;
        recording->finishing = true;
    }
}

void brume_viewer_toggle_recording(BrumeViewer *viewer)
{
    if (viewer->recording.active) {
        brume_viewer_stop_recording(viewer);
    } else {
        start_recording(viewer);
    }
}

void brume_viewer_read_framebuffer(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!brume_viewer_reads_framebuffer(viewer) || !picture || !picture->request.full ||
        (picture->rgb && !picture->finished)) {
        return;
    }
    const bool is_frame = recording->active && recording->of_pixels && viewer->pictures.left < 4 &&
                          (picture->frame != recording->frame || picture->epoch != recording->epoch);
    if (!is_frame && !viewer->awaits_framebuffer) {
        return;
    }
    const BrumeRect rect = brume_viewer_rect(viewer);
    BrumeError error;
    uint8_t *rgb = read_pixels(rect, &error);
    BrumeStatus status = rgb ? BRUME_OK : BRUME_FAILED;
    if (status == BRUME_OK && viewer->awaits_framebuffer) {
        char path[BRUME_VIEWER_PATH];
        next_path(viewer, path);
        status = brume_picture_thread_add(viewer->picture_thread, path, rect.width, rect.height, rgb, &error);
    }
    viewer->awaits_framebuffer = false;
    if (status == BRUME_OK && is_frame) {
        status = brume_picture_thread_add_frame(viewer->picture_thread, picture->epoch, picture->time, rect.width,
                                                rect.height, rgb, &error);
        recording->frame = picture->frame;
        recording->epoch = picture->epoch;
        viewer->source.functions->permit_frame(viewer->source.self);
    }
    brume_free(rgb);
    if (status != BRUME_OK) {
        brume_viewer_stop_recording(viewer);
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

// one line for what failed
static void report_failure(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    const BrumePictureStatus *status = &viewer->pictures;
    if (status->recording_failed && (recording->active || recording->finishing)) {
        brume_viewer_stop_recording(viewer);
        recording->finishing = false;
        brume_viewer_show_message(viewer, true, "%s; the recording has ended after %d frames", status->error.text,
                                  status->recorded);
    } else {
        brume_viewer_show_message(viewer, true, "%s", status->error.text);
    }
}

void brume_viewer_update_pictures(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    const BrumePictureStatus before = viewer->pictures;
    BrumePictureStatus *status = &viewer->pictures;
    if (recording->active) {
        const BrumePictureLook look = present_look(viewer);
        brume_picture_thread_set_look(viewer->picture_thread, &look);
    }
    brume_picture_thread_poll(viewer->picture_thread, status);
    if (status->requested > 0) {
        brume_render_thread_offer_snapshot(viewer->render_thread);
    }
    if (status->failed) {
        report_failure(viewer);
    } else if (recording->finishing && status->left == 0) {
        recording->finishing = false;
        brume_viewer_show_message(viewer, false, "%d frames recorded in %s; G saves a scene with this camera path",
                                  status->recorded, recording->folder);
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
    return viewer->pictures.requested + viewer->pictures.waiting + (viewer->awaits_framebuffer ? 1 : 0);
}
