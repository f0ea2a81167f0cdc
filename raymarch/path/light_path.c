// A path starts at the camera. At every collision and every surface the lights are sampled (next-event estimation), and
// the path goes on in a direction of the phase function or of the surface's cosine lobe. Both strategies reach lights
// with a size and the sky; their contributions are weighted by the balance heuristic (Veach and Guibas, SIGGRAPH 1995).
// An even sky is not sampled.
#include "raymarch/path/light_path.h"

#include "core/elementary.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/ground.h"
#include "raymarch/light/skylight.h"
#include "raymarch/path/tracking.h"
#include "raymarch/surface_albedo.h"

#include <stdbool.h>

// A vertex of a path, at which light is scattered by smoke or reflected by a surface.
typedef struct Vertex {
    BrumeVec3 point;    // [m]; slightly above a surface
    BrumeVec3 incoming; // direction of the ray that arrived here
    BrumeVec3 normal;   // of a surface, on the side of the incoming ray
    bool is_surface;
    const BrumePhaseLobes *phase; // of a collision
} Vertex;

// a sky that is more even than that is found by scattering alone: samples of its light take longer than they save
static const float least_concentration = 2.0f;

// paths of less throughput end at random
static const float least_throughput = 0.0625f;

BrumePathScene brume_path_scene(const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                                const BrumeSkyDistribution *sky, int bounces)
{
    BrumePathScene scene = {
        .medium = medium,
        .shading = medium,
        .settings = settings,
        .sky = sky,
        .samples_sky = sky->concentration > least_concentration,
        .phase = brume_phase_lobes(settings),
        .bounces = bounces,
        .lower = medium->origin,
        .upper = brume_add(medium->origin, brume_scale(brume_grid_extent(medium->grid), medium->dx)),
        .side = medium->dx * (float)brume_grid_longest_side(medium->grid),
        .near_light = 0.5f * medium->dx,
    };
    for (int n = 0; n < settings->light_count; n++) {
        scene.sources[n] = brume_light_source(&settings->lights[n]);
    }
    return scene;
}

// The density [1/sr] with which a path goes on from a vertex in a direction. Both lobes are sampled exactly, so it is
// also the radiance that the vertex, with an albedo of 1, scatters into the ray per irradiance from that direction.
static float scattering_density(const Vertex *vertex, BrumeVec3 towards)
{
    if (vertex->is_surface) {
        return brume_max(brume_dot(vertex->normal, towards), 0.0f) / BRUME_PI;
    }
    return brume_phase_at(vertex->phase, brume_dot(vertex->incoming, towards));
}

// Two unit vectors that are orthogonal to the unit vector `w` and to each other (Duff et al., "Building an Orthonormal
// Basis, Revisited", Journal of Computer Graphics Techniques 6(1), 2017).
static void orthonormal_basis(BrumeVec3 w, BrumeVec3 *u, BrumeVec3 *v)
{
    const float sign = copysignf(1.0f, w.z);
    const float a = -1.0f / (sign + w.z);
    const float b = w.x * w.y * a;
    *u = brume_vec3(1.0f + sign * w.x * w.x * a, sign * b, -sign * w.x);
    *v = brume_vec3(b, sign + w.y * w.y * a, -w.y);
}

// a unit vector at an angle of this cosine to the unit vector `axis`
static BrumeVec3 direction_around(BrumeVec3 axis, float cosine, float turn)
{
    BrumeVec3 u;
    BrumeVec3 v;
    orthonormal_basis(axis, &u, &v);
    const float sine = sqrtf(brume_max(0.0f, 1.0f - cosine * cosine));
    float along_u;
    float along_v;
    brume_fast_cos_sin(turn, &along_u, &along_v);
    const BrumeVec3 across = brume_add(brume_scale(u, sine * along_u), brume_scale(v, sine * along_v));
    return brume_normalize(brume_add(brume_scale(axis, cosine), across));
}

// a direction in which the path goes on from a vertex, with the density scattering_density
static BrumeVec3 sample_scattering(const Vertex *vertex, BrumePair random)
{
    if (vertex->is_surface) {
        return direction_around(vertex->normal, sqrtf(1.0f - random.u), random.v);
    }
    return direction_around(vertex->incoming, brume_phase_sample(vertex->phase, random.u), random.v);
}

