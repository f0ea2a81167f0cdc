// Strokes from pointer events: smooth, through every point, and independent of how events fall into loop iterations.
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/window/stroke_builder.h"

#include <string.h>

static const double pi = 3.14159265358979;
static const BrumeVec3 towards_camera = {0.0f, 0.0f, 1.0f};
static const BrumeBrush pusher = {.mode = BRUME_BRUSH_PUSH, .kind = 2, .radius = 0.1f, .push = 8.0f};
static const BrumeBrush brush = {.kind = 2, .radius = 0.1f, .density = 0.7f, .heat = 30.0f, .push = 8.0f};

typedef struct Stroke {
    int count;
    BrumeStrokeSegment segments[1024];
} Stroke;

static void drain(BrumeStrokeBuilder *builder, double now, Stroke *stroke)
{
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    const int count = brume_stroke_builder_drain(builder, now, segments);
    assert_true(stroke->count + count <= 1024);
    memcpy(stroke->segments + stroke->count, segments, (size_t)count * sizeof segments[0]);
    stroke->count += count;
}

// the cubic Hermite curve, from its textbook basis
static BrumeVec3 curve_at(const BrumeStroke *piece, float s)
{
    const float s2 = s * s;
    const float s3 = s2 * s;
    const BrumeVec3 ends = brume_add(brume_scale(piece->from, 2.0f * s3 - 3.0f * s2 + 1.0f),
                                     brume_scale(piece->to, 3.0f * s2 - 2.0f * s3));
    const BrumeVec3 slopes =
        brume_add(brume_scale(piece->from_slope, s3 - 2.0f * s2 + s), brume_scale(piece->to_slope, s3 - s2));
    return brume_add(ends, slopes);
}

static void assert_smooth(const Stroke *stroke)
{
    for (int n = 0; n + 1 < stroke->count; n++) {
        const BrumeStroke *const a = &stroke->segments[n].stroke;
        const BrumeStroke *const b = &stroke->segments[n + 1].stroke;
        assert_memory_equal(&a->to, &b->from, sizeof a->to);
        const BrumeVec3 before = brume_normalize(a->to_slope);
        const BrumeVec3 after = brume_normalize(b->from_slope);
        assert_near("cosine of the bend", brume_dot(before, after), 1.0, 1e-5);
    }
}

static BrumeVec3 on_circle(int n) { return brume_vec3((float)cos(n * pi / 6.0), (float)sin(n * pi / 6.0), 0.5f); }

static void draw_circle(int events_per_iteration, Stroke *stroke)
{
    *stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, on_circle(0), 0.0);
    for (int n = 1; n <= 12; n++) {
        brume_stroke_builder_add_point(&builder, on_circle(n), 0.01 * n);
        if (n % events_per_iteration == 0) {
            drain(&builder, 0.01 * n, stroke);
        }
    }
    brume_stroke_builder_end(&builder, 0.13);
    drain(&builder, 0.13, stroke);
}

static void test_circle(void **state)
{
    (void)state;
    static Stroke stroke;
    draw_circle(1, &stroke);
    assert_int_equal(stroke.count, 12);
    assert_smooth(&stroke);
    double draw_time = 0.0;
    for (int n = 0; n < 12; n++) {
        const BrumeStroke *const piece = &stroke.segments[n].stroke;
        const BrumeVec3 to = on_circle(n + 1);
        assert_memory_equal(&piece->to, &to, sizeof to);
        for (int s = 0; s <= 20; s++) {
            const BrumeVec3 point = curve_at(piece, (float)s / 20.0f);
            assert_near("radius", hypot((double)point.x, (double)point.y), 1.0, 0.003);
        }
        draw_time += stroke.segments[n].draw_time;
        assert_near("radius of the brush", piece->radius, 0.1, 1e-7);
        assert_near("smoke of its kind", piece->smoke[2], 0.7, 1e-7);
        assert_near("smoke of another", piece->smoke[0] + piece->smoke[1] + piece->smoke[3], 0.0, 0.0);
        assert_near("heat", piece->temperature, 30.0, 0.0);
        assert_near("push", piece->push, 0.0, 0.0);
    }
    assert_near("seconds", draw_time, 0.12, 1e-12);
}

