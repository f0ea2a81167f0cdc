/* Changes of a running simulation: timelines are sorted copies, and replaying one gives the same bits. */
#include "sim_support.h"

static void frame(BrumeSim *sim)
{
    BrumeError error = {0};
    if (brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

static void test_timeline_stores_copies_in_order(void **state)
{
    (void)state;
    BrumeTimeline timeline = {0};
    BrumeSimDef def = box_def(16, 16, 16, 0.1f, BRUME_WALL);
    for (int n = 0; n < 100; n++) {
        BrumeStroke stroke = {.radius = (float)n};
        BrumeMove move = {.body = n};
        def.viscosity = (float)n;
        const BrumeChange change = {.frame = 3 * n,
                                    .settings = n % 2 ? &def : NULL,
                                    .stroke_count = 1,
                                    .strokes = &stroke,
                                    .move_count = n % 3 == 0,
                                    .moves = &move};
        assert_int_equal(brume_timeline_add(&timeline, &change, NULL), BRUME_OK);
    }
    BrumeTimeline copy;
    assert_int_equal(brume_timeline_copy(&copy, &timeline, NULL), BRUME_OK);
    brume_timeline_clear(&timeline);
    assert_int_equal(timeline.count, 0);
    assert_null(brume_timeline_find(&timeline, 0));
    for (int n = -1; n < 302; n++) {
        const BrumeChange *change = brume_timeline_find(&copy, n);
        if (n < 0 || n % 3 != 0 || n >= 300) {
            assert_null(change);
            continue;
        }
        const int index = n / 3;
        assert_int_equal(change->frame, n);
        assert_true(change->strokes[0].radius == (float)index);
        assert_true((change->settings != NULL) == (index % 2 == 1));
        assert_true(!change->settings || change->settings->viscosity == (float)index);
        assert_true((change->moves != NULL) == (index % 3 == 0));
    }
    brume_timeline_clear(&copy);
}

static BrumeSimDef plume_def(void)
{
    BrumeSimDef def = box_def(20, 24, 18, 0.05f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.color_count = 1;
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.6f, 0.45f}, .b = {0, 0, 0}, .radius = 0.12f};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.45f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_RATE, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    return def;
}

static uint64_t hash_of_frames(const BrumeSimDef *first, const BrumeSimDef *then)
{
    BrumeSim *sim = create(first);
    for (int n = 0; n < 3; n++) {
        frame(sim);
    }
    if (then) {
        assert_int_equal(brume_sim_change(sim, then, NULL), BRUME_OK);
    }
    for (int n = 0; n < 3; n++) {
        frame(sim);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

/* A change to equal settings whose padding differs: it used to cost a projection. */
static void test_padding_does_not_change_the_sides(void **state)
{
    (void)state;
    enum { PADDING = offsetof(BrumeFaceDef, velocity) - offsetof(BrumeFaceDef, fixed_temperature) - sizeof(bool) };
    const BrumeSimDef def = plume_def();
    BrumeSimDef same = def;
    assert_true(PADDING > 0);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        memset(&same.faces[face].fixed_temperature + 1, 0xa5, PADDING);
    }
    assert_true(hash_of_frames(&def, &same) == hash_of_frames(&def, NULL));
    same.faces[BRUME_FACE_X_MIN].no_slip = true;
    assert_true(hash_of_frames(&def, &same) != hash_of_frames(&def, NULL));
}

// equal settings change nothing, and each changed setting changes the state reproducibly
static void test_changes_take_effect(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def();
    const uint64_t plain = hash_of_frames(&def, NULL);
    assert_int_equal(hash_of_frames(&def, &def), plain);
    BrumeSimDef others[7];
    for (int n = 0; n < 7; n++) {
        others[n] = def;
    }
    others[0].viscosity = 1e-3f;
    others[1].advection = "semi-lagrangian";
    others[2].pressure = "cg";
    others[3].bodies[0].shape.radius = 0.2f;
    others[4].color_count = 2;
    others[5].faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
    others[6].nx = 30;
    others[6].ny = 36;
    others[6].nz = 27;
    others[6].dx = 0.1f / 3.0f;
    for (int n = 0; n < 7; n++) {
        const uint64_t hash = hash_of_frames(&def, &others[n]);
        assert_true(hash != plain);
        assert_int_equal(hash_of_frames(&def, &others[n]), hash);
    }
}

// a change and its reversal without a step between, through new fields and geometry, leave the state bit-identical
static void test_reversed_change_leaves_the_state(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def();
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 4; n++) {
        frame(sim);
    }
    const uint64_t hash = brume_sim_hash(sim);
    BrumeSimDef other = def;
    other.color_count = 3;
    other.advection = "semi-lagrangian";
    other.pressure = "relaxation";
    other.fps = 50.0f;
    assert_int_equal(brume_sim_change(sim, &other, NULL), BRUME_OK);
    assert_non_null(brume_sim_field(sim, BRUME_FIELD_COLOR_3));
    assert_true(max_abs(brume_sim_field(sim, BRUME_FIELD_COLOR_3)) == 0.0);
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    assert_int_equal(brume_sim_hash(sim), hash);
    brume_sim_destroy(sim);
}

// the caller may free the names in its settings after a call
static void test_names_are_not_referenced(void **state)
{
    (void)state;
    char names[2][2][16] = {{"semi-lagrangian", "cg"}, {"semi-lagrangian", "mgpcg"}};
    BrumeSimDef def = plume_def();
    def.advection = names[0][0];
    def.pressure = names[0][1];
    BrumeSim *sim = create(&def);
    memset(names[0], 'x', sizeof names[0] - 1);
    assert_string_equal(brume_sim_settings(sim)->advection, "semi-lagrangian");
    assert_string_equal(brume_sim_settings(sim)->pressure, "cg");
    def.advection = names[1][0];
    def.pressure = names[1][1];
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    memset(names[1], 'x', sizeof names[1] - 1);
    assert_string_equal(brume_sim_settings(sim)->advection, "semi-lagrangian");
    assert_string_equal(brume_sim_settings(sim)->pressure, "mgpcg");
    frame(sim);
    brume_sim_destroy(sim);
}

static void test_refused_changes_leave_the_simulation(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def();
    BrumeSim *sim = create(&def);
    frame(sim);
    const uint64_t hash = brume_sim_hash(sim);
    BrumeSimDef bad[4] = {def, def, def, def};
    bad[0].nx = 7;
    bad[1].pressure = "magic";
    bad[2].pressure = "magic";
    bad[2].color_count = 3;
    bad[3].body_count = 0;
    const BrumeMove move = {.velocity = {1.0f, 0.0f, 0.0f}};
    for (int n = 0; n < 4; n++) {
        const BrumeChange change = {.frame = 1, .settings = &bad[n], .move_count = 1, .moves = &move};
        BrumeError error = {0};
        assert_int_equal(brume_change_apply(&change, sim, &error), BRUME_BAD_INPUT);
        assert_true(error.text[0] != '\0');
        assert_int_equal(brume_sim_hash(sim), hash);
        assert_string_equal(brume_sim_settings(sim)->pressure, def.pressure);
    }
    brume_sim_destroy(sim);
}

// after a change of the frame rate, frames count from the change
static void test_fps_counts_from_the_change(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.1f, BRUME_WALL);
    def.fps = 10.0f;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 3; n++) {
        frame(sim);
    }
    assert_true(brume_sim_time(sim) == 0.3);
    def.fps = 50.0f;
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    frame(sim);
    assert_near(brume_sim_time(sim), 0.32, 1e-12);
    def.fps = 4.0f;
    def.color_count = 1;
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    frame(sim);
    frame(sim);
    assert_near(brume_sim_time(sim), 0.82, 1e-12);
    assert_int_equal(brume_sim_frames(sim), 6);
    brume_sim_destroy(sim);
}

