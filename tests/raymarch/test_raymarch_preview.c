// Pictures with the smoke at a reduced resolution: surfaces are as sharp as in the picture at full size, shadows and
// smoke nearly the same, and the bits do not depend on the number of threads.
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "raymarch/cpu/preview.h"
#include "raymarch/ground.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <string.h>

// a picture whose last blocks, tiles and nodes are not full
enum { WIDTH = 163, HEIGHT = 101, VALUES = 3 * WIDTH * HEIGHT, N = 24 };

static BrumeVolume volume;
static float full[VALUES], other[VALUES];
static uint8_t full_rgb[VALUES], rgb[VALUES], other_rgb[VALUES];

static BrumeRenderSettings checkered_settings(void)
{
    BrumeRenderSettings settings = plume_settings();
    settings.ground_pattern = BRUME_GROUND_CHECKER;
    settings.ground_albedo = brume_vec3(0.7f, 0.7f, 0.7f);
    settings.ground_albedo_2 = brume_vec3(0.1f, 0.1f, 0.1f);
    settings.ground_scale = 0.1f;
    return settings;
}

static BrumeRenderer *lit_renderer(const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    return renderer;
}

static void draw_full(const BrumeRenderer *renderer, const BrumeCamera *camera, int samples)
{
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = samples, .seed = 3};
    assert_int_equal(brume_renderer_draw(renderer, camera, &def, full, NULL), BRUME_OK);
}

static void draw_preview(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumePreviewDef *def,
                         uint8_t *to)
{
    BrumePreview nodes = {0};
    BrumeError error = {0};
    assert_int_equal(brume_preview_draw(&nodes, renderer, camera, def, to, &error), BRUME_OK);
    brume_preview_destroy(&nodes);
}

static void draw_columns(const BrumeRenderer *renderer, const BrumeCamera *camera, int shrink, int left, int right,
                         uint8_t *to)
{
    const BrumePreviewDef def = {
        .width = WIDTH, .height = HEIGHT, .left = left, .right = right, .shrink = shrink, .seed = 3};
    draw_preview(renderer, camera, &def, to);
}

static double psnr(const uint8_t *a, const uint8_t *b)
{
    double sum = 0.0;
    for (int n = 0; n < VALUES; n++) {
        const double difference = (double)a[n] - (double)b[n];
        sum += difference * difference;
    }
    return sum > 0.0 ? 10.0 * log10(255.0 * 255.0 * VALUES / sum) : 99.0;
}

static void test_like_full_size(void **state)
{
    (void)state;
    static const double least[] = {0.0, 45.0, 36.0, 35.0, 32.5}; // [dB], by the divisor
    const BrumeRenderSettings settings = checkered_settings();
    BrumeRenderer *renderer = lit_renderer(&settings);
    draw_full(renderer, &plume_camera, 1);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
    for (int shrink = 1; shrink <= 4; shrink++) {
        draw_columns(renderer, &plume_camera, shrink, 0, WIDTH, rgb);
        const double found = psnr(full_rgb, rgb);
        print_message("1/%d: %.1f dB\n", shrink, found);
        assert_below("least signal-to-noise ratio [dB]", least[shrink], found);
    }
    brume_renderer_destroy(renderer);
}

// without solids only the smoke casts a shadow, whose edge is interpolated or has shadow rays
static void test_coarse_shadows(void **state)
{
    (void)state;
    BrumeRenderSettings settings = checkered_settings();
    settings.surface_count = 0;
    BrumeRenderer *renderer = lit_renderer(&settings);
    draw_full(renderer, &plume_camera, 1);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
    double found[2];
    for (int coarse = 0; coarse < 2; coarse++) {
        const BrumePreviewDef def = {
            .width = WIDTH, .height = HEIGHT, .right = WIDTH, .shrink = 4, .coarse_shadows = coarse, .seed = 3};
        draw_preview(renderer, &plume_camera, &def, rgb);
        found[coarse] = psnr(full_rgb, rgb);
        print_message("%s: %.1f dB\n", coarse ? "coarse shadows" : "shadow rays", found[coarse]);
    }
    assert_below("least signal-to-noise ratio [dB]", 33.0, found[1]);
    assert_below("signal-to-noise ratio without shadow rays [dB]", found[1], found[0] - 0.5);
    brume_renderer_destroy(renderer);
}

// without smoke and shadows nothing is interpolated that is not the same at all nodes, or nearly
static void test_surfaces_are_exact(void **state)
{
    (void)state;
    static const BrumeGroundPattern patterns[] = {BRUME_GROUND_PLAIN, BRUME_GROUND_CHECKER, BRUME_GROUND_NOISE};
    for (int n = 0; n < 3; n++) {
        BrumeRenderSettings settings = checkered_settings();
        settings.ground_pattern = patterns[n];
        settings.light_count = 0;
        settings.surface_count = 0;
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            settings.smoke[kind].extinction = 1e-6f;
        }
        BrumeRenderer *renderer = lit_renderer(&settings);
        draw_full(renderer, &plume_camera, 1);
        brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
        draw_columns(renderer, &plume_camera, 4, 0, WIDTH, rgb);
        for (int value = 0; value < VALUES; value++) {
            assert_near("byte", rgb[value], full_rgb[value], 2.0);
        }
        brume_renderer_destroy(renderer);
    }
}

