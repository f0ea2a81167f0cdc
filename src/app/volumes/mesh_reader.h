/**
 * @file mesh_reader.h
 * Reading the meshes that scenes name.
 */
#ifndef BRUME_APP_VOLUMES_MESH_READER_H
#define BRUME_APP_VOLUMES_MESH_READER_H

#include "brume/mesh.h"

/**
 * A BrumeMeshReader for mesh files of all formats. `context` is NULL or a BrumeText, to which it appends a line, which
 * ends with '\n', with the unit and the axis that it assumes where the file has none, and one for each note: "PATH: the
 * texture 'a.png' is not read ...".
 */
BrumeStatus brume_read_mesh(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                            BrumeError *error);

#endif
