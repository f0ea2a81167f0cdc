// The formulas that renderers share: phase function, octaves, sky, tone curve, sRGB, dither, and the table of these
// three; and the fast exponential.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/skylight.h"
#include "raymarch/tone.h"
#include "raymarch_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// integral over the sphere and mean cosine, by the midpoint rule in the angle
static void integrate(float g, double *integral, double *mean_cosine)
{
    const int steps = 200000;
    *integral = 0.0;
    *mean_cosine = 0.0;
    for (int n = 0; n < steps; n++) {
        const double angle = M_PI * (n + 0.5) / steps;
        const double part = 2.0 * M_PI * sin(angle) * (M_PI / steps) * brume_phase_hg((float)cos(angle), g);
        *integral += part;
        *mean_cosine += cos(angle) * part;
    }
}

static void test_phase_function(void **state)
{
    (void)state;
    const float anisotropies[] = {-0.8f, -0.3f, 0.0f, 0.1f, 0.35f, 0.6f, 0.85f};
    for (size_t n = 0; n < sizeof anisotropies / sizeof anisotropies[0]; n++) {
        double integral;
        double mean_cosine;
        integrate(anisotropies[n], &integral, &mean_cosine);
        assert_near("integral of the phase function", integral, 1.0, 1e-4);
        assert_near("mean cosine", mean_cosine, anisotropies[n], 1e-4);
    }
    assert_near("isotropic", brume_phase_hg(0.3f, 0.0f), 1.0 / (4.0 * M_PI), 1e-8);
    // forward over backward is ((1 + g) / (1 - g))^3
    assert_near("forward over backward", brume_phase_hg(1.0f, 0.5f) / brume_phase_hg(-1.0f, 0.5f), 27.0, 1e-4);
}

static void test_octaves(void **state)
{
    (void)state;
    const BrumeVec3 white = {1.0f, 0.5f, 0.0f};
    const double tau = 2.0;
    float phases[BRUME_OCTAVES];
    brume_octave_phases(0.4f, 0.6f, phases);
    const BrumeVec3 sum = brume_octave_sum(phases, (float)exp(-tau / BRUME_TRANSMITTANCE_ROOT), white);
    double expected_x = 0.0;
    double expected_y = 0.0;
    for (int n = 0; n < BRUME_OCTAVES; n++) {
        const double scale = pow(0.5, n);
        const double part = scale * brume_phase_hg(0.4f, (float)(scale * 0.6)) * exp(-tau * scale);
        expected_x += part;
        expected_y += part * pow(0.5, n + 1);
    }
    assert_near("albedo 1", sum.x, expected_x, 1e-6);
    assert_near("albedo 1/2", sum.y, expected_y, 1e-6);
    assert_near("albedo 0", sum.z, 0.0, 0.0);
    assert_near("no decay at albedo 1", brume_diffusion_scale(1.0f, 0.3f), 0.0, 0.0);
    assert_near("Beer-Lambert decay at albedo 0", brume_diffusion_scale(0.0f, 0.3f), 1.0, 0.0);
}

static void test_sky(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = brume_default_render_settings();
    assert_near("zenith", brume_sky_radiance(&settings, brume_vec3(0.0f, 1.0f, 0.0f)).z, settings.sky_zenith.z, 1e-7);
    assert_near("horizon", brume_sky_radiance(&settings, brume_vec3(1.0f, 0.0f, 0.0f)).z, settings.sky_horizon.z, 1e-7);
    assert_near("below", brume_sky_radiance(&settings, brume_vec3(0.0f, -1.0f, 0.0f)).z, settings.sky_horizon.z, 1e-7);
    assert_near("ground below the camera", brume_ground_fade(0.0f), 1.0, 0.0);
    assert_below("ground far away", brume_ground_fade(40.0f), 1e-6);
}

