/*
 * Where there is nothing to carry. Smoke fills a small part of its box; elsewhere a scalar is +0 to the last bit, and
 * what a trace reads there is +0 again: interpolated, corrected, clamped and decayed. A piece of a row whose traces
 * back can read nothing else is therefore cleared rather than computed, and no bit changes.
 *
 * The test is coarse and safe. Blocks, one a stretch of a tile, are marked where they hold any bit at all, ghosts
 * counting to the blocks beside them; a block is clean where no block is marked that the longest trace from it reaches.
 */
#include "core/simd.h"
#include "sim/advection/sampling.h"

#include <string.h>

BRUME_KERNEL static uint32_t any_bits_row(const float *row, int count)
{
    uint32_t bits = 0;
    for (int n = 0; n < count; n++) {
        uint32_t own;
        memcpy(&own, row + n, sizeof own);
        bits |= own;
    }
    return bits;
}

// entries from..to of the blocks' n-th step along an axis; the outermost blocks have the ghosts
static void block_span(int n, int side, int last_block, int cells, int *from, int *to)
{
    *from = n == 0 ? 0 : n * side + 1;
    *to = n == last_block ? cells + 1 : (n + 1) * side;
}

static bool holds_bits(const BrumeField *field, const BrumeBlocks *blocks, int x, int y, int z)
{
    int from[3];
    int to[3];
    block_span(x, BRUME_STRETCH, blocks->nx - 1, field->grid.nx, &from[0], &to[0]);
    block_span(y, BRUME_TILE, blocks->ny - 1, field->grid.ny, &from[1], &to[1]);
    block_span(z, BRUME_TILE, blocks->nz - 1, field->grid.nz, &from[2], &to[2]);
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            if (any_bits_row(field->data + brume_field_index(field, from[0], j, k), to[0] - from[0] + 1)) {
                return true;
            }
        }
    }
    return false;
}

// the blocks along an axis that a block's traces may read; all of them where they may leave a periodic side
static void block_reach(int n, int side, int last_block, int cells, bool periodic, int reach, int *from, int *to)
{
    // the last piece of a row begins earlier where it would be shorter than a vector
    const int first = n * side + 1 - BRUME_LANES - reach;
    const int last = (n + 1) * side + 1 + reach;
    if (periodic && (first < 1 || last > cells)) {
        *from = 0;
        *to = last_block;
        return;
    }
    *from = first > 1 ? (first - 1) / side : 0;
    *to = (last - 1) / side < last_block ? (last - 1) / side : last_block;
}

static bool is_clean(const BrumeSim *sim, const BrumeBlocks *blocks, const uint8_t *marks, int x, int y, int z)
{
    const BrumeCells *cells = &sim->geometry->cells;
    float farthest = 0.0f;
    for (int k = z * BRUME_TILE; k < (z + 1) * BRUME_TILE && k < cells->grid.nz; k++) {
        const float travel = sim->farthest[brume_block(blocks, x, y, k)];
        if (!(travel < (float)BRUME_FAR)) {
            return false;
        }
        farthest = travel > farthest ? travel : farthest;
    }
    const int reach = (int)farthest + 1;
    int from[3];
    int to[3];
    block_reach(x, BRUME_STRETCH, blocks->nx - 1, cells->grid.nx, cells->periodic[0], reach, &from[0], &to[0]);
    block_reach(y, BRUME_TILE, blocks->ny - 1, cells->grid.ny, cells->periodic[1], reach, &from[1], &to[1]);
    block_reach(z, BRUME_TILE, blocks->nz - 1, cells->grid.nz, cells->periodic[2], reach, &from[2], &to[2]);
    for (int c = from[2]; c <= to[2]; c++) {
        for (int b = from[1]; b <= to[1]; b++) {
            for (int a = from[0]; a <= to[0]; a++) {
                if (marks[brume_block(blocks, a, b, c)]) {
                    return false;
                }
            }
        }
    }
    return true;
}

void brume_find_clean(const BrumeSim *sim, const BrumeField *field, uint8_t *clean)
{
    const BrumeBlocks blocks = brume_blocks(field->grid);
    uint8_t *marks = sim->marks;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int z = 0; z < blocks.nz; z++) {
            for (int y = 0; y < blocks.ny; y++) {
                for (int x = 0; x < blocks.nx; x++) {
                    marks[brume_block(&blocks, x, y, z)] = holds_bits(field, &blocks, x, y, z);
                }
            }
        }
#pragma omp for schedule(static)
        for (int z = 0; z < blocks.nz; z++) {
            for (int y = 0; y < blocks.ny; y++) {
                for (int x = 0; x < blocks.nx; x++) {
                    clean[brume_block(&blocks, x, y, z)] = is_clean(sim, &blocks, marks, x, y, z);
                }
            }
        }
    }
}
