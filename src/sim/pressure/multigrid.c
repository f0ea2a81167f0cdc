// A V(2,2)-cycle on the box: two red-black sweeps, the coarser problem, two sweeps in the mirrored order. Residuals are
// summed into coarse cells and corrections copied back to their finer cells; coarsen.c scales the coarse operators to
// match. Copied corrections are rough, so the small levels are visited twice, each time in the same symmetric way (a
// W-cycle), which saves up to half of the iterations where a solid cuts through coarse cells.
#include "sim/pressure/multigrid.h"

#include "core/memory.h"
#include "core/simd.h"
#include "sim/pressure/gauss_seidel.h"
#include "sim/pressure/level.h"

#include <string.h>

enum {
    MAX_LEVELS = 16,
    COARSEST_SIDE = 2,   ///< a level is the last when no side is longer
    COARSEST_SWEEPS = 8, ///< there, each way: next to exact
    RED = 0,
    BLACK = 1,
};

struct BrumeMultigrid {
    const BrumePoisson *poisson;
    int first_double; ///< levels from here on are visited twice
    int count;
    BrumeLevel levels[MAX_LEVELS];
};

static int longest_side(BrumeGrid grid)
{
    const int longer = grid.nx > grid.ny ? grid.nx : grid.ny;
    return longer > grid.nz ? longer : grid.nz;
}

BrumeStatus brume_multigrid_create(BrumeMultigrid **multigrid, const BrumePoisson *poisson, bool singular,
                                   BrumeError *error)
{
    *multigrid = NULL;
    BrumeMultigrid *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_fail(error, BRUME_FAILED, "out of memory for the pressure solver (lower the resolution)");
    }
    created->poisson = poisson;
    created->first_double = poisson->cells->obstacles ? 0 : 1;
    BrumeStatus status = brume_level_coarsen_box(&created->levels[0], poisson, singular, error);
    while (status == BRUME_OK) {
        const BrumeLevel *finer = &created->levels[created->count];
        created->count++;
        if (longest_side(finer->grid) <= COARSEST_SIDE || created->count == MAX_LEVELS) {
            *multigrid = created;
            return BRUME_OK;
        }
        status = brume_level_coarsen(&created->levels[created->count], finer, singular, error);
    }
    brume_multigrid_destroy(created);
    return status;
}

void brume_multigrid_destroy(BrumeMultigrid *multigrid)
{
    if (!multigrid) {
        return;
    }
    for (int n = 0; n < multigrid->count; n++) {
        brume_level_destroy(&multigrid->levels[n]);
    }
    brume_free(multigrid);
}

size_t brume_multigrid_bytes(const BrumeMultigrid *multigrid)
{
    size_t bytes = sizeof *multigrid;
    for (int n = 0; n < multigrid->count; n++) {
        bytes += brume_level_bytes(&multigrid->levels[n]);
    }
    return bytes;
}

// A finer problem: that of the box, or of a coarse level.
typedef struct Finer {
    const BrumePoisson *poisson; ///< of the box, else NULL
    BrumeLevel *level;
    BrumeField *x;
    const BrumeField *b;
} Finer;

static void apply_row(const Finer *finer, float *out, int j, int k)
{
    if (finer->poisson) {
        brume_poisson_apply_row(finer->poisson, out, finer->x, j, k);
    } else {
        brume_level_apply_row(finer->level, out, j, k);
    }
}

// sum += b - ax
BRUME_KERNEL static void add_residual(float *restrict sum, const float *b, const float *ax, int nx)
{
    for (int i = 1; i <= nx; i++) {
        sum[i] += b[i] - ax[i];
    }
}

static void add_pairs(float *coarse, const float *fine, int fine_nx)
{
    for (int i = 1; i <= fine_nx / 2; i++) {
        coarse[i] = fine[2 * i - 1] + fine[2 * i];
    }
    if (fine_nx % 2 != 0) {
        coarse[fine_nx / 2 + 1] = fine[fine_nx];
    }
}