// fraction of the light along a ray [m] that arrives from `distance` [m]; an estimate
static float visibility(const BrumePathScene *scene, const BrumeRay *ray, float distance, BrumePathSampler *sampler)
{
    if (brume_surface_before(scene->settings, ray, distance, sampler->time)) {
        return 0.0f;
    }
    return brume_track_transmittance(scene->shading, ray, distance, sampler);
}

// the density [1/sr] with which brume_light_ray is in a direction of a light that has a size, for random places; of a
// rectangle at a `distance` [m] in that direction
static float light_density(const BrumeLightSource *source, BrumeVec3 towards, float distance)
{
    if (source->light.kind == BRUME_LIGHT_RECTANGLE) {
        return distance * distance / (source->area * brume_max(-brume_dot(towards, source->light.direction), 1e-6f));
    }
    return 1.0f / (2.0f * BRUME_PI * source->cap_height);
}

// The radiance that a vertex scatters, per albedo, from a point of one light. A direction towards a light of some size
// can also be chosen by scattering (light_on_ray); the balance heuristic weights the two.
static BrumeVec3 light_from(const BrumePathScene *scene, const BrumeLightSource *source, const Vertex *vertex,
                            BrumePathSampler *sampler)
{
    const BrumePair place = source->soft ? brume_path_pair(sampler) : (BrumePair){0.0f, 0.0f};
    const float nearest = vertex->is_surface ? 0.0f : scene->near_light;
    BrumeLightRay from;
    if (!brume_light_ray(source, vertex->point, place.u, place.v, nearest, &from)) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    float density = scattering_density(vertex, from.towards);
    if (!(density > 0.0f)) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    if (source->soft) {
        const float of_light = light_density(source, from.towards, from.distance);
        density *= of_light / (of_light + density);
    }
    const BrumeRay ray = {vertex->point, from.towards};
    return brume_scale(source->light.color,
                       from.irradiance * density * visibility(scene, &ray, from.distance, sampler));
}

// The radiance of the lights that a ray of scattered light reaches before `distance` [m], as far as its direction was
// chosen by scattering, with this density, times the throughput; it is added to `parts` unless NULL.
static BrumeVec3 light_on_ray(const BrumePathScene *scene, const BrumeRay *ray, float distance, float density,
                              BrumeVec3 throughput, BrumeRayParts *parts)
{
    BrumeVec3 radiance = {0};
    for (int n = 0; n < scene->settings->light_count; n++) {
        const BrumeLightSource *source = &scene->sources[n];
        if (!source->soft) {
            continue;
        }
        float at = INFINITY; // of the rectangle on the ray
        float emitted = 0.0f;
        if (source->light.kind == BRUME_LIGHT_RECTANGLE) {
            at = brume_rectangle_distance(source, ray->origin, ray->direction);
            emitted = at < distance ? source->strength / source->area : 0.0f;
        } else {
            const BrumeVec3 apart = brume_add(ray->direction, source->light.direction); // its square is 2 (1 - cosine)
            const bool seen = distance == INFINITY && 0.5f * brume_dot(apart, apart) < source->cap_height;
            emitted = seen ? source->strength / (2.0f * BRUME_PI * source->cap_height) : 0.0f;
        }
        if (emitted > 0.0f) {
            const float weight = density / (density + light_density(source, ray->direction, at));
            const BrumeVec3 seen = brume_mul(throughput, brume_scale(source->light.color, weight * emitted));
            radiance = brume_add(radiance, seen);
            if (parts != NULL) {
                brume_add_part(&parts->lights[n], seen, 1.0f);
            }
        }
    }
    return radiance;
}

