#include "viewer/scene_writer.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "sim/settings/references.h"

#include <string.h>

static void *run(void *context)
{
    BrumeSceneWriter *writer = context;
    char *text = NULL;
    writer->status = brume_scene_write(writer->scene, writer->comment, &text, &writer->error);
    if (writer->status == BRUME_OK) {
        writer->status = brume_file_write(writer->path, text, strlen(text), &writer->error);
    }
    brume_free(text);
    atomic_store(&writer->done, true);
    return NULL;
}

void brume_scene_writer_start(BrumeSceneWriter *writer, BrumeScene *scene, const char *comment, const char *path)
{
    brume_settings_retain(&scene->sim); // the viewer may load another scene meanwhile
    *writer = (BrumeSceneWriter){
        .active = true, .scene = scene, .comment = brume_copy_text(comment), .path = brume_copy_text(path)};
    if (!writer->comment || !writer->path) {
        writer->status = brume_out_of_memory(&writer->error, "a scene's text");
        atomic_store(&writer->done, true);
        return;
    }
    writer->started = pthread_create(&writer->handle, NULL, run, writer) == 0;
    if (!writer->started) {
        (void)run(writer);
    }
}

static void end(BrumeSceneWriter *writer)
{
    if (writer->started) {
        (void)pthread_join(writer->handle, NULL);
    }
    brume_settings_release(&writer->scene->sim);
    brume_timeline_clear(&writer->scene->timeline);
    brume_free(writer->scene); // its images belong to the viewer
    brume_free(writer->comment);
    brume_free(writer->path);
    writer->active = false;
}

bool brume_scene_writer_poll(BrumeSceneWriter *writer, BrumeStatus *status, BrumeError *error)
{
    if (!writer->active || !atomic_load(&writer->done)) {
        return false;
    }
    end(writer);
    *status = writer->status;
    *error = writer->error;
    return true;
}

void brume_scene_writer_finish(BrumeSceneWriter *writer)
{
    if (writer->active) {
        end(writer);
    }
}
