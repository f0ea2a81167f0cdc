/**
 * @file mesh_queue.h
 * Reads mesh files in a thread of its own, one after the other, while the window goes on. The window thread alone calls
 * these functions.
 */
#ifndef BRUME_VIEWER_MESH_QUEUE_H
#define BRUME_VIEWER_MESH_QUEUE_H

#include "brume/scene.h"
#include "core/parallel/worker.h"

enum { BRUME_MESH_READINGS = 16, BRUME_MESH_READING_PATH = 1024 };

/** A file that is to be read, or was read. */
typedef struct BrumeMeshReading {
    char path[BRUME_MESH_READING_PATH];
    BrumeMesh *mesh;  ///< NULL on failure
    BrumeError error; ///< of a failure
} BrumeMeshReading;

typedef struct BrumeMeshQueue {
    const BrumeSceneReaders *readers;
    void (*on_read)(void); ///< called by the thread after each file
    BrumeWorker worker;
    BrumeMonitor monitor;                           ///< guards all members below
    int requested, read;                            ///< files so far
    int taken;                                      ///< files that were polled
    int canceled;                                   ///< the first files, which are not wanted any more
    BrumeMeshReading readings[BRUME_MESH_READINGS]; ///< a ring buffer of the files that were not polled yet
} BrumeMeshQueue;

/** Starts no thread yet. `on_read` wakes the window thread. */
void brume_mesh_queue_init(BrumeMeshQueue *queue, const BrumeSceneReaders *readers, void (*on_read)(void));

/** Requests a file by the function `mesh` of `readers`. Fails where too many wait, or the system starts no thread. */
BrumeStatus brume_mesh_queue_request(BrumeMeshQueue *queue, const char *path, BrumeError *error);

/** Takes the next file that was read, whose mesh then belongs to the caller; false where there is none. */
bool brume_mesh_queue_poll(BrumeMeshQueue *queue, BrumeMeshReading *reading);

/** Writes the path of the file that is being read; false where there is none. */
bool brume_mesh_queue_path(BrumeMeshQueue *queue, char path[BRUME_MESH_READING_PATH]);

/** Forgets all requested files, also the one that is being read; false where there is none. */
bool brume_mesh_queue_cancel(BrumeMeshQueue *queue);

/** Asks the thread to end, and waits for it at most `seconds`; whether it has ended. */
bool brume_mesh_queue_stop(BrumeMeshQueue *queue, double seconds);

/** Waits for the thread and frees what was not polled. A zeroed queue is allowed. */
void brume_mesh_queue_destroy(BrumeMeshQueue *queue);

#endif
