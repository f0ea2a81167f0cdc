#include "sim/pressure/multigrid/gauss_seidel.h"

#include "sim/pressure/red_black.h"

#include <string.h>

typedef struct Sweep {
    const BrumePoisson *poisson;
    BrumeField *x;
    const BrumeField *b;
    float keep;                          ///< 1 - omega
    float step[2 * 6 + 1];               ///< omega / n for a diagonal of n, 0 for none
    uint8_t faces[BRUME_CELL_FACES + 1]; ///< bits set in each byte of faces
} Sweep;

static Sweep make_sweep(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, float omega)
{
    Sweep sweep = {.poisson = poisson, .x = x, .b = b, .keep = 1.0f - omega};
    for (int n = 1; n <= 2 * 6; n++) {
        sweep.step[n] = omega / (float)n;
    }
    for (int n = 1; n <= BRUME_CELL_FACES; n++) {
        sweep.faces[n] = (uint8_t)(sweep.faces[n >> 1] + (n & 1));
    }
    return sweep;
}

// the faces behind which the n-th of `count` cells along a periodic axis finds its own color
static int seam(bool periodic, int count, int n, int lower, int upper)
{
    if (!periodic || count % 2 == 0) {
        return 0;
    }
    return (n == 1 ? lower : 0) | (n == count ? upper : 0);
}

static int row_seam(const Sweep *sweep, int j, int k)
{
    const BrumeCells *cells = sweep->poisson->cells;
    return seam(cells->periodic[1], cells->grid.ny, j, BRUME_CELL_Y_LOWER, BRUME_CELL_Y_UPPER) |
           seam(cells->periodic[2], cells->grid.nz, k, BRUME_CELL_Z_LOWER, BRUME_CELL_Z_UPPER);
}

static int end_seam(const Sweep *sweep, int i)
{
    const BrumeCells *cells = sweep->poisson->cells;
    return seam(cells->periodic[0], cells->grid.nx, i, BRUME_CELL_X_LOWER, BRUME_CELL_X_UPPER);
}

// faces of a cell to its own color, whose coupling augments the diagonal
static inline int own_color_faces(const Sweep *sweep, int flags, int seam_faces)
{
    return sweep->faces[flags & seam_faces];
}

static inline float step_of(const Sweep *sweep, int flags, int seam_faces)
{
    return sweep->step[sweep->faces[flags & BRUME_CELL_FACES] + own_color_faces(sweep, flags, seam_faces)];
}

static inline float balance(const float *x, float b, ptrdiff_t sy, ptrdiff_t sz)
{
    return b + ((x[-1] + x[1]) + (x[-sy] + x[sy]) + (x[-sz] + x[sz]));
}

// Cells from, from + 2, ... up to `to`. Plain strides of two: reading only the other color keeps threads out of
// each other's way, and costs a sixth more than updating whole vectors and storing every other entry.
static inline void relax_uniform(float *x, const float *b, ptrdiff_t sy, ptrdiff_t sz, int from, int to, float step)
{
    for (int i = from; i <= to; i += 2) {
        x[i] = step * balance(x + i, b[i], sy, sz);
    }
}

static inline void over_relax_uniform(float *x, const float *b, ptrdiff_t sy, ptrdiff_t sz, int from, int to,
                                      float step, float keep)
{
    for (int i = from; i <= to; i += 2) {
        x[i] = keep * x[i] + step * balance(x + i, b[i], sy, sz);
    }
}

