// The formulas that renderers share: phase function, ordinates, sky, tone curve, sRGB, dither, and the table of these
// three; and the fast exponential.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/ordinates.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/skylight.h"
#include "raymarch/path_sampler.h"
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

static void test_light_scattered_once(void **state)
{
    (void)state;
    const BrumeVec3 albedo = {1.0f, 0.5f, 0.0f};
    const double tau = 2.0;
    const double g = 0.6;
    const BrumePhases phases = {brume_phase_hg(0.4f, (float)g), brume_forward_phase(0.4f, (float)g)};
    const BrumeVec3 scattered =
        brume_scattered_once(phases, (float)exp(-tau / BRUME_TRANSMITTANCE_ROOT), albedo, (float)g);
    const double direct = brume_phase_hg(0.4f, 0.6f) * exp(-tau);
    const double isotropic = 1.0 / (4.0 * M_PI);
    const double forward = isotropic + (brume_phase_hg(0.4f, 0.36f) - isotropic) / g;
    assert_near("albedo 1", scattered.x, direct + forward * (exp(-tau * (1.0 - g)) - exp(-tau)), 1e-6);
    assert_near("albedo 1/2", scattered.y, 0.5 * (direct + forward * (exp(-tau * (1.0 - 0.5 * g)) - exp(-tau))), 1e-6);
    assert_near("albedo 0", scattered.z, 0.0, 0.0);
    const BrumeVec3 even = brume_scattered_once(
        (BrumePhases){brume_phase_hg(0.4f, 0.0f), brume_forward_phase(0.4f, 0.0f)}, 0.9f, albedo, 0.0f);
    assert_near("isotropic", even.x, pow(0.9, 8.0) / (4.0 * M_PI), 1e-7);
    assert_near("the limit of small anisotropy", brume_forward_phase(0.4f, 1.001e-2f),
                brume_forward_phase(0.4f, 0.999e-2f), 1e-5);
    const BrumeVec3 shadow = brume_scattered_once(phases, 0.0f, albedo, (float)g);
    assert_below("in the shadow of a solid", shadow.x, 1e-30);
}

// the quadrature is exact for polynomials of up to the ninth degree
static void test_ordinates(void **state)
{
    (void)state;
    double weights = 0.0;
    double first[3] = {0};
    double second[3][3] = {{0}};
    double fourth = 0.0;
    double eighth = 0.0;
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        const BrumeOrdinate ordinate = brume_ordinate(n);
        const double d[3] = {ordinate.direction.x, ordinate.direction.y, ordinate.direction.z};
        const double weight = ordinate.weight;
        weights += weight;
        assert_near("length", d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1.0, 1e-6);
        assert_true((d[1] < 0.0) == (n < BRUME_DOWNWARD_ORDINATES));
        for (int a = 0; a < 3; a++) {
            first[a] += weight * d[a];
            for (int b = 0; b < 3; b++) {
                second[a][b] += weight * d[a] * d[b];
            }
        }
        fourth += weight * pow(d[0], 4.0);
        eighth += weight * pow(d[2], 8.0);
    }
    assert_near("sum of the weights", weights, 1.0, 1e-6);
    for (int a = 0; a < 3; a++) {
        assert_near("mean direction", first[a], 0.0, 1e-7);
        for (int b = 0; b < 3; b++) {
            assert_near("mean product of two components", second[a][b], a == b ? 1.0 / 3.0 : 0.0, 1e-6);
        }
    }
    assert_near("mean fourth power", fourth, 1.0 / 5.0, 1e-6);
    assert_near("mean eighth power", eighth, 1.0 / 9.0, 1e-6);
}

static void test_fast_ln(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int n = 1; n <= 200000; n++) {
        const float x = (float)n * 5e-6f;
        worst = fmax(worst, fabs(brume_fast_ln(x) - log((double)x)));
    }
    assert_below("largest error of the fast logarithm", worst, 2e-6);
    assert_near("at 1", brume_fast_ln(1.0f), 0.0, 0.0);
    assert_below("at 0", brume_fast_ln(0.0f), -80.0);
}

