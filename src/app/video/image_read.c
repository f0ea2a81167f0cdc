#include "app/video/image_read.h"

#include "core/memory.h"
#include "io/file.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#define STBI_MAX_DIMENSIONS 16384
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function" // reported at the end of the file, for functions of other formats
#include <stb_image.h>

BrumeStatus brume_image_read(BrumeImage *image, const char *path, BrumeError *error)
{
    *image = (BrumeImage){0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    const BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status != BRUME_OK) {
        return status;
    }
    int channels;
    const int length = size <= INT_MAX ? (int)size : INT_MAX;
    image->rgb = stbi_load_from_memory(bytes, length, &image->width, &image->height, &channels, STBI_rgb);
    brume_free(bytes);
    if (!image->rgb) {
        *image = (BrumeImage){0};
        return brume_fail(error, BRUME_BAD_INPUT, "%s: not a PNG image that can be read: %s", path,
                          stbi_failure_reason());
    }
    return BRUME_OK;
}

void brume_image_destroy(BrumeImage *image)
{
    free(image->rgb); // stb_image allocates it by malloc
    *image = (BrumeImage){0};
}
