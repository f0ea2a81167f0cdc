// Strokes from pointer events: smooth, through every point, whole however the events fall into turns of the loop.
#include "core/vec3.h"
#include "raymarch_check.h"
#include "viewer/brush.h"

#include <string.h>

static const double pi = 3.14159265358979;
static const BrumeBrush brush = {.kind = 2, .radius = 0.1f, .density = 0.7f, .heat = 30.0f, .push = 8.0f};

typedef struct Stroke {
    int count;
    BrumeDab dabs[1024];
} Stroke;

static void take(BrumeTrail *trail, double now, Stroke *stroke)
{
    BrumeDab dabs[BRUME_MAX_STROKES];
    const int count = brume_trail_take(trail, now, dabs);
    assert_true(stroke->count + count <= 1024);
    memcpy(stroke->dabs + stroke->count, dabs, (size_t)count * sizeof dabs[0]);
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
        const BrumeStroke *const a = &stroke->dabs[n].stroke;
        const BrumeStroke *const b = &stroke->dabs[n + 1].stroke;
        assert_memory_equal(&a->to, &b->from, sizeof a->to);
        const BrumeVec3 before = brume_normalize(a->to_slope);
        const BrumeVec3 after = brume_normalize(b->from_slope);
        assert_near("cosine of the bend", brume_dot(before, after), 1.0, 1e-5);
    }
}

static BrumeVec3 on_circle(int n) { return brume_vec3((float)cos(n * pi / 6.0), (float)sin(n * pi / 6.0), 0.5f); }

static void draw_circle(int events_a_turn, Stroke *stroke)
{
    *stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, false, on_circle(0), 0.0);
    for (int n = 1; n <= 12; n++) {
        brume_trail_draw(&trail, on_circle(n), 0.01 * n);
        if (n % events_a_turn == 0) {
            take(&trail, 0.01 * n, stroke);
        }
    }
    brume_trail_end(&trail, 0.13);
    take(&trail, 0.13, stroke);
}

static void test_circle(void **state)
{
    (void)state;
    static Stroke stroke;
    draw_circle(1, &stroke);
    assert_int_equal(stroke.count, 12);
    assert_smooth(&stroke);
    double drawn_for = 0.0;
    for (int n = 0; n < 12; n++) {
        const BrumeStroke *const piece = &stroke.dabs[n].stroke;
        const BrumeVec3 to = on_circle(n + 1);
        assert_memory_equal(&piece->to, &to, sizeof to);
        for (int s = 0; s <= 20; s++) {
            const BrumeVec3 point = curve_at(piece, (float)s / 20.0f);
            assert_near("radius", hypot((double)point.x, (double)point.y), 1.0, 0.003);
        }
        drawn_for += stroke.dabs[n].drawn_for;
        assert_near("radius of the brush", piece->radius, 0.1, 1e-7);
        assert_near("smoke of its kind", piece->smoke[2], 0.7, 1e-7);
        assert_near("smoke of another", piece->smoke[0] + piece->smoke[1] + piece->smoke[3], 0.0, 0.0);
        assert_near("heat", piece->temperature, 30.0, 0.0);
        assert_near("push", piece->push, 0.0, 0.0);
    }
    assert_near("seconds", drawn_for, 0.12, 1e-12);
}

static void test_turns_of_the_loop_do_not_show(void **state)
{
    (void)state;
    static Stroke each;
    static Stroke together;
    draw_circle(1, &each);
    for (int events = 2; events <= 12; events += 5) {
        draw_circle(events, &together);
        assert_int_equal(together.count, each.count);
        assert_memory_equal(together.dabs, each.dabs, (size_t)each.count * sizeof each.dabs[0]);
    }
}

static void test_one_event_is_held_back_at_most(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, false, on_circle(0), 0.0);
    for (int n = 1; n <= 5; n++) {
        brume_trail_draw(&trail, on_circle(n), 0.01 * n);
        take(&trail, 0.01 * n, &stroke);
        assert_int_equal(stroke.count, n - 1);
    }
    // a rest finishes it, and the stroke goes on as smoothly
    take(&trail, 0.2, &stroke);
    assert_true(stroke.count >= 5);
    const BrumeVec3 last = on_circle(5);
    assert_memory_equal(&stroke.dabs[4].stroke.to, &last, sizeof last);
    const BrumeVec3 slope = stroke.dabs[4].stroke.to_slope;
    const int resumed = stroke.count;
    brume_trail_draw(&trail, on_circle(6), 0.21);
    brume_trail_end(&trail, 0.22);
    take(&trail, 0.22, &stroke);
    assert_int_equal(stroke.count, resumed + 1);
    const BrumeStroke *const next = &stroke.dabs[resumed].stroke;
    assert_memory_equal(&next->from, &last, sizeof last);
    assert_near("bend", brume_dot(brume_normalize(next->from_slope), brume_normalize(slope)), 1.0, 1e-5);
}

