// Phase functions: their integral and mean cosine, special cases with known formulas, samples against the density, and
// single scattering in both renderers.
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/phase.h"
#include "raymarch/path/light_path.h"
#include "raymarch_check.h"

#include <stdlib.h>

#define PI 3.14159265358979324

static BrumeRenderSettings settings_of(BrumePhaseKind kind, float value)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.phase.kind = kind;
    if (kind == BRUME_PHASE_HENYEY_GREENSTEIN) {
        settings.anisotropy = value;
    } else if (kind == BRUME_PHASE_TWO_LOBES) {
        settings.phase.forward = value;
        settings.phase.backward = -0.4f;
        settings.phase.forward_share = 0.7f;
    } else {
        settings.phase.droplet_diameter = value;
    }
    return settings;
}

static const struct {
    BrumePhaseKind kind;
    float value;
} cases[] = {
    {BRUME_PHASE_HENYEY_GREENSTEIN, 0.35f}, {BRUME_PHASE_HENYEY_GREENSTEIN, -0.8f}, {BRUME_PHASE_TWO_LOBES, 0.85f},
    {BRUME_PHASE_TWO_LOBES, 0.0f},          {BRUME_PHASE_DROPLETS, 5.0f},           {BRUME_PHASE_DROPLETS, 15.0f},
    {BRUME_PHASE_DROPLETS, 50.0f},
};
enum { CASES = sizeof cases / sizeof cases[0] };

// The integral over the sphere between two cosines, and the integral of the cosine, for light from a cap of directions.
// The angle is integrated in a variable that is fine near forwards: 1 - cosine = t^4 / 4 for t in [0, 8^(1/4)].
static void integrate_cap(const BrumePhaseLobes *phase, float height, double from, double to, double *share,
                          double *moment)
{
    enum { STEPS = 20000 };
    const double lower = pow(4.0 * (1.0 - to), 0.25);
    const double upper = pow(4.0 * (1.0 - from), 0.25);
    *share = *moment = 0.0;
    for (int n = 0; n < STEPS; n++) {
        const double t = lower + (n + 0.5) * (upper - lower) / STEPS;
        const double cosine = 1.0 - 0.25 * t * t * t * t;
        const double value = (double)brume_phases_of_cap(phase, (float)cosine, height).direct;
        const double part = 2.0 * PI * t * t * t * (upper - lower) / STEPS * value;
        *share += part;
        *moment += part * cosine;
    }
}

static void integrate(const BrumePhaseLobes *phase, double from, double to, double *share, double *moment)
{
    integrate_cap(phase, 0.0f, from, to, share, moment);
}

static void test_integral_and_mean_cosine(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; n++) {
        const BrumeRenderSettings settings = settings_of(cases[n].kind, cases[n].value);
        const BrumePhaseLobes phase = brume_phase_lobes(&settings);
        double share;
        double moment;
        integrate(&phase, -1.0, 1.0, &share, &moment);
        // the peak of droplets of 50 um is 0.1 degrees wide; the cosine of single precision resolves it to a few parts
        // in 1000
        assert_near("the integral", share, 1.0, 2e-3);
        assert_near("the mean cosine", (double)phase.mean_cosine, moment, 2e-3);
    }
}

// Light from a cap of directions of the solid angle W: the visible part is its mean over the cap, at most 1 / W.
static void test_light_from_a_cap(void **state)
{
    (void)state;
    const float heights[] = {1e-5f, 1e-3f, 0.03f, 0.1f};
    for (int n = 0; n < CASES; n++) {
        const BrumeRenderSettings settings = settings_of(cases[n].kind, cases[n].value);
        const BrumePhaseLobes phase = brume_phase_lobes(&settings);
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            const double height = (double)heights[h];
            const double angle = 2.0 * PI * height;
            double share;
            double moment;
            integrate_cap(&phase, heights[h], -1.0, 1.0, &share, &moment);
            assert_near("the integral", share, 1.0, 0.03);
            assert_near("the mean cosine", moment, (double)phase.mean_cosine * (1.0 - 0.5 * height), 0.02);
            const double middle = (double)brume_phases_of_cap(&phase, 1.0f, heights[h]).direct;
            integrate(&phase, 1.0 - height, 1.0, &share, &moment);
            assert_near("the middle times the solid angle", middle * angle, share, 0.06);
            assert_below("the middle times the solid angle", middle * angle, 1.0);
        }
    }
}

