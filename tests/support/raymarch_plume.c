#include "raymarch_plume.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/vec3.h"

#include <assert.h>

static float corner(int i, int j, int k)
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
    const float fz = smooth(z - (float)k);
    const float near =
        mix(mix(corner(i, j, k), corner(i + 1, j, k), fx), mix(corner(i, j + 1, k), corner(i + 1, j + 1, k), fx), fy);
    const float far = mix(mix(corner(i, j, k + 1), corner(i + 1, j, k + 1), fx),
                          mix(corner(i, j + 1, k + 1), corner(i + 1, j + 1, k + 1), fx), fy);
    return 2.0f * mix(near, far, fz) - 1.0f;
}

// sum of octaves of |noise| (billow noise), in [0, 1]
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

static float density_at(float x, float y, float z)
{
    const float sway_x = 0.07f * noise(1.7f * y, 3.0f, 9.0f) * y;
    const float sway_z = 0.07f * noise(1.7f * y, 13.0f, 5.0f) * y;
    const float radius = 0.055f + 0.15f * powf(y / 1.2f, 0.8f);
    const float cap = fmaxf(0.0f, y - 1.05f) * 1.15f; // a round head
    const float dx = x - sway_x;
    const float dz = z - sway_z;
    const float distance = sqrtf(dx * dx + dz * dz + cap * cap);
    const float bumps = 0.75f * radius * (billows(4.5f * x, 4.0f * y, 4.5f * z) - 0.2f) * 2.0f;
    const float depth = radius + bumps - distance;
    return depth > 0.0f ? fminf(1.0f, depth / 0.04f) * 1.3f : 0.0f;
}

BrumeVolume plume_create(int n, int colors)
{
    const int ny = n * 3 / 2;
    const size_t cells = (size_t)n * (size_t)ny * (size_t)n;
    BrumeVolume volume = {.nx = n, .ny = ny, .nz = n, .sy = n, .sz = (ptrdiff_t)n * ny, .dx = 1.0f / (float)n};
    volume.origin = brume_vec3(-0.5f, 0.0f, -0.5f);
    float *density[3] = {0};
    for (int kind = 0; kind < (colors ? 3 : 1); kind++) {
        density[kind] = brume_alloc(cells, sizeof(float));
        assert(density[kind] != NULL);
        volume.density[kind] = density[kind];
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < n; i++) {
                const float x = ((float)i + 0.5f) * volume.dx - 0.5f;
                const float y = ((float)j + 0.5f) * volume.dx;
                const float z = ((float)k + 0.5f) * volume.dx - 0.5f;
                const float total = density_at(x, y, z);
                const ptrdiff_t cell = i + volume.sy * j + volume.sz * k;
                if (!colors) {
                    density[0][cell] = total;
                    continue;
                }
                const float side = fminf(fmaxf(0.5f + 3.0f * x + noise(5.0f * x, 5.0f * y, 5.0f * z), 0.0f), 1.0f);
                density[1][cell] = total * (1.0f - side);
                density[2][cell] = total * side;
            }
        }
    }
    return volume;
}

void plume_destroy(BrumeVolume *volume)
{
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        brume_free((void *)volume->density[kind]);
        volume->density[kind] = NULL;
    }
}

const BrumeCamera plume_camera = {
    .position = {0.3f, 0.8f, 3.2f}, .target = {0.0f, 0.65f, 0.0f}, .field_of_view = 34.0f};

BrumeRenderSettings plume_settings(void)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.light_count = 3;
    settings.lights[1] = (BrumeLight){
        .kind = BRUME_LIGHT_POINT, .position = {0.4f, 0.5f, 0.45f}, .color = {1.0f, 0.5f, 0.2f}, .intensity = 0.5f};
    settings.lights[2] = (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                                      .direction = {-0.9f, -0.3f, 0.1f},
                                      .color = {0.3f, 0.5f, 1.0f},
                                      .intensity = 0.5f};
    settings.surface_count = 4;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 0.2f, 0.2f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.15f},
        {0.6f, 0.3f, 0.2f}};
    settings.surfaces[1] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_BOX, .a = {-0.8f, 0.0f, -0.4f}, .b = {-0.5f, 0.4f, -0.1f}, .radius = 0.0f},
        {0.3f, 0.4f, 0.5f}};
    settings.surfaces[2] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_CYLINDER, .a = {0.6f, 0.1f, 0.0f}, .b = {0.8f, 0.4f, -0.2f}, .radius = 0.1f},
        {0.5f, 0.5f, 0.2f}};
    settings.surfaces[3] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_CAPSULE, .a = {-0.4f, 0.1f, 0.4f}, .b = {-0.1f, 0.1f, 0.5f}, .radius = 0.07f},
        {0.2f, 0.5f, 0.3f}};
    return settings;
}
