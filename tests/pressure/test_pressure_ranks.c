// Pressure solves by several ranks: the bits of one process, in every kind of box, and different ones with one plane
// less in any exchange.
#include "pressure_support.h"

#include "core/domain.h"
#include "sim/reference/kernels.h"
#include "thread_team.h"

static bool sphere(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    return x * x + y * y + z * z < 0.2 * 0.2;
}

// rooms with walls of one cell, at other positions relative to the slabs of ranks from room to room
static bool rooms(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    const bool door = (i / 6 + j / 6 + k / 5) % 2 == 0 && j % 6 == 3 && (i % 6 == 3 || k % 5 == 3);
    return (i % 6 == 0 || j % 6 == 0 || k % 5 == 0) && !door;
}

// Niches on both sides of the planes nz / 2 and nz, between two of 2 or 4 ranks. The second coarse level has no cells
// of its own for them: their cells belong to coarse cells on the other side.
static bool niches(BrumeGrid grid, int i, int j, int k)
{
    const int above = (k + grid.nz / 4) % (grid.nz / 2) - grid.nz / 4;
    const bool is_above = above > 0;
    const int depth = is_above ? above : 1 - above;
    const int y = j - (is_above ? 8 : 0);
    const bool inside = i >= 7 && i <= 8 && y >= 5 && y <= 8 && depth <= 4;
    return i >= 6 && i <= 9 && y >= 4 && y <= 9 && depth <= 5 && !inside;
}

// a third of the cells, at random
static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.35f;
}

