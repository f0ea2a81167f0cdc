#include "app/tiles/tile_files.h"

#include "app/cli/sequence.h"
#include "core/memory.h"
#include "core/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// a file
typedef struct FoundTile {
    int frame;
    BrumeChunk tile;
} FoundTile;

typedef struct FoundTiles {
    const BrumeOutputPattern *pattern; // of their pictures
    int count, capacity;
    FoundTile *tiles;
} FoundTiles;

static int compare_tiles(const void *a, const void *b)
{
    const FoundTile *const first = a;
    const FoundTile *const second = b;
    const int differences[] = {first->frame - second->frame, first->tile.count - second->tile.count,
                               first->tile.index - second->tile.index};
    return differences[0] != 0 ? differences[0] : differences[1] != 0 ? differences[1] : differences[2];
}

static BrumeStatus add(FoundTiles *found, const FoundTile *tile, BrumeError *error)
{
    FoundTile *tiles = brume_make_room(found->tiles, found->count, &found->capacity, sizeof *tiles);
    if (!tiles) {
        return brume_out_of_memory(error, "a list of files");
    }
    found->tiles = tiles;
    found->tiles[found->count++] = *tile;
    return BRUME_OK;
}

static bool has_whole_picture(const BrumeOutputPattern *pattern, int frame)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(pattern, frame, path);
    return access(path, F_OK) == 0;
}

// whether a file of this name is a tile of the pattern
static bool match(const BrumeOutputPattern *pattern, const char *name, FoundTile *found)
{
    const char *text = NULL;
    for (const char *next = strstr(name, ".tile-"); next; next = strstr(next + 1, ".tile-")) {
        text = next; // the last one
    }
    *found = (FoundTile){.frame = 1};
    // NOLINTNEXTLINE(cert-err34-c): a number that does not fit gives another name
    if (!text || sscanf(text, ".tile-%d-of-%d", &found->tile.index, &found->tile.count) != 2 || found->tile.index < 1 ||
        found->tile.index > found->tile.count) {
        return false;
    }
    BrumeOutputPattern tiles = *pattern;
    tiles.tile = found->tile;
    if (pattern->width >= 0) {
        return brume_pattern_match(&tiles, name, &found->frame);
    }
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&tiles, 1, path);
    return strcmp(brume_path_name(path), name) == 0;
}

static BrumeStatus visit(void *context, const char *name, BrumeError *error)
{
    FoundTiles *found = context;
    FoundTile tile;
    return match(found->pattern, name, &tile) ? add(found, &tile, error) : BRUME_OK;
}

static BrumeStatus list_folder(FoundTiles *found, BrumeError *error)
{
    const BrumeStatus status = brume_pattern_visit(found->pattern, visit, found, error);
    if (found->count > 0) {
        qsort(found->tiles, (size_t)found->count, sizeof *found->tiles, compare_tiles);
    }
    return status;
}

// removes frames outside the range and, with `skip_existing`, those with a whole picture
static void select_tiles(FoundTiles *found, const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                         bool skip_existing)
{
    int count = 0;
    for (int n = 0; n < found->count; n++) {
        const int frame = found->tiles[n].frame;
        const bool wanted = range->stride == 0 || brume_frames_contain(range, frame);
        if (wanted && !(skip_existing && has_whole_picture(pattern, frame))) {
            found->tiles[count++] = found->tiles[n];
        }
    }
    found->count = count;
}

// Tiles that do not exist, of all frames.
typedef struct MissingTiles {
    int count;
    int tiles;                  // of the picture of the first one
    char first[BRUME_MAX_PATH]; // its path
} MissingTiles;

