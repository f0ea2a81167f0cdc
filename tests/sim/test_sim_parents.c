/* Bodies and emitters that follow a parent, bodies that air passes through, and the heat that bodies give to the air.
 */
#include "sim_support.h"
#include "test_mesh.h"

#include "brume/objects.h"
#include "core/field.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/settings/settings.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { ARM, HAND, FINGER };

// A hand on an arm, and a finger on the hand, in a closed box of 1 m. The arm is drawn alone.
static BrumeSimDef arm_def(int n)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.body_count = 3;
    def.bodies[ARM] = (BrumeBodyDef){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.08f, .scale = {2, 2, 2}},
        .passable = true};
    def.bodies[HAND] = (BrumeBodyDef){.parent = ARM + 1,
                                      .slip = BRUME_SLIP_NO,
                                      .shape = {.kind = BRUME_SHAPE_BOX,
                                                .a = {0.06f, -0.05f, -0.06f},
                                                .b = {0.14f, 0.05f, 0.06f},
                                                .rotation = {0, 0, 20.0f}}};
    def.bodies[FINGER] = (BrumeBodyDef){
        .parent = HAND + 1,
        .slip = BRUME_SLIP_NO,
        .shape = {.kind = BRUME_SHAPE_CAPSULE, .a = {0.06f, 0, 0}, .b = {0.1f, 0.04f, 0}, .radius = 0.03f}};
    return def;
}

static void start(BrumeSim *sim)
{
    brume_sim_move_and_turn(sim, ARM, brume_vec3(0.1f, 0.0f, -0.05f), brume_vec3(10.0f, 180.0f, 0.0f));
    brume_sim_move_and_turn(sim, HAND, brume_vec3(0.0f, 0.04f, 0.0f), brume_vec3(0.0f, 0.0f, -90.0f));
}

// the place to which the point `own` of the frame of a body comes: through the frames of its parents, one by one
static BrumeVec3 point_in_world(const BrumeSimDef *def, int body, BrumeVec3 own)
{
    const BrumeShapeFrame frame = brume_shape_frame(&def->bodies[body].shape);
    const BrumeVec3 point = brume_frame_point(&frame, own);
    const int parent = def->bodies[body].parent;
    const BrumeVec3 origin = parent > 0 ? brume_shape_frame(&def->bodies[parent - 1].shape).own_pivot : point;
    return parent > 0 ? point_in_world(def, parent - 1, brume_add(origin, point)) : point;
}

// the shape in the world contains the points that the frames of the parents place
static void test_shapes_in_the_world(void **state)
{
    (void)state;
    BrumeSimDef def = arm_def(24);
    def.bodies[ARM].shape.rotation = brume_vec3(15.0f, -200.0f, 90.0f);
    def.bodies[ARM].shape.position = brume_vec3(0.1f, 0.0f, -0.1f);
    def.bodies[HAND].shape.pivot = brume_vec3(-0.1f, 0.0f, 0.02f);
    def.bodies[HAND].shape.rotation = brume_vec3(0.0f, 90.0f, 10.0f); // where Euler angles are not unique
    def.bodies[FINGER].shape.scale = brume_vec3(1.0f, 0.5f, 2.0f);
    for (int body = ARM; body <= FINGER; body++) {
        const BrumeShape shape = brume_body_shape(&def, body);
        const BrumeShapeFrame frame = brume_shape_frame(&shape);
        for (int n = 0; n < 8; n++) {
            const BrumeVec3 own = {0.1f * (float)(n & 1), 0.07f * (float)(n >> 1 & 1), -0.05f * (float)(n >> 2)};
            const BrumeVec3 expected = point_in_world(&def, body, own);
            assert_near((double)brume_length(brume_sub(brume_frame_point(&frame, own), expected)), 0.0, 5e-7);
        }
        const int parent = def.bodies[body].parent;
        if (parent > 0) {
            const BrumeShape outer = brume_body_shape(&def, parent - 1);
            const BrumeShape inner = brume_shape_into(&outer, &shape);
            const BrumeShape again = brume_shape_out_of(&outer, &inner);
            const BrumeShapeFrame frames[2] = {frame, brume_shape_frame(&again)};
            const BrumeVec3 own = {0.3f, -0.2f, 0.1f};
            assert_near(
                (double)brume_length(brume_sub(brume_frame_point(&frames[1], own), brume_frame_point(&frames[0], own))),
                0.0, 5e-7);
        }
    }
}

