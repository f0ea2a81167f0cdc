#include "raymarch/light/skylight.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"

#include <math.h>
#include <string.h>

// radiance of an unshadowed ground under the directional lights, given the sky's irradiance / pi
static BrumeVec3 ground_radiance(const BrumeRenderSettings *settings, BrumeVec3 from_sky)
{
    BrumeVec3 irradiance = from_sky; // / pi
    for (int n = 0; n < settings->light_count; n++) {
        const BrumeLight *light = &settings->lights[n];
        if (light->kind == BRUME_LIGHT_DIRECTIONAL) {
            const float over_pi = light->intensity * brume_max(0.0f, -light->direction.y) / BRUME_PI;
            irradiance = brume_add(irradiance, brume_scale(light->color, over_pi));
        }
    }
    return brume_mul(brume_ground_mean_albedo(settings), irradiance);
}

// radiance that arrives from the direction `towards` points to; below the horizon the radiance of the ground, where
// there is one
static BrumeVec3 incident_radiance(const BrumeRenderSettings *settings, BrumeVec3 towards, BrumeVec3 ground)
{
    return settings->ground && towards.y < 0.0f ? ground : brume_sky_radiance(settings, towards);
}

// irradiance / pi on a surface whose unit normal has the height `y`: the cosine-weighted mean over its hemisphere
static BrumeVec3 unoccluded_irradiance(const BrumeRenderSettings *settings, float y, BrumeVec3 ground)
{
    enum { RINGS = 24, POINTS = 48 };
    const float x = sqrtf(brume_max(0.0f, 1.0f - y * y));
    float azimuth_cos[POINTS];
    float azimuth_sin[POINTS];
    for (int point = 0; point < POINTS; point++) {
        const float azimuth = 2.0f * BRUME_PI * ((float)point + 0.5f) / POINTS;
        azimuth_cos[point] = brume_cosf(azimuth);
        azimuth_sin[point] = brume_sinf(azimuth);
    }
    double sum[3] = {0.0};
    for (int ring = 0; ring < RINGS; ring++) {
        // rings of equal cosine-weighted area around the normal
        const float cosine = sqrtf(((float)ring + 0.5f) / RINGS);
        const float sine = sqrtf(1.0f - cosine * cosine);
        for (int point = 0; point < POINTS; point++) {
            const float c = azimuth_cos[point];
            const BrumeVec3 towards =
                brume_vec3(x * cosine - y * sine * c, y * cosine + x * sine * c, sine * azimuth_sin[point]);
            const BrumeVec3 light = incident_radiance(settings, towards, ground);
            sum[0] += light.x;
            sum[1] += light.y;
            sum[2] += light.z;
        }
    }
    const double count = RINGS * POINTS;
    return brume_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// integrates an image, unless the present integrals are of the same
static BrumeStatus integrate_image(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error)
{
    if (sky->is_image && sky->above_ground == settings->ground &&
        memcmp(&sky->sky, &settings->sky, sizeof sky->sky) == 0) {
        return BRUME_OK;
    }
    BrumeVec3 towards[BRUME_ORDINATES];
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        towards[n] = brume_scale(brume_ordinate(n).direction, -1.0f);
    }
    const BrumeStatus status =
        brume_sky_integrate(&sky->integrals, settings, towards, BRUME_ORDINATES, sky->image_means, error);
    if (status == BRUME_OK) {
        static uint64_t images; // so far
        if (!sky->is_image || memcmp(&sky->sky.image, &settings->sky.image, sizeof sky->sky.image) != 0) {
            sky->serial = __atomic_add_fetch(&images, 1, __ATOMIC_RELAXED);
        }
        sky->sky = settings->sky;
        sky->above_ground = settings->ground;
        sky->is_image = true;
    }
    return status;
}

