/**
 * @file file_queue.h
 * Reads mesh files, and scenes with the files that they name, in a thread of its own, one after the other, while the
 * window goes on. The window thread alone calls these functions.
 */
#ifndef BRUME_VIEWER_FILE_QUEUE_H
#define BRUME_VIEWER_FILE_QUEUE_H

#include "brume/scene.h"
#include "core/parallel/worker.h"

enum { BRUME_FILE_READINGS = 16, BRUME_FILE_READING_PATH = 1024 };

/** A file that is to be read, or was read. */
typedef struct BrumeFileReading {
    char path[BRUME_FILE_READING_PATH];
    bool is_scene;                ///< brume_load_scene_or_mesh reads it
    const char *const *overrides; ///< of a scene
    int override_count;
    BrumeScene *scene; ///< NULL for a mesh, or on failure
    BrumeMesh *mesh;   ///< NULL for a scene, or on failure
    BrumeError error;  ///< of a failure
} BrumeFileReading;

typedef struct BrumeFileQueue {
    const BrumeSceneReaders *readers;
    void (*on_read)(void); ///< called by the thread after each file
    BrumeWorker worker;
    BrumeMonitor monitor;                           ///< guards all members below
    int requested, read;                            ///< files so far
    int taken;                                      ///< files that were polled
    int canceled;                                   ///< the first files, which are not wanted any more
    char part[BRUME_FILE_READING_PATH];             ///< path that the scene names and that is read; "": none
    BrumeFileReading readings[BRUME_FILE_READINGS]; ///< a ring buffer of the files that were not polled yet
} BrumeFileQueue;

/** Starts no thread yet. `on_read` wakes the window thread. */
void brume_file_queue_init(BrumeFileQueue *queue, const BrumeSceneReaders *readers, void (*on_read)(void));

/** Requests a file by the function `mesh` of `readers`. Fails where too many wait, or the system starts no thread. */
BrumeStatus brume_file_queue_request(BrumeFileQueue *queue, const char *path, BrumeError *error);

/** The same for a scene, in place of all files that were requested before. The overrides must outlive the queue. */
BrumeStatus brume_file_queue_request_scene(BrumeFileQueue *queue, const char *path, const char *const *overrides,
                                           int count, BrumeError *error);

/** Waits at most `seconds` until all files are read. */
void brume_file_queue_wait(BrumeFileQueue *queue, double seconds);

/** Takes the next file that was read, whose mesh or scene then belongs to the caller; false where there is none. */
bool brume_file_queue_poll(BrumeFileQueue *queue, BrumeFileReading *reading);

/**
 * Writes the name of the file that is being read, or waits for that, without its folder, for example "car.yaml:
 * wheel.obj" for a file that a scene names. False where none is read.
 */
bool brume_file_queue_describe(BrumeFileQueue *queue, char *text, size_t size);

/** Forgets all requested files, also the one that is being read; false where there is none. */
bool brume_file_queue_cancel(BrumeFileQueue *queue);

/** Asks the thread to end, and waits for it at most `seconds`; whether it has ended. */
bool brume_file_queue_stop(BrumeFileQueue *queue, double seconds);

/** Waits for the thread and frees what was not polled. A zeroed queue is allowed. */
void brume_file_queue_destroy(BrumeFileQueue *queue);

#endif
