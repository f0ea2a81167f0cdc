/**
 * @file mesh_info.h
 * The properties of a mesh file, for `brume info`.
 */
#ifndef BRUME_APP_INFO_MESH_INFO_H
#define BRUME_APP_INFO_MESH_INFO_H

#include "core/error.h"

/**
 * Reads a mesh file and prints its triangles, its extent and its problems on standard output. Fails as
 * brume_mesh_file_read and brume_mesh_create do.
 */
BrumeStatus brume_print_mesh_info(const char *path, BrumeError *error);

#endif
