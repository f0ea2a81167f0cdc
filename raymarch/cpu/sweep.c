#include "raymarch/cpu/sweep.h"

#include "core/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/fast_exp.h"
#include "raymarch/cpu/ray.h"

#include <assert.h>
#include <string.h>

static float component(BrumeVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static BrumeVec3 unit(int axis) { return brume_vec3(axis == 0, axis == 1, axis == 2); }

// the sides of a sweep's planes; the first is the one that is contiguous in memory
static int first_side(int axis) { return axis == 0 ? 2 : 0; }
static int second_side(int axis) { return axis == 1 ? 2 : 1; }

int brume_sweep_axis(BrumeVec3 direction)
{
    const float x = fabsf(direction.x);
    const float y = fabsf(direction.y);
    const float z = fabsf(direction.z);
    if (y >= x && y >= z) {
        return 1;
    }
    return z >= x ? 2 : 0;
}

// rays needed along a side of `cells`, when they move by `shear` a plane; `first` is the place of the first
static int rays_along(int cells, int planes, float shear, float *first)
{
    const float drift = shear * (float)(planes - 1);
    const float lowest = fminf(0.0f, -drift);
    const float highest = (float)cells + fmaxf(0.0f, -drift);
    *first = floorf(lowest) - 0.5f;
    return (int)(ceilf(highest) - floorf(lowest)) + 3;
}

// everything but the light itself
static void lay_out(BrumeSweep *sweep, BrumeVec3 direction, BrumeGrid grid)
{
    const int axis = brume_sweep_axis(direction);
    const int u_side = first_side(axis);
    const int v_side = second_side(axis);
    const float along = component(direction, axis);
    const float per_plane = 1.0f / fabsf(along);
    const int cells = brume_cells_along(grid, axis);
    sweep->axis = axis;
    sweep->backwards = along < 0.0f;
    sweep->planes = cells + 1;
    sweep->shear_u = component(direction, u_side) * per_plane;
    sweep->shear_v = component(direction, v_side) * per_plane;
    sweep->length = per_plane;
    sweep->nu = rays_along(brume_cells_along(grid, u_side), sweep->planes, sweep->shear_u, &sweep->u_min);
    sweep->nv = rays_along(brume_cells_along(grid, v_side), sweep->planes, sweep->shear_v, &sweep->v_min);

    // n counts planes from the face where light enters; u and v follow a place back along its ray to that face
    const float sign = sweep->backwards ? -1.0f : 1.0f;
    sweep->n = (BrumeAffine){brume_scale(unit(axis), sign), sweep->backwards ? (float)cells : 0.0f};
    sweep->u = (BrumeAffine){brume_sub(unit(u_side), brume_scale(sweep->n.slope, sweep->shear_u)),
                             -sweep->shear_u * sweep->n.offset - sweep->u_min};
    sweep->v = (BrumeAffine){brume_sub(unit(v_side), brume_scale(sweep->n.slope, sweep->shear_v)),
                             -sweep->shear_v * sweep->n.offset - sweep->v_min};
}

size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid)
{
    BrumeSweep sweep = {0};
    lay_out(&sweep, direction, grid);
    return (size_t)sweep.nu * (size_t)sweep.nv * (size_t)sweep.planes;
}

void brume_turn_field(BrumeField *out, const BrumeField *in)
{
    enum { TILE = 16 }; // both sides of a tile stay in the first cache
    out->grid = (BrumeGrid){in->grid.nz, in->grid.ny, in->grid.nx};
    out->sy = in->grid.nz + 2;
    out->sz = out->sy * (in->grid.ny + 2);
#pragma omp parallel for schedule(static)
    for (int j = 0; j < in->grid.ny + 2; j++) {
        for (int k0 = 0; k0 < in->grid.nz + 2; k0 += TILE) {
            for (int i0 = 0; i0 < in->grid.nx + 2; i0 += TILE) {
                const int k1 = k0 + TILE < in->grid.nz + 2 ? k0 + TILE : in->grid.nz + 2;
                const int i1 = i0 + TILE < in->grid.nx + 2 ? i0 + TILE : in->grid.nx + 2;
                for (int i = i0; i < i1; i++) {
                    for (int k = k0; k < k1; k++) {
                        out->data[brume_field_index(out, k, j, i)] = in->data[brume_field_index(in, i, j, k)];
                    }
                }
            }
        }
    }
}

// depth += length times the bilinear extinction between the rows a and b
BRUME_KERNEL static void add_layer(float *restrict depth, const float *restrict a, const float *restrict b, float fa,
                                   float fb, float length, int count)
{
    const float a0 = length * (1.0f - fb) * (1.0f - fa);
    const float a1 = length * (1.0f - fb) * fa;
    const float b0 = length * fb * (1.0f - fa);
    const float b1 = length * fb * fa;
    for (int u = 0; u < count; u++) {
        depth[u] += (a0 * a[u] + a1 * a[u + 1]) + (b0 * b[u] + b1 * b[u + 1]);
    }
}

