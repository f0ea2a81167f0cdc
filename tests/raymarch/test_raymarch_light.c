// Light through smoke: slabs against Beer and Lambert, light volumes against marching, shadows, the white furnace.
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/scatter.h"
#include "raymarch/sky.h"
#include "raymarch_check.h"

enum { SIDE = 32, CELLS = SIDE * SIDE * SIDE };

static float density[CELLS];

// a cube of 1 m whose lower corner is at (-0.5, 0, -0.5)
static BrumeVolume cube(void)
{
    return (BrumeVolume){.nx = SIDE,
                         .ny = SIDE,
                         .nz = SIDE,
                         .sy = SIDE,
                         .sz = SIDE * SIDE,
                         .dx = 1.0f / SIDE,
                         .origin = {-0.5f, 0.0f, -0.5f},
                         .density = {density}};
}

static void fill_evenly(void)
{
    for (int n = 0; n < CELLS; n++) {
        density[n] = 1.0f;
    }
}

// a soft ball off the middle, small enough that nothing reaches the sides
static void fill_with_ball(void)
{
    for (int n = 0; n < CELLS; n++) {
        const int column = n % SIDE;
        const int row = n / SIDE % SIDE;
        const int plane = n / SIDE / SIDE;
        const float x = ((float)column + 0.5f) / SIDE - 0.45f;
        const float y = ((float)row + 0.5f) / SIDE - 0.5f;
        const float z = ((float)plane + 0.5f) / SIDE - 0.55f;
        density[n] = expf(-(x * x + y * y + z * z) / 0.02f);
    }
}

// smoke that only takes light up, under one sun and a black sky
static BrumeRenderSettings black_look(float extinction)
{
    BrumeRenderSettings look = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        look.smoke[kind] = (BrumeSmokeMedium){.extinction = extinction, .albedo = {0.0f, 0.0f, 0.0f}};
    }
    look.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    look.sky_horizon = look.sky_zenith;
    look.ground = false;
    return look;
}

static BrumeRenderer *lit(const BrumeRenderSettings *look)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, look, &error), BRUME_OK);
    const BrumeVolume volume = cube();
    brume_renderer_load(renderer, &volume);
    brume_renderer_light(renderer);
    return renderer;
}

static void test_slab_transmittance(void **state)
{
    (void)state;
    const float steps[] = {0.1f, 0.25f, 0.7f, 1.0f, 2.0f, 3.3f, 50.0f};
    const float jitters[] = {0.0f, 0.31f, 0.5f, 0.999f};
    const float extinctions[] = {0.2f, 3.0f, 6.0f};
    fill_evenly();
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (size_t e = 0; e < sizeof extinctions / sizeof extinctions[0]; e++) {
            BrumeRenderSettings look = black_look(extinctions[e]);
            look.step = steps[s];
            BrumeRenderer *renderer = lit(&look);
            for (int lean = 0; lean <= 3; lean++) {
                // from above through top and bottom, leaning more and more
                const float slope = 0.2f * (float)lean;
                const BrumeVec3 direction = brume_normalize(brume_vec3(slope, -1.0f, 0.3f * slope));
                const BrumeRay ray = {{-1.5f * slope, 2.0f, -0.45f * slope}, direction};
                const double expected = exp(-(double)extinctions[e] / -(double)direction.y);
                for (size_t j = 0; j < sizeof jitters / sizeof jitters[0]; j++) {
                    const BrumeMarch march = brume_march(renderer, &ray, INFINITY, (BrumeSteps){look.step, jitters[j]});
                    assert_near("transmittance of a slab", march.transmittance, expected, 1e-5);
                    assert_near("radiance of black smoke", march.radiance.y, 0.0, 0.0);
                }
                assert_near("the same for a shadow", brume_march_transmittance(renderer, &ray, INFINITY), expected,
                            1e-5);
                // stopped half-way down by something solid
                const BrumeMarch half = brume_march(renderer, &ray, 1.5f / -direction.y, (BrumeSteps){look.step, 0.4f});
                assert_near("transmittance of half a slab", half.transmittance, sqrt(expected), 1e-5);
            }
            brume_renderer_destroy(renderer);
        }
    }
}

// every direction of travel has its own main axis and sense
static const BrumeVec3 travels[] = {
    {0.0f, -1.0f, 0.0f}, {0.3f, -0.8f, 0.2f},  {0.4f, 0.8f, -0.3f}, {0.9f, -0.3f, 0.2f},
    {-0.9f, 0.1f, 0.4f}, {0.2f, -0.3f, -0.9f}, {0.1f, 0.2f, 0.9f},  {1.0f, 0.0f, 0.0f},
};

enum { TRAVELS = sizeof travels / sizeof travels[0] };

static double sun_at(const BrumeRenderer *renderer, int light, BrumeVec3 point)
{
    const BrumeVec3 in_cells = brume_scale(brume_sub(point, renderer->smoke.origin), 1.0f / renderer->smoke.dx);
    return pow((double)brume_sweep_anywhere(&renderer->suns[light], in_cells), (double)BRUME_DEEPEST);
}