static void fill_timeline(BrumeTimeline *timeline)
{
    BrumeSimDef viscous = plume_def();
    viscous.viscosity = 1e-3f;
    viscous.fps = 30.0f;
    BrumeSimDef finer = viscous;
    finer.nx = 30;
    finer.ny = 36;
    finer.nz = 27;
    finer.dx = 0.1f / 3.0f;
    finer.color_count = 3;
    BrumeStroke strokes[2] = {
        {.start = 0.0,
         .end = 1.0,
         .from = {0.1f, 0.3f, 0.1f},
         .to = {0.9f, 0.9f, 0.8f},
         .from_slope = {2.0f, 0.0f, 0.0f},
         .to_slope = {0.0f, 0.5f, 2.0f},
         .radius = 0.1f,
         .smoke = {1.0f},
         .temperature = 50.0f},
        {.start = 0.05,
         .end = 0.2,
         .from = {0.2f, 0.3f, 0.1f},
         .to = {0.8f, 0.4f, 0.8f},
         .radius = 0.1f,
         .push = 20.0f,
         .velocity = {2.0f, 0.0f, 1.0f}},
    };
    const BrumeMove move = {.velocity = {1.5f, 0.5f, -1.0f}, .rotation_rate = {0.0f, 90.0f, 0.0f}};
    const BrumeChange changes[] = {
        {.frame = 0, .stroke_count = 2, .strokes = strokes},
        {.frame = 1, .move_count = 1, .moves = &move},
        {.frame = 2, .settings = &viscous, .stroke_count = 1, .strokes = strokes},
        {.frame = 4, .settings = &finer, .move_count = 1, .moves = &move},
    };
    for (int n = 0; n < 4; n++) {
        assert_int_equal(brume_timeline_add(timeline, &changes[n], NULL), BRUME_OK);
    }
}

