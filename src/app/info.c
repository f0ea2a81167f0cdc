#include "app/cli/messages.h"
#include "app/cli/sequence.h"
#include "app/cli/standard_streams.h"
#include "app/cli/values.h"
#include "app/commands.h"
#include "app/info/mesh_info.h"
#include "app/info/rank_info.h"
#include "app/info/volume_info.h"
#include "app/scene_info.h"
#include "app/volumes/drawn_volume.h"
#include "app/volumes/mesh_frames.h"
#include "brume/brume.h"
#include "core/mesh.h"
#include "exchange/mesh_file.h"
#include "exchange/particles_ply.h"
#include "exchange/volume_format.h"

#include <stddef.h>
#include <string.h>

/** The command line of `info`. */
typedef struct InfoSettings {
    BrumeCommonOptions common;
    BrumeRankInfoDef ranks; ///< 0 ranks: not given
} InfoSettings;

static BrumeStatus print_mesh_file(const char *path, BrumeError *error)
{
    static const BrumeMeshReadDef as_it_is;
    BrumeMeshFileInfo first;
    BrumeMesh *sequence = NULL;
    if (!brume_is_sequence(path)) {
        return brume_print_mesh_info(path, error);
    }
    BrumeStatus status = brume_mesh_frames_load(&sequence, &first, NULL, path, &as_it_is, error);
    status = status == BRUME_OK ? brume_print_mesh_sequence(path, sequence, &first, error) : status;
    brume_mesh_release(sequence);
    return status;
}

static int run_file_info(const char *path, bool is_mesh, const InfoSettings *settings)
{
    BrumeError error;
    BrumeStatus status;
    if (settings->common.overrides.count > 0 || settings->ranks.ranks > 0) {
        status = brume_fail(&error, BRUME_BAD_INPUT, "%s scenes, and '%s' is a %s file",
                            settings->ranks.ranks > 0 ? "--ranks: it simulates" : "--define: it changes", path,
                            is_mesh ? "mesh" : "volume");
    } else {
        status = (is_mesh ? print_mesh_file : brume_print_volume_info)(path, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    return (int)status;
}

static BrumeStatus print_ranks(const BrumeScene *scene, const BrumeRankInfoDef *def, BrumeError *error)
{
    int threads;
    if (brume_threads_resolve(0, &threads, error) != BRUME_OK) {
        return error->status;
    }
    brume_set_threads(threads);
    return brume_print_rank_info(scene, def, error);
}

static int run_info(const BrumeCommand *command, int argc, char **argv)
{
    BrumeError error;
    BrumeScene *scene = NULL;
    BrumeText notes = {0};
    const char *path;
    static InfoSettings settings = {.ranks = {.frames = 3, .latency = 30.0, .bandwidth = 1100.0}};
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &path, &settings, &error);
    const bool is_mesh = status == BRUME_OK && brume_is_mesh_path(path) && !brume_particles_ply_is(path);
    if (status == BRUME_OK && (is_mesh || brume_volume_format_of(path))) {
        return run_file_info(path, is_mesh, &settings);
    }
    const char *extension = status == BRUME_OK ? strrchr(path, '.') : NULL;
    if (extension && strcmp(extension, ".checkpoint") == 0) {
        status = brume_fail(&error, BRUME_BAD_INPUT,
                            "%s is a checkpoint, not a scene, a volume or a mesh (--resume of its run goes on from it)",
                            path);
    }
    if (status == BRUME_OK) {
        status = brume_load_scene_argument(&scene, &path, &settings.common.overrides, &notes, &error);
    }
    if (status != BRUME_OK) {
        brume_text_destroy(&notes);
        brume_print_error(&error);
        return (int)status;
    }
    brume_print_scene_info(scene);
    BrumeMessages messages = {0};
    brume_print_notes(&notes, &messages);
    brume_text_destroy(&notes);
    brume_messages_scene_warnings(&messages, scene);
    if (settings.ranks.ranks > 0) {
        status = print_ranks(scene, &settings.ranks, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    brume_scene_destroy(scene);
    return (int)status;
}

#define MEMBER(kind_, member_) .kind = BRUME_OPTION_##kind_, .offset = offsetof(InfoSettings, ranks.member_)

static const BrumeOption options[] = {
    {.name = "ranks",
     .value = "N",
     MEMBER(INT, ranks),
     .least = 1,
     .most = 10000,
     .help =
         "simulate the first frames, and print what N processes of mpirun,\nand numbers of them that are powers of 2, "
         "would take: memory, messages,\ntime"},
    {.name = "frames",
     .value = "N",
     MEMBER(INT, frames),
     .least = 1,
     .most = 1000,
     .help = "number of the frames that are simulated for --ranks (default: 3)"},
    {.name = "latency",
     .value = "US",
     MEMBER(NUMBER, latency),
     .least = 0,
     .most = 1000000,
     .help = "time of a short message on the network of these processes, in\nmicroseconds (default: 30)"},
    {.name = "bandwidth",
     .value = "MB/S",
     MEMBER(NUMBER, bandwidth),
     .least = 1,
     .most = 10000000,
     .help = "of this network, for each process and direction (default: 1100, of\n10 Gbit/s)"},
};

static const BrumeEntry examples[] = {
    {"brume info plume.yaml", "prints the properties of a scene"},
    {"brume info plume.yaml -D solver.resolution=256", "prints them for a finer grid"},
    {"brume info plume.yaml --ranks 8", "prints what eight processes of mpirun would take"},
    {NULL, NULL},
};

const BrumeCommand brume_info_command = {
    .name = "info",
    .summary = "print the properties of a scene, a volume or a mesh file",
    .details = "Reads and checks a scene and prints its properties with their units: cells, memory,\n"
               "frames, an estimate of the steps per frame, and its contents. Nothing is simulated\n"
               "unless --ranks asks what several processes would take.\n"
               "Of a volume file it prints the grids with their units and ranges, the particles, the box,\n"
               "a density scale that fits the smoke, and what is wrong with it. Of a mesh file it prints the\n"
               "triangles, the extent in meters, whether it is closed, its volume, and what is wrong\n"
               "with it. FILE may be - for a scene on standard input.",
    .usage = "FILE [options]",
    .operand = "FILE",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "yaml yml hdf vtkhdf vdb vti raw obj stl ply gltf glb fbx dae 3mf"},
    .examples = examples,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .common = BRUME_COMMON_DEFINE,
    .run = run_info,
};
