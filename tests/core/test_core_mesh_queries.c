// Rays, segments, closest points and winding numbers of meshes: exact values, and those of a loop over all triangles.
#include "core/mesh/lattice.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/patch.h"
#include "core/vec3.h"
#include "test_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const BrumeVec3 ORIGIN = {0.0f, 0.0f, 0.0f};
static const BrumeVec3 LOWER = {-1.0f, -1.0f, -1.0f};
static const BrumeVec3 UPPER = {2.0f, 2.0f, 2.0f};

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
    }
}

static BrumeMesh *sphere(int subdivisions)
{
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, subdivisions, ORIGIN, 1.0f);
    return test_mesh_create(&triangles);
}

static BrumeMesh *box(BrumeVec3 lower, BrumeVec3 upper)
{
    TestMesh triangles = {0};
    test_mesh_add_box(&triangles, lower, upper);
    return test_mesh_create(&triangles);
}

static void test_hits_of_a_box(void **state)
{
    (void)state;
    BrumeMesh *mesh = box(ORIGIN, brume_vec3(1.0f, 2.0f, 3.0f));
    BrumeMeshHit hit;
    const BrumeVec3 from = {-3.0f, 0.5f, 0.25f};
    const BrumeVec3 to_right = {2.0f, 0.0f, 0.0f};
    assert_true(brume_mesh_hit(mesh, from, to_right, 0.0, 10.0, &hit));
    assert_true(hit.distance == 1.5);
    assert_true(brume_mesh_attributes(mesh, hit.triangle, hit.share).face.x == -1.0f);
    assert_true(brume_mesh_hit(mesh, from, to_right, 1.5, 1.5, &hit) && hit.distance == 1.5);
    assert_true(brume_mesh_hit(mesh, from, to_right, 1.6, 10.0, &hit) && hit.distance == 2.0);
    assert_true(brume_mesh_hit(mesh, brume_vec3(9.0f, 0.5f, 0.25f), to_right, -10.0, 0.0, &hit) &&
                hit.distance == -4.5);
    assert_false(brume_mesh_hit(mesh, from, to_right, 2.1, INFINITY, &hit));
    assert_false(brume_mesh_hit(mesh, from, ORIGIN, 0.0, 10.0, &hit));
    assert_true(brume_mesh_occludes(mesh, from, to_right, 0.0, 1.5));
    assert_false(brume_mesh_occludes(mesh, from, to_right, 0.0, 1.49));
    assert_false(brume_mesh_occludes(mesh, from, ORIGIN, 0.0, 1.0));
    // along an edge and in the plane of a face: the faces that the ray crosses are hit
    assert_true(brume_mesh_hit(mesh, brume_vec3(-3.0f, 0.0f, 0.0f), to_right, 0.0, 10.0, &hit));
    assert_true(hit.distance == 1.5);
    assert_true(brume_mesh_hit(mesh, brume_vec3(-3.0f, 2.0f, 1.0f), to_right, 0.0, 10.0, &hit) && hit.distance == 1.5);
    brume_mesh_release(mesh);
}

/** From points inside a closed mesh, rays towards all its vertices and midpoints of edges hit it. */
static void test_rays_do_not_leak(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 3, ORIGIN, 1.0f);
    static BrumeVec3 targets[1280][6];
    for (int n = 0; n < 1280; n++) {
        for (int corner = 0; corner < 3; corner++) {
            targets[n][corner] = triangles.triangles[n][corner];
            targets[n][3 + corner] =
                brume_scale(brume_add(triangles.triangles[n][corner], triangles.triangles[n][(corner + 1) % 3]), 0.5f);
        }
    }
    BrumeMesh *mesh = test_mesh_create(&triangles);
    for (uint32_t n = 0; n < 100000; n++) {
        const BrumeVec3 from =
            n % 5 == 0 ? ORIGIN : test_mesh_point(n, 1, brume_vec3(-0.5f, -0.5f, -0.5f), brume_vec3(0.5f, 0.5f, 0.5f));
        const BrumeVec3 target = targets[n % 1280][n / 1280 % 6];
        BrumeMeshHit hit;
        assert_true(brume_mesh_hit(mesh, from, brume_sub(target, from), 0.0, INFINITY, &hit));
        assert_near(hit.distance, 1.0, 1e-6);
    }
    brume_mesh_release(mesh);
}