static void test_special_cases(void **state)
{
    (void)state;
    for (int n = -4; n <= 4; n++) {
        const float cosine = 0.25f * (float)n;
        const double mu = (double)cosine;
        // Rayleigh, and Cornette and Shanks with g = 0.6
        assert_near("Rayleigh", (double)brume_phase_draine(cosine, 0.0f, 1.0f), 3.0 / (16.0 * PI) * (1.0 + mu * mu),
                    1e-7);
        const double g = 0.6;
        const double cornette =
            3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * mu, 1.5));
        assert_near("Cornette and Shanks", (double)brume_phase_draine(cosine, 0.6f, 1.0f) / cornette, 1.0, 1e-5);
        assert_near("Henyey and Greenstein", (double)brume_phase_draine(cosine, 0.6f, 0.0f),
                    (double)brume_phase_hg(cosine, 0.6f), 1e-6);
    }
    // one lobe has the bits of Henyey and Greenstein's function
    const BrumeRenderSettings settings = settings_of(BRUME_PHASE_HENYEY_GREENSTEIN, 0.35f);
    const BrumePhaseLobes phase = brume_phase_lobes(&settings);
    assert_true(brume_phase_at(&phase, 0.7f) == brume_phase_hg(0.7f, 0.35f) && phase.mean_cosine == 0.35f);
    // the parameters of the fit for a diameter of 10 um, by the published formulas
    const BrumeRenderSettings droplets = settings_of(BRUME_PHASE_DROPLETS, 10.0f);
    const BrumePhaseLobes fit = brume_phase_lobes(&droplets);
    assert_near("g", (double)fit.g, exp(-0.0990567 / 8.32846), 1e-6);
    assert_near("g of Draine's lobe", (double)fit.draine_g, exp(-2.20679 / 13.91029 - 0.428934), 1e-6);
    assert_near("alpha", (double)fit.alpha, exp(3.62489 - 8.29288 / 15.52825), 1e-5);
    assert_near("the weight", (double)fit.weight, exp(-0.599085 / 9.358417 - 0.665888), 1e-6);
}

// the cosines of evenly spaced numbers have the distribution of the density, in every 5 % of them
static void test_samples_follow_the_density(void **state)
{
    (void)state;
    enum { COUNT = 20000, BINS = 20 };
    static float cosines[COUNT];
    for (int n = 0; n < CASES; n++) {
        const BrumeRenderSettings settings = settings_of(cases[n].kind, cases[n].value);
        const BrumePhaseLobes phase = brume_phase_lobes(&settings);
        double mean = 0.0;
        for (int i = 0; i < COUNT; i++) {
            cosines[i] = brume_phase_sample(&phase, ((float)i + 0.5f) / COUNT);
            assert_true(cosines[i] >= -1.0f && cosines[i] <= 1.0f);
            mean += (double)cosines[i] / COUNT;
        }
        assert_near("the mean cosine", mean, (double)phase.mean_cosine, 5e-4);
        double chi_square = 0.0;
        for (int bin = 0; bin < BINS; bin++) {
            const double from = -1.0 + 2.0 * bin / BINS;
            const double to = -1.0 + 2.0 * (bin + 1) / BINS;
            double share;
            double moment;
            integrate(&phase, from, to, &share, &moment);
            int inside = 0;
            for (int i = 0; i < COUNT; i++) {
                inside += (double)cosines[i] >= from && ((double)cosines[i] < to || bin == BINS - 1);
            }
            const double expected = share * COUNT;
            chi_square += (inside - expected) * (inside - expected) / expected;
        }
        // independent numbers would have 19 on average; evenly spaced ones have less, wrong ones far more
        assert_below("chi-square", chi_square, 10.0);
    }
}

enum { SIDE = 16 };

// the integral of extinction and both transmittances along the view ray of the test below through the unit cube
static double path_integral(double extinction, double radians)
{
    enum { STEPS = 2000 };
    double sum = 0.0;
    for (int n = 0; n < STEPS; n++) {
        const double x = (n + 0.5) / STEPS; // from the face where the ray enters
        const double to_x_face = cos(radians) > 0.0 ? (1.0 - x) / cos(radians) : -x / cos(radians);
        const double to_y_face = 0.6 / sin(radians);
        sum += extinction * exp(-extinction * (x + fmin(to_x_face, to_y_face))) / STEPS;
    }
    return sum;
}

