// Meshes: what they are, what they refuse, the normals of their corners, and the tree at any number of threads.
#include "core/elementary.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "test_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static const BrumeVec3 ORIGIN = {0.0f, 0.0f, 0.0f};

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

static void test_box(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_box(&triangles, brume_vec3(-1.0f, 0.0f, 2.0f), brume_vec3(0.0f, 2.0f, 5.0f));
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    assert_int_equal(info->vertices, 8);
    assert_int_equal(info->triangles, 12);
    assert_int_equal(info->degenerate, 0);
    assert_int_equal(info->parts, 1);
    assert_int_equal(info->open_edges, 0);
    assert_int_equal(info->holes, 0);
    assert_int_equal(info->shared_edges, 0);
    assert_int_equal(info->turned_edges, 0);
    assert_true(info->closed);
    assert_true(info->volume == 6.0);
    assert_true(info->area == 22.0);
    assert_true(info->lower.x == -1.0f && info->lower.y == 0.0f && info->lower.z == 2.0f);
    assert_true(info->upper.x == 0.0f && info->upper.y == 2.0f && info->upper.z == 5.0f);
    for (int n = 0; n < 12; n++) { // edges at right angles are hard
        for (int corner = 0; corner < 3; corner++) {
            const double share[3] = {corner == 0, corner == 1, corner == 2};
            const BrumeMeshAttributes at = brume_mesh_attributes(mesh, n, share);
            assert_memory_equal(&at.normal, &at.face, sizeof at.face);
            assert_true(fabsf(at.face.x) + fabsf(at.face.y) + fabsf(at.face.z) == 1.0f);
        }
    }
    brume_mesh_release(mesh);
}

// a closed surface has 3/2 edges a triangle: its Euler characteristic is vertices - triangles / 2
static int euler_characteristic(const BrumeMeshInfo *info) { return info->vertices - info->triangles / 2; }

static void test_sphere_and_torus(void **state)
{
    (void)state;
    double error[2];
    for (int n = 0; n < 2; n++) {
        TestMesh triangles = {0};
        test_mesh_add_sphere(&triangles, 3 + n, brume_vec3(1.0f, 2.0f, 3.0f), 2.0f);
        BrumeMesh *mesh = test_mesh_create(&triangles);
        const BrumeMeshInfo *info = brume_mesh_info(mesh);
        assert_int_equal(info->triangles, n == 0 ? 1280 : 5120);
        assert_int_equal(euler_characteristic(info), 2);
        assert_true(info->closed);
        error[n] = 4.0 / 3.0 * PI * 8.0 - info->volume;
        brume_mesh_release(mesh);
    }
    assert_near(error[0] / error[1], 4.0, 0.05);
    for (int n = 0; n < 2; n++) {
        TestMesh triangles = {0};
        test_mesh_add_torus(&triangles, 64 << n, 32 << n, 1.0f, 0.25f);
        BrumeMesh *mesh = test_mesh_create(&triangles);
        assert_int_equal(euler_characteristic(brume_mesh_info(mesh)), 0);
        assert_true(brume_mesh_info(mesh)->closed);
        error[n] = 2.0 * PI * PI * 0.0625 - brume_mesh_info(mesh)->volume;
        brume_mesh_release(mesh);
    }
    assert_near(error[0], 0.0, 0.01);
    assert_near(error[0] / error[1], 4.0, 0.05);
}

