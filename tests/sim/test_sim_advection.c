/* The vector kernels of trace and advection against the same arithmetic written plainly, one entry at a time: equal
 * bits, in boxes with every kind of side, for flows that mix neighbors that stay together with ones that part. */
#include "core/field.h"
#include "core/random.h"
#include "sim/advection/advection.h"
#include "sim/advection/sampling.h"
#include "sim_support.h"

#include <math.h>
#include <stdlib.h>

// a position held in the box along an axis, split into entry and share
static int plain_split(const BrumePlace *place, int axis, float wanted, float *share, bool *inside)
{
    const float wrapped = wanted - place->period[axis] * floorf((wanted - place->from[axis]) * place->per_period[axis]);
    const float position = fminf(fmaxf(wrapped, place->from[axis]), place->to[axis]);
    const int entry = (int)position < place->last[axis] ? (int)position : place->last[axis];
    *share = position - (float)entry;
    *inside = *inside && position == wrapped;
    return entry;
}

// the value at a position; the smallest and largest of those around, and whether the position was inside the box
static float plain_sample(const BrumePlace *place, const float *data, const float wanted[3], float *low, float *high,
                          bool *inside)
{
    float x;
    float y;
    float z;
    *inside = true;
    const ptrdiff_t base = plain_split(place, 0, wanted[0], &x, inside) +
                           place->sy * plain_split(place, 1, wanted[1], &y, inside) +
                           place->sz * plain_split(place, 2, wanted[2], &z, inside);
    float row[4];
    *low = INFINITY;
    *high = -INFINITY;
    for (int n = 0; n < 4; n++) {
        const float *pair = data + base + (n & 1 ? place->sy : 0) + (n & 2 ? place->sz : 0);
        row[n] = pair[0] + x * (pair[1] - pair[0]);
        *low = fminf(*low, fminf(pair[0], pair[1]));
        *high = fmaxf(*high, fmaxf(pair[0], pair[1]));
    }
    const float lower = row[0] + y * (row[1] - row[0]);
    const float upper = row[2] + y * (row[3] - row[2]);
    return lower + z * (upper - lower);
}

// the velocity at a center displaced by `along`
static void plain_velocity(const BrumeSim *sim, const int at[3], const float along[3], float scale, float velocity[3])
{
    for (int component = 0; component < 3; component++) {
        const BrumePlace place = brume_place(sim, component);
        float wanted[3];
        float low;
        float high;
        bool inside;
        for (int axis = 0; axis < 3; axis++) {
            wanted[axis] = ((float)at[axis] + (axis == component ? 0.5f : 0.0f)) + scale * along[axis];
        }
        velocity[component] = plain_sample(&place, sim->fields[component].data, wanted, &low, &high, &inside);
    }
}

static void plain_trace(const BrumeSim *sim, const int at[3], float cells_per_mps, float travel[3])
{
    float first[3];
    float second[3];
    float third[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *field = &sim->fields[axis];
        const ptrdiff_t c = brume_field_index(field, at[0], at[1], at[2]);
        first[axis] = 0.5f * (field->data[c] + field->data[c + brume_stride(field, axis)]);
    }
    plain_velocity(sim, at, first, 0.5f * cells_per_mps, second);
    plain_velocity(sim, at, second, 0.75f * cells_per_mps, third);
    for (int axis = 0; axis < 3; axis++) {
        const float sum = (2.0f * first[axis] + 3.0f * second[axis]) + 4.0f * third[axis];
        travel[axis] = sim->def.trace_order == 2 ? cells_per_mps * second[axis] : cells_per_mps / 9.0f * sum;
    }
}

static void assert_trace(const BrumeSim *sim, const BrumeDisplacement *travel, float cells_per_mps)
{
    const BrumeGrid grid = travel->along[0].grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                float expected[3];
                plain_trace(sim, (const int[3]){i, j, k}, cells_per_mps, expected);
                for (int axis = 0; axis < 3; axis++) {
                    assert_true(brume_field_at(&travel->along[axis], i, j, k) == expected[axis]);
                }
            }
        }
    }
}

