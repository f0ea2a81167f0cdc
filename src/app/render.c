#include "app/commands.h"
#include "app/run/run.h"

#include <stddef.h>

static int run_render(const BrumeCommand *command, int argc, char **argv)
{
    return brume_run_scene(command, brume_commands, true, argc, argv);
}

static const BrumeOption options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PATTERN",
     BRUME_RUN_MEMBER(TEXT, output),
     .help = "paths of the images, as out/plume.####.png or out/plume.%04d.png;\nmissing folders are created; the "
             "extension selects the format (png)"},
    {.name = "frames",
     .value = "A:B[:S]",
     BRUME_RUN_MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .help = "draw the frames A to B, every S-th (default: all of the scene);\nthe frames before A are simulated only"},
    {.name = "frame",
     .value = "N",
     BRUME_RUN_MEMBER(CUSTOM, frames),
     .parse = brume_parse_frame,
     .help = "draw frame N only"},
    {.name = "samples",
     .value = "N",
     BRUME_RUN_MEMBER(INT, samples),
     .least = 1,
     .most = 1 << 20,
     .help = "rays per pixel (default: those of the scene)"},
    {.name = "overwrite",
     BRUME_RUN_MEMBER(FLAG, overwrite),
     .help = "replace existing images and tables; without this option they are an\nerror"},
    {.name = "dry-run",
     BRUME_RUN_MEMBER(FLAG, dry_run),
     .help =
         "write nothing; print cells, memory, disk space, steps, and an\nestimate of the time from a short simulation"},
    BRUME_RUN_MEASURE_OPTIONS,
    BRUME_RUN_CHECKPOINT_OPTIONS,
    BRUME_RUN_MEMORY_OPTION,
    BRUME_RUN_REPORT_OPTIONS,
};

const BrumeCommand brume_render_command = {
    .name = "render",
    .summary = "simulate a scene and draw it as an image sequence",
    .details = "Simulates a scene on all cores and draws its frames. No image file is ever incomplete.\n"
               "Cores that the simulation does not use draw images meanwhile. Ctrl-C stops after the\n"
               "present frame and writes a checkpoint, from which --resume goes on; a second one stops\n"
               "immediately.",
    .usage = "SCENE -o PATTERN [options]",
    .operand = "SCENE",
    .operand_needed = true,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS | BRUME_COMMON_SIZE,
    .run = run_render,
};
