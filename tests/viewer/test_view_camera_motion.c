// Camera motion: compared with positions from known geometry.
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/window/camera_motion.h"

static const double pi = 3.14159265358979;

static void assert_at(const char *what, BrumeVec3 value, float x, float y, float z, double tolerance)
{
    assert_near(what, value.x, x, tolerance);
    assert_near(what, value.y, y, tolerance);
    assert_near(what, value.z, z, tolerance);
}

static BrumeCamera level_camera(void)
{
    return (BrumeCamera){.position = {1.0f, 2.0f, 8.0f}, .target = {1.0f, 2.0f, 3.0f}, .field_of_view = 90.0f};
}

static void test_fly(void **state)
{
    (void)state;
    BrumeCamera camera = level_camera();
    brume_camera_fly(&camera, 0.5f, -0.25f, 2.0f);
    assert_at("position", camera.position, 1.5f, 1.75f, 6.0f, 0.0);
    assert_at("target", camera.target, 1.5f, 1.75f, 1.0f, 0.0);

    // forward is along the viewing direction, up along the world's y
    BrumeCamera inclined = {.target = {3.0f, -3.0f, 0.0f}, .field_of_view = 40.0f};
    const float h = sqrtf(0.5f);
    brume_camera_fly(&inclined, 1.0f, 1.0f, 2.0f);
    assert_at("position", inclined.position, 2.0f * h, 1.0f - 2.0f * h, 1.0f, 1e-6);
}

static void test_look(void **state)
{
    (void)state;
    BrumeCamera camera = level_camera();
    brume_camera_look(&camera, (float)(pi / 2.0), 0.0f);
    assert_at("position", camera.position, 1.0f, 2.0f, 8.0f, 0.0);
    assert_at("target to the right", camera.target, 6.0f, 2.0f, 8.0f, 1e-5);
    brume_camera_look(&camera, 0.0f, (float)(pi / 6.0));
    assert_at("target above", camera.target, 1.0f + 5.0f * (float)cos(pi / 6.0), 4.5f, 8.0f, 1e-5);
}

static void test_pitch_has_an_end_and_yaw_has_none(void **state)
{
    (void)state;
    BrumeCamera camera = level_camera();
    for (int n = 0; n < 100; n++) {
        brume_camera_look(&camera, 0.3f, 0.3f);
    }
    const BrumeVec3 ahead = brume_normalize(brume_sub(camera.target, camera.position));
    assert_near("pitch", asin((double)ahead.y) * 180.0 / pi, 89.0, 0.02);
    assert_near("distance", brume_length(brume_sub(camera.target, camera.position)), 5.0, 1e-3);
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(&camera, &right, &up, &forward);
    assert_near("roll", right.y, 0.0, 0.0);

    // a camera that looks straight down can be rotated up again
    BrumeCamera down = {.position = {0.0f, 4.0f, 0.0f}, .field_of_view = 40.0f};
    brume_camera_orbit(&down, 0.0f, (float)(pi / 4.0));
    assert_at("position", down.position, 0.0f, 4.0f * sqrtf(0.5f), 4.0f * sqrtf(0.5f), 1e-5);
}

static void test_orbit(void **state)
{
    (void)state;
    BrumeCamera camera = level_camera();
    brume_camera_orbit(&camera, (float)(pi / 2.0), 0.0f);
    assert_at("target", camera.target, 1.0f, 2.0f, 3.0f, 0.0);
    assert_at("position", camera.position, -4.0f, 2.0f, 3.0f, 1e-5);
}

static void test_pan_holds_the_target_under_the_pointer(void **state)
{
    (void)state;
    // at 90 degrees and a distance of 5 the picture is 10 high
    BrumeCamera camera = level_camera();
    brume_camera_pan(&camera, 0.1f, 0.2f);
    assert_at("position", camera.position, 0.0f, 4.0f, 8.0f, 1e-5);
    assert_at("target", camera.target, 0.0f, 4.0f, 3.0f, 1e-5);
}