// The faces of the cells of a body have the velocity with which its points move, here by the difference of two places
// of a point that is fixed in its frame.
static void test_velocity_of_followers(void **state)
{
    (void)state;
    const double dt = 1.0 / 960.0;
    BrumeSimDef def = arm_def(32);
    BrumeSim *sim = create(&def);
    start(sim);
    step(sim, dt, NULL);
    int faces = 0;
    for (int body = HAND; body <= FINGER; body++) {
        const BrumeShape shapes[2] = {brume_body_shape_at(sim, body, 0.5 * dt),
                                      brume_body_shape_at(sim, body, 1.5 * dt)}; // around the end of the step
        const BrumeShapeFrame before = brume_shape_frame(&shapes[0]);
        const BrumeShapeFrame after = brume_shape_frame(&shapes[1]);
        const BrumeShape now = brume_body_shape(&sim->def, body);
        const BrumeShapeFrame frame = brume_shape_frame(&now);
        const BrumeCells *cells = &sim->geometry->cells;
        for (int c = 0; c < 32 * 32 * 32; c++) {
            const int index[3] = {c % 32 + 1, c / 32 % 32 + 1, c / 1024 + 1};
            const ptrdiff_t at = index[0] + cells->sy * index[1] + cells->sz * index[2];
            for (int axis = 0; axis < 3 && cells->body_ids[at] == body + 1; axis++) {
                const float half = 0.5f * def.dx;
                const BrumeVec3 to_face = {axis == 0 ? half : 0.0f, axis == 1 ? half : 0.0f, axis == 2 ? half : 0.0f};
                const BrumeVec3 face = brume_sub(brume_cell_center(&sim->def, index[0], index[1], index[2]), to_face);
                // a motion moves the keys, so the pivot is the origin of what is fixed
                const BrumeVec3 own = brume_sub(brume_frame_own_point(&frame, face), frame.own_pivot);
                const BrumeVec3 way = brume_sub(brume_frame_point(&after, brume_add(own, after.own_pivot)),
                                                brume_frame_point(&before, brume_add(own, before.own_pivot)));
                const uint8_t below = cells->body_ids[at - (axis == 0 ? 1 : axis == 1 ? cells->sy : cells->sz)];
                if (below == 0 || below == body + 1) { // no face between two bodies
                    assert_near((double)sim->fields[axis].data[at], (double)brume_component(way, axis) / dt, 2e-3);
                    faces++;
                }
            }
        }
    }
    assert_at_least((double)faces, 300.0);
    assert_at_least(sim->max_speed, 0.5); // up to pi rad/s at .35 m
    brume_sim_destroy(sim);
}

// a body that follows one that turns moves as if it were a part of it: the same bits as a body with its pivot there
static void test_follower_is_part_of_its_parent(void **state)
{
    (void)state;
    BrumeSimDef def = arm_def(24);
    def.body_count = 2;
    def.bodies[ARM].shape.scale = brume_vec3(1, 1, 1);
    def.bodies[HAND].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.1f, -0.1f, -0.1f}, .b = {0.3f, 0.1f, 0.1f}};
    BrumeSimDef alone = def;
    alone.bodies[HAND] = (BrumeBodyDef){
        .slip = BRUME_SLIP_NO,
        .shape = {
            .kind = BRUME_SHAPE_BOX, .a = {0.6f, 0.4f, 0.4f}, .b = {0.8f, 0.6f, 0.6f}, .pivot = {-0.2f, 0.0f, 0.0f}}};
    BrumeSim *sims[2] = {create(&def), create(&alone)};
    for (int n = 0; n < 2; n++) {
        for (int frame = 0; frame < 3; frame++) {
            BrumeError error = {0};
            brume_sim_move_and_turn(sims[n], n == 0 ? ARM : HAND, brume_vec3(0, 0, 0), brume_vec3(0, 400.0f, 0));
            assert_int_equal(brume_sim_frame(sims[n], NULL, &error), BRUME_OK);
        }
    }
    double largest = 0.0;
    double difference = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        for (int c = 0; c < 24 * 24 * 24; c++) {
            const int index[3] = {c % 24 + 1, c / 24 % 24 + 1, c / 576 + 1};
            const double u = (double)brume_field_at(&sims[0]->fields[axis], index[0], index[1], index[2]);
            const double v = (double)brume_field_at(&sims[1]->fields[axis], index[0], index[1], index[2]);
            largest = fmax(largest, fabs(u));
            difference = fmax(difference, fabs(u - v));
        }
    }
    assert_at_least(largest, 0.5);
    assert_at_most(difference, 2e-3 * largest); // the pressure solve stops at 1e-4
    brume_sim_destroy(sims[0]);
    brume_sim_destroy(sims[1]);
}

