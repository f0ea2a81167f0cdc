// The camera: its axes, its rays, and its animation by keyframes.
#include "brume/camera.h"
#include "core/vec3.h"
#include "raymarch/picture_rays.h"
#include "raymarch_check.h"

static void assert_vec3_near(const char *what, BrumeVec3 value, BrumeVec3 expected, double tolerance)
{
    assert_near(what, value.x, expected.x, tolerance);
    assert_near(what, value.y, expected.y, tolerance);
    assert_near(what, value.z, expected.z, tolerance);
}

static void test_axes(void **state)
{
    (void)state;
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    const BrumeCamera level = {.position = {1.0f, 2.0f, 8.0f}, .target = {1.0f, 2.0f, 3.0f}, .field_of_view = 40.0f};
    brume_camera_axes(&level, &right, &up, &forward);
    assert_vec3_near("right", right, brume_vec3(1.0f, 0.0f, 0.0f), 0.0);
    assert_vec3_near("up", up, brume_vec3(0.0f, 1.0f, 0.0f), 0.0);
    assert_vec3_near("forward", forward, brume_vec3(0.0f, 0.0f, -1.0f), 0.0);

    // along (1, -1, 0), the up axis is tilted forward by the same 45 degrees
    const BrumeCamera inclined = {.target = {3.0f, -3.0f, 0.0f}, .field_of_view = 40.0f};
    const float h = sqrtf(0.5f);
    brume_camera_axes(&inclined, &right, &up, &forward);
    assert_vec3_near("right", right, brume_vec3(0.0f, 0.0f, 1.0f), 1e-7);
    assert_vec3_near("up", up, brume_vec3(h, h, 0.0f), 1e-7);
    assert_vec3_near("forward", forward, brume_vec3(h, -h, 0.0f), 1e-7);
}

