/**
 * @file area_light.h
 * The transmittance of a medium between a rectangle and every point of the box: its mean over points that are spread
 * over the rectangle, each of which is treated as a point light, weighted by the light that arrives from there. It is
 * stored on a grid of every cell or, in large boxes, of every other cell.
 */
#ifndef BRUME_RAYMARCH_LIGHT_AREA_LIGHT_H
#define BRUME_RAYMARCH_LIGHT_AREA_LIGHT_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/point_light.h"

#include <stddef.h>

/** The transmittance from one rectangle. */
typedef struct BrumeAreaLightVolume {
    BrumeGrid grid;            ///< of the entries
    int stride;                ///< cells from entry to entry
    BrumeLatticeWindow stored; ///< of the entries along x, y and z
    float *transmittance;      ///< eighth root of its mean, at the centers of the stored entries (z x y x x)
    size_t entries;            ///< allocated in `transmittance`
} BrumeAreaLightVolume;

/** Entries for volumes of up to `capacity`. */
size_t brume_area_light_entries(BrumeGrid capacity);

/** Allocates for volumes of up to `capacity`. BRUME_FAILED without memory. */
BrumeStatus brume_area_light_create(BrumeAreaLightVolume *volume, BrumeGrid capacity, BrumeError *error);

void brume_area_light_destroy(BrumeAreaLightVolume *volume);

/**
 * Fills the entries with the light of side x side points of the rectangle; `point` is scratch of the same capacity.
 * Solids cast shadows, and points of the rectangle below the ground are dark. Parallel over planes of entries.
 */
void brume_area_light_fill(BrumeAreaLightVolume *volume, BrumePointLightVolume *point, const BrumeLightSource *source,
                           const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int side);

/** The eighth root of the mean transmittance at a `point` [cells]. */
float brume_area_light_at(const BrumeAreaLightVolume *volume, BrumeVec3 point);

#endif
