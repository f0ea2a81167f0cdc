/**
 * @file foreign_leaks.h
 * For tests that open a window under AddressSanitizer: what the display's libraries keep to the program's end is not
 * counted as a leak of ours.
 */
#ifndef BRUME_TESTS_FOREIGN_LEAKS_H
#define BRUME_TESTS_FOREIGN_LEAKS_H

/** Once the window is open: keeps the modules that are loaded mapped to the end, so that their leaks have a name. */
void keep_modules(void);

#endif
