#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/commands.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "viewer/viewer.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PRESETS = 64 };

typedef struct ViewSettings {
    BrumeCommonOptions common; // size: that of the last session if it is not given
    BrumeViewerRenderer renderer;
    bool paused, fullscreen, plain;
    double slow; // shortest wall time of a frame [ms]
    const char *stats;
} ViewSettings;

// the installed scenes
typedef struct PresetList {
    int count;
    char paths[MAX_PRESETS][BRUME_MAX_PATH];
    char names[MAX_PRESETS][64];
    const char *path_list[MAX_PRESETS];
    const char *name_list[MAX_PRESETS];
} PresetList;

static int is_scene(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0 && entry->d_name[0] != '.';
}

static void find_presets(PresetList *presets, const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_scene, alphasort);
    for (int n = 0; n < count; n++) {
        char *path = presets->paths[presets->count];
        BrumeScene *scene = NULL;
        BrumeError error;
        if (presets->count < MAX_PRESETS &&
            snprintf(path, BRUME_MAX_PATH, "%s/%s", folder, entries[n]->d_name) < BRUME_MAX_PATH &&
            brume_scene_load(&scene, path, NULL, 0, &error) == BRUME_OK) {
            (void)snprintf(presets->names[presets->count], sizeof presets->names[0], "%s", scene->name);
            presets->path_list[presets->count] = path;
            presets->name_list[presets->count] = presets->names[presets->count];
            presets->count++;
        }
        brume_scene_destroy(scene);
        free(entries[n]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static BrumeStatus parse_renderer(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {"auto", "cpu", "gl"};
    for (int n = 0; n < 3; n++) {
        if (strcmp(value, words[n]) == 0) {
            *(BrumeViewerRenderer *)member = (BrumeViewerRenderer)n;
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a renderer (auto, cpu or gl)", option, value);
}

static BrumeStatus view(const ViewSettings *settings, const char *scene, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_find_scene("plume.yaml", path, error);
    if (status != BRUME_OK && !scene) {
        return status;
    }
    static PresetList presets;
    if (status == BRUME_OK) {
        char folder[BRUME_MAX_PATH];
        (void)snprintf(folder, sizeof folder, "%s", path);
        *strrchr(folder, '/') = '\0';
        find_presets(&presets, folder);
    }
    const BrumeViewerDef def = {
        .scene_path = scene ? scene : path,
        .overrides = settings->common.overrides.texts,
        .override_count = settings->common.overrides.count,
        .presets = {presets.count, presets.path_list, presets.name_list},
        .renderer = settings->renderer,
        .threads = brume_choose_threads(settings->common.threads),
        .width = settings->common.size.width,
        .height = settings->common.size.height,
        .paused = settings->paused,
        .fullscreen = settings->fullscreen,
        .plain = settings->plain,
        .min_frame_ms = settings->slow,
        .stats = settings->stats,
    };
    return brume_viewer_run(&def, error);
}

static int run_view(const BrumeCommand *command, int argc, char **argv)
{
    static ViewSettings settings;
    BrumeError error;
    const char *scene = NULL;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &scene, &settings, &error);
    if (status == BRUME_OK) {
        status = view(&settings, scene, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    return (int)status;
}

#define MEMBER(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(ViewSettings, member)

static const BrumeOption options[] = {
    {.name = "renderer",
     .value = "NAME",
     MEMBER(CUSTOM, renderer),
     .parse = parse_renderer,
     .help = "cpu: the raymarcher of `brume render`; gl: OpenGL;\nauto (default): gl, or cpu where OpenGL is software"},
    {.name = "paused", MEMBER(FLAG, paused), .help = "start paused (Space runs)"},
    {.name = "fullscreen", MEMBER(FLAG, fullscreen), .help = "start in full screen"},
    {.name = "plain", MEMBER(FLAG, plain), .help = "start without panel and HUD (Tab and H show them)"},
    {.name = "slow",
     .value = "MS",
     MEMBER(NUMBER, slow),
     .least = 0,
     .most = 60000,
     .help = "let every simulated frame take at least MS milliseconds, to test that\nthe window stays responsive"},
    {.name = "stats",
     .value = "FILE",
     MEMBER(TEXT, stats),
     .help = "write picture rates and latencies as JSON when the window is closed"},
};

const BrumeCommand brume_view_command = {
    .name = "view",
    .summary = "run a scene in a window, interactively",
    .details = "Opens a window that shows the running simulation of a scene. F1 in the window lists all\n"
               "keys. G writes a scene file from which `brume render` draws the same picture.",
    .usage = "[SCENE] [options]",
    .operand = "SCENE",
    .operand_needed = false,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS | BRUME_COMMON_SIZE,
    .run = run_view,
};
