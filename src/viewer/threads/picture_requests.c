// Functions of the window thread and the preparation thread that add requests to the queue of the picture thread.
#include "viewer/threads/picture_thread_internal.h"

#include "core/memory.h"
#include "io/file.h"

#include <stdio.h>

enum { MAX_SINGLE = 32 };

// adds a request to the queue, single files before frames; the monitor is locked
static void add_to_queue(BrumePictureShared *shared, BrumePictureRequest *request)
{
    BrumePictureRequest **place = &shared->queue;
    while (*place && (request->recording || !(*place)->recording)) {
        place = &(*place)->after;
    }
    request->after = *place;
    *place = request;
}

// returns the look at a time, with animated values and the camera path
static BrumePictureLook look_at(const BrumeRecordedLook *recorded, double time)
{
    BrumePictureLook look = recorded->look;
    (void)brume_animation_apply_look(&recorded->animation, time, look.view.surface_of, &look.view.render_settings);
    (void)brume_animation_apply_look(&recorded->animation, time, look.view.surface_of, &look.view.other_look);
    if (recorded->follows && recorded->camera_path.count > 0) {
        look.camera = brume_camera_at(recorded->camera_path.keys, recorded->camera_path.count, time);
        if (recorded->turntable != 0.0) {
            look.camera = brume_camera_turned(&look.camera, 6.283185307179586 * time / recorded->turntable);
        }
    }
    return look;
}

// adds a key to the path of the recording's camera
static void add_camera_key(BrumeRecordedPath *path, int epoch, double time, const BrumeCamera *camera)
{
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

// Makes a request a frame of the recording, whose camera is that of the request's look: sets its path, an image in the
// folder of the recording, or the video. The monitor is locked.
static void add_frame(BrumePictureShared *shared, BrumePictureRequest *request, int epoch, double time)
{
    BrumeRecording *recording = shared->recording;
    const BrumeRecordingDef *def = &recording->def;
    request->recording = recording;
    recording->frames++;
    if (brume_file_is_video(def->kind)) {
        (void)snprintf(request->path, sizeof request->path, "%s", def->path);
    } else {
        (void)snprintf(request->path, sizeof request->path, "%.*s/frame-%04d%s", BRUME_PICTURE_PATH - 32, def->path,
                       recording->frames, brume_file_extension(def->kind));
    }
    add_camera_key(&shared->path, epoch, time, &request->look.camera);
}

/*
 * The preparation thread.
 */

// adds a request where the recording needs this snapshot; the monitor is locked
static void record(BrumePictureThread *thread, const BrumeSnapshot *snapshot)
{
    BrumePictureShared *shared = &thread->shared;
    BrumeRecording *recording = shared->recording;
    if (!recording || recording->failed || recording->def.of_pixels || !snapshot->frame_by_frame ||
        (snapshot->frame == recording->frame && snapshot->epoch == recording->epoch)) {
        return;
    }
    BrumePictureRequest *request = brume_alloc(1, sizeof *request);
    if (!request) {
        BrumeError error;
        (void)brume_out_of_memory(&error, "a frame of the recording");
        brume_picture_note_failure(thread, recording, &error);
        return;
    }
    recording->frame = snapshot->frame;
    recording->epoch = snapshot->epoch;
    request->look = look_at(&shared->look, snapshot->time);
    add_frame(shared, request, snapshot->epoch, snapshot->time);
    add_to_queue(shared, request);
}

// copies the variants of a snapshot that a request draws or writes
static BrumeStatus copy_snapshot(BrumePictureRequest *request, const BrumeSnapshot *snapshot)
{
    const bool is_volume = request->contents == BRUME_PICTURE_VOLUME;
    const int first = is_volume && request->variant < snapshot->variant_count ? request->variant : 0;
    BrumeSnapshot *copy = &request->snapshot;
    copy->variant_count = is_volume ? 1 : snapshot->variant_count;
    copy->frame = snapshot->frame;
    copy->time = snapshot->time;
    copy->seed = snapshot->seed;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < copy->variant_count && status == BRUME_OK; n++) {
        const BrumeSnapshotVariant *from = &snapshot->variants[first + n];
        status = brume_snapshot_has_fields(from) ? brume_snapshot_copy(&copy->variants[n], from, &request->error)
                                                 : brume_fail(&request->error, BRUME_FAILED, "there is no state to %s",
                                                              is_volume ? "write" : "draw");
    }
    return status;
}

