// Arrows, streamlines and slices of flows that are known.
#include "core/field.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "view_support.h"
#include "viewer/views/overlay_geometry.h"
#include "viewer/views/velocity_sampling.h"

#include <string.h>

static const BrumeGrid grid = {.nx = 32, .ny = 24, .nz = 28};
static const BrumeVec3 origin = {-1.6f, 0.5f, -1.4f};
static const float dx = 0.1f;

static const BrumeColorScale speed = {.upper = 2.0f, .name = "speed"};

static float zero(BrumeVec3 p)
{
    (void)p;
    return 0.0f;
}
static float wind_u(BrumeVec3 p)
{
    (void)p;
    return 0.6f;
}
static float wind_v(BrumeVec3 p)
{
    (void)p;
    return 0.3f;
}
static float wind_w(BrumeVec3 p)
{
    (void)p;
    return -0.6f;
}
static float turning_u(BrumeVec3 p) { return -p.z; } // about y through the middle
static float turning_w(BrumeVec3 p) { return p.x; }
static float linear(BrumeVec3 p) { return 0.4f + 0.3f * p.x - 0.5f * p.y + 0.2f * p.z; }

static BrumeVec3 unit_wind(void) { return brume_vec3(2.0f / 3.0f, 1.0f / 3.0f, -2.0f / 3.0f); }

static void test_linear_flow_is_exact(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, linear, turning_u, turning_w);
    const BrumeVec3 points[] = {{0.03f, 1.7f, -0.2f}, {-1.52f, 0.58f, -1.3f}, {1.5f, 2.8f, 1.31f}, {0.0f, 1.0f, 0.0f}};
    for (size_t n = 0; n < sizeof points / sizeof points[0]; n++) {
        const BrumeVec3 velocity = brume_velocity_at(&variant, points[n]);
        assert_near("u", velocity.x, linear(points[n]), 1e-5);
        assert_near("v", velocity.y, turning_u(points[n]), 1e-5);
        assert_near("w", velocity.z, turning_w(points[n]), 1e-5);
    }
    // on the sides of the box the component across is exact still
    const BrumeVec3 lower = brume_vec3(origin.x, 1.7f, -0.2f);
    const BrumeVec3 upper = brume_vec3(origin.x + 3.2f, 1.7f, -0.2f);
    assert_near("u on the lower side", brume_velocity_at(&variant, lower).x, linear(lower), 1e-5);
    assert_near("u on the upper side", brume_velocity_at(&variant, upper).x, linear(upper), 1e-5);
    assert_true(brume_point_is_in_air(&variant, brume_vec3(0.0f, 1.0f, 0.0f)));
    assert_false(brume_point_is_in_air(&variant, brume_vec3(0.0f, 0.4f, 0.0f)));
    view_variant_destroy(&variant);
}

static void assert_in_box(BrumeVec3 p, float margin)
{
    assert_true(p.x >= origin.x - margin && p.x <= origin.x + 3.2f + margin);
    assert_true(p.y >= origin.y - margin && p.y <= origin.y + 2.4f + margin);
    assert_true(p.z >= origin.z - margin && p.z <= origin.z + 2.8f + margin);
}

