// Light through smoke: slabs against the Beer-Lambert law, light volumes against marching, shadows, the white furnace.
#include "core/field.h"
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/scattering.h"
#include "raymarch/light/skylight.h"
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

static void fill_uniformly(void)
{
    for (int n = 0; n < CELLS; n++) {
        density[n] = 1.0f;
    }
}

// a Gaussian ball away from the center, 0 at the sides
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

// smoke that only absorbs, one directional light, a black sky
static BrumeRenderSettings black_settings(float extinction)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind] = (BrumeSmokeMedium){.extinction = extinction, .albedo = {0.0f, 0.0f, 0.0f}};
    }
    settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.sky_horizon = settings.sky_zenith;
    settings.ground = false;
    return settings;
}

static BrumeRenderer *create_lit(const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, settings, &error), BRUME_OK);
    const BrumeVolume volume = cube();
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    return renderer;
}

static void test_slab_transmittance(void **state)
{
    (void)state;
    const float steps[] = {0.1f, 0.25f, 0.7f, 1.0f, 2.0f, 3.3f, 50.0f};
    const float jitters[] = {0.0f, 0.31f, 0.5f, 0.999f};
    const float extinctions[] = {0.2f, 3.0f, 6.0f};
    fill_uniformly();
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (size_t e = 0; e < sizeof extinctions / sizeof extinctions[0]; e++) {
            BrumeRenderSettings settings = black_settings(extinctions[e]);
            settings.step = steps[s];
            BrumeRenderer *renderer = create_lit(&settings);
            for (int tilt = 0; tilt <= 3; tilt++) {
                // from above through top and bottom, at increasing angles
                const float slope = 0.2f * (float)tilt;
                const BrumeVec3 direction = brume_normalize(brume_vec3(slope, -1.0f, 0.3f * slope));
                const BrumeRay ray = {{-1.5f * slope, 2.0f, -0.45f * slope}, direction};
                const double expected = exp(-(double)extinctions[e] / -(double)direction.y);
                for (size_t j = 0; j < sizeof jitters / sizeof jitters[0]; j++) {
                    const BrumeMarchResult march =
                        brume_march(&renderer->lit, &ray, INFINITY, (BrumeMarchSteps){settings.step, jitters[j], 0.0f});
                    assert_near("transmittance of a slab", march.transmittance, expected, 1e-5);
                    assert_near("radiance of black smoke", march.radiance.y, 0.0, 0.0);
                }
                assert_near("transmittance of a slab for a shadow ray",
                            brume_march_transmittance(&renderer->lit, &ray, INFINITY), expected, 1e-5);
                // limited by a surface half-way down
                const BrumeMarchResult half = brume_march(&renderer->lit, &ray, 1.5f / -direction.y,
                                                          (BrumeMarchSteps){settings.step, 0.4f, 0.0f});
                assert_near("transmittance of half a slab", half.transmittance, sqrt(expected), 1e-5);
            }
            brume_renderer_destroy(renderer);
        }
    }
}

// directions of light with every main axis and sign
static const BrumeVec3 directions[] = {
    {0.0f, -1.0f, 0.0f}, {0.3f, -0.8f, 0.2f},  {0.4f, 0.8f, -0.3f}, {0.9f, -0.3f, 0.2f},
    {-0.9f, 0.1f, 0.4f}, {0.2f, -0.3f, -0.9f}, {0.1f, 0.2f, 0.9f},  {1.0f, 0.0f, 0.0f},
};

enum { DIRECTIONS = sizeof directions / sizeof directions[0] };

static double directional_at(const BrumeRenderer *renderer, int light, BrumeVec3 point)
{
    const BrumeVec3 in_cells =
        brume_scale(brume_sub(point, renderer->lit.medium.origin), 1.0f / renderer->lit.medium.dx);
    return pow((double)brume_sweep_at_any_point(&renderer->lit.directional[light], in_cells),
               (double)BRUME_TRANSMITTANCE_ROOT);
}

static void test_directional_light_in_a_slab(void **state)
{
    (void)state;
    fill_uniformly();
    for (int n = 0; n < DIRECTIONS; n++) {
        BrumeRenderSettings settings = black_settings(2.0f);
        settings.lights[0].direction = directions[n];
        BrumeRenderer *renderer = create_lit(&settings);
        const BrumeVec3 to_light = brume_scale(brume_normalize(directions[n]), -1.0f);
        for (int depth = 0; depth <= 8; depth++) {
            // points on the ray through the center, which leaves through the face towards the light
            const BrumeVec3 middle = {0.0f, 0.5f, 0.0f};
            const float to_face = 0.5f / fmaxf(fabsf(to_light.x), fmaxf(fabsf(to_light.y), fabsf(to_light.z)));
            const float along = to_face * (1.0f - (float)depth / 8.0f);
            const BrumeVec3 point = brume_add(middle, brume_scale(to_light, along));
            assert_near("directional light in a slab", directional_at(renderer, 0, point),
                        exp(-2.0 * (to_face - along)), 1e-4);
        }
        brume_renderer_destroy(renderer);
    }
}