/** By symmetry, the normals of an icosahedron are those of its sphere; the mean is by angles. */
static void test_smooth_normals(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 0, ORIGIN, 1.0f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    for (int n = 0; n < brume_mesh_info(mesh)->triangles; n++) {
        for (int corner = 0; corner < 3; corner++) {
            const double share[3] = {corner == 0, corner == 1, corner == 2};
            const BrumeVec3 normal = brume_mesh_attributes(mesh, n, share).normal;
            const BrumeVec3 exact = mesh->welded.positions[mesh->welded.corners[3 * n + corner]];
            assert_near((double)brume_length(brume_sub(normal, exact)), 0.0, 1e-6);
        }
    }
    brume_mesh_release(mesh);
    // a crease of 50 degrees is smooth
    const double half = 25.0 * PI / 180.0;
    const BrumeVec3 ridge[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const float run = (float)brume_cos(half);
    const float fall = -(float)brume_sin(half);
    test_mesh_add(&triangles, ridge[0], ridge[1], brume_vec3(run, fall, 0.0f));
    test_mesh_add(&triangles, ridge[1], ridge[0], brume_vec3(-run, fall, 1.0f));
    mesh = test_mesh_create(&triangles);
    const double on_ridge[3] = {0.5, 0.5, 0.0};
    const BrumeMeshAttributes at = brume_mesh_attributes(mesh, 0, on_ridge);
    assert_near((double)at.normal.y, 1.0, 1e-6);
    assert_near((double)at.face.y, brume_cos(half), 1e-6);
    brume_mesh_release(mesh);
}

// adds a sphere, whose triangles are reversed if `turned`
static void add_sphere(TestMesh *triangles, BrumeVec3 center, float radius, bool turned)
{
    const int first = triangles->count;
    test_mesh_add_sphere(triangles, 2, center, radius);
    for (int n = first; turned && n < triangles->count; n++) {
        const BrumeVec3 corner = triangles->triangles[n][0];
        triangles->triangles[n][0] = triangles->triangles[n][1];
        triangles->triangles[n][1] = corner;
    }
}

// A cavity is inside out; a part that overlaps another, or is beside it, is not to be.
static void test_turned_parts(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        TestMesh triangles = {0};
        add_sphere(&triangles, ORIGIN, 1.0f, false);
        add_sphere(&triangles, ORIGIN, 0.5f, true);
        add_sphere(&triangles, brume_vec3(1.2f, 0.0f, 0.0f), 0.4f, turned);
        add_sphere(&triangles, brume_vec3(0.0f, 3.0f, 0.0f), 0.6f, turned);
        BrumeMesh *mesh = test_mesh_create(&triangles);
        assert_true(brume_mesh_info(mesh)->closed);
        assert_int_equal(brume_mesh_info(mesh)->parts, 4);
        assert_int_equal(brume_mesh_info(mesh)->turned_parts, 2 * turned);
        brume_mesh_release(mesh);
    }
}

static void test_open_and_broken(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_disc(&triangles, 12, 1.0f);
    BrumeMesh *disc = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(disc)->open_edges, 12);
    assert_int_equal(brume_mesh_info(disc)->holes, 1);
    assert_int_equal(brume_mesh_info(disc)->turned_edges, 0);
    assert_false(brume_mesh_info(disc)->closed);
    assert_true(brume_mesh_info(disc)->volume == 0.0);
    brume_mesh_release(disc);

    test_mesh_add_box(&triangles, ORIGIN, brume_vec3(1.0f, 1.0f, 1.0f));
    triangles.count -= 2;
    BrumeMesh *box = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(box)->open_edges, 4);
    assert_int_equal(brume_mesh_info(box)->holes, 1);
    assert_false(brume_mesh_info(box)->closed);
    brume_mesh_release(box);

    test_mesh_add_sphere(&triangles, 2, ORIGIN, 1.0f);
    triangles.triangles[0][2] = triangles.triangles[0][1]; // one triangle less, and a second hole elsewhere
    triangles.count--;
    BrumeMesh *holed = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(holed)->degenerate, 1);
    assert_int_equal(brume_mesh_info(holed)->open_edges, 6);
    assert_int_equal(brume_mesh_info(holed)->holes, 2);
    brume_mesh_release(holed);

    test_mesh_add_moebius(&triangles, 24);
    BrumeMesh *strip = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(strip)->open_edges, 48);
    assert_int_equal(brume_mesh_info(strip)->holes, 1); // its edge is one curve
    assert_int_equal(brume_mesh_info(strip)->turned_edges, 1);
    assert_int_equal(brume_mesh_info(strip)->parts, 1);
    brume_mesh_release(strip);

    test_mesh_add_sphere(&triangles, 1, ORIGIN, 1.0f);
    test_mesh_add_sphere(&triangles, 1, brume_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    BrumeMesh *spheres = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(spheres)->parts, 2);
    assert_true(brume_mesh_info(spheres)->closed);
    brume_mesh_release(spheres);

    test_mesh_add_box(&triangles, ORIGIN, brume_vec3(1.0f, 1.0f, 1.0f));
    const BrumeVec3 swapped = triangles.triangles[3][1];
    triangles.triangles[3][1] = triangles.triangles[3][2];
    triangles.triangles[3][2] = swapped;
    BrumeMesh *turned = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(turned)->turned_edges, 3);
    assert_false(brume_mesh_info(turned)->closed);
    brume_mesh_release(turned);

    test_mesh_add_box(&triangles, ORIGIN, brume_vec3(1.0f, 1.0f, 1.0f));
    test_mesh_add_box(&triangles, brume_vec3(1.0f, 1.0f, 0.0f), brume_vec3(2.0f, 2.0f, 1.0f));
    BrumeMesh *touching = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(touching)->shared_edges, 1);
    assert_int_equal(brume_mesh_info(touching)->vertices, 14);
    assert_int_equal(brume_mesh_info(touching)->parts, 1);
    brume_mesh_release(touching);
}

