// The map of the irradiance of the ground from all directions, and the light of the ground on the smoke.
#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/scattered_light_internal.h"

#include <math.h>
#include <string.h>

void brume_place_ground_map(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings)
{
    const BrumeVec3 size = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    const float margin = brume_max(size.x, brume_max(size.y, size.z));
    const BrumeVec3 lower = medium->origin;
    light->ground_lower = brume_vec3(lower.x - margin, settings->ground_height, lower.z - margin);
    light->ground_upper = brume_vec3(lower.x + size.x + margin, settings->ground_height, lower.z + size.z + margin);
}

// value at a point [cells of the padded field] between the centers of cells
static float between_centers(const BrumeField *shape, const float *data, BrumeVec3 at)
{
    const BrumeGrid n = shape->grid;
    const int i = (int)at.x < n.nx ? (int)at.x : n.nx;
    const int j = (int)at.y < n.ny ? (int)at.y : n.ny;
    const int k = (int)at.z < n.nz ? (int)at.z : n.nz;
    const float *a = data + brume_field_index(shape, i, j, k);
    return brume_trilinear(a, 1, shape->sy, shape->sz, at.x - (float)i, at.y - (float)j, at.z - (float)k);
}

// Radiance that arrives at a point [cells of the medium] outside the box from the sweep of one ordinate, whose radiance
// is known at the centers of the cells. The half cell to the face of the box has the extinction and source of its cell.
static float radiance_from_box(const BrumeOrdinateSweep *sweep, const float *radiance, BrumeVec3 extent,
                               BrumeVec3 point)
{
    const BrumeRay back = {point, brume_scale(sweep->direction, -1.0f)};
    const BrumeRayInterval inside = brume_ray_box(&back, brume_vec3(0.0f, 0.0f, 0.0f), extent);
    if (!(inside.enter < inside.leave) || inside.leave <= 0.0f) {
        return sweep->inflow;
    }
    const BrumeField *shape = sweep->extinction;
    const BrumeVec3 cell = sweep->cell;
    const BrumeVec3 face = brume_ray_at(&back, brume_max(inside.enter, 0.0f));
    const BrumeVec3 at = brume_vec3(brume_clamp(face.x / cell.x + 0.5f, 1.0f, (float)shape->grid.nx),
                                    brume_clamp(face.y / cell.y + 0.5f, 1.0f, (float)shape->grid.ny),
                                    brume_clamp(face.z / cell.z + 0.5f, 1.0f, (float)shape->grid.nz));
    const float incoming = between_centers(shape, radiance, at);
    const float extinction = between_centers(shape, shape->data, at);
    const float source = between_centers(shape, sweep->source->data, at);
    const float x = fabsf(face.x - cell.x * (at.x - 0.5f)) / fabsf(sweep->direction.x);
    const float y = fabsf(face.y - cell.y * (at.y - 0.5f)) / fabsf(sweep->direction.y);
    const float z = fabsf(face.z - cell.z * (at.z - 0.5f)) / fabsf(sweep->direction.z);
    const float length = brume_max(x, brume_max(y, z));
    const float transmittance = brume_fast_exp(-extinction * length);
    return incoming * transmittance + source * (1.0f - transmittance);
}

void brume_clear_ground(BrumeScatteredLight *light, const BrumeIncidentLight *sources)
{
    light->ground_irradiance = sources->ground_irradiance;
    for (int n = 0; n < BRUME_GROUND_MAP * BRUME_GROUND_MAP; n++) {
        for (int c = 0; c < 3; c++) {
            light->ground[4 * n + c] = brume_channel(sources->ground_irradiance, c);
        }
    }
}

// distance between computed points of a map, of which the last point is one; the others are interpolated
static int map_spacing(const BrumeScatteredLight *light)
{
    enum { IN_MOTION = 3 };
    _Static_assert((BRUME_GROUND_MAP - 1) % IN_MOTION == 0, "the last point of a map is computed");
    return light->quality == BRUME_LIGHT_FULL ? 1 : IN_MOTION;
}

// interpolates the points of a map between the computed ones, which are `spacing` apart
static void interpolate_map(float *map, int spacing)
{
    const ptrdiff_t row = 4 * BRUME_GROUND_MAP;
    for (int n = 0; n < BRUME_GROUND_MAP * BRUME_GROUND_MAP && spacing > 1; n++) {
        const int ix = n % BRUME_GROUND_MAP;
        const int iz = n / BRUME_GROUND_MAP;
        const int left = ix - ix % spacing;
        const int above = iz - iz % spacing;
        const float fx = (float)(ix - left) / (float)spacing;
        const float fz = (float)(iz - above) / (float)spacing;
        const float *a = map + row * above + (ptrdiff_t)4 * left;
        const ptrdiff_t right = fx > 0.0f ? (ptrdiff_t)4 * spacing : 0;
        const ptrdiff_t below = fz > 0.0f ? row * spacing : 0;
        for (int c = 0; c < 3; c++) {
            const float upper = a[c] + fx * (a[right + c] - a[c]);
            const float lower = a[below + c] + fx * (a[below + right + c] - a[below + c]);
            map[4 * (ptrdiff_t)n + c] = upper + fz * (lower - upper);
        }
    }
}

