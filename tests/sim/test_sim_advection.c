/* The fast kernels of trace and advection against the reference kernels (src/sim/reference): equal bits in boxes with
 * every kind of side, for flows in which adjacent paths partly stay adjacent and partly diverge. */
#include "core/field.h"
#include "core/random.h"
#include "sim/advection/advection.h"
#include "sim/advection/sampling.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/extrapolation.h"
#include "sim/boundary/geometry.h"
#include "sim/lifecycle/kernels.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"
#include "sim_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the same state once for each set of kernels
typedef struct Pair {
    BrumeSim *fast;
    BrumeSim *reference;
} Pair;

static void assert_same_entries(const char *what, BrumeGrid entries, const BrumeField *fast,
                                const BrumeField *reference)
{
    for (int k = 1; k <= entries.nz; k++) {
        for (int j = 1; j <= entries.ny; j++) {
            const size_t c = (size_t)brume_field_index(fast, 1, j, k);
            if (memcmp(fast->data + c, reference->data + c, (size_t)entries.nx * sizeof *fast->data) != 0) {
                fail_msg("%s differs in row j %d, k %d", what, j, k);
            }
        }
    }
}

// ghosts included
static void assert_same_displacement(const BrumeDisplacement *fast, const BrumeDisplacement *reference)
{
    for (int axis = 0; axis < 3; axis++) {
        const size_t bytes = brume_grid_entries(fast->along[axis].grid) * sizeof(float);
        assert_memory_equal(fast->along[axis].data, reference->along[axis].data, bytes);
    }
}

// the results are in sim->fields, and the velocity before in sim->scratch + BRUME_SCRATCH_RESULTS
static void advect_velocity(BrumeSim *sim, float dt)
{
    BrumeField *results = sim->scratch + BRUME_SCRATCH_RESULTS;
    brume_advect_velocity(sim, sim->fields, sim->fields, sim->max_speed, dt, results);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &results[axis]);
    }
}

static void assert_velocity_advected(const Pair *pair, float dt)
{
    advect_velocity(pair->fast, dt);
    advect_velocity(pair->reference, dt);
    assert_same_displacement(&pair->fast->advection->backward, &pair->reference->advection->backward);
    for (int axis = 0; axis < 3; axis++) {
        assert_same_entries("velocity", brume_advected_entries(pair->fast, axis), &pair->fast->fields[axis],
                            &pair->reference->fields[axis]);
    }
}

static const BrumeField *transport_of(const BrumeSim *sim) { return sim->scratch + BRUME_SCRATCH_RESULTS; }

static void assert_scalars_advected(const Pair *pair)
{
    const BrumeFieldId ids[] = {BRUME_FIELD_TEMPERATURE, BRUME_FIELD_DENSITY};
    const float decay[] = {0.75f, 0.9f};
    pair->fast->advection->scheme->advect_scalars(pair->fast, transport_of(pair->fast), ids, decay, 2);
    pair->reference->advection->scheme->advect_scalars(pair->reference, transport_of(pair->reference), ids, decay, 2);
    for (int n = 0; n < 2; n++) {
        assert_same_entries("a scalar", pair->fast->geometry->cells.grid, &pair->fast->fields[ids[n]],
                            &pair->reference->fields[ids[n]]);
    }
}

// the blocks that were found empty of the n-th scalar of the last pass
static int count_empty(const BrumeSim *sim, int n)
{
    const BrumeBlocks blocks = brume_blocks(sim->geometry->cells.grid);
    int count = 0;
    for (size_t b = 0; b < brume_block(&blocks, 0, 0, blocks.nz); b++) {
        count += sim->advection->empty[n][b];
    }
    return count;
}

// a smooth flow, rough in one half of the box, of up to `speed`; smoke in one corner, heat everywhere
static void fill_state(BrumeSim *sim, float speed)
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
                    const ptrdiff_t c = brume_field_index(field, i, j, k);
                    const float noise =
                        2.0f * brume_unit_float(brume_hash_u32((uint32_t)c + 977u * (uint32_t)id)) - 1.0f;
                    const float smooth = sinf(0.1f * (float)(i + 2 * j) + 0.2f * (float)(k + id));
                    field->data[c] = id <= BRUME_FIELD_W ? speed * (i > grid.nx / 2 ? noise : smooth) : noise;
                    if (id == BRUME_FIELD_DENSITY && (i > 12 || j > 4)) {
                        field->data[c] = 0.0f;
                    }
                }
            }
        }
        if (id != BRUME_FIELD_PRESSURE) {
            brume_set_boundary(sim, (BrumeFieldId)id, field);
        }
    }
}

static Pair create_pair(const BrumeSimDef *def, float speed)
{
    BrumeSimDef reference = *def;
    reference.kernels = "reference";
    const Pair pair = {create(def), create(&reference)};
    fill_state(pair.fast, speed);
    fill_state(pair.reference, speed);
    (void)brume_measure_flow(pair.fast);
    (void)brume_measure_flow(pair.reference);
    return pair;
}