// coarse b = sum of the residuals of its cells
static void restrict_residual(const Finer *finer, BrumeLevel *coarse)
{
    const BrumeGrid fine_grid = finer->x->grid;
    const BrumeGrid grid = coarse->grid;
#pragma omp parallel for schedule(static) if (coarse->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        float sum[BRUME_PRESSURE_MAX_ROW + 2];
        float ax[BRUME_PRESSURE_MAX_ROW + 2];
        for (int j = 1; j <= grid.ny; j++) {
            memset(sum, 0, (size_t)(fine_grid.nx + 2) * sizeof *sum);
            for (int fk = 2 * k - 1; fk <= 2 * k && fk <= fine_grid.nz; fk++) {
                for (int fj = 2 * j - 1; fj <= 2 * j && fj <= fine_grid.ny; fj++) {
                    apply_row(finer, ax, fj, fk);
                    add_residual(sum, finer->b->data + brume_field_index(finer->b, 0, fj, fk), ax, fine_grid.nx);
                }
            }
            add_pairs(coarse->b.data + brume_field_index(&coarse->b, 0, j, k), sum, fine_grid.nx);
        }
    }
    brume_components_remove_mean(&coarse->components, coarse->b.data, coarse->b.sy, coarse->b.sz, coarse->parallel);
}

// x += the correction of the coarse cell around it
static void prolong(const Finer *finer, const BrumeLevel *coarse)
{
    const BrumeGrid fine_grid = finer->x->grid;
    const BrumeGrid grid = coarse->grid;
#pragma omp parallel for schedule(static) if (coarse->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        float row[BRUME_PRESSURE_MAX_ROW + 2];
        for (int j = 1; j <= grid.ny; j++) {
            const float *correction = coarse->x.data + brume_field_index(&coarse->x, 0, j, k);
            for (int i = 1; i <= fine_grid.nx; i++) {
                row[i] = correction[(i + 1) / 2];
            }
            for (int fk = 2 * k - 1; fk <= 2 * k && fk <= fine_grid.nz; fk++) {
                for (int fj = 2 * j - 1; fj <= 2 * j && fj <= fine_grid.ny; fj++) {
                    if (finer->poisson) {
                        brume_poisson_add_row(finer->poisson, finer->x, row, fj, fk);
                    } else {
                        brume_level_add_row(finer->level, row, fj, fk);
                    }
                }
            }
        }
    }
}

static void solve_coarsest(BrumeLevel *level)
{
    brume_level_sweep_from_zero(level, RED);
    brume_level_sweep(level, BLACK);
    for (int n = 1; n < COARSEST_SWEEPS; n++) {
        brume_level_sweep(level, RED);
        brume_level_sweep(level, BLACK);
    }
}

static void cycle(BrumeMultigrid *multigrid, int index)
{
    BrumeLevel *level = &multigrid->levels[index];
    if (index + 1 == multigrid->count) {
        solve_coarsest(level);
        return;
    }
    BrumeLevel *coarse = level + 1;
    const Finer finer = {.level = level, .x = &level->x, .b = &level->b};
    const int visits = index >= multigrid->first_double ? 2 : 1;
    for (int visit = 0; visit < visits; visit++) {
        if (visit == 0) {
            brume_level_sweep_from_zero(level, RED);
        } else {
            brume_level_sweep(level, RED);
        }
        brume_level_sweep(level, RED);
        restrict_residual(&finer, coarse);
        cycle(multigrid, index + 1);
        prolong(&finer, coarse);
        brume_level_exchange(level);
        brume_level_sweep(level, BLACK);
        brume_level_sweep(level, BLACK);
    }
}

void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r)
{
    const BrumePoisson *poisson = multigrid->poisson;
    BrumeLevel *coarse = &multigrid->levels[0];
    const Finer finer = {.poisson = poisson, .x = z, .b = r};
    brume_gauss_seidel_from_zero(poisson, z, r, RED, 1.0f);
    brume_gauss_seidel(poisson, z, r, RED, 1.0f);
    restrict_residual(&finer, coarse);
    cycle(multigrid, 0);
    prolong(&finer, coarse);
    brume_poisson_exchange(poisson, z);
    brume_gauss_seidel(poisson, z, r, BLACK, 1.0f);
    brume_gauss_seidel(poisson, z, r, BLACK, 1.0f);
}
