// Parts of the program that need no run: frame paths, progress, number formats, the traffic model.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/bench/case.h"
#include "app/bench/traffic.h"
#include "app/cli/args.h"
#include "app/cli/format.h"
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "core/suggest.h"
#include "core/text.h"
#include "core/vec3.h"
#include "exchange/frame_grids.h"

static void assert_near(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.9g, expected %.9g within %.2g", what, value, expected, tolerance);
    }
}

static void assert_path(const char *text, int frame, const char *expected)
{
    BrumeOutputPattern pattern;
    BrumeError error;
    char path[BRUME_MAX_PATH];
    const BrumePatternDef def = {.option = "--output", .extensions = brume_image_extensions};
    assert_int_equal(brume_pattern_read(&pattern, text, &def, 1, &error), BRUME_OK);
    brume_pattern_path(&pattern, frame, path);
    assert_string_equal(path, expected);
}

static void test_pattern(void **state)
{
    (void)state;
    assert_path("out/plume.####.png", 7, "out/plume.0007.png");
    assert_path("out/plume.####.png", 12345, "out/plume.12345.png");
    assert_path("#.png", 3, "3.png");
    assert_path("a%04d.PNG", 42, "a0042.PNG");
    assert_path("a%d.png", 42, "a42.png");
    assert_path("take#2/a#1.###.png", 42, "take#2/a#1.042.png"); // the last run in the file name
    assert_path("100%/a.##.png", 5, "100%/a.05.png");
    assert_path("still.png", 5, "still.png");
}

static void test_range(void **state)
{
    (void)state;
    BrumeError error;
    BrumeFrameRange range;
    assert_int_equal(brume_parse_frames(&range, "--frames", "3:11:4", &error), BRUME_OK);
    assert_int_equal(brume_frames_resolve(&range, 12, 1, &error), BRUME_OK);
    assert_int_equal(brume_frames_count(&range), 3);
    assert_int_equal(brume_frames_at(&range, 2), 11);
    assert_int_equal(brume_parse_frames(&range, "--frames", "1:10:4", &error), BRUME_OK);
    assert_int_equal(brume_frames_resolve(&range, 12, 1, &error), BRUME_OK);
    assert_int_equal(range.last, 9); // the simulation ends with the last frame that is drawn
    assert_true(brume_frames_contain(&range, 5));
    assert_false(brume_frames_contain(&range, 4));
    range = (BrumeFrameRange){0};
    assert_int_equal(brume_frames_resolve(&range, 12, 1, &error), BRUME_OK);
    assert_int_equal(brume_frames_count(&range), 12);
}

static void test_progress_follows_the_trailing_window(void **state)
{
    (void)state;
    BrumeProgress progress;
    double now = 100.0;
    brume_progress_start(&progress, 0, 100, now);
    assert_near(brume_progress_left(&progress), 0.0, 0.0, "time left before the first frame");
    for (int n = 0; n < 20; n++) {
        brume_progress_count(&progress, now += 1.0, 1e6, 0.5);
    }
    assert_near(brume_progress_left(&progress), 80.0, 1e-9, "time left at a second a frame");
    for (int n = 0; n < BRUME_PROGRESS_WINDOW; n++) {
        brume_progress_count(&progress, now += 3.0, 1e6, 0.5);
    }
    // 68 frames remain; the window contains only the slow ones
    assert_near(brume_progress_left(&progress), 204.0, 1e-9, "time left at three seconds a frame");
    char line[128];
    brume_progress_line(&progress, line, sizeof line);
    assert_string_equal(line, "frame 32/100  32%  elapsed 0:56  left 3:24  2.0 Mcells/s");
}

static void test_format(void **state)
{
    (void)state;
    assert_string_equal(brume_format_bytes(999).text, "999 B");
    assert_string_equal(brume_format_bytes(1000).text, "1.00 kB");
    assert_string_equal(brume_format_bytes(152.4e6).text, "152 MB");
    assert_string_equal(brume_format_bytes(9.996e9).text, "10.0 GB");
    assert_string_equal(brume_format_bytes(999.6e6).text, "1.00 GB");
    assert_string_equal(brume_format_count(2097152).text, "2.10 M");
    assert_string_equal(brume_format_duration(6.6).text, "0:07");
    assert_string_equal(brume_format_duration(306).text, "5:06");
    assert_string_equal(brume_format_duration(3723).text, "1:02:03");
}