static BrumeMesh *soup(int count, uint32_t seed)
{
    TestMesh triangles = {0};
    test_mesh_add_soup(&triangles, count, seed);
    test_mesh_add_box(&triangles, brume_vec3(0.25f, 0.25f, 0.25f), brume_vec3(0.75f, 0.75f, 0.75f));
    return test_mesh_create(&triangles);
}

// a point of which some coordinates are those of the sides of the box in the soup
static BrumeVec3 point_near(uint32_t n, uint32_t seed)
{
    BrumeVec3 point = test_mesh_point(n, seed, LOWER, UPPER);
    point.x = n % 3 == 0 ? 0.25f : point.x;
    point.y = n % 5 == 0 ? 0.75f : point.y;
    point.z = n % 7 == 0 ? 0.5f : point.z;
    return point;
}

// all hits between -0.5 and 1.5 are those that follow each other, and begin with the `first`; NULL: none
static void check_all_hits(const BrumeMesh *mesh, BrumeVec3 from, BrumeVec3 along, const BrumeMeshHit *first)
{
    enum { MOST = 64 };
    static BrumeMeshHit hits[MOST];
    int count;
    const bool complete = brume_mesh_hits(mesh, from, along, -0.5, 1.5, hits, MOST, &count);
    assert_true((count > 0) == (first != NULL) && (complete || count == MOST));
    if (!complete || count == 0 || !first) {
        return;
    }
    assert_true(hits[0].distance == first->distance && hits[0].triangle == first->triangle);
    for (int n = 0; n < count; n++) {
        const bool is_last = n + 1 == count;
        const double after = nextafter(hits[n].distance, INFINITY);
        BrumeMeshHit next = {0};
        if (is_last || hits[n + 1].distance > hits[n].distance) {
            assert_true(test_mesh_hit(mesh, from, along, after, 1.5, &next) == !is_last);
            assert_true(is_last || (next.distance == hits[n + 1].distance && next.triangle == hits[n + 1].triangle &&
                                    memcmp(next.share, hits[n + 1].share, sizeof next.share) == 0));
        } else {
            assert_true(hits[n + 1].triangle > hits[n].triangle);
        }
    }
    BrumeMeshHit one;
    int room;
    assert_true(brume_mesh_hits(mesh, from, along, -0.5, 1.5, &one, 1, &room) == (count == 1) && room == 1);
}

static void test_queries_equal_loops(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 8; seed++) {
        BrumeMesh *mesh = soup(seed == 0 ? 1 : 200 << seed / 2, seed);
        int hits = 0;
        for (uint32_t n = 0; n < 500; n++) {
            const BrumeVec3 a = point_near(n, 10 + seed);
            const BrumeVec3 b = point_near(n + 1, 20 + seed);
            const BrumeVec3 along = n % 11 == 0 ? brume_vec3(0.0f, -0.5f, 0.0f) : brume_sub(b, a);
            BrumeMeshHit hit = {0};
            BrumeMeshHit expected = {0};
            const bool is_hit = brume_mesh_hit(mesh, a, along, -0.5, 1.5, &hit);
            assert_true(is_hit == test_mesh_hit(mesh, a, along, -0.5, 1.5, &expected));
            assert_memory_equal(&hit, &expected, sizeof hit);
            assert_true(is_hit == brume_mesh_occludes(mesh, a, along, -0.5, 1.5));
            check_all_hits(mesh, a, along, is_hit ? &expected : NULL);
            assert_true(brume_mesh_crosses(mesh, a, b) == test_mesh_crosses(mesh, a, b));
            BrumeMeshPoint closest = {0};
            BrumeMeshPoint nearest = {0};
            const double most = n % 2 == 0 ? 0.05 : 10.0;
            const bool found = brume_mesh_closest(mesh, a, most, &closest);
            assert_true(found == test_mesh_closest(mesh, a, most, &nearest));
            if (found) {
                assert_memory_equal(&closest.distance, &nearest.distance, sizeof closest.distance);
                assert_memory_equal(closest.share, nearest.share, sizeof closest.share);
                assert_int_equal(closest.triangle, nearest.triangle);
                assert_near((double)brume_length(brume_sub(closest.at, a)), closest.distance, 1e-6);
            }
            assert_near(brume_mesh_winding(mesh, a, INFINITY), test_mesh_winding(mesh, a), 1e-11);
            assert_near(brume_mesh_winding(mesh, a, 3.0), test_mesh_winding(mesh, a), 1e-2);
            hits += is_hit;
        }
        assert_in_range(hits, 50, 499);
        brume_mesh_release(mesh);
    }
}

