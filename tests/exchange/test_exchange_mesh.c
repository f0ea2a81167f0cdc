// Mesh files: the same closed box from each format, polygons of all forms, transforms, animations, units, and what is
// missing or damaged.
#include "mesh_sample.h"
#include "program.h"

#include "core/vec3.h"
#include "exchange/mesh/polygon.h"
#include "exchange/mesh_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const BrumeMeshReadDef plain = {0};

static BrumeMeshFile read_mesh(const char *path, BrumeMeshReadDef def)
{
    BrumeMeshFile file;
    BrumeError error;
    if (brume_mesh_file_read(&file, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return file;
}

static void assert_refused(const char *path, BrumeStatus status, const char *text)
{
    static const BrumeMeshFile empty;
    BrumeMeshFile file;
    BrumeError error;
    assert_int_equal(brume_mesh_file_read(&file, path, &plain, &error), status);
    assert_string_equal(error.text, text);
    assert_memory_equal(&file, &empty, sizeof file);
}

// six times the volume by the divergence theorem
static double volume_of(const BrumeMeshDef *def)
{
    double sum = 0.0;
    for (int n = 0; n < def->triangle_count; n++) {
        const BrumeVec3 a = def->positions[def->corners[3 * n]];
        const BrumeVec3 b = def->positions[def->corners[3 * n + 1]];
        const BrumeVec3 c = def->positions[def->corners[3 * n + 2]];
        sum += (double)a.x * ((double)b.y * (double)c.z - (double)b.z * (double)c.y) +
               (double)a.y * ((double)b.z * (double)c.x - (double)b.x * (double)c.z) +
               (double)a.z * ((double)b.x * (double)c.y - (double)b.y * (double)c.x);
    }
    return sum / 6.0;
}

static bool is_same(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// times that a triangle has the edge from a to b
static int count_edges(const BrumeMeshDef *def, BrumeVec3 a, BrumeVec3 b)
{
    int count = 0;
    for (int n = 0; n < 3 * def->triangle_count; n++) {
        const int next = n % 3 == 2 ? n - 2 : n + 1;
        count += is_same(def->positions[def->corners[n]], a) && is_same(def->positions[def->corners[next]], b);
    }
    return count;
}

// each edge belongs to two triangles of opposite directions
static void assert_closed(const BrumeMeshDef *def, const char *path)
{
    for (int n = 0; n < 3 * def->triangle_count; n++) {
        const BrumeVec3 a = def->positions[def->corners[n]];
        const BrumeVec3 b = def->positions[def->corners[n % 3 == 2 ? n - 2 : n + 1]];
        if (count_edges(def, a, b) != 1 || count_edges(def, b, a) != 1) {
            fail_msg("%s: the edge from %g %g %g to %g %g %g is not shared by two triangles", path, (double)a.x,
                     (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z);
        }
    }
}

static void assert_near(double value, double expected, double tolerance, const char *what)
{
    if (!(value >= expected - tolerance && value <= expected + tolerance)) {
        fail_msg("%s: %.9g is not %.9g +- %g", what, value, expected, tolerance);
    }
}

// Where corner n of the 36 of a cube's triangles is. Versions of assimp differ in the order of the vertices alone.
static void assert_corner(const BrumeMeshDef *def, int n, double x, double y, double z)
{
    const BrumeVec3 at = def->positions[def->corners[n]];
    assert_near((double)at.x, x, 1e-6, "x");
    assert_near((double)at.y, y, 1e-6, "y");
    assert_near((double)at.z, z, 1e-6, "z");
}

static void assert_extent(const BrumeMeshDef *def, BrumeVec3 lower, BrumeVec3 upper, const char *path)
{
    for (int axis = 0; axis < 3; axis++) {
        double least = 1e9;
        double most = -1e9;
        for (int n = 0; n < def->vertex_count; n++) {
            const double x = (double)brume_component(def->positions[n], axis);
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        assert_near(least, (double)brume_component(lower, axis), 1e-6, path);
        assert_near(most, (double)brume_component(upper, axis), 1e-6, path);
    }
}

static void assert_box(const BrumeMeshFile *file, const char *path)
{
    assert_closed(&file->def, path);
    assert_near(volume_of(&file->def), 24.0, 24e-6, path);
    assert_extent(&file->def, brume_vec3(1, 2, 3), brume_vec3(3, 5, 7), path);
}

static void assert_mesh(const BrumeMeshDef *def, const char *path)
{
    BrumeMesh *mesh;
    BrumeError error;
    if (brume_mesh_create(&mesh, def, &error) != BRUME_OK) {
        fail_msg("%s: %s", path, error.text);
    }
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    assert_true(info->closed);
    assert_int_equal(info->parts, 1);
    assert_int_equal(info->vertices, strstr(path, ".obj") ? 9 : 8);
    assert_near(info->volume, 24.0, 24e-6, path);
    assert_near(info->area, 52.0, 52e-6, path);
    brume_mesh_release(mesh);
}

static void test_each_format_gives_the_box(void **state)
{
    (void)state;
    write_box_files();
    for (const char *const *path = box_files; *path; path++) {
        BrumeMeshFile file = read_mesh(*path, plain);
        assert_box(&file, *path);
        assert_int_equal(file.def.triangle_count, strstr(*path, ".obj") ? 14 : 12);
        assert_int_equal(file.info.polygons, strstr(*path, ".obj")                                                 ? 7
                                             : strstr(*path, "stl") || strstr(*path, "gl") || strstr(*path, "3mf") ? 12
                                                                                                                   : 6);
        assert_int_equal(file.info.meshes, 1);
        assert_int_equal(file.info.note_count, 0);
        assert_int_equal(file.info.animations, 0);
        assert_mesh(&file.def, *path);
        brume_mesh_file_destroy(&file);
    }
}

static void assert_unit(const char *path, const char *format, double unit, bool unit_known, int up, bool up_known)
{
    BrumeMeshFile file = read_mesh(path, plain);
    assert_string_equal(file.info.format, format);
    assert_true(file.info.unit == unit);
    assert_int_equal(file.info.unit_known, unit_known);
    assert_int_equal(file.info.up, up);
    assert_int_equal(file.info.up_known, up_known);
    brume_mesh_file_destroy(&file);
}

static void test_units_and_axes(void **state)
{
    (void)state;
    write_box_files();
    assert_unit("box.obj", "Wavefront Object", 1.0, false, 1, false);
    assert_unit("box.gltf", "glTF2", 1.0, true, 1, true);
    assert_unit("box.dae", "Collada", 0.01, true, 2, true);
    assert_unit("box.fbx", "Autodesk FBX", 0.01, true, 2, true);
    assert_unit("box.3mf", "3mf", 0.0254, true, 2, true);
    // both can be set, also instead of those of the file: 100 to 300 cm, z up
    BrumeMeshFile file = read_mesh("box.dae", (BrumeMeshReadDef){.unit = 0.1f, .up = 1});
    assert_extent(&file.def, brume_vec3(10, -70, 20), brume_vec3(30, -30, 50), "box.dae");
    assert_near(volume_of(&file.def), 24000.0, 0.024, "box.dae");
    brume_mesh_file_destroy(&file);
    file = read_mesh("box.fbx", (BrumeMeshReadDef){.unit = 0.1f});
    assert_extent(&file.def, brume_vec3(10, 20, 30), brume_vec3(30, 50, 70), "box.fbx");
    brume_mesh_file_destroy(&file);
    file = read_mesh("box.stl", (BrumeMeshReadDef){.unit = 0.001f, .up = 2});
    assert_extent(&file.def, brume_vec3(0.001f, 0.003f, -0.005f), brume_vec3(0.003f, 0.007f, -0.002f), "box.stl");
    assert_near(1e9 * volume_of(&file.def), 24.0, 24e-6, "box.stl");
    // reversed, with its normals
    BrumeMeshFile flipped = read_mesh("box.stl", (BrumeMeshReadDef){.unit = 0.001f, .up = 2, .flip = true});
    assert_near(1e9 * volume_of(&flipped.def), -24.0, 24e-6, "box.stl");
    assert_int_equal(flipped.def.corners[0], file.def.corners[0]);
    assert_int_equal(flipped.def.corners[1], file.def.corners[2]);
    assert_int_equal(flipped.def.corners[2], file.def.corners[1]);
    brume_mesh_file_destroy(&file);
    brume_mesh_file_destroy(&flipped);
    make_file("smooth.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0.6 0 0.8\nvn 0 0 -1\nf 1//1 2//1 3//2\n");
    file = read_mesh("smooth.obj", (BrumeMeshReadDef){.flip = true});
    assert_near(brume_dot(file.def.normals[0], brume_vec3(-0.6f, 0.0f, -0.8f)), 1.0, 1e-6, "turned to its triangle");
    assert_near(brume_dot(file.def.normals[1], brume_vec3(0.0f, 0.0f, -1.0f)), 1.0, 1e-6, "on its side already");
    brume_mesh_file_destroy(&file);
}

/*
 * Polygons.
 */

enum { MOST_CORNERS = 64 };

/** A corner of a polygon. */
typedef struct Point {
    double x, y;
} Point;

// twice the area of a triangle or polygon in the plane of x and y
static double plane_area(const Point *p, const int *corners, int count)
{
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        const Point a = p[corners[n]];
        const Point b = p[corners[n + 1 < count ? n + 1 : 0]];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum;
}

// Cuts the polygon in the plane x, y and in planes turned from it. The triangles tile the polygon: none is turned over,
// the sum of their areas is that of the polygon, and each edge is that of the polygon or of two triangles.
static void check_polygon(const Point *p, int count, double least_area, const char *what)
{
    static const double planes[][6] = {
        // the axes of x and y
        {1, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 0, 1}, {0, 0, 1, 1, 0, 0}, {0, 1, 0, 1, 0, 0},
        {1, 0, 0, 0, 0, 1}, {0, 0, 1, 0, 1, 0}, {1, 1, 0, 0, 1, 1}, {-1, 0, 2, 2, 1, 0},
    };
    int outline[MOST_CORNERS];
    for (int n = 0; n < count; n++) {
        outline[n] = n;
    }
    const double area = plane_area(p, outline, count);
    for (size_t plane = 0; plane < sizeof planes / sizeof planes[0]; plane++) {
        const double *axes = planes[plane];
        BrumeVec3 positions[MOST_CORNERS];
        unsigned corners[MOST_CORNERS];
        int triangles[3 * MOST_CORNERS];
        BrumePolygonCorner scratch[MOST_CORNERS];
        int edges[MOST_CORNERS][MOST_CORNERS] = {{0}};
        for (int n = 0; n < count; n++) {
            corners[n] = (unsigned)(count - 1 - n); // any order of the vertices
            positions[count - 1 - n] =
                brume_vec3((float)(p[n].x * axes[0] + p[n].y * axes[3]), (float)(p[n].x * axes[1] + p[n].y * axes[4]),
                           (float)(p[n].x * axes[2] + p[n].y * axes[5]));
        }
        brume_cut_polygon(positions, corners, count, scratch, triangles);
        double sum = 0.0;
        for (int n = 0; n < 3 * (count - 2); n += 3) {
            int corner[3];
            for (int k = 0; k < 3; k++) {
                assert_in_range(triangles[n + k], 0, count - 1);
                corner[k] = count - 1 - triangles[n + k];
            }
            const double part = plane_area(p, corner, 3);
            if (part < least_area) {
                fail_msg("%s, plane %zu: the triangle %d, %d, %d has the area %g", what, plane, corner[0], corner[1],
                         corner[2], 0.5 * part);
            }
            sum += part;
            for (int k = 0; k < 3; k++) {
                edges[corner[k]][corner[(k + 1) % 3]]++;
            }
        }
        assert_near(sum, area, 1e-6 * area, what);
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                const bool outer = b == (a + 1) % count;
                const bool reverse = a == (b + 1) % count;
                assert_int_equal(edges[a][b], outer ? 1 : reverse ? 0 : edges[b][a]);
                assert_in_range(edges[a][b], 0, 1);
            }
        }
    }
}

static void test_polygons_are_tiled(void **state)
{
    (void)state;
    static const Point square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const Point arrow[] = {{0, 0}, {4, 2}, {0, 4}, {1, 2}};
    static const Point letter[] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {3, 2}, {3, 3}, {0, 3}};
    // corners on straight edges, of which no triangle may lose one
    static const Point straight[] = {{0, 0}, {1, 0}, {2, 0}, {4, 0}, {2, 2}, {1, 3}, {0, 4}, {0, 2}};
    // a square with a square hole, joined by an edge that is passed twice
    static const Point hole[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    static const Point spiral[] = {{0, 0}, {6, 0}, {6, 6}, {1, 6}, {1, 2}, {4, 2}, {4, 4},
                                   {3, 4}, {3, 3}, {2, 3}, {2, 5}, {5, 5}, {5, 1}, {0, 1}};
    check_polygon(square, 4, 1.0, "square");
    check_polygon(arrow, 4, 1e-9, "arrow");
    check_polygon(letter, 8, 1e-9, "letter");
    check_polygon(straight, 8, 1e-9, "straight");
    check_polygon(hole, 10, 1e-9, "hole");
    check_polygon(spiral, 14, 1e-9, "spiral");
}

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 40) / (double)(1 << 24);
}

// star-shaped polygons: corners at growing angles around the origin, on whole numbers
static void test_random_polygons_are_tiled(void **state)
{
    (void)state;
    static const double directions[16][2] = {{8, 0},  {8, 3},   {8, 8},   {3, 8},   {0, 8},  {-3, 8}, {-8, 8}, {-8, 3},
                                             {-8, 0}, {-8, -3}, {-8, -8}, {-3, -8}, {0, -8}, {3, -8}, {8, -8}, {8, -3}};
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        Point p[16];
        for (int n = 0; n < 16; n++) {
            const double distance = 1.0 + (double)(int)(15.0 * random_number(&seed));
            p[n].x = directions[n][0] * distance;
            p[n].y = directions[n][1] * distance;
        }
        check_polygon(p, 16, 0.0, "star");
    }
}

