/**
 * @file light_source.h
 * The light that arrives from a light source, unoccluded: its direction and strength, and points and directions of
 * sources that have a size. All renderers share these definitions.
 *
 * A sun whose disc has the angular radius a has the same radiance L everywhere on it. Its intensity is the irradiance
 * on a surface that faces it, E = L pi sin^2 a. A volume receives L times the solid angle of the disc, 2 pi L (1 - cos
 * a) = E 2 / (1 + cos a).
 *
 * A rectangle of area A has the radiance L on the side of its normal; its intensity is its radiant power, pi A L. A
 * volume receives L times the solid angle of the rectangle, by the formula of van Oosterom and Strackee, "The Solid
 * Angle of a Plane Triangle", IEEE Transactions on Biomedical Engineering 30(2), 1983, for its two triangles.
 */
#ifndef BRUME_RAYMARCH_LIGHT_LIGHT_SOURCE_H
#define BRUME_RAYMARCH_LIGHT_LIGHT_SOURCE_H

#include "brume/render_settings.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <math.h>
#include <stdbool.h>

/** Shadow rays of a sample on a surface towards a light that has a size. */
enum { BRUME_SHADOW_RAYS = 4 };

/** 1 - cosine of the half of an angle [degrees]: the height of a cap of the unit sphere; accurate for small angles. */
static inline float brume_cap_height(float angle)
{
    const float sine = brume_sinf(angle * (BRUME_PI / 720.0f));
    return 2.0f * sine * sine;
}

/** The direction at a place (u, v) in [0, 1)^2 of the cap of this height around the unit vector `axis`; uniform. */
static inline BrumeVec3 brume_cap_direction(BrumeVec3 axis, float height, float u, float v)
{
    // an orthonormal basis: Duff et al., Journal of Computer Graphics Techniques 6(1), 2017
    const float sign = copysignf(1.0f, axis.z);
    const float a = -1.0f / (sign + axis.z);
    const float b = axis.x * axis.y * a;
    const BrumeVec3 s = brume_vec3(1.0f + sign * axis.x * axis.x * a, sign * b, -sign * axis.x);
    const BrumeVec3 t = brume_vec3(b, sign + axis.y * axis.y * a, -axis.y);
    const float below = u * height;
    const float sine = sqrtf(brume_fmaxf(0.0f, below * (2.0f - below)));
    const float azimuth = 2.0f * BRUME_PI * v;
    const BrumeVec3 across =
        brume_add(brume_scale(s, sine * brume_cosf(azimuth)), brume_scale(t, sine * brume_sinf(azimuth)));
    return brume_add(brume_scale(axis, 1.0f - below), across);
}

/** A light with values that its evaluation computes from its settings. */
typedef struct BrumeLightSource {
    BrumeLight light; ///< its direction is of unit length
    bool soft;        ///< it has a size, which makes its shadows soft
    /**
     * The factor of the color: of a directional light the irradiance of its whole disc [W/m^2], summed over its
     * directions without cosines; of a point light and a spot radiant intensity [W/sr]; of a rectangle radiance times
     * area [W/sr].
     */
    float strength;
    float cap_height;             ///< directional: of its disc
    float cosine_edge, cosine_in; ///< spot: of the angles from the axis at which its light ends and begins to fade
    BrumeVec3 across, along;      ///< rectangle: half of its width and of its height, as vectors [m]
    float area;                   ///< rectangle [m^2]
} BrumeLightSource;

/** Sets the vectors of a rectangle. */
static inline void brume_rectangle_frame(BrumeLightSource *source)
{
    const BrumeLight *light = &source->light;
    BrumeVec3 across = brume_cross(light->up, light->direction);
    const float sine = brume_length(across);
    if (!(sine > 1e-4f * brume_length(light->up))) {
        const bool faces_z = fabsf(light->direction.z) > 0.9f;
        across = brume_cross(faces_z ? brume_vec3(1.0f, 0.0f, 0.0f) : brume_vec3(0.0f, 0.0f, 1.0f), light->direction);
    }
    across = brume_normalize(across);
    source->across = brume_scale(across, 0.5f * light->width);
    source->along = brume_scale(brume_cross(light->direction, across), 0.5f * light->height);
    source->area = light->width * light->height;
}

