// The cycle of sim/reference/vcycle.c, fused into two passes through the memory of each level. Downward: two red-black
// sweeps, the residual, its restriction; upward: prolongation, two sweeps in reverse color order. Each pass is a
// wavefront (sim/grid/wavefront.h): each half-sweep follows the previous one at a distance of one plane, in blocks of
// rows that a core's cache holds. Every row is updated from the same values as in separate sweeps, so the bits equal
// the bits of the reference.
//
// Updates that have no effect are omitted. The downward sweeps end with black cells, whose residuals are then 0: only
// red residuals are restricted. The upward sweeps begin with black cells, which do not read black ones: only red cells
// are corrected. Neither holds for an odd periodic axis, where cells of one color are neighbors (operator.h).
#include "sim/pressure/multigrid/multigrid.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/wavefront.h"
#include "sim/pressure/poisson/components.h"

enum { RED = 0, BLACK = 1 };

static BrumeStatus create_levels(BrumeMultigrid *multigrid, const BrumePoisson *poisson, bool singular,
                                 BrumeError *error)
{
    BrumeMultigridLevel *levels = multigrid->levels;
    BrumeStatus status = brume_operator_create_finest(&multigrid->finest, poisson, error);
    if (status == BRUME_OK) {
        status = brume_level_coarsen_finest(&levels[0], poisson, singular, error);
    }
    while (status == BRUME_OK) {
        BrumeMultigridLevel *last = &levels[multigrid->count];
        multigrid->count++;
        if (brume_grid_cells(last->grid) <= BRUME_COARSEST_CELLS) {
            status = brume_coarsest_create(&multigrid->coarsest, last, error);
            return status == BRUME_OK ? brume_level_finalize(last, error) : status;
        }
        status = brume_level_coarsen(last + 1, last, singular, error);
        if (status == BRUME_OK) {
            status = brume_level_finalize(last, error);
        }
    }
    return status;
}

BrumeStatus brume_multigrid_create(BrumeMultigrid **multigrid, const BrumePoisson *poisson, bool singular,
                                   BrumeError *error)
{
    *multigrid = NULL;
    BrumeMultigrid *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    created->bodies = poisson->cells->bodies;
    const BrumeStatus status = create_levels(created, poisson, singular, error);
    if (status != BRUME_OK) {
        brume_multigrid_destroy(created);
        return status;
    }
    *multigrid = created;
    return BRUME_OK;
}

void brume_multigrid_destroy(BrumeMultigrid *multigrid)
{
    if (!multigrid) {
        return;
    }
    for (int n = 0; n < BRUME_MULTIGRID_LEVELS; n++) {
        brume_level_destroy(&multigrid->levels[n]);
    }
    brume_coarsest_destroy(&multigrid->coarsest);
    brume_operator_destroy(&multigrid->finest);
    brume_free(multigrid);
}

size_t brume_multigrid_bytes(const BrumeMultigrid *multigrid)
{
    size_t bytes =
        sizeof *multigrid + brume_operator_bytes(&multigrid->finest) + brume_coarsest_bytes(&multigrid->coarsest);
    for (int n = 0; n < multigrid->count; n++) {
        bytes += brume_level_bytes(&multigrid->levels[n]);
    }
    return bytes;
}

// One pass through the planes of a level, downward or upward.
typedef struct LevelPass {
    const BrumeOperator *op;
    BrumeField *x;
    const BrumeField *b;
    BrumeField *coarse; ///< right-hand side (downward) or correction (upward) of the next coarser level
    bool from_zero;     ///< downward: x is 0 at the start and is not read
    bool new_b;         ///< whether b has changed since the last pass
    BrumeRowHook *hook; ///< NULL for none
    void *hook_context;
} LevelPass;

static void downward_rows(void *context, int stage, int k, int from, int to)
{
    const LevelPass *pass = context;
    const BrumeOperator *op = pass->op;
    switch (stage) {
    case 0:
        if (pass->hook) {
            pass->hook(pass->hook_context, k, from, to);
        }
        if (pass->from_zero) {
            brume_operator_relax_from_zero(op, pass->x, pass->b, RED, k, from, to);
        } else if (op->odd_periodic) { // otherwise the upward pass ended with this update, and a second changes nothing
            brume_operator_relax(op, pass->x, pass->b, RED, k, from, to);
        }
        break;
    case 1:
    case 2:
    case 3:
        brume_operator_relax(op, pass->x, pass->b, stage % 2 == 0 ? RED : BLACK, k, from, to);
        break;
    default:
        brume_operator_restrict(op, pass->coarse, pass->x, pass->b, RED, false, k, from, to);
        if (op->odd_periodic) {
            brume_operator_restrict(op, pass->coarse, pass->x, pass->b, BLACK, true, k, from, to);
        }
    }
}

