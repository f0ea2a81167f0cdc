#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/run/rank_speeds.h"
#include "app/run/run.h"
#include "app/volumes/capture.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// "smoke,temperature,velocity,faces,pressure,fuel,particles": any of these words; `member` is an unsigned with bits of
// BrumeVolumeFields
static BrumeStatus parse_fields(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {"smoke",    "temperature", "velocity", "faces",
                                        "pressure", "fuel",        "particles"}; // in the order of the bits
    unsigned *fields = member;
    *fields = 0;
    for (const char *word = value; word;) {
        const size_t length = strcspn(word, ",");
        bool known = false;
        for (unsigned n = 0; n < sizeof words / sizeof words[0] && !known; n++) {
            known = length == strlen(words[n]) && strncmp(word, words[n], length) == 0;
            *fields |= known ? 1u << n : 0;
        }
        if (!known) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: unknown field '%.*s' (known: smoke, temperature, velocity, faces, pressure, fuel, "
                              "particles)",
                              option, (int)(length < 64 ? length : 64), word);
        }
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return BRUME_OK;
}

static int run_sim(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeRunSettings settings;
    BrumeError error;
    const char *scene;
    if (brume_args_parse(command, brume_commands, argc, argv, &scene, &settings, &error) != BRUME_OK) {
        brume_print_first_error(&error);
        return (int)error.status;
    }
    return brume_run_scene(&settings, scene, false);
}

static const BrumeOption options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PATTERN",
     BRUME_RUN_MEMBER(TEXT, output),
     .help = "paths of the volumes, as cache/plume.####.hdf; missing folders are\ncreated; the extension selects the "
             "format (docs/volumes.md)"},
    {.name = "frames",
     .value = "A:B[:S]",
     BRUME_RUN_MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help =
         "write the volumes of the frames A to B, every S-th, and simulate no\nfurther (default: all of the scene)"},
    {.name = "fields",
     .value = "LIST",
     BRUME_RUN_MEMBER(CUSTOM, fields),
     .parse = parse_fields,
     .complete = {BRUME_COMPLETE_WORDS, "smoke temperature velocity faces pressure fuel particles"},
     .help =
         "what a volume has, of smoke, temperature, velocity (at the cell\ncenters), faces (velocity on the faces), "
         "pressure,\nfuel (with mixture and heating) and particles, separated by commas\n(default: "
         "smoke,temperature,particles)"},
    {.name = "half", BRUME_RUN_MEMBER(FLAG, half), .help = "write volumes in half precision"},
    BRUME_RUN_MEASURE_OPTIONS,
    {.name = "overwrite",
     BRUME_RUN_MEMBER(FLAG, overwrite),
     .help = "replace existing volumes and tables; without this option they are an\nerror"},
    BRUME_RUN_CHECKPOINT_OPTIONS,
    BRUME_RUN_MEMORY_OPTION,
    {.name = "rank-timeout",
     .value = "TIME",
     BRUME_RUN_MEMBER(CUSTOM, rank_timeout),
     .parse = brume_parse_duration,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help =
         "of several processes (mpirun), end the run when the machine of one\nis silent for this long (default: 60s)"},
    {.name = "slabs",
     .value = "HOW",
     BRUME_RUN_MEMBER(CUSTOM, slabs),
     .parse = brume_parse_slabs,
     .complete = {BRUME_COMPLETE_WORDS, "equal measured"},
     .help = "divide the planes of the box among several processes (mpirun)\nequally, or in proportion to their "
             "measured speeds (default:\n"
             "measured where they run on several machines)"},
    BRUME_RUN_REPORT_OPTIONS,
};

static const BrumeEntry examples[] = {
    {"brume sim plume.yaml -o cache/plume.####.hdf", "writes a volume of each frame, which brume render draws"},
    {"brume sim heated_room.yaml --measures room.csv", "writes totals, energies and budgets of each frame"},
    {"mpirun -n 4 brume sim plume.yaml -o cache/plume.####.hdf",
     "simulates with four processes, also on several machines"},
    {"brume sim heated_room.yaml --measures room.csv --until-steady 1e-3", "ends when the flow is steady"},
    {NULL, NULL},
};

static const BrumeEntry files[] = {
    {"cache/plume.checkpoints/",
     "the checkpoints of a run with the output cache/plume.####.hdf; they are removed when the run "
     "is complete, unless --keep-checkpoints says otherwise. Without --output they are beside the "
     "table of --measures or --stats"},
    {NULL, NULL},
};

const BrumeCommand brume_sim_command = {
    .name = "sim",
    .summary = "simulate a scene, and write volumes and tables of measures",
    .details = "Simulates a scene on all cores and writes a volume of each frame (-o), which brume\n"
               "render draws without simulating again, and tables: measures of each frame (--measures,\n"
               "--stats) and the values of the scene's probes. No file is ever incomplete. Ctrl-C stops\n"
               "after the present frame and writes a checkpoint, from which --resume goes on; a second\n"
               "one stops immediately. Processes that mpirun or srun has started share the simulation\n"
               "(docs/farm.md). SCENE may be - for standard input, and the FILE of --measures or\n"
               "--stats may be - for standard output.",
    .usage = "SCENE [options]",
    .operand = "SCENE",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "yaml yml"},
    .examples = examples,
    .files = files,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS,
    .run = run_sim,
};
