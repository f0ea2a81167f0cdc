// Rays intersect shapes where the signed distance is 0.
#include "core/random.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch_check.h"

static const BrumeShape shapes[] = {
    {.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, -0.2f, 0.1f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.7f},
    {.kind = BRUME_SHAPE_BOX, .a = {-0.5f, -0.8f, -0.3f}, .b = {0.6f, 0.2f, 0.9f}, .radius = 0.0f},
    {.kind = BRUME_SHAPE_CYLINDER, .a = {-0.4f, 0.3f, -0.2f}, .b = {0.5f, -0.4f, 0.6f}, .radius = 0.35f},
    {.kind = BRUME_SHAPE_CYLINDER, .a = {0.0f, -0.5f, 0.0f}, .b = {0.0f, 0.5f, 0.0f}, .radius = 0.4f},
    {.kind = BRUME_SHAPE_CAPSULE, .a = {-0.4f, 0.3f, -0.2f}, .b = {0.5f, -0.4f, 0.6f}, .radius = 0.35f},
    {.kind = BRUME_SHAPE_CAPSULE, .a = {0.2f, 0.2f, 0.2f}, .b = {0.2f, 0.2f, 0.2f}, .radius = 0.5f},
    {.kind = BRUME_SHAPE_CONE,
     .a = {-0.4f, 0.5f, -0.2f},
     .b = {0.5f, -0.4f, 0.6f},
     .radius = 0.6f,
     .second_radius = 0.2f},
    {.kind = BRUME_SHAPE_TORUS, .a = {0.1f, 0.0f, 0.2f}, .radius = 0.6f, .second_radius = 0.25f},
    {.kind = BRUME_SHAPE_PLANE, .a = {0.0f, 0.3f, 0.0f}},
    {.kind = BRUME_SHAPE_BOX,
     .a = {-0.5f, -0.8f, -0.3f},
     .b = {0.6f, 0.2f, 0.9f},
     .rotation = {30.0f, -50.0f, 70.0f},
     .position = {0.1f, 0.2f, -0.1f}},
    {.kind = BRUME_SHAPE_CYLINDER,
     .a = {0.0f, -0.5f, 0.0f},
     .b = {0.0f, 0.5f, 0.0f},
     .radius = 0.4f,
     .rotation = {30.0f, 0.0f, 200.0f},
     .scale = {1.3f, 1.3f, 1.3f},
     .pivot = {0.2f, 0.1f, 0.0f}},
    {.kind = BRUME_SHAPE_TORUS,
     .radius = 0.6f,
     .second_radius = 0.25f,
     .rotation = {60.0f, 20.0f, 0.0f},
     .scale = {1.2f, 1.2f, 1.2f}},
    {.kind = BRUME_SHAPE_PLANE, .a = {0.0f, 0.2f, 0.0f}, .rotation = {20.0f, 0.0f, -40.0f}},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const float FARTHEST = 50.0f; // of the distances whose precision is that of the tests [m]

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
            const BrumeRayInterval inside = brume_ray_shape(&ray, &shapes[s], 0.0f);
            if (!(inside.enter < inside.leave)) {
                // a miss: the signed distance is not negative anywhere on the line
                for (int step = 0; step <= 400; step++) {
                    const float distance = brume_shape_distance(&shapes[s], brume_ray_at(&ray, 0.025f * (float)step));
                    assert_true(distance > -2e-3f);
                }
                continue;
            }
            hits++;
            // a line enters or leaves a half space once, maybe far away; the interval of a torus begins with the ray
            if (fabsf(inside.enter) < FARTHEST && !(inside.enter == 0.0f)) {
                assert_near("distance where a ray enters",
                            brume_shape_distance(&shapes[s], brume_ray_at(&ray, inside.enter)), 0.0, 1e-5);
            }
            if (fabsf(inside.leave) < FARTHEST) {
                assert_near("distance where it leaves",
                            brume_shape_distance(&shapes[s], brume_ray_at(&ray, inside.leave)), 0.0, 1e-5);
            }
            const float middle = isfinite(inside.enter) && isfinite(inside.leave) ? 0.5f * (inside.enter + inside.leave)
                                 : isfinite(inside.enter)                         ? inside.enter + 1.0f
                                                                                  : inside.leave - 1.0f;
            assert_true(brume_shape_distance(&shapes[s], brume_ray_at(&ray, middle)) <= 1e-6f);
        }
        assert_true(hits > 400);
    }
}

