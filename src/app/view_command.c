#include "app/commands.h"
#include "app/view.h"
#include "core/error.h"

#include <string.h>

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

static BrumeStatus parse_disk(void *member, const char *option, const char *value, BrumeError *error)
{
    BrumeDiskOption *disk = member;
    *disk = (BrumeDiskOption){.given = true};
    return strcmp(value, "0") == 0 ? BRUME_OK : brume_parse_bytes(&disk->bytes, option, value, error);
}

#define MEMBER(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeViewOptions, member)

static const BrumeOption options[] = {
    {.name = "look",
     .value = "SCENE",
     MEMBER(TEXT, look),
     .complete = {BRUME_COMPLETE_FILES, "yaml yml"},
     .help =
         "show volumes with camera, lights and materials of this scene\n(default: of the scene that the volumes were "
         "simulated from)"},
    {.name = "memory",
     .value = "SIZE",
     MEMBER(CUSTOM, memory),
     .parse = brume_parse_bytes,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help =
         "memory for volumes, or for the past of a simulation: its frames on\nthe timeline, and states for undo, as "
         "8G (default: a quarter of the\nphysical memory)"},
    {.name = "disk",
     .value = "SIZE",
     MEMBER(CUSTOM, disk),
     .parse = parse_disk,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "temporary file for frames of a simulation that have no room in memory,\nas 20G; 0: none (default: 8G, at "
             "most half of the free space)"},
    BRUME_DENSITY_GRID_OPTION(MEMBER(CUSTOM, density_grid)),
    {.name = "watch", MEMBER(FLAG, watch), .help = "add volumes to the timeline that appear while the window is open"},
    {.name = "renderer",
     .value = "NAME",
     MEMBER(CUSTOM, renderer),
     .parse = parse_renderer,
     .complete = {BRUME_COMPLETE_WORDS, "auto cpu gl"},
     .help =
         "cpu: the ray marcher of `brume render`; gl: OpenGL;\nauto (default): gl, or cpu where OpenGL is software"},
    {.name = "paused", MEMBER(FLAG, paused), .help = "start paused (Space runs)"},
    {.name = "fullscreen", MEMBER(FLAG, fullscreen), .help = "start in full screen"},
    {.name = "plain", MEMBER(FLAG, plain), .help = "start without panel and HUD (Tab and H show them)"},
    {.name = "slow",
     .value = "MS",
     MEMBER(NUMBER, slow),
     .least = 0,
     .most = 60000,
     .help = "make every simulated frame take at least MS milliseconds: motion\nstays as smooth as without"},
    {.name = "stats",
     .value = "FILE",
     MEMBER(TEXT, stats),
     .complete = {BRUME_COMPLETE_FILES, "json"},
     .help = "write rates and latencies as JSON when the window is closed"},
    {.name = "controls",
     .value = "FILE",
     MEMBER(TEXT, controls),
     .complete = {BRUME_COMPLETE_FILES, "yaml"},
     .help = "keep the positions of all visible controls in a file, for scripts\nthat operate the window"},
    {.name = "log-pictures",
     .value = "FOLDER",
     MEMBER(TEXT, log_pictures),
     .complete = {BRUME_COMPLETE_FOLDERS, NULL},
     .help = "write clock, camera and frame of every picture that was shown, and\nthe pixels of every tenth, to FOLDER "
             "when the window is closed"},
};

static const BrumeEntry examples[] = {
    {"brume view", "opens the included plume"},
    {"brume view wind_tunnel.yaml -D solver.resolution=64 --paused",
     "opens a scene on a coarser grid, and waits for Space"},
    {"brume view model.glb -D bodies.0.up=z", "puts the triangles of a mesh file into rising smoke"},
    {"brume view 'cache/plume.####.hdf' --watch", "plays volumes, also those that brume sim still writes"},
    {NULL, NULL},
};

static const BrumeEntry files[] = {
    {"~/.local/state/brume/viewer.yaml",
     "position and size of the window, whether panel and HUD are shown, the size "
     "of pictures, and choices of exports; in $XDG_STATE_HOME/brume/ if that variable is set"},
    {"~/.local/state/brume/jobs/",
     "jobs that are not complete, one file each, so that the next window offers to resume "
     "them; in $XDG_STATE_HOME/brume/jobs/ if that variable is set"},
    {"~/.local/share/brume/looks/", "own presets of media and lights, in the folders `media` and `lights`; in "
                                    "$XDG_DATA_HOME/brume/looks/ if that variable is set"},
    {NULL, NULL},
};

const BrumeCommand brume_view_command = {
    .name = "view",
    .summary = "open a window: fly through the smoke, apply strokes, change parameters",
    .details = "Opens a window with a running simulation. F1 in the window explains all keys. G writes a\n"
               "scene file from which `brume render` draws the same picture. Without SCENE: the plume.\n"
               "VOLUMES, as cache/plume.####.hdf, are played and scrubbed on a timeline; nothing is\n"
               "simulated then. A MESH, as model.glb, is a body around which smoke rises.",
    .usage = "[SCENE | VOLUMES | MESH] [options]",
    .operand = "SCENE",
    .operand_needed = false,
    .complete = {BRUME_COMPLETE_FILES, "yaml yml hdf vtkhdf vdb vti raw obj stl ply gltf glb fbx dae 3mf"},
    .examples = examples,
    .files = files,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS | BRUME_COMMON_SIZE,
    .run = brume_run_view,
};
