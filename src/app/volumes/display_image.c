// The code of stb_image, with names of this file alone: programs that link this one may have their own. It is compiled
// without warnings (CMakeLists.txt).
#include "app/volumes/display_image.h"

#include <limits.h>

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

uint8_t *brume_decode_display_image(const uint8_t *bytes, size_t size, int *width, int *height, const char **reason)
{
    int channels;
    *reason = "too large";
    if (size > INT_MAX) {
        return NULL;
    }
    uint8_t *const rgb = stbi_load_from_memory(bytes, (int)size, width, height, &channels, 3);
    *reason = rgb ? "" : stbi_failure_reason();
    return rgb;
}