/** Vertices of equal position are one, also 0 and -0; degenerate triangles are left out, with their values. */
static void test_welding(void **state)
{
    (void)state;
    const BrumeVec3 positions[] = {{0.0f, 0.0f, 0.0f},  {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {-0.0f, -0.0f, -0.0f},
                                   {0.0f, -1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {7.0f, 7.0f, 7.0f}, {2.0f, 0.0f, -0.0f}};
    const int corners[] = {0, 1, 5, 0, 1, 7, 0, 1, 2, 3, 4, 5};
    const float uvs[24] = {[12] = 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 3.0f, 4.0f, 3.0f, 4.0f, 3.0f, 4.0f};
    BrumeVec3 colors[12] = {[6] = {0.5f, 0.0f, 0.0f}, [7] = {0.0f, 0.5f, 0.0f}, [8] = {0.0f, 0.0f, 0.5f}};
    BrumeVec3 normals[12] = {[6] = {0.0f, 0.0f, 1.0f}, [7] = {0.0f, 0.6f, 0.8f}}; // that of corner 8 has no direction
    BrumeMeshDef def = {
        .vertex_count = 8,
        .positions = positions,
        .triangle_count = 4,
        .corners = corners,
        .uvs = uvs,
        .colors = colors,
        .normals = normals,
        .file = "a.obj",
    };
    BrumeMesh *mesh;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    assert_int_equal(info->vertices, 4);
    assert_int_equal(info->triangles, 2);
    assert_int_equal(info->degenerate, 2);
    assert_int_equal(info->open_edges, 4);
    assert_int_equal(info->turned_edges, 0);
    assert_string_equal(mesh->file, "a.obj");
    const double share[3] = {0.25, 0.5, 0.25};
    const BrumeMeshAttributes at = brume_mesh_attributes(mesh, 0, share);
    assert_true(at.uv[0] == 0.5f && at.uv[1] == 0.25f);
    assert_true(at.color.x == 0.125f && at.color.y == 0.25f && at.color.z == 0.125f);
    const double last[3] = {0.0, 0.0, 1.0};
    assert_true(brume_mesh_attributes(mesh, 0, last).normal.z == 1.0f);
    const double second[3] = {0.0, 1.0, 0.0};
    assert_near((double)brume_mesh_attributes(mesh, 0, second).normal.y, 0.6, 1e-6);
    assert_true(brume_mesh_attributes(mesh, 1, share).uv[1] == 4.0f);

    // the hash is that of the triangles, whatever the numbers of their vertices
    const BrumeVec3 others[] = {{0.0f, -1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, -0.0f, 0.0f}};
    const int other_corners[] = {3, 2, 1, 3, 0, 2};
    const BrumeMeshDef other_def = {
        .vertex_count = 4, .positions = others, .triangle_count = 2, .corners = other_corners};
    BrumeMesh *other;
    assert_int_equal(brume_mesh_create(&other, &other_def, NULL), BRUME_OK);
    assert_true(brume_mesh_hash(other) == brume_mesh_hash(mesh));
    brume_mesh_retain(other);
    brume_mesh_release(other);
    assert_int_equal(brume_mesh_info(other)->vertices, 4);
    brume_mesh_release(other);
    brume_mesh_release(mesh);
    brume_mesh_release(NULL);
    brume_mesh_retain(NULL);
    def.triangle_count = 3;
    assert_int_equal(brume_mesh_create(&other, &def, NULL), BRUME_OK);
    assert_true(brume_mesh_hash(other) != 0 && brume_mesh_info(other)->triangles == 1);
    brume_mesh_release(other);
}

static void assert_refused(const BrumeMeshDef *def, const char *text)
{
    BrumeError error;
    BrumeMesh *mesh = (BrumeMesh *)&error;
    assert_int_equal(brume_mesh_create(&mesh, def, &error), BRUME_BAD_INPUT);
    assert_null(mesh);
    assert_string_equal(error.text, text);
}

static void test_refused(void **state)
{
    (void)state;
    BrumeVec3 positions[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    int corners[3] = {0, 1, 2};
    float uvs[6] = {0.0f};
    const BrumeMeshDef good = {.vertex_count = 3, .positions = positions, .triangle_count = 1, .corners = corners};
    BrumeMeshDef def = good;
    def.vertex_count = 2;
    assert_refused(&def, "a mesh has 2 vertices; 3 to 268435456 are allowed");
    def = good;
    def.triangle_count = 0;
    assert_refused(&def, "a mesh has 0 triangles; 1 to 268435456 are allowed");
    corners[2] = 3;
    assert_refused(&good, "triangle 0 of a mesh has vertex 3 of 3");
    corners[2] = -1;
    assert_refused(&good, "triangle 0 of a mesh has vertex -1 of 3");
    corners[2] = 1;
    assert_refused(&good, "no triangle of a mesh has an area");
    corners[2] = 2;
    positions[2].y = NAN;
    assert_refused(&good, "vertex 2 of a mesh is not within 1e+07 m");
    positions[2].y = -INFINITY;
    assert_refused(&good, "vertex 2 of a mesh is not within 1e+07 m");
    positions[2].y = 1.1e7f;
    assert_refused(&good, "vertex 2 of a mesh is not within 1e+07 m");
    positions[2].y = 0.0f;
    assert_refused(&good, "no triangle of a mesh has an area");
    positions[2].y = 1.0f;
    def = good;
    def.uvs = uvs;
    uvs[5] = NAN;
    assert_refused(&def, "a normal, texture coordinate or color of a mesh is not finite");
}

static uint64_t tree_hash(const BrumeMesh *mesh)
{
    const BrumeBvh *bvh = &mesh->bvh;
    uint64_t hash = brume_hash_bytes(bvh->nodes, (size_t)bvh->node_count * sizeof *bvh->nodes, 0);
    hash = brume_hash_bytes(bvh->moments, (size_t)bvh->node_count * sizeof *bvh->moments, hash);
    hash = brume_hash_bytes(mesh->normals, 3 * (size_t)bvh->triangle_count * sizeof *mesh->normals, hash);
    return brume_hash_bytes(bvh->triangles, (size_t)bvh->triangle_count * sizeof *bvh->triangles, hash);
}

/** Whether each box of the subtree contains its triangles; the number of triangles. */
static int check_subtree(const BrumeBvh *bvh, int n, int depth)
{
    assert_true(depth < BRUME_BVH_STACK);
    const BrumeBvhNode *node = &bvh->nodes[n];
    if (node->count == 0) {
        assert_true(node->other > n + 1 && node->other < bvh->node_count);
        for (int child = 0; child < 2; child++) {
            const BrumeBvhNode *below = &bvh->nodes[child == 0 ? n + 1 : node->other];
            for (int axis = 0; axis < 3; axis++) {
                assert_true(below->lower[axis] >= node->lower[axis] && below->upper[axis] <= node->upper[axis]);
            }
        }
        return check_subtree(bvh, n + 1, depth + 1) + check_subtree(bvh, node->other, depth + 1);
    }
    for (int t = 0; t < node->count; t++) {
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                const float at = brume_component(bvh->triangles[node->other + t].corners[corner], axis);
                assert_true(at >= node->lower[axis] && at <= node->upper[axis]);
            }
        }
    }
    return node->count;
}

static void test_tree(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        TestMesh triangles = {0};
        test_mesh_add_torus(&triangles, 96, 64, 1.0f, 0.25f);
        test_mesh_add_soup(&triangles, 5000, 1);
        BrumeMesh *mesh = test_mesh_create(&triangles);
        hashes[n] = tree_hash(mesh);
        assert_int_equal(check_subtree(&mesh->bvh, 0, 0), 2 * 96 * 64 + 5000);
        brume_mesh_release(mesh);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] == 0xa0ad9e9343e42fe2); // with every compiler, on every machine
}

