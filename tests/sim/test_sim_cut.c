/*
 * The projection with cut cells: the Hodge decomposition of a known field between two circles and between two spheres,
 * at rest and moving, as in Ng, Min, Gibou 2009. BRUME_VERBOSE=1 prints the errors, on finer grids too.
 */
#include "core/field.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cut_cells.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"
#include "test_mesh.h"

#include <stdlib.h>

static const double inner_radius = 0.17; // [m]
static const double outer_radius = 0.44;
static const double middle[3] = {0.503, 0.497, 0.501};
static const double speed[3] = {0.7, -0.4, 0.3}; // of moving walls [m/s]

// a box of side 1 with n cells along x and y; the walls are circles if it is one cell thick, else spheres
typedef struct Shell {
    int n;
    bool flat, moving;
} Shell;

static void from_middle(const Shell *shell, const double at[3], double x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = shell->flat && axis == 2 ? 0.0 : at[axis] - middle[axis];
    }
}

static double distance_to_walls(const Shell *shell, const double at[3])
{
    double x[3];
    from_middle(shell, at, x);
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    return fmin(r - inner_radius, outer_radius - r);
}

/*
 * A velocity free of divergence that follows the walls: grad psi x e with psi = (r^2 - a^2) (r^2 - b^2) c(x), which is
 * 0 on both walls, and the velocity of the walls.
 */
static double exact_velocity(const Shell *shell, int axis, const double at[3])
{
    double x[3];
    from_middle(shell, at, x);
    const double q = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const double a = inner_radius * inner_radius;
    const double b = outer_radius * outer_radius;
    const double g = (q - a) * (q - b);
    const double slope = 2.0 * q - a - b; // of g by q
    const double c = 1.0 + 1.5 * x[0] + 2.0 * x[0] * x[1] - x[2];
    const double c_slope[3] = {1.5 + 2.0 * x[1], 2.0 * x[0], -1.0};
    const double flat[3] = {0.0, 0.0, 20.0};
    const double tilted[3] = {7.0, 14.0, 14.0};
    const double *e = shell->flat ? flat : tilted;
    const int first = (axis + 1) % 3;
    const int second = (axis + 2) % 3;
    const double along_first = 2.0 * x[first] * slope * c + g * c_slope[first];
    const double along_second = 2.0 * x[second] * slope * c + g * c_slope[second];
    const double wall = shell->moving && !(shell->flat && axis == 2) ? speed[axis] : 0.0;
    return along_first * e[second] - along_second * e[first] + wall;
}

// the gradient of the potential that the projection must remove
static double potential_slope(const Shell *shell, int axis, const double at[3])
{
    double x[3];
    from_middle(shell, at, x);
    const double wave = 3.0 * x[0] + 2.0 * x[2] + 1.0;
    const double height = 0.2 * exp(2.0 * x[1]);
    return axis == 0     ? 3.0 * height * cos(wave)
           : axis == 1   ? 2.0 * height * sin(wave)
           : shell->flat ? 0.0
                         : 2.0 * height * cos(wave);
}

typedef struct Component {
    const Shell *shell;
    int axis;
} Component;

static double given_velocity(double x, double y, double z, const void *context)
{
    const Component *component = context;
    const double at[3] = {x, y, z};
    return exact_velocity(component->shell, component->axis, at) +
           potential_slope(component->shell, component->axis, at);
}

// a simulation whose cells the walls cut
static BrumeSim *create_shell(const Shell *shell)
{
    BrumeSimDef def = box_def(shell->n, shell->n, shell->flat ? 1 : shell->n, 1.0f / (float)shell->n, BRUME_WALL);
    if (shell->flat) {
        def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    }
    def.pressure = "mgpcg";
    def.tolerance = 2e-4f; // rounding of a smooth pressure leaves 1.3e-4 with 512 cells
    def.max_iterations = 40;
    def.body_count = 1; // the distance takes the place of its shape
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.5f, 0.5f, 0.5f), .radius = 1.0f};
    def.bodies[0].disabled = true;
    BrumeSim *sim = create(&def);
    BrumeField distance;
    BrumeCells cells;
    BrumeError error;
    assert_int_equal(brume_field_create(&distance, sim->fields[0].grid, &error), BRUME_OK);
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    const BrumeGrid grid = distance.grid;
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                const double at[3] = {(i - 1.0) / shell->n, (j - 1.0) / shell->n, (k - 1.0) / shell->n};
                distance.data[brume_field_index(&distance, i, j, k)] = (float)distance_to_walls(shell, at);
            }
        }
    }
    assert_int_equal(brume_cells_cut_at(&cells, &distance, &error), BRUME_OK);
    brume_geometry_destroy(sim->geometry);
    assert_int_equal(brume_geometry_from_cells(&sim->geometry, &cells, &def, NULL, &error), BRUME_OK);
    brume_field_destroy(&distance);
    for (int axis = 0; axis < 3; axis++) {
        const Component component = {shell, axis};
        set_entries(sim, (BrumeFieldId)axis, &sim->fields[axis], given_velocity, &component);
    }
    if (shell->moving) {
        sim->surface_velocity[0].velocity =
            brume_vec3((float)speed[0], (float)speed[1], shell->flat ? 0.0f : (float)speed[2]);
    }
    brume_set_velocity_boundary(sim);
    return sim;
}

