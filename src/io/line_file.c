#include "io/line_file.h"
#include "core/descriptor.h"
#include "core/memory.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The process that writes a file holds a lock on it (flock), so that two of them never write one file. Where the file
 * system has no locks, files are written without.
 */

// locks a regular file; -1, with errno EBUSY, where another process writes it, and the file is closed then
static int lock(int file)
{
    struct stat about;
    if (file < 0 || (fstat(file, &about) == 0 && !S_ISREG(about.st_mode)) || flock(file, LOCK_EX | LOCK_NB) == 0 ||
        errno != EWOULDBLOCK) {
        return file;
    }
    (void)close(file);
    errno = EBUSY;
    return -1;
}

static BrumeStatus fail_open(BrumeError *error, const char *path, int reason)
{
    return reason == EBUSY ? brume_fail(error, BRUME_FAILED,
                                        "%s: cannot write: another run writes it (give each run its own file)", path)
                           : brume_fail_write(error, path, reason);
}

// opens and locks a file; -1 with errno: EEXIST where it may not be replaced, EBUSY where it is in use
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
    const int file = lock(brume_open(path, flags | (replace || is_special ? 0 : O_EXCL)));
    struct stat opened;
    if (file >= 0 && replace && fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && brume_ftruncate(file, 0) != 0) {
        const int reason = errno;
        (void)close(file);
        errno = reason;
        return -1;
    }
    return file;
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
        return fail_open(error, path, reason);
    }
    *file = (BrumeLineFile){.open = true, .descriptor = descriptor, .path = copy};
    return BRUME_OK;
}

BrumeStatus brume_line_file_open_output(BrumeLineFile *file, BrumeError *error)
{
    static const char name[] = "standard output";
    *file = (BrumeLineFile){0};
    char *copy = brume_copy_text(name);
    if (!copy) {
        return brume_out_of_memory(error, "%s", name);
    }
    const int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        const int reason = errno;
        brume_free(copy);
        return brume_fail_write(error, name, reason);
    }
    *file = (BrumeLineFile){.open = true, .descriptor = descriptor, .path = copy};
    file->bytes = S_ISREG(about.st_mode) ? (long long)about.st_size : 0; // a shell may append to a file
    return BRUME_OK;
}

// checks that the file has `bytes` bytes that end a line
static BrumeStatus check_lines(int descriptor, const char *path, long long bytes, BrumeError *error)
{
    char last = '\n';
    ssize_t got = 1;
    if (bytes > 0) {
        got = lseek(descriptor, (off_t)bytes - 1, SEEK_SET) < 0 ? -1 : brume_read_up_to(descriptor, &last, 1);
    }
    if (got < 0) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    return bytes >= 0 && got == 1 && last == '\n'
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "%s: the first %lld bytes are not those that were written before",
                            path, bytes);
}

BrumeStatus brume_line_file_continue(BrumeLineFile *file, const char *path, long long bytes, BrumeError *error)
{
    *file = (BrumeLineFile){0};
    char *copy = brume_copy_text(path);
    if (!copy) {
        return brume_out_of_memory(error, "%s", path);
    }
    const int descriptor = lock(brume_open(path, O_RDWR | O_CLOEXEC));
    if (descriptor < 0) {
        const int reason = errno;
        brume_free(copy);
        return fail_open(error, path, reason);
    }
    BrumeStatus status = check_lines(descriptor, path, bytes, error);
    if (status == BRUME_OK &&
        (brume_ftruncate(descriptor, (off_t)bytes) != 0 || lseek(descriptor, (off_t)bytes, SEEK_SET) < 0)) {
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

// returns 0, or the reason for which the lines may not be on the disk; a pipe or a device has none
static int flush(const BrumeLineFile *file)
{
    return brume_fsync(file->descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
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
    if (!brume_write_all(file->descriptor, lines->data, lines->size)) {
        const int reason = errno;
        (void)brume_ftruncate(file->descriptor, (off_t)file->bytes); // fails for a pipe or a device
        return brume_fail_write(error, file->path, reason);
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
    if (brume_close(file->descriptor) != 0 && reason == 0) {
        reason = errno;
    }
    const BrumeStatus status = reason == 0 ? BRUME_OK : brume_fail_write(error, file->path, reason);
    brume_free(file->path);
    *file = (BrumeLineFile){0};
    return status;
}
