/**
 * @file mesh_frames.h
 * Meshes that deform: a sequence of files, or the animation in a file.
 */
#ifndef BRUME_APP_VOLUMES_MESH_FRAMES_H
#define BRUME_APP_VOLUMES_MESH_FRAMES_H

#include "brume/mesh.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/mesh_file.h"

#include <stdbool.h>

/**
 * Reads the first file of the sequence `path`, whose files are the frames with their numbers less `def->frame`, or the
 * start of the animation in the file, and creates its mesh; one file without an animation, or with `def->fps` 0, has no
 * further frames. `*info` tells of the file that was read, and `lines`, which may be NULL, of its textures that cannot
 * be read. Fails as brume_mesh_file_read, and with BRUME_BAD_INPUT where a sequence has no file.
 */
BrumeStatus brume_mesh_frames_load(BrumeMesh **mesh, BrumeMeshFileInfo *info, BrumeText *lines, const char *path,
                                   const BrumeMeshReadDef *def, BrumeError *error);

#endif
