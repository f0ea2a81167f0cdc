#include "viewer/history/frame_file.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BLOCK = 4096, MAX_PATH = 1024, FOLDERS = 4 };

static const char folders_text[] = "set XDG_CACHE_HOME to a folder with room, or --disk 0";

static uint64_t round_up(size_t size) { return ((uint64_t)size + BLOCK - 1) / BLOCK * BLOCK; }

bool brume_frame_file_has_room(const BrumeFrameFile *file, size_t size)
{
    const uint64_t rounded = round_up(size);
    bool fits = rounded <= file->budget && file->end <= file->budget - rounded;
    for (int n = 0; n < file->free_count && !fits; n++) {
        fits = file->free_extents[n].size >= rounded;
    }
    return fits;
}

// Writes the path of the n-th folder in which the file may be, "" where the environment names none. Creates the folder
// `brume` in the first two.
static void folder_at(int n, char folder[MAX_PATH])
{
    static const char *const variables[FOLDERS] = {"XDG_CACHE_HOME", "HOME", "TMPDIR", NULL};
    const char *value = variables[n] ? getenv(variables[n]) : "/tmp";
    folder[0] = '\0';
    if (!value || value[0] != '/') {
        return;
    }
    const int length = snprintf(folder, MAX_PATH, "%s%s", value, n == 1 ? "/.cache" : "");
    if (length < 0 || length + 32 > MAX_PATH) {
        folder[0] = '\0';
    } else if (n < 2) {
        (void)mkdir(folder, 0700);
        (void)snprintf(folder + length, (size_t)(MAX_PATH - length), "/brume");
        (void)mkdir(folder, 0700);
    }
}

// limits the budget to half of the free space of the file system
static void limit_budget(BrumeFrameFile *file)
{
    struct statvfs space;
    if (fstatvfs(file->descriptor, &space) == 0 && space.f_blocks > 0) {
        const uint64_t half = (uint64_t)space.f_bavail * (uint64_t)space.f_frsize / 2;
        file->budget = file->budget < half ? file->budget : half;
    }
}

// creates the file in the first folder where that is possible; it has no name, so that it is deleted with the process
static BrumeStatus open_file(BrumeFrameFile *file, BrumeError *error)
{
    int failure = ENOENT;
    for (int n = 0; n < FOLDERS; n++) {
        char path[MAX_PATH];
        folder_at(n, path);
        if (!path[0]) {
            continue;
        }
        const size_t length = strlen(path);
        (void)snprintf(path + length, MAX_PATH - length, "/brume-frames-XXXXXX");
        file->descriptor = mkstemp(path);
        if (file->descriptor >= 0) {
            (void)unlink(path);
            (void)fcntl(file->descriptor, F_SETFD, FD_CLOEXEC);
            file->is_open = true;
            limit_budget(file);
            return BRUME_OK;
        }
        failure = errno;
    }
    return brume_fail(error, BRUME_FAILED, "no temporary file for the frames of the timeline: %s (%s)",
                      strerror(failure), folders_text);
}

// takes space from the free extents, or from the end of the file
static BrumeFileExtent find_space(BrumeFrameFile *file, uint64_t size)
{
    file->used += size;
    for (int n = 0; n < file->free_count; n++) {
        BrumeFileExtent *found = &file->free_extents[n];
        if (found->size >= size) {
            const BrumeFileExtent taken = {found->offset, size};
            found->offset += size;
            found->size -= size;
            if (found->size == 0) {
                memmove(found, found + 1, (size_t)(file->free_count - n - 1) * sizeof *found);
                file->free_count--;
            }
            return taken;
        }
    }
    const BrumeFileExtent taken = {file->end, size};
    file->end += size;
    return taken;
}

BrumeStatus brume_frame_file_take(BrumeFrameFile *file, size_t size, BrumeFileExtent *extent, BrumeError *error)
{
    *extent = (BrumeFileExtent){0};
    BrumeStatus status = file->is_open ? BRUME_OK : open_file(file, error);
    if (status == BRUME_OK && !brume_frame_file_has_room(file, size)) {
        status = brume_fail(error, BRUME_FAILED, "there is no room for the frames of the timeline: %s (%s)",
                            strerror(ENOSPC), folders_text);
    }
    if (status == BRUME_OK) {
        *extent = find_space(file, round_up(size));
    }
    return status;
}

BrumeStatus brume_frame_file_write(const BrumeFrameFile *file, const BrumeFileExtent *extent, const void *bytes,
                                   size_t size, BrumeError *error)
{
    for (size_t done = 0; done < size;) {
        const ssize_t written =
            pwrite(file->descriptor, (const char *)bytes + done, size - done, (off_t)(extent->offset + done));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return brume_fail(error, BRUME_FAILED, "the temporary file for the frames of the timeline: %s (%s)",
                              strerror(written < 0 ? errno : ENOSPC), folders_text);
        }
        done += (size_t)written;
    }
    return BRUME_OK;
}

BrumeStatus brume_frame_file_read(const BrumeFrameFile *file, const BrumeFileExtent *extent, void *bytes, size_t size,
                                  BrumeError *error)
{
    for (size_t done = 0; done < size;) {
        const ssize_t count =
            pread(file->descriptor, (char *)bytes + done, size - done, (off_t)(extent->offset + done));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return brume_fail(error, BRUME_FAILED, "the temporary file for the frames of the timeline: %s",
                              count < 0 ? strerror(errno) : "it is too short");
        }
        done += (size_t)count;
    }
    return BRUME_OK;
}

// Without memory for the list, the space is not used again, but does not count as used.
void brume_frame_file_free(BrumeFrameFile *file, const BrumeFileExtent *extent)
{
    if (extent->size == 0) {
        return;
    }
    file->used -= extent->size;
    BrumeFileExtent *extents =
        brume_make_room(file->free_extents, file->free_count, &file->free_capacity, sizeof *extents);
    if (!extents) {
        return;
    }
    file->free_extents = extents;
    int at = 0;
    while (at < file->free_count && file->free_extents[at].offset < extent->offset) {
        at++;
    }
    memmove(&extents[at + 1], &extents[at], (size_t)(file->free_count - at) * sizeof *extents);
    extents[at] = *extent;
    file->free_count++;
    for (int n = at > 0 ? at - 1 : at; n + 1 < file->free_count && n <= at;) { // joins the extent with adjacent ones
        if (extents[n].offset + extents[n].size == extents[n + 1].offset) {
            extents[n].size += extents[n + 1].size;
            memmove(&extents[n + 1], &extents[n + 2], (size_t)(file->free_count - n - 2) * sizeof *extents);
            file->free_count--;
            at--;
        } else {
            n++;
        }
    }
    BrumeFileExtent *last = file->free_count > 0 ? &extents[file->free_count - 1] : NULL;
    if (last && last->offset + last->size == file->end) {
        file->end = last->offset;
        file->free_count--;
        (void)!ftruncate(file->descriptor, (off_t)file->end); // frees disk space; a failure has no other effect
    }
}

void brume_frame_file_close(BrumeFrameFile *file)
{
    if (file->is_open) {
        (void)close(file->descriptor);
    }
    brume_free(file->free_extents);
    *file = (BrumeFrameFile){.budget = file->budget};
}
