#include "window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <stb_image.h>

void wait_seconds(double seconds)
{
    const struct timespec duration = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)nanosleep(&duration, NULL);
}

static int run_xdotool(const char *arguments, char *output, size_t size)
{
    char command[8192];
    (void)snprintf(command, sizeof command, "xdotool %s 2>&1", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    return pclose(pipe);
}

bool try_events(const char *arguments, char *output, size_t size) { return run_xdotool(arguments, output, size) == 0; }

void send_events(const char *format, ...)
{
    char arguments[8000];
    char output[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    if (run_xdotool(arguments, output, sizeof output) != 0) {
        fail_msg("xdotool %s: %s", arguments, output);
    }
}

/** Moves a window to the screen's corner, repeatedly, because the viewer still positions a window that is opening. */
static void move_to_corner(const char *id)
{
    char geometry[640];
    (void)snprintf(geometry, sizeof geometry, "getwindowgeometry --shell %s", id);
    int stable = 0;
    for (int n = 0; n < 100 && stable < 3; n++) {
        char output[512] = "";
        send_events("windowmove %s 0 0", id);
        wait_seconds(0.1);
        const bool there = run_xdotool(geometry, output, sizeof output) == 0 && strstr(output, "X=0\nY=0\n");
        stable = there ? stable + 1 : 0;
    }
    if (stable < 3) {
        fail_msg("window %s does not stay in the corner", id);
    }
    send_events("windowfocus %s mousemove 320 180 sleep 0.2", id);
}

int enter_window_folder(void **state)
{
    char folder[1024];
    return enter_folder(state) == 0 && getcwd(folder, sizeof folder) ? setenv("XDG_STATE_HOME", folder, 1) : -1;
}

int leave_window_folder(void **state, Window *window)
{
    if (window->program.pid > 0) {
        (void)kill(window->program.pid, SIGKILL);
        (void)waitpid(window->program.pid, NULL, 0);
        window->program.pid = 0;
    }
    return leave_folder(state);
}

void open_window(Window *window, const char *name, const char *arguments)
{
    open_limited_window(window, name, arguments, 0);
}

void open_limited_window(Window *window, const char *name, const char *arguments, size_t largest_file)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "view %s", arguments);
    // SDL would start a message bus in a forked process, which may wait without end under the thread sanitizer
    assert_int_equal(setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1), 0);
    *window = (Window){.program = start_program(text, largest_file)};
    (void)snprintf(window->name, sizeof window->name, "%s", name);
    char output[512] = "";
    for (int n = 0; n < 600; n++) {
        char search[128];
        (void)snprintf(search, sizeof search, "search --onlyvisible --pid %d", (int)window->program.pid);
        if (run_xdotool(search, output, sizeof output) == 0 && output[0] != '\0') {
            output[strcspn(output, "\n")] = '\0';
            (void)snprintf(window->id, sizeof window->id, "%.23s", output);
            move_to_corner(window->id);
            return;
        }
        wait_seconds(0.1);
    }
    ProgramRun run;
    finish_program(&window->program, &run);
    fail_msg("brume %s: no window within a minute; status %d, %s", text, run.status, run.err);
}

bool read_from_controls(const char *key, char *value, size_t size)
{
    FILE *file = fopen("controls.yaml", "r");
    char line[1024];
    bool found = false;
    const size_t length = strlen(key);
    while (file && !found && fgets(line, sizeof line, file)) {
        found = strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0;
    }
    if (file) {
        (void)fclose(file);
    }
    if (found) {
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(value, size, "%s", line + length + 2);
    }
    return found;
}

void wait_for_controls(Window *window, const char *key, const char *expected)
{
    char value[1024] = "";
    for (int n = 0; n < 1200 && (!read_from_controls(key, value, sizeof value) || strcmp(value, expected) != 0); n++) {
        assert_false(ends_within(&window->program, 0.05));
    }
    assert_string_equal(value, expected);
}

