// What stands behind the smoke: Lambertian solids and ground under the lights and the sky, and the sky itself.
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/phase.h"
#include "raymarch/sky.h"

float brume_first_solid(const BrumeRenderSettings *look, const BrumeRay *ray, int *surface)
{
    float first = INFINITY;
    for (int n = 0; n < look->surface_count; n++) {
        const BrumeStretch inside = brume_ray_shape(ray, &look->surfaces[n].shape);
        if (!(inside.enter < inside.leave) || inside.leave <= 0.0f) {
            continue;
        }
        const float met = inside.enter > 0.0f ? inside.enter : inside.leave;
        if (met < first) {
            first = met;
            if (surface != NULL) {
                *surface = n;
            }
        }
    }
    return first;
}

bool brume_solid_on_ray(const BrumeRenderSettings *look, const BrumeRay *ray, float limit)
{
    for (int n = 0; n < look->surface_count; n++) {
        const BrumeStretch inside = brume_ray_shape(ray, &look->surfaces[n].shape);
        if (inside.enter < inside.leave && inside.leave > 0.0f && inside.enter < limit) {
            return true;
        }
    }
    return false;
}

BrumeBackdrop brume_backdrop(const BrumeRenderSettings *look, const BrumeRay *ray)
{
    BrumeBackdrop backdrop = {INFINITY, BRUME_SKY};
    backdrop.distance = brume_first_solid(look, ray, &backdrop.surface);
    if (look->ground && ray->direction.y != 0.0f) {
        const float distance = (look->ground_height - ray->origin.y) / ray->direction.y;
        if (distance > 0.0f && distance < backdrop.distance) {
            backdrop = (BrumeBackdrop){distance, BRUME_GROUND};
        }
    }
    return backdrop;
}

bool brume_light_hidden(const BrumeRenderSettings *look, const BrumeLight *light)
{
    if (!look->ground) {
        return false;
    }
    return light->kind == BRUME_LIGHT_DIRECTIONAL ? light->direction.y >= 0.0f
                                                  : light->position.y <= look->ground_height;
}

// share of the sky that solids near a point leave free: distances to them at a few heights above the surface, against
// the heights themselves (Evans, "Fast Approximations for Global Illumination on Dynamic Scenes", 2006)
static float openness(const BrumeRenderSettings *look, BrumeVec3 point, BrumeVec3 normal, int own, float reach)
{
    float closed = 0.0f;
    float weight = 0.5f;
    for (int tap = 1; tap <= 4 && look->surface_count > 0; tap++) {
        const float height = reach * (float)(tap * tap) / 16.0f;
        const BrumeVec3 above = brume_add(point, brume_scale(normal, height));
        float nearest = height;
        for (int n = 0; n < look->surface_count; n++) {
            if (n != own) {
                nearest = brume_min(nearest, brume_shape_distance(&look->surfaces[n].shape, above));
            }
        }
        closed += weight * (height - brume_max(nearest, 0.0f)) / height;
        weight *= 0.6f;
    }
    return 1.0f - 0.8f * closed / 1.088f; // the weights' sum; some light comes back from what stands in the way
}

// irradiance over pi from one light, in the shadow of solids and smoke
static BrumeVec3 lit_by(const BrumeRenderer *renderer, const BrumeLight *light, BrumeVec3 point, BrumeVec3 normal)
{
    const BrumeVec3 dark = {0};
    if (brume_light_hidden(&renderer->look, light)) {
        return dark;
    }
    BrumeVec3 towards = brume_scale(light->direction, -1.0f);
    float distance = INFINITY;
    float irradiance = light->intensity;
    if (light->kind == BRUME_LIGHT_POINT) {
        const BrumeVec3 to_light = brume_sub(light->position, point);
        distance = brume_length(to_light);
        if (!(distance > 0.0f)) {
            return dark;
        }
        towards = brume_scale(to_light, 1.0f / distance);
        irradiance /= distance * distance;
    }
    const float cosine = brume_dot(towards, normal);
    if (cosine <= 0.0f) {
        return dark;
    }
    const BrumeRay ray = {point, towards};
    if (brume_solid_on_ray(&renderer->look, &ray, distance)) {
        return dark;
    }
    const float left = brume_march_transmittance(renderer, &ray, distance);
    return brume_scale(light->color, irradiance * cosine * left / BRUME_PI);
}

