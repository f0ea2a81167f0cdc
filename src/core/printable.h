/**
 * @file printable.h
 * Texts of the user, such as file names, for terminals and logs.
 */
#ifndef BRUME_CORE_PRINTABLE_H
#define BRUME_CORE_PRINTABLE_H

#include <stddef.h>

/**
 * Writes a printable copy of `text` to `result` of `size` bytes (at least 1), cut between characters where it does not
 * fit: control characters and bytes that are not UTF-8 become \n, \t, \r or \xNN, so that file names and other texts of
 * the user stay on one line and send no commands to a terminal.
 */
void brume_text_printable(char *result, size_t size, const char *text);

#endif