static const Box boxes[] = {
    {.grid = {20, 18, 96, NULL}},
    {.grid = {17, 14, 160, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = rooms},
    {.grid = {16, 22, 96, NULL}, .periodic = {true, false, true}, .solid = rooms},
    {.grid = {14, 12, 93, NULL}, .periodic = {true, true, true}, .solid = sphere},
    {.grid = {12, 13, 80, NULL}, .periodic = {false, true, true}, .open = {[BRUME_FACE_X_MIN] = true}},
    {.grid = {13, 12, 64, NULL}, .open = {[BRUME_FACE_Z_MAX] = true}, .solid = rubble},
    {.grid = {24, 20, 31, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
    {.grid = {12, 18, 18, NULL}, .periodic = {false, false, true}},
    {.grid = {17, 20, 96, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = niches},
    {.grid = {17, 20, 96, NULL}, .periodic = {false, true, true}, .solid = niches},
    {.grid = {14, 40, 7, NULL}, .open = {[BRUME_FACE_X_MIN] = true}, .solid = sphere},
};

enum {
    MOST_RANKS = 5,
    SOLVES = 2, // one after the other, the second from the result of the first
};

typedef struct Run {
    const Box *box;
    BrumePressureDef def;
    bool stale;           // planes that an exchange does not copy stay as they were, instead of NaN
    BrumeField p[SOLVES]; // results of one process
    BrumePressureResult result[SOLVES];
} Run;

// random values in the planes of this rank
static void fill_own(BrumeField *field, const BrumeCells *cells, uint32_t seed, float factor, float others)
{
    fill_random(field, cells, seed);
    for (int k = 0; k <= field->grid.nz + 1; k++) {
        for (ptrdiff_t n = field->sz * k; n < field->sz * (k + 1); n++) {
            field->data[n] = brume_has_plane(field->grid, k) ? factor * field->data[n] : others;
        }
    }
}

static bool same_planes(const BrumeField *p, const BrumeField *expected)
{
    const int first = brume_lowest_plane(p->grid);
    const int last = brume_highest_plane(p->grid);
    bool same = true;
    for (int k = brume_max_int(first - 1, 0); first <= last && k <= brume_min_int(last + 1, p->grid.nz + 1); k++) {
        same = same && memcmp(p->data + p->sz * k, expected->data + p->sz * k, (size_t)p->sz * sizeof *p->data) == 0;
    }
    return same;
}

static bool same_result(const BrumePressureResult *a, const BrumePressureResult *b)
{
    return a->iterations == b->iterations && memcmp(&a->residual, &b->residual, sizeof a->residual) == 0;
}

// by one process: sets the results; by a rank: whether it has them in its planes and those next to them
static uint64_t solve(void *context, BrumeTeam *team)
{
    Run *run = context;
    Box box = *run->box;
    if (team) {
        box.grid.domain = brume_team_domain(team, box.grid.nz, box.periodic[2]);
        team->replicated = false;
    }
    const float others = run->stale ? 0.0f : NAN;
    Bench bench = make_bench(&box);
    BrumePressure *pressure;
    assert_int_equal(brume_pressure_create(&pressure, &run->def, &bench.cells, NULL), BRUME_OK);
    fill_own(&bench.p, &bench.cells, 11, 0.0f, others);
    if (team) {
        team->poisons = !run->stale;
    }
    start_tested_exchanges(team);
    bool same = true;
    for (int n = 0; n < SOLVES; n++) {
        fill_own(&bench.scratch[0], &bench.cells, 6, 1.0f, others);
        const BrumePressureResult result = brume_pressure_solve(pressure, &bench.p, bench.scratch);
        if (team) {
            same = same && same_result(&result, &run->result[n]) && same_planes(&bench.p, &run->p[n]);
        } else {
            run->result[n] = result;
            run->p[n] = make_field(box.grid);
            copy_field(&run->p[n], &bench.p);
        }
    }
    end_tested_exchanges(team);
    brume_pressure_destroy(pressure);
    destroy_bench(&bench);
    return same;
}

static void destroy_results(Run *alone)
{
    for (int n = 0; n < SOLVES; n++) {
        brume_field_destroy(&alone->p[n]);
    }
}

static void check_ranks(int n, const char *method, bool reference)
{
    Run alone = {.box = &boxes[n],

                 .def = {.method = method,
                         .tolerance = 1e-5f,
                         .max_iterations = 4,
                         .over_relaxation = 1.7f,
                         .kernels = reference ? &brume_reference_cycle_kernels : NULL}};
    (void)solve(&alone, NULL);
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        if (!all_ranks_return(true, ranks, solve, &alone)) {
            fail_msg("%s, box %d, %s kernels: other bits with %d ranks", method, n, reference ? "reference" : "fast",
                     ranks);
        }
    }
    destroy_results(&alone);
}

static void test_same_bits_with_any_ranks(void **state)
{
    (void)state;
    const char *const methods[] = {"mgpcg", "multigrid", "cg", "relaxation"};
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        for (int method = 0; method < 4; method++) {
            check_ranks(n, methods[method], false);
        }
        check_ranks(n, "mgpcg", true);
        check_ranks(n, "multigrid", true);
    }
}

// `decisions`: exchanges for norms alone, which do not change a solve that ends at its limit of iterations
static void check_thin(int n, const char *method, int max_iterations, int ranks, int decisions)
{
    Run alone = {
        .box = &boxes[n],

        .def = {.method = method, .tolerance = 1e-6f, .max_iterations = max_iterations, .over_relaxation = 1.7f}};
    (void)solve(&alone, NULL);
    NeededExchanges found = {0};
    find_needed_exchanges(&found, true, ranks, solve, &alone);
    alone.stale = true; // NaN ends a solve, and another may start from there
    find_needed_exchanges(&found, true, ranks, solve, &alone);
    if (found.needed < found.count - decisions) {
        fail_msg("%s, box %d, %d ranks: the same bits with one plane less in %d of %d exchanges", method, n, ranks,
                 found.count - found.needed, found.count);
    }
    destroy_results(&alone);
}

static void test_no_exchange_is_deeper_than_needed(void **state)
{
    (void)state;
    check_thin(8, "mgpcg", 2, 2, 0);
    check_thin(9, "mgpcg", 2, 4, 0);
    check_thin(3, "mgpcg", 2, 3, 0);
    check_thin(6, "mgpcg", 2, 3, 0);
    check_thin(0, "multigrid", 2, 3, SOLVES);
    check_thin(4, "multigrid", 2, 2, SOLVES);
    check_thin(4, "cg", 3, 3, 0);
    check_thin(2, "relaxation", 10, 3, SOLVES);
    check_thin(7, "relaxation", 10, 3, SOLVES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_with_any_ranks),
        cmocka_unit_test(test_no_exchange_is_deeper_than_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