static void destroy_pair(const Pair *pair)
{
    brume_sim_destroy(pair->fast);
    brume_sim_destroy(pair->reference);
}

static BrumeSimDef def_of(int nx, int sides)
{
    BrumeSimDef def = box_def(nx, 11, 9, 0.1f, sides == 1 ? BRUME_PERIODIC : BRUME_WALL);
    if (sides == 2) {
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_Z_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.1f, 0.2f, 1.0f}};
    }
    if (sides == 3) {
        def.faces[BRUME_FACE_X_MIN].kind = def.faces[BRUME_FACE_X_MAX].kind = BRUME_PERIODIC;
    }
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.4f}, .b = {0, 0, 0}, .radius = 0.2f};
    return def;
}

// row segments of 8, 8 + 1, 64 + 3 (shorter than a vector) and 2 x 64 + 11 entries; 1 and 3 threads
static void fast_kernels_equal_the_reference(void **state)
{
    (void)state;
    const int lengths[] = {8, 9, 67, 139};
    const int threads = brume_get_threads();
    for (int n = 0; n < 16; n++) {
        for (int scheme = 0; brume_advection_name(scheme); scheme++) {
            BrumeSimDef def = def_of(lengths[n / 4], n % 4);
            def.advection = brume_advection_name(scheme);
            def.trace_order = 2 + (n + n / 4) % 2;
            brume_set_threads(n % 2 ? 1 : 3);
            const Pair pair = create_pair(&def, 3.0f); // at most 6 cells a step
            assert_velocity_advected(&pair, 0.2f);
            assert_scalars_advected(&pair);
            assert_int_equal(count_empty(pair.fast, 0), 0); // heat is everywhere
            if (lengths[n / 4] == 139) { // the third segment of every row is far from the smoke, except in boxes that
                assert_int_equal(count_empty(pair.fast, 1), n % 2 ? 0 : 3 * 3); // are periodic along x
            }
            destroy_pair(&pair);
        }
    }
    brume_set_threads(threads);
}

// a box so large that most rows are interior rows, and slabs of planes for two threads (5 or more each)
static void interior_rows_equal_the_reference(void **state)
{
    (void)state;
    const int threads = brume_get_threads();
    for (int n = 0; n < 8; n++) {
        BrumeSimDef def = def_of(24, n % 4);
        def.ny = 23;
        def.nz = 22;
        def.trace_order = 2 + n / 4;
        def.advection = brume_advection_name(n / 2 % 2);
        brume_set_threads(1 + n % 3);
        const Pair pair = create_pair(&def, 1.2f); // at most 2.4 cells a step
        assert_velocity_advected(&pair, 0.2f);
        assert_int_equal(pair.fast->advection->displacement_bound, 3);
        assert_scalars_advected(&pair);
        destroy_pair(&pair);
    }
    brume_set_threads(threads);
}

// a velocity that is not finite is detected before advection; no row counts as interior, so all positions are clamped
static void no_row_is_interior_where_velocity_is_not_finite(void **state)
{
    (void)state;
    const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 3; n++) {
        const BrumeSimDef def = def_of(24, n);
        BrumeSim *sim = create(&def);
        BrumeError error;
        sim->fields[BRUME_FIELD_V].data[brume_field_index(&sim->fields[BRUME_FIELD_V], 12, 6, 5)] = wrong[n];
        (void)brume_measure_flow(sim);
        assert_true(isfinite(sim->max_speed) == 0);
        assert_int_equal(brume_check_finite(sim, &error), BRUME_FAILED);
        (void)brume_measure_flow(sim);
        advect_own_velocity(sim, 0.2f);
        const BrumeSamplingDomain domain = brume_sampling_domain(sim, BRUME_AT_CENTER);
        assert_true(domain.first_interior > domain.last_interior[1]);
        brume_sim_destroy(sim);
    }
}

// values between those inside and those on no-slip walls; ghosts mirrored about the walls are outside this range
static void limiters_count_no_mirrored_ghosts(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 14, 12, 0.1f, BRUME_WALL);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face].no_slip = true;
        def.faces[face].fixed_temperature = true;
        def.faces[face].temperature = 10.0f;
    }
    BrumeSim *sim = create(&def);
    BrumeSim *other = create(&def); // its velocity is the one that is carried
    fill_state(sim, 1.5f);          // up to 3 cells a step
    for (int id = 0; id <= BRUME_FIELD_TEMPERATURE; id++) {
        BrumeField *field = id == BRUME_FIELD_TEMPERATURE ? &sim->fields[id] : &other->fields[id];
        if (!field->data) {
            continue;
        }
        for (size_t c = 0; c < brume_grid_entries(field->grid); c++) {
            field->data[c] = brume_unit_float(brume_hash_u32((uint32_t)c + 31u * (uint32_t)id));
            field->data[c] = id == BRUME_FIELD_TEMPERATURE ? 10.0f + 5.0f * field->data[c] : field->data[c];
        }
        if (id != BRUME_FIELD_PRESSURE) {
            brume_set_boundary(sim, (BrumeFieldId)id, field);
        }
    }
    (void)brume_measure_flow(sim);
    BrumeField *results = sim->scratch + BRUME_SCRATCH_RESULTS;
    brume_advect_velocity(sim, sim->fields, other->fields, sim->max_speed, 0.2f, results);
    for (int axis = 0; axis < 3; axis++) {
        double low;
        double high;
        range_of(&results[axis], &low, &high);
        assert_at_least(low, 0.0);
        assert_at_most(high, 1.0);
    }
    const BrumeFieldId id = BRUME_FIELD_TEMPERATURE;
    const float decay = 1.0f;
    sim->advection->scheme->advect_scalars(sim, sim->fields, &id, &decay, 1);
    double low;
    double high;
    range_of(&sim->fields[id], &low, &high);
    assert_at_least(low, 10.0);
    assert_at_most(high, 15.0);
    brume_sim_destroy(other);
    brume_sim_destroy(sim);
}