static void test_axes_of_cameras_at_their_limits(void **state)
{
    (void)state;
    const BrumeVec3 targets[] = {{0.0f, 5.0f, 0.0f}, {0.0f, -5.0f, 0.0f}, {1e-7f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        const BrumeCamera camera = {.target = targets[n], .field_of_view = 40.0f};
        BrumeVec3 right;
        BrumeVec3 up;
        BrumeVec3 forward;
        brume_camera_axes(&camera, &right, &up, &forward);
        assert_near("|right|", brume_length(right), 1.0, 1e-6);
        assert_near("|up|", brume_length(up), 1.0, 1e-6);
        assert_near("|forward|", brume_length(forward), 1.0, 1e-6);
        assert_near("right . up", brume_dot(right, up), 0.0, 1e-6);
        assert_near("right . forward", brume_dot(right, forward), 0.0, 1e-6);
        assert_near("up . forward", brume_dot(up, forward), 0.0, 1e-6);
    }
}

// with a field of view of 90 degrees, the edges are as far from the center as the image plane from the camera
static void test_projection(void **state)
{
    (void)state;
    const BrumeCamera camera = {.position = {1.0f, 2.0f, 3.0f}, .target = {1.0f, 2.0f, -4.0f}, .field_of_view = 90.0f};
    const BrumePictureRays rays = brume_picture_rays(&camera, 200, 100);
    const struct {
        float x, y;
        BrumeVec3 towards; // at a depth of 1
    } cases[] = {
        {100.0f, 50.0f, {0.0f, 0.0f, -1.0f}},   {100.0f, 0.0f, {0.0f, 1.0f, -1.0f}},
        {100.0f, 100.0f, {0.0f, -1.0f, -1.0f}}, {0.0f, 50.0f, {-2.0f, 0.0f, -1.0f}},
        {200.0f, 0.0f, {2.0f, 1.0f, -1.0f}},    {150.0f, 75.0f, {1.0f, -0.5f, -1.0f}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const BrumeRay ray = brume_picture_ray(&rays, cases[n].x, cases[n].y);
        assert_vec3_near("origin", ray.origin, camera.position, 0.0);
        assert_vec3_near("direction", ray.direction, brume_normalize(cases[n].towards), 2e-7);
    }
}

// the rays of an orthographic camera are parallel, and the picture is `height` high
static void test_orthographic_projection(void **state)
{
    (void)state;
    const BrumeCamera camera = {.position = {1.0f, 2.0f, 3.0f},
                                .target = {1.0f, 2.0f, -4.0f},
                                .projection = BRUME_ORTHOGRAPHIC,
                                .height = 3.0f};
    const BrumePictureRays rays = brume_picture_rays(&camera, 200, 100);
    const struct {
        float x, y;
        BrumeVec3 origin;
    } cases[] = {
        {100.0f, 50.0f, {1.0f, 2.0f, 3.0f}}, {100.0f, 0.0f, {1.0f, 3.5f, 3.0f}}, {100.0f, 100.0f, {1.0f, 0.5f, 3.0f}},
        {0.0f, 50.0f, {-2.0f, 2.0f, 3.0f}},  {200.0f, 0.0f, {4.0f, 3.5f, 3.0f}}, {150.0f, 75.0f, {2.5f, 1.25f, 3.0f}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const BrumeRay ray = brume_picture_ray(&rays, cases[n].x, cases[n].y);
        assert_vec3_near("origin", ray.origin, cases[n].origin, 1e-6);
        assert_vec3_near("direction", ray.direction, brume_vec3(0.0f, 0.0f, -1.0f), 0.0);
    }
    // its height follows the keys; the first key gives the projection
    BrumeCameraKey two[2] = {{1.0, camera}, {3.0, camera}};
    two[1].camera.height = 5.0f;
    const BrumeCamera middle = brume_camera_at(two, 2, 2.0);
    assert_int_equal(middle.projection, BRUME_ORTHOGRAPHIC);
    assert_near("height", middle.height, 4.0, 1e-6);
}

static const BrumeCameraKey keys[] = {
    {.time = 0.5, .camera = {.position = {0.0f, 1.0f, 4.0f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 40.0f}},
    {.time = 1.5, .camera = {.position = {3.0f, 2.0f, 3.0f}, .target = {0.0f, 1.0f, 0.0f}, .field_of_view = 30.0f}},
    {.time = 4.0, .camera = {.position = {4.0f, 2.5f, 0.0f}, .target = {0.5f, 1.0f, 0.0f}, .field_of_view = 35.0f}},
    {.time = 4.5, .camera = {.position = {3.0f, 5.0f, -3.0f}, .target = {0.0f, 2.0f, 1.0f}, .field_of_view = 50.0f}},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

static void test_animation_interpolates_its_keys(void **state)
{
    (void)state;
    for (int n = 0; n < KEYS; n++) {
        const BrumeCamera camera = brume_camera_at(keys, KEYS, keys[n].time);
        assert_vec3_near("position", camera.position, keys[n].camera.position, 1e-6);
        assert_vec3_near("target", camera.target, keys[n].camera.target, 1e-6);
        assert_near("field of view", camera.field_of_view, keys[n].camera.field_of_view, 1e-5);
    }
    assert_near("constant before the first key", brume_camera_at(keys, KEYS, -9.0).position.z, 4.0, 0.0);
    assert_near("constant after the last key", brume_camera_at(keys, KEYS, 99.0).position.z, -3.0, 0.0);
    assert_near("a single key", brume_camera_at(keys, 1, 2.0).position.z, 4.0, 0.0);
}

// the velocity on both sides of every inner key is the finite difference between its neighbors
static void test_animation_has_a_continuous_velocity(void **state)
{
    (void)state;
    const double h = 1e-3;
    for (int n = 1; n + 1 < KEYS; n++) {
        const double span = keys[n + 1].time - keys[n - 1].time;
        const double expected = (keys[n + 1].camera.position.x - keys[n - 1].camera.position.x) / span;
        const float at = brume_camera_at(keys, KEYS, keys[n].time).position.x;
        const double before = (at - brume_camera_at(keys, KEYS, keys[n].time - h).position.x) / h;
        const double after = (brume_camera_at(keys, KEYS, keys[n].time + h).position.x - at) / h;
        assert_near("velocity before a key", before, expected, 0.02);
        assert_near("velocity after a key", after, expected, 0.02);
    }
}

// for keys on a straight line at constant speed, the spline is that line, however non-uniform their times
static void test_animation_reproduces_a_line(void **state)
{
    (void)state;
    const double times[] = {0.0, 1.0, 1.25, 4.0, 6.0};
    BrumeCameraKey line[5];
    for (int n = 0; n < 5; n++) {
        const float t = (float)times[n];
        line[n] = (BrumeCameraKey){
            times[n],
            {.position = {2.0f * t, 1.0f - t, 3.0f}, .target = {t, 0.0f, 0.0f}, .field_of_view = 30.0f + 5.0f * t}};
    }
    for (int n = 0; n <= 96; n++) {
        const double time = 0.0625 * n;
        const BrumeCamera camera = brume_camera_at(line, 5, time);
        assert_near("position.x", camera.position.x, 2.0 * time, 1e-5);
        assert_near("position.y", camera.position.y, 1.0 - time, 1e-5);
        assert_near("target.x", camera.target.x, time, 1e-5);
        assert_near("field of view", camera.field_of_view, 30.0 + 5.0 * time, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_axes_of_cameras_at_their_limits),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_orthographic_projection),
        cmocka_unit_test(test_animation_interpolates_its_keys),
        cmocka_unit_test(test_animation_has_a_continuous_velocity),
        cmocka_unit_test(test_animation_reproduces_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
