// The two half-sweeps of a sweep run as a wavefront (sim/grid/wavefront.h): the second color follows the first one
// plane behind, while the planes are in the cache. A half-sweep reads only the other color, or ghosts that no
// half-sweep writes, so every order of the rows gives the same bits.
//
// The solver applies sweeps to the correction A z = r instead of p itself. In exact arithmetic that is the same, but z
// is small, and so are its rounding errors. The residual is computed after every eight sweeps, because that costs about
// as much as a sweep.
#include "sim/pressure/relaxation.h"

#include "core/domain.h"
#include "sim/grid/wavefront.h"
#include "sim/pressure/pressure_internal.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_PER_RESIDUAL = 8 };

typedef struct Sweep {
    const BrumePoisson *poisson;
    BrumeField *x;
    const BrumeField *b;
    int first;                                ///< the color of stage 0
    bool from_zero;                           ///< x is 0 before stage 0
    float old_weight;                         ///< 1 - omega
    float factor[2 * 6 + 1];                  ///< omega / d for a diagonal d, 0 for d = 0
    uint8_t face_count[BRUME_CELL_FACES + 1]; ///< number of faces in a set of faces
} Sweep;

// the faces behind which the n-th of `count` cells along an axis has a neighbor of its own color
static int same_color_faces_along(bool periodic, int count, int n, int lower, int upper)
{
    if (!periodic || count % 2 == 0) {
        return 0;
    }
    return (n == 1 ? lower : 0) | (n == count ? upper : 0);
}

// the same for all cells of row (j, k), along y and z
static int same_color_faces_of_row(const Sweep *sweep, int j, int k)
{
    const BrumeCells *cells = sweep->poisson->cells;
    return same_color_faces_along(cells->coupled[1], cells->grid.ny, j, BRUME_CELL_Y_LOWER, BRUME_CELL_Y_UPPER) |
           same_color_faces_along(cells->coupled[2], cells->grid.nz, k, BRUME_CELL_Z_LOWER, BRUME_CELL_Z_UPPER);
}

// the same along x
static int same_color_faces_of_end(const Sweep *sweep, int i)
{
    const BrumeCells *cells = sweep->poisson->cells;
    return same_color_faces_along(cells->coupled[0], cells->grid.nx, i, BRUME_CELL_X_LOWER, BRUME_CELL_X_UPPER);
}

// the l1 term of a cell: the number of its open faces to its own color
static inline int l1_term(const Sweep *sweep, int flags, int same_color_faces)
{
    return sweep->face_count[flags & same_color_faces];
}

static inline float relaxation_factor(const Sweep *sweep, int flags, int same_color_faces)
{
    return sweep->factor[sweep->face_count[flags & BRUME_CELL_FACES] + l1_term(sweep, flags, same_color_faces)];
}

static inline float neighbor_sum(const float *x, float b, ptrdiff_t sy, ptrdiff_t sz)
{
    return b + ((x[-1] + x[1]) + (x[-sy] + x[sy]) + (x[-sz] + x[sz]));
}

// Updates cells from, from + 2, ... up to `to`, which have the same faces. The stride of two reads the other color
// only, so that threads do not share the cells that they write; updating whole vectors and storing every other entry
// would save a sixth of the time.
static inline void relax_uniform(float *x, const float *b, ptrdiff_t sy, ptrdiff_t sz, int from, int to, float factor)
{
    for (int i = from; i <= to; i += 2) {
        x[i] = factor * neighbor_sum(x + i, b[i], sy, sz);
    }
}

static inline void over_relax_uniform(float *x, const float *b, ptrdiff_t sy, ptrdiff_t sz, int from, int to,
                                      float factor, float old_weight)
{
    for (int i = from; i <= to; i += 2) {
        x[i] = old_weight * x[i] + factor * neighbor_sum(x + i, b[i], sy, sz);
    }
}

static void relax_row(const Sweep *sweep, int j, int k, int color)
{
    const int nx = sweep->x->grid.nx;
    const ptrdiff_t sy = sweep->x->sy;
    const ptrdiff_t sz = sweep->x->sz;
    const uint8_t *flags = brume_poisson_flags(sweep->poisson, j, k);
    const bool uniform = brume_poisson_uniform(sweep->poisson, j, k);
    const int row_faces = same_color_faces_of_row(sweep, j, k);
    const float old_weight = sweep->old_weight;
    float *x = sweep->x->data + brume_field_index(sweep->x, 0, j, k);
    const float *b = sweep->b->data + brume_field_index(sweep->b, 0, j, k);
    const int from = 1 + ((1 + j + k + color) & 1);
    for (int i = from; i <= nx; i += 2) {
        const bool end = i == 1 || i == nx;
        if (uniform && !end && !row_faces) {
            const float factor = relaxation_factor(sweep, flags[i], 0);
            if (old_weight == 0.0f) {
                relax_uniform(x, b, sy, sz, i, nx - 1, factor);
            } else {
                over_relax_uniform(x, b, sy, sz, i, nx - 1, factor, old_weight);
            }
            i = nx - 1 - ((nx - 1 - i) & 1); // the last cell that was updated
            continue;
        }
        const int own_faces = row_faces | (end ? same_color_faces_of_end(sweep, i) : 0);
        const float factor = relaxation_factor(sweep, flags[i], own_faces);
        const float l1 = (float)l1_term(sweep, flags[i], own_faces) * x[i];
        const float value = factor * (neighbor_sum(x + i, b[i], sy, sz) + l1);
        x[i] = old_weight == 0.0f || factor == 0.0f ? value : old_weight * x[i] + value;
    }
}

