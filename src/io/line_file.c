#include "io/line_file.h"
#include "core/memory.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const char *path, bool replace)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    struct stat entry;
    struct stat target;
    const bool is_link = lstat(path, &entry) == 0 && S_ISLNK(entry.st_mode);
    const bool exists = stat(path, &target) == 0;
    if (!replace && is_link && exists && S_ISREG(target.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    const bool is_special = is_link || (exists && !S_ISREG(target.st_mode));
    return open(path, flags | (replace || is_special ? O_TRUNC : O_EXCL), 0666);
}

BrumeStatus brume_line_file_open(BrumeLineFile *file, const char *path, bool replace, BrumeError *error)
{
    *file = (BrumeLineFile){0};
    char *copy = brume_copy_text(path);
    if (!copy) {
        return brume_out_of_memory(error, "%s", path);
    }
    const int descriptor = open_file(path, replace);
    if (descriptor < 0) {
        const int reason = errno;
        brume_free(copy);
        return brume_fail_write(error, path, reason);
    }
    *file = (BrumeLineFile){.open = true, .descriptor = descriptor, .path = copy};
    return BRUME_OK;
}

// whether the file has `bytes` bytes that end a line
static bool ends_line(int descriptor, long long bytes)
{
    char last = '\n';
    return bytes >= 0 && (bytes == 0 || (pread(descriptor, &last, 1, (off_t)bytes - 1) == 1 && last == '\n'));
}

BrumeStatus brume_line_file_continue(BrumeLineFile *file, const char *path, long long bytes, BrumeError *error)
{
    *file = (BrumeLineFile){0};
    char *copy = brume_copy_text(path);
    if (!copy) {
        return brume_out_of_memory(error, "%s", path);
    }
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        const int reason = errno;
        brume_free(copy);
        return brume_fail_write(error, path, reason);
    }
    BrumeStatus status = BRUME_OK;
    if (!ends_line(descriptor, bytes)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: the first %lld bytes are not those that were written before",
                            path, bytes);
    } else if (ftruncate(descriptor, (off_t)bytes) != 0 || lseek(descriptor, (off_t)bytes, SEEK_SET) < 0) {
        status = brume_fail_write(error, path, errno);
    }
    if (status != BRUME_OK) {
        (void)close(descriptor);
        brume_free(copy);
        return status;
    }
    *file = (BrumeLineFile){.open = true, .descriptor = descriptor, .path = copy, .bytes = bytes};
    return BRUME_OK;
}

// 0, or the reason for which the lines may not be on the disk; a pipe or a device has none
static int flush(const BrumeLineFile *file)
{
    return fsync(file->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

BrumeStatus brume_line_file_flush(BrumeLineFile *file, BrumeError *error)
{
    const int reason = file->open ? flush(file) : 0;
    return reason == 0 ? BRUME_OK : brume_fail_write(error, file->path, reason);
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
            return brume_fail_write(error, file->path, reason);
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
    int reason = flush(file);
    if (close(file->descriptor) != 0 && reason == 0) {
        reason = errno;
    }
    const BrumeStatus status = reason == 0 ? BRUME_OK : brume_fail_write(error, file->path, reason);
    brume_free(file->path);
    *file = (BrumeLineFile){0};
    return status;
}
