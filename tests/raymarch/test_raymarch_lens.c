// Depth of field: the geometry of the thin lens, the blur of an edge by its exact formula, and brute force: the mean of
// pinhole pictures over the lens.
#include "brume/renderer.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/picture_rays.h"
#include "raymarch_plume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979;

// every ray of a pixel meets the pinhole's ray where that crosses the plane in focus, and their spread elsewhere is the
// radius of the lens times the distance from that plane over the focus
static void test_rays_converge_in_focus(void **state)
{
    (void)state;
    BrumeCamera camera = {.position = {1.0f, 2.0f, 8.0f},
                          .target = {1.0f, 2.0f, 3.0f},
                          .field_of_view = 90.0f,
                          .height = 3.0f,
                          .lens_radius = 0.25f,
                          .focus = 4.0f};
    for (int projection = 0; projection < 2; projection++) {
        camera.projection = (BrumeProjection)projection;
        const BrumePictureRays rays = brume_picture_rays(&camera, 200, 100);
        const BrumeRay pinhole = brume_picture_ray(&rays, 150.0f, 20.0f);
        for (int n = 0; n < 8; n++) {
            const double angle = 2.0 * pi * n / 8.0;
            const BrumeRay ray = brume_picture_lens_ray(&rays, 150.0f, 20.0f, (float)cos(angle), (float)sin(angle));
            for (int power = 0; power <= 4; power++) {
                const double depth = 1 << power;
                const BrumeVec3 at = brume_ray_at(&ray, (float)depth / -ray.direction.z);
                const BrumeVec3 sharp = brume_ray_at(&pinhole, (float)depth / -pinhole.direction.z);
                const double spread = 0.25 * (1.0 - depth / 4.0);
                assert_near("depth", at.z, 8.0 - depth, 1e-5);
                assert_near("spread in x", at.x - sharp.x, spread * cos(angle), 1e-5);
                assert_near("spread in y", at.y - sharp.y, spread * sin(angle), 1e-5);
            }
        }
    }
    // without a focus, the distance of the target; the numbers of a sample are within the lens and fill it evenly
    camera.focus = 0.0f;
    camera.projection = BRUME_PERSPECTIVE;
    const BrumePictureRays rays = brume_picture_rays(&camera, 200, 100);
    assert_near("focus on the target", rays.focus, 5.0, 0.0);
    double squares = 0.0;
    for (uint32_t n = 0; n < 1024; n++) {
        BrumePathSampler sampler = brume_path_sampler(3, 5, 7, n);
        const BrumeRay ray = brume_picture_sample(&rays, 100.0f, 50.0f, &sampler);
        const double radius = brume_length(brume_sub(ray.origin, camera.position));
        assert_true(radius <= 0.25 * (1.0 + 1e-6));
        squares += radius * radius / 1024.0;
    }
    assert_near("mean of the squared radius of a disk", squares, 0.5 * 0.25 * 0.25, 1e-4);
}

enum { WIDTH = 64, HEIGHT = 32, PIXELS = WIDTH * HEIGHT };
static float radiance[3 * PIXELS], other[3 * PIXELS];

// a black plate over the left half of a white sky, at a depth from a camera at z = 0; no smoke
static BrumeRenderer *create_edge(double depth)
{
    static const float nothing[8] = {0.0f};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    settings.light_count = 0;
    settings.sky_zenith = settings.sky_horizon = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX,
                                                    .a = {-100.0f, -100.0f, (float)-depth - 1e-5f},
                                                    .b = {0.0f, 100.0f, (float)-depth}}};
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    const BrumeVolume volume = brume_volume_from_array(nothing, 2, 2, 2, 0.01f, brume_vec3(50.0f, 0.0f, 0.0f));
    assert_int_equal(brume_renderer_create(&renderer, 2, 2, 2, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    return renderer;
}

static void draw(const BrumeRenderer *renderer, const BrumeCamera *camera, int samples, bool traced, float *picture)
{
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = samples, .seed = 5};
    if (traced) {
        const BrumeTraceDef trace = brume_default_trace_def();
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_trace(renderer, camera, &def, &trace, picture, &result, &error), BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, camera, &def, picture, NULL), BRUME_OK);
    }
}

