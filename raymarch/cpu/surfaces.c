// Solids and ground are Lambertian. Direct light is marched through the smoke and occluded by solids exactly; light
// from all directions is that of the scattered light, times the fraction that nearby solids leave unoccluded.
#include "raymarch/cpu/surfaces.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/ground.h"
#include "raymarch/light/light_source.h"

// Distance to a solid, up to `height`. That of a volume is only known to be positive or negative.
static float solid_distance(const BrumeShape *shape, BrumeVec3 point, float height)
{
    const float distance = brume_shape_distance(shape, point);
    return shape->kind == BRUME_SHAPE_VOLUME && distance >= 0.0f ? height : distance;
}

// Fraction of the sky that solids near a point leave unoccluded: distances to them at a few heights above the surface,
// compared with the heights (Evans, "Fast Approximations for Global Illumination on Dynamic Scenes", 2006). `own` is
// the index of the surface itself, `reach` the largest height [m].
static float ambient_visibility(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 normal, int own,
                                float reach)
{
    float occlusion = 0.0f;
    float weight = 0.5f;
    for (int tap = 1; tap <= 4 && settings->surface_count > 0; tap++) {
        const float height = reach * (float)(tap * tap) / 16.0f;
        const BrumeVec3 above = brume_add(point, brume_scale(normal, height));
        float nearest = height;
        for (int n = 0; n < settings->surface_count; n++) {
            if (n != own) {
                nearest = brume_min(nearest, solid_distance(&settings->surfaces[n].shape, above, height));
            }
        }
        occlusion += weight * (height - brume_max(nearest, 0.0f)) / height;
        weight *= 0.6f;
    }
    // 1.088 is the sum of the weights; a factor of 0.8 stands for light that the occluding solids reflect
    return 1.0f - 0.8f * occlusion / 1.088f;
}

// irradiance / pi by the light of one place of a light, shadowed by solids and smoke; without the color
static float light_along(const BrumeLitMedium *lit, const BrumeLightRay *light, BrumeVec3 point, BrumeVec3 normal)
{
    const float cosine = brume_dot(light->towards, normal);
    const bool above = light->distance == INFINITY
                           ? light->towards.y > 0.0f
                           : point.y + light->distance * light->towards.y > lit->settings.ground_height;
    if (cosine <= 0.0f || (lit->settings.ground && !above)) {
        return 0.0f;
    }
    const BrumeRay ray = {point, light->towards};
    if (brume_ray_occluded(&lit->settings, &ray, light->distance)) {
        return 0.0f;
    }
    const float transmittance = brume_march_transmittance(lit, &ray, light->distance);
    return light->irradiance * cosine * transmittance / BRUME_PI;
}

// irradiance / pi from one light, shadowed by solids and smoke
static BrumeVec3 direct_light(const BrumeLitMedium *lit, const BrumeLightSource *source, BrumeVec3 point,
                              BrumeVec3 normal, float jitter)
{
    float sum = 0.0f;
    const int rays = source->soft ? BRUME_SHADOW_RAYS : 1;
    for (int n = 0; n < rays && !brume_ground_blocks_light(&lit->settings, &source->light); n++) {
        float u;
        float v;
        BrumeLightRay ray;
        brume_shadow_place(jitter, n, &u, &v);
        if (brume_light_ray(source, point, u, v, 0.0f, &ray)) {
            sum += light_along(lit, &ray, point, normal);
        }
    }
    return brume_scale(source->light.color, sum / (float)rays);
}

// longest side of the box [m]
static float longest_side(const BrumeGridMedium *medium)
{
    return medium->dx * (float)brume_grid_longest_side(medium->grid);
}

