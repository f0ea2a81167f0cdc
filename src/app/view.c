#include "app/view.h"
#include "app/cli/interrupt.h"
#include "app/cli/messages.h"
#include "app/cli/output_files.h"
#include "app/cli/paths.h"
#include "app/cli/scene_readers.h"
#include "app/cli/sequence.h"
#include "app/commands.h"
#include "app/run/volume_source.h"
#include "app/view_files.h"
#include "app/view_volumes.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/threads.h"
#include "core/path.h"
#include "core/program_path.h"
#include "exchange/mesh_file.h"
#include "exchange/volume_format.h"
#include "viewer/viewer.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PRESETS = 64 };

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

// A BrumeMeshReader for scenes that are only listed, which reads no file: every mesh is the same tetrahedron. Fails in
// a build without mesh files, which cannot open the scene.
static BrumeStatus stand_in_for_mesh(void *context, const char *path, const BrumeMeshReadDef *read, BrumeMesh **mesh,
                                     BrumeError *error)
{
    (void)context;
    const BrumeVec3 positions[] = {{0.0f, 0.0f, 0.0f}, {0.1f, 0.0f, 0.0f}, {0.0f, 0.1f, 0.0f}, {0.0f, 0.0f, 0.1f}};
    const int corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const BrumeMeshDef def = {.vertex_count = 4,
                              .positions = positions,
                              .triangle_count = 4,
                              .corners = corners,
                              .file = path,
                              .read = *read};
    *mesh = NULL;
    return brume_reads_mesh_files() ? brume_mesh_create(mesh, &def, error)
                                    : brume_fail(error, BRUME_FAILED, "%s: mesh files are not read", path);
}

static void find_presets(PresetList *presets, const char *folder)
{
    BrumeSceneReaders readers = brume_scene_readers;
    readers.mesh = stand_in_for_mesh;
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_scene, alphasort);
    for (int n = 0; n < count; n++) {
        char *path = presets->paths[presets->count];
        BrumeScene *scene = NULL;
        BrumeError error;
        if (presets->count < MAX_PRESETS &&
            snprintf(path, BRUME_MAX_PATH, "%s/%s", folder, entries[n]->d_name) < BRUME_MAX_PATH &&
            brume_scene_load(&scene, path, NULL, 0, &readers, &error) == BRUME_OK) {
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

// the folder of the installed presets of looks; NULL where there is none
static const char *find_looks(char path[BRUME_MAX_PATH])
{
    return brume_find_scene("looks", path, NULL) == BRUME_OK ? path : NULL;
}

enum { BUDGET_SHARE = 4 }; // of the physical memory, for the frames and states of a simulation
static const size_t default_memory = (size_t)1 << 30;  // where the physical memory is not known [bytes]
static const size_t default_disk = (size_t)8000000000; // for frames that have no room in memory [bytes]

static bool unfinished; // a thread of the viewer still computes a step and uses its memory

static char next_path[BRUME_VIEWER_PATH]; // that another window opens in place of this one

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_volume(const char *path)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    return format && format->read && !brume_is_mesh_path(path);
}

// whether a path is a volume file or a pattern of volume files, by its extension, or a folder; a .ply file is a mesh
static bool may_be_volumes(const char *path) { return is_volume(path) || is_folder(path); }

static int is_volume_entry(const struct dirent *entry) { return entry->d_name[0] != '.' && is_volume(entry->d_name); }

// the first volume file of a folder
static BrumeStatus find_first(const char *folder, char file[BRUME_MAX_PATH], BrumeError *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_volume_entry, alphasort);
    const int length = count > 0 ? snprintf(file, BRUME_MAX_PATH, "%s/%s", folder, entries[0]->d_name) : 0;
    for (int n = 0; n < count; n++) {
        free(entries[n]);
    }
    if (count >= 0) {
        free(entries);
    }
    return length > 0 && length < BRUME_MAX_PATH
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "%s: there is no volume in this folder", folder);
}

// replaces the number before the extension by one # for each digit; false where there is none or no room
static bool replace_number(const char *file, char *pattern, size_t size)
{
    const char *name = brume_path_name(file);
    const char *end = strrchr(name, '.');
    const char *first = end;
    while (first && first > name && isdigit((unsigned char)first[-1])) {
        first--;
    }
    if (!first || first == end || snprintf(pattern, size, "%s", file) >= (int)size) {
        return false;
    }
    memset(pattern + (first - file), '#', (size_t)(end - first));
    return true;
}