static void test_degenerate_polygons_end(void **state)
{
    (void)state;
    static const BrumeVec3 positions[] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 0}, {0, 2, 0}, {2, 0, 0}};
    static const unsigned same[] = {0, 3, 0, 3, 0};
    static const unsigned line[] = {0, 1, 2, 1};
    static const unsigned crossing[] = {0, 2, 4, 5};
    BrumePolygonCorner scratch[8];
    int triangles[24];
    for (int n = 0; n < 24; n++) {
        triangles[n] = -1;
    }
    brume_cut_polygon(positions, same, 5, scratch, triangles);
    brume_cut_polygon(positions, line, 4, scratch, triangles + 9);
    brume_cut_polygon(positions, crossing, 4, scratch, triangles + 15);
    for (int n = 0; n < 21; n++) {
        assert_in_range(triangles[n], 0, 5);
    }
    assert_int_equal(triangles[21], -1);
}

/*
 * Nodes and animations.
 */

static void test_nodes_place_meshes(void **state)
{
    (void)state;
    // turned by 90 degrees around z, and mirrored
    write_cube_gltf(
        "nodes.gltf",
        &(CubeGltf){.members =
                        "\"scenes\": [{\"nodes\": [0, 1]}], \"nodes\": [{\"mesh\": 0, \"translation\": [5, 0, 0], "
                        "\"rotation\": [0, 0, 0.70710678, 0.70710678], \"scale\": [1, 2, 3]}, "
                        "{\"mesh\": 0, \"scale\": [-1, 1, 1], \"translation\": [-4, 0, 0]}]"});
    BrumeMeshFile file = read_mesh("nodes.gltf", plain);
    assert_int_equal(file.info.meshes, 2);
    assert_int_equal(file.def.triangle_count, 24);
    assert_closed(&file.def, "nodes.gltf");
    assert_extent(&file.def, brume_vec3(-5, 0, 0), brume_vec3(5, 1, 3), "nodes.gltf");
    assert_near(volume_of(&file.def), 7.0, 7e-6, "nodes.gltf"); // that of the mirrored one is not negative
    brume_mesh_file_destroy(&file);
}

