#include "viewer/file_queue.h"

#include "core/error.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/path.h"
#include "viewer/opened_meshes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static BrumeFileReading *reading_at(BrumeFileQueue *queue, int number)
{
    return &queue->readings[number % BRUME_FILE_READINGS];
}

static void note_part(void *context, const char *path)
{
    BrumeFileQueue *queue = context;
    brume_monitor_lock(&queue->monitor);
    (void)snprintf(queue->part, sizeof queue->part, "%s", path);
    brume_monitor_unlock(&queue->monitor);
}

static void read_file(BrumeFileQueue *queue, BrumeFileReading *reading)
{
    if (reading->is_scene) {
        (void)brume_load_scene_or_mesh(&reading->scene, reading->path, reading->overrides, reading->override_count,
                                       queue->readers, &(BrumeFileNote){note_part, queue}, &reading->error);
    } else {
        (void)brume_opened_mesh_read(queue->readers, reading->path, &reading->mesh, &reading->error);
    }
}

// reads the next file without the monitor, which is locked before and after; a canceled file is not read
static void read_next(BrumeFileQueue *queue)
{
    BrumeFileReading *reading = reading_at(queue, queue->read);
    if (queue->read >= queue->canceled) {
        brume_monitor_unlock(&queue->monitor);
        read_file(queue, reading);
        brume_monitor_lock(&queue->monitor);
        queue->part[0] = '\0';
    }
    queue->read++;
    brume_monitor_signal(&queue->monitor);
}

static void run(void *context)
{
    BrumeFileQueue *queue = context;
    brume_monitor_lock(&queue->monitor);
    while (!brume_worker_quits(&queue->worker)) {
        if (queue->read == queue->requested) {
            brume_monitor_wait(&queue->monitor, INFINITY);
            continue;
        }
        read_next(queue);
        queue->on_read();
    }
    brume_monitor_unlock(&queue->monitor);
}

void brume_file_queue_init(BrumeFileQueue *queue, const BrumeSceneReaders *readers, void (*on_read)(void))
{
    queue->readers = readers;
    queue->on_read = on_read;
    brume_monitor_init(&queue->monitor);
}

// adds a file; for a scene, the files before it are not wanted any more
static BrumeStatus request(BrumeFileQueue *queue, const BrumeFileReading *wanted, const char *path, BrumeError *error)
{
    if (!queue->worker.started) {
        const BrumeStatus status = brume_worker_start(&queue->worker, &queue->monitor, "brume-open", run, queue, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    brume_monitor_lock(&queue->monitor);
    const bool has_room = queue->requested - queue->taken < BRUME_FILE_READINGS;
    if (has_room) {
        queue->canceled = wanted->is_scene ? queue->requested : queue->canceled;
        BrumeFileReading *reading = reading_at(queue, queue->requested++);
        *reading = *wanted;
        (void)snprintf(reading->path, sizeof reading->path, "%s", path);
    }
    brume_monitor_signal_and_unlock(&queue->monitor);
    return has_room ? BRUME_OK
                    : brume_fail(error, BRUME_FAILED, "%s: %d other files are read first", path, BRUME_FILE_READINGS);
}

BrumeStatus brume_file_queue_request(BrumeFileQueue *queue, const char *path, BrumeError *error)
{
    return request(queue, &(BrumeFileReading){.is_scene = false}, path, error);
}

BrumeStatus brume_file_queue_request_scene(BrumeFileQueue *queue, const char *path, const char *const *overrides,
                                           int count, BrumeError *error)
{
    const BrumeFileReading wanted = {.is_scene = true, .overrides = overrides, .override_count = count};
    return request(queue, &wanted, path, error);
}

void brume_file_queue_wait(BrumeFileQueue *queue, double seconds)
{
    const double until = brume_seconds() + seconds;
    brume_monitor_lock(&queue->monitor);
    while (queue->read < queue->requested && brume_seconds() < until) {
        brume_monitor_wait(&queue->monitor, until);
    }
    brume_monitor_unlock(&queue->monitor);
}

// frees the meshes and scenes of files that are not wanted any more; the monitor is locked
static void drop_canceled(BrumeFileQueue *queue)
{
    while (queue->taken < queue->read && queue->taken < queue->canceled) {
        const BrumeFileReading *reading = reading_at(queue, queue->taken++);
        brume_mesh_release(reading->mesh);
        brume_scene_destroy(reading->scene);
    }
}

bool brume_file_queue_poll(BrumeFileQueue *queue, BrumeFileReading *reading)
{
    brume_monitor_lock(&queue->monitor);
    drop_canceled(queue);
    const bool found = queue->taken < queue->read;
    if (found) {
        *reading = *reading_at(queue, queue->taken++);
    }
    brume_monitor_unlock(&queue->monitor);
    return found;
}

bool brume_file_queue_describe(BrumeFileQueue *queue, char *text, size_t size)
{
    brume_monitor_lock(&queue->monitor);
    const int next = brume_max_int(queue->read, queue->canceled); // a canceled file may still be read before it
    const bool reads = next < queue->requested;
    if (reads) {
        const char *part = next == queue->read ? brume_path_name(queue->part) : "";
        (void)snprintf(text, size, "%.30s%s%.30s", brume_path_name(reading_at(queue, next)->path), part[0] ? ": " : "",
                       part);
    }
    brume_monitor_unlock(&queue->monitor);
    return reads;
}

bool brume_file_queue_cancel(BrumeFileQueue *queue)
{
    brume_monitor_lock(&queue->monitor);
    const bool had = queue->requested > queue->taken && queue->requested > queue->canceled;
    queue->canceled = queue->requested;
    drop_canceled(queue);
    brume_monitor_unlock(&queue->monitor);
    return had;
}

bool brume_file_queue_stop(BrumeFileQueue *queue, double seconds)
{
    return !queue->worker.started || brume_worker_stop(&queue->worker, seconds);
}

void brume_file_queue_destroy(BrumeFileQueue *queue)
{
    if (queue->readers) {
        brume_worker_join(&queue->worker);
        queue->canceled = queue->requested;
        drop_canceled(queue);
        brume_monitor_destroy(&queue->monitor);
    }
}
