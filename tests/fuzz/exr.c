/*
 * The bytes of an OpenEXR file, in this process: refused with one line, or a picture whose values can be read. Files
 * that claim large pictures are left out, because a few bytes may stand for any number of pixels.
 */
#include "fuzz_target.h"

#include "core/memory.h"
#include "io/exr_codec.h"

#include <stdlib.h>
#include <string.h>

static bool claims_large_picture(const uint8_t *data, size_t size)
{
    enum { MOST = 256 };
    static const char name[] = "Window\0box2i\0\x10\0\0"; // of the data and of the display; the last 0 ends the text
    const uint8_t *found = data;
    while ((found = memmem(found, size - (size_t)(found - data), name, sizeof name)) != NULL) {
        int32_t window[4];
        found += sizeof name;
        if (size - (size_t)(found - data) >= sizeof window) {
            memcpy(window, found, sizeof window);
            if ((double)window[2] - window[0] > MOST || (double)window[3] - window[1] > MOST) {
                return true;
            }
        }
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || claims_large_picture(data, size)) {
        return 0;
    }
    uint8_t *const bytes = fuzz_bytes(data, size);
    BrumeFloatImage image;
    BrumeError error = {0};
    const BrumeStatus status = brume_exr_decode(&image, bytes, size, "input", &error);
    fuzz_require_status(status, &error);
    volatile float sum = 0.0f;
    for (size_t n = 0; status == BRUME_OK && n < (size_t)3 * (size_t)image.width * (size_t)image.height; n++) {
        sum = sum + image.rgb[n];
    }
    free(image.rgb);
    brume_free(bytes);
    return 0;
}
