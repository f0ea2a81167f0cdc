/*
 * The thread draws and writes the oldest job, single pictures before frames of a recording. The monitor guards all
 * members except the data of waiting jobs, which do not change, and the members that the picture thread alone uses. It
 * is never locked while a state is copied or drawn. Only the preparation thread (offer) and the window thread (add)
 * append jobs; `append_mutex` serializes them.
 */
#include "viewer/threads/picture_thread_internal.h"

#include "core/memory.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <stdio.h>

enum { MAX_FRAMES = 16, BUDGET_SHARE = 8 };

static const size_t default_budget = (size_t)1 << 30; // used where the size of the physical memory is unknown [bytes]

static bool report_progress(void *context, double fraction)
{
    BrumePictureThread *thread = context;
    brume_monitor_lock(&thread->monitor);
    thread->status.fraction = fraction;
    brume_monitor_unlock(&thread->monitor);
    return !brume_worker_quits(&thread->worker);
}

void brume_picture_free_job(BrumePictureJob *job)
{
    brume_snapshot_destroy(&job->snapshot);
    brume_free(job->pixels);
    brume_free(job->scene_text);
    job->pixels = NULL;
    job->scene_text = NULL;
}

// Permits the next frame of a recording if the permission is due and there is memory for it. The monitor is locked, and
// is unlocked during the call.
void brume_picture_permit_next_frame(BrumePictureThread *thread)
{
    const bool has_room =
        thread->count < MAX_FRAMES && (thread->bytes == 0 || thread->bytes + thread->frame_bytes <= thread->def.budget);
    if (thread->recording && thread->permit_is_due && has_room) {
        thread->permit_is_due = false;
        if (thread->def.permit) {
            brume_monitor_unlock(&thread->monitor);
            thread->def.permit(thread->def.source);
            brume_monitor_lock(&thread->monitor);
        }
    }
}

// writes a picture to the file of a job, or appends it to the video of the recording
static BrumeStatus write_picture(BrumePictureThread *thread, const BrumePictureJob *job,
                                 const BrumePictureFile *picture, BrumeError *error)
{
    return job->of_video ? brume_recorded_video_add(&thread->video, job->path, job->fps, picture, error)
                         : brume_picture_file_write(picture, job->path, error);
}

// subtracts the memory of a job's state, which was freed, from the sum
static void release_bytes(BrumePictureThread *thread, BrumePictureJob *job)
{
    brume_monitor_lock(&thread->monitor);
    thread->bytes -= job->bytes;
    job->bytes = 0;
    brume_picture_permit_next_frame(thread);
    brume_monitor_unlock(&thread->monitor);
}

// draws the snapshot of a job and writes the picture; the fields are freed as soon as they are loaded
static BrumeStatus draw_job(BrumePictureThread *thread, BrumePictureJob *job, BrumeError *error)
{
    BrumeFullPicture *picture = &thread->picture;
    const float fps = job->snapshot.variants[0].settings.fps;
    BrumeStatus status = brume_full_picture_load(picture, &job->snapshot, &job->look, error);
    brume_snapshot_destroy(&job->snapshot);
    release_bytes(thread, job);
    BrumePictureFile file = {.width = job->look.width,
                             .height = job->look.height,
                             .single = job->look.single,
                             .frame = job->snapshot.frame,
                             .time = job->snapshot.time,
                             .fps = fps,
                             .camera = job->look.camera};
    if (status == BRUME_OK) {
        status = brume_full_picture_draw(picture, &job->look, report_progress, thread, &file.format, error);
    }
    file.pixels = picture->pixels;
    return status == BRUME_OK ? write_picture(thread, job, &file, error) : status;
}

static BrumeStatus write_volume(BrumePictureThread *thread, BrumePictureJob *job, BrumeError *error)
{
    const BrumeStatus status = thread->def.writers->write_volume(&job->snapshot.variants[0], job->snapshot.frame,
                                                                 job->snapshot.time, job->scene_text, job->path, error);
    brume_snapshot_destroy(&job->snapshot);
    release_bytes(thread, job);
    return status;
}

static BrumeStatus run_job(BrumePictureThread *thread, BrumePictureJob *job, BrumeError *error)
{
    if (job->ends_recording) {
        return brume_recorded_video_finish(&thread->video, error);
    }
    if (job->is_volume) {
        return write_volume(thread, job, error);
    }
    const BrumePictureFile file = {
        .width = job->width, .height = job->height, .pixels = job->pixels, .format = brume_rgb8};
    return job->pixels ? write_picture(thread, job, &file, error) : draw_job(thread, job, error);
}

