#include "app/commands.h"
#include "app/run/run.h"

#include <stddef.h>

static int run_sim(const BrumeCommand *command, int argc, char **argv)
{
    return brume_run_scene(command, brume_commands, false, argc, argv);
}

static const BrumeOption options[] = {
    BRUME_RUN_MEASURE_OPTIONS,
    {.name = "overwrite",
     BRUME_RUN_MEMBER(FLAG, overwrite),
     .help = "replace existing tables; without this option they are an error"},
    BRUME_RUN_CHECKPOINT_OPTIONS,
    BRUME_RUN_MEMORY_OPTION,
    BRUME_RUN_REPORT_OPTIONS,
};

const BrumeCommand brume_sim_command = {
    .name = "sim",
    .summary = "simulate a scene without images, and write tables of measures",
    .details = "Simulates a scene on all cores and writes tables: measures of each frame (--measures,\n"
               "--stats) and the values of the scene's probes. No image and no volume is written.\n"
               "Ctrl-C stops after the present frame and writes a checkpoint, from which --resume goes\n"
               "on; a second one stops immediately.",
    .usage = "SCENE [options]",
    .operand = "SCENE",
    .operand_needed = true,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS,
    .run = run_sim,
};
