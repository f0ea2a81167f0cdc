// End-to-end tests of the viewer: random events on the scenes of scenes/. The sequence of events follows from a seed.
//   BRUME_RANDOM_EVENTS  number of events on each scene
//   BRUME_RANDOM_SCENES  names of the scenes, as plume,ink; `all`: every scene of scenes/
//   BRUME_RANDOM_SEED    seed; each scene has events of its own, which do not depend on the others
//   BRUME_RANDOM_LOG     file to which the events of the last scene are written, as arguments of xdotool
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#ifdef BRUME_HAS_X11
#include "drop.h"
#endif
#include "window.h"

enum { MAX_SCENES = 64, DEFAULT_EVENTS = 60, DEFAULT_SEED = 2026, MAX_WIDTH = 720, MAX_HEIGHT = 560, PANEL = 288 };

static const char default_scenes[] = "plume,over_photograph";

// Rows that random presses leave out, because they make the grid so large that no time would be left for the events:
// the number of cells, and the scenes that come with the program, with grids of their own.
static const char *const avoided[] = {"Solver.resolution", "Scene.preset"};

// Files that are dropped, in the working folder: the scene itself as it was saved, and those that are made below.
static const char *const dropped[] = {"start.yaml",  "broken.yaml", "sky.hdr",
                                      "damaged.hdr", "text.txt",    "missing.yaml"};

static Window window;
static FILE *event_log;
static int drops_taken;

static int leave(void **state) { return leave_window_folder(state, &window); }

/** The random numbers and the present size of the window. */
typedef struct Events {
    uint32_t seed;
    int width, height; // [pixels]
} Events;

static uint32_t next_random(Events *events)
{
    events->seed = events->seed * 1664525u + 1013904223u;
    return events->seed >> 8;
}

static int random_between(Events *events, int least, int greatest)
{
    return least + (int)(next_random(events) % (uint32_t)(greatest - least + 1));
}

// one of `words`, each of which is followed by a blank; its length in `length`
static const char *random_word(Events *events, const char *words, int *length)
{
    int count = 0;
    for (const char *end = words; *end; end++) {
        count += *end == ' ';
    }
    for (int before = random_between(events, 0, count - 1); before > 0; before--) {
        words = strchr(words, ' ') + 1;
    }
    *length = (int)strcspn(words, " ");
    return words;
}

// a third of the points is in the panel, and one in eight on the timeline
static void random_point(Events *events, int *x, int *y)
{
    const int place = random_between(events, 0, 23);
    const int right = events->width - 1;
    const int bottom = events->height - 1;
    *x = random_between(events, 0, place < 8 && right > PANEL ? PANEL : right);
    *y = place >= 21 && bottom > 46 ? bottom - random_between(events, 0, 45) : random_between(events, 0, bottom);
}

static void fail_if_ended(const char *scene, int event, double seconds)
{
    if (ends_within(&window.program, seconds)) {
        static ProgramRun run;
        finish_program(&window.program, &run);
        window.program.pid = 0;
        fail_msg("%s: the window is gone after %d events; status %d, %s", scene, event, run.status, run.err);
    }
}

static void log_event(const char *text)
{
    if (event_log) {
        (void)fprintf(event_log, "%s\n", text);
        (void)fflush(event_log);
    }
}

static void send_and_log(const char *scene, int event, const char *arguments)
{
    char output[1024];
    log_event(arguments);
    if (!try_events(arguments, output, sizeof output)) {
        fail_if_ended(scene, event, 60.0);
        fail_msg("%s: xdotool %s: %s", scene, arguments, output);
    }
}

static bool is_avoided(int x, int y)
{
    for (size_t n = 0; n < sizeof avoided / sizeof avoided[0]; n++) {
        float corners[4];
        // the row, with its reset button, and some rows around it: the panel may be scrolling
        if (find_control(avoided[n], corners) && x < PANEL && (float)y > corners[1] - 30.0f &&
            (float)y < corners[3] + 30.0f) {
            return true;
        }
    }
    return false;
}

