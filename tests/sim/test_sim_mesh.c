// Meshes as solids of the simulation: distances, the cells that they cover, and thin and open ones.
#include "core/mesh.h"
#include "core/shape.h"
#include "sim/grid/cells.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/settings/references.h"
#include "sim_support.h"
#include "test_mesh.h"

#include <stdlib.h>

static BrumeSimDef mesh_def(BrumeMesh *mesh, int side)
{
    BrumeSimDef def = box_def(side, side, side, 1.0f / (float)side, BRUME_WALL);
    def.origin = brume_vec3(-0.5f, -0.5f, -0.5f);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = mesh};
    return def;
}

static int solid_cells(const BrumeCells *cells)
{
    int count = 0;
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            for (int i = 1; i <= cells->grid.nx; i++) {
                count += (cells->flags[i + cells->sy * j + cells->sz * k] & BRUME_CELL_SOLID) != 0;
            }
        }
    }
    return count;
}

/** The cells of a torus have its volume, 2 pi^2 R r^2. */
static void test_cells_of_a_torus(void **state)
{
    (void)state;
    enum { SIDE = 64 };
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 96, 48, 0.3f, 0.12f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeSimDef def = mesh_def(mesh, SIDE);
    BrumeCells cells;
    BrumeError error;
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    const double volume = 2.0 * M_PI * M_PI * 0.3 * 0.12 * 0.12;
    const double covered = solid_cells(&cells) / (double)(SIDE * SIDE * SIDE);
    print_message("torus: %.5f of %.5f m^3\n", covered, volume);
    assert_true(fabs(covered / volume - 1.0) < 0.01);
    brume_cells_destroy(&cells);
    brume_mesh_release(mesh);
}

/** Distance, bounds and entry are those of a sphere, up to the distance of the triangles to it. */
static void test_shape_of_a_sphere(void **state)
{
    (void)state;
    const BrumeVec3 at = {0.3f, -0.2f, 0.1f};
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 5, brume_vec3(0.0f, 0.0f, 0.0f), 0.5f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeShape shape = {.kind = BRUME_SHAPE_MESH, .a = at, .mesh = mesh};
    const BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = at, .radius = 0.5f};
    int entries = 0;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(&shape, &lower, &upper);
    assert_true(fabsf(lower.x - -0.2f) < 5e-4f && fabsf(upper.y - 0.3f) < 5e-4f);
    for (uint32_t n = 0; n < 2000; n++) {
        const BrumeVec3 p = test_mesh_point(n, 1, brume_vec3(-1.0f, -1.0f, -1.0f), brume_vec3(1.0f, 1.0f, 1.0f));
        const BrumeVec3 q = test_mesh_point(n, 2, brume_vec3(-1.0f, -1.0f, -1.0f), brume_vec3(1.0f, 1.0f, 1.0f));
        const float exact = brume_shape_distance(&sphere, p);
        const float distance = brume_shape_distance(&shape, p);
        assert_true(fabsf(distance - exact) < 5e-4f);
        const float within = brume_shape_distance_within(&shape, p, 0.1f);
        assert_true(within == (fabsf(distance) <= 0.1f ? distance : copysignf(0.1f, distance)));
        if (exact > 0.01f && brume_shape_distance(&sphere, q) < -0.01f) {
            const float apart = brume_shape_entry(&shape, p, q) - brume_shape_entry(&sphere, p, q);
            assert_true(fabsf(apart) * brume_length(brume_sub(q, p)) < 0.03f); // of ways that graze it
            entries++;
        }
    }
    assert_in_range(entries, 50, 500);
    assert_true(brume_shape_entry(&shape, at, brume_vec3(2.0f, 0.0f, 0.0f)) == 0.0f);
    assert_true(brume_shape_entry(&shape, brume_vec3(2.0f, 0.0f, 0.0f), brume_vec3(1.0f, 0.0f, 0.0f)) > 1.0f);
    const BrumeShape moved = brume_shape_moved(&shape, brume_vec3(1.0f, 0.0f, 0.0f));
    assert_true(moved.mesh == mesh && !brume_shape_equal(&moved, &shape));
    brume_mesh_release(mesh);
}