/** Triangles that no bin separates, and sizes that bins separate one by one: the depth is bounded. */
static void test_tree_of_bad_triangles(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    for (int n = 0; n < 3000; n++) {
        test_mesh_add(&triangles, ORIGIN, brume_vec3(1.0f, 0.0f, 0.0f), brume_vec3(0.0f, 1.0f, 0.0f));
    }
    for (int n = 0; n < 80; n++) {
        const float size = ldexpf(1.0f, n - 100);
        for (int twin = 0; twin < 100; twin++) {
            test_mesh_add(&triangles, brume_vec3(size, 0.0f, 0.0f), brume_vec3(2.0f * size, 0.0f, 0.0f),
                          brume_vec3(size, size, 0.0f));
        }
    }
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_int_equal(check_subtree(&mesh->bvh, 0, 0), 11000);
    BrumeMeshHit hit;
    assert_true(brume_mesh_hit(mesh, brume_vec3(0.25f, 0.25f, 1.0f), brume_vec3(0.0f, 0.0f, -1.0f), 0.0, 2.0, &hit));
    assert_int_equal(hit.triangle, 0);
    brume_mesh_release(mesh);
}

static int allocations_left;

static void *allocate(void *context, size_t bytes, size_t alignment)
{
    (void)context;
    return allocations_left-- > 0 ? aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : NULL;
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/** Without memory for any one of its arrays, no mesh is created and nothing is left. */
static void test_no_memory(void **state)
{
    (void)state;
    const BrumeVec3 positions[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    const int corners[3] = {0, 1, 2};
    const float uvs[6] = {0.0f};
    const BrumeVec3 colors[3] = {{0.0f, 0.0f, 0.0f}};
    const BrumeMeshDef def = {
        .vertex_count = 3,
        .positions = positions,
        .triangle_count = 1,
        .corners = corners,
        .uvs = uvs,
        .colors = colors,
        .file = "a.obj",
    };
    const BrumeAllocator allocator = {.allocate = allocate, .release = release};
    assert_int_equal(brume_set_allocator(&allocator, NULL), BRUME_OK);
    BrumeMesh *mesh = NULL;
    int failures = 0;
    for (int n = 0; !mesh; n++) {
        allocations_left = n;
        BrumeError error;
        if (brume_mesh_create(&mesh, &def, &error) != BRUME_OK) {
            assert_int_equal(error.status, BRUME_FAILED);
            assert_string_equal(error.text, "out of memory for a mesh of 1 triangles");
            assert_null(mesh);
            assert_int_equal(brume_set_allocator(&allocator, NULL), BRUME_OK); // it fails where memory is in use
            failures++;
        }
    }
    assert_true(failures > 15);
    brume_mesh_release(mesh);
    assert_int_equal(brume_set_allocator(NULL, NULL), BRUME_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_sphere_and_torus),
        cmocka_unit_test(test_smooth_normals),
        cmocka_unit_test(test_turned_parts),
        cmocka_unit_test(test_open_and_broken),
        cmocka_unit_test(test_welding),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_tree_of_bad_triangles),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
