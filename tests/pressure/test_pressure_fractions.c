// Open fractions of faces and cells: exact for planes in any position, of second order for a sphere, whose wall is
// closed; and the rule for ambiguous faces.
#include "pressure_support.h"

#include "sim/grid/fractions.h"

enum { AXES = 3, CORNERS = 8 };

typedef double Distance(const double at[AXES], const double parameters[4]);

static double distance_to_plane(const double at[AXES], const double plane[4])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] - plane[3];
}

static double distance_to_sphere(const double at[AXES], const double sphere[4])
{
    const double x = at[0] - sphere[0];
    const double y = at[1] - sphere[1];
    const double z = at[2] - sphere[2];
    return sqrt(x * x + y * y + z * z) - sphere[3];
}

// the fractions of a distance whose argument is in cells from the lower corner of the box
static BrumeFractions make_fractions(BrumeGrid grid, Distance *distance, const double parameters[4])
{
    BrumeField corners = make_field(grid);
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                const double at[AXES] = {i - 1.0, j - 1.0, k - 1.0};
                corners.data[brume_field_index(&corners, i, j, k)] = (float)distance(at, parameters);
            }
        }
    }
    BrumeFractions fractions;
    assert_int_equal(
        brume_fractions_create(&fractions, &corners, (const bool[AXES]){false}, BRUME_LEAST_FRACTION, NULL), BRUME_OK);
    brume_field_destroy(&corners);
    return fractions;
}

// The part of the unit cube of `axes` dimensions where normal . x <= offset, for components of the normal above 0: a
// sum of powers of positive parts over the corners, by inclusion and exclusion.
static double part_below(const double normal[AXES], double offset, int axes)
{
    double sum = 0.0;
    for (int corner = 0; corner < 1 << axes; corner++) {
        double rest = offset;
        int sign = 1;
        for (int axis = 0; axis < axes; axis++) {
            if (corner >> axis & 1) {
                rest -= normal[axis];
                sign = -sign;
            }
        }
        sum += rest > 0.0 ? sign * (axes == 3 ? rest * rest * rest / 6.0 : rest * rest / 2.0) : 0.0;
    }
    for (int axis = 0; axis < axes; axis++) {
        sum /= normal[axis];
    }
    return sum;
}

// The open part of a face (axis 0, 1, 2) or cell (axis 3) for a plane whose normal points into the air.
static double exact_part(const double plane[4], int axis, const int cell[AXES])
{
    double normal[AXES];
    double offset = plane[3]; // of the distance from the lower corner of the cell
    int axes = 0;
    for (int a = 0; a < AXES; a++) {
        offset -= plane[a] * (cell[a] - 1);
        if (a != axis) { // mirrored, so that all components are above 0
            normal[axes++] = fabs(plane[a]);
            offset += plane[a] < 0.0 ? -plane[a] : 0.0;
        }
    }
    return 1.0 - part_below(normal, offset, axes);
}

static double closed_below(double part, double least) { return part < least ? 0.0 : part; }

static void check_plane(const double plane[4])
{
    const BrumeGrid grid = brume_grid(4, 5, 3);
    BrumeFractions fractions = make_fractions(grid, distance_to_plane, plane);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const int cell[AXES] = {i, j, k};
                const double volume = exact_part(plane, AXES, cell);
                if (fabs(volume - (double)BRUME_LEAST_FRACTION) > 2e-6) {
                    expect_near("open volume", (double)brume_field_at(&fractions.volume, i, j, k),
                                closed_below(volume, (double)BRUME_LEAST_FRACTION), 2e-6);
                }
                for (int axis = 0; axis < AXES; axis++) {
                    const int lower[AXES] = {i - (axis == 0), j - (axis == 1), k - (axis == 2)};
                    const double below = lower[axis] > 0 ? exact_part(plane, AXES, lower) : 1.0;
                    const double area = exact_part(plane, axis, cell);
                    const double smallest = below < volume ? below : volume;
                    if (fabs(area - (double)BRUME_LEAST_FRACTION) > 2e-6 &&
                        fabs(smallest - (double)BRUME_LEAST_FRACTION) > 2e-6) {
                        const bool closed = smallest < (double)BRUME_LEAST_FRACTION;
                        expect_near("open area", (double)brume_field_at(&fractions.face[axis], i, j, k),
                                    closed ? 0.0 : closed_below(area, (double)BRUME_LEAST_FRACTION), 2e-6);
                    }
                }
            }
        }
    }
    brume_fractions_destroy(&fractions);
}