// where the entry goes by the travel of the centers beside it
static void plain_goal(const BrumeDisplacement *travel, int location, const int at[3], float goal[3])
{
    const BrumeField *any = &travel->along[0];
    const ptrdiff_t c = brume_field_index(any, at[0], at[1], at[2]);
    const ptrdiff_t below = location == BRUME_AT_CENTER ? 0 : brume_stride(any, location);
    for (int axis = 0; axis < 3; axis++) {
        const float *data = travel->along[axis].data + c;
        goal[axis] = (float)at[axis] + 0.5f * (data[0] + data[-below]);
    }
}

// the quantity carried plainly by the scheme of `sim`
static void plain_advect(const BrumeSim *sim, BrumeFieldId id, float keep, BrumeField *result)
{
    const int location = brume_location(id);
    const BrumePlace place = brume_place(sim, location);
    const BrumeGrid carried = brume_carried(sim, location);
    const BrumeField *field = &sim->fields[id];
    BrumeField guess;
    assert_int_equal(brume_field_create(&guess, field->grid, NULL), BRUME_OK);
    for (int pass = 0; pass < (sim->advection->needs_forth ? 2 : 1); pass++) {
        for (int k = 1; k <= carried.nz; k++) {
            for (int j = 1; j <= carried.ny; j++) {
                for (int i = 1; i <= carried.nx; i++) {
                    const int at[3] = {i, j, k};
                    const ptrdiff_t c = brume_field_index(field, i, j, k);
                    float goal[3];
                    float low;
                    float high;
                    float unused;
                    bool inside;
                    plain_goal(&sim->back, location, at, goal);
                    const float value = plain_sample(&place, field->data, goal, &low, &high, &inside);
                    if (pass == 0) {
                        guess.data[c] = value;
                        result->data[c] = keep * value;
                        continue;
                    }
                    plain_goal(&sim->forth, location, at, goal);
                    const float returned = plain_sample(&place, guess.data, goal, &unused, &unused, &inside);
                    const float corrected = guess.data[c] + (inside ? 0.5f : 0.0f) * (field->data[c] - returned);
                    result->data[c] = keep * fminf(fmaxf(corrected, low), high);
                }
            }
        }
        brume_set_boundary(sim, id, &guess);
    }
    brume_field_destroy(&guess);
}

static void assert_same_entries(BrumeGrid carried, const BrumeField *a, const BrumeField *b)
{
    for (int k = 1; k <= carried.nz; k++) {
        for (int j = 1; j <= carried.ny; j++) {
            for (int i = 1; i <= carried.nx; i++) {
                assert_true(brume_field_at(a, i, j, k) == brume_field_at(b, i, j, k));
            }
        }
    }
}

static void assert_advected(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    const int location = brume_location(ids[0]);
    BrumeField expected[BRUME_SCALARS_AT_ONCE];
    for (int n = 0; n < count; n++) {
        assert_int_equal(brume_field_create(&expected[n], sim->fields[ids[n]].grid, NULL), BRUME_OK);
        plain_advect(sim, ids[n], keep[n], &expected[n]);
    }
    sim->advection->advect(sim, ids, keep, count);
    for (int n = 0; n < count; n++) {
        assert_same_entries(brume_carried(sim, location), &sim->fields[ids[n]], &expected[n]);
        brume_field_destroy(&expected[n]);
    }
}

// the traces and the velocity that they carry, from a state whose largest speed is known
static void assert_velocity_advected(BrumeSim *sim, float dt)
{
    const float cells_per_mps = dt / sim->def.dx;
    BrumeField velocity[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *field = &sim->fields[axis];
        assert_int_equal(brume_field_create(&velocity[axis], field->grid, NULL), BRUME_OK);
        memcpy(velocity[axis].data, field->data, brume_grid_entries(field->grid) * sizeof *field->data);
    }
    sim->reach = brume_reach(sim->max_speed * (double)cells_per_mps);
    sim->advection->advect_velocity(sim, cells_per_mps);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&velocity[axis], &sim->fields[axis]); // as it was before
    }
    assert_trace(sim, &sim->back, -cells_per_mps);
    if (sim->advection->needs_forth) {
        assert_trace(sim, &sim->forth, cells_per_mps);
    }
    for (int axis = 0; axis < 3; axis++) {
        BrumeField expected;
        assert_int_equal(brume_field_create(&expected, velocity[axis].grid, NULL), BRUME_OK);
        plain_advect(sim, (BrumeFieldId)axis, 1.0f, &expected);
        assert_same_entries(brume_carried(sim, axis), &velocity[axis], &expected);
        brume_field_destroy(&expected);
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&velocity[axis]);
    }
}

