#include "test_mesh.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/random.h"
#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

void test_mesh_add(TestMesh *mesh, BrumeVec3 a, BrumeVec3 b, BrumeVec3 c)
{
    mesh->triangles = brume_make_room(mesh->triangles, mesh->count, &mesh->capacity, sizeof *mesh->triangles);
    assert_non_null(mesh->triangles);
    mesh->triangles[mesh->count][0] = a;
    mesh->triangles[mesh->count][1] = b;
    mesh->triangles[mesh->count++][2] = c;
}

static void add_divided(TestMesh *mesh, int subdivisions, const BrumeVec3 v[3], BrumeVec3 center, float radius)
{
    if (subdivisions == 0) {
        test_mesh_add(mesh, brume_add(center, brume_scale(v[0], radius)), brume_add(center, brume_scale(v[1], radius)),
                      brume_add(center, brume_scale(v[2], radius)));
        return;
    }
    BrumeVec3 middle[3]; // opposite to each corner
    for (int n = 0; n < 3; n++) {
        middle[n] = brume_normalize(brume_add(v[(n + 1) % 3], v[(n + 2) % 3]));
    }
    add_divided(mesh, subdivisions - 1, middle, center, radius);
    for (int n = 0; n < 3; n++) {
        const BrumeVec3 part[3] = {v[n], middle[(n + 2) % 3], middle[(n + 1) % 3]};
        add_divided(mesh, subdivisions - 1, part, center, radius);
    }
}

void test_mesh_add_sphere(TestMesh *mesh, int subdivisions, BrumeVec3 center, float radius)
{
    const float a = 0.52573111f; // vertices of the icosahedron: (0, a, b) and its cyclic permutations, with all signs
    const float b = 0.85065081f;
    const BrumeVec3 v[12] = {{-a, b, 0},  {a, b, 0},  {-a, -b, 0}, {a, -b, 0}, {0, -a, b},  {0, a, b},
                             {0, -a, -b}, {0, a, -b}, {b, 0, -a},  {b, 0, a},  {-b, 0, -a}, {-b, 0, a}};
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int n = 0; n < 20; n++) {
        const BrumeVec3 face[3] = {v[faces[n][0]], v[faces[n][1]], v[faces[n][2]]};
        add_divided(mesh, subdivisions, face, center, radius);
    }
}

static void add_quad(TestMesh *mesh, BrumeVec3 a, BrumeVec3 b, BrumeVec3 c, BrumeVec3 d)
{
    test_mesh_add(mesh, a, b, c);
    test_mesh_add(mesh, a, c, d);
}

static BrumeVec3 torus_point(int i, int around, int j, int across, double ring_radius, double tube_radius)
{
    const double u = 2.0 * PI * (i % around) / around;
    const double v = 2.0 * PI * (j % across) / across;
    const double radius = ring_radius + tube_radius * brume_cos(v);
    return brume_vec3((float)(radius * brume_cos(u)), (float)(tube_radius * brume_sin(v)),
                      (float)(radius * brume_sin(u)));
}

void test_mesh_add_torus(TestMesh *mesh, int around, int across, float ring_radius, float tube_radius)
{
    for (int i = 0; i < around; i++) {
        for (int j = 0; j < across; j++) {
            BrumeVec3 p[4];
            for (int n = 0; n < 4; n++) {
                p[n] = torus_point(i + n / 2, around, j + n % 2, across, (double)ring_radius, (double)tube_radius);
            }
            add_quad(mesh, p[0], p[1], p[3], p[2]);
        }
    }
}

void test_mesh_add_box(TestMesh *mesh, BrumeVec3 lower, BrumeVec3 upper)
{
    BrumeVec3 p[8];
    for (int n = 0; n < 8; n++) {
        p[n] = brume_vec3(n & 1 ? upper.x : lower.x, n & 2 ? upper.y : lower.y, n & 4 ? upper.z : lower.z);
    }
    add_quad(mesh, p[0], p[2], p[3], p[1]);
    add_quad(mesh, p[4], p[5], p[7], p[6]);
    add_quad(mesh, p[0], p[1], p[5], p[4]);
    add_quad(mesh, p[2], p[6], p[7], p[3]);
    add_quad(mesh, p[0], p[4], p[6], p[2]);
    add_quad(mesh, p[1], p[3], p[7], p[5]);
}

void test_mesh_add_disc(TestMesh *mesh, int sides, float radius)
{
    for (int n = 0; n < sides; n++) {
        BrumeVec3 p[2];
        for (int end = 0; end < 2; end++) {
            const double angle = 2.0 * PI * ((n + end) % sides) / sides;
            p[end] = brume_vec3(radius * (float)brume_cos(angle), 0.0f, radius * (float)brume_sin(angle));
        }
        test_mesh_add(mesh, brume_vec3(0.0f, 0.0f, 0.0f), p[1], p[0]);
    }
}