// the radiance of the ground where a ray arrives from
typedef struct GroundRadiance {
    const BrumeScatteredLight *light;
    const BrumeGridMedium *medium;
    BrumeVec3 direction; // of the sweep
    bool exchanged;      // x and z of the sweep
    BrumeVec3 away;      // radiance far from the box
} GroundRadiance;

// value of a map at the fractions u and v of its sides
static BrumeVec3 map_between_points(const float *map, float u, float v)
{
    const float x = u * (BRUME_GROUND_MAP - 1);
    const float z = v * (BRUME_GROUND_MAP - 1);
    const int i = (int)x < BRUME_GROUND_MAP - 2 ? (int)x : BRUME_GROUND_MAP - 2;
    const int k = (int)z < BRUME_GROUND_MAP - 2 ? (int)z : BRUME_GROUND_MAP - 2;
    const float fx = x - (float)i;
    const float fz = z - (float)k;
    const float *a = map + 4 * (ptrdiff_t)(k * BRUME_GROUND_MAP + i);
    const float *b = a + 4 * (ptrdiff_t)BRUME_GROUND_MAP;
    const BrumeFloat4 near = brume_load4(a) + fx * (brume_load4(a + 4) - brume_load4(a));
    const BrumeFloat4 far = brume_load4(b) + fx * (brume_load4(b + 4) - brume_load4(b));
    const BrumeFloat4 value = near + fz * (far - near);
    return brume_vec3(value[0], value[1], value[2]);
}

// value of a map at a point of the ground, which changes to the value `away` at the edges of the map
static BrumeVec3 map_at(const BrumeScatteredLight *light, const float *map, BrumeVec3 away, BrumeVec3 point)
{
    const BrumeVec3 size = brume_sub(light->ground_upper, light->ground_lower);
    const float u = (point.x - light->ground_lower.x) / size.x;
    const float v = (point.z - light->ground_lower.z) / size.z;
    const float to_edge = 10.0f * brume_min(brume_min(u, 1.0f - u), brume_min(v, 1.0f - v));
    if (!(to_edge > 0.0f)) {
        return away;
    }
    const BrumeVec3 value = map_between_points(map, u, v);
    const float weight = brume_min(to_edge, 1.0f);
    const float smooth = weight * weight * (3.0f - 2.0f * weight);
    return brume_add(away, brume_scale(brume_sub(value, away), smooth));
}

// the cube of the distance from the middle of the glow, to which its irradiance far from it is inversely proportional
static float cubed_distance(BrumeVec3 a, BrumeVec3 b)
{
    const BrumeVec3 apart = brume_sub(a, b);
    const float squared = brume_dot(apart, apart);
    return squared * sqrtf(squared);
}

// the irradiance of the ground where smoke glows, which beyond the map decreases as that by a point light
static BrumeVec3 ground_by_glow(const BrumeScatteredLight *light, BrumeVec3 point)
{
    const BrumeVec3 size = brume_sub(light->ground_upper, light->ground_lower);
    const float u = brume_clamp((point.x - light->ground_lower.x) / size.x, 0.0f, 1.0f);
    const float v = brume_clamp((point.z - light->ground_lower.z) / size.z, 0.0f, 1.0f);
    const BrumeVec3 nearest = brume_add(light->ground_lower, brume_vec3(u * size.x, 0.0f, v * size.z));
    const BrumeVec3 away = light->ground_irradiance;
    const float ratio = cubed_distance(nearest, light->glow_middle) /
                        brume_max(cubed_distance(brume_vec3(point.x, nearest.y, point.z), light->glow_middle), 1e-20f);
    return brume_add(away, brume_scale(brume_sub(map_between_points(light->ground, u, v), away), ratio));
}

// BrumeBoundaryRadiance of the ground: its radiance at a point of the boundary below the box
static BrumeVec3 radiance_below(const void *context, BrumeVec3 point)
{
    const GroundRadiance *ground = context;
    const BrumeVec3 in_cells = ground->exchanged ? brume_exchange_xz(point) : point;
    const BrumeVec3 direction = ground->exchanged ? brume_exchange_xz(ground->direction) : ground->direction;
    const BrumeVec3 meters = brume_add(ground->medium->origin, brume_scale(in_cells, ground->medium->dx));
    const float height = brume_max(meters.y - ground->light->ground_lower.y, 0.0f);
    const BrumeVec3 below = brume_sub(meters, brume_scale(direction, height / direction.y));
    return map_at(ground->light, ground->light->ground_radiance, ground->away, below);
}