/** A light whose direction is of unit length. */
static inline BrumeLightSource brume_light_source(const BrumeLight *light)
{
    BrumeLightSource source = {.light = *light, .strength = light->intensity};
    if (light->kind == BRUME_LIGHT_DIRECTIONAL && light->angle > 0.0f) {
        source.soft = true;
        source.cap_height = brume_cap_height(light->angle);
        source.strength = light->intensity * (2.0f / (2.0f - source.cap_height));
    }
    if (light->kind == BRUME_LIGHT_SPOT) {
        source.cosine_edge = 1.0f - brume_cap_height(light->angle);
        source.cosine_in = 1.0f - brume_cap_height((1.0f - light->blend) * light->angle);
    }
    if (light->kind == BRUME_LIGHT_RECTANGLE) {
        source.soft = true;
        source.strength = light->intensity / BRUME_PI;
        brume_rectangle_frame(&source);
    }
    return source;
}

/**
 * The share of a spot's intensity at an angle of this cosine from its axis: smoothstep from the edge of the cone, where
 * it is 0, to the cone of (1 - blend) times its angle, inside of which it is 1.
 */
static inline float brume_spot_share(const BrumeLightSource *source, float cosine)
{
    if (!(cosine < source->cosine_in)) {
        return 1.0f;
    }
    if (!(cosine > source->cosine_edge)) {
        return 0.0f;
    }
    const float t = (cosine - source->cosine_edge) / (source->cosine_in - source->cosine_edge);
    return t * t * (3.0f - 2.0f * t);
}

/** The point [m] of a rectangle at the place (u, v) in [0, 1]^2. */
static inline BrumeVec3 brume_rectangle_point(const BrumeLightSource *source, float u, float v)
{
    return brume_add(source->light.position, brume_add(brume_scale(source->across, 2.0f * u - 1.0f),
                                                       brume_scale(source->along, 2.0f * v - 1.0f)));
}

/** The light of a whole rectangle at a point, unoccluded. */
typedef struct BrumeRectangleLight {
    BrumeVec3 towards; ///< mean direction towards the light, of unit length
    float cap_height;  ///< of the cap of the unit sphere that has the solid angle of the light; 0 behind it
    float irradiance;  ///< summed over its directions without cosines, without the color [W/m^2]; 0 behind it
} BrumeRectangleLight;

/** The solid angle [sr] of a triangle, from the vectors to its corners and the product of these. */
static inline float brume_triangle_angle(BrumeVec3 a, BrumeVec3 b, BrumeVec3 c, float product)
{
    const float la = brume_length(a);
    const float lb = brume_length(b);
    const float lc = brume_length(c);
    const float scale = la * lb * lc + brume_dot(a, b) * lc + brume_dot(a, c) * lb + brume_dot(b, c) * la;
    return 2.0f * brume_atan2f(product, scale);
}

/** The light of a rectangle at a `point` [m]. The directions are toward four points (Gauss-Legendre, 2 x 2). */
static inline BrumeRectangleLight brume_rectangle_light(const BrumeLightSource *source, BrumeVec3 point)
{
    const BrumeVec3 from = brume_sub(source->light.position, point);
    const float height = -brume_dot(from, source->light.direction); // of the point above the rectangle
    BrumeRectangleLight light = {.towards = brume_scale(source->light.direction, -1.0f)};
    if (!(height > 0.0f)) {
        return light;
    }
    const BrumeVec3 lower = brume_sub(from, source->along);
    const BrumeVec3 upper = brume_add(from, source->along);
    const BrumeVec3 a = brume_sub(lower, source->across);
    const BrumeVec3 b = brume_add(lower, source->across);
    const BrumeVec3 c = brume_add(upper, source->across);
    const BrumeVec3 d = brume_sub(upper, source->across);
    const float product = height * source->area; // of the corners of each triangle
    const float angle = brume_triangle_angle(a, b, c, product) + brume_triangle_angle(a, c, d, product);
    BrumeVec3 sum = {0};
    for (int n = 0; n < 4; n++) {
        const BrumeVec3 to = brume_add(from, brume_add(brume_scale(source->across, n % 2 == 0 ? -0.57735f : 0.57735f),
                                                       brume_scale(source->along, n < 2 ? -0.57735f : 0.57735f)));
        const float square = brume_dot(to, to);
        // a unit vector times 1 / distance^3, its weight in the solid angle; the cosine has the same height
        sum = brume_add(sum, brume_scale(to, 1.0f / (square * square)));
    }
    light.towards = brume_normalize(sum);
    light.cap_height = angle / (2.0f * BRUME_PI);
    light.irradiance = source->strength / source->area * angle;
    return light;
}

