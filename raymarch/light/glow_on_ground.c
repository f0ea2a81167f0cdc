// The light of glowing smoke on the ground. Discrete ordinates would throw it in streaks along their few directions, so
// light that was not scattered yet is the sum over small lights: the glowing cells of the coarse grid, or blocks of
// them.
#include "core/elementary.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/scattered_light_internal.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/transmittance_sweep.h"

#include <math.h>

static float largest_component(BrumeVec3 a) { return brume_max(a.x, brume_max(a.y, a.z)); }

// the light that a cell emits and scatters per volume
static BrumeVec3 emitted(const BrumeTransportGrid *grid, ptrdiff_t n)
{
    return brume_vec3(grid->extinction[0].data[n] * grid->source[0].data[n],
                      grid->extinction[1].data[n] * grid->source[1].data[n],
                      grid->extinction[2].data[n] * grid->source[2].data[n]);
}

// the light that a cell emits per volume, of the color that it emits most
static float cell_glow(const BrumeTransportGrid *grid, ptrdiff_t n)
{
    return largest_component(brume_vec3(grid->extinction[0].data[n] * grid->glow[0].data[n],
                                        grid->extinction[1].data[n] * grid->glow[1].data[n],
                                        grid->extinction[2].data[n] * grid->glow[2].data[n]));
}

// whether a cell within REACH cells emits more than `least`
static bool near_glow(const BrumeTransportGrid *grid, int i, int j, int k, float least)
{
    enum { REACH = 2 }; // cells around glowing ones, which scatter most of their light
    const BrumeGrid cells = grid->albedo[0].grid;
    for (int fk = k - REACH; fk <= k + REACH; fk++) {
        for (int fj = j - REACH; fj <= j + REACH; fj++) {
            for (int fi = i - REACH; fi <= i + REACH; fi++) {
                const bool inside = fi >= 1 && fj >= 1 && fk >= 1 && fi <= cells.nx && fj <= cells.ny && fk <= cells.nz;
                if (inside && cell_glow(grid, brume_field_index(&grid->albedo[0], fi, fj, fk)) > least) {
                    return true;
                }
            }
        }
    }
    return false;
}

void brume_mark_glow(const BrumeTransportGrid *grid, BrumeField *mask)
{
    const BrumeGrid cells = grid->albedo[0].grid;
    float largest = 0.0f;
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                largest = brume_max(largest, cell_glow(grid, brume_field_index(mask, i, j, k)));
            }
        }
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(mask, i, j, k);
                const bool smoke = grid->extinction[0].data[n] > 0.0f;
                mask->data[n] = smoke && near_glow(grid, i, j, k, 1e-3f * largest) ? 1.0f : 0.0f;
            }
        }
    }
}

// Makes a light of each block of `width` cells a side that emits more than `least`. False where they are too many.
static bool collect_lights(BrumeGlowLights *lights, const BrumeTransportGrid *grid, const BrumeField *mask, int width,
                           float least)
{
    const BrumeField *shape = &grid->albedo[0];
    const BrumeGrid cells = shape->grid;
    const float volume = grid->cell.x * grid->cell.y * grid->cell.z;
    lights->count = 0;
    for (int k = 0; k < cells.nz; k += width) {
        for (int j = 0; j < cells.ny; j += width) {
            for (int i = 0; i < cells.nx; i += width) {
                BrumeGlowLight block = {.side = (float)width * brume_powf(volume, 1.0f / 3.0f)};
                float weights = 0.0f;
                for (int fk = k; fk < k + width && fk < cells.nz; fk++) {
                    for (int fj = j; fj < j + width && fj < cells.ny; fj++) {
                        for (int fi = i; fi < i + width && fi < cells.nx; fi++) {
                            const ptrdiff_t n = brume_field_index(shape, fi + 1, fj + 1, fk + 1);
                            const BrumeVec3 part = brume_scale(emitted(grid, n), mask->data[n]);
                            const float weight = largest_component(part);
                            const BrumeVec3 at = brume_vec3((float)fi + 0.5f, (float)fj + 0.5f, (float)fk + 0.5f);
                            block.extinction = brume_add(block.extinction, brume_vec3(grid->extinction[0].data[n],
                                                                                      grid->extinction[1].data[n],
                                                                                      grid->extinction[2].data[n]));
                            block.intensity = brume_add(block.intensity, brume_scale(part, volume));
                            block.middle = brume_add(block.middle, brume_scale(brume_mul(at, grid->cell), weight));
                            weights += weight;
                        }
                    }
                }
                if (!(largest_component(block.intensity) > least)) {
                    continue;
                }
                if (lights->count == BRUME_GLOW_LIGHTS) {
                    return false;
                }
                block.middle = brume_scale(block.middle, 1.0f / weights);
                block.extinction = brume_scale(block.extinction, 1.0f / (float)(width * width * width));
                lights->lights[lights->count++] = block;
            }
        }
    }
    return true;
}

