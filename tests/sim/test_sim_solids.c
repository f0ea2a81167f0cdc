/* Solids thinner than a cell separate the air on their sides; moving ones push smoke and heat, and lose none. */
#include "sim_support.h"

#include "core/field.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sim/transport/transport.h"

// marks the cells that are connected with the cells of the lowest row by open faces
static void mark_connected(const BrumeCells *cells, uint8_t *marks)
{
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    bool grows = true;
    for (int k = 1; k <= grid.nz; k++) {
        for (int i = 1; i <= grid.nx; i++) {
            const ptrdiff_t c = i + cells->sy + cells->sz * k;
            marks[c] = (cells->flags[c] & BRUME_CELL_FLUID) != 0;
        }
    }
    while (grows) {
        grows = false;
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                    for (int axis = 0; marks[c] && axis < 3; axis++) {
                        const uint8_t lower = (uint8_t)brume_cell_lower(axis);
                        const bool below = (cells->flags[c] & lower) && !marks[c - strides[axis]];
                        const bool above = (cells->flags[c] & lower << 1) && !marks[c + strides[axis]];
                        marks[c - strides[axis]] |= below;
                        marks[c + strides[axis]] |= above;
                        grows = grows || below || above;
                    }
                }
            }
        }
    }
}

static float random_between(int n, float from, float to)
{
    return from + (to - from) * brume_unit_float(brume_hash_u32((uint32_t)n));
}

// A disc or a plate of any place, tilt and thickness below a side of a cell, or below half of it where it cuts cells,
// across the whole box: no face leads through.
static void test_thin_solids_separate(void **state)
{
    (void)state;
    enum { N = 12, PLACES = 120 };
    for (int n = 0; n < PLACES; n++) {
        BrumeSimDef def = box_def(N, 2 * N, N, 1.0f / N, BRUME_WALL);
        def.solids = n < PLACES / 2 ? "cells" : "cut";
        const float thickness = n % 3 == 0 ? 1e-6f : random_between(9 * n, 1e-3f, 0.99f) / N;
        const BrumeVec3 center = brume_vec3(0.5f, random_between(9 * n + 1, 0.9f, 1.1f), 0.5f);
        const float tilt = n % 2 == 0 ? 0.0f : 0.35f;
        const BrumeVec3 normal = brume_normalize(
            brume_vec3(random_between(9 * n + 2, -tilt, tilt), 1.0f, random_between(9 * n + 3, -tilt, tilt)));
        const BrumeVec3 half = brume_scale(normal, 0.5f * thickness);
        def.body_count = 1;
        def.bodies[0].shape = (BrumeShape){
            .kind = BRUME_SHAPE_CYLINDER, .a = brume_sub(center, half), .b = brume_add(center, half), .radius = 3.0f};
        if (n % 4 == 0) {
            def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX,
                                               .a = {-1.0f, center.y - half.y, -1.0f},
                                               .b = {2.0f, center.y + half.y, 2.0f},
                                               .radius = 0.0f};
        }
        BrumeSim *sim = create(&def);
        const BrumeCells *cells = &sim->geometry->cells;
        uint8_t *marks = (uint8_t *)sim->scratch[0].data;
        memset(marks, 0, brume_grid_entries(cells->grid));
        mark_connected(cells, marks);
        int solid = 0;
        for (int k = 1; k <= N; k++) {
            for (int i = 1; i <= N; i++) {
                assert_false(marks[i + cells->sy * 2 * N + cells->sz * k]);
                for (int j = 1; j <= 2 * N; j++) {
                    solid += (cells->flags[i + cells->sy * j + cells->sz * k] & BRUME_CELL_SOLID) != 0;
                }
            }
        }
        assert_at_most((double)solid, 2.0 * N * N); // a layer, and its steps
        brume_sim_destroy(sim);
    }
}

// a disc across a box 2 m high
static BrumeSimDef disc_def(float tilt, float thickness)
{
    BrumeSimDef def = box_def(16, 32, 16, 1.0f / 16.0f, BRUME_WALL);
    const BrumeVec3 center = brume_vec3(0.5f, 1.0f, 0.5f);
    const BrumeVec3 half = brume_scale(brume_normalize(brume_vec3(tilt, 1.0f, 0.5f * tilt)), 0.5f * thickness);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_CYLINDER, .a = brume_sub(center, half), .b = brume_add(center, half), .radius = 3.0f};
    def.gravity.y = -9.81f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.3f, 0.5f}, .radius = 0.2f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 80.0f};
    return def;
}

