#include "raymarch/light/transmittance_sweep.h"

#include "core/field.h"
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

    sweep->stored = brume_whole_window(sweep->nu, sweep->planes, sweep->nv);

    // n counts planes from the face where light enters; u and v project a point back along its ray onto that face
    const BrumeVec3 n = brume_scale(brume_along(axis, 1.0f), sweep->backwards ? -1.0f : 1.0f);
    const float n_offset = sweep->backwards ? (float)layers : 0.0f;
    sweep->n = scaled_coordinate(n, n_offset, per_cell);
    sweep->u = scaled_coordinate(brume_sub(brume_along(u_axis, 1.0f), brume_scale(n, sweep->shear_u)),
                                 -sweep->shear_u * n_offset - sweep->u_min, per_cell);
    sweep->v = scaled_coordinate(brume_sub(brume_along(v_axis, 1.0f), brume_scale(n, sweep->shear_v)),
                                 -sweep->shear_v * n_offset - sweep->v_min, per_cell);
}

// the range of a coordinate in a box of points [cells]
static void coordinate_range(BrumeAffineCoordinate a, BrumeVec3 lower, BrumeVec3 upper, float *from, float *to)
{
    *from = *to = a.offset;
    for (int axis = 0; axis < 3; axis++) {
        const float slope = brume_component(a.slope, axis);
        const float at_lower = slope * brume_component(lower, axis);
        const float at_upper = slope * brume_component(upper, axis);
        *from += brume_min(at_lower, at_upper);
        *to += brume_max(at_lower, at_upper);
    }
}

// adds the entries that the shadows of a box of points [cells] may change
static void add_shadow(BrumeTransmittanceSweep *sweep, BrumeVec3 lower, BrumeVec3 upper, const BrumeSweepSpread *spread)
{
    float from[3];
    float to[3];
    coordinate_range(sweep->u, lower, upper, &from[0], &to[0]);
    coordinate_range(sweep->n, lower, upper, &from[1], &to[1]);
    coordinate_range(sweep->v, lower, upper, &from[2], &to[2]);
    if (from[1] > (float)sweep->planes + 3.0f) { // it is behind the box
        return;
    }
    if (spread->any) {
        const float planes = (float)sweep->planes - from[1];
        for (int n = 0; n < 2; n++) {
            from[2 * n] += planes * spread->lower[n];
            to[2 * n] += planes * spread->upper[n];
        }
        to[1] = (float)sweep->planes;
    }
    const int entries[3] = {sweep->nu, sweep->planes, sweep->nv};
    for (int axis = 0; axis < 3; axis++) {
        brume_window_add(&sweep->stored, axis, from[axis], to[axis], entries[axis]);
    }
}

