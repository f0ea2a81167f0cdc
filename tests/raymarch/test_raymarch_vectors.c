// Motion vectors: smoke of known velocity, solids, ground and sky before cameras at rest and in motion, by both
// integrators, against formulas.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "raymarch_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 24, HEIGHT = 16, PIXELS = WIDTH * HEIGHT, CELLS = 16, ENTRIES = CELLS * CELLS * CELLS };
static float radiance[3 * PIXELS], motion[2 * PIXELS], density[ENTRIES], velocity[3][ENTRIES];
static const double seconds = 0.04; // between two frames

// a unit cube of smoke around the origin with the velocity `base` + `per_depth` * (distance below z = 3)
static BrumeVolume make_volume(float smoke, BrumeVec3 base, BrumeVec3 per_depth)
{
    for (int n = 0; n < ENTRIES; n++) {
        const int plane = n / CELLS / CELLS;
        const float z = ((float)plane + 0.5f) / CELLS - 0.5f;
        density[n] = smoke;
        velocity[0][n] = base.x + per_depth.x * (3.0f - z);
        velocity[1][n] = base.y + per_depth.y * (3.0f - z);
        velocity[2][n] = base.z + per_depth.z * (3.0f - z);
    }
    BrumeVolume volume =
        brume_volume_from_array(density, CELLS, CELLS, CELLS, 1.0f / CELLS, brume_vec3(-0.5f, -0.5f, -0.5f));
    for (int axis = 0; axis < 3; axis++) {
        volume.velocity[axis] = velocity[axis];
    }
    volume.velocity_sx = 1;
    volume.velocity_sy = CELLS;
    volume.velocity_sz = (ptrdiff_t)CELLS * CELLS;
    return volume;
}

static BrumeRenderSettings make_settings(void)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    settings.light_count = 0;
    settings.motion_vectors = true;
    settings.smoke[0].extinction = 1.0f;
    return settings;
}

static BrumeCamera next_camera(const void *context, double time)
{
    assert_true(time == seconds);
    return *(const BrumeCamera *)context;
}

// fills `motion`; `next` is the camera of the next frame
static void draw(const BrumeRenderSettings *settings, const BrumeVolume *volume, const BrumeCamera *camera,
                 const BrumeCamera *next, bool traced)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, CELLS, CELLS, CELLS, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    assert_int_equal(brume_renderer_bytes(renderer), brume_renderer_bytes_needed(CELLS, CELLS, CELLS, settings, 1));
    memset(motion, 0x7f, sizeof motion);
    const BrumePictureLayers layers = {.motion = motion};
    const BrumeDrawDef def = {.width = WIDTH,
                              .height = HEIGHT,
                              .samples = 1,
                              .layers = &layers,
                              .camera_at = next_camera,
                              .camera_context = next,
                              .frame_seconds = seconds};
    if (traced) {
        const BrumeTraceDef trace = {.bounces = 0};
        BrumeTraceResult result;
        assert_int_equal(brume_renderer_trace(renderer, camera, &def, &trace, radiance, &result, &error), BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, camera, &def, radiance, NULL), BRUME_OK);
    }
    brume_renderer_destroy(renderer);
}

static void expect_motion(const char *what, int x, int y, double right, double up, double tolerance)
{
    const float *vector = motion + 2 * (y * WIDTH + x);
    assert_near(what, (double)vector[0], right, tolerance);
    assert_near(what, (double)vector[1], up, tolerance);
}

static const BrumeCamera parallel = {.position = {0.0f, 0.0f, 3.0f}, .projection = BRUME_ORTHOGRAPHIC, .height = 2.0f};
static const BrumeCamera perspective = {.position = {0.0f, 0.0f, 3.0f}, .field_of_view = 40.0f};
static const double focal_pixels = 0.5 * HEIGHT / 0.36397023426620234; // tan(20 degrees)

