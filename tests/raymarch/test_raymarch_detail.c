// Detail below the size of cells: the values that it must not change, and that it follows the flow.
#include "brume/renderer.h"
#include "core/parallel/threads.h"
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/detail.h"
#include "raymarch_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 24, ENTRIES = CELLS * CELLS * CELLS, FINE = 2, FINE_CELLS = FINE * CELLS };
enum { FINE_ENTRIES = FINE_CELLS * FINE_CELLS * FINE_CELLS };
static float density[2][ENTRIES], temperature[ENTRIES], texture[BRUME_TEXTURE_LAYERS][3][ENTRIES];
static const float dx = 1.0f / CELLS;

// the density of an uneven ball [cells]
static float ball(double x, double y, double z, double radius)
{
    const double distance = sqrt(x * x + y * y + z * z) + 0.8 * sin(1.1 * x) * sin(0.9 * y + 1.0) * cos(1.3 * z);
    const double t = fmin(fmax(0.5 - 0.35 * (distance - radius), 0.0), 1.0);
    return (float)(t * t * (3.0 - 2.0 * t));
}

// two balls that have moved by `shift` cells along x; texture coordinates follow them where `flows`
static BrumeVolume fill_volume(double shift, bool flows)
{
    for (int n = 0; n < ENTRIES; n++) {
        const int row = n / CELLS;
        const int plane = row / CELLS;
        const double x = n % CELLS + 0.5 - shift;
        const double y = row % CELLS + 0.5;
        const double z = plane + 0.5;
        density[0][n] = ball(x - 9.0, y - 12.0, z - 12.0, 5.0);
        density[1][n] = 0.5f * ball(x - 13.0, y - 14.0, z - 11.0, 3.0);
        temperature[n] = 40.0f * density[0][n] - 3.0f;
        for (int layer = 0; layer < BRUME_TEXTURE_LAYERS; layer++) {
            for (int axis = 0; axis < 3; axis++) {
                texture[layer][axis][n] = axis == 0 && flows ? -(float)shift * dx : 0.0f;
            }
        }
    }
    BrumeVolume volume = brume_volume_from_array(density[0], CELLS, CELLS, CELLS, dx, brume_vec3(-0.5f, 0.0f, -0.5f));
    volume.density[1] = density[1];
    volume.temperature = temperature;
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        volume.texture[n / 3][n % 3] = texture[n / 3][n % 3];
    }
    volume.texture_sx = 1;
    volume.texture_sy = CELLS;
    volume.texture_sz = (ptrdiff_t)CELLS * CELLS;
    volume.texture_period = 1.0;
    volume.texture_time = 0.3;
    return volume;
}

static BrumeRenderSettings settings_of(int factor, float strength)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.light_count = 1;
    settings.detail.factor = factor;
    settings.detail.strength = strength;
    return settings;
}

static void refine(BrumeDetailMemory *memory, const BrumeRenderSettings *settings, const BrumeVolume *volume,
                   BrumeVolume *fine)
{
    BrumeError error;
    assert_int_equal(brume_detail_refine(memory, settings, volume, fine, &error), BRUME_OK);
}

static void test_noise(void **state)
{
    (void)state;
    enum { POINTS = 4000 };
    BrumeWaveletNoise noise;
    BrumeError error;
    assert_int_equal(brume_wavelet_noise_create(&noise, &error), BRUME_OK);
    double sum[3] = {0.0};
    double squares = 0.0;
    double divergences = 0.0;
    double derivatives = 0.0;
    for (uint32_t n = 0; n < POINTS; n++) {
        float at[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            at[axis] = 50.0f * brume_unit_float(brume_hash3(n, axis, 7)) - 10.0f;
        }
        const BrumeVec3 point = brume_vec3(at[0], at[1], at[2]);
        const BrumeVec3 value = brume_wavelet_noise_at(&noise, point);
        squares += (double)brume_dot(value, value);
        double divergence = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += (double)brume_component(value, axis);
            const float h = 0.01f;
            const BrumeVec3 to = brume_vec3(axis == 0 ? h : 0.0f, axis == 1 ? h : 0.0f, axis == 2 ? h : 0.0f);
            const double slope = ((double)brume_component(brume_wavelet_noise_at(&noise, brume_add(point, to)), axis) -
                                  (double)brume_component(brume_wavelet_noise_at(&noise, brume_sub(point, to)), axis)) /
                                 (2.0 * (double)h);
            divergence += slope;
            derivatives += slope * slope;
        }
        divergences += divergence * divergence;
    }
    assert_near("mean square", squares / POINTS, 1.0, 0.1);
    assert_near("mean along x", sum[0] / POINTS, 0.0, 0.05);
    assert_near("mean along y", sum[1] / POINTS, 0.0, 0.05);
    assert_near("mean along z", sum[2] / POINTS, 0.0, 0.05);
    assert_below("divergence over derivatives", sqrt(divergences / derivatives), 0.02);
    const BrumeVec3 a = brume_wavelet_noise_at(&noise, brume_vec3(3.25f, 60.5f, -4.75f));
    const BrumeVec3 b = brume_wavelet_noise_at(&noise, brume_vec3(67.25f, -3.5f, 59.25f));
    assert_memory_equal(&a, &b, sizeof a); // a period later
    brume_wavelet_noise_destroy(&noise);
}