void wait_for_message(const char *part)
{
    char message[600] = "";
    bool found = false;
    for (int n = 0; n < 300 && !found; n++) {
        found = read_from_controls("message", message, sizeof message) && strstr(message, part);
        wait_seconds(found ? 0.0 : 0.1);
    }
    if (!found) {
        fail_msg("no message '%s', but %s", part, message);
    }
}

void save_shown_frame(Window *window, int frame, const char *path)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%d", frame);
    wait_for_controls(window, "frame", text);
    send_events("key g");
    wait_for_file(&window->program, path);
    size_t size;
    char *scene = read_whole_file(path, &size);
    (void)snprintf(text, sizeof text, "after frame %d (", frame);
    assert_non_null(strstr(scene, text));
    free(scene);
}

bool find_control(const char *name, float corners[4])
{
    char key[128];
    char value[128];
    (void)snprintf(key, sizeof key, "  \"%s\"", name);
    return read_from_controls(key, value, sizeof value) &&
           sscanf(value, "[%f, %f, %f, %f]", &corners[0], &corners[1], &corners[2], &corners[3]) == 4;
}

// returns whether the control is visible, once that is as expected, or after a minute
static bool wait_until_found(Window *window, const char *name, bool expected, float corners[4])
{
    bool found = find_control(name, corners);
    for (int n = 0; n < 1200 && found != expected; n++) {
        assert_false(ends_within(&window->program, 0.05));
        found = find_control(name, corners);
    }
    return found;
}

void wait_for_control(Window *window, const char *name, float corners[4])
{
    if (!wait_until_found(window, name, true, corners)) {
        fail_msg("no control '%s'", name);
    }
}

void wait_for_no_control(Window *window, const char *name)
{
    float corners[4];
    if (wait_until_found(window, name, false, corners)) {
        fail_msg("control '%s' is still there", name);
    }
}

// turns the wheel over the panel, and waits until the window has drawn it elsewhere, at most so many times 0.05 s
static void turn_wheel(Window *window, const char *clicks, int waits)
{
    size_t size;
    wait_for_file(&window->program, "controls.yaml"); // which comes with the first picture
    char *before = read_whole_file("controls.yaml", &size);
    const char *drawn = strstr(before, "\ncontrols:"); // the rest changes with each frame
    assert_non_null(drawn);
    send_events("mousemove 100 200 click %s", clicks);
    bool same = true;
    for (int n = 0; same && n < waits; n++) {
        assert_false(ends_within(&window->program, 0.05));
        char *now = read_whole_file("controls.yaml", &size);
        const char *at = strstr(now, "\ncontrols:");
        same = at && strcmp(at, drawn) == 0;
        free(now);
    }
    free(before);
}

// scrolls the panel from its top until the control is visible at rest
static bool scroll_to_control(Window *window, const char *name, float corners[4])
{
    turn_wheel(window, "--repeat 60 --delay 5 4", 10); // nothing changes where it is at its top
    for (int n = 0; n < 60; n++) {
        if (find_control(name, corners)) {
            wait_seconds(0.3); // for turns of the wheel that are still to come
            if (find_control(name, corners)) {
                return true;
            }
        }
        turn_wheel(window, "5", 60);
    }
    return false;
}

void click_control_at(Window *window, const char *name, float across)
{
    float corners[4];
    if (!find_control(name, corners) && !scroll_to_control(window, name, corners)) {
        fail_msg("no control '%s' in the panel", name);
    }
    char picture[128] = "";
    float bottom = INFINITY; // of the panel; below it is the timeline
    (void)read_from_controls("picture", picture, sizeof picture);
    (void)sscanf(picture, "[%*f, %*f, %*f, %f]", &bottom);
    for (int n = 0; n < 20 && isupper((unsigned char)name[0]) && corners[3] > bottom; n++) {
        send_events("mousemove 100 200 click 5 sleep 0.5"); // the control is cut off there
        (void)find_control(name, corners);
    }
    send_events("mousemove %.0f %.0f sleep 0.1 click 1 sleep 0.2",
                (double)(corners[0] + across * (corners[2] - corners[0])), (double)(0.5f * (corners[1] + corners[3])));
}

