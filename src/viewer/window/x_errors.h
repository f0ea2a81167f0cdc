/**
 * @file x_errors.h
 * Catches errors of the X server and messages of the OpenGL library while the window is opened, so that a failure
 * prints one line. Xlib's own handler prints errors and ends the program, for example without an OpenGL driver.
 */
#ifndef BRUME_VIEWER_WINDOW_X_ERRORS_H
#define BRUME_VIEWER_WINDOW_X_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

/** From now on, errors are only stored, and standard error is written to a temporary file. */
void brume_x_errors_catch(void);

/** Replaces `text` by the last line printed since brume_x_errors_catch, or by the request that the server rejected. */
void brume_x_errors_describe(char *text, size_t size);

/** Restores the former handler and standard error. With `print`, prints the text that was captured meanwhile. */
void brume_x_errors_release(bool print);

/**
 * From now on, a request that the X server rejects does not end the program. The first one prints a warning, unless it
 * was for a window that does not exist. Such windows belong to other programs, for example one that has ended before
 * SDL has answered that it may drop a file.
 */
void brume_x_errors_go_on(void);

/**
 * From now on, when the connection to the X server ends, `function` is called once, and then the program ends with
 * status 1, without the actions of exit(), because the function of Xlib that has detected the end cannot return. To be
 * called by the window thread. The window thread calls `function`, or a new thread if another thread has detected the
 * end in brume_x_errors_guard; that thread continues.
 */
void brume_x_errors_on_lost_display(void (*function)(void));

/** Calls a function that uses the display; returns from it where the display is lost. For all but the window thread. */
void brume_x_errors_guard(void (*function)(void));

#endif
