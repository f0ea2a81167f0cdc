// How the threads of a team wait: the same bits in every way, and the additional team of GCC's runtime comes and goes.
#define _GNU_SOURCE // RTLD_DEFAULT
#include "brume/brume.h"
#include "core/parallel/clock.h"

#include <dirent.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 2 };

static BrumeSim *create_sim(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 16;
    def.dx = 1.0f / 16.0f;
    def.wind.x = 0.3f;
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    brume_set_threads(THREADS);
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_OK);
    return sim;
}

static uint64_t run(BrumeSim *sim, BrumeWaiting waiting, int steps)
{
    BrumeError error = {0};
    brume_set_waiting(waiting);
    for (int n = 0; n < steps; n++) {
        assert_int_equal(brume_sim_step(sim, 0.02, NULL, &error), BRUME_OK);
    }
    return brume_sim_hash(sim);
}

static void the_state_does_not_depend_on_waiting(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int n = 0; n < 3; n++) {
        BrumeSim *sim = create_sim();
        hashes[n] = run(sim, (BrumeWaiting)n, 12);
        brume_sim_destroy(sim);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);
}

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    int count = 0;
    for (const struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks)) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(tasks);
    return count;
}

// threads that have ended stay in /proc for a moment
static int count_threads_down_to(int expected)
{
    const double start = brume_seconds();
    while (count_threads() > expected && brume_seconds() - start < 10.0) {
        (void)usleep(1000);
    }
    return count_threads();
}

static void the_additional_team_exceeds_the_processors(void **state)
{
    (void)state;
    if (dlsym(RTLD_DEFAULT, "kmp_set_blocktime")) {
        skip(); // LLVM's runtime needs no additional team
    }
    BrumeSim *sim = create_sim();
    (void)run(sim, BRUME_WAITING_RUNTIME, 1);
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int without = count_threads_down_to(THREADS);
    assert_int_equal(without, THREADS);
    (void)run(sim, BRUME_WAITING_BRIEF, 1);
    // one thread that starts the team, which with it exceeds the processors by one
    const int expected = processors >= THREADS ? without + processors - THREADS + 2 : without;
    assert_int_equal(count_threads(), expected);
    (void)run(sim, BRUME_WAITING_BRIEF, 3);
    assert_int_equal(count_threads(), expected);
    (void)run(sim, BRUME_WAITING_RUNTIME, 1);
    assert_int_equal(count_threads_down_to(without), without);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_does_not_depend_on_waiting),
        cmocka_unit_test(the_additional_team_exceeds_the_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