// Hot smoke rises against a plate that is thinner than a cell, with every transport: none passes.
static void test_no_smoke_passes_a_thin_plate(void **state)
{
    (void)state;
    for (int scheme = 0; brume_transport_name(scheme); scheme++) {
        for (int tilted = 0; tilted < 2; tilted++) {
            BrumeSimDef def = disc_def(tilted ? 0.6f : 0.0f, tilted ? 0.04f : 0.004f);
            def.transport = brume_transport_name(scheme);
            BrumeSim *sim = create(&def);
            BrumeError error = {0};
            for (int n = 0; n < 24; n++) {
                assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
            }
            double passed = 0.0;
            double all = 0.0;
            for (int k = 1; k <= def.nz; k++) {
                for (int j = 1; j <= def.ny; j++) {
                    for (int i = 1; i <= def.nx; i++) {
                        const BrumeVec3 center = brume_cell_center(&def, i, j, k);
                        const BrumeVec3 normal = brume_sub(def.bodies[0].shape.b, def.bodies[0].shape.a);
                        const double value = (double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k);
                        all += value;
                        passed += brume_dot(brume_sub(center, def.bodies[0].shape.b), normal) > 0.0f ? value : 0.0;
                    }
                }
            }
            assert_at_least(all, 100.0);
            // traces of several cells may lead from one side to the other, as they do past all solids of one cell
            assert_at_most(passed, brume_transport_is_exact(sim) ? 0.0 : 1e-6 * all);
            brume_sim_destroy(sim);
        }
    }
}

// A plate pushes a ball of smoke and heat through a closed box, thinner than a cell and thicker, by fractions of a cell
// in a step and by several: the totals stay, and so do the ranges.
static void test_moving_plate_pushes_smoke(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++) {
        BrumeSimDef def = box_def(48, 24, 24, 1.0f / 24.0f, BRUME_WALL);
        const float thickness = n % 2 == 0 ? 0.06f : 0.004f;
        def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
        def.tolerance = 1e-5f;
        def.cfl = n < 4 ? 4.0f : 1.0f;
        def.body_count = 1;
        def.bodies[0].shape = (BrumeShape){
            .kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.2f, 0.2f}, .b = {0.2f + thickness, 0.8f, 0.8f}, .radius = 0.0f};
        BrumeSim *sim = create(&def);
        for (int k = 1; k <= def.nz; k++) {
            for (int j = 1; j <= def.ny; j++) {
                for (int i = 1; i <= def.nx; i++) {
                    const BrumeVec3 center = brume_cell_center(&def, i, j, k);
                    if (brume_length(brume_sub(center, brume_vec3(0.8f, 0.5f, 0.5f))) < 0.2f) {
                        const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                        sim->fields[BRUME_FIELD_DENSITY].data[c] = 1.0f;
                        sim->fields[BRUME_FIELD_TEMPERATURE].data[c] = i % 2 == 0 ? 80.0f : -40.0f;
                    }
                }
            }
        }
        brume_set_scalar_ghosts(sim);
        brume_sim_set_budgets(sim, true);
        BrumeMeasures before;
        brume_sim_measure(sim, &before);
        for (int frame = 0; frame < 7; frame++) {
            if (frame < 6) {
                const BrumeVec3 velocity = n % 3 == 1 ? brume_vec3(4.7f, 0.7f, 0.0f) : brume_vec3(5.0f, 0.0f, 0.0f);
                brume_sim_move(sim, 0, brume_scale(velocity, n % 3 == 2 ? 0.3f : 1.0f));
            }
            BrumeError error = {0};
            BrumeMeasures now;
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
            brume_sim_measure(sim, &now);
            for (int scalar = 0; scalar < 2; scalar++) {
                const double total = before.scalars[scalar].total;
                assert_near(now.scalars[scalar].total, total, 1e-5 * total);
                assert_near(now.scalars[scalar].budget.unaccounted, 0.0, 1e-5 * total);
                assert_at_most(now.scalars[scalar].max, before.scalars[scalar].max * 1.001);
                assert_at_least(now.scalars[scalar].min, before.scalars[scalar].min * 1.001);
            }
        }
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_solids_separate),
        cmocka_unit_test(test_no_smoke_passes_a_thin_plate),
        cmocka_unit_test(test_moving_plate_pushes_smoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
