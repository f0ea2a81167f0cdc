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
    return (BrumeGrid){(grid.nx + stride - 1) / stride, (grid.ny + stride - 1) / stride,
                       (grid.nz + stride - 1) / stride};
}

static int lattice_stride(BrumeGrid grid) { return brume_grid_longest_side(grid) > 64 ? 2 : 1; }

size_t brume_area_light_entries(BrumeGrid capacity)
{
    // a smaller volume may have the smaller stride
    const BrumeGrid small = {brume_min_int(capacity.nx, 64), brume_min_int(capacity.ny, 64),
                             brume_min_int(capacity.nz, 64)};
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

void brume_area_light_fill(BrumeAreaLightVolume *volume, BrumePointLightVolume *point, const BrumeLightSource *source,
                           const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int side)
{
    assert(BRUME_TRANSMITTANCE_ROOT == 8.0f);
    volume->stride = lattice_stride(medium->grid);
    volume->grid = entry_grid(medium->grid, volume->stride);
    const BrumeGrid grid = volume->grid;
    const size_t entries = brume_grid_cells(grid);
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
        for (int k = 0; k < grid.nz; k++) {
            float *entry = volume->transmittance + (ptrdiff_t)k * grid.ny * grid.nx;
            for (int j = 0; j < grid.ny; j++) {
                for (int i = 0; i < grid.nx; i++, entry++) {
                    const BrumeVec3 cells = entry_center(volume, i, j, k);
                    const BrumeVec3 to = brume_add(medium->origin, brume_scale(cells, medium->dx));
                    *entry += share(source, from, to) * eighth_power(brume_point_light_at(point, cells));
                }
            }
        }
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < grid.nz; k++) {
        float *entry = volume->transmittance + (ptrdiff_t)k * grid.ny * grid.nx;
        for (int j = 0; j < grid.ny; j++) {
            for (int i = 0; i < grid.nx; i++, entry++) {
                const BrumeVec3 to = brume_add(medium->origin, brume_scale(entry_center(volume, i, j, k), medium->dx));
                float shares = 0.0f;
                for (int n = 0; n < side * side; n++) {
                    shares += share(source, point_of(source, n, side), to);
                }
                *entry = sqrtf(sqrtf(sqrtf(*entry / shares)));
            }
        }
    }
    brume_fit_lattice(volume->transmittance, grid.nx, grid.ny, grid.nz);
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
    const int i = interval(point.x * per_entry - 0.5f, grid.nx, &fx);
    const int j = interval(point.y * per_entry - 0.5f, grid.ny, &fy);
    const int k = interval(point.z * per_entry - 0.5f, grid.nz, &fz);
    const ptrdiff_t sy = grid.nx;
    const ptrdiff_t sz = sy * grid.ny;
    // along an axis of one entry both are the same
    const ptrdiff_t dx = grid.nx > 1 ? 1 : 0;
    const ptrdiff_t dy = grid.ny > 1 ? sy : 0;
    const ptrdiff_t dz = grid.nz > 1 ? sz : 0;
    return brume_trilinear(volume->transmittance + sz * k + sy * j + i, dx, dy, dz, fx, fy, fz);
}