static BrumeSimDef emitting_arm(void)
{
    BrumeSimDef def = arm_def(24);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].parent = FINGER + 1;
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.05f, 0.02f, 0.0f}, .radius = 0.02f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 1.0f};
    return def;
}

// the same hash with any number of threads, and continued from a saved state in the middle of a motion
static void test_same_bits(void **state)
{
    (void)state;
    const BrumeSimDef def = emitting_arm();
    const int threads = brume_get_threads();
    uint64_t hashes[2];
    BrumeError error = {0};
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        BrumeSim *sim = create(&def);
        for (int frame = 0; frame < 3; frame++) {
            start(sim);
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        }
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    brume_set_threads(threads);
    assert_true(hashes[0] == hashes[1]);

    BrumeSim *sim = create(&def);
    start(sim);
    step(sim, 1.0 / 72.0, NULL);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeSim *loaded = NULL;
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    BrumeSim *const both[2] = {sim, loaded};
    for (int n = 0; n < 2; n++) {
        step(both[n], 1.0 / 72.0, NULL);
        step(both[n], 1.0 / 48.0, NULL); // the motion ends within it
    }
    assert_true(brume_sim_hash(sim) == brume_sim_hash(loaded));
    assert_true(brume_members_equal(&brume_sim_members, brume_sim_settings(sim), brume_sim_settings(loaded)));
    free(bytes);
    brume_sim_destroy(loaded);
    brume_sim_destroy(sim);
}

// an emitter that follows a body in a step of its whole way emits as much as one at rest, and along the whole arc
static void test_emitter_is_swept(void **state)
{
    (void)state;
    BrumeSimDef def = emitting_arm();
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 24.0f};
    BrumeSim *sim = create(&def);
    brume_sim_move_and_turn(sim, ARM, brume_vec3(0, 0, 0), brume_vec3(0.0f, 24.0f * 180.0f, 0.0f));
    sim->def.min_steps = sim->def.max_steps = 1;
    assert_int_equal(brume_start_motions(sim, 1.0 / 24.0, NULL), BRUME_OK);
    assert_int_equal(brume_emit(sim, 1.0 / 24.0, NULL), BRUME_OK);
    double sum = 0.0;
    double ahead = 0.0;                                        // beside the pivot of the arm, halfway
    const double volume = 4.0 / 3.0 * pi * pow(2.0 * 0.02, 3); // the scale of the arm is 2
    for (int c = 0; c < 24 * 24 * 24; c++) {
        const int index[3] = {c % 24 + 1, c / 24 % 24 + 1, c / 576 + 1};
        const double value = (double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], index[0], index[1], index[2]);
        const BrumeVec3 center = brume_cell_center(&def, index[0], index[1], index[2]);
        sum += value / pow(24.0, 3);
        ahead += fabsf(center.x - 0.5f) < 0.05f && center.z < 0.3f ? value : 0.0;
    }
    assert_near(sum, volume, 0.05 * volume);
    assert_at_least(ahead, 0.01);
    brume_sim_destroy(sim);
}

static void test_refused(void **state)
{
    (void)state;
    BrumeSimDef def = arm_def(8);
    def.bodies[ARM].parent = FINGER + 1;
    expect_refusal(&def, "body 0 follows itself by its parents");
    def.bodies[ARM].parent = 4;
    expect_refusal(&def, "the parent of 'body' 0 is body 3, but there are 3");
    def.bodies[ARM].parent = 0;
    def.bodies[HAND].shape.scale = brume_vec3(1.0f, 2.0f, 1.0f);
    expect_refusal(&def, "the parent of 'body' 2, body 1, has the unequal factors of scale 1, 2 and 1");
    def.bodies[FINGER].parent = 0;
    def.thermal_diffusivity = 1.0f;
    def.bodies[HAND].fixed_temperature = true;
    def.bodies[HAND].heat_flux = 1.0f;
    expect_refusal(&def, "'body' 1 has both a temperature and a heat flux");
}