// changes, strokes, moves and another resolution give one hash, at any thread count
static void test_timeline_is_reproducible(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeTimeline timeline = {0};
    fill_timeline(&timeline);
    const int threads[] = {1, 1, 2, 3};
    uint64_t expected = 0;
    const int before = brume_get_threads();
    for (int n = 0; n < 4; n++) {
        brume_set_threads(threads[n]);
        BrumeSim *sim = create(&def);
        for (int m = 0; m < 7; m++) {
            const BrumeChange *change = brume_timeline_find(&timeline, brume_sim_frames(sim));
            if (change) {
                assert_int_equal(brume_change_apply(change, sim, NULL), BRUME_OK);
            }
            frame(sim);
        }
        // changes of settings do not move the body; it moves for one frame of 1/24 s and one of 1/30 s
        const BrumeVec3 position = brume_sim_settings(sim)->bodies[0].shape.a;
        assert_near((double)position.x, 0.5 + 1.5 * (1.0 / 24.0 + 1.0 / 30.0), 1e-6);
        assert_near((double)position.z, 0.45 - (1.0 / 24.0 + 1.0 / 30.0), 1e-6);
        expected = n == 0 ? brume_sim_hash(sim) : expected;
        assert_int_equal(brume_sim_hash(sim), expected);
        brume_sim_destroy(sim);
    }
    brume_set_threads(before);
    brume_timeline_clear(&timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_padding_does_not_change_the_sides),
        cmocka_unit_test(test_timeline_stores_copies_in_order),
        cmocka_unit_test(test_changes_take_effect),
        cmocka_unit_test(test_reversed_change_leaves_the_state),
        cmocka_unit_test(test_names_are_not_referenced),
        cmocka_unit_test(test_refused_changes_leave_the_simulation),
        cmocka_unit_test(test_fps_counts_from_the_change),
        cmocka_unit_test(test_timeline_is_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
