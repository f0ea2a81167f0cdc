/**
 * @file scene_writer.h
 * Writes a scene to a file in a separate thread: the text of a simulation with thousands of changes takes tenths of a
 * second.
 */
#ifndef BRUME_VIEWER_SCENE_WRITER_H
#define BRUME_VIEWER_SCENE_WRITER_H

#include "brume/scene.h"
#include "core/parallel/job_queue.h"

#include <stdatomic.h>
#include <stdbool.h>

/** A scene that is being written. Zeroed: none. Used by one thread. */
typedef struct BrumeSceneWriter {
    bool active; ///< a scene is being written, or its end was not polled yet
    atomic_bool done;
    BrumeJobQueue queue; ///< for one job
    BrumeScene *scene;   ///< owned, with its timeline
    char comment[512];
    char path[1024];
} BrumeSceneWriter;

/**
 * Begins to write a scene, whose pixels of skies and grounds are not read. The writer, which must be idle, takes over
 * the allocated scene and its timeline, also where it fails. Without a thread the scene is written at once.
 */
void brume_scene_writer_start(BrumeSceneWriter *writer, BrumeScene *scene, const char *comment, const char *path);

/** Whether writing has ended; on failure `*status` is BRUME_FAILED, with an `*error`. True once for each start. */
bool brume_scene_writer_poll(BrumeSceneWriter *writer, BrumeStatus *status, BrumeError *error);

/** Waits until the scene is written, and resets the writer. An idle writer is allowed. */
void brume_scene_writer_finish(BrumeSceneWriter *writer);

#endif