void brume_picture_thread_offer(void *context, const BrumeSnapshot *snapshot)
{
    BrumePictureThread *thread = context;
    brume_monitor_lock(&thread->monitor);
    record(thread, snapshot);
    // only this thread makes requests ready, and only those are removed: the others stay while the monitor is unlocked
    for (BrumePictureRequest *request = thread->shared.queue; request; request = request->after) {
        if (request->ready) {
            continue;
        }
        brume_monitor_unlock(&thread->monitor);
        size_t bytes = 0;
        const BrumeStatus status = copy_snapshot(request, snapshot);
        for (int n = 0; n < request->snapshot.variant_count && status == BRUME_OK; n++) {
            bytes += brume_snapshot_bytes(&request->snapshot.variants[n]);
        }
        brume_monitor_lock(&thread->monitor);
        request->bytes = bytes;
        request->ready = true;
        if (request->recording) {
            request->recording->permit_is_due = snapshot->waits; // until then no frame is computed
        }
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
    brume_picture_permit_next_frame(thread);
}

/*
 * The window thread.
 */

void brume_picture_thread_set_look(BrumePictureThread *thread, const BrumeRecordedLook *look)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.look = *look;
    brume_monitor_unlock(&thread->monitor);
}

BrumeStatus brume_picture_thread_request(BrumePictureThread *thread, const BrumePictureRequest *request,
                                         BrumeError *error)
{
    BrumePictureShared *shared = &thread->shared;
    BrumePictureRequest *added = brume_alloc(1, sizeof *added);
    int single = 0;
    BrumeStatus status = BRUME_OK;
    brume_monitor_lock(&thread->monitor);
    for (const BrumePictureRequest *waiting = shared->queue; waiting; waiting = waiting->after) {
        single += !waiting->recording;
    }
    if (!added) {
        status = brume_out_of_memory(error, "%s", request->path);
    } else if (request->contents == BRUME_PICTURE_VOLUME && !thread->def.writers) {
        status = brume_fail(error, BRUME_FAILED, "%s: this program does not write such files", request->path);
    } else if (!request->is_frame && single >= MAX_SINGLE) {
        status = brume_fail(error, BRUME_FAILED, "%s: too many files wait to be written", request->path);
    } else {
        *added = *request;
        added->ready = request->contents == BRUME_PICTURE_PIXELS;
        if (request->is_frame) {
            added->look.camera = shared->look.look.camera;
            add_frame(shared, added, request->snapshot.epoch, request->snapshot.time);
        }
        add_to_queue(shared, added);
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
    if (status != BRUME_OK) {
        brume_free(request->pixels);
        brume_free(request->scene_text);
        brume_free(added);
    }
    return status;
}

BrumeStatus brume_picture_thread_start_recording(BrumePictureThread *thread, const BrumeRecordingDef *def,
                                                 BrumeError *error)
{
    char path[BRUME_PICTURE_PATH];
    const bool is_video = brume_file_is_video(def->kind);
    if (snprintf(path, sizeof path, "%s%s%s", def->path, is_video ? "" : "/frame-0001",
                 is_video ? "" : brume_file_extension(def->kind)) >= BRUME_PICTURE_PATH - 32) {
        return brume_fail(error, BRUME_FAILED, "%.100s...: cannot write: the name is too long", def->path);
    }
    if (brume_file_check_writable(path, error) != BRUME_OK) {
        return error->status;
    }
    BrumeRecording *recording = brume_alloc(1, sizeof *recording);
    BrumePictureRequest *end = brume_alloc(1, sizeof *end);
    if (!recording || !end) {
        brume_free(recording);
        brume_free(end);
        return brume_out_of_memory(error, "a recording");
    }
    *end = (BrumePictureRequest){.contents = BRUME_PICTURE_NONE, .recording = recording, .ready = true};
    *recording = (BrumeRecording){.def = *def, .end = end, .frame = -1, .epoch = -1};
    BrumePictureShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    recording->number = ++shared->recordings;
    shared->recording = recording;
    shared->path.key_count = 0;
    shared->status.recorded = 0;
    brume_monitor_unlock(&thread->monitor);
    return BRUME_OK;
}

void brume_picture_thread_stop_recording(BrumePictureThread *thread)
{
    BrumePictureShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    if (shared->recording) {
        add_to_queue(shared, shared->recording->end);
        shared->recording = NULL;
    }
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_picture_thread_poll(BrumePictureThread *thread, BrumePictureStatus *status)
{
    const BrumePictureShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    *status = shared->status;
    status->recording = shared->recording && !shared->recording->failed;
    for (const BrumePictureRequest *request = shared->queue; request; request = request->after) {
        status->waiting++;
        status->requested += !request->ready;
        // the end of a recording counts where no frame waits before it, so that a video counts until it is complete
        status->left += request->recording && (request->contents != BRUME_PICTURE_NONE || status->left == 0);
    }
    thread->shared.status.failed = false;
    brume_monitor_unlock(&thread->monitor);
}

void brume_picture_thread_path(BrumePictureThread *thread, BrumeRecordedPath *path)
{
    brume_monitor_lock(&thread->monitor);
    *path = thread->shared.path;
    brume_monitor_unlock(&thread->monitor);
}
