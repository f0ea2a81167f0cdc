// `brume info` of mesh files: what it prints, what is wrong with a mesh, and files that it refuses.
#include "mesh_sample.h"
#include "program.h"

#include "app/volumes/mesh_reader.h"
#include "core/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ProgramRun run;

#ifdef BRUME_HAS_ASSIMP

static void expect_info(const char *path, const char *const lines[])
{
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "info %s", path);
    run_successfully(&run, arguments);
    const char *at = run.out;
    for (const char *const *line = lines; *line; line++) {
        const size_t length = strlen(*line);
        if (strncmp(at, *line, length) != 0 || at[length] != '\n') {
            fail_msg("%s: no line '%s' at '%s'", path, *line, at);
        }
        at += length + 1;
    }
    assert_string_equal(at, "");
}

static void test_boxes(void **state)
{
    (void)state;
    write_box_files();
    expect_info("box.dae", (const char *const[]){
                               "file         Collada, 1.08 kB",
                               "units        1 unit is 0.01 m, z up; as the file says",
                               "triangles    12, of 6 polygons in 1 mesh; 8 vertices; 1 part",
                               "extent       2 x 3 x 4 m, lower corner at (1, 2, 3) m, y up",
                               "area         52 m^2",
                               "volume       24 m^3, closed",
                               "problems     none found",
                               NULL,
                           });
    expect_info("box.stl", (const char *const[]){
                               "file         Stereolithography (STL), 684 B",
                               "units        meters, y up; both assumed: the file does not say them",
                               "triangles    12, of 12 polygons in 1 mesh; 8 vertices; 1 part",
                               "extent       2 x 3 x 4 m, lower corner at (1, 2, 3) m, y up",
                               "area         52 m^2",
                               "volume       24 m^3, closed",
                               "problems     none found",
                               NULL,
                           });
}