void brume_sweep_restrict(BrumeTransmittanceSweep *sweep, const BrumeGridMedium *medium,
                          const BrumeRenderSettings *settings, const BrumeSweepSpread *spread)
{
    // samples of the extinction reach a cell beyond smoke; entries outside the box have the value at its faces
    const float reach = spread->any ? 5.0f : 2.0f; // [cells]
    const int entries[3] = {sweep->nu, sweep->planes, sweep->nv};
    sweep->stored = brume_no_entries;
    for (int n = 0; n <= settings->surface_count; n++) {
        BrumeVec3 lower;
        BrumeVec3 upper;
        if (brume_grid_medium_occluder(medium, settings, n, reach, &lower, &upper)) {
            add_shadow(sweep, lower, upper, spread);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_window_close(&sweep->stored, axis, entries[axis]);
    }
}

size_t brume_sweep_entries(BrumeVec3 direction, BrumeGrid grid, int per_cell)
{
    BrumeTransmittanceSweep sweep = {0};
    brume_sweep_set_lattice(&sweep, direction, grid, per_cell);
    return (size_t)sweep.nu * (size_t)sweep.nv * (size_t)sweep.planes;
}

void brume_transpose_field(BrumeField *out, const BrumeField *in)
{
    const BrumeCellBox whole = brume_whole_box(in->grid);
    brume_transpose_box(out, in, &whole);
}

void brume_transpose_box(BrumeField *out, const BrumeField *in, const BrumeCellBox *box)
{
    enum { TILE = 16 }; // a tile of both fields fits into the L1 cache
    brume_field_reshape(out, brume_grid(in->grid.nz, in->grid.ny, in->grid.nx));
#pragma omp parallel for schedule(static)
    for (int j = box->lower[1]; j < box->upper[1] + 2; j++) {
        for (int k0 = box->lower[2]; k0 < box->upper[2] + 2; k0 += TILE) {
            for (int i0 = box->lower[0]; i0 < box->upper[0] + 2; i0 += TILE) {
                const int k1 = brume_min_int(k0 + TILE, box->upper[2] + 2);
                const int i1 = brume_min_int(i0 + TILE, box->upper[0] + 2);
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

static int floor_divide(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// Adds `share` of the optical depth between `plane` and the next to those stored rays of a row that are inside the box
// halfway. The extinction is that of the layer of cells `apart` layers behind the one between the planes, at the
// position of the ray at the fraction `at` of its way; it is added where `smoke` and the entries around it are.
static void add_layer_to_row(const BrumeTransmittanceSweep *sweep, const BrumeField *field, const BrumeCellBox *smoke,
                             int plane, int iv, float *depth, int apart, float at, float share)
{
    const int u_axis = first_axis(sweep->axis);
    const int v_axis = second_axis(sweep->axis);
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
    // smoke has the entries from its lower to behind its upper corner of the padded field
    if (layer < smoke->lower[sweep->axis] || layer > smoke->upper[sweep->axis] + 1 || j + 1 < smoke->lower[v_axis] ||
        j > smoke->upper[v_axis] + 1) {
        return;
    }
    const BrumeLatticeWindow *stored = &sweep->stored;
    for (int phase = 0; phase < per_cell; phase++) { // rays that are one cell apart
        const float u_middle = spacing * (sweep->u_min + (float)phase + sweep->shear_u * middle) + 0.5f; // of the first
        const float u = u_middle + (at - 0.5f) * spacing * sweep->shear_u;
        const int i = (int)floorf(u);
        int first = u_middle < 0.5f ? (int)ceilf(0.5f - u_middle) : 0; // in the box
        first = brume_max_int(first, floor_divide(stored->first[0] - phase + per_cell - 1, per_cell));
        first = brume_max_int(first, smoke->lower[u_axis] - 1 - i);
        int end = (int)floorf((float)cells_u + 0.5f - u_middle) + 1;
        end = brume_min_int(end, floor_divide(stored->first[0] + stored->count[0] - 1 - phase, per_cell) + 1);
        end = brume_min_int(end, smoke->upper[u_axis] + 2 - i);
        if (first >= end) {
            continue;
        }
        const float *a = field->data + plane_stride * layer + row_stride * j + (i + first);
        float *to = depth + phase + (ptrdiff_t)per_cell * first - stored->first[0];
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
static void add_layer_depth(const BrumeTransmittanceSweep *sweep, const BrumeField *field, const BrumeCellBox *smoke,
                            int plane, int iv, float *depth)
{
    if (sweep->per_cell == 1) {
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, -1, 1.0f / 6.0f, 0.125f);
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, 0, 0.5f, 0.75f);
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, 1, 5.0f / 6.0f, 0.125f);
    } else if (plane % 2 == 0) {
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, -1, 1.0f / 3.0f, 0.25f);
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, 0, 5.0f / 9.0f, 0.75f);
    } else {
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, 0, 4.0f / 9.0f, 0.75f);
        add_layer_to_row(sweep, field, smoke, plane, iv, depth, 1, 2.0f / 3.0f, 0.25f);
    }
}

// Sets the transmittance to 0 from one spacing of the rays behind the point where a ray enters the first solid.
static void shadow_solids(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeRenderSettings *settings,
                          BrumeVec3 origin, float dx)
{
    const BrumeLatticeWindow *stored = &sweep->stored;
    const ptrdiff_t sn = stored->count[0];
    const ptrdiff_t sv = sn * stored->count[1];
    const BrumeVec3 u_axis = brume_along(first_axis(sweep->axis), 1.0f);
    const BrumeVec3 v_axis = brume_along(second_axis(sweep->axis), 1.0f);
    const BrumeVec3 entry =
        brume_scale(brume_along(sweep->axis, 1.0f), sweep->backwards ? (float)(sweep->planes - 1) : 0.0f);
    const float spacing = sweep->spacing * dx; // [m]
    const float meters_per_plane = sweep->length * spacing;
    const int first_plane = stored->first[1];
#pragma omp parallel for schedule(static)
    for (int row = 0; row < stored->count[2]; row++) {
        for (int column = 0; column < stored->count[0]; column++) {
            const BrumeVec3 in_plane = brume_add(brume_scale(u_axis, sweep->u_min + (float)(stored->first[0] + column)),
                                                 brume_scale(v_axis, sweep->v_min + (float)(stored->first[2] + row)));
            const BrumeRay ray = {brume_add(origin, brume_scale(brume_add(entry, in_plane), spacing)), direction};
            float first = INFINITY; // distance to the first solid, in front of the box or inside it
            for (int s = 0; s < settings->surface_count; s++) {
                first = brume_fminf(first, brume_ray_entry(&ray, &settings->surfaces[s].shape));
            }
            const float first_shadowed = brume_fmaxf((float)first_plane, ceilf((first + spacing) / meters_per_plane));
            if (first_shadowed < (float)(first_plane + stored->count[1])) {
                for (int plane = (int)first_shadowed - first_plane; plane < stored->count[1]; plane++) {
                    sweep->transmittance[sv * row + sn * plane + column] = 0.0f;
                }
            }
        }
    }
}

void brume_sweep_fill(BrumeTransmittanceSweep *sweep, BrumeVec3 direction, const BrumeGridMedium *medium,
                      const BrumeField *transposed, const BrumeRenderSettings *settings, int per_cell, float scale)
{
    static const BrumeSweepSpread parallel = {.any = false};
    brume_sweep_set_lattice(sweep, direction, medium->grid, per_cell);
    brume_sweep_restrict(sweep, medium, settings, &parallel);
    assert((size_t)brume_sweep_stored(sweep) <= sweep->entries);
    const BrumeField *field = sweep->axis == 0 ? transposed : &medium->extinction;
    const BrumeLatticeWindow *stored = &sweep->stored;
    const ptrdiff_t sn = stored->count[0];
    const ptrdiff_t sv = sn * stored->count[1];
#pragma omp parallel for schedule(static)
    for (int row = 0; row < stored->count[2]; row++) {
        float *depth = sweep->transmittance + sv * row;
        memset(depth, 0, (size_t)sn * sizeof *depth);
        for (int plane = 0; plane + 1 < stored->count[1]; plane++) {
            float *next = depth + sn;
            memcpy(next, depth, (size_t)sn * sizeof *depth);
            add_layer_depth(sweep, field, &medium->smoke, stored->first[1] + plane, stored->first[2] + row, next);
            depth = next;
        }
        brume_fast_exp_row(sweep->transmittance + sv * row, -scale, sv);
    }
    brume_fit_lattice(sweep->transmittance, stored->count[0], stored->count[1], stored->count[2]);
    if (settings->surface_count > 0) {
        shadow_solids(sweep, direction, settings, medium->origin, medium->dx);
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
