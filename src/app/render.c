#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/run/run.h"
#include "app/run/run_farm.h"
#include "app/run/volume_source.h"

#include <stddef.h>

static int run_render(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeRunSettings settings;
    BrumeError error;
    const char *operand;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &operand, &settings, &error);
    if (status == BRUME_OK && !brume_names_volumes(operand) && (settings.look || settings.watch)) {
        status = brume_fail(&error, BRUME_BAD_INPUT, "%s needs volumes, as cache/plume.####.hdf, instead of a SCENE",
                            settings.look ? "--look" : "--watch");
    }
    if (status == BRUME_OK) {
        status = brume_run_share_frames(&settings, &error);
    }
    if (status != BRUME_OK) {
        brume_print_first_error(&error);
        return (int)status;
    }
    return brume_run_scene(&settings, operand, true);
}

static const BrumeOption options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PATTERN",
     BRUME_RUN_MEMBER(TEXT, output),
     .help = "paths of the images, as out/plume.####.png or out/plume.%04d.png,\nor of a video, as out/plume.mp4; "
             "missing folders are created; the\nextension selects the format (png, exr, mp4, webm)"},
    {.name = "frames",
     .value = "A:B[:S]",
     BRUME_RUN_MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "draw the frames A to B, every S-th (default: all of the scene);\nthe frames before A are simulated only"},
    {.name = "frame",
     .value = "N",
     BRUME_RUN_MEMBER(CUSTOM, frames),
     .parse = brume_parse_frame,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "draw frame N only"},
    {.name = "turntable",
     .value = "N",
     BRUME_RUN_MEMBER(INT, turntable),
     .least = 1,
     .most = 100000,
     .help =
         "draw N pictures of one frame, numbered from 0, from a camera that\nturns around its target; needs --frame"},
    BRUME_RUN_FARM_OPTIONS,
    {.name = "look",
     .value = "SCENE",
     BRUME_RUN_MEMBER(TEXT, look),
     .complete = {BRUME_COMPLETE_FILES, "yaml yml"},
     .help = "draw volumes with camera, lights and image of this scene (default:\nof the scene that the volumes were "
             "simulated from)"},
    BRUME_DENSITY_GRID_OPTION(BRUME_RUN_MEMBER(CUSTOM, density_grid)),
    {.name = "watch",
     BRUME_RUN_MEMBER(FLAG, watch),
     .help = "wait for volumes that do not exist yet, as while brume sim writes\nthem"},
    {.name = "samples",
     .value = "N",
     BRUME_RUN_MEMBER(INT, samples),
     .least = 1,
     .most = 65536,
     .help = "rays per pixel; of --integrator path the most light paths per pixel\n(default: those of the scene)"},
    {.name = "integrator",
     .value = "NAME",
     BRUME_RUN_MEMBER(CUSTOM, integrator),
     .parse = brume_parse_integrator,
     .complete = {BRUME_COMPLETE_WORDS, "march path"},
     .help = "march: ray marching; path: path tracing, slow, a reference\n(default: that of the scene)"},
    {.name = "noise",
     .value = "X",
     BRUME_RUN_MEMBER(CUSTOM, noise),
     .parse = brume_parse_noise,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "with --integrator path: a picture is complete when its estimated\nerror, relative to its mean, is at "
             "most X (0: with all samples)"},
    {.name = "denoise",
     BRUME_RUN_MEMBER(FLAG, denoise),
     .help = "with --integrator path: remove the noise of pictures that are\ncomplete, guided by ray marching"},
    {.name = "bits",
     .value = "N",
     BRUME_RUN_MEMBER(CUSTOM, bits),
     .parse = brume_parse_bits,
     .complete = {BRUME_COMPLETE_WORDS, "8 16 32"},
     .help =
         "bits of the numbers in images: 8 or 16 of PNG, 16 or 32 of EXR\n(default: those of the scene, or 8 of PNG "
         "and 16 of EXR)"},
    {.name = "crop",
     .value = "X0,Y0,X1,Y1",
     BRUME_RUN_MEMBER(CUSTOM, pictures.crop),
     .parse = brume_parse_crop,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help =
         "draw the pixels from (X0, Y0) to before (X1, Y1) of the picture only,\ncounted from its upper left corner"},
    {.name = "tile",
     .value = "I/N",
     BRUME_RUN_MEMBER(CUSTOM, pictures.tile),
     .parse = brume_parse_chunk,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "draw the I-th of N tiles of each picture, from the top, to files such\nas plume.0010.tile-1-of-4.png; "
             "brume join makes one picture of them"},
    {.name = "transparent",
     BRUME_RUN_MEMBER(FLAG, transparent),
     .help = "images with alpha instead of the sky, to be laid over others"},
    {.name = "layers",
     .value = "LIST",
     BRUME_RUN_MEMBER(CUSTOM, pictures.layers),
     .parse = brume_parse_layers,
     .complete = {BRUME_COMPLETE_WORDS, "all depth transmittance lights sky emission motion noisy"},
     .help = "layers of EXR images beside the picture, of depth, transmittance,\nlights, sky, emission, motion and "
             "noisy (the picture before the noise\nis removed), separated by commas; or all"},
    {.name = "overwrite",
     BRUME_RUN_MEMBER(FLAG, overwrite),
     .help = "replace existing images, videos and tables; without this option they\nare an error"},
    {.name = "dry-run",
     BRUME_RUN_MEMBER(FLAG, dry_run),
     .help =
         "write nothing; print cells, memory, disk space, steps, and an\nestimate of the time from a short simulation"},
    BRUME_RUN_MEASURE_OPTIONS,
    BRUME_RUN_CHECKPOINT_OPTIONS,
    BRUME_RUN_MEMORY_OPTION,
    BRUME_RUN_REPORT_OPTIONS,
};

