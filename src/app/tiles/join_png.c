// PNG tiles are decoded, and the picture is encoded as it is without tiles: its compression depends on all rows.
#include "app/tiles/tile_bytes.h"
#include "app/video/image_read.h"
#include "core/memory.h"
#include "io/image_internal.h"
#include "io/png.h"

#include <string.h>

bool brume_png_tile_text(const uint8_t *bytes, size_t size, char text[BRUME_TILE_TEXT])
{
    return brume_png_is_intact(bytes, size) && brume_png_find_text(bytes, size, BRUME_TILE_KEY, text, BRUME_TILE_TEXT);
}

static bool same_format(BrumePixelFormat a, BrumePixelFormat b) { return a.bits == b.bits && a.channels == b.channels; }

// decodes a tile to its rows of the picture
static BrumeStatus add_tile(const BrumeTileBytes *tile, const BrumeTileBytes *first, BrumePixelFormat format,
                            uint8_t *picture, BrumeError *error)
{
    const BrumeTileRecord *const record = &tile->record;
    const BrumePictureCrop place = brume_tile_pixels(&record->tile, record->width, record->height);
    BrumeRawImage image;
    if (brume_raw_image_decode(&image, tile->bytes, tile->size, tile->path, error) != BRUME_OK) {
        return error->status;
    }
    BrumeStatus status = BRUME_OK;
    if (image.width != record->width || image.height != place.bottom - place.top) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has %d x %d pixels, and its tile %d x %d (draw it again)",
                            tile->path, image.width, image.height, record->width, place.bottom - place.top);
    } else if (!same_format(image.format, format)) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%.200s: a tile of another picture than %.200s: other bits or channels (draw one of them "
                            "again)",
                            tile->path, first->path);
    } else {
        const size_t row = (size_t)image.width * brume_pixel_bytes(format);
        memcpy(picture + (size_t)place.top * row, image.pixels, (size_t)image.height * row);
    }
    brume_raw_image_destroy(&image);
    return status;
}

BrumeStatus brume_png_join(const BrumeTileBytes *tiles, int count, const char *path, bool overwrite, BrumeError *error)
{
    const BrumeTileRecord *const record = &tiles[0].record;
    BrumeRawImage first;
    if (brume_raw_image_decode(&first, tiles[0].bytes, tiles[0].size, tiles[0].path, error) != BRUME_OK) {
        return error->status;
    }
    const BrumePixelFormat format = first.format;
    brume_raw_image_destroy(&first);
    uint8_t *picture = brume_alloc_untouched((size_t)record->width * (size_t)record->height, brume_pixel_bytes(format));
    if (!picture) {
        return brume_out_of_memory(error, "a picture of %d x %d pixels", record->width, record->height);
    }
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status = add_tile(&tiles[n], &tiles[0], format, picture, error);
    }
    if (status == BRUME_OK) {
        status = brume_image_write_pixels(path, record->width, record->height, picture, format, overwrite, error);
    }
    brume_free(picture);
    return status;
}
