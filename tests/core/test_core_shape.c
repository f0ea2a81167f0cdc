// Shapes: distances, volumes and bounds of all kinds, as they are and moved, turned and scaled.
#include "core/coverage.h"
#include "core/elementary.h"
#include "core/random.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void expect_near(double value, double expected, double tolerance, int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%s:%d: %.9g, expected %.9g within %g\n", __FILE__, line, value, expected, tolerance);
        fail();
    }
}
#define EXPECT_NEAR(value, expected, tolerance) expect_near((double)(value), expected, tolerance, __LINE__)

static const BrumeShape cone = {
    .kind = BRUME_SHAPE_CONE, .a = {0.1f, -0.4f, 0.0f}, .b = {0.3f, 0.5f, 0.2f}, .radius = 0.4f, .second_radius = 0.1f};
static const BrumeShape tip = {.kind = BRUME_SHAPE_CONE, .a = {0, -0.5f, 0}, .b = {0, 0.5f, 0}, .radius = 0.5f};
static const BrumeShape torus = {
    .kind = BRUME_SHAPE_TORUS, .a = {0.1f, 0.0f, -0.1f}, .radius = 0.5f, .second_radius = 0.2f};
static const BrumeShape plane = {.kind = BRUME_SHAPE_PLANE, .a = {0.1f, 0.2f, 0.3f}};
static const BrumeShape box = {.kind = BRUME_SHAPE_BOX, .a = {-0.3f, -0.2f, -0.1f}, .b = {0.5f, 0.2f, 0.3f}};
static const BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = {0.1f, 0.1f, 0.0f}, .radius = 0.4f};
static const BrumeShape cylinder = {
    .kind = BRUME_SHAPE_CYLINDER, .a = {-0.3f, 0, 0}, .b = {0.4f, 0.1f, 0}, .radius = 0.3f};

static BrumeVec3 draw_point(uint32_t n, float reach)
{
    float at[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        at[axis] = reach * (2.0f * brume_unit_float(brume_hash_u32(3 * n + axis)) - 1.0f);
    }
    return brume_vec3(at[0], at[1], at[2]);
}

// a point at the angle `turn` around the axis of a cone, on its profile: end, side, end for `share` of 0 to 3
static BrumeVec3 point_of_cone(const BrumeShape *shape, double share, double turn)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const BrumeVec3 unit = brume_normalize(axis);
    const BrumeVec3 u = brume_normalize(brume_cross(unit, brume_vec3(0.0f, 0.0f, 1.0f)));
    const BrumeVec3 v = brume_cross(unit, u);
    const float along = (float)fmin(fmax(share - 1.0, 0.0), 1.0);
    const float at_side = shape->radius + along * (shape->second_radius - shape->radius);
    const float radius = at_side * (float)(share < 1.0 ? share : share > 2.0 ? 3.0 - share : 1.0);
    const BrumeVec3 out = brume_add(brume_scale(u, brume_cosf((float)turn)), brume_scale(v, brume_sinf((float)turn)));
    return brume_add(brume_add(shape->a, brume_scale(axis, along)), brume_scale(out, radius));
}

static BrumeVec3 point_of_torus(const BrumeShape *shape, double around, double turn)
{
    const float ring = shape->radius + shape->second_radius * brume_cosf((float)around);
    return brume_add(shape->a,
                     brume_vec3(ring * brume_cosf((float)turn), shape->second_radius * brume_sinf((float)around),
                                ring * brume_sinf((float)turn)));
}

// the distance to the nearest of many points of the surface
static double sampled_distance(const BrumeShape *shape, BrumeVec3 point)
{
    enum { SAMPLES = 300 };
    double nearest = INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            const double turn = 2.0 * pi * j / SAMPLES;
            const BrumeVec3 at = shape->kind == BRUME_SHAPE_CONE ? point_of_cone(shape, 3.0 * (i + 0.5) / SAMPLES, turn)
                                                                 : point_of_torus(shape, 2.0 * pi * i / SAMPLES, turn);
            nearest = fmin(nearest, (double)brume_length(brume_sub(at, point)));
        }
    }
    return nearest;
}

static void test_distances_to_sampled_surfaces(void **state)
{
    (void)state;
    const BrumeShape *const shapes[] = {&cone, &tip, &torus};
    for (int s = 0; s < 3; s++) {
        int inside = 0;
        for (uint32_t n = 0; n < 12; n++) {
            const BrumeVec3 point = draw_point(n, n < 6 ? 0.4f : 0.9f);
            const float distance = brume_shape_distance(shapes[s], point);
            EXPECT_NEAR(fabsf(distance), sampled_distance(shapes[s], point), 4e-4 + 0.012 * 0.012 / 0.05);
            inside += distance < 0.0f;
        }
        assert_in_range(inside, 1, 11);
    }
    EXPECT_NEAR(brume_shape_distance(&tip, brume_vec3(0, 0, 0)), -0.25 / sqrt(1.25), 1e-6); // half way to the tip
    EXPECT_NEAR(brume_shape_distance(&tip, brume_vec3(0, 0.75f, 0)), 0.25, 1e-6);
    EXPECT_NEAR(brume_shape_distance(&torus, torus.a), 0.3, 1e-6);
    EXPECT_NEAR(brume_shape_distance(&plane, brume_vec3(7, 0.5f, 9)), 0.3, 1e-6);
    EXPECT_NEAR(brume_shape_distance(&plane, brume_vec3(7, -0.5f, 9)), -0.7, 1e-6);
}

