// The values of an array. A block of binary data starts with its size in bytes or, if it is compressed, with the number
// of its parts, the size of a part, the size of the last part if it is smaller, and the compressed size of each. A
// block in base64 is encoded as a whole; if it is compressed, its header is encoded by itself.
#include "exchange/vtk/vti_file.h"

#include "core/memory.h"
#include "exchange/vtk/base64.h"

#include <stdlib.h>
#include <string.h>
#ifdef BRUME_HAS_ZLIB
#include <zlib.h>
#endif

enum { COMPRESSED_HEADER_NUMBERS = 3, LARGEST_COMPRESSION = 1100 }; // deflate reaches a ratio of 1032

typedef struct VtiBlock {
    const BrumeVtiFile *file;
    const BrumeVtiArray *array;
    const char *text; // from the header on
    size_t size;      // of the text, which other data may follow
    bool base64;
} VtiBlock;

static BrumeStatus fail_damaged(const VtiBlock *block, BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "%s: the data of the array '%s' are incomplete or damaged",
                      block->file->path, brume_quote(block->array->name).text);
}

static BrumeStatus find_block(VtiBlock *block, const BrumeVtiFile *file, const BrumeVtiArray *array, BrumeError *error)
{
    *block = (VtiBlock){.file = file, .array = array, .base64 = !array->appended || file->appended_base64};
    if (array->appended) {
        if (!file->appended || array->offset > file->appended_size) {
            (void)fail_damaged(block, error);
            return BRUME_BAD_INPUT;
        }
        block->text = file->appended + array->offset;
        block->size = file->appended_size - array->offset;
    } else if (array->text.data) {
        const size_t blanks = strspn(array->text.data, " \t\r\n");
        block->text = array->text.data + blanks;
        block->size = array->text.size - blanks;
    }
    return BRUME_OK;
}

static bool read_bytes(const VtiBlock *block, size_t skip, uint8_t *bytes, size_t count)
{
    if (!block->text) { // an empty element
        return false;
    }
    if (block->base64) {
        return brume_base64_decode(block->text, block->size, skip, bytes, count);
    }
    if (skip > block->size || count > block->size - skip) {
        return false;
    }
    memcpy(bytes, block->text + skip, count);
    return true;
}

static uint64_t decode_unsigned(const uint8_t *bytes, int size, bool big_endian)
{
    uint64_t number = 0;
    for (int n = 0; n < size; n++) {
        number = number << 8 | bytes[big_endian ? n : size - 1 - n];
    }
    return number;
}

// reads the number at this index of a block's header
static bool read_header(const VtiBlock *block, uint64_t index, uint64_t *number)
{
    const int size = block->file->header_size;
    uint8_t bytes[8];
    if (index > SIZE_MAX / 8 || !read_bytes(block, (size_t)index * (size_t)size, bytes, (size_t)size)) {
        return false;
    }
    *number = decode_unsigned(bytes, size, block->file->big_endian);
    return true;
}

// the number of parts of a compressed block, the size of all but the last, and the size of the last
static bool read_parts(const VtiBlock *block, uint64_t *parts, uint64_t *part_size, uint64_t *last_size)
{
    if (!read_header(block, 0, parts) || *parts > block->size) {
        return false;
    }
    *part_size = *last_size = 0;
    if (*parts > 0 && (!read_header(block, 1, part_size) || !read_header(block, 2, last_size))) {
        return false;
    }
    *last_size = *last_size > 0 ? *last_size : *part_size;
    return *parts == 0 || (*part_size > 0 && *part_size <= UINT32_MAX && *last_size <= *part_size);
}

// bytes of a block without its header and decompressed; false where the text is shorter than that needs
static bool measure_block(const VtiBlock *block, uint64_t *bytes)
{
    const uint64_t header = (uint64_t)block->file->header_size;
    if (!block->file->zlib) {
        return read_header(block, 0, bytes) && *bytes <= (block->base64 ? block->size / 4 * 3 : block->size) &&
               header + *bytes <= (block->base64 ? block->size / 4 * 3 : block->size);
    }
    uint64_t parts;
    uint64_t part_size;
    uint64_t last_size;
    if (!read_parts(block, &parts, &part_size, &last_size)) {
        return false;
    }
    *bytes = parts > 0 ? (parts - 1) * part_size + last_size : 0;
    return *bytes / LARGEST_COMPRESSION <= block->size;
}

