/*
 * The oldest job is drawn and written, single pictures before frames of a recording. The mutex guards all but the data
 * of jobs that wait, which do not change, and the state of the picture thread; it is never held while a state is copied
 * or drawn. Only the render thread (offer) and the window thread (add) append jobs; `append_mutex` lets one of them at
 * a time.
 */
#include "viewer/threads/picture_thread.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "io/file.h"
#include "io/image_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_JOBS = 32, MAX_FRAMES = 16, MAX_REQUESTS = 8, BUDGET_SHARE = 8 };

static const size_t default_budget = (size_t)1 << 30; // where the physical memory is not known [bytes]

/** A picture to be drawn and written. */
typedef struct Job {
    uint64_t serial;        // ascending; 0: the slot is free
    BrumeSnapshot snapshot; // its fields are freed when they are not needed any more
    BrumePictureLook look;
    uint8_t *pixels; // drawn already (height x width x 3); NULL: the snapshot is drawn
    int width, height;
    size_t bytes;
    bool of_recording;
    char path[BRUME_PICTURE_PATH];
} Job;

/** A single picture that waits for a snapshot. */
typedef struct Request {
    BrumePictureLook look;
    char path[BRUME_PICTURE_PATH];
} Request;

struct BrumePictureThread {
    BrumePictureThreadDef def;
    pthread_t handle;
    bool started;
    pthread_mutex_t append_mutex;

    // Guarded by `mutex`.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool ended;
    Job jobs[MAX_JOBS];
    int count;
    uint64_t serial; // of the latest job
    size_t bytes;    // of the states that wait
    BrumePictureLook look;
    Request requests[MAX_REQUESTS];
    int request_count;
    bool recording, of_pixels, permit_is_due;
    char folder[BRUME_PICTURE_PATH - 32];
    int frames;       // added to the latest recording
    int frame, epoch; // the latest of them
    size_t frame_bytes;
    BrumeRecordedPath path;
    BrumePictureStatus status;

    // Read by the team, to abandon a picture.
    atomic_bool quit;

    BrumeFullPicture picture; // used by the picture thread alone
};

static void lock(BrumePictureThread *thread) { (void)pthread_mutex_lock(&thread->mutex); }

static void unlock(BrumePictureThread *thread) { (void)pthread_mutex_unlock(&thread->mutex); }

static void unlock_and_signal(BrumePictureThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
}

static size_t field_bytes(const BrumeField *field)
{
    return field->data ? brume_grid_entries(field->grid) * sizeof(float) : 0;
}

static size_t snapshot_bytes(const BrumeSnapshot *snapshot)
{
    size_t bytes = 0;
    for (int n = 0; n < snapshot->variant_count; n++) {
        const BrumeSnapshotVariant *variant = &snapshot->variants[n];
        for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
            bytes += field_bytes(&variant->fields[id]);
        }
        for (int component = 0; component < 3 * BRUME_TEXTURE_LAYERS; component++) {
            bytes += field_bytes(&variant->texture[component / 3][component % 3]);
        }
    }
    return bytes;
}

/*
 * The picture thread.
 */

static bool report_progress(void *context, double fraction)
{
    BrumePictureThread *thread = context;
    lock(thread);
    thread->status.fraction = fraction;
    unlock(thread);
    return !atomic_load(&thread->quit);
}

static void free_job(Job *job)
{
    brume_snapshot_destroy(&job->snapshot);
    brume_free(job->pixels);
    job->pixels = NULL;
}

// Permits the next frame of a recording if that is due and there is room. The mutex is locked, and unlocked during the
// call.
static void permit_next_frame(BrumePictureThread *thread)
{
    const bool has_room =
        thread->count < MAX_FRAMES && (thread->bytes == 0 || thread->bytes + thread->frame_bytes <= thread->def.budget);
    if (thread->recording && thread->permit_is_due && has_room) {
        thread->permit_is_due = false;
        if (thread->def.permit) {
            unlock(thread);
            thread->def.permit(thread->def.source);
            lock(thread);
        }
    }
}

