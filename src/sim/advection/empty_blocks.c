/*
 * Empty blocks. Smoke occupies a small part of its box; elsewhere all bits of a scalar are 0 (+0). A path that reads
 * only +0 gives +0 when interpolated, corrected, clamped and multiplied by the decay factor. Row segments whose paths
 * can read only +0 are therefore cleared instead of computed; the bits are the same. The reference computes them.
 *
 * The test is conservative. A block is marked as occupied where any bit of it is set; ghosts belong to the adjacent
 * blocks. A block is empty where no occupied block is within the largest backward displacement from it.
 */
#include "core/domain.h"
#include "core/parallel/reductions.h"
#include "sim/advection/advection.h"
#include "sim/advection/fast_kernels.h"
#include "sim/boundary/geometry.h"

#include <string.h>

// the entries from..to of the n-th block along an axis; the outermost blocks include the ghosts
static void block_span(int n, int side, int last_block, int cells, int *from, int *to)
{
    *from = n == 0 ? 0 : n * side + 1;
    *to = n == last_block ? cells + 1 : (n + 1) * side;
}

static bool is_occupied(const BrumeField *field, const BrumeBlocks *blocks, int x, int y, int z)
{
    int from[3];
    int to[3];
    block_span(x, BRUME_SEGMENT, blocks->nx - 1, field->grid.nx, &from[0], &to[0]);
    block_span(y, BRUME_BLOCK_ROWS, blocks->ny - 1, field->grid.ny, &from[1], &to[1]);
    block_span(z, BRUME_BLOCK_ROWS, blocks->nz - 1, field->grid.nz, &from[2], &to[2]);
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            if (brume_any_bits(field->data + brume_field_index(field, from[0], j, k), to[0] - from[0] + 1)) {
                return true;
            }
        }
    }
    return false;
}

// the blocks from..to along an axis that paths from block n may read; all where a path may cross a periodic side
static void blocks_within(int n, int side, int last_block, int cells, bool periodic, int distance, int *from, int *to)
{
    // the last segment of a row starts earlier where it would be shorter than a vector
    const int first = n * side + 1 - BRUME_LANES - distance;
    const int last = (n + 1) * side + 1 + distance;
    if (periodic && (first < 1 || last > cells)) {
        *from = 0;
        *to = last_block;
        return;
    }
    *from = first > 1 ? (first - 1) / side : 0;
    *to = (last - 1) / side < last_block ? (last - 1) / side : last_block;
}

static bool is_empty(const BrumeSim *sim, const BrumeBlocks *blocks, const uint8_t *occupied, int x, int y, int z)
{
    const BrumeCells *cells = &sim->geometry->cells;
    float largest = 0.0f;
    for (int k = z * BRUME_BLOCK_ROWS; k < (z + 1) * BRUME_BLOCK_ROWS && k < cells->grid.nz; k++) {
        const float displacement = sim->advection->strip_displacement[brume_block(blocks, x, y, k)];
        if (!(displacement < (float)BRUME_EMPTY_DISPLACEMENT)) {
            return false;
        }
        largest = displacement > largest ? displacement : largest;
    }
    const int distance = (int)largest + 1;
    int from[3];
    int to[3];
    blocks_within(x, BRUME_SEGMENT, blocks->nx - 1, cells->grid.nx, cells->periodic[0], distance, &from[0], &to[0]);
    blocks_within(y, BRUME_BLOCK_ROWS, blocks->ny - 1, cells->grid.ny, cells->periodic[1], distance, &from[1], &to[1]);
    blocks_within(z, BRUME_BLOCK_ROWS, blocks->nz - 1, cells->grid.nz, cells->periodic[2], distance, &from[2], &to[2]);
    for (int c = from[2]; c <= to[2]; c++) {
        for (int b = from[1]; b <= to[1]; b++) {
            for (int a = from[0]; a <= to[0]; a++) {
                if (occupied[brume_block(blocks, a, b, c)]) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void find_empty(const BrumeSim *sim, const BrumeField *field, uint8_t *empty)
{
    const BrumeBlocks blocks = brume_blocks(field->grid);
    uint8_t *occupied = sim->advection->occupied;
    const int first = brume_first_layer(field->grid, BRUME_BLOCK_ROWS);
    const int last = brume_last_layer(field->grid, BRUME_BLOCK_ROWS);
#pragma omp parallel for schedule(static)
    for (int z = first; z <= last; z++) {
        for (int y = 0; y < blocks.ny; y++) {
            for (int x = 0; x < blocks.nx; x++) {
                occupied[brume_block(&blocks, x, y, z)] = is_occupied(field, &blocks, x, y, z);
            }
        }
    }
    brume_gather_layers(field->grid, BRUME_BLOCK_ROWS, false, occupied, brume_block(&blocks, 0, 0, 1));
#pragma omp parallel for schedule(static)
    for (int z = first; z <= last; z++) {
        for (int y = 0; y < blocks.ny; y++) {
            for (int x = 0; x < blocks.nx; x++) {
                empty[brume_block(&blocks, x, y, z)] = is_empty(sim, &blocks, occupied, x, y, z);
            }
        }
    }
}

void brume_find_empty_blocks(BrumeSim *sim, const BrumeFieldId *ids, int count)
{
    for (int n = 0; n < count; n++) {
        find_empty(sim, &sim->fields[ids[n]], sim->advection->empty[n]);
        sim->advection->empty_scalar[n] = ids[n];
    }
}

int brume_clear_empty(const uint8_t *const *empty, int count, const BrumeRowSegment *segment, float *const *results,
                      ptrdiff_t c, int *present)
{
    int found = 0;
    for (int q = 0; q < count; q++) {
        if (empty[q] && empty[q][segment->block]) {
            memset(results[q] + c, 0, (size_t)segment->count * sizeof(float));
        } else {
            present[found++] = q;
        }
    }
    return found;
}
