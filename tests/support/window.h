/**
 * @file window.h
 * For tests of the viewer as its users meet it: a window on an X display, real pointer and key events by xdotool, and
 * the pictures that it writes.
 */
#ifndef BRUME_TESTS_SUPPORT_WINDOW_H
#define BRUME_TESTS_SUPPORT_WINDOW_H

#include "program.h"

#include <math.h>
#include <stdint.h>

/** The viewer under way, at the upper left corner of the display. */
typedef struct Window {
    Program program;
    int shots;     ///< screenshots so far
    char name[64]; ///< that its files start with
} Window;

/** A picture that the viewer wrote. */
typedef struct Picture {
    int width, height;
    uint8_t *rgb; ///< (height x width x 3)
} Picture;

/** Starts `brume view ARGUMENTS`, waits for its window and gives it the keys. Its files start with `name`. */
void open_window(Window *window, const char *name, const char *arguments);

/** Sends events: the arguments of xdotool, for example "key space mousemove 100 100 click 1". */
void send_events(const char *format, ...) __attribute__((format(printf, 1, 2)));

void wait_seconds(double seconds);

/** Presses F12, waits for the screenshot and reads it. The caller frees it with free_picture. */
Picture shoot(Window *window);

void free_picture(Picture *picture);

/** Quits with Ctrl+Q and checks: exit status 0, nothing on standard error. */
void close_window(Window *window);

/** Share of the pixels within the columns [left, right) of which a color differs by more than `least`. */
double changed_share(const Picture *a, const Picture *b, int left, int right, int least);

/** Largest difference of a color at a pixel. */
int difference_at(const Picture *a, const Picture *b, int x, int y);

/** Peak signal to noise ratio [dB] of two pictures of one size; INFINITY where they are equal. */
double psnr(const Picture *a, const Picture *b);

/** A PNG file as a picture; fails the test where it is none. */
Picture read_picture(const char *path);

#endif
