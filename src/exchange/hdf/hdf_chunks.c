// Shuffling puts the first bytes of all values before the second bytes, and so on. The low bytes of floats are noise in
// most chunks: they do not become smaller, and searching them for repetitions takes most of the time of deflate. Planes
// of such bytes are therefore stored as they are, as blocks of the deflate format, before the compressed others. The
// result is a stream that every reader of the filter accepts.
#include "exchange/hdf/hdf_chunks.h"

#include "core/half.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"

#include <libdeflate.h>

#include <string.h>

enum { ZLIB_HEADER = 2, BLOCK_HEADER = 5, LARGEST_BLOCK = 65535, CHECKSUM = 4 };

/** The buffers of a thread. */
typedef struct ChunkBuffers {
    float *values; // of a chunk
    uint16_t *halves;
    uint8_t *shuffled, *deflated;
    size_t deflated_bytes;
    uint32_t *bits; // of each chunk in a row of them
    struct libdeflate_compressor *compressor;
} ChunkBuffers;

BrumeHdfArray brume_hdf_array(BrumeGrid cells, const BrumeFrameGrid *grid)
{
    BrumeHdfArray array = {.rank = grid->components > 1 ? 4 : 3};
    for (int axis = 0; axis < 3; axis++) {
        const hsize_t size = (hsize_t)brume_frame_grid_extent(cells, grid->location, 2 - axis);
        array.sizes[axis] = size;
        array.chunk[axis] = size < BRUME_HDF_CHUNK ? size : BRUME_HDF_CHUNK;
        array.chunks[axis] = (int)((size + array.chunk[axis] - 1) / array.chunk[axis]);
    }
    array.sizes[3] = array.chunk[3] = (hsize_t)grid->components;
    return array;
}

int brume_hdf_chunk_count(const BrumeHdfArray *array) { return array->chunks[0] * array->chunks[1] * array->chunks[2]; }

static size_t chunk_values(const BrumeHdfArray *array)
{
    return (size_t)(array->chunk[0] * array->chunk[1] * array->chunk[2] * array->chunk[3]);
}

static void free_buffers(ChunkBuffers *buffers)
{
    libdeflate_free_compressor(buffers->compressor);
    brume_free(buffers->values);
    brume_free(buffers->halves);
    brume_free(buffers->shuffled);
    brume_free(buffers->deflated);
    brume_free(buffers->bits);
}

static bool make_buffers(ChunkBuffers *buffers, const BrumeHdfArray *array)
{
    const size_t values = chunk_values(array);
    const size_t bytes = values * sizeof(float);
    *buffers = (ChunkBuffers){.compressor = libdeflate_alloc_compressor(BRUME_HDF_LEVEL)};
    if (buffers->compressor) {
        buffers->deflated_bytes = ZLIB_HEADER + (bytes / LARGEST_BLOCK + 1) * BLOCK_HEADER +
                                  libdeflate_deflate_compress_bound(buffers->compressor, bytes) + CHECKSUM;
        buffers->values = brume_alloc_untouched(values, sizeof(float));
        buffers->halves = brume_alloc_untouched(values, sizeof(uint16_t));
        buffers->shuffled = brume_alloc_untouched(values, sizeof(float));
        buffers->deflated = brume_alloc_untouched(buffers->deflated_bytes, 1);
        buffers->bits = brume_alloc_untouched((size_t)array->chunks[2], sizeof *buffers->bits);
    }
    return buffers->values && buffers->halves && buffers->shuffled && buffers->deflated && buffers->bits;
}

/** The part of a chunk that is in the grid. */
typedef struct ChunkRows {
    hsize_t planes, rows; // without planes and rows beyond the grid
    size_t used, length;  // values of a row, without values beyond the grid and with them
} ChunkRows;

// the planes and rows of a chunk that are inside the grid, and the values of a row inside and in all
static ChunkRows chunk_rows(const BrumeHdfArray *array, const hsize_t at[BRUME_HDF_MAX_RANK])
{
    hsize_t inside[3];
    for (int axis = 0; axis < 3; axis++) {
        const hsize_t left = array->sizes[axis] - at[axis];
        inside[axis] = left < array->chunk[axis] ? left : array->chunk[axis];
    }
    return (ChunkRows){
        .planes = inside[0],
        .rows = inside[1],
        .used = (size_t)(inside[2] * array->chunk[3]),
        .length = (size_t)(array->chunk[2] * array->chunk[3]),
    };
}

