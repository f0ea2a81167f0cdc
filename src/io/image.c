#include "io/image_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/png.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

typedef BrumeStatus (*WriteFunction)(const char *path, const void *bytes, size_t size, BrumeError *error);

// encodes a picture as PNG, with the text of a tile unless NULL, and writes it by `write_file`
static BrumeStatus write_image(const char *path, int width, int height, const void *pixels, BrumePixelFormat format,
                               const char *tile, WriteFunction write_file, BrumeError *error)
{
    assert(path != NULL && pixels != NULL);
    if (width < 1 || height < 1) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is empty", path, width, height);
    }
    // the encoder counts bytes in an int, with one more for each row
    if (height > INT_MAX / ((int)brume_pixel_bytes(format) + 1) / width) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is too large", path, width, height);
    }
    size_t size = 0;
    uint8_t *png = brume_png_encode_pixels(pixels, width, height, format, &size);
    if (png != NULL && tile != NULL) {
        png = brume_png_add_text(png, &size, BRUME_TILE_KEY, tile);
    }
    if (png == NULL) {
        return brume_out_of_memory(error, "the image %s", path);
    }
    const BrumeStatus status = write_file(path, png, size, error);
    brume_free(png);
    return status;
}

BrumeStatus brume_image_write(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error)
{
    return write_image(path, width, height, rgb, brume_rgb8, NULL, brume_file_write, error);
}

BrumeStatus brume_image_write_pixels(const char *path, int width, int height, const void *pixels,
                                     BrumePixelFormat format, bool replace, BrumeError *error)
{
    return brume_image_write_tile(path, width, height, pixels, format, NULL, replace, error);
}

BrumeStatus brume_image_write_tile(const char *path, int width, int height, const void *pixels, BrumePixelFormat format,
                                   const char *tile, bool replace, BrumeError *error)
{
    return write_image(path, width, height, pixels, format, tile, replace ? brume_file_write : brume_file_create,
                       error);
}
