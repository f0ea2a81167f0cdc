#include "raymarch/light/transmittance_sweep.h"

#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lattice_fit.h"

#include <assert.h>
#include <string.h>

// the axes of a sweep's planes; entries along the first are contiguous in memory
static int first_axis(int axis) { return axis == 0 ? 2 : 0; }
static int second_axis(int axis) { return axis == 1 ? 2 : 1; }

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

// rays at the distance 1 along a `side` that cover the box on every plane, when they are displaced by `shear` from
// plane to plane; `*first` becomes the position of the first ray
static int count_rays(int side, int planes, float shear, float *first)
{
    const float displacement = shear * (float)(planes - 1);
    const float lowest = brume_fminf(0.0f, -displacement);
    const float highest = (float)side + brume_fmaxf(0.0f, -displacement);
    *first = floorf(lowest) - 0.5f;
    return (int)(ceilf(highest) - floorf(lowest)) + 3;
}

// a coordinate of points [cells], where `slope` is the slope of points in units of the distance between rays
static BrumeAffineCoordinate scaled_coordinate(BrumeVec3 slope, float offset, int per_cell)
{
    return (BrumeAffineCoordinate){brume_scale(slope, (float)per_cell), offset};
}

void brume_sweep_set_lattice(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, BrumeGrid grid, int per_cell)
{
    const int axis = brume_sweep_axis(direction);
    const int u_axis = first_axis(axis);
    const int v_axis = second_axis(axis);
    const float along = brume_component(direction, axis);
    const float per_plane = 1.0f / fabsf(along);
    const int layers = per_cell * brume_cells_along(grid, axis);
    sweep->per_cell = per_cell;
    sweep->spacing = 1.0f / (float)per_cell;
    sweep->axis = axis;
    sweep->backwards = along < 0.0f;
    sweep->planes = layers + 1;
    sweep->shear_u = brume_component(direction, u_axis) * per_plane;
    sweep->shear_v = brume_component(direction, v_axis) * per_plane;
    sweep->length = per_plane;
    sweep->nu = count_rays(per_cell * brume_cells_along(grid, u_axis), sweep->planes, sweep->shear_u, &sweep->u_min);
    sweep->nv = count_rays(per_cell * brume_cells_along(grid, v_axis), sweep->planes, sweep->shear_v, &sweep->v_min);

    // n counts planes from the face where light enters; u and v project a point back along its ray onto that face
    const BrumeVec3 n = brume_scale(brume_along(axis, 1.0f), sweep->backwards ? -1.0f : 1.0f);
    const float n_offset = sweep->backwards ? (float)layers : 0.0f;
    sweep->n = scaled_coordinate(n, n_offset, per_cell);
    sweep->u = scaled_coordinate(brume_sub(brume_along(u_axis, 1.0f), brume_scale(n, sweep->shear_u)),
                                 -sweep->shear_u * n_offset - sweep->u_min, per_cell);
    sweep->v = scaled_coordinate(brume_sub(brume_along(v_axis, 1.0f), brume_scale(n, sweep->shear_v)),
                                 -sweep->shear_v * n_offset - sweep->v_min, per_cell);
}

BrumeVec3 brume_sweep_point(const BrumeTransmittanceSweep *sweep, int iu, int iv, int plane)
{
    const float u = sweep->u_min + (float)iu + sweep->shear_u * (float)plane;
    const float v = sweep->v_min + (float)iv + sweep->shear_v * (float)plane;
    const float n = (float)(sweep->backwards ? sweep->planes - 1 - plane : plane);
    const BrumeVec3 point = sweep->axis == 0   ? brume_vec3(n, v, u)
                            : sweep->axis == 1 ? brume_vec3(u, n, v)
                                               : brume_vec3(u, v, n);
    return brume_scale(point, sweep->spacing);
}

size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid, int per_cell)
{
    BrumeTransmittanceSweep sweep = {0};
    brume_sweep_set_lattice(&sweep, direction, grid, per_cell);
    return (size_t)sweep.nu * (size_t)sweep.nv * (size_t)sweep.planes;
}