static void test_problems(void **state)
{
    (void)state;
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                               "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\n";
    static const struct {
        const char *faces;    // besides four of a cube
        const char *lines[4]; // the volume and the problems
    } cases[] = {
        {"f 1 3 4 2\n",
         {"volume       not closed",
          "problems     4 edges of one triangle only, around 1 hole: fill the hole for a solid, or leave it for a wall "
          "without thickness"}},
        {"f 1 3 4 2\nf 5 6 8 7\nf 1 2 5\n",
         {"volume       not closed",
          "problems     1 edge of one triangle only: fill the holes for a solid, or leave them for a wall without "
          "thickness",
          "             2 edges of more than two triangles: delete faces inside, or separate the parts"}},
        {"f 1 3 4 2\nf 7 8 6 5\n",
         {"volume       not closed", "problems     4 edges between triangles of which one is turned over: "
                                     "recalculate the normals to the outside"}},
        {"f 1 3 4 2\nf 5 6 8 7\nf 1 1 2\nf 3 4 4\n",
         {"volume       1 m^3, closed",
          "problems     2 triangles without area, left out: merge vertices that are close, if holes come of it"}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s%s", cube, cases[n].faces);
        make_file("cube.obj", text);
        run_successfully(&run, "info cube.obj");
        for (const char *const *line = cases[n].lines; *line; line++) {
            if (!strstr(run.out, *line)) {
                fail_msg("%s: no line '%s' in\n%s", cases[n].faces, *line, run.out);
            }
        }
    }
    make_file("inside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    run_successfully(&run, "info inside.obj");
    assert_non_null(strstr(run.out, "volume       -0.166667 m^3, closed\nproblems     inside out: give it 'flip: true' "
                                    "in a scene, or flip the normals\n"));
}

// a sequence has the problems of its first file and the extent of all; another number of digits is named
static void test_sequence(void **state)
{
    (void)state;
    static const char faces[] = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    for (int n = 1; n <= 3; n++) {
        char path[32];
        char text[128];
        (void)snprintf(path, sizeof path, "m.%04d.obj", n + n / 3);
        (void)snprintf(text, sizeof text, "v 0 0 0\nv %d 0 0\nv 0 1 0\nv 0 0 -%d\n%s", n, n, faces);
        make_file(path, text);
    }
    expect_info("m.####.obj",
                (const char *const[]){
                    "frames       3, with the numbers 1 to 4, not all of them; all with the triangles of the first",
                    "             extent of all: 3 x 1 x 3 m, lower corner at (0, 0, -3) m",
                    "file         Wavefront Object, the first of the sequence",
                    "units        meters, y up; both assumed: the file does not say them",
                    "triangles    4, of 4 polygons in 1 mesh; 4 vertices; 1 part",
                    "extent       1 x 1 x 1 m, lower corner at (0, 0, -1) m, y up",
                    "area         2.36603 m^2",
                    "volume       0.166667 m^3, closed",
                    "problems     none found",
                    NULL,
                });
    run_with_error(&run, 2, "info m.##.obj",
                   "m.##.obj: no such file, but 'm.0001.obj' exists, whose number has 4 digits: write 'm.####.obj'");
    run_with_error(&run, 2, "info n.##.obj", "n.##.obj: no such file");
    make_file("m.0004.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    run_with_error(&run, 2, "info m.####.obj",
                   "m.0004.obj: its 1 polygons are not those of the first file of the sequence, which has 4: its "
                   "triangles cannot be kept");
    assert_string_equal(run.out, "");
}

static void test_notes(void **state)
{
    (void)state;
    make_file("a.obj", "mtllib b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl c\nf 1 2 3\np 1\n");
    run_successfully(&run, "info a.obj");
    assert_non_null(strstr(run.out, "\nnote         points and lines are ignored (1)\n"
                                    "note         its file 'b.mtl' is missing: what it describes is left out\n"));
}

static void read_with_notes(const BrumeMeshReadDef *def, double volume, const char *notes)
{
    BrumeMesh *mesh;
    BrumeError error;
    BrumeText lines = {0};
    if (brume_read_mesh(&lines, "a.obj", def, &mesh, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(lines.size > 0 ? lines.data : "", notes);
    const double found = brume_mesh_info(mesh)->volume;
    assert_true(found > volume * (1.0 - 1e-6) && found < volume * (1.0 + 1e-6));
    brume_text_destroy(&lines);
    brume_mesh_release(mesh);
}

static void test_reader_of_scenes(void **state)
{
    (void)state;
    make_file("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nl 1 2\n");
    read_with_notes(&(BrumeMeshReadDef){0}, 1.0 / 6.0,
                    "a.obj: assumed: its unit is the meter, its y axis points up\n"
                    "a.obj: points and lines are ignored (1)\n");
    read_with_notes(&(BrumeMeshReadDef){.up = 2}, 1.0 / 6.0,
                    "a.obj: assumed: its unit is the meter\na.obj: points and lines are ignored (1)\n");
    read_with_notes(&(BrumeMeshReadDef){.unit = 0.1f, .up = 1}, 1e-3 / 6.0,
                    "a.obj: points and lines are ignored (1)\n");
    make_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    BrumeMesh *mesh;
    BrumeError error;
    assert_int_equal(brume_read_mesh(NULL, "flat.obj", &(BrumeMeshReadDef){0}, &mesh, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "flat.obj: no triangle of a mesh has an area");
    assert_null(mesh);
}

static void test_refused_files(void **state)
{
    (void)state;
    make_file("damaged.ply", "ply\nformat ascii 1.0\nelement vertex 8\n");
    run_with_error(&run, 2, "info none.obj", "none.obj: cannot open: No such file or directory");
    run_with_error(&run, 2, "info damaged.ply", "damaged.ply: is damaged: its header has no end");
    run_with_error(&run, 2, "info damaged.ply -D a=1", "--define: it changes scenes, and 'damaged.ply' is a mesh file");
    assert_string_equal(run.out, "");
}

#else

static void test_without_assimp(void **state)
{
    (void)state;
    make_file("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    run_with_error(
        &run, 1, "info a.obj",
        "a.obj: this build of Brume does not read mesh files (build Brume where libassimp-dev is installed)");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef BRUME_HAS_ASSIMP
        cmocka_unit_test_setup_teardown(test_boxes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_problems, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_sequence, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_notes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_reader_of_scenes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_refused_files, enter_folder, leave_folder),
#else
        cmocka_unit_test_setup_teardown(test_without_assimp, enter_folder, leave_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
