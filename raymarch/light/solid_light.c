// Light on the surfaces of solids, from sweeps through a coarse grid, and the moments of the light there.
#include "raymarch/light/scattered_light_internal.h"

#include "core/elementary.h"
#include "core/minmax.h"

#include <math.h>
#include <string.h>

static float *task_sums(const BrumeSolidCells *solids, int c, int task)
{
    return solids->sums + (size_t)3 * (size_t)(c * BRUME_SWEEP_TASKS + task) * (size_t)solids->capacity;
}

void brume_clear_surface_light(const BrumeSolidCells *solids, int c, int task)
{
    memset(task_sums(solids, c, task), 0, (size_t)3 * (size_t)solids->surface_count * sizeof(float));
}

void brume_add_surface_light(const BrumeSolidCells *solids, int c, int task, const BrumeOrdinate *ordinate,
                             const float *sum, bool exchanged, float inflow)
{
    float *irradiance = task_sums(solids, c, task);
    float *last = irradiance + solids->surface_count; // of the last ordinate, by side
    for (int n = 0; n < solids->surface_count; n++) {
        const BrumeSurfaceCell *surface = &solids->surface[n];
        const float cosine = -brume_dot(ordinate->direction, surface->normal);
        for (int side = 0; side < 2; side++) {
            if (surface->weight[side] > 0.0f) {
                const int probe = surface->probe[side][exchanged ? 1 : 0];
                const float light =
                    probe == BRUME_OUTSIDE_BOX ? last[2 * n + side] + ordinate->weight * inflow : sum[probe];
                const float incident = brume_max(side == 0 ? cosine : -cosine, 0.0f);
                irradiance[n] += surface->weight[side] * surface->per_cosine * incident * (light - last[2 * n + side]);
                last[2 * n + side] = light;
            }
        }
    }
}

void brume_set_surface_light(BrumeSolidCells *solids, int c, float *phi)
{
    float *irradiance = solids->irradiance + (size_t)c * (size_t)solids->capacity;
    for (int n = 0; n < solids->surface_count; n++) {
        const BrumeSurfaceCell *surface = &solids->surface[n];
        float tasks[BRUME_SWEEP_TASKS];
        for (int task = 0; task < BRUME_SWEEP_TASKS; task++) {
            tasks[task] = task_sums(solids, c, task)[n];
        }
        irradiance[n] = ((tasks[0] + tasks[1]) + (tasks[2] + tasks[3])) + (tasks[4] + tasks[5]);
        if (phi != NULL) {
            const float share = brume_channel(surface->share, c);
            phi[surface->cell] += share * (irradiance[n] - phi[surface->cell]);
        }
    }
    for (int n = 0; n < solids->inner_count && phi != NULL; n++) {
        phi[solids->inner[n].cell] = irradiance[solids->inner[n].surface];
    }
}

// mean of the moments of the open cells around a surface cell; its own where there are none
static BrumeFloat4 mean_of_open(const BrumeSurfaceCell *surface, const BrumeField *shape, const float *moments)
{
    BrumeFloat4 sum = {0};
    float count = 0.0f;
    for (int n = 0; n < 27; n++) {
        if (surface->open >> n & 1) {
            const ptrdiff_t offset = (n % 3 - 1) + (n / 3 % 3 - 1) * shape->sy + (n / 9 - 1) * shape->sz;
            sum += brume_load4(moments + BRUME_LIGHT_MOMENTS * (surface->cell + offset));
            count += 1.0f;
        }
    }
    return count > 0.0f ? (1.0f / count) * sum : brume_load4(moments + BRUME_LIGHT_MOMENTS * (ptrdiff_t)surface->cell);
}

// The moments of a surface that receives the same radiance from everywhere in front of it, and reflects its own; where
// it faces several sides, of the open cells around it.
static BrumeFloat4 moments_at_surface(const BrumeSolidCells *solids, int n, int c, const BrumeField *shape,
                                      const float *moments)
{
    const BrumeSurfaceCell *surface = &solids->surface[n];
    const float received = solids->irradiance[(size_t)c * (size_t)solids->capacity + (size_t)n];
    const float one_sided = brume_max(surface->weight[0] - surface->weight[1], 0.0f);
    const float reflected = brume_channel(surface->albedo, c) * (received + brume_channel(surface->direct, c));
    const float flux = 0.25f * (reflected - received);
    const BrumeFloat4 at_surface = {0.5f * (received + reflected), flux * surface->normal.x, flux * surface->normal.y,
                                    flux * surface->normal.z};
    const BrumeFloat4 open = mean_of_open(surface, shape, moments);
    return open + one_sided * (at_surface - open);
}

static void store4(float *to, BrumeFloat4 value)
{
    for (int m = 0; m < BRUME_LIGHT_MOMENTS; m++) {
        to[m] = value[m];
    }
}

void brume_set_surface_moments(const BrumeSolidCells *solids, int c, const BrumeField *shape, float *moments)
{
    for (int n = 0; n < solids->inner_count; n++) {
        store4(moments + BRUME_LIGHT_MOMENTS * (ptrdiff_t)solids->inner[n].cell,
               moments_at_surface(solids, solids->inner[n].surface, c, shape, moments));
    }
    for (int n = 0; n < solids->surface_count; n++) {
        float *cell_moments = moments + BRUME_LIGHT_MOMENTS * (ptrdiff_t)solids->surface[n].cell;
        const BrumeFloat4 open = brume_load4(cell_moments);
        const BrumeFloat4 at_surface = moments_at_surface(solids, n, c, shape, moments);
        store4(cell_moments, open + solids->surface[n].filled * (at_surface - open));
    }
}

// The moments at a distance from a black convex surface, with light of radiance 1 from all other directions, give the
// irradiance / pi phi - 2 F n. A sphere covers the directions within an angle theta of its center: phi is
// (1 + cos theta) / 2 and F n is -sin^2 theta / 4. A long cylinder covers the wedge of the angles up to phi_0:
// 1 - phi_0 / pi and -sin phi_0 / 4.
float brume_convexity_excess(const BrumeScatteredLight *light, const BrumeGridMedium *medium, const BrumeShape *shape)
{
    if (shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME || shape->kind == BRUME_SHAPE_MESH ||
        !(shape->radius > 0.0f)) {
        return 0.0f;
    }
    const float distance = medium->dx * brume_distance_before_surface(light);
    const float sine = shape->radius / (shape->radius + distance);
    const float cosine = sqrtf(1.0f - sine * sine);
    return shape->kind == BRUME_SHAPE_SPHERE ? 0.5f * cosine * (1.0f - cosine)
                                             : 0.5f * sine - brume_atan2f(sine, cosine) / BRUME_PI;
}