// a path crosses the surface where one of its segments does, also where the patch has no room for the triangles
static void check_paths(const BrumeMesh *mesh, BrumeVec3 lower, BrumeVec3 upper, float spread, bool has_room)
{
    enum { POINTS = 5 };
    static BrumeMeshPatch patch;
    brume_mesh_patch(&patch, mesh, lower, upper);
    assert_true((patch.count >= 0) == has_room);
    int crossed = 0;
    for (uint32_t n = 0; n < 300; n++) {
        BrumeVec3 path[POINTS];
        BrumeVec3 low = upper;
        BrumeVec3 high = lower;
        for (uint32_t at = 0; at < POINTS; at++) {
            const BrumeVec3 near = test_mesh_point(n, 50, lower, upper);
            const BrumeVec3 other = test_mesh_point(POINTS * n + at, 51, lower, upper);
            path[at] = brume_add(brume_scale(near, 1.0f - spread), brume_scale(other, spread));
            low = brume_lower_corner(path[at], low);
            high = brume_upper_corner(path[at], high);
        }
        bool expected = false;
        for (int at = 0; at + 1 < POINTS; at++) {
            expected = expected || test_mesh_crosses(mesh, path[at], path[at + 1]);
        }
        assert_true(brume_patch_crosses(&patch, path, POINTS) == expected);
        assert_true(brume_patch_is_near(&patch, low, high) || !expected);
        crossed += expected;
    }
    assert_in_range(crossed, 30, 295);
}

static void test_paths_in_patches(void **state)
{
    (void)state;
    BrumeMesh *mesh = soup(1600, 3);
    check_paths(mesh, brume_vec3(0.4f, 0.3f, 0.35f), brume_vec3(0.55f, 0.5f, 0.5f), 0.2f, true);
    check_paths(mesh, ORIGIN, brume_vec3(1.0f, 1.0f, 1.0f), 0.02f, false);
    BrumeMeshPatch patch;
    brume_mesh_patch(&patch, mesh, brume_vec3(5.0f, 5.0f, 5.0f), brume_vec3(6.0f, 6.0f, 6.0f));
    assert_int_equal(patch.count, 0);
    assert_false(brume_patch_crosses(&patch, (BrumeVec3[]){{5.0f, 5.0f, 5.0f}, {6.0f, 6.0f, 6.0f}}, 2));
    brume_mesh_release(mesh);
}

// rays and points that are searched together have the results of loops over all triangles, in a full list the first
// ones
static void test_queries_of_several(void **state)
{
    (void)state;
    enum { RAYS = 53, MOST = 2, ALL = 64 };
    BrumeMesh *mesh = soup(400, 3);
    BrumeMeshRay rays[RAYS];
    BrumeVec3 points[RAYS];
    for (uint32_t n = 0; n < RAYS; n++) {
        points[n] = point_near(n, 30);
        const BrumeVec3 along = n == 7 ? ORIGIN : brume_sub(point_near(n + 1, 31), points[n]); // one has no direction
        rays[n] = (BrumeMeshRay){points[n], along, -0.5, n % 2 == 0 ? 1.5 : 4.0};
    }
    BrumeMeshHit first[RAYS];
    BrumeMeshHit hits[RAYS][MOST];
    int counts[RAYS];
    double distances[RAYS];
    brume_mesh_first_hits(mesh, rays, RAYS, first);
    brume_mesh_all_hits(mesh, rays, RAYS, hits[0], MOST, counts);
    brume_mesh_distances(mesh, points, RAYS, 0.2, distances);
    int full = 0;
    for (int n = 0; n < RAYS; n++) {
        const BrumeMeshRay *ray = &rays[n];
        BrumeMeshHit expected = {0};
        const bool is_hit = n != 7 && test_mesh_hit(mesh, ray->origin, ray->direction, ray->from, ray->to, &expected);
        assert_true(is_hit == (first[n].triangle >= 0));
        assert_true(is_hit == (counts[n] > 0));
        if (is_hit) {
            assert_memory_equal(&first[n], &expected, sizeof expected);
            assert_memory_equal(&hits[n][0], &expected, sizeof expected);
        }
        BrumeMeshHit all[ALL];
        int count;
        assert_true(brume_mesh_hits(mesh, ray->origin, ray->direction, ray->from, ray->to, all, ALL, &count));
        assert_int_equal(counts[n], count <= MOST ? count : MOST + 1);
        for (int hit = 0; hit < count && hit < MOST; hit++) {
            assert_memory_equal(&hits[n][hit], &all[hit], sizeof all[hit]);
        }
        full += count > MOST;
        BrumeMeshPoint nearest;
        const double distance = test_mesh_closest(mesh, points[n], 0.2, &nearest) ? nearest.distance : 0.2;
        assert_memory_equal(&distances[n], &distance, sizeof distance);
        const double rough = brume_mesh_distance(mesh, points[n], 0.1, 0.2);
        assert_true(distance < 0.1 ? rough >= distance && rough < 0.1 : rough == distance);
    }
    assert_in_range(full, 1, RAYS - 1);
    brume_mesh_release(mesh);
}

