/**
 * @file saved_meshes.h
 * The meshes of settings in a saved state.
 */
#ifndef BRUME_SIM_LIFECYCLE_SAVED_MESHES_H
#define BRUME_SIM_LIFECYCLE_SAVED_MESHES_H

#include "brume/sim_def.h"
#include "core/archive.h"

/**
 * Counts, writes or reads the triangles of the meshes of the settings, each mesh once, and which shape has which.
 * Meshes that are read have a reference for each shape, and neither normals of their own nor colors.
 */
void brume_archive_meshes(BrumeArchive *archive, BrumeSimDef *def);

#endif
