// Solids and ground are Lambertian. Direct light is marched through the smoke and occluded by solids exactly; light
// from all directions is the irradiance by the scattered light, times the fraction that nearby solids leave unoccluded.
#include "raymarch/cpu/surfaces.h"

#include "core/color.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/ground.h"
#include "raymarch/light/glow_light.h"
#include "raymarch/light/light_source.h"
#include "raymarch/surface_albedo.h"

void brume_visible_surfaces(const BrumeLitMedium *lit, const BrumeRay *rays, const float *times, int count,
                            BrumeSurfaceHit *hits)
{
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeVec3 extent = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    brume_intersect_all_visible(&lit->settings, medium->origin, brume_add(medium->origin, extent), rays, times, count,
                                hits);
}

BrumeSurfaceHit brume_visible_surface(const BrumeLitMedium *lit, const BrumeRay *ray, float time)
{
    BrumeSurfaceHit hit;
    brume_visible_surfaces(lit, ray, &time, 1, &hit);
    return hit;
}

// Distance to a solid, up to `height`. Of the distance to a volume only the sign is known.
static float solid_distance(const BrumeShape *shape, BrumeVec3 point, float height)
{
    const float distance = brume_shape_distance_within(shape, point, height);
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

// Irradiance / pi from one point of a light, without its color; `shadowed`: as solids and smoke attenuate it. `smoke`
// is the transmittance of the smoke, or NULL where it is to be marched. Solids are where they are at a `time`.
static float light_along(const BrumeLitMedium *lit, const BrumeLightRay *light, BrumeVec3 point, BrumeVec3 normal,
                         bool shadowed, const float *smoke, float time)
{
    const float cosine = brume_dot(light->towards, normal);
    const bool above = light->distance == INFINITY
                           ? light->towards.y > 0.0f
                           : point.y + light->distance * light->towards.y > lit->settings.ground_height;
    if (cosine <= 0.0f || (lit->settings.ground && !above)) {
        return 0.0f;
    }
    const float unshadowed = light->irradiance * cosine / BRUME_PI;
    if (!shadowed) {
        return unshadowed;
    }
    const BrumeRay ray = {point, light->towards};
    if (brume_ray_occluded(&lit->settings, &ray, light->distance, time)) {
        return 0.0f;
    }
    return unshadowed * (smoke != NULL ? *smoke : brume_shadow_transmittance(lit, &ray, light->distance));
}

// irradiance / pi from one light; `shadowed`, `smoke` and `time` as in light_along
static BrumeVec3 direct_light(const BrumeLitMedium *lit, const BrumeLightSource *source, BrumeVec3 point,
                              BrumeVec3 normal, float jitter, bool shadowed, const float *smoke, float time)
{
    float sum = 0.0f;
    const int rays = source->soft ? BRUME_SHADOW_RAYS : 1;
    for (int n = 0; n < rays && !brume_ground_blocks_light(&lit->settings, &source->light); n++) {
        float u;
        float v;
        BrumeLightRay ray;
        brume_shadow_place(jitter, n, &u, &v);
        if (brume_light_ray(source, point, u, v, 0.0f, &ray)) {
            sum += light_along(lit, &ray, point, normal, shadowed, smoke, time);
        }
    }
    return brume_scale(source->light.color, sum / (float)rays);
}

// longest side of the box [m]
static float longest_side(const BrumeGridMedium *medium)
{
    return medium->dx * (float)brume_grid_longest_side(medium->grid);
}

// shadow rays start off the surface by far more than rounding errors and far less than a visible detail
static BrumeVec3 shadow_start(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal)
{
    return brume_add(point, brume_scale(normal, 1e-4f * longest_side(&lit->medium)));
}

// the point of the ground at a distance along a ray, and the normal on the ray's side
static BrumeVec3 ground_point(const BrumeLitMedium *lit, const BrumeRay *ray, float distance, BrumeVec3 *normal)
{
    BrumeVec3 point = brume_ray_at(ray, distance);
    point.y = lit->settings.ground_height;
    *normal = brume_vec3(0.0f, ray->direction.y < 0.0f ? 1.0f : -1.0f, 0.0f);
    return point;
}

// Irradiance / pi of a point of the surface `own`: without smoke, and the difference of the first two moments of the
// radiance that smoke and solids in the box make. Outside the box, their solid angle decreases with the distance, and
// the solid angle of solids is estimated by ambient_visibility instead. Moments close to a solid do not resolve its
// surface; moments in front of it are of light of which a convex solid covers less.
static BrumeVec3 irradiance_of_solid(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, int own)
{
    const BrumeGridMedium *medium = &lit->medium;
    const float side = longest_side(medium);
    const BrumeVec3 in_cells = brume_scale(brume_sub(point, medium->origin), 1.0f / medium->dx);
    const bool is_solid = own >= 0 && own < lit->settings.surface_count; // streamlines are not in the moments
    const BrumeVec3 offset = brume_scale(normal, is_solid ? brume_distance_before_surface(&lit->scattered) : 0.0f);
    const BrumeVec3 at = brume_add(in_cells, offset);
    const BrumeVec3 upper = brume_grid_extent(medium->grid);
    const BrumeVec3 in_box = brume_vec3(brume_clamp(at.x, 0.0f, upper.x), brume_clamp(at.y, 0.0f, upper.y),
                                        brume_clamp(at.z, 0.0f, upper.z));
    const BrumeVec3 nearest = brume_vec3(brume_clamp(in_cells.x, 0.0f, upper.x), brume_clamp(in_cells.y, 0.0f, upper.y),
                                         brume_clamp(in_cells.z, 0.0f, upper.z));
    const BrumeLightMoments moments = brume_scattered_light_at(&lit->scattered, in_box);
    const float distance = brume_length(brume_sub(in_cells, nearest)) * medium->dx / side;
    const float share = 1.0f / (1.0f + 4.0f * distance * distance);
    float change[3];
    for (int c = 0; c < 3; c++) {
        const BrumeFloat4 m = moments.color[c] - lit->scattered.unoccluded.color[c];
        change[c] = share * (m[0] - 2.0f * (normal.x * m[1] + normal.y * m[2] + normal.z * m[3]));
    }
    BrumeVec3 arriving = brume_skylight_irradiance(&lit->sky, normal);
    if (medium->glows) {
        const BrumeVec3 of_glow = brume_glow_irradiance(&lit->scattered, nearest, normal);
        arriving = brume_add(arriving, brume_scale(of_glow, share));
    }
    const BrumeVec3 reflected =
        brume_vec3(brume_max(arriving.x + change[0], 0.0f), brume_max(arriving.y + change[1], 0.0f),
                   brume_max(arriving.z + change[2], 0.0f));
    const float outside = 1.0f - share;
    const float visible =
        outside > 0.0f ? 1.0f - outside * (1.0f - ambient_visibility(&lit->settings, point, normal, own, 0.25f * side))
                       : 1.0f;
    if (!is_solid) {
        return brume_scale(reflected, visible);
    }
    const BrumeSurface *surface = &lit->settings.surfaces[own];
    const float excess = share * brume_convexity_excess(&lit->scattered, medium, &surface->shape);
    return brume_vec3(visible * reflected.x / (1.0f + excess * (1.0f - surface->albedo.x)),
                      visible * reflected.y / (1.0f + excess * (1.0f - surface->albedo.y)),
                      visible * reflected.z / (1.0f + excess * (1.0f - surface->albedo.z)));
}

bool brume_has_single_shadow_ray(const BrumeLitMedium *lit, int light)
{
    const BrumeLightSource *source = &lit->sources[light];
    return source->light.kind == BRUME_LIGHT_DIRECTIONAL && !source->soft &&
           !brume_ground_blocks_light(&lit->settings, &source->light);
}

BrumeVec3 brume_ground_shadow_start(const BrumeLitMedium *lit, const BrumeRay *ray, float distance)
{
    BrumeVec3 normal;
    const BrumeVec3 point = ground_point(lit, ray, distance, &normal);
    return shadow_start(lit, point, normal);
}

// reflected radiance of a hit surface; `parts` may be NULL, `smoke` as in brume_surface_parts
static BrumeVec3 lambertian_radiance(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 albedo,
                                     BrumeSurfaceHit hit, float jitter, const float *smoke, BrumeRayParts *parts)
{
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeVec3 irradiance; // / pi, from all directions
    if (hit.surface == BRUME_HIT_GROUND) {
        irradiance = normal.y > 0.0f ? brume_scattered_light_ground(&lit->scattered, point)
                                     : brume_skylight_irradiance(&lit->sky, normal);
    } else {
        irradiance = irradiance_of_solid(lit, point, normal, hit.surface);
    }
    const BrumeVec3 start = shadow_start(lit, point, normal);
    if (parts != NULL) {
        parts->sky = brume_mul(albedo, irradiance);
    }
    for (int n = 0; n < settings->light_count; n++) {
        const BrumeVec3 direct =
            direct_light(lit, &lit->sources[n], start, normal, jitter, true,
                         smoke != NULL && brume_has_single_shadow_ray(lit, n) ? &smoke[n] : NULL, hit.time);
        irradiance = brume_add(irradiance, direct);
        if (parts != NULL) {
            parts->lights[n] = brume_mul(albedo, direct);
        }
    }
    return brume_mul(albedo, irradiance);
}

float brume_ground_shadow(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 received)
{
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeVec3 whole = brume_skylight_irradiance(&lit->sky, normal);
    for (int n = 0; n < settings->light_count; n++) {
        whole = brume_add(whole, direct_light(lit, &lit->sources[n], point, normal, 0.5f, false, NULL, 0.0f));
    }
    const float unshadowed = brume_luminance(whole);
    return unshadowed > 0.0f ? 1.0f - brume_luminance(received) / unshadowed : 0.0f;
}

// radiance of the ground, which fades into the horizon or, with `transparent`, into nothing; else `parts` may be NULL
static BrumeVec3 ground_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                                 bool transparent, const float *smoke, BrumeRayParts *parts)
{
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeVec3 normal;
    const BrumeVec3 point = ground_point(lit, ray, hit.distance, &normal);
    const float weight = brume_ground_fade(hit.distance / longest_side(&lit->medium));
    const BrumeVec3 dark = {0};
    const BrumeVec3 horizon =
        transparent ? dark : brume_scale(brume_horizon_radiance(settings, ray->direction), 1.0f - weight);
    if (weight < 1e-4f) { // invisible: not shaded
        if (parts != NULL) {
            parts->sky = horizon;
            parts->alpha = settings->ground_catcher ? 0.0f : weight;
        }
        return horizon;
    }
    if (transparent && settings->ground_catcher) {
        const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
        const BrumeVec3 received = lambertian_radiance(lit, point, normal, white, hit, jitter, smoke, NULL);
        parts->alpha = weight * brume_ground_shadow(lit, point, normal, received);
        return dark;
    }
    BrumeRayParts of_ground = {0};
    const BrumeVec3 albedo = brume_ground_albedo(settings, point, ray->direction, hit.distance);
    const BrumeVec3 ground =
        lambertian_radiance(lit, point, normal, albedo, hit, jitter, smoke, parts != NULL ? &of_ground : NULL);
    if (parts != NULL) {
        parts->sky = horizon;
        parts->alpha = weight;
        brume_add_parts(parts, &of_ground, weight, settings->light_count);
    }
    return brume_add(brume_scale(ground, weight), horizon);
}