// the volume of the cells whose centers are inside; the bounds contain them all
static double voxel_volume(const BrumeShape *shape, double dx)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const int half = (int)(1.6 / dx);
    long count = 0;
    for (int k = -half; k < half; k++) {
        for (int j = -half; j < half; j++) {
            for (int i = -half; i < half; i++) {
                const BrumeVec3 point = {(float)((i + 0.5) * dx), (float)((j + 0.5) * dx), (float)((k + 0.5) * dx)};
                if (brume_shape_distance(shape, point) < 0.0f) {
                    assert_true(point.x >= lower.x && point.y >= lower.y && point.z >= lower.z);
                    assert_true(point.x <= upper.x && point.y <= upper.y && point.z <= upper.z);
                    count++;
                }
            }
        }
    }
    return (double)count * dx * dx * dx;
}

static BrumeShape placed(const BrumeShape *shape, BrumeVec3 scale)
{
    BrumeShape result = *shape;
    result.position = brume_vec3(0.2f, -0.1f, 0.15f);
    result.rotation = brume_vec3(25.0f, -40.0f, 70.0f);
    result.scale = scale;
    result.pivot = brume_vec3(0.1f, 0.0f, -0.05f);
    return result;
}

static void test_volumes(void **state)
{
    (void)state;
    const double length = sqrt(0.04 + 0.81 + 0.04);
    const struct {
        const BrumeShape *shape;
        double volume;
    } cases[] = {{&cone, pi / 3.0 * length * (0.16 + 0.04 + 0.01)},
                 {&tip, pi / 3.0 * 0.25},
                 {&torus, 2.0 * pi * pi * 0.5 * 0.04},
                 {&box, 0.8 * 0.4 * 0.4},
                 {&sphere, 4.0 / 3.0 * pi * 0.064},
                 {&cylinder, pi * 0.09 * sqrt(0.5)}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        EXPECT_NEAR(voxel_volume(cases[n].shape, 0.02) / cases[n].volume, 1.0, 0.01);
        const BrumeShape turned = placed(cases[n].shape, brume_vec3(1.5f, 0.8f, 1.2f));
        EXPECT_NEAR(voxel_volume(&turned, 0.02) / (1.44 * cases[n].volume), 1.0, 0.01);
    }
}

// the fractions of cells that a thin shape covers sum up to its volume, also where it is turned and scaled
static void test_coverage(void **state)
{
    (void)state;
    const BrumeShape thin_torus = {.kind = BRUME_SHAPE_TORUS, .radius = 0.5f, .second_radius = 0.02f};
    const BrumeShape thin_cone = {
        .kind = BRUME_SHAPE_CONE, .a = {0, -0.4f, 0}, .b = {0, 0.4f, 0}, .radius = 0.04f, .second_radius = 0.02f};
    const BrumeShape shapes[] = {placed(&thin_torus, brume_vec3(1, 1, 1)),
                                 placed(&thin_cone, brume_vec3(1.2f, 1, 1.2f))};
    const double volumes[] = {2.0 * pi * pi * 0.5 * 4e-4, 1.44 * pi / 3.0 * 0.8 * (16e-4 + 8e-4 + 4e-4)};
    const float dx = 0.05f;
    for (int s = 0; s < 2; s++) {
        const BrumeVec3 first = {0.5f * dx, 0.5f * dx, 0.5f * dx};
        const BrumeCoverage coverage = brume_coverage_of(&shapes[s], first, dx);
        double sum = 0.0;
        for (int c = 0; c < 40 * 40 * 40; c++) {
            const int index[3] = {c % 40 - 20, c / 40 % 40 - 20, c / 1600 - 20};
            const BrumeVec3 cell = {(float)index[0], (float)index[1], (float)index[2]};
            sum += (double)brume_coverage_at(&coverage, brume_add(first, brume_scale(cell, dx)));
        }
        EXPECT_NEAR(sum * (double)(dx * dx * dx) / volumes[s], 1.0, 1e-4);
    }
    // the mean edge of a deep softness is the mean of a smoothstep over the volumes of the smaller cones and tubes
    EXPECT_NEAR(brume_mean_edge(&torus, 0.2f), 0.3, 0.01);
    EXPECT_NEAR(brume_mean_edge(&tip, 1e-4f), 1.0, 1e-3);
    assert_true(brume_mean_edge(&plane, 0.1f) == 1.0f);
}

