// What `info --ranks` prints, and the options of runs of several processes; the runs themselves are in mpi_sim.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

static ProgramRun run;

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
    }
}

// the row of the table for a number of ranks
static void expect_row(int ranks, int planes, double *messages, double *megabytes, double *efficiency)
{
    char start[32];
    char memory[32];
    double gathers;
    double ms;
    (void)snprintf(start, sizeof start, "\n%13s%5d %7d ", "", ranks, planes);
    const char *row = strstr(run.out, start);
    assert_non_null(row);
    assert_int_equal(sscanf(row + strlen(start), " %31[0-9.] %*s %lf %lf %lf %lf %lf%%", memory, messages, megabytes,
                            &gathers, &ms, efficiency),
                     6);
    assert_true(ms > 0.0);
}

// 40 planes: up to 5 slabs; what one rank takes is no communication
static void test_table_of_ranks(void **state)
{
    (void)state;
    double messages[4];
    double megabytes[4];
    double efficiency[4];
    make_file("box.yaml",
              "domain: {size: [0.5, 0.5, 1]}\nsolver: {resolution: 40}\n"
              "emitters: [{shape: sphere, center: [0, 0.1, 0], radius: 0.1, density: 1, temperature: 75}]\n");
    run_successfully(&run, "info box.yaml --ranks 3 --frames 2");
    assert_non_null(strstr(run.out, "\nranks        up to 5, of at least 8 planes each\n"));
    expect_row(1, 40, &messages[0], &megabytes[0], &efficiency[0]);
    expect_row(2, 24, &messages[1], &megabytes[1], &efficiency[1]);
    expect_row(3, 16, &messages[2], &megabytes[2], &efficiency[2]);
    expect_row(4, 16, &messages[3], &megabytes[3], &efficiency[3]);
    assert_null(strstr(run.out, "\n                 8 "));
    expect_near(messages[0], 0.0, 0.0);
    expect_near(megabytes[0], 0.0, 0.0);
    expect_near(efficiency[0], 100.0, 0.0);
    assert_true(messages[2] > messages[1]); // a slab between two others
    assert_true(megabytes[2] > megabytes[1]);

    // the messages of all ranks in each frame add up to two of the busiest one's
    long long count[2];
    long long bytes[2];
    run_successfully(&run, "info box.yaml --ranks 2 --frames 2");
    expect_row(2, 24, &messages[1], &megabytes[1], &efficiency[1]);
    const char *line = strstr(run.out, "\nmessages     frame 1: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line,
                            " messages frame 1: %lld messages, %lld bytes between 2 ranks frame 2: %lld "
                            "messages, %lld bytes between 2 ranks\n",
                            &count[0], &bytes[0], &count[1], &bytes[1]),
                     4);
    expect_near(messages[1], (double)(count[0] + count[1]) / 4.0, 1.0);
    expect_near(megabytes[1], 1e-6 * (double)(bytes[0] + bytes[1]) / 4.0, 0.05 * megabytes[1]);

    // where the network takes no time: a slab of 24 planes and one plane that both ranks compute
    run_successfully(&run, "info box.yaml --ranks 2 --frames 2 --latency 0 --bandwidth 10000000");
    expect_row(2, 24, &messages[1], &megabytes[1], &efficiency[1]);
    expect_near(efficiency[1], 100.0 * 40.0 / (2.0 * 25.0), 1.0);
}

static void test_errors(void **state)
{
    (void)state;
    make_file("little.ply", "ply\n");
    run_with_error(&run, 2, "info little.ply --ranks 2",
                   "--ranks: it simulates scenes, and 'little.ply' is a mesh file");
    run_with_error(&run, 2, "info little.yaml --ranks 0", "--ranks: '0' is not a whole number from 1 to 10000");
    run_with_error(&run, 2, "sim little.yaml -o c.####.vti --slabs half",
                   "--slabs: 'half' is unknown (known: equal, measured)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_table_of_ranks, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_errors, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
