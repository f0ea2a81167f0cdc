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

/** open(2), repeated where a signal interrupts it; a new file has the mode 0666. */
int brume_open(const char *path, int flags);

/** fsync(2), repeated where a signal interrupts it. */
int brume_fsync(int file);

/** ftruncate(2), repeated where a signal interrupts it. */
int brume_ftruncate(int file, off_t size);

/** close(2); 0 also where a signal interrupts it, because the file is closed then, too. */
int brume_close(int file);

/** Writes all bytes. False, with errno, where that fails; some of them may be written then. */
bool brume_write_all(int file, const void *bytes, size_t size);

/** Reads until there are `size` bytes or the file ends. Returns their number, or -1 with errno. */
ssize_t brume_read_up_to(int file, void *bytes, size_t size);

BRUME_END_DECLS

#endif
