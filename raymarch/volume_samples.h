/**
 * @file volume_samples.h
 * Values of a volume at any point, interpolated trilinearly from where they are stored. Closer to a side of the box
 * than the outermost values they are those values.
 */
#ifndef BRUME_RAYMARCH_VOLUME_SAMPLES_H
#define BRUME_RAYMARCH_VOLUME_SAMPLES_H

#include "brume/volume.h"

/** The velocity [m/s] at a point [m] of a volume that has velocities: of each component from its faces or centers. */
BrumeVec3 brume_volume_velocity(const BrumeVolume *volume, BrumeVec3 point);

/** The value at a point [m] of `values`, which are at the centers as those of a density. */
float brume_volume_value(const BrumeVolume *volume, const float *values, BrumeVec3 point);

#endif