// keys of a node: from x 0 to 2 m and by half a turn around y within 2 s
static void write_animated(const char *path, const char *interpolation)
{
    static const float keys[] = {0, 2, /* times */ 0, 0, 0, 2, 0, 0, /* places */ 0, 0, 0, 1, 0, 1, 0, 0 /* turns */};
    char members[1024];
    (void)snprintf(
        members, sizeof members,
        "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"name\": \"a\", \"mesh\": 0}], \"animations\": "
        "[{\"name\": \"Turn\", \"samplers\": [{\"input\": 2, \"output\": 3, \"interpolation\": \"%s\"}, "
        "{\"input\": 2, \"output\": 4}], \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": "
        "\"translation\"}}, {\"sampler\": 1, \"target\": {\"node\": 0, \"path\": \"rotation\"}}]}]",
        interpolation);
    write_cube_gltf(
        path,
        &(CubeGltf){
            .members = members,
            .extra = keys,
            .size = sizeof keys,
            .views = ", {\"buffer\": 0, \"byteOffset\": 168, \"byteLength\": 8}, "
                     "{\"buffer\": 0, \"byteOffset\": 176, \"byteLength\": 24}, "
                     "{\"buffer\": 0, \"byteOffset\": 200, \"byteLength\": 32}",
            .accessors =
                ", {\"bufferView\": 2, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\", \"min\": [0], "
                "\"max\": [2]}, {\"bufferView\": 3, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC3\"}, "
                "{\"bufferView\": 4, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC4\"}"});
}

