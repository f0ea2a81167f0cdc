/**
 * @file descriptor.h
 * System calls on file descriptors that a signal does not end early (EINTR), and that transfer all bytes.
 */
#ifndef BRUME_CORE_DESCRIPTOR_H
#define BRUME_CORE_DESCRIPTOR_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

BRUME_BEGIN_DECLS

/** As open, with the mode 0666 of a new file. */
int brume_open(const char *path, int flags);

/** As fsync. */
int brume_fsync(int file);

/** As ftruncate. */
int brume_ftruncate(int file, off_t size);

/** As close, which closes the file also where a signal interrupts it. */
int brume_close(int file);

/** Writes all bytes. False, with errno, where that fails; some of them may be written then. */
bool brume_write_all(int file, const void *bytes, size_t size);

/** Reads until there are `size` bytes or the file ends. Returns their number, or -1 with errno. */
ssize_t brume_read_up_to(int file, void *bytes, size_t size);

BRUME_END_DECLS

#endif
