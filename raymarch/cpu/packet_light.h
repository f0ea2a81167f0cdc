/**
 * @file packet_light.h
 * The light at the samples of a packet's list: stage 2 of march_packet.c, which is the only file that includes this. It
 * is inlined into the functions for each width of vectors.
 */
#ifndef BRUME_RAYMARCH_CPU_PACKET_LIGHT_H
#define BRUME_RAYMARCH_CPU_PACKET_LIGHT_H

#include "raymarch/cpu/march_light.h"
#include "raymarch/cpu/packet_state.h"
#include "raymarch/light/glow_light.h"

#include <string.h>

// directional_light_on_ray for each directional light and all rays of the packet
BRUME_INLINE void prepare_lights(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const PacketRays *rays = &march->rays;
    for (int light = 0; light < lit->settings.light_count; light++) {
        if (march->blocked[light] || lit->settings.lights[light].kind != BRUME_LIGHT_DIRECTIONAL) {
            continue;
        }
        DirectionalLightOnRays *on_rays = &march->lights[light];
        const BrumeTransmittanceSweep sweep = lit->directional[light];
        const BrumeLightSource source = lit->sources[light];
        const BrumePhaseLobes phase = lit->phase;
#pragma omp simd
        for (int n = 0; n < RAYS; n++) {
            const Traversal traversal = {
                .origin = {rays->origin_x[n], rays->origin_y[n], rays->origin_z[n]},
                .direction = {rays->direction_x[n], rays->direction_y[n], rays->direction_z[n]},
            };
            const DirectionalLightOnRay on_ray = directional_light_on_ray(&sweep, &source, &traversal, &phase);
            on_rays->u[n] = on_ray.u;
            on_rays->v[n] = on_ray.v;
            on_rays->n[n] = on_ray.n;
            on_rays->du[n] = on_ray.du;
            on_rays->dv[n] = on_ray.dv;
            on_rays->dn[n] = on_ray.dn;
            on_rays->direct[n] = on_ray.phases.direct;
            on_rays->forward[n] = on_ray.phases.forward;
        }
    }
    march->prepared = true;
}

// a component of brume_scattered_once, where `direct` is its product of phases and transmittance
BRUME_INLINE float scattered_once(float albedo, float direct, float forward, float depth, float mean_cosine)
{
    return albedo * (direct + forward * brume_fast_exp(-depth * (1.0f - mean_cosine * albedo)));
}

// the light of a directional light that is scattered into the rays; `gray`: all albedos have equal components
BRUME_INLINE void scatter_directional(PacketMarch *march, int light, bool gray, bool moving)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeTransmittanceSweep sweep = lit->directional[light];
    const int32_t sn = sweep.stored.count[0];
    const int32_t sv = sn * sweep.stored.count[1];
    LatticePoints *points = &march->points;
    const DirectionalLightOnRays *on_rays = &march->lights[light];
    const BrumeVec3 irradiance = brume_scale(lit->sources[light].light.color, lit->sources[light].strength);
    const float mean_cosine = lit->phase.mean_cosine;
    SmokeSamples *list = &march->list;
    const int count = padded(list->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float distance = list->distance[n];
        float u = on_rays->u[ray] + distance * on_rays->du[ray];
        float v = on_rays->v[ray] + distance * on_rays->dv[ray];
        float layer = on_rays->n[ray] + distance * on_rays->dn[ray];
        if (moving) {
            const BrumeVec3 shift = {list->shift_x[n], list->shift_y[n], list->shift_z[n]};
            u += brume_dot(sweep.u.slope, shift);
            v += brume_dot(sweep.v.slope, shift);
            layer += brume_dot(sweep.n.slope, shift);
        }
        const BrumeSweepPlace place = brume_sweep_place(&sweep, u, v, layer);
        points->entry[n] = sv * place.iv + sn * place.in + place.iu;
        points->f1[n] = place.fu;
        points->f2[n] = place.fn;
        points->f3[n] = place.fv;
    }
    for (int n = 0; n < count; n += BRUME_LANES) {
        interpolate8(points, n, sweep.transmittance, sn, sv);
    }
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float root = points->value[n];
        const float squared = root * root;
        const float fourth = squared * squared;
        const float forward = on_rays->forward[ray];
        const float direct = (on_rays->direct[ray] - forward) * (fourth * fourth);
        const float depth = brume_depth_of_root(root);
        const float red = scattered_once(list->albedo[0][n], direct, forward, depth, mean_cosine);
        const float green = gray ? red : scattered_once(list->albedo[1][n], direct, forward, depth, mean_cosine);
        const float blue = gray ? red : scattered_once(list->albedo[2][n], direct, forward, depth, mean_cosine);
        list->scattered[0][n] = red * irradiance.x;
        list->scattered[1][n] = green * irradiance.y;
        list->scattered[2][n] = blue * irradiance.z;
    }
}