// a pole between the nodes: no node sees it
static void test_thin_solid(void **state)
{
    (void)state;
    BrumeRenderSettings settings = checkered_settings();
    settings.ground = false;
    settings.light_count = 0;
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_CYLINDER, .a = {-0.7f, 0.0f, 0.0f}, .b = {-0.7f, 1.2f, 0.0f}, .radius = 0.01f},
        .albedo = {0.0f, 0.0f, 0.0f}};
    BrumeRenderer *renderer = lit_renderer(&settings);
    draw_full(renderer, &plume_camera, 1);
    draw_columns(renderer, &plume_camera, 4, 0, WIDTH, rgb);
    int black = 0;
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        assert_int_equal(full[3 * pixel] == 0.0f, rgb[3 * pixel] == 0);
        black += full[3 * pixel] == 0.0f;
    }
    assert_true(black > 50 && black < 400); // at most two pixels wide
    brume_renderer_destroy(renderer);
}

// a wall of stripes, which are narrower than the distance of nodes: each pixel has the color of its own point
static void test_colored_mesh(void **state)
{
    (void)state;
    enum { STRIPES = 24, CORNERS = 6 * STRIPES };
    BrumeVec3 positions[CORNERS];
    BrumeVec3 colors[CORNERS];
    int corners[CORNERS];
    for (int n = 0; n < CORNERS; n++) {
        const int stripe = n / 6;
        const float right = (float)stripe + (n % 6 == 1 || n % 6 == 2 || n % 6 == 4 ? 1.0f : 0.0f);
        const float up = n % 6 == 2 || n % 6 == 4 || n % 6 == 5 ? 1.0f : 0.0f;
        positions[n] = (BrumeVec3){-0.6f + 0.05f * right, 0.2f + up, 0.0f};
        colors[n] = stripe % 2 == 0 ? (BrumeVec3){0.9f, 0.1f, 0.0f} : (BrumeVec3){0.0f, 0.2f, 1.0f};
        corners[n] = n;
    }
    const BrumeMeshDef def = {.vertex_count = CORNERS,
                              .positions = positions,
                              .triangle_count = 2 * STRIPES,
                              .corners = corners,
                              .colors = colors};
    BrumeMesh *mesh = NULL;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    BrumeRenderSettings settings = checkered_settings();
    settings.light_count = 0;
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_MESH, .mesh = mesh}, .albedo = {1.0f, 1.0f, 1.0f}};
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind].extinction = 1e-6f;
    }
    BrumeRenderer *renderer = lit_renderer(&settings);
    draw_full(renderer, &plume_camera, 1);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
    draw_columns(renderer, &plume_camera, 4, 0, WIDTH, rgb);
    print_message("stripes at 1/4: %.1f dB\n", psnr(full_rgb, rgb));
    assert_below("least signal-to-noise ratio [dB]", 35.0, psnr(full_rgb, rgb));
    int differing[2] = {0, 0}; // more red than blue, and less
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        differing[0] += rgb[3 * pixel] > rgb[3 * pixel + 2] + 40;
        differing[1] += rgb[3 * pixel + 2] > rgb[3 * pixel] + 40;
    }
    assert_true(differing[0] > 500 && differing[1] > 500);
    brume_renderer_destroy(renderer);
    brume_mesh_release(mesh);
}

static void test_same_bits(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = checkered_settings();
    BrumeRenderer *renderer = lit_renderer(&settings);
    brume_set_threads(1);
    draw_columns(renderer, &plume_camera, 3, 0, WIDTH, rgb);
    for (int threads = 2; threads <= 5; threads++) {
        brume_set_threads(threads);
        memset(other_rgb, 0, sizeof other_rgb);
        draw_columns(renderer, &plume_camera, 3, 0, WIDTH, other_rgb);
        assert_memory_equal(other_rgb, rgb, sizeof rgb);
    }
    brume_set_threads(2);
    memset(other_rgb, 0, sizeof other_rgb);
    draw_columns(renderer, &plume_camera, 3, 50, WIDTH, other_rgb);
    assert_true(other_rgb[3 * 49] == 0); // the other columns are unchanged
    draw_columns(renderer, &plume_camera, 3, 0, 50, other_rgb);
    draw_columns(renderer, &plume_camera, 3, 20, 20, other_rgb);
    // nodes at the edges of the columns are drawn, not interpolated
    assert_below("45 dB", 45.0, psnr(other_rgb, rgb));
    brume_renderer_destroy(renderer);
}

