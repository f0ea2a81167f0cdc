#include "app/checkpoint/checkpoint_folder.h"

#include "app/cli/sequence.h"
#include "core/descriptor.h"
#include "core/memory.h"
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char extension[] = ".checkpoint";

enum { DIGITS = 4 }; // minimum digits of a frame in the name of its file

static BrumeStatus append_frame(BrumeCheckpointFolder *folder, int frame, BrumeError *error)
{
    int *frames = brume_make_room(folder->frames, folder->count, &folder->capacity, sizeof *frames);
    if (!frames) {
        return brume_out_of_memory(error, "the list of checkpoints");
    }
    folder->frames = frames;
    folder->frames[folder->count++] = frame;
    return BRUME_OK;
}

static BrumeStatus list_frames(BrumeCheckpointFolder *folder, BrumeError *error)
{
    char text[BRUME_MAX_PATH];
    brume_checkpoint_path(folder, 1, text);
    const int before = (int)strlen(folder->path) + 1;
    const BrumeOutputPattern pattern = {.text = text, .before = before, .after = before + DIGITS, .width = DIGITS};
    BrumeSequence found;
    const BrumeStatus status = brume_sequence_find(&found, &pattern, 0, error);
    folder->frames = found.frames;
    folder->count = folder->capacity = found.count;
    return status;
}

// locks the folder; a file system without locks is no error
static BrumeStatus lock_folder(BrumeCheckpointFolder *folder, BrumeError *error)
{
    folder->lock = brume_open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    folder->exists = folder->lock >= 0;
    if (!folder->exists) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot open the folder: %s", folder->path, strerror(errno));
    }
    folder->busy = flock(folder->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (folder->busy) {
        (void)close(folder->lock);
        folder->exists = false;
        return brume_fail(error, BRUME_FAILED,
                          "%s: another run uses this folder (wait for its end, or give another --checkpoints)",
                          folder->path);
    }
    return BRUME_OK;
}

// removes incomplete files of a killed process; the lock excludes other writers
static void remove_incomplete_files(const BrumeCheckpointFolder *folder)
{
    DIR *entries = opendir(folder->path);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".part") == 0 && strstr(entry->d_name, extension)) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

// the path of the empty file that protects the checkpoints of a complete run
static void mark_path(const BrumeCheckpointFolder *folder, char path[BRUME_MAX_PATH])
{
    (void)snprintf(path, BRUME_MAX_PATH, "%s/kept", folder->path);
}

BrumeStatus brume_checkpoint_folder_open(BrumeCheckpointFolder *folder, const char *path, BrumeError *error)
{
    *folder = (BrumeCheckpointFolder){0};
    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path) {
        return brume_fail(error, BRUME_BAD_INPUT, "--checkpoints: the path is too long");
    }
    struct stat about;
    if (stat(path, &about) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return BRUME_OK;
    }
    const BrumeStatus status = lock_folder(folder, error);
    if (status != BRUME_OK) {
        return status;
    }
    remove_incomplete_files(folder);
    const BrumeStatus listed = list_frames(folder, error);
    char mark[BRUME_MAX_PATH];
    mark_path(folder, mark);
    folder->protected = access(mark, F_OK) == 0 ? folder->count : 0;
    return listed;
}

BrumeStatus brume_checkpoint_folder_make(BrumeCheckpointFolder *folder, BrumeError *error)
{
    if (folder->exists) {
        return BRUME_OK;
    }
    char path[BRUME_MAX_PATH];
    brume_checkpoint_path(folder, 1, path);
    const BrumeStatus status = brume_file_make_folder(path, error);
    return status == BRUME_OK ? lock_folder(folder, error) : status;
}

void brume_checkpoint_path(const BrumeCheckpointFolder *folder, int frame, char path[BRUME_MAX_PATH])
{
    (void)snprintf(path, BRUME_MAX_PATH, "%s/%0*d%s", folder->path, DIGITS, frame, extension);
}

static void remove_checkpoint(const BrumeCheckpointFolder *folder, int frame)
{
    char path[BRUME_MAX_PATH];
    brume_checkpoint_path(folder, frame, path);
    (void)unlink(path);
}

bool brume_checkpoint_folder_protects(const BrumeCheckpointFolder *folder, int frame)
{
    for (int n = 0; n < folder->protected; n++) {
        if (folder->frames[n] == frame) {
            return true;
        }
    }
    return false;
}

BrumeStatus brume_checkpoint_folder_add(BrumeCheckpointFolder *folder, int frame, int keep, BrumeError *error)
{
    if (brume_checkpoint_folder_protects(folder, frame)) {
        return BRUME_OK;
    }
    int kept = folder->protected;
    for (int n = kept; n < folder->count; n++) { // a frame that is written again becomes the newest
        if (folder->frames[n] != frame) {
            folder->frames[kept++] = folder->frames[n];
        }
    }
    folder->count = kept;
    if (append_frame(folder, frame, error) != BRUME_OK) {
        return error->status;
    }
    while (folder->count - folder->protected > keep) {
        int *const oldest = folder->frames + folder->protected;
        remove_checkpoint(folder, *oldest);
        folder->count--;
        memmove(oldest, oldest + 1, (size_t)(folder->count - folder->protected) * sizeof *oldest);
    }
    return BRUME_OK;
}

BrumeStatus brume_checkpoint_folder_protect(const BrumeCheckpointFolder *folder, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    mark_path(folder, path);
    return brume_file_write(path, "", 0, error);
}

void brume_checkpoint_folder_clear(BrumeCheckpointFolder *folder, bool all)
{
    if (!folder->exists) {
        return;
    }
    if (all) {
        char mark[BRUME_MAX_PATH];
        mark_path(folder, mark);
        (void)unlink(mark);
        folder->protected = 0;
    }
    while (folder->count > folder->protected) {
        remove_checkpoint(folder, folder->frames[--folder->count]);
    }
    if (rmdir(folder->path) == 0) {
        (void)close(folder->lock);
        folder->exists = false;
    }
}

void brume_checkpoint_folder_close(BrumeCheckpointFolder *folder)
{
    if (folder->exists) {
        (void)close(folder->lock);
    }
    brume_free(folder->frames);
    *folder = (BrumeCheckpointFolder){0};
}
