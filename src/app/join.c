#include "app/cli/interrupt.h"
#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/tiles/tile_bytes.h"
#include "app/tiles/tile_files.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "io/file.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/** The command line. */
typedef struct JoinDef {
    BrumeFrameRange frames; ///< all zero: not given
    bool skip_existing, overwrite, quiet;
} JoinDef;

static BrumeStatus check_def(const JoinDef *def, const BrumeOutputPattern *pattern, BrumeError *error)
{
    if (def->skip_existing && def->overwrite) {
        return brume_fail(error, BRUME_BAD_INPUT, "--skip-existing and --overwrite exclude each other (give one)");
    }
    if (pattern->width < 0 && def->frames.stride > 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "--frames: '%s' has no frame number", pattern->text);
    }
    return BRUME_OK;
}

// fails if one of the pictures exists
static BrumeStatus check_free(const BrumeTileFiles *files, const BrumeOutputPattern *pattern, BrumeError *error)
{
    char first[BRUME_MAX_PATH] = "";
    int taken = 0;
    for (int n = 0; n < files->count; n++) {
        char path[BRUME_MAX_PATH];
        struct stat existing; // a link whose target does not exist counts too
        brume_pattern_path(pattern, files->frames[n].frame, path);
        if (lstat(path, &existing) == 0 && taken++ == 0) {
            (void)snprintf(first, sizeof first, "%s", path);
        }
    }
    char more[64] = "";
    if (taken > 1) {
        (void)snprintf(more, sizeof more, " and %d more of the pictures", taken - 1);
    }
    return taken == 0 ? BRUME_OK
                      : brume_fail(error, BRUME_BAD_INPUT, "%.400s%s exist%s (give --overwrite to replace %s)", first,
                                   more, taken == 1 ? "s" : "", taken == 1 ? "it" : "them");
}

static void print_result(const BrumeTileFiles *files, const BrumeOutputPattern *pattern, int done,
                         BrumeMessages *messages)
{
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    if (done > 0) {
        brume_pattern_path(pattern, files->frames[0].frame, first);
        brume_pattern_path(pattern, files->frames[done - 1].frame, last);
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "%d %s of tiles: %s%s%s", done,
                             done == 1 ? "picture" : "pictures", first, done > 1 ? " to " : "", done > 1 ? last : "");
    } else if (files->count == 0) {
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "nothing to do: all pictures exist");
    }
}

static BrumeStatus read_tile(BrumeTileBytes *tile, bool is_exr, BrumeError *error)
{
    if (brume_file_read(tile->path, &tile->bytes, &tile->size, error) != BRUME_OK) {
        return error->status;
    }
    char text[BRUME_TILE_TEXT];
    const bool has_text = is_exr ? brume_exr_tile_text(tile->bytes, tile->size, text)
                                 : brume_png_tile_text(tile->bytes, tile->size, text);
    return has_text && brume_tile_record_read(&tile->record, text)
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "%s: not a tile that brume render --tile has written, or damaged (draw it again)",
                            tile->path);
}

// fails unless the tile is the `expected` one, by its file name, and belongs to the same picture as the first tile
static BrumeStatus check_tile(const BrumeTileBytes *tile, const BrumeTileBytes *first, const BrumeChunk *expected,
                              BrumeError *error)
{
    const BrumeChunk *const is = &tile->record.tile;
    if (is->index != expected->index || is->count != expected->count) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has tile %d of %d, not %d of %d (draw it again)", tile->path,
                          is->index, is->count, expected->index, expected->count);
    }
    const char *difference = brume_tile_record_difference(&first->record, &tile->record);
    return difference ? brume_fail(error, BRUME_BAD_INPUT,
                                   "%.200s: a tile of another picture than %.200s: another %s (draw one of them again)",
                                   tile->path, first->path, difference)
                      : BRUME_OK;
}

// Reads the tiles of a frame and writes its picture, replacing a file only with `overwrite`; no file after a failure.
static BrumeStatus join_tiles(const BrumeOutputPattern *pattern, int frame, int tiles, bool overwrite,
                              BrumeError *error)
{
    const bool is_exr = brume_pattern_is_exr(pattern);
    BrumeOutputPattern name = *pattern;
    BrumeTileBytes *files = brume_alloc((size_t)tiles, sizeof *files);
    if (!files) {
        return brume_out_of_memory(error, "the tiles of a picture");
    }
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < tiles && status == BRUME_OK; n++) {
        name.tile = (BrumeChunk){n + 1, tiles};
        brume_pattern_path(&name, frame, files[n].path);
        status = read_tile(&files[n], is_exr, error);
        status = status == BRUME_OK ? check_tile(&files[n], &files[0], &name.tile, error) : status;
    }
    if (status == BRUME_OK) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(pattern, frame, path);
        brume_interrupt_block();
        status = (is_exr ? brume_exr_join : brume_png_join)(files, tiles, path, overwrite, error);
        brume_interrupt_unblock();
    }
    for (int n = 0; n < tiles; n++) {
        brume_free(files[n].bytes);
    }
    brume_free(files);
    return status;
}