#ifdef BRUME_HAS_ZLIB
// decompresses a block of exactly `size` bytes; all sizes are checked against it before use
static bool read_compressed(const VtiBlock *block, uint8_t *bytes, size_t size)
{
    uint64_t parts;
    uint64_t part_size;
    uint64_t last_size;
    if (!read_parts(block, &parts, &part_size, &last_size)) {
        return false;
    }
    size_t header = (size_t)(COMPRESSED_HEADER_NUMBERS + parts) * (size_t)block->file->header_size;
    header = block->base64 ? brume_base64_size(header) : header;
    if (header > block->size) {
        return false;
    }
    const VtiBlock data = {block->file, block->array, block->text + header, block->size - header, block->base64};
    size_t skip = 0;
    size_t done = 0;
    bool good = true;
    for (uint64_t part = 0; part < parts && good; part++) {
        uint64_t compressed = 0;
        good = read_header(block, COMPRESSED_HEADER_NUMBERS + part, &compressed) && compressed <= data.size;
        uint8_t *const text = good ? brume_alloc_untouched((size_t)compressed + 1, 1) : NULL;
        uLongf length = (uLongf)(part + 1 < parts ? part_size : last_size);
        const uLongf expected = length;
        good = text && expected <= size - done && read_bytes(&data, skip, text, (size_t)compressed) &&
               uncompress(bytes + done, &length, text, (uLong)compressed) == Z_OK && length == expected;
        brume_free(text);
        skip += (size_t)compressed;
        done += (size_t)expected;
    }
    return good && done == size;
}
#endif

static bool read_block(const VtiBlock *block, uint8_t *bytes, size_t size)
{
#ifdef BRUME_HAS_ZLIB
    if (block->file->zlib) {
        return read_compressed(block, bytes, size);
    }
#endif
    return read_bytes(block, (size_t)block->file->header_size, bytes, size);
}

typedef enum VtiNumber { VTI_FLOAT, VTI_SIGNED, VTI_UNSIGNED } VtiNumber;

typedef struct VtiType {
    const char *name;
    VtiNumber number;
    int size;
} VtiType;

static const VtiType types[] = {
    {"Float32", VTI_FLOAT, 4}, {"Float64", VTI_FLOAT, 8},   {"Int8", VTI_SIGNED, 1},  {"UInt8", VTI_UNSIGNED, 1},
    {"Int16", VTI_SIGNED, 2},  {"UInt16", VTI_UNSIGNED, 2}, {"Int32", VTI_SIGNED, 4}, {"UInt32", VTI_UNSIGNED, 4},
    {"Int64", VTI_SIGNED, 8},  {"UInt64", VTI_UNSIGNED, 8}, {NULL, VTI_FLOAT, 0},
};

static const VtiType *find_type(const char *name)
{
    const VtiType *type = types;
    while (type->name && strcmp(type->name, name) != 0) {
        type++;
    }
    return type->name ? type : NULL;
}

static double decode_value(const uint8_t *bytes, const VtiType *type, bool big_endian)
{
    const uint64_t number = decode_unsigned(bytes, type->size, big_endian);
    if (type->number == VTI_UNSIGNED) {
        return (double)number;
    }
    if (type->number == VTI_SIGNED) {
        const int unused = 64 - 8 * type->size; // the shift down copies the sign
        return (double)((int64_t)(number << unused) >> unused);
    }
    if (type->size == 4) {
        const uint32_t bits = (uint32_t)number;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &number, sizeof value);
    return value;
}

static void set_value(float *floats, double *doubles, size_t index, double value)
{
    if (floats) {
        floats[index] = (float)value;
    } else {
        doubles[index] = value;
    }
}