enum { SIDE = 24 };

// the points of a grid that are reached from its first one by segments that do not cross the mesh
static void flood(const BrumeMesh *mesh, const BrumeVec3 *at, bool *reached)
{
    static int queue[SIDE * SIDE * SIDE];
    static const int strides[3] = {1, SIDE, SIDE * SIDE};
    int count = 1;
    queue[0] = 0;
    reached[0] = true;
    for (int n = 0; n < count; n++) {
        const int point = queue[n];
        for (int side = 0; side < 6; side++) {
            const int index = point / strides[side / 2] % SIDE;
            const int next = side % 2 == 0 ? index - 1 : index + 1;
            const int neighbor = point + strides[side / 2] * (next - index);
            if (next >= 0 && next < SIDE && !reached[neighbor] && !brume_mesh_crosses(mesh, at[point], at[neighbor])) {
                reached[neighbor] = true;
                queue[count++] = neighbor;
            }
        }
    }
}

/** No way along a grid leads into closed meshes, also where points of the grid are on the surface. */
static void test_segments_separate(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 2, brume_vec3(0.4f, 0.5f, 0.5f), 0.3f);
    test_mesh_add_box(&triangles, brume_vec3(0.5f, 0.25f, 0.25f), brume_vec3(0.875f, 0.75f, 0.75f));
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeVec3 offsets[3] = {{0.0f, 0.0f, 0.0f}, {0.01f, 0.003f, 0.007f}, {1.0f / 48.0f, 0.0f, 1e-8f}};
    for (int grid = 0; grid < 3; grid++) {
        static BrumeVec3 at[SIDE * SIDE * SIDE];
        static bool reached[SIDE * SIDE * SIDE];
        memset(reached, 0, sizeof reached);
        for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
            const int row = n / SIDE;
            const int plane = row / SIDE;
            const BrumeVec3 cell = {(float)(n % SIDE), (float)(row % SIDE), (float)plane};
            at[n] = brume_add(offsets[grid], brume_scale(cell, 1.0f / SIDE));
        }
        flood(mesh, at, reached);
        int inside = 0;
        for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
            BrumeMeshPoint closest;
            if (!brume_mesh_closest(mesh, at[n], 1e-6, &closest)) {
                const bool is_inside = brume_mesh_winding(mesh, at[n], INFINITY) > 0.5;
                assert_true(reached[n] == !is_inside);
                inside += is_inside;
            }
        }
        assert_in_range(inside, 1500, 3000);
    }
    // an end on the surface counts for both sides, and a segment beside the surface does not
    const BrumeVec3 on = {0.875f, 0.5f, 0.5f};
    assert_true(brume_mesh_crosses(mesh, on, brume_vec3(0.9f, 0.5f, 0.5f)));
    assert_true(brume_mesh_crosses(mesh, on, brume_vec3(0.86f, 0.5f, 0.5f)));
    assert_true(brume_mesh_crosses(mesh, brume_vec3(0.9f, 0.5f, 0.5f), on));
    assert_false(brume_mesh_crosses(mesh, brume_vec3(0.876f, 0.5f, 0.5f), brume_vec3(0.9f, 0.5f, 0.5f)));
    assert_false(brume_mesh_crosses(mesh, on, on));
    brume_mesh_release(mesh);
}

