/*
 * The thread writes the first request of the queue that is ready. The monitor guards the queue. The other members of a
 * request do not change while it is in the queue, except by the thread to which it belongs.
 */
#include "viewer/threads/picture_thread_internal.h"

#include "core/memory.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FRAMES = 16, BUDGET_SHARE = 8 };

static const size_t default_budget = (size_t)1 << 30; // used where the size of the physical memory is unknown [bytes]

void brume_picture_free_request(BrumePictureRequest *request)
{
    if (request->contents == BRUME_PICTURE_NONE) {
        brume_free(request->recording);
    }
    brume_snapshot_destroy(&request->snapshot);
    brume_free(request->pixels);
    brume_free(request->scene_text);
    brume_free(request);
}

void brume_picture_permit_next_frame(BrumePictureThread *thread)
{
    int count = 0;
    size_t bytes = 0;
    size_t frame_bytes = 0;
    brume_monitor_lock(&thread->monitor);
    BrumeRecording *recording = thread->shared.recording;
    for (const BrumePictureRequest *waiting = thread->shared.queue; waiting; waiting = waiting->after) {
        count++;
        bytes += waiting->bytes;
        frame_bytes = waiting->bytes > 0 ? waiting->bytes : frame_bytes;
    }
    const bool permitted =
        recording && recording->permit_is_due && count < MAX_FRAMES && bytes + frame_bytes <= thread->def.budget;
    if (permitted) {
        recording->permit_is_due = false;
    }
    brume_monitor_unlock(&thread->monitor);
    if (permitted && thread->def.permit) {
        thread->def.permit(thread->def.source);
    }
}

// frees the snapshot of a request as soon as it is not needed any more
static void free_snapshot(BrumePictureThread *thread, BrumePictureRequest *request)
{
    brume_snapshot_destroy(&request->snapshot);
    brume_monitor_lock(&thread->monitor);
    request->bytes = 0;
    brume_monitor_unlock(&thread->monitor);
    brume_picture_permit_next_frame(thread);
}

static bool goes_on(void *context, double fraction)
{
    (void)fraction;
    const BrumePictureThread *thread = context;
    return !brume_worker_quits(&thread->worker);
}

// writes a picture to the file of its request, or appends it to the video of the recording
static BrumeStatus write_pixels(BrumePictureThread *thread, const BrumePictureRequest *request, const void *pixels,
                                BrumePixelFormat format, BrumeError *error)
{
    const BrumeRecording *recording = request->recording;
    return recording && brume_file_is_video(recording->def.kind)
               ? brume_video_file_add(&thread->own.video, request, recording->def.fps, pixels, error)
               : brume_picture_file_write(request, pixels, format, error);
}

static BrumeStatus draw(BrumePictureThread *thread, BrumePictureRequest *request, BrumeError *error)
{
    BrumeFullPicture *picture = &thread->own.picture;
    BrumePixelFormat format = brume_rgb8;
    BrumeStatus status = brume_full_picture_load(picture, &request->snapshot, &request->look, error);
    free_snapshot(thread, request);
    if (status == BRUME_OK) {
        status = brume_full_picture_draw(picture, &request->look, goes_on, thread, &format, error);
    }
    return status == BRUME_OK ? write_pixels(thread, request, picture->pixels, format, error) : status;
}

static BrumeStatus write_volume(BrumePictureThread *thread, BrumePictureRequest *request, BrumeError *error)
{
    const BrumeSnapshot *snapshot = &request->snapshot;
    const BrumeStatus status = thread->def.writers->write_volume(
        &snapshot->variants[0], snapshot->frame, snapshot->time, request->scene_text, request->path, error);
    free_snapshot(thread, request);
    return status;
}

static void exchange_rows(uint8_t *pixels, int width, int height)
{
    const size_t row = 3 * (size_t)width;
    for (int y = 0; y < height / 2; y++) {
        uint8_t *a = pixels + row * (size_t)y;
        uint8_t *b = pixels + row * (size_t)(height - 1 - y);
        for (size_t n = 0; n < row; n++) {
            const uint8_t value = a[n];
            a[n] = b[n];
            b[n] = value;
        }
    }
}

static BrumeStatus write_request(BrumePictureThread *thread, BrumePictureRequest *request, BrumeError *error)
{
    if (request->error.status != BRUME_OK) {
        *error = request->error;
        return error->status;
    }
    switch (request->contents) {
    case BRUME_PICTURE_DRAWN:
        return draw(thread, request, error);
    case BRUME_PICTURE_VOLUME:
        return write_volume(thread, request, error);
    case BRUME_PICTURE_PIXELS:
        exchange_rows(request->pixels, request->look.width, request->look.height);
        return write_pixels(thread, request, request->pixels, brume_rgb8, error);
    default:
        return brume_video_file_finish(&thread->own.video, error);
    }
}

