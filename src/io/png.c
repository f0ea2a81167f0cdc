/*
 * PNG encoding by stb_image_write, with memory from the library's allocator. stb_image_write does not check whether its
 * buffers grow; a failed allocation therefore leaves it by longjmp, and its blocks, which are in a list, are freed.
 */
#include "io/png.h"

#include "core/memory.h"

#include <setjmp.h>

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

uint8_t *brume_png_encode(const uint8_t *rgb, int width, int height, size_t *size)
{
    Encoder local;
    local.held.link.next = local.held.link.previous = &local.held;
    encoder = &local;
    uint8_t *png = NULL;
    if (setjmp(local.failed) == 0) {
        int bytes = 0;
        const uint8_t *encoded = stbi_write_png_to_mem(rgb, 3 * width, width, height, 3, &bytes);
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
