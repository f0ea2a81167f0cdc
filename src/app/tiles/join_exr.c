/*
 * EXR tiles consist of whole blocks of rows, each of which is compressed by itself. So the blocks of the tiles equal
 * the picture's; the header, which has all other attributes, and the table of the offsets of blocks are written anew
 * (Technical Introduction to OpenEXR, "File Layout").
 */
#include "app/tiles/tile_bytes.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/pixel_format.h"
#ifdef BRUME_HAS_OPENEXR
#include "io/exr_read.h"
#endif

#include <stdlib.h>
#include <string.h>

enum { MAGIC_AND_VERSION = 8, WINDOW_BYTES = 16, BLOCK_HEADER = 8, OFFSET_BYTES = 8 };

// positions in the bytes of a file
typedef struct ExrLayout {
    size_t window;             // value of the attribute dataWindow
    size_t record, record_end; // the attribute of the tile, with its name
    size_t text;               // value of this attribute
    size_t end;                // of the header
} ExrLayout;

// reads a number, which is stored with its least significant byte first
static uint64_t get_number(const uint8_t *from, int bytes)
{
    uint64_t number = 0;
    for (int n = 0; n < bytes; n++) {
        number |= (uint64_t)from[n] << 8 * n;
    }
    return number;
}

static void put_number(uint8_t *to, uint64_t number, int bytes)
{
    for (int n = 0; n < bytes; n++) {
        to[n] = (uint8_t)(number >> 8 * n & 0xff);
    }
}

// the position behind the 0 that ends a text; 0: there is none
static size_t skip_text(const uint8_t *bytes, size_t size, size_t at)
{
    const uint8_t *end = at < size ? memchr(bytes + at, '\0', size - at) : NULL;
    return end ? (size_t)(end - bytes) + 1 : 0;
}

// finds the layout; false where the header is incomplete or lacks an attribute of a tile
static bool find_layout(const uint8_t *bytes, size_t size, ExrLayout *layout)
{
    static const uint8_t start[] = {0x76, 0x2f, 0x31, 0x01, 2};
    *layout = (ExrLayout){0};
    size_t at = MAGIC_AND_VERSION;
    if (size < at || memcmp(bytes, start, sizeof start) != 0) {
        return false;
    }
    while (at < size && bytes[at] != '\0') {
        const char *const name = (const char *)bytes + at;
        const size_t type = skip_text(bytes, size, at);
        const size_t length = type > 0 ? skip_text(bytes, size, type) : 0;
        if (length == 0 || size - length < 4) {
            return false;
        }
        const size_t value = length + 4;
        const size_t count = (size_t)get_number(bytes + length, 4);
        if (count > size - value) {
            return false;
        }
        if (strcmp(name, "dataWindow") == 0 && count == WINDOW_BYTES) {
            layout->window = value;
        } else if (strcmp(name, BRUME_TILE_KEY) == 0) {
            layout->record = at;
            layout->text = value;
            layout->record_end = value + count;
        }
        at = value + count;
    }
    layout->end = at + 1;
    return at < size && layout->window > 0 && layout->record > 0;
}

bool brume_exr_tile_text(const uint8_t *bytes, size_t size, char text[BRUME_TILE_TEXT])
{
    ExrLayout layout;
    if (!find_layout(bytes, size, &layout) || layout.record_end - layout.text >= BRUME_TILE_TEXT) {
        return false;
    }
    memcpy(text, bytes + layout.text, layout.record_end - layout.text);
    text[layout.record_end - layout.text] = '\0';
    return true;
}

static int block_count(int rows) { return (rows + BRUME_TILE_ROWS - 1) / BRUME_TILE_ROWS; }

// Whether the blocks of a tile follow each other in the order of their rows up to the end of the file. Writes their
// offsets in a file where the first one is at `base` to `table`.
static bool add_blocks(const BrumeTileBytes *tile, const ExrLayout *layout, const BrumePictureCrop *place,
                       uint64_t base, uint8_t *table)
{
    const int count = block_count(place->bottom - place->top);
    const size_t first = layout->end + (size_t)count * OFFSET_BYTES;
    size_t at = first;
    for (int n = 0; n < count; n++) {
        if (at > tile->size || tile->size - at < BLOCK_HEADER ||
            get_number(tile->bytes + layout->end + (size_t)n * OFFSET_BYTES, OFFSET_BYTES) != at ||
            get_number(tile->bytes + at, 4) != (uint64_t)place->top + (uint64_t)n * BRUME_TILE_ROWS) {
            return false;
        }
        put_number(table + (size_t)n * OFFSET_BYTES, base + (at - first), OFFSET_BYTES);
        at += BLOCK_HEADER + (size_t)get_number(tile->bytes + at + 4, 4);
    }
    return at == tile->size;
}

static bool can_be_decoded(const BrumeTileBytes *tile)
{
#ifdef BRUME_HAS_OPENEXR
    BrumeFloatImage image;
    BrumeError error;
    const bool decoded = brume_exr_read(&image, tile->bytes, tile->size, tile->path, &error) == BRUME_OK;
    free(image.rgb);
    return decoded;
#else
    (void)tile;
    return true;
#endif
}