// integral of the fraction of a unit disk at x < t, from -1
static double edge_integral(double t)
{
    if (t <= -1.0) {
        return 0.0;
    }
    if (t >= 1.0) {
        return t;
    }
    const double root = sqrt(1.0 - t * t);
    return 0.5 * t + (t * asin(t) + root - root * root * root / 3.0) / pi;
}

// the blur of an edge: the fraction of the lens from which it is not hidden, averaged over the width of each pixel
static void expect_edge(const BrumeCamera *camera, double depth, double radius, const char *name)
{
    BrumeRenderer *renderer = create_edge(depth);
    for (int traced = 0; traced < 2; traced++) {
        draw(renderer, camera, 256, traced != 0, radiance);
        double worst = 0.0;
        for (int x = 0; x < WIDTH; x++) {
            double mean = 0.0;
            for (int y = 0; y < HEIGHT; y++) {
                mean += (double)radiance[3 * (y * WIDTH + x)] / HEIGHT;
            }
            const double from = (x - 0.5 * WIDTH) / radius;
            const double to = (x + 1 - 0.5 * WIDTH) / radius;
            const double expected = (edge_integral(to) - edge_integral(from)) * radius;
            worst = fmax(worst, fabs(mean - expected));
        }
        print_message("%s, %s: blur of %.2f pixels, worst column %.1e\n", name, traced ? "path" : "march", radius,
                      worst);
        assert_true(worst < 8e-3);
    }
    brume_renderer_destroy(renderer);
}

static void test_circle_of_confusion(void **state)
{
    (void)state;
    BrumeCamera camera = {.target = {0.0f, 0.0f, -1.0f}, .field_of_view = 60.0f, .lens_radius = 0.2f, .focus = 3.0f};
    // a perspective picture of a point at the depth d has the radius r |d - f| / d on the plane in focus
    const double pixel = 2.0 * 3.0 * tan(pi / 6.0) / HEIGHT;
    expect_edge(&camera, 2.0, 0.2 * 1.0 / 2.0 / pixel, "perspective, near");
    expect_edge(&camera, 12.0, 0.2 * 9.0 / 12.0 / pixel, "perspective, far");
    // the radius of parallel rays r |d - f| / f
    camera.projection = BRUME_ORTHOGRAPHIC;
    camera.height = 2.0f;
    expect_edge(&camera, 9.0, 0.2 * 6.0 / 3.0 / (2.0 / HEIGHT), "orthographic, far");
}

static void test_plane_in_focus_is_sharp(void **state)
{
    (void)state;
    const BrumeCamera lens = {
        .target = {0.0f, 0.0f, -1.0f}, .field_of_view = 60.0f, .lens_radius = 0.2f, .focus = 3.0f};
    BrumeCamera pinhole = lens;
    pinhole.lens_radius = 0.0f;
    BrumeRenderer *renderer = create_edge(3.0);
    draw(renderer, &lens, 16, false, radiance);
    draw(renderer, &pinhole, 16, false, other);
    for (int n = 0; n < 3 * PIXELS; n++) {
        assert_near("pixel", radiance[n], other[n], 1e-6);
    }
    brume_renderer_destroy(renderer);
}

static double rmse(const float *a, const float *b)
{
    double squares = 0.0;
    double sum = 0.0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        squares += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
        sum += (double)b[n];
    }
    return sqrt(squares * 3.0 * PIXELS) / sum;
}

static BrumeRenderer *create_plume(BrumeVolume *volume)
{
    const BrumeRenderSettings settings = plume_settings();
    *volume = plume_create(24, 1);
    return create_lit(volume, &settings);
}