static void test_closest_points(void **state)
{
    (void)state;
    const BrumeVec3 upper = {1.0f, 2.0f, 3.0f};
    BrumeMesh *mesh = box(ORIGIN, upper);
    BrumeMeshPoint closest;
    for (uint32_t n = 0; n < 2000; n++) {
        const BrumeVec3 p = test_mesh_point(n, 3, brume_vec3(-2.0f, -2.0f, -2.0f), brume_vec3(4.0f, 4.0f, 4.0f));
        double outside = 0.0; // square
        double inside = INFINITY;
        double to_corner = 0.0; // square
        for (int axis = 0; axis < 3; axis++) {
            const double at = (double)brume_component(p, axis);
            const double side = (double)brume_component(upper, axis);
            const double apart = fmax(fmax(-at, at - side), 0.0);
            outside += apart * apart;
            inside = fmin(inside, fmin(at, side - at));
            to_corner += fmin(at * at, (at - side) * (at - side));
        }
        assert_true(brume_mesh_closest(mesh, p, INFINITY, &closest));
        assert_near(closest.distance, outside > 0.0 ? sqrt(outside) : inside, 1e-14);
        assert_false(brume_mesh_closest(mesh, p, 0.999 * closest.distance - 1e-9, &closest));
        assert_true(brume_mesh_closest(mesh, p, closest.distance * (1.0 + 1e-15), &closest));
        assert_true(brume_mesh_closest_vertex(mesh, p, INFINITY, &closest));
        assert_near(closest.distance, sqrt(to_corner), 1e-14);
        assert_near((double)brume_length(brume_sub(closest.at, p)), closest.distance, 1e-6);
        assert_true(closest.share[0] + closest.share[1] + closest.share[2] == 1.0);
        assert_true(fmax(closest.share[0], fmax(closest.share[1], closest.share[2])) == 1.0);
        assert_false(brume_mesh_closest_vertex(mesh, p, 0.999 * closest.distance - 1e-9, &closest));
    }
    assert_true(brume_mesh_closest(mesh, brume_vec3(3.0f, 1.0f, 1.0f), 2.0, &closest));
    assert_true(closest.at.x == 1.0f && closest.at.y == 1.0f && closest.at.z == 1.0f && closest.distance == 2.0);
    brume_mesh_release(mesh);
}

static void test_winding_of_closed_meshes(void **state)
{
    (void)state;
    BrumeMesh *mesh = sphere(2);
    int uncounted = 0;
    const BrumeVec3 vertex = {0.0f, 0.85065081f, 0.52573111f};
    for (uint32_t n = 0; n < 10000; n++) {
        BrumeVec3 p = test_mesh_point(n, 4, brume_vec3(-1.5f, -1.5f, -1.5f), brume_vec3(1.5f, 1.5f, 1.5f));
        if (n % 10 == 0) { // above and below a vertex
            p = brume_scale(vertex, n % 20 == 0 ? 1.0f + 0.0001f * (float)n : 0.00009f * (float)n);
        }
        const float radius = brume_length(p);
        BrumeMeshPoint closest;
        assert_true(brume_mesh_closest(mesh, p, INFINITY, &closest));
        const bool inside = radius < 1.0f && brume_mesh_occludes(mesh, p, p, 0.0, INFINITY);
        if (closest.distance > 1e-6) {
            const double exact = brume_mesh_winding(mesh, p, INFINITY);
            assert_near(exact, inside ? 1.0 : 0.0, 1e-9);
            assert_near(brume_mesh_winding(mesh, p, 2.0), exact, 1e-2);
            assert_near(brume_mesh_winding(mesh, p, 3.0), exact, 1e-3);
            assert_true(brume_mesh_inside(mesh, p) == inside);
            int count;
            const bool counted = brume_mesh_count_crossings(mesh, p, &count);
            assert_true(!counted || count == (inside ? 1 : 0));
            uncounted += !counted;
        }
    }
    assert_in_range(uncounted, 0, 10);                                  // where the ray crosses an edge
    assert_near(brume_mesh_winding(mesh, vertex, INFINITY), 0.45, 0.1); // at a vertex: the part of the sphere around it
    brume_mesh_release(mesh);

    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 2, ORIGIN, 1.0f);
    test_mesh_add_sphere(&triangles, 2, brume_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    mesh = test_mesh_create(&triangles);
    assert_near(brume_mesh_winding(mesh, brume_vec3(0.5f, 0.1f, 0.2f), INFINITY), 2.0, 1e-12);
    int count;
    assert_true(brume_mesh_count_crossings(mesh, brume_vec3(0.5f, 0.1f, 0.2f), &count) && count == 2);
    assert_near(brume_mesh_winding(mesh, brume_vec3(-0.5f, 0.1f, 0.2f), INFINITY), 1.0, 1e-12);
    assert_near(brume_mesh_winding(mesh, brume_vec3(0.5f, 0.95f, 0.0f), INFINITY), 0.0, 1e-12);
    assert_true(brume_mesh_inside(mesh, brume_vec3(0.5f, 0.1f, 0.2f)));
    brume_mesh_release(mesh);

    // inside out
    test_mesh_add_box(&triangles, brume_vec3(1.0f, 0.0f, 0.0f), brume_vec3(0.0f, 1.0f, 1.0f));
    mesh = test_mesh_create(&triangles);
    assert_near(brume_mesh_winding(mesh, brume_vec3(0.5f, 0.25f, 0.5f), INFINITY), -1.0, 1e-12);
    assert_true(brume_mesh_info(mesh)->volume == -1.0);
    brume_mesh_release(mesh);
}

