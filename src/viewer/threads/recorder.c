#include "viewer/threads/recorder.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/image_writer.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct BrumeRecorder {
    BrumeImageWriter *writer;
    char stem[PATH_MAX]; // folder and name
    char path[PATH_MAX]; // of the picture added last
    int next, count;
};

// the number in the file name NAME-0001EXTENSION, 0 for other names
static int file_number(const char *file, const char *name, const char *extension)
{
    const size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '-' || !isdigit((unsigned char)file[length + 1])) {
        return 0;
    }
    char *end;
    const long number = strtol(file + length + 1, &end, 10);
    return strcmp(end, extension) == 0 && number > 0 && number < INT_MAX ? (int)number : 0;
}

int brume_next_file_number(const char *folder, const char *name, const char *extension)
{
    int highest = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        const int number = file_number(entry->d_name, name, extension);
        highest = number > highest ? number : highest;
    }
    if (entries) {
        (void)closedir(entries);
    }
    return highest + 1;
}

BrumeStatus brume_recorder_create(BrumeRecorder **recorder, const char *folder, const char *name, BrumeError *error)
{
    *recorder = NULL;
    BrumeRecorder *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeStatus status = BRUME_OK;
    if (snprintf(created->stem, sizeof created->stem, "%s/%s", folder, name) >= PATH_MAX - 32) {
        status = brume_fail(error, BRUME_FAILED, "%.100s...: cannot write: the name is too long", folder);
        goto cleanup;
    }
    status = brume_file_make_folder(created->stem, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    created->next = brume_next_file_number(folder, name, ".png");
    status =
        brume_image_writer_create(&created->writer, &(BrumeImageWriterDef){.sink = brume_image_file_sink(true)}, error);
cleanup:
    if (status != BRUME_OK) {
        brume_recorder_destroy(created);
        created = NULL;
    }
    *recorder = created;
    return status;
}

BrumeStatus brume_recorder_add(BrumeRecorder *recorder, int width, int height, const uint8_t *rgb, bool bottom_up,
                               const char **path, BrumeError *error)
{
    uint8_t *picture = brume_image_writer_picture(recorder->writer, width, height, brume_rgb8);
    if (!picture) {
        return brume_image_writer_status(recorder->writer, error);
    }
    const size_t row = (size_t)width * 3;
    for (int y = 0; y < height; y++) {
        memcpy(picture + row * (size_t)y, rgb + row * (size_t)(bottom_up ? height - 1 - y : y), row);
    }
    const int max_length = (int)sizeof recorder->path - 32;
    (void)snprintf(recorder->path, sizeof recorder->path, "%.*s-%04d.png", max_length, recorder->stem,
                   recorder->next++);
    recorder->count++;
    brume_image_writer_submit(recorder->writer, recorder->count, recorder->path, 0.0);
    if (path) {
        *path = recorder->path;
    }
    return BRUME_OK;
}

int brume_recorder_count(const BrumeRecorder *recorder) { return recorder->count; }

BrumeStatus brume_recorder_status(BrumeRecorder *recorder, BrumeError *error)
{
    return brume_image_writer_status(recorder->writer, error);
}

BrumeStatus brume_recorder_finish(BrumeRecorder *recorder, BrumeError *error)
{
    return brume_image_writer_finish(recorder->writer, error);
}

void brume_recorder_destroy(BrumeRecorder *recorder)
{
    if (recorder) {
        brume_image_writer_destroy(recorder->writer);
        brume_free(recorder);
    }
}