/** The light that arrives at a point from one place of a light, as if all of its light came from there. */
typedef struct BrumeLightRay {
    BrumeVec3 towards; ///< the light, of unit length
    float distance;    ///< [m], INFINITY for a directional light
    float irradiance;  ///< on a surface that faces it, without the color [W/m^2]
} BrumeLightRay;

/**
 * The light at a `point` [m] from the place (u, v) in [0, 1)^2 of a light; closer than `nearest` [m], as from a point
 * light or a spot is as at this distance. The mean over all places is exact. False where no light arrives.
 */
static inline bool brume_light_ray(const BrumeLightSource *source, BrumeVec3 point, float u, float v, float nearest,
                                   BrumeLightRay *ray)
{
    const BrumeLight *light = &source->light;
    if (light->kind == BRUME_LIGHT_DIRECTIONAL) {
        const BrumeVec3 middle = brume_scale(light->direction, -1.0f);
        ray->towards = source->soft ? brume_cap_direction(middle, source->cap_height, u, v) : middle;
        ray->distance = INFINITY;
        ray->irradiance = source->strength;
        return true;
    }
    const bool is_rectangle = light->kind == BRUME_LIGHT_RECTANGLE;
    const BrumeVec3 place = is_rectangle ? brume_rectangle_point(source, u, v) : light->position;
    const BrumeVec3 to_light = brume_sub(place, point);
    ray->distance = brume_length(to_light);
    if (!(ray->distance > 0.0f)) {
        return false;
    }
    ray->towards = brume_scale(to_light, 1.0f / ray->distance);
    const float apart = is_rectangle ? ray->distance : brume_max(ray->distance, nearest);
    ray->irradiance = source->strength / (apart * apart);
    if (light->kind == BRUME_LIGHT_SPOT) {
        ray->irradiance *= brume_spot_share(source, -brume_dot(ray->towards, light->direction));
        return ray->irradiance > 0.0f;
    }
    if (is_rectangle) {
        const float cosine = -brume_dot(ray->towards, light->direction);
        ray->irradiance *= cosine;
        return cosine > 0.0f;
    }
    return true;
}

/** Distance [m] at which a ray [m] with a direction of unit length meets the shining side of a rectangle, or INFINITY.
 */
static inline float brume_rectangle_distance(const BrumeLightSource *source, BrumeVec3 origin, BrumeVec3 direction)
{
    const BrumeVec3 from = brume_sub(source->light.position, origin);
    const float speed = brume_dot(direction, source->light.direction);
    const float distance = brume_dot(from, source->light.direction) / speed;
    if (!(speed < 0.0f) || !(distance > 0.0f)) {
        return INFINITY;
    }
    const BrumeVec3 at = brume_sub(brume_scale(direction, distance), from);
    const bool inside = fabsf(brume_dot(at, source->across)) <= brume_dot(source->across, source->across) &&
                        fabsf(brume_dot(at, source->along)) <= brume_dot(source->along, source->along);
    return inside ? distance : INFINITY;
}

/**
 * The place in [0, 1)^2 of the `ray`-th shadow ray of a sample towards a light that has a size. The places of all
 * values of the jitter lie on a line that winds evenly through the square; the values of one sample are spread along
 * it. With 109 turns the places of successive samples, whose jitter advances by 0.7549, form a rank-1 lattice too.
 */
static inline void brume_shadow_place(float jitter, int ray, float *u, float *v)
{
    *u = brume_fminf(((float)ray + jitter) / (float)BRUME_SHADOW_RAYS, 0x1.fffffep-1f);
    *v = 109.0f * *u - floorf(109.0f * *u);
}

#endif
