/**
 * @file sweep.h
 * How much of a directional light is left at every place of a box: parallel rays start from a lattice before the
 * box's face that looks most towards the light, and march to the other side plane by plane. The result is kept on
 * the rays themselves, sheared against the grid, so it is not smeared by being interpolated from plane to plane, and
 * it answers for places outside of the box too.
 */
#ifndef BRUME_RAYMARCH_CPU_SWEEP_H
#define BRUME_RAYMARCH_CPU_SWEEP_H

#include "brume/render_settings.h"
#include "core/error.h"
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/cpu/trilinear.h"

#include <stdbool.h>

/** A coordinate that grows linearly over space. */
typedef struct BrumeAffine {
    BrumeVec3 slope;
    float offset;
} BrumeAffine;

static inline float brume_affine_at(BrumeAffine a, BrumeVec3 point) { return brume_dot(a.slope, point) + a.offset; }

/** Rays through a box and what is left of the light along them. */
typedef struct BrumeSweep {
    int axis;               ///< planes follow one another along x (0), y (1) or z (2)
    bool backwards;         ///< from the upper face to the lower
    int nu, nv;             ///< rays along the plane's first and second side: (x, y), (x, z), or (z, y) for axis x
    int planes;             ///< one more than cells along the axis
    float shear_u, shear_v; ///< how far rays move from plane to plane [cells]
    float length;           ///< of a ray between planes [cells]
    float u_min, v_min;     ///< place of the first ray on the first plane [cells]
    BrumeAffine u, v, n;    ///< ray and plane of a place in the box
    float *left;            ///< exp(-scale tau) (nv x planes x nu)
    size_t entries;         ///< that fit into `left`
} BrumeSweep;

/** The axis that light travelling along `direction` crosses its planes along. */
int brume_sweep_axis(BrumeVec3 direction);

/** Entries that a sweep along `direction` through a grid needs. */
size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid);

/** Exchanges x and z of a field, ghosts included: out(i, j, k) = in(k, j, i). `out` has room for it. */
void brume_turn_field(BrumeField *out, const BrumeField *in);

/**
 * Marches light that travels along the unit vector `direction` through `extinction` [1/cell] and leaves
 * exp(-scale tau) on every ray and plane. `turned` is the extinction with x and z exchanged; only sweeps along x read
 * it. `sweep->left` holds at least brume_sweep_entries. Parallel over rows of rays.
 */
void brume_sweep_fill(BrumeSweep *sweep, BrumeVec3 direction, const BrumeField *extinction, const BrumeField *turned,
                      float scale);

/** Puts what lies more than a cell behind a solid [m], seen from the light, into its shadow. */
void brume_sweep_solids(BrumeSweep *sweep, BrumeVec3 direction, const BrumeRenderSettings *look, BrumeVec3 origin,
                        float dx);

/** Trilinear value at ray coordinates (u, v) and plane n within the sweep's lattice. */
static inline float brume_sweep_at(const BrumeSweep *sweep, float u, float v, float n)
{
    int iu = (int)u;
    int iv = (int)v;
    int in = (int)n;
    // rounding may put a place on the box's faces just outside
    iu = iu < sweep->nu - 2 ? iu : sweep->nu - 2;
    iv = iv < sweep->nv - 2 ? iv : sweep->nv - 2;
    in = in < sweep->planes - 2 ? in : sweep->planes - 2;
    const float fu = u - (float)iu;
    const float fv = v - (float)iv;
    const float fn = n - (float)in;
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
    const float *a = sweep->left + sv * iv + sn * in + iu;
    return brume_trilinear(a, 1, sn, sv, fu, fn, fv);
}

/** The same for any place [cells], also outside of the box: 1 where no ray through the box comes by. */
float brume_sweep_anywhere(const BrumeSweep *sweep, BrumeVec3 point);

#endif
