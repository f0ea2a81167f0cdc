/**
 * @file hdf_chunks.h
 * Chunks of a grid in the form in which a dataset of HDF5 with the filters shuffle and deflate stores them.
 */
#ifndef BRUME_EXCHANGE_HDF_HDF_CHUNKS_H
#define BRUME_EXCHANGE_HDF_HDF_CHUNKS_H

#include "exchange/frame_grids.h"

#include <hdf5.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRUME_HDF_CHUNK = 16, BRUME_HDF_LEVEL = 1, BRUME_HDF_MAX_RANK = 4 };

/** A grid as the array that HDF5 sees, slowest axis first, and its division into chunks. */
typedef struct BrumeHdfArray {
    int rank;
    hsize_t sizes[BRUME_HDF_MAX_RANK], chunk[BRUME_HDF_MAX_RANK];
    int chunks[3]; ///< along each axis
} BrumeHdfArray;

/** A compressed chunk. */
typedef struct BrumeHdfChunk {
    hsize_t at[BRUME_HDF_MAX_RANK]; ///< its first value
    uint8_t *bytes;                 ///< NULL: all values are +0, and the chunk is not stored
    size_t size;
} BrumeHdfChunk;

/** The array of a grid in a frame of these cells. */
BrumeHdfArray brume_hdf_array(BrumeGrid cells, const BrumeFrameGrid *grid);

/** The number of its chunks. */
int brume_hdf_chunk_count(const BrumeHdfArray *array);

/**
 * Compresses all chunks of a grid in the memory of its frame, as half floats if `half`, with the team of the calling
 * thread; the bytes do not depend on the number of threads. `chunks` has room for brume_hdf_chunk_count chunks and is
 * to be freed with brume_hdf_free_chunks in any case. False without memory.
 */
bool brume_hdf_compress(const BrumeSharedMemory *memory, const BrumeFrameGrid *grid, const BrumeHdfArray *array,
                        bool half, BrumeHdfChunk *chunks);

/** Frees the bytes of `count` chunks. */
void brume_hdf_free_chunks(BrumeHdfChunk *chunks, int count);

#endif