static const float *chunk_row(const BrumeFrameGrid *grid, const BrumeHdfArray *array, const hsize_t *at, hsize_t k,
                              hsize_t j)
{
    return grid->values + (((at[0] + k) * array->sizes[1] + at[1] + j) * array->sizes[2] + at[2]) * array->sizes[3];
}

// Finds the bits of all values of each chunk in a row of them: 0 if all are +0. Rows of values are read from end to
// end, and parts without pages not at all.
static void find_bits(uint32_t *bits, const BrumeSharedMemory *memory, const BrumeFrameGrid *grid,
                      const BrumeHdfArray *array, const hsize_t *at)
{
    const ChunkRows chunk = chunk_rows(array, at);
    int first[3];
    int end[3];
    for (int axis = 0; axis < 3; axis++) { // the chunks that the filled box touches
        const int side = (int)array->chunk[axis];
        first[axis] = grid->filled.lower[2 - axis] / side;
        end[axis] = (grid->filled.upper[2 - axis] + side - 1) / side;
    }
    memset(bits, 0, (size_t)array->chunks[2] * sizeof *bits);
    for (int axis = 0; axis < 2; axis++) {
        const int index = (int)(at[axis] / array->chunk[axis]);
        if (index < first[axis] || index >= end[axis]) {
            return;
        }
    }
    const size_t size = (size_t)(array->sizes[2] * array->sizes[3]);
    for (hsize_t k = 0; k < chunk.planes; k++) {
        const size_t offset = (size_t)(chunk_row(grid, array, at, k, 0) - grid->values) * sizeof(float);
        const bool has_pages = brume_shared_memory_has_pages(memory, grid->block.offset + offset,
                                                             (size_t)chunk.rows * size * sizeof(float));
        for (hsize_t j = 0; j < chunk.rows && has_pages; j++) {
            const float *row = chunk_row(grid, array, at, k, j);
            for (int n = first[2]; n < end[2]; n++) {
                const size_t start = (size_t)n * chunk.length;
                const size_t used = size - start < chunk.length ? size - start : chunk.length;
                bits[n] |= bits[n] == 0 ? brume_any_bits_row(row + start, (int)used) : 0;
            }
        }
    }
}

// copies a chunk; the part beyond the grid is 0
static void copy_chunk(float *to, const BrumeFrameGrid *grid, const BrumeHdfArray *array, const hsize_t *at)
{
    const ChunkRows chunk = chunk_rows(array, at);
    if (chunk.planes < array->chunk[0] || chunk.rows < array->chunk[1] || chunk.used < chunk.length) {
        memset(to, 0, chunk_values(array) * sizeof *to);
    }
    for (hsize_t k = 0; k < chunk.planes; k++) {
        for (hsize_t j = 0; j < chunk.rows; j++) {
            memcpy(to + chunk.length * (size_t)(k * array->chunk[1] + j), chunk_row(grid, array, at, k, j),
                   chunk.used * sizeof *to);
        }
    }
}

// the values in half precision; the library's own conversion is wrong below 2^-14
static const uint8_t *pack_halves(ChunkBuffers *buffers, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        buffers->halves[n] = brume_half_of_float(buffers->values[n]);
    }
    return (const uint8_t *)buffers->halves;
}

// the filter of HDF5: first bytes of all values, then the second bytes, ...
static void shuffle(uint8_t *restrict to, const uint8_t *restrict from, size_t count, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        for (size_t n = 0; n < count; n++) {
            to[b * count + n] = from[n * bytes + b];
        }
    }
}

// Whether the bytes are distributed nearly evenly over their 256 values. The sum of the squares of their frequencies is
// 1/256 for an even distribution and 1/256 + 1/N for N random bytes; below the limit of 1.3/256, the entropy is
// above 7.6 bits per byte, so that compression would save less than 5 % of them.
static bool is_noise(const uint8_t *bytes, size_t count)
{
    uint32_t frequency[4][256] = {{0}}; // four tables: an increment need not wait for the previous one
    for (size_t n = 0; n < count; n++) {
        frequency[n % 4][bytes[n]]++;
    }
    uint64_t squares = 0;
    for (int value = 0; value < 256; value++) {
        const uint64_t sum =
            (uint64_t)frequency[0][value] + frequency[1][value] + frequency[2][value] + frequency[3][value];
        squares += sum * sum;
    }
    return 10 * 256 * squares < 13 * (uint64_t)count * count;
}

