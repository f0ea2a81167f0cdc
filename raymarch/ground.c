#include "raymarch/ground.h"

#include "core/parallel/simd.h"
#include "core/random.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground_image.h"

#include <math.h>

static const float pixel_angle = 1e-3f; // [rad]

enum { NOISE_OCTAVES = 4 };

// The mean of a square wave, 1 and -1 for one unit each, between x - width / 2 and x + width / 2: the difference of its
// integral, a triangle wave, at both ends.
static inline float square_wave_mean(float x, float width)
{
    const float from = 0.5f * (x - 0.5f * width);
    const float to = 0.5f * (x + 0.5f * width);
    const float integral_from = 1.0f - fabsf(1.0f - 2.0f * (from - floorf(from)));
    const float integral_to = 1.0f - fabsf(1.0f - 2.0f * (to - floorf(to)));
    return (integral_to - integral_from) / width;
}

// fraction of the first albedo; coordinates and widths in sides of a square
static inline float checker(float x, float z, float width_x, float width_z)
{
    return 0.5f + 0.5f * square_wave_mean(x, width_x) * square_wave_mean(z, width_z);
}

static inline float lattice_value(int i, int k, uint32_t seed)
{
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)k, seed));
}

// interpolation by smoothsteps between the corners (0, 0), (1, 0), (0, 1) and (1, 1) of a cell
static inline float cell_noise(float near_left, float near_right, float far_left, float far_right, float tx, float tz)
{
    const float wx = tx * tx * (3.0f - 2.0f * tx);
    const float wz = tz * tz * (3.0f - 2.0f * tz);
    const float near_row = near_left * (1.0f - wx) + near_right * wx;
    const float far_row = far_left * (1.0f - wx) + far_right * wx;
    return near_row * (1.0f - wz) + far_row * wz;
}

// value noise: random numbers on a lattice, interpolated
static inline float value_noise(float x, float z, uint32_t seed)
{
    const float floor_x = floorf(x);
    const float floor_z = floorf(z);
    const int i = (int)floor_x;
    const int k = (int)floor_z;
    return cell_noise(lattice_value(i, k, seed), lattice_value(i + 1, k, seed), lattice_value(i, k + 1, seed),
                      lattice_value(i + 1, k + 1, seed), x - floor_x, z - floor_z);
}

// how much of an octave is seen, by its width in its wavelengths
static inline float resolved_share(float width) { return brume_clamp(1.0f / width - 1.0f, 0.0f, 1.0f); }

// octaves of half the wavelength and half the amplitude; one that is shorter than the width is replaced by its mean
static float ground_noise(float x, float z, float width)
{
    float sum = 0.0f;
    float amplitude = 8.0f / 15.0f;
    float frequency = 1.0f;
    for (uint32_t octave = 0; octave < NOISE_OCTAVES; octave++) {
        const float resolved = resolved_share(width * frequency);
        const float noise = resolved > 0.0f ? value_noise(x * frequency, z * frequency, octave) : 0.5f;
        sum += amplitude * (0.5f + resolved * (noise - 0.5f));
        amplitude *= 0.5f;
        frequency *= 2.0f;
    }
    return sum;
}

// the footprint of a pixel in sides of a square: it is stretched along the horizontal part of the direction
typedef struct Footprint {
    float x, z;
} Footprint;

// the widths along x and z, in units of 1 / per_meter, of the ground that a pixel covers at a `distance` [m]
static inline Footprint pixel_footprint(BrumeVec3 direction, float distance, float per_meter)
{
    const float across = brume_max(distance * pixel_angle * per_meter, 1e-4f);
    const float level = brume_max(sqrtf(direction.x * direction.x + direction.z * direction.z), 1e-6f);
    const float stretch = 1.0f / brume_max(fabsf(direction.y), 1e-6f);
    const float along_x = fabsf(direction.x) / level;
    const float along_z = fabsf(direction.z) / level;
    return (Footprint){across * brume_max(along_x * stretch + along_z, 1.0f),
                       across * brume_max(along_z * stretch + along_x, 1.0f)};
}

// the mean of both albedos, weighted by the fraction of the first
static inline BrumeVec3 mix_albedos(const BrumeRenderSettings *settings, float first)
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
    const float per_meter = 1.0f / settings->ground_scale;
    const float x = point.x * per_meter;
    const float z = point.z * per_meter;
    const Footprint width = pixel_footprint(direction, distance, per_meter);
    return mix_albedos(settings, settings->ground_pattern == BRUME_GROUND_CHECKER
                                     ? checker(x, z, width.x, width.z)
                                     : ground_noise(x, z, brume_max(width.x, width.z)));
}