// Sets the incident light of each ordinate to the mean over the directions that are closer to it than to any other, of
// many spread evenly over the sphere, so that no small bright part of the sky is missed.
static void average_over_ordinates(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeVec3 ground)
{
    enum { POINTS = 4096 };
    int counts[BRUME_ORDINATES] = {0};
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        sky->incident[n] = brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const double golden_angle = 2.39996322972865332;
    for (int point = 0; point < POINTS; point++) {
        const double y = 1.0 - (2.0 * point + 1.0) / POINTS;
        const double radius = sqrt(1.0 - y * y);
        const BrumeVec3 travel = brume_vec3((float)(radius * brume_cos(golden_angle * point)), (float)y,
                                            (float)(radius * brume_sin(golden_angle * point)));
        int nearest = 0;
        float largest = -1.0f;
        for (int n = 0; n < BRUME_ORDINATES; n++) {
            const float cosine = brume_dot(travel, brume_ordinate(n).direction);
            // directions are not averaged across the horizon, where the radiance jumps
            const bool same_side = (travel.y < 0.0f) == (n < BRUME_DOWNWARD_ORDINATES);
            if (same_side && cosine > largest) {
                largest = cosine;
                nearest = n;
            }
        }
        const BrumeVec3 radiance = incident_radiance(settings, brume_scale(travel, -1.0f), ground);
        sky->incident[nearest] = brume_add(sky->incident[nearest], radiance);
        counts[nearest]++;
    }
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        sky->incident[n] = brume_scale(sky->incident[n], 1.0f / (float)counts[n]);
    }
}

BrumeStatus brume_skylight_set_settings(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error)
{
    const BrumeVec3 dark = {0};
    if (settings->sky.kind == BRUME_SKY_IMAGE) {
        if (integrate_image(sky, settings, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        const BrumeVec3 upwards = brume_sky_irradiance(&sky->integrals, brume_vec3(0.0f, 1.0f, 0.0f));
        sky->irradiance_by_height[BRUME_IRRADIANCE_ENTRIES - 1] = upwards;
        sky->ground = settings->ground ? ground_radiance(settings, upwards) : dark;
        for (int n = 0; n < BRUME_ORDINATES; n++) {
            const BrumeOrdinate ordinate = brume_ordinate(n);
            const bool from_ground = settings->ground && ordinate.direction.y > 0.0f;
            // the integrals have equal weights
            const BrumeVec3 of_image = brume_scale(sky->image_means[n], 1.0f / (BRUME_ORDINATES * ordinate.weight));
            sky->incident[n] = from_ground ? sky->ground : of_image;
        }
        return BRUME_OK;
    }
    sky->is_image = false;
    const BrumeVec3 ground = ground_radiance(settings, unoccluded_irradiance(settings, 1.0f, dark));
    for (int n = 0; n < BRUME_IRRADIANCE_ENTRIES; n++) {
        sky->irradiance_by_height[n] =
            unoccluded_irradiance(settings, 2.0f * (float)n / (BRUME_IRRADIANCE_ENTRIES - 1) - 1.0f, ground);
    }
    average_over_ordinates(sky, settings, ground);
    return BRUME_OK;
}

BrumeVec3 brume_skylight_irradiance(const BrumeSkylight *sky, BrumeVec3 normal)
{
    if (sky->is_image) {
        const BrumeVec3 from_ground = brume_scale(sky->ground, 0.5f * (1.0f - brume_clamp(normal.y, -1.0f, 1.0f)));
        return brume_add(brume_sky_irradiance(&sky->integrals, normal), from_ground);
    }
    const float at = (brume_min(brume_max(normal.y, -1.0f), 1.0f) + 1.0f) * (0.5f * (BRUME_IRRADIANCE_ENTRIES - 1));
    const int n = (int)at < BRUME_IRRADIANCE_ENTRIES - 2 ? (int)at : BRUME_IRRADIANCE_ENTRIES - 2;
    const float f = at - (float)n;
    return brume_add(brume_scale(sky->irradiance_by_height[n], 1.0f - f),
                     brume_scale(sky->irradiance_by_height[n + 1], f));
}
