#define _GNU_SOURCE // renameat2

#include "io/file.h"
#include "core/descriptor.h"
#include "core/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static BrumeStatus fail_with_reason(BrumeError *error, const char *what, const char *path, int reason)
{
    return brume_fail(error, BRUME_FAILED, "%s: cannot %s: %s", path, what, strerror(reason));
}

BrumeStatus brume_fail_write(BrumeError *error, const char *path, int reason)
{
    if (reason == EEXIST) {
        return brume_fail(error, BRUME_FAILED,
                          "%s: cannot write: another program has created it meanwhile (write to another folder)", path);
    }
    return fail_with_reason(error, "write", path, reason);
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
    const int file = brume_open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)brume_fsync(file);
        (void)close(file);
    }
}

/*
 * Temporary files. The file for `target` is named `target.brume-N.part` with the smallest free N. Its writer holds a
 * lock on it (flock) until it is renamed, and the system releases the lock where the writer dies; so a temporary file
 * that can be locked belongs to a writer that is dead, whatever its process number was, and may be removed.
 */
static const char temporary_mark[] = ".brume-";
static const char temporary_extension[] = ".part";

enum { MAX_TEMPORARIES = 1000 };

static bool is_same_file(int file, const char *path)
{
    struct stat open_file;
    struct stat named;
    return fstat(file, &open_file) == 0 && lstat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino;
}