static void upward_rows(void *context, int stage, int k, int from, int to)
{
    const LevelPass *pass = context;
    const BrumeOperator *op = pass->op;
    if (stage == 0) {
        brume_operator_prolong(op, pass->x, pass->coarse, RED, k, from, to);
        if (op->odd_periodic) {
            brume_operator_prolong(op, pass->x, pass->coarse, BLACK, k, from, to);
        }
        return;
    }
    brume_operator_relax(op, pass->x, pass->b, stage % 2 == 0 ? RED : BLACK, k, from, to);
    if (stage == 4 && pass->hook) {
        pass->hook(pass->hook_context, k, from, to);
    }
}

static void fill_ghost_planes(void *context)
{
    const LevelPass *pass = context;
    if (pass->op->periodic[2]) {
        brume_parity_fill_ghost_planes(pass->x);
    }
}

static void run_pass(LevelPass *pass, void (*rows)(void *context, int stage, int k, int from, int to))
{
    const BrumeOperator *op = pass->op;
    const BrumeWavefront wavefront = {
        .context = pass,
        .grid = op->grid,
        .stages = 5,
        .parallel = op->parallel,
        .whole_planes = op->periodic[1],
        .stage_by_stage = op->odd_periodic,
        .x = pass->x,
        .b = pass->new_b ? pass->b : NULL,
        .visit = rows,
        .wrap = op->periodic[2] ? fill_ghost_planes : NULL,
    };
    brume_wavefront_run(&wavefront);
}

// the cycle on coarse level `index`: x from b
static void cycle(BrumeMultigrid *multigrid, int index)
{
    BrumeMultigridLevel *level = &multigrid->levels[index];
    if (!level->grid.domain) { // the ranks have computed it in parts if the finer level is divided
        brume_gather_field(&level->b);
    }
    if (index + 1 == multigrid->count) {
        brume_coarsest_solve(&multigrid->coarsest, &level->x, &level->b);
        return;
    }
    brume_components_remove_mean_parity(&level->components, level->b.data, level->grid.nx, level->b.sy, level->b.sz,
                                        level->parallel);
    BrumeMultigridLevel *coarse = level + 1;
    LevelPass down = {.op = &level->op, .x = &level->x, .b = &level->b, .coarse = &coarse->b};
    LevelPass up = {.op = &level->op, .x = &level->x, .b = &level->b, .coarse = &coarse->x};
    const int visits = brume_multigrid_visits(multigrid, index);
    for (int visit = 0; visit < visits; visit++) {
        down.from_zero = visit == 0;
        down.new_b = visit == 0;
        if (visit > 0 && level->op.odd_periodic && brume_is_shared(level->grid)) { // neighbors have the same color
            brume_exchange_field(&level->x, 1);
            fill_ghost_planes(&down);
        }
        run_pass(&down, downward_rows);
        brume_aggregation_restrict(&coarse->aggregation, &level->op, &coarse->b, &level->x, &level->b);
        cycle(multigrid, index + 1);
        brume_aggregation_prolong(&coarse->aggregation, &level->x, &coarse->x);
        run_pass(&up, upward_rows);
    }
}

void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r, const BrumeCycleHooks *hooks)
{
    const BrumeCycleHooks none = {0};
    hooks = hooks ? hooks : &none;
    BrumeMultigridLevel *coarse = &multigrid->levels[0];
    LevelPass down = {.op = &multigrid->finest,
                      .x = z,
                      .b = r,
                      .coarse = &coarse->b,
                      .from_zero = true,
                      .new_b = true,
                      .hook = hooks->update_r_rows,
                      .hook_context = hooks->context};
    run_pass(&down, downward_rows);
    cycle(multigrid, 0);
    LevelPass up = {.op = &multigrid->finest,
                    .x = z,
                    .b = r,
                    .coarse = &coarse->x,
                    .hook = hooks->read_z_rows,
                    .hook_context = hooks->context};
    run_pass(&up, upward_rows);
}
