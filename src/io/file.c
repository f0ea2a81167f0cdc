#include "io/file.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static BrumeStatus fail_with_reason(BrumeError *error, const char *what, const char *path, int reason)
{
    return brume_fail(error, BRUME_FAILED, "%s: cannot %s: %s", path, what, strerror(reason));
}

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

// makes the rename durable; a file system that does not support this has renamed the file nevertheless
static void flush_folder_of(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    const int file = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error)
{
    static atomic_uint serial; // unique in this process, so that two threads never use the same temporary name

    // a rename would replace a device by a regular file, and a link by its target's contents
    struct stat existing;
    char target[PATH_MAX];
    if (stat(path, &existing) == 0) {
        if (!S_ISREG(existing.st_mode)) {
            return brume_fail(error, BRUME_FAILED, "%s: cannot write: not a regular file", path);
        }
        if (realpath(path, target) == NULL) {
            return fail_with_reason(error, "write", path, errno);
        }
    } else if (snprintf(target, sizeof target, "%s", path) >= (int)sizeof target) {
        return fail_with_reason(error, "write", path, ENAMETOOLONG);
    }
    char temporary[PATH_MAX];
    const unsigned number = atomic_fetch_add(&serial, 1);
    if (snprintf(temporary, sizeof temporary, "%s.%ld-%u.part", target, (long)getpid(), number) >=
        (int)sizeof temporary) {
        return fail_with_reason(error, "write", path, ENAMETOOLONG);
    }

    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        return fail_with_reason(error, "write", path, errno);
    }
    int reason = write_all(file, bytes, size) && fsync(file) == 0 ? 0 : errno;
    if (close(file) != 0 && reason == 0) {
        reason = errno;
    }
    if (reason == 0 && rename(temporary, target) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        unlink(temporary);
        return fail_with_reason(error, "write", path, reason);
    }
    flush_folder_of(target);
    return BRUME_OK;
}

BrumeStatus brume_file_write_text(const char *path, const BrumeText *text, BrumeError *error)
{
    if (text->failed) {
        return brume_out_of_memory(error, "%s", path);
    }
    return brume_file_write(path, text->data ? text->data : "", text->size, error);
}

BrumeStatus brume_file_make_folder(const char *path, BrumeError *error)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder) {
        return fail_with_reason(error, "make the folder", path, ENAMETOOLONG);
    }
    char *last = strrchr(folder, '/');
    if (last == NULL || last == folder) {
        return BRUME_OK;
    }
    *last = '\0';

    // one level after the other, from the root down
    for (char *end = folder + 1;; end++) {
        if (*end != '/' && *end != '\0') {
            continue;
        }
        const char separator = *end;
        *end = '\0';
        struct stat made;
        const int reason = mkdir(folder, 0777) == 0 ? 0 : errno;
        if (reason != 0 && !(stat(folder, &made) == 0 && S_ISDIR(made.st_mode))) {
            return fail_with_reason(error, "make the folder", folder, reason);
        }
        if (separator == '\0') {
            return BRUME_OK;
        }
        *end = separator;
    }
}
