// `brume sim` and the tables of a run: measures, probes, steady states, and runs that end early.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>

#include "program.h"

enum { MAX_COLUMNS = 256 };

static ProgramRun run;

static void assert_content(const char *path, const char *expected)
{
    size_t size;
    char *text = read_whole_file(path, &size);
    assert_string_equal(text, expected);
    free(text);
}

/* A table of numbers with a header. */
typedef struct Table {
    char *text, *names[MAX_COLUMNS];
    int columns, lines;
    double *values;
} Table;

static Table read_table(const char *path)
{
    size_t size;
    Table table = {.text = read_whole_file(path, &size)};
    assert_true(size > 0 && table.text[size - 1] == '\n'); // whole lines
    for (const char *c = strchr(table.text, '\n') + 1; *c; c++) {
        table.lines += *c == '\n';
    }
    char *rest = strchr(table.text, '\n');
    *rest++ = '\0';
    for (char *name = strtok(table.text, ","); name; name = strtok(NULL, ",")) {
        assert_true(table.columns < MAX_COLUMNS);
        table.names[table.columns++] = name;
    }
    table.values = calloc((size_t)table.lines * (size_t)table.columns + 1, sizeof *table.values);
    assert_non_null(table.values);
    for (int n = 0; n < table.lines * table.columns; n++) {
        char *end;
        table.values[n] = strtod(rest, &end);
        assert_int_equal(*end, (n + 1) % table.columns == 0 ? '\n' : ',');
        rest = end + 1;
    }
    assert_int_equal(*rest, '\0');
    return table;
}

static void free_table(Table *table)
{
    free(table->text);
    free(table->values);
}

static double cell(const Table *table, int line, const char *name)
{
    for (int n = 0; n < table->columns; n++) {
        if (strcmp(table->names[n], name) == 0) {
            return table->values[line * table->columns + n];
        }
    }
    fail_msg("no column %s", name);
    return 0.0;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("value %.17g, expected %.17g within %.3g", value, expected, tolerance);
    }
}

/* A periodic box of 8^3 cells of 1/8 m with a uniform wind, which nothing changes. */
static const char uniform_scene[] =
    "domain: {size: 1, boundaries: {all: periodic}}\n"
    "solver: {resolution: 8}\n"
    "time: {fps: 4, frames: 2}\n"
    "air: {wind: [1, 2, -0.5]}\n"
    "probes:\n"
    "  - {name: mast, kind: points, points: [[0, 0.5, 0], [0.1, 0.2, 0.3]], quantities: [velocity, density]}\n"
    "  - {name: axis, kind: line, from: [-0.5, 0.5, 0], to: [0.5, 0.5, 0], counts: 3, quantities: [velocity], every: "
    "2}\n"
    "  - {name: cut, kind: plane, axis: y, position: 0.5, counts: [2, 1, 2], quantities: [pressure], frames: last}\n"
    "  - {name: corner, kind: box, from: [-0.5, 0, -0.5], to: [-0.4, 0.2, -0.4], quantities: [vorticity], frames: "
    "last}\n";

static void test_bytes_of_tables(void **state)
{
    (void)state;
    make_file("uniform.yaml", uniform_scene);
    run_successfully(&run, "sim uniform.yaml -q --measures out/m.csv --probes-dir out/probes");
    assert_string_equal(run.out, "");
    assert_int_equal(count_entries("out"), 2);
    assert_int_equal(count_entries("out/probes"), 4);
    assert_content("out/probes/mast.csv", "frame,time,velocity_x_0,velocity_y_0,velocity_z_0,density_0,"
                                          "velocity_x_1,velocity_y_1,velocity_z_1,density_1\n"
                                          "0,0,1,2,-0.5,0,1,2,-0.5,0\n"
                                          "1,0.25,1,2,-0.5,0,1,2,-0.5,0\n"
                                          "2,0.5,1,2,-0.5,0,1,2,-0.5,0\n");
    assert_content("out/probes/axis.csv", "frame,time,x,y,z,velocity_x,velocity_y,velocity_z\n"
                                          "0,0,-0.5,0.5,0,1,2,-0.5\n"
                                          "0,0,0,0.5,0,1,2,-0.5\n"
                                          "0,0,0.5,0.5,0,1,2,-0.5\n"
                                          "2,0.5,-0.5,0.5,0,1,2,-0.5\n"
                                          "2,0.5,0,0.5,0,1,2,-0.5\n"
                                          "2,0.5,0.5,0.5,0,1,2,-0.5\n");
    assert_content("out/probes/cut.csv", "frame,time,x,y,z,pressure\n"
                                         "2,0.5,-0.5,0.5,-0.5,0\n"
                                         "2,0.5,0.5,0.5,-0.5,0\n"
                                         "2,0.5,-0.5,0.5,0.5,0\n"
                                         "2,0.5,0.5,0.5,0.5,0\n");
    assert_content("out/probes/corner.csv", "frame,time,x,y,z,vorticity_x,vorticity_y,vorticity_z\n"
                                            "2,0.5,-0.4375,0.0625,-0.4375,0,0,0\n"
                                            "2,0.5,-0.4375,0.1875,-0.4375,0,0,0\n");
    Table table = read_table("out/m.csv");
    assert_int_equal(table.lines, 3);
    for (int line = 0; line < 3; line++) {
        assert_near(cell(&table, line, "frame"), line, 0.0);
        assert_near(cell(&table, line, "time"), 0.25 * line, 0.0);
        assert_near(cell(&table, line, "volume"), 1.0, 0.0);
        assert_near(cell(&table, line, "kinetic_energy"), 0.5 * (1.0 + 4.0 + 0.25), 0.0);
        assert_near(cell(&table, line, "momentum_z"), -0.5, 0.0);
        assert_near(cell(&table, line, "volume_flux_y_max"), 2.0, 0.0);
        assert_true(isnan(cell(&table, line, "nusselt_x_min")));
    }
    free_table(&table);
}

