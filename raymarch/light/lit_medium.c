#include "raymarch/light/lit_medium.h"

#include "core/color.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/blackbody.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"
#include "raymarch/light/disc_light.h"
#include "raymarch/light/scattering.h"
#include "raymarch/medium_motion.h"
#include "raymarch/particle_medium.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { RECTANGLE_SIDE = 4, RECTANGLE_SIDE_IN_MOTION = 1 }; // points whose light is computed, along each side

enum { MAX_SIDE = 16384 }; // [cells]; more would overflow 32-bit indices of rows before memory runs out

bool brume_ground_blocks_light(const BrumeRenderSettings *settings, const BrumeLight *light)
{
    if (!settings->ground) {
        return false;
    }
    if (light->kind == BRUME_LIGHT_DIRECTIONAL) { // the upper edge of its disc is on or below the horizon
        return light->direction.y >= (light->angle > 0.0f ? brume_sinf(light->angle * (BRUME_PI / 360.0f)) : 0.0f);
    }
    if (light->kind == BRUME_LIGHT_RECTANGLE) { // its highest corner
        BrumeLight unit = *light;
        unit.direction = brume_normalize(light->direction);
        const BrumeLightSource source = brume_light_source(&unit);
        const float highest = light->position.y + fabsf(source.across.y) + fabsf(source.along.y);
        return highest <= settings->ground_height;
    }
    return light->position.y <= settings->ground_height;
}

bool brume_is_small_disc(const BrumeLight *light)
{
    const float small = 3.0f; // [degrees]
    return light->kind == BRUME_LIGHT_DIRECTIONAL && light->angle <= small;
}

BrumeVec3 brume_light_color(const BrumeLight *light)
{
    if (!(light->temperature > 0.0f)) {
        return light->color;
    }
    const BrumeVec3 color = brume_blackbody_radiance((double)light->temperature);
    const float luminance = brume_luminance(color);
    return brume_scale(color, 1.0f / luminance);
}

BrumeStatus brume_lit_medium_create(BrumeLitMedium *lit, BrumeGrid capacity, const BrumeRenderSettings *settings,
                                    BrumeError *error)
{
    *lit = (BrumeLitMedium){.capacity = capacity};
    if (capacity.nx < 1 || capacity.ny < 1 || capacity.nz < 1 || capacity.nx > MAX_SIDE || capacity.ny > MAX_SIDE ||
        capacity.nz > MAX_SIDE) {
        return brume_fail(error, BRUME_BAD_INPUT, "a renderer for %d x %d x %d cells; each side has 1 to %d",
                          capacity.nx, capacity.ny, capacity.nz, MAX_SIDE);
    }
    BrumeStatus status = brume_grid_medium_create(&lit->medium, capacity, error);
    if (status == BRUME_OK) {
        status = brume_scattered_light_create(&lit->scattered, capacity, error);
    }
    if (status == BRUME_OK) {
        status = brume_lit_medium_set_settings(lit, settings, error);
    }
    return status;
}

void brume_lit_medium_destroy(BrumeLitMedium *lit)
{
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        brume_deformed_surface_release(&lit->deformed[n]);
    }
    brume_grid_medium_destroy(&lit->medium);
    brume_particle_medium_destroy(&lit->shading);
    brume_field_destroy(&lit->transposed);
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        brume_free(lit->directional[n].transmittance);
        brume_point_light_destroy(&lit->point[n]);
        brume_area_light_destroy(&lit->area[n]);
    }
    brume_free(lit->disc.transmittance);
    brume_scattered_light_destroy(&lit->scattered);
    brume_free(lit->daylight.radiance);
}

BrumeStatus brume_lit_medium_load(BrumeLitMedium *lit, const BrumeVolume *volume, BrumeError *error)
{
    BrumeStatus status = brume_volume_check(volume, lit->capacity, error);
    if (status == BRUME_OK) {
        brume_grid_medium_load(&lit->medium, &lit->settings, volume);
        lit->state = BRUME_LIT_EMPTY;
        status = brume_particle_medium_load(&lit->shading, &lit->medium, lit->capacity, &lit->settings, volume, error);
    }
    if (status == BRUME_OK) {
        brume_load_motion(&lit->medium, &lit->settings, volume);
        if (lit->shading.grid.nx > 0) {
            brume_load_motion(&lit->shading, &lit->settings, volume);
        }
        lit->state = BRUME_LIT_LOADED;
    }
    return status;
}