static double random_number(uint32_t n, uint32_t m) { return (double)brume_unit_float(brume_hash3(n, m, 5u)); }

static void planes_are_exact(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 200; n++) {
        double plane[4];
        double through = 0.0;
        for (uint32_t axis = 0; axis < AXES; axis++) {
            const double size = 0.2 + random_number(n, axis);
            plane[axis] = random_number(n, axis + 10) < 0.5 ? -size : size;
            through += plane[axis] * (3.0 * random_number(n, axis + 20));
        }
        plane[3] = through;
        check_plane(plane);
    }
}

// a plane on the faces of the grid leaves fractions of 0 and 1 alone, on either side of it
static void planes_on_faces_are_whole(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(6, 4, 5);
    for (int side = 0; side < 2 * AXES; side++) {
        const int axis = side / 2;
        double plane[4] = {0.0, 0.0, 0.0, side % 2 ? 2.0 : -2.0};
        plane[axis] = side % 2 ? 1.0 : -1.0;
        BrumeFractions fractions = make_fractions(grid, distance_to_plane, plane);
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const int at = axis == 0 ? i : axis == 1 ? j : k;
                    const bool open = side % 2 ? at > 2 : at <= 2;
                    assert_true(brume_field_at(&fractions.volume, i, j, k) == (open ? 1.0f : 0.0f));
                    for (int along = 0; along < AXES; along++) {
                        const bool passes = along == axis && at == 3 ? false : open;
                        assert_true(brume_field_at(&fractions.face[along], i, j, k) == (passes ? 1.0f : 0.0f));
                    }
                }
            }
        }
        brume_fractions_destroy(&fractions);
    }
}

// What a sphere takes away: its volume, the area of its wall, which is the sum of the differences of opposite faces of
// each cell as a vector, and the sum of these vectors.
typedef struct Solid {
    double volume, area, sum[AXES];
} Solid;

static Solid measure_sphere(int n)
{
    const double sphere[4] = {0.51 * n, 0.48 * n, 0.503 * n, 0.31 * n};
    const BrumeGrid grid = brume_grid(n, n, n);
    BrumeFractions fractions = make_fractions(grid, distance_to_sphere, sphere);
    const double h = 1.0 / n;
    Solid solid = {0};
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                solid.volume += h * h * h * (1.0 - (double)brume_field_at(&fractions.volume, i, j, k));
                double square = 0.0;
                for (int axis = 0; axis < AXES; axis++) {
                    const BrumeField *face = &fractions.face[axis];
                    const ptrdiff_t at = brume_field_index(face, i, j, k);
                    const double wall = (double)face->data[at + brume_stride(face, axis)] - (double)face->data[at];
                    square += wall * wall;
                    solid.sum[axis] += h * h * wall;
                }
                solid.area += h * h * sqrt(square);
            }
        }
    }
    brume_fractions_destroy(&fractions);
    return solid;
}

static void sphere_converges(void **state)
{
    (void)state;
    const double volume = 4.0 / 3.0 * PI * 0.31 * 0.31 * 0.31;
    const double area = 4.0 * PI * 0.31 * 0.31;
    double last[2] = {0.0};
    for (int n = 16; n <= 64; n *= 2) {
        const Solid solid = measure_sphere(n);
        const double errors[2] = {fabs(solid.volume - volume) / volume, fabs(solid.area - area) / area};
        if (getenv("BRUME_VERBOSE")) {
            print_message("%3d: relative errors of volume %.3e, of area %.3e\n", n, errors[0], errors[1]);
        }
        for (int axis = 0; axis < AXES; axis++) {
            expect_near("sum of the wall of a closed surface", solid.sum[axis], 0.0, 1e-7);
        }
        if (n > 16) {
            expect_at_most("error of the volume over that of half the cells", errors[0] / last[0], 0.28);
            expect_at_most("error of the area over that of half the cells", errors[1] / last[1], 0.28);
        }
        last[0] = errors[0];
        last[1] = errors[1];
    }
    expect_at_most("relative error of the volume with 64 cells", last[0], 1.5e-3);
    expect_at_most("relative error of the area with 64 cells", last[1], 1e-3);
}

