/*
 * The bytes of a Radiance file: refused with one line that starts with the path, or a picture whose values can be read.
 */
#include "fuzz_target.h"

#include "core/memory.h"
#include "io/hdr_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *const bytes = fuzz_bytes(data, size);
    BrumeFloatImage image;
    BrumeError error = {0};
    const BrumeStatus status = brume_hdr_read(&image, bytes, size, "input", &error);
    fuzz_require_status(status, &error);
    FUZZ_REQUIRE(status == BRUME_OK || !image.rgb, error.text);
    volatile float sum = 0.0f;
    for (size_t n = 0; status == BRUME_OK && n < (size_t)3 * (size_t)image.width * (size_t)image.height; n++) {
        sum = sum + image.rgb[n];
    }
    free(image.rgb);
    brume_free(bytes);
    return 0;
}
