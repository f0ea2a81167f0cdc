/*
 * Diffusion, the direct projection and forces in shapes of a state whose planes are divided among ranks, which are
 * threads here. After each exchange, planes of other ranks that it did not copy are NaN.
 */
#include "busy_box.h"
#include "core/hash.h"
#include "shared_frames.h"
#include "sim/forces/forces.h"
#include "thread_team.h"

#include <math.h>
#include <string.h>

enum { RANKS = 3 };

typedef struct DiffusionRun {
    float diffusivity;
    BrumeDiffusionResult results[RANKS]; // of each rank
} DiffusionRun;

// the air exchanges heat through sides of each axis
static BrumeSimDef heated_box(BrumeTeam *team)
{
    BrumeSimDef def = box_def(9, 8, 21, 0.1f, BRUME_WALL);
    def.faces[BRUME_FACE_X_MIN].fixed_temperature = true;
    def.faces[BRUME_FACE_X_MIN].temperature = 3.0f;
    def.faces[BRUME_FACE_Y_MAX].heat_flux = 0.7f;
    def.faces[BRUME_FACE_Z_MIN].kind = BRUME_OPEN;
    def.team = team;
    return def;
}

static uint64_t diffuse(void *context, BrumeTeam *team)
{
    DiffusionRun *run = context;
    const BrumeSimDef def = heated_box(team);
    BrumeSim *sim = create(&def);
    BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    for (ptrdiff_t c = 0; c < (ptrdiff_t)brume_grid_entries(temperature->grid); c++) { // without a pattern
        temperature->data[c] = 0x1p-24f * (float)(brume_hash_bytes(&c, sizeof c, 0) >> 40);
    }
    brume_set_scalar_ghosts(sim);
    start_tested_exchanges(team);
    run->results[team ? team->rank : 0] = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, run->diffusivity, 0.1f);
    end_tested_exchanges(team);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

// one process and several ranks have the same results; returns those of one process
static BrumeDiffusionResult expect_same_diffusion(float diffusivity, uint64_t *hash)
{
    DiffusionRun alone = {.diffusivity = diffusivity};
    *hash = diffuse(&alone, NULL);
    DiffusionRun shared = {.diffusivity = diffusivity};
    assert_true(all_ranks_return(*hash, RANKS, diffuse, &shared));
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(shared.results[r].iterations, alone.results[0].iterations);
        assert_memory_equal(shared.results[r].entered, alone.results[0].entered, sizeof alone.results[0].entered);
    }
    return alone.results[0];
}

// the number of exchanges of which each must copy all of its planes
static int needed_exchanges(float diffusivity, uint64_t hash)
{
    NeededExchanges found = {0};
    find_needed_exchanges(&found, hash, RANKS, diffuse, &(DiffusionRun){.diffusivity = diffusivity});
    return found.needed;
}

static void each_application_of_the_operator_needs_an_exchange(void **state)
{
    (void)state;
    uint64_t hash;
    assert_int_equal(expect_same_diffusion(0.005f, &hash).iterations, 0);
    assert_int_equal(needed_exchanges(0.005f, hash), 2); // of Heun's method
    const int iterations = expect_same_diffusion(0.1f, &hash).iterations;
    assert_in_range(iterations, 3, 100);
    assert_int_equal(needed_exchanges(0.1f, hash), iterations + 1);
}

static void heat_without_diffusion_is_added_by_the_rank_of_a_cell(void **state)
{
    (void)state;
    uint64_t hash;
    assert_true(expect_same_diffusion(0.0f, &hash).entered[BRUME_FACE_Y_MAX] > 0.0);
}

// fused passes and plain ones, in a box that is open along z and in a periodic one
static void direct_projections_have_the_same_bits(void **state)
{
    (void)state;
    const char *const kernels[] = {"fast", "reference"};
    for (int n = 0; n < 4; n++) {
        BrumeSimDef def = busy_box();
        def.kernels = kernels[n % 2];
        def.pressure = n < 2 ? "dct" : "fft";
        busy_box_for_solver(&def);
        if (n < 2) {
            def.faces[BRUME_FACE_Z_MIN].kind = BRUME_WALL;
            def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
        }
        expect_same_frames(def.pressure, (SharedFrames){.def = &def, .frames = 3}, (const int[]){RANKS}, 1);
    }
}

// turbulence at texture coordinates, an attraction and a vortex
static void forces_in_shapes_have_the_same_bits(void **state)
{
    (void)state;
    BrumeSimDef def = busy_box();
    def.texture_period = 0.2f;
    for (int n = 0; n < 3; n++) {
        BrumeEmitterDef *emitter = &def.emitters[def.emitter_count++];
        *emitter = brume_default_emitter_def();
        emitter->shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.3f + 0.2f * (float)n, 0.4f, 0.46f}, .radius = 0.3f};
        emitter->force.kind =
            (const BrumeForceKind[]){BRUME_FORCE_TURBULENCE, BRUME_FORCE_ATTRACTION, BRUME_FORCE_VORTEX}[n];
        emitter->force.range = 0.2f;
    }
    expect_same_frames("forces", (SharedFrames){.def = &def, .frames = 3}, (const int[]){RANKS, 5}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_application_of_the_operator_needs_an_exchange),
        cmocka_unit_test(heat_without_diffusion_is_added_by_the_rank_of_a_cell),
        cmocka_unit_test(direct_projections_have_the_same_bits),
        cmocka_unit_test(forces_in_shapes_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