static void test_animations_of_nodes_are_played(void **state)
{
    (void)state;
    write_animated("move.gltf", "LINEAR");
    const double half = 0.70710678118654752; // cosine of 45 degrees
    const struct {
        int frame;
        double x, c, s; // place, cosine and sine of the turn
    } cases[] = {{-5, 0, 1, 0},          {0, 0, 1, 0},   {12, 0.5, half, half}, {24, 1, 0, 1},
                 {36, 1.5, -half, half}, {48, 2, -1, 0}, {99, 2, -1, 0}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeMeshFile file = read_mesh("move.gltf", (BrumeMeshReadDef){.frame = cases[n].frame, .fps = 24.0f});
        assert_int_equal(file.def.vertex_count, 8);
        for (int corner = 0; corner < 36; corner++) {
            const int v = cube_corner(corner / 3, corner % 3);
            const double x = v & 1;
            const double z = v >> 2 & 1;
            assert_corner(&file.def, corner, cases[n].x + cases[n].c * x + cases[n].s * z, v >> 1 & 1,
                          cases[n].c * z - cases[n].s * x);
        }
        assert_int_equal(file.info.animations, 1);
        assert_string_equal(file.info.animation, "Turn");
        assert_near(file.info.duration, 2.0, 1e-6, "duration");
        assert_int_equal(file.info.note_count, 0);
        brume_mesh_file_destroy(&file);
    }
    write_animated("step.gltf", "STEP");
    BrumeMeshFile file = read_mesh("step.gltf", plain);
    assert_int_equal(file.info.note_count, 1);
    assert_string_equal(file.info.notes[0], "its keys of interpolation \"STEP\" are connected linearly");
    brume_mesh_file_destroy(&file);
}

