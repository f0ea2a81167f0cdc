#include "core/error.h"
#include "yaml/yaml.h"
#include "yaml/yaml_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Whether an open failed for a reason of the path that was given, not of the machine. */
static bool path_is_wrong(int reason)
{
    return reason == ENOENT || reason == ENOTDIR || reason == EACCES || reason == ELOOP || reason == ENAMETOOLONG ||
           reason == EISDIR;
}

static BrumeStatus fail_too_large(const char *path, BrumeError *error)
{
    return brume_fail_at(error, BRUME_BAD_INPUT, path, 1, 1, "the file is too large for a scene (at most %d bytes)",
                         BRUME_YAML_MAX_BYTES);
}

/** Reads up to `room` bytes; -1 with errno set where that fails. */
static ssize_t read_up_to(int file, char *text, size_t room)
{
    size_t size = 0;
    while (size < room) {
        const ssize_t got = read(file, text + size, room - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        size += (size_t)got;
    }
    return (ssize_t)size;
}

BrumeStatus brume_yaml_read(BrumeYamlNode **root, const char *path, BrumeError *error)
{
    *root = NULL;
    BrumeStatus status = BRUME_OK;
    char *text = NULL;
    // a pipe without a writer must not hang the program before it can be refused
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        const int reason = errno;
        return brume_fail(error, path_is_wrong(reason) ? BRUME_BAD_INPUT : BRUME_FAILED,
                          "%s: cannot open the scene: %s", path, strerror(reason));
    }
    struct stat info;
    if (fstat(file, &info) != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read the scene: %s", path, strerror(errno));
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: %s, not a scene file", path,
                            S_ISDIR(info.st_mode) ? "a directory" : "a device or pipe");
        goto cleanup;
    }
    if (info.st_size > BRUME_YAML_MAX_BYTES) {
        status = fail_too_large(path, error);
        goto cleanup;
    }
    // one byte more than allowed shows a file that has grown since
    text = malloc(BRUME_YAML_MAX_BYTES + 1);
    if (!text) {
        status = brume_fail(error, BRUME_FAILED, "%s: out of memory", path);
        goto cleanup;
    }
    const ssize_t size = read_up_to(file, text, BRUME_YAML_MAX_BYTES + 1);
    if (size < 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read the scene: %s", path, strerror(errno));
        goto cleanup;
    }
    if (size > BRUME_YAML_MAX_BYTES) {
        status = fail_too_large(path, error);
        goto cleanup;
    }
    status = brume_yaml_parse(root, path, true, text, (size_t)size, error);
cleanup:
    free(text);
    (void)close(file);
    return status;
}
