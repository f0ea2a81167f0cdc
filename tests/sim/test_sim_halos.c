/*
 * The planes of other ranks that advection and vorticity confinement copy: with all of them the bits are those of one
 * process; where an exchange copies one plane less than it should, they are not. The air moves by almost the number of
 * cells that the depth of the exchanges follows from.
 */
#include "core/field.h"
#include "core/hash.h"
#include "core/random.h"
#include "sanitized.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"
#include "sim_support.h"
#include "thread_team.h"

enum { RANKS = 2, NZ = 33, FIRST_OF_SECOND_RANK = 25 };

static const float DX = 0.1f;

typedef struct Case {
    const char *name;
    BrumeSimDef def;
    float displacement; // of the fastest air [cells]
    bool upward;        // whether all air moves upward, instead of half of it
    uint64_t (*prepare)(BrumeSim *sim, const struct Case *tested); // before what is tested; NULL: nothing
    uint64_t (*run)(BrumeSim *sim, const struct Case *tested);
} Case;

static float noise(int i, int j, int k, int id)
{
    return brume_unit_float(brume_hash_u32((uint32_t)(i + 100 * (j + 100 * (k + 100 * id)))));
}

// air that moves along z at 0.98 to 1 m/s, with a jump of u between the ranks; noise in temperature and smoke
static void fill_state(BrumeSim *sim, bool upward)
{
    for (int id = 0; id <= BRUME_FIELD_DENSITY; id++) {
        BrumeField *field = &sim->fields[id];
        if (!field->data) {
            continue;
        }
        const BrumeGrid grid = field->grid;
        for (int k = 1; k <= grid.nz + 1; k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (int i = 1; i <= grid.nx + 1; i++) {
                    const float value = noise(i, j, k, id);
                    const float u = k >= FIRST_OF_SECOND_RANK ? 0.5f : 0.0f;
                    const float w = upward || j > grid.ny / 2 ? 1.0f : -1.0f;
                    field->data[brume_field_index(field, i, j, k)] = id == BRUME_FIELD_W   ? w - 0.02f * w * value
                                                                     : id == BRUME_FIELD_U ? u + 0.1f * value
                                                                     : id == BRUME_FIELD_V ? 0.1f * value
                                                                                           : value;
                }
            }
        }
        if (id != BRUME_FIELD_PRESSURE) {
            brume_set_boundary(sim, (BrumeFieldId)id, field);
        }
    }
}

static uint64_t hash_fields(const BrumeField *fields, int count)
{
    uint64_t planes[NZ + 2];
    uint64_t hash = 0;
    for (int n = 0; n < count; n++) {
        hash = brume_hash_field(&fields[n], -1, hash, planes);
    }
    return hash;
}

static uint64_t advect_along_itself(BrumeSim *sim, const Case *tested)
{
    BrumeField *results = &sim->scratch[BRUME_SCRATCH_RESULTS];
    brume_advect_velocity(sim, sim->fields, sim->fields, 1.0, tested->displacement * DX, results);
    return hash_fields(results, 3);
}

static uint64_t advect_other_velocity(BrumeSim *sim, const Case *tested)
{
    BrumeField *carried = &sim->scratch[BRUME_SCRATCH_CARRIED];
    BrumeField *results = &sim->scratch[BRUME_SCRATCH_RESULTS];
    for (int axis = 0; axis < 3; axis++) {
        brume_field_copy(&carried[axis], &sim->fields[axis]);
    }
    brume_advect_velocity(sim, sim->fields, carried, 1.0, tested->displacement * DX, results);
    return hash_fields(results, 3);
}

static uint64_t advect_scalars(BrumeSim *sim, const Case *tested)
{
    const BrumeFieldId ids[] = {BRUME_FIELD_TEMPERATURE, BRUME_FIELD_DENSITY};
    const float decay[] = {0.75f, 0.9f};
    (void)tested;
    sim->advection->scheme->advect_scalars(sim, sim->fields, ids, decay, 2);
    return hash_fields(&sim->fields[BRUME_FIELD_TEMPERATURE], 2);
}

static uint64_t confine(BrumeSim *sim, const Case *tested)
{
    BrumeField *onto = &sim->scratch[BRUME_SCRATCH_RESULTS];
    brume_add_vorticity_confinement(sim, sim->fields, onto, sim->scratch, tested->displacement * DX, 1.0, 1.0f, NULL,
                                    NULL);
    return hash_fields(onto, 3);
}