static void test_press_without_motion(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, false, on_circle(0), 1.0);
    brume_trail_end(&trail, 1.01);
    take(&trail, 1.01, &stroke);
    assert_int_equal(stroke.count, 1);
    const BrumeStroke *const piece = &stroke.dabs[0].stroke;
    const float length = brume_length(brume_sub(piece->to, piece->from));
    assert_near("length", length, 0.1 / 64.0, 1e-6);
    assert_near("seconds", stroke.dabs[0].drawn_for, 0.01, 1e-9);

    // held for a while, it goes on leaving smoke; all of the time is accounted for
    stroke.count = 0;
    brume_trail_begin(&trail, &brush, false, on_circle(0), 2.0);
    double seconds = 0.0;
    for (int turn = 1; turn <= 60; turn++) {
        take(&trail, 2.0 + turn / 60.0, &stroke);
    }
    for (int n = 0; n < stroke.count; n++) {
        seconds += stroke.dabs[n].drawn_for;
    }
    assert_true(stroke.count >= 10);
    assert_near("seconds", seconds, 1.0, 0.07);

    // a push that does not move does nothing
    stroke.count = 0;
    brume_trail_begin(&trail, &brush, true, on_circle(0), 4.0);
    take(&trail, 5.0, &stroke);
    brume_trail_end(&trail, 5.0);
    take(&trail, 5.0, &stroke);
    assert_int_equal(stroke.count, 0);
}

static void test_push_has_the_pointers_velocity(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, true, brume_vec3(0.0f, 0.0f, 0.0f), 0.0);
    brume_trail_draw(&trail, brume_vec3(0.02f, 0.0f, 0.01f), 0.02);
    brume_trail_draw(&trail, brume_vec3(1.02f, 0.0f, 0.01f), 0.04); // 50 m/s: more than 40 radii a second
    brume_trail_end(&trail, 0.05);
    take(&trail, 0.05, &stroke);
    assert_int_equal(stroke.count, 2);
    const BrumeStroke *const slow = &stroke.dabs[0].stroke;
    assert_near("push", slow->push, 8.0, 0.0);
    assert_near("smoke", slow->smoke[2] + slow->temperature, 0.0, 0.0);
    assert_near("velocity", slow->velocity.x, 1.0, 1e-5);
    assert_near("velocity", slow->velocity.z, 0.5, 1e-5);
    assert_near("fastest", brume_length(stroke.dabs[1].stroke.velocity), 4.0, 1e-5);
}

static void test_many_events_in_a_turn(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, false, brume_vec3(1.0f, 0.0f, 0.0f), 0.0);
    for (int n = 1; n <= 500; n++) {
        const double angle = 2.0 * pi * n / 500.0;
        brume_trail_draw(&trail, brume_vec3((float)cos(angle), (float)sin(angle), 0.0f), n * 1e-3);
    }
    brume_trail_end(&trail, 0.5);
    take(&trail, 0.5, &stroke);
    assert_int_equal(stroke.count, BRUME_MAX_STROKES);
    assert_smooth(&stroke);
    double seconds = 0.0;
    for (int n = 0; n < stroke.count; n++) {
        seconds += stroke.dabs[n].drawn_for;
        for (int s = 0; s <= 10; s++) {
            const BrumeVec3 point = curve_at(&stroke.dabs[n].stroke, (float)s / 10.0f);
            assert_near("radius", hypot((double)point.x, (double)point.y), 1.0, 0.01);
        }
    }
    assert_near("seconds", seconds, 0.5, 1e-9);
}

static void test_near_duplicates_are_merged(void **state)
{
    (void)state;
    static Stroke stroke;
    stroke = (Stroke){0};
    BrumeTrail trail = {0};
    brume_trail_begin(&trail, &brush, false, brume_vec3(0.0f, 0.0f, 0.0f), 0.0);
    for (int n = 1; n <= 10; n++) {
        brume_trail_draw(&trail, brume_vec3(0.0005f * (float)n, 0.0f, 0.0f), 0.001 * n); // 0.05 radii in all
    }
    brume_trail_draw(&trail, brume_vec3(0.1f, 0.0f, 0.0f), 0.02);
    brume_trail_draw(&trail, brume_vec3(0.0f, 0.0f, 0.0f), 0.03); // straight back: no slope, no loop
    brume_trail_end(&trail, 0.03);
    take(&trail, 0.03, &stroke);
    assert_int_equal(stroke.count, 3 + 1);
    for (int n = 0; n < stroke.count; n++) {
        const BrumeStroke *const piece = &stroke.dabs[n].stroke;
        for (int s = 0; s <= 10; s++) {
            const BrumeVec3 point = curve_at(piece, (float)s / 10.0f);
            assert_true(point.x > -0.02f && point.x < 0.12f && point.y == 0.0f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_turns_of_the_loop_do_not_show),
        cmocka_unit_test(test_one_event_is_held_back_at_most),
        cmocka_unit_test(test_press_without_motion),
        cmocka_unit_test(test_push_has_the_pointers_velocity),
        cmocka_unit_test(test_many_events_in_a_turn),
        cmocka_unit_test(test_near_duplicates_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