// light volumes against marching to the light
static void test_directional_light_agrees_with_marching(void **state)
{
    (void)state;
    fill_with_ball();
    for (int n = 0; n < DIRECTIONS; n++) {
        BrumeRenderSettings settings = black_settings(10.0f);
        settings.lights[0].direction = directions[n];
        settings.step = 0.25f;
        BrumeRenderer *renderer = create_lit(&settings);
        for (uint32_t p = 0; p < 500; p++) {
            const BrumeVec3 point = {brume_unit_float(brume_hash3(p, 0, 1)) - 0.5f,
                                     brume_unit_float(brume_hash3(p, 1, 1)),
                                     brume_unit_float(brume_hash3(p, 2, 1)) - 0.5f};
            const BrumeRay ray = {point, brume_scale(brume_normalize(directions[n]), -1.0f)};
            assert_near("directional light behind a ball", directional_at(renderer, 0, point),
                        brume_march_transmittance(&renderer->lit, &ray, INFINITY), 0.02);
        }
        brume_renderer_destroy(renderer);
    }
}

// a few cells of smoke of random density, from the cell (x, y, z) on
static void fill_few_cells(int x, int y, int z)
{
    enum { FEW = 5 };
    memset(density, 0, sizeof density);
    for (uint32_t n = 0; n < FEW * FEW * FEW; n++) {
        const int i = x + (int)(n % FEW);
        const int j = y + (int)(n / FEW % FEW);
        const int k = z + (int)(n / (FEW * FEW));
        density[(k * SIDE + j) * SIDE + i] = brume_unit_float(brume_hash_u32(n));
    }
}

// the light of a sun at points in and around the box
static void sample_sun(float *samples, const BrumeRenderer *renderer, int count)
{
    for (int n = 0; n < count; n++) {
        BrumeVec3 cells;
        float *const component[] = {&cells.x, &cells.y, &cells.z};
        for (int axis = 0; axis < 3; axis++) {
            const float random = brume_unit_float(brume_hash3((uint32_t)n, (uint32_t)axis, 7));
            *component[axis] = (1.4f * random - 0.2f) * SIDE;
        }
        samples[n] = brume_sweep_at_any_point(&renderer->lit.directional[0], cells);
    }
}

// The parts of light volumes that are stored around few cells of smoke, and around solids, give the same light as all
// entries do.
static void test_light_around_few_cells(void **state)
{
    (void)state;
    enum { POINTS = 4000 };
    static float few[POINTS];
    static float all[POINTS];
    const int corners[][3] = {{0, 0, 0}, {27, 14, 3}, {12, 20, 27}};
    for (int n = 0; n < 12 * DIRECTIONS; n++) {
        const int *corner = corners[n % 3];
        fill_few_cells(corner[0], corner[1], corner[2]);
        BrumeRenderSettings settings = black_settings(40.0f);
        settings.lights[0].direction = directions[n % DIRECTIONS];
        settings.lights[0].angle = n / DIRECTIONS % 2 == 0 ? 0.0f : 12.0f;
        settings.surface_count = n / DIRECTIONS % 4 < 2 ? 0 : 1;
        settings.surfaces[0] =
            (BrumeSurface){.shape = {.kind = BRUME_SHAPE_SPHERE, .a = {-0.2f, 0.9f, 0.1f}, .radius = 0.2f}};
        BrumeRenderer *renderer = create_lit(&settings);
        const BrumeTransmittanceSweep *sweep = &renderer->lit.directional[0];
        const ptrdiff_t stored = brume_sweep_stored(sweep);
        sample_sun(few, renderer, POINTS);
        renderer->lit.medium.smoke = brume_whole_box(renderer->lit.medium.grid);
        assert_int_equal(brume_renderer_light(renderer, NULL), BRUME_OK);
        assert_true(n >= DIRECTIONS || 2 * stored < brume_sweep_stored(sweep)); // without disc and solids
        sample_sun(all, renderer, POINTS);
        assert_memory_equal(few, all, sizeof few);
        brume_renderer_destroy(renderer);
    }
}

