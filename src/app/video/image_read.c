#include "app/video/image_read.h"

#include "core/memory.h"
#include "io/file.h"

#include <limits.h>
#include <stdbool.h>
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

static BrumeStatus fail_format(const char *path, const char *reason, BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "%s: not a PNG image that can be read: %s", path, reason);
}

BrumeStatus brume_raw_image_decode(BrumeRawImage *image, const uint8_t *bytes, size_t size, const char *path,
                                   BrumeError *error)
{
    const int length = size <= INT_MAX ? (int)size : INT_MAX;
    *image = (BrumeRawImage){.format = {.bits = stbi_is_16_bit_from_memory(bytes, length) ? 16 : 8}};
    int *const channels = &image->format.channels;
    image->pixels = image->format.bits == 16
                        ? (void *)stbi_load_16_from_memory(bytes, length, &image->width, &image->height, channels, 0)
                        : (void *)stbi_load_from_memory(bytes, length, &image->width, &image->height, channels, 0);
    if (image->pixels && *channels >= 3) {
        return BRUME_OK;
    }
    const bool decoded = image->pixels != NULL;
    brume_raw_image_destroy(image);
    return fail_format(path, decoded ? "it has no colors" : stbi_failure_reason(), error);
}

void brume_raw_image_destroy(BrumeRawImage *image)
{
    free(image->pixels); // stb_image allocates it by malloc
    *image = (BrumeRawImage){0};
}

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
        return fail_format(path, stbi_failure_reason(), error);
    }
    return BRUME_OK;
}

void brume_image_destroy(BrumeImage *image)
{
    free(image->rgb); // stb_image allocates it by malloc
    *image = (BrumeImage){0};
}
