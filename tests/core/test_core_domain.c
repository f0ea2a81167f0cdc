/*
 * The division of planes among ranks by their speeds.
 */
#include "core/domain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RANKS = 6 };

typedef struct Division {
    int nz, ranks;
    double speeds[MOST_RANKS]; // all 0: NULL
    int planes[MOST_RANKS];    // expected
} Division;

static void slabs_are_in_proportion_to_speeds(void **state)
{
    (void)state;
    const Division divisions[] = {
        {48, 1, {2.0}, {48}},
        {48, 2, {1.0, 2.0}, {16, 32}},
        {48, 2, {5.0, 10.0}, {16, 32}},
        {48, 3, {1.0, 3.0, 2.0}, {8, 24, 16}},
        {96, 3, {1.0, 3.0, 2.0}, {16, 48, 32}},
        {48, 3, {2.0, 2.0, 2.0}, {16, 16, 16}},
        {48, 3, {0.0}, {16, 16, 16}},
        // rounded to units, of which the last one is thinner
        {50, 2, {1.0, 1.0}, {32, 18}},
        {47, 3, {1.0, 3.0, 2.0}, {8, 24, 15}},
        {33, 2, {0.0}, {24, 9}},
        // each rank has a unit while there are any
        {48, 2, {1.0, 1e-6}, {40, 8}},
        {48, 2, {1e-6, 1.0}, {8, 40}},
        {48, 3, {1.0, 1e-6, 1.0}, {24, 8, 16}},
        {48, 4, {1e-6, 1e-6, 1e-6, 1.0}, {8, 8, 8, 24}},
        {24, 3, {1e-6, 1.0, 100.0}, {8, 8, 8}},
        {20, 5, {0.0}, {8, 8, 4, 0, 0}},
        {20, 5, {1.0, 2.0, 3.0, 4.0, 100.0}, {8, 8, 4, 0, 0}},
        {1, 3, {1.0, 5.0, 1.0}, {1, 0, 0}},
    };
    for (size_t n = 0; n < sizeof divisions / sizeof *divisions; n++) {
        const Division *expected = &divisions[n];
        BrumeTeam team = {.ranks = expected->ranks, .speeds = expected->speeds[0] > 0.0 ? expected->speeds : NULL};
        const BrumeDomain *domain = brume_team_domain(&team, expected->nz, false);
        assert_non_null(domain);
        int start = 1;
        for (int r = 0; r < expected->ranks; r++) {
            if (domain->starts[r] != start || domain->starts[r + 1] != start + expected->planes[r]) {
                fail_msg("division %zu, rank %d: planes %d to before %d, expected %d to before %d", n, r,
                         domain->starts[r], domain->starts[r + 1], start, start + expected->planes[r]);
            }
            start += expected->planes[r];
        }
        assert_int_equal(start, expected->nz + 1);
        brume_team_clear(&team);
    }
}

static void coarse_slabs_have_half_of_the_planes(void **state)
{
    (void)state;
    const double speeds[] = {1.0, 3.0, 2.0};
    BrumeTeam team = {.ranks = 3, .speeds = speeds};
    const BrumeDomain *fine = brume_team_domain(&team, 45, false);
    const BrumeDomain *coarse = brume_coarse_domain(fine, 23);
    const BrumeDomain *coarser = brume_coarse_domain(coarse, 12);
    const int expected[3][4] = {{1, 9, 33, 46}, {1, 5, 17, 24}, {1, 3, 9, 13}};
    assert_memory_equal(fine->starts, expected[0], sizeof expected[0]);
    assert_memory_equal(coarse->starts, expected[1], sizeof expected[1]);
    assert_memory_equal(coarser->starts, expected[2], sizeof expected[2]);
    brume_team_clear(&team);
}

static void a_team_has_each_division_once(void **state)
{
    (void)state;
    BrumeTeam team = {.ranks = 2};
    const BrumeDomain *domain = brume_team_domain(&team, 40, false);
    const BrumeDomain *periodic = brume_team_domain(&team, 40, true);
    assert_ptr_not_equal(periodic, domain);
    assert_ptr_equal(brume_team_domain(&team, 40, false), domain);
    assert_ptr_equal(brume_team_domain(&team, 40, true), periodic);
    assert_ptr_equal(brume_coarse_domain(domain, 20), brume_coarse_domain(domain, 20));
    assert_ptr_not_equal(brume_coarse_domain(domain, 20), brume_team_domain(&team, 20, false));
    assert_ptr_not_equal(brume_coarse_domain(domain, 20), brume_coarse_domain(brume_team_domain(&team, 39, false), 20));
    brume_team_clear(&team);
    assert_null(team.domains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_are_in_proportion_to_speeds),
        cmocka_unit_test(coarse_slabs_have_half_of_the_planes),
        cmocka_unit_test(a_team_has_each_division_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
