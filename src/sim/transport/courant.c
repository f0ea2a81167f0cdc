/*
 * Substeps of the flux form. A pass removes air from a cell only as far as its volume weight stays positive. The weight
 * after a pass is 1 minus the sum of the velocity differences across the cell along the axes so far, in cells. The
 * substeps limit the sums of both orders of the axes, x, y, z and z, y, x, to LARGEST_OUTFLOW. Where the divergence is
 * 0 this permits differences of .75 along x and z, and twice as much along y, which is in the middle of both orders.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/blocks.h"
#include "sim/transport/strip.h"
#include "sim/transport/transport.h"

#include <math.h>

enum { CHUNK = 256, MOST_SUBSTEPS = 64 };

static const double LARGEST_OUTFLOW = 0.75; // of a substep [cells]
static const double LARGEST_COURANT = 8.0;  // displacement of a substep [cells]
static const double ROUNDING_CELLS = 2.0;   // more cells upstream of a face than its displacement covers

// running maxima, as the bits of floats that are not negative
typedef struct CourantBits {
    int32_t speed, along_z, outflow;
} CourantBits;

BRUME_KERNEL static void courant_row(CourantBits *bits, const float *u, const float *v, const float *w,
                                     const uint8_t *flags, ptrdiff_t sy, ptrdiff_t sz, int count)
{
    float sums[CHUNK];
    for (int i = 0; i < count; i++) {
        const float du = u[i + 1] - u[i];
        const float dv = v[i + sy] - v[i];
        const float dw = w[i + sz] - w[i];
        const float ends = brume_max_float(du, dw);
        const float middle = dv + ends;
        const float sum = brume_max_float(brume_max_float(ends, middle), (du + dv) + dw);
        sums[i] = flags[i] & BRUME_CELL_FLUID ? brume_max_float(sum, 0.0f) : 0.0f;
    }
    bits->outflow = brume_max_bits_row(sums, count, bits->outflow);
    bits->speed = brume_max_bits_row(u, count + 1, bits->speed);
    bits->speed = brume_max_bits_row(v, count, bits->speed);
    bits->along_z = brume_max_bits_row(w, count, bits->along_z);
}

// the bits of the maxima of plane k; the rows and planes of upper faces at the sides count too
static CourantBits measure_plane(const BrumeSim *sim, const BrumeField velocity[3], const uint8_t *rows, int k)
{
    const BrumeField *u = &velocity[0];
    const BrumeGrid grid = u->grid;
    CourantBits bits = {0};
    for (int j = 1; j <= grid.ny; j++) {
        if (rows && !rows[brume_block_row(grid, j, k)]) {
            continue;
        }
        for (int first = 1; first <= grid.nx; first += CHUNK) {
            const int count = brume_min_int(grid.nx - first + 1, CHUNK);
            const ptrdiff_t c = brume_field_index(u, first, j, k);
            courant_row(&bits, u->data + c, velocity[1].data + c, velocity[2].data + c, sim->geometry->cells.flags + c,
                        u->sy, u->sz, count);
        }
        if (k == grid.nz) {
            const float *upper = velocity[2].data + brume_field_index(u, 1, j, k + 1);
            bits.along_z = brume_max_bits_row(upper, grid.nx, bits.along_z);
        }
    }
    if (!rows || rows[brume_block_row(grid, grid.ny, k)]) {
        const float *upper = velocity[1].data + brume_field_index(u, 1, grid.ny + 1, k);
        bits.speed = brume_max_bits_row(upper, grid.nx, bits.speed);
    }
    return bits;
}

BrumeCourantBounds brume_measure_courant(const BrumeSim *sim, const BrumeField *velocity, const uint8_t *rows)
{
    const BrumeGrid grid = velocity[0].grid;
    double *speeds = sim->planes;
    double *along_z = speeds + grid.nz + 2;
    double *outflows = along_z + grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        const CourantBits bits = measure_plane(sim, velocity, rows, k);
        speeds[k] = (double)brume_float_of_bits(brume_max_int(bits.speed, bits.along_z));
        along_z[k] = (double)brume_float_of_bits(bits.along_z);
        outflows[k] = (double)brume_float_of_bits(bits.outflow);
    }
    return (BrumeCourantBounds){
        .speed = (float)brume_max_planes(grid, speeds),
        .along_z = (float)brume_max_planes(grid, along_z),
        .outflow = (float)brume_max_planes(grid, outflows),
    };
}

// the cells upstream of a face that a displacement covers, where each holds at least its smallest volume
static double cells_upstream(double speed, double outflow) { return speed / (1.0 - outflow) + ROUNDING_CELLS; }

BrumeSubsteps brume_choose_substeps(BrumeCourantBounds bounds, double cells_per_mps)
{
    const double speed = (double)bounds.speed * cells_per_mps;
    const double outflow = (double)bounds.outflow * cells_per_mps;
    const double most_cells = (double)BRUME_LARGEST_REACH - ROUNDING_CELLS;
    // the last one is the smallest n with cells_upstream(speed / n, outflow / n) <= BRUME_LARGEST_REACH
    const double needed =
        ceil(brume_fmax(brume_fmax(speed / LARGEST_COURANT, outflow / LARGEST_OUTFLOW), outflow + speed / most_cells));
    const int count = needed < (double)MOST_SUBSTEPS ? brume_max_int((int)needed, 1) : MOST_SUBSTEPS;
    // beyond the most substeps, air is displaced only as far as they permit
    const double shortened = needed > (double)MOST_SUBSTEPS ? (double)MOST_SUBSTEPS / needed : 1.0;
    const double share = shortened / count;
    const double reach = ceil(cells_upstream(speed * share, outflow * share));
    return (BrumeSubsteps){
        .count = count,
        .cells_per_mps = (float)(cells_per_mps * share),
        .along_z = (float)(cells_per_mps * share) * bounds.along_z,
        .reach = reach < (double)BRUME_LARGEST_REACH ? (int)reach : BRUME_LARGEST_REACH,
        .least_volume = (float)(1.0 - outflow * share),
    };
}
