/**
 * @file window.h
 * End-to-end tests of the viewer: a window on an X display, pointer and key events by xdotool, and the pictures that
 * the viewer writes.
 */
#ifndef BRUME_TESTS_SUPPORT_WINDOW_H
#define BRUME_TESTS_SUPPORT_WINDOW_H

#include "program.h"

#include <math.h>
#include <stdint.h>

/** A running viewer whose window is in the upper left corner of the display. */
typedef struct Window {
    Program program;
    int screenshots; ///< number of screenshots so far
    char name[64];   ///< start of the names of its files
    char id[24];     ///< X window
} Window;

/** A picture that the viewer wrote. */
typedef struct Picture {
    int width, height;
    uint8_t *rgb; ///< (height x width x 3)
} Picture;

/** enter_folder, without the window state of the user. */
int enter_window_folder(void **state);

/** leave_folder, and before it the end of a viewer that a failed test has left. */
int leave_window_folder(void **state, Window *window);

/** Starts `brume view ARGUMENTS`, waits for its window and focuses it. The names of its files start with `name`. */
void open_window(Window *window, const char *name, const char *arguments);

/** The same, with a limit on the size of its files [bytes]. */
void open_limited_window(Window *window, const char *name, const char *arguments, size_t largest_file);

/**
 * Reads from the file of `brume view --controls controls.yaml` in the working folder what is behind `key` in a line of
 * its own, as "running" or "  \"Air.viscosity\"". False where there is no such line.
 */
bool read_from_controls(const char *key, char *value, size_t size);

/** Waits until that is `expected`. */
void wait_for_controls(Window *window, const char *key, const char *expected);

/** Waits until the latest message has this part. The controls are in the working folder. */
void wait_for_message(const char *part);

/**
 * Waits until this frame is shown, and saves the scene, which is written as `path`. The controls are in the working
 * folder.
 */
void save_shown_frame(Window *window, int frame, const char *path);

/** Whether a control of this name is visible; its left, top, right and bottom side [points]. */
bool find_control(const char *name, float corners[4]);

/** Waits until it is visible; `corners` as of find_control. */
void wait_for_control(Window *window, const char *name, float corners[4]);

/** Waits until it is not visible. */
void wait_for_no_control(Window *window, const char *name);

/**
 * Clicks on a control of the panel: waits for it, and scrolls the panel where it is not visible.
 */
void click_control(Window *window, const char *name);

/** The same at a part of its width, 0 to 1, as on a slider. */
void click_control_at(Window *window, const char *name, float across);

/** Sends events: the arguments of xdotool, for example "key space mousemove 100 100 click 1". */
void send_events(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same; false, with what xdotool says in `output`, where it fails, for example since the window is gone. */
bool try_events(const char *arguments, char *output, size_t size);

void wait_seconds(double seconds);

/** Presses Shift + F12, waits for the file of the window with its panel and reads it. The caller frees it with
 * free_picture. */
Picture take_screenshot(Window *window);

void free_picture(Picture *picture);

/** The hexadecimal number behind `word`, which must be in the text. */
uint64_t hash_after(const char *text, const char *word);

/**
 * Simulates and draws a frame of a scene without a window, as offline.png, with more `options`: the last state has this
 * hash.
 */
void assert_computes_to_hash(const char *scene, int frame, uint64_t hash, const char *options);

/** The same for the frame that a scene saved with G names in its text, and the hash in it. */
void assert_renders_to_its_hash(const char *scene, const char *text, const char *options);

/** Quits with Ctrl+Q and checks: exit status 0, nothing on standard error. */
void close_window(Window *window);

/** Fraction of the pixels within the columns [left, right) of which a color component differs by more than `threshold`.
 */
double changed_fraction(const Picture *a, const Picture *b, int left, int right, int threshold);

/** Largest difference of a color component at a pixel. */
int difference_at(const Picture *a, const Picture *b, int x, int y);

/** Peak signal to noise ratio [dB] of two pictures of one size; INFINITY where they are equal. */
double psnr(const Picture *a, const Picture *b);

/** Reads a PNG file; fails the test if it is not one. */
Picture read_picture(const char *path);

#endif