// removes a temporary file whose writer is dead; false where it stays, or where there is none
static bool remove_abandoned(const char *temporary)
{
    struct stat existing;
    if (lstat(temporary, &existing) != 0 || !S_ISREG(existing.st_mode)) {
        return false;
    }
    const int file = brume_open(temporary, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const bool removed = flock(file, LOCK_EX | LOCK_NB) == 0 && is_same_file(file, temporary) && unlink(temporary) == 0;
    (void)close(file);
    return removed;
}

static bool make_temporary_name(char temporary[PATH_MAX], const char *target, int number)
{
    return snprintf(temporary, PATH_MAX, "%s%s%d%s", target, temporary_mark, number, temporary_extension) < PATH_MAX;
}

// Creates a file and locks it. -1 with errno where that fails: EEXIST where the name is taken, also where another
// process removes the file as abandoned between the two calls.
static int create_locked(const char *temporary)
{
    const int file = brume_open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    // without support for locks, the file can be written, and no process removes it as abandoned
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (!locked || !is_same_file(file, temporary)) {
        (void)close(file);
        errno = EEXIST;
        return -1;
    }
    return file;
}

// Creates the temporary file for a target, with its name in `temporary`, and removes temporary files of dead writers.
// -1 with errno where that fails.
static int open_temporary(const char *target, char temporary[PATH_MAX])
{
    int file = -1;
    int number = 0;
    for (; file < 0 && number < MAX_TEMPORARIES; number++) {
        if (!make_temporary_name(temporary, target, number)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = create_locked(temporary);
        bool taken = file < 0 && errno == EEXIST;
        if (taken && remove_abandoned(temporary)) {
            file = create_locked(temporary);
            taken = file < 0 && errno == EEXIST;
        }
        if (file < 0 && !taken) {
            return -1;
        }
    }
    if (file < 0) {
        errno = EBUSY;
    }
    char next[PATH_MAX];
    while (file >= 0 && number < MAX_TEMPORARIES && make_temporary_name(next, target, number) &&
           remove_abandoned(next)) {
        number++;
    }
    return file;
}

// Finds the file to replace. A rename would replace a device by a regular file, and a link by its target's contents.
static BrumeStatus resolve_target(const char *path, char target[PATH_MAX], BrumeError *error)
{
    struct stat existing;
    if (stat(path, &existing) == 0) {
        if (!S_ISREG(existing.st_mode)) {
            return brume_fail(error, BRUME_FAILED, "%s: cannot write: not a regular file", path);
        }
        if (realpath(path, target) == NULL) {
            return brume_fail_write(error, path, errno);
        }
    } else if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX) {
        return brume_fail_write(error, path, ENAMETOOLONG);
    }
    return BRUME_OK;
}

// Renames a file to a name that no file may have; otherwise fails with EEXIST. Returns 0 or errno.
static int rename_to_new(const char *from, const char *to)
{
    int reason = ENOSYS;
#ifdef RENAME_NOREPLACE
    reason = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#endif
    if (reason == 0 || reason == EEXIST) {
        return reason;
    }
    // a file system without this call: a second name, or a new empty file that is replaced
    if (link(from, to) == 0) {
        (void)unlink(from);
        return 0;
    }
    if (errno == EEXIST) {
        return EEXIST;
    }
    const int claim = brume_open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (claim < 0) {
        return errno;
    }
    (void)close(claim);
    reason = rename(from, to) == 0 ? 0 : errno;
    if (reason != 0) {
        (void)unlink(to);
    }
    return reason;
}

static int rename_file(const char *from, const char *to, bool replace)
{
    if (!replace) {
        return rename_to_new(from, to);
    }
    return rename(from, to) == 0 ? 0 : errno;
}

// closes the temporary file, which releases its lock, and removes it where it was not renamed
static void close_part(BrumePartFile *part, bool renamed)
{
    if (!renamed) {
        (void)unlink(part->temporary);
    }
    (void)close(part->descriptor); // fsync has reported all errors
    part->open = false;
}

BrumeStatus brume_file_open_part(BrumePartFile *part, const char *path, bool replace, BrumeError *error)
{
    part->open = false;
    part->flushed = false;
    part->replace = replace;
    (void)snprintf(part->path, sizeof part->path, "%s", path);
    struct stat existing;
    if (!replace && lstat(path, &existing) == 0) {
        return brume_fail_write(error, path, EEXIST);
    }
    if (resolve_target(path, part->target, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    part->descriptor = open_temporary(part->target, part->temporary);
    if (part->descriptor < 0) {
        return brume_fail_write(error, path, errno);
    }
    part->open = true;
    return BRUME_OK;
}

BrumeStatus brume_file_commit_part(BrumePartFile *part, BrumeError *error)
{
    int reason = part->flushed || brume_fsync(part->descriptor) == 0 ? 0 : errno;
    if (reason == 0) {
        reason = rename_file(part->temporary, part->target, part->replace);
    }
    close_part(part, reason == 0);
    if (reason != 0) {
        return brume_fail_write(error, part->path, reason);
    }
    flush_folder_of(part->target);
    return BRUME_OK;
}

void brume_file_abandon_part(BrumePartFile *part)
{
    if (part->open) {
        close_part(part, false);
    }
}

BrumeStatus brume_file_fill_part(BrumePartFile *part, const BrumeBytes *parts, int count, BrumeError *error)
{
    bool written = true;
    for (int n = 0; n < count && written; n++) {
        written = brume_write_all(part->descriptor, parts[n].data, parts[n].size);
    }
    if (!written || brume_fsync(part->descriptor) != 0) {
        const int reason = errno;
        brume_file_abandon_part(part);
        return brume_fail_write(error, part->path, reason);
    }
    part->flushed = true;
    return BRUME_OK;
}

BrumeStatus brume_file_write_parts(const char *path, const BrumeBytes *parts, int count, bool replace,
                                   BrumeError *error)
{
    BrumePartFile part;
    if (brume_file_open_part(&part, path, replace, error) != BRUME_OK ||
        brume_file_fill_part(&part, parts, count, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    return brume_file_commit_part(&part, error);
}

BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error)
{
    const BrumeBytes part = {bytes, size};
    return brume_file_write_parts(path, &part, 1, true, error);
}

BrumeStatus brume_file_create(const char *path, const void *bytes, size_t size, BrumeError *error)
{
    const BrumeBytes part = {bytes, size};
    return brume_file_write_parts(path, &part, 1, false, error);
}

BrumeStatus brume_file_check_writable(const char *path, BrumeError *error)
{
    char target[PATH_MAX];
    char temporary[PATH_MAX];
    if (brume_file_make_folder(path, error) != BRUME_OK || resolve_target(path, target, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    const int file = open_temporary(target, temporary);
    if (file < 0) {
        return brume_fail_write(error, path, errno);
    }
    (void)unlink(temporary);
    (void)close(file);
    return BRUME_OK;
}

// whether a name belongs to a temporary file of a target that starts with `prefix` and ends with `suffix`
static bool is_temporary_of(const char *name, const char *prefix, const char *suffix)
{
    const char *mark = NULL;
    for (const char *c = name; (c = strstr(c, temporary_mark)) != NULL; c++) {
        mark = c;
    }
    const size_t start = strlen(prefix);
    const size_t end = strlen(suffix);
    if (!mark || (size_t)(mark - name) < start + end || strncmp(name, prefix, start) != 0 ||
        strncmp(mark - end, suffix, end) != 0) {
        return false;
    }
    const char *number = mark + strlen(temporary_mark);
    const size_t digits = strspn(number, "0123456789");
    return digits > 0 && strcmp(number + digits, temporary_extension) == 0 &&
           strspn(name + start, "0123456789") == (size_t)(mark - name) - start - end;
}

void brume_file_remove_abandoned(const char *prefix, const char *suffix)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", prefix) >= (int)sizeof folder) {
        return;
    }
    char *slash = strrchr(folder, '/');
    const char *name = slash ? prefix + (slash - folder) + 1 : prefix;
    if (slash) {
        slash[1] = '\0';
    }
    DIR *entries = opendir(slash ? folder : ".");
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[PATH_MAX];
        if (is_temporary_of(entry->d_name, name, suffix) &&
            snprintf(path, sizeof path, "%s%s", slash ? folder : "", entry->d_name) < (int)sizeof path) {
            (void)remove_abandoned(path);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
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
        struct stat status;
        const int reason = mkdir(folder, 0777) == 0 ? 0 : errno;
        if (reason != 0 && !(stat(folder, &status) == 0 && S_ISDIR(status.st_mode))) {
            return fail_with_reason(error, "make the folder", folder, reason);
        }
        if (separator == '\0') {
            return BRUME_OK;
        }
        *end = separator;
    }
}
