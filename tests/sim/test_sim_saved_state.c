/*
 * Saved states whose hash is right and whose content is not: each is refused with one line, before memory is allocated
 * for it. Undamaged and damaged bytes are tested in test_library_state.c.
 */
#include "sim_support.h"

#include <stdlib.h>

static BrumeSimDef small_def(void)
{
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_WALL);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.2f};
    return def;
}

static BrumeSim *create_small(void)
{
    const BrumeSimDef def = small_def();
    BrumeSim *sim = create(&def);
    const BrumeStroke stroke = {.end = 1.0, .to = {1.0f, 1.0f, 1.0f}, .radius = 0.25f, .push = 1.0f};
    brume_sim_set_strokes(sim, &stroke, 1);
    return sim;
}

/* Saves a simulation whose members were changed, and loads it. */
static void expect_refused(const BrumeSim *sim, const char *text)
{
    BrumeError error = {0};
    const size_t size = brume_sim_saved_size(sim);
    void *const bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    BrumeSim *loaded = NULL;
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
    assert_null(loaded);
    free(bytes);
}

/* Found by the fuzz target saved_state: 10 KB with a box of 2186 x 8 x 257 cells; all its arrays were allocated. */
static void test_cells_without_fields(void **state)
{
    (void)state;
    static const int sides[][3] = {{4096, 2048, 100}, {2186, 8, 257}, {8, 8, 9}};
    for (size_t n = 0; n < sizeof sides / sizeof sides[0]; n++) {
        BrumeSim *sim = create_small();
        sim->def.nx = sides[n][0];
        sim->def.ny = sides[n][1];
        sim->def.nz = sides[n][2];
        expect_refused(sim, "the saved state does not have the fields that its settings need");
        brume_sim_destroy(sim);
    }
}

static void test_settings_outside_their_ranges(void **state)
{
    (void)state;
    enum { CASES = 5 };
    for (int n = 0; n < CASES; n++) {
        BrumeSim *sim = create_small();
        const BrumeSimDef before = sim->def;
        int *const members[CASES] = {&sim->def.nx, &sim->def.nx, &sim->def.nz, &sim->def.color_count,
                                     &sim->def.color_count};
        static const int values[CASES] = {-1, INT32_MAX, INT32_MIN, -1, 4};
        *members[n] = values[n];
        expect_refused(sim, "the saved state has settings outside their ranges");
        sim->def = before;
        brume_sim_destroy(sim);
    }
}

static void test_progress_that_is_not_valid(void **state)
{
    (void)state;
    enum { CASES = 12 };
    for (int n = 0; n < CASES; n++) {
        BrumeSim *sim = create_small();
        switch (n) {
        case 0:
            sim->frames = INT32_MAX;
            break;
        case 1:
            sim->frames = -1;
            break;
        case 2:
            sim->steps = INT32_MAX;
            break;
        case 3:
            sim->base_frames = 1;
            break;
        case 4:
            sim->time = (double)NAN;
            break;
        case 5:
            sim->base_time = (double)INFINITY;
            break;
        case 6:
            sim->previous_dt = -1.0;
            break;
        case 7:
            sim->max_speed = -1.0;
            break;
        case 8:
            sim->strokes[0].radius = 0.0f;
            break;
        case 9:
            sim->strokes[0].to.y = NAN;
            break;
        case 10:
            sim->motions[0].velocity.x = 1e30f; // its length is infinite
            break;
        default:
            sim->motions[0].end = (double)NAN;
            break;
        }
        expect_refused(sim, "the saved state has times, strokes or motions that are not valid");
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_without_fields),
        cmocka_unit_test(test_settings_outside_their_ranges),
        cmocka_unit_test(test_progress_that_is_not_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
