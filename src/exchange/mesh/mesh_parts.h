/**
 * @file mesh_parts.h
 * The files that a mesh is read from.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_PARTS_H
#define BRUME_EXCHANGE_MESH_MESH_PARTS_H

#include "io/shared_memory.h"

#include <stdbool.h>

/** Most files that are read for a mesh, and the size of their names. */
enum { BRUME_MESH_PARTS = 64, BRUME_MESH_PART_NAME = 1024 };

/** A file that a mesh is read from: the first is the mesh file, the others are those that it names. */
typedef struct BrumeMeshPart {
    char name[BRUME_MESH_PART_NAME]; ///< relative to the folder of the mesh file
    bool missing;                    ///< there is no such file
    BrumeSharedBlock block;          ///< its contents in the memory of the input
} BrumeMeshPart;

/** The files of a mesh. */
typedef struct BrumeMeshParts {
    int count;
    BrumeMeshPart parts[BRUME_MESH_PARTS];
} BrumeMeshParts;

#endif