/* Whether docs/measures.md has a column, with SCALAR, FACE and N in place of the names that these stand for. */
static bool is_documented(const char *page, const char *column)
{
    static const char *const scalars[] = {"temperature", "density", "color_1", "color_2", "color_3"};
    static const char *const faces[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    char name[64];
    (void)snprintf(name, sizeof name, "%s", column);
    for (size_t n = 0; n < sizeof scalars / sizeof scalars[0]; n++) {
        const size_t length = strlen(scalars[n]);
        if (strncmp(column, scalars[n], length) == 0) {
            (void)snprintf(name, sizeof name, "SCALAR%s", column + length);
        }
    }
    for (size_t n = 0; n < sizeof faces / sizeof faces[0]; n++) {
        char *face = strstr(name, faces[n]);
        if (face) {
            (void)snprintf(face, sizeof name - (size_t)(face - name), "FACE");
        }
    }
    if (strncmp(name, "body_", 5) == 0) {
        name[5] = 'N';
    }
    char *last = name + strlen(name) - 1;
    *last = (*last == 'y' || *last == 'z') && last[-1] == '_' ? 'x' : *last;
    char quoted[80];
    (void)snprintf(quoted, sizeof quoted, "`%s`", name);
    return strstr(page, quoted) != NULL;
}

static void test_documented_columns(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -q --measures m.csv -D time.frames=1 -D bodies.0.shape=sphere "
                           "-D bodies.0.center=[0,1,0] -D bodies.0.radius=0.2 -D emitters.0.color_2=1");
    size_t size;
    char *page = read_whole_file(BRUME_SOURCE_DIR "/docs/measures.md", &size);
    Table table = read_table("m.csv");
    for (int n = 0; n < table.columns; n++) {
        if (!is_documented(page, table.names[n])) {
            fail_msg("docs/measures.md lacks %s", table.names[n]);
        }
    }
    free_table(&table);
    free(page);
}

/* The JSON has the numbers of the table. */
static void test_measures_in_stats(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o a.##.png --frames 12:12 --measures m.csv --stats s.json");
    Table table = read_table("m.csv");
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_true(is_json(stats));
    const char *measures = strstr(stats, "\"initial\": {");
    for (int line = 0; line < table.lines; line++) {
        assert_non_null(measures);
        for (int n = 1; n < table.columns; n++) {
            char member[64];
            (void)snprintf(member, sizeof member, "\"%s\": ", table.names[n]);
            const char *found = strstr(measures, member);
            assert_non_null(found);
            const double value = table.values[line * table.columns + n];
            if (isnan(value)) {
                assert_int_equal(strncmp(found + strlen(member), "null", 4), 0);
            } else {
                assert_near(strtod(found + strlen(member), NULL), value, 0.0);
            }
        }
        measures = strstr(measures + 1, "\"measures\": {");
    }
    assert_null(measures);
    assert_true(cell(&table, 12, "density_emitted") > 0.0);
    free(stats);
    free_table(&table);
}

/* The tables do not depend on the number of threads, nor on whether images are drawn. */
static void test_same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    char arguments[512];
    for (int threads = 1; threads <= 3; threads++) {
        (void)snprintf(
            arguments, sizeof arguments,
            "sim little.yaml -q -t %d --measures t%d/m.csv --probes-dir t%d -D probes.0.name=p -D probes.0.kind=plane "
            "-D probes.0.axis=z -D probes.0.position=0.1",
            threads, threads, threads);
        run_successfully(&run, arguments);
        char path[32];
        (void)snprintf(path, sizeof path, "t%d/m.csv", threads);
        assert_same_files(path, "t1/m.csv");
        (void)snprintf(path, sizeof path, "t%d/p.csv", threads);
        assert_same_files(path, "t1/p.csv");
    }
    run_successfully(&run, "render little.yaml -q -o r/a.##.png --frames 12:12 --measures r/m.csv");
    assert_same_files("r/m.csv", "t1/m.csv");
}

