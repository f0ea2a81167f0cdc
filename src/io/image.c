#include "brume/image.h"

#include "core/error.h"
#include "io/file.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

BrumeStatus brume_image_write(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error)
{
    assert(path != NULL && rgb != NULL);
    if (width < 1 || height < 1) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is empty", path, width, height);
    }
    if (height > INT_MAX / 4 / width) { // the encoder counts bytes in an int
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a picture of %d x %d pixels is too large", path, width, height);
    }
    int size = 0;
    unsigned char *png = stbi_write_png_to_mem(rgb, 3 * width, width, height, 3, &size);
    if (png == NULL) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot write: out of memory", path);
    }
    const BrumeStatus status = brume_file_write(path, png, (size_t)size, error);
    free(png);
    return status;
}