void brume_light_from_ground(BrumeScatteredLight *light, BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                             const BrumeIncidentLight *sources)
{
    const int spacing = map_spacing(light);
#pragma omp parallel for schedule(dynamic)
    for (int iz = 0; iz < BRUME_GROUND_MAP; iz += spacing) {
        for (int ix = 0; ix < BRUME_GROUND_MAP; ix += spacing) {
            const BrumeVec3 direct = sources->ground_light(sources->context, brume_ground_map_point(light, ix, iz));
            const ptrdiff_t n = 4 * (iz * BRUME_GROUND_MAP + ix);
            for (int c = 0; c < 3; c++) {
                light->ground_radiance[n + c] =
                    brume_channel(sources->ground_albedo, c) * (light->ground[n + c] + brume_channel(direct, c));
            }
        }
    }
    interpolate_map(light->ground_radiance, spacing);
    const BrumeSweepBatch transport = {light, grid, sources};
#pragma omp parallel for schedule(dynamic)
    for (int n = BRUME_DOWNWARD_ORDINATES; n < BRUME_ORDINATES; n++) {
        GroundRadiance ground = {.light = light, .medium = medium, .away = sources->inflow[n]};
        const BrumeOrdinateSweep sweep = brume_sweep_of(&transport, 0, n, &ground.exchanged);
        ground.direction = sweep.direction;
        float *const colors[3] = {brume_ground_boundary(light, 0, n), brume_ground_boundary(light, 1, n),
                                  brume_ground_boundary(light, 2, n)};
        brume_ordinate_boundary(&sweep, radiance_below, &ground, colors);
    }
}

void brume_light_ground(BrumeScatteredLight *light, BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                        const BrumeRenderSettings *settings, const BrumeIncidentLight *sources)
{
    brume_set_source(grid, grid->phi, BRUME_ALL_LIGHT);
    BrumeGlowLights glow;
    if (light->glows) {
        brume_take_glow_lights(&glow, grid);
    }
    const BrumeSweepBatch transport = {light, grid, sources};
    const size_t entries = brume_grid_entries(grid->albedo[0].grid);
    const BrumeVec3 extent = brume_grid_extent(medium->grid);
    const int spacing = map_spacing(light);
    float cosines = 0.0f;
    for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
        cosines -= brume_ordinate(n).weight * brume_ordinate(n).direction.y;
    }
    light->ground_irradiance = sources->ground_irradiance;
    for (int c = 0; c < 3; c++) {
        BrumeOrdinateSweep sweeps[BRUME_DOWNWARD_ORDINATES];
        bool exchanged[BRUME_DOWNWARD_ORDINATES];
        float unoccluded = 0.0f;
#pragma omp parallel for schedule(dynamic)
        for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
            sweeps[n] = brume_sweep_of(&transport, c, n, &exchanged[n]);
            const float one = 1.0f;
            float *radiance = brume_sweep_sum(&transport, n);
            memset(radiance, 0, entries * sizeof(float));
            brume_ordinate_sweep(&sweeps[n], 1, &radiance, &one, light->planes + (size_t)n * light->plane_entries);
        }
        for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
            const BrumeOrdinate ordinate = brume_ordinate(n);
            unoccluded -= ordinate.weight * ordinate.direction.y * brume_channel(sources->inflow[n], c) / cosines;
        }
#pragma omp parallel for schedule(dynamic)
        for (int iz = 0; iz < BRUME_GROUND_MAP; iz += spacing) {
            for (int ix = 0; ix < BRUME_GROUND_MAP; ix += spacing) {
                const BrumeVec3 point =
                    brume_scale(brume_sub(brume_ground_map_point(light, ix, iz), medium->origin), 1.0f / medium->dx);
                float sum = 0.0f;
                for (int n = 0; n < BRUME_DOWNWARD_ORDINATES; n++) {
                    const BrumeOrdinate ordinate = brume_ordinate(n);
                    const float radiance =
                        exchanged[n] ? radiance_from_box(&sweeps[n], brume_sweep_sum(&transport, n),
                                                         brume_exchange_xz(extent), brume_exchange_xz(point))
                                     : radiance_from_box(&sweeps[n], brume_sweep_sum(&transport, n), extent, point);
                    sum -= ordinate.weight * ordinate.direction.y * radiance / cosines;
                }
                // the exact irradiance without smoke, and the difference that smoke makes
                light->ground[4 * (iz * BRUME_GROUND_MAP + ix) + c] =
                    brume_max(brume_channel(sources->ground_irradiance, c) + (sum - unoccluded), 0.0f);
            }
        }
    }
    interpolate_map(light->ground, spacing);
    if (light->glows) {
        brume_add_glow_on_ground(light, &glow, grid, medium, settings);
        light->glow_middle = brume_add(medium->origin, brume_scale(brume_glow_lights_middle(&glow), medium->dx));
    }
}

BrumeVec3 brume_scattered_light_ground(const BrumeScatteredLight *light, BrumeVec3 point)
{
    return light->glows ? ground_by_glow(light, point) : map_at(light, light->ground, light->ground_irradiance, point);
}
