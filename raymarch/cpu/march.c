// Radiative transfer along a ray, with extinction sigma and source J (scattered and emitted light) constant over each
// step ds:
//
//     L += T * J * (1 - exp(-sigma ds)),   T *= exp(-sigma ds)
//
// Steps end at the multiples of their length, shifted by the jitter, and at the box; extinction and source are sampled
// at the midpoint of each. Skipping empty macro-cells does not shift the later steps, so it changes no bit.
#include "raymarch/cpu/march.h"

#include "core/elementary.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_light.h"
#include "raymarch/cpu/march_steps.h"
#include "raymarch/light/glow_light.h"

static float extinction_at(const BrumeGridMedium *medium, const SamplePoint *p)
{
    return brume_grid_medium_extinction(medium, p->i, p->j, p->k, p->fx, p->fy, p->fz);
}

// brume_march_parts, which also counts steps where `counts` is not NULL
BRUME_INLINE BrumeMarchResult march_counted(const BrumeLitMedium *lit, const BrumeRay *ray, float limit,
                                            BrumeMarchSteps steps, BrumeRayParts *parts, BrumeMarchCounts *counts)
{
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeMarchResult march = {{0.0f, 0.0f, 0.0f}, 1.0f};
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, steps.length, steps.jitter)) {
        return march;
    }
    DirectionalLightOnRay directional[BRUME_MAX_LIGHTS];
    bool prepared = false; // only at the first smoke: most rays contain none
    int step = traversal.first;
    while (step < traversal.end && march.transmittance > opaque) {
        float length;
        const float distance = step_midpoint(&traversal, step, &length);
        SamplePoint sample = sample_point(&traversal, medium, distance);
        if (medium->skip_empty && is_empty(medium, &sample)) {
            step = skip_macro_cell(&traversal, &sample, step);
            continue;
        }
        step++;
        BrumeVec3 shift = {0};
        if (medium->moving) {
            shift = follow_smoke(medium, steps.time, &sample);
        }
        const float extinction = extinction_at(medium, &sample);
        if (counts != NULL) {
            counts->samples++;
            counts->in_smoke += extinction > 0.0f;
        }
        if (extinction <= 0.0f) {
            continue;
        }
        if (!prepared) {
            for (int n = 0; n < settings->light_count; n++) {
                directional[n] =
                    directional_light_on_ray(&lit->directional[n], &lit->sources[n], &traversal, &lit->phase);
            }
            prepared = true;
        }
        const BrumeVec3 point = brume_vec3((float)sample.i + sample.fx - 0.5f, (float)sample.j + sample.fy - 0.5f,
                                           (float)sample.k + sample.fz - 0.5f);
        const float transmittance = brume_fast_exp(-extinction * length);
        const float weight = march.transmittance * (1.0f - transmittance);
        const BrumeVec3 albedo =
            brume_grid_medium_albedo(medium, settings, sample.i, sample.j, sample.k, sample.fx, sample.fy, sample.fz);
        BrumeVec3 source = brume_mul(albedo, medium->glows ? brume_glow_source(lit, point, traversal.direction)
                                                           : moments_source(lit, point, traversal.direction));
        if (parts != NULL) {
            brume_add_part(&parts->sky, source, weight);
        }
        for (int n = 0; n < settings->light_count; n++) {
            const BrumeLight *light = &settings->lights[n];
            if (brume_ground_blocks_light(settings, light)) {
                continue;
            }
            const BrumeVec3 scattered = light->kind == BRUME_LIGHT_DIRECTIONAL
                                            ? directional_source(lit, n, &directional[n], distance, shift, albedo)
                                        : light->kind == BRUME_LIGHT_RECTANGLE
                                            ? rectangle_source(lit, n, point, traversal.direction, albedo)
                                            : point_source(lit, n, point, traversal.direction, albedo);
            source = brume_add(source, scattered);
            if (parts != NULL) {
                brume_add_part(&parts->lights[n], scattered, weight);
            }
        }
        if (medium->glows) {
            const BrumeVec3 emitted = brume_grid_medium_emission(medium, albedo, sample.i, sample.j, sample.k,
                                                                 sample.fx, sample.fy, sample.fz);
            source = brume_add(source, emitted);
            if (parts != NULL) {
                brume_add_part(&parts->emission, emitted, weight);
            }
        }
        march.radiance = brume_add(march.radiance, brume_scale(source, weight));
        march.transmittance *= transmittance;
    }
    return march;
}

