/*
 * The bytes of a PNG or JPEG file: refused with a reason, or pixels that can be read. Files that claim large pictures
 * are left out, because a few bytes may stand for any number of pixels.
 */
#include "fuzz_target.h"

#include "app/volumes/display_image.h"
#include "core/memory.h"
#include "io/png.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 20 };
    int width = 0;
    int height = 0;
    if (size > MOST || !brume_display_image_size(data, size, &width, &height) || (double)width * height > MOST) {
        return 0;
    }
    uint8_t *const bytes = fuzz_bytes(data, size);
    const char *reason = NULL;
    char text[64];
    uint8_t *const rgb = brume_decode_display_image(bytes, size, &width, &height, &reason);
    FUZZ_REQUIRE(rgb || reason, "no reason");
    volatile unsigned sum = 0;
    for (size_t n = 0; rgb && n < (size_t)3 * (size_t)width * (size_t)height; n++) {
        sum = sum + rgb[n];
    }
    if (brume_png_is_intact(bytes, size)) {
        (void)brume_png_find_text(bytes, size, "key", text, sizeof text);
    }
    free(rgb);
    brume_free(bytes);
    return 0;
}