// The lower half of the cube belongs to a bone that stays and the upper half by 3/4 to one that moves up by 2 m in 1 s.
static void test_bones_move_vertices(void **state)
{
    (void)state;
    struct {
        float weights[8][4];
        float inverse[2][16];
        float times[2], places[2][3];
        uint8_t joints[8][4];
    } extra = {.times = {0, 1}, .places = {{0, 0.5f, 0}, {0, 2.5f, 0}}};
    for (int n = 0; n < 8; n++) {
        const bool up = n >> 1 & 1;
        extra.joints[n][1] = 1;
        extra.weights[n][0] = up ? 0.25f : 1.0f;
        extra.weights[n][1] = up ? 0.75f : 0.0f;
    }
    for (int n = 0; n < 16; n += 5) {
        extra.inverse[0][n] = extra.inverse[1][n] = 1.0f;
    }
    extra.inverse[1][13] = -0.5f; // the second bone rests half a meter above the first one
    // the transform of the node with the mesh has no effect on one with bones
    write_cube_gltf(
        "bones.gltf",
        &(CubeGltf){
            .members =
                "\"scenes\": [{\"nodes\": [0, 1]}], \"nodes\": [{\"mesh\": 0, \"skin\": 0, \"translation\": [7, 0, "
                "0]}, {\"name\": \"low\", "
                "\"children\": [2]}, {\"name\": \"high\", \"translation\": [0, 0.5, 0]}], \"skins\": [{\"joints\": "
                "[1, 2], \"inverseBindMatrices\": 4}], \"animations\": [{\"samplers\": [{\"input\": 5, \"output\": "
                "6}], \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 2, \"path\": \"translation\"}}]}]",
            .attributes = ", \"JOINTS_0\": 2, \"WEIGHTS_0\": 3",
            .extra = &extra,
            .size = sizeof extra,
            .views = ", {\"buffer\": 0, \"byteOffset\": 456, \"byteLength\": 32}, "
                     "{\"buffer\": 0, \"byteOffset\": 168, \"byteLength\": 128}, "
                     "{\"buffer\": 0, \"byteOffset\": 296, \"byteLength\": 128}, "
                     "{\"buffer\": 0, \"byteOffset\": 424, \"byteLength\": 8}, "
                     "{\"buffer\": 0, \"byteOffset\": 432, \"byteLength\": 24}",
            .accessors = ", {\"bufferView\": 2, \"componentType\": 5121, \"count\": 8, \"type\": \"VEC4\"}, "
                         "{\"bufferView\": 3, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC4\"}, "
                         "{\"bufferView\": 4, \"componentType\": 5126, \"count\": 2, \"type\": \"MAT4\"}, "
                         "{\"bufferView\": 5, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\"}, "
                         "{\"bufferView\": 6, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC3\"}",
        });
    const BrumeMeshReadDef defs[] = {{0}, {.frame = 1, .fps = 2.0f}, {.frame = 2, .fps = 2.0f}};
    const double heights[] = {1.0, 1.75, 2.5};
    for (size_t n = 0; n < 3; n++) {
        BrumeMeshFile file = read_mesh("bones.gltf", defs[n]);
        for (int corner = 0; corner < 36; corner++) {
            const int v = cube_corner(corner / 3, corner % 3);
            assert_corner(&file.def, corner, v & 1, v >> 1 & 1 ? heights[n] : 0.0, v >> 2 & 1);
        }
        brume_mesh_file_destroy(&file);
    }
}