static void test_fast_exp(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int n = 0; n <= 870000; n++) {
        const float x = (float)n * -1e-4f;
        const double exact = exp((double)x);
        worst = fmax(worst, fabs(brume_fast_exp(x) - exact) / exact);
    }
    assert_below("largest relative error of the fast exponential", worst, 3e-7);
    assert_near("at 0", brume_fast_exp(0.0f), 1.0, 0.0);
    assert_near("at -0", brume_fast_exp(-0.0f), 1.0, 0.0);
    assert_below("at -infinity", brume_fast_exp(-INFINITY), 1e-37);

    // rows are vectorised; the bits are the same
    float row[103];
    for (int n = 0; n < 103; n++) {
        row[n] = 0.37f * (float)n;
    }
    brume_fast_exp_row(row, -0.5f, 103);
    for (int n = 0; n < 103; n++) {
        assert_near("a row's value", row[n], brume_fast_exp(-0.5f * (0.37f * (float)n)), 0.0);
    }
}

static void test_tone_curve(void **state)
{
    (void)state;
    const BrumeToneCurve curves[] = {BRUME_TONE_FILMIC, BRUME_TONE_LINEAR};
    for (int c = 0; c < 2; c++) {
        float last = 0.0f;
        for (int n = 0; n <= 20000; n++) {
            const float value = brume_tone_curve(curves[c], (float)n * 1e-3f);
            assert_true(value >= last);
            last = value;
        }
        assert_near("black", brume_tone_curve(curves[c], 0.0f), 0.0, 0.0);
        assert_near("far too bright", brume_tone_curve(curves[c], INFINITY), 1.0, 0.0);
        assert_near("negative", brume_tone_curve(curves[c], -1.0f), 0.0, 0.0);
        assert_near("NaN", brume_tone_curve(curves[c], NAN), 0.0, 0.0);
    }
    assert_near("linear", brume_tone_curve(BRUME_TONE_LINEAR, 0.25f), 0.25, 0.0);
    // 1 (2.51 + 0.03) / (1 (2.43 + 0.59) + 0.14) by the published constants
    assert_near("filmic at 1", brume_tone_curve(BRUME_TONE_FILMIC, 1.0f), 2.54 / 3.16, 1e-6);
}

static void test_srgb(void **state)
{
    (void)state;
    // IEC 61966-2-1: 8-bit codes and the linear values that they stand for
    const struct {
        double linear;
        int code;
    } known[] = {{0.0, 0}, {0.0003035270, 1}, {0.0030352698, 10}, {0.2158605001, 128}, {0.5028864580, 188}, {1.0, 255}};
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        assert_near("sRGB", 255.0 * brume_srgb_from_linear((float)known[n].linear), known[n].code, 2e-3);
    }
    assert_near("the two branches meet", brume_srgb_from_linear(0.0031308f), brume_srgb_from_linear(0.0031309f), 2e-6);
}

static void test_dither_and_bytes(void **state)
{
    (void)state;
    bool seen[64] = {false};
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++) {
            const int entry = (int)(64.0f * brume_dither(x, y));
            assert_in_range(entry, 0, 63);
            assert_false(seen[entry]);
            seen[entry] = true;
            assert_near("repeats", brume_dither(x + 8, y + 16), brume_dither(x, y), 0.0);
        }
    }
    // a uniform grey between two codes becomes both, with the right mean; black and white are not dithered
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.tone = BRUME_TONE_LINEAR;
    settings.exposure = 1.0f;
    enum { SIDE = 16 };
    float radiance[SIDE * SIDE * 3];
    uint8_t rgb[SIDE * SIDE * 3];
    for (int n = 0; n < SIDE * SIDE; n++) {
        radiance[3 * n] = 0.5f * 0.2167f;
        radiance[3 * n + 1] = 0.0f;
        radiance[3 * n + 2] = 0.5f;
    }
    brume_tone_map(&settings, SIDE, SIDE, radiance, rgb);
    double mean = 0.0;
    for (int n = 0; n < SIDE * SIDE; n++) {
        assert_in_range(rgb[3 * n], 128, 129);
        assert_int_equal(rgb[3 * n + 1], 0);
        assert_int_equal(rgb[3 * n + 2], 255);
        mean += rgb[3 * n] / (double)(SIDE * SIDE);
    }
    assert_near("mean of dithered codes", mean, 255.0 * brume_srgb_from_linear(0.2167f), 1.0 / 64.0);
}

