/**
 * @file mesh_import.h
 * Mesh files by assimp, for the program brume-files. Assimp alone parses the files, with none of its steps of
 * post-processing; transforms, animations, triangles, units and axes are applied here, so that the same numbers
 * of assimp give the same bits on every machine.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_IMPORT_H
#define BRUME_EXCHANGE_MESH_MESH_IMPORT_H

#include "exchange/mesh/mesh_parts.h"
#include "exchange/mesh_file.h"

#include <stdint.h>

/**
 * Reads a mesh: `file->memory` is the memory that the arrays are added to; they are in `file->blocks` and not mapped.
 * `contents` are the mapped contents of the parts. Where the library asks for files that are not among the parts, they
 * are added to `parts` with blocks of size 0, and `*complete` is false; the function is to be called again with their
 * contents. Nothing is in `file` then. Fails as brume_mesh_file_read.
 */
BrumeStatus brume_mesh_import(BrumeMeshFile *file, const char *path, BrumeMeshParts *parts,
                              const uint8_t *const contents[BRUME_MESH_PARTS], const BrumeMeshReadDef *def,
                              bool *complete, BrumeError *error);

#endif
