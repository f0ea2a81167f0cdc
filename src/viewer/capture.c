// Screenshots of the window, and recordings of the picture: every simulated frame, none left out.
#include "viewer/viewer_internal.h"

#include "core/error.h"
#include "core/memory.h"

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

void brume_viewer_shoot(BrumeViewer *viewer)
{
    BrumeError error;
    const char *path = "";
    BrumeStatus status = BRUME_OK;
    if (!viewer->shots) {
        status = brume_recorder_create(&viewer->shots, ".", viewer->stem, &error);
    }
    if (status == BRUME_OK) {
        status = add_framebuffer(viewer, viewer->shots, &path, &error);
    }
    if (status == BRUME_OK) {
        brume_viewer_say(viewer, false, "%s", path);
    } else {
        brume_viewer_say(viewer, true, "%s", error.text);
    }
}

static void begin(BrumeViewer *viewer)
{
    BrumeFilm *film = &viewer->film;
    char folder[BRUME_VIEWER_PATH];
    (void)snprintf(folder, sizeof folder, "%s-%04d", viewer->stem, brume_next_number(".", viewer->stem, ""));
    BrumeError error;
    if (brume_recorder_create(&film->recorder, folder, "frame", &error) != BRUME_OK) {
        brume_viewer_say(viewer, true, "%s", error.text);
        return;
    }
    film->frame = -1;
    film->recorded = 0;
    film->key_count = 0;
    film->keys_epoch = viewer->snapshot.epoch;
    brume_simulation_thread_hold(viewer->live, true);
    brume_viewer_say(viewer, false, "recording to %s; F11 ends it", folder);
}

void brume_viewer_end_film(BrumeViewer *viewer)
{
    BrumeFilm *film = &viewer->film;
    if (!film->recorder) {
        return;
    }
    brume_simulation_thread_hold(viewer->live, false);
    BrumeError error;
    if (brume_recorder_finish(film->recorder, &error) == BRUME_OK) {
        brume_viewer_say(viewer, false, "%d frames recorded; G keeps the flight as a scene", film->recorded);
    } else {
        brume_viewer_say(viewer, true, "%s", error.text);
    }
    brume_recorder_destroy(film->recorder);
    film->recorder = NULL;
}

void brume_viewer_film(BrumeViewer *viewer)
{
    if (viewer->film.recorder) {
        brume_viewer_end_film(viewer);
    } else {
        begin(viewer);
    }
}

// the camera's way; a flight longer than there is room for keeps every other key
static void add_key(BrumeFilm *film, double time, const BrumeCamera *camera)
{
    if (film->key_count == BRUME_MAX_CAMERA_KEYS - 1) {
        film->key_count = (film->key_count + 1) / 2;
        for (int n = 1; n < film->key_count; n++) {
            film->keys[n] = film->keys[2 * n];
        }
    }
    if (film->key_count == 0 || time > film->keys[film->key_count - 1].time) {
        film->keys[film->key_count++] = (BrumeCameraKey){time, *camera};
    }
}

void brume_viewer_film_picture(BrumeViewer *viewer)
{
    BrumeFilm *film = &viewer->film;
    const BrumeRenderedPicture *picture = viewer->picture;
    if (!film->recorder || !picture || !picture->wish.full || (picture->rgb && !picture->finished) ||
        (picture->frame == film->frame && picture->epoch == film->epoch)) {
        return;
    }
    if (picture->epoch != film->keys_epoch) { // begun anew: so does the flight
        film->key_count = 0;
        film->keys_epoch = picture->epoch;
    }
    BrumeError error;
    if (add_framebuffer(viewer, film->recorder, NULL, &error) != BRUME_OK) {
        brume_viewer_end_film(viewer);
        brume_viewer_say(viewer, true, "%s", error.text);
        return;
    }
    film->frame = picture->frame;
    film->epoch = picture->epoch;
    film->recorded++;
    add_key(film, picture->time, picture->rgb ? &picture->wish.camera : &viewer->controls.camera);
    brume_simulation_thread_release(viewer->live);
}
