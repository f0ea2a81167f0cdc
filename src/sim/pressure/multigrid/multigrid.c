// A V(2,2)-cycle on the box: two red-black sweeps, the coarser problem, two sweeps in the mirrored order. Residuals are
// summed into coarse cells and corrections copied back to their finer cells; coarsen.c scales the coarse operators to
// match, and sees to it that coarse cells do not reach through thin plates (strays.h). Copied corrections are rough, so
// the small levels are visited twice, each time in the same symmetric way (a W-cycle), and with obstacles the first of
// them as well. The last level is solved directly (coarsest.h).
//
// Each way is one wave through the planes (wave.h). On the way down the sweeps end with black cells, whose residuals
// are 0 then: only red ones are restricted. On the way up they begin with black cells: only red ones are corrected.
// Seams (stencil.h) leave both colors something to do.
#include "sim/pressure/multigrid/multigrid.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/pressure/multigrid/coarsest.h"
#include "sim/pressure/multigrid/level.h"
#include "sim/pressure/multigrid/split.h"
#include "sim/wavefront.h"

enum {
    MAX_LEVELS = 16,
    RED = 0,
    BLACK = 1,
};

struct BrumeMultigrid {
    BrumeStencil box;
    bool obstacles; ///< whether any cell is solid
    int count;      ///< levels below the box
    BrumeLevel levels[MAX_LEVELS];
    BrumeCoarsest coarsest; ///< the last level's inverse
};

