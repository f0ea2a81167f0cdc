/**
 * @file volume.h
 * The input of the renderers: densities on a regular grid, from a simulation or from the caller's own arrays.
 */
#ifndef BRUME_VOLUME_H
#define BRUME_VOLUME_H

#include "brume/export.h"
#include "brume/field.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

enum { BRUME_VOLUME_KINDS = 4, BRUME_TEXTURE_LAYERS = 2 };

/**
 * Up to four kinds of smoke on nx x ny x nz cells. Arrays are (nz x ny x nx), x contiguous, and may be parts of larger
 * ones: `sy` and `sz` are the entries from row to row and from plane to plane, at least nx each. A volume refers to the
 * arrays and does not own them.
 */
typedef struct BrumeVolume {
    int nx, ny, nz;
    ptrdiff_t sy, sz;
    float dx;                                 ///< side of a cell [m]
    BrumeVec3 origin;                         ///< lower corner of the box [m]
    const float *density[BRUME_VOLUME_KINDS]; ///< entry of cell (0, 0, 0) [1]; NULL for a kind that is absent
    BrumeCellBox filled;      ///< cells beyond which all densities are 0, and are not read; none (all zero): not known
    const float *temperature; ///< entry of cell (0, 0, 0), above ambient [K]; NULL where it is not known: no glow
    const float *pressure;    ///< kinematic, entry of cell (0, 0, 0) [m^2/s^2]; NULL where it is not known
    /**
     * The velocity along x, y and z [m/s], for motion blur: entries of cell (0, 0, 0), from which the entries of the
     * next cell along each axis are `velocity_sx`, `velocity_sy` and `velocity_sz` entries apart. NULL: the smoke is at
     * rest.
     */
    const float *velocity[3];
    ptrdiff_t velocity_sx, velocity_sy, velocity_sz;
    bool velocity_on_faces; ///< each component lies on the lower faces along its axis, and has entries on the last ones
    /**
     * Texture coordinates of two layers, for detail that follows the flow (BrumeDetail): from each cell along x, y and
     * z to where its air was when the layer started [m]. Entries of cell (0, 0, 0); the entries of the next cell along
     * each axis are `texture_sx`, `texture_sy` and `texture_sz` entries apart. NULL: all are 0, and the detail stays in
     * place.
     */
    const float *texture[BRUME_TEXTURE_LAYERS][3];
    ptrdiff_t texture_sx, texture_sy, texture_sz;
    const struct BrumeParticle *particles; ///< that are drawn with it (particle.h); copied by brume_renderer_load
    int particle_count;
    double texture_time;   ///< simulated time [s]
    double texture_period; ///< BrumeSimDef.texture_period [s], above 0 where there are texture coordinates
} BrumeVolume;

/**
 * A volume of the cells of up to four density fields of one grid, without copying: valid while the fields are. The
 * first field must exist; otherwise NULL, or a field without data, is a kind that is absent. `dx` is the side of a cell
 * [m], `origin` the lower corner of the box [m].
 */
BRUME_API BrumeVolume brume_volume_from_fields(const BrumeField *const densities[BRUME_VOLUME_KINDS], float dx,
                                               BrumeVec3 origin);

/**
 * A volume of one kind of smoke from an array (nz x ny x nx) without gaps, x fastest (the C order of numpy), without
 * copying: valid while the array is. The caller may set more kinds, or other strides, in the result. `dx` is the side
 * of a cell [m], `origin` the lower corner of the box [m]. Nothing is checked before brume_renderer_load.
 */
BRUME_API BrumeVolume brume_volume_from_array(const float *density, int nx, int ny, int nz, float dx, BrumeVec3 origin);

BRUME_END_DECLS

#endif