// what follows a removed body stays where it is
static void test_removed_parent(void **state)
{
    (void)state;
    BrumeSimDef def = emitting_arm();
    def.bodies[ARM].shape.rotation = brume_vec3(0.0f, 40.0f, 0.0f);
    BrumeSim *sim = create(&def);
    BrumeError error = {0};
    const BrumeShape hand = brume_body_shape(&def, HAND);
    const BrumeShape emitter = brume_emitter_shape(&def, 0);
    assert_int_equal(brume_sim_remove_body(sim, brume_sim_body_id(sim, ARM), &error), BRUME_OK);
    const BrumeSimDef *now = brume_sim_settings(sim);
    const BrumeShape shapes[2] = {brume_body_shape(now, 0), brume_emitter_shape(now, 0)};
    assert_int_equal(now->bodies[0].parent, 0);
    assert_int_equal(now->bodies[1].parent, 1);
    assert_true(brume_shape_equal(&shapes[0], &hand));
    assert_near((double)brume_length(brume_sub(brume_shape_center(&shapes[1]), brume_shape_center(&emitter))), 0.0,
                1e-6);
    brume_sim_destroy(sim);
}

// air passes through a body that does not collide as if it were not there, at rest and moving
static void test_passable(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .radius = 0.15f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 50.0f};
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        def.body_count = n;
        def.bodies[0] = (BrumeBodyDef){
            .shape = {.kind = BRUME_SHAPE_BOX, .a = {0.3f, 0.5f, 0.3f}, .b = {0.7f, 0.6f, 0.7f}}, .passable = true};
        assert_false(brume_has_bodies(&def));
        BrumeSim *sim = create(&def);
        for (int frame = 0; frame < 3; frame++) {
            BrumeError error = {0};
            if (n == 1) {
                brume_sim_move_and_turn(sim, 0, brume_vec3(0.0f, 1.0f, 0.0f), brume_vec3(0.0f, 0.0f, 90.0f));
            }
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        }
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

// the heat that a body has given to the air after `seconds`, over its heat flux [K m^3 / (K m/s)]
static double emitted_heat(const BrumeShape *shape, const char *solids, float diffusivity, double seconds)
{
    BrumeSimDef def = box_def(32, 32, 32, 1.0f / 32.0f, BRUME_WALL);
    def.solids = solids;
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.thermal_diffusivity = diffusivity;
    def.body_count = 1;
    def.bodies[0] = (BrumeBodyDef){.shape = *shape, .heat_flux = 2.0f};
    BrumeSim *sim = create(&def);
    brume_sim_set_budgets(sim, true);
    for (int n = 0; n < 2; n++) {
        step(sim, 0.5 * seconds, NULL);
    }
    double sum = 0.0;
    for (int c = 0; c < 32 * 32 * 32; c++) {
        const int index[3] = {c % 32 + 1, c / 32 % 32 + 1, c / 1024 + 1};
        const ptrdiff_t at = brume_field_index(&sim->fields[0], index[0], index[1], index[2]);
        if (sim->geometry->cells.flags[at] & BRUME_CELL_FLUID) {
            sum += (double)sim->fields[BRUME_FIELD_TEMPERATURE].data[at] / pow(32.0, 3);
        }
    }
    BrumeMeasures measures;
    brume_sim_measure(sim, &measures);
    assert_near(measures.scalars[0].budget.unaccounted, 0.0, 1e-5 * sum);
    brume_sim_destroy(sim);
    return sum / 2.0;
}

