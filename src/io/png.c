/*
 * PNG encoding by stb_image_write, with memory from the library's allocator. stb_image_write does not check whether its
 * buffers grow; a failed allocation therefore leaves it by longjmp, and its blocks, which are in a list, are freed.
 *
 * It writes files of 8 bits only. Files of 16 bits are composed here from its filters and its deflate encoder (PNG
 * specification, third edition, sections 5, 9 and 11).
 */
#include "io/png.h"

#include "core/memory.h"

#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// precedes each block that the encoder holds; as large as the alignment that a block may need
typedef union EncoderBlock {
    struct {
        union EncoderBlock *next, *previous;
    } link;
    max_align_t alignment;
} EncoderBlock;

typedef struct Encoder {
    jmp_buf failed;
    EncoderBlock held; // head of the ring of blocks
} Encoder;

static _Thread_local Encoder *encoder;

// adds a block to the list of all blocks that the encoder holds
static void add_block(EncoderBlock *block)
{
    block->link.next = encoder->held.link.next;
    block->link.previous = &encoder->held;
    block->link.next->link.previous = block;
    encoder->held.link.next = block;
}

static void remove_block(const EncoderBlock *block)
{
    block->link.previous->link.next = block->link.next;
    block->link.next->link.previous = block->link.previous;
}

// the realloc of stb_image_write; without memory, leaves the encoder
static void *resize_block(void *memory, size_t old_bytes, size_t bytes)
{
    EncoderBlock *block = memory ? (EncoderBlock *)memory - 1 : NULL;
    if (block) {
        remove_block(block);
    }
    EncoderBlock *resized = brume_realloc(block, sizeof *block + old_bytes, sizeof *block + bytes);
    if (!resized) {
        if (block) {
            add_block(block);
        }
        longjmp(encoder->failed, 1);
    }
    add_block(resized);
    return resized + 1;
}

static void free_block(void *memory)
{
    if (memory) {
        EncoderBlock *block = (EncoderBlock *)memory - 1;
        remove_block(block);
        brume_free(block);
    }
}

#define STBIW_MALLOC(bytes) resize_block(NULL, 0, bytes)
#define STBIW_REALLOC_SIZED(memory, old_bytes, bytes) resize_block(memory, old_bytes, bytes)
#define STBIW_FREE(memory) free_block(memory)
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

// the bytes of the rows, with the most significant byte of a number first
static uint8_t *big_endian_rows(const uint16_t *pixels, int numbers)
{
    uint8_t *bytes = resize_block(NULL, 0, 2 * (size_t)numbers);
    for (size_t n = 0; n < (size_t)numbers; n++) {
        bytes[2 * n] = (uint8_t)(pixels[n] >> 8);
        bytes[2 * n + 1] = (uint8_t)(pixels[n] & 0xff);
    }
    return bytes;
}

// sum of the absolute values of a filtered row: the smaller, the better it compresses
static int filtered_sum(const signed char *row, int bytes)
{
    int sum = 0;
    for (int n = 0; n < bytes; n++) {
        sum += abs(row[n]);
    }
    return sum;
}

// Filters all rows, each with the filter of the smallest sum. A filtered row follows the number of its filter.
static uint8_t *filter_rows(uint8_t *rows, int width, int height, int pixel_bytes)
{
    enum { FILTERS = 5 };
    const int bytes = width * pixel_bytes;
    uint8_t *filtered = resize_block(NULL, 0, ((size_t)bytes + 1) * (size_t)height);
    signed char *row = resize_block(NULL, 0, (size_t)bytes);
    for (int y = 0; y < height; y++) {
        int best = 0;
        int least = INT_MAX;
        for (int filter = 0; filter < FILTERS; filter++) {
            stbiw__encode_png_line(rows, bytes, width, height, y, pixel_bytes, filter, row);
            const int sum = filtered_sum(row, bytes);
            if (sum < least) {
                least = sum;
                best = filter;
            }
        }
        stbiw__encode_png_line(rows, bytes, width, height, y, pixel_bytes, best, row);
        uint8_t *target = filtered + ((size_t)bytes + 1) * (size_t)y;
        target[0] = (uint8_t)best;
        memcpy(target + 1, row, (size_t)bytes);
    }
    free_block(row);
    return filtered;
}

static uint8_t *put_number(uint8_t *to, uint32_t number)
{
    for (int byte = 0; byte < 4; byte++) {
        to[byte] = (uint8_t)(number >> (24 - 8 * byte) & 0xff);
    }
    return to + 4;
}

enum { CHUNK_BYTES = 12 }; // of a chunk in addition to its data: length, name, checksum

// writes a chunk: size, name, data and checksum; returns its end
static uint8_t *put_chunk(uint8_t *to, const char name[4], const uint8_t *data, int size)
{
    to = put_number(to, (uint32_t)size);
    memcpy(to, name, 4);
    if (size > 0) {
        memcpy(to + 4, data, (size_t)size);
    }
    return put_number(to + 4 + size, stbiw__crc32(to, size + 4));
}