static void test_existing_files(void **state)
{
    (void)state;
    make_file("uniform.yaml", uniform_scene);
    make_file("m.csv", "precious\n");
    run_program(&run, "sim uniform.yaml --measures m.csv --probes-dir p");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.err, "brume: m.csv exists (give --overwrite to replace it, or another --measures)\n");
    assert_content("m.csv", "precious\n");
    assert_false(exists("p"));
    run_successfully(&run, "sim uniform.yaml -q --measures m.csv --probes-dir p --overwrite");
    run_program(&run, "sim uniform.yaml --measures n.csv --probes-dir p");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.err,
                        "brume: p/mast.csv exists (give --overwrite to replace it, or another --probes-dir)\n");
    assert_false(exists("n.csv"));
    // the probes of a render are beside its images
    run_successfully(&run, "render uniform.yaml -q -o images/a.##.png --size 16x16");
    assert_true(exists("images/a.02.png") && exists("images/mast.csv"));
}

static void test_write_errors(void **state)
{
    (void)state;
    run_program(&run, "sim little.yaml -q --measures /dev/full");
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "brume: /dev/full: cannot write: No space left on device\n");
    run_program(&run, "sim little.yaml -q --measures /proc/nowhere/m.csv");
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "brume: /proc/nowhere: cannot make the folder: No such file or directory\n");
    // a limit on the file size; the lines that fit are whole
    Program program = start_program("sim little.yaml -q --measures m.csv", 6000);
    finish_program(&program, &run);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "brume: m.csv: cannot write: File too large\n");
    Table table = read_table("m.csv");
    assert_in_range(table.lines, 1, 11);
    free_table(&table);
}

static void test_interrupt(void **state)
{
    (void)state;
    Program program = start_program("sim little.yaml -q --measures m.csv --stats s.json -D time.frames=100000", 0);
    wait_for_file(&program, "s.json");
    assert_int_equal(kill(program.pid, SIGINT), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    int done = 0;
    const char *line = strstr(run.err, "brume: interrupted");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "brume: interrupted after frame %d of 100000\n", &done), 1);
    Table table = read_table("m.csv");
    assert_int_equal(table.lines, done + 1);
    free_table(&table);
}

/*
 * Uniform air that is accelerated for half a second, and then slows down at the rate of its drag, 2/s: between two
 * frames of 1/8 s it changes by 8 (1 - exp(-1/4)) = 1.7696 of its speed in a second.
 */
static const char decaying_scene[] = "domain: {size: 1, boundaries: {all: periodic}}\n"
                                     "solver: {resolution: 8}\n"
                                     "time: {fps: 8, frames: 9}\n"
                                     "air: {drag: 2}\n"
                                     "emitters:\n"
                                     "  - {shape: box, center: [0, 0.5, 0], size: [3, 3, 3], acceleration: [1, 0, 0], "
                                     "end: 0.5}\n";

static void test_until_steady(void **state)
{
    (void)state;
    make_file("decay.yaml", decaying_scene);
    run_successfully(&run, "sim decay.yaml --measures a.csv --until-steady 1.78");
    assert_non_null(strstr(run.out, "\nsteady after frame 5: velocity changes by 1.8, temperature by 0 of the largest "
                                    "value in a second (tolerance 1.8)\n"));
    Table table = read_table("a.csv");
    assert_int_equal(table.lines, 6);
    const double before = cell(&table, 4, "momentum_x");
    assert_near(cell(&table, 5, "momentum_x"), before * exp(-0.25), 1e-6);
    free_table(&table);

    run_program(&run, "sim decay.yaml -q --measures b.csv --until-steady 1.76");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err,
                        "brume: warning: not steady after frame 9: velocity changes by 1.8, temperature by 0 of "
                        "the largest value in a second (tolerance 1.8)\n");
    table = read_table("b.csv");
    assert_int_equal(table.lines, 10);
    free_table(&table);

    // an image of each frame until then
    run_successfully(&run, "render decay.yaml -q -o im/a.##.png --size 8x8 --until-steady 2");
    assert_int_equal(count_entries("im"), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bytes_of_tables, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_documented_columns, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_measures_in_stats, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_same_bytes_at_any_thread_count, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_existing_files, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_write_errors, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupt, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_until_steady, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