static void test_erasing_brush(void **state)
{
    (void)state;
    BrumeBrush eraser = brush;
    eraser.mode = BRUME_BRUSH_ERASE;
    eraser.erase = 0.25f;
    static BrumeStrokeBuilder builder;
    static BrumeStrokeSegment segments[BRUME_MAX_STROKES];
    brume_stroke_builder_begin(&builder, 1, &eraser, towards_camera, brume_vec3(0.0f, 0.0f, 0.0f), 1.0);
    brume_stroke_builder_add_point(&builder, brume_vec3(1.0f, 0.0f, 0.0f), 1.1);
    brume_stroke_builder_end(&builder, 1.2);
    assert_int_equal(brume_stroke_builder_drain(&builder, 1.2, segments), 1);
    const BrumeStroke *stroke = &segments[0].stroke;
    assert_near("erases to", stroke->erase, 0.25, 0.0);
    assert_near("smoke", stroke->smoke[2] + stroke->temperature + stroke->push, 0.0, 0.0);
}

// the brushes without smoke have their own effect alone, and a resting pointer goes on with it
static void test_heat_fuel_suck_and_twist(void **state)
{
    (void)state;
    BrumeBrush other = brush;
    other.temperature = -25.0f;
    other.suck = 0.75f;
    other.twist = -6.0f;
    other.fuel = 0.125f;
    const BrumeBrushMode modes[] = {BRUME_BRUSH_HEAT, BRUME_BRUSH_SUCK, BRUME_BRUSH_TWIST, BRUME_BRUSH_FUEL};
    for (int n = 0; n < 4; n++) {
        const bool moves = n == 1 || n == 2;
        other.mode = modes[n];
        static BrumeStrokeBuilder builder;
        static BrumeStrokeSegment segments[BRUME_MAX_STROKES];
        brume_stroke_builder_begin(&builder, 1, &other, towards_camera, brume_vec3(0.0f, 0.0f, 0.0f), 1.0);
        brume_stroke_builder_add_point(&builder, brume_vec3(1.0f, 0.0f, 0.0f), 1.1);
        assert_int_equal(brume_stroke_builder_drain(&builder, 1.3, segments), 2);
        for (int segment = 0; segment < 2; segment++) {
            const BrumeStroke *stroke = &segments[segment].stroke;
            assert_near("smoke", stroke->smoke[2] + stroke->erase, 0.0, 0.0);
            assert_near("temperature", stroke->temperature, moves ? 0.0 : -25.0, 0.0);
            assert_near("fuel", stroke->fuel, n == 3 ? 0.125 : 0.0, 0.0);
            assert_near("rate", stroke->push, moves ? 8.0 : 0.0, 0.0);
            assert_near("suck", stroke->suck, n == 1 ? 0.75 : 0.0, 0.0);
            assert_near("twist", stroke->twist, n == 2 ? -6.0 : 0.0, 0.0);
            assert_near("axis", stroke->axis.z, moves ? 1.0 : 0.0, 0.0);
            assert_near("velocity", stroke->velocity.x, 0.0, 0.0);
        }
        brume_stroke_builder_end(&builder, 1.3);
        (void)brume_stroke_builder_drain(&builder, 1.3, segments);
    }
}

static void test_loop_iterations_do_not_matter(void **state)
{
    (void)state;
    static Stroke each;
    static Stroke together;
    draw_circle(1, &each);
    for (int events = 2; events <= 12; events += 5) {
        draw_circle(events, &together);
        assert_int_equal(together.count, each.count);
        assert_memory_equal(together.segments, each.segments, (size_t)each.count * sizeof each.segments[0]);
    }
}