static const uint8_t signature[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

// encodes 16 bits per value; the file is a block of the encoder
static uint8_t *encode_16_bits(const uint16_t *pixels, int width, int height, int channels, int *size)
{
    uint8_t *rows = big_endian_rows(pixels, width * height * channels);
    uint8_t *filtered = filter_rows(rows, width, height, 2 * channels);
    free_block(rows);
    int compressed;
    uint8_t *data = stbi_zlib_compress(filtered, (2 * channels * width + 1) * height, &compressed,
                                       stbi_write_png_compression_level);
    free_block(filtered);
    enum { RGB = 2, RGBA = 6, BITS = 16 };
    uint8_t header[13] = {0};
    (void)put_number(put_number(header, (uint32_t)width), (uint32_t)height);
    header[8] = BITS;
    header[9] = channels == 4 ? RGBA : RGB;
    *size = (int)sizeof signature + 3 * CHUNK_BYTES + (int)sizeof header + compressed;
    uint8_t *file = resize_block(NULL, 0, (size_t)*size);
    memcpy(file, signature, sizeof signature);
    uint8_t *end = put_chunk(file + sizeof signature, "IHDR", header, sizeof header);
    end = put_chunk(end, "IDAT", data, compressed);
    (void)put_chunk(end, "IEND", NULL, 0);
    return file;
}

uint8_t *brume_png_encode_pixels(const void *pixels, int width, int height, BrumePixelFormat format, size_t *size)
{
    Encoder local;
    local.held.link.next = local.held.link.previous = &local.held;
    encoder = &local;
    uint8_t *png = NULL;
    if (setjmp(local.failed) == 0) {
        int bytes = 0;
        const uint8_t *encoded = format.bits == 16 ? encode_16_bits(pixels, width, height, format.channels, &bytes)
                                                   : stbi_write_png_to_mem(pixels, format.channels * width, width,
                                                                           height, format.channels, &bytes);
        uint8_t *copy = encoded ? brume_alloc_untouched(1, (size_t)bytes) : NULL;
        if (copy) {
            memcpy(copy, encoded, (size_t)bytes);
            *size = (size_t)bytes;
        }
        png = copy;
    }
    while (local.held.link.next != &local.held) {
        free_block(local.held.link.next + 1);
    }
    encoder = NULL;
    return png;
}

uint8_t *brume_png_encode(const uint8_t *rgb, int width, int height, size_t *size)
{
    return brume_png_encode_pixels(rgb, width, height, brume_rgb8, size);
}

enum { HEADER_BYTES = 8 + CHUNK_BYTES + 13 }; // of the signature and the chunk IHDR, which is first

static const uint8_t text_type[4] = {'t', 'E', 'X', 't'}; // of a chunk

uint8_t *brume_png_add_text(uint8_t *png, size_t *size, const char *key, const char *text)
{
    const size_t key_bytes = strlen(key) + 1;
    const size_t bytes = key_bytes + strlen(text);
    const size_t added = CHUNK_BYTES + bytes;
    uint8_t *larger = brume_realloc(png, *size, *size + added);
    if (!larger) {
        brume_free(png);
        return NULL;
    }
    uint8_t *const chunk = larger + HEADER_BYTES;
    memmove(chunk + added, chunk, *size - HEADER_BYTES);
    uint8_t *data = put_number(chunk, (uint32_t)bytes);
    memcpy(data, text_type, sizeof text_type);
    memcpy(data + 4, key, key_bytes);
    memcpy(data + 4 + key_bytes, text, bytes - key_bytes);
    (void)put_number(data + 4 + bytes, stbiw__crc32(data, (int)bytes + 4));
    *size += added;
    return larger;
}

static uint32_t get_number(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

// the encoder's function does not change the bytes, although its parameter says so
static uint32_t checksum_of(const uint8_t *bytes, int count)
{
    uint8_t *variable;
    memcpy(&variable, &bytes, sizeof variable);
    return stbiw__crc32(variable, count);
}

bool brume_png_is_intact(const uint8_t *png, size_t size)
{
    size_t at = sizeof signature;
    bool ended = false;
    if (size < HEADER_BYTES || memcmp(png, signature, sizeof signature) != 0 || memcmp(png + 12, "IHDR", 4) != 0) {
        return false;
    }
    while (at <= size && size - at >= CHUNK_BYTES && !ended) {
        const size_t bytes = get_number(png + at);
        if (bytes > size - at - CHUNK_BYTES || bytes > INT_MAX - 4) {
            return false;
        }
        if (checksum_of(png + at + 4, (int)bytes + 4) != get_number(png + at + 8 + bytes)) {
            return false;
        }
        ended = memcmp(png + at + 4, "IEND", 4) == 0;
        at += CHUNK_BYTES + bytes;
    }
    return ended;
}

bool brume_png_find_text(const uint8_t *png, size_t size, const char *key, char *text, size_t room)
{
    const size_t key_bytes = strlen(key) + 1;
    size_t at = HEADER_BYTES;
    while (at <= size && size - at >= CHUNK_BYTES && memcmp(png + at + 4, "IDAT", 4) != 0) {
        const size_t bytes = get_number(png + at);
        const uint8_t *data = png + at + 8;
        if (bytes > size - at - CHUNK_BYTES) {
            return false;
        }
        if (memcmp(png + at + 4, "tEXt", 4) == 0 && bytes >= key_bytes && memcmp(data, key, key_bytes) == 0) {
            const size_t length = bytes - key_bytes;
            const bool fits = length < room && !memchr(data + key_bytes, '\0', length);
            memcpy(text, data + key_bytes, fits ? length : 0);
            text[fits ? length : 0] = '\0';
            return fits;
        }
        at += CHUNK_BYTES + bytes;
    }
    return false;
}
