/* Active blocks: where all are active, or none has a reason to be, the bits of the whole box; values that are undefined
 * are never read; close to the whole box otherwise. */
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"
#include "sim/integrators/integrator.h"
#include "sim_support.h"

#include "brume/threads.h"

#include <stdlib.h>

// a plume in a box of which it takes a small part; `variant` selects sides, a body and a closed box
static BrumeSimDef plume_def(int variant)
{
    BrumeSimDef def =
        box_def(variant % 2 ? 77 : 80, 72, variant % 3 ? 64 : 70, 1.0f / 64.0f, variant == 2 ? BRUME_WALL : BRUME_OPEN);
    def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
    for (int side = BRUME_FACE_Z_MIN; variant == 1 && side <= BRUME_FACE_Z_MAX; side++) {
        def.faces[side].kind = BRUME_PERIODIC;
    }
    def.wind = brume_vec3(variant == 0 ? 0.1f : 0.0f, 0.0f, 0.0f);
    def.vorticity_confinement = 0.5f;
    def.active_blocks = true;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.45f, 0.1f, variant == 1 ? 0.05f : 0.5f}};
    def.emitters[0].shape.radius = 0.08f;
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 150.0f};
    if (variant == 3) {
        def.body_count = 1;
        def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.45f, 0.3f, 0.5f}, .radius = 0.06f};
    }
    return def;
}

// weightless smoke everywhere, which makes no block active
static const BrumeInitialDef haze = {.kind = BRUME_INITIAL_UNIFORM, .quantity = BRUME_INITIAL_DENSITY, .value = 0.25f};

static double active_part(const BrumeSim *sim)
{
    const size_t blocks = brume_grid_cells(brume_active_grid(sim->geometry->cells.grid));
    size_t active = 0;
    for (size_t n = 0; n < blocks; n++) {
        active += sim->advection->levels[n] == BRUME_LEVEL_ACTIVE;
    }
    return (double)active / (double)blocks;
}

// fills everything whose contents are undefined between steps
static void poison(BrumeSim *sim)
{
    for (int n = 0; n < BRUME_SCRATCH_FIELDS; n++) {
        brume_field_fill(&sim->scratch[n], NAN);
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_field_fill(&sim->advection->backward.along[axis], NAN);
    }
    for (int n = 0; n < BRUME_PLANE_VALUES * (sim->def.nz + 2); n++) {
        sim->planes[n] = (double)NAN;
    }
}

// saves a simulation and goes on with a new one
static BrumeSim *restored(BrumeSim *sim)
{
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeError error;
    BrumeSim *created = NULL;
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&created, bytes, size, &error), BRUME_OK);
    free(bytes);
    brume_sim_destroy(sim);
    return created;
}

// the hash after some steps; `disturbed`: whether undefined values are overwritten, and a saved state is used
static uint64_t hash_after_steps(const BrumeSimDef *def, int threads, bool disturbed)
{
    const int before = brume_get_threads();
    brume_set_threads(threads);
    BrumeSim *sim = create(def);
    for (int n = 0; n < 5; n++) {
        if (disturbed) {
            sim = n == 3 ? restored(sim) : sim;
            poison(sim);
        }
        BrumeStepStats stats;
        step(sim, n == 4 ? 0.15 : n % 3 ? 0.03 : 0.02, &stats);
        assert_true(active_part(sim) > 0.0 && active_part(sim) < 0.7);
        assert_true((n == 4) == (stats.displacement > 4.0)); // where the share of the old pressure is below 1
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(before);
    return hash;
}

static void undefined_values_are_not_read(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSimDef def = plume_def(variant);
        const uint64_t hash = hash_after_steps(&def, 1, false);
        assert_int_equal(hash_after_steps(&def, 2 + variant % 2, true), hash);
    }
}

static void reference_kernels_have_the_same_bits(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def(0);
    const uint64_t hash = hash_after_steps(&def, 1, false);
    def.kernels = "reference";
    assert_int_equal(hash_after_steps(&def, 2, true), hash);
}