typedef struct Errors {
    double mean, largest;
} Errors;

// of the velocity on all open faces
static Errors measure_errors(const BrumeSim *sim, const Shell *shell)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeGrid grid = cells->grid;
    Errors errors = {0};
    double faces = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                for (int axis = 0; axis < (shell->flat ? 2 : 3); axis++) {
                    if (!(cells->flags[c] & brume_cell_lower(axis))) {
                        continue;
                    }
                    const double at[3] = {(i - (axis == 0 ? 1.0 : 0.5)) / shell->n,
                                          (j - (axis == 1 ? 1.0 : 0.5)) / shell->n,
                                          (k - (axis == 2 ? 1.0 : 0.5)) / shell->n};
                    const double error = fabs((double)sim->fields[axis].data[c] - exact_velocity(shell, axis, at));
                    errors.mean += error;
                    errors.largest = fmax(errors.largest, error);
                    faces += 1.0;
                }
            }
        }
    }
    errors.mean /= faces;
    return errors;
}

static Errors project_shell(const Shell *shell)
{
    BrumeSim *sim = create_shell(shell);
    const double before = brume_measure_flow(sim);
    const BrumePressureResult result = brume_project(sim, 1.0f);
    assert_true(result.converged);
    assert_at_most(sim->divergence, 1e-3 * before);
    const Errors errors = measure_errors(sim, shell);
    brume_sim_destroy(sim);
    return errors;
}

static void check_orders(const char *name, Shell shell, const int first, const int last, const int finest)
{
    Errors coarse = {0};
    Errors former = {0};
    for (int n = first; n <= (getenv("BRUME_VERBOSE") ? finest : last); n *= 2) {
        shell.n = n;
        const Errors errors = project_shell(&shell);
        coarse = n == first ? errors : coarse;
        if (getenv("BRUME_VERBOSE")) {
            print_message("%-18s %4d: mean %.3e (order %.2f), largest %.3e (order %.2f)\n", name, n, errors.mean,
                          log2(former.mean / errors.mean), errors.largest, log2(former.largest / errors.largest));
        }
        if (n == last) {
            const double doublings = log2((double)last / first);
            assert_at_least(log2(coarse.mean / errors.mean) / doublings, 1.8);
            assert_at_least(log2(coarse.largest / errors.largest) / doublings, 0.9);
        }
        former = errors;
    }
}

static void test_circles(void **state)
{
    (void)state;
    check_orders("circles", (Shell){.flat = true}, 32, 256, 512);
    check_orders("moving circles", (Shell){.flat = true, .moving = true}, 32, 256, 512);
}

static void test_spheres(void **state)
{
    (void)state;
    check_orders("spheres", (Shell){0}, 16, 64, 128);
    check_orders("moving spheres", (Shell){.moving = true}, 16, 64, 128);
}

static void test_any_thread_count_gives_the_same_bits(void **state)
{
    (void)state;
    const Shell shell = {.n = 40, .moving = true};
    BrumeSim *sims[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        sims[n] = create_shell(&shell);
        (void)brume_project(sims[n], 0.1f);
    }
    brume_set_threads(1);
    assert_near(sims[0]->divergence, sims[1]->divergence, 0.0);
    for (int id = 0; id <= BRUME_FIELD_PRESSURE; id++) {
        if (!sims[0]->fields[id].data) {
            continue;
        }
        assert_memory_equal(sims[0]->fields[id].data, sims[1]->fields[id].data,
                            brume_grid_entries(sims[0]->fields[id].grid) * sizeof(float));
    }
    brume_sim_destroy(sims[0]);
    brume_sim_destroy(sims[1]);
}

// cells of a box with two balls, whose lower ends along x are at .08 m and `second` [m]
static BrumeCells two_balls(float second, bool cut)
{
    BrumeSimDef def = box_def(24, 24, 24, 1.0f / 24.0f, BRUME_WALL);
    def.body_count = 2;
    for (int n = 0; n < 2; n++) {
        const float x = (n == 0 ? 0.08f : second) + 0.2f;
        def.bodies[n].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(x, 0.5f, 0.47f), .radius = 0.2f};
    }
    BrumeCells cells;
    BrumeError error;
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    if (cut) {
        assert_int_equal(brume_cells_cut(&cells, &def, &error), BRUME_OK);
    }
    return cells;
}

