#include "io/line_file.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static BrumeStatus fail_write(const char *path, int reason, BrumeError *error)
{
    return brume_fail(error, BRUME_FAILED, "%s: cannot write: %s", path, strerror(reason));
}

BrumeStatus brume_line_file_open(BrumeLineFile *file, const char *path, BrumeError *error)
{
    *file = (BrumeLineFile){0};
    char *copy = brume_copy_text(path);
    if (!copy) {
        return brume_out_of_memory(error, "%s", path);
    }
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        const int reason = errno;
        brume_free(copy);
        return fail_write(path, reason, error);
    }
    *file = (BrumeLineFile){.open = true, .descriptor = descriptor, .path = copy};
    return BRUME_OK;
}

BrumeStatus brume_line_file_append(BrumeLineFile *file, const BrumeText *lines, BrumeError *error)
{
    if (lines->failed) {
        return brume_out_of_memory(error, "%s", file->path);
    }
    const char *bytes = lines->data;
    size_t left = lines->size;
    while (left > 0) {
        const ssize_t written = write(file->descriptor, bytes, left);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            const int reason = written < 0 ? errno : EIO;
            (void)!ftruncate(file->descriptor, (off_t)file->bytes); // fails for a pipe or a device
            return fail_write(file->path, reason, error);
        }
        bytes += written;
        left -= (size_t)written;
    }
    file->bytes += (long long)lines->size;
    return BRUME_OK;
}

BrumeStatus brume_line_file_close(BrumeLineFile *file, BrumeError *error)
{
    if (!file->open) {
        return BRUME_OK;
    }
    int reason = fsync(file->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    if (close(file->descriptor) != 0 && reason == 0) {
        reason = errno;
    }
    const BrumeStatus status = reason == 0 ? BRUME_OK : fail_write(file->path, reason, error);
    brume_free(file->path);
    *file = (BrumeLineFile){0};
    return status;
}