// whether all points lie in the same lattice cell along an axis
static inline bool is_one_cell(const float *at, float frequency)
{
    float least = at[0];
    float most = at[0];
#pragma omp simd reduction(min : least) reduction(max : most)
    for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
        least = at[n] < least ? at[n] : least;
        most = at[n] > most ? at[n] : most;
    }
    return floorf(least * frequency) == floorf(most * frequency);
}

// value_noise of points in one cell of the lattice, whose corners are hashed once
static inline void set_noise_in_cell(const float *x, const float *z, float frequency, uint32_t seed, float *noise)
{
    const float floor_x = floorf(x[0] * frequency);
    const float floor_z = floorf(z[0] * frequency);
    const int i = (int)floor_x;
    const int k = (int)floor_z;
    const float near_left = lattice_value(i, k, seed);
    const float near_right = lattice_value(i + 1, k, seed);
    const float far_left = lattice_value(i, k + 1, seed);
    const float far_right = lattice_value(i + 1, k + 1, seed);
#pragma omp simd
    for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
        noise[n] = cell_noise(near_left, near_right, far_left, far_right, x[n] * frequency - floor_x,
                              z[n] * frequency - floor_z);
    }
}

// The pattern at all points: fractions of the first albedo. Octaves of the noise with less than `least_amplitude` are
// replaced by their mean.
BRUME_STREAM_KERNEL static void set_fractions(const BrumeGroundPoints *points, bool is_checker, float per_meter,
                                              float least_amplitude, float fractions[BRUME_GROUND_POINTS])
{
    _Alignas(64) float x[BRUME_GROUND_POINTS];
    _Alignas(64) float z[BRUME_GROUND_POINTS];
    _Alignas(64) float widths[BRUME_GROUND_POINTS];
    _Alignas(64) float noise[BRUME_GROUND_POINTS];
    float narrowest = INFINITY;
#pragma omp simd reduction(min : narrowest)
    for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
        const BrumeVec3 direction = {points->direction[0][n], points->direction[1][n], points->direction[2][n]};
        const Footprint width = pixel_footprint(direction, points->distance[n], per_meter);
        x[n] = points->x[n] * per_meter;
        z[n] = points->z[n] * per_meter;
        widths[n] = brume_max(width.x, width.z);
        narrowest = widths[n] < narrowest ? widths[n] : narrowest;
        fractions[n] = is_checker ? checker(x[n], z[n], width.x, width.z) : 0.0f;
    }
    float amplitude = 8.0f / 15.0f;
    float frequency = 1.0f;
    for (uint32_t octave = 0; octave < NOISE_OCTAVES && !is_checker; octave++) { // ground_noise
        const bool visible = resolved_share(narrowest * frequency) > 0.0f && amplitude >= least_amplitude;
        if (!visible) {
            for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
                noise[n] = 0.5f;
            }
        } else if (is_one_cell(x, frequency) && is_one_cell(z, frequency)) {
            set_noise_in_cell(x, z, frequency, octave, noise);
        } else {
#pragma omp simd
            for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
                noise[n] = value_noise(x[n] * frequency, z[n] * frequency, octave);
            }
        }
#pragma omp simd
        for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
            fractions[n] += amplitude * (0.5f + resolved_share(widths[n] * frequency) * (noise[n] - 0.5f));
        }
        amplitude *= 0.5f;
        frequency *= 2.0f;
    }
}

void brume_ground_mixtures(const BrumeRenderSettings *settings, const BrumeGroundPoints *points, float least_amplitude,
                           float shares[BRUME_GROUND_POINTS])
{
    set_fractions(points, settings->ground_pattern == BRUME_GROUND_CHECKER, 1.0f / settings->ground_scale,
                  least_amplitude, shares);
}

void brume_ground_albedos(const BrumeRenderSettings *settings, BrumeGroundPoints *points)
{
    float fractions[BRUME_GROUND_POINTS];
    const bool has_pattern =
        settings->ground_pattern == BRUME_GROUND_CHECKER || settings->ground_pattern == BRUME_GROUND_NOISE;
    if (has_pattern) {
        set_fractions(points, settings->ground_pattern == BRUME_GROUND_CHECKER, 1.0f / settings->ground_scale, 0.0f,
                      fractions);
    }
    for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
        const BrumeVec3 point = {points->x[n], settings->ground_height, points->z[n]};
        const BrumeVec3 direction = {points->direction[0][n], points->direction[1][n], points->direction[2][n]};
        const BrumeVec3 albedo = has_pattern ? mix_albedos(settings, fractions[n])
                                             : brume_ground_albedo(settings, point, direction, points->distance[n]);
        points->albedo[0][n] = albedo.x;
        points->albedo[1][n] = albedo.y;
        points->albedo[2][n] = albedo.z;
    }
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
