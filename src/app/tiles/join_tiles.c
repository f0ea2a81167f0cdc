#include "app/tiles/join_tiles.h"

#include "app/cli/interrupt.h"
#include "app/tiles/tile_bytes.h"
#include "core/memory.h"
#include "io/file.h"

#include <string.h>

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

// `expected`: the tile that its name says
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

BrumeStatus brume_join_tiles(const BrumeOutputPattern *pattern, int frame, int tiles, bool overwrite, BrumeError *error)
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