// a cube of thin smoke under one sun: the single scattering is known, and thin enough that nothing else counts
static void test_single_scattering(void **state)
{
    (void)state;
    static float density[SIDE * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = 1.0f;
    }
    const BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, -0.5f, -0.5f));
    const float extinction = 1e-3f;
    for (int n = 0; n < CASES; n++) {
        for (int angle = 0; angle <= 150; angle += 50) {
            BrumeRenderSettings settings = settings_of(cases[n].kind, cases[n].value);
            settings.smoke[0] = (BrumeSmokeMedium){extinction, {1.0f, 1.0f, 1.0f}};
            settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
            settings.sky_horizon = settings.sky_zenith;
            settings.ground = false;
            const double radians = angle * PI / 180.0 + 0.01;
            // light that arrives from behind the camera is scattered backwards, and the view ray is along +x
            const float cosine = (float)cos(radians);
            settings.lights[0] = (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                                              .direction = {-cosine, (float)sin(radians), 0.0f},
                                              .color = {1.0f, 1.0f, 1.0f},
                                              .intensity = 1000.0f};
            BrumeRenderer *renderer = NULL;
            BrumeError error;
            assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, &settings, &error), BRUME_OK);
            assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
            brume_renderer_light(renderer, NULL);
            const BrumeRay ray = {{-2.0f, 0.1f, 0.1f}, {1.0f, 0.0f, 0.0f}};
            const BrumePhaseLobes phase = brume_phase_lobes(&settings);
            // the light travels at this angle to the direction in which it is seen to travel, -x
            const double single = (double)brume_phase_at(&phase, cosine);
            const double light = 1000.0 * (double)extinction;
            const double marched =
                (double)brume_march(&renderer->lit, &ray, INFINITY, (BrumeMarchSteps){.length = 1.0f}).radiance.y;
            // light that is scattered twice is nearly isotropic and counts where little is scattered once
            const double twice = 0.6 * (double)extinction / single;
            assert_near("the marched radiance over the exact one", marched / (light * single), 1.0, 2e-3 + twice);
            if (n == CASES - 1 || n == 2) {
                settings.smoke[0].extinction = 2.0f;
                assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
                assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
                BrumeSkyDistribution sky;
                assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
                const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, 0);
                double traced = 0.0;
                enum { PATHS = 40000 };
                for (int path = 0; path < PATHS; path++) {
                    BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)path);
                    traced += (double)brume_path_radiance(&scene, &ray, &sampler).y / PATHS;
                }
                brume_sky_distribution_destroy(&sky);
                const double expected = 1000.0 * single * path_integral(2.0, radians);
                assert_near("the traced radiance over the exact one", traced / expected, 1.0, 0.01);
            }
            brume_renderer_destroy(renderer);
        }
    }
}

// The furnace: white smoke of any phase function under a uniform sky is invisible. Paths weigh the sampled directions
// of the sky by the density and go on in directions of the samples, so both must agree.
static void test_furnace(void **state)
{
    (void)state;
    static float density[SIDE * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = 1.0f;
    }
    const BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, -0.5f, -0.5f));
    for (int n = 2; n < CASES; n += 2) {
        BrumeRenderSettings settings = settings_of(cases[n].kind, cases[n].value);
        settings.smoke[0] = (BrumeSmokeMedium){6.0f, {1.0f, 1.0f, 1.0f}};
        settings.light_count = 0;
        settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
        settings.sky_horizon = settings.sky_zenith;
        settings.ground = false;
        BrumeRenderer *renderer = NULL;
        BrumeError error;
        assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, &settings, &error), BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        BrumeSkyDistribution sky;
        assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
        const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, 100000);
        const BrumeRay ray = {{-2.0f, 0.1f, 0.1f}, {1.0f, 0.0f, 0.0f}};
        double sum = 0.0;
        enum { PATHS = 20000 };
        for (int path = 0; path < PATHS; path++) {
            BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)path);
            sum += (double)brume_path_radiance(&scene, &ray, &sampler).y / PATHS;
        }
        assert_near("the radiance", sum, 1.0, 0.01);
        brume_sky_distribution_destroy(&sky);
        brume_renderer_destroy(renderer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integral_and_mean_cosine),
        cmocka_unit_test(test_light_from_a_cap),
        cmocka_unit_test(test_special_cases),
        cmocka_unit_test(test_samples_follow_the_density),
        cmocka_unit_test(test_single_scattering),
        cmocka_unit_test(test_furnace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