BrumeVec3 brume_solid_normal(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit)
{
    const BrumeShape shape = brume_surface_shape(&lit->settings, hit.surface, hit.time);
    return brume_seen_normal(&shape, brume_ray_at(ray, hit.distance), &hit.place, ray->direction);
}

// the radiance of the hit surface or of the sky; `parts` is set to its parts and may be NULL without `transparent`
static BrumeVec3 surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                                  bool transparent, const float *smoke, BrumeRayParts *parts)
{
    const BrumeRenderSettings *settings = &lit->settings;
    if (hit.surface == BRUME_HIT_SKY && transparent) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    if (hit.surface == BRUME_HIT_SKY) {
        const BrumeVec3 sky = brume_sky_radiance(settings, ray->direction);
        if (parts != NULL) {
            parts->sky = sky;
        }
        return sky;
    }
    if (hit.surface == BRUME_HIT_GROUND) {
        return ground_radiance(lit, ray, hit, jitter, transparent, smoke, parts);
    }
    if (parts != NULL) {
        parts->alpha = 1.0f;
    }
    const BrumeVec3 point = brume_ray_at(ray, hit.distance);
    if (hit.surface <= BRUME_HIT_WALL) {
        return lambertian_radiance(lit, point, brume_wall_normal(hit.surface), settings->wall_albedo, hit, jitter, NULL,
                                   parts);
    }
    const BrumeVec3 normal = brume_solid_normal(lit, ray, hit);
    return lambertian_radiance(lit, point, normal,
                               brume_solid_albedo(settings, hit.surface, point, normal, hit.time, &hit.place), hit,
                               jitter, NULL, parts);
}