// heat flux times area times time
static void test_heat_flux(void **state)
{
    (void)state;
    const BrumeShape box = {.kind = BRUME_SHAPE_BOX, .a = {0.25f, 0.25f, 0.375f}, .b = {0.75f, 0.5f, 0.75f}};
    const double area = 2.0 * (0.5 * 0.25 + 0.25 * 0.375 + 0.5 * 0.375);
    assert_near(emitted_heat(&box, "cells", 0.0f, 0.01), 0.01 * area, 0.01 * 1e-5 * area);
    BrumeShape turned = box;
    turned.rotation = brume_vec3(20.0f, 45.0f, 10.0f);
    assert_near(emitted_heat(&turned, "cells", 1e-4f, 0.01), 0.01 * area, 0.01 * 0.05 * area);
    const BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.3f};
    const double sphere_area = 4.0 * pi * 0.3 * 0.3;
    assert_near(emitted_heat(&sphere, "cells", 0.0f, 0.01), 0.01 * sphere_area, 0.01 * 0.03 * sphere_area);
    assert_near(emitted_heat(&sphere, "cells", 0.1f, 0.01), 0.01 * sphere_area, 0.01 * 0.03 * sphere_area);
}

static double area_of(const TestMesh *mesh)
{
    double sum = 0.0;
    for (int n = 0; n < mesh->count; n++) {
        const BrumeVec3 *corners = mesh->triangles[n];
        sum += 0.5 *
               (double)brume_length(brume_cross(brume_sub(corners[1], corners[0]), brume_sub(corners[2], corners[0])));
    }
    return sum;
}

// the heat that a body gives to cut cells is its heat flux times its area, within a part `most`
static void expect_heat_of_area(const BrumeShape *shape, double area, double most)
{
    assert_near(emitted_heat(shape, "cut", 1e-4f, 0.01), 0.01 * area, 0.01 * most * area);
}

// the same of bodies that cut cells: round, with edges, turned, thinner than a cell
static void test_heat_flux_of_cut_cells(void **state)
{
    (void)state;
    const BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.51f, 0.5f}, .radius = 0.3f};
    expect_heat_of_area(&sphere, 4.0 * pi * 0.3 * 0.3, 0.01);
    const BrumeVec3 rotations[] = {{0.0f, 0.0f, 0.0f}, {0.0f, 20.0f, 0.0f}, {20.0f, 45.0f, 10.0f}};
    const double thicknesses[] = {0.3, 0.06, 0.045, 0.03, 0.015}; // of a cell of 0.03125
    const double errors[] = {0.03, 0.03, 0.06, 0.06, 0.11};       // below half a cell, the sides are as high as cells
    for (int n = 0; n < 5; n++) {
        for (int turn = 0; turn < 3; turn++) {
            for (int shift = 0; shift < 2; shift++) { // the middle is on the faces of cells, and in their centers
                const float middle = 0.5f + 0.5f * (float)shift / 32.0f;
                const float half = 0.5f * (float)thicknesses[n];
                const BrumeShape box = {.kind = BRUME_SHAPE_BOX,
                                        .a = {0.2f, middle - half, 0.22f},
                                        .b = {0.8f, middle + half, 0.78f},
                                        .rotation = rotations[turn]};
                expect_heat_of_area(&box, 2.0 * (0.6 * 0.56 + thicknesses[n] * (0.6 + 0.56)), errors[n]);
            }
        }
    }
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 48, 24, 0.25f, 0.12f);
    const double area = area_of(&triangles);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeShape ring = {.kind = BRUME_SHAPE_MESH, .a = {0.5f, 0.5f, 0.5f}, .mesh = mesh};
    expect_heat_of_area(&ring, area, 0.03);
    brume_mesh_release(mesh);
}

// a ball in a box of 32 cells, and an emitter around it
static BrumeSimDef shell_def(float thickness)
{
    BrumeSimDef def = box_def(32, 32, 32, 1.0f / 32.0f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.body_count = 1;
    def.bodies[0] = (BrumeBodyDef){.shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.2f},
                                   .passable = true};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].body = 1;
    def.emitters[0].from = BRUME_EMIT_SURFACE;
    def.emitters[0].thickness = thickness;
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 10.0f};
    return def;
}