// the first color of a sweep from zero; the other color and the ghosts along x become 0
static void relax_row_from_zero(const Sweep *sweep, int j, int k, int color)
{
    const int nx = sweep->x->grid.nx;
    const uint8_t *flags = brume_poisson_flags(sweep->poisson, j, k);
    const bool uniform = brume_poisson_uniform(sweep->poisson, j, k);
    const int row_faces = same_color_faces_of_row(sweep, j, k);
    float *x = sweep->x->data + brume_field_index(sweep->x, 0, j, k);
    const float *b = sweep->b->data + brume_field_index(sweep->b, 0, j, k);
    const float inner_factor = relaxation_factor(sweep, flags[uniform ? 2 : 0], row_faces);
    memset(x, 0, (size_t)(nx + 2) * sizeof *x);
    for (int i = 1 + ((1 + j + k + color) & 1); i <= nx; i += 2) {
        const bool end = i == 1 || i == nx;
        const int own_faces = row_faces | (end ? same_color_faces_of_end(sweep, i) : 0);
        x[i] = (uniform && !end ? inner_factor : relaxation_factor(sweep, flags[i], own_faces)) * b[i];
    }
}

static void sweep_rows(void *context, int stage, int k, int from, int to)
{
    const Sweep *sweep = context;
    const bool *periodic = sweep->poisson->cells->coupled;
    const bool from_zero = sweep->from_zero && stage == 0;
    const int color = stage == 0 ? sweep->first : 1 - sweep->first;
    for (int j = from; j < to; j++) {
        if (from_zero) {
            relax_row_from_zero(sweep, j, k, color);
        } else {
            relax_row(sweep, j, k, color);
        }
    }
    if (from_zero || periodic[0] || periodic[1]) {
        brume_poisson_fill_ghost_rows(sweep->poisson, sweep->x, k, from, to);
    }
}

static void fill_ghost_planes(void *context)
{
    const Sweep *sweep = context;
    brume_poisson_fill_ghost_planes(sweep->poisson, sweep->x);
}

static void run_sweep(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first, float omega,
                      bool from_zero)
{
    const BrumeCells *cells = poisson->cells;
    const BrumeGrid grid = cells->grid;
    Sweep sweep = {
        .poisson = poisson, .x = x, .b = b, .first = first, .from_zero = from_zero, .old_weight = 1.0f - omega};
    for (int n = 1; n <= 2 * 6; n++) {
        sweep.factor[n] = omega / (float)n;
    }
    for (int n = 1; n <= BRUME_CELL_FACES; n++) {
        sweep.face_count[n] = (uint8_t)(sweep.face_count[n >> 1] + (n & 1));
    }
    const BrumeWavefront wavefront = {
        .context = &sweep,
        .grid = grid,
        .stages = 2,
        .parallel = poisson->parallel,
        .whole_planes = cells->coupled[1],
        .stage_by_stage = brume_has_odd_periodic_axis(grid, cells->coupled),
        .x = x,
        .visit = sweep_rows,
        .wrap = cells->coupled[2] ? fill_ghost_planes : NULL,
    };
    if (from_zero && !cells->coupled[2]) {
        brume_poisson_fill_ghost_planes(poisson, x); // with zeros
    } else if (!from_zero && brume_is_shared(grid)) {
        brume_exchange_field(x, 1);
        brume_poisson_fill_ghost_planes(poisson, x);
    }
    brume_wavefront_run(&wavefront);
}

void brume_relaxation_sweep(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first, float omega)
{
    run_sweep(poisson, x, b, first, omega, false);
}

void brume_relaxation_sweep_from_zero(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first,
                                      float omega)
{
    run_sweep(poisson, x, b, first, omega, true);
}

// p += z, r = b - Ap; returns |r|_2
static double apply_correction(const BrumePressureWork *work)
{
    const BrumeField *z = work->z;
    const BrumeGrid grid = z->grid;
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_poisson_add_row(work->poisson, work->p, z->data + brume_field_index(z, 0, j, k), j, k);
        }
    }
    brume_poisson_fill_ghosts(work->poisson, work->p);
    return sqrt(brume_poisson_residual(work->poisson, work->r, work->b, work->p));
}

static int solve(void *state, BrumePressureWork *work)
{
    (void)state;
    const float omega = work->def->over_relaxation;
    int sweeps = 0;
    double norm = work->norm;
    while (sweeps < work->budget && norm > work->goal) {
        brume_relaxation_sweep_from_zero(work->poisson, work->z, work->r, 0, omega);
        sweeps++;
        for (int n = 1; n < SWEEPS_PER_RESIDUAL && sweeps < work->budget; n++) {
            brume_relaxation_sweep(work->poisson, work->z, work->r, 0, omega);
            sweeps++;
        }
        norm = apply_correction(work);
    }
    return sweeps;
}

const BrumePressureMethod brume_pressure_relaxation = {.name = "relaxation", .only_whole = true, .solve = solve};
