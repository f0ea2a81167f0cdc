#include "app/volumes/picture_reader.h"

#include "app/volumes/display_image.h"
#include "app/volumes/sky_reader.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/resource_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_display_image(const uint8_t *bytes, size_t size)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G'};
    static const uint8_t jpeg[] = {0xff, 0xd8, 0xff};
    return size > sizeof png && (memcmp(bytes, png, sizeof png) == 0 || memcmp(bytes, jpeg, sizeof jpeg) == 0);
}

// the transfer function of sRGB (IEC 61966-2-1)
static float linear_from_srgb(int byte)
{
    const double value = byte / 255.0;
    return (float)(value <= 0.04045 ? value / 12.92 : brume_pow((value + 0.055) / 1.055, 2.4));
}

static BrumeStatus decode(const uint8_t *bytes, size_t size, const char *path, int *width, int *height, float **linear,
                          BrumeError *error)
{
    const char *reason;
    char what[64];
    if (brume_display_image_size(bytes, size, width, height)) {
        (void)snprintf(what, sizeof what, "%d x %d pixels", *width, *height);
        // bytes, and floats
        const BrumeStatus status = brume_admit_values(3.0 * 5.0 * (double)*width * (double)*height, path, what, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    uint8_t *const rgb = brume_decode_display_image(bytes, size, width, height, &reason);
    if (!rgb) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the picture is incomplete or damaged (%s)", path, reason);
    }
    const size_t count = (size_t)3 * (size_t)*width * (size_t)*height;
    float table[256];
    for (int byte = 0; byte < 256; byte++) {
        table[byte] = linear_from_srgb(byte);
    }
    *linear = malloc(count * sizeof **linear);
    for (size_t n = 0; *linear && n < count; n++) {
        (*linear)[n] = table[rgb[n]];
    }
    free(rgb);
    return *linear ? BRUME_OK : brume_out_of_memory(error, "%s", path);
}

bool brume_is_picture_path(const char *path)
{
    static const char *const extensions[] = {".png", ".jpg", ".jpeg", ".hdr", ".exr"};
    const char *extension = strrchr(path, '.');
    for (size_t n = 0; extension && n < sizeof extensions / sizeof extensions[0]; n++) {
        if (strcasecmp(extension, extensions[n]) == 0) {
            return true;
        }
    }
    return false;
}

BrumeStatus brume_decode_picture(const uint8_t *bytes, size_t size, const char *path, int *width, int *height,
                                 float **rgb, BrumeError *error)
{
    *width = *height = 0;
    *rgb = NULL;
    if (is_display_image(bytes, size)) {
        return decode(bytes, size, path, width, height, rgb, error);
    }
    if (brume_is_sky_image(bytes, size)) {
        return brume_decode_linear_image(bytes, size, path, width, height, rgb, error);
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "%s: is not a PNG, JPEG, Radiance (.hdr) or OpenEXR (.exr) picture (convert it to one)", path);
}

BrumeStatus brume_read_picture(void *context, const char *path, int *width, int *height, float **rgb, BrumeError *error)
{
    (void)context;
    uint8_t *bytes = NULL;
    size_t size = 0;
    *width = *height = 0;
    *rgb = NULL;
    BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status == BRUME_OK) {
        status = brume_decode_picture(bytes, size, path, width, height, rgb, error);
    }
    brume_free(bytes);
    return status;
}