// `most`: which of two cells is nearer to a plate between them is a matter of rounding
static void expect_same_cells(BrumeMesh *mesh, const BrumeShape *shape, int side, int most)
{
    BrumeSimDef def = mesh_def(mesh, side);
    def.bodies[0].shape.position = shape->position;
    def.bodies[0].shape.rotation = shape->rotation;
    def.bodies[0].shape.scale = shape->scale;
    BrumeCells cells;
    BrumeCells expected;
    BrumeError error;
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    def.bodies[0].shape = *shape;
    assert_int_equal(brume_cells_create(&expected, &def, &error), BRUME_OK);
    assert_in_range(solid_cells(&expected), 1, side * side * side - 1);
    if (!brume_cells_equal(&cells, &expected) && abs(solid_cells(&cells) - solid_cells(&expected)) >= most) {
        fail_msg("%d cells of triangles, %d of the shape", solid_cells(&cells), solid_cells(&expected));
    }
    brume_cells_destroy(&cells);
    brume_cells_destroy(&expected);
}

/** A box of triangles covers the cells of the shape, however it lies; aligned, also where its sides pass through
 * centers of cells; and so does a plate that is thinner than a cell. */
static void test_cells_of_a_box(void **state)
{
    (void)state;
    enum { SIDE = 24, PLACES = 60 };
    const BrumeVec3 halves[3] = {{0.25f, 0.15f, 0.2f}, {0.1875f, 0.1875f, 0.1875f}, {0.3f, 0.3f, 0.008f}};
    for (int n = 0; n < PLACES; n++) {
        const BrumeVec3 half = halves[n % 3];
        TestMesh triangles = {0};
        test_mesh_add_box(&triangles, brume_scale(half, -1.0f), half);
        BrumeMesh *mesh = test_mesh_create(&triangles);
        BrumeShape shape = {.kind = BRUME_SHAPE_BOX, .a = brume_scale(half, -1.0f), .b = half};
        const uint32_t seed = (uint32_t)n;
        if (n % 3 == 2) { // a plate across the box, whose edges are outside
            shape.scale = brume_vec3(4.0f, 4.0f, 1.0f);
        }
        if (n >= 6) {
            const BrumeVec3 turn = {180.0f, 180.0f, 180.0f};
            const BrumeVec3 tilt = {40.0f, 40.0f, 180.0f};
            const BrumeVec3 most = n % 3 == 2 ? tilt : turn;
            const BrumeVec3 by = {0.1f, 0.1f, 0.1f};
            shape.rotation = test_mesh_point(seed, 1, brume_scale(most, -1.0f), most);
            shape.position = test_mesh_point(seed, 2, brume_scale(by, -1.0f), by);
        }
        expect_same_cells(mesh, &shape, SIDE, n % 3 == 2 ? 3 : 0);
        brume_mesh_release(mesh);
    }
}

// whether air gets from the lowest to the highest layer of cells
static bool passes(const BrumeCells *cells)
{
    static bool reached[32 * 32 * 32];
    static int queue[32 * 32 * 32];
    const int n[3] = {cells->grid.nx, cells->grid.ny, cells->grid.nz};
    int count = 0;
    memset(reached, 0, sizeof reached);
    for (int i = 0; i < n[0] * n[2]; i++) {
        queue[count] = i % n[0] + n[0] * n[1] * (i / n[0]);
        reached[queue[count++]] = true;
    }
    for (int at = 0; at < count; at++) {
        const int index[3] = {queue[at] % n[0], queue[at] / n[0] % n[1], queue[at] / n[0] / n[1]};
        if (index[1] == n[1] - 1) {
            return true;
        }
        const uint8_t flags = cells->flags[index[0] + 1 + cells->sy * (index[1] + 1) + cells->sz * (index[2] + 1)];
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2;
            const int step = side % 2 == 0 ? -1 : 1;
            const int stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
            const bool open = (flags & brume_cell_lower(axis) << side % 2) != 0;
            if (open && !reached[queue[at] + step * stride]) {
                reached[queue[at] + step * stride] = true;
                queue[count++] = queue[at] + step * stride;
            }
        }
    }
    return false;
}