static void test_json_text(void **state)
{
    (void)state;
    BrumeText text = {0};
    brume_text_add_json_string(&text, "a \"b\" \\ c\n\x01 \xc3\xa9");
    brume_text_add(&text, " ");
    brume_text_add_json_number(&text, 0.5, 6);
    brume_text_add(&text, " ");
    brume_text_add_json_number(&text, (double)NAN, 6);
    assert_string_equal(text.data, "\"a \\\"b\\\" \\\\ c\\u000a\\u0001 \xc3\xa9\" 0.5 null");
    brume_text_destroy(&text);
}

// common options are parsed as the command's own, and follow them in the help
static void test_common_options(void **state)
{
    (void)state;
    typedef struct Settings {
        BrumeCommonOptions common;
        bool fast;
    } Settings;
    static const BrumeOption own = {
        .name = "fast", .kind = BRUME_OPTION_FLAG, .offset = offsetof(Settings, fast), .help = ""};
    static const BrumeCommand command = {.name = "test",
                                         .operand = "SCENE",
                                         .options = &own,
                                         .option_count = 1,
                                         .common = BRUME_COMMON_DEFINE | BRUME_COMMON_SIZE};
    static const BrumeCommand *const commands[] = {&command, NULL};
    assert_string_equal(brume_command_option(&command, 0)->name, "fast");
    assert_string_equal(brume_command_option(&command, 1)->name, "define");
    assert_string_equal(brume_command_option(&command, 2)->name, "size");
    assert_null(brume_command_option(&command, 3));

    char *arguments[] = {"brume", "test", "-Da=1", "--size", "40x30", "a.yaml", "--define", "b=2", "--fast", NULL};
    Settings settings = {.fast = false};
    const char *scene = NULL;
    BrumeError error;
    assert_int_equal(brume_args_parse(&command, commands, 9, arguments, &scene, &settings, &error), BRUME_OK);
    assert_string_equal(scene, "a.yaml");
    assert_int_equal(settings.common.overrides.count, 2);
    assert_string_equal(settings.common.overrides.texts[0], "a=1");
    assert_string_equal(settings.common.overrides.texts[1], "b=2");
    assert_int_equal(settings.common.size.width, 40);
    assert_int_equal(settings.common.size.height, 30);
    assert_true(settings.fast);

    char *not_common[] = {"brume", "test", "--threads", "2", NULL};
    assert_int_equal(brume_args_parse(&command, commands, 4, not_common, &scene, &settings, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "unknown option '--threads' of 'test' (see 'brume help test')");
}

static void test_suggestions(void **state)
{
    (void)state;
    assert_int_equal(brume_edit_distance("frames", "framse"), 1);
    assert_int_equal(brume_edit_distance("temprature", "temperature"), 1);
    assert_int_equal(brume_edit_distance("", "abc"), 3);
    assert_int_equal(brume_edit_distance("kitten", "sitting"), 3);
    BrumeSuggestion suggestion = {.word = "rendr"};
    brume_suggest(&suggestion, "bench");
    assert_null(suggestion.name);
    brume_suggest(&suggestion, "render");
    assert_string_equal(suggestion.name, "render");
    suggestion = (BrumeSuggestion){.word = "dust_rate"};
    brume_suggest(&suggestion, "fuel_rate");
    brume_suggest(&suggestion, "dust");
    assert_string_equal(suggestion.name, "dust");
    suggestion = (BrumeSuggestion){.word = "sand"};
    brume_suggest(&suggestion, "end");
    assert_null(suggestion.name);
}

// the figures of docs/benchmarks.md
static void test_traffic(void **state)
{
    (void)state;
    BrumeSimDef def = brume_default_sim_def();
    def.advection = "maccormack";
    def.pressure = "mgpcg";
    def.color_count = 0;
    def.viscosity = def.thermal_diffusivity = def.vorticity_confinement = 0.0f;
    def.smoke[0].diffusivity = 0.0f;
    static const struct {
        const char *integrator, *transport;
        double bytes[BRUME_STAGE_COUNT]; // velocity, scalars, emit, forces, diffusion, projection
    } expected[] = {
        {"second-order", "ppm", {156.0, 52.0, 0.0, 36.0, 0.0, 65.0 + 4 * 60.0}},
        {"split", "maccormack", {84.0, 64.0, 0.0, 32.0, 0.0, 57.0 + 4 * 60.0}},
    };
    for (size_t n = 0; n < 2; n++) {
        def.integrator = expected[n].integrator;
        def.transport = expected[n].transport;
        for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
            assert_near(brume_min_traffic(&def, (BrumeStage)stage, 4.0), expected[n].bytes[stage], 0.0,
                        brume_stage_name((BrumeStage)stage));
        }
    }
    static const struct {
        const char *method;
        double bytes;
    } iterations[] = {{"mgpcg", 60.0}, {"multigrid", 26.0}, {"cg", 34.0},  {"relaxation", 13.0},
                      {"dct", 24.0},   {"fft", 24.0},       {"auto", 24.0}};
    for (size_t n = 0; n < sizeof iterations / sizeof iterations[0]; n++) {
        assert_string_equal(brume_pressure_name((int)n), iterations[n].method); // no solver is missing in the list
        def.pressure = iterations[n].method;
        assert_near(brume_min_traffic(&def, BRUME_STAGE_PROJECTION, 1.0), 57.0 + iterations[n].bytes, 0.0,
                    iterations[n].method);
    }
    assert_null(brume_pressure_name(sizeof iterations / sizeof iterations[0]));
    def.body_count = 1;
    assert_near(brume_min_traffic(&def, BRUME_STAGE_PROJECTION, 1.0), 57.0 + 60.0, 0.0, "auto with a body");
    def.body_count = 0;
    def.viscosity = 1e-3f;
    assert_near(brume_min_traffic(&def, BRUME_STAGE_DIFFUSION, 4.0), 24.0, 0.0, "diffusion of velocity");
}

