/**
 * @file particles_ply.h
 * Particles as the vertices of a PLY file without faces: binary, little endian.
 */
#ifndef BRUME_EXCHANGE_PARTICLES_PLY_H
#define BRUME_EXCHANGE_PARTICLES_PLY_H

#include "exchange/volume_format.h"

/** Writes the particles of a frame, completely or not at all. BRUME_FAILED where the file cannot be written. */
BrumeStatus brume_particles_ply_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                      BrumeError *error);

/** Reads vertices as BrumeVolumeFormat.read: text or binary, of which faces and other elements are ignored. */
BrumeStatus brume_particles_ply_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                     BrumeError *error);

/** Whether a file is one of PLY that has vertices without faces. */
bool brume_particles_ply_is(const char *path);

#endif