void click_control(Window *window, const char *name) { click_control_at(window, name, 0.5f); }

Picture read_picture(const char *path)
{
    Picture picture = {0};
    int channels = 0;
    picture.rgb = stbi_load(path, &picture.width, &picture.height, &channels, 3);
    if (!picture.rgb) {
        fail_msg("%s is not a PNG: %s", path, stbi_failure_reason());
    }
    return picture;
}

void free_picture(Picture *picture)
{
    stbi_image_free(picture->rgb);
    *picture = (Picture){0};
}

Picture take_screenshot(Window *window)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s-%04d.png", window->name, ++window->screenshots);
    send_events("key shift+F12");
    wait_for_file(&window->program, path);
    return read_picture(path);
}

uint64_t hash_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (!at) {
        fail_msg("'%s' is not in: %.400s", word, text);
        return 0;
    }
    return strtoull(at + strlen(word), NULL, 16);
}

void assert_computes_to_hash(const char *scene, int frame, uint64_t hash, const char *options)
{
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments,
                   "render %s -o offline.png --frame %d --overwrite --stats offline.json %s", scene, frame, options);
    static ProgramRun run;
    run_program(&run, arguments);
    if (run.status != 0) {
        fail_msg("brume %s: %s", arguments, run.err);
    }
    size_t size;
    char *stats = read_whole_file("offline.json", &size);
    char *last = stats;
    for (char *at = stats; (at = strstr(at, "\"hash\": \"")) != NULL; at++) {
        last = at;
    }
    assert_true(hash_after(last, "\"hash\": \"") == hash);
    free(stats);
}

void assert_renders_to_its_hash(const char *scene, const char *text, const char *options)
{
    const char *frame = strstr(text, "--frame ");
    assert_non_null(frame);
    assert_computes_to_hash(scene, atoi(frame + strlen("--frame ")), hash_after(text, "state hash "), options);
}

void close_window(Window *window)
{
    ProgramRun run;
    send_events("key ctrl+q");
    if (!ends_within(&window->program, 120.0)) {
        (void)kill(window->program.pid, SIGKILL);
        finish_program(&window->program, &run);
        fail_msg("the window of %s does not close on Ctrl + Q; on standard error: %s", window->name, run.err);
    }
    finish_program(&window->program, &run);
    if (run.status != 0 || run.err[0] != '\0') {
        fail_msg("brume view: exit status %d, expected 0; on standard error: %s", run.status, run.err);
    }
}

static void assert_same_size(const Picture *a, const Picture *b)
{
    if (a->width != b->width || a->height != b->height) {
        fail_msg("pictures of %d x %d and %d x %d", a->width, a->height, b->width, b->height);
    }
}

int difference_at(const Picture *a, const Picture *b, int x, int y)
{
    assert_same_size(a, b);
    assert_true(x >= 0 && x < a->width && y >= 0 && y < a->height);
    int largest = 0;
    for (int c = 0; c < 3; c++) {
        const int at = 3 * (y * a->width + x) + c;
        const int difference = abs(a->rgb[at] - b->rgb[at]);
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

double changed_fraction(const Picture *a, const Picture *b, int left, int right, int threshold)
{
    long changed = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = left; x < right; x++) {
            changed += difference_at(a, b, x, y) > threshold;
        }
    }
    return (double)changed / ((double)(right - left) * a->height);
}

double psnr(const Picture *a, const Picture *b)
{
    assert_same_size(a, b);
    double sum = 0.0;
    const int count = 3 * a->width * a->height;
    for (int n = 0; n < count; n++) {
        const double difference = (double)a->rgb[n] - b->rgb[n];
        sum += difference * difference;
    }
    return sum > 0.0 ? 10.0 * log10(255.0 * 255.0 * count / sum) : INFINITY;
}
