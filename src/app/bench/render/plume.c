#include "app/bench/render/plume.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/random.h"
#include "core/vec3.h"

static const float side = 1.5f; // of the cube [m]

static float lattice_value(int i, int j, int k)
{
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k));
}

static float smooth(float t) { return t * t * (3.0f - 2.0f * t); }

static float mix(float a, float b, float t) { return a + t * (b - a); }

// value noise in [-1, 1]
static float noise(float x, float y, float z)
{
    const int i = (int)floorf(x);
    const int j = (int)floorf(y);
    const int k = (int)floorf(z);
    const float fx = smooth(x - (float)i);
    const float fy = smooth(y - (float)j);
    float planes[2];
    for (int n = 0; n < 2; n++) {
        const float lower = mix(lattice_value(i, j, k + n), lattice_value(i + 1, j, k + n), fx);
        const float upper = mix(lattice_value(i, j + 1, k + n), lattice_value(i + 1, j + 1, k + n), fx);
        planes[n] = mix(lower, upper, fy);
    }
    return 2.0f * mix(planes[0], planes[1], smooth(z - (float)k)) - 1.0f;
}

// sum of octaves of |noise| (billow noise), in [0, 1)
static float billows(float x, float y, float z)
{
    float sum = 0.0f;
    float amplitude = 0.5f;
    for (int octave = 0; octave < 5; octave++) {
        sum += amplitude * fabsf(noise(x, y, z));
        amplitude *= 0.5f;
        const float rotated = 1.6f * x + 1.2f * z; // each octave has twice the frequency and is rotated
        z = 1.6f * z - 1.2f * x + 3.7f;
        x = rotated + 1.3f;
        y = 2.0f * y + 7.1f;
    }
    return sum;
}

// fills a row of cells along x at the height `y`
static void fill_row(float *row, int n, float dx, float y, float z)
{
    const float axis_x = 0.07f * noise(1.7f * y, 3.0f, 9.0f) * y;
    const float axis_z = 0.07f * noise(1.7f * y, 13.0f, 5.0f) * y;
    const float radius = 0.055f + 0.15f * brume_powf(y / 1.2f, 0.8f);
    const float cap = brume_fmaxf(0.0f, y - 1.05f) * 1.15f; // a round head
    const float farthest = radius * (1.0f + 1.5f * (1.0f - 0.2f));
    for (int i = 0; i < n; i++) {
        const float x = ((float)i + 0.5f) * dx - 0.5f * side;
        const float distance = brume_length(brume_vec3(x - axis_x, cap, z - axis_z));
        row[i] = 0.0f;
        if (distance < farthest) {
            const float bumps = 1.5f * radius * (billows(4.5f * x, 4.0f * y, 4.5f * z) - 0.2f);
            const float depth = radius + bumps - distance;
            row[i] = depth > 0.0f ? brume_fminf(1.0f, depth / 0.04f) * 1.3f : 0.0f;
        }
    }
}

BrumeStatus brume_plume_create(BrumeVolume *volume, float **density, int n, BrumeError *error)
{
    const size_t plane = (size_t)n * (size_t)n;
    *density = brume_alloc_untouched(plane * (size_t)n, sizeof **density);
    if (*density == NULL) {
        return brume_out_of_memory(error, "the volume to render");
    }
    const float dx = side / (float)n;
    float *entries = *density;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            fill_row(entries + plane * (size_t)k + (size_t)n * (size_t)j, n, dx, ((float)j + 0.5f) * dx,
                     ((float)k + 0.5f) * dx - 0.5f * side);
        }
    }
    *volume = brume_volume_from_array(entries, n, n, n, dx, brume_vec3(-0.5f * side, 0.0f, -0.5f * side));
    return BRUME_OK;
}

BrumeCamera brume_plume_camera(void)
{
    return (BrumeCamera){.position = {0.0f, 0.75f, 3.4f}, .target = {0.0f, 0.68f, 0.0f}, .field_of_view = 32.0f};
}