// records the result of a job in the status; the monitor is locked
void brume_picture_note_result(BrumePictureThread *thread, const BrumePictureJob *job, BrumeStatus status,
                               const BrumeError *error)
{
    BrumePictureStatus *now = &thread->status;
    const bool of_latest = job->recording > 0 && job->recording == thread->recordings;
    if (status == BRUME_OK && job->recording > 0) {
        now->recorded += of_latest && !job->ends_recording;
    } else if (status == BRUME_OK) {
        now->written++;
        (void)snprintf(now->path, sizeof now->path, "%s", job->path);
    } else if (!brume_worker_quits(&thread->worker)) {
        now->failed = true;
        now->error = *error;
        thread->failed_recording = job->recording > 0 ? job->recording : thread->failed_recording;
        thread->recording = thread->recording && !of_latest;
        now->recording_failed = now->recording_failed || of_latest;
    }
    now->left -= of_latest;
    now->fraction = 0.0;
}

// Whether a job is discarded: later frames of a failed recording would fail too. The monitor is locked.
static bool is_dropped(const BrumePictureThread *thread, const BrumePictureJob *job)
{
    return job->recording > 0 && job->recording == thread->failed_recording;
}

// returns the job to be done next; there is at least one; the monitor is locked
static BrumePictureJob *next_job(BrumePictureThread *thread)
{
    BrumePictureJob *next = NULL;
    for (int n = 0; n < BRUME_PICTURE_JOBS; n++) {
        BrumePictureJob *job = &thread->jobs[n];
        if (job->serial > 0 && (!next || ((job->recording > 0) == (next->recording > 0) ? job->serial < next->serial
                                                                                        : job->recording == 0))) {
            next = job;
        }
    }
    return next;
}

// returns a free slot, NULL where there is none; the monitor is locked
BrumePictureJob *brume_picture_free_slot(BrumePictureThread *thread)
{
    for (int n = 0; n < BRUME_PICTURE_JOBS; n++) {
        if (thread->jobs[n].serial == 0) {
            return &thread->jobs[n];
        }
    }
    return NULL;
}

// the picture thread's main function
static void run(void *context)
{
    BrumePictureThread *thread = context;
    brume_lower_priority(); // before the team is started, which inherits it
    brume_set_threads(thread->def.threads);
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->worker)) {
        brume_picture_permit_next_frame(thread);
        if (thread->count == 0) {
            brume_monitor_wait(&thread->monitor, INFINITY);
            continue;
        }
        BrumePictureJob *job = next_job(thread);
        const bool dropped = is_dropped(thread, job);
        brume_monitor_unlock(&thread->monitor);
        BrumeError error = {0};
        const BrumeStatus status = dropped ? BRUME_OK : run_job(thread, job, &error);
        if (job->recording > 0 && (dropped || status != BRUME_OK)) {
            brume_recorded_video_abandon(&thread->video);
        }
        brume_picture_free_job(job);
        brume_monitor_lock(&thread->monitor);
        thread->bytes -= job->bytes;
        job->bytes = 0;
        if (dropped) {
            thread->status.left -= job->recording == thread->recordings;
        } else {
            brume_picture_note_result(thread, job, status, &error);
        }
        job->serial = 0;
        thread->count--;
        brume_monitor_signal(&thread->monitor);
        if (thread->def.on_change && !brume_worker_quits(&thread->worker)) {
            brume_monitor_unlock(&thread->monitor);
            thread->def.on_change();
            brume_monitor_lock(&thread->monitor);
        }
    }
    brume_monitor_unlock(&thread->monitor);
    brume_recorded_video_abandon(&thread->video);
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
    created->video.writers = def->writers;
    if (def->budget == 0) {
        created->def.budget = physical > 0 ? physical / BUDGET_SHARE : default_budget;
    }
    brume_monitor_init(&created->monitor);
    (void)pthread_mutex_init(&created->append_mutex, NULL);
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
    for (int n = 0; n < BRUME_PICTURE_JOBS; n++) {
        brume_picture_free_job(&thread->jobs[n]);
    }
    for (int n = 0; n < thread->request_count; n++) {
        brume_free(thread->requests[n].scene_text);
    }
    brume_full_picture_destroy(&thread->picture);
    (void)pthread_mutex_destroy(&thread->append_mutex);
    brume_monitor_destroy(&thread->monitor);
    brume_free(thread);
}