// reads the first volume of a pattern
static BrumeStatus check_first(const char *text, BrumeError *error)
{
    BrumeOutputPattern pattern;
    BrumeSequence found = {0};
    const BrumePatternDef def = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    BrumeStatus status = brume_pattern_read(&pattern, text, &def, 1, error);
    if (status == BRUME_OK) {
        status = brume_sequence_find(&found, &pattern, 1, error);
    }
    if (status == BRUME_OK && found.count == 0) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", text);
    }
    if (status == BRUME_OK) {
        char path[BRUME_MAX_PATH];
        BrumeFrameGrids grids = {0};
        brume_pattern_path(&pattern, found.frames[0], path);
        status = brume_volume_file_read(&grids, path, error);
        brume_frame_grids_destroy(&grids);
    }
    brume_sequence_destroy(&found);
    return status;
}

// Finds the volumes of a path: for a folder the sequence of its first volume file in alphabetic order, of one file of a
// sequence all files of it, "c/p.####.hdf" for c/p.0012.hdf; a pattern, and a file whose name has no number, stay as
// they are. The first volume is read. BRUME_BAD_INPUT where there is none that can be read.
static BrumeStatus find_volumes(const char *path, char *pattern, size_t size, BrumeError *error)
{
    char file[BRUME_MAX_PATH];
    if (is_folder(path)) {
        if (find_first(path, file, error) != BRUME_OK) {
            return error->status;
        }
    } else if (snprintf(file, sizeof file, "%s", path) >= (int)sizeof file) {
        return brume_fail(error, BRUME_BAD_INPUT, "%.100s...: the path is too long", path);
    }
    const bool is_pattern = strpbrk(file, "#%") != NULL;
    if ((is_pattern || !replace_number(file, pattern, size)) && snprintf(pattern, size, "%s", file) >= (int)size) {
        return brume_fail(error, BRUME_BAD_INPUT, "%.100s...: the path is too long", path);
    }
    return check_first(pattern, error);
}

static const BrumeVolumeOpener opener = {
    .may_be_volumes = may_be_volumes,
    .find_volumes = find_volumes,
    .next = next_path,
};

static BrumeViewerDef viewer_def(const BrumeViewOptions *settings, int threads)
{
    return (BrumeViewerDef){
        .overrides = settings->common.overrides.texts,
        .override_count = settings->common.overrides.count,
        .renderer = settings->renderer,
        .threads = threads,
        .width = settings->common.size.width,
        .height = settings->common.size.height,
        .paused = settings->paused,
        .fullscreen = settings->fullscreen,
        .plain = settings->plain,
        .min_frame_ms = settings->slow,
        .stats = settings->stats,
        .controls_file = settings->controls,
        .log_pictures = settings->log_pictures,
        .readers = &brume_scene_readers,
        .writers = &brume_view_writers,
        .opener = &opener,
        .unfinished = &unfinished,
        .is_interrupted = brume_interrupt_requested,
    };
}