static void test_known_intervals(void **state)
{
    (void)state;
    const BrumeRay along_x = {{-4.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const BrumeShape sphere = {
        .kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.0f, 0.0f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 1.0f};
    BrumeRayInterval inside = brume_ray_shape(&along_x, &sphere, 0.0f);
    assert_near("sphere entered", inside.enter, 3.0, 1e-6);
    assert_near("sphere left", inside.leave, 5.0, 1e-6);
    const BrumeShape pipe = {
        .kind = BRUME_SHAPE_CYLINDER, .a = {-1.5f, 0.0f, 0.0f}, .b = {2.0f, 0.0f, 0.0f}, .radius = 0.5f};
    inside = brume_ray_shape(&along_x, &pipe, 0.0f); // along its axis
    assert_near("cylinder entered", inside.enter, 2.5, 1e-6);
    assert_near("cylinder left", inside.leave, 6.0, 1e-6);
    const BrumeShape pill = {
        .kind = BRUME_SHAPE_CAPSULE, .a = {-1.5f, 0.0f, 0.0f}, .b = {2.0f, 0.0f, 0.0f}, .radius = 0.5f};
    inside = brume_ray_shape(&along_x, &pill, 0.0f);
    assert_near("capsule entered", inside.enter, 2.0, 1e-6);
    assert_near("capsule left", inside.leave, 6.5, 1e-6);
    const BrumeRay past = {{-4.0f, 0.6f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    inside = brume_ray_shape(&past, &pill, 0.0f);
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
            const BrumeRayInterval inside = brume_ray_shape(&ray, &shapes[s], 0.0f);
            if (!(inside.enter < inside.leave) || !(fabsf(inside.enter) < FARTHEST) || inside.enter == 0.0f) {
                continue;
            }
            const BrumeVec3 p = brume_ray_at(&ray, inside.enter);
            const BrumeVec3 normal = brume_shape_normal(&shapes[s], p, NULL);
            assert_near("length of a normal", brume_length(normal), 1.0, 1e-5);
            assert_near("distance along the normal",
                        brume_shape_distance(&shapes[s], brume_add(p, brume_scale(normal, h))), h, 2e-5);
        }
    }
}

// two balls of radius 0.3 around (-0.5, 0, 0) and (0.5, 0, 0): the values are the distance to the nearer surface
static BrumeSamples *two_balls(void)
{
    enum { NX = 80, NY = 40, NZ = 40 };
    static float values[NX * NY * NZ];
    const double spacing = 0.025;
    for (int n = 0; n < NX * NY * NZ; n++) {
        const int index[3] = {n % NX, n / NX % NY, n / NX / NY};
        const double x = fabs((index[0] + 0.5) * spacing - 1.0) - 0.5;
        const double y = (index[1] + 0.5) * spacing - 0.5;
        const double z = (index[2] + 0.5) * spacing - 0.5;
        values[n] = (float)(0.3 - sqrt(x * x + y * y + z * z));
    }
    const BrumeSamplesDef def = {.nx = NX,
                                 .ny = NY,
                                 .nz = NZ,
                                 .first = {0.5 * spacing, 0.5 * spacing, 0.5 * spacing},
                                 .spacing = spacing,
                                 .values = values};
    BrumeSamples *samples = NULL;
    assert_int_equal(brume_samples_create(&samples, &def, NULL), BRUME_OK);
    return samples;
}

// a volume has several intervals on a ray, of which that beyond a distance is found
static void test_volume(void **state)
{
    (void)state;
    BrumeSamples *samples = two_balls();
    const BrumeShape balls = {.kind = BRUME_SHAPE_VOLUME,
                              .a = {-1.0f, -0.5f, -0.5f},
                              .b = {1.0f, 0.5f, 0.5f},
                              .samples = samples,
                              .threshold = 0.0f};
    const BrumeRay ray = {{-4.0f, 0.01f, 0.02f}, {1.0f, 0.0f, 0.0f}};
    const float ends[2][2] = {{3.2008f, 3.7992f}, {4.2008f, 4.7992f}};
    const float from[5] = {-INFINITY, 0.0f, 3.85f, 4.4f, 4.9f};
    const int expected[5] = {0, 0, 1, 1, 2};
    for (int n = 0; n < 5; n++) {
        const BrumeRayInterval inside = brume_ray_shape(&ray, &balls, from[n]);
        if (expected[n] == 2) {
            assert_true(inside.enter >= inside.leave);
            continue;
        }
        assert_near("volume entered", inside.enter, fmaxf(ends[expected[n]][0], from[n]), 1e-3);
        assert_near("volume left", inside.leave, ends[expected[n]][1], 1e-3);
    }
    const BrumeVec3 normal = brume_shape_normal(&balls, brume_vec3(-0.5f, 0.3f, 0.0f), NULL);
    assert_near("normal along y", normal.y, 1.0, 1e-2);
    // where the box cuts the values off, its face is the surface
    const BrumeShape half = {.kind = BRUME_SHAPE_VOLUME,
                             .a = {-1.0f, -0.5f, -0.5f},
                             .b = {1.0f, 0.5f, 0.5f},
                             .samples = samples,
                             .threshold = -10.0f};
    const BrumeRayInterval whole = brume_ray_shape(&ray, &half, 0.0f);
    assert_near("box entered", whole.enter, 3.0, 1e-6);
    assert_near("box left", whole.leave, 5.0, 1e-6);
    assert_near("normal of the box", brume_shape_normal(&half, brume_vec3(-1.0f, 0.1f, 0.2f), NULL).x, -1.0, 0.0);
    brume_samples_release(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_intervals_end_on_the_surface),
        cmocka_unit_test(test_known_intervals),
        cmocka_unit_test(test_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