void test_mesh_add_moebius(TestMesh *mesh, int segments)
{
    for (int n = 0; n < segments; n++) {
        BrumeVec3 p[2][2];
        for (int end = 0; end < 2; end++) {
            const int at = (n + end) % segments;
            const double angle = 2.0 * PI * at / segments;
            for (int side = 0; side < 2; side++) {
                const double across = (side == 0 ? -0.3 : 0.3) * (n + end == segments ? -1.0 : 1.0); // half a turn
                const double radius = 1.0 + across * brume_cos(0.5 * angle);
                p[end][side] = brume_vec3((float)(radius * brume_cos(angle)), (float)(across * brume_sin(0.5 * angle)),
                                          (float)(radius * brume_sin(angle)));
            }
        }
        add_quad(mesh, p[0][0], p[0][1], p[1][1], p[1][0]);
    }
}

BrumeVec3 test_mesh_point(uint32_t number, uint32_t seed, BrumeVec3 lower, BrumeVec3 upper)
{
    const BrumeVec3 share =
        brume_vec3(brume_unit_float(brume_hash3(number, 0, seed)), brume_unit_float(brume_hash3(number, 1, seed)),
                   brume_unit_float(brume_hash3(number, 2, seed)));
    return brume_add(lower, brume_mul(share, brume_sub(upper, lower)));
}

void test_mesh_add_soup(TestMesh *mesh, int count, uint32_t seed)
{
    for (int n = 0; n < count; n++) {
        const uint32_t number = 4 * (uint32_t)n;
        const float size = n % 16 == 0 ? 0.4f : 0.05f;
        const BrumeVec3 middle = test_mesh_point(number, seed, brume_vec3(size, size, size),
                                                 brume_vec3(1.0f - size, 1.0f - size, 1.0f - size));
        BrumeVec3 p[3];
        for (uint32_t corner = 0; corner < 3; corner++) {
            p[corner] = brume_add(middle, test_mesh_point(number + 1 + corner, seed, brume_vec3(-size, -size, -size),
                                                          brume_vec3(size, size, size)));
        }
        test_mesh_add(mesh, p[0], p[1], p[2]);
    }
}

BrumeMesh *test_mesh_create(TestMesh *triangles)
{
    const int corners = 3 * triangles->count;
    int *indices = brume_alloc((size_t)corners, sizeof *indices);
    assert_non_null(indices);
    for (int n = 0; n < corners; n++) {
        indices[n] = n;
    }
    const BrumeMeshDef def = {
        .vertex_count = corners,
        .positions = &triangles->triangles[0][0],
        .triangle_count = triangles->count,
        .corners = indices,
        .file = triangles->file,
        .read = triangles->read,
    };
    BrumeMesh *mesh;
    BrumeError error;
    if (brume_mesh_create(&mesh, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_free(indices);
    brume_free(triangles->triangles);
    *triangles = (TestMesh){0};
    return mesh;
}

bool test_mesh_hit(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                   BrumeMeshHit *hit)
{
    const double along[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    const BrumeShearedRay ray = brume_shear_ray(origin, along);
    bool found = false;
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeBvhTriangle *triangle = &mesh->bvh.triangles[n];
        BrumeMeshHit next = {.triangle = triangle->number};
        if (brume_triangle_hit(&ray, triangle->corners, &next) && next.distance >= from && next.distance <= to &&
            (!found || next.distance < hit->distance ||
             (next.distance == hit->distance && next.triangle < hit->triangle))) {
            *hit = next;
            found = true;
        }
    }
    return found;
}

bool test_mesh_crosses(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b)
{
    double along[3];
    brume_between3(&a, &b, along);
    const BrumeShearedRay ray = brume_shear_ray(a, along);
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeVec3 *corners = mesh->bvh.triangles[n].corners;
        BrumeMeshHit hit;
        const double side_a = brume_triangle_side(corners, &a);
        const double side_b = brume_triangle_side(corners, &b);
        if (brume_triangle_hit(&ray, corners, &hit) && !(side_a > 0.0 && side_b > 0.0) &&
            !(side_a < 0.0 && side_b < 0.0)) {
            return true;
        }
    }
    return false;
}

bool test_mesh_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest)
{
    double best = most * most;
    bool found = false;
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeBvhTriangle *triangle = &mesh->bvh.triangles[n];
        double share[3];
        const double squared = brume_triangle_closest(triangle->corners, &point, share);
        if (squared < best || (squared == best && (!found || triangle->number < closest->triangle))) {
            best = squared;
            closest->triangle = triangle->number;
            memcpy(closest->share, share, sizeof share);
            found = true;
        }
    }
    closest->distance = sqrt(best);
    return found;
}

double test_mesh_winding(const BrumeMesh *mesh, BrumeVec3 point)
{
    double sum = 0.0; // of half solid angles
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        double x;
        double y;
        brume_triangle_solid_angle(mesh->bvh.triangles[n].corners, &point, &x, &y);
        sum += brume_atan2(y + 0.0, x); // of -0 and a negative number: pi
    }
    return sum / (2.0 * PI);
}