// draws the snapshot of a job and writes it; its fields are freed as soon as they are loaded
static BrumeStatus draw_job(BrumePictureThread *thread, Job *job, BrumeError *error)
{
    BrumeFullPicture *picture = &thread->picture;
    BrumeStatus status = brume_full_picture_load(picture, &job->snapshot, &job->look, error);
    brume_snapshot_destroy(&job->snapshot);
    lock(thread);
    thread->bytes -= job->bytes;
    job->bytes = 0;
    permit_next_frame(thread);
    unlock(thread);
    BrumePixelFormat format;
    if (status == BRUME_OK) {
        status = brume_full_picture_draw(picture, &job->look, report_progress, thread, &format, error);
    }
    if (status == BRUME_OK) {
        status = brume_image_write_pixels(job->path, job->look.width, job->look.height, picture->pixels, format, false,
                                          error);
    }
    return status;
}

static BrumeStatus run_job(BrumePictureThread *thread, Job *job, BrumeError *error)
{
    return job->pixels
               ? brume_image_write_pixels(job->path, job->width, job->height, job->pixels, brume_rgb8, false, error)
               : draw_job(thread, job, error);
}

// counts what has become of a job; the mutex is locked
static void note_result(BrumePictureThread *thread, const Job *job, BrumeStatus status, const BrumeError *error)
{
    BrumePictureStatus *now = &thread->status;
    if (status == BRUME_OK && job->of_recording) {
        now->recorded++;
    } else if (status == BRUME_OK) {
        now->written++;
        (void)snprintf(now->path, sizeof now->path, "%s", job->path);
    } else if (!atomic_load(&thread->quit)) {
        now->failed = true;
        now->error = *error;
        if (job->of_recording) {
            thread->recording = false;
            now->recording_failed = true;
        }
    }
    now->left -= job->of_recording;
    now->fraction = 0.0;
}

// the other frames of a recording that has failed would fail too; the mutex is locked
static bool is_dropped(const BrumePictureThread *thread, const Job *job)
{
    return job->of_recording && thread->status.recording_failed;
}

// the job to be done next: there is one; the mutex is locked
static Job *next_job(BrumePictureThread *thread)
{
    Job *next = NULL;
    for (int n = 0; n < MAX_JOBS; n++) {
        Job *job = &thread->jobs[n];
        if (job->serial > 0 &&
            (!next || (job->of_recording == next->of_recording ? job->serial < next->serial : !job->of_recording))) {
            next = job;
        }
    }
    return next;
}

// a free slot; NULL where there is none; the mutex is locked
static Job *free_slot(BrumePictureThread *thread)
{
    for (int n = 0; n < MAX_JOBS; n++) {
        if (thread->jobs[n].serial == 0) {
            return &thread->jobs[n];
        }
    }
    return NULL;
}

// the picture thread's main function
static void *run(void *context)
{
    BrumePictureThread *thread = context;
    brume_name_threads("brume-picture");
    brume_lower_priority(); // before the team is started, which inherits it
    brume_set_threads(thread->def.threads);
    lock(thread);
    while (!atomic_load(&thread->quit)) {
        permit_next_frame(thread);
        if (thread->count == 0) {
            (void)pthread_cond_wait(&thread->changed, &thread->mutex);
            continue;
        }
        Job *job = next_job(thread);
        const bool dropped = is_dropped(thread, job);
        unlock(thread);
        BrumeError error = {0};
        const BrumeStatus status = dropped ? BRUME_OK : run_job(thread, job, &error);
        free_job(job);
        lock(thread);
        thread->bytes -= job->bytes;
        job->bytes = 0;
        if (dropped) {
            thread->status.left--;
        } else {
            note_result(thread, job, status, &error);
        }
        job->serial = 0;
        thread->count--;
        (void)pthread_cond_broadcast(&thread->changed);
        if (thread->def.on_change && !atomic_load(&thread->quit)) {
            unlock(thread);
            thread->def.on_change();
            lock(thread);
        }
    }
    thread->ended = true;
    unlock_and_signal(thread);
    return NULL;
}

/*
 * The render thread.
 */

