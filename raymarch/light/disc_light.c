#include "raymarch/light/disc_light.h"

#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/light/lattice_fit.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/scattering.h"

#include <assert.h>

// The n-th of `count` directions in which light travels: squares around the center of the disc, each turned against the
// one inside it. The disc has the same means of first and second order.
static BrumeVec3 disc_direction(const BrumeLight *light, int n, int count)
{
    const int square = n / 4;
    const int squares = count / 4;
    const float u = ((float)square + 0.5f) / (float)squares;
    const float turns = 0.25f * ((float)(n % 4) + 0.618033989f * (float)square);
    return brume_normalize(brume_cap_direction(light->direction, brume_cap_height(light->angle), u, turns));
}

// how many directions stand for a disc: two for each cell of the width of its penumbra behind the whole box
static int direction_count(const BrumeLight *light, BrumeGrid grid)
{
    const float width = light->angle * (BRUME_PI / 180.0f) * (float)brume_grid_longest_side(grid); // [cells]
    int count = BRUME_DISC_FEWEST;
    while (count < BRUME_DISC_MOST && (float)count < 2.0f * width) {
        count *= 2;
    }
    return count;
}

size_t brume_disc_light_entries(const BrumeLight *light, BrumeGrid grid, int per_cell)
{
    size_t largest = 0;
    for (int count = BRUME_DISC_FEWEST; count <= BRUME_DISC_MOST; count *= 2) {
        for (int n = 0; n < count; n++) {
            const size_t entries = brume_sweep_entries(disc_direction(light, n, count), grid, per_cell);
            largest = entries > largest ? entries : largest;
        }
    }
    return largest;
}

bool brume_disc_light_along_x(const BrumeLight *light)
{
    bool along_x = false;
    for (int count = BRUME_DISC_FEWEST; count <= BRUME_DISC_MOST; count *= 2) {
        for (int n = 0; n < count; n++) {
            along_x |= brume_sweep_axis(disc_direction(light, n, count)) == 0;
        }
    }
    return along_x;
}

static float eighth_power(float x)
{
    x *= x;
    x *= x;
    return x * x;
}

static float eighth_root(float x) { return sqrtf(sqrtf(sqrtf(x))); }

// adds the transmittance of one direction to the entries of a row of rays that lie in the box or near it
static void add_row(const BrumeTransmittanceSweep *sweep, const BrumeTransmittanceSweep *from, BrumeGrid grid, int iv)
{
    const BrumeVec3 upper = brume_grid_extent(grid);
    float *entry = sweep->transmittance + (ptrdiff_t)iv * sweep->nu * sweep->planes;
    for (int plane = 0; plane < sweep->planes; plane++) {
        for (int iu = 0; iu < sweep->nu; iu++, entry++) {
            const BrumeVec3 point = brume_sweep_point(sweep, iu, iv, plane);
            // interpolation inside the box reads entries of up to a cell outside of it, which are fitted to their
            // neighbors; they get the value at its edge
            if (point.x > -2.5f && point.y > -2.5f && point.z > -2.5f && point.x < upper.x + 2.5f &&
                point.y < upper.y + 2.5f && point.z < upper.z + 2.5f) {
                const BrumeVec3 nearest =
                    brume_vec3(brume_clamp(point.x, 0.0f, upper.x), brume_clamp(point.y, 0.0f, upper.y),
                               brume_clamp(point.z, 0.0f, upper.z));
                *entry += eighth_power(brume_sweep_at_any_point(from, nearest));
            }
        }
    }
}

void brume_disc_light_fill(BrumeTransmittanceSweep *sweep, BrumeTransmittanceSweep *scratch, const BrumeLight *light,
                           const BrumeGridMedium *medium, const BrumeField *transposed,
                           const BrumeRenderSettings *settings, int per_cell, int most)
{
    assert(BRUME_TRANSMITTANCE_ROOT == 8.0f);
    const int count = brume_min_int(direction_count(light, medium->grid), most);
    const float weight = 1.0f / (float)count;
    brume_sweep_set_lattice(sweep, light->direction, medium->grid, per_cell);
    const ptrdiff_t row = (ptrdiff_t)sweep->nu * sweep->planes;
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < row * sweep->nv; n++) {
        sweep->transmittance[n] = 0.0f;
    }
    for (int n = 0; n < count; n++) {
        const BrumeVec3 direction = disc_direction(light, n, count);
        if (settings->ground && direction.y >= 0.0f) {
            continue;
        }
        brume_sweep_fill(scratch, direction, &medium->extinction, transposed, per_cell,
                         1.0f / BRUME_TRANSMITTANCE_ROOT);
        brume_sweep_shadow_solids(scratch, direction, settings, medium->origin, medium->dx);
#pragma omp parallel for schedule(dynamic)
        for (int iv = 0; iv < sweep->nv; iv++) {
            add_row(sweep, scratch, medium->grid, iv);
        }
    }
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < row * sweep->nv; n++) {
        sweep->transmittance[n] = eighth_root(weight * sweep->transmittance[n]);
    }
    brume_fit_lattice(sweep->transmittance, sweep->nu, sweep->planes, sweep->nv);
}