// a volume that is loaded after others gives the same medium as in a new renderer
static void test_volumes_one_after_the_other(void **state)
{
    (void)state;
    BrumeError error;
    const BrumeRenderSettings settings = black_settings(40.0f);
    fill_with_ball();
    BrumeRenderer *renderer = create_lit(&settings);
    BrumeVolume volume = cube();
    volume.nx = 20; // of fewer cells
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    for (int n = 0; n < 3; n++) {
        fill_few_cells(13 * n, 3 * n, 26 - 13 * n);
        BrumeRenderer *other = create_lit(&settings);
        volume = cube();
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        const BrumeGridMedium *medium = &renderer->lit.medium;
        assert_memory_equal(medium->extinction.data, other->lit.medium.extinction.data,
                            brume_grid_entries(medium->grid) * sizeof(float));
        assert_memory_equal(medium->majorant, other->lit.medium.majorant,
                            brume_grid_cells(medium->macro_cells) * sizeof(float));
        brume_renderer_destroy(other);
    }
    brume_renderer_destroy(renderer);
}

static void test_point_light_agrees_with_marching(void **state)
{
    (void)state;
    const BrumeVec3 positions[] = {
        {0.1f, 1.6f, 0.05f}, {-0.9f, 0.4f, 0.2f}, {0.02f, 0.47f, -0.33f}, {2.0f, 2.0f, 2.0f}};
    fill_with_ball();
    for (size_t n = 0; n < sizeof positions / sizeof positions[0]; n++) {
        BrumeRenderSettings settings = black_settings(10.0f);
        settings.lights[0] = (BrumeLight){
            .kind = BRUME_LIGHT_POINT, .position = positions[n], .color = {1.0f, 1.0f, 1.0f}, .intensity = 1.0f};
        settings.step = 0.25f;
        BrumeRenderer *renderer = create_lit(&settings);
        for (uint32_t p = 0; p < 1000; p++) {
            const BrumeVec3 point = {brume_unit_float(brume_hash3(p, 0, 2)) - 0.5f,
                                     brume_unit_float(brume_hash3(p, 1, 2)),
                                     brume_unit_float(brume_hash3(p, 2, 2)) - 0.5f};
            const BrumeVec3 to_light = brume_sub(positions[n], point);
            const float distance = brume_length(to_light);
            const BrumeRay ray = {point, brume_normalize(to_light)};
            const BrumeVec3 in_cells =
                brume_scale(brume_sub(point, renderer->lit.medium.origin), 1.0f / renderer->lit.medium.dx);
            assert_near(
                "point light behind a ball",
                pow((double)brume_point_light_at(&renderer->lit.point[0], in_cells), (double)BRUME_TRANSMITTANCE_ROOT),
                brume_march_transmittance(&renderer->lit, &ray, distance), 0.04);
        }
        brume_renderer_destroy(renderer);
    }
}

// a Lambertian surface under a directional light that passes a slab at an angle
static void test_shadow_of_a_slab_on_the_ground(void **state)
{
    (void)state;
    fill_uniformly();
    for (int tilt = 0; tilt <= 3; tilt++) {
        const float slope = 0.2f * (float)tilt;
        BrumeRenderSettings settings = black_settings(1.5f);
        settings.ground = true;
        settings.ground_height = -0.25f;
        settings.ground_albedo = brume_vec3(0.5f, 0.25f, 1.0f);
        settings.lights[0].color = brume_vec3(1.0f, 1.0f, 1.0f);
        settings.lights[0].intensity = 2.0f;
        settings.lights[0].direction = brume_normalize(brume_vec3(slope, -1.0f, 0.5f * slope));
        BrumeRenderer *renderer = create_lit(&settings);
        const double cosine = -settings.lights[0].direction.y;
        // light through the center of the slab arrives here; seen from below the slab
        const BrumeVec3 spot = {0.75f * slope, -0.25f, 0.375f * slope};
        const BrumeVec3 eye = {spot.x + 0.2f, -0.05f, spot.z + 0.1f};
        const BrumeRay ray = {eye, brume_normalize(brume_sub(spot, eye))};
        const double share = brume_ground_fade(brume_length(brume_sub(spot, eye)));
        const BrumeVec3 seen = brume_ray_radiance(&renderer->lit, &ray, (BrumeMarchSteps){1.0f, 0.5f, 0.0f});
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
    BrumeRenderSettings settings = black_settings(0.0f);
    settings.light_count = 2;
    settings.lights[0].direction = brume_vec3(0.0f, -1.0f, 0.0f);
    settings.lights[1] = (BrumeLight){
        .kind = BRUME_LIGHT_POINT, .position = {0.0f, 1.5f, 0.0f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 1.0f};
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.6f, 0.0f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.15f},
        {1.0f, 1.0f, 1.0f}};
    BrumeRenderer *renderer = create_lit(&settings);
    const struct {
        BrumeVec3 point; // [cells]
        double directional, point_light;
    } cases[] = {
        {{16.0f, 30.0f, 16.0f}, 1.0, 1.0}, // above
        {{16.0f, 5.0f, 16.0f}, 0.0, 0.0},  // below
        {{28.0f, 5.0f, 16.0f}, 1.0, 1.0},  // next to it
        {{22.0f, 1.0f, 16.0f}, 1.0, 0.0},  // in the wider shadow of the point light only
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const double directional = pow((double)brume_sweep_at_any_point(&renderer->lit.directional[0], cases[n].point),
                                       (double)BRUME_TRANSMITTANCE_ROOT);
        const double point_light = pow((double)brume_point_light_at(&renderer->lit.point[1], cases[n].point),
                                       (double)BRUME_TRANSMITTANCE_ROOT);
        assert_near("directional light past a ball", directional, cases[n].directional, 1e-6);
        assert_near("point light past a ball", point_light, cases[n].point_light, 1e-6);
    }
    brume_renderer_destroy(renderer);
}