void brume_transpose_field(BrumeField *out, const BrumeField *in)
{
    enum { TILE = 16 }; // a tile of both fields fits into the L1 cache
    brume_field_reshape(out, (BrumeGrid){in->grid.nz, in->grid.ny, in->grid.nx});
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

// depth += length * extinction, interpolated bilinearly between the rows a and b, for entries at this stride
BRUME_INLINE void add_layer_at_stride(float *restrict depth, ptrdiff_t stride, const float *restrict a,
                                      const float *restrict b, float fa, float fb, float length, int count)
{
    const float a0 = length * (1.0f - fb) * (1.0f - fa);
    const float a1 = length * (1.0f - fb) * fa;
    const float b0 = length * fb * (1.0f - fa);
    const float b1 = length * fb * fa;
    for (int u = 0; u < count; u++) {
        depth[stride * u] += (a0 * a[u] + a1 * a[u + 1]) + (b0 * b[u] + b1 * b[u + 1]);
    }
}

BRUME_KERNEL static void add_layer(float *depth, const float *a, const float *b, float fa, float fb, float length,
                                   int count)
{
    add_layer_at_stride(depth, 1, a, b, fa, fb, length, count);
}

BRUME_KERNEL static void add_layer_to_every_other(float *depth, const float *a, const float *b, float fa, float fb,
                                                  float length, int count)
{
    add_layer_at_stride(depth, 2, a, b, fa, fb, length, count);
}

// Adds `share` of the optical depth between `plane` and the next to those rays of a row that are inside the box
// halfway. The extinction is that of the layer of cells `apart` layers behind the one between the planes, at the
// position of the ray at the fraction `at` of its way.
static void add_layer_to_row(const BrumeTransmittanceSweep *sweep, const BrumeField *field, int plane, int iv,
                             float *depth, int apart, float at, float share)
{
    // strides between rows and planes of the sweep; for axis y they are exchanged in the field
    const ptrdiff_t row_stride = sweep->axis == 1 ? field->sz : field->sy;
    const ptrdiff_t plane_stride = sweep->axis == 1 ? field->sy : field->sz;
    const int cells_u = field->grid.nx;
    const int cells_v = sweep->axis == 1 ? field->grid.nz : field->grid.ny;
    const int per_cell = sweep->per_cell;
    const float spacing = sweep->spacing;
    const float middle = (float)plane + 0.5f;
    const float v_middle = spacing * (sweep->v_min + (float)iv + sweep->shear_v * middle) + 0.5f; // in the padded field
    if (v_middle < 0.5f || v_middle > (float)cells_v + 0.5f) {
        return;
    }
    const int layers = (sweep->planes - 1) / per_cell;
    const int layer = sweep->backwards ? layers - plane / per_cell - apart : plane / per_cell + 1 + apart;
    const float v = v_middle + (at - 0.5f) * spacing * sweep->shear_v;
    const int j = (int)v;
    for (int phase = 0; phase < per_cell; phase++) { // rays that are one cell apart
        const float u_middle = spacing * (sweep->u_min + (float)phase + sweep->shear_u * middle) + 0.5f; // of the first
        const int first = u_middle < 0.5f ? (int)ceilf(0.5f - u_middle) : 0;
        const int last = (int)floorf((float)cells_u + 0.5f - u_middle);
        const int rays = (sweep->nu - phase + per_cell - 1) / per_cell;
        const int end = last + 1 < rays ? last + 1 : rays;
        if (first >= end) {
            continue;
        }
        const float u = u_middle + (at - 0.5f) * spacing * sweep->shear_u;
        const int i = (int)floorf(u);
        const float *a = field->data + plane_stride * layer + row_stride * j + (i + first);
        float *to = depth + phase + (ptrdiff_t)per_cell * first;
        const float length = share * spacing * sweep->length;
        if (per_cell == 1) {
            add_layer(to, a, a + row_stride, u - (float)i, v - (float)j, length, end - first);
        } else {
            add_layer_to_every_other(to, a, a + row_stride, u - (float)i, v - (float)j, length, end - first);
        }
    }
}

// The optical depth between a plane and the next, the integral of the trilinear extinction. From one face of a cell to
// the other it is 3/4 of the cell's own value and 1/8 of each neighbor's, whose weight has its center at 1/6 of the
// way from the face. From a face to the middle of a cell it is 3/4 of its own, with the center at 5/9 of the way, and
// 1/4 of the neighbor's behind the face, with the center at 1/3.
static void add_layer_depth(const BrumeTransmittanceSweep *sweep, const BrumeField *field, int plane, int iv,
                            float *depth)
{
    if (sweep->per_cell == 1) {
        add_layer_to_row(sweep, field, plane, iv, depth, -1, 1.0f / 6.0f, 0.125f);
        add_layer_to_row(sweep, field, plane, iv, depth, 0, 0.5f, 0.75f);
        add_layer_to_row(sweep, field, plane, iv, depth, 1, 5.0f / 6.0f, 0.125f);
    } else if (plane % 2 == 0) {
        add_layer_to_row(sweep, field, plane, iv, depth, -1, 1.0f / 3.0f, 0.25f);
        add_layer_to_row(sweep, field, plane, iv, depth, 0, 5.0f / 9.0f, 0.75f);
    } else {
        add_layer_to_row(sweep, field, plane, iv, depth, 0, 4.0f / 9.0f, 0.75f);
        add_layer_to_row(sweep, field, plane, iv, depth, 1, 2.0f / 3.0f, 0.25f);
    }
}

void brume_sweep_fill(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeField *extinction,
                      const BrumeField *transposed, int per_cell, float scale)
{
    brume_sweep_set_lattice(sweep, direction, extinction->grid, per_cell);
    assert((size_t)sweep->nu * (size_t)sweep->nv * (size_t)sweep->planes <= sweep->entries);
    const BrumeField *field = sweep->axis == 0 ? transposed : extinction;
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
#pragma omp parallel for schedule(static)
    for (int iv = 0; iv < sweep->nv; iv++) {
        float *depth = sweep->transmittance + sv * iv;
        memset(depth, 0, (size_t)sn * sizeof *depth);
        for (int plane = 0; plane + 1 < sweep->planes; plane++) {
            float *next = depth + sn;
            memcpy(next, depth, (size_t)sn * sizeof *depth);
            add_layer_depth(sweep, field, plane, iv, next);
            depth = next;
        }
        brume_fast_exp_row(sweep->transmittance + sv * iv, -scale, sv);
    }
    brume_fit_lattice(sweep->transmittance, sweep->nu, sweep->planes, sweep->nv);
}

void brume_sweep_shadow_solids(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeRenderSettings *settings,
                               BrumeVec3 origin, float dx)
{
    if (settings->surface_count == 0) {
        return;
    }
    const ptrdiff_t sn = sweep->nu;
    const ptrdiff_t sv = sn * sweep->planes;
    const BrumeVec3 u_axis = brume_along(first_axis(sweep->axis), 1.0f);
    const BrumeVec3 v_axis = brume_along(second_axis(sweep->axis), 1.0f);
    const BrumeVec3 entry =
        brume_scale(brume_along(sweep->axis, 1.0f), sweep->backwards ? (float)(sweep->planes - 1) : 0.0f);
    const float spacing = sweep->spacing * dx; // [m]
    const float meters_per_plane = sweep->length * spacing;
#pragma omp parallel for schedule(static)
    for (int iv = 0; iv < sweep->nv; iv++) {
        for (int iu = 0; iu < sweep->nu; iu++) {
            const BrumeVec3 in_plane =
                brume_add(brume_scale(u_axis, sweep->u_min + (float)iu), brume_scale(v_axis, sweep->v_min + (float)iv));
            const BrumeRay ray = {brume_add(origin, brume_scale(brume_add(entry, in_plane), spacing)), direction};
            float first = INFINITY; // distance to the first solid, in front of the box or inside it
            for (int s = 0; s < settings->surface_count; s++) {
                first = brume_fminf(first, brume_ray_entry(&ray, &settings->surfaces[s].shape));
            }
            const float first_shadowed = brume_fmaxf(0.0f, ceilf((first + spacing) / meters_per_plane));
            if (first_shadowed < (float)sweep->planes) {
                for (int plane = (int)first_shadowed; plane < sweep->planes; plane++) {
                    sweep->transmittance[sv * iv + sn * plane + iu] = 0.0f;
                }
            }
        }
    }
}

float brume_sweep_at_any_point(const BrumeTransmittanceSweep *sweep, BrumeVec3 point)
{
    const float u = brume_affine_at(sweep->u, point);
    const float v = brume_affine_at(sweep->v, point);
    const float n = brume_affine_at(sweep->n, point);
    if (!(u >= 0.0f && u <= (float)(sweep->nu - 1) && v >= 0.0f && v <= (float)(sweep->nv - 1))) {
        return 1.0f;
    }
    return brume_sweep_at(sweep, u, v, brume_fminf(brume_fmaxf(n, 0.0f), (float)(sweep->planes - 1)));
}