// a camera inside the smoke, a parallel one, and one with a lens, which is drawn as a pinhole
static void test_other_cameras(void **state)
{
    (void)state;
    BrumeCamera inside = plume_camera;
    inside.position = brume_vec3(0.0f, 0.6f, 0.05f);
    BrumeCamera parallel = plume_camera;
    parallel.projection = BRUME_ORTHOGRAPHIC;
    parallel.height = 2.0f;
    BrumeCamera lens = plume_camera;
    lens.lens_radius = 0.1f;
    const BrumeCamera *cameras[] = {&inside, &parallel, &lens};
    const BrumeRenderSettings settings = checkered_settings();
    BrumeRenderer *renderer = lit_renderer(&settings);
    for (int n = 0; n < 3; n++) {
        BrumeCamera pinhole = *cameras[n];
        pinhole.lens_radius = 0.0f;
        draw_full(renderer, &pinhole, 1);
        draw_columns(renderer, cameras[n], 2, 0, WIDTH, rgb);
        brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
        print_message("camera %d: %.1f dB\n", n, psnr(full_rgb, rgb));
        assert_below("30 dB", 30.0, psnr(full_rgb, rgb));
    }
    draw_full(renderer, &plume_camera, 1);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
    draw_columns(renderer, &plume_camera, BRUME_PREVIEW_MAX_SHRINK, 0, WIDTH, rgb);
    print_message("largest divisor: %.1f dB\n", psnr(full_rgb, rgb));
    assert_below("25 dB", 25.0, psnr(full_rgb, rgb));
    brume_renderer_destroy(renderer);
}

static void test_ground_albedos(void **state)
{
    (void)state;
    static const BrumeGroundPattern patterns[] = {BRUME_GROUND_PLAIN, BRUME_GROUND_CHECKER, BRUME_GROUND_NOISE};
    for (int pattern = 0; pattern < 3; pattern++) {
        BrumeRenderSettings settings = checkered_settings();
        settings.ground_pattern = patterns[pattern];
        BrumeGroundPoints points;
        for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
            const BrumeVec3 direction = brume_normalize(
                brume_vec3(0.1f * (float)n - 2.0f, n % 2 ? -0.02f * (float)(n + 1) : 0.4f, 1.0f - 0.05f * (float)n));
            points.x[n] = 0.37f * (float)n - 9.0f;
            points.z[n] = 4.0f - 0.21f * (float)n;
            points.direction[0][n] = direction.x;
            points.direction[1][n] = direction.y;
            points.direction[2][n] = direction.z;
            points.distance[n] = 0.05f * (float)(n * n);
        }
        brume_ground_albedos(&settings, &points);
        for (int n = 0; n < BRUME_GROUND_POINTS; n++) {
            const BrumeVec3 direction = {points.direction[0][n], points.direction[1][n], points.direction[2][n]};
            const BrumeVec3 expected = brume_ground_albedo(
                &settings, brume_vec3(points.x[n], settings.ground_height, points.z[n]), direction, points.distance[n]);
            assert_true(points.albedo[0][n] == expected.x && points.albedo[1][n] == expected.y &&
                        points.albedo[2][n] == expected.z);
        }
    }
}

// light for pictures in motion: like the full light, the same bits at any number of threads; and the full light has the
// same bits after it
static void test_light_in_motion(void **state)
{
    (void)state;
    BrumeRenderSettings settings = checkered_settings();
    settings.lights[0].angle = 2.0f; // a disc, of which only the middle lights the smoke in motion
    BrumeRenderer *renderer = lit_renderer(&settings);
    draw_full(renderer, &plume_camera, 1);
    memcpy(other, full, sizeof other);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, full_rgb);
    brume_set_threads(1);
    brume_light_in_motion(renderer);
    draw_full(renderer, &plume_camera, 1);
    assert_true(memcmp(full, other, sizeof full) != 0);
    brume_tone_map(&settings, WIDTH, HEIGHT, full, rgb);
    print_message("light in motion: %.1f dB\n", psnr(full_rgb, rgb));
    assert_below("least signal-to-noise ratio [dB]", 36.0, psnr(full_rgb, rgb));
    draw_columns(renderer, &plume_camera, 3, 0, WIDTH, rgb);
    print_message("with smoke at 1/3: %.1f dB\n", psnr(full_rgb, rgb));
    assert_below("least signal-to-noise ratio [dB]", 32.0, psnr(full_rgb, rgb));
    brume_set_threads(3);
    brume_light_in_motion(renderer);
    draw_columns(renderer, &plume_camera, 3, 0, WIDTH, other_rgb);
    assert_memory_equal(other_rgb, rgb, sizeof rgb);
    brume_renderer_light(renderer, NULL);
    draw_full(renderer, &plume_camera, 1);
    assert_memory_equal(full, other, sizeof full);
    brume_renderer_destroy(renderer);
}

static int make_volume(void **state)
{
    (void)state;
    volume = plume_create(N, 0);
    return 0;
}

static int free_volume(void **state)
{
    (void)state;
    plume_destroy(&volume);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_full_size),     cmocka_unit_test(test_coarse_shadows),
        cmocka_unit_test(test_surfaces_are_exact), cmocka_unit_test(test_thin_solid),
        cmocka_unit_test(test_colored_mesh),       cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_other_cameras),      cmocka_unit_test(test_ground_albedos),
        cmocka_unit_test(test_light_in_motion),
    };
    return cmocka_run_group_tests(tests, make_volume, free_volume);
}