// the n-th of many values: from 2^-18 to 2^10, denser than the table's intervals, and then special ones
static float tone_value(int n, int count)
{
    const float special[] = {0.0f,   -0.0f, -1.0f,      NAN,  INFINITY, -INFINITY,
                             1e-30f, 1e30f, 0.0031308f, 1.0f, 7.2407f,  256.0f};
    const int specials = sizeof special / sizeof special[0];
    return n < specials ? special[n] : brume_powf(2.0f, 28.0f * (float)n / (float)count - 18.0f);
}

// a picture that is large enough for the table has the bytes of the functions
static void test_tone_table_gives_the_same_bytes(void **state)
{
    (void)state;
    enum { SIDE = 512, VALUES = 3 * SIDE * SIDE };
    float *radiance = malloc(VALUES * sizeof *radiance);
    uint8_t *rgb = malloc(VALUES);
    assert_non_null(radiance);
    assert_non_null(rgb);
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.exposure = 0.0f;
    for (int n = 0; n < VALUES; n++) {
        radiance[(int)(n * 7919LL % VALUES)] = tone_value(n, VALUES); // each value once, at scattered pixels
    }
    const BrumeToneCurve curves[] = {BRUME_TONE_FILMIC, BRUME_TONE_LINEAR};
    for (int c = 0; c < 2; c++) {
        settings.tone = curves[c];
        brume_tone_map(&settings, SIDE, SIDE, radiance, rgb);
        for (int n = 0; n < VALUES; n++) {
            const float shown = brume_srgb_from_linear(brume_tone_curve(curves[c], radiance[n]));
            const float dither = brume_dither(n / 3 % SIDE, n / 3 / SIDE);
            const int expected = (int)brume_fminf(255.0f * shown + dither, 255.0f);
            if (rgb[n] != expected) {
                fail_msg("curve %d, radiance %.9g: byte %d, expected %d", c, (double)radiance[n], rgb[n], expected);
            }
        }
    }
    free(radiance);
    free(rgb);
}

// the error that the table states, and no more than one marked interval for each kink of a curve
static void test_error_of_the_tone_table(void **state)
{
    (void)state;
    enum { VALUES = 400000 };
    const BrumeToneCurve curves[] = {BRUME_TONE_FILMIC, BRUME_TONE_LINEAR};
    for (int c = 0; c < 2; c++) {
        static BrumeToneTable table;
        brume_tone_table_fill(&table, curves[c]);
        int marked = 0;
        for (int n = 0; n < BRUME_TONE_INTERVALS; n++) {
            marked += isnan(table.slope[n]) != 0;
        }
        assert_in_range(marked, 0, 2);
        double largest = 0.0;
        for (int n = 0; n < VALUES; n++) {
            const float value = 0x1p-10f * brume_powf(2.0f, 15.999f * (float)n / VALUES);
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            const uint32_t interval = (bits - (uint32_t)BRUME_TONE_LOWEST) >> BRUME_TONE_SHIFT;
            assert_true(interval < BRUME_TONE_INTERVALS);
            const double exact = 255.0 * (double)brume_srgb_from_linear(brume_tone_curve(curves[c], value));
            const double error = fabs((double)(table.offset[interval] + table.slope[interval] * value) - exact);
            largest = error > largest ? error : largest; // not NaN
        }
        assert_true(largest > 0.0);
        assert_near("error of the table", largest, 0.0, 0.75 * (double)BRUME_TONE_ERROR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase_function),
        cmocka_unit_test(test_octaves),
        cmocka_unit_test(test_sky),
        cmocka_unit_test(test_fast_exp),
        cmocka_unit_test(test_tone_curve),
        cmocka_unit_test(test_srgb),
        cmocka_unit_test(test_dither_and_bytes),
        cmocka_unit_test(test_tone_table_gives_the_same_bytes),
        cmocka_unit_test(test_error_of_the_tone_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