static BrumeStatus fail_damaged(const BrumeTileBytes *tile, BrumeError *error)
{
    (void)brume_fail(error, BRUME_BAD_INPUT, "%s: damaged or incomplete (draw it again)", tile->path);
    return BRUME_BAD_INPUT;
}

static bool has_window(const BrumeTileBytes *tile, const ExrLayout *layout, const BrumePictureCrop *place)
{
    const int edges[4] = {place->left, place->top, place->right - 1, place->bottom - 1};
    bool equal = true;
    for (size_t n = 0; n < 4; n++) {
        equal = equal && get_number(tile->bytes + layout->window + 4 * n, 4) == (uint64_t)edges[n];
    }
    return equal;
}

// The header of the picture of a tile: without the attribute of the tile, and with the pixels of the picture. Returns
// its size; `header` has room for the header of the tile.
static size_t compose_header(const BrumeTileBytes *tile, const ExrLayout *layout, uint8_t *header)
{
    const int edges[4] = {0, 0, tile->record.width - 1, tile->record.height - 1};
    memcpy(header, tile->bytes, layout->end);
    for (size_t n = 0; n < 4; n++) {
        put_number(header + layout->window + 4 * n, (uint64_t)edges[n], 4);
    }
    memmove(header + layout->record, header + layout->record_end, layout->end - layout->record_end);
    return layout->end - (layout->record_end - layout->record);
}

// the file of a picture while tiles are added
typedef struct ExrPicture {
    BrumeBytes *parts;  // header with table, and the blocks of each tile
    uint8_t *head;      // the first part
    size_t header_size; // of it
    uint8_t *table;     // the entries that follow
    uint64_t size;      // of the file so far
} ExrPicture;

static BrumeStatus add_first_header(ExrPicture *picture, const BrumeTileBytes *tile, const ExrLayout *layout,
                                    BrumeError *error)
{
    const size_t table = (size_t)block_count(tile->record.height) * OFFSET_BYTES;
    picture->head = brume_alloc(1, layout->end + table);
    if (!picture->head) {
        (void)brume_out_of_memory(error, "the header of a picture");
        return BRUME_FAILED;
    }
    picture->header_size = compose_header(tile, layout, picture->head);
    picture->table = picture->head + picture->header_size;
    picture->size = picture->header_size + table;
    picture->parts[0] = (BrumeBytes){picture->head, (size_t)picture->size};
    return BRUME_OK;
}

// fails unless the attributes of the picture, among them frame, camera and channels, equal those of the first tile
static BrumeStatus check_header(const ExrPicture *picture, const BrumeTileBytes *tile, const BrumeTileBytes *first,
                                const ExrLayout *layout, BrumeError *error)
{
    uint8_t *header = brume_alloc(1, layout->end);
    if (!header) {
        return brume_out_of_memory(error, "the header of a picture");
    }
    const bool same = compose_header(tile, layout, header) == picture->header_size &&
                      memcmp(header, picture->head, picture->header_size) == 0;
    brume_free(header);
    return same ? BRUME_OK
                : brume_fail(error, BRUME_BAD_INPUT,
                             "%.200s: a tile of another picture than %.200s: other layers, bits or camera (draw one of "
                             "them again)",
                             tile->path, first->path);
}

static BrumeStatus add_tile(ExrPicture *picture, const BrumeTileBytes *tiles, int index, BrumeError *error)
{
    const BrumeTileBytes *const tile = &tiles[index];
    const BrumeTileRecord *const record = &tile->record;
    const BrumePictureCrop place = brume_tile_pixels(&record->tile, record->width, record->height);
    const size_t blocks = (size_t)block_count(place.bottom - place.top);
    ExrLayout layout;
    if (!find_layout(tile->bytes, tile->size, &layout) || !has_window(tile, &layout, &place)) {
        return fail_damaged(tile, error);
    }
    const BrumeStatus status = index == 0 ? add_first_header(picture, tile, &layout, error)
                                          : check_header(picture, tile, &tiles[0], &layout, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (!add_blocks(tile, &layout, &place, picture->size, picture->table) || !can_be_decoded(tile)) {
        return fail_damaged(tile, error);
    }
    const size_t first = layout.end + blocks * OFFSET_BYTES;
    picture->parts[index + 1] = (BrumeBytes){tile->bytes + first, tile->size - first};
    picture->size += tile->size - first;
    picture->table += blocks * OFFSET_BYTES;
    return BRUME_OK;
}

BrumeStatus brume_exr_join(const BrumeTileBytes *tiles, int count, const char *path, bool overwrite, BrumeError *error)
{
    ExrPicture picture = {.parts = brume_alloc((size_t)count + 1, sizeof *picture.parts)};
    if (!picture.parts) {
        return brume_out_of_memory(error, "the tiles of a picture");
    }
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status = add_tile(&picture, tiles, n, error);
    }
    if (status == BRUME_OK) {
        status = brume_file_write_parts(path, picture.parts, count + 1, overwrite, error);
    }
    brume_free(picture.head);
    brume_free(picture.parts);
    return status;
}