// the point of a sample in cells of the box; samples are stored in coordinates of the padded field
static BrumeVec3 smoke_sample_point(const SmokeSamples *list, int n)
{
    return brume_vec3(list->x[n] - 0.5f, list->y[n] - 0.5f, list->z[n] - 0.5f);
}

static BrumeVec3 ray_direction(const PacketMarch *march, int ray)
{
    return brume_vec3(march->rays.direction_x[ray], march->rays.direction_y[ray], march->rays.direction_z[ray]);
}

static BrumeVec3 smoke_sample_albedo(const SmokeSamples *list, int n)
{
    return brume_vec3(list->albedo[0][n], list->albedo[1][n], list->albedo[2][n]);
}

static void store3(float to[3][SAMPLES], int n, BrumeVec3 color)
{
    to[0][n] = color.x;
    to[1][n] = color.y;
    to[2][n] = color.z;
}

// as scatter_directional, for a point light, a spot or a rectangle
static void scatter_placed(PacketMarch *march, int light)
{
    const BrumeLitMedium *lit = march->lit;
    SmokeSamples *list = &march->list;
    const bool is_rectangle = lit->settings.lights[light].kind == BRUME_LIGHT_RECTANGLE;
    for (int n = 0; n < list->count; n++) {
        const BrumeVec3 direction = ray_direction(march, list->ray[n]);
        const BrumeVec3 albedo = smoke_sample_albedo(list, n);
        store3(list->scattered, n,
               is_rectangle ? rectangle_source(lit, light, smoke_sample_point(list, n), direction, albedo)
                            : point_source(lit, light, smoke_sample_point(list, n), direction, albedo));
    }
}

// adds the light scattered from one light to the source of each sample
BRUME_INLINE void add_scattered(SmokeSamples *list)
{
    const int count = padded(list->count);
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n < count; n++) {
            list->source[c][n] += list->scattered[c][n];
        }
    }
}

// adds radiance of the samples to one part of the radiance of their rays, which is at `offset` in BrumeRayParts
static void add_to_parts(const PacketMarch *march, float radiance[3][SAMPLES], size_t offset)
{
    BrumeRayParts *parts = march->packet->parts;
    const SmokeSamples *list = &march->list;
    for (int n = 0; n < list->count && parts != NULL; n++) {
        BrumeVec3 *part = (BrumeVec3 *)(void *)((char *)&parts[list->ray[n]] + offset);
        brume_add_part(part, brume_vec3(radiance[0][n], radiance[1][n], radiance[2][n]), list->weight[n]);
    }
}

// the albedo of the smoke at each sample of the list
BRUME_INLINE void set_albedos(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    SmokeSamples *list = &march->list;
    for (int c = 0; c < 3 && !medium->mixed; c++) {
        const float albedo = brume_component(medium->albedo, c);
        const int count = padded(list->count);
        for (int n = 0; n < count; n++) {
            list->albedo[c][n] = albedo;
        }
    }
    for (int n = 0; n < padded(list->count) && medium->mixed; n++) {
        const int i = (int)list->x[n];
        const int j = (int)list->y[n];
        const int k = (int)list->z[n];
        store3(list->albedo, n,
               brume_grid_medium_albedo(medium, &march->lit->settings, i, j, k, list->x[n] - (float)i,
                                        list->y[n] - (float)j, list->z[n] - (float)k));
    }
}

// Light from all directions: moments_source. The four moments of a color lie side by side and are interpolated as one
// vector, sample by sample; the code before and after it works on many samples.
BRUME_INLINE void scatter_moments(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeScatteredLight *light = &lit->scattered;
    const BrumeField *shape = &light->grids[0].albedo[0];
    const BrumeVec3 cell = light->grids[0].cell;
    const int32_t sy = (int32_t)shape->sy;
    const int32_t sz = (int32_t)shape->sz;
    const float backwards = -3.0f * lit->phase.mean_cosine;
    const PacketRays *rays = &march->rays;
    SmokeSamples *list = &march->list;
    LatticePoints *points = &march->points;
    const int count = padded(list->count);
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const float x = (list->x[n] - 0.5f) / cell.x + 0.5f;
        const float y = (list->y[n] - 0.5f) / cell.y + 0.5f;
        const float z = (list->z[n] - 0.5f) / cell.z + 0.5f;
        const int32_t i = (int32_t)x;
        const int32_t j = (int32_t)y;
        const int32_t k = (int32_t)z;
        points->entry[n] = i + sy * j + sz * k;
        points->f1[n] = x - (float)i;
        points->f2[n] = y - (float)j;
        points->f3[n] = z - (float)k;
    }
    enum { S = BRUME_LIGHT_MOMENTS };
    const ptrdiff_t color = S * (ptrdiff_t)brume_grid_entries(shape->grid);
    for (int n = 0; n < count; n++) {
        const float *a = light->moments + S * (ptrdiff_t)points->entry[n];
        for (int c = 0; c < 3; c++) {
            const BrumeFloat4 moments = brume_trilinear4(a + c * color, S, S * shape->sy, S * shape->sz, points->f1[n],
                                                         points->f2[n], points->f3[n]);
            memcpy(march->moments[c][n], &moments, sizeof moments);
        }
    }