// closed, overlapping, inside out, and open meshes
static void test_points_on_lines(void **state)
{
    (void)state;
    enum { POINTS = 90 };
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 3, ORIGIN, 1.0f);
    test_mesh_add_sphere(&triangles, 2, brume_vec3(1.0f, 0.0f, 0.0f), 0.8f);
    BrumeMesh *meshes[3] = {test_mesh_create(&triangles)};
    test_mesh_add_torus(&triangles, 20, 10, 0.8f, 0.3f);
    test_mesh_add_box(&triangles, brume_vec3(2.0f, 0.0f, 0.0f), brume_vec3(1.0f, 0.7f, 1.0f));
    meshes[1] = test_mesh_create(&triangles);
    test_mesh_add_box(&triangles, brume_vec3(-0.9f, -0.7f, -0.9f), brume_vec3(0.9f, 0.8f, 0.9f));
    triangles.count -= 2;
    meshes[2] = test_mesh_create(&triangles);
    int counts[2] = {0, 0};
    for (uint32_t n = 0; n < 600; n++) {
        const BrumeMesh *mesh = meshes[n % 3];
        BrumeVec3 points[POINTS];
        bool inside[POINTS];
        const BrumeVec3 from = point_near(n, 5);
        const BrumeVec3 to = n % 4 == 0 ? brume_vec3(UPPER.x, from.y, from.z) : test_mesh_point(n, 6, LOWER, UPPER);
        for (int p = 0; p < POINTS; p++) {
            const float share = (float)p / POINTS;
            points[p] = brume_add(brume_scale(from, 1.0f - share), brume_scale(to, share));
        }
        const int count = n < 9 ? (int)n / 3 + 1 : POINTS;
        brume_mesh_contains(mesh, points, count, inside);
        for (int p = 0; p < count; p++) {
            BrumeMeshPoint closest;
            if (brume_mesh_closest(mesh, points[p], INFINITY, &closest) && closest.distance > 1e-6) {
                assert_true(inside[p] == brume_mesh_inside(mesh, points[p]));
                counts[inside[p] ? 1 : 0]++;
            }
        }
    }
    assert_true(counts[0] > 10000 && counts[1] > 5000);
    for (int n = 0; n < 3; n++) {
        brume_mesh_release(meshes[n]);
    }
}