// An event as arguments of xdotool
static void make_event(Events *events, char *text, size_t size)
{
    // without those that quit (where a slow window gets the focus, SDL takes a Ctrl that is pressed later for one that
    // is held, so neither Q), and without Ctrl + F12, whose process would take the time of the window
    static const char keys[] =
        "space n r 1 2 3 4 5 6 t v x b c Tab h F1 f p o Home ctrl+1 alt+1 ctrl+2 alt+2 w F11 ctrl+z ctrl+y "
        "ctrl+shift+z g ctrl+s F12 shift+F12 bracketleft bracketright plus minus Escape m u k e s ctrl+d Delete "
        "Next Prior i shift+i shift+f F6 shift+b comma period Left Right Up Down Return shift+Return End l j F10 "
        "shift+space ctrl+e ctrl+o ctrl+plus ctrl+minus ctrl+0 BackSpace ctrl+a ";
    static const char held[] = "w a s d e shift comma period bracketleft plus Right n ";
    static const char modifiers[] = "alt ctrl shift ";
    int x;
    int y;
    int length;
    random_point(events, &x, &y);
    const int button = random_between(events, 1, 5);
    const int right = random_between(events, -100, 100);
    const int down = random_between(events, -50, 50);
    const char *word;
    switch (random_between(events, 0, 23)) {
    case 0: // a key that is held, with the right button: the camera flies
        word = random_word(events, held, &length);
        (void)snprintf(text, size, "mousemove %d %d mousedown 3 keydown %.*s sleep 0.1 keyup %.*s mouseup 3", x, y,
                       length, word, length, word);
        break;
    case 1:
        (void)snprintf(text, size, "mousemove %d %d click --repeat %d --delay 1 %d", x, y, 1 + abs(right) / 10,
                       4 + button % 2);
        break;
    case 2: // a number, in a field that may be there
        (void)snprintf(text, size, "mousemove %d %d click 1 key --delay 1 ctrl+a %s%d period %d %s", x, y,
                       right < 0 ? "minus " : "", abs(right) % 10, abs(down) % 10, down < 0 ? "Return" : "Tab");
        break;
    case 3:
        events->width = random_between(events, 1, MAX_WIDTH);
        events->height = random_between(events, 1, MAX_HEIGHT);
        (void)snprintf(text, size, "windowsize %s %d %d", window.id, events->width, events->height);
        break;
    case 4:
        (void)snprintf(text, size, "windowunmap --sync %s sleep 0.05 windowmap --sync %s windowmove %s 0 0", window.id,
                       window.id, window.id);
        break;
    case 5: // pressed and released outside of the window
        (void)snprintf(text, size, "mousemove %d %d mousedown 1 mousemove %d %d mouseup 1", x, y, events->width + 20,
                       y);
        break;
    case 6:
    case 7:
    case 8:
    case 9: // drags with a modifier
        word = random_word(events, modifiers, &length);
        (void)snprintf(text, size,
                       "keydown %.*s mousemove %d %d mousedown %d mousemove_relative -- %d %d mouseup %d keyup %.*s",
                       length, word, x, y, button, right, down, button, length, word);
        break;
    case 10:
    case 11:
    case 12:
    case 13:
        (void)snprintf(text, size, "mousemove %d %d mousedown %d mousemove_relative -- %d %d mouseup %d", x, y, button,
                       right, down, button);
        break;
    case 14:
    case 15:
    case 16:
    case 17:
        (void)snprintf(text, size, "mousemove %d %d click %d", x, y, button);
        break;
    case 18:
        if (down % 3 == 0) { // a third of them, as a scene that is opened takes time
            (void)snprintf(text, size, "drop %d %d %s", x, y,
                           dropped[abs(right) % (int)(sizeof dropped / sizeof dropped[0])]);
            return;
        }
        // fallthrough
    default:
        word = random_word(events, keys, &length);
        (void)snprintf(text, size, "mousemove %d %d key %.*s", x, y, length, word);
    }
    if (is_avoided(x, y)) {
        text[0] = '\0';
    }
}

// without its libraries, files are not dropped
static void drop_and_log(const char *event)
{
    int x;
    int y;
    char name[64];
    log_event(event);
    assert_int_equal(sscanf(event, "drop %d %d %63s", &x, &y, name), 3);
#ifdef BRUME_HAS_X11
    char path[1100];
    assert_non_null(getcwd(path, 1024));
    const size_t used = strlen(path);
    (void)snprintf(path + used, sizeof path - used, "/%s", name);
    drops_taken += drop_file(window.id, path, x, y, 10.0);
#endif
}

