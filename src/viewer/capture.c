#include "viewer/capture.h"

#include "core/memory.h"
#include "io/file.h"
#include "viewer/past.h"
#include "viewer/scene_saver.h"
#include "viewer/viewer_state.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

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
                 .kind = controls->view,
                 .shutter = scene->shutter},
        .camera = controls->camera,
        .samples = controls->picture.samples > 0 ? controls->picture.samples : scene->samples,
        .divider = controls->divider,
        .integrator = scene->integrator,
        .bounces = scene->bounces,
        .noise = scene->noise,
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

// sets the path of a request: the chosen one, or with "" the next numbered one after all that were requested
static void set_path(BrumeViewer *viewer, BrumePictureRequest *request, const char *chosen, const char *extension)
{
    int *number = &viewer->capture.number;
    (void)snprintf(request->path, sizeof request->path, "%s", chosen);
    if (!chosen[0]) {
        *number = brume_viewer_numbered_path(viewer, viewer->opened.file_stem, extension, *number + 1, request->path);
    }
}

static void show_error(BrumeViewer *viewer, const BrumeError *error)
{
    if (error->status != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error->text);
    }
}

BrumeFileKind brume_viewer_picture_kind(const BrumeViewer *viewer)
{
    const BrumeFileKind kind = viewer->controls.exports.frame;
    return brume_file_is_image(kind) && viewer->readouts.exports.available[kind] ? kind : BRUME_FILE_PNG;
}

static void write_frame(BrumeViewer *viewer, BrumeFileKind kind, const char *path, BrumeError *error)
{
    const bool is_volume = brume_file_is_volume(kind);
    BrumePictureRequest request = {.contents = is_volume ? BRUME_PICTURE_VOLUME : BRUME_PICTURE_DRAWN,
                                   .look = present_look(viewer, kind),
                                   .variant = viewer->snapshot.variant_count > 1 ? viewer->controls.edited_variant : 0};
    set_path(viewer, &request, path, brume_file_extension(kind));
    if (brume_file_check_writable(request.path, error) != BRUME_OK ||
        (is_volume && brume_viewer_scene_text(viewer, &request.scene_text, error) != BRUME_OK) ||
        brume_picture_thread_request(viewer->picture_thread, &request, error) != BRUME_OK) {
        return;
    }
    brume_render_thread_offer_snapshot(viewer->render_thread);
    if (is_volume) {
        brume_viewer_show_message(viewer, false, "writing %s", request.path);
    } else {
        brume_viewer_show_message(viewer, false, "drawing %s, %d x %d pixels", request.path, request.look.width,
                                  request.look.height);
    }
}

void brume_viewer_write_frame(BrumeViewer *viewer, BrumeFileKind kind, const char *path)
{
    BrumeError error = {0};
    if (brume_file_is_volume(kind) || !has_overlay(viewer)) {
        write_frame(viewer, kind, path, &error);
    } else if (kind == BRUME_FILE_EXR) {
        (void)brume_fail(&error, BRUME_FAILED,
                         "arrows, streamlines, slices and isosurfaces are drawn for the "
                         "display only (choose PNG, or the view of the smoke)");
    } else {
        viewer->capture.awaits_framebuffer = true;
        (void)snprintf(viewer->capture.framebuffer_path, sizeof viewer->capture.framebuffer_path, "%s", path);
    }
    show_error(viewer, &error);
}

// Requests the file of these pixels of the framebuffer, or their frame of the recording. Returns false after a failure.
static bool write_pixels(BrumeViewer *viewer, BrumeRect rect, BrumePictureRequest *request)
{
    BrumeError error = {0};
    request->contents = BRUME_PICTURE_PIXELS;
    request->look.width = rect.width;
    request->look.height = rect.height;
    request->pixels = brume_alloc_untouched((size_t)rect.width * (size_t)rect.height, 3);
    if (request->pixels) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, request->pixels);
        (void)brume_picture_thread_request(viewer->picture_thread, request, &error);
    } else {
        (void)brume_out_of_memory(&error, "a picture of %d x %d", rect.width, rect.height);
    }
    show_error(viewer, &error);
    return error.status == BRUME_OK;
}

void brume_viewer_take_window(BrumeViewer *viewer)
{
    const BrumeRect rect = {.width = viewer->window->pixels_wide, .height = viewer->window->pixels_high};
    BrumePictureRequest request = {0};
    set_path(viewer, &request, "", ".png");
    (void)write_pixels(viewer, rect, &request);
}

// returns the kind of recording; overlays that OpenGL draws have no linear values
static BrumeFileKind recording_kind(const BrumeViewer *viewer)
{
    const BrumeFileKind kind = viewer->controls.exports.recording;
    const bool possible = viewer->readouts.exports.available[kind] && !brume_file_is_volume(kind) &&
                          !(kind == BRUME_FILE_EXR && has_overlay(viewer));
    return possible ? kind : BRUME_FILE_PNG;
}

