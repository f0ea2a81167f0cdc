#include "core/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int brume_open(const char *path, int flags)
{
    int file;
    do {
        file = open(path, flags, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
}

int brume_fsync(int file)
{
    int result;
    do {
        result = fsync(file);
    } while (result != 0 && errno == EINTR);
    return result;
}

int brume_ftruncate(int file, off_t size)
{
    int result;
    do {
        result = ftruncate(file, size);
    } while (result != 0 && errno == EINTR);
    return result;
}

int brume_close(int file) { return close(file) == 0 || errno == EINTR ? 0 : -1; }

bool brume_write_all(int file, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            errno = written == 0 ? EIO : errno;
            return false;
        }
        next += written;
        size -= (size_t)written;
    }
    return true;
}

ssize_t brume_read_up_to(int file, void *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t part = read(file, (char *)bytes + done, size - done);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part < 0) {
            return -1;
        }
        if (part == 0) {
            break;
        }
        done += (size_t)part;
    }
    return (ssize_t)done;
}
