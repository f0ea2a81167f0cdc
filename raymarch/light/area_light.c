#include "raymarch/light/area_light.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/lattice_fit.h"
#include "raymarch/light/scattering.h"

#include <assert.h>

// the entries of a light volume: one for each cube of `stride` cells
static BrumeGrid entry_grid(BrumeGrid grid, int stride)
{
    return brume_grid((grid.nx + stride - 1) / stride, (grid.ny + stride - 1) / stride,
                      (grid.nz + stride - 1) / stride);
}

static int lattice_stride(BrumeGrid grid) { return brume_grid_longest_side(grid) > 64 ? 2 : 1; }

size_t brume_area_light_entries(BrumeGrid capacity)
{
    // a smaller volume may have the smaller stride
    const BrumeGrid small =
        brume_grid(brume_min_int(capacity.nx, 64), brume_min_int(capacity.ny, 64), brume_min_int(capacity.nz, 64));
    const size_t fine = brume_grid_cells(small);
    const size_t coarse = brume_grid_cells(entry_grid(capacity, lattice_stride(capacity)));
    return fine > coarse ? fine : coarse;
}

BrumeStatus brume_area_light_create(BrumeAreaLightVolume *volume, BrumeGrid capacity, BrumeError *error)
{
    const size_t entries = brume_area_light_entries(capacity);
    volume->transmittance = brume_alloc_untouched(entries, sizeof(float));
    if (volume->transmittance == NULL) {
        return brume_out_of_memory(error, "a light");
    }
    volume->entries = entries;
    return BRUME_OK;
}

void brume_area_light_destroy(BrumeAreaLightVolume *volume) { brume_free(volume->transmittance); }

static BrumeVec3 entry_center(const BrumeAreaLightVolume *volume, int i, int j, int k)
{
    return brume_scale(brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f), (float)volume->stride);
}

// share of a point of the rectangle in the light at a point [m], up to a common factor; on the other side of the
// rectangle, where there is none, the share of the mirrored point, so that the mean has no edge
static float share(const BrumeLightSource *source, BrumeVec3 from, BrumeVec3 to)
{
    const BrumeVec3 apart = brume_sub(to, from);
    const float square = brume_fmaxf(brume_dot(apart, apart), 1e-12f);
    return (fabsf(brume_dot(apart, source->light.direction)) + 1e-3f * sqrtf(square)) / (square * sqrtf(square));
}

// the n-th of side x side points of the rectangle
static BrumeVec3 point_of(const BrumeLightSource *source, int n, int side)
{
    const int row = n / side;
    const int column = n % side;
    return brume_rectangle_point(source, ((float)column + 0.5f) / (float)side, ((float)row + 0.5f) / (float)side);
}

static float eighth_power(float x)
{
    x *= x;
    x *= x;
    return x * x;
}

// Adds the entries that the shadow of a box of points [cells] may change, in light from a box around the rectangle:
// along each axis, those from the box on away from the light, or all where the light may come from both sides.
static void add_shadow(BrumeAreaLightVolume *volume, const BrumeVec3 light[2], const BrumeVec3 box[2])
{
    const int entries[3] = {volume->grid.nx, volume->grid.ny, volume->grid.nz};
    for (int axis = 0; axis < 3; axis++) {
        const float lower = brume_component(box[0], axis);
        const float upper = brume_component(box[1], axis);
        const bool from_below = brume_component(light[1], axis) <= lower;
        const bool from_above = brume_component(light[0], axis) >= upper;
        const float per_entry = 1.0f / (float)volume->stride;
        const float from = from_below ? lower * per_entry - 0.5f : 0.0f;
        const float to = from_above ? upper * per_entry - 0.5f : (float)entries[axis];
        brume_window_add(&volume->stored, axis, from, to, entries[axis]);
    }
}

// Restricts the entries to those in a shadow. The light of the others is 1 where all of the rectangle lights them.
static void restrict_entries(BrumeAreaLightVolume *volume, const BrumeLightSource *source,
                             const BrumeGridMedium *medium, const BrumeRenderSettings *settings)
{
    BrumeVec3 light[2] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; // [cells]
    for (int corner = 0; corner < 4; corner++) {
        const BrumeVec3 at = brume_rectangle_point(source, (float)(corner & 1), (float)(corner >> 1));
        const BrumeVec3 cells = brume_scale(brume_sub(at, medium->origin), 1.0f / medium->dx);
        light[0] = brume_vec3(brume_fminf(light[0].x, cells.x), brume_fminf(light[0].y, cells.y),
                              brume_fminf(light[0].z, cells.z));
        light[1] = brume_vec3(brume_fmaxf(light[1].x, cells.x), brume_fmaxf(light[1].y, cells.y),
                              brume_fmaxf(light[1].z, cells.z));
    }
    const BrumeGrid grid = volume->grid;
    volume->stored = brume_whole_window(grid.nx, grid.ny, grid.nz);
    if (settings->ground && medium->origin.y + light[0].y * medium->dx <= settings->ground_height) {
        return; // a part of it is in the ground
    }
    volume->stored = brume_no_entries;
    for (int n = 0; n <= settings->surface_count; n++) {
        BrumeVec3 box[2];
        if (brume_grid_medium_occluder(medium, settings, n, 3.0f, &box[0], &box[1])) {
            add_shadow(volume, light, box);
        }
    }
    brume_window_close(&volume->stored, 0, grid.nx);
    brume_window_close(&volume->stored, 1, grid.ny);
    brume_window_close(&volume->stored, 2, grid.nz);
}