static const BrumeEntry examples[] = {
    {"brume render plume.yaml -o out/plume.####.png", "draws all frames of a scene"},
    {"brume render plume.yaml -o out/plume.mp4", "draws them as a video"},
    {"brume render plume.yaml -o out/plume.####.png --resume", "goes on after a stop or a failure"},
    {"brume render plume.yaml -o still.png --frame 60 --size 1920x1080 --samples 16",
     "draws one frame in full HD with 16 rays per pixel"},
    {"brume render cache/plume.####.hdf -o dusk/plume.####.png --look dusk.yaml",
     "draws volumes of brume sim with the camera and the lights of another scene"},
    {"brume render plume.yaml -o turn/plume.###.png --frame 60 --turntable 72", "draws frame 60 from 72 sides"},
    {"brume render plume.yaml --dry-run -D solver.resolution=192",
     "prints what a finer grid needs: memory, disk space, time"},
    {"brume render plume.yaml -o large.exr --frame 60 --size 16384x9216 --tile 3/8",
     "draws the third of eight tiles of a large picture, which brume join joins"},
    {"brume render plume.yaml -o comp/plume.####.exr --layers all",
     "draws linear images with depth and the light of each source"},
    {NULL, NULL},
};

static const BrumeEntry files[] = {
    {"out/plume.checkpoints/",
     "the checkpoints of a run with the output out/plume.####.png; they are removed when the run "
     "is complete, unless --keep-checkpoints says otherwise"},
    {NULL, NULL},
};

const BrumeCommand brume_render_command = {
    .name = "render",
    .summary = "simulate a scene, or take volumes, and draw images or a video",
    .details = "Simulates a scene on all cores and draws its frames, or draws the volumes that brume sim\n"
               "wrote, as cache/plume.####.hdf, without simulating. No image file is ever incomplete.\n"
               "Cores that the simulation does not use draw images meanwhile. Ctrl-C stops after the\n"
               "present frame and writes a checkpoint, from which --resume goes on; a second one stops\n"
               "immediately. SCENE may be - for standard input.",
    .usage = "SCENE|VOLUMES -o PATTERN [options]",
    .operand = "SCENE",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "yaml yml hdf vtkhdf vdb vti raw ply"},
    .examples = examples,
    .files = files,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .common = BRUME_COMMON_DEFINE | BRUME_COMMON_THREADS | BRUME_COMMON_SIZE,
    .run = run_render,
};