static void test_at_most_one_segment_is_open(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, on_circle(0), 0.0);
    for (int n = 1; n <= 5; n++) {
        brume_stroke_builder_add_point(&builder, on_circle(n), 0.01 * n);
        drain(&builder, 0.01 * n, &stroke);
        assert_int_equal(stroke.count, n - 1);
    }
    // a rest completes the segment, and the stroke continues smoothly
    drain(&builder, 0.2, &stroke);
    assert_true(stroke.count >= 5);
    const BrumeVec3 last = on_circle(5);
    assert_memory_equal(&stroke.segments[4].stroke.to, &last, sizeof last);
    const BrumeVec3 slope = stroke.segments[4].stroke.to_slope;
    const int resumed = stroke.count;
    brume_stroke_builder_add_point(&builder, on_circle(6), 0.21);
    brume_stroke_builder_end(&builder, 0.22);
    drain(&builder, 0.22, &stroke);
    assert_int_equal(stroke.count, resumed + 1);
    const BrumeStroke *const next = &stroke.segments[resumed].stroke;
    assert_memory_equal(&next->from, &last, sizeof last);
    assert_near("bend", brume_dot(brume_normalize(next->from_slope), brume_normalize(slope)), 1.0, 1e-5);
}

static void test_press_without_motion(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, on_circle(0), 1.0);
    brume_stroke_builder_end(&builder, 1.01);
    drain(&builder, 1.01, &stroke);
    assert_int_equal(stroke.count, 1);
    const BrumeStroke *const piece = &stroke.segments[0].stroke;
    const float length = brume_length(brume_sub(piece->to, piece->from));
    assert_near("length", length, 0.1 / 64.0, 1e-6);
    assert_near("seconds", stroke.segments[0].draw_time, 0.01, 1e-9);

    // held for a while, it keeps adding smoke, whose draw times add up to that time
    stroke.count = 0;
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, on_circle(0), 2.0);
    double seconds = 0.0;
    for (int iteration = 1; iteration <= 60; iteration++) {
        drain(&builder, 2.0 + iteration / 60.0, &stroke);
    }
    for (int n = 0; n < stroke.count; n++) {
        seconds += stroke.segments[n].draw_time;
    }
    assert_true(stroke.count >= 10);
    assert_near("seconds", seconds, 1.0, 0.07);

    // a push without motion does nothing
    stroke.count = 0;
    brume_stroke_builder_begin(&builder, 1, &pusher, towards_camera, on_circle(0), 4.0);
    drain(&builder, 5.0, &stroke);
    brume_stroke_builder_end(&builder, 5.0);
    drain(&builder, 5.0, &stroke);
    assert_int_equal(stroke.count, 0);
}

static void test_push_has_the_velocity_of_the_pointer(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &pusher, towards_camera, brume_vec3(0.0f, 0.0f, 0.0f), 0.0);
    brume_stroke_builder_add_point(&builder, brume_vec3(0.02f, 0.0f, 0.01f), 0.02);
    brume_stroke_builder_add_point(&builder, brume_vec3(1.02f, 0.0f, 0.01f),
                                   0.04); // 50 m/s: more than 40 radii a second
    brume_stroke_builder_end(&builder, 0.05);
    drain(&builder, 0.05, &stroke);
    assert_int_equal(stroke.count, 2);
    const BrumeStroke *const slow = &stroke.segments[0].stroke;
    assert_near("push", slow->push, 8.0, 0.0);
    assert_near("smoke", slow->smoke[2] + slow->temperature, 0.0, 0.0);
    assert_near("velocity", slow->velocity.x, 1.0, 1e-5);
    assert_near("velocity", slow->velocity.z, 0.5, 1e-5);
    assert_near("fastest", brume_length(stroke.segments[1].stroke.velocity), 4.0, 1e-5);
}