static void test_arrows_of_a_wind(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, wind_u, wind_v, wind_w);
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_arrows(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices, 2 * 8 * 6 * 7);
    assert_int_equal(geometry.triangle_vertices, 42 * 8 * 6 * 7);
    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
    brume_color_scale_table(false, colors);
    const uint8_t *expected = colors[115]; // 0.9 m/s of 2
    for (int n = 0; n < geometry.line_vertices; n += 2) {
        const BrumeOverlayVertex *line = geometry.lines + n;
        const BrumeOverlayVertex *head = geometry.triangles + 21 * n;
        const BrumeVec3 shaft = brume_sub(line[1].position, line[0].position);
        const BrumeVec3 arrow = brume_sub(head[0].position, line[0].position); // to the tip
        assert_near("direction of a shaft", brume_dot(brume_normalize(shaft), unit_wind()), 1.0, 1e-5);
        assert_near("direction of an arrow", brume_dot(brume_normalize(arrow), unit_wind()), 1.0, 1e-5);
        assert_near("length of an arrow", brume_length(arrow), sqrt(0.45) * 0.4, 1e-5); // the lattice is 0.4 m
        assert_near("the normal of a line", brume_dot(line[0].normal, unit_wind()), 1.0, 1e-5);
        assert_memory_equal(line[0].color, expected, 3);
        assert_memory_equal(head[17].color, expected, 3);
        assert_in_box(line[0].position, 0.0f);
        assert_in_box(head[0].position, 0.0f);
        // a head's surface faces outward: the origin lies behind each of its sides
        BrumeVec3 middle = brume_scale(head[0].position, 0.25f);
        middle = brume_add(middle, brume_scale(line[1].position, 0.75f));
        for (int v = 0; v < 18; v++) {
            assert_true(brume_dot(head[v].normal, brume_sub(head[v].position, middle)) > 0.0f);
        }
        // and so does a shaft's, which lies along the line
        for (int v = 18; v < 42; v++) {
            const BrumeVec3 across = brume_sub(head[v].position, line[0].position);
            assert_true(brume_dot(head[v].normal, across) > 0.0f);
            assert_near("a shaft's sides", brume_dot(head[v].normal, unit_wind()), 0.0, 1e-4);
        }
    }
    // slow air and solids have none
    variant.settings.body_count = 1;
    variant.settings.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-9.0f, -9.0f, -9.0f}, .b = {0.0f, 9.0f, 9.0f}};
    brume_overlay_geometry_clear(&geometry);
    assert_int_equal(brume_build_arrows(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices, 2 * 4 * 6 * 7);
    const BrumeColorScale gale = {.upper = 91.0f};
    brume_overlay_geometry_clear(&geometry);
    assert_int_equal(brume_build_arrows(&geometry, &variant, &gale, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices + geometry.triangle_vertices, 0);
    brume_overlay_geometry_free(&geometry);
    view_variant_destroy(&variant);
}

static void test_streamlines_of_a_wind_are_straight(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, wind_u, wind_v, wind_w);
    variant.settings.body_count = 1;
    variant.settings.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 1.7f, 0.0f}, .radius = 0.6f};
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_true(geometry.line_vertices > 1000);
    int downstream = 0; // pieces that begin where another ends
    int whole = 0;      // pieces of half a cell; beside the sphere and the end of the box they are shorter
    for (int n = 0; n < geometry.line_vertices; n += 2) {
        const BrumeOverlayVertex *line = geometry.lines + n;
        const BrumeVec3 step = brume_sub(line[1].position, line[0].position);
        assert_near("direction along the wind", fabs((double)brume_dot(brume_normalize(step), unit_wind())), 1.0, 1e-5);
        assert_true((double)brume_length(step) < 0.5 * (double)dx + 1e-5);
        whole += fabs((double)brume_length(step) - 0.5 * (double)dx) < 1e-5;
        assert_near("the normal of a line", brume_dot(line[0].normal, unit_wind()), 1.0, 1e-4);
        for (int v = 0; v < 2; v++) {
            assert_in_box(line[v].position, 0.0f);
            assert_true(brume_shape_distance(&variant.settings.bodies[0].shape, line[v].position) >= 0.0f);
        }
        downstream += n > 0 && memcmp(&line[0].position, &line[-1].position, sizeof(BrumeVec3)) == 0;
    }
    assert_true(downstream > geometry.line_vertices / 4);
    assert_true(whole > geometry.line_vertices / 2 * 3 / 4);
    brume_overlay_geometry_free(&geometry);
    view_variant_destroy(&variant);
}

static void test_streamlines_of_a_rotation_are_circles(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, turning_u, zero, turning_w);
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 6, &error), BRUME_OK);
    int pieces = 0;
    int longest = 0;
    float begin = 0.0f;
    float height = 0.0f;
    for (int n = 0; n < geometry.line_vertices; n += 2) {
        const BrumeVec3 from = geometry.lines[n].position;
        const BrumeVec3 to = geometry.lines[n + 1].position;
        const bool goes_on = n > 0 && memcmp(&from, &geometry.lines[n - 1].position, sizeof from) == 0;
        if (!goes_on) {
            begin = sqrtf(from.x * from.x + from.z * from.z);
            height = from.y;
            pieces = 0;
        }
        pieces++;
        longest = pieces > longest ? pieces : longest;
        if (begin > 0.3f && begin < 1.25f) { // three cells around the axis are few for a circle
            assert_near("radius along a circle", sqrtf(to.x * to.x + to.z * to.z), begin, 0.01 * (double)begin);
        }
        assert_near("height along a circle", to.y, height, 1e-5);
    }
    assert_true(longest > 40); // 4.8 m, up to 2.5 times around
    brume_overlay_geometry_free(&geometry);
    view_variant_destroy(&variant);
}

// lines keep their distance: 1/8 of 3.2 m, less what lies between the points of a line
static void test_streamlines_are_apart(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, wind_u, wind_v, wind_w);
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    for (int n = 0; n < geometry.line_vertices; n++) {
        for (int m = 0; m < n; m++) {
            const BrumeVec3 between = brume_sub(geometry.lines[n].position, geometry.lines[m].position);
            const BrumeVec3 along = brume_scale(unit_wind(), brume_dot(between, unit_wind()));
            const float distance = brume_length(brume_sub(between, along)); // of two straight, parallel lines
            assert_true(distance < 1e-4f || distance > 0.38f || brume_length(along) > 0.4f);
        }
    }
    brume_overlay_geometry_free(&geometry);
    view_variant_destroy(&variant);
}

static float jet(BrumeVec3 p) { return fabsf(p.y - 1.7f) < 0.35f ? 1.5f : 0.0f; }
static float eddies_u(BrumeVec3 p) { return 0.1f * sinf(30.0f * p.z) + jet(p); }
static float eddies_w(BrumeVec3 p) { return 0.1f * sinf(30.0f * p.x); }