BrumeMarchResult brume_march_parts(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, BrumeMarchSteps steps,
                                   BrumeRayParts *parts)
{
    BrumeMarchCounts *total = lit->counts;
    if (total == NULL) {
        return march_counted(lit, ray, limit, steps, parts, NULL);
    }
    BrumeMarchCounts counts = {0};
    const BrumeMarchResult march = march_counted(lit, ray, limit, steps, parts, &counts);
#pragma omp atomic
    total->samples += counts.samples;
#pragma omp atomic
    total->in_smoke += counts.in_smoke;
    return march;
}

BrumeMarchResult brume_march(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, BrumeMarchSteps steps)
{
    return brume_march_parts(lit, ray, limit, steps, NULL);
}

static float transmittance_in(const BrumeGridMedium *medium, float length_of_step, const BrumeRay *ray, float limit)
{
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, length_of_step, 0.5f)) {
        return 1.0f;
    }
    float depth = 0.0f;
    int step = traversal.first;
    while (step < traversal.end && depth < deepest) {
        float length;
        const float distance = step_midpoint(&traversal, step, &length);
        const SamplePoint sample = sample_point(&traversal, medium, distance);
        if (medium->skip_empty && is_empty(medium, &sample)) {
            step = skip_macro_cell(&traversal, &sample, step);
            continue;
        }
        step++;
        depth += length * extinction_at(medium, &sample);
    }
    return brume_fast_exp(-depth);
}

float brume_march_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit)
{
    return transmittance_in(&lit->medium, lit->settings.step, ray, limit);
}

float brume_shadow_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit)
{
    return transmittance_in(brume_lit_medium_shading(lit), lit->settings.step, ray, limit);
}

float brume_march_to_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, float transmittance)
{
    const BrumeGridMedium *medium = &lit->medium;
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, lit->settings.step, 0.0f)) {
        return INFINITY;
    }
    float remaining = -brume_lnf(transmittance); // optical depth
    for (int step = traversal.first; step < traversal.end; step++) {
        float length;
        const float distance = step_midpoint(&traversal, step, &length);
        const SamplePoint sample = sample_point(&traversal, medium, distance);
        const float extinction = extinction_at(medium, &sample);
        if (length > 0.0f && extinction * length >= remaining) {
            return medium->dx * (traversal.enter + distance - 0.5f * length + remaining / extinction);
        }
        remaining -= extinction * brume_max(length, 0.0f);
    }
    return INFINITY;
}

float brume_march_weights(const BrumeLitMedium *lit, const BrumeRay *ray, float limit,
                          void (*add)(void *context, float distance, float weight), void *context)
{
    const BrumeGridMedium *medium = &lit->medium;
    float transmittance = 1.0f;
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, lit->settings.step, 0.0f)) {
        return transmittance;
    }
    for (int step = traversal.first; step < traversal.end && transmittance > opaque; step++) {
        float length;
        const float distance = step_midpoint(&traversal, step, &length);
        const SamplePoint sample = sample_point(&traversal, medium, distance);
        const float extinction = length > 0.0f ? extinction_at(medium, &sample) : 0.0f;
        if (extinction > 0.0f) {
            const float left = transmittance * brume_fast_exp(-extinction * length);
            add(context, medium->dx * (traversal.enter + distance), transmittance - left);
            transmittance = left;
        }
    }
    return transmittance;
}