static void test_sun_in_a_slab(void **state)
{
    (void)state;
    fill_evenly();
    for (int n = 0; n < TRAVELS; n++) {
        BrumeRenderSettings look = black_look(2.0f);
        look.lights[0].direction = travels[n];
        BrumeRenderer *renderer = lit(&look);
        const BrumeVec3 to_light = brume_scale(brume_normalize(travels[n]), -1.0f);
        for (int depth = 0; depth <= 8; depth++) {
            // places on the ray through the middle that leaves by the face towards the light
            const BrumeVec3 middle = {0.0f, 0.5f, 0.0f};
            const float to_face = 0.5f / fmaxf(fabsf(to_light.x), fmaxf(fabsf(to_light.y), fabsf(to_light.z)));
            const float along = to_face * (1.0f - (float)depth / 8.0f);
            const BrumeVec3 point = brume_add(middle, brume_scale(to_light, along));
            assert_near("sun within a slab", sun_at(renderer, 0, point), exp(-2.0 * (to_face - along)), 1e-4);
        }
        brume_renderer_destroy(renderer);
    }
}

// what the light volumes say and what marching to the light says
static void test_sun_agrees_with_marching(void **state)
{
    (void)state;
    fill_with_ball();
    for (int n = 0; n < TRAVELS; n++) {
        BrumeRenderSettings look = black_look(10.0f);
        look.lights[0].direction = travels[n];
        look.step = 0.25f;
        BrumeRenderer *renderer = lit(&look);
        for (uint32_t p = 0; p < 500; p++) {
            const BrumeVec3 point = {brume_unit_float(brume_hash3(p, 0, 1)) - 0.5f,
                                     brume_unit_float(brume_hash3(p, 1, 1)),
                                     brume_unit_float(brume_hash3(p, 2, 1)) - 0.5f};
            const BrumeRay ray = {point, brume_scale(brume_normalize(travels[n]), -1.0f)};
            assert_near("sun behind a ball", sun_at(renderer, 0, point),
                        brume_march_transmittance(renderer, &ray, INFINITY), 0.02);
        }
        brume_renderer_destroy(renderer);
    }
}

static void test_lamp_agrees_with_marching(void **state)
{
    (void)state;
    const BrumeVec3 positions[] = {
        {0.1f, 1.6f, 0.05f}, {-0.9f, 0.4f, 0.2f}, {0.02f, 0.47f, -0.33f}, {2.0f, 2.0f, 2.0f}};
    fill_with_ball();
    for (size_t n = 0; n < sizeof positions / sizeof positions[0]; n++) {
        BrumeRenderSettings look = black_look(10.0f);
        look.lights[0] = (BrumeLight){
            .kind = BRUME_LIGHT_POINT, .position = positions[n], .color = {1.0f, 1.0f, 1.0f}, .intensity = 1.0f};
        look.step = 0.25f;
        BrumeRenderer *renderer = lit(&look);
        for (uint32_t p = 0; p < 1000; p++) {
            const BrumeVec3 point = {brume_unit_float(brume_hash3(p, 0, 2)) - 0.5f,
                                     brume_unit_float(brume_hash3(p, 1, 2)),
                                     brume_unit_float(brume_hash3(p, 2, 2)) - 0.5f};
            const BrumeVec3 to_light = brume_sub(positions[n], point);
            const float distance = brume_length(to_light);
            const BrumeRay ray = {point, brume_normalize(to_light)};
            const BrumeVec3 in_cells = brume_scale(brume_sub(point, renderer->smoke.origin), 1.0f / renderer->smoke.dx);
            assert_near("lamp behind a ball",
                        pow((double)brume_lamp_seen(&renderer->lamps[0], in_cells), (double)BRUME_DEEPEST),
                        brume_march_transmittance(renderer, &ray, distance), 0.04);
        }
        brume_renderer_destroy(renderer);
    }
}

// Lambert under a sun, dimmed along the slanted way through a slab above
static void test_shadow_of_a_slab_on_the_ground(void **state)
{
    (void)state;
    fill_evenly();
    for (int lean = 0; lean <= 3; lean++) {
        const float slope = 0.2f * (float)lean;
        BrumeRenderSettings look = black_look(1.5f);
        look.ground = true;
        look.ground_height = -0.25f;
        look.ground_albedo = brume_vec3(0.5f, 0.25f, 1.0f);
        look.lights[0].color = brume_vec3(1.0f, 1.0f, 1.0f);
        look.lights[0].intensity = 2.0f;
        look.lights[0].direction = brume_normalize(brume_vec3(slope, -1.0f, 0.5f * slope));
        BrumeRenderer *renderer = lit(&look);
        const double cosine = -look.lights[0].direction.y;
        // the light through the middle of the slab meets the ground here; seen from below the slab
        const BrumeVec3 spot = {0.75f * slope, -0.25f, 0.375f * slope};
        const BrumeVec3 eye = {spot.x + 0.2f, -0.05f, spot.z + 0.1f};
        const BrumeRay ray = {eye, brume_normalize(brume_sub(spot, eye))};
        const double share = brume_ground_share(brume_length(brume_sub(spot, eye)));
        const BrumeVec3 seen = brume_see(renderer, &ray, (BrumeSteps){1.0f, 0.5f});
        const double expected = share * 0.5 / M_PI * 2.0 * cosine * exp(-1.5 / cosine);
        assert_near("ground below a slab", seen.x, expected, 1e-4 * expected);
        assert_near("its second color", seen.y, 0.5 * expected, 1e-4 * expected);
        brume_renderer_destroy(renderer);
    }
}