static float box_side(const BrumeSmoke *smoke)
{
    const int larger = smoke->grid.nx > smoke->grid.ny ? smoke->grid.nx : smoke->grid.ny;
    return smoke->dx * (float)(larger > smoke->grid.nz ? larger : smoke->grid.nz);
}

// share of the light from all around that the smoke leaves to a solid
static float smoke_openness(const BrumeRenderer *renderer, BrumeVec3 point)
{
    const BrumeSmoke *smoke = &renderer->smoke;
    const BrumeVec3 in_cells = brume_scale(brume_sub(point, smoke->origin), 1.0f / smoke->dx);
    const BrumeVec3 held = brume_vec3(brume_min(brume_max(in_cells.x, 0.0f), (float)smoke->grid.nx),
                                      brume_min(brume_max(in_cells.y, 0.0f), (float)smoke->grid.ny),
                                      brume_min(brume_max(in_cells.z, 0.0f), (float)smoke->grid.nz));
    float around[BRUME_SKY_CHANNELS];
    brume_skylight_at(&renderer->sky, held, around);
    // away from the box its smoke covers less and less of the view
    const float distance = brume_length(brume_sub(in_cells, held)) * smoke->dx / box_side(smoke);
    return 1.0f + (around[BRUME_SKY_CHANNELS - 1] - 1.0f) / (1.0f + 4.0f * distance * distance);
}

static BrumeVec3 surface_radiance(const BrumeRenderer *renderer, BrumeVec3 point, BrumeVec3 normal, BrumeVec3 albedo,
                                  int own)
{
    const BrumeRenderSettings *look = &renderer->look;
    const float side = box_side(&renderer->smoke);
    const float open = openness(look, point, normal, own, 0.25f * side);
    const float clear =
        own == BRUME_GROUND ? brume_skylight_on_ground(&renderer->sky, point) : smoke_openness(renderer, point);
    BrumeVec3 light = brume_scale(brume_skylight_on_normal(&renderer->sky, normal), open * clear);
    // off the surface by far more than rounding and far less than what is seen
    const BrumeVec3 start = brume_add(point, brume_scale(normal, 1e-4f * side));
    for (int n = 0; n < look->light_count; n++) {
        light = brume_add(light, lit_by(renderer, &look->lights[n], start, normal));
    }
    return brume_mul(albedo, light);
}

BrumeVec3 brume_backdrop_radiance(const BrumeRenderer *renderer, const BrumeRay *ray, BrumeBackdrop backdrop)
{
    const BrumeRenderSettings *look = &renderer->look;
    if (backdrop.surface == BRUME_SKY) {
        return brume_sky_radiance(look, ray->direction);
    }
    BrumeVec3 point = brume_ray_at(ray, backdrop.distance);
    if (backdrop.surface == BRUME_GROUND) {
        point.y = look->ground_height;
        const BrumeVec3 normal = brume_vec3(0.0f, ray->direction.y < 0.0f ? 1.0f : -1.0f, 0.0f);
        const float share = brume_ground_share(backdrop.distance / box_side(&renderer->smoke));
        const BrumeVec3 horizon = brume_scale(look->sky_horizon, 1.0f - share);
        if (share < 1e-4f) { // shading what cannot be seen
            return horizon;
        }
        const BrumeVec3 ground = surface_radiance(renderer, point, normal, look->ground_albedo, BRUME_GROUND);
        return brume_add(brume_scale(ground, share), horizon);
    }
    const BrumeSurface *surface = &look->surfaces[backdrop.surface];
    BrumeVec3 normal = brume_shape_normal(&surface->shape, point);
    if (brume_dot(normal, ray->direction) > 0.0f) { // seen from inside
        normal = brume_scale(normal, -1.0f);
    }
    return surface_radiance(renderer, point, normal, surface->albedo, backdrop.surface);
}
