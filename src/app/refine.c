#include "app/cli/interrupt.h"
#include "app/commands.h"
#include "app/refine/refine_frames.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "exchange/volume_format.h"
#include "io/file.h"
#include "raymarch/detail.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const BrumeRefineMethod *const methods[] = {&brume_refine_advect, &brume_refine_texture};

static BrumeStatus parse_method(void *member, const char *option, const char *value, BrumeError *error)
{
    for (size_t n = 0; n < sizeof methods / sizeof methods[0]; n++) {
        if (strcmp(methods[n]->name, value) == 0) {
            *(const BrumeRefineMethod **)member = methods[n];
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is unknown (known: advect, texture)", option, value);
}

// the options, and the format of the output, which must also be read to go on
static BrumeStatus check_def(const BrumeRefineDef *def, BrumeError *error)
{
    const BrumeVolumeFormat *format = def->output ? brume_volume_format_of(def->output) : NULL;
    if (!def->output) {
        return brume_fail(error, BRUME_BAD_INPUT, "no --output PATTERN (as -o fine/plume.####.hdf)");
    }
    if (!format || !format->write || !format->read || (format->write_options & BRUME_WRITE_ISO)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--output: '%s' has no extension of volumes (known: .hdf, .vdb, .vti, "
                          ".raw)",
                          def->output);
    }
    if (def->resume && def->overwrite) {
        return brume_fail(error, BRUME_BAD_INPUT, "--resume and --overwrite exclude each other (remove one)");
    }
    return brume_volume_file_check_readable(def->input, error);
}

// Limits a run to the range of --frames, and with --resume to the frames after those that exist. A method that needs
// the fine frame before starts at the first frame of the sequence or after a fine frame.
static BrumeStatus find_range(BrumeRefineFrames *frames, BrumeError *error)
{
    const BrumeRefineDef *def = frames->def;
    const BrumeSequence *found = &frames->files->found;
    frames->end = found->count;
    if (def->frames.stride > 0) {
        while (frames->next < found->count && found->frames[frames->next] < def->frames.first) {
            frames->next++;
        }
        while (frames->end > frames->next && found->frames[frames->end - 1] > def->frames.last) {
            frames->end--;
        }
        if (frames->next == frames->end) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no file of this pattern in the range of --frames",
                              def->input);
        }
    }
    if (!def->method->in_order) {
        return BRUME_OK;
    }
    if (def->frames.stride > brume_sequence_stride(found)) {
        return brume_fail(error, BRUME_BAD_INPUT, "--frames: the method advect needs every frame (remove the stride)");
    }
    while (def->resume && frames->next < frames->end && brume_fine_file_exists(frames, frames->next)) {
        frames->next++;
    }
    if (frames->next > 0 && !brume_fine_file_exists(frames, frames->next - 1)) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(frames->outputs, found->frames[frames->next - 1], path);
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "--frames: %s does not exist, and the method advect starts at the first frame, %d, or after a "
            "fine frame (refine the frames before, or give --method texture)",
            path, found->frames[0]);
    }
    return BRUME_OK;
}

// fails for existing outputs, and for outputs that are inputs
static BrumeStatus check_outputs(const BrumeRefineDef *def, BrumeOutputPattern *outputs, BrumeError *error)
{
    BrumeFrameFiles selected = {0};
    char first[BRUME_MAX_PATH];
    BrumeStatus status = brume_frame_files_find(&selected, def->input, &def->frames, error);
    status = status == BRUME_OK ? brume_frame_files_check_outputs(&selected, &selected.found, outputs, def->output,
                                                                  def->overwrite || def->resume, error)
                                : status;
    if (status == BRUME_OK) {
        brume_pattern_path(outputs, selected.found.frames[0], first);
        status = brume_file_check_writable(first, error);
    }
    brume_frame_files_destroy(&selected);
    return status;
}

static BrumeStatus refine(const BrumeRefineDef *def, BrumeMessages *messages, BrumeError *error)
{
    const BrumeFrameRange all = {0};
    BrumeFrameFiles files = {0};
    BrumeOutputPattern outputs;
    BrumeRefineFrames frames = {.def = def, .files = &files, .outputs = &outputs, .messages = messages};
    BrumeStatus status = check_def(def, error);
    status = status == BRUME_OK ? check_outputs(def, &outputs, error) : status;
    status = status == BRUME_OK ? brume_frame_files_find(&files, def->input, &all, error) : status;
    status = status == BRUME_OK ? find_range(&frames, error) : status;
    status = status == BRUME_OK ? brume_refine_check_settings(&frames, error) : status;
    status = status == BRUME_OK ? brume_interrupt_start("stopping after this file", error) : status;
    if (status == BRUME_OK) {
        brume_keep_freed_memory(); // each frame needs as much as the one before
        brume_progress_start(&frames.progress, 0, frames.end - frames.next, brume_seconds());
        brume_job_queue_init(&frames.writes,
                             &(BrumeJobQueueDef){.slots = 1, .context = &frames, .run = brume_refine_write_file});
        status = def->method->refine(&frames, error);
        brume_job_queue_destroy(&frames.writes);
        if (frames.written > 0 || status == BRUME_OK) {
            brume_messages_print(messages, BRUME_PRINT_RESULTS, "%d %s", frames.written,
                                 frames.written == 1 ? "file is written" : "files are written");
        }
    }
    if (status == BRUME_OK && frames.next < frames.end) {
        status = brume_fail(error, BRUME_INTERRUPTED, "interrupted: %d files are written (go on with --resume)",
                            frames.written);
    }
    brume_frame_files_destroy(&files);
    return status;
}

