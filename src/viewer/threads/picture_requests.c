// Functions of the preparation thread and the window thread that append jobs to the list of the picture thread.
#include "viewer/threads/picture_thread_internal.h"

#include "core/memory.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The preparation thread.
 */

// copies the variants of a snapshot that a request draws or writes to a job
static BrumeStatus copy_snapshot(BrumePictureJob *job, const BrumeSnapshot *snapshot,
                                 const BrumePictureRequest *request, BrumeError *error)
{
    const int first = request->is_volume && request->variant < snapshot->variant_count ? request->variant : 0;
    const int count = request->is_volume ? 1 : snapshot->variant_count;
    BrumeStatus status = BRUME_OK;
    job->snapshot.variant_count = count;
    job->snapshot.frame = snapshot->frame;
    job->snapshot.time = snapshot->time;
    job->snapshot.seed = snapshot->seed;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        const BrumeSnapshotVariant *from = &snapshot->variants[first + n];
        status = brume_snapshot_has_fields(from) ? brume_snapshot_copy(&job->snapshot.variants[n], from, error)
                                                 : brume_fail(error, BRUME_FAILED, "there is no state to %s",
                                                              request->is_volume ? "write" : "draw");
    }
    return status;
}

// Copies a snapshot to a new job. Returns false where there is no free job. The append mutex is locked.
static bool append(BrumePictureThread *thread, const BrumeSnapshot *snapshot, const BrumePictureRequest *request,
                   bool of_recording)
{
    brume_monitor_lock(&thread->monitor);
    BrumePictureJob *job = brume_picture_free_slot(thread);
    if (job) {
        *job = (BrumePictureJob){.look = request->look,
                                 .recording = of_recording ? thread->recordings : 0,
                                 .of_video = of_recording && brume_file_is_video(thread->kind),
                                 .fps = thread->fps,
                                 .is_volume = request->is_volume,
                                 .scene_text = request->scene_text};
    }
    brume_monitor_unlock(&thread->monitor);
    if (!job) {
        return false;
    }
    BrumeError error = {0};
    const BrumeStatus status = copy_snapshot(job, snapshot, request, &error);
    (void)snprintf(job->path, sizeof job->path, "%s", request->path);
    if (status != BRUME_OK) {
        brume_picture_free_job(job);
    }
    brume_monitor_lock(&thread->monitor);
    thread->status.left += of_recording;
    if (status == BRUME_OK) {
        for (int n = 0; n < job->snapshot.variant_count; n++) {
            job->bytes += brume_snapshot_bytes(&job->snapshot.variants[n]);
        }
        thread->frame_bytes = job->bytes;
        thread->bytes += job->bytes;
        thread->count++;
        job->serial = ++thread->serial;
    } else {
        brume_picture_note_result(thread, job, status, &error);
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
    return true;
}

// returns the look of the recording at a time, with animated values and the camera path; the monitor is locked
static BrumePictureLook look_at(const BrumePictureThread *thread, double time)
{
    const BrumeRecordedKeys *keys = &thread->keys;
    BrumePictureLook look = thread->look;
    (void)brume_animation_apply_look(&keys->animation, time, look.view.surface_of, &look.view.render_settings);
    (void)brume_animation_apply_look(&keys->animation, time, look.view.surface_of, &look.view.other_look);
    if (keys->follows && keys->camera_path.count > 0) {
        look.camera = brume_camera_at(keys->camera_path.keys, keys->camera_path.count, time);
        if (keys->turntable != 0.0) {
            look.camera = brume_camera_turned(&look.camera, 6.283185307179586 * time / keys->turntable);
        }
    }
    return look;
}

// Adds a key to the path of the recording's camera. The monitor is locked.
static void add_camera_key(BrumePictureThread *thread, int epoch, double time, const BrumeCamera *camera)
{
    BrumeRecordedPath *path = &thread->path;
    if (path->epoch != epoch) { // the simulation was restarted: the path begins again
        path->key_count = 0;
        path->epoch = epoch;
    }
    if (path->key_count == BRUME_MAX_CAMERA_KEYS - 1) { // without room, every other key is removed
        path->key_count = (path->key_count + 1) / 2;
        for (int n = 1; n < path->key_count; n++) {
            path->keys[n] = path->keys[2 * n];
        }
    }
    if (path->key_count == 0 || time > path->keys[path->key_count - 1].time) {
        path->keys[path->key_count++] = (BrumeCameraKey){time, *camera};
    }
}

// writes the path of a frame's file: an image in the folder of the recording, or the video; the monitor is locked
static void frame_path(const BrumePictureThread *thread, int frame, char path[BRUME_PICTURE_PATH])
{
    if (brume_file_is_video(thread->kind)) {
        (void)snprintf(path, BRUME_PICTURE_PATH, "%s", thread->folder);
    } else {
        (void)snprintf(path, BRUME_PICTURE_PATH, "%s/frame-%04d%s", thread->folder, frame,
                       brume_file_extension(thread->kind));
    }
}

static void record(BrumePictureThread *thread, const BrumeSnapshot *snapshot)
{
    brume_monitor_lock(&thread->monitor);
    const bool is_new = thread->recording && !thread->of_pixels && snapshot->frame_by_frame &&
                        (snapshot->frame != thread->frame || snapshot->epoch != thread->epoch);
    BrumePictureRequest request = {.look = look_at(thread, snapshot->time)};
    frame_path(thread, thread->frames + 1, request.path);
    brume_monitor_unlock(&thread->monitor);
    if (!is_new || !append(thread, snapshot, &request, true)) {
        return;
    }
    brume_monitor_lock(&thread->monitor);
    thread->frames++;
    thread->frame = snapshot->frame;
    thread->epoch = snapshot->epoch;
    add_camera_key(thread, snapshot->epoch, snapshot->time, &request.look.camera);
    thread->permit_is_due = thread->recording && snapshot->waits; // until then no frame is computed
    brume_picture_permit_next_frame(thread);
    brume_monitor_unlock(&thread->monitor);
}

void brume_picture_thread_offer(void *context, const BrumeSnapshot *snapshot)
{
    BrumePictureThread *thread = context;
    (void)pthread_mutex_lock(&thread->append_mutex);
    bool served = true;
    while (served) {
        BrumePictureRequest request;
        brume_monitor_lock(&thread->monitor);
        served = thread->request_count > 0;
        if (served) {
            request = thread->requests[0];
        }
        brume_monitor_unlock(&thread->monitor);
        served = served && append(thread, snapshot, &request, false);
        if (served) {
            brume_monitor_lock(&thread->monitor);
            thread->request_count--;
            memmove(thread->requests, thread->requests + 1,
                    (size_t)thread->request_count * sizeof(BrumePictureRequest));
            brume_monitor_unlock(&thread->monitor);
        }
    }
    record(thread, snapshot);
    (void)pthread_mutex_unlock(&thread->append_mutex);
}

/*
 * The window thread.
 */

void brume_picture_thread_set_look(BrumePictureThread *thread, const BrumePictureLook *look)
{
    brume_monitor_lock(&thread->monitor);
    thread->look = *look;
    brume_monitor_unlock(&thread->monitor);
}

void brume_picture_thread_set_keys(BrumePictureThread *thread, const BrumeRecordedKeys *keys)
{
    brume_monitor_lock(&thread->monitor);
    thread->keys = *keys;
    brume_monitor_unlock(&thread->monitor);
}

static bool add_request(BrumePictureThread *thread, const BrumePictureRequest *request)
{
    brume_monitor_lock(&thread->monitor);
    const bool has_room = thread->request_count < BRUME_PICTURE_REQUESTS;
    if (has_room) {
        thread->requests[thread->request_count++] = *request;
    }
    brume_monitor_unlock(&thread->monitor);
    return has_room;
}

bool brume_picture_thread_request(BrumePictureThread *thread, const BrumePictureLook *look, const char *path)
{
    BrumePictureRequest request = {.look = *look};
    (void)snprintf(request.path, sizeof request.path, "%s", path);
    return add_request(thread, &request);
}

bool brume_picture_thread_request_volume(BrumePictureThread *thread, int variant, const char *scene_text,
                                         const char *path)
{
    BrumePictureRequest request = {.is_volume = true, .variant = variant, .scene_text = brume_copy_text(scene_text)};
    (void)snprintf(request.path, sizeof request.path, "%s", path);
    if (thread->def.writers && request.scene_text && add_request(thread, &request)) {
        return true;
    }
    brume_free(request.scene_text);
    return false;
}

static BrumeStatus add_pixels(BrumePictureThread *thread, const char *path, int width, int height, const uint8_t *rgb,
                              bool of_recording, BrumeError *error)
{
    const size_t row = (size_t)width * 3;
    uint8_t *pixels = brume_alloc_untouched((size_t)height, row);
    if (!pixels) {
        return brume_out_of_memory(error, "a picture of %d x %d", width, height);
    }
    for (int y = 0; y < height; y++) {
        memcpy(pixels + row * (size_t)y, rgb + row * (size_t)(height - 1 - y), row);
    }
    (void)pthread_mutex_lock(&thread->append_mutex);
    brume_monitor_lock(&thread->monitor);
    while (thread->count >= BRUME_PICTURE_JOBS && !brume_worker_quits(&thread->worker)) {
        brume_monitor_wait(&thread->monitor, INFINITY);
    }
    BrumePictureJob *job = brume_picture_free_slot(thread);
    if (!job) { // the thread ends
        brume_monitor_unlock(&thread->monitor);
        (void)pthread_mutex_unlock(&thread->append_mutex);
        brume_free(pixels);
        return BRUME_OK;
    }
    *job = (BrumePictureJob){.pixels = pixels,
                             .width = width,
                             .height = height,
                             .recording = of_recording ? thread->recordings : 0,
                             .of_video = of_recording && brume_file_is_video(thread->kind),
                             .fps = thread->fps};
    (void)snprintf(job->path, sizeof job->path, "%s", path);
    thread->count++;
    job->serial = ++thread->serial;
    thread->status.left += of_recording;
    brume_monitor_signal_and_unlock(&thread->monitor);
    (void)pthread_mutex_unlock(&thread->append_mutex);
    return BRUME_OK;
}

BrumeStatus brume_picture_thread_add(BrumePictureThread *thread, const char *path, int width, int height,
                                     const uint8_t *rgb, BrumeError *error)
{
    return add_pixels(thread, path, width, height, rgb, false, error);
}

BrumeStatus brume_picture_thread_start_recording(BrumePictureThread *thread, const BrumeRecordingDef *def,
                                                 BrumeError *error)
{
    char path[BRUME_PICTURE_PATH];
    const bool is_video = brume_file_is_video(def->kind);
    if (snprintf(path, sizeof path, "%s%s%s", def->path, is_video ? "" : "/frame-0001",
                 is_video ? "" : brume_file_extension(def->kind)) >= (int)sizeof thread->folder) {
        return brume_fail(error, BRUME_FAILED, "%.100s...: cannot write: the name is too long", def->path);
    }
    if (brume_file_check_writable(path, error) != BRUME_OK) {
        return error->status;
    }
    (void)pthread_mutex_lock(&thread->append_mutex); // no frame of the previous recording is being added
    brume_monitor_lock(&thread->monitor);
    (void)snprintf(thread->folder, sizeof thread->folder, "%s", def->path);
    thread->recording = true;
    thread->recordings++;
    thread->of_pixels = def->of_pixels;
    thread->kind = def->kind;
    thread->fps = def->fps;
    thread->permit_is_due = false;
    thread->frames = 0;
    thread->frame = thread->epoch = -1;
    thread->path.key_count = 0;
    thread->status.recorded = thread->status.left = 0;
    thread->status.recording_failed = false;
    brume_monitor_unlock(&thread->monitor);
    (void)pthread_mutex_unlock(&thread->append_mutex);
    return BRUME_OK;
}

BrumeStatus brume_picture_thread_add_frame(BrumePictureThread *thread, int epoch, double time, int width, int height,
                                           const uint8_t *rgb, BrumeError *error)
{
    char path[BRUME_PICTURE_PATH];
    brume_monitor_lock(&thread->monitor);
    frame_path(thread, ++thread->frames, path);
    add_camera_key(thread, epoch, time, &thread->look.camera);
    brume_monitor_unlock(&thread->monitor);
    return add_pixels(thread, path, width, height, rgb, true, error);
}

// Appends the job that completes a video, after all frames. Waits for a slot where none is free.
static void append_end(BrumePictureThread *thread)
{
    (void)pthread_mutex_lock(&thread->append_mutex);
    brume_monitor_lock(&thread->monitor);
    while (thread->count >= BRUME_PICTURE_JOBS && !brume_worker_quits(&thread->worker)) {
        brume_monitor_wait(&thread->monitor, INFINITY);
    }
    BrumePictureJob *job = brume_picture_free_slot(thread);
    if (job) {
        *job = (BrumePictureJob){.recording = thread->recordings, .ends_recording = true, .serial = ++thread->serial};
        thread->count++;
        thread->status.left++;
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
    (void)pthread_mutex_unlock(&thread->append_mutex);
}

void brume_picture_thread_stop_recording(BrumePictureThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    const bool ends = brume_file_is_video(thread->kind) && thread->recording;
    thread->recording = false;
    brume_monitor_unlock(&thread->monitor);
    if (ends) {
        append_end(thread);
    }
}

void brume_picture_thread_poll(BrumePictureThread *thread, BrumePictureStatus *status)
{
    brume_monitor_lock(&thread->monitor);
    *status = thread->status;
    status->waiting = thread->count;
    status->requested = thread->request_count;
    status->recording = thread->recording;
    thread->status.failed = false;
    brume_monitor_unlock(&thread->monitor);
}

void brume_picture_thread_path(BrumePictureThread *thread, BrumeRecordedPath *path)
{
    brume_monitor_lock(&thread->monitor);
    *path = thread->path;
    brume_monitor_unlock(&thread->monitor);
}
