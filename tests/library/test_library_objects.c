/* Emitters and bodies by id: the effects of adding, removing and changing one on it and on all others. */
#include "library_support.h"

/* Three spheres and two emitters. */
static BrumeSimDef objects_def(void)
{
    BrumeSimDef def = plume_def();
    def.body_count = 3;
    for (int n = 0; n < 3; n++) {
        def.bodies[n].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {-0.3f + 0.3f * (float)n, 0.7f, 0.0f}, .radius = 0.1f};
    }
    def.emitter_count = 2;
    def.emitters[1] = def.emitters[0];
    def.emitters[1].shape.a.x = 0.25f;
    return def;
}

static bool is_null(BrumeBodyId id) { return id.slot == 0 && id.generation == 0; }

static void test_ids_follow_their_objects(void **state)
{
    (void)state;
    const BrumeSimDef def = objects_def();
    BrumeSim *sim = create_sim(&def);
    BrumeError error = {0};
    BrumeBodyId ids[3];
    for (int n = 0; n < 3; n++) {
        ids[n] = brume_sim_body_id(sim, n);
        assert_int_equal(brume_sim_body_index(sim, ids[n]), n);
    }
    assert_true(is_null(brume_sim_body_id(sim, 3)) && is_null(brume_sim_body_id(sim, -1)));
    assert_int_equal(brume_sim_body_index(sim, (BrumeBodyId){0}), -1);

    assert_status(brume_sim_remove_body(sim, ids[1], &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_settings(sim)->body_count, 2);
    assert_true(brume_sim_settings(sim)->bodies[1].shape.a.x == def.bodies[2].shape.a.x);
    assert_int_equal(brume_sim_body_index(sim, ids[0]), 0);
    assert_int_equal(brume_sim_body_index(sim, ids[1]), -1);
    assert_int_equal(brume_sim_body_index(sim, ids[2]), 1);

    /* the slot of the removed body is used again, its id is not */
    BrumeBodyId added = {0};
    assert_status(brume_sim_add_body(sim, &def.bodies[1], &added, &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_body_index(sim, added), 2);
    assert_int_equal(added.slot, ids[1].slot);
    assert_int_not_equal(added.generation, ids[1].generation);
    assert_int_equal(brume_sim_body_index(sim, ids[1]), -1);

    BrumeBodyDef wide = def.bodies[2];
    wide.shape.radius = 0.15f;
    assert_status(brume_sim_set_body(sim, ids[2], &wide, &error), BRUME_OK, &error);
    assert_true(brume_sim_settings(sim)->bodies[1].shape.radius == 0.15f);
    assert_true(brume_sim_settings(sim)->bodies[2].shape.radius == 0.1f);

    const BrumeEmitterId first = brume_sim_emitter_id(sim, 0);
    const BrumeEmitterId second = brume_sim_emitter_id(sim, 1);
    assert_status(brume_sim_remove_emitter(sim, first, &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_emitter_index(sim, first), -1);
    assert_int_equal(brume_sim_emitter_index(sim, second), 0);
    BrumeEmitterDef strong = def.emitters[1];
    strong.smoke[0].value = 2.0f;
    assert_status(brume_sim_set_emitter(sim, second, &strong, &error), BRUME_OK, &error);
    assert_true(brume_sim_settings(sim)->emitters[0].smoke[0].value == 2.0f);
    BrumeEmitterId third;
    assert_status(brume_sim_add_emitter(sim, &def.emitters[0], &third, NULL), BRUME_OK, &error);
    assert_int_equal(brume_sim_emitter_index(sim, third), 1);
    assert_int_equal(brume_sim_settings(sim)->emitter_count, 2);
    brume_sim_destroy(sim);
}

/* changes by id and the same settings by brume_sim_change give the same states */
static void test_same_bits_as_changed_settings(void **state)
{
    (void)state;
    BrumeSimDef def = objects_def();
    BrumeSim *by_id = create_sim(&def);
    BrumeSim *by_settings = create_sim(&def);
    run_frames(by_id, 2);
    run_frames(by_settings, 2);
    BrumeError error = {0};
    assert_status(brume_sim_remove_body(by_id, brume_sim_body_id(by_id, 0), &error), BRUME_OK, &error);
    assert_status(brume_sim_remove_emitter(by_id, brume_sim_emitter_id(by_id, 0), &error), BRUME_OK, &error);
    def.bodies[0] = def.bodies[1];
    def.bodies[1] = def.bodies[2];
    def.body_count = 2;
    assert_status(brume_sim_change(by_settings, &def, &error), BRUME_OK, &error);
    def.emitters[0] = def.emitters[1];
    def.emitter_count = 1;
    assert_status(brume_sim_change(by_settings, &def, &error), BRUME_OK, &error);
    assert_true(brume_sim_hash(by_id) == brume_sim_hash(by_settings));
    run_frames(by_id, 2);
    run_frames(by_settings, 2);
    assert_true(brume_sim_hash(by_id) == brume_sim_hash(by_settings));
    brume_sim_destroy(by_id);
    brume_sim_destroy(by_settings);
}

/* a body that moves while one before it in the list is removed moves on, and the others stay at rest */
static void test_motions_go_on(void **state)
{
    (void)state;
    const BrumeSimDef def = objects_def();
    BrumeSim *sim = create_sim(&def);
    BrumeError error = {0};
    const BrumeBodyId moved = brume_sim_body_id(sim, 1);
    const double dt = 1.0 / (4.0 * (double)def.fps);
    brume_sim_move(sim, brume_sim_body_index(sim, moved), (BrumeVec3){0.0f, 1.2f, 0.0f});
    assert_status(brume_sim_step(sim, dt, NULL, &error), BRUME_OK, &error);
    assert_status(brume_sim_remove_body(sim, brume_sim_body_id(sim, 0), &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_body_index(sim, moved), 0);
    run_frames(sim, 2); /* the motion ends with the first frame */
    const BrumeBodyDef *bodies = brume_sim_settings(sim)->bodies;
    assert_true(fabs((double)bodies[0].shape.a.y - (0.7 + 1.2 / (double)def.fps)) < 1e-6);
    assert_true(bodies[1].shape.a.y == def.bodies[2].shape.a.y);
    brume_sim_destroy(sim);
}

static void test_failures_change_nothing(void **state)
{
    (void)state;
    BrumeSimDef def = objects_def();
    BrumeSim *sim = create_sim(&def);
    run_frames(sim, 1);
    BrumeError error = {0};
    const BrumeBodyId removed = brume_sim_body_id(sim, 2);
    assert_status(brume_sim_remove_body(sim, removed, &error), BRUME_OK, &error);
    const uint64_t hash = brume_sim_hash(sim);

    assert_status(brume_sim_remove_body(sim, removed, &error), BRUME_BAD_INPUT, &error);
    assert_string_equal(error.text, "there is no body with this id (it may have been removed)");
    assert_status(brume_sim_set_body(sim, removed, &def.bodies[0], &error), BRUME_BAD_INPUT, &error);
    assert_status(brume_sim_remove_emitter(sim, (BrumeEmitterId){0}, &error), BRUME_BAD_INPUT, &error);
    assert_string_equal(error.text, "there is no emitter with this id (it may have been removed)");
    assert_status(brume_sim_set_emitter(sim, (BrumeEmitterId){9, 0}, &def.emitters[0], &error), BRUME_BAD_INPUT,
                  &error);

    BrumeBodyDef bad = def.bodies[0];
    bad.shape.radius = -1.0f;
    BrumeBodyId id = removed;
    assert_status(brume_sim_add_body(sim, &bad, &id, &error), BRUME_BAD_INPUT, &error);
    assert_true(is_null(id));
    assert_status(brume_sim_set_body(sim, brume_sim_body_id(sim, 0), &bad, &error), BRUME_BAD_INPUT, &error);
    assert_int_equal(brume_sim_settings(sim)->body_count, 2);
    assert_true(is_null(brume_sim_body_id(sim, 2)));
    assert_true(brume_sim_hash(sim) == hash);

    for (int n = 2; n < BRUME_MAX_EMITTERS; n++) {
        assert_status(brume_sim_add_emitter(sim, &def.emitters[0], NULL, &error), BRUME_OK, &error);
    }
    assert_status(brume_sim_add_emitter(sim, &def.emitters[0], NULL, &error), BRUME_BAD_INPUT, &error);
    assert_string_equal(error.text, "the simulation has 64 emitters already, which is the most");
    brume_sim_destroy(sim);
}

/* ids stay where the settings change, and end where another state is loaded */
static void test_change_and_load(void **state)
{
    (void)state;
    BrumeSimDef def = objects_def();
    BrumeSim *sim = create_sim(&def);
    BrumeError error = {0};
    const BrumeBodyId first = brume_sim_body_id(sim, 0);
    const BrumeBodyId last = brume_sim_body_id(sim, 2);
    def.nx = 16; /* another grid */
    def.body_count = 2;
    assert_status(brume_sim_change(sim, &def, &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_body_index(sim, first), 0);
    assert_int_equal(brume_sim_body_index(sim, last), -1);
    def.body_count = 3;
    assert_status(brume_sim_change(sim, &def, &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_body_index(sim, brume_sim_body_id(sim, 2)), 2);
    assert_int_equal(brume_sim_body_index(sim, last), -1);

    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_status(brume_sim_save(sim, bytes, size, &error), BRUME_OK, &error);
    assert_status(brume_sim_load(sim, bytes, size, &error), BRUME_OK, &error);
    assert_int_equal(brume_sim_body_index(sim, first), -1);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(brume_sim_body_index(sim, brume_sim_body_id(sim, n)), n);
    }
    assert_int_equal(brume_sim_emitter_index(sim, brume_sim_emitter_id(sim, 1)), 1);
    free(bytes);
    brume_sim_destroy(sim);
}

/* A body is where a program has it at the end of each frame, by the shorter way of each angle, with and without
 * a parent; its id stays valid, a removed one is refused. */
static void test_body_moved_by_its_id(void **state)
{
    (void)state;
    BrumeSimDef def = objects_def();
    def.bodies[1].parent = 1;
    def.bodies[1].shape.a = (BrumeVec3){0.0f, 0.1f, 0.0f};
    BrumeSim *sim = create_sim(&def);
    BrumeError error = {0};
    const BrumeBodyId first = brume_sim_body_id(sim, 0);
    const BrumeBodyId follower = brume_sim_body_id(sim, 1);
    for (int frame = 1; frame <= 4; frame++) {
        const BrumeVec3 position = {-0.3f + 0.01f * (float)frame, 0.7f, -0.02f * (float)(frame % 2)};
        const BrumeVec3 rotation = {0.0f, 170.0f * (float)frame, 0.0f}; /* 340 is -20 */
        assert_status(brume_sim_move_body(sim, first, position, rotation, &error), BRUME_OK, &error);
        assert_status(brume_sim_move_body(sim, follower, (BrumeVec3){0.05f * (float)frame, 0.1f, 0.0f},
                                          (BrumeVec3){0.0f, 0.0f, 0.0f}, &error),
                      BRUME_OK, &error);
        assert_status(brume_sim_frame(sim, NULL, &error), BRUME_OK, &error);
        const BrumeShape shapes[2] = {brume_body_shape(brume_sim_settings(sim), 0),
                                      brume_body_shape(brume_sim_settings(sim), 1)};
        const double turn = ((double)shapes[0].rotation.y - 170.0 * frame) / 360.0;
        const double angle = 170.0 * frame * 3.14159265358979 / 180.0;
        assert_true(fabs((double)(shapes[0].a.x - position.x)) < 1e-6);
        assert_true(fabs((double)(shapes[0].a.z - position.z)) < 1e-6);
        assert_true(fabs(turn - round(turn)) < 1e-6);
        assert_true(fabs((double)(shapes[1].a.x + shapes[1].position.x - position.x) - 0.05 * frame * cos(angle)) <
                    2e-6);
    }
    assert_true(fabs((double)brume_sim_settings(sim)->bodies[0].shape.rotation.y - 680.0) < 1e-3);

    /* angles of another program: of the rotation (0, 690, 0) there are also the angles (180, -150, 180) */
    const BrumeVec3 other = {180.0f, -150.0f, 180.0f};
    assert_status(brume_sim_move_body(sim, first, (BrumeVec3){-0.26f, 0.7f, 0.0f}, other, &error), BRUME_OK, &error);
    assert_status(brume_sim_frame(sim, NULL, &error), BRUME_OK, &error);
    const BrumeVec3 turned = brume_sim_settings(sim)->bodies[0].shape.rotation;
    assert_true(fabs((double)turned.x) < 1e-3 && fabs((double)turned.y - 690.0) < 1e-3 &&
                fabs((double)turned.z) < 1e-3);
    const BrumeVec3 nowhere = {NAN, 0.0f, 0.0f};
    assert_status(brume_sim_move_body(sim, first, nowhere, def.gravity, &error), BRUME_BAD_INPUT, &error);
    assert_status(brume_sim_remove_body(sim, first, &error), BRUME_OK, &error);
    assert_status(brume_sim_move_body(sim, first, def.gravity, def.gravity, &error), BRUME_BAD_INPUT, &error);
    assert_int_equal(brume_sim_body_index(sim, follower), 0);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_follow_their_objects),
        cmocka_unit_test(test_same_bits_as_changed_settings),
        cmocka_unit_test(test_motions_go_on),
        cmocka_unit_test(test_failures_change_nothing),
        cmocka_unit_test(test_change_and_load),
        cmocka_unit_test(test_body_moved_by_its_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