BrumeVec3 brume_surface_parts(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                              bool transparent, const float *smoke, BrumeRayParts *parts)
{
    return surface_radiance(lit, ray, hit, jitter, transparent, smoke, parts);
}

BrumeVec3 brume_surface_radiance(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter)
{
    return surface_radiance(lit, ray, hit, jitter, false, NULL, NULL);
}

// the point of a surface that a ray hits, which is not the sky, and its unit normal on the ray's side
static BrumeVec3 surface_point(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, BrumeVec3 *normal)
{
    if (hit.surface == BRUME_HIT_GROUND) {
        return ground_point(lit, ray, hit.distance, normal);
    }
    *normal = hit.surface <= BRUME_HIT_WALL ? brume_wall_normal(hit.surface) : brume_solid_normal(lit, ray, hit);
    return brume_ray_at(ray, hit.distance);
}

// the fraction of a surface that has not faded into the horizon, rounded to 0 as in ground_radiance
static float unfaded_share(const BrumeLitMedium *lit, BrumeSurfaceHit hit)
{
    const float weight = hit.surface == BRUME_HIT_SKY ? 0.0f
                         : hit.surface == BRUME_HIT_GROUND
                             ? brume_ground_fade(hit.distance / longest_side(&lit->medium))
                             : 1.0f;
    return weight < 1e-4f ? 0.0f : weight;
}