void brume_area_light_fill(BrumeAreaLightVolume *volume, BrumePointLightVolume *point, const BrumeLightSource *source,
                           const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int side)
{
    assert(BRUME_TRANSMITTANCE_ROOT == 8.0f);
    volume->stride = lattice_stride(medium->grid);
    volume->grid = entry_grid(medium->grid, volume->stride);
    restrict_entries(volume, source, medium, settings);
    const int *first = volume->stored.first;
    const int *count = volume->stored.count;
    const size_t entries = (size_t)count[0] * (size_t)count[1] * (size_t)count[2];
    assert(entries <= volume->entries);
    for (size_t n = 0; n < entries; n++) {
        volume->transmittance[n] = 0.0f;
    }
    for (int n = 0; n < side * side; n++) {
        const BrumeVec3 from = point_of(source, n, side);
        if (settings->ground && from.y <= settings->ground_height) {
            continue;
        }
        brume_point_light_fill(point, medium, settings, brume_scale(brume_sub(from, medium->origin), 1.0f / medium->dx),
                               1);
#pragma omp parallel for schedule(static)
        for (int k = 0; k < count[2]; k++) {
            float *entry = volume->transmittance + (ptrdiff_t)k * count[1] * count[0];
            for (int j = 0; j < count[1]; j++) {
                for (int i = 0; i < count[0]; i++, entry++) {
                    const BrumeVec3 cells = entry_center(volume, first[0] + i, first[1] + j, first[2] + k);
                    const BrumeVec3 to = brume_add(medium->origin, brume_scale(cells, medium->dx));
                    *entry += share(source, from, to) * eighth_power(brume_point_light_at(point, cells));
                }
            }
        }
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < count[2]; k++) {
        float *entry = volume->transmittance + (ptrdiff_t)k * count[1] * count[0];
        for (int j = 0; j < count[1]; j++) {
            for (int i = 0; i < count[0]; i++, entry++) {
                const BrumeVec3 cells = entry_center(volume, first[0] + i, first[1] + j, first[2] + k);
                const BrumeVec3 to = brume_add(medium->origin, brume_scale(cells, medium->dx));
                float shares = 0.0f;
                for (int n = 0; n < side * side; n++) {
                    shares += share(source, point_of(source, n, side), to);
                }
                *entry = sqrtf(sqrtf(sqrtf(*entry / shares)));
            }
        }
    }
    brume_fit_lattice(volume->transmittance, count[0], count[1], count[2]);
}

// index of the interval between entries that contains a coordinate, and the offset within it
static int interval(float at, int entries, float *fraction)
{
    const float clamped = brume_clamp(at, 0.0f, (float)(entries - 1));
    const int index = brume_max_int(brume_min_int((int)clamped, entries - 2), 0);
    *fraction = clamped - (float)index;
    return index;
}

float brume_area_light_at(const BrumeAreaLightVolume *volume, BrumeVec3 point)
{
    const BrumeGrid grid = volume->grid;
    const float per_entry = 1.0f / (float)volume->stride;
    float fx;
    float fy;
    float fz;
    const BrumeLatticeWindow *stored = &volume->stored;
    const int i = brume_max_int(brume_window_index(stored, 0, interval(point.x * per_entry - 0.5f, grid.nx, &fx)), 0);
    const int j = brume_max_int(brume_window_index(stored, 1, interval(point.y * per_entry - 0.5f, grid.ny, &fy)), 0);
    const int k = brume_max_int(brume_window_index(stored, 2, interval(point.z * per_entry - 0.5f, grid.nz, &fz)), 0);
    const ptrdiff_t sy = stored->count[0];
    const ptrdiff_t sz = sy * stored->count[1];
    // along an axis of one entry both are the same
    const ptrdiff_t dx = grid.nx > 1 ? 1 : 0;
    const ptrdiff_t dy = grid.ny > 1 ? sy : 0;
    const ptrdiff_t dz = grid.nz > 1 ? sz : 0;
    return brume_trilinear(volume->transmittance + sz * k + sy * j + i, dx, dy, dz, fx, fy, fz);
}