// a shell emits its volume, also where it is thinner than a cell
static void test_shell_of_a_body(void **state)
{
    (void)state;
    const float thicknesses[] = {0.1f, 0.04f, 0.01f};
    for (int n = 0; n < 3; n++) {
        const BrumeSimDef def = shell_def(thicknesses[n]);
        BrumeSim *sim = create(&def);
        assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
        const double volume = 4.0 / 3.0 * pi * (pow(0.2 + (double)thicknesses[n], 3) - pow(0.2, 3));
        assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) / pow(32.0, 3), volume, 0.02 * volume);
        const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
        assert_near((double)brume_field_at(density, 16, 16, 16), 0.0, 0.0);
        assert_near((double)brume_field_at(density, 3, 16, 16), 0.0, 0.0);
        brume_sim_destroy(sim);
    }
}

// a mesh with a hole, but with an inside, has the shell of a closed one: air does not enter it
static void test_shell_of_a_mesh_with_a_hole(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 4, brume_vec3(0.0f, 0.0f, 0.0f), 0.2f);
    triangles.count--;
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_true(!brume_mesh_info(mesh)->closed && brume_mesh_info(mesh)->solid);
    BrumeSimDef def = shell_def(0.1f);
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .a = {0.5f, 0.5f, 0.5f}, .mesh = mesh};
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    const double volume = 4.0 / 3.0 * pi * (pow(0.3, 3) - pow(0.2, 3));
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) / pow(32.0, 3), volume, 0.02 * volume);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 16, 16, 16), 0.0, 0.0);
    brume_sim_destroy(sim);
    brume_mesh_release(mesh);
}

// the air in the shell has half of the velocity of the surface, that of a ball that moves and turns, and flows outwards
static void test_velocity_of_a_shell(void **state)
{
    (void)state;
    BrumeSimDef def = shell_def(0.15f);
    def.emitters[0].velocity.mode = BRUME_SOURCE_SET;
    def.emitters[0].source_velocity = 0.5f;
    def.emitters[0].normal_velocity = 0.7f;
    BrumeSim *sim = create(&def);
    const double dt = 1e-3;
    brume_sim_move_and_turn(sim, 0, brume_vec3(0.4f, 0.0f, 0.0f), brume_vec3(0.0f, 0.0f, 180.0f));
    assert_int_equal(brume_start_motions(sim, dt, NULL), BRUME_OK);
    assert_int_equal(brume_emit(sim, dt, NULL), BRUME_OK);
    int faces = 0;
    for (int c = 0; c < 32 * 32 * 32; c++) {
        const int i = c % 32 + 1;
        const int j = c / 32 % 32 + 1;
        const int k = c / 1024 + 1;
        const BrumeVec3 r = brume_sub(brume_cell_center(&def, i, j, k), brume_vec3(0.5f + 0.5f * def.dx, 0.5f, 0.5f));
        const double distance = (double)brume_length(r); // of the lower x face
        if (distance > 0.25 && distance < 0.31) {        // a cell from the edges of the shell
            const double expected = 0.5 * (0.4 - pi * (double)r.y) + 0.7 * (double)r.x / distance;
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], i, j, k), expected, 3e-3);
            faces++;
        }
    }
    assert_at_least((double)faces, 500.0);
    brume_sim_destroy(sim);
}

// the smoke around a mesh has the colors of its surface: a square that is red on one half and blue on the other
static void test_colors_of_a_mesh(void **state)
{
    (void)state;
    const BrumeVec3 positions[6] = {{0.2f, 0.5f, 0.2f}, {0.5f, 0.5f, 0.2f}, {0.8f, 0.5f, 0.2f},
                                    {0.2f, 0.5f, 0.8f}, {0.5f, 0.5f, 0.8f}, {0.8f, 0.5f, 0.8f}};
    const int corners[12] = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5};
    BrumeVec3 colors[12];
    for (int n = 0; n < 12; n++) {
        colors[n] = n < 6 ? brume_vec3(1.0f, 0.0f, 0.0f) : brume_vec3(0.0f, 0.0f, 0.5f);
    }
    const BrumeMeshDef mesh_def = {
        .vertex_count = 6, .positions = positions, .triangle_count = 4, .corners = corners, .colors = colors};
    BrumeMesh *mesh = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_mesh_create(&mesh, &mesh_def, &error), BRUME_OK);
    BrumeSimDef def = shell_def(0.1f);
    def.body_count = 0;
    def.color_count = 3;
    def.emitters[0].body = 0;
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = mesh};
    def.emitters[0].mesh_color = true;
    for (int kind = 0; kind < 4; kind++) {
        def.emitters[0].smoke[kind] = (BrumeSource){BRUME_SOURCE_RATE, 10.0f};
    }
    BrumeSim *sim = create(&def);
    brume_mesh_release(mesh);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    for (int side = -1; side <= 1; side += 2) { // an open mesh emits on both sides
        const int j = 16 + side;
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_1], 11, j, 16), 1.0, 1e-6);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_3], 11, j, 16), 0.0, 0.0);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_3], 22, j, 16), 0.5, 1e-6);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_1], 22, j, 16), 0.0, 0.0);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 11, j, 16), 0.2126, 1e-6);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 22, j, 16), 0.0361, 1e-6);
    }
    assert_near(sum_of(&sim->fields[BRUME_FIELD_COLOR_2]), 0.0, 0.0);
    // a saved state has the colors, on which the next steps depend
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeSim *loaded = NULL;
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    step(sim, 0.01, NULL);
    step(loaded, 0.01, NULL);
    assert_true(brume_sim_hash(sim) == brume_sim_hash(loaded));
    free(bytes);
    brume_sim_destroy(loaded);
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.1f};
    expect_refusal(&def, "'emitter' 0: 'mesh_color' needs the shape 'mesh'");
    brume_sim_destroy(sim);
}