// Irradiance / pi of a point of a solid: without smoke, and the difference of the first two moments of the radiance
// that smoke makes. Outside the box, the solid angle of the smoke decreases with the distance.
static BrumeVec3 irradiance_of_solid(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal)
{
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeVec3 in_cells = brume_scale(brume_sub(point, medium->origin), 1.0f / medium->dx);
    const BrumeVec3 nearest = brume_vec3(brume_clamp(in_cells.x, 0.0f, (float)medium->grid.nx),
                                         brume_clamp(in_cells.y, 0.0f, (float)medium->grid.ny),
                                         brume_clamp(in_cells.z, 0.0f, (float)medium->grid.nz));
    const BrumeLightMoments moments = brume_scattered_light_at(&lit->scattered, nearest);
    const float distance = brume_length(brume_sub(in_cells, nearest)) * medium->dx / longest_side(medium);
    const float share = 1.0f / (1.0f + 4.0f * distance * distance);
    float change[3];
    for (int c = 0; c < 3; c++) {
        const BrumeFloat4 m = moments.color[c] - lit->scattered.unoccluded.color[c];
        change[c] = share * (m[0] - 2.0f * (normal.x * m[1] + normal.y * m[2] + normal.z * m[3]));
    }
    const BrumeVec3 without = brume_skylight_irradiance(&lit->sky, normal);
    return brume_vec3(brume_max(without.x + change[0], 0.0f), brume_max(without.y + change[1], 0.0f),
                      brume_max(without.z + change[2], 0.0f));
}

// reflected radiance of the surface `own`
static BrumeVec3 lambertian_radiance(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 albedo,
                                     int own, float jitter)
{
    const BrumeRenderSettings *settings = &lit->settings;
    const float side = longest_side(&lit->medium);
    const float of_solids = ambient_visibility(settings, point, normal, own, 0.25f * side);
    const bool above_ground = own == BRUME_HIT_GROUND && normal.y > 0.0f;
    const BrumeVec3 from_all_directions = above_ground ? brume_scattered_light_ground(&lit->scattered, point)
                                          : own == BRUME_HIT_GROUND ? brume_skylight_irradiance(&lit->sky, normal)
                                                                    : irradiance_of_solid(lit, point, normal);
    BrumeVec3 irradiance = brume_scale(from_all_directions, of_solids); // / pi
    // shadow rays start off the surface by far more than rounding errors and far less than a visible detail
    const BrumeVec3 start = brume_add(point, brume_scale(normal, 1e-4f * side));
    for (int n = 0; n < settings->light_count; n++) {
        irradiance = brume_add(irradiance, direct_light(lit, &lit->sources[n], start, normal, jitter));
    }
    return brume_mul(albedo, irradiance);
}

BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter)
{
    const BrumeRenderSettings *settings = &lit->settings;
    if (hit.surface == BRUME_HIT_SKY) {
        return brume_sky_radiance(settings, ray->direction);
    }
    BrumeVec3 point = brume_ray_at(ray, hit.distance);
    if (hit.surface == BRUME_HIT_GROUND) {
        point.y = settings->ground_height;
        const BrumeVec3 normal = brume_vec3(0.0f, ray->direction.y < 0.0f ? 1.0f : -1.0f, 0.0f);
        const float weight = brume_ground_fade(hit.distance / longest_side(&lit->medium));
        const BrumeVec3 horizon = brume_scale(brume_horizon_radiance(settings, ray->direction), 1.0f - weight);
        if (weight < 1e-4f) { // invisible: not shaded
            return horizon;
        }
        const BrumeVec3 albedo = brume_ground_albedo(settings, point, ray->direction, hit.distance);
        const BrumeVec3 ground = lambertian_radiance(lit, point, normal, albedo, BRUME_HIT_GROUND, jitter);
        return brume_add(brume_scale(ground, weight), horizon);
    }
    if (hit.surface <= BRUME_HIT_WALL) {
        return lambertian_radiance(lit, point, brume_wall_normal(hit.surface), settings->wall_albedo, hit.surface,
                                   jitter);
    }
    const BrumeSurface *surface = &settings->surfaces[hit.surface];
    BrumeVec3 normal = brume_shape_normal(&surface->shape, point);
    if (brume_dot(normal, ray->direction) > 0.0f) { // the camera is inside the solid
        normal = brume_scale(normal, -1.0f);
    }
    return lambertian_radiance(lit, point, normal, surface->albedo, hit.surface, jitter);
}