static BrumeStatus read_ascii(const VtiBlock *block, size_t count, float *floats, double *doubles, BrumeError *error)
{
    const char *text = block->array->text.data ? block->array->text.data : "";
    const bool single = floats && strcmp(block->array->type, "Float32") == 0;
    for (size_t n = 0; n < count; n++) {
        char *end;
        const double value = single ? (double)strtof(text, &end) : strtod(text, &end); // without rounding twice
        if (end == text) {
            return fail_damaged(block, error);
        }
        set_value(floats, doubles, n, value);
        text = end;
    }
    return text[strspn(text, " \t\r\n")] == '\0' ? BRUME_OK : fail_damaged(block, error);
}

BrumeStatus brume_vti_array_check(const BrumeVtiFile *file, const BrumeVtiArray *array, size_t count, BrumeError *error)
{
    const VtiType *type = find_type(array->type);
    VtiBlock block;
    if (!type) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the array '%s' has the unknown type '%s'", file->path,
                          brume_quote(array->name).text, brume_quote(array->type).text);
    }
    if (find_block(&block, file, array, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    uint64_t bytes = 0;
    const bool complete = array->ascii ? count <= array->text.size : measure_block(&block, &bytes);
    if (!complete) {
        return fail_damaged(&block, error);
    }
    if (!array->ascii && bytes != (uint64_t)count * (uint64_t)type->size) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the array '%s' has %llu bytes instead of %zu values of %d bytes",
                          file->path, brume_quote(array->name).text, (unsigned long long)bytes, count, type->size);
    }
    return BRUME_OK;
}

BrumeStatus brume_vti_array_values(const BrumeVtiFile *file, const BrumeVtiArray *array, size_t count, float *floats,
                                   double *doubles, BrumeError *error)
{
    VtiBlock block;
    BrumeStatus status = find_block(&block, file, array, error);
    if (status != BRUME_OK || array->ascii) {
        return status == BRUME_OK ? read_ascii(&block, count, floats, doubles, error) : status;
    }
    const VtiType *type = find_type(array->type);
    const size_t size = (size_t)type->size;
    // values of the type that is read go to their place without a copy
    const bool direct = !file->big_endian && floats && strcmp(type->name, "Float32") == 0;
    uint8_t *const bytes = direct ? (uint8_t *)floats : brume_alloc_untouched(count, size);
    if (!bytes) {
        return brume_out_of_memory(error, "%s", file->path);
    }
    if (!read_block(&block, bytes, count * size)) {
        status = fail_damaged(&block, error);
    }
    for (size_t n = 0; n < count && !direct && status == BRUME_OK; n++) {
        set_value(floats, doubles, n, decode_value(bytes + n * size, type, file->big_endian));
    }
    if (!direct) {
        brume_free(bytes);
    }
    return status;
}

// reads a text in ASCII: the codes of its characters, with a 0 behind each string
static BrumeStatus read_ascii_text(const VtiBlock *block, char *text, BrumeError *error)
{
    const char *codes = block->array->text.data ? block->array->text.data : "";
    for (size_t n = 0;; n++) {
        char *end;
        const long code = strtol(codes, &end, 10);
        if (end == codes || code < -128 || code > 255) {
            return fail_damaged(block, error);
        }
        text[n] = (char)code;
        codes = end;
        if (code == 0) {
            return BRUME_OK;
        }
    }
}

BrumeStatus brume_vti_array_text(const BrumeVtiFile *file, const BrumeVtiArray *array, char **text, BrumeError *error)
{
    VtiBlock block;
    uint64_t size = 0;
    *text = NULL;
    if (find_block(&block, file, array, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    if (array->ascii) {
        size = array->text.size; // at least two characters for each code
    } else if (!measure_block(&block, &size)) {
        return fail_damaged(&block, error);
    }
    char *const copy = brume_alloc((size_t)size + 1, 1);
    if (!copy) {
        return brume_out_of_memory(error, "%s", file->path);
    }
    BrumeStatus status = BRUME_OK;
    if (array->ascii) {
        status = read_ascii_text(&block, copy, error);
    } else if (!read_block(&block, (uint8_t *)copy, (size_t)size)) {
        status = fail_damaged(&block, error);
    }
    if (status != BRUME_OK) {
        brume_free(copy);
        return status;
    }
    *text = copy;
    return BRUME_OK;
}