// the blocks that `which` selects: 0 all, 1 none, 2 one in the middle, 3 the last one, 4 every third one
static void select_blocks(BrumeGrid blocks, int which, uint8_t *active)
{
    const size_t count = brume_grid_cells(blocks);
    for (size_t n = 0; n < count; n++) {
        active[n] = which == 0 || (which == 2 && n == count / 2) || (which == 3 && n == count - 1) ||
                    (which == 4 && n % 3 == 0);
    }
}

// in active blocks the bits of the advection of the whole box
static void active_blocks_have_the_bits_of_the_whole_box(void **state)
{
    (void)state;
    const int threads = brume_get_threads();
    for (int n = 0; n < 80; n++) {
        BrumeSimDef def = def_of(n % 2 ? 67 : 41, n % 4);
        def.ny = 27;
        def.nz = 25;
        def.advection = brume_advection_name(n / 4 % 2);
        def.kernels = brume_kernels_name(n / 8 % 2);
        brume_set_threads(1 + n % 3);
        BrumeSim *dense = create(&def);
        BrumeSim *partial = create(&def);
        fill_state(dense, 1.2f); // at most 2.4 cells a step
        fill_state(partial, 1.2f);
        (void)brume_measure_flow(dense);
        for (int f = 0; f < BRUME_SCRATCH_RESULTS; f++) { // entries that are not set must not be read
            brume_field_fill(&partial->scratch[f], NAN);
        }
        for (int axis = 0; axis < 3; axis++) {
            brume_field_fill(&partial->advection->backward.along[axis], NAN);
        }
        const BrumeGrid cells = dense->geometry->cells.grid;
        uint8_t *active = partial->advection->active;
        select_blocks(brume_active_grid(cells), n / 16, active);
        const int reach = brume_displacement_bound(dense->max_speed * 0.2 / (double)def.dx) + 1 +
                          BRUME_EXTRAPOLATION_LAYERS; // as brume_level_blocks
        memcpy(partial->advection->margin, active, brume_grid_cells(brume_active_grid(cells)));
        brume_dilate_marks(cells, partial->geometry->cells.periodic, 0, (const int[3]){reach, reach, reach},
                           partial->advection->margin);
        partial->advection->partial = true;
        BrumeField *expected = dense->scratch + BRUME_SCRATCH_RESULTS;
        BrumeField *results = partial->scratch + BRUME_SCRATCH_RESULTS;
        brume_advect_velocity(dense, dense->fields, dense->fields, dense->max_speed, 0.2f, expected);
        brume_advect_velocity(partial, partial->fields, partial->fields, dense->max_speed, 0.2f, results);
        assert_false(brume_holds(partial, BRUME_VALID_DISPLACEMENT));
        for (int axis = 0; axis < 3; axis++) {
            const BrumeGrid entries = brume_advected_entries(dense, axis);
            for (int k = 1; k <= entries.nz; k++) {
                for (int j = 1; j <= entries.ny; j++) {
                    for (int i = 1; i <= entries.nx; i++) {
                        const float value = brume_field_at(&expected[axis], i, j, k);
                        const float result = brume_field_at(&results[axis], i, j, k);
                        if (active[brume_active_block(cells, i, j, k)] && memcmp(&result, &value, sizeof value) != 0) {
                            fail_msg("case %d: component %d at (%d, %d, %d) is %.9g, expected %.9g", n, axis, i, j, k,
                                     (double)result, (double)value);
                        }
                    }
                }
            }
        }
        brume_sim_destroy(dense);
        brume_sim_destroy(partial);
    }
    brume_set_threads(threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_kernels_equal_the_reference),
        cmocka_unit_test(interior_rows_equal_the_reference),
        cmocka_unit_test(limiters_count_no_mirrored_ghosts),
        cmocka_unit_test(active_blocks_have_the_bits_of_the_whole_box),
        cmocka_unit_test(no_row_is_interior_where_velocity_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