// eddies of slow air, as small as two cells, have no lines; the jet above them has
static void test_slow_air_has_no_streamlines(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    view_set_flow(&variant, eddies_u, zero, eddies_w);
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_true(geometry.line_vertices > 500);
    for (int n = 0; n < geometry.line_vertices; n++) {
        assert_true(fabsf(geometry.lines[n].position.y - 1.7f) < 0.45f);
    }
    brume_overlay_geometry_free(&geometry);
    view_variant_destroy(&variant);
}

// at rest there is nothing, and the same flow gives the same lines
static void test_streamlines_at_rest_and_again(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeOverlayGeometry geometry = {0};
    BrumeOverlayGeometry again = {0};
    BrumeError error;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices, 0);
    variant.fields[BRUME_FIELD_U].data[brume_field_index(&variant.fields[BRUME_FIELD_U], 9, 9, 9)] = NAN;
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(brume_build_arrows(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices, 0);
    view_set_flow(&variant, turning_u, linear, turning_w);
    assert_int_equal(brume_build_streamlines(&geometry, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(brume_build_streamlines(&again, &variant, &speed, 8, &error), BRUME_OK);
    assert_int_equal(geometry.line_vertices, again.line_vertices);
    assert_memory_equal(geometry.lines, again.lines, (size_t)again.line_vertices * sizeof(BrumeOverlayVertex));
    brume_overlay_geometry_free(&geometry);
    brume_overlay_geometry_free(&again);
    view_variant_destroy(&variant);
}

static void test_slice_of_a_linear_field(void **state)
{
    (void)state;
    BrumeField values = view_field(grid);
    view_set(&values, origin, dx, brume_vec3(0.5f, 0.5f, 0.5f), linear);
    const BrumeColorScale scale = {.lower = -2.0f, .upper = 2.0f, .is_signed = true};
    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
    brume_color_scale_table(true, colors);
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    for (int axis = 0; axis < 3; axis++) {
        const float at = 0.1f + 0.3f * (float)axis;
        assert_int_equal(brume_build_slice(&geometry, &values, &scale, axis, at, dx, origin, &error), BRUME_OK);
        assert_true(geometry.has_slice);
        assert_int_equal(geometry.slice_width, brume_cells_along(grid, (axis + 1) % 3));
        assert_int_equal(geometry.slice_height, brume_cells_along(grid, (axis + 2) % 3));
        for (int n = 0; n < geometry.slice_height; n++) {
            for (int m = 0; m < geometry.slice_width; m++) {
                // a texel's middle in the world
                const BrumeVec3 along_u =
                    brume_scale(geometry.slice_u, ((float)m + 0.5f) / (float)geometry.slice_width);
                const BrumeVec3 along_v =
                    brume_scale(geometry.slice_v, ((float)n + 0.5f) / (float)geometry.slice_height);
                const BrumeVec3 position = brume_add(geometry.slice_corner, brume_add(along_u, along_v));
                const float scale_position = brume_color_scale_position(&scale, linear(position));
                const int entry = (int)(scale_position * 255.0f + 0.5f);
                const uint8_t *texel = geometry.slice + 4 * (n * geometry.slice_width + m);
                // rounding may choose the entry beside
                const bool same = memcmp(texel, colors[entry], 3) == 0 ||
                                  (entry > 0 && memcmp(texel, colors[entry - 1], 3) == 0) ||
                                  (entry < 255 && memcmp(texel, colors[entry + 1], 3) == 0);
                assert_true(same);
                if (fabsf(linear(position)) > 0.6f) {
                    assert_int_equal(texel[3], 245);
                }
                assert_true(texel[3] >= 110);
            }
        }
    }
    // the corner is on the plane, and both ends show the outermost cells
    for (int end = 0; end < 2; end++) {
        assert_int_equal(brume_build_slice(&geometry, &values, &scale, 1, (float)end, dx, origin, &error), BRUME_OK);
        assert_near("height of the slice", geometry.slice_corner.y, (double)origin.y + end * 2.4, 1e-6);
        const float value = brume_field_at(&values, 1, end ? grid.ny : 1, 1);
        assert_memory_equal(geometry.slice, colors[(int)(brume_color_scale_position(&scale, value) * 255.0f + 0.5f)],
                            3);
    }
    brume_overlay_geometry_clear(&geometry);
    assert_false(geometry.has_slice);
    brume_overlay_geometry_free(&geometry);
    brume_field_destroy(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_flow_is_exact),
        cmocka_unit_test(test_arrows_of_a_wind),
        cmocka_unit_test(test_streamlines_of_a_wind_are_straight),
        cmocka_unit_test(test_streamlines_of_a_rotation_are_circles),
        cmocka_unit_test(test_streamlines_are_apart),
        cmocka_unit_test(test_slow_air_has_no_streamlines),
        cmocka_unit_test(test_streamlines_at_rest_and_again),
        cmocka_unit_test(test_slice_of_a_linear_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
