#include "raymarch/wavelet_noise.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "raymarch/fast_math.h"

#include <math.h>
#include <string.h>

enum { SIDE = BRUME_NOISE_SIDE, HALF_SUPPORT = 16, ENTRIES = SIDE * SIDE * SIDE };

// from the paper's appendix: the best approximation of quadratic B-splines by B-splines of twice the spacing
static const float coarsening[2 * HALF_SUPPORT] = {
    0.000334f,  -0.001528f, 0.000410f,  0.003545f,  -0.000938f, -0.008233f, 0.002172f,  0.019120f,
    -0.005040f, -0.044412f, 0.011655f,  0.103311f,  -0.025936f, -0.243780f, 0.033979f,  0.655340f,
    0.655340f,  0.033979f,  -0.243780f, -0.025936f, 0.103311f,  0.011655f,  -0.044412f, -0.005040f,
    0.019120f,  0.002172f,  -0.008233f, -0.000938f, 0.003546f,  0.000410f,  -0.001528f, 0.000334f};
static const float refinement[4] = {0.25f, 0.75f, 0.75f, 0.25f};

static int wrap_index(int index) { return index & (SIDE - 1); }

// replaces a line of values by the part that splines of twice the spacing represent
static void smooth_line(float *line, int stride)
{
    float coarse[SIDE / 2];
    for (int i = 0; i < SIDE / 2; i++) {
        float sum = 0.0f;
        for (int n = -HALF_SUPPORT; n < HALF_SUPPORT; n++) {
            sum += coarsening[n + HALF_SUPPORT] * line[(ptrdiff_t)stride * wrap_index(2 * i + n)];
        }
        coarse[i] = sum;
    }
    for (int i = 0; i < SIDE; i++) {
        const int near = i / 2;
        const int other = (near + 1) % (SIDE / 2);
        line[(ptrdiff_t)stride * i] =
            refinement[i - 2 * near + 2] * coarse[near] + refinement[i - 2 * near] * coarse[other];
    }
}

static void smooth_field(float *values)
{
    static const int strides[3] = {1, SIDE, SIDE * SIDE};
    for (int axis = 0; axis < 3; axis++) {
#pragma omp parallel for schedule(static)
        for (int n = 0; n < SIDE * SIDE; n++) {
            const int first = axis == 0 ? n * SIDE : axis == 1 ? (n / SIDE) * SIDE * SIDE + n % SIDE : n;
            smooth_line(values + first, strides[axis]);
        }
    }
}

// a normal distribution, nearly: the sum of four uniform ones
static float random_value(int n, int component)
{
    float sum = -2.0f;
    for (uint32_t term = 0; term < 4; term++) {
        sum += brume_unit_float(brume_hash3((uint32_t)n, (uint32_t)component, term));
    }
    return sum;
}

// One component of the potential: random values less the part that coarser splines represent. The shifted copy makes
// the variance the same at even and odd points of the lattice.
static void fill_component(float *potential, int component, float *band, float *smoothed)
{
    for (int n = 0; n < ENTRIES; n++) {
        band[n] = smoothed[n] = random_value(n, component);
    }
    smooth_field(smoothed);
    for (int n = 0; n < ENTRIES; n++) {
        band[n] -= smoothed[n];
    }
    const int shift = SIDE / 2 + 1;
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                const int n = (k * SIDE + j) * SIDE + i;
                const int other = (wrap_index(k + shift) * SIDE + wrap_index(j + shift)) * SIDE + wrap_index(i + shift);
                potential[4 * n + component] = band[n] + band[other];
            }
        }
    }
}

// the root mean square length of the curl, or of its samples, from random points
static float measured_length(const BrumeWaveletNoise *noise)
{
    enum { POINTS = 8192 };
    double sum = 0.0;
    for (uint32_t n = 0; n < POINTS; n++) {
        const BrumeVec3 point = {SIDE * brume_unit_float(brume_hash3(n, 0, 1)),
                                 SIDE * brume_unit_float(brume_hash3(n, 1, 1)),
                                 SIDE * brume_unit_float(brume_hash3(n, 2, 1))};
        const BrumeVec3 curl = brume_wavelet_noise_near(noise, point);
        sum += (double)brume_dot(curl, curl);
    }
    return (float)sqrt(sum / POINTS);
}

size_t brume_wavelet_noise_bytes(void) { return (size_t)4 * ENTRIES * sizeof(float); }