static void test_fast_cos_sin(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    double worst = 0.0;
    for (int n = 0; n <= 1 << 17; n++) {
        const float turn = (float)n / (float)(1 << 17);
        float cosine;
        float sine;
        brume_fast_cos_sin(turn, &cosine, &sine);
        worst = fmax(worst, fabs(cosine - cos(2.0 * pi * (double)turn)));
        worst = fmax(worst, fabs(sine - sin(2.0 * pi * (double)turn)));
    }
    assert_below("largest error of the fast cosine and sine", worst, 2e-7);
}

// the generator matrix, column by column
static uint32_t sobol_second_by_columns(uint32_t index)
{
    uint32_t result = 0;
    for (uint32_t column = 0x80000000u; index != 0; index >>= 1, column ^= column >> 1) {
        result ^= (index & 1u) != 0 ? column : 0;
    }
    return result;
}

static void test_sobol_points(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 10000; n++) {
        const uint32_t index = n < 5000 ? n : brume_hash_u32(n);
        assert_int_equal(brume_sobol_second(index), sobol_second_by_columns(index));
    }
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

    // rows are vectorized; the bits are the same
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

// colors with a component above 1 approach white of that brightness, others and those of the linear curve do not change
static void test_whitening(void **state)
{
    (void)state;
    static const float dim[3] = {1.0f, 0.5f, -0.25f};
    static const float flame[3] = {41.0f, 11.0f, 0.0f};
    float color[3];
    memcpy(color, dim, sizeof color);
    brume_tone_whiten(BRUME_TONE_FILMIC, color);
    assert_memory_equal(color, dim, sizeof color);
    memcpy(color, flame, sizeof color);
    brume_tone_whiten(BRUME_TONE_LINEAR, color);
    assert_memory_equal(color, flame, sizeof color);
    brume_tone_whiten(BRUME_TONE_FILMIC, color);
    const double share = 1.0 - 1.0 / (1.0 + 40.0 * 0.0005);
    assert_near("red", color[0], 41.0, 1e-5);
    assert_near("green", color[1], 11.0 + share * 30.0, 1e-5);
    assert_near("blue", color[2], share * 41.0, 1e-5);
    float gray[3] = {300.0f, 300.0f, 300.0f};
    brume_tone_whiten(BRUME_TONE_FILMIC, gray);
    assert_true(gray[0] == 300.0f && gray[1] == 300.0f && gray[2] == 300.0f);
    float last = 0.0f; // of blue, which never decreases as a flame becomes brighter
    for (int n = 0; n < 240; n++) {
        const float brightness = brume_powf(1.1f, (float)n - 72.0f); // from 0.001 to 8e6
        float brighter[3] = {brightness, 0.3f * brightness, 0.0f};
        brume_tone_whiten(BRUME_TONE_FILMIC, brighter);
        assert_true(brighter[2] >= last && brighter[2] <= brighter[1] && brighter[1] <= brighter[0]);
        last = brighter[2];
    }
    assert_true(brume_tone_curve(BRUME_TONE_FILMIC, last) == 1.0f); // white at last
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
    // a uniform gray between two codes becomes both, with the right mean; black and white are not dithered
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
            float color[3];
            memcpy(color, radiance + n / 3 * 3, sizeof color);
            brume_tone_whiten(curves[c], color);
            const float shown = brume_srgb_from_linear(brume_tone_curve(curves[c], color[n % 3]));
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
        cmocka_unit_test(test_light_scattered_once),
        cmocka_unit_test(test_ordinates),
        cmocka_unit_test(test_fast_ln),
        cmocka_unit_test(test_fast_cos_sin),
        cmocka_unit_test(test_sobol_points),
        cmocka_unit_test(test_sky),
        cmocka_unit_test(test_fast_exp),
        cmocka_unit_test(test_tone_curve),
        cmocka_unit_test(test_whitening),
        cmocka_unit_test(test_srgb),
        cmocka_unit_test(test_dither_and_bytes),
        cmocka_unit_test(test_tone_table_gives_the_same_bytes),
        cmocka_unit_test(test_error_of_the_tone_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
