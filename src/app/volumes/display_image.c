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

static const uint8_t png_start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
static const uint8_t jpeg_start[] = {0xff, 0xd8};

static bool starts_with(const uint8_t *bytes, size_t size, const uint8_t *start, size_t start_size)
{
    return size >= start_size && memcmp(bytes, start, start_size) == 0;
}

// whether a chunk of a PNG file claims more bytes than follow; stb_image would allocate them before it reads them
static bool has_long_chunk(const uint8_t *bytes, size_t size)
{
    size_t at = sizeof png_start;
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

// Whether one of the Huffman tables from `at` to `end` of a JPEG file has more than 256 codes, which version 2.27 of
// stb_image writes beyond an array. It reads the numbers of codes of the last table also beyond the end.
static bool has_long_table(const uint8_t *bytes, size_t size, size_t at, size_t end)
{
    enum { LENGTHS = 16, MOST = 256 };
    while (at < end) { // a byte, the numbers of codes of each length, as many values
        size_t codes = 0;
        for (size_t n = at + 1; n <= at + LENGTHS && n < size; n++) {
            codes += bytes[n];
        }
        if (codes > MOST) {
            return true;
        }
        at += 1 + LENGTHS + codes;
    }
    return false;
}

// whether a JPEG file has such a table; bytes between segments are skipped, as by stb_image
static bool has_long_tables(const uint8_t *bytes, size_t size)
{
    enum { DEFINE_HUFFMAN_TABLES = 0xc4, FIRST_RESTART = 0xd0, END_OF_IMAGE = 0xd9, FILL = 0xff };
    size_t at = sizeof jpeg_start;
    while (size - at >= 4) {
        const unsigned marker = bytes[at] == FILL ? bytes[at + 1] : 0;
        if (marker == FILL || bytes[at] != FILL) {
            at++;
        } else if (marker == 0 || (marker >= FIRST_RESTART && marker <= END_OF_IMAGE)) {
            at += 2; // no length follows
        } else {
            const size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
            const size_t end = length < size - at - 2 ? at + 2 + length : size;
            if (marker == DEFINE_HUFFMAN_TABLES && length >= 2 && has_long_table(bytes, size, at + 4, end)) {
                return true;
            }
            at = end;
        }
    }
    return false;
}

// returns the reason why stb_image must not read a file, in its words; NULL: none
static const char *find_fault(const uint8_t *bytes, size_t size)
{
    if (size > INT_MAX) {
        return "too large";
    }
    if (starts_with(bytes, size, png_start, sizeof png_start)) {
        return has_long_chunk(bytes, size) ? "outofdata" : NULL;
    }
    if (starts_with(bytes, size, jpeg_start, sizeof jpeg_start)) {
        return has_long_tables(bytes, size) ? "bad DHT header" : NULL;
    }
    return "unknown image type";
}

bool brume_display_image_size(const uint8_t *bytes, size_t size, int *width, int *height)
{
    int channels;
    return !find_fault(bytes, size) && stbi_info_from_memory(bytes, (int)size, width, height, &channels) != 0;
}

uint8_t *brume_decode_display_image(const uint8_t *bytes, size_t size, int *width, int *height, const char **reason)
{
    int channels;
    *reason = find_fault(bytes, size);
    if (*reason) {
        return NULL;
    }
    uint8_t *const rgb = stbi_load_from_memory(bytes, (int)size, width, height, &channels, 3);
    *reason = rgb ? "" : stbi_failure_reason();
    return rgb;
}
