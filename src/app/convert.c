#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/convert/convert_target.h"
#include "app/volumes/drawn_volume.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const BrumeConvertTarget *const targets[] = {&brume_volume_target, &brume_video_target, NULL};

static const BrumeConvertTarget *find_target(const char *output)
{
    const BrumeConvertTarget *const *target = targets;
    while (*target && !(*target)->accepts(output)) {
        target++;
    }
    return *target;
}

static BrumeStatus fail_output(const char *output, BrumeError *error)
{
    BrumeText list = {0};
    for (const BrumeConvertTarget *const *target = targets; *target; target++) {
        (*target)->list_extensions(&list);
    }
    (void)brume_fail(error, BRUME_BAD_INPUT, "OUTPUT: '%s' has no extension that can be written (known: %s)", output,
                     list.size > 0 ? list.data : "none");
    brume_text_destroy(&list);
    return BRUME_BAD_INPUT;
}

// fails for an option that the output does not use, because it would have no effect
static BrumeStatus check_options(const BrumeConvertDef *def, unsigned used, BrumeError *error)
{
    const struct {
        const char *name;
        bool given;
        unsigned option;
    } given[] = {
        {"--grids", def->grids != NULL, BRUME_CONVERT_GRIDS},
        {"--density-grid", def->density_grid[0] != '\0', BRUME_CONVERT_DENSITY},
        {"--half", def->half, BRUME_CONVERT_HALF},
        {"--iso", def->iso != 0.0, BRUME_CONVERT_ISO},
        {"--iso-grid", def->iso_grid != NULL, BRUME_CONVERT_ISO},
        {"--vdb-names", def->vdb_names != NULL, BRUME_CONVERT_VDB},
        {"--bodies", def->bodies, BRUME_CONVERT_ISO},
        {"--vdb-up", def->vdb_up != NULL, BRUME_CONVERT_UP},
        {"--vdb-staggered", def->vdb_staggered, BRUME_CONVERT_VDB},
        {"--retime", def->retime != 0.0, BRUME_CONVERT_RETIME},
        {"--fps", def->fps != 0.0 && def->retime == 0.0, BRUME_CONVERT_FPS},
    };
    if (def->bodies && (def->iso != 0.0 || def->iso_grid)) {
        return brume_fail(error, BRUME_BAD_INPUT, "--bodies and %s exclude each other (remove one)",
                          def->iso != 0.0 ? "--iso" : "--iso-grid");
    }
    if (def->bodies && def->retime != 0.0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--bodies and --retime exclude each other (remove one)");
    }
    for (size_t n = 0; n < sizeof given / sizeof given[0]; n++) {
        if (given[n].given && (given[n].option & used) == 0) {
            const char *dot = strrchr(def->output, '.');
            return brume_fail(error, BRUME_BAD_INPUT, "%s does not apply to %s files (remove it)", given[n].name,
                              dot ? dot : def->output);
        }
    }
    return BRUME_OK;
}

static BrumeStatus parse_word(const char **member, const char *option, const char *value, const char *const *words,
                              BrumeError *error)
{
    BrumeText list = {0};
    for (; *words; words++) {
        if (strcmp(*words, value) == 0) {
            *member = *words;
            brume_text_destroy(&list);
            return BRUME_OK;
        }
        brume_text_add(&list, "%s%s", list.size > 0 ? ", " : "", *words);
    }
    (void)brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is unknown (known: %s)", option, value,
                     list.data ? list.data : "");
    brume_text_destroy(&list);
    return BRUME_BAD_INPUT;
}

static BrumeStatus parse_vdb_names(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {"blender", "houdini", "embergen", NULL};
    return parse_word(member, option, value, words, error);
}

static BrumeStatus parse_vdb_up(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char *const words[] = {"y", "z", NULL};
    return parse_word(member, option, value, words, error);
}

static int run_convert(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeConvertDef def;
    const char *operands[BRUME_MAX_OPERANDS];
    const BrumeConvertTarget *target = NULL;
    BrumeMessages messages = {0};
    BrumeError error;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, operands, &def, &error);
    if (status == BRUME_OK) {
        def.input = operands[0];
        def.output = operands[1];
        target = find_target(def.output);
        status = target ? check_options(&def, target->options(def.output), &error) : fail_output(def.output, &error);
    }
    if (status == BRUME_OK) {
        status = brume_messages_open(&messages, def.quiet, 0, NULL, false, &error);
    }
    if (status == BRUME_OK) {
        status = target->convert(&def, &messages, &error);
    }
    if (status != BRUME_OK) {
        brume_messages_error(&messages, &error);
    }
    BrumeError ignored; // there is no log
    (void)brume_messages_close(&messages, &ignored);
    return (int)status;
}

