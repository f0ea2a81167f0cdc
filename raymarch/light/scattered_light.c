#include "raymarch/light/scattered_light.h"

#include "core/error.h"
#include "core/memory.h"
#include "raymarch/light/scattered_light_internal.h"

#include <assert.h>
#include <string.h>

enum {
    SUMS = 3 * BRUME_SWEEP_TASKS > BRUME_SWEEP_TASKS *BRUME_LIGHT_MOMENTS ? 3 * BRUME_SWEEP_TASKS
                                                                          : BRUME_SWEEP_TASKS *BRUME_LIGHT_MOMENTS
}; // arrays

// the largest coarse grid of any volume within the capacity
static BrumeGrid largest_grid(BrumeGrid capacity)
{
    const int side = BRUME_SCATTERED_CELLS;
    return brume_grid(capacity.nx < side ? capacity.nx : side, capacity.ny < side ? capacity.ny : side,
                      capacity.nz < side ? capacity.nz : side);
}

BrumeStatus brume_scattered_light_create(BrumeScatteredLight *light, BrumeGrid capacity, BrumeError *error)
{
    const BrumeGrid grids[2] = {largest_grid(capacity), brume_half_grid(largest_grid(capacity))};
    for (int level = 0; level < 2; level++) {
        for (int n = 0; n < BRUME_TRANSPORT_FIELDS; n++) {
            if (brume_field_create(brume_transport_field(&light->grids[level], n), grids[level], error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
        if (brume_solid_cells_create(&light->grids[level].solids, grids[level], error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            if (brume_field_create(&light->basis[c][n], grids[1], error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
        for (int n = 0; n < BRUME_STEPS; n++) {
            if (brume_field_create(&light->steps[c][n], grids[0], error) != BRUME_OK ||
                brume_field_create(&light->images[c][n], grids[0], error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
        if (brume_field_create(&light->solution[c], grids[0], error) != BRUME_OK ||
            brume_field_create(&light->residual[c], grids[0], error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    const size_t entries = brume_grid_entries(grids[0]);
    light->plane_entries = brume_ordinate_scratch(grids[0]);
    light->sums = brume_alloc(SUMS * entries, sizeof(float));
    light->planes = brume_alloc(3 * BRUME_SWEEP_TASKS * light->plane_entries, sizeof(float));
    light->moments = brume_alloc((size_t)2 * 3 * BRUME_LIGHT_MOMENTS * entries, sizeof(float));
    light->ground = brume_alloc((size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP, sizeof(float));
    light->ground_radiance = brume_alloc((size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP, sizeof(float));
    light->boundary_entries = brume_ordinate_boundary_entries(grids[0]);
    light->boundary = brume_alloc(3 * BRUME_DOWNWARD_ORDINATES * light->boundary_entries, sizeof(float));
    if (light->sums == NULL || light->planes == NULL || light->moments == NULL || light->ground == NULL ||
        light->ground_radiance == NULL || light->boundary == NULL) {
        return brume_out_of_memory(error, "scattered light");
    }
    return BRUME_OK;
}

void brume_scattered_light_destroy(BrumeScatteredLight *light)
{
    for (int level = 0; level < 2; level++) {
        for (int n = 0; n < BRUME_TRANSPORT_FIELDS; n++) {
            brume_field_destroy(brume_transport_field(&light->grids[level], n));
        }
        brume_solid_cells_destroy(&light->grids[level].solids);
    }
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            brume_field_destroy(&light->basis[c][n]);
        }
        for (int n = 0; n < BRUME_STEPS; n++) {
            brume_field_destroy(&light->steps[c][n]);
            brume_field_destroy(&light->images[c][n]);
        }
        brume_field_destroy(&light->solution[c]);
        brume_field_destroy(&light->residual[c]);
    }
    brume_free(light->sums);
    brume_free(light->planes);
    brume_free(light->moments);
    brume_free(light->ground);
    brume_free(light->ground_radiance);
    brume_free(light->boundary);
}

size_t brume_scattered_light_bytes(BrumeGrid capacity)
{
    const BrumeGrid largest = largest_grid(capacity);
    const size_t entries = brume_grid_entries(largest);
    return (entries * (BRUME_TRANSPORT_FIELDS + SUMS + 2 * 3 * BRUME_LIGHT_MOMENTS + 3 * (2 * BRUME_STEPS + 2)) +
            brume_grid_entries(brume_half_grid(largest)) * (BRUME_TRANSPORT_FIELDS + 3 * (BRUME_KRYLOV + 1)) +
            3 * BRUME_SWEEP_TASKS * brume_ordinate_scratch(largest) +
            3 * BRUME_DOWNWARD_ORDINATES * brume_ordinate_boundary_entries(largest) +
            (size_t)2 * 4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP) *
               sizeof(float) +
           brume_solid_cells_bytes(largest) + brume_solid_cells_bytes(brume_half_grid(largest));
}

void brume_scattered_light_fill(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                                const BrumeRenderSettings *settings, const BrumeIncidentLight *sources,
                                BrumeLightQuality quality)
{
    light->quality = quality;
    brume_reduce_medium(&light->grids[0], medium, settings, sources->mean_cosine,
                        quality == BRUME_LIGHT_FULL ? BRUME_SCATTERED_CELLS : BRUME_MOVING_CELLS);
    brume_add_direct_light(&light->grids[0], medium, settings, sources);
    light->glows = medium->glows;
    if (medium->glows) {
        brume_add_glow(&light->grids[0], medium, settings);
    }
    brume_limit_extinction(&light->grids[0]);
    brume_coarsen_medium(&light->grids[1], &light->grids[0]);
    for (int level = 0; level < 2; level++) {
        brume_add_solids(&light->grids[level], medium, settings, sources);
    }
    brume_transpose_extinction(&light->grids[0]);
    brume_transpose_extinction(&light->grids[1]);
    for (int c = 0; c < 3; c++) {
        float moments[BRUME_LIGHT_MOMENTS] = {0};
        for (int n = 0; n < BRUME_ORDINATES; n++) {
            const BrumeOrdinate ordinate = brume_ordinate(n);
            const float radiance = ordinate.weight * brume_channel(sources->inflow[n], c);
            moments[0] += radiance;
            moments[1] += radiance * ordinate.direction.x;
            moments[2] += radiance * ordinate.direction.y;
            moments[3] += radiance * ordinate.direction.z;
        }
        light->unoccluded.color[c] = brume_load4(moments);
    }
    brume_place_ground_map(light, medium, settings);
    brume_solve_scattering(light, medium, settings, sources);
    if (settings->ground) {
        brume_light_ground(light, &light->grids[0], medium, settings, sources);
    } else {
        light->ground_irradiance = sources->ground_irradiance;
        memset(light->ground, 0, (size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP * sizeof(float));
    }
}

// the moments of the light at a point [cells]; set 1 is the light from in and around the glow, set 0 all other light
static BrumeLightMoments moments_at(const BrumeScatteredLight *light, int set, BrumeVec3 point)
{
    const BrumeTransportGrid *coarse = &light->grids[0];
    const BrumeField *shape = &coarse->albedo[0];
    const float x = point.x / coarse->cell.x + 0.5f;
    const float y = point.y / coarse->cell.y + 0.5f;
    const float z = point.z / coarse->cell.z + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const ptrdiff_t sx = BRUME_LIGHT_MOMENTS;
    const ptrdiff_t color = sx * (ptrdiff_t)brume_grid_entries(shape->grid);
    const float *a = light->moments + 3 * set * color + sx * brume_field_index(shape, i, j, k);
    BrumeLightMoments moments;
    for (int c = 0; c < 3; c++) {
        moments.color[c] = brume_trilinear4(a + c * color, sx, sx * shape->sy, sx * shape->sz, x - (float)i,
                                            y - (float)j, z - (float)k);
    }
    return moments;
}

BrumeLightMoments brume_scattered_light_at(const BrumeScatteredLight *light, BrumeVec3 point)
{
    return moments_at(light, 0, point);
}

BrumeLightMoments brume_glow_light_at(const BrumeScatteredLight *light, BrumeVec3 point)
{
    return moments_at(light, 1, point);
}