/** The solid angle of a disc seen from its axis is 2 pi (1 - cos); a box without a face has that of the face less. */
static void test_winding_of_open_meshes(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_disc(&triangles, 2000, 1.0f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    for (int n = 1; n < 20; n++) {
        const double height = 0.2 * n;
        const double expected = 0.5 * (1.0 - height / sqrt(1.0 + height * height));
        assert_near(brume_mesh_winding(mesh, brume_vec3(0.0f, (float)-height, 0.0f), INFINITY), expected, 1e-6);
        assert_near(brume_mesh_winding(mesh, brume_vec3(0.0f, (float)height, 0.0f), 2.0), -expected, 1e-2);
    }
    brume_mesh_release(mesh);

    test_mesh_add_box(&triangles, brume_vec3(-1.0f, -1.0f, -1.0f), brume_vec3(1.0f, 1.0f, 1.0f));
    triangles.count -= 2;
    mesh = test_mesh_create(&triangles);
    assert_near(brume_mesh_winding(mesh, ORIGIN, INFINITY), 5.0 / 6.0, 1e-12);
    assert_false(brume_mesh_inside(mesh, ORIGIN)); // it is a wall
    brume_mesh_release(mesh);
}

/** A sphere without triangles: with a hole of 1 % of its area it is solid, with one of 10 % a wall. */
static void test_open_meshes_with_and_without_inside(void **state)
{
    (void)state;
    const int missing[] = {13, 128};
    for (int n = 0; n < 2; n++) {
        TestMesh triangles = {0};
        test_mesh_add_sphere(&triangles, 3, ORIGIN, 1.0f); // 1280 triangles, of which those of a face follow each other
        triangles.count -= missing[n];
        BrumeMesh *mesh = test_mesh_create(&triangles);
        assert_true(brume_mesh_info(mesh)->solid == (n == 0));
        assert_true(brume_mesh_inside(mesh, ORIGIN) == (n == 0));
        assert_true(brume_mesh_winding(mesh, ORIGIN, INFINITY) > 0.5);
        assert_false(brume_mesh_inside(mesh, brume_vec3(0.0f, 1.1f, 0.0f)));
        brume_mesh_release(mesh);
    }
    TestMesh triangles = {0}; // with one of twelve triangles turned, a box is not solid
    test_mesh_add_box(&triangles, brume_vec3(-1.0f, -1.0f, -1.0f), brume_vec3(1.0f, 1.0f, 1.0f));
    const BrumeVec3 first = triangles.triangles[0][0];
    triangles.triangles[0][0] = triangles.triangles[0][1];
    triangles.triangles[0][1] = first;
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_int_equal(brume_mesh_info(mesh)->turned_edges, 3);
    assert_false(brume_mesh_info(mesh)->solid);
    brume_mesh_release(mesh);
}

// the same of every point and segment as single queries find
static void expect_lattice(const BrumeMesh *mesh, int side, uint32_t seed)
{
    const BrumeVec3 shift = test_mesh_point(seed, 7, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(1.0f, 1.0f, 1.0f));
    const double step = 3.0 / side;
    BrumeMeshLattice lattice = {.count = {side, side + 1, side + 2}};
    double position[3][64]; // of the points, in the mesh [m]
    for (int axis = 0; axis < 3; axis++) {
        const double start = -1.5 + step * (double)brume_component(shift, axis);
        lattice.origin[axis] = -start / step;
        lattice.axes[axis][axis] = 1.0 / step;
        for (int n = 0; n < 64; n++) {
            position[axis][n] = start + step * n;
        }
    }
    assert_true(brume_mesh_fits_lattice(mesh, &lattice));
    uint8_t *bits = malloc((size_t)side * (size_t)(side + 1) * (size_t)(side + 2));
    assert_non_null(bits);
    assert_true(brume_mesh_cross_lattice(mesh, &lattice, bits));
    int inside = 0;
    int crossed = 0;
    for (int n = 0; n < side * (side + 1) * (side + 2); n++) {
        const int at[3] = {n % side, n / side % (side + 1), n / side / (side + 1)};
        const BrumeVec3 p = {(float)position[0][at[0]], (float)position[1][at[1]], (float)position[2][at[2]]};
        if (bits[n] & BRUME_LATTICE_TOUCHED) {
            continue;
        }
        if (brume_mesh_info(mesh)->closed) {
            assert_true(((bits[n] & BRUME_LATTICE_INSIDE) != 0) == brume_mesh_inside(mesh, p));
            inside += (bits[n] & BRUME_LATTICE_INSIDE) != 0;
        }
        for (int axis = 0; axis < 3; axis++) {
            float next[3] = {p.x, p.y, p.z};
            next[axis] = (float)position[axis][at[axis] + 1];
            const bool crosses = brume_mesh_crosses(mesh, p, brume_vec3(next[0], next[1], next[2]));
            assert_true(((bits[n] & BRUME_LATTICE_X << axis) != 0) == crosses || at[axis] + 1 >= lattice.count[axis]);
            crossed += crosses;
        }
    }
    assert_true(crossed > 200 && (inside > 100 || !brume_mesh_info(mesh)->closed));
    free(bits);
}

static void test_lattice_equals_queries(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 4; n++) {
        TestMesh triangles = {0};
        test_mesh_add_torus(&triangles, 40, 20, 0.9f, 0.4f);
        test_mesh_add_sphere(&triangles, 2, brume_vec3(0.5f, 0.1f, 0.3f), 0.6f); // overlaps the torus
        BrumeMesh *mesh = test_mesh_create(&triangles);
        expect_lattice(mesh, 24, n);
        brume_mesh_release(mesh);
        test_mesh_add_moebius(&triangles, 40);
        mesh = test_mesh_create(&triangles);
        expect_lattice(mesh, 20, n);
        brume_mesh_release(mesh);
    }
}