static void test_bench_cube(void **state)
{
    (void)state;
    BrumeSimDef def = brume_default_sim_def();
    def.nx = 16;
    def.ny = 24;
    def.nz = 8;
    def.dx = 0.125f;
    def.origin = brume_vec3(-1.0f, 0.0f, -0.5f);
    brume_bench_resize(&def, 48);
    assert_int_equal(def.nx, 48);
    assert_int_equal(def.ny, 48);
    assert_int_equal(def.nz, 48);
    assert_near((double)def.dx, 0.0625, 0.0, "dx");
    assert_near((double)def.origin.x, -1.5, 0.0, "x of the lower corner");
    assert_near((double)def.origin.y, 0.0, 0.0, "y of the lower corner");
    assert_near((double)def.origin.z, -1.5, 0.0, "z of the lower corner");
}

/* Cells of a damaged volume file: nothing is allocated for them. */
static void test_grids_of_impossible_sizes(void **state)
{
    (void)state;
    static const BrumeGrid cells[] = {{0, 1, 1, NULL},       {1, -1, 1, NULL},         {131073, 1, 1, NULL},
                                      {1, 1, INT_MAX, NULL}, {INT_MIN, 1024, 1, NULL}, {0, 0, 0, NULL}};
    for (size_t n = 0; n < sizeof cells / sizeof cells[0]; n++) {
        BrumeFrameGrids frame = {.cells = cells[n]};
        BrumeFrameGrid *grid = NULL;
        BrumeError error;
        char expected[256];
        assert_int_equal(brume_frame_grids_add(&frame, "density", "1", 3, BRUME_AT_CENTERS, &grid, &error),
                         BRUME_BAD_INPUT);
        (void)snprintf(expected, sizeof expected,
                       "the grid 'density' has %d x %d x %d cells, but must have from 1 to 131072 along each axis",
                       cells[n].nx, cells[n].ny, cells[n].nz);
        assert_string_equal(error.text, expected);
        assert_null(grid);
        assert_int_equal(frame.count, 0);
    }
    BrumeFrameGrids frame = {.cells = {131072, 131072, 131072, NULL}}; // no machine has as much memory
    BrumeFrameGrid *grid = NULL;
    BrumeError error;
    assert_int_equal(brume_frame_grids_add(&frame, "density", "1", 3, BRUME_AT_CENTERS, &grid, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, "the grid 'density' of 131072 x 131072 x 131072 cells"));
    assert_null(grid);
    assert_int_equal(frame.count, 0);
    brume_frame_grids_destroy(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_progress_follows_the_trailing_window),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_json_text),
        cmocka_unit_test(test_common_options),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_bench_cube),
        cmocka_unit_test(test_grids_of_impossible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
