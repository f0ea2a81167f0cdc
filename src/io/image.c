#include "brume/image.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/png.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

BrumeStatus brume_image_write(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error)
{
    assert(path != NULL && rgb != NULL);
    if (width < 1 || height < 1) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is empty", path, width, height);
    }
    if (height > INT_MAX / 4 / width) { // the encoder counts bytes in an int
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is too large", path, width, height);
    }
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, width, height, &size);
    if (png == NULL) {
        return brume_out_of_memory(error, "the image %s", path);
    }
    const BrumeStatus status = brume_file_write(path, png, size, error);
    brume_free(png);
    return status;
}