static int run_refine(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeRefineDef def = {
        .method = &brume_refine_advect, .factor = 2, .strength = -1.0, .scale = 4.0, .texture_period = 1.0};
    const char *operand;
    BrumeMessages messages = {0};
    BrumeError error;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &operand, &def, &error);
    if (status == BRUME_OK) {
        def.input = operand;
        def.strength = def.strength < 0.0 ? def.method->strength : def.strength;
        status = brume_messages_open(&messages, def.quiet, 0, NULL, false, &error);
    }
    status = status == BRUME_OK ? refine(&def, &messages, &error) : status;
    if (status != BRUME_OK) {
        brume_messages_error(&messages, &error);
    }
    return (int)brume_messages_end(&messages, status);
}

#define MEMBER(kind_, member_) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeRefineDef, member_)

static const BrumeOption options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PATTERN",
     MEMBER(TEXT, output),
     .complete = {BRUME_COMPLETE_FILES, "hdf vdb vti raw"},
     .help = "files of the fine frames, as fine/plume.####.hdf"},
    {.name = "method",
     .value = "NAME",
     MEMBER(CUSTOM, method),
     .parse = parse_method,
     .complete = {BRUME_COMPLETE_WORDS, "advect texture"},
     .help = "advect (default): smoke that the velocity of the files and\nturbulence carry from frame to frame; "
             "texture: the detail of\n"
             "render.detail, of each frame alone"},
    {.name = "factor",
     .value = "N",
     MEMBER(INT, factor),
     .least = 2,
     .most = BRUME_MAX_DETAIL_FACTOR,
     .help = "fine cells along a cell, 2 to 4 (default: 2)"},
    {.name = "strength",
     .value = "S",
     MEMBER(NUMBER, strength),
     .least = 0,
     .most = 100,
     .help = "strength of the turbulence (default: 1) or of the detail\n(default: 2); 1 continues the spectrum"},
    {.name = "scale",
     .value = "CELLS",
     MEMBER(CUSTOM, scale),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "longest wavelength that is added, in cells of SOURCE\n(default: 4)"},
    {.name = "texture-period",
     .value = "SECONDS",
     MEMBER(CUSTOM, texture_period),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "advect: period of texture coordinates where the files have\nnone (default: 1)"},
    {.name = "fps",
     .value = "N",
     MEMBER(CUSTOM, fps),
     .parse = brume_parse_positive,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "advect: frames per second, in place of the times in the files"},
    {.name = "frames",
     .value = "A:B[:S]",
     MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "refine the frames A to B; advect starts at the first frame of\nSOURCE or after a fine frame"},
    {.name = "resume", MEMBER(FLAG, resume), .help = "go on after the fine frames that exist"},
    {.name = "overwrite",
     MEMBER(FLAG, overwrite),
     .help = "replace existing outputs; without this option they are an error"},
    {.name = "quiet", .letter = 'q', MEMBER(FLAG, quiet), .help = "print errors and warnings only"},
};

static const BrumeEntry examples[] = {
    {"brume refine cache/plume.####.hdf -o fine/plume.####.hdf --factor 4", "adds turbulence in cells of a fourth"},
    {"brume refine cache/plume.####.hdf -o fine/plume.####.hdf --factor 4 --resume", "goes on after a stop"},
    {"brume refine cache/plume.####.hdf -o fine/plume.####.vdb --method texture --frames 40:40",
     "adds detail to one frame"},
    {NULL, NULL},
};

const BrumeCommand brume_refine_command = {
    .name = "refine",
    .summary = "make volume files finer without simulating again",
    .details = "Reads a sequence of volume files and writes it in smaller cells with finer smoke. The\n"
               "method advect carries smoke by the velocity in the files and turbulence below the size\n"
               "of cells, frame by frame; the method texture needs the texture coordinates of\n"
               "solver.texture_period. The sum of the smoke stays that of each frame. Ctrl-C stops after\n"
               "the present file; --resume goes on with the same bytes.",
    .usage = "SOURCE -o PATTERN [options]",
    .operand = "SOURCE",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "hdf vtkhdf vdb vti raw"},
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run_refine,
};