static void make_dropped_files(const char *scene)
{
    static const char sky[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n";
    char saved[128];
    (void)snprintf(saved, sizeof saved, "%s-0001.yaml", scene);
    send_events("key g");
    wait_for_file(&window.program, saved);
    (void)unlink("start.yaml");
    assert_int_equal(link(saved, "start.yaml"), 0);
    make_file("broken.yaml", "name: Broken\ndomain: {size: [1, 1]}\n");
    make_file("damaged.hdr", sky);
    make_file("text.txt", "A line that is no scene.\n");
    make_file("sky.hdr", sky);
    FILE *file = fopen("sky.hdr", "a");
    assert_non_null(file);
    for (int n = 0; n < 8; n++) {
        static const unsigned char pixels[2][4] = {{80, 120, 200, 128}, {40, 30, 20, 128}};
        (void)fwrite(pixels[n / 4], 1, 4, file);
    }
    assert_int_equal(fclose(file), 0);
}

// Ctrl + Q, again while pictures wait to be written, which the test does not use. A key that is pressed in a field of
// text is text.
static void close_after_events(const char *scene, int count)
{
    static ProgramRun run;
    char events[256];
    (void)snprintf(events, sizeof events,
                   "windowsize %s 640 480 windowmove %s 0 0 windowfocus %s mousemove 400 200 key Escape key ctrl+q",
                   window.id, window.id, window.id);
    send_and_log(scene, count, events);
    bool ended = ends_within(&window.program, 10.0);
    for (int n = 0; n < 12 && !ended; n++) {
        (void)try_events("key ctrl+q", events, sizeof events); // it may be closing
        ended = ends_within(&window.program, 15.0);
    }
    if (!ended) {
        (void)kill(window.program.pid, SIGKILL);
    }
    finish_program(&window.program, &run);
    window.program.pid = 0;
    if (!ended || run.status != 0 || run.err[0] != '\0') {
        fail_msg("%s: %s; exit status %d, expected 0; on standard error: %s", scene,
                 ended ? "the window has closed" : "the window does not close on Ctrl + Q", run.status, run.err);
    }
}

static long number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

// a different seed for each scene, whichever scenes are run
static uint32_t seed_of(const char *scene)
{
    const char *wanted = getenv("BRUME_RANDOM_SEED");
    uint32_t seed = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : DEFAULT_SEED;
    for (; *scene; scene++) {
        seed = (seed ^ (uint32_t)(unsigned char)*scene) * 16777619u;
    }
    return seed;
}

static void run_events(const char *scene, int count)
{
    char arguments[1024];
    Events events = {.seed = seed_of(scene), .width = 640, .height = 480};
    // small pictures and grids, and little memory, so that its limits are reached
    (void)snprintf(arguments, sizeof arguments,
                   BRUME_SOURCE_DIR "/scenes/%s.yaml --size 640x480 -D solver.resolution=16 -D image.width=64 "
                                    "-D image.height=48 -D image.samples=1 --memory 16M --disk 4M "
                                    "--controls controls.yaml --stats stats.json",
                   scene);
    open_window(&window, scene, arguments);
    make_dropped_files(scene);
    drops_taken = 0;
    for (int event = 0; event < count;) {
        char group[2048] = "";
        char text[256] = "";
        const char *drop = NULL;
        for (int left = random_between(&events, 1, 4); left > 0 && event < count && !drop; left--) {
            make_event(&events, text, sizeof text);
            drop = strncmp(text, "drop ", 5) == 0 ? text : NULL;
            if (drop) {
                event++;
                continue;
            }
            const size_t used = strlen(group);
            (void)snprintf(group + used, sizeof group - used, "%s%s", text, text[0] ? " " : "");
            event++;
        }
        if (group[0]) {
            const size_t used = strlen(group);
            (void)snprintf(group + used, sizeof group - used, "windowfocus %s", window.id);
            send_and_log(scene, event, group);
        }
        if (drop) {
            drop_and_log(drop);
        }
        fail_if_ended(scene, event, 0.0);
    }
    close_after_events(scene, count);
    size_t size;
    char *stats = read_whole_file("stats.json", &size);
    assert_true(is_json(stats));
    const long pictures = number_after(stats, "\"pictures\": ");
    print_message("%s: %d events, %d files taken, %ld pictures, %ld drawn, frame %ld\n", scene, count, drops_taken,
                  pictures, number_after(stats, "\"renders\": "), number_after(stats, "\"frames\": "));
    assert_true(pictures > 0);
    free(stats);
}

static int is_scene(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

// the names of the scenes, separated by commas
static void list_scenes(char *names, size_t size)
{
    struct dirent **entries = NULL;
    const int count = scandir(BRUME_SOURCE_DIR "/scenes", &entries, is_scene, alphasort);
    assert_true(count > 0);
    names[0] = '\0';
    for (int n = 0; n < count; n++) {
        const size_t used = strlen(names);
        const size_t length = strlen(entries[n]->d_name) - 5;
        (void)snprintf(names + used, size - used, "%s%.*s", n > 0 ? "," : "", (int)length, entries[n]->d_name);
        free(entries[n]);
    }
    free((void *)entries);
}

// Random keys, clicks, drags, texts, sizes of the window and such: the program goes on, and quits on Ctrl + Q without a
// word.
static void test_random_events(void **state)
{
    (void)state;
    char names[4096];
    const char *scenes = getenv("BRUME_RANDOM_SCENES");
    const char *wanted = getenv("BRUME_RANDOM_EVENTS");
    const int count = wanted ? atoi(wanted) : DEFAULT_EVENTS;
    (void)snprintf(names, sizeof names, "%s", scenes ? scenes : default_scenes);
    if (scenes && strcmp(scenes, "all") == 0) {
        list_scenes(names, sizeof names);
    }
    // the window is as small as the last event has made it, and the dialog is that of the window
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    char folder[1024];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(setenv("HOME", folder, 1), 0);
    const char *log_path = getenv("BRUME_RANDOM_LOG");
    char *rest = NULL;
    for (const char *scene = strtok_r(names, ",", &rest); scene; scene = strtok_r(NULL, ",", &rest)) {
        event_log = log_path ? fopen(log_path, "w") : NULL;
        run_events(scene, count);
        if (event_log) {
            (void)fclose(event_log);
            event_log = NULL;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_events, enter_window_folder, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
