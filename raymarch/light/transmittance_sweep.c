#include "raymarch/light/transmittance_sweep.h"

#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lattice_fit.h"

#include <assert.h>
#include <string.h>

static float component(BrumeVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static BrumeVec3 unit_vector(int axis) { return brume_vec3(axis == 0, axis == 1, axis == 2); }

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

// rays along a side of `cells` that cover the box on every plane, when they are displaced by `shear` from plane to
// plane; `*first` becomes the position of the first ray [cells]
static int count_rays(int cells, int planes, float shear, float *first)
{
    const float displacement = shear * (float)(planes - 1);
    const float lowest = brume_fminf(0.0f, -displacement);
    const float highest = (float)cells + brume_fmaxf(0.0f, -displacement);
    *first = floorf(lowest) - 0.5f;
    return (int)(ceilf(highest) - floorf(lowest)) + 3;
}

void brume_sweep_set_lattice(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, BrumeGrid grid)
{
    const int axis = brume_sweep_axis(direction);
    const int u_axis = first_axis(axis);
    const int v_axis = second_axis(axis);
    const float along = component(direction, axis);
    const float per_plane = 1.0f / fabsf(along);
    const int cells = brume_cells_along(grid, axis);
    sweep->axis = axis;
    sweep->backwards = along < 0.0f;
    sweep->planes = cells + 1;
    sweep->shear_u = component(direction, u_axis) * per_plane;
    sweep->shear_v = component(direction, v_axis) * per_plane;
    sweep->length = per_plane;
    sweep->nu = count_rays(brume_cells_along(grid, u_axis), sweep->planes, sweep->shear_u, &sweep->u_min);
    sweep->nv = count_rays(brume_cells_along(grid, v_axis), sweep->planes, sweep->shear_v, &sweep->v_min);

    // n counts planes from the face where light enters; u and v project a point back along its ray onto that face
    const float sign = sweep->backwards ? -1.0f : 1.0f;
    sweep->n = (BrumeAffineCoordinate){brume_scale(unit_vector(axis), sign), sweep->backwards ? (float)cells : 0.0f};
    sweep->u = (BrumeAffineCoordinate){brume_sub(unit_vector(u_axis), brume_scale(sweep->n.slope, sweep->shear_u)),
                                       -sweep->shear_u * sweep->n.offset - sweep->u_min};
    sweep->v = (BrumeAffineCoordinate){brume_sub(unit_vector(v_axis), brume_scale(sweep->n.slope, sweep->shear_v)),
                                       -sweep->shear_v * sweep->n.offset - sweep->v_min};
}

BrumeVec3 brume_sweep_point(const BrumeTransmittanceSweep *sweep, int iu, int iv, int plane)
{
    const float u = sweep->u_min + (float)iu + sweep->shear_u * (float)plane;
    const float v = sweep->v_min + (float)iv + sweep->shear_v * (float)plane;
    const float n = (float)(sweep->backwards ? sweep->planes - 1 - plane : plane);
    return sweep->axis == 0 ? brume_vec3(n, v, u) : sweep->axis == 1 ? brume_vec3(u, n, v) : brume_vec3(u, v, n);
}

size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid)
{
    BrumeTransmittanceSweep sweep = {0};
    brume_sweep_set_lattice(&sweep, direction, grid);
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

// depth += length * extinction, interpolated bilinearly between the rows a and b
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

// Adds `share` of the optical depth of one layer of cells, between `plane` and the next, to those rays of a row that
// are inside the box in its middle. The extinction is that of the layer `apart` planes away, where the ray is at `at`
// of the way through the layer.
static void add_layer_to_row(const BrumeTransmittanceSweep *sweep, const BrumeField *field, int plane, int iv,
                             float *depth, int apart, float at, float share)
{
    // strides between rows and planes of the sweep; for axis y they are exchanged in the field
    const ptrdiff_t row_stride = sweep->axis == 1 ? field->sz : field->sy;
    const ptrdiff_t plane_stride = sweep->axis == 1 ? field->sy : field->sz;
    const int cells_u = field->grid.nx;
    const int cells_v = sweep->axis == 1 ? field->grid.nz : field->grid.ny;
    const float middle = (float)plane + 0.5f;
    const float v_middle = sweep->v_min + (float)iv + sweep->shear_v * middle + 0.5f; // in the padded field
    if (v_middle < 0.5f || v_middle > (float)cells_v + 0.5f) {
        return;
    }
    const float u_middle = sweep->u_min + sweep->shear_u * middle + 0.5f; // of the row's first ray
    const int first = u_middle < 0.5f ? (int)ceilf(0.5f - u_middle) : 0;
    const int last = (int)floorf((float)cells_u + 0.5f - u_middle);
    const int end = last + 1 < sweep->nu ? last + 1 : sweep->nu;
    if (first >= end) {
        return;
    }
    const float u = u_middle + (at - 0.5f) * sweep->shear_u;
    const float v = v_middle + (at - 0.5f) * sweep->shear_v;
    const int layer = sweep->backwards ? sweep->planes - 1 - plane - apart : plane + 1 + apart;
    const int j = (int)v;
    const int i = (int)floorf(u);
    const float *a = field->data + plane_stride * layer + row_stride * j + (i + first);
    add_layer(depth + first, a, a + row_stride, u - (float)i, v - (float)j, share * sweep->length, end - first);
}

// The optical depth of one layer. The integral of the trilinear extinction from one face of a cell to the other is 3/4
// of the cell's own value and 1/8 of each neighbour's, whose weight has its centre at 1/6 of the way from the face.
static void add_layer_depth(const BrumeTransmittanceSweep *sweep, const BrumeField *field, int plane, int iv,
                            float *depth)
{
    add_layer_to_row(sweep, field, plane, iv, depth, -1, 1.0f / 6.0f, 0.125f);
    add_layer_to_row(sweep, field, plane, iv, depth, 0, 0.5f, 0.75f);
    add_layer_to_row(sweep, field, plane, iv, depth, 1, 5.0f / 6.0f, 0.125f);
}

void brume_sweep_fill(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeField *extinction,
                      const BrumeField *transposed, float scale)
{
    brume_sweep_set_lattice(sweep, direction, extinction->grid);
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
    const BrumeVec3 u_axis = unit_vector(first_axis(sweep->axis));
    const BrumeVec3 v_axis = unit_vector(second_axis(sweep->axis));
    const BrumeVec3 entry = brume_scale(unit_vector(sweep->axis), sweep->backwards ? (float)(sweep->planes - 1) : 0.0f);
    const float metres_per_plane = sweep->length * dx;
#pragma omp parallel for schedule(static)
    for (int iv = 0; iv < sweep->nv; iv++) {
        for (int iu = 0; iu < sweep->nu; iu++) {
            const BrumeVec3 in_plane =
                brume_add(brume_scale(u_axis, sweep->u_min + (float)iu), brume_scale(v_axis, sweep->v_min + (float)iv));
            const BrumeRay ray = {brume_add(origin, brume_scale(brume_add(entry, in_plane), dx)), direction};
            float first = INFINITY; // distance to the first solid, in front of the box or inside it
            for (int s = 0; s < settings->surface_count; s++) {
                const BrumeRayInterval inside = brume_ray_shape(&ray, &settings->surfaces[s].shape, -INFINITY);
                if (inside.enter < inside.leave) {
                    first = brume_fminf(first, inside.enter);
                }
            }
            const float first_shadowed = brume_fmaxf(0.0f, ceilf((first + dx) / metres_per_plane));
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