static void test_uniform_motion(void **state)
{
    (void)state;
    const BrumeVec3 none = {0};
    const BrumeRenderSettings settings = make_settings();
    const double pixels_per_meter = HEIGHT / 2.0;
    for (int traced = 0; traced < 2; traced++) {
        // opaque, then with 1 - 1/e of the light taken away before a sky at rest; 5 m/s along the view changes nothing
        BrumeVolume volume = make_volume(100.0f, brume_vec3(2.0f, 1.0f, 5.0f), none);
        draw(&settings, &volume, &parallel, &parallel, traced);
        const double right = 2.0 * seconds * pixels_per_meter;
        const double up = 1.0 * seconds * pixels_per_meter;
        for (int y = 5; y < 11; y++) { // the cube covers 8 x 8 pixels
            for (int x = 9; x < 15; x++) {
                expect_motion("opaque", x, y, right, up, 1e-4);
            }
        }
        expect_motion("sky", 1, 1, 0.0, 0.0, 0.0);
        volume = make_volume(1.0f, brume_vec3(2.0f, 1.0f, 0.0f), none);
        draw(&settings, &volume, &parallel, &parallel, traced);
        const double share = 1.0 - exp(-1.0);
        expect_motion("translucent", 12, 8, share * right, share * up, 1e-4);
        // the camera moves as the smoke does, the sky is infinitely far
        BrumeCamera next = parallel;
        next.position = brume_vec3(2.0f * (float)seconds, (float)seconds, 3.0f);
        next.target = brume_vec3(2.0f * (float)seconds, (float)seconds, 0.0f);
        draw(&settings, &volume, &parallel, &next, traced);
        expect_motion("with the smoke", 12, 8, 0.0, 0.0, 1e-5);
        // without velocities smoke is at rest
        volume.velocity[0] = NULL;
        draw(&settings, &volume, &parallel, &next, traced);
        expect_motion("at rest", 12, 8, -share * right, -share * up, 1e-4);
    }
}

// a velocity in proportion to the depth moves smoke at all depths by the same vector in the picture
static void test_perspective(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = make_settings();
    const BrumeVec3 none = {0};
    const BrumeVolume volume = make_volume(60.0f, none, brume_vec3(0.5f, -0.25f, 0.0f));
    draw(&settings, &volume, &perspective, &perspective, false);
    expect_motion("at all depths", 12, 8, 0.5 * seconds * focal_pixels, -0.25 * seconds * focal_pixels, 1e-3);
    expect_motion("at all depths", 10, 6, 0.5 * seconds * focal_pixels, -0.25 * seconds * focal_pixels, 1e-3);
}

static void test_pan(void **state)
{
    (void)state;
    BrumeRenderSettings settings = make_settings();
    const BrumeVec3 none = {0};
    const BrumeVolume volume = make_volume(0.0f, none, none);
    // a turn of the camera to the right by the angle whose tangent is 0.1: the sky moves to the left
    BrumeCamera next = perspective;
    next.target = brume_vec3(0.3f, 0.0f, 0.0f);
    for (int traced = 0; traced < 2; traced++) {
        draw(&settings, &volume, &perspective, &next, traced);
        for (int x = 0; x < WIDTH; x++) { // tan(a - b) of each column, and rows grow with 1 / cos
            const double tangent = (x + 0.5 - 0.5 * WIDTH) / focal_pixels;
            const double moved = (tangent - 0.1) / (1.0 + 0.1 * tangent);
            const double growth = sqrt(1.0 + 0.1 * 0.1) / (1.0 + 0.1 * tangent);
            const double above = 0.5 * HEIGHT - 3.5; // [pixels]
            expect_motion("sky", x, 3, focal_pixels * (moved - tangent), above * (growth - 1.0), 1e-4);
        }
    }
    // a camera that moves sideways: ground and a solid in proportion to 1 / distance; one solid moves along
    settings.ground = true;
    settings.ground_height = -1.0f;
    settings.surface_count = 2;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_BOX, .a = {-1.0f, -1.0f, -1.0f}, .b = {-0.1f, 1.0f, 0.0f}}, {0.5f, 0.5f, 0.5f}};
    settings.surfaces[1] = settings.surfaces[0];
    settings.surfaces[1].shape.a.x = 0.1f;
    settings.surfaces[1].shape.b.x = 1.0f;
    settings.surface_velocities[1] = brume_vec3(2.5f, 0.0f, 0.0f);
    next = perspective;
    next.position.x = next.target.x = 0.1f; // 2.5 m/s
    draw(&settings, &volume, &perspective, &next, false);
    expect_motion("solid at rest", 10, 8, -0.1 / 3.0 * focal_pixels, 0.0, 1e-4);
    expect_motion("solid that moves along", 14, 8, 0.0, 0.0, 1e-4);
    const double slope = (HEIGHT - 0.5 - 0.5 * HEIGHT) / focal_pixels; // of the last row
    const double depth = 1.0 / slope;
    assert_true(depth < 3.0); // the ground before the solids
    expect_motion("ground", 20, HEIGHT - 1, -0.1 / depth * focal_pixels, 0.0, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_motion),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_pan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