// one layer of cells below one row of rays: which of them are inside of the box there, and what they meet
static void cross_layer(const BrumeSweep *sweep, const BrumeField *field, int plane, int iv, float *depth)
{
    // planes and rows of the field in memory: axis y has them exchanged
    const ptrdiff_t row_stride = sweep->axis == 1 ? field->sz : field->sy;
    const ptrdiff_t plane_stride = sweep->axis == 1 ? field->sy : field->sz;
    const int cells_u = field->grid.nx;
    const int cells_v = sweep->axis == 1 ? field->grid.nz : field->grid.ny;
    const float middle = (float)plane + 0.5f;
    const float v = sweep->v_min + (float)iv + sweep->shear_v * middle + 0.5f; // in the padded field
    if (v < 0.5f || v > (float)cells_v + 0.5f) {
        return;
    }
    const float u = sweep->u_min + sweep->shear_u * middle + 0.5f; // of the row's first ray
    const int first = u < 0.5f ? (int)ceilf(0.5f - u) : 0;
    const int last = (int)floorf((float)cells_u + 0.5f - u);
    const int end = last + 1 < sweep->nu ? last + 1 : sweep->nu;
    if (first >= end) {
        return;
    }
    const int layer = sweep->backwards ? sweep->planes - 1 - plane : plane + 1;
    const int j = (int)v;
    const int i = (int)floorf(u);
    const float *a = field->data + plane_stride * layer + row_stride * j + (i + first);
    add_layer(depth + first, a, a + row_stride, u - (float)i, v - (float)j, sweep->length, end - first);
}

void brume_sweep_fill(BrumeSweep *sweep, BrumeVec3 direction, const BrumeField *extinction, const BrumeField *turned,
                      float scale)
{
    lay_out(sweep, direction, extinction->grid);
    assert((size_t)sweep->nu * (size_t)sweep->nv * (size_t)sweep->planes <= sweep->entries);
    const BrumeField *field = sweep->axis == 0 ? turned : extinction;
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
#pragma omp parallel for schedule(static)
    for (int iv = 0; iv < sweep->nv; iv++) {
        float *depth = sweep->left + sv * iv;
        memset(depth, 0, (size_t)sn * sizeof *depth);
        for (int plane = 0; plane + 1 < sweep->planes; plane++) {
            float *next = depth + sn;
            memcpy(next, depth, (size_t)sn * sizeof *depth);
            cross_layer(sweep, field, plane, iv, next);
            depth = next;
        }
        brume_fast_exp_row(sweep->left + sv * iv, -scale, sv);
    }
}

void brume_sweep_solids(BrumeSweep *sweep, BrumeVec3 direction, const BrumeRenderSettings *look, BrumeVec3 origin,
                        float dx)
{
    if (look->surface_count == 0) {
        return;
    }
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
    const BrumeVec3 u_axis = unit(first_side(sweep->axis));
    const BrumeVec3 v_axis = unit(second_side(sweep->axis));
    const BrumeVec3 entry = brume_scale(unit(sweep->axis), sweep->backwards ? (float)(sweep->planes - 1) : 0.0f);
    const float metres_per_plane = sweep->length * dx;
#pragma omp parallel for schedule(static)
    for (int iv = 0; iv < sweep->nv; iv++) {
        for (int iu = 0; iu < sweep->nu; iu++) {
            const BrumeVec3 in_plane =
                brume_add(brume_scale(u_axis, sweep->u_min + (float)iu), brume_scale(v_axis, sweep->v_min + (float)iv));
            const BrumeRay ray = {brume_add(origin, brume_scale(brume_add(entry, in_plane), dx)), direction};
            float first = INFINITY; // where the light's ray enters the first solid, before or inside of the box
            for (int s = 0; s < look->surface_count; s++) {
                const BrumeStretch inside = brume_ray_shape(&ray, &look->surfaces[s].shape);
                if (inside.enter < inside.leave) {
                    first = fminf(first, inside.enter);
                }
            }
            const float dark_from = fmaxf(0.0f, ceilf((first + dx) / metres_per_plane));
            if (dark_from < (float)sweep->planes) {
                for (int plane = (int)dark_from; plane < sweep->planes; plane++) {
                    sweep->left[sv * iv + sn * plane + iu] = 0.0f;
                }
            }
        }
    }
}

float brume_sweep_anywhere(const BrumeSweep *sweep, BrumeVec3 point)
{
    const float u = brume_affine_at(sweep->u, point);
    const float v = brume_affine_at(sweep->v, point);
    const float n = brume_affine_at(sweep->n, point);
    if (!(u >= 0.0f && u <= (float)(sweep->nu - 1) && v >= 0.0f && v <= (float)(sweep->nv - 1))) {
        return 1.0f;
    }
    return brume_sweep_at(sweep, u, v, fminf(fmaxf(n, 0.0f), (float)(sweep->planes - 1)));
}