/** An open mesh is a wall, however it lies between the centers of cells. */
static void test_open_mesh_is_a_wall(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        const float slope = 0.1f * (float)n;
        const float height = 0.013f * (float)n;
        TestMesh triangles = {0};
        const BrumeVec3 corners[4] = {{-1.0f, height - slope, -1.0f},
                                      {-1.0f, height - 0.5f * slope, 1.0f},
                                      {1.0f, height + slope, 1.0f},
                                      {1.0f, height + 0.5f * slope, -1.0f}};
        test_mesh_add(&triangles, corners[0], corners[1], corners[2]);
        if (n != 3) {
            test_mesh_add(&triangles, corners[0], corners[2], corners[3]);
        }
        BrumeMesh *mesh = test_mesh_create(&triangles);
        const BrumeSimDef def = mesh_def(mesh, 20);
        BrumeCells cells;
        BrumeError error;
        assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
        assert_true(passes(&cells) == (n == 3)); // of which half is missing
        brume_cells_destroy(&cells);
        brume_mesh_release(mesh);
    }
}

static void test_references(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 1, brume_vec3(0.0f, 0.0f, 0.0f), 0.5f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    BrumeSimDef def = mesh_def(mesh, 8);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = def.bodies[0].shape;
    brume_settings_retain(&def);
    brume_mesh_release(mesh);
    assert_true(brume_shape_distance(&def.bodies[0].shape, brume_vec3(0.0f, 0.0f, 0.0f)) < -0.4f);
    brume_settings_release(&def); // the sanitizer of the tests finds a mesh that is left
}

/** A saved state has the triangles; one that is cut off or changed is refused. */
static void test_saved_state(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 16, 8, 0.3f, 0.12f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    BrumeSimDef def = mesh_def(mesh, 16);
    def.gravity = brume_vec3(0.3f, -9.0f, 0.0f);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .a = {0.05f, 0.0f, 0.0f}, .mesh = mesh};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    BrumeSim *sim = NULL;
    BrumeError error;
    if (brume_sim_create(&sim, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_mesh_release(mesh);
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    const size_t size = brume_sim_saved_size(sim);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    BrumeSim *loaded = NULL;
    if (brume_sim_create_saved(&loaded, bytes, size, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    const BrumeMesh *read = brume_sim_settings(loaded)->bodies[0].shape.mesh;
    assert_true(read != mesh && read == brume_sim_settings(loaded)->emitters[0].shape.mesh);
    assert_true(brume_mesh_hash(read) == brume_mesh_hash(mesh));
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    assert_int_equal(brume_sim_frame(loaded, NULL, &error), BRUME_OK);
    assert_true(brume_sim_hash(loaded) == brume_sim_hash(sim));
    assert_int_equal(brume_sim_share_samples(loaded, brume_sim_settings(sim), NULL), BRUME_OK);
    assert_true(brume_sim_settings(loaded)->bodies[0].shape.mesh == mesh);
    assert_true(brume_sim_settings(loaded)->emitters[0].shape.mesh == mesh);
    brume_sim_destroy(loaded);
    for (size_t cut = 1; cut < size; cut += size / 64) {
        assert_int_equal(brume_sim_create_saved(&loaded, bytes, size - cut, &error), BRUME_BAD_INPUT);
    }
    brume_sim_destroy(sim);
    free(bytes);
    def.bodies[0].shape.mesh = def.emitters[0].shape.mesh = NULL;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "'emitter' 0 is a mesh without triangles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_a_torus), cmocka_unit_test(test_shape_of_a_sphere),
        cmocka_unit_test(test_cells_of_a_box),   cmocka_unit_test(test_open_mesh_is_a_wall),
        cmocka_unit_test(test_references),       cmocka_unit_test(test_saved_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
