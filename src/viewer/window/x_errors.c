#define _GNU_SOURCE // RTLD_DEFAULT
#include "viewer/window/x_errors.h"

#include <SDL.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// the start of Xlib's XErrorEvent, which is documented; SDL loads Xlib, this program is not linked with it
typedef struct XError {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char code, request, minor;
} XError;

typedef int (*XErrorHandler)(void *display, XError *error);
typedef XErrorHandler (*SetXErrorHandler)(XErrorHandler handler);

static SetXErrorHandler set_handler;
static XErrorHandler former_handler;
static int first_code; // code of the first error, 0 for none
static int first_request, first_minor;

static FILE *captured;          // text that libraries print meanwhile
static int standard_error = -1; // a copy of its descriptor

// Xlib's error handler while errors are caught: stores the first one
static int note_error(void *display, XError *error)
{
    (void)display;
    if (first_code == 0) {
        first_code = error->code;
        first_request = error->request;
        first_minor = error->minor;
    }
    return 0;
}

static void capture_standard_error(void)
{
    captured = tmpfile();
    standard_error = captured ? dup(STDERR_FILENO) : -1;
    if (standard_error >= 0) {
        (void)fflush(stderr);
        (void)dup2(fileno(captured), STDERR_FILENO);
    }
}

static void restore_standard_error(void)
{
    if (standard_error >= 0) {
        (void)fflush(stderr);
        (void)dup2(standard_error, STDERR_FILENO);
        (void)close(standard_error);
        standard_error = -1;
    }
}

void brume_x_errors_catch(void)
{
    first_code = 0;
    const char *const driver = SDL_GetCurrentVideoDriver();
    void *const found = driver && strcmp(driver, "x11") == 0 ? dlsym(RTLD_DEFAULT, "XSetErrorHandler") : NULL;
    memcpy(&set_handler, &found, sizeof found); // ISO C has no conversion to a pointer to a function
    former_handler = set_handler ? set_handler(note_error) : NULL;
    capture_standard_error();
}

// reads the last line that the libraries have printed; false if there is none
static bool last_line(char *line, size_t size)
{
    bool found = false;
    char text[256];
    if (captured) {
        rewind(captured);
        while (fgets(text, sizeof text, captured)) {
            text[strcspn(text, "\n")] = '\0';
            found = true;
            (void)snprintf(line, size, "%s", text);
        }
    }
    return found;
}

void brume_x_errors_describe(char *text, size_t size)
{
    if (!last_line(text, size) && first_code != 0) {
        (void)snprintf(text, size, "the X server rejected the request %d.%d with error %d", first_request, first_minor,
                       first_code);
    }
}

void brume_x_errors_release(bool print)
{
    restore_standard_error();
    char line[256];
    if (captured) {
        rewind(captured);
        while (print && fgets(line, sizeof line, captured)) {
            (void)fputs(line, stderr);
        }
        (void)fclose(captured);
        captured = NULL;
    }
    if (set_handler) {
        (void)set_handler(former_handler);
        set_handler = NULL;
    }
}

enum { BAD_WINDOW = 3 }; // an error code of the X protocol

// Xlib's error handler afterwards: an error does not end the program, and is printed once
static int go_on(void *display, XError *error)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    (void)display;
    if (error->code != BAD_WINDOW && !atomic_flag_test_and_set(&reported)) {
        (void)fprintf(stderr, "brume: warning: the X server rejected the request %d.%d with error %d\n", error->request,
                      error->minor, error->code);
    }
    return 0;
}

void brume_x_errors_go_on(void)
{
    const char *const driver = SDL_GetCurrentVideoDriver();
    void *const found = driver && strcmp(driver, "x11") == 0 ? dlsym(RTLD_DEFAULT, "XSetErrorHandler") : NULL;
    SetXErrorHandler set;
    memcpy(&set, &found, sizeof found);
    if (set) {
        (void)set(go_on);
    }
}

typedef int (*XIoErrorHandler)(void *display);
typedef XIoErrorHandler (*SetXIoErrorHandler)(XIoErrorHandler handler);

static void (*lost_display)(void);
static pthread_t window_thread;
static atomic_bool is_lost;
static atomic_bool window_thread_waits; // the window thread waits in Xlib for the end of the program
static _Thread_local jmp_buf *guard;

// Waits for the next call of Xlib by the window thread, at most one drawing, unless it waits for a lock of Xlib.
static void wait_for_window_thread(void)
{
    for (int n = 0; n < 200 && !atomic_load(&window_thread_waits); n++) {
        (void)usleep(10000);
    }
}

// calls the function for a lost display, and ends the process without any function of Xlib
static void *end_program(void *context)
{
    (void)context;
    wait_for_window_thread();
    lost_display();
    _exit(1);
}

// Xlib's handler of a lost connection, which must not return. Where another thread than the window thread finds it, a
// new thread ends the program, because the window thread may hold locks of Xlib.
static int end_without_display(void *display)
{
    (void)display;
    pthread_t thread;
    if (pthread_equal(pthread_self(), window_thread)) {
        atomic_store(&window_thread_waits, true);
    }
    if (!atomic_exchange(&is_lost, true) &&
        (pthread_equal(pthread_self(), window_thread) || pthread_create(&thread, NULL, end_program, NULL) != 0)) {
        (void)end_program(NULL);
    }
    if (guard) {
        longjmp(*guard, 1); // Xlib's locks stay locked: no thread uses Xlib any more
    }
    for (;;) {
        (void)pause();
    }
}

void brume_x_errors_guard(void (*function)(void))
{
    jmp_buf place;
    guard = &place;
    if (!atomic_load(&is_lost) && setjmp(place) == 0) {
        function();
    }
    guard = NULL;
}

void brume_x_errors_on_lost_display(void (*function)(void))
{
    const char *const driver = SDL_GetCurrentVideoDriver();
    void *const found = driver && strcmp(driver, "x11") == 0 ? dlsym(RTLD_DEFAULT, "XSetIOErrorHandler") : NULL;
    SetXIoErrorHandler set;
    memcpy(&set, &found, sizeof found);
    lost_display = function;
    window_thread = pthread_self();
    if (set) {
        (void)set(end_without_display);
    }
}