void brume_picture_note_failure(BrumePictureThread *thread, BrumeRecording *recording, const BrumeError *error)
{
    BrumePictureStatus *status = &thread->shared.status;
    status->failed = true;
    status->error = *error;
    if (recording) {
        recording->failed = true;
        const size_t length = strlen(status->error.text);
        (void)snprintf(status->error.text + length, sizeof status->error.text - length,
                       "; the recording has ended after %d frame%s", recording->written,
                       recording->written == 1 ? "" : "s");
    }
}

// records in the status that a request is done; the monitor is locked
static void note_success(BrumePictureShared *shared, const BrumePictureRequest *request)
{
    BrumePictureStatus *status = &shared->status;
    BrumeRecording *recording = request->recording;
    if (!recording) {
        status->written++;
        (void)snprintf(status->result, sizeof status->result, "%s written", request->path);
    } else if (request->contents == BRUME_PICTURE_NONE) {
        status->completed++;
        (void)snprintf(status->result, sizeof status->result,
                       "%d frame%s recorded in %s; G saves a scene with this camera path", recording->written,
                       recording->written == 1 ? "" : "s", recording->def.path);
    } else {
        recording->written++;
        status->recorded += recording->number == shared->recordings;
    }
}

// Returns the request to be done next; NULL: none is ready. Frames stay in order. The monitor is locked.
static BrumePictureRequest *next_request(const BrumePictureShared *shared)
{
    BrumePictureRequest *request = shared->queue;
    while (request && !request->ready) {
        request = request->recording ? NULL : request->after;
    }
    return request;
}

static void remove_request(BrumePictureShared *shared, const BrumePictureRequest *request)
{
    BrumePictureRequest **place = &shared->queue;
    while (*place != request) {
        place = &(*place)->after;
    }
    *place = request->after;
}

// does a request, except a frame of a recording that has failed; the monitor is locked, and unlocked meanwhile
static void do_request(BrumePictureThread *thread, BrumePictureRequest *request)
{
    BrumePictureShared *shared = &thread->shared;
    const bool dropped = request->recording && request->recording->failed;
    brume_monitor_unlock(&thread->monitor);
    BrumeError error;
    const BrumeStatus status = dropped ? BRUME_OK : write_request(thread, request, &error);
    if (request->recording && status != BRUME_OK) {
        brume_video_file_abandon(&thread->own.video);
    }
    brume_monitor_lock(&thread->monitor);
    if (status != BRUME_OK && !brume_worker_quits(&thread->worker)) {
        brume_picture_note_failure(thread, request->recording, &error);
    } else if (status == BRUME_OK && !dropped) {
        note_success(shared, request);
    }
    remove_request(shared, request);
    brume_monitor_unlock(&thread->monitor);
    brume_picture_free_request(request);
    brume_picture_permit_next_frame(thread);
    if (thread->def.on_change && !brume_worker_quits(&thread->worker)) {
        thread->def.on_change();
    }
    brume_monitor_lock(&thread->monitor);
}

// the picture thread's main function
static void run(void *context)
{
    BrumePictureThread *thread = context;
    brume_lower_priority(); // before the team is started, which inherits it
    brume_set_threads(thread->def.threads);
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->worker)) {
        BrumePictureRequest *request = next_request(&thread->shared);
        if (request) {
            do_request(thread, request);
        } else {
            brume_monitor_wait(&thread->monitor, INFINITY);
        }
    }
    brume_monitor_unlock(&thread->monitor);
    brume_video_file_abandon(&thread->own.video);
}

BrumeStatus brume_picture_thread_create(BrumePictureThread **thread, const BrumePictureThreadDef *def,
                                        BrumeError *error)
{
    *thread = NULL;
    BrumePictureThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    const size_t physical = brume_physical_memory();
    created->def = *def;
    created->own.video.writers = def->writers;
    if (def->budget == 0) {
        created->def.budget = physical > 0 ? physical / BUDGET_SHARE : default_budget;
    }
    brume_monitor_init(&created->monitor);
    const BrumeStatus status =
        brume_worker_start(&created->worker, &created->monitor, "brume-picture", run, created, error);
    if (status != BRUME_OK) {
        brume_picture_thread_destroy(created);
        return status;
    }
    *thread = created;
    return BRUME_OK;
}

bool brume_picture_thread_stop(BrumePictureThread *thread, double seconds)
{
    return brume_worker_stop(&thread->worker, seconds);
}

void brume_picture_thread_destroy(BrumePictureThread *thread)
{
    if (!thread) {
        return;
    }
    brume_worker_join(&thread->worker);
    brume_picture_thread_stop_recording(thread);
    for (BrumePictureRequest *request = thread->shared.queue, *after; request; request = after) {
        after = request->after;
        brume_picture_free_request(request);
    }
    brume_full_picture_destroy(&thread->own.picture);
    brume_monitor_destroy(&thread->monitor);
    brume_free(thread);
}
