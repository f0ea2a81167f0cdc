#include "raymarch/tubes.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdint.h>

enum { SIDES = 6, ENDS = 2 }; // rings in addition to those at the points: one beyond each end

// cosines and sines of the angles of the corners of a ring
static const float cosines[SIDES] = {1.0f, 0.5f, -0.5f, -1.0f, -0.5f, 0.5f};
static const float sines[SIDES] = {0.0f, 0.866025404f, 0.866025404f, 0.0f, -0.866025404f, -0.866025404f};

static const float END_LENGTH = 0.8f;  // of a ring beyond an end from it [radii]
static const float END_RADIUS = 0.35f; // of that ring [radii]

// The arrays of a BrumeMeshDef while they are filled.
typedef struct Arrays {
    BrumeVec3 *positions, *vertex_normals, *vertex_colors; // of each vertex
    int *corners;
    BrumeVec3 *normals, *colors; // of each corner
    int vertex_count, triangle_count;
} Arrays;

static BrumeVec3 direction_at(const BrumeTube *tube, int n)
{
    const int before = n > 0 ? n - 1 : 0;
    const int after = n < tube->count - 1 ? n + 1 : n;
    return brume_normalize(brume_sub(tube->points[after], tube->points[before]));
}

// a unit vector across a direction, as close as possible to `across`, which may be 0
static BrumeVec3 unit_across(BrumeVec3 direction, BrumeVec3 across)
{
    BrumeVec3 rest = brume_sub(across, brume_scale(direction, brume_dot(across, direction)));
    if (!(brume_dot(rest, rest) > 1e-6f)) { // the axis at the largest angle
        const float x = fabsf(direction.x);
        const float y = fabsf(direction.y);
        const float z = fabsf(direction.z);
        const BrumeVec3 axis = brume_vec3(x <= y && x <= z, y < x && y <= z, z < x && z < y);
        rest = brume_sub(axis, brume_scale(direction, brume_dot(axis, direction)));
    }
    return brume_normalize(rest);
}

// Adds a ring of vertices around `center`. `slope` is the share of the direction in the normals.
static void add_ring(Arrays *arrays, BrumeVec3 center, BrumeVec3 direction, BrumeVec3 across, float radius, float slope,
                     BrumeVec3 color)
{
    const BrumeVec3 up = brume_cross(direction, across);
    for (int side = 0; side < SIDES; side++) {
        const BrumeVec3 radial = brume_add(brume_scale(across, cosines[side]), brume_scale(up, sines[side]));
        const int vertex = arrays->vertex_count++;
        arrays->positions[vertex] = brume_add(center, brume_scale(radial, radius));
        arrays->vertex_normals[vertex] = brume_normalize(brume_add(radial, brume_scale(direction, slope)));
        arrays->vertex_colors[vertex] = color;
    }
}

static void add_triangle(Arrays *arrays, int a, int b, int c)
{
    const int vertices[3] = {a, b, c};
    for (int n = 0; n < 3; n++) {
        const int corner = 3 * arrays->triangle_count + n;
        arrays->corners[corner] = vertices[n];
        arrays->normals[corner] = arrays->vertex_normals[vertices[n]];
        arrays->colors[corner] = arrays->vertex_colors[vertices[n]];
    }
    arrays->triangle_count++;
}

static void add_tube(Arrays *arrays, const BrumeTube *tube)
{
    const float end_length = END_LENGTH * tube->radius;
    const float end_radius = END_RADIUS * tube->radius;
    const int first = arrays->vertex_count;
    BrumeVec3 across = {0};
    for (int n = 0; n < tube->count; n++) {
        const BrumeVec3 at = tube->points[n];
        const BrumeVec3 direction = direction_at(tube, n);
        across = unit_across(direction, across);
        if (n == 0) {
            add_ring(arrays, brume_sub(at, brume_scale(direction, end_length)), direction, across, end_radius, -2.0f,
                     tube->colors[n]);
        }
        add_ring(arrays, at, direction, across, tube->radius, 0.0f, tube->colors[n]);
        if (n == tube->count - 1) {
            add_ring(arrays, brume_add(at, brume_scale(direction, end_length)), direction, across, end_radius, 2.0f,
                     tube->colors[n]);
        }
    }
    for (int ring = first; ring + SIDES < arrays->vertex_count; ring += SIDES) {
        for (int side = 0; side < SIDES; side++) {
            const int next = (side + 1) % SIDES;
            add_triangle(arrays, ring + side, ring + next, ring + SIDES + side);
            add_triangle(arrays, ring + next, ring + SIDES + next, ring + SIDES + side);
        }
    }
}

static bool allocate(Arrays *arrays, size_t vertices, size_t triangles)
{
    arrays->positions = brume_alloc_untouched(vertices, sizeof(BrumeVec3));
    arrays->vertex_normals = brume_alloc_untouched(vertices, sizeof(BrumeVec3));
    arrays->vertex_colors = brume_alloc_untouched(vertices, sizeof(BrumeVec3));
    arrays->corners = brume_alloc_untouched(triangles, sizeof(int[3]));
    arrays->normals = brume_alloc_untouched(triangles, sizeof(BrumeVec3[3]));
    arrays->colors = brume_alloc_untouched(triangles, sizeof(BrumeVec3[3]));
    return arrays->positions && arrays->vertex_normals && arrays->vertex_colors && arrays->corners && arrays->normals &&
           arrays->colors;
}

BrumeStatus brume_create_tubes(BrumeMesh **mesh, const BrumeTube *tubes, int count, BrumeError *error)
{
    *mesh = NULL;
    size_t vertices = 0;
    size_t triangles = 0;
    for (int n = 0; n < count; n++) {
        const int rings = tubes[n].count > 0 ? tubes[n].count + ENDS : 0;
        vertices += (size_t)rings * SIDES;
        triangles += (size_t)(rings > 0 ? rings - 1 : 0) * 2 * SIDES;
    }
    if (vertices == 0) {
        return BRUME_OK;
    }
    Arrays arrays = {0};
    BrumeStatus status = BRUME_FAILED;
    if (vertices > INT32_MAX / 3 || !allocate(&arrays, vertices, triangles)) {
        (void)brume_out_of_memory(error, "tubes of %zu triangles", triangles);
    } else {
        for (int n = 0; n < count; n++) {
            add_tube(&arrays, &tubes[n]);
        }
        const BrumeMeshDef def = {
            .vertex_count = arrays.vertex_count,
            .positions = arrays.positions,
            .triangle_count = arrays.triangle_count,
            .corners = arrays.corners,
            .normals = arrays.normals,
            .colors = arrays.colors,
        };
        status = brume_mesh_create(mesh, &def, error);
    }
    brume_free(arrays.positions);
    brume_free(arrays.vertex_normals);
    brume_free(arrays.vertex_colors);
    brume_free(arrays.corners);
    brume_free(arrays.normals);
    brume_free(arrays.colors);
    return status;
}
