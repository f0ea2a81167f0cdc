/*
 * Diffusion and the direct projection of a state whose planes are divided among ranks, which are threads here. After
 * each exchange, planes of other ranks that it did not copy are NaN.
 */
#include "busy_box.h"
#include "core/hash.h"
#include "sim/forces/forces.h"
#include "thread_team.h"

#include <math.h>
#include <string.h>

enum { RANKS = 3 };

typedef struct DiffusionRun {
    float diffusivity;
    int thin; // the exchange, from 1, that copies a plane less; 0: none

    // results on the first rank
    uint64_t hash;
    long long exchanges;
    BrumeDiffusionResult diffused;
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

static void diffuse(void *context, BrumeTeam *team)
{
    DiffusionRun *run = context;
    const BrumeSimDef def = heated_box(team);
    BrumeSim *sim = create(&def);
    BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    for (ptrdiff_t c = 0; c < (ptrdiff_t)brume_grid_entries(temperature->grid); c++) { // without a pattern
        temperature->data[c] = 0x1p-24f * (float)(brume_hash_bytes(&c, sizeof c, 0) >> 40);
    }
    brume_set_scalar_ghosts(sim);
    const long long before = team ? team->exchanges : 0;
    if (team && run->thin > 0) {
        team->thin_exchange = before + run->thin;
    }
    const BrumeDiffusionResult diffused = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, run->diffusivity, 0.1f);
    const long long exchanges = team ? team->exchanges - before : 0;
    const uint64_t hash = brume_sim_hash(sim);
    if (!team || team->rank == 0) {
        run->hash = hash;
        run->exchanges = exchanges;
        run->diffused = diffused;
    }
    brume_sim_destroy(sim);
    if (team) {
        brume_team_clear(team);
    }
}

// the number of exchanges of which each must copy all of its planes
static int needed_exchanges(float diffusivity, const DiffusionRun *alone)
{
    DiffusionRun shared = {.diffusivity = diffusivity};
    run_as_ranks(RANKS, diffuse, &shared);
    assert_true(shared.hash == alone->hash);
    assert_int_equal(shared.diffused.iterations, alone->diffused.iterations);
    assert_memory_equal(shared.diffused.entered, alone->diffused.entered, sizeof alone->diffused.entered);
    int needed = 0;
    for (int n = 1; n <= shared.exchanges; n++) {
        DiffusionRun thin = {.diffusivity = diffusivity, .thin = n};
        run_as_ranks(RANKS, diffuse, &thin);
        needed += thin.hash != alone->hash;
    }
    return needed;
}

static void each_application_of_the_operator_needs_an_exchange(void **state)
{
    (void)state;
    DiffusionRun small = {.diffusivity = 0.005f};
    diffuse(&small, NULL);
    assert_int_equal(small.diffused.iterations, 0);
    assert_int_equal(needed_exchanges(small.diffusivity, &small), 2); // of Heun's method
    DiffusionRun large = {.diffusivity = 0.1f};
    diffuse(&large, NULL);
    assert_in_range(large.diffused.iterations, 3, 100);
    assert_int_equal(needed_exchanges(large.diffusivity, &large), large.diffused.iterations + 1);
}

static void heat_without_diffusion_is_added_by_the_rank_of_a_cell(void **state)
{
    (void)state;
    DiffusionRun alone = {.diffusivity = 0.0f};
    diffuse(&alone, NULL);
    assert_true(alone.diffused.entered[BRUME_FACE_Y_MAX] > 0.0);
    (void)needed_exchanges(0.0f, &alone);
}

typedef struct FrameRun {
    const BrumeSimDef *def;
    uint64_t hash; // on the first rank
} FrameRun;

static void run_frames(void *context, BrumeTeam *team)
{
    FrameRun *run = context;
    BrumeSimDef def = *run->def;
    def.team = team;
    BrumeSim *sim = create(&def);
    for (int frame = 0; frame < 3; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    if (!team || team->rank == 0) {
        run->hash = hash;
    }
    brume_sim_destroy(sim);
    if (team) {
        brume_team_clear(team);
    }
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
        FrameRun alone = {.def = &def};
        run_frames(&alone, NULL);
        FrameRun shared = {.def = &def};
        run_as_ranks(RANKS, run_frames, &shared);
        assert_true(shared.hash == alone.hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_application_of_the_operator_needs_an_exchange),
        cmocka_unit_test(heat_without_diffusion_is_added_by_the_rank_of_a_cell),
        cmocka_unit_test(direct_projections_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
