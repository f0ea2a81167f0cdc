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
#include "raymarch/grid_medium.h"

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

/**
 * The part of a lattice whose entries are stored, along u, n and v. It has all that light reaches through smoke or that
 * solids shadow, and at least two entries around that: entries beyond it have the value of the nearest stored one,
 * because nothing changes the light there, along each ray behind the last smoke included.
 */
typedef struct BrumeSweepWindow {
    int first[3], count[3];
} BrumeSweepWindow;

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
    BrumeSweepWindow stored;       ///< part of the lattice; by brume_sweep_set_lattice all of it
    float *transmittance;          ///< exp(-scale tau) of the stored entries (v x n x u)
    size_t entries;                ///< allocated in `transmittance`
} BrumeTransmittanceSweep;

/** The axis along which a sweep for light that travels along `direction` orders its planes. */
int brume_sweep_axis(BrumeVec3 direction);

/** Entries of `transmittance` for a sweep along `direction` through a grid. */
size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid, int per_cell);

/** Sets everything but the transmittance, with all of the lattice to be stored, for light that travels along the unit
 * vector `direction` through a grid. */
void brume_sweep_set_lattice(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, BrumeGrid grid, int per_cell);

/** The point [cells] of the entry of a ray on a plane. */
static inline BrumeVec3 brume_sweep_point(const BrumeTransmittanceSweep *sweep, int iu, int iv, int plane)
{
    const float u = sweep->u_min + (float)iu + sweep->shear_u * (float)plane;
    const float v = sweep->v_min + (float)iv + sweep->shear_v * (float)plane;
    const float n = (float)(sweep->backwards ? sweep->planes - 1 - plane : plane);
    const BrumeVec3 point = sweep->axis == 0   ? brume_vec3(n, v, u)
                            : sweep->axis == 1 ? brume_vec3(u, n, v)
                                               : brume_vec3(u, v, n);
    return brume_scale(point, sweep->spacing);
}

/** How far rays of other directions move from those of the lattice for each plane [spacing]; they contain 0. */
typedef struct BrumeSweepSpread {
    float lower[2], upper[2]; ///< along u and v
    bool any;                 ///< there are such rays, whose shadows reach to the last plane
} BrumeSweepSpread;

/**
 * Restricts the lattice to what the smoke of a medium and the solids of `settings` may change, on rays of the lattice
 * and of a spread around them.
 */
void brume_sweep_restrict(BrumeTransmittanceSweep *sweep, const BrumeGridMedium *medium,
                          const BrumeRenderSettings *settings, const BrumeSweepSpread *spread);

/** The number of entries that are stored. */
static inline ptrdiff_t brume_sweep_stored(const BrumeTransmittanceSweep *sweep)
{
    const int *count = sweep->stored.count;
    return (ptrdiff_t)count[0] * count[1] * count[2];
}

/**
 * Exchanges x and z of a field, ghosts included: out(i, j, k) = in(k, j, i). `out` has memory for as many entries.
 * Parallel over rows.
 */
void brume_transpose_field(BrumeField *out, const BrumeField *in);

/** The same for the cells of a box of `in` and the entries around it; others of `out` are undefined. */
void brume_transpose_box(BrumeField *out, const BrumeField *in, const BrumeCellBox *box);

/**
 * Marches light that travels along the unit vector `direction` through a medium and stores exp(-scale tau) on every ray
 * and plane that brume_sweep_restrict leaves, tau being the optical depth since the ray entered the box. From one
 * spacing of the rays behind the point where a ray enters the first solid of `settings` on, it is 0. `transposed` is
 * the extinction of the medium's smoke with x and z exchanged (brume_transpose_box); only sweeps along x read it.
 * `sweep->entries` is at least brume_sweep_entries. Parallel over rows of rays.
 */
void brume_sweep_fill(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeGridMedium *medium,
                      const BrumeField *transposed, const BrumeRenderSettings *settings, int per_cell, float scale);

/** The index among the stored entries along u (0), n (1) or v (2) of the entry n of the lattice, or of the nearest one
 * that has a stored one behind it. */
static inline int brume_stored_index(const BrumeSweepWindow *stored, int axis, int n)
{
    const int index = n - stored->first[axis];
    const int last = stored->count[axis] - 2;
    return index < 0 ? 0 : index < last ? index : last;
}

/** Where a lattice is interpolated: the lowest of eight stored entries, and the offsets from it in [0, 1]. */
typedef struct BrumeSweepPlace {
    int iu, in, iv;
    float fu, fn, fv;
} BrumeSweepPlace;

/** The place of ray coordinates (u, v) and a plane coordinate n within the sweep's lattice. */
static inline BrumeSweepPlace brume_sweep_place(const BrumeTransmittanceSweep *sweep, float u, float v, float n)
{
    int iu = (int)u;
    int iv = (int)v;
    int in = (int)n;
    // rounding may move a point on the box's faces slightly outside
    iu = iu < sweep->nu - 2 ? iu : sweep->nu - 2;
    iv = iv < sweep->nv - 2 ? iv : sweep->nv - 2;
    in = in < sweep->planes - 2 ? in : sweep->planes - 2;
    const BrumeSweepWindow *stored = &sweep->stored;
    return (BrumeSweepPlace){
        .iu = brume_stored_index(stored, 0, iu),
        .in = brume_stored_index(stored, 1, in),
        .iv = brume_stored_index(stored, 2, iv),
        .fu = u - (float)iu,
        .fn = n - (float)in,
        .fv = v - (float)iv,
    };
}

/** Trilinear value at ray coordinates (u, v) and plane coordinate n within the sweep's lattice. */
static inline float brume_sweep_at(const BrumeTransmittanceSweep *sweep, float u, float v, float n)
{
    const BrumeSweepPlace at = brume_sweep_place(sweep, u, v, n);
    const ptrdiff_t sn = sweep->stored.count[0];
    const ptrdiff_t sv = sn * sweep->stored.count[1];
    const float *a = sweep->transmittance + sv * at.iv + sn * at.in + at.iu;
    return brume_trilinear(a, 1, sn, sv, at.fu, at.fn, at.fv);
}

/** Trilinear value at any `point` [cells], also outside the box: 1 where no ray of the lattice passes. */
float brume_sweep_at_any_point(const BrumeTransmittanceSweep *sweep, BrumeVec3 point);

#endif
