/**
 * @file x_errors.h
 * Errors of the X server and messages of the OpenGL library while the window is opened, so that a failure prints one
 * line. Xlib's own handler prints errors and ends the program, as where the OpenGL library finds no driver.
 */
#ifndef BRUME_VIEWER_WINDOW_X_ERRORS_H
#define BRUME_VIEWER_WINDOW_X_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

/** From now on, errors are only noted, and standard error goes to a temporary file. */
void brume_x_errors_catch(void);

/** Replaces the text by the last line that was printed since brume_x_errors_catch, or by what the server rejected. */
void brume_x_errors_describe(char *text, size_t size);

/** Restores the former handler and standard error. With `print`, what was printed meanwhile is printed now. */
void brume_x_errors_release(bool print);

/**
 * From now on, a request that the X server rejects does not end the program. The first one prints a warning, unless it
 * was for a window that does not exist: such windows are those of other programs, as of one that has ended before it
 * was answered that it may drop a file.
 */
void brume_x_errors_go_on(void);

/**
 * From now on, where the connection to the X server ends, `function` is called once, and then the program ends with
 * status 1, without what exit() would do: the function of Xlib that has noticed it cannot return. To be called by the
 * window thread. `function` is called by it, or by a thread of its own where another thread has noticed the end in
 * brume_x_errors_guard; that one goes on.
 */
void brume_x_errors_on_lost_display(void (*function)(void));

/** Calls a function that uses the display; returns from it where the display is lost. For all but the window thread. */
void brume_x_errors_guard(void (*function)(void));

#endif
