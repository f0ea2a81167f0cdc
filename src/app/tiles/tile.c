#include "app/tiles/tile.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

int brume_tile_limit(int height) { return (height + BRUME_TILE_ROWS - 1) / BRUME_TILE_ROWS; }

BrumePictureCrop brume_tile_pixels(const BrumeChunk *tile, int width, int height)
{
    const long long blocks = brume_tile_limit(height);
    const int top = (int)(blocks * (tile->index - 1) / tile->count) * BRUME_TILE_ROWS;
    const int bottom = (int)(blocks * tile->index / tile->count) * BRUME_TILE_ROWS;
    return (BrumePictureCrop){.top = top, .right = width, .bottom = bottom < height ? bottom : height};
}

void brume_tile_record_write(const BrumeTileRecord *record, char text[BRUME_TILE_TEXT])
{
    (void)snprintf(text, BRUME_TILE_TEXT,
                   "tile %d of %d; %d x %d pixels; picture %d; frame %d; time %.17g; samples %d; scene %s; %s",
                   record->tile.index, record->tile.count, record->width, record->height, record->picture,
                   record->frame, record->time, record->samples, record->scene_hash, record->version);
}

bool brume_tile_record_read(BrumeTileRecord *record, const char *text)
{
    BrumeTileRecord read = {0};
    // NOLINTNEXTLINE(cert-err34-c): a number that does not fit gives a text that differs
    const int members = sscanf(
        text, "tile %d of %d; %d x %d pixels; picture %d; frame %d; time %lg; samples %d; scene %19[^;]; %31[^;]",
        &read.tile.index, &read.tile.count, &read.width, &read.height, &read.picture, &read.frame, &read.time,
        &read.samples, read.scene_hash, read.version);
    if (members != 10 || read.width < 1 || read.height < 1 || read.tile.index < 1 ||
        read.tile.index > read.tile.count || read.tile.count > brume_tile_limit(read.height)) {
        return false;
    }
    char written[BRUME_TILE_TEXT];
    brume_tile_record_write(&read, written);
    *record = read;
    return strcmp(written, text) == 0;
}

const char *brume_tile_record_difference(const BrumeTileRecord *a, const BrumeTileRecord *b)
{
    const struct {
        const char *name;
        bool differs;
    } members[] = {
        {"version of the program", strcmp(a->version, b->version) != 0},
        {"size", a->width != b->width || a->height != b->height},
        {"number of samples", a->samples != b->samples},
        {"frame", a->frame != b->frame || a->picture != b->picture},
        {"time", a->time < b->time || a->time > b->time},
        {"scene", strcmp(a->scene_hash, b->scene_hash) != 0},
    };
    for (size_t n = 0; n < sizeof members / sizeof members[0]; n++) {
        if (members[n].differs) {
            return members[n].name;
        }
    }
    return NULL;
}