// the mean of the fine cells is the coarse value, densities are positive, and empty cells stay empty
static void test_means(void **state)
{
    (void)state;
    BrumeDetailMemory memory = {0};
    const BrumeVolume volume = fill_volume(0.0, true);
    density[0][5] = -1.0f;
    density[0][6] = NAN;
    density[1][ENTRIES - 1] = 3.0f; // in a corner, alone
    for (int factor = 2; factor <= BRUME_MAX_DETAIL_FACTOR; factor++) {
        const BrumeRenderSettings settings = settings_of(factor, 6.0f);
        BrumeVolume fine;
        refine(&memory, &settings, &volume, &fine);
        assert_int_equal(fine.nx, factor * CELLS);
        assert_near("side of a fine cell", (double)fine.dx * factor, (double)dx, 1e-9);
        double difference = 0.0;
        int empty = 0;
        for (int n = 0; n < 2 * ENTRIES; n++) {
            const int i = n % CELLS;
            const int j = n / CELLS % CELLS;
            const int k = n / CELLS / CELLS % CELLS;
            double sum = 0.0;
            float least = INFINITY;
            for (int m = 0; m < factor * factor * factor; m++) {
                const float value =
                    fine.density[n / ENTRIES][i * factor + m % factor + (j * factor + m / factor % factor) * fine.sy +
                                              (k * factor + m / factor / factor) * fine.sz];
                sum += (double)value;
                least = fminf(least, value);
            }
            const double wanted = fmax((double)density[n / ENTRIES][n % ENTRIES], 0.0); // NaN is 0
            assert_true(least >= 0.0f);
            assert_near("mean", sum / (factor * factor * factor), wanted, 1e-6 * wanted);
            difference = fmax(difference, wanted - (double)least);
            empty += wanted == 0.0;
        }
        assert_true(empty > ENTRIES / 2);
        assert_true(difference > 0.1); // within cells the density varies
    }
    brume_detail_destroy(&memory);
}

// without detail the medium has the bits that it has without texture coordinates
static void test_off(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = settings_of(1, 2.0f);
    BrumeVolume volume = fill_volume(0.0, true);
    BrumeRenderer *renderers[2] = {NULL};
    BrumeError error;
    for (int n = 0; n < 2; n++) {
        assert_int_equal(brume_renderer_create(&renderers[n], CELLS, CELLS, CELLS, &settings, &error), BRUME_OK);
        assert_int_equal(brume_renderer_load(renderers[n], &volume, &error), BRUME_OK);
        memset(volume.texture, 0, sizeof volume.texture);
    }
    const BrumeGridMedium *medium = &renderers[0]->lit.medium;
    assert_int_equal(medium->grid.nx, CELLS);
    assert_memory_equal(medium->extinction.data, renderers[1]->lit.medium.extinction.data,
                        brume_grid_entries(medium->grid) * sizeof(float));
    for (int k = 0; k < CELLS; k += 5) { // the detail of the cells themselves
        const int n = (k * CELLS + 12) * CELLS + 9;
        const float extinction =
            settings.smoke[0].extinction * dx * density[0][n] + settings.smoke[1].extinction * dx * density[1][n];
        assert_near("extinction", (double)brume_field_at(&medium->extinction, 10, 13, k + 1), (double)extinction, 1e-6);
    }
    assert_int_equal(renderers[0]->detail.fine_entries, 0);
    brume_renderer_destroy(renderers[0]);
    brume_renderer_destroy(renderers[1]);
}

static void test_threads(void **state)
{
    (void)state;
    const int threads = brume_get_threads();
    BrumeDetailMemory memory[2] = {0};
    BrumeRenderSettings settings = settings_of(FINE, 4.0f);
    settings.emission.intensity = 1.0f;
    const BrumeVolume volume = fill_volume(0.0, true);
    BrumeVolume fine[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        refine(&memory[n], &settings, &volume, &fine[n]);
    }
    brume_set_threads(threads);
    assert_memory_equal(fine[0].density[0], fine[1].density[0], FINE_ENTRIES * sizeof(float));
    assert_memory_equal(fine[0].density[1], fine[1].density[1], FINE_ENTRIES * sizeof(float));
    assert_memory_equal(fine[0].temperature, fine[1].temperature, FINE_ENTRIES * sizeof(float));
    brume_detail_destroy(&memory[0]);
    brume_detail_destroy(&memory[1]);
}

