// The table of marching cubes, and meshes whose vertices are shared: closed, and the same triangles as the layers give.
#include "core/field.h"
#include "core/isosurface/marching_cubes_table.h"
#include "core/isosurface/surface_mesh.h"
#include "core/parallel/threads.h"
#include "core/random.h"
#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_table(void **state)
{
    (void)state;
    const BrumeCubeCase *table = brume_cube_cases();
    assert_int_equal(table[0].triangle_count, 0);
    assert_int_equal(table[255].triangle_count, 0);
    int most = 0;
    for (int inside = 0; inside < 256; inside++) {
        bool used[12] = {false};
        for (int n = 0; n < 3 * table[inside].triangle_count; n++) {
            used[table[inside].edges[n]] = true;
        }
        for (int edge = 0; edge < 12; edge++) { // exactly the crossed edges have vertices
            const int lower = brume_cube_edge_corner(edge);
            const int upper = lower | 1 << edge / 4;
            assert_int_equal(used[edge], (inside >> lower & 1) != (inside >> upper & 1));
        }
        most = table[inside].triangle_count > most ? table[inside].triangle_count : most;
    }
    for (int corner = 0; corner < 8; corner++) {
        assert_int_equal(table[1 << corner].triangle_count, 1);
    }
    assert_int_equal(table[0x0f].triangle_count, 2); // a plane
    assert_int_equal(table[0x69].triangle_count, 4); // four corners, none adjacent
    assert_int_equal(most, BRUME_CUBE_MAX_TRIANGLES);
}

static BrumeField noise(BrumeGrid grid)
{
    BrumeField field;
    BrumeError error;
    assert_int_equal(brume_field_create(&field, grid, &error), BRUME_OK);
    for (size_t cell = 0; cell < brume_grid_entries(grid); cell++) { // ghosts contain noise too and are not read
        field.data[cell] = brume_unit_float(brume_hash3((uint32_t)cell, 5, 3));
    }
    return field;
}

typedef struct Corners {
    const BrumeIsosurface *surface;
    const BrumeSurfaceMesh *mesh;
    int next;
} Corners;

static void check_corner(void *context, const BrumeGridEdge *edge)
{
    Corners *corners = context;
    const BrumeSurfaceVertex vertex = brume_isosurface_vertex(corners->surface, edge);
    const int32_t index = corners->mesh->triangles[corners->next++];
    assert_in_range(index, 0, corners->mesh->vertex_count - 1);
    assert_memory_equal(&corners->mesh->vertices[index], &vertex, sizeof vertex);
}

static int compare_vertices(const void *a, const void *b) { return memcmp(a, b, sizeof(BrumeVec3)); }

/** The mesh has the corners of the layers in their order, and no two vertices have one position. */
static void test_mesh_is_that_of_the_layers(void **state)
{
    (void)state;
    BrumeField field = noise(brume_grid(21, 18, 23));
    static const float levels[] = {0.02f, 0.5f, 0.97f};
    for (int n = 0; n < 3; n++) {
        const BrumeIsosurface surface =
            brume_isosurface_of_field(&field, levels[n], 0.5f, brume_vec3(1.0f, 2.0f, 3.0f));
        BrumeSurfaceMesh mesh;
        BrumeError error;
        assert_int_equal(brume_surface_mesh_create(&mesh, &surface, &error), BRUME_OK);
        Corners corners = {&surface, &mesh, 0};
        int64_t triangles = 0;
        for (int k = 0; k <= 23; k++) {
            triangles += brume_isosurface_layer(&surface, k, check_corner, &corners);
        }
        assert_true(triangles > 1000);
        assert_int_equal(mesh.triangle_count, triangles);
        assert_int_equal(corners.next, 3 * triangles);
        qsort(mesh.vertices, (size_t)mesh.vertex_count, sizeof *mesh.vertices, compare_vertices);
        for (int v = 1; v < mesh.vertex_count; v++) {
            assert_true(compare_vertices(&mesh.vertices[v - 1], &mesh.vertices[v]) != 0);
        }
        brume_surface_mesh_destroy(&mesh);
    }
    brume_field_destroy(&field);
}

static void test_empty_and_full(void **state)
{
    (void)state;
    BrumeField field = noise(brume_grid(5, 4, 3));
    const BrumeVec3 origin = {0.0f, 0.0f, 0.0f};
    BrumeIsosurface surface = brume_isosurface_of_field(&field, 1.5f, 1.0f, origin);
    BrumeSurfaceMesh mesh;
    BrumeError error;
    assert_int_equal(brume_surface_mesh_create(&mesh, &surface, &error), BRUME_OK);
    assert_true(mesh.vertex_count == 0 && mesh.triangle_count == 0);
    brume_surface_mesh_destroy(&mesh);

    brume_field_fill(&field, 1.0f);
    surface = brume_isosurface_of_field(&field, 0.5f, 1.0f, origin);
    assert_int_equal(brume_surface_mesh_create(&mesh, &surface, &error), BRUME_OK);
    assert_int_equal(mesh.vertex_count, 2 * (5 * 4 + 4 * 3 + 3 * 5)); // one for each outer face of a cell
    assert_int_equal(mesh.triangle_count, 2 * mesh.vertex_count - 4); // of a closed surface without holes (Euler)
    double volume = 0.0;
    for (int n = 0; n < mesh.triangle_count; n++) {
        const int32_t *triangle = mesh.triangles + 3 * (ptrdiff_t)n;
        const BrumeVec3 a = mesh.vertices[triangle[0]].position;
        const BrumeVec3 b = mesh.vertices[triangle[1]].position;
        const BrumeVec3 c = mesh.vertices[triangle[2]].position;
        volume += (double)brume_dot(a, brume_cross(b, c)) / 6.0;
    }
    // the surface is half a cell outside of the outer centers, at the sides of the box, with bevelled edges and corners
    assert_true(volume < 60.0 && volume > 60.0 - 0.125 * 4.0 * (5.0 + 4.0 + 3.0));
    brume_surface_mesh_destroy(&mesh);
    brume_field_destroy(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_mesh_is_that_of_the_layers),
        cmocka_unit_test(test_empty_and_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
