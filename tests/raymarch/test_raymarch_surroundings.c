// What surrounds the smoke: the pattern of the ground, and the walls of a room.
#include "brume/renderer.h"
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/ground.h"
#include "raymarch/intersect.h"
#include "raymarch_check.h"

static BrumeRenderSettings patterned(BrumeGroundPattern pattern)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground_pattern = pattern;
    settings.ground_albedo = brume_vec3(0.75f, 0.5f, 0.25f);
    settings.ground_albedo_2 = brume_vec3(0.25f, 0.0f, 0.125f);
    settings.ground_scale = 0.5f;
    return settings;
}

static const BrumeVec3 down = {0.0f, -1.0f, 0.0f};

// squares of 0.5 m, seen from 1 m above: 0.25 m from the edges one albedo alone, on an edge both in equal parts
static void test_checker_has_squares_of_its_scale(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = patterned(BRUME_GROUND_CHECKER);
    for (int i = -3; i < 3; i++) {
        for (int k = -3; k < 3; k++) {
            const BrumeVec3 center = {0.5f * (float)i + 0.25f, 0.0f, 0.5f * (float)k + 0.25f};
            const BrumeVec3 albedo = brume_ground_albedo(&settings, center, down, 1.0f);
            const bool first = (i + k) % 2 == 0;
            assert_near("red of a square", (double)albedo.x, first ? 0.75 : 0.25, 2e-4);
            assert_near("blue of a square", (double)albedo.z, first ? 0.25 : 0.125, 2e-4);
            const BrumeVec3 edge = {0.5f * (float)i, 0.0f, center.z};
            assert_near("red of an edge", (double)brume_ground_albedo(&settings, edge, down, 1.0f).x, 0.5, 2e-4);
        }
    }
    assert_near("mean", (double)brume_ground_mean_albedo(&settings).y, 0.25, 1e-6);
    // a quarter of a pixel of 1 mrad beyond the edge, at 100 m: 3/4 of the pixel on one square
    const BrumeVec3 beyond = {0.025f, 0.0f, 0.25f};
    assert_near("blend", (double)brume_ground_albedo(&settings, beyond, down, 100.0f).x, 0.75 * 0.75 + 0.25 * 0.25,
                1e-4);
}

// squares far smaller than a pixel: the mean, without a moire pattern
static void test_patterns_become_their_mean_at_the_horizon(void **state)
{
    (void)state;
    const BrumeVec3 level = brume_normalize(brume_vec3(1.0f, -0.002f, 0.7f));
    for (int pattern = BRUME_GROUND_CHECKER; pattern <= BRUME_GROUND_NOISE; pattern++) {
        const BrumeRenderSettings settings = patterned((BrumeGroundPattern)pattern);
        for (int n = 0; n < 50; n++) {
            const BrumeVec3 point = {700.0f + 0.171f * (float)n, 0.0f, 500.0f - 0.119f * (float)n};
            const BrumeVec3 albedo = brume_ground_albedo(&settings, point, level, 860.0f);
            assert_near("far ground", (double)albedo.x, 0.5, 0.01);
        }
    }
}

// between the two albedos, not constant, and 1/2 on average
static void test_noise_mixes_both_albedos(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = patterned(BRUME_GROUND_NOISE);
    double sum = 0.0;
    double squares = 0.0;
    enum { SIDE = 200 };
    for (int n = 0; n < SIDE * SIDE; n++) {
        const int row = n / SIDE;
        const BrumeVec3 point = {0.37f * (float)(n % SIDE), 0.0f, -0.37f * (float)row};
        const double red = (double)brume_ground_albedo(&settings, point, down, 1.0f).x;
        assert_true(red >= 0.25 && red <= 0.75);
        sum += red / (SIDE * SIDE);
        squares += red * red / (SIDE * SIDE);
    }
    assert_near("mean", sum, 0.5, 0.01);
    assert_true(sqrt(squares - sum * sum) > 0.05);
}