// three vertices far apart, with colors, and a texture whose left half is 1/4 and whose right half is 1
static BrumeMesh *three_vertices(bool textured)
{
    const BrumeVec3 positions[3] = {{0.25f, 0.31f, 0.28f}, {0.77f, 0.27f, 0.52f}, {0.51f, 0.73f, 0.71f}};
    const BrumeVec3 colors[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.5f}};
    const int corners[3] = {0, 1, 2};
    const float uvs[6] = {0.25f, 0.5f, 0.25f, 0.5f, 0.75f, 0.5f};
    const int texture_of = 0;
    const BrumeTextureDef picture = {.width = 2, .height = 1, .frames = 1};
    const float rgb[6] = {0.25f, 0.25f, 0.25f, 1.0f, 1.0f, 1.0f};
    BrumeTexture *texture = NULL;
    assert_int_equal(brume_texture_create(&texture, &picture, NULL), BRUME_OK);
    brume_texture_fill(texture, 0, rgb);
    const BrumeTexture *const textures[] = {texture};
    const BrumeMeshDef def = {.vertex_count = 3,
                              .positions = positions,
                              .triangle_count = 1,
                              .corners = corners,
                              .uvs = uvs,
                              .colors = colors,
                              .texture_count = 1,
                              .textures = textured ? textures : NULL,
                              .texture_of = textured ? &texture_of : NULL};
    BrumeMesh *mesh = NULL;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    brume_texture_release(texture);
    return mesh;
}

static BrumeSimDef vertices_def(BrumeMesh *mesh, float radius)
{
    BrumeSimDef def = shell_def(radius);
    def.body_count = 0;
    def.color_count = 3;
    def.emitters[0].body = 0;
    def.emitters[0].from = BRUME_EMIT_VERTICES;
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = mesh};
    def.emitters[0].mesh_color = true;
    for (int kind = 0; kind < 4; kind++) {
        def.emitters[0].smoke[kind] = (BrumeSource){BRUME_SOURCE_RATE, 10.0f};
    }
    return def;
}

static double amount_of(const BrumeSim *sim, int kind)
{
    return sum_of(&sim->fields[BRUME_FIELD_DENSITY + kind]) / pow(32.0, 3);
}