// The radiance that a vertex scatters, per albedo, from a direction chosen by the sky's radiance, weighted by the
// balance heuristic as in light_from.
static BrumeVec3 light_from_sky(const BrumePathScene *scene, const Vertex *vertex, BrumePathSampler *sampler)
{
    float sky_density;
    const BrumeVec3 towards = brume_sky_sample(scene->sky, brume_path_pair(sampler), &sky_density);
    const float density = scattering_density(vertex, towards);
    if (!(sky_density > 0.0f) || !(density > 0.0f)) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const BrumeRay ray = {vertex->point, towards};
    const float weight = density / (sky_density + density);
    return brume_scale(brume_sky_radiance(scene->settings, towards),
                       weight * visibility(scene, &ray, INFINITY, sampler));
}

// radiance that a vertex scatters, per albedo, from all lights; times the throughput, it is added to `parts` unless
// NULL
static BrumeVec3 direct_light(const BrumePathScene *scene, const Vertex *vertex, BrumePathSampler *sampler,
                              BrumeVec3 throughput, BrumeRayParts *parts)
{
    BrumeVec3 light = {0};
    if (scene->samples_sky) {
        light = light_from_sky(scene, vertex, sampler);
        if (parts != NULL) {
            brume_add_part(&parts->sky, brume_mul(throughput, light), 1.0f);
        }
    }
    for (int n = 0; n < scene->settings->light_count; n++) {
        const BrumeVec3 from = light_from(scene, &scene->sources[n], vertex, sampler);
        light = brume_add(light, from);
        if (parts != NULL) {
            brume_add_part(&parts->lights[n], brume_mul(throughput, from), 1.0f);
        }
    }
    return light;
}

// the vertex at a surface that a ray hits, and its albedo
static Vertex surface_vertex(const BrumePathScene *scene, const BrumeRay *ray, BrumeSurfaceHit hit, BrumeVec3 *albedo)
{
    const BrumeRenderSettings *settings = scene->settings;
    BrumeVec3 point = brume_ray_at(ray, hit.distance);
    BrumeVec3 normal = brume_vec3(0.0f, 1.0f, 0.0f);
    if (hit.surface == BRUME_HIT_GROUND) {
        point.y = settings->ground_height;
        *albedo = brume_ground_albedo(settings, point, ray->direction, hit.distance);
    } else if (hit.surface <= BRUME_HIT_WALL) {
        normal = brume_wall_normal(hit.surface);
        *albedo = settings->wall_albedo;
    } else {
        const BrumeShape shape = brume_surface_shape(settings, hit.surface, hit.time);
        normal = brume_seen_normal(&shape, point, &hit.place, ray->direction);
        *albedo = brume_solid_albedo(settings, hit.surface, point, normal, hit.time, &hit.place);
    }
    if (hit.surface < 0 && brume_dot(normal, ray->direction) > 0.0f) { // the ground from below
        normal = brume_scale(normal, -1.0f);
    }
    // off the surface by far more than rounding errors and far less than a visible detail
    const BrumeVec3 above = brume_add(point, brume_scale(normal, 1e-4f * scene->side));
    return (Vertex){.point = above, .incoming = ray->direction, .normal = normal, .is_surface = true};
}

// Russian roulette: a path of little throughput ends, or goes on with as much more light. False at its end. A
// larger bound saves less time than its noise costs: a single reflection by a dark ground would end most paths.
static bool survives(BrumeVec3 *throughput, BrumePathSampler *sampler)
{
    const float largest = brume_max(throughput->x, brume_max(throughput->y, throughput->z));
    if (largest >= least_throughput) {
        return true;
    }
    if (brume_path_number(sampler) * least_throughput >= largest) {
        return false;
    }
    *throughput = brume_scale(*throughput, least_throughput / largest);
    return true;
}

// The ground as the first vertex of a path: it fades into the horizon, whose radiance is returned, or into nothing.
static BrumeVec3 see_ground(const BrumePathScene *scene, const BrumeRay *ray, float distance, BrumeFirstVertex *first,
                            BrumeRayParts *parts, BrumeVec3 *albedo, BrumeVec3 *throughput)
{
    const float fade = brume_ground_fade(distance / scene->side);
    BrumeVec3 horizon = {0};
    if (first == NULL) {
        horizon = brume_scale(brume_horizon_radiance(scene->settings, ray->direction), 1.0f - fade);
    } else {
        *first = (BrumeFirstVertex){.alpha = fade, .catches = scene->settings->ground_catcher};
    }
    if (first != NULL && first->catches) {
        *albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    } else {
        *throughput = brume_scale(*throughput, fade);
    }
    if (parts != NULL) {
        parts->sky = horizon;
    }
    return horizon;
}

