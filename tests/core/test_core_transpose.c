/*
 * Transposes of a field whose planes are divided among ranks, which are threads here.
 */
#include "core/domain.h"
#include "core/field.h"
#include "sim_support.h"
#include "thread_team.h"

enum { MOST_RANKS = 8 };

typedef struct TransposeRun {
    BrumeGrid grid;
    int errors[MOST_RANKS];
} TransposeRun;

// the entry with its index as value, times `factor` in rows of cells
static float expected(const BrumeField *field, ptrdiff_t c, float factor)
{
    int index[3];
    brume_entry_indices(c, field->sy, field->sz, index);
    const bool inside = index[1] >= 1 && index[1] <= field->grid.ny && index[2] >= 1 && index[2] <= field->grid.nz;
    return (float)c * (inside ? factor : 1.0f);
}

// sets the planes of this rank
static void fill_planes(BrumeField *field)
{
    for (ptrdiff_t c = field->sz * brume_lowest_plane(field->grid);
         c < field->sz * (brume_highest_plane(field->grid) + 1); c++) {
        field->data[c] = (float)c;
    }
}

// negates the rows of this rank; returns the number of entries that differ from `expected`
static int negate_rows(BrumeField *field)
{
    int errors = 0;
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = brume_first_row(field->grid); j <= brume_last_row(field->grid); j++) {
            for (int i = 0; i <= field->grid.nx + 1; i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                errors += field->data[c] != expected(field, c, 1.0f);
                field->data[c] = -field->data[c];
            }
        }
    }
    return errors;
}

static int check_planes(const BrumeField *field)
{
    int errors = 0;
    for (ptrdiff_t c = field->sz * brume_lowest_plane(field->grid);
         c < field->sz * (brume_highest_plane(field->grid) + 1); c++) {
        errors += field->data[c] != expected(field, c, -1.0f);
    }
    return errors;
}

static void run_rank(void *context, BrumeTeam *team)
{
    TransposeRun *run = context;
    BrumeGrid grid = run->grid;
    grid.domain = brume_team_domain(team, grid.nz, false);
    team->replicated = false;
    BrumeField field;
    if (brume_field_create(&field, grid, NULL) != BRUME_OK) {
        run->errors[team->rank] = 1;
        return;
    }
    fill_planes(&field);
    brume_exchange_rows(&field);
    run->errors[team->rank] = negate_rows(&field);
    brume_return_rows(&field);
    run->errors[team->rank] += check_planes(&field);
    brume_field_destroy(&field);
}

// boxes of odd sizes, fewer rows than ranks, and fewer slabs than ranks
static void each_rank_has_all_planes_of_its_rows(void **state)
{
    (void)state;
    const int sizes[][3] = {{5, 7, 23}, {4, 3, 41}, {1, 1, 9}, {3, 19, 5}, {2, 2, 1}};
    for (int n = 0; n < 5; n++) {
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
            TransposeRun run = {.grid = brume_grid(sizes[n][0], sizes[n][1], sizes[n][2])};
            run_as_ranks(ranks, run_rank, &run);
            for (int r = 0; r < ranks; r++) {
                if (run.errors[r] > 0) {
                    fail_msg("size %d: %d wrong entries on rank %d of %d", n, run.errors[r], r, ranks);
                }
            }
        }
    }
}

static void a_whole_grid_has_all_rows(void **state)
{
    (void)state;
    BrumeField field;
    assert_int_equal(brume_field_create(&field, brume_grid(3, 4, 5), NULL), BRUME_OK);
    fill_planes(&field);
    brume_exchange_rows(&field);
    assert_int_equal(negate_rows(&field), 0);
    brume_return_rows(&field);
    assert_int_equal(check_planes(&field), 0);
    brume_field_destroy(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rank_has_all_planes_of_its_rows),
        cmocka_unit_test(a_whole_grid_has_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
