/**
 * @file plume.h
 * A volume that needs no simulation and is the same on every machine: a billowing plume of hashed value noise.
 */
#ifndef BRUME_APP_BENCH_RENDER_PLUME_H
#define BRUME_APP_BENCH_RENDER_PLUME_H

#include "brume/camera.h"
#include "brume/volume.h"
#include "core/error.h"

/**
 * Creates a plume that rises from the floor of a cube of n^3 cells, 1.5 m wide, centered over the origin on y = 0.
 * `*density` has its entries and is freed with brume_free; NULL after a failure, which is BRUME_FAILED without memory.
 * Parallel over z-planes.
 */
BrumeStatus brume_plume_create(BrumeVolume *volume, float **density, int n, BrumeError *error);

/** A camera that shows the whole plume. */
BrumeCamera brume_plume_camera(void);

#endif