static BrumeStatus join_all(const JoinDef *def, const BrumeTileFiles *files, const BrumeOutputPattern *pattern,
                            BrumeMessages *messages, BrumeError *error)
{
    BrumeProgress progress;
    BrumeStatus status = BRUME_OK;
    int done = 0;
    brume_progress_start(&progress, 0, files->count, brume_seconds());
    while (done < files->count && status == BRUME_OK && !brume_interrupt_requested()) {
        const BrumeTiledFrame *const frame = &files->frames[done];
        status = join_tiles(pattern, frame->frame, frame->tiles, def->overwrite, error);
        if (status == BRUME_OK) {
            done++;
            brume_progress_count(&progress, brume_seconds(), 0.0, 0.0);
            if (files->count > 1) {
                brume_messages_progress(messages, &progress);
            }
        }
    }
    print_result(files, pattern, done, messages);
    return status == BRUME_OK && done < files->count
               ? brume_fail(error, BRUME_INTERRUPTED, "interrupted: %d of %d pictures are written", done, files->count)
               : status;
}

static BrumeStatus join(const JoinDef *def, const char *operand, BrumeMessages *messages, BrumeError *error)
{
    static const BrumePatternDef pattern_def = {.option = "PATTERN", .extensions = brume_image_extensions};
    BrumeTileFiles files = {0};
    BrumeOutputPattern pattern;
    BrumeStatus status = brume_pattern_read(&pattern, operand, &pattern_def, 1, error);
    status = status == BRUME_OK ? check_def(def, &pattern, error) : status;
    if (status == BRUME_OK) {
        status = brume_tile_files_find(&files, &pattern, &def->frames, def->skip_existing, error);
    }
    status = status == BRUME_OK && !def->overwrite ? check_free(&files, &pattern, error) : status;
    status =
        status == BRUME_OK && files.count > 0 ? brume_pattern_prepare(&pattern, files.frames[0].frame, error) : status;
    status = status == BRUME_OK ? brume_interrupt_start("stopping after this picture", error) : status;
    status = status == BRUME_OK ? join_all(def, &files, &pattern, messages, error) : status;
    brume_tile_files_destroy(&files);
    return status;
}

static int run_join(const BrumeCommand *command, int argc, char **argv)
{
    static JoinDef def;
    const char *operand;
    BrumeMessages messages = {0};
    BrumeError error;
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &operand, &def, &error);
    if (status == BRUME_OK) {
        status = brume_messages_open(&messages, def.quiet, 0, NULL, false, &error);
    }
    status = status == BRUME_OK ? join(&def, operand, &messages, &error) : status;
    if (status != BRUME_OK) {
        brume_messages_error(&messages, &error);
    }
    return (int)brume_messages_end(&messages, status);
}

#define MEMBER(kind_, member_) .kind = BRUME_OPTION_##kind_, .offset = offsetof(JoinDef, member_)

static const BrumeOption options[] = {
    {.name = "frames",
     .value = "A:B[:S]",
     MEMBER(CUSTOM, frames),
     .parse = brume_parse_frames,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "join the frames A to B, every S-th (default: all that have tiles)"},
    {.name = "skip-existing", MEMBER(FLAG, skip_existing), .help = "join the frames whose pictures are missing"},
    {.name = "overwrite",
     MEMBER(FLAG, overwrite),
     .help = "replace existing pictures; without this option they are an error"},
    {.name = "quiet", .letter = 'q', MEMBER(FLAG, quiet), .help = "print errors and warnings only"},
};

static const BrumeEntry examples[] = {
    {"brume join large.exr", "joins large.tile-1-of-8.exr to large.tile-8-of-8.exr"},
    {"brume join 'out/plume.####.png' --skip-existing", "joins the tiles of all frames that are not joined yet"},
    {NULL, NULL},
};

const BrumeCommand brume_join_command = {
    .name = "join",
    .summary = "join the tiles of large pictures",
    .details = "Joins the tiles that brume render --tile I/N has drawn. PATTERN is that of render -o, as\n"
               "'out/plume.####.exr', and names the pictures; their tiles are beside them. The pictures\n"
               "have the bytes of those drawn without --tile. The tiles stay. Ctrl-C stops after the\n"
               "present picture.",
    .usage = "PATTERN [options]",
    .operand = "PATTERN",
    .operand_needed = true,
    .complete = {BRUME_COMPLETE_FILES, "png exr"},
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run_join,
};
