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
#include "raymarch/light/light_source.h"
#include "raymarch/light/phase.h"
#include "raymarch/light/scattering.h"

enum { MACRO_SHIFT = 3 };
_Static_assert(1 << MACRO_SHIFT == BRUME_MACRO_CELL_SIDE, "the index of a macro-cell is computed by a shift");

// a march ends where the transmittance is below this
static const float opaque = 1e-4f;

// The steps of a ray through the box. Points are in cells of the padded field, distances in cells from where the ray
// enters the box.
typedef struct Traversal {
    BrumeVec3 origin, direction, inverse; ///< of the ray from its entry on; 1 / direction by component
    float enter, length;                  ///< of the entry from the ray's own origin; of the ray inside the box
    float step, before;                   ///< length of a step, and the part of the first one before the entry
    int first, end;                       ///< steps that may contain smoke: first <= step < end
} Traversal;

// the lattice cell of the padded field in which a point lies, and the point's offsets in it
typedef struct SamplePoint {
    int i, j, k;
    float fx, fy, fz;
} SamplePoint;

// false where no step can contain smoke
static bool begin_traversal(Traversal *traversal, const BrumeGridMedium *medium, const BrumeRay *ray, float limit,
                            BrumeMarchSteps steps)
{
    const float step = steps.length;
    const float per_metre = 1.0f / medium->dx;
    BrumeRay in_cells = {brume_scale(brume_sub(ray->origin, medium->origin), per_metre), ray->direction};
    const BrumeRayInterval inside =
        brume_ray_box(&in_cells, brume_vec3(0.0f, 0.0f, 0.0f), brume_grid_extent(medium->grid));
    const float enter = brume_max(inside.enter, 0.0f);
    const float leave = brume_min(inside.leave, limit * per_metre);
    if (!(enter < leave)) {
        return false;
    }
    const BrumeVec3 direction = brume_add(ray->direction, brume_vec3(0.0f, 0.0f, 0.0f)); // no -0, whose inverse is -inf
    traversal->origin = brume_add(brume_ray_at(&in_cells, enter), brume_vec3(0.5f, 0.5f, 0.5f));
    traversal->direction = direction;
    traversal->inverse = brume_vec3(1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z);
    traversal->enter = enter;
    traversal->length = leave - enter;
    traversal->step = step;
    traversal->before = step * steps.jitter;
    traversal->first = 0;
    traversal->end = (int)ceilf((traversal->length + traversal->before) / step);
    if (medium->skip_empty) {
        // there is no smoke outside the occupied box; one more step on both sides covers rounding
        const BrumeRay from_entry = {traversal->origin, traversal->direction};
        const BrumeRayInterval occupied = brume_ray_box(&from_entry, medium->occupied_lower, medium->occupied_upper);
        if (!(occupied.enter < occupied.leave) || occupied.leave < -step || occupied.enter > traversal->length + step) {
            return false;
        }
        const int first = (int)(brume_max(occupied.enter, 0.0f) / step) - 1;
        const float end = (brume_min(occupied.leave, traversal->length) + traversal->before) / step + 2.0f;
        traversal->first = first > 0 ? first : 0;
        traversal->end = traversal->end < (int)end ? traversal->end : (int)end;
    }
    return traversal->first < traversal->end;
}

// distance of the midpoint of a step, and the step's length within the box
static float step_midpoint(const Traversal *traversal, int step, float *length)
{
    const float from = brume_max((float)step * traversal->step - traversal->before, 0.0f);
    const float to = brume_min((float)(step + 1) * traversal->step - traversal->before, traversal->length);
    *length = to - from;
    return 0.5f * (from + to);
}

// rounding may move a point slightly outside the box
static float clamp_to_box(float x, int cells) { return brume_clamp(x, 0.5f, (float)cells + 0.5f); }