#pragma omp simd
    for (int n = 0; n < count; n++) {
        const int32_t ray = list->ray[n];
        const float x = rays->direction_x[ray] * backwards;
        const float y = rays->direction_y[ray] * backwards;
        const float z = rays->direction_z[ray] * backwards;
        for (int c = 0; c < 3; c++) {
            const float *m = march->moments[c][n];
            list->source[c][n] = list->albedo[c][n] * brume_max(m[0] + (x * m[1] + y * m[2] + z * m[3]), 0.0f);
        }
    }
}

// replaces the scattered light of the samples by the light that the smoke emits
static void add_emission(PacketMarch *march)
{
    const BrumeGridMedium *medium = &march->lit->medium;
    SmokeSamples *list = &march->list;
    for (int n = 0; n < list->count; n++) {
        const int i = (int)list->x[n];
        const int j = (int)list->y[n];
        const int k = (int)list->z[n];
        store3(list->scattered, n,
               brume_grid_medium_emission(medium, smoke_sample_albedo(list, n), i, j, k, list->x[n] - (float)i,
                                          list->y[n] - (float)j, list->z[n] - (float)k));
    }
}

// scatter_moments for smoke that glows
static void scatter_glow(PacketMarch *march)
{
    SmokeSamples *list = &march->list;
    for (int n = 0; n < list->count; n++) {
        const BrumeVec3 light =
            brume_glow_source(march->lit, smoke_sample_point(list, n), ray_direction(march, list->ray[n]));
        store3(list->source, n, brume_mul(smoke_sample_albedo(list, n), light));
    }
}

// fills the list to whole vectors with copies of its first sample
static void pad_list(SmokeSamples *list)
{
    for (int n = list->count; n < padded(list->count); n++) {
        list->ray[n] = list->ray[0];
        list->distance[n] = list->distance[0];
        list->shift_x[n] = list->shift_x[0];
        list->shift_y[n] = list->shift_y[0];
        list->shift_z[n] = list->shift_z[0];
        list->x[n] = list->x[0];
        list->y[n] = list->y[0];
        list->z[n] = list->z[0];
    }
}

// evaluates the light at the samples of the list, and empties it
BRUME_INLINE void shade(PacketMarch *march)
{
    const BrumeLitMedium *lit = march->lit;
    const BrumeVec3 albedo = lit->medium.albedo;
    const bool gray = !lit->medium.mixed && albedo.y == albedo.x && albedo.z == albedo.x;
    SmokeSamples *list = &march->list;
    if (!march->prepared) {
        prepare_lights(march);
    }
    pad_list(list);
    set_albedos(march);
    if (lit->medium.glows) {
        scatter_glow(march);
    } else {
        scatter_moments(march);
    }
    add_to_parts(march, list->source, offsetof(BrumeRayParts, sky));
    for (int light = 0; light < lit->settings.light_count; light++) {
        if (march->blocked[light]) {
            continue;
        }
        if (lit->settings.lights[light].kind != BRUME_LIGHT_DIRECTIONAL) {
            scatter_placed(march, light);
        } else if (lit->medium.moving) {
            scatter_directional(march, light, false, true);
        } else if (gray) {
            scatter_directional(march, light, true, false);
        } else {
            scatter_directional(march, light, false, false);
        }
        add_scattered(list);
        add_to_parts(march, list->scattered, offsetof(BrumeRayParts, lights) + (size_t)light * sizeof(BrumeVec3));
    }
    if (lit->medium.glows) {
        add_emission(march);
        add_scattered(list);
        add_to_parts(march, list->scattered, offsetof(BrumeRayParts, emission));
    }
    for (int n = 0; n < list->count; n++) {
        BrumeVec3 *radiance = &march->packet->results[list->ray[n]].radiance;
        const BrumeVec3 source = brume_vec3(list->source[0][n], list->source[1][n], list->source[2][n]);
        *radiance = brume_add(*radiance, brume_scale(source, list->weight[n]));
    }
    list->count = 0;
}

#endif
