// The functions of the module for MPI, by as many processes as mpirun has started: what is sent arrives, also in parts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "mpi/mpi_functions.h"

static const BrumeMpiFunctions *const mpi = &brume_mpi_functions;
static BrumeTeam team;

enum { MOST_BYTES = 1000, LONG = 2500, SHORT = 7 };

// the bytes that rank `from` sends to rank `to`
static uint8_t expected(int from, int to, int n) { return (uint8_t)(31 * from + 17 * to + 3 * n + n / 256); }

static void test_transfer(void **state)
{
    (void)state;
    static uint8_t sent[16][LONG + SHORT];
    static uint8_t received[16][LONG + SHORT];
    BrumeMessage sends[32];
    BrumeMessage receives[32];
    int count = 0;
    assert_in_range(team.ranks, 2, 16);
    for (int r = 0; r < team.ranks; r++) {
        for (int n = 0; n < LONG + SHORT; n++) {
            sent[r][n] = expected(team.rank, r, n);
        }
        if (r != team.rank) { // two messages, which arrive in their order
            sends[count] = (BrumeMessage){r, sent[r], LONG};
            receives[count++] = (BrumeMessage){r, received[r], LONG};
            sends[count] = (BrumeMessage){r, sent[r] + LONG, SHORT};
            receives[count++] = (BrumeMessage){r, received[r] + LONG, SHORT};
        }
    }
    team.transfer(team.context, sends, count, receives, count);
    for (int r = 0; r < team.ranks; r++) {
        for (int n = 0; n < LONG + SHORT && r != team.rank; n++) {
            assert_int_equal(received[r][n], expected(r, team.rank, n));
        }
    }
}

// gathers parts of `bytes` of each rank, of which rank 1 has none
static void check_gather(size_t bytes)
{
    size_t starts[17] = {0};
    for (int r = 0; r < team.ranks; r++) {
        starts[r + 1] = starts[r] + (r == 1 ? 0 : bytes);
    }
    uint8_t *data = calloc(starts[team.ranks], 1);
    assert_non_null(data);
    for (size_t n = starts[team.rank]; n < starts[team.rank + 1]; n++) {
        data[n] = expected(team.rank, 0, (int)n);
    }
    team.gather(team.context, data, starts);
    for (int r = 0; r < team.ranks; r++) {
        for (size_t n = starts[r]; n < starts[r + 1]; n++) {
            assert_int_equal(data[n], expected(r, 0, (int)n));
        }
    }
    free(data);
}

static void test_gather(void **state)
{
    (void)state;
    check_gather(8);
    check_gather(MOST_BYTES / 2);
    check_gather(LONG);
}

static void test_broadcast(void **state)
{
    (void)state;
    uint8_t data[LONG];
    for (int from = 0; from < team.ranks; from++) {
        for (int n = 0; n < LONG; n++) {
            data[n] = team.rank == from ? expected(from, 0, n) : 0;
        }
        mpi->broadcast(&team, data, LONG, from);
        for (int n = 0; n < LONG; n++) {
            assert_int_equal(data[n], expected(from, 0, n));
        }
    }
}

// ranks agree, also where one comes later than others that are patient
static void test_agreement(void **state)
{
    (void)state;
    int64_t values[16];
    if (team.rank == 1) {
        (void)usleep(300000);
    }
    assert_true(mpi->agree(&team, 100 + team.rank, values, 30.0));
    for (int r = 0; r < team.ranks; r++) {
        assert_int_equal(values[r], 100 + r);
    }
}

static void test_processors_are_shared(void **state)
{
    (void)state;
    assert_int_equal(mpi->sharing_processors(&team), team.ranks); // mpirun binds none
    assert_false(mpi->has_several_machines(&team));
}

static void never_lost(int rank, const char *host, double silence)
{
    (void)rank;
    (void)host;
    (void)silence;
    abort();
}

// a rank that computes for longer than the others may be silent is not lost: another thread gives its signs of life
static void test_long_computation(void **state)
{
    (void)state;
    if (team.rank == 1) {
        (void)sleep(2);
    }
    int64_t values[16];
    assert_true(mpi->agree(&team, 0, values, 30.0));
}

// rank 1 has failed while the others wait for its message: it ends all
static void fail_alone(void)
{
    int64_t values[16];
    uint8_t byte;
    if (team.rank != 1) {
        team.transfer(team.context, NULL, 0, &(BrumeMessage){1, &byte, 1}, 1);
    } else if (!mpi->agree(&team, 1, values, 0.5)) {
        (void)puts("no other rank agrees");
        (void)fflush(stdout);
        mpi->abort(&team, EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    const BrumeMpiDef def = {.silence = 1.0, .lost = never_lost, .most_bytes = MOST_BYTES};
    BrumeError error;
    if (mpi->start(&team, &def, &error) != BRUME_OK) {
        return EXIT_FAILURE;
    }
    if (argc > 1 && strcmp(argv[1], "alone") == 0) {
        fail_alone();
        return EXIT_SUCCESS; // not reached
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_broadcast),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_processors_are_shared),
        cmocka_unit_test(test_long_computation),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (failures > 0) {
        mpi->abort(&team, EXIT_FAILURE);
    }
    mpi->end(&team);
    return failures;
}