/*
 * Contents.
 */

static void test_materials_and_colors(void **state)
{
    (void)state;
    make_file("a.mtl", "newmtl red\nKd 0.5 0.25 0\nmap_Kd wood.png\n");
    make_file("a.obj",
              "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.5\nvn 0 0 2\nusemtl red\nf 1/1/1 2/1/1 3/1/1\n"
              "l 1 2\np 1\n");
    BrumeMeshFile file = read_mesh("a.obj", plain);
    assert_int_equal(file.def.triangle_count, 1);
    for (int n = 0; n < 3; n++) {
        assert_true(is_same(file.def.colors[n], brume_vec3(0.5f, 0.25f, 0.0f)));
        assert_true(is_same(file.def.normals[n], brume_vec3(0, 0, 1)));
        assert_true(file.def.uvs[2 * n] == 0.25f && file.def.uvs[2 * n + 1] == 0.5f);
    }
    assert_int_equal(file.texture_count, 1);
    assert_string_equal(file.textures[0].name, "wood.png");
    assert_false(file.textures[0].is_embedded);
    assert_int_equal(file.def.texture_of[0], 0);
    assert_int_equal(file.info.note_count, 1);
    assert_string_equal(file.info.notes[0], "points and lines are ignored (2)");
    brume_mesh_file_destroy(&file);
    // without the file of materials, by the folder of the mesh
    assert_int_equal(mkdir("f\xc3\xb6rmen", 0777), 0);
    assert_int_equal(rename("a.obj", "f\xc3\xb6rmen/k\xc3\xb6rper.OBJ"), 0);
    file = read_mesh("f\xc3\xb6rmen/k\xc3\xb6rper.OBJ", plain);
    assert_null(file.def.colors);
    assert_int_equal(file.info.note_count, 2);
    assert_string_equal(file.info.notes[1], "its file 'a.mtl' is missing: what it describes is left out");
    brume_mesh_file_destroy(&file);
    assert_int_equal(rename("a.mtl", "f\xc3\xb6rmen/a.mtl"), 0);
    file = read_mesh("f\xc3\xb6rmen/k\xc3\xb6rper.OBJ", plain);
    assert_true(is_same(file.def.colors[0], brume_vec3(0.5f, 0.25f, 0.0f)));
    brume_mesh_file_destroy(&file);
    make_file("c.ply",
              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
              "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
              "property list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 51\n"
              "3 0 1 2\n");
    file = read_mesh("c.ply", plain);
    assert_true(is_same(file.def.colors[1], brume_vec3(0, 1, 0)));
    assert_true(is_same(file.def.colors[2], brume_vec3(0, 0, 0.2f)));
    brume_mesh_file_destroy(&file);
}

static void test_buffers_beside_the_file(void **state)
{
    (void)state;
    static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    make_file("b.gltf",
              "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": "
              "[{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}], "
              "\"buffers\": [{\"uri\": \"data/b.bin\", \"byteLength\": 36}], \"bufferViews\": [{\"buffer\": 0, "
              "\"byteLength\": 36}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": "
              "3, \"type\": \"VEC3\"}]}");
    assert_refused("b.gltf", BRUME_BAD_INPUT, "b.gltf: cannot be read without its file 'data/b.bin', which is missing");
    assert_int_equal(mkdir("data", 0777), 0);
    write_file("data/b.bin", triangle, sizeof triangle);
    BrumeMeshFile file = read_mesh("b.gltf", plain);
    assert_int_equal(file.def.triangle_count, 1);
    assert_memory_equal(file.def.positions, triangle, sizeof triangle);
    assert_int_equal(file.info.note_count, 0);
    brume_mesh_file_destroy(&file);
}

