/**
 * @file mesh_units.h
 * The unit and the axes of a mesh file.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_UNITS_H
#define BRUME_EXCHANGE_MESH_MESH_UNITS_H

#include "exchange/mesh_file.h"

#include <assimp/scene.h>

/** How the axes of a file become those of a scene: x to the right, y up, z to the front. */
typedef struct BrumeMeshAxes {
    int axis[3];      ///< that becomes x, y and z
    double factor[3]; ///< by which it is multiplied: 1 or -1 unit [m]
    bool at_root;     ///< assimp has put them into the transform of the root node, which is left out
} BrumeMeshAxes;

/**
 * Finds the unit and the axes: those of `def`, otherwise those of the file or its format (FBX: its global settings;
 * COLLADA: `unit` and `up_axis`, from the transform of the root node; 3MF: `unit`, z up; glTF: meters, y up),
 * otherwise meters and y. Sets `unit` and `up` of `info`. `bytes` are those of the file.
 */
BrumeMeshAxes brume_mesh_axes(const struct aiScene *scene, const uint8_t *bytes, size_t size,
                              const BrumeMeshReadDef *def, BrumeMeshFileInfo *info);

#endif
