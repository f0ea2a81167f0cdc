/**
 * @file mesh_streams.h
 * The files that assimp opens, which are all in memory.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_STREAMS_H
#define BRUME_EXCHANGE_MESH_MESH_STREAMS_H

#include "exchange/mesh/mesh_parts.h"

#include <assimp/cfileio.h>

#include <stdint.h>

/** What the functions of the streams use. */
typedef struct BrumeMeshStreams {
    BrumeMeshParts *parts; ///< names of unknown files are added
    const uint8_t *const *contents;
} BrumeMeshStreams;

/** The functions with which assimp opens the parts. `streams` stays in use while it reads. */
struct aiFileIO brume_mesh_file_io(BrumeMeshStreams *streams);

#endif
