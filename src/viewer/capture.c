#include "viewer/capture.h"

#include "core/error.h"
#include "core/memory.h"
#include "viewer/viewer_state.h"

#include <epoxy/gl.h>
#include <stdio.h>

static BrumeStatus add_framebuffer(const BrumeViewer *viewer, BrumeRecorder *recorder, const char **path,
                                   BrumeError *error)
{
    const BrumeRect rect = brume_viewer_rect(viewer);
    uint8_t *rgb = brume_alloc_untouched((size_t)rect.width * (size_t)rect.height, 3);
    if (!rgb) {
        return brume_out_of_memory(error, "a picture of %d x %d", rect.width, rect.height);
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    const BrumeStatus status = brume_recorder_add(recorder, rect.width, rect.height, rgb, true, path, error);
    brume_free(rgb);
    return status;
}

void brume_viewer_take_screenshot(BrumeViewer *viewer)
{
    BrumeError error;
    const char *path = "";
    BrumeStatus status = BRUME_OK;
    if (!viewer->screenshots) {
        status = brume_recorder_create(&viewer->screenshots, ".", viewer->file_stem, &error);
    }
    if (status == BRUME_OK) {
        status = add_framebuffer(viewer, viewer->screenshots, &path, &error);
    }
    if (status == BRUME_OK) {
        brume_viewer_show_message(viewer, false, "%s", path);
    } else {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
}

static void start_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    char folder[BRUME_VIEWER_PATH];
    (void)snprintf(folder, sizeof folder, "%s-%04d", viewer->file_stem,
                   brume_next_file_number(".", viewer->file_stem, ""));
    BrumeError error;
    if (brume_recorder_create(&recording->recorder, folder, "frame", &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    recording->frame = -1;
    recording->recorded = 0;
    recording->key_count = 0;
    recording->keys_epoch = viewer->snapshot.epoch;
    viewer->source.functions->set_frame_by_frame(viewer->source.self, true);
    brume_viewer_show_message(viewer, false, "recording to %s; F11 stops it", folder);
}

void brume_viewer_stop_recording(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    if (!recording->recorder) {
        return;
    }
    viewer->source.functions->set_frame_by_frame(viewer->source.self, false);
    BrumeError error;
    if (brume_recorder_finish(recording->recorder, &error) == BRUME_OK) {
        brume_viewer_show_message(viewer, false, "%d frames recorded; G saves a scene with this camera path",
                                  recording->recorded);
    } else {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    }
    brume_recorder_destroy(recording->recorder);
    recording->recorder = NULL;
}

void brume_viewer_toggle_recording(BrumeViewer *viewer)
{
    if (viewer->recording.recorder) {
        brume_viewer_stop_recording(viewer);
    } else {
        start_recording(viewer);
    }
}

// Appends a key to the camera path. If there is no room, every other key is removed.
static void add_camera_key(BrumeRecording *recording, double time, const BrumeCamera *camera)
{
    if (recording->key_count == BRUME_MAX_CAMERA_KEYS - 1) {
        recording->key_count = (recording->key_count + 1) / 2;
        for (int n = 1; n < recording->key_count; n++) {
            recording->keys[n] = recording->keys[2 * n];
        }
    }
    if (recording->key_count == 0 || time > recording->keys[recording->key_count - 1].time) {
        BrumeCamera key = *camera; // all keys of a scene have one projection
        if (recording->key_count > 0 && key.projection != recording->keys[0].camera.projection) {
            key = brume_camera_with_other_projection(camera);
        }
        recording->keys[recording->key_count++] = (BrumeCameraKey){time, key};
    }
}

void brume_viewer_record_picture(BrumeViewer *viewer)
{
    BrumeRecording *recording = &viewer->recording;
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!recording->recorder || !picture || !picture->request.full || (picture->rgb && !picture->finished) ||
        (picture->frame == recording->frame && picture->epoch == recording->epoch)) {
        return;
    }
    if (picture->epoch != recording->keys_epoch) { // the simulation was restarted: so is the camera path
        recording->key_count = 0;
        recording->keys_epoch = picture->epoch;
    }
    BrumeError error;
    if (add_framebuffer(viewer, recording->recorder, NULL, &error) != BRUME_OK) {
        brume_viewer_stop_recording(viewer);
        brume_viewer_show_message(viewer, true, "%s", error.text);
        return;
    }
    recording->frame = picture->frame;
    recording->epoch = picture->epoch;
    recording->recorded++;
    add_camera_key(recording, picture->time, picture->rgb ? &picture->request.camera : &viewer->controls.camera);
    viewer->source.functions->permit_frame(viewer->source.self);
}
