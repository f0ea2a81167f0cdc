#include "viewer/mesh_queue.h"

#include "core/error.h"
#include "viewer/opened_meshes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static BrumeMeshReading *reading_at(BrumeMeshQueue *queue, int number)
{
    return &queue->readings[number % BRUME_MESH_READINGS];
}

// reads the next file without the monitor, which is locked before and after; a canceled file is not read
static void read_next(BrumeMeshQueue *queue)
{
    BrumeMeshReading *reading = reading_at(queue, queue->read);
    if (queue->read >= queue->canceled) {
        brume_monitor_unlock(&queue->monitor);
        (void)brume_opened_mesh_read(queue->readers, reading->path, &reading->mesh, &reading->error);
        brume_monitor_lock(&queue->monitor);
    }
    queue->read++;
}

static void run(void *context)
{
    BrumeMeshQueue *queue = context;
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

void brume_mesh_queue_init(BrumeMeshQueue *queue, const BrumeSceneReaders *readers, void (*on_read)(void))
{
    queue->readers = readers;
    queue->on_read = on_read;
    brume_monitor_init(&queue->monitor);
}

BrumeStatus brume_mesh_queue_request(BrumeMeshQueue *queue, const char *path, BrumeError *error)
{
    if (!queue->worker.started) {
        const BrumeStatus status = brume_worker_start(&queue->worker, &queue->monitor, "brume-mesh", run, queue, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    brume_monitor_lock(&queue->monitor);
    const bool has_room = queue->requested - queue->taken < BRUME_MESH_READINGS;
    if (has_room) {
        BrumeMeshReading *reading = reading_at(queue, queue->requested++);
        *reading = (BrumeMeshReading){.mesh = NULL};
        (void)snprintf(reading->path, sizeof reading->path, "%s", path);
    }
    brume_monitor_signal_and_unlock(&queue->monitor);
    return has_room ? BRUME_OK
                    : brume_fail(error, BRUME_FAILED, "%s: %d other files are read first", path, BRUME_MESH_READINGS);
}

// frees the meshes of files that are not wanted any more; the monitor is locked
static void drop_canceled(BrumeMeshQueue *queue)
{
    while (queue->taken < queue->read && queue->taken < queue->canceled) {
        brume_mesh_release(reading_at(queue, queue->taken++)->mesh);
    }
}

bool brume_mesh_queue_poll(BrumeMeshQueue *queue, BrumeMeshReading *reading)
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

bool brume_mesh_queue_path(BrumeMeshQueue *queue, char path[BRUME_MESH_READING_PATH])
{
    brume_monitor_lock(&queue->monitor);
    const bool reads = queue->read < queue->requested && queue->read >= queue->canceled;
    if (reads) {
        memcpy(path, reading_at(queue, queue->read)->path, BRUME_MESH_READING_PATH);
    }
    brume_monitor_unlock(&queue->monitor);
    return reads;
}

bool brume_mesh_queue_cancel(BrumeMeshQueue *queue)
{
    brume_monitor_lock(&queue->monitor);
    const bool had = queue->requested > queue->taken && queue->requested > queue->canceled;
    queue->canceled = queue->requested;
    drop_canceled(queue);
    brume_monitor_unlock(&queue->monitor);
    return had;
}

bool brume_mesh_queue_stop(BrumeMeshQueue *queue, double seconds)
{
    return !queue->worker.started || brume_worker_stop(&queue->worker, seconds);
}

void brume_mesh_queue_destroy(BrumeMeshQueue *queue)
{
    if (queue->readers) {
        brume_worker_join(&queue->worker);
        queue->canceled = queue->requested;
        drop_canceled(queue);
        brume_monitor_destroy(&queue->monitor);
    }
}
