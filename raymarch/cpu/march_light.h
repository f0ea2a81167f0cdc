/**
 * @file march_light.h
 * The light that is scattered into a view ray at one point of a lit medium, interpolated in its light volumes.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_LIGHT_H
#define BRUME_RAYMARCH_CPU_MARCH_LIGHT_H

#include "core/vec3.h"
#include "raymarch/cpu/march_steps.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/light/phase.h"
#include "raymarch/light/scattering.h"

// A directional light along one view ray: its lattice coordinates are affine in the distance, and the scattering angle
// is constant.
typedef struct DirectionalLightOnRay {
    float u, v, n, du, dv, dn;
    BrumePhases phases;
    BrumeVec3 irradiance;
} DirectionalLightOnRay;

// a ray in the coordinates of a directional light's volume, as linear functions of the distance, with its phases
static inline DirectionalLightOnRay directional_light_on_ray(const BrumeTransmittanceSweep *sweep,
                                                             const BrumeLightSource *source, const Traversal *traversal,
                                                             const BrumePhaseLobes *phase)
{
    const BrumeVec3 origin = brume_sub(traversal->origin, brume_vec3(0.5f, 0.5f, 0.5f));
    DirectionalLightOnRay on_ray = {
        .u = brume_affine_at(sweep->u, origin),
        .v = brume_affine_at(sweep->v, origin),
        .n = brume_affine_at(sweep->n, origin),
        .du = brume_dot(sweep->u.slope, traversal->direction),
        .dv = brume_dot(sweep->v.slope, traversal->direction),
        .dn = brume_dot(sweep->n.slope, traversal->direction),
        .irradiance = brume_scale(source->light.color, source->strength),
    };
    on_ray.phases =
        brume_phases_of_cap(phase, -brume_dot(source->light.direction, traversal->direction), source->cap_height);
    return on_ray;
}

// in-scattered radiance from the n-th light, a directional one, at a `distance` along the ray, moved by `shift` [cells]
static inline BrumeVec3 directional_source(const BrumeLitMedium *lit, int n, const DirectionalLightOnRay *on_ray,
                                           float distance, BrumeVec3 shift, BrumeVec3 albedo)
{
    const BrumeTransmittanceSweep *sweep = &lit->directional[n];
    float u = on_ray->u + distance * on_ray->du;
    float v = on_ray->v + distance * on_ray->dv;
    float layer = on_ray->n + distance * on_ray->dn;
    if (lit->medium.moving) {
        u += brume_dot(sweep->u.slope, shift);
        v += brume_dot(sweep->v.slope, shift);
        layer += brume_dot(sweep->n.slope, shift);
    }
    const float root = brume_sweep_at(sweep, u, v, layer);
    const BrumeVec3 scattered = brume_scattered_once(on_ray->phases, root, albedo, lit->phase.mean_cosine);
    return brume_mul(scattered, on_ray->irradiance);
}

// in-scattered radiance from the n-th light, a point light or a spot, at a `point` [cells]
static inline BrumeVec3 point_source(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 direction,
                                     BrumeVec3 albedo)
{
    const BrumeLightSource *source = &lit->sources[n];
    const BrumePointLightVolume *volume = &lit->point[n];
    const BrumeVec3 away = brume_sub(point, volume->position);
    const float cells = brume_length(away);
    const float cosine = cells > 0.0f ? -brume_dot(away, direction) / cells : 0.0f;
    // closer than half a cell, the irradiance is taken at half a cell
    const float meters = lit->medium.dx * brume_max(cells, 0.5f);
    float irradiance = source->strength / (meters * meters);
    if (source->light.kind == BRUME_LIGHT_SPOT) {
        irradiance *= brume_spot_share(source, brume_dot(away, source->light.direction) / brume_max(cells, 1e-6f));
    }
    const BrumePhases phases = brume_phases(&lit->phase, cosine);
    const BrumeVec3 scattered =
        brume_scattered_once(phases, brume_point_light_at(volume, point), albedo, lit->phase.mean_cosine);
    return brume_mul(scattered, brume_scale(source->light.color, irradiance));
}

// in-scattered radiance from the n-th light, a rectangle, at a `point` [cells]; seen as a cap of directions of the same
// solid angle
static inline BrumeVec3 rectangle_source(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 direction,
                                         BrumeVec3 albedo)
{
    const BrumeLightSource *source = &lit->sources[n];
    const BrumeVec3 meters = brume_add(lit->medium.origin, brume_scale(point, lit->medium.dx));
    const BrumeRectangleLight light = brume_rectangle_light(source, meters);
    const BrumePhases phases = brume_phases_of_cap(&lit->phase, brume_dot(light.towards, direction), light.cap_height);
    const BrumeVec3 scattered =
        brume_scattered_once(phases, brume_area_light_at(&lit->area[n], point), albedo, lit->phase.mean_cosine);
    return brume_mul(scattered, brume_scale(source->light.color, light.irradiance));
}

// radiance scattered into a view ray, per albedo, of the light whose moments are stored: the first two moments of the
// phase function
static inline BrumeVec3 moments_source(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 direction)
{
    const BrumeLightMoments moments = brume_scattered_light_at(&lit->scattered, point);
    const BrumeVec3 towards = brume_scale(direction, -3.0f * lit->phase.mean_cosine);
    float source[3];
    for (int c = 0; c < 3; c++) {
        const BrumeFloat4 m = moments.color[c];
        source[c] = brume_max(m[0] + (towards.x * m[1] + towards.y * m[2] + towards.z * m[3]), 0.0f);
    }
    return brume_vec3(source[0], source[1], source[2]);
}

#endif