// A face with air at two opposite corners: joined where the saddle point of the bilinear distance lies in the air.
static void ambiguous_faces_follow_the_saddle_point(void **state)
{
    (void)state;
    const struct {
        float d[4];
        float area;
    } faces[] = {
        {{3.0f, -1.0f, 3.0f, -1.0f}, 1.0f - 0.5f * (0.0625f + 0.0625f)},
        {{-1.0f, 3.0f, -1.0f, 3.0f}, 1.0f - 0.5f * (0.0625f + 0.0625f)},
        {{1.0f, -3.0f, 1.0f, -3.0f}, 0.5f * (0.0625f + 0.0625f)},
        {{-3.0f, 1.0f, -3.0f, 1.0f}, 0.5f * (0.0625f + 0.0625f)},
        {{1.0f, -1.0f, 1.0f, -1.0f}, 0.25f}, // the saddle point is on the surface: separated
        {{3.0f, -1.0f, 1.0f, -1.0f}, 1.0f - 0.5f * (0.125f + 0.125f)},
    };
    for (size_t n = 0; n < sizeof faces / sizeof *faces; n++) {
        const BrumeGrid grid = brume_grid(1, 1, 1);
        BrumeField corners = make_field(grid);
        for (int k = 1; k <= 2; k++) { // the same at both ends along z
            corners.data[brume_field_index(&corners, 1, 1, k)] = faces[n].d[0];
            corners.data[brume_field_index(&corners, 2, 1, k)] = faces[n].d[1];
            corners.data[brume_field_index(&corners, 2, 2, k)] = faces[n].d[2];
            corners.data[brume_field_index(&corners, 1, 2, k)] = faces[n].d[3];
        }
        BrumeFractions fractions;
        assert_int_equal(
            brume_fractions_create(&fractions, &corners, (const bool[AXES]){false}, BRUME_LEAST_FRACTION, NULL),
            BRUME_OK);
        for (int k = 1; k <= 2; k++) {
            expect_near("open area of an ambiguous face", (double)brume_field_at(&fractions.face[2], 1, 1, k),
                        (double)faces[n].area, 1e-7);
        }
        brume_fractions_destroy(&fractions);
        brume_field_destroy(&corners);
    }
}

// opposite faces on periodic sides have one fraction, the smaller one of a body that ends there
static void periodic_sides_agree(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(8, 6, 5);
    BrumeField corners = make_field(grid);
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                const double at[AXES] = {i - 1.0, j - 1.0, k - 1.0};
                corners.data[brume_field_index(&corners, i, j, k)] =
                    (float)distance_to_sphere(at, (const double[4]){7.3, 3.1, 2.6, 1.9});
            }
        }
    }
    BrumeFractions walls;
    BrumeFractions periodic;
    assert_int_equal(brume_fractions_create(&walls, &corners, (const bool[AXES]){false}, BRUME_LEAST_FRACTION, NULL),
                     BRUME_OK);
    assert_int_equal(brume_fractions_create(&periodic, &corners, (const bool[AXES]){true}, BRUME_LEAST_FRACTION, NULL),
                     BRUME_OK);
    int cut = 0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const float upper = brume_field_at(&walls.face[0], grid.nx + 1, j, k);
            cut += upper < 1.0f;
            assert_true(brume_field_at(&walls.face[0], 1, j, k) == 1.0f);
            assert_true(brume_field_at(&periodic.face[0], 1, j, k) == upper);
            assert_true(brume_field_at(&periodic.face[0], grid.nx + 1, j, k) == upper);
        }
    }
    assert_true(cut > 4);
    brume_fractions_destroy(&walls);
    brume_fractions_destroy(&periodic);
    brume_field_destroy(&corners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_exact),     cmocka_unit_test(planes_on_faces_are_whole),
        cmocka_unit_test(sphere_converges),     cmocka_unit_test(ambiguous_faces_follow_the_saddle_point),
        cmocka_unit_test(periodic_sides_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