static BrumeStatus create_levels(BrumeMultigrid *multigrid, const BrumePoisson *poisson, bool singular,
                                 BrumeError *error)
{
    BrumeLevel *levels = multigrid->levels;
    BrumeStatus status = brume_stencil_create_box(&multigrid->box, poisson, error);
    if (status == BRUME_OK) {
        status = brume_level_coarsen_box(&levels[0], poisson, singular, error);
    }
    while (status == BRUME_OK) {
        BrumeLevel *last = &levels[multigrid->count];
        multigrid->count++;
        if (brume_grid_cells(last->grid) <= BRUME_COARSEST_CELLS) {
            status = brume_coarsest_create(&multigrid->coarsest, last, error);
            return status == BRUME_OK ? brume_level_settle(last, error) : status;
        }
        status = brume_level_coarsen(last + 1, last, singular, error);
        if (status == BRUME_OK) {
            status = brume_level_settle(last, error);
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
    created->obstacles = poisson->cells->obstacles;
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
    for (int n = 0; n < MAX_LEVELS; n++) {
        brume_level_destroy(&multigrid->levels[n]);
    }
    brume_coarsest_destroy(&multigrid->coarsest);
    brume_stencil_destroy(&multigrid->box);
    brume_free(multigrid);
}

size_t brume_multigrid_bytes(const BrumeMultigrid *multigrid)
{
    size_t bytes =
        sizeof *multigrid + brume_stencil_bytes(&multigrid->box) + brume_coarsest_bytes(&multigrid->coarsest);
    for (int n = 0; n < multigrid->count; n++) {
        bytes += brume_level_bytes(&multigrid->levels[n]);
    }
    return bytes;
}

const BrumeStencil *brume_multigrid_stencil(const BrumeMultigrid *multigrid) { return &multigrid->box; }

// One way through a level, down or up.
typedef struct Way {
    const BrumeStencil *stencil;
    BrumeField *x;
    const BrumeField *b;
    BrumeField *coarse; ///< right-hand side or correction of the next level
    bool from_zero;     ///< whether x is 0 at first, whatever it holds
    BrumeCycleRows *rows;
    void *context;
} Way;

static void visit_down(void *context, int stage, int k, int from, int to)
{
    const Way *way = context;
    const BrumeStencil *stencil = way->stencil;
    switch (stage) {
    case 0:
        if (way->rows) {
            way->rows(way->context, k, from, to);
        }
        if (way->from_zero) {
            brume_stencil_relax_from_zero(stencil, way->x, way->b, RED, k, from, to);
        } else if (stencil->seams) { // else the way up has ended with just this
            brume_stencil_relax(stencil, way->x, way->b, RED, k, from, to);
        }
        break;
    case 1:
    case 2:
    case 3:
        brume_stencil_relax(stencil, way->x, way->b, stage % 2 == 0 ? RED : BLACK, k, from, to);
        break;
    default:
        brume_stencil_restrict(stencil, way->coarse, way->x, way->b, RED, false, k, from, to);
        if (stencil->seams) {
            brume_stencil_restrict(stencil, way->coarse, way->x, way->b, BLACK, true, k, from, to);
        }
    }
}

static void visit_up(void *context, int stage, int k, int from, int to)
{
    const Way *way = context;
    const BrumeStencil *stencil = way->stencil;
    if (stage == 0) {
        brume_stencil_prolong(stencil, way->x, way->coarse, RED, k, from, to);
        if (stencil->seams) {
            brume_stencil_prolong(stencil, way->x, way->coarse, BLACK, k, from, to);
        }
        return;
    }
    brume_stencil_relax(stencil, way->x, way->b, stage % 2 == 0 ? RED : BLACK, k, from, to);
    if (stage == 4 && way->rows) {
        way->rows(way->context, k, from, to);
    }
}

static void wrap(void *context)
{
    const Way *way = context;
    brume_split_exchange_ends(way->x);
}

static void go(Way *way, void (*visit)(void *context, int stage, int k, int from, int to))
{
    const BrumeStencil *stencil = way->stencil;
    const BrumeWavefront wave = {
        .context = way,
        .grid = stencil->grid,
        .stages = 5,
        .parallel = stencil->parallel,
        .whole = stencil->periodic[1],
        .in_step = stencil->seams,
        .visit = visit,
        .wrap = stencil->periodic[2] ? wrap : NULL,
    };
    brume_wavefront_run(&wave);
}

static void cycle(BrumeMultigrid *multigrid, int index)
{
    BrumeLevel *level = &multigrid->levels[index];
    if (index + 1 == multigrid->count) {
        brume_coarsest_solve(&multigrid->coarsest, &level->x, &level->b);
        return;
    }
    brume_components_remove_mean_split(&level->components, level->b.data, level->grid.nx, level->b.sy, level->b.sz,
                                       level->parallel);
    BrumeLevel *coarse = level + 1;
    Way down = {.stencil = &level->stencil, .x = &level->x, .b = &level->b, .coarse = &coarse->b};
    Way up = {.stencil = &level->stencil, .x = &level->x, .b = &level->b, .coarse = &coarse->x};
    const int visits = index > 0 || multigrid->obstacles ? 2 : 1;
    for (int visit = 0; visit < visits; visit++) {
        down.from_zero = visit == 0;
        go(&down, visit_down);
        brume_strays_restrict(&coarse->strays, &level->stencil, &coarse->b, &level->x, &level->b);
        cycle(multigrid, index + 1);
        brume_strays_prolong(&coarse->strays, &level->x, &coarse->x);
        go(&up, visit_up);
    }
}

void brume_multigrid_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r, const BrumeCycleHooks *hooks)
{
    const BrumeCycleHooks none = {0};
    hooks = hooks ? hooks : &none;
    BrumeLevel *coarse = &multigrid->levels[0];
    Way down = {.stencil = &multigrid->box,
                .x = z,
                .b = r,
                .coarse = &coarse->b,
                .from_zero = true,
                .rows = hooks->before,
                .context = hooks->context};
    go(&down, visit_down);
    cycle(multigrid, 0);
    Way up = {.stencil = &multigrid->box,
              .x = z,
              .b = r,
              .coarse = &coarse->x,
              .rows = hooks->after,
              .context = hooks->context};
    go(&up, visit_up);
}
