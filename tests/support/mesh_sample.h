/**
 * @file mesh_sample.h
 * Mesh files for tests: the box from (1, 2, 3) to (3, 5, 7) m, of volume 24 m^3, in several formats.
 */
#ifndef BRUME_TESTS_SUPPORT_MESH_SAMPLE_H
#define BRUME_TESTS_SUPPORT_MESH_SAMPLE_H

#include <stddef.h>

/** The names of the files that write_box_files makes, one of each format; NULL at the end. */
extern const char *const box_files[];

/**
 * Writes `box_files` into the working folder: squares and a concave polygon in OBJ, triangles in STL (as text and as
 * bytes), squares in PLY (the same), a unit cube that a node places in glTF and GLB, COLLADA in cm with z up, FBX in cm
 * with z up, 3MF in inches.
 */
void write_box_files(void);

/** Corner k of triangle n of 12, a number from 0 to 7 whose bits are the coordinates x, y and z in the unit cube. */
int cube_corner(int n, int k);

/** What a glTF file has besides the mesh of a cube. Members that are texts may be NULL. */
typedef struct CubeGltf {
    const char *members;    ///< of the JSON object, for example "nodes": [{"mesh": 0}]
    const char *attributes; ///< further ones of the mesh, which start with a comma
    const void *extra;      ///< further bytes of the buffer, behind the first 168
    size_t size;            ///< of them
    const char *views;      ///< bufferViews from 2 on, which start with a comma
    const char *accessors;  ///< from 2 on, which start with a comma
} CubeGltf;

/** Writes a glTF file with the unit cube from (0, 0, 0) to (1, 1, 1) as mesh 0, and its buffer in the file. */
void write_cube_gltf(const char *path, const CubeGltf *def);

/** Writes bytes to a file. Fails the test where that fails. */
void write_file(const char *path, const void *bytes, size_t size);

#endif
