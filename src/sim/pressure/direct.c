// The direct solvers, by transforms (spectral/spectral.h): "dct" for any box without bodies, "fft" for boxes whose
// sides are all periodic.
#include "sim/pressure/pressure_internal.h"
#include "sim/spectral/spectral.h"

#include "core/domain.h"
#include "core/parallel/simd.h"

static BrumeEnds axis_ends(const BrumeCells *cells, int axis)
{
    const bool lower = cells->open[2 * axis];
    const bool upper = cells->open[2 * axis + 1];
    if (cells->periodic[axis]) {
        return BRUME_ENDS_PERIODIC;
    }
    return lower ? (upper ? BRUME_ENDS_OPEN : BRUME_ENDS_OPEN_WALL) : (upper ? BRUME_ENDS_WALL_OPEN : BRUME_ENDS_WALLS);
}

static BrumeStatus create(void **state, const BrumePressureDef *def, const BrumePoisson *poisson, bool singular,
                          BrumeError *error)
{
    (void)def;
    (void)singular;
    const BrumeCells *cells = poisson->cells;
    const BrumeEnds ends[3] = {axis_ends(cells, 0), axis_ends(cells, 1), axis_ends(cells, 2)};
    BrumeSpectral *spectral;
    const BrumeStatus status = brume_spectral_create(&spectral, cells->grid, ends, error);
    *state = spectral;
    return status;
}

static void destroy(void *state) { brume_spectral_destroy(state); }

static size_t bytes(const void *state) { return brume_spectral_bytes(state); }

// The first solve leaves rounding errors only; a further one solves for the correction of the remaining residual.
static int solve(void *state, BrumePressureWork *work)
{
    if (work->no_start) {
        brume_spectral_solve(state, work->p, work->b);
        return 1;
    }
    const BrumeField *z = work->z;
    const BrumeGrid grid = z->grid;
    brume_spectral_solve(state, work->z, work->r);
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_poisson_add_row(work->poisson, work->p, z->data + brume_field_index(z, 0, j, k), j, k);
        }
    }
    return 1;
}

const BrumePressureMethod brume_pressure_dct = {.name = "dct",
                                                .only_air = true,
                                                .direct = true,
                                                .create = create,
                                                .destroy = destroy,
                                                .bytes = bytes,
                                                .solve = solve};

const BrumePressureMethod brume_pressure_fft = {.name = "fft",
                                                .only_air = true,
                                                .only_periodic = true,
                                                .direct = true,
                                                .create = create,
                                                .destroy = destroy,
                                                .bytes = bytes,
                                                .solve = solve};