static void test_bodies_cut_cells(void **state)
{
    (void)state;
    BrumeCells cells = two_balls(0.52f, true);
    const BrumeGrid grid = cells.grid;
    double closed = 0.0; // [m^3]
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(&cells.fractions->volume, i, j, k);
                const float volume = cells.fractions->volume.data[c];
                closed += (1.0 - (double)volume) / (24.0 * 24.0 * 24.0);
                assert_int_equal(cells.wall_ids[c], volume == 1.0f ? 0 : i <= 12 ? 1 : 2);
                assert_int_equal(cells.body_ids[c], volume > 0.0f ? 0 : cells.wall_ids[c]);
                assert_int_equal(cells.flags[c] & BRUME_CELL_SOLID, volume > 0.0f ? 0 : BRUME_CELL_SOLID);
            }
        }
    }
    const double exact = 2.0 * 4.0 / 3.0 * 3.14159265 * 0.2 * 0.2 * 0.2;
    assert_near(closed, exact, 0.03 * exact);
    BrumeCells others[] = {two_balls(0.52f, true), two_balls(0.521f, true), two_balls(0.52f, false)};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(brume_cells_equal(&cells, &others[n]), n == 0);
        assert_int_equal(brume_cells_equal(&others[n], &cells), n == 0);
        brume_cells_destroy(&others[n]);
    }
    brume_cells_destroy(&cells);
}

// A cell at a corner of a periodic box: its faces on the sides are closed on the opposite sides too, whose cells are in
// cut rows then.
static void test_cell_closed_at_periodic_sides(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(8, 9, 10);
    const int last[3] = {8, 9, 10};
    for (int end = 0; end < 2; end++) {
        BrumeField distance;
        BrumeFractions fractions;
        BrumeError error;
        assert_int_equal(brume_field_create(&distance, grid, &error), BRUME_OK);
        brume_field_fill(&distance, 1.0f);
        const bool periodic[3] = {true, true, true};
        assert_int_equal(brume_fractions_create(&fractions, &distance, periodic, BRUME_LEAST_FRACTION, &error),
                         BRUME_OK);
        assert_false(brume_fractions_row_is_cut(&fractions, 1, 1));
        int at[3] = {1, 1, 1};
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = end == 0 ? 1 : last[axis];
        }
        brume_fractions_close_cell(&fractions, at[0], at[1], at[2]);
        for (int axis = 0; axis < 3; axis++) {
            const BrumeField *face = &fractions.face[axis];
            int other[3] = {at[0], at[1], at[2]};
            for (int place = 1; place <= last[axis] + 1; place++) {
                other[axis] = place;
                const bool closed =
                    place == at[axis] || place == at[axis] + 1 || place == (end == 0 ? last[axis] + 1 : 1);
                const float open = face->data[brume_field_index(face, other[0], other[1], other[2])];
                assert_true(open == (closed ? 0.0f : 1.0f));
            }
            other[axis] = end == 0 ? last[axis] + 1 : 0; // the ghost that is a copy of the cell
            assert_true(fractions.volume.data[brume_field_index(face, other[0], other[1], other[2])] == 0.0f);
        }
        assert_true(brume_fractions_row_is_cut(&fractions, end == 0 ? 9 : 1, at[2]));
        assert_true(brume_fractions_row_is_cut(&fractions, at[1], end == 0 ? 10 : 1));
        assert_false(brume_fractions_row_is_cut(&fractions, 5, 5));
        brume_fractions_destroy(&fractions);
        brume_field_destroy(&distance);
    }
}

// A body outside of the box leaves all cells open at any distance, but the distances at their corners differ: the cells
// are not the same, or a state that is saved would go on with other distances than the one that it is restored to.
static void test_cells_at_other_distances_differ(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_OPEN);
    def.solids = "cut";
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 1.22f, 0.5f}, .radius = 0.2f};
    BrumeCells cells[3];
    for (int n = 0; n < 3; n++) {
        def.bodies[0].shape.a.y = n == 1 ? 1.21f : 1.22f;
        BrumeCells spare = {.flags = NULL};
        assert_int_equal(brume_cells_create_by_solids(&cells[n], &spare, &def, &error), BRUME_OK);
        assert_false(cells[n].bodies);
    }
    assert_false(brume_cells_equal(&cells[0], &cells[1]));
    assert_true(brume_cells_equal(&cells[0], &cells[2]));
    for (int n = 0; n < 3; n++) {
        brume_cells_destroy(&cells[n]);
    }
}

