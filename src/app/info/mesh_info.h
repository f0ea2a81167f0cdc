/**
 * @file mesh_info.h
 * The properties of a mesh file, for `brume info`.
 */
#ifndef BRUME_APP_INFO_MESH_INFO_H
#define BRUME_APP_INFO_MESH_INFO_H

#include "core/error.h"
#include "exchange/mesh_file.h"

/**
 * Reads a mesh file and prints its triangles, its extent and its problems on standard output. Fails as
 * brume_mesh_file_read and brume_mesh_create do.
 */
BrumeStatus brume_print_mesh_info(const char *path, BrumeError *error);

/**
 * Prints the frames of the sequence `path` and their extent, for which it reads all files, and the same of the first,
 * whose mesh is `sequence`. Fails as brume_sequence_find and brume_mesh_create_at, before it prints.
 */
BrumeStatus brume_print_mesh_sequence(const char *path, const BrumeMesh *sequence, const BrumeMeshFileInfo *first,
                                      BrumeError *error);

#endif
