#include "raymarch/ground.h"

#include "core/random.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground_image.h"

#include <math.h>

static const float pixel_angle = 1e-3f; // [rad]

enum { NOISE_OCTAVES = 4 };

// The mean of a square wave, 1 and -1 for one unit each, between x - width / 2 and x + width / 2: the difference of its
// integral, a triangle wave, at both ends.
static float square_wave_mean(float x, float width)
{
    const float from = 0.5f * (x - 0.5f * width);
    const float to = 0.5f * (x + 0.5f * width);
    const float integral_from = 1.0f - fabsf(1.0f - 2.0f * (from - floorf(from)));
    const float integral_to = 1.0f - fabsf(1.0f - 2.0f * (to - floorf(to)));
    return (integral_to - integral_from) / width;
}

// fraction of the first albedo; coordinates and widths in sides of a square
static float checker(float x, float z, float width_x, float width_z)
{
    return 0.5f + 0.5f * square_wave_mean(x, width_x) * square_wave_mean(z, width_z);
}

static float lattice_value(int i, int k, uint32_t seed)
{
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)k, seed));
}

// value noise: random numbers on a lattice, interpolated by smoothsteps
static float value_noise(float x, float z, uint32_t seed)
{
    const float floor_x = floorf(x);
    const float floor_z = floorf(z);
    const int i = (int)floor_x;
    const int k = (int)floor_z;
    const float tx = x - floor_x;
    const float tz = z - floor_z;
    const float wx = tx * tx * (3.0f - 2.0f * tx);
    const float wz = tz * tz * (3.0f - 2.0f * tz);
    const float near_row = lattice_value(i, k, seed) * (1.0f - wx) + lattice_value(i + 1, k, seed) * wx;
    const float far_row = lattice_value(i, k + 1, seed) * (1.0f - wx) + lattice_value(i + 1, k + 1, seed) * wx;
    return near_row * (1.0f - wz) + far_row * wz;
}

// octaves of half the wavelength and half the amplitude; one that is shorter than the width is replaced by its mean
static float ground_noise(float x, float z, float width)
{
    float sum = 0.0f;
    float amplitude = 8.0f / 15.0f;
    float frequency = 1.0f;
    for (uint32_t octave = 0; octave < NOISE_OCTAVES; octave++) {
        const float resolved = brume_clamp(1.0f / (width * frequency) - 1.0f, 0.0f, 1.0f);
        const float noise = value_noise(x * frequency, z * frequency, octave);
        sum += amplitude * (0.5f + resolved * (noise - 0.5f));
        amplitude *= 0.5f;
        frequency *= 2.0f;
    }
    return sum;
}

static BrumeVec3 mix_albedos(const BrumeRenderSettings *settings, float first)
{
    return brume_add(brume_scale(settings->ground_albedo, first), brume_scale(settings->ground_albedo_2, 1.0f - first));
}

BrumeVec3 brume_ground_albedo(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 direction, float distance)
{
    if (settings->ground_pattern == BRUME_GROUND_PLAIN) {
        return settings->ground_albedo;
    }
    if (settings->ground_pattern == BRUME_GROUND_IMAGE) {
        const float width = brume_max(distance * pixel_angle, 1e-6f);
        return brume_ground_image_albedo(settings, point, direction, width,
                                         width / brume_max(fabsf(direction.y), 1e-6f));
    }
    const float per_metre = 1.0f / settings->ground_scale;
    const float x = point.x * per_metre;
    const float z = point.z * per_metre;
    // the pixel's footprint is stretched along the horizontal part of the direction
    const float across = brume_max(distance * pixel_angle * per_metre, 1e-4f);
    const float level = brume_max(sqrtf(direction.x * direction.x + direction.z * direction.z), 1e-6f);
    const float stretch = 1.0f / brume_max(fabsf(direction.y), 1e-6f);
    const float along_x = fabsf(direction.x) / level;
    const float along_z = fabsf(direction.z) / level;
    const float width_x = across * brume_max(along_x * stretch + along_z, 1.0f);
    const float width_z = across * brume_max(along_z * stretch + along_x, 1.0f);
    return mix_albedos(settings, settings->ground_pattern == BRUME_GROUND_CHECKER
                                     ? checker(x, z, width_x, width_z)
                                     : ground_noise(x, z, brume_max(width_x, width_z)));
}

BrumeVec3 brume_ground_mean_albedo(const BrumeRenderSettings *settings)
{
    switch (settings->ground_pattern) {
    case BRUME_GROUND_PLAIN:
        return settings->ground_albedo;
    case BRUME_GROUND_IMAGE:
        return brume_ground_image_mean(&settings->ground_image);
    default:
        return mix_albedos(settings, 0.5f);
    }
}