static void test_many_events_in_an_iteration(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, brume_vec3(1.0f, 0.0f, 0.0f), 0.0);
    for (int n = 1; n <= 500; n++) {
        const double angle = 2.0 * pi * n / 500.0;
        brume_stroke_builder_add_point(&builder, brume_vec3((float)cos(angle), (float)sin(angle), 0.0f), n * 1e-3);
    }
    brume_stroke_builder_end(&builder, 0.5);
    drain(&builder, 0.5, &stroke);
    assert_int_equal(stroke.count, BRUME_MAX_STROKES);
    assert_smooth(&stroke);
    double seconds = 0.0;
    for (int n = 0; n < stroke.count; n++) {
        seconds += stroke.segments[n].draw_time;
        for (int s = 0; s <= 10; s++) {
            const BrumeVec3 point = curve_at(&stroke.segments[n].stroke, (float)s / 10.0f);
            assert_near("radius", hypot((double)point.x, (double)point.y), 1.0, 0.01);
        }
    }
    assert_near("seconds", seconds, 0.5, 1e-9);
}

static void test_close_points_are_ignored(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeStrokeBuilder builder = {0};
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, brume_vec3(0.0f, 0.0f, 0.0f), 0.0);
    for (int n = 1; n <= 10; n++) {
        brume_stroke_builder_add_point(&builder, brume_vec3(0.0005f * (float)n, 0.0f, 0.0f),
                                       0.001 * n); // 0.05 radii in all
    }
    brume_stroke_builder_add_point(&builder, brume_vec3(0.1f, 0.0f, 0.0f), 0.02);
    brume_stroke_builder_add_point(&builder, brume_vec3(0.0f, 0.0f, 0.0f),
                                   0.03); // straight back: the slope is 0, the curve makes no loop
    brume_stroke_builder_end(&builder, 0.03);
    drain(&builder, 0.03, &stroke);
    assert_int_equal(stroke.count, 3 + 1);
    for (int n = 0; n < stroke.count; n++) {
        const BrumeStroke *const piece = &stroke.segments[n].stroke;
        for (int s = 0; s <= 10; s++) {
            const BrumeVec3 point = curve_at(piece, (float)s / 10.0f);
            assert_true(point.x > -0.02f && point.x < 0.12f && point.y == 0.0f);
        }
    }
}

// after a restart, a stroke in progress goes on from its latest point, and nothing before is drawn
static void test_restart(void **state)
{
    (void)state;
    BrumeStrokeBuilder builder = {0};
    Stroke stroke = {0};
    brume_stroke_builder_restart(&builder, 0.0); // without a stroke
    drain(&builder, 0.0, &stroke);
    assert_int_equal(stroke.count, 0);
    brume_stroke_builder_begin(&builder, 1, &brush, towards_camera, on_circle(0), 0.0);
    for (int n = 1; n <= 3; n++) {
        brume_stroke_builder_add_point(&builder, on_circle(n), 0.01 * n);
    }
    brume_stroke_builder_restart(&builder, 0.05);
    drain(&builder, 0.05, &stroke);
    assert_int_equal(stroke.count, 0);
    brume_stroke_builder_add_point(&builder, on_circle(4), 0.07);
    brume_stroke_builder_end(&builder, 0.08);
    drain(&builder, 0.08, &stroke);
    assert_int_equal(stroke.count, 1);
    const BrumeVec3 latest = on_circle(3);
    const BrumeVec3 end = on_circle(4);
    assert_memory_equal(&stroke.segments[0].stroke.from, &latest, sizeof latest);
    assert_memory_equal(&stroke.segments[0].stroke.to, &end, sizeof end);
    assert_near("time", stroke.segments[0].draw_time, 0.02, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_erasing_brush),
        cmocka_unit_test(test_heat_fuel_suck_and_twist),
        cmocka_unit_test(test_loop_iterations_do_not_matter),
        cmocka_unit_test(test_at_most_one_segment_is_open),
        cmocka_unit_test(test_press_without_motion),
        cmocka_unit_test(test_push_has_the_velocity_of_the_pointer),
        cmocka_unit_test(test_many_events_in_an_iteration),
        cmocka_unit_test(test_close_points_are_ignored),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