#define MEMBER(kind_, member_) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeConvertDef, member_)

static const BrumeOption options[] = {
    {.name = "frames",
     .value = "A:B[:S]",
     MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "convert the frames A to B, every S-th (default: all that exist)"},
    {.name = "grids",
     .value = "NAME,NAME,...",
     MEMBER(TEXT, grids),
     .complete = {BRUME_COMPLETE_WORDS, "density temperature velocity particles"},
     .help = "write these grids alone, as density,temperature; particles keeps\nthe particles"},
    BRUME_DENSITY_GRID_OPTION(MEMBER(CUSTOM, density_grid)),
    {.name = "half", MEMBER(FLAG, half), .help = "write values in half precision"},
    {.name = "iso",
     .value = "VALUE",
     MEMBER(CUSTOM, iso),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "value at the surface of a mesh (default: 0.1 of the density)"},
    {.name = "iso-grid",
     .value = "NAME",
     MEMBER(TEXT, iso_grid),
     .complete = {BRUME_COMPLETE_WORDS, "density temperature"},
     .help = "grid of the surface (default: density)"},
    {.name = "bodies", MEMBER(FLAG, bodies), .help = "write the surface of the bodies that are drawn as a mesh"},
    {.name = "vdb-names",
     .value = "NAME",
     MEMBER(CUSTOM, vdb_names),
     .parse = parse_vdb_names,
     .complete = {BRUME_COMPLETE_WORDS, "blender houdini embergen"},
     .help = "names and units of grids for blender, houdini or embergen"},
    {.name = "vdb-up",
     .value = "AXIS",
     MEMBER(CUSTOM, vdb_up),
     .parse = parse_vdb_up,
     .complete = {BRUME_COMPLETE_WORDS, "y z"},
     .help = "axis that points up in OpenVDB files and meshes: y (default)\nor z"},
    {.name = "vdb-staggered",
     MEMBER(FLAG, vdb_staggered),
     .help = "write the velocity on the faces of the cells instead of at\ntheir centers"},
    {.name = "fps",
     .value = "N",
     MEMBER(CUSTOM, fps),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "frames per second of a video (default: 24), or of volumes to\nretime that have no times"},
    {.name = "retime",
     .value = "FACTOR",
     MEMBER(CUSTOM, retime),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "write FACTOR frames for each one: above 1 slow motion, below 1\nfaster. Frames between files follow the "
             "velocity in them"},
    {.name = "overwrite",
     MEMBER(FLAG, overwrite),
     .help = "replace existing outputs; without this option they are an error"},
    {.name = "quiet", .letter = 'q', MEMBER(FLAG, quiet), .help = "print errors and warnings only"},
};

static const BrumeEntry examples[] = {
    {"brume convert cache/plume.####.hdf vdb/plume_####.vdb --vdb-names blender --vdb-up z",
     "converts a cache to OpenVDB for Blender"},
    {"brume convert cache/plume.####.hdf mesh/plume.####.ply --iso 0.05", "writes surfaces"},
    {"brume convert cache/fan.####.hdf mesh/fan.####.ply --bodies --vdb-up z", "writes the bodies as meshes"},
    {"brume convert cache/plume.####.hdf slow/plume.####.hdf --retime 2.5", "makes slow motion of a cache"},
    {"brume convert out/plume.####.png plume.mp4 --fps 30", "makes a video of images"},
    {NULL, NULL},
};

const BrumeCommand brume_convert_command = {
    .name = "convert",
    .summary = "convert volume files to another format, or images to a video",
    .details = "Converts one file or a sequence, as 'cache/plume.####.vti' to 'mesh/plume.####.ply', or\n"
               "PNG images to a video, as 'out/plume.####.png' to plume.mp4. The extensions select the\n"
               "formats. Inputs are never replaced. Ctrl-C stops after the present file; a second one\n"
               "stops immediately.",
    .usage = "INPUT OUTPUT [options]",
    .operand = "INPUT",
    .second_operand = "OUTPUT",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "hdf vtkhdf vdb vti raw ply png"},
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run_convert,
};
