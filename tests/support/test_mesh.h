/**
 * @file test_mesh.h
 * Triangle meshes that are made by code, and the queries on meshes as loops over all triangles.
 */
#ifndef BRUME_TESTS_SUPPORT_TEST_MESH_H
#define BRUME_TESTS_SUPPORT_TEST_MESH_H

#include "core/mesh.h"

#include <stdint.h>

/** Triangles that share no vertices: creating a mesh welds them. All zero: none. */
typedef struct TestMesh {
    int count;
    int capacity;
    BrumeVec3 (*triangles)[3]; ///< (count) counterclockwise seen from outside
    const char *file;          ///< of the mesh, and how it was read; NULL: none
    BrumeMeshReadDef read;
} TestMesh;

void test_mesh_add(TestMesh *mesh, BrumeVec3 a, BrumeVec3 b, BrumeVec3 c);

/** Adds the triangles of an icosahedron whose triangles are divided into four, `subdivisions` times. */
void test_mesh_add_sphere(TestMesh *mesh, int subdivisions, BrumeVec3 center, float radius);

/** Adds a torus around the y axis, of 2 x `around` x `across` triangles. Its volume converges to 2 pi^2 R r^2. */
void test_mesh_add_torus(TestMesh *mesh, int around, int across, float ring_radius, float tube_radius);

/** Adds an axis-aligned box; the last two triangles are the face x = upper.x. */
void test_mesh_add_box(TestMesh *mesh, BrumeVec3 lower, BrumeVec3 upper);

/** Adds a disc around the origin with the normal +y. */
void test_mesh_add_disc(TestMesh *mesh, int sides, float radius);

/** Adds a strip with one half turn. */
void test_mesh_add_moebius(TestMesh *mesh, int segments);

/** Adds random triangles of different sizes within a cube of side 1. */
void test_mesh_add_soup(TestMesh *mesh, int count, uint32_t seed);

/** A pseudorandom point in the box. */
BrumeVec3 test_mesh_point(uint32_t number, uint32_t seed, BrumeVec3 lower, BrumeVec3 upper);

/** A mesh of the triangles, which are freed; released by the caller. */
BrumeMesh *test_mesh_create(TestMesh *triangles);

// the queries of core/mesh.h
bool test_mesh_hit(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                   BrumeMeshHit *hit);
bool test_mesh_crosses(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b);
bool test_mesh_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest);
double test_mesh_winding(const BrumeMesh *mesh, BrumeVec3 point);

#endif