static void assert_other_positions(const BrumeMeshFile *first, const char *path, const char *text)
{
    BrumeVec3 positions[16] = {{0}};
    BrumeError error;
    assert_in_range(first->def.vertex_count, 1, 16);
    assert_int_equal(brume_mesh_file_read_positions(positions, first, path, &plain, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
    assert_true(is_same(positions[0], brume_vec3(0, 0, 0)));
}

static void test_a_sequence_keeps_its_triangles(void **state)
{
    (void)state;
    // a bent square, of which the longer diagonal becomes the shorter one; its first file decides how it is cut
    make_file("a.1.obj", "v 0 0 0\nv 1 0 0\nv 2 2 0\nv 0 1 0\nv 5 5 5\nf 1 2 3 4\nf 3 2 5\n");
    make_file("a.2.obj", "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nv 5 6 7\nf 1 2 3 4\nf 3 2 5\n");
    make_file("more.obj", "v 0 0 0\nv 1 0 0\nv 2 2 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 1 3 4\nf 3 2 5\n");
    make_file("apart.obj", "v 0 0 0\nv 1 0 0\nv 2 2 0\nv 0 1 0\nv 5 5 5\nf 1 2 3 4\nf 4 2 5\n");
    BrumeMeshFile first = read_mesh("a.1.obj", plain);
    BrumeVec3 positions[16];
    BrumeError error;
    assert_int_equal(first.def.vertex_count, 7); // those of each polygon
    assert_int_equal(brume_mesh_file_read_positions(positions, &first, "a.2.obj", &plain, &error), BRUME_OK);
    for (int n = 0; n < 7; n++) {
        const BrumeVec3 before = first.def.positions[n];
        const bool moves = before.x == 1.0f || before.x == 2.0f || before.x == 5.0f || before.y == 1.0f;
        const BrumeVec3 after = before.x == 1.0f   ? brume_vec3(2, 0, 0)
                                : before.x == 2.0f ? brume_vec3(0.5f, 0.5f, 0)
                                : before.x == 5.0f ? brume_vec3(5, 6, 7)
                                : moves            ? brume_vec3(0, 2, 0)
                                                   : brume_vec3(0, 0, 0);
        assert_true(is_same(positions[n], after));
    }
    assert_other_positions(&first, "more.obj",
                           "more.obj: its 3 polygons are not those of the first file of the sequence, which has 2: its "
                           "triangles cannot be kept");
    assert_other_positions(&first, "apart.obj",
                           "apart.obj: corners of triangles that meet in the first file of the sequence are apart: its "
                           "triangles cannot be kept");
    assert_other_positions(&first, "mare.obj",
                           "mare.obj: cannot open: No such file or directory (did you mean 'more.obj'?)");
    brume_mesh_file_destroy(&first);
}

static void test_files_that_are_refused(void **state)
{
    (void)state;
    make_file("empty.obj", "");
    make_file("points.obj", "v 0 0 0\nv 1 0 0\np 1 2\n");
    make_file("text.glb", "this is no mesh\n");
    make_file("far.obj", "v 0 0 0\nv 1e39 0 0\nv 0 1 0\nf 1 2 3\n");
    make_file("mesh.txt", "v 0 0 0\n");
    assert_int_equal(mkdir("folder.stl", 0777), 0);
    assert_refused("none.obj", BRUME_BAD_INPUT, "none.obj: cannot open: No such file or directory");
    assert_refused("folder.stl", BRUME_BAD_INPUT, "folder.stl: not a regular file");
    assert_refused("empty.obj", BRUME_BAD_INPUT, "empty.obj: is empty");
    assert_refused("points.obj", BRUME_BAD_INPUT,
                   "points.obj: has no triangles, only points and lines (make a surface of them)");
    assert_refused("text.glb", BRUME_BAD_INPUT,
                   "text.glb: is damaged, or has another format than its extension says (it is not recognized)");
    assert_refused("far.obj", BRUME_BAD_INPUT, "far.obj: is damaged: a position is not finite");
    assert_refused("mesh.txt", BRUME_BAD_INPUT,
                   "mesh.txt: has no extension of a mesh file (as .obj, .stl, .ply, .gltf, .glb, .fbx, .dae, .3mf)");
}

/*
 * Damage.
 */

static unsigned random_below(uint64_t *seed, size_t count) { return (unsigned)(random_number(seed) * (double)count); }

// Changes a copy of a file: a bit, a byte, a part that is twice there, missing or another number, or its end is
// missing.
static size_t damage(uint8_t *bytes, size_t size, size_t room, uint64_t *seed)
{
    static const char *const texts[] = {"-1", "0", "999999999", "4294967295", "1e39", "nan", "-", "\"", "}", "\n"};
    const unsigned kind = random_below(seed, 6);
    const size_t at = random_below(seed, size);
    const size_t length = 1 + random_below(seed, size - at < 40 ? size - at : 40);
    const char *text = texts[random_below(seed, sizeof texts / sizeof texts[0])];
    switch (kind) {
    case 0:
        bytes[at] ^= (uint8_t)(1U << random_below(seed, 8));
        return size;
    case 1:
        bytes[at] = (uint8_t)random_below(seed, 256);
        return size;
    case 2: // twice
        if (size + length <= room) {
            memmove(bytes + at + length, bytes + at, size - at);
            return size + length;
        }
        return size;
    case 3: // missing
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    case 4: // text in the place of others
        for (size_t n = at; n < size && *text; n++) {
            bytes[n] = (uint8_t)*text++;
        }
        return size;
    default:
        return at;
    }
}

// reads a damaged file: one line that starts with its path, or a mesh whose numbers are in their ranges
static BrumeStatus read_damaged(const char *path)
{
    BrumeMeshFile file;
    BrumeError error;
    const BrumeMeshReadDef def = {.frame = 1, .fps = 24.0f};
    const BrumeStatus status = brume_mesh_file_read(&file, path, &def, &error);
    if (status != BRUME_OK) {
        assert_true(status == BRUME_FAILED || status == BRUME_BAD_INPUT);
        assert_memory_equal(error.text, path, strlen(path));
        assert_null(strchr(error.text, '\n'));
        return status;
    }
    for (int n = 0; n < file.def.vertex_count; n++) {
        const BrumeVec3 p = file.def.positions[n];
        assert_true(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
    }
    for (int n = 0; n < 3 * file.def.triangle_count; n++) {
        assert_in_range(file.def.corners[n], 0, file.def.vertex_count - 1);
        if (file.def.normals) {
            assert_near((double)brume_length(file.def.normals[n]), 1.0, 1e-6, path);
        }
    }
    BrumeMesh *mesh;
    if (brume_mesh_file_create(&mesh, &file, path, &error) == BRUME_OK) {
        assert_in_range(brume_mesh_info(mesh)->triangles, 1, file.def.triangle_count);
        brume_mesh_release(mesh);
    } else {
        assert_int_equal(error.status, BRUME_BAD_INPUT);
        assert_memory_equal(error.text, path, strlen(path));
    }
    brume_mesh_file_destroy(&file);
    return BRUME_OK;
}

static void test_damaged_files(void **state)
{
    (void)state;
    enum { ROOM = 16384 };
    static uint8_t bytes[ROOM];
    const char *wanted = getenv("BRUME_DAMAGED_MESHES");
    const int rounds = wanted ? atoi(wanted) : 200;
    uint64_t seed = 2;
    int counts[3] = {0}; // by status
    write_box_files();
    write_animated("move.gltf", "LINEAR");
    for (int round = 0; round < rounds; round++) {
        const int number = round % 11;
        const char *name = number < 10 ? box_files[number] : "move.gltf";
        char path[32];
        size_t size;
        char *whole = read_whole_file(name, &size);
        assert_in_range(size, 1, ROOM);
        memcpy(bytes, whole, size);
        free(whole);
        for (unsigned changes = 1 + random_below(&seed, 3); changes > 0 && size > 0; changes--) {
            size = damage(bytes, size, ROOM, &seed);
        }
        (void)snprintf(path, sizeof path, "damaged%s", strchr(name, '.'));
        write_file(path, bytes, size);
        counts[read_damaged(path)]++;
    }
    print_message("%d damaged files: %d read, %d refused, %d not read\n", rounds, counts[BRUME_OK],
                  counts[BRUME_BAD_INPUT], counts[BRUME_FAILED]);
    assert_true(counts[BRUME_OK] > 0 && counts[BRUME_BAD_INPUT] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_format_gives_the_box, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_units_and_axes, enter_folder, leave_folder),
        cmocka_unit_test(test_polygons_are_tiled),
        cmocka_unit_test(test_random_polygons_are_tiled),
        cmocka_unit_test(test_degenerate_polygons_end),
        cmocka_unit_test_setup_teardown(test_nodes_place_meshes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_animations_of_nodes_are_played, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_bones_move_vertices, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_materials_and_colors, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_buffers_beside_the_file, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_sequence_keeps_its_triangles, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_files_that_are_refused, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_damaged_files, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