static SamplePoint sample_point(const Traversal *traversal, const BrumeGridMedium *medium, float distance)
{
    const float x = clamp_to_box(traversal->origin.x + distance * traversal->direction.x, medium->grid.nx);
    const float y = clamp_to_box(traversal->origin.y + distance * traversal->direction.y, medium->grid.ny);
    const float z = clamp_to_box(traversal->origin.z + distance * traversal->direction.z, medium->grid.nz);
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    return (SamplePoint){i, j, k, x - (float)i, y - (float)j, z - (float)k};
}

// moves a point to where its smoke is in the loaded volume; returns by how much [cells]
static BrumeVec3 follow_smoke(const BrumeGridMedium *medium, float time, SamplePoint *p)
{
    const BrumeVec3 half = brume_vec3(0.5f, 0.5f, 0.5f);
    const BrumeVec3 at = brume_sub(brume_vec3((float)p->i + p->fx, (float)p->j + p->fy, (float)p->k + p->fz), half);
    const BrumeVec3 origin = brume_grid_medium_origin(medium, at, time);
    const BrumeVec3 padded = brume_add(origin, half);
    const int i = (int)padded.x;
    const int j = (int)padded.y;
    const int k = (int)padded.z;
    *p = (SamplePoint){i, j, k, padded.x - (float)i, padded.y - (float)j, padded.z - (float)k};
    return brume_sub(origin, at);
}

// whether the point lies in an empty macro-cell
static bool is_empty(const BrumeGridMedium *medium, const SamplePoint *p)
{
    const ptrdiff_t row = (ptrdiff_t)(p->k >> MACRO_SHIFT) * medium->macro_cells.ny + (p->j >> MACRO_SHIFT);
    return medium->majorant[row * medium->macro_cells.nx + (p->i >> MACRO_SHIFT)] <= 0.0f;
}

// distance at which the ray leaves, along one axis, the macro-cell that contains the cell of this index
static float distance_to_face(float origin, float inverse, int cell)
{
    const int face = (cell & ~(BRUME_MACRO_CELL_SIDE - 1)) + (inverse >= 0.0f ? BRUME_MACRO_CELL_SIDE : 0);
    return ((float)face - origin) * inverse;
}

// the first step whose midpoint may lie beyond the macro-cell of a point; rounding makes it too early, never too late
static int skip_macro_cell(const Traversal *traversal, const SamplePoint *p, int step)
{
    const float x = distance_to_face(traversal->origin.x, traversal->inverse.x, p->i);
    const float y = distance_to_face(traversal->origin.y, traversal->inverse.y, p->j);
    const float z = distance_to_face(traversal->origin.z, traversal->inverse.z, p->k);
    const float leave = brume_min(x, brume_min(y, z));
    const int next = (int)((leave + traversal->before) / traversal->step - 0.6f);
    return next > step ? next : step + 1;
}

static float extinction_at(const BrumeGridMedium *medium, const SamplePoint *p)
{
    return brume_grid_medium_extinction(medium, p->i, p->j, p->k, p->fx, p->fy, p->fz);
}

// A directional light along one view ray: its lattice coordinates are affine in the distance, and the scattering angle
// is constant.
typedef struct DirectionalLightOnRay {
    float u, v, n, du, dv, dn;
    BrumePhases phases;
    BrumeVec3 irradiance;
} DirectionalLightOnRay;

static DirectionalLightOnRay directional_light_on_ray(const BrumeTransmittanceSweep *sweep,
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
    on_ray.phases = brume_phases(phase, -brume_dot(source->light.direction, traversal->direction));
    return on_ray;
}