void brume_take_glow_lights(BrumeGlowLights *lights, BrumeTransportGrid *grid)
{
    BrumeField *mask = &grid->next[0];
    const BrumeGrid cells = mask->grid;
    const float volume = grid->cell.x * grid->cell.y * grid->cell.z;
    brume_mark_glow(grid, mask);
    double total = 0.0;
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(mask, i, j, k);
                total += (double)(mask->data[n] * volume * largest_component(emitted(grid, n)));
            }
        }
    }
    // the smallest blocks that make no more lights than there may be; the dimmest blocks are left out
    for (int width = 1; !collect_lights(lights, grid, mask, width, 1e-5f * (float)total); width++) {
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 1; k <= cells.nz; k++) {
            for (int j = 1; j <= cells.ny; j++) {
                for (int i = 1; i <= cells.nx; i++) {
                    const ptrdiff_t n = brume_field_index(mask, i, j, k);
                    grid->source[c].data[n] = mask->data[n] > 0.0f ? 0.0f : grid->source[c].data[n];
                }
            }
        }
        brume_replicate_edges(grid->source[c].data, cells, 1);
        brume_transpose_field(&grid->transposed_source[c], &grid->source[c]);
    }
}

BrumeVec3 brume_glow_lights_middle(const BrumeGlowLights *lights)
{
    BrumeVec3 sum = {0};
    float weights = 0.0f;
    for (int n = 0; n < lights->count; n++) {
        const float weight = largest_component(lights->lights[n].intensity);
        sum = brume_add(sum, brume_scale(lights->lights[n].middle, weight));
        weights += weight;
    }
    return weights > 0.0f ? brume_scale(sum, 1.0f / weights) : sum;
}

// Fraction of a block's light that arrives at a point from the block's middle, for each color. The block is thought of
// as a layer of its side; the rest of the way has the extinction of the cells in which its middles lie.
static BrumeVec3 transmittance(const BrumeTransportGrid *grid, const BrumeGlowLight *light, BrumeVec3 point)
{
    const BrumeField *shape = &grid->albedo[0];
    const BrumeVec3 path = brume_sub(point, light->middle);
    const float distance = brume_length(path);
    const float step = brume_min(grid->cell.x, brume_min(grid->cell.y, grid->cell.z));
    const BrumeRay ray = {light->middle, brume_scale(path, 1.0f / distance)};
    const BrumeVec3 extent =
        brume_mul(grid->cell, brume_vec3((float)shape->grid.nx, (float)shape->grid.ny, (float)shape->grid.nz));
    const float leave = brume_min(brume_ray_box(&ray, brume_vec3(0.0f, 0.0f, 0.0f), extent).leave, distance);
    const float half = brume_min(0.5f * light->side, leave);
    const int steps = (int)ceilf((leave - half) / step);
    const float length = steps > 0 ? (leave - half) / (float)steps : 0.0f;
    float depth[3] = {0};
    for (int n = 0; n < steps; n++) {
        const BrumeVec3 at = brume_ray_at(&ray, half + ((float)n + 0.5f) * length);
        const int i = (int)brume_clamp(at.x / grid->cell.x + 1.0f, 1.0f, (float)shape->grid.nx);
        const int j = (int)brume_clamp(at.y / grid->cell.y + 1.0f, 1.0f, (float)shape->grid.ny);
        const int k = (int)brume_clamp(at.z / grid->cell.z + 1.0f, 1.0f, (float)shape->grid.nz);
        const ptrdiff_t entry = brume_field_index(shape, i, j, k);
        for (int c = 0; c < 3; c++) {
            depth[c] += length * grid->extinction[c].data[entry];
        }
    }
    float left[3];
    for (int c = 0; c < 3; c++) {
        const float layer = light->side * brume_channel(light->extinction, c);
        const float escaping = brume_mean_transmittance(layer);
        left[c] = escaping * brume_fast_exp(-depth[c]);
    }
    return brume_vec3(left[0], left[1], left[2]);
}

void brume_add_glow_on_ground(BrumeScatteredLight *light, const BrumeGlowLights *lights, const BrumeTransportGrid *grid,
                              const BrumeGridMedium *medium, const BrumeRenderSettings *settings)
{
#pragma omp parallel for schedule(dynamic)
    for (int iz = 0; iz < BRUME_GROUND_MAP; iz++) {
        for (int ix = 0; ix < BRUME_GROUND_MAP; ix++) {
            const BrumeVec3 meters = brume_ground_map_point(light, ix, iz);
            const BrumeVec3 point = brume_scale(brume_sub(meters, medium->origin), 1.0f / medium->dx);
            BrumeVec3 sum = {0};
            for (int n = 0; n < lights->count; n++) {
                const BrumeGlowLight *glow = &lights->lights[n];
                const BrumeVec3 to = brume_sub(glow->middle, point);
                const float distance = brume_length(to);
                if (!(to.y > 0.0f)) {
                    continue;
                }
                const BrumeRay ray = {meters, brume_scale(to, 1.0f / distance)};
                if (settings->surface_count > 0 && brume_ray_occluded(settings, &ray, distance * medium->dx, 0.0f)) {
                    continue;
                }
                // a block is not smaller than it is: closer than half of its side, light is taken at this distance
                const float apart = brume_max(distance, 0.5f * glow->side);
                const float share = to.y / (BRUME_PI * distance * apart * apart);
                const BrumeVec3 arrives = brume_mul(glow->intensity, transmittance(grid, glow, point));
                sum = brume_add(sum, brume_scale(arrives, share));
            }
            float *entry = light->ground + (ptrdiff_t)4 * (iz * BRUME_GROUND_MAP + ix);
            entry[0] += sum.x;
            entry[1] += sum.y;
            entry[2] += sum.z;
        }
    }
}