// Copies a snapshot to a new job, unless there is no room: false. The append mutex is locked.
static bool append(BrumePictureThread *thread, const BrumeSnapshot *snapshot, const BrumePictureLook *look,
                   const char *path, bool of_recording)
{
    lock(thread);
    Job *job = free_slot(thread);
    if (job) {
        *job = (Job){.look = *look, .of_recording = of_recording};
    }
    unlock(thread);
    if (!job) {
        return false;
    }
    BrumeError error = {0};
    BrumeStatus status = BRUME_OK;
    job->snapshot.variant_count = snapshot->variant_count;
    job->snapshot.frame = snapshot->frame;
    job->snapshot.seed = snapshot->seed;
    for (int n = 0; n < snapshot->variant_count && status == BRUME_OK; n++) {
        status = brume_snapshot_has_fields(&snapshot->variants[n])
                     ? brume_snapshot_copy(&job->snapshot.variants[n], &snapshot->variants[n], &error)
                     : brume_fail(&error, BRUME_FAILED, "there is no state to draw");
    }
    (void)snprintf(job->path, sizeof job->path, "%s", path);
    if (status != BRUME_OK) {
        free_job(job);
    }
    lock(thread);
    thread->status.left += of_recording;
    if (status == BRUME_OK) {
        job->bytes = snapshot_bytes(&job->snapshot);
        thread->frame_bytes = job->bytes;
        thread->bytes += job->bytes;
        thread->count++;
        job->serial = ++thread->serial;
    } else {
        note_result(thread, job, status, &error);
    }
    unlock_and_signal(thread);
    return true;
}

// The mutex is locked.
static void add_camera_key(BrumePictureThread *thread, int epoch, double time)
{
    BrumeRecordedPath *path = &thread->path;
    if (path->epoch != epoch) { // the simulation was restarted: so is the path
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
        path->keys[path->key_count++] = (BrumeCameraKey){time, thread->look.camera};
    }
}

static void record(BrumePictureThread *thread, const BrumeSnapshot *snapshot)
{
    lock(thread);
    const bool is_new = thread->recording && !thread->of_pixels && snapshot->frame_by_frame &&
                        (snapshot->frame != thread->frame || snapshot->epoch != thread->epoch);
    char path[BRUME_PICTURE_PATH];
    (void)snprintf(path, sizeof path, "%s/frame-%04d.png", thread->folder, thread->frames + 1);
    const BrumePictureLook look = thread->look;
    unlock(thread);
    if (!is_new || !append(thread, snapshot, &look, path, true)) {
        return;
    }
    lock(thread);
    thread->frames++;
    thread->frame = snapshot->frame;
    thread->epoch = snapshot->epoch;
    add_camera_key(thread, snapshot->epoch, snapshot->time);
    thread->permit_is_due = thread->recording && snapshot->waits; // nothing is computed before: no frame is missed
    permit_next_frame(thread);
    unlock(thread);
}

void brume_picture_thread_offer(void *context, const BrumeSnapshot *snapshot)
{
    BrumePictureThread *thread = context;
    (void)pthread_mutex_lock(&thread->append_mutex);
    bool served = true;
    while (served) {
        Request request;
        lock(thread);
        served = thread->request_count > 0;
        if (served) {
            request = thread->requests[0];
        }
        unlock(thread);
        served = served && append(thread, snapshot, &request.look, request.path, false);
        if (served) {
            lock(thread);
            thread->request_count--;
            memmove(thread->requests, thread->requests + 1, (size_t)thread->request_count * sizeof(Request));
            unlock(thread);
        }
    }
    record(thread, snapshot);
    (void)pthread_mutex_unlock(&thread->append_mutex);
}

/*
 * The window thread.
 */

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
    if (def->budget == 0) {
        created->def.budget = physical > 0 ? physical / BUDGET_SHARE : default_budget;
    }
    brume_wait_init(&created->changed);
    (void)pthread_mutex_init(&created->mutex, NULL);
    (void)pthread_mutex_init(&created->append_mutex, NULL);
    atomic_init(&created->quit, false);
    const int failure = pthread_create(&created->handle, NULL, run, created);
    created->started = failure == 0;
    if (failure != 0) {
        brume_picture_thread_destroy(created);
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    *thread = created;
    return BRUME_OK;
}

bool brume_picture_thread_stop(BrumePictureThread *thread, double seconds)
{
    lock(thread);
    atomic_store(&thread->quit, true);
    (void)pthread_cond_broadcast(&thread->changed);
    const bool ended = !thread->started || brume_wait_for(&thread->ended, &thread->changed, &thread->mutex, seconds);
    unlock(thread);
    return ended;
}

