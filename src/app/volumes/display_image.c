// The code of stb_image, with names of this file alone: programs that link this one may have their own. It is compiled
// without warnings (CMakeLists.txt).
#include "app/volumes/display_image.h"

#include <limits.h>
#include <string.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 32768
#include <stb_image.h>

bool brume_display_image_size(const uint8_t *bytes, size_t size, int *width, int *height)
{
    int channels;
    return size <= INT_MAX && stbi_info_from_memory(bytes, (int)size, width, height, &channels) != 0;
}

// whether a chunk of a PNG file claims more bytes than follow; stb_image would allocate them before it reads them
static bool has_long_chunk(const uint8_t *bytes, size_t size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    size_t at = sizeof signature;
    if (size < at || memcmp(bytes, signature, sizeof signature) != 0) {
        return false;
    }
    while (size - at >= 8 && memcmp(bytes + at + 4, "IEND", 4) != 0) {
        const size_t length =
            (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | (size_t)bytes[at + 3];
        if (length > size - at - 8) {
            return true;
        }
        at += 8 + length;
        at += size - at < 4 ? size - at : 4; // its checksum
    }
    return false;
}

uint8_t *brume_decode_display_image(const uint8_t *bytes, size_t size, int *width, int *height, const char **reason)
{
    int channels;
    *reason = "too large";
    if (size > INT_MAX) {
        return NULL;
    }
    if (has_long_chunk(bytes, size)) {
        *reason = "outofdata"; // as stb_image says
        return NULL;
    }
    uint8_t *const rgb = stbi_load_from_memory(bytes, (int)size, width, height, &channels, 3);
    *reason = rgb ? "" : stbi_failure_reason();
    return rgb;
}