BrumeVec3 brume_path_parts(const BrumePathScene *scene, const BrumeRay *camera_ray, BrumePathSampler *sampler,
                           BrumeFirstVertex *first, BrumeRayParts *parts)
{
    const BrumeRenderSettings *settings = scene->settings;
    BrumeVec3 radiance = {0};
    BrumeVec3 throughput = {1.0f, 1.0f, 1.0f};
    BrumeRay ray = *camera_ray;
    float density = 0.0f; // with which the direction of `ray` was chosen; 0 for the camera's, which samples no light
    for (int vertices = 0;; vertices++) {
        const BrumeGridMedium *medium = vertices == 0 ? scene->medium : scene->shading;
        const BrumeSurfaceHit hit =
            vertices == 0 ? brume_intersect_visible(settings, scene->lower, scene->upper, &ray, sampler->time)
                          : brume_intersect_surfaces(settings, &ray, sampler->time);
        BrumeCollision collision;
        BrumeVec3 albedo;
        Vertex vertex;
        if (vertices == 0 && first != NULL) {
            *first = (BrumeFirstVertex){.alpha = 1.0f};
        }
        const bool collides = brume_track_collision(medium, &ray, hit.distance, sampler, &collision);
        if (vertices > 0) { // the camera sees no light
            const float end =
                collides ? brume_length(brume_sub(collision.point, ray.origin)) : hit.distance; // of the ray
            radiance = brume_add(radiance, light_on_ray(scene, &ray, end, density, throughput, parts));
        }
        if (collides) {
            albedo = brume_grid_medium_albedo_at(medium, settings, collision.cells);
            if (medium->glows) {
                // the share of the absorptions among the collisions is 1 - albedo
                const BrumeVec3 emitted = brume_grid_medium_emission_at(medium, albedo, collision.cells);
                radiance = brume_add(radiance, brume_mul(throughput, emitted));
                if (parts != NULL) {
                    brume_add_part(&parts->emission, brume_mul(throughput, emitted), 1.0f);
                }
            }
            vertex = (Vertex){.point = collision.point, .incoming = ray.direction, .phase = &scene->phase};
        } else if (hit.surface == BRUME_HIT_SKY && vertices == 0 && first != NULL) {
            first->alpha = 0.0f;
            return radiance;
        } else if (hit.surface == BRUME_HIT_SKY) {
            const bool scattered_alone = vertices == 0 || !scene->samples_sky;
            const float weight =
                scattered_alone ? 1.0f : density / (density + brume_sky_density(scene->sky, ray.direction));
            const BrumeVec3 sky = brume_scale(brume_sky_radiance(settings, ray.direction), weight);
            if (parts != NULL) {
                brume_add_part(&parts->sky, brume_mul(throughput, sky), 1.0f);
            }
            return brume_add(radiance, brume_mul(throughput, sky));
        } else {
            vertex = surface_vertex(scene, &ray, hit, &albedo);
            if (hit.surface == BRUME_HIT_GROUND && vertices == 0) {
                radiance = see_ground(scene, &ray, hit.distance, first, parts, &albedo, &throughput);
            }
        }
        throughput = brume_mul(throughput, albedo);
        if (vertices > scene->bounces || !survives(&throughput, sampler)) {
            return radiance;
        }
        radiance = brume_add(radiance, brume_mul(throughput, direct_light(scene, &vertex, sampler, throughput, parts)));
        ray = (BrumeRay){vertex.point, sample_scattering(&vertex, brume_path_pair(sampler))};
        density = scattering_density(&vertex, ray.direction);
    }
}

BrumeVec3 brume_path_radiance(const BrumePathScene *scene, const BrumeRay *camera_ray, BrumePathSampler *sampler)
{
    return brume_path_parts(scene, camera_ray, sampler, NULL, NULL);
}