BrumeVec3 brume_surface_light(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit, float jitter,
                              const float *smoke, BrumeVec3 *normal)
{
    const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
    const BrumeVec3 none = {0};
    const float weight = unfaded_share(lit, hit);
    *normal = none;
    if (!(weight > 0.0f)) {
        return none;
    }
    const BrumeVec3 point = surface_point(lit, ray, hit, normal);
    const BrumeVec3 light = lambertian_radiance(lit, point, *normal, white, hit, jitter,
                                                hit.surface == BRUME_HIT_GROUND ? smoke : NULL, NULL);
    return brume_scale(light, weight);
}

float brume_ground_share(const BrumeLitMedium *lit, float distance)
{
    return brume_ground_fade(distance / longest_side(&lit->medium));
}

BrumeVec3 brume_surface_background(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit)
{
    if (hit.surface == BRUME_HIT_SKY) {
        return brume_sky_radiance(&lit->settings, ray->direction);
    }
    if (hit.surface != BRUME_HIT_GROUND) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const float weight = brume_ground_share(lit, hit.distance);
    return brume_scale(brume_horizon_radiance(&lit->settings, ray->direction), 1.0f - weight);
}

BrumeVec3 brume_hit_albedo(const BrumeLitMedium *lit, const BrumeRay *ray, BrumeSurfaceHit hit)
{
    if (hit.surface >= 0) {
        const BrumeVec3 normal = brume_solid_normal(lit, ray, hit);
        return brume_solid_albedo(&lit->settings, hit.surface, brume_ray_at(ray, hit.distance), normal, hit.time,
                                  &hit.place);
    }
    return brume_plane_albedo(lit, hit.surface);
}

BrumeVec3 brume_plane_albedo(const BrumeLitMedium *lit, int surface)
{
    const BrumeVec3 none = {0};
    return surface <= BRUME_HIT_WALL ? lit->settings.wall_albedo : none;
}