// Passes the look of the recording to the picture thread: the present one, with the keys of values, and of a camera
// that follows its keys. A video has the size of its first picture, with even sides.
static void set_recorded_look(BrumeViewer *viewer)
{
    BrumeViewerRecording *recording = &viewer->capture.recording;
    const BrumeControls *controls = &viewer->controls;
    BrumeRecordedLook recorded = {.look = present_look(viewer, recording->def.kind),
                                  .animation = controls->animation,
                                  .follows = controls->follow_path,
                                  .camera_path = controls->camera_path,
                                  .turntable = (double)viewer->scene->turntable};
    if (!recording->active) {
        recording->width = recorded.look.width & ~1;
        recording->height = recorded.look.height & ~1;
    }
    if (brume_file_is_video(recording->def.kind)) {
        recorded.look.width = recording->width;
        recorded.look.height = recording->height;
    }
    brume_picture_thread_set_look(viewer->picture_thread, &recorded);
}

static void start_recording(BrumeViewer *viewer)
{
    BrumeViewerRecording *recording = &viewer->capture.recording;
    BrumeRecordingDef *def = &recording->def;
    BrumeError error = {0};
    def->kind = recording_kind(viewer);
    def->of_pixels = has_overlay(viewer);
    def->fps = (double)viewer->controls.sim[0].fps;
    // a video that is not complete has no file yet
    const bool is_video = brume_file_is_video(def->kind);
    recording->number =
        brume_viewer_numbered_path(viewer, viewer->opened.file_stem, is_video ? brume_file_extension(def->kind) : "",
                                   viewer->capture.status.left > 0 ? recording->number + 1 : 0, def->path);
    set_recorded_look(viewer);
    if ((!is_video ||
         viewer->def.writers->check_video(recording->width, recording->height, def->fps, &error) == BRUME_OK) &&
        brume_picture_thread_start_recording(viewer->picture_thread, def, &error) == BRUME_OK) {
        recording->active = true;
        recording->frame = recording->epoch = -1;
        brume_viewer_set_frame_by_frame(viewer, true);
        brume_viewer_show_message(viewer, false, "recording to %s; F11 stops it", def->path);
    }
    show_error(viewer, &error);
}

void brume_viewer_stop_recording(BrumeViewer *viewer)
{
    if (viewer->capture.recording.active) {
        brume_picture_thread_stop_recording(viewer->picture_thread);
        brume_viewer_set_frame_by_frame(viewer, false);
        viewer->capture.recording.active = false;
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
    BrumeCapture *capture = &viewer->capture;
    BrumeViewerRecording *recording = &capture->recording;
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!brume_viewer_reads_framebuffer(viewer) || !picture || !picture->request.full ||
        (picture->rgb && !picture->finished)) {
        return;
    }
    const bool is_frame = recording->active && recording->def.of_pixels && capture->status.left < 4 &&
                          (picture->frame != recording->frame || picture->epoch != recording->epoch);
    BrumeRect rect = brume_viewer_rect(viewer);
    if (is_frame && brume_file_is_video(recording->def.kind)) { // a video has even sides
        rect.width &= ~1;
        rect.height &= ~1;
    }
    if (capture->awaits_framebuffer) {
        BrumePictureRequest request = {0};
        capture->awaits_framebuffer = false;
        set_path(viewer, &request, capture->framebuffer_path, ".png");
        (void)write_pixels(viewer, rect, &request);
    }
    if (is_frame) {
        BrumePictureRequest request = {.is_frame = true, .snapshot = {.epoch = picture->epoch, .time = picture->time}};
        const bool added = write_pixels(viewer, rect, &request);
        recording->frame = picture->frame;
        recording->epoch = picture->epoch;
        brume_viewer_permit_frame(viewer);
        if (!added) {
            brume_viewer_stop_recording(viewer);
        }
    }
}

void brume_viewer_update_pictures(BrumeViewer *viewer)
{
    BrumePictureStatus *status = &viewer->capture.status;
    const BrumePictureStatus before = *status;
    if (viewer->capture.recording.active) {
        set_recorded_look(viewer);
    }
    brume_picture_thread_poll(viewer->picture_thread, status);
    if (status->requested > 0) {
        brume_render_thread_offer_snapshot(viewer->render_thread);
    }
    if (status->failed) {
        if (!status->recording) {
            brume_viewer_stop_recording(viewer);
        }
        show_error(viewer, &status->error);
    } else if (status->written != before.written || status->completed != before.completed) {
        brume_viewer_show_message(viewer, false, "%s", status->result);
    }
    viewer->needs_redraw = viewer->needs_redraw || status->recorded != before.recorded || status->left != before.left;
    viewer->readouts.recording = viewer->capture.recording.active;
    viewer->readouts.recorded = status->recorded;
    viewer->readouts.frames_left = status->left;
    viewer->readouts.pictures_left = brume_viewer_pictures_left(viewer) - status->left;
}

int brume_viewer_pictures_left(const BrumeViewer *viewer)
{
    return viewer->capture.status.waiting + viewer->capture.awaits_framebuffer;
}