// a camera in front of a room of 2 x 2 x 2 m at the origin sees the far wall, and none that it looks at from outside
static void test_walls_are_seen_from_inside(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.wall_faces = 0x3f;
    const BrumeVec3 lower = {-1.0f, 0.0f, -1.0f};
    const BrumeVec3 upper = {1.0f, 2.0f, 1.0f};
    const BrumeRay far_wall = {{0.0f, 1.0f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    BrumeSurfaceHit hit = brume_intersect_visible(&settings, lower, upper, &far_wall, 0.0f);
    assert_int_equal(hit.surface, BRUME_HIT_WALL - 4); // z_min
    assert_near("distance", (double)hit.distance, 5.0, 1e-5);
    assert_near("normal", (double)brume_wall_normal(hit.surface).z, 1.0, 0.0);
    const BrumeRay from_inside = {{0.0f, 1.0f, 0.0f}, brume_normalize(brume_vec3(1.0f, 0.2f, 0.3f))};
    hit = brume_intersect_visible(&settings, lower, upper, &from_inside, 0.0f);
    assert_int_equal(hit.surface, BRUME_HIT_WALL - 1); // x_max
    assert_near("normal", (double)brume_wall_normal(hit.surface).x, -1.0, 0.0);
    const BrumeRay floor = {{0.0f, 1.0f, 0.0f}, {0.0f, -1.0f, 0.0f}};
    assert_int_equal(brume_intersect_visible(&settings, lower, upper, &floor, 0.0f).surface, BRUME_HIT_GROUND);
    const BrumeRay past = {{0.0f, 3.0f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    assert_int_equal(brume_intersect_visible(&settings, lower, upper, &past, 0.0f).surface, BRUME_HIT_SKY);
    settings.wall_faces = 0x37; // an open ceiling: a room no longer
    assert_int_equal(brume_intersect_visible(&settings, lower, upper, &far_wall, 0.0f).surface, BRUME_HIT_SKY);
    settings.walls = BRUME_WALLS_SHOWN;
    assert_int_equal(brume_intersect_visible(&settings, lower, upper, &far_wall, 0.0f).surface, BRUME_HIT_WALL - 4);
    settings.walls = BRUME_WALLS_HIDDEN;
    settings.wall_faces = 0x3f;
    assert_int_equal(brume_intersect_visible(&settings, lower, upper, &far_wall, 0.0f).surface, BRUME_HIT_SKY);
}

// Light of 3 W/m^2 falls on the far wall of an empty room at 60 degrees, through the walls that are not seen: radiance
// albedo * 3 * cos(60 degrees) / pi
static void test_light_reaches_the_walls(void **state)
{
    (void)state;
    static float density[8 * 8 * 8];
    const BrumeVolume volume = {.nx = 8,
                                .ny = 8,
                                .nz = 8,
                                .sy = 8,
                                .sz = 64,
                                .dx = 0.25f,
                                .origin = {-1.0f, 0.0f, -1.0f},
                                .density = {density}};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.ground_albedo = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.wall_faces = 0x3f;
    settings.wall_albedo = brume_vec3(0.5f, 0.25f, 1.0f);
    settings.lights[0].direction = brume_normalize(brume_vec3(0.0f, -sqrtf(3.0f), -1.0f));
    settings.lights[0].color = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.lights[0].intensity = 3.0f;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, 8, 8, 8, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    const BrumeCamera camera = {.position = {0.0f, 1.0f, 4.0f}, .target = {0.0f, 1.0f, 0.0f}, .field_of_view = 20.0f};
    const BrumeDrawDef def = {.width = 5, .height = 5, .samples = 1};
    float radiance[75];
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, radiance, NULL), BRUME_OK);
    float traced[75];
    BrumeTraceDef trace = brume_default_trace_def();
    BrumeTraceResult result;
    assert_int_equal(brume_renderer_trace(renderer, &camera, &def, &trace, traced, &result, &error), BRUME_OK);
    const double albedo[3] = {0.5, 0.25, 1.0};
    for (int c = 0; c < 3; c++) {
        const double expected = albedo[c] * 3.0 * 0.5 / 3.14159265358979;
        assert_near("marched wall", (double)radiance[36 + c], expected, 1e-5);
        assert_near("traced wall", (double)traced[36 + c], expected, 1e-5);
    }
    const BrumePick pick = brume_renderer_pick(renderer, &camera, 5, 5, 2.5f, 2.5f);
    assert_int_equal(pick.kind, BRUME_PICK_WALL);
    assert_near("picked point", (double)pick.point.z, -1.0, 1e-5);
    brume_renderer_destroy(renderer);
}

enum { COLUMNS = 37, ROWS = 21 }; // odd sides, also of the levels
static float ground_levels[3 * 2 * COLUMNS * ROWS];

static BrumeRenderSettings settings_with_image(bool repeat)
{
    assert_true(brume_ground_image_entries(COLUMNS, ROWS) <= sizeof ground_levels / sizeof ground_levels[0]);
    for (int n = 0; n < 3 * COLUMNS * ROWS; n++) {
        ground_levels[n] = brume_unit_float(brume_hash3((uint32_t)n, 1, 2));
    }
    brume_ground_image_fill_levels(ground_levels, COLUMNS, ROWS);
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground_pattern = BRUME_GROUND_IMAGE;
    settings.ground_image = (BrumeGroundImage){COLUMNS, ROWS, ground_levels, 0.1f * COLUMNS, 1.0f, -2.0f, repeat};
    return settings;
}

// the green of the texel at a point of the ground [m]
static double texel_at(double x, double z)
{
    const int column = (int)floor((x - 1.0) / 0.1 + 0.5 * COLUMNS);
    const int row = (int)floor((z + 2.0) / 0.1 + 0.5 * ROWS);
    const int i = (column % COLUMNS + COLUMNS) % COLUMNS;
    const int j = (row % ROWS + ROWS) % ROWS;
    return (double)ground_levels[3 * (j * COLUMNS + i) + 1];
}

static void test_ground_image(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = settings_with_image(true);
    double mean = 0.0;
    for (int n = 0; n < COLUMNS * ROWS; n++) {
        mean += (double)ground_levels[3 * n + 1] / (COLUMNS * ROWS);
    }
    assert_near("mean", (double)brume_ground_mean_albedo(&settings).y, mean, 1e-6);
    // the centers of texels, seen from near by; the picture repeats
    for (int n = 0; n < 200; n++) {
        const int row = n / 50;
        const double x = 1.0 + 0.1 * (n % 50 - 25) + (COLUMNS % 2 ? 0.0 : 0.05);
        const double z = -2.0 + 0.1 * (row * 9 - 20) + (ROWS % 2 ? 0.0 : 0.05);
        const BrumeVec3 point = {(float)x, 0.0f, (float)z};
        assert_near("texel", (double)brume_ground_albedo(&settings, point, down, 1.0f).y, texel_at(x, z), 1e-4);
        const BrumeVec3 period = {(float)x - 0.2f * COLUMNS, 0.0f, (float)z + 0.1f * ROWS};
        assert_near("period", (double)brume_ground_albedo(&settings, period, down, 1.0f).y, texel_at(x, z), 1e-4);
    }
    // towards the horizon a pixel is far longer than wide: its mean over points along the direction
    double squares = 0.0;
    for (int n = 0; n < 40; n++) {
        const BrumeVec3 point = {0.1f * (float)n, 0.0f, 0.37f * (float)n};
        const BrumeVec3 flat = {0.6f, -0.05f, 0.79843597f}; // 100 m: a footprint of 0.1 m x 2 m
        double exact = 0.0;
        for (int k = 0; k < 2000; k++) {
            const int strip = k / 200;
            const double along = ((k % 200 + 0.5) / 200.0 - 0.5) * 2.0;
            const double across = ((strip + 0.5) / 10.0 - 0.5) * 0.1;
            exact +=
                texel_at((double)point.x + 0.6 * along - 0.8 * across, (double)point.z + 0.8 * along + 0.6 * across);
        }
        const double difference = (double)brume_ground_albedo(&settings, point, flat, 100.0f).y - exact / 2000.0;
        squares += difference * difference / 40.0;
    }
    assert_below("mean along the view", sqrt(squares), 0.035); // one texel differs by 0.29 from the mean
    const BrumeVec3 level = {0.0f, -0.001f, 0.9999995f};
    const BrumeVec3 far_point = {3.0f, 0.0f, 500.0f};
    assert_near("horizon", (double)brume_ground_albedo(&settings, far_point, level, 5000.0f).y, mean, 1e-3);
}

static void test_single_ground_image(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = settings_with_image(false);
    const BrumeVec3 inside = {1.0f, 0.0f, -2.0f};
    assert_near("inside", (double)brume_ground_albedo(&settings, inside, down, 1.0f).y, texel_at(1.0, -2.0), 1e-4);
    const BrumeVec3 outside[] = {{1.0f + 0.051f * COLUMNS, 0.0f, -2.0f}, {1.0f, 0.0f, -2.0f - 0.051f * ROWS}};
    for (int n = 0; n < 2; n++) {
        assert_near("outside", (double)brume_ground_albedo(&settings, outside[n], down, 1.0f).y,
                    (double)settings.ground_albedo.y, 1e-6);
    }
    // a renderer needs the values
    BrumeRenderSettings without = settings;
    without.ground_image.albedo = NULL;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, 8, 8, 8, &without, &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_renderer_create(&renderer, 8, 8, 8, &settings, &error), BRUME_OK);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_image),
        cmocka_unit_test(test_single_ground_image),
        cmocka_unit_test(test_checker_has_squares_of_its_scale),
        cmocka_unit_test(test_patterns_become_their_mean_at_the_horizon),
        cmocka_unit_test(test_noise_mixes_both_albedos),
        cmocka_unit_test(test_walls_are_seen_from_inside),
        cmocka_unit_test(test_light_reaches_the_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
