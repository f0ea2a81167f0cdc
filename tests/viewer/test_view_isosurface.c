// Isosurfaces are closed, face outward, and have the right area and volume.
#include "core/field.h"
#include "core/parallel/threads.h"
#include "core/random.h"
#include "core/vec3.h"
#include "view_support.h"
#include "viewer/views/overlay_geometry.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t color[4] = {10, 20, 30, 40};

static BrumeOverlayGeometry surface_of(const BrumeField *values, float level, float dx, BrumeVec3 origin)
{
    BrumeOverlayGeometry geometry = {0};
    BrumeError error;
    assert_int_equal(brume_build_isosurface(&geometry, values, level, dx, origin, color, &error), BRUME_OK);
    return geometry;
}

typedef struct Edge {
    BrumeVec3 from, to; // ordered
    int turns;          // 1 or -1
} Edge;

static int compare_edges(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(BrumeVec3)); }

// every edge is shared by exactly two triangles, which run along it in opposite directions
static void assert_closed(const BrumeOverlayGeometry *geometry)
{
    const int count = geometry->triangle_vertices;
    Edge *edges = malloc((size_t)(count > 0 ? count : 1) * sizeof *edges);
    assert_non_null(edges);
    for (int n = 0; n < count; n++) {
        const BrumeVec3 a = geometry->triangles[n].position;
        const BrumeVec3 b = geometry->triangles[n % 3 == 2 ? n - 2 : n + 1].position;
        const int order = memcmp(&a, &b, sizeof a);
        assert_true(order != 0);
        edges[n] = order < 0 ? (Edge){a, b, 1} : (Edge){b, a, -1};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int n = 0; n < count; n += 2) {
        assert_true(n + 1 < count && compare_edges(&edges[n], &edges[n + 1]) == 0);
        assert_int_equal(edges[n].turns + edges[n + 1].turns, 0);
        assert_true(n + 2 >= count || compare_edges(&edges[n], &edges[n + 2]) != 0);
    }
    free(edges);
}

static void test_sphere(void **state)
{
    (void)state;
    enum { N = 40 };
    const float dx = 0.05f;
    const BrumeVec3 origin = {-0.7f, 0.3f, 1.1f};
    const BrumeVec3 middle = brume_add(origin, brume_vec3(1.013f, 0.987f, 1.004f));
    const float radius = 0.7f;
    BrumeField values = view_field(brume_grid(N, N, N));
    for (int k = 1; k <= N; k++) {
        for (int j = 1; j <= N; j++) {
            for (int i = 1; i <= N; i++) {
                const BrumeVec3 cell = brume_vec3((float)i - 0.5f, (float)j - 0.5f, (float)k - 0.5f);
                const BrumeVec3 position = brume_add(origin, brume_scale(cell, dx));
                values.data[brume_field_index(&values, i, j, k)] =
                    fmaxf(0.0f, 2.0f - brume_length(brume_sub(position, middle)) / radius);
            }
        }
    }
    BrumeOverlayGeometry surface = surface_of(&values, 1.0f, dx, origin);
    assert_closed(&surface);
    double area = 0.0;
    double volume = 0.0;
    for (int n = 0; n < surface.triangle_vertices; n += 3) {
        const BrumeOverlayVertex *v = surface.triangles + n;
        const BrumeVec3 a = brume_sub(v[0].position, middle);
        const BrumeVec3 b = brume_sub(v[1].position, middle);
        const BrumeVec3 c = brume_sub(v[2].position, middle);
        const BrumeVec3 across = brume_cross(brume_sub(b, a), brume_sub(c, a));
        area += 0.5 * (double)brume_length(across);
        volume += (double)brume_dot(a, brume_cross(b, c)) / 6.0;
        for (int m = 0; m < 3; m++) {
            const BrumeVec3 out = brume_sub(v[m].position, middle);
            assert_near("distance from the middle", brume_length(out), radius, 0.1 * (double)dx);
            assert_near("length of a normal", brume_length(v[m].normal), 1.0, 1e-5);
            assert_true(brume_dot(v[m].normal, out) > 0.99f * radius);
            assert_true(brume_dot(across, out) > 0.0f); // counterclockwise seen from outside
            assert_memory_equal(v[m].color, color, 4);
        }
    }
    const double pi = acos(-1.0);
    const double r = (double)radius;
    assert_near("area of a sphere", area, 4.0 * pi * r * r, 0.01 * 4.0 * pi * r * r);
    assert_near("volume of a sphere", volume, 4.0 / 3.0 * pi * r * r * r, 0.01 * 4.0 / 3.0 * pi * r * r * r);
    brume_overlay_geometry_free(&surface);
    brume_field_destroy(&values);
}