// blocks that are known to hold nothing of the n-th quantity carried last
static int count_clean(const BrumeSim *sim, int n)
{
    const BrumeBlocks blocks = brume_blocks(sim->geometry->cells.grid);
    int count = 0;
    for (size_t b = 0; b < brume_block(&blocks, 0, 0, blocks.nz); b++) {
        count += sim->clean[n][b];
    }
    return count;
}

// a smooth flow, rough in one half of the box, of up to `speed`; smoke in one corner, heat everywhere
static void fill_state(BrumeSim *sim, float speed)
{
    for (int id = 0; id <= BRUME_FIELD_DENSITY; id++) {
        BrumeField *field = &sim->fields[id];
        const BrumeGrid grid = field->grid;
        for (int k = 1; k <= grid.nz + 1; k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (int i = 1; i <= grid.nx + 1; i++) {
                    const ptrdiff_t c = brume_field_index(field, i, j, k);
                    const float noise =
                        2.0f * brume_unit_float(brume_hash_u32((uint32_t)c + 977u * (uint32_t)id)) - 1.0f;
                    const float wave = sinf(0.1f * (float)(i + 2 * j) + 0.2f * (float)(k + id));
                    field->data[c] = id <= BRUME_FIELD_W ? speed * (i > grid.nx / 2 ? noise : wave) : noise;
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
    def.obstacle_count = 1;
    def.obstacles[0].shape = (BrumeShape){BRUME_SHAPE_SPHERE, {0.5f, 0.5f, 0.4f}, {0, 0, 0}, 0.2f};
    return def;
}

// pieces of a row of 8, 8 + 1, 64 + 3 (shorter than a vector) and 2 x 64 + 11 entries; 1 and 3 threads
static void test_kernels_are_their_plain_twins(void **state)
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
            BrumeSim *sim = create(&def);
            fill_state(sim, 3.0f); // at most 6 cells a step
            (void)brume_measure_flow(sim);
            assert_velocity_advected(sim, 0.2f);
            const BrumeFieldId scalars[] = {BRUME_FIELD_TEMPERATURE, BRUME_FIELD_DENSITY};
            assert_advected(sim, scalars, (const float[]){0.75f, 0.9f}, 2);
            assert_int_equal(count_clean(sim, 0), 0); // heat is everywhere
            if (lengths[n / 4] == 139) {              // the third stretch of every tile is far from the smoke, but for
                assert_int_equal(count_clean(sim, 1), n % 2 ? 0 : 3 * 3); // boxes that repeat along x
            }
            brume_sim_destroy(sim);
        }
    }
    brume_set_threads(threads);
}

// a box large enough that most traces stay inside, and slabs of planes for two threads (5 or more each)
static void test_traces_that_stay_inside(void **state)
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
        BrumeSim *sim = create(&def);
        fill_state(sim, 1.2f); // at most 2.4 cells a step
        (void)brume_measure_flow(sim);
        assert_velocity_advected(sim, 0.2f);
        assert_int_equal(sim->reach, 3);
        const BrumeFieldId scalars[] = {BRUME_FIELD_TEMPERATURE, BRUME_FIELD_DENSITY};
        assert_advected(sim, scalars, (const float[]){0.75f, 0.9f}, 2);
        brume_sim_destroy(sim);
    }
    brume_set_threads(threads);
}

// what is not finite is known at once, and never an address
static void test_no_trace_of_what_is_not_finite_is_inside(void **state)
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
        brume_advect_velocity(sim, 0.2f);
        const BrumePlace place = brume_place(sim, BRUME_AT_CENTER);
        assert_true(place.first_inside > place.last_inside[1]);
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_are_their_plain_twins),
        cmocka_unit_test(test_traces_that_stay_inside),
        cmocka_unit_test(test_no_trace_of_what_is_not_finite_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