// a point that moves with a shape keeps its distance; ways enter it at the same fraction
static void test_placed_shapes(void **state)
{
    (void)state;
    const BrumeShape *const shapes[] = {&cone, &torus, &plane, &box, &sphere, &cylinder};
    for (int s = 0; s < 6; s++) {
        const BrumeShape turned = placed(shapes[s], brume_vec3(2, 2, 2));
        const BrumeShapeFrame frame = brume_shape_frame(&turned);
        for (uint32_t n = 0; n < 50; n++) {
            const BrumeVec3 own = draw_point(n, 1.0f);
            const BrumeVec3 end = draw_point(n + 100, 1.0f);
            const BrumeVec3 world = brume_frame_point(&frame, own);
            EXPECT_NEAR(brume_length(brume_sub(brume_frame_own_point(&frame, world), own)), 0.0, 1e-6);
            EXPECT_NEAR(brume_shape_distance(&turned, world), 2.0 * (double)brume_shape_distance(shapes[s], own), 3e-6);
            EXPECT_NEAR(brume_shape_entry(&turned, world, brume_frame_point(&frame, end)),
                        (double)brume_shape_entry(shapes[s], own, end), 3e-3);
        }
        BrumeVec3 center;
        float radius;
        brume_shape_sphere(&turned, &center, &radius);
        EXPECT_NEAR(brume_length(brume_sub(center, brume_shape_center(&turned))), 0.0, 1e-6);
        assert_true(brume_shape_equal(&turned, &turned) && !brume_shape_equal(&turned, shapes[s]));
        // whole turns have the bits of no turn
        BrumeShape whole = *shapes[s];
        whole.rotation = brume_vec3(360.0f, -720.0f, 1080.0f);
        whole.scale = brume_vec3(1, 1, 1);
        const BrumeShapeFrame of_whole = brume_shape_frame(&whole);
        assert_true(of_whole.axes[0].x == 1.0f && of_whole.axes[1].y == 1.0f && of_whole.axes[2].z == 1.0f);
        assert_true(of_whole.axes[0].y == 0.0f && of_whole.axes[1].z == 0.0f && of_whole.axes[2].x == 0.0f);
    }
    // about x, then y, then z: z to -y, which stays, then to x
    BrumeShape quarter = box;
    quarter.rotation = brume_vec3(90.0f, 0.0f, 90.0f);
    const BrumeVec3 axis = brume_shape_frame(&quarter).axes[2];
    assert_true(axis.x == 1.0f && axis.y == 0.0f && axis.z == 0.0f);
}

static void test_rotation_towards(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 20; n++) {
        const BrumeVec3 direction = brume_normalize(draw_point(n, 1.0f));
        BrumeShape shape = torus;
        shape.rotation = brume_rotation_towards(direction);
        EXPECT_NEAR(brume_length(brume_sub(brume_shape_frame(&shape).axes[1], direction)), 0.0, 1e-6);
    }
}

// the nearest angles are of the same rotation, and a turn at most half as far as others
static void test_rotation_near(void **state)
{
    (void)state;
    const BrumeVec3 found = brume_rotation_near(brume_vec3(180.0f, 170.0f, -180.0f), brume_vec3(5.0f, 360.0f, 0.0f));
    EXPECT_NEAR(brume_length(brume_sub(found, brume_vec3(0.0f, 370.0f, 0.0f))), 0.0, 1e-4);
    for (uint32_t n = 0; n < 20; n++) {
        BrumeShape shape = torus;
        BrumeShape near = torus;
        shape.rotation = draw_point(2 * n, 400.0f);
        const BrumeVec3 to = draw_point(2 * n + 1, 400.0f);
        near.rotation = brume_rotation_near(shape.rotation, to);
        for (int axis = 0; axis < 3; axis++) {
            const BrumeVec3 axes[2] = {brume_shape_frame(&shape).axes[axis], brume_shape_frame(&near).axes[axis]};
            EXPECT_NEAR(brume_length(brume_sub(axes[0], axes[1])), 0.0, 2e-6);
        }
        assert_true(brume_length(brume_sub(near.rotation, to)) < 0.87f * 360.0f); // half the diagonal of a turn's cube
    }
}

// the axes of a frame move by spin x axis
static void test_spin(void **state)
{
    (void)state;
    BrumeShape shape = placed(&box, brume_vec3(1, 1, 1));
    const BrumeVec3 rates = {30.0f, -50.0f, 20.0f};
    const float dt = 0.01f;
    const BrumeVec3 spin = brume_shape_spin(&shape, rates);
    BrumeShape before = shape;
    BrumeShape after = shape;
    before.rotation = brume_sub(shape.rotation, brume_scale(rates, 0.5f * dt));
    after.rotation = brume_add(shape.rotation, brume_scale(rates, 0.5f * dt));
    const BrumeShapeFrame frames[3] = {brume_shape_frame(&before), brume_shape_frame(&shape),
                                       brume_shape_frame(&after)};
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 change = brume_scale(brume_sub(frames[2].axes[axis], frames[0].axes[axis]), 1.0f / dt);
        EXPECT_NEAR(brume_length(brume_sub(change, brume_cross(spin, frames[1].axes[axis]))), 0.0, 5e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_to_sampled_surfaces),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_placed_shapes),
        cmocka_unit_test(test_rotation_towards),
        cmocka_unit_test(test_rotation_near),
        cmocka_unit_test(test_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
