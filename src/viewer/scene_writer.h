/**
 * @file scene_writer.h
 * Writes a scene to a file in a thread of its own: the text of a simulation with thousands of changes takes tenths of a
 * second.
 */
#ifndef BRUME_VIEWER_SCENE_WRITER_H
#define BRUME_VIEWER_SCENE_WRITER_H

#include "brume/scene.h"
#include "core/parallel/job_queue.h"

#include <stdatomic.h>
#include <stdbool.h>

/** All zero: nothing is written. Used by one thread. */
typedef struct BrumeSceneWriter {
    bool active; ///< a scene is being written, or was and was not polled
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

/** Whether the scene is written, or is not: BRUME_FAILED with the reason in `*error`. True once for each start. */
bool brume_scene_writer_poll(BrumeSceneWriter *writer, BrumeStatus *status, BrumeError *error);

/** Waits until the scene is written, which is then forgotten. An idle writer is fine. */
void brume_scene_writer_finish(BrumeSceneWriter *writer);

#endif
