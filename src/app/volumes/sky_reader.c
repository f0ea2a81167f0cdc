#include "app/volumes/sky_reader.h"

#include "core/error.h"
#include "core/memory.h"
#include "io/exr_read.h"
#include "io/file.h"
#include "io/hdr_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static BrumeStatus check_values(const BrumeFloatImage *image, const char *path, BrumeError *error)
{
    const size_t count = (size_t)3 * (size_t)image->width * (size_t)image->height;
    for (size_t n = 0; n < count; n++) {
        if (!isfinite(image->rgb[n])) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: the value at column %zu of row %zu is not finite (limit it)",
                              path, n / 3 % (size_t)image->width, n / 3 / (size_t)image->width);
        }
    }
    return BRUME_OK;
}

bool brume_is_sky_image(const uint8_t *bytes, size_t size)
{
    return brume_is_hdr(bytes, size) || brume_is_exr(bytes, size);
}

static BrumeStatus decode(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                          BrumeError *error)
{
    if (brume_is_hdr(bytes, size)) {
        return brume_hdr_read(image, bytes, size, path, error);
    }
#ifdef BRUME_HAS_OPENEXR
    if (brume_is_exr(bytes, size)) {
        return brume_exr_read(image, bytes, size, path, error);
    }
#else
    if (brume_is_exr(bytes, size)) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "%s: this build of Brume does not read OpenEXR (convert the file to .hdr, or build Brume where "
            "libopenexr-dev is installed)",
            path);
    }
#endif
    return brume_fail(error, BRUME_BAD_INPUT,
                      "%s: is neither a Radiance (.hdr) nor an OpenEXR (.exr) picture (convert it to one)", path);
}

BrumeStatus brume_decode_linear_image(const uint8_t *bytes, size_t size, const char *path, int *width, int *height,
                                      float **values, BrumeError *error)
{
    BrumeFloatImage image = {0};
    BrumeStatus status = decode(&image, bytes, size, path, error);
    if (status == BRUME_OK) {
        status = check_values(&image, path, error);
    }
    if (status != BRUME_OK) {
        free(image.rgb);
        image = (BrumeFloatImage){0};
    }
    *width = image.width;
    *height = image.height;
    *values = image.rgb;
    return status;
}

BrumeStatus brume_read_sky(void *context, const char *path, int *width, int *height, float **radiance,
                           BrumeError *error)
{
    (void)context;
    uint8_t *bytes = NULL;
    size_t size = 0;
    *width = *height = 0;
    *radiance = NULL;
    BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status == BRUME_OK) {
        status = brume_decode_linear_image(bytes, size, path, width, height, radiance, error);
    }
    brume_free(bytes);
    if (status == BRUME_OK && *width != 2 * *height) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: has %d x %d pixels, but an image of all directions is twice as wide as high", path,
                            *width, *height);
        free(*radiance);
        *radiance = NULL;
        *width = *height = 0;
    }
    return status;
}