// A pinhole camera that is moved within the lens by a whole number of pixels of the plane in focus draws the same
// plane, shifted by these pixels: the picture with a lens is the mean of such pictures, shifted back.
static void test_mean_of_pinhole_pictures(void **state)
{
    (void)state;
    enum { SHIFTS = 4 };
    BrumeVolume volume;
    BrumeRenderer *renderer = create_plume(&volume);
    BrumeCamera camera = plume_camera;
    camera.focus = 2.6f; // in front of the plume
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(&camera, &right, &up, &forward);
    const float pixel = 2.0f * camera.focus * (float)tan(camera.field_of_view * pi / 360.0) / HEIGHT;
    static double mean[3 * PIXELS];
    memset(mean, 0, sizeof mean);
    int pictures = 0;
    for (int i = -SHIFTS; i <= SHIFTS; i++) {
        for (int j = -SHIFTS; j <= SHIFTS; j++) {
            if (i * i + j * j > SHIFTS * SHIFTS) {
                continue;
            }
            const BrumeVec3 shift = brume_add(brume_scale(right, (float)i * pixel), brume_scale(up, (float)j * pixel));
            BrumeCamera moved = camera;
            moved.position = brume_add(camera.position, shift);
            moved.target = brume_add(camera.target, shift);
            draw(renderer, &moved, 8, false, other);
            for (int y = SHIFTS; y < HEIGHT - SHIFTS; y++) {
                for (int x = SHIFTS; x < WIDTH - SHIFTS; x++) {
                    for (int c = 0; c < 3; c++) {
                        mean[3 * (y * WIDTH + x) + c] += (double)other[3 * ((y + j) * WIDTH + x - i) + c];
                    }
                }
            }
            pictures++;
        }
    }
    camera.lens_radius = sqrtf((float)pictures / (float)pi) * pixel; // the disk of as many squares
    static float expected[3 * PIXELS];
    static float drawn[3 * PIXELS];
    for (int n = 0; n < 3 * PIXELS; n++) {
        expected[n] = (float)(mean[n] / pictures);
    }
    double error[3];
    const int samples[3] = {1, 8, 128};
    for (int n = 0; n < 3; n++) {
        draw(renderer, &camera, samples[n], false, drawn);
        for (int k = 0; k < 3 * PIXELS; k++) {
            drawn[k] = mean[k] > 0.0 ? drawn[k] : 0.0f; // without the border, which no picture has
        }
        error[n] = rmse(drawn, expected);
    }
    camera.lens_radius = 0.0f;
    draw(renderer, &camera, 128, false, drawn);
    for (int k = 0; k < 3 * PIXELS; k++) {
        drawn[k] = mean[k] > 0.0 ? drawn[k] : 0.0f;
    }
    print_message("mean of %d pinhole pictures: RMSE %.4f, %.4f, %.4f with 1, 8, 128 rays; a pinhole's %.4f\n",
                  pictures, error[0], error[1], error[2], rmse(drawn, expected));
    assert_true(error[1] < 0.5 * error[0]);
    assert_true(error[2] < 0.02);
    assert_true(rmse(drawn, expected) > 4.0 * error[2]);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void test_bits(void **state)
{
    (void)state;
    BrumeVolume volume;
    BrumeRenderer *renderer = create_plume(&volume);
    BrumeCamera camera = plume_camera;
    draw(renderer, &camera, 2, false, radiance);
    camera.focus = 1.5f; // of no effect on a pinhole
    draw(renderer, &camera, 2, false, other);
    assert_memory_equal(radiance, other, sizeof radiance);
    camera.lens_radius = 0.1f;
    for (int traced = 0; traced < 2; traced++) {
        brume_set_threads(1);
        draw(renderer, &camera, 2, traced != 0, radiance);
        brume_set_threads(3);
        draw(renderer, &camera, 2, traced != 0, other);
        assert_memory_equal(radiance, other, sizeof radiance);
    }
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_converge_in_focus),
        cmocka_unit_test(test_circle_of_confusion),
        cmocka_unit_test(test_plane_in_focus_is_sharp),
        cmocka_unit_test(test_mean_of_pinhole_pictures),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
