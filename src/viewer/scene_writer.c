#include "viewer/scene_writer.h"

#include "core/memory.h"
#include "io/file.h"
#include "sim/settings/references.h"

#include <stdio.h>
#include <string.h>

// the writer's thread: composes the text and writes the file
static BrumeStatus run(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeSceneWriter *writer = context;
    char *text = NULL;
    BrumeStatus status = brume_scene_write(writer->scene, writer->comment, &text, error);
    if (status == BRUME_OK) {
        status = brume_file_write(writer->path, text, strlen(text), error);
    }
    brume_free(text);
    atomic_store(&writer->done, true);
    return status;
}

void brume_scene_writer_start(BrumeSceneWriter *writer, BrumeScene *scene, const char *comment, const char *path)
{
    const BrumeJobQueueDef def = {.slots = 1, .context = writer, .run = run};
    brume_settings_retain(&scene->sim); // the viewer may load another scene meanwhile
    *writer = (BrumeSceneWriter){.active = true, .scene = scene};
    (void)snprintf(writer->comment, sizeof writer->comment, "%s", comment);
    (void)snprintf(writer->path, sizeof writer->path, "%s", path);
    brume_job_queue_init(&writer->queue, &def);
    brume_job_queue_submit(&writer->queue);
}

bool brume_scene_writer_poll(BrumeSceneWriter *writer, BrumeStatus *status, BrumeError *error)
{
    if (!writer->active || !atomic_load(&writer->done)) {
        return false;
    }
    *status = brume_job_queue_finish(&writer->queue, error);
    brume_scene_writer_finish(writer);
    return true;
}

void brume_scene_writer_finish(BrumeSceneWriter *writer)
{
    if (writer->active) {
        brume_job_queue_destroy(&writer->queue);
        brume_settings_release(&writer->scene->sim);
        brume_timeline_clear(&writer->scene->timeline);
        brume_free(writer->scene); // the viewer owns its images
        writer->active = false;
    }
}