static void assert_same_memory(const void *a, const void *b, size_t size)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a && b) {
        assert_memory_equal(a, b, size);
    }
}

// Cells in the arrays of earlier ones are those that are made anew, byte by byte: of a sphere, a thin plate and a mesh
// that move and turn, also out of the box, with walls and periodic sides, and in a box one cell thick.
static void test_renewed_cells_are_those_made_anew(void **state)
{
    (void)state;
    BrumeError error = {0};
    TestMesh ring = {0};
    test_mesh_add_torus(&ring, 24, 12, 0.16f, 0.06f);
    BrumeMesh *mesh = test_mesh_create(&ring);
    for (int n = 0; n < 6; n++) {
        const int ny = n < 4 ? 20 : 1;
        const size_t entries = (size_t)26 * (size_t)(ny + 2) * 18;
        BrumeSimDef def = box_def(24, ny, 16, 1.0f / 24.0f, BRUME_WALL);
        def.origin.y = n < 4 ? 0.0f : 0.4f;
        def.solids = n % 2 ? "cut" : "cells";
        def.viscosity = 1e-3f; // faces with friction, too
        if (n / 2) {
            def.faces[BRUME_FACE_Y_MIN].kind = def.faces[BRUME_FACE_Y_MAX].kind = BRUME_PERIODIC;
        }
        def.body_count = 3;
        def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.13f};
        def.bodies[1].shape =
            (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-0.2f, -0.01f, -0.2f}, .b = {0.2f, 0.01f, 0.2f}};
        def.bodies[2].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = mesh};
        BrumeCells spare = {.flags = NULL};
        for (int step = 0; step < 12; step++) {
            const float t = (float)step;
            def.bodies[0].shape.a = brume_vec3(0.2f + 0.08f * t, 0.4f, 0.3f);
            def.bodies[1].shape.position = brume_vec3(0.7f, 0.8f - 0.05f * t, 0.35f);
            def.bodies[1].shape.rotation = brume_vec3(9.0f * t, 0.0f, 5.0f * t);
            def.bodies[2].shape.position = brume_vec3(0.45f, 0.3f + 0.02f * t, 0.6f - 0.05f * t);
            def.bodies[2].shape.rotation = brume_vec3(20.0f * t, 10.0f, 0.0f);
            BrumeCells fresh;
            BrumeCells renewed;
            assert_int_equal(brume_cells_create_by_solids(&fresh, NULL, &def, &error), BRUME_OK);
            assert_int_equal(brume_cells_create_by_solids(&renewed, &spare, &def, &error), BRUME_OK);
            assert_int_equal(renewed.bodies, fresh.bodies);
            assert_int_equal(renewed.has_creases, fresh.has_creases);
            assert_memory_equal(renewed.flags, fresh.flags, entries);
            assert_memory_equal(renewed.body_ids, fresh.body_ids, entries);
            assert_same_memory(renewed.wall_ids, fresh.wall_ids, entries);
            assert_same_memory(renewed.distance.data, fresh.distance.data, entries * sizeof(float));
            for (int axis = 0; axis < 3 && fresh.fractions; axis++) {
                const BrumeFrictionFaces *faces[2] = {&renewed.friction_faces[axis], &fresh.friction_faces[axis]};
                const int32_t count = faces[1]->rows[ny * 16];
                assert_int_equal(faces[0]->rows[ny * 16], count);
                assert_memory_equal(renewed.fractions->face[axis].data, fresh.fractions->face[axis].data,
                                    entries * sizeof(float));
                for (int32_t f = 0; f < count; f++) {
                    assert_int_equal(faces[0]->entries[f].index, faces[1]->entries[f].index);
                    assert_float_equal(faces[0]->entries[f].rate, faces[1]->entries[f].rate, 0.0f);
                }
            }
            if (fresh.fractions) {
                assert_memory_equal(renewed.fractions->volume.data, fresh.fractions->volume.data,
                                    entries * sizeof(float));
            }
            brume_cells_destroy(&fresh);
            brume_cells_destroy(&spare);
            spare = renewed;
        }
        brume_cells_destroy(&spare);
    }
    brume_mesh_release(mesh);
}

int main(void)
{
    brume_set_threads(1); // small boxes
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circles),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_bodies_cut_cells),
        cmocka_unit_test(test_cell_closed_at_periodic_sides),
        cmocka_unit_test(test_cells_at_other_distances_differ),
        cmocka_unit_test(test_renewed_cells_are_those_made_anew),
        cmocka_unit_test(test_any_thread_count_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