// The detail of the plain smoke, the difference that strength makes, of a volume that moved by `shift` whole cells,
// moved back.
static void find_detail(double shift, bool flows, double time, float *detail)
{
    BrumeDetailMemory memory = {0};
    BrumeVolume volume = fill_volume(shift, flows);
    volume.texture_time = time;
    volume.texture_period = 2.0;
    for (int with = 0; with < 2; with++) {
        const BrumeRenderSettings settings = settings_of(FINE, with ? 3.0f : 0.0f);
        BrumeVolume fine;
        refine(&memory, &settings, &volume, &fine);
        for (int n = 0; n < FINE_ENTRIES; n++) {
            const int i = n % FINE_CELLS + (int)lround(shift) * FINE;
            const float value = i < FINE_CELLS ? fine.density[0][n - n % FINE_CELLS + i] : 0.0f;
            detail[n] = with ? value - detail[n] : value;
        }
    }
    brume_detail_destroy(&memory);
}

static double correlation(const float *a, const float *b)
{
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    for (int n = 0; n < FINE_ENTRIES; n++) {
        ab += (double)a[n] * (double)b[n];
        aa += (double)a[n] * (double)a[n];
        bb += (double)b[n] * (double)b[n];
    }
    assert_true(aa > 1.0 && bb > 1.0); // there is detail
    return ab / sqrt(aa * bb);
}

// moving with the smoke, the detail changes little from frame to frame; without texture coordinates it is another one
static void test_coherence(void **state)
{
    (void)state;
    float *first = malloc(FINE_ENTRIES * sizeof *first);
    float *second = malloc(FINE_ENTRIES * sizeof *second);
    assert_true(first && second);
    find_detail(0.0, true, 0.3, first);
    find_detail(2.0, true, 0.3 + 1.0 / 24.0, second);
    const double following = correlation(first, second);
    find_detail(2.0, false, 0.3 + 1.0 / 24.0, second);
    const double fixed = correlation(first, second);
    find_detail(2.0, true, 2.3, second); // layers that have started again have other noise
    const double later = correlation(first, second);
    print_message("correlation of the detail: %.3f following the flow, %.3f fixed, %.3f a period later\n", following,
                  fixed, later);
    assert_true(following > 0.97);
    assert_true(fixed < 0.5);
    assert_true(later < 0.5);
    free(first);
    free(second);
}

// a renderer whose settings were changed equals a renderer of the new settings, and knows its memory
static void test_renderer(void **state)
{
    (void)state;
    const BrumeVolume volume = fill_volume(0.0, true);
    const BrumeRenderSettings off = settings_of(1, 2.0f);
    BrumeRenderSettings on = settings_of(FINE, 2.0f);
    BrumeRenderer *changed = NULL;
    BrumeRenderer *created = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&changed, CELLS, CELLS, CELLS, &off, &error), BRUME_OK);
    assert_int_equal(brume_renderer_create(&created, CELLS, CELLS, CELLS, &on, &error), BRUME_OK);
    assert_int_equal(brume_renderer_set_settings(changed, &on, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(changed, &volume, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(created, &volume, &error), BRUME_OK);
    const BrumeGridMedium *medium = &created->lit.medium;
    assert_int_equal(medium->grid.nx, FINE_CELLS);
    assert_memory_equal(medium->extinction.data, changed->lit.medium.extinction.data,
                        brume_grid_entries(medium->grid) * sizeof(float));
    assert_int_equal(brume_renderer_bytes(created), brume_renderer_bytes(changed));
    assert_int_equal(brume_renderer_bytes(created), brume_renderer_bytes_needed(CELLS, CELLS, CELLS, &on, 2));
    on.detail.factor = 5;
    assert_int_equal(brume_renderer_set_settings(created, &on, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "detail has the factor 5, the strength 2 and the scale 4; factors are 1 to 4, "
                                    "strengths 0 or more, scales above 0");
    on.detail = (BrumeDetail){FINE, NAN, 1.0f};
    assert_int_equal(brume_renderer_set_settings(created, &on, &error), BRUME_BAD_INPUT);
    BrumeVolume large = volume;
    large.nx = CELLS + 1; // smaller than the grid of fine cells
    assert_int_equal(brume_renderer_load(created, &large, &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_renderer_set_settings(created, &off, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(created, &volume, &error), BRUME_OK);
    assert_int_equal(brume_renderer_bytes(created), brume_renderer_bytes_needed(CELLS, CELLS, CELLS, &off, 2));
    brume_renderer_destroy(changed);
    brume_renderer_destroy(created);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise),   cmocka_unit_test(test_means),     cmocka_unit_test(test_off),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_coherence), cmocka_unit_test(test_renderer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