// writes bytes as blocks that are not compressed and not the last; returns the end
static uint8_t *store_blocks(uint8_t *to, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const size_t length = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
        *to++ = 0; // neither compressed nor last
        *to++ = (uint8_t)(length & 0xff);
        *to++ = (uint8_t)(length >> 8);
        *to++ = (uint8_t)(~length & 0xff);
        *to++ = (uint8_t)(~length >> 8 & 0xff);
        memcpy(to, bytes, length);
        to += length;
        bytes += length;
        size -= length;
    }
    return to;
}

// deflates the shuffled values into `buffers->deflated`; returns the size, 0 where it fails
static size_t deflate_chunk(ChunkBuffers *buffers, size_t count, size_t bytes)
{
    const uint8_t *shuffled = buffers->shuffled;
    size_t planes = 0;
    while (planes + 1 < bytes && is_noise(shuffled + planes * count, count)) {
        planes++;
    }
    const size_t stored = planes * count;
    uint8_t *to = buffers->deflated;
    *to++ = 0x78; // deflate with a window of 32 KiB
    *to++ = 0x01; // the fastest level, no dictionary
    to = store_blocks(to, shuffled, stored);
    const size_t room = buffers->deflated_bytes - (size_t)(to - buffers->deflated) - CHECKSUM;
    const size_t size =
        libdeflate_deflate_compress(buffers->compressor, shuffled + stored, count * bytes - stored, to, room);
    to += size;
    const uint32_t checksum = libdeflate_adler32(1, shuffled, count * bytes);
    for (int shift = 24; shift >= 0; shift -= 8) {
        *to++ = (uint8_t)(checksum >> shift & 0xff);
    }
    return size > 0 ? (size_t)(to - buffers->deflated) : 0;
}

static bool compress_chunk(const BrumeFrameGrid *grid, const BrumeHdfArray *array, bool half, ChunkBuffers *buffers,
                           BrumeHdfChunk *chunk)
{
    const size_t count = chunk_values(array);
    const size_t bytes = half ? sizeof(uint16_t) : sizeof(float);
    copy_chunk(buffers->values, grid, array, chunk->at);
    shuffle(buffers->shuffled, half ? pack_halves(buffers, count) : (const uint8_t *)buffers->values, count, bytes);
    chunk->size = deflate_chunk(buffers, count, bytes);
    chunk->bytes = chunk->size > 0 ? brume_alloc_untouched(chunk->size, 1) : NULL;
    if (!chunk->bytes) {
        return false;
    }
    memcpy(chunk->bytes, buffers->deflated, chunk->size);
    return true;
}

// compresses the chunks of a row that are not empty: those are never written, and have the fill value 0
static bool compress_row(const BrumeSharedMemory *memory, const BrumeFrameGrid *grid, const BrumeHdfArray *array,
                         bool half, ChunkBuffers *buffers, BrumeHdfChunk *chunks)
{
    bool ok = true;
    find_bits(buffers->bits, memory, grid, array, chunks[0].at);
    for (int n = 0; n < array->chunks[2] && ok; n++) {
        ok = buffers->bits[n] == 0 || compress_chunk(grid, array, half, buffers, &chunks[n]);
    }
    return ok;
}

bool brume_hdf_compress(const BrumeSharedMemory *memory, const BrumeFrameGrid *grid, const BrumeHdfArray *array,
                        bool half, BrumeHdfChunk *chunks)
{
    const int count = brume_hdf_chunk_count(array);
    for (int n = 0; n < count; n++) {
        const int index[3] = {n / (array->chunks[1] * array->chunks[2]), n / array->chunks[2] % array->chunks[1],
                              n % array->chunks[2]};
        chunks[n] = (BrumeHdfChunk){0};
        for (int axis = 0; axis < 3; axis++) {
            chunks[n].at[axis] = (hsize_t)index[axis] * array->chunk[axis];
        }
    }
    bool ok = true;
#pragma omp parallel reduction(&& : ok)
    {
        ChunkBuffers buffers;
        ok = make_buffers(&buffers, array);
#pragma omp for schedule(dynamic)
        for (int row = 0; row < count / array->chunks[2]; row++) {
            ok = ok && compress_row(memory, grid, array, half, &buffers, &chunks[row * array->chunks[2]]);
        }
        free_buffers(&buffers);
    }
    return ok;
}

void brume_hdf_free_chunks(BrumeHdfChunk *chunks, int count)
{
    for (int n = 0; n < count; n++) {
        brume_free(chunks[n].bytes);
    }
}