// each vertex emits the volume of its ball in its color, however small it is, and whatever the steps are
static void test_vertices(void **state)
{
    (void)state;
    static const float radii[] = {0.15f, 0.07f, 0.045f, 0.01f};
    BrumeMesh *mesh = three_vertices(false);
    for (int n = 0; n < 4; n++) {
        const BrumeSimDef def = vertices_def(mesh, radii[n]);
        const double ball = 4.0 / 3.0 * pi * pow((double)radii[n], 3);
        for (int steps = 1; steps <= 3; steps += 2) {
            BrumeSim *sim = create(&def);
            for (int step = 0; step < steps; step++) {
                assert_int_equal(brume_emit(sim, 0.1 / steps, NULL), BRUME_OK);
            }
            assert_near(amount_of(sim, 1), ball, 0.01 * ball);
            assert_near(amount_of(sim, 2), ball, 0.01 * ball);
            assert_near(amount_of(sim, 3), 0.5 * ball, 0.005 * ball);
            assert_near(amount_of(sim, 0), (0.2126 + 0.7152 + 0.0361) * ball, 0.01 * ball);
            brume_sim_destroy(sim);
        }
    }
    // the ball of a vertex has its color alone, and nothing is between them
    BrumeSimDef def = vertices_def(mesh, 0.15f);
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_1], 9, 10, 9), 1.0, 1e-6);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_2], 9, 10, 9), 0.0, 0.0);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_3], 17, 24, 23), 0.5, 1e-6);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 16, 16, 16), 0.0, 0.0);
    brume_sim_destroy(sim);
    // scaled, the vertices are farther apart and their balls are not larger
    def.emitters[0].shape.scale = brume_vec3(1.2f, 1.2f, 1.2f);
    sim = create(&def);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    const double ball = 4.0 / 3.0 * pi * pow(0.15, 3);
    assert_near(amount_of(sim, 1), ball, 0.01 * ball);
    brume_sim_destroy(sim);
    brume_mesh_release(mesh);
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.1f};
    def.emitters[0].mesh_color = false;
    expect_refusal(&def, "'emitter' 0: 'emit_from: vertices' needs the shape 'mesh'");
}

// the texture of a mesh multiplies the colors of its vertices, also after the simulation was saved
static void test_texture_at_vertices(void **state)
{
    (void)state;
    BrumeMesh *mesh = three_vertices(true);
    const BrumeSimDef def = vertices_def(mesh, 0.1f);
    const double ball = 4.0 / 3.0 * pi * pow(0.1, 3);
    BrumeSim *sim = create(&def);
    brume_mesh_release(mesh);
    BrumeError error;
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeSim *loaded = NULL;
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    free(bytes);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    assert_int_equal(brume_emit(loaded, 0.1, NULL), BRUME_OK);
    assert_near(amount_of(sim, 1), 0.25 * ball, 0.0025 * ball);
    assert_near(amount_of(sim, 2), 0.25 * ball, 0.0025 * ball);
    assert_near(amount_of(sim, 3), 0.5 * ball, 0.005 * ball);
    for (int kind = 0; kind < 4; kind++) {
        assert_true(amount_of(loaded, kind) == amount_of(sim, kind));
    }
    brume_sim_destroy(loaded);
    brume_sim_destroy(sim);
}

// an emitter from a picture of squares that are finer than the cells emits their mean
static void test_picture_is_averaged(void **state)
{
    (void)state;
    float values[32 * 32];
    for (int n = 0; n < 32 * 32; n++) {
        values[n] = (n % 32 + n / 32) % 2 == 0 ? 1.0f : 0.0f;
    }
    const BrumeSamplesDef samples_def = {.nx = 32, .ny = 32, .nz = 1, .spacing = 1.0, .values = values};
    BrumeSamples *samples = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_samples_create(&samples, &samples_def, &error), BRUME_OK);
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_WALL);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 10.0f};
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_VOLUME, .b = {1.0f, 1.0f, 0.25f}, .samples = samples, .threshold = 1.0f};
    BrumeSim *sim = create(&def);
    brume_samples_release(samples);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    for (int n = 0; n < 36; n++) { // all but the cells at the sides
        const int at[2] = {n % 6 + 2, n / 6 + 2};
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], at[0], at[1], 1), 0.5, 1e-6);
    }
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_in_the_world),
        cmocka_unit_test(test_velocity_of_followers),
        cmocka_unit_test(test_follower_is_part_of_its_parent),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_emitter_is_swept),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_removed_parent),
        cmocka_unit_test(test_passable),
        cmocka_unit_test(test_heat_flux),
        cmocka_unit_test(test_heat_flux_of_cut_cells),
        cmocka_unit_test(test_shell_of_a_body),
        cmocka_unit_test(test_shell_of_a_mesh_with_a_hole),
        cmocka_unit_test(test_velocity_of_a_shell),
        cmocka_unit_test(test_colors_of_a_mesh),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_texture_at_vertices),
        cmocka_unit_test(test_picture_is_averaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
