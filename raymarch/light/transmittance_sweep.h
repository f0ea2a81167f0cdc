/**
 * @file transmittance_sweep.h
 * The transmittance of a medium for light of one direction, at every point of its box. Parallel rays start from a
 * lattice in front of the face of the box that the light reaches most directly, and march to the opposite face plane by
 * plane. The result is stored along the rays, on a lattice sheared against the grid, and not resampled from plane to
 * plane, which would blur shadows. It can be evaluated outside the box too. Rays and planes are one cell apart or half
 * a cell.
 */
#ifndef BRUME_RAYMARCH_LIGHT_TRANSMITTANCE_SWEEP_H
#define BRUME_RAYMARCH_LIGHT_TRANSMITTANCE_SWEEP_H

#include "brume/render_settings.h"
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <stdbool.h>
#include <stddef.h>

/** A coordinate that is an affine function of the point. */
typedef struct BrumeAffineCoordinate {
    BrumeVec3 slope;
    float offset;
} BrumeAffineCoordinate;

static inline float brume_affine_at(BrumeAffineCoordinate a, BrumeVec3 point)
{
    return brume_dot(a.slope, point) + a.offset;
}

/** Parallel rays through a box, and the transmittance along them. */
typedef struct BrumeTransmittanceSweep {
    int per_cell;                  ///< rays along a side of a cell, and planes: 1 or 2
    float spacing;                 ///< of the rays and of the planes [cells]: 1 / per_cell
    int axis;                      ///< the planes follow one another along x (0), y (1) or z (2)
    bool backwards;                ///< from the upper face to the lower
    int nu, nv;                    ///< rays along a plane's first and second side: (x, y), (x, z), or (z, y) for axis x
    int planes;                    ///< per_cell times the cells along the axis, and one
    float shear_u, shear_v;        ///< displacement of a ray from one plane to the next [spacing]
    float length;                  ///< of a ray between two planes [spacing]
    float u_min, v_min;            ///< position of the first ray on the first plane [spacing]
    BrumeAffineCoordinate u, v, n; ///< ray coordinates and plane coordinate of a point [cells] of the box
    float *transmittance;          ///< exp(-scale tau) (nv x planes x nu)
    size_t entries;                ///< allocated in `transmittance`
} BrumeTransmittanceSweep;

/** The axis along which a sweep for light that travels along `direction` orders its planes. */
int brume_sweep_axis(BrumeVec3 direction);

/** Entries of `transmittance` for a sweep along `direction` through a grid. */
size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid, int per_cell);

/** Sets everything but the transmittance, for light that travels along the unit vector `direction` through a grid. */
void brume_sweep_set_lattice(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, BrumeGrid grid, int per_cell);

/** The point [cells] of the entry of a ray on a plane. */
BrumeVec3 brume_sweep_point(const BrumeTransmittanceSweep *sweep, int iu, int iv, int plane);

/**
 * Exchanges x and z of a field, ghosts included: out(i, j, k) = in(k, j, i). `out` has memory for as many entries.
 * Parallel over rows.
 */
void brume_transpose_field(BrumeField *out, const BrumeField *in);

/**
 * Marches light that travels along the unit vector `direction` through `extinction` [1/cell] and stores
 * exp(-scale tau) on every ray and plane, tau being the optical depth since the ray entered the box. `transposed` is
 * the extinction with x and z exchanged; only sweeps along x read it. `sweep->entries` is at least brume_sweep_entries.
 * Parallel over rows of rays.
 */
void brume_sweep_fill(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeField *extinction,
                      const BrumeField *transposed, int per_cell, float scale);

/**
 * Sets the transmittance to 0 from one spacing of the rays behind the point where a ray enters the first solid of
 * `settings`. `origin` [m] and `dx` [m] describe the box. Parallel over rows of rays.
 */
void brume_sweep_shadow_solids(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeRenderSettings *settings,
                               BrumeVec3 origin, float dx);

/** Trilinear value at ray coordinates (u, v) and plane coordinate n within the sweep's lattice. */
static inline float brume_sweep_at(const BrumeTransmittanceSweep *sweep, float u, float v, float n)
{
    int iu = (int)u;
    int iv = (int)v;
    int in = (int)n;
    // rounding may move a point on the box's faces slightly outside
    iu = iu < sweep->nu - 2 ? iu : sweep->nu - 2;
    iv = iv < sweep->nv - 2 ? iv : sweep->nv - 2;
    in = in < sweep->planes - 2 ? in : sweep->planes - 2;
    const float fu = u - (float)iu;
    const float fv = v - (float)iv;
    const float fn = n - (float)in;
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
    const float *a = sweep->transmittance + sv * iv + sn * in + iu;
    return brume_trilinear(a, 1, sn, sv, fu, fn, fv);
}

/** Trilinear value at any `point` [cells], also outside the box: 1 where no ray of the lattice passes. */
float brume_sweep_at_any_point(const BrumeTransmittanceSweep *sweep, BrumeVec3 point);

#endif
