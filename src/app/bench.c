#include "app/bench/report.h"
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/commands.h"
#include "brume/threads.h"
#include "core/error.h"

#include <string.h>

// default values of options
static const double default_warmup = 2.0; // [s]
enum { DEFAULT_STEPS = 9, DEFAULT_ROUNDS = 9 };
static const BrumeIntList solver_sizes = {.count = 3, .values = {64, 96, 128}};
static const BrumeIntList renderer_sizes = {.count = 2, .values = {128, 256}};
static const BrumeImageSize default_image = {960, 540};

static BrumeStatus parse_list(BrumeIntList *list, const char *option, const char *value, int least, int most,
                              BrumeError *error)
{
    *list = (BrumeIntList){0};
    for (const char *part = value; part;) {
        const size_t length = strcspn(part, ",");
        char text[16];
        if (length >= sizeof text || list->count == BRUME_BENCH_MAX_VALUES) {
            goto failed;
        }
        memcpy(text, part, length);
        text[length] = '\0';
        if (!brume_parse_int(text, least, most, &list->values[list->count++])) {
            goto failed;
        }
        part = part[length] == ',' ? part + length + 1 : NULL;
    }
    return BRUME_OK;
failed:
    return brume_fail(error, BRUME_BAD_INPUT,
                      "%s: '%s' is not a list of up to %d whole numbers from %d to %d, as %d,%d", option, value,
                      BRUME_BENCH_MAX_VALUES, least, most, least, 2 * least);
}

static BrumeStatus parse_sizes(void *member, const char *option, const char *value, BrumeError *error)
{
    return parse_list(member, option, value, 8, 2048, error);
}

static BrumeStatus parse_threads(void *member, const char *option, const char *value, BrumeError *error)
{
    return parse_list(member, option, value, 1, 1024, error);
}

static BrumeIntList default_threads(void)
{
    const int cores = brume_physical_cores();
    return (BrumeIntList){.count = cores > 1 ? 2 : 1, .values = {1, cores}};
}

// fails for an option without effect, and sets the others to their defaults
static BrumeStatus complete(BrumeBenchSettings *settings, const char *scene, BrumeError *error)
{
    if (!settings->render && (settings->rounds > 0 || settings->image.width > 0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s measures the renderer (give --render)",
                          settings->rounds > 0 ? "--rounds" : "--image");
    }
    if (settings->render && (settings->weak.count > 0 || settings->steps > 0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s measures the solver, --render the renderer (give one of them)",
                          settings->weak.count > 0 ? "--weak" : "--steps");
    }
    if (settings->render && !scene && (settings->warmup >= 0.0 || settings->common.overrides.count > 0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s needs a scene (without one, --render draws a procedural plume)",
                          settings->warmup >= 0.0 ? "--warmup" : "-D");
    }
    if (settings->sizes.count == 0) {
        settings->sizes = settings->render ? renderer_sizes : solver_sizes;
    }
    settings->warmup = settings->warmup >= 0.0 ? settings->warmup : default_warmup;
    settings->steps = settings->steps > 0 ? settings->steps : DEFAULT_STEPS;
    settings->rounds = settings->rounds > 0 ? settings->rounds : DEFAULT_ROUNDS;
    settings->image = settings->image.width > 0 ? settings->image : default_image;
    return BRUME_OK;
}

static int run_bench(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeBenchSettings settings = {.warmup = -1.0};
    settings.threads = default_threads();
    BrumeError error;
    const char *scene;
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &scene, &settings, &error);
    if (status == BRUME_OK) {
        status = complete(&settings, scene, &error);
    }
    if (status == BRUME_OK && !scene && !settings.render) {
        status = brume_find_scene("plume.yaml", path, &error);
        scene = path;
    }
    if (status == BRUME_OK) {
        status =
            brume_bench_run(settings.render ? &brume_bench_renderer : &brume_bench_solver, &settings, scene, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    return (int)status;
}

#define MEMBER(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeBenchSettings, member)

static const BrumeOption options[] = {
    {.name = "sizes",
     .value = "N,N,...",
     MEMBER(CUSTOM, sizes),
     .parse = parse_sizes,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help =
         "cells along a side (default: 64,96,128; with --render 128,256);\nthe box is extended to a cube of N^3 cells"},
    {.name = "weak",
     .value = "N,N,...",
     MEMBER(CUSTOM, weak),
     .parse = parse_sizes,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "measure weak scaling too: cubes with N^3 cells per thread"},
    {.name = "threads",
     .letter = 't',
     .value = "N,N,...",
     MEMBER(CUSTOM, threads),
     .parse = parse_threads,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "numbers of threads (default: 1 and the number of physical cores)"},
    {.name = "warmup",
     .value = "SECONDS",
     MEMBER(NUMBER, warmup),
     .least = 0,
     .most = 3600,
     .help = "simulated time before the measurement (default: 2)"},
    {.name = "steps",
     .value = "N",
     MEMBER(INT, steps),
     .least = 5,
     .most = 100000,
     .help = "steps to measure (default: 9, at least 5)"},
    {.name = "render",
     MEMBER(FLAG, render),
     .help = "measure the renderer: load, light, draw and tone of a picture\nof the scene, or without a scene of a "
             "procedural plume"},
    {.name = "rounds",
     .value = "N",
     MEMBER(INT, rounds),
     .least = 5,
     .most = 100000,
     .help = "measurements of each time with --render (default: 9, at\nleast 5)"},
    {.name = "image",
     .value = "WxH",
     MEMBER(CUSTOM, image),
     .parse = brume_parse_size,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "pixels of the picture with --render (default: 960x540)"},
    {.name = "csv",
     .value = "FILE",
     MEMBER(TEXT, csv),
     .complete = {BRUME_COMPLETE_FILES, "csv"},
     .help = "write the results as CSV"},
};

static const BrumeEntry examples[] = {
    {"brume bench --sizes 64,128 --threads 1,2,4 --csv steps.csv", "measures two sizes with three numbers of threads"},
    {"brume bench --render --sizes 128 --csv pictures.csv", "measures the renderer"},
    {NULL, NULL},
};

const BrumeCommand brume_bench_command = {
    .name = "bench",
    .summary = "measure the solver or the renderer at several sizes and numbers of threads",
    .details = "Simulates a scene until the flow is developed and measures its steps: time of a step and\n"
               "of each stage, pressure iterations, cells per second, memory, and the minimum memory\n"
               "traffic per second as a share of a triad's bandwidth measured in the same run. The state\n"
               "must be the same with all numbers of threads; otherwise the exit status is 1. The default\n"
               "SCENE is scenes/plume.yaml.\n"
               "With --render, measures the renderer instead: time of each stage of a picture, samples per\n"
               "second as a share of a trilinear kernel's rate measured in the same run, the gain of skipping\n"
               "empty regions, and the speed-up of more threads. The picture must be the same in all cases.",
    .usage = "[SCENE] [options]",
    .operand = "SCENE",
    .complete = {BRUME_COMPLETE_FILES, "yaml yml"},
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE,
    .run = run_bench,
};