// the jump of u is the only vorticity above the limit
static uint64_t search_blocks(BrumeSim *sim, const Case *tested)
{
    (void)tested;
    double speeds[3];
    brume_exchange_fields(sim->fields, 3, 1); // of the velocity's boundary, in a step
    brume_search_active_blocks(sim, 0.3f, 1e3f, speeds);
    const size_t blocks = brume_grid_cells(brume_active_grid(sim->geometry->cells.grid));
    return brume_hash_bytes(sim->advection->found, blocks, brume_hash_bytes(speeds, sizeof speeds, 0));
}

static uint64_t run_case(void *context, BrumeTeam *team)
{
    const Case *tested = context;
    BrumeSimDef def = tested->def;
    def.team = team;
    BrumeSim *sim = create(&def);
    fill_state(sim, tested->upward);
    if (tested->prepare) {
        (void)tested->prepare(sim, tested);
    }
    start_tested_exchanges(team);
    const uint64_t hash = tested->run(sim, tested);
    end_tested_exchanges(team);
    brume_sim_destroy(sim);
    return hash;
}

// `needed` of the exchanges copy planes that the results depend on, down to the last plane
static void expect_needed(Case tested, int needed)
{
    const uint64_t expected = run_case(&tested, NULL);
    if (!all_ranks_return(expected, RANKS, run_case, &tested)) {
        fail_msg("%s, %s, %.1f cells: the bits differ", tested.name, tested.def.advection, (double)tested.displacement);
    }
    if (fewer_under_sanitizers(1, 0) == 0) {
        return; // indices computed from NaN overflow
    }
    NeededExchanges found = {0};
    find_needed_exchanges(&found, expected, RANKS, run_case, &tested);
    if (found.needed != needed) {
        fail_msg("%s, %s, %.1f cells: %d of %d exchanges copy no plane too many, expected %d", tested.name,
                 tested.def.advection, (double)tested.displacement, found.needed, found.count, needed);
    }
}

// sides along z: periodic or open
static BrumeSimDef def_of(bool periodic)
{
    BrumeSimDef def = box_def(12, 8, NZ, DX, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = periodic ? BRUME_PERIODIC : BRUME_OPEN;
    def.vorticity_confinement = 2.0f;
    return def;
}

static void test_advection(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        Case tested = {.def = def_of(n % 2)};
        tested.def.trace_order = 3;
        tested.def.kernels = brume_kernels_name(n / 2 % 2);
        tested.def.advection = brume_advection_name(n / 4);
        const bool corrects = strcmp(tested.def.advection, "maccormack") == 0;
        const int of_sides = n % 2; // of predicted values, before the ghosts of a periodic z are set
        const int of_velocity = corrects ? 2 + of_sides : 1;

        tested.name = "velocity along itself";
        tested.run = advect_along_itself;
        // for which the trace reads more planes than the ends of paths, as many, and fewer
        const float displacements[] = {1.9f, 3.9f, 8.9f};
        for (int d = 0; d < 3; d++) {
            tested.displacement = displacements[d];
            expect_needed(tested, of_velocity);
        }
        tested.def.trace_order = 2;
        tested.displacement = 3.9f;
        expect_needed(tested, of_velocity);

        tested.def.trace_order = 3;
        tested.name = "another velocity";
        tested.run = advect_other_velocity;
        expect_needed(tested, of_velocity);

        tested.name = "scalars";
        tested.prepare = advect_other_velocity;
        tested.run = advect_scalars;
        expect_needed(tested, corrects ? 3 + 2 * of_sides : 1); // of each scalar
    }
}

static void test_unbounded_displacement(void **state)
{
    (void)state;
    Case tested = {
        .name = "velocity along itself", .def = def_of(true), .displacement = 1e30f, .run = advect_along_itself};
    assert_true(all_ranks_return(run_case(&tested, NULL), RANKS, run_case, &tested));
}

static void test_confinement_and_active_blocks(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        Case tested = {.name = "confinement", .def = def_of(n), .displacement = 1.0f, .run = confine};
        expect_needed(tested, 3);
        tested.name = "active blocks";
        tested.run = search_blocks;
        tested.upward = true;
        expect_needed(tested, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advection),
        cmocka_unit_test(test_unbounded_displacement),
        cmocka_unit_test(test_confinement_and_active_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
