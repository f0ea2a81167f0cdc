#include "core/descriptor.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "io/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static BrumeStatus read_open_file(int file, const char *path, uint8_t **bytes, size_t *size, BrumeError *error)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: not a regular file", path);
    }
    uint8_t *const content = brume_alloc_untouched((size_t)about.st_size + 1, 1);
    if (!content) {
        return brume_out_of_memory(error, "%s", path);
    }
    const ssize_t length = brume_read_up_to(file, content, (size_t)about.st_size);
    if (length < 0) {
        const int reason = errno;
        brume_free(content);
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(reason));
    }
    *bytes = content;
    *size = (size_t)length;
    return BRUME_OK;
}

BrumeStatus brume_file_read(const char *path, uint8_t **bytes, size_t *size, BrumeError *error)
{
    *bytes = NULL;
    *size = 0;
    int file;
    BrumeStatus status = brume_open_input(&file, path, error);
    if (status == BRUME_OK) {
        status = read_open_file(file, path, bytes, size, error);
        (void)close(file);
    }
    return status;
}