static void test_dolly(void **state)
{
    (void)state;
    BrumeCamera camera = level_camera();
    brume_camera_dolly(&camera, 0.5f);
    assert_at("position", camera.position, 1.0f, 2.0f, 5.5f, 1e-6);
    assert_at("target", camera.target, 1.0f, 2.0f, 3.0f, 0.0);
    for (int n = 0; n < 100; n++) {
        brume_camera_dolly(&camera, 0.5f);
    }
    assert_near("nearest", brume_length(brume_sub(camera.target, camera.position)), 0.01, 1e-6);
}

static void test_ray(void **state)
{
    (void)state;
    const BrumeCamera camera = level_camera();
    const float h = sqrtf(0.5f);
    assert_at("middle", brume_camera_ray(&camera, 400.0f, 200.0f, 200.0f, 100.0f).direction, 0.0f, 0.0f, -1.0f, 1e-6);
    assert_at("top", brume_camera_ray(&camera, 400.0f, 200.0f, 200.0f, 0.0f).direction, 0.0f, h, -h, 1e-6);
    const float r = sqrtf(0.2f);
    assert_at("right", brume_camera_ray(&camera, 400.0f, 200.0f, 400.0f, 100.0f).direction, 2.0f * r, 0.0f, -r, 1e-6);
}

static void test_frame_fits_the_box(void **state)
{
    (void)state;
    const BrumeVec3 lower = {-1.0f, 0.0f, -0.5f};
    const BrumeVec3 upper = {1.0f, 3.0f, 0.5f};
    const float aspects[] = {16.0f / 9.0f, 0.5f};
    for (int n = 0; n < 2; n++) {
        const BrumeCamera before = {
            .position = {9.0f, 3.0f, 4.0f}, .target = {0.0f, 0.0f, 1.0f}, .field_of_view = 35.f};
        const BrumeCamera camera = brume_camera_frame(&before, lower, upper, aspects[n]);
        BrumeVec3 right;
        BrumeVec3 up;
        BrumeVec3 forward;
        BrumeVec3 old_forward;
        brume_camera_axes(&before, &right, &up, &old_forward);
        brume_camera_axes(&camera, &right, &up, &forward);
        assert_at("direction", forward, old_forward.x, old_forward.y, old_forward.z, 1e-6);
        assert_at("target", camera.target, 0.0f, 1.5f, 0.0f, 1e-6);
        // the farthest corner in the picture lies at 1 / 1.05 of the way to its edge
        const float slope = tanf(35.0f * (float)pi / 360.0f);
        float farthest = 0.0f;
        for (int c = 0; c < 8; c++) {
            const BrumeVec3 corner = {(c & 1) != 0 ? 1.0f : -1.0f, (c & 2) != 0 ? 3.0f : 0.0f,
                                      (c & 4) != 0 ? 0.5f : -0.5f};
            const BrumeVec3 off = brume_sub(corner, camera.position);
            const float depth = brume_dot(off, forward) * slope;
            farthest = fmaxf(farthest, fabsf(brume_dot(off, up)) / depth);
            farthest = fmaxf(farthest, fabsf(brume_dot(off, right)) / (depth * aspects[n]));
        }
        assert_near("farthest corner", farthest, 1.0 / 1.05, 1e-5);
    }
}

static void test_animation(void **state)
{
    (void)state;
    const BrumeCamera from = level_camera();
    BrumeCamera to = from;
    brume_camera_orbit(&to, (float)pi * 0.5f, 0.2f);
    brume_camera_dolly(&to, 2.0f);
    to.field_of_view = 30.0f;
    BrumeCameraAnimation animation = {0};
    BrumeCamera camera = from;
    assert_false(brume_camera_animation_advance(&animation, 1.0, &camera));
    brume_camera_animation_start(&animation, &from, &to);

    // it starts slowly, is half-way after half of the time, and interpolates the distance
    assert_true(brume_camera_animation_advance(&animation, 0.025, &camera));
    assert_near("a tenth of the time", camera.field_of_view, 90.0 - 60.0 * 0.028, 1e-4);
    assert_true(brume_camera_animation_advance(&animation, 0.1, &camera));
    assert_near("half of the time", camera.field_of_view, 60.0, 1e-4);
    assert_near("distance", brume_length(brume_sub(camera.target, camera.position)), 7.5, 1e-4);
    assert_at("target", camera.target, 1.0f, 2.0f, 3.0f, 1e-6);
    assert_true(brume_camera_animation_advance(&animation, 0.125, &camera));
    assert_memory_equal(&camera, &to, sizeof to);
    assert_false(brume_camera_animation_advance(&animation, 0.1, &camera));
}