// noise contains all 256 cases, and crosses the sides of the box
static void test_noise_is_closed(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(21, 18, 23);
    BrumeField values = view_field(grid);
    const float levels[] = {0.02f, 0.3f, 0.5f, 0.8f, 0.97f};
    for (uint32_t n = 0; n < 5; n++) {
        for (size_t cell = 0; cell < brume_grid_entries(grid); cell++) { // ghosts contain noise too and are not read
            values.data[cell] = brume_unit_float(brume_hash3((uint32_t)cell, n, 3));
        }
        BrumeOverlayGeometry surface = surface_of(&values, levels[n], 1.0f, brume_vec3(0.0f, 0.0f, 0.0f));
        assert_true(surface.triangle_vertices > 3000);
        assert_closed(&surface);
        for (int v = 0; v < surface.triangle_vertices; v++) {
            const BrumeVec3 p = surface.triangles[v].position;
            assert_true(p.x >= 0.0f && p.x <= 21.0f && p.y >= 0.0f && p.y <= 18.0f && p.z >= 0.0f && p.z <= 23.0f);
            assert_near("length of a normal", brume_length(surface.triangles[v].normal), 1.0, 1e-5);
        }
        brume_overlay_geometry_free(&surface);
    }
    brume_field_destroy(&values);
}

static void test_values_at_the_level_and_bad_ones(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(9, 8, 10);
    BrumeField values = view_field(grid);
    for (size_t cell = 0; cell < brume_grid_entries(grid); cell++) {
        values.data[cell] = (float)(brume_hash3((uint32_t)cell, 1, 2) % 3); // many are the level itself
    }
    BrumeOverlayGeometry surface = surface_of(&values, 1.0f, 1.0f, brume_vec3(0.0f, 0.0f, 0.0f));
    assert_closed(&surface);
    brume_overlay_geometry_free(&surface);

    values.data[brume_field_index(&values, 4, 4, 4)] = NAN;
    values.data[brume_field_index(&values, 7, 3, 6)] = INFINITY;
    values.data[brume_field_index(&values, 2, 6, 8)] = -INFINITY;
    surface = surface_of(&values, 1.0f, 1.0f, brume_vec3(0.0f, 0.0f, 0.0f));
    assert_closed(&surface);
    for (int v = 0; v < surface.triangle_vertices; v++) {
        assert_near("length of a normal", brume_length(surface.triangles[v].normal), 1.0, 1e-5);
    }
    brume_overlay_geometry_free(&surface);

    brume_field_fill(&values, 0.5f);
    surface = surface_of(&values, 0.6f, 1.0f, brume_vec3(0.0f, 0.0f, 0.0f));
    assert_int_equal(surface.triangle_vertices, 0);
    brume_overlay_geometry_free(&surface);
    brume_field_destroy(&values);
}

static float slanting(BrumeVec3 p) { return 0.5f + 0.3f * p.x - 0.2f * p.y + 0.1f * p.z; }

static void test_plane_is_exact(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(12, 12, 12);
    BrumeField values = view_field(grid);
    const BrumeVec3 origin = {-3.0f, -3.0f, -3.0f};
    view_set(&values, origin, 0.5f, brume_vec3(0.5f, 0.5f, 0.5f), slanting);
    BrumeOverlayGeometry surface = surface_of(&values, 0.77f, 0.5f, origin);
    assert_closed(&surface);
    const BrumeVec3 normal = brume_normalize(brume_vec3(-0.3f, 0.2f, -0.1f));
    int on_plane = 0;
    for (int v = 0; v < surface.triangle_vertices; v++) {
        const BrumeVec3 p = surface.triangles[v].position;
        if (fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))) < 2.2f) { // away from where the box closes it
            assert_near("value on the surface", slanting(p), 0.77, 2e-4);
            assert_near("normal of a plane", brume_dot(surface.triangles[v].normal, normal), 1.0, 1e-5);
            on_plane++;
        }
    }
    assert_true(on_plane > 200);
    brume_overlay_geometry_free(&surface);
    brume_field_destroy(&values);
}

// the list does not depend on the number of threads, and is appended to existing triangles
static void test_same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(14, 13, 15);
    BrumeField values = view_field(grid);
    for (size_t cell = 0; cell < brume_grid_entries(grid); cell++) {
        values.data[cell] = brume_unit_float(brume_hash3((uint32_t)cell, 8, 3));
    }
    const int before = brume_get_threads();
    brume_set_threads(1);
    BrumeOverlayGeometry one = surface_of(&values, 0.6f, 0.1f, brume_vec3(1.0f, 2.0f, 3.0f));
    const size_t bytes = (size_t)one.triangle_vertices * sizeof *one.triangles;
    brume_set_threads(3);
    BrumeOverlayGeometry other = {0};
    for (int n = 0; n < 2; n++) {
        BrumeError error;
        assert_int_equal(
            brume_build_isosurface(&other, &values, 0.6f, 0.1f, brume_vec3(1.0f, 2.0f, 3.0f), color, &error), BRUME_OK);
        assert_int_equal(other.triangle_vertices, (n + 1) * one.triangle_vertices);
        assert_memory_equal(other.triangles + n * one.triangle_vertices, one.triangles, bytes);
    }
    brume_overlay_geometry_clear(&other);
    assert_int_equal(other.triangle_vertices, 0);
    assert_true(other.triangle_capacity >= 2 * one.triangle_vertices);
    brume_set_threads(before);
    brume_overlay_geometry_free(&one);
    brume_overlay_geometry_free(&other);
    brume_field_destroy(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_noise_is_closed),
        cmocka_unit_test(test_values_at_the_level_and_bad_ones),
        cmocka_unit_test(test_plane_is_exact),
        cmocka_unit_test(test_same_bytes_at_any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