static void test_shadow_of_solids(void **state)
{
    (void)state;
    fill_with_ball();
    BrumeRenderSettings look = black_look(0.0f);
    look.light_count = 2;
    look.lights[0].direction = brume_vec3(0.0f, -1.0f, 0.0f);
    look.lights[1] = (BrumeLight){
        .kind = BRUME_LIGHT_POINT, .position = {0.0f, 1.5f, 0.0f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 1.0f};
    look.surface_count = 1;
    look.surfaces[0] =
        (BrumeSurface){{BRUME_SHAPE_SPHERE, {0.0f, 0.6f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.15f}, {1.0f, 1.0f, 1.0f}};
    BrumeRenderer *renderer = lit(&look);
    const struct {
        BrumeVec3 point; // [cells]
        double sun, lamp;
    } cases[] = {
        {{16.0f, 30.0f, 16.0f}, 1.0, 1.0}, // above
        {{16.0f, 5.0f, 16.0f}, 0.0, 0.0},  // below
        {{28.0f, 5.0f, 16.0f}, 1.0, 1.0},  // beside
        {{22.0f, 1.0f, 16.0f}, 1.0, 0.0},  // where only the lamp's shadow spreads
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const double sun = pow((double)brume_sweep_anywhere(&renderer->suns[0], cases[n].point), (double)BRUME_DEEPEST);
        const double lamp = pow((double)brume_lamp_seen(&renderer->lamps[1], cases[n].point), (double)BRUME_DEEPEST);
        assert_near("sun past a ball", sun, cases[n].sun, 1e-6);
        assert_near("lamp past a ball", lamp, cases[n].lamp, 1e-6);
    }
    brume_renderer_destroy(renderer);
}

// in light that is the same from everywhere, smoke that loses none of it cannot be seen
static void test_white_furnace(void **state)
{
    (void)state;
    fill_with_ball();
    BrumeRenderSettings look = black_look(40.0f);
    look.light_count = 0;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        look.smoke[kind].albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    }
    look.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    look.sky_horizon = look.sky_zenith;
    look.surface_count = 1;
    look.surfaces[0] =
        (BrumeSurface){{BRUME_SHAPE_BOX, {-0.5f, 0.0f, -0.5f}, {0.5f, 0.1f, 0.5f}, 0.0f}, {1.0f, 1.0f, 1.0f}};
    BrumeRenderer *renderer = lit(&look);
    for (uint32_t n = 0; n < 200; n++) {
        const BrumeVec3 target = {brume_unit_float(brume_hash3(n, 0, 3)) - 0.5f, brume_unit_float(brume_hash3(n, 1, 3)),
                                  brume_unit_float(brume_hash3(n, 2, 3)) - 0.5f};
        const BrumeVec3 eye = {0.5f, 1.2f, 3.0f};
        const BrumeRay ray = {eye, brume_normalize(brume_sub(target, eye))};
        const BrumeVec3 seen = brume_see(renderer, &ray, (BrumeSteps){1.0f, 0.5f});
        assert_near("radiance in a white furnace", seen.x, 1.0, 0.005);
        assert_near("radiance in a white furnace", seen.z, 1.0, 0.005);
    }
    brume_renderer_destroy(renderer);
}

// the sky is dimmer inside, and where more smoke is in the way
static void test_sky_within_smoke(void **state)
{
    (void)state;
    fill_with_ball();
    BrumeRenderSettings look = black_look(10.0f);
    look.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    look.sky_horizon = look.sky_zenith;
    BrumeRenderer *renderer = lit(&look);
    float inside[BRUME_SKY_CHANNELS];
    float outside[BRUME_SKY_CHANNELS];
    brume_skylight_at(&renderer->sky, brume_vec3(14.4f, 16.0f, 17.6f), inside);
    brume_skylight_at(&renderer->sky, brume_vec3(1.0f, 31.0f, 1.0f), outside);
    // half of the ball's depth lies in every direction: 10 sqrt(0.02 pi) / 2
    assert_near("sky at the middle of a ball", inside[0], exp(-5.0 * sqrt(0.02 * M_PI)), 0.03);
    assert_near("sky seen at the middle", inside[3], inside[0], 1e-6);
    assert_true(outside[0] > 0.9f && outside[0] <= 1.0001f);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab_transmittance),
        cmocka_unit_test(test_sun_in_a_slab),
        cmocka_unit_test(test_sun_agrees_with_marching),
        cmocka_unit_test(test_lamp_agrees_with_marching),
        cmocka_unit_test(test_shadow_of_a_slab_on_the_ground),
        cmocka_unit_test(test_shadow_of_solids),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_sky_within_smoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