// in-scattered radiance from the n-th light, a directional one, at a `distance` along the ray, moved by `shift` [cells]
static BrumeVec3 directional_source(const BrumeLitMedium *lit, int n, const DirectionalLightOnRay *on_ray,
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
static BrumeVec3 point_source(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 direction, BrumeVec3 albedo)
{
    const BrumeLightSource *source = &lit->sources[n];
    const BrumePointLightVolume *volume = &lit->point[n];
    const BrumeVec3 away = brume_sub(point, volume->position);
    const float cells = brume_length(away);
    const float cosine = cells > 0.0f ? -brume_dot(away, direction) / cells : 0.0f;
    // closer than half a cell, the irradiance is that at half a cell
    const float metres = lit->medium.dx * brume_max(cells, 0.5f);
    float irradiance = source->strength / (metres * metres);
    if (source->light.kind == BRUME_LIGHT_SPOT) {
        irradiance *= brume_spot_share(source, brume_dot(away, source->light.direction) / brume_max(cells, 1e-6f));
    }
    const BrumePhases phases = brume_phases(&lit->phase, cosine);
    const BrumeVec3 scattered =
        brume_scattered_once(phases, brume_point_light_at(volume, point), albedo, lit->phase.mean_cosine);
    return brume_mul(scattered, brume_scale(source->light.color, irradiance));
}

// in-scattered radiance from the n-th light, a rectangle, at a `point` [cells]; seen as one direction, but with a phase
// function that is blurred by its directions (the mean cosines of Henyey-Greenstein functions multiply)
static BrumeVec3 rectangle_source(const BrumeLitMedium *lit, int n, BrumeVec3 point, BrumeVec3 direction,
                                  BrumeVec3 albedo)
{
    const BrumeLightSource *source = &lit->sources[n];
    const BrumeVec3 metres = brume_add(lit->medium.origin, brume_scale(point, lit->medium.dx));
    const BrumeRectangleLight light = brume_rectangle_light(source, metres);
    BrumePhaseLobes blurred = lit->phase;
    blurred.g *= light.spread;
    blurred.draine_g *= light.spread;
    blurred.mean_cosine *= light.spread;
    const BrumePhases phases = brume_phases(&blurred, brume_dot(light.towards, direction));
    const BrumeVec3 scattered =
        brume_scattered_once(phases, brume_area_light_at(&lit->area[n], point), albedo, lit->phase.mean_cosine);
    return brume_mul(scattered, brume_scale(source->light.color, light.irradiance));
}

// radiance scattered into a view ray, per albedo, of the light whose moments are stored: the first two moments of the
// phase function
static BrumeVec3 moments_source(const BrumeLitMedium *lit, BrumeVec3 point, BrumeVec3 direction)
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

// brume_march_parts; `counts` is NULL in the version that does not count
BRUME_INLINE BrumeMarchResult march_counted(const BrumeLitMedium *lit, const BrumeRay *ray, float limit,
                                            BrumeMarchSteps steps, BrumeRayParts *parts, BrumeMarchCounts *counts)
{
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeRenderSettings *settings = &lit->settings;
    BrumeMarchResult march = {{0.0f, 0.0f, 0.0f}, 1.0f};
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, steps)) {
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
        BrumeVec3 source = brume_mul(albedo, moments_source(lit, point, traversal.direction));
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
    return march_counted(lit, ray, limit, steps, parts, NULL);
}

BrumeMarchResult brume_march(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, BrumeMarchSteps steps)
{
    BrumeMarchCounts *total = lit->counts;
    if (total == NULL) {
        return march_counted(lit, ray, limit, steps, NULL, NULL);
    }
    BrumeMarchCounts counts = {0};
    const BrumeMarchResult march = march_counted(lit, ray, limit, steps, NULL, &counts);
#pragma omp atomic
    total->samples += counts.samples;
#pragma omp atomic
    total->in_smoke += counts.in_smoke;
    return march;
}

float brume_march_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit)
{
    const BrumeGridMedium *medium = &lit->medium;
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, (BrumeMarchSteps){lit->settings.step, 0.5f, 0.0f})) {
        return 1.0f;
    }
    float depth = 0.0f;
    int step = traversal.first;
    while (step < traversal.end && depth < 16.0f) {
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

float brume_march_to_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, float transmittance)
{
    const BrumeGridMedium *medium = &lit->medium;
    Traversal traversal;
    if (!begin_traversal(&traversal, medium, ray, limit, (BrumeMarchSteps){lit->settings.step, 0.0f, 0.0f})) {
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