// adds the frame whose tiles are from `first` to before `end`
static BrumeStatus add_frame(BrumeTileFiles *files, const BrumeOutputPattern *pattern, const FoundTile *first,
                             const FoundTile *end, MissingTiles *missing, BrumeError *error)
{
    const int tiles = first->tile.count;
    const FoundTile *const last = end - 1;
    if (last->tile.count != tiles) {
        char paths[2][BRUME_MAX_PATH];
        for (int n = 0; n < 2; n++) {
            BrumeOutputPattern tile = *pattern;
            tile.tile = n == 0 ? first->tile : last->tile;
            brume_pattern_path(&tile, first->frame, paths[n]);
        }
        return brume_fail(error, BRUME_BAD_INPUT, "%.200s and %.200s overlap (remove the tiles of one division)",
                          paths[0], paths[1]);
    }
    for (int index = 1; index <= tiles; index++) {
        if (first < end && first->tile.index == index) {
            first++;
        } else if (missing->count++ == 0) {
            BrumeOutputPattern tile = *pattern;
            tile.tile = (BrumeChunk){index, tiles};
            missing->tiles = tiles;
            brume_pattern_path(&tile, last->frame, missing->first);
        }
    }
    files->frames[files->count++] = (BrumeTiledFrame){last->frame, tiles};
    return BRUME_OK;
}

static BrumeStatus fail_missing(const MissingTiles *missing, BrumeError *error)
{
    char more[64] = " is";
    if (missing->count > 1) {
        (void)snprintf(more, sizeof more, " and %d more tiles are", missing->count - 1);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%.400s%s missing (draw %s with brume render --tile I/%d)",
                      missing->first, more, missing->count == 1 ? "it" : "them", missing->tiles);
}

// fails for a frame of the range that has no tiles and, with `skip_existing`, no whole picture either
static BrumeStatus check_range(const FoundTiles *found, const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                               bool skip_existing, BrumeError *error)
{
    int next = 0;
    for (int n = 0; range->stride > 0 && n < brume_frames_count(range); n++) {
        const int frame = brume_frames_at(range, n);
        while (next < found->count && found->tiles[next].frame < frame) {
            next++;
        }
        const bool has_tiles = next < found->count && found->tiles[next].frame == frame;
        if (!has_tiles && !(skip_existing && has_whole_picture(pattern, frame))) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: there are no tiles of frame %d (give --frames with those "
                              "that exist)",
                              pattern->text, frame);
        }
    }
    return BRUME_OK;
}

static BrumeStatus group_frames(BrumeTileFiles *files, const BrumeOutputPattern *pattern, const FoundTiles *found,
                                BrumeError *error)
{
    files->frames = brume_alloc((size_t)found->count + 1, sizeof *files->frames);
    if (!files->frames) {
        return brume_out_of_memory(error, "a list of files");
    }
    MissingTiles missing = {.count = 0};
    for (int n = 0; n < found->count;) {
        int end = n;
        while (end < found->count && found->tiles[end].frame == found->tiles[n].frame) {
            end++;
        }
        if (add_frame(files, pattern, found->tiles + n, found->tiles + end, &missing, error) != BRUME_OK) {
            return error->status;
        }
        n = end;
    }
    return missing.count == 0 ? BRUME_OK : fail_missing(&missing, error);
}

BrumeStatus brume_tile_files_find(BrumeTileFiles *files, const BrumeOutputPattern *pattern,
                                  const BrumeFrameRange *range, bool skip_existing, BrumeError *error)
{
    *files = (BrumeTileFiles){0};
    FoundTiles found = {.pattern = pattern};
    BrumeStatus status = list_folder(&found, error);
    if (status == BRUME_OK && found.count == 0) {
        BrumeOutputPattern tile = *pattern;
        tile.tile = (BrumeChunk){1, 4};
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&tile, 1, path);
        status = brume_fail(error, BRUME_BAD_INPUT, "%.200s: there are no tiles of this pattern, as %.200s",
                            pattern->text, path);
    }
    if (status == BRUME_OK) {
        select_tiles(&found, pattern, range, skip_existing);
        status = check_range(&found, pattern, range, skip_existing, error);
    }
    status = status == BRUME_OK ? group_frames(files, pattern, &found, error) : status;
    brume_free(found.tiles);
    if (status != BRUME_OK) {
        brume_tile_files_destroy(files);
    }
    return status;
}

void brume_tile_files_destroy(BrumeTileFiles *files)
{
    brume_free(files->frames);
    *files = (BrumeTileFiles){0};
}