// uniform wind has no vorticity: it is extrapolated, which is exact
static void uniform_wind_stays(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(24, 32, 40, 0.1f, BRUME_OPEN);
    def.wind = brume_vec3(0.75f, -0.5f, 0.25f);
    def.active_blocks = true;
    def.initial_count = 1;
    def.initial[0] = haze;
    assert_null(brume_all_blocks_reason(&def));
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 4; n++) {
        step(sim, 0.2, NULL);
        assert_true(active_part(sim) == 0.0);
    }
    for (int axis = 0; axis < 3; axis++) {
        double low;
        double high;
        range_of(&sim->fields[axis], &low, &high);
        assert_true(low == (double)brume_component(def.wind, axis) && high == low);
    }
    brume_sim_destroy(sim);
}

// a turbulent box is carried as a whole
static void vorticity_everywhere_gives_the_dense_bits(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(40, 27, 32, 0.05f, BRUME_OPEN);
    def.initial_count = 2;
    def.initial[1] = haze;
    def.initial[0] = (BrumeInitialDef){
        .kind = BRUME_INITIAL_NOISE, .quantity = BRUME_INITIAL_VELOCITY, .speed = 0.5f, .scale = 0.3f};
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        def.active_blocks = n == 1;
        BrumeSim *sim = create(&def);
        for (int m = 0; m < 3; m++) {
            step(sim, 0.05, NULL);
        }
        assert_true(n == 0 || active_part(sim) == 1.0);
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_int_equal(hashes[1], hashes[0]);
}

// air without smoke and heat is carried as a whole: weak vorticity matters where the flow itself is looked at
static void air_alone_is_carried_as_a_whole(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(24, 24, 24, 0.1f, BRUME_WALL);
    def.active_blocks = true;
    assert_string_equal(brume_all_blocks_reason(&def), "there is neither smoke nor heat");
    def.faces[BRUME_FACE_X_MIN].heat_flux = 0.1f;
    assert_null(brume_all_blocks_reason(&def));
    def.faces[BRUME_FACE_X_MIN].heat_flux = 0.0f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    assert_non_null(brume_all_blocks_reason(&def)); // it emits nothing
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_RATE, 1.0f};
    assert_null(brume_all_blocks_reason(&def));
}

// the largest difference of a field between two simulations
static double largest_difference(const BrumeSim *a, const BrumeSim *b, BrumeFieldId id)
{
    double largest = 0.0;
    const BrumeGrid grid = a->fields[id].grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const double difference =
                    (double)brume_field_at(&a->fields[id], i, j, k) - (double)brume_field_at(&b->fields[id], i, j, k);
                largest = fmax(largest, fabs(difference));
            }
        }
    }
    return largest;
}

static void close_to_the_whole_box(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSimDef def = plume_def(variant);
        BrumeSim *partial = create(&def);
        def.active_blocks = false;
        BrumeSim *dense = create(&def);
        for (int n = 0; n < 12; n++) {
            step(partial, 0.03, NULL);
            step(dense, 0.03, NULL);
        }
        assert_true(active_part(partial) < 0.7);
        // of a speed of 1.5 m/s, smoke of 1 and 150 K
        for (int axis = 0; axis < 3; axis++) {
            assert_at_most(largest_difference(dense, partial, (BrumeFieldId)axis), 0.02);
        }
        assert_at_most(largest_difference(dense, partial, BRUME_FIELD_DENSITY), 0.03);
        assert_at_most(largest_difference(dense, partial, BRUME_FIELD_TEMPERATURE), 4.0);
        brume_sim_destroy(partial);
        brume_sim_destroy(dense);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefined_values_are_not_read),
        cmocka_unit_test(reference_kernels_have_the_same_bits),
        cmocka_unit_test(uniform_wind_stays),
        cmocka_unit_test(air_alone_is_carried_as_a_whole),
        cmocka_unit_test(vorticity_everywhere_gives_the_dense_bits),
        cmocka_unit_test(close_to_the_whole_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