static void test_intersections(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 24, 12, 1.0f, 0.4f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_false(brume_mesh_intersects_itself(mesh));
    brume_mesh_release(mesh);
    for (int n = 0; n < 2; n++) {
        test_mesh_add_sphere(&triangles, 2, ORIGIN, 1.0f);
        test_mesh_add_sphere(&triangles, 2, brume_vec3(n == 0 ? 0.5f : 2.1f, 0.0f, 0.0f), 1.0f);
        mesh = test_mesh_create(&triangles);
        assert_true(brume_mesh_intersects_itself(mesh) == (n == 0));
        brume_mesh_release(mesh);
    }
}

/** A segment through the corner of a box and one through a plate. */
static void test_corners(void **state)
{
    (void)state;
    BrumeMesh *mesh = box(ORIGIN, brume_vec3(1.0f, 1.0f, 0.1f));
    const BrumeVec3 a = {-0.1f, 0.15f, 0.05f};
    const BrumeVec3 b = {0.15f, -0.1f, 0.05f};
    assert_true(brume_mesh_crosses(mesh, a, b));
    assert_true(brume_mesh_passes_corners(mesh, a, b, 0.9));
    assert_false(brume_mesh_passes_corners(mesh, a, b, 1.1));
    const BrumeVec3 above = {0.5f, 0.5f, 0.2f};
    const BrumeVec3 below = {0.5f, 0.52f, -0.2f};
    assert_true(brume_mesh_passes_corners(mesh, above, below, 0.09));
    assert_false(brume_mesh_passes_corners(mesh, above, below, 0.11));
    assert_true(brume_mesh_passes_corners(mesh, above, brume_vec3(0.5f, 0.5f, 0.1f), 0.09)); // ends on the surface
    brume_mesh_release(mesh);
    // from the outside of a thick shell to its cavity, through a thickness of .2
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 3, ORIGIN, 1.0f);
    const int outer = triangles.count;
    test_mesh_add_sphere(&triangles, 3, ORIGIN, 0.8f);
    for (int n = outer; n < triangles.count; n++) {
        const BrumeVec3 first = triangles.triangles[n][0];
        triangles.triangles[n][0] = triangles.triangles[n][1];
        triangles.triangles[n][1] = first;
    }
    mesh = test_mesh_create(&triangles);
    assert_false(brume_mesh_passes_corners(mesh, brume_vec3(0.1f, 1.1f, 0.1f), brume_vec3(0.1f, 0.5f, 0.1f), 0.01));
    brume_mesh_release(mesh);
}

/** Broken meshes: a closed surface from which triangles are missing is still solid, but for points near the holes. */
static void test_inside_of_broken_mesh(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 64, 32, 1.0f, 0.4f);
    for (int n = 0; n < triangles.count; n += 40) { // every fortieth is missing, doubled, or moved
        triangles.triangles[n][n / 40 % 3] = brume_add(triangles.triangles[n][0], brume_vec3(0.01f, 0.0f, 0.01f));
    }
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_false(brume_mesh_info(mesh)->closed);
    int wrong = 0;
    for (uint32_t n = 0; n < 4000; n++) {
        const BrumeVec3 p = test_mesh_point(n, 5, brume_vec3(-1.5f, -0.5f, -1.5f), brume_vec3(1.5f, 0.5f, 1.5f));
        const double across = sqrt((double)(p.x * p.x + p.z * p.z)) - 1.0;
        const double distance = sqrt(across * across + (double)(p.y * p.y)) - 0.4;
        wrong += fabs(distance) > 0.03 && brume_mesh_inside(mesh, p) != (distance < 0.0);
    }
    assert_int_equal(wrong, 0);
    brume_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hits_of_a_box),
        cmocka_unit_test(test_rays_do_not_leak),
        cmocka_unit_test(test_queries_equal_loops),
        cmocka_unit_test(test_paths_in_patches),
        cmocka_unit_test(test_paths_in_patches),
        cmocka_unit_test(test_queries_of_several),
        cmocka_unit_test(test_segments_separate),
        cmocka_unit_test(test_closest_points),
        cmocka_unit_test(test_winding_of_closed_meshes),
        cmocka_unit_test(test_winding_of_open_meshes),
        cmocka_unit_test(test_inside_of_broken_mesh),
        cmocka_unit_test(test_open_meshes_with_and_without_inside),
        cmocka_unit_test(test_lattice_equals_queries),
        cmocka_unit_test(test_points_on_lines),
        cmocka_unit_test(test_intersections),
        cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