// BrumeDirectLight: the light of the n-th source at a point [cells], and the optical depth on its way
static BrumeVec3 direct_light_at(const void *context, int n, BrumeVec3 point, float *optical_depth)
{
    const BrumeLitMedium *lit = context;
    const BrumeLightSource *source = &lit->sources[n];
    *optical_depth = 0.0f;
    if (brume_ground_blocks_light(&lit->settings, &lit->settings.lights[n])) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    float root = 0.0f;
    float irradiance = source->strength;
    if (source->light.kind == BRUME_LIGHT_DIRECTIONAL) {
        root = brume_sweep_at_any_point(&lit->directional[n], point);
    } else if (source->light.kind == BRUME_LIGHT_RECTANGLE) {
        const BrumeVec3 meters = brume_add(lit->medium.origin, brume_scale(point, lit->medium.dx));
        root = brume_area_light_at(&lit->area[n], point);
        irradiance = brume_rectangle_light(source, meters).irradiance;
    } else {
        const BrumePointLightVolume *volume = &lit->point[n];
        const BrumeVec3 away = brume_sub(point, volume->position);
        const float cells = brume_max(brume_length(away), 0.5f);
        root = brume_point_light_at(volume, point);
        irradiance /= lit->medium.dx * lit->medium.dx * cells * cells;
        if (source->light.kind == BRUME_LIGHT_SPOT) {
            irradiance *= brume_spot_share(source, brume_dot(away, source->light.direction) / cells);
        }
    }
    *optical_depth = brume_depth_of_root(root);
    return brume_scale(source->light.color, irradiance);
}

// irradiance / pi of a surface at a point [cells] with this unit normal by the n-th light
static BrumeVec3 light_on_surface(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 towards,
                                  BrumeVec3 normal)
{
    float depth;
    const BrumeVec3 irradiance = direct_light_at(lit, n, point, &depth);
    const float share = brume_max(brume_dot(towards, normal), 0.0f) * brume_fast_exp(-depth) / BRUME_PI;
    return brume_scale(irradiance, share);
}

// BrumeSurfaceLight: the direct light on a surface at a point [cells]
static BrumeVec3 surface_light_at(const void *context, BrumeVec3 point, BrumeVec3 normal)
{
    const BrumeLitMedium *lit = context;
    const BrumeVec3 meters = brume_add(lit->medium.origin, brume_scale(point, lit->medium.dx));
    BrumeVec3 sum = {0};
    for (int n = 0; n < lit->settings.light_count; n++) {
        const BrumeLight *light = &lit->settings.lights[n];
        const BrumeVec3 towards = light->kind == BRUME_LIGHT_DIRECTIONAL
                                      ? brume_scale(light->direction, -1.0f)
                                      : brume_normalize(brume_sub(light->position, meters));
        if (brume_dot(towards, normal) > 0.0f) {
            sum = brume_add(sum, light_on_surface(lit, n, point, towards, normal));
        }
    }
    return sum;
}

// BrumeGroundLight: direct light on a point of the ground; lights are at least the spacing of the map above the ground
static BrumeVec3 ground_light_at(const void *context, BrumeVec3 point)
{
    const BrumeLitMedium *lit = context;
    const float dx = lit->medium.dx;
    const float spacing = (lit->scattered.ground_upper.x - lit->scattered.ground_lower.x) / (BRUME_GROUND_MAP - 1);
    BrumeVec3 sum = {0};
    for (int n = 0; n < lit->settings.light_count; n++) {
        const BrumeLight *light = &lit->settings.lights[n];
        BrumeVec3 towards = brume_scale(light->direction, -1.0f);
        BrumeVec3 at = point;
        if (light->kind != BRUME_LIGHT_DIRECTIONAL) {
            at.y = brume_min(at.y, light->position.y - spacing);
            towards = brume_normalize(brume_sub(light->position, at));
        }
        const BrumeVec3 cells = brume_scale(brume_sub(at, lit->medium.origin), 1.0f / dx);
        sum = brume_add(sum, light_on_surface(lit, n, cells, towards, brume_vec3(0.0f, 1.0f, 0.0f)));
    }
    return sum;
}