static void test_orthographic_camera(void **state)
{
    (void)state;
    // at the target's distance of 5 m, a field of view of 90 degrees shows 10 m
    const BrumeCamera perspective = level_camera();
    BrumeCamera camera = brume_camera_with_other_projection(&perspective);
    assert_int_equal(camera.projection, BRUME_ORTHOGRAPHIC);
    assert_near("height", camera.height, 10.0, 1e-5);
    const BrumeCamera back = brume_camera_with_other_projection(&camera);
    assert_int_equal(back.projection, BRUME_PERSPECTIVE);
    assert_at("position after both", back.position, 1.0f, 2.0f, 8.0f, 1e-5);

    const BrumeRay corner = brume_camera_ray(&camera, 400.0f, 200.0f, 400.0f, 200.0f);
    assert_at("origin of the corner's ray", corner.origin, 11.0f, -3.0f, 8.0f, 1e-5);
    assert_at("direction of the corner's ray", corner.direction, 0.0f, 0.0f, -1.0f, 0.0);

    // half a picture to the right is 5 m
    brume_camera_pan(&camera, -0.5f, 0.0f);
    assert_at("panned", camera.target, 6.0f, 2.0f, 3.0f, 1e-5);
    brume_camera_dolly(&camera, 0.25f);
    assert_near("height after the dolly", camera.height, 2.5, 1e-6);
    assert_at("position after the dolly", camera.position, 6.0f, 2.0f, 8.0f, 1e-5);
    brume_camera_orbit(&camera, (float)(pi / 2.0), 0.0f);
    assert_at("orbited", camera.position, 1.0f, 2.0f, 3.0f, 1e-5);
    assert_near("height after the orbit", camera.height, 2.5, 0.0);

    // the box fits with its margin of 5 %: 8 m wide in a picture twice as wide as high; the camera is outside
    const BrumeCamera framed =
        brume_camera_frame(&perspective, brume_vec3(-4.0f, 0.0f, -20.0f), brume_vec3(4.0f, 1.0f, 20.0f), 2.0f);
    assert_near("height of a perspective camera", framed.height, 0.0, 0.0);
    const BrumeCamera other = brume_camera_with_other_projection(&perspective);
    const BrumeCamera fits =
        brume_camera_frame(&other, brume_vec3(-4.0f, 0.0f, -20.0f), brume_vec3(4.0f, 1.0f, 20.0f), 2.0f);
    assert_near("height of the framed view", fits.height, 1.05 * 4.0, 1e-5);
    assert_at("framed target", fits.target, 0.0f, 0.5f, 0.0f, 1e-6);
    assert_true(fits.position.z > 20.0f);

    // an animation ends at its camera exactly, and the height changes on the way
    BrumeCameraAnimation animation = {0};
    brume_camera_animation_start(&animation, &other, &fits);
    BrumeCamera moving = other;
    assert_true(brume_camera_animation_advance(&animation, 0.125, &moving));
    assert_near("height at half of the time", moving.height, 0.5 * (10.0 + 4.2), 1e-4);
    assert_true(brume_camera_animation_advance(&animation, 0.2, &moving));
    assert_memory_equal(&moving, &fits, sizeof fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fly),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_pitch_has_an_end_and_yaw_has_none),
        cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_pan_holds_the_target_under_the_pointer),
        cmocka_unit_test(test_dolly),
        cmocka_unit_test(test_ray),
        cmocka_unit_test(test_frame_fits_the_box),
        cmocka_unit_test(test_animation),
        cmocka_unit_test(test_orthographic_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