static BrumeStatus view_scene(const BrumeViewOptions *settings, const char *scene, BrumeError *error)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--look", settings->look != NULL},
                   {"--watch", settings->watch},
                   {"--density-grid", settings->density_grid[0] != '\0'}};
    for (size_t n = 0; n < sizeof options / sizeof options[0]; n++) {
        if (options[n].given) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s is for volumes, but a scene is simulated (give VOLUMES, as cache/plume.####.hdf)",
                              options[n].name);
        }
    }
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_find_scene("plume.yaml", path, error);
    if (status != BRUME_OK && !scene) {
        return status;
    }
    const BrumeOutputFile outputs[] = {{settings->stats, "--stats", BRUME_OUTPUT_STATS},
                                       {settings->controls, "--controls", BRUME_OUTPUT_CONTROLS}};
    if (brume_check_output_files(outputs, 2, scene ? scene : path, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    int threads = 0;
    if (brume_threads_resolve(settings->common.threads, &threads, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    static PresetList presets;
    if (status == BRUME_OK) {
        char folder[BRUME_MAX_PATH];
        (void)snprintf(folder, sizeof folder, "%s", path);
        *strrchr(folder, '/') = '\0';
        find_presets(&presets, folder);
    }
    char looks[BRUME_MAX_PATH];
    BrumeViewerDef def = viewer_def(settings, threads);
    def.scene_path = scene ? scene : path;
    const size_t physical = brume_physical_memory();
    def.memory = settings->memory > 0 ? settings->memory : physical > 0 ? physical / BUDGET_SHARE : default_memory;
    def.disk = settings->disk.given ? settings->disk.bytes : default_disk;
    def.presets = (BrumePresets){presets.count, presets.path_list, presets.name_list};
    def.looks = find_looks(looks);
    status = brume_interrupt_start("closing the window", error);
    return status == BRUME_OK ? brume_viewer_run(&def, error) : status;
}

static BrumeStatus view_volumes(const BrumeViewOptions *settings, const char *volumes, BrumeError *error)
{
    int threads = 0;
    if (settings->slow > 0.0) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--slow needs a simulation, but volumes are only shown (give a SCENE)");
    }
    if (settings->disk.given) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--disk is for the frames of a simulation, but volumes are files already (give a SCENE)");
    }
    if (brume_threads_resolve(settings->common.threads, &threads, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    brume_set_threads(threads);
    BrumeStatus status = brume_interrupt_start("closing the window", error);
    BrumeViewerSequence sequence;
    if (status == BRUME_OK) {
        const BrumeViewedVolumesDef def = {
            .pattern = volumes,
            .look = settings->look,
            .density_grid = settings->density_grid,
            .overrides = settings->common.overrides,
            .memory = settings->memory,
            .watch = settings->watch,
            .stats = settings->stats,
            .controls = settings->controls,
        };
        status = brume_viewed_volumes_open(&sequence, &def, error);
    }
    if (status == BRUME_OK) {
        BrumeViewerDef def = viewer_def(settings, threads);
        char looks[BRUME_MAX_PATH];
        def.looks = find_looks(looks);
        def.sequence = &sequence;
        status = brume_viewer_run(&def, error);
    }
    return status;
}

// The arguments of a viewer that opens another path: the options that fit scenes and volumes alike. Returns after a
// failure only.
static BrumeStatus open_next(const BrumeViewOptions *settings, BrumeError *error)
{
    static const char *const renderers[] = {"auto", "cpu", "gl"};
    char program[PATH_MAX];
    brume_program_path(program);
    char size[32];
    char threads[16];
    (void)snprintf(size, sizeof size, "%dx%d", settings->common.size.width, settings->common.size.height);
    (void)snprintf(threads, sizeof threads, "%d", settings->common.threads);
    const char *arguments[20] = {"brume", "view", next_path, "--renderer", renderers[settings->renderer]};
    int count = 5;
    if (settings->common.size.width > 0) {
        arguments[count++] = "--size";
        arguments[count++] = size;
    }
    if (settings->common.threads > 0) {
        arguments[count++] = "--threads";
        arguments[count++] = threads;
    }
    if (settings->controls) {
        arguments[count++] = "--controls";
        arguments[count++] = settings->controls;
    }
    if (settings->plain) {
        arguments[count++] = "--plain";
    }
    if (settings->paused) {
        arguments[count++] = "--paused";
    }
    (void)fflush(NULL);
    (void)execv(program, (char *const *)arguments);
    return brume_fail(error, BRUME_FAILED, "%s: cannot be started: %s", program, strerror(errno));
}

int brume_run_view(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeViewOptions settings;
    BrumeError error;
    const char *scene = NULL;
    brume_name_threads("brume"); // for ps: this program has replaced the process of `brume`
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &scene, &settings, &error);
    if (status == BRUME_OK) {
        status = scene && brume_names_volumes(scene) ? view_volumes(&settings, scene, &error)
                                                     : view_scene(&settings, scene, &error);
    }
    if (status == BRUME_OK && next_path[0]) {
        status = open_next(&settings, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    if (unfinished) {
        (void)fflush(NULL);
        _exit((int)status);
    }
    brume_viewed_volumes_close((int)status);
    return (int)status;
}