static void fill_scattered_light(BrumeLitMedium *lit, BrumeLightQuality quality)
{
    BrumeIncidentLight sources = {
        .light_count = lit->settings.light_count,
        .direct_light = direct_light_at,
        .ground_light = lit->settings.ground ? ground_light_at : NULL,
        .surface_light = surface_light_at,
        .ground_albedo = brume_ground_mean_albedo(&lit->settings),
        .context = lit,
        .mean_cosine = lit->phase.mean_cosine,
        .ground_irradiance = brume_skylight_irradiance(&lit->sky, brume_vec3(0.0f, 1.0f, 0.0f)),
    };
    memcpy(sources.inflow, lit->sky.incident, sizeof sources.inflow);
    brume_scattered_light_fill(&lit->scattered, brume_lit_medium_shading(lit), &lit->settings, &sources, quality);
}

void brume_lit_medium_light(BrumeLitMedium *lit, BrumeLightQuality quality)
{
    const BrumeGridMedium *medium = brume_lit_medium_shading(lit);
    const BrumeRenderSettings *settings = &lit->settings;
    assert(lit->state != BRUME_LIT_EMPTY);
    const bool is_small = brume_grid_longest_side(medium->grid) <= BRUME_LONGEST_SMALL_SIDE;
    const int per_cell = is_small && quality == BRUME_LIGHT_FULL ? 2 : 1;
    lit->light_per_cell = per_cell;
    bool along_x = false;
    for (int n = 0; n < settings->light_count; n++) {
        along_x |= brume_is_swept_along_x(&settings->lights[n]);
    }
    if (along_x) {
        const BrumeCellBox box = brume_widened_box(medium->smoke, 1, medium->grid);
        brume_transpose_box(&lit->transposed, &medium->extinction, &box);
    }
    for (int n = 0; n < settings->light_count; n++) {
        const BrumeLight *light = &settings->lights[n];
        if (brume_ground_blocks_light(settings, light)) {
            continue;
        }
        if (light->kind == BRUME_LIGHT_RECTANGLE) {
            brume_area_light_fill(&lit->area[n], &lit->point[n], &lit->sources[n], medium, settings,
                                  quality == BRUME_LIGHT_FULL ? RECTANGLE_SIDE : RECTANGLE_SIDE_IN_MOTION);
            continue;
        }
        if (light->kind != BRUME_LIGHT_DIRECTIONAL) {
            const BrumeVec3 from_corner = brume_sub(light->position, medium->origin);
            brume_point_light_fill(&lit->point[n], medium, settings, brume_scale(from_corner, 1.0f / medium->dx),
                                   per_cell);
            continue;
        }
        BrumeTransmittanceSweep *sweep = &lit->directional[n];
        if (lit->sources[n].soft && (quality == BRUME_LIGHT_FULL || !brume_is_small_disc(light))) {
            brume_disc_light_fill(sweep, &lit->disc, light, medium, &lit->transposed, settings, per_cell,
                                  quality == BRUME_LIGHT_FULL ? BRUME_DISC_MOST : BRUME_DISC_FEWEST);
            continue;
        }
        brume_sweep_fill(sweep, light->direction, medium, &lit->transposed, settings, per_cell,
                         1.0f / BRUME_TRANSMITTANCE_ROOT);
    }
    fill_scattered_light(lit, quality);
    lit->state = BRUME_LIT_READY;
}

float brume_placed_light_at(const BrumeLitMedium *lit, int n, BrumeVec3 point)
{
    return lit->settings.lights[n].kind == BRUME_LIGHT_RECTANGLE ? brume_area_light_at(&lit->area[n], point)
                                                                 : brume_point_light_at(&lit->point[n], point);
}
