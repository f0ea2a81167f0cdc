/**
 * @file drop.h
 * Drops a file on a window, as a file manager does (X drag and drop, version 5).
 */
#ifndef BRUME_TESTS_SUPPORT_DROP_H
#define BRUME_TESTS_SUPPORT_DROP_H

#include <stdbool.h>

/**
 * Drops the file of an absolute path of at most 1,000 bytes at a point [points] of the X window of this number. Returns
 * false where the window does not take it within `seconds`.
 */
bool drop_file(const char *window, const char *path, int x, int y, double seconds);

#endif
