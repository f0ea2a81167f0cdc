/**
 * @file scene_support.h
 * Scenes from texts and their errors, for the tests of src/scene.
 */
#ifndef BRUME_TESTS_SUPPORT_SCENE_SUPPORT_H
#define BRUME_TESTS_SUPPORT_SCENE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "brume/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Creates an empty temporary file; its path is returned in `path`. */
static inline void make_temporary(char path[64])
{
    (void)snprintf(path, 64, "/tmp/brume-scene-XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/** The text of a scene, freed by the caller. */
static inline char *written(const BrumeScene *scene)
{
    char *text = NULL;
    BrumeError error;
    if (brume_scene_write(scene, NULL, &text, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return text;
}

// a BrumeSamplesReader: one value in place of a picture or of a grid of numbers
static inline BrumeStatus read_one_value(void *context, const char *path, const char *grid, int count, int frame,
                                         BrumeSamples *samples[3], BrumeError *error)
{
    static const float value = 1.0f;
    const BrumeSamplesDef def = {
        .nx = 1, .ny = 1, .nz = 1, .spacing = 1.0, .values = &value, .file = path, .grid = grid};
    (void)context;
    (void)frame;
    return count == 1 ? brume_samples_create(samples, &def, error) : BRUME_FAILED;
}

// a BrumeMeshReader: a tetrahedron in place of a mesh
static inline BrumeStatus read_tetrahedron(void *context, const char *path, const BrumeMeshReadDef *def,
                                           BrumeMesh **mesh, BrumeError *error)
{
    static const BrumeVec3 positions[4] = {
        {0.0f, 0.0f, 0.0f}, {0.3f, 0.0f, 0.0f}, {0.0f, 0.3f, 0.0f}, {0.0f, 0.0f, 0.3f}};
    static const int corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const BrumeMeshDef triangles = {
        .vertex_count = 4, .positions = positions, .triangle_count = 4, .corners = corners, .file = path, .read = *def};
    (void)context;
    return brume_mesh_create(mesh, &triangles, error);
}

/** For scenes whose files do not matter. */
static const BrumeSceneReaders one_value_readers = {.samples = read_one_value, .mesh = read_tetrahedron};

/** By which the functions below read the files that scenes name; NULL: none. */
static const BrumeSceneReaders *text_readers;

/** The scene of a text with overrides; the test fails where they are refused. */
static inline BrumeScene *load_text(const char *text, const char *const *overrides, int count)
{
    char path[64];
    make_temporary(path);
    write_bytes(path, text, strlen(text));
    BrumeScene *scene = NULL;
    BrumeError error;
    if (brume_scene_load(&scene, path, overrides, count, text_readers, &error) != BRUME_OK) {
        (void)unlink(path);
        fail_msg("%s", error.text);
    }
    (void)unlink(path);
    return scene;
}

/** Checks that a text of `size` bytes with overrides fails with `expected`, in which '@' stands for the path. */
static inline void expect_failure(const void *text, size_t size, const char *const *overrides, int count,
                                  const char *expected)
{
    char path[64];
    char whole[1024];
    make_temporary(path);
    write_bytes(path, text, size);
    (void)snprintf(whole, sizeof whole, "%s%s", expected[0] == '@' ? path : "", expected + (expected[0] == '@'));
    BrumeScene *scene = (BrumeScene *)&whole;
    BrumeError error = {.status = BRUME_OK};
    const BrumeStatus status = brume_scene_load(&scene, path, overrides, count, text_readers, &error);
    (void)unlink(path);
    assert_string_equal(error.text, whole);
    assert_int_equal(status, BRUME_BAD_INPUT);
    assert_int_equal(error.status, BRUME_BAD_INPUT);
    assert_null(scene);
}

/** Checks that a number is `expected` within `tolerance`; a failure prints all three. */
static inline void expect_near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.9g, expected %.9g within %.3g", what, value, expected, tolerance);
    }
}

static inline void expect_vec3(const char *what, BrumeVec3 value, float x, float y, float z)
{
    if (value.x != x || value.y != y || value.z != z) {
        fail_msg("%s is [%.9g, %.9g, %.9g], expected exactly [%.9g, %.9g, %.9g]", what, (double)value.x,
                 (double)value.y, (double)value.z, (double)x, (double)y, (double)z);
    }
}

#endif
