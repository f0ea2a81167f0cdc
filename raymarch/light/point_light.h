/**
 * @file point_light.h
 * The transmittance of a medium between a point light and every point of the box. The directions around the light are
 * divided into six pyramids, one through each face of a cube (as in a cube shadow map); the rays of each are marched
 * plane by plane away from the light as far as the box extends.
 */
#ifndef BRUME_RAYMARCH_LIGHT_POINT_LIGHT_H
#define BRUME_RAYMARCH_LIGHT_POINT_LIGHT_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/lattice_window.h"

#include <stddef.h>

enum { BRUME_CUBE_FACES = 6 };

/** The rays through one face of the cube. */
typedef struct BrumeLightPyramid {
    int planes;                ///< 0 where the pyramid misses the box
    float start, length;       ///< of the first plane from the light, and from plane to plane, along the axis [cells]
    float u_min, v_min;        ///< slopes of the first ray against the axis
    float u_step, v_step;      ///< from a ray to the next
    BrumeLatticeWindow stored; ///< of the rays along u, the planes, and the rays along v
    float *transmittance;      ///< exp(-tau / BRUME_TRANSMITTANCE_ROOT) of the stored entries (v x planes x u)
} BrumeLightPyramid;

/** The transmittance from one point light. */
typedef struct BrumePointLightVolume {
    BrumeVec3 position;                        ///< [cells]
    int rays;                                  ///< along each side of a pyramid's square section
    BrumeLightPyramid faces[BRUME_CUBE_FACES]; ///< along +x, -x, +y, -y, +z, -z
    float *memory;                             ///< shared by the faces
    size_t entries;                            ///< allocated in `memory`
} BrumePointLightVolume;

/** Entries of the memory for volumes of up to `capacity`, as brume_point_light_fill has them. */
size_t brume_point_light_entries(BrumeGrid capacity, int per_cell);

/** Allocates this many entries. BRUME_FAILED without memory. */
BrumeStatus brume_point_light_create(BrumePointLightVolume *volume, size_t entries, BrumeError *error);

void brume_point_light_destroy(BrumePointLightVolume *volume);

/**
 * Fills the pyramids for a light at `position` [cells], with as many planes as `per_cell` times the cells; the solids
 * of `settings` cast shadows from one cell behind the point where a ray enters them. Parallel over rows of rays.
 */
void brume_point_light_fill(BrumePointLightVolume *volume, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, BrumeVec3 position, int per_cell);

/** exp(-tau / BRUME_TRANSMITTANCE_ROOT) between the light and a `point` [cells] of the box. */
float brume_point_light_at(const BrumePointLightVolume *volume, BrumeVec3 point);

#endif