static void relax_row(const Sweep *sweep, int j, int k, int color)
{
    const int nx = sweep->x->grid.nx;
    const ptrdiff_t sy = sweep->x->sy;
    const ptrdiff_t sz = sweep->x->sz;
    const uint8_t *flags = brume_poisson_flags(sweep->poisson, j, k);
    const bool uniform = brume_poisson_uniform(sweep->poisson, j, k);
    const int seam_faces = row_seam(sweep, j, k);
    const float keep = sweep->keep;
    float *x = sweep->x->data + brume_field_index(sweep->x, 0, j, k);
    const float *b = sweep->b->data + brume_field_index(sweep->b, 0, j, k);
    const int from = 1 + ((1 + j + k + color) & 1);
    for (int i = from; i <= nx; i += 2) {
        const bool end = i == 1 || i == nx;
        if (uniform && !end && !seam_faces) {
            const float step = step_of(sweep, flags[i], 0);
            if (keep == 0.0f) {
                relax_uniform(x, b, sy, sz, i, nx - 1, step);
            } else {
                over_relax_uniform(x, b, sy, sz, i, nx - 1, step, keep);
            }
            i = nx - 1 - ((nx - 1 - i) & 1); // the last of them
            continue;
        }
        const int own_seam = seam_faces | (end ? end_seam(sweep, i) : 0);
        const float step = step_of(sweep, flags[i], own_seam);
        const float held = (float)own_color_faces(sweep, flags[i], own_seam) * x[i];
        const float value = step * (balance(x + i, b[i], sy, sz) + held);
        x[i] = keep == 0.0f || step == 0.0f ? value : keep * x[i] + value;
    }
}

static void relax_plane(void *context, int k, int color)
{
    const Sweep *sweep = context;
    const BrumeCells *cells = sweep->poisson->cells;
    for (int j = 1; j <= cells->grid.ny; j++) {
        relax_row(sweep, j, k, color);
    }
    if (cells->periodic[0] || cells->periodic[1]) {
        brume_poisson_exchange_plane(sweep->poisson, sweep->x, k);
    }
}

// the first color of a sweep from zero; the other color and the ghosts become 0
static void start_plane(void *context, int k, int color)
{
    const Sweep *sweep = context;
    const BrumeGrid grid = sweep->x->grid;
    for (int j = 1; j <= grid.ny; j++) {
        const uint8_t *flags = brume_poisson_flags(sweep->poisson, j, k);
        const bool uniform = brume_poisson_uniform(sweep->poisson, j, k);
        const int seam_faces = row_seam(sweep, j, k);
        float *x = sweep->x->data + brume_field_index(sweep->x, 0, j, k);
        const float *b = sweep->b->data + brume_field_index(sweep->b, 0, j, k);
        const float inner_step = step_of(sweep, flags[uniform ? 2 : 0], seam_faces);
        memset(x, 0, (size_t)(grid.nx + 2) * sizeof *x);
        for (int i = 1 + ((1 + j + k + color) & 1); i <= grid.nx; i += 2) {
            const bool end = i == 1 || i == grid.nx;
            const float step =
                uniform && !end ? inner_step : step_of(sweep, flags[i], seam_faces | (end ? end_seam(sweep, i) : 0));
            x[i] = step * b[i];
        }
    }
    brume_poisson_exchange_plane(sweep->poisson, sweep->x, k);
}

static void wrap(void *context)
{
    const Sweep *sweep = context;
    brume_poisson_exchange_ends(sweep->poisson, sweep->x);
}

static void run(Sweep *sweep, int first, bool from_zero)
{
    const BrumeRedBlack order = {
        .context = sweep,
        .planes = sweep->x->grid.nz,
        .parallel = sweep->poisson->parallel,
        .first_half = from_zero ? start_plane : relax_plane,
        .second_half = relax_plane,
        .wrap = from_zero || sweep->poisson->cells->periodic[2] ? wrap : NULL,
    };
    brume_red_black_sweep(&order, first);
}

void brume_gauss_seidel(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first, float omega)
{
    Sweep sweep = make_sweep(poisson, x, b, omega);
    run(&sweep, first, false);
}

void brume_gauss_seidel_from_zero(const BrumePoisson *poisson, BrumeField *x, const BrumeField *b, int first,
                                  float omega)
{
    Sweep sweep = make_sweep(poisson, x, b, omega);
    run(&sweep, first, true);
}
