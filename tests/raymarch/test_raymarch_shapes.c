// Rays intersect shapes where the signed distance is 0.
#include "core/random.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch_check.h"

static const BrumeShape shapes[] = {
    {BRUME_SHAPE_SPHERE, {0.3f, -0.2f, 0.1f}, {0.0f, 0.0f, 0.0f}, 0.7f},
    {BRUME_SHAPE_BOX, {-0.5f, -0.8f, -0.3f}, {0.6f, 0.2f, 0.9f}, 0.0f},
    {BRUME_SHAPE_CYLINDER, {-0.4f, 0.3f, -0.2f}, {0.5f, -0.4f, 0.6f}, 0.35f},
    {BRUME_SHAPE_CYLINDER, {0.0f, -0.5f, 0.0f}, {0.0f, 0.5f, 0.0f}, 0.4f},
    {BRUME_SHAPE_CAPSULE, {-0.4f, 0.3f, -0.2f}, {0.5f, -0.4f, 0.6f}, 0.35f},
    {BRUME_SHAPE_CAPSULE, {0.2f, 0.2f, 0.2f}, {0.2f, 0.2f, 0.2f}, 0.5f},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static float random_in(float lower, float upper, uint32_t a, uint32_t b)
{
    return lower + (upper - lower) * brume_unit_float(brume_hash3(a, b, 7u));
}

static BrumeRay random_ray(uint32_t n)
{
    const BrumeVec3 origin = {random_in(-3.0f, 3.0f, n, 0), random_in(-3.0f, 3.0f, n, 1), random_in(-3.0f, 3.0f, n, 2)};
    const BrumeVec3 target = {random_in(-0.8f, 0.8f, n, 3), random_in(-0.8f, 0.8f, n, 4), random_in(-0.8f, 0.8f, n, 5)};
    return (BrumeRay){origin, brume_normalize(brume_sub(target, origin))};
}

static void test_intervals_end_on_the_surface(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        int hits = 0;
        for (uint32_t n = 0; n < 4000; n++) {
            const BrumeRay ray = random_ray(n);
            const BrumeRayInterval inside = brume_ray_shape(&ray, &shapes[s]);
            if (!(inside.enter < inside.leave)) {
                // a miss: the signed distance is not negative anywhere on the line
                for (int step = 0; step <= 400; step++) {
                    const float distance = brume_shape_distance(&shapes[s], brume_ray_at(&ray, 0.025f * (float)step));
                    assert_true(distance > -2e-3f);
                }
                continue;
            }
            hits++;
            assert_near("distance where a ray enters",
                        brume_shape_distance(&shapes[s], brume_ray_at(&ray, inside.enter)), 0.0, 1e-5);
            assert_near("distance where it leaves", brume_shape_distance(&shapes[s], brume_ray_at(&ray, inside.leave)),
                        0.0, 1e-5);
            const float middle = 0.5f * (inside.enter + inside.leave);
            assert_true(brume_shape_distance(&shapes[s], brume_ray_at(&ray, middle)) <= 1e-6f);
        }
        assert_true(hits > 400);
    }
}

static void test_known_intervals(void **state)
{
    (void)state;
    const BrumeRay along_x = {{-4.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const BrumeShape sphere = {BRUME_SHAPE_SPHERE, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 1.0f};
    BrumeRayInterval inside = brume_ray_shape(&along_x, &sphere);
    assert_near("sphere entered", inside.enter, 3.0, 1e-6);
    assert_near("sphere left", inside.leave, 5.0, 1e-6);
    const BrumeShape pipe = {BRUME_SHAPE_CYLINDER, {-1.5f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, 0.5f};
    inside = brume_ray_shape(&along_x, &pipe); // along its axis
    assert_near("cylinder entered", inside.enter, 2.5, 1e-6);
    assert_near("cylinder left", inside.leave, 6.0, 1e-6);
    const BrumeShape pill = {BRUME_SHAPE_CAPSULE, {-1.5f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}, 0.5f};
    inside = brume_ray_shape(&along_x, &pill);
    assert_near("capsule entered", inside.enter, 2.0, 1e-6);
    assert_near("capsule left", inside.leave, 6.5, 1e-6);
    const BrumeRay past = {{-4.0f, 0.6f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    inside = brume_ray_shape(&past, &pill);
    assert_true(inside.enter >= inside.leave);
}

// the normal is the gradient of the signed distance
static void test_normals(void **state)
{
    (void)state;
    const float h = 1e-3f;
    for (int s = 0; s < SHAPES; s++) {
        for (uint32_t n = 0; n < 1000; n++) {
            const BrumeRay ray = random_ray(n + 5000);
            const BrumeRayInterval inside = brume_ray_shape(&ray, &shapes[s]);
            if (!(inside.enter < inside.leave)) {
                continue;
            }
            const BrumeVec3 p = brume_ray_at(&ray, inside.enter);
            const BrumeVec3 normal = brume_shape_normal(&shapes[s], p);
            assert_near("length of a normal", brume_length(normal), 1.0, 1e-5);
            assert_near("distance along the normal",
                        brume_shape_distance(&shapes[s], brume_add(p, brume_scale(normal, h))), h, 2e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_end_on_the_surface),
        cmocka_unit_test(test_known_intervals),
        cmocka_unit_test(test_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