void brume_picture_thread_destroy(BrumePictureThread *thread)
{
    if (!thread) {
        return;
    }
    if (thread->started) {
        (void)brume_picture_thread_stop(thread, INFINITY);
        (void)pthread_join(thread->handle, NULL);
    }
    for (int n = 0; n < MAX_JOBS; n++) {
        free_job(&thread->jobs[n]);
    }
    brume_full_picture_destroy(&thread->picture);
    (void)pthread_mutex_destroy(&thread->append_mutex);
    (void)pthread_mutex_destroy(&thread->mutex);
    (void)pthread_cond_destroy(&thread->changed);
    brume_free(thread);
}

void brume_picture_thread_set_look(BrumePictureThread *thread, const BrumePictureLook *look)
{
    lock(thread);
    thread->look = *look;
    unlock(thread);
}

bool brume_picture_thread_request(BrumePictureThread *thread, const BrumePictureLook *look, const char *path)
{
    lock(thread);
    const bool has_room = thread->request_count < MAX_REQUESTS;
    if (has_room) {
        Request *request = &thread->requests[thread->request_count++];
        request->look = *look;
        (void)snprintf(request->path, sizeof request->path, "%s", path);
    }
    unlock(thread);
    return has_room;
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
    lock(thread);
    while (thread->count >= MAX_JOBS && !atomic_load(&thread->quit)) {
        (void)pthread_cond_wait(&thread->changed, &thread->mutex);
    }
    Job *job = free_slot(thread);
    if (!job) { // the thread ends
        unlock(thread);
        (void)pthread_mutex_unlock(&thread->append_mutex);
        brume_free(pixels);
        return BRUME_OK;
    }
    *job = (Job){.pixels = pixels, .width = width, .height = height, .of_recording = of_recording};
    (void)snprintf(job->path, sizeof job->path, "%s", path);
    thread->count++;
    job->serial = ++thread->serial;
    thread->status.left += of_recording;
    unlock_and_signal(thread);
    (void)pthread_mutex_unlock(&thread->append_mutex);
    return BRUME_OK;
}

BrumeStatus brume_picture_thread_add(BrumePictureThread *thread, const char *path, int width, int height,
                                     const uint8_t *rgb, BrumeError *error)
{
    return add_pixels(thread, path, width, height, rgb, false, error);
}

BrumeStatus brume_picture_thread_start_recording(BrumePictureThread *thread, const char *folder, bool of_pixels,
                                                 BrumeError *error)
{
    char path[BRUME_PICTURE_PATH];
    if (snprintf(path, sizeof path, "%s/frame-0001.png", folder) >= (int)sizeof thread->folder) {
        return brume_fail(error, BRUME_FAILED, "%.100s...: cannot write: the name is too long", folder);
    }
    if (brume_file_check_writable(path, error) != BRUME_OK) {
        return error->status;
    }
    lock(thread);
    (void)snprintf(thread->folder, sizeof thread->folder, "%s", folder);
    thread->recording = true;
    thread->of_pixels = of_pixels;
    thread->permit_is_due = false;
    thread->frames = 0;
    thread->frame = thread->epoch = -1;
    thread->path.key_count = 0;
    thread->status.recorded = 0;
    thread->status.recording_failed = false;
    unlock(thread);
    return BRUME_OK;
}

BrumeStatus brume_picture_thread_add_frame(BrumePictureThread *thread, int epoch, double time, int width, int height,
                                           const uint8_t *rgb, BrumeError *error)
{
    char path[BRUME_PICTURE_PATH];
    lock(thread);
    (void)snprintf(path, sizeof path, "%s/frame-%04d.png", thread->folder, ++thread->frames);
    add_camera_key(thread, epoch, time);
    unlock(thread);
    return add_pixels(thread, path, width, height, rgb, true, error);
}

void brume_picture_thread_stop_recording(BrumePictureThread *thread)
{
    lock(thread);
    thread->recording = false;
    unlock(thread);
}

void brume_picture_thread_poll(BrumePictureThread *thread, BrumePictureStatus *status)
{
    lock(thread);
    *status = thread->status;
    status->waiting = thread->count;
    status->requested = thread->request_count;
    status->recording = thread->recording;
    thread->status.failed = false;
    unlock(thread);
}

void brume_picture_thread_path(BrumePictureThread *thread, BrumeRecordedPath *path)
{
    lock(thread);
    *path = thread->path;
    unlock(thread);
}