// under uniform light from all directions, smoke that absorbs nothing is invisible
static void test_white_furnace(void **state)
{
    (void)state;
    fill_with_ball();
    BrumeRenderSettings settings = black_settings(40.0f);
    settings.light_count = 0;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind].albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    }
    settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.sky_horizon = settings.sky_zenith;
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_BOX, .a = {-0.5f, 0.0f, -0.5f}, .b = {0.5f, 0.1f, 0.5f}, .radius = 0.0f},
        {1.0f, 1.0f, 1.0f}};
    BrumeRenderer *renderer = create_lit(&settings);
    for (uint32_t n = 0; n < 200; n++) {
        const BrumeVec3 target = {brume_unit_float(brume_hash3(n, 0, 3)) - 0.5f, brume_unit_float(brume_hash3(n, 1, 3)),
                                  brume_unit_float(brume_hash3(n, 2, 3)) - 0.5f};
        const BrumeVec3 eye = {0.5f, 1.2f, 3.0f};
        const BrumeRay ray = {eye, brume_normalize(brume_sub(target, eye))};
        const BrumeVec3 seen = brume_ray_radiance(&renderer->lit, &ray, (BrumeMarchSteps){1.0f, 0.5f, 0.0f});
        assert_near("radiance in a white furnace", seen.x, 1.0, 0.005);
        assert_near("radiance in a white furnace", seen.z, 1.0, 0.005);
    }
    brume_renderer_destroy(renderer);
}

// skylight decreases inside the smoke
static void test_sky_within_smoke(void **state)
{
    (void)state;
    fill_with_ball();
    BrumeRenderSettings settings = black_settings(10.0f);
    settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.sky_horizon = settings.sky_zenith;
    BrumeRenderer *renderer = create_lit(&settings);
    const BrumeLightMoments inside =
        brume_scattered_light_at(&renderer->lit.scattered, brume_vec3(14.4f, 16.0f, 17.6f));
    const BrumeLightMoments outside = brume_scattered_light_at(&renderer->lit.scattered, brume_vec3(1.0f, 31.0f, 1.0f));
    // the optical depth from the center is the same in every direction: 10 sqrt(0.02 pi) / 2
    assert_near("mean radiance at the middle of a ball", inside.color[0][0], exp(-5.0 * sqrt(0.02 * M_PI)), 0.03);
    for (int m = 1; m < BRUME_LIGHT_MOMENTS; m++) {
        assert_near("flux at the middle of a ball", inside.color[1][m], 0.0, 0.01);
    }
    assert_true(outside.color[2][0] > 0.9f && outside.color[2][0] <= 1.0001f);
    // light that the ball takes would travel to this corner, towards lower x and z and upwards
    assert_true(outside.color[0][1] > 0.005f && outside.color[0][2] < -0.005f && outside.color[0][3] > 0.005f);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab_transmittance),
        cmocka_unit_test(test_directional_light_in_a_slab),
        cmocka_unit_test(test_directional_light_agrees_with_marching),
        cmocka_unit_test(test_light_around_few_cells),
        cmocka_unit_test(test_volumes_one_after_the_other),
        cmocka_unit_test(test_point_light_agrees_with_marching),
        cmocka_unit_test(test_shadow_of_a_slab_on_the_ground),
        cmocka_unit_test(test_shadow_of_solids),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_sky_within_smoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