BrumeStatus brume_wavelet_noise_create(BrumeWaveletNoise *noise, BrumeError *error)
{
    *noise = (BrumeWaveletNoise){.potential = brume_alloc(ENTRIES, 4 * sizeof(float)), .scale = 1.0f};
    float *scratch = brume_alloc(ENTRIES, 2 * sizeof(float));
    if (noise->potential == NULL || scratch == NULL) {
        brume_free(scratch);
        brume_wavelet_noise_destroy(noise);
        return brume_out_of_memory(error, "the detail of smoke");
    }
    for (int component = 0; component < 3; component++) {
        fill_component(noise->potential, component, scratch, scratch + ENTRIES);
    }
    brume_free(scratch);
    noise->scale = 1.0f / measured_length(noise);
    return BRUME_OK;
}

void brume_wavelet_noise_destroy(BrumeWaveletNoise *noise)
{
    brume_free(noise->potential);
    brume_free(noise->samples);
    *noise = (BrumeWaveletNoise){0};
}

// the quadratic B-splines of three neighboring lattice points at an offset of -1/2 to 1/2 from the middle one
static void spline_weights(float offset, float weights[3], float slopes[3])
{
    const float t = 0.5f - offset;
    weights[0] = 0.5f * t * t;
    weights[2] = 0.5f * (1.0f - t) * (1.0f - t);
    weights[1] = 1.0f - weights[0] - weights[2];
    slopes[0] = -t;
    slopes[1] = 2.0f * t - 1.0f;
    slopes[2] = 1.0f - t;
}

BrumeVec3 brume_wavelet_noise_at(const BrumeWaveletNoise *noise, BrumeVec3 point)
{
    const float at[3] = {point.x, point.y, point.z};
    int entries[3][3];
    float weights[3][3];
    float slopes[3][3];
    for (int axis = 0; axis < 3; axis++) {
        const float middle = floorf(at[axis] + 0.5f);
        spline_weights(at[axis] - middle, weights[axis], slopes[axis]);
        for (int n = 0; n < 3; n++) {
            entries[axis][n] = wrap_index((int)middle + n - 1);
        }
    }
    // derivatives of the potential along each axis
    BrumeFloat4 along_x = {0};
    BrumeFloat4 along_y = {0};
    BrumeFloat4 along_z = {0};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            const float *row = noise->potential + (ptrdiff_t)4 * SIDE * (entries[2][k] * SIDE + entries[1][j]);
            BrumeFloat4 value = {0};
            BrumeFloat4 slope = {0};
            for (int i = 0; i < 3; i++) {
                const BrumeFloat4 potential = brume_load4(row + (ptrdiff_t)4 * entries[0][i]);
                value += weights[0][i] * potential;
                slope += slopes[0][i] * potential;
            }
            along_x += weights[2][k] * weights[1][j] * slope;
            along_y += weights[2][k] * slopes[1][j] * value;
            along_z += slopes[2][k] * weights[1][j] * value;
        }
    }
    const BrumeVec3 curl = {along_y[2] - along_z[1], along_z[0] - along_x[2], along_x[1] - along_y[0]};
    return brume_scale(curl, noise->scale);
}

BrumeStatus brume_wavelet_noise_sample(BrumeWaveletNoise *noise, BrumeError *error)
{
    enum { ALL = BRUME_NOISE_SAMPLES * BRUME_NOISE_SAMPLES * BRUME_NOISE_SAMPLES };
    float *samples = brume_alloc(ALL, 4 * sizeof *samples);
    brume_use_large_pages(samples, ALL * 4 * sizeof *samples);
    if (samples == NULL) {
        return brume_out_of_memory(error, "the noise of turbulence");
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < ALL; n++) {
        const int row = n / BRUME_NOISE_SAMPLES;
        const int plane = row / BRUME_NOISE_SAMPLES;
        const BrumeVec3 point = {0.5f * (float)(n % BRUME_NOISE_SAMPLES), 0.5f * (float)(row % BRUME_NOISE_SAMPLES),
                                 0.5f * (float)plane};
        const BrumeVec3 curl = brume_wavelet_noise_at(noise, point);
        samples[4 * (ptrdiff_t)n] = curl.x;
        samples[4 * (ptrdiff_t)n + 1] = curl.y;
        samples[4 * (ptrdiff_t)n + 2] = curl.z;
    }
    noise->samples = samples;
    const float scale = 1.0f / measured_length(noise);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < 4 * ALL; n++) {
        samples[n] *= scale;
    }
    return BRUME_OK;
}
