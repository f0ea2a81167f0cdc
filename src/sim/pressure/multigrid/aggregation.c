// The aggregate map is computed in rounds. Round 0 divides blocks into parts: the largest part of each gets the block's
// own coarse cell, the cells of the others are unassigned. In each later round, an unassigned part joins the coarse
// cell of an adjacent cell in another block that was assigned before. So, where two plates cross, a part next to the
// edge is assigned to a diagonally adjacent coarse cell in the second or third round.
#include "sim/pressure/multigrid/aggregation.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/level.h"

#include <math.h>
#include <stdlib.h>

enum {
    AXES = 3,
    SIDES = 6,
    BLOCK = 8,          ///< cells of a block
    OFFSET_CODES = 28,  ///< BRUME_OWN_BLOCK, or 1 + (offsets along x, y, z, each + 1, as digits to base 3)
    ZERO_OFFSET = 13,   ///< these digits for three offsets of 0
    UNASSIGNED = 255,   ///< map value of a cell whose coarse cell is not known yet
    LAST_ROUND = 4,     ///< a part at a corner takes three rounds, along a side, an edge, the corner
    RESIDUAL_REACH = 3, ///< planes from the cells of a block to the neighbors of cells of the adjacent block
};

// A block of 2 x 2 x 2 cells. Cell n (0..7) lies at the upper end along the axes whose bits are set in n.
typedef struct FineBlock {
    int at[AXES];     ///< its coarse cell
    int label[BLOCK]; ///< of each cell: the lowest n of its part; -1 outside of the grid and for inactive cells
} FineBlock;

static void block_cell(const FineBlock *block, int n, int cell[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        cell[axis] = 2 * block->at[axis] - 1 + (n >> axis & 1);
    }
}

// the coefficient of a cell's face on `side`: 0, 1 lower and upper along x, then y, z
static float face_on(const BrumeMultigridLevel *level, int side, const int cell[AXES])
{
    int upper[AXES] = {cell[0], cell[1], cell[2]}; // the cell above the face
    upper[side / 2] += side % 2;
    return brume_level_face(level, side / 2, upper);
}

static void join_parts(FineBlock *block, int a, int b)
{
    const int kept = brume_min_int(a, b);
    const int replaced = brume_max_int(a, b);
    for (int n = 0; n < BLOCK; n++) {
        block->label[n] = block->label[n] == replaced ? kept : block->label[n];
    }
}

// labels the parts of a block that open faces connect; returns their number
static int find_parts(FineBlock *block, const BrumeMultigridLevel *fine)
{
    const BrumeGrid grid = fine->grid;
    int parts = 0;
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        block_cell(block, n, cell);
        const bool inside = cell[0] <= grid.nx && cell[1] <= grid.ny && cell[2] <= grid.nz;
        const bool active = inside && brume_field_at(&fine->active, cell[0], cell[1], cell[2]) > 0.0f;
        block->label[n] = active ? n : -1;
    }
    for (int axis = 0; axis < AXES; axis++) {
        for (int n = 0; n < BLOCK; n++) {
            const int lower = n ^ 1 << axis;
            if (lower < n && block->label[n] >= 0 && block->label[lower] >= 0) {
                int cell[AXES];
                block_cell(block, n, cell);
                if (brume_level_face(fine, axis, cell) > 0.0f) {
                    join_parts(block, block->label[n], block->label[lower]);
                }
            }
        }
    }
    for (int n = 0; n < BLOCK; n++) {
        parts += block->label[n] == n;
    }
    return parts;
}

// the label of the part with the most cells; of equal ones the first
static int largest_part(const FineBlock *block)
{
    int counts[BLOCK] = {0};
    int largest = 0;
    for (int n = 0; n < BLOCK; n++) {
        if (block->label[n] >= 0) {
            counts[block->label[n]]++;
        }
    }
    for (int part = 1; part < BLOCK; part++) {
        largest = counts[part] > counts[largest] ? part : largest;
    }
    return largest;
}

// index along its axis of the block adjacent to block n across `side`; 0 if there is none
static int adjacent_block(const BrumeMultigridLevel *fine, int side, int n)
{
    const int axis = side / 2;
    const int count = brume_level_coarse_size(brume_cells_along(fine->grid, axis));
    const int adjacent = side % 2 ? n + 1 : n - 1;
    if (adjacent >= 1 && adjacent <= count) {
        return adjacent;
    }
    // on a periodic axis of one or two blocks that would be the block itself, or one that is adjacent on both sides
    return fine->periodic[axis] && count > 2 ? (side % 2 ? 1 : count) : 0;
}

// whether a cell's face on `side` is on the boundary of its block
static bool on_block_boundary(const BrumeMultigridLevel *fine, int side, int n, const int cell[AXES])
{
    const bool upper = n >> (side / 2) & 1;
    const bool last = cell[side / 2] == brume_cells_along(fine->grid, side / 2);
    return side % 2 ? upper || last : !upper;
}

static void decode_offset(int code, int offset[AXES])
{
    const int digits = code == BRUME_OWN_BLOCK ? ZERO_OFFSET : code - 1;
    offset[0] = digits % 3 - 1;
    offset[1] = digits / 3 % 3 - 1;
    offset[2] = digits / 9 - 1;
}

static int encode_offset(const int offset[AXES])
{
    const int digits = (offset[0] + 1) + 3 * (offset[1] + 1) + 9 * (offset[2] + 1);
    return digits == ZERO_OFFSET ? BRUME_OWN_BLOCK : digits + 1;
}

// The offset code of the coarse cell that the cell across `side` belongs to. BRUME_OWN_BLOCK if that cell is unassigned
// or its coarse cell is not adjacent to this block.
static int aggregate_across(const uint8_t *map, const BrumeMultigridLevel *fine, int side, const int cell[AXES])
{
    const int axis = side / 2;
    int adjacent[AXES] = {cell[0], cell[1], cell[2]};
    adjacent[axis] = brume_wrap_index(adjacent[axis] + (side % 2 ? 1 : -1), brume_cells_along(fine->grid, axis));
    const int code = map[brume_field_index(&fine->x, adjacent[0], adjacent[1], adjacent[2])];
    if (code == UNASSIGNED) {
        return BRUME_OWN_BLOCK;
    }
    int offset[AXES];
    decode_offset(code, offset);
    offset[axis] += side % 2 ? 1 : -1;
    return abs(offset[axis]) > 1 ? BRUME_OWN_BLOCK : encode_offset(offset);
}

// sum of the absolute offsets along the axes
static int offset_length(int code)
{
    int offset[AXES];
    decode_offset(code, offset);
    return abs(offset[0]) + abs(offset[1]) + abs(offset[2]);
}

// The offset code of the coarse cell that a part of a block joins: the nearest one, and of those the one with the
// largest coefficients between; BRUME_OWN_BLOCK if none is known yet.
static int choose_aggregate(const FineBlock *block, int part, const uint8_t *map, const BrumeMultigridLevel *fine)
{
    float coupling[OFFSET_CODES] = {0.0f};
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        block_cell(block, n, cell);
        for (int side = 0; side < SIDES && block->label[n] == part; side++) {
            if (on_block_boundary(fine, side, n, cell) && adjacent_block(fine, side, block->at[side / 2]) > 0) {
                coupling[aggregate_across(map, fine, side, cell)] += face_on(fine, side, cell);
            }
        }
    }
    int best = BRUME_OWN_BLOCK;
    for (int code = 1; code < OFFSET_CODES; code++) {
        if (coupling[code] > 0.0f) {
            const int further = best == BRUME_OWN_BLOCK ? -1 : offset_length(code) - offset_length(best);
            best = further < 0 || (further == 0 && coupling[code] > coupling[best]) ? code : best;
        }
    }
    return best;
}

static ptrdiff_t block_entry(const BrumeMultigridLevel *fine, const FineBlock *block, int n)
{
    int cell[AXES];
    block_cell(block, n, cell);
    return brume_field_index(&fine->x, cell[0], cell[1], cell[2]);
}

// whether all eight cells of a block are inside and all twelve faces between them are open
static bool is_undivided(const FineBlock *block, const BrumeMultigridLevel *fine)
{
    for (int axis = 0; axis < AXES; axis++) {
        if (2 * block->at[axis] > brume_cells_along(fine->grid, axis)) {
            return false;
        }
    }
    const ptrdiff_t strides[AXES] = {1, fine->x.sy, fine->x.sz};
    const ptrdiff_t first = block_entry(fine, block, 0);
    bool open = true;
    for (int axis = 0; axis < AXES; axis++) {
        const float *face = fine->face[axis].data + first + strides[axis];
        const ptrdiff_t a = strides[(axis + 1) % AXES];
        const ptrdiff_t b = strides[(axis + 2) % AXES];
        open = open && face[0] > 0.0f && face[a] > 0.0f && face[b] > 0.0f && face[a + b] > 0.0f;
    }
    return open;
}

// round 0: marks all parts of a block but the largest as unassigned
static void divide_block(uint8_t *map, FineBlock *block, const BrumeMultigridLevel *fine, int *count)
{
    if (is_undivided(block, fine) || find_parts(block, fine) < 2) {
        return;
    }
    const int kept = largest_part(block);
    for (int n = 0; n < BLOCK; n++) {
        if (block->label[n] >= 0 && block->label[n] != kept) {
            map[block_entry(fine, block, n)] = UNASSIGNED;
            (*count)++;
        }
    }
}

// a later round: assigns the unassigned parts of a block that can be; in the last round the rest to the own block
static void assign_parts(uint8_t *map, FineBlock *block, const BrumeMultigridLevel *fine, int *count, bool last_round)
{
    bool unassigned = false;
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        block_cell(block, n, cell);
        const bool inside = cell[0] <= fine->grid.nx && cell[1] <= fine->grid.ny && cell[2] <= fine->grid.nz;
        unassigned = unassigned || (inside && map[block_entry(fine, block, n)] == UNASSIGNED);
    }
    if (!unassigned) {
        return;
    }
    (void)find_parts(block, fine);
    for (int part = 0; part < BLOCK; part++) {
        if (block->label[part] != part || map[block_entry(fine, block, part)] != UNASSIGNED) {
            continue;
        }
        const int code = choose_aggregate(block, part, map, fine);
        for (int n = part; n < BLOCK && (code != BRUME_OWN_BLOCK || last_round); n++) {
            if (block->label[n] == part) {
                map[block_entry(fine, block, n)] = (uint8_t)code;
                *count -= code == BRUME_OWN_BLOCK;
            }
        }
    }
}

// Round 0 of all blocks, each of which writes its own cells only. Returns the number of unassigned cells.
static int divide_blocks(uint8_t *map, const BrumeMultigridLevel *fine)
{
    const BrumeGrid grid = fine->grid;
    int count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) if (fine->parallel)
    for (int k = 1; k <= brume_level_coarse_size(grid.nz); k++) {
        for (int j = 1; j <= brume_level_coarse_size(grid.ny); j++) {
            for (int i = 1; i <= brume_level_coarse_size(grid.nx); i++) {
                FineBlock block = {.at = {i, j, k}};
                divide_block(map, &block, fine, &count);
            }
        }
    }
    return count;
}

int brume_aggregation_find(uint8_t *map, const BrumeMultigridLevel *fine)
{
    const BrumeGrid grid = fine->grid;
    int count = divide_blocks(map, fine);
    for (int round = 1; count > 0 && round <= LAST_ROUND; round++) {
        for (int k = 1; k <= brume_level_coarse_size(grid.nz); k++) {
            for (int j = 1; j <= brume_level_coarse_size(grid.ny); j++) {
                for (int i = 1; i <= brume_level_coarse_size(grid.nx); i++) {
                    FineBlock block = {.at = {i, j, k}};
                    assign_parts(map, &block, fine, &count, round == LAST_ROUND);
                }
            }
        }
    }
    return count;
}

void brume_aggregate_of(int aggregate[3], const uint8_t *map, const BrumeMultigridLevel *fine, const int cell[3])
{
    int offset[AXES];
    decode_offset(map[brume_field_index(&fine->x, cell[0], cell[1], cell[2])], offset);
    for (int axis = 0; axis < AXES; axis++) {
        aggregate[axis] = (cell[axis] + 1) / 2 + offset[axis];
    }
}

// entry in parity order of a coarse cell, which may lie beyond a periodic side
static ptrdiff_t coarse_entry(const BrumeField *coarse, const int at[AXES])
{
    const BrumeGrid grid = coarse->grid;
    return brume_parity_entry(grid.nx, brume_wrap_index(at[0], grid.nx)) +
           coarse->sy * brume_wrap_index(at[1], grid.ny) + coarse->sz * brume_wrap_index(at[2], grid.nz);
}

// Writes the reassigned cells to `cells` unless it is NULL; returns their number.
static int list_reassigned(BrumeReassignedCell *cells, const uint8_t *map, const BrumeMultigridLevel *fine,
                           const BrumeField *coarse, bool red_only)
{
    const BrumeGrid grid = fine->grid;
    int count = 0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const bool listed = !red_only || (i + j + k) % 2 == 0;
                if (map[brume_field_index(&fine->x, i, j, k)] == BRUME_OWN_BLOCK || !listed) {
                    continue;
                }
                if (cells) {
                    const int block[AXES] = {(i + 1) / 2, (j + 1) / 2, (k + 1) / 2};
                    int aggregate[AXES];
                    brume_aggregate_of(aggregate, map, fine, (const int[AXES]){i, j, k});
                    cells[count] = (BrumeReassignedCell){.i = i,
                                                         .j = j,
                                                         .k = k,
                                                         .block = coarse_entry(coarse, block),
                                                         .aggregate = coarse_entry(coarse, aggregate)};
                }
                count++;
            }
        }
    }
    return count;
}

BrumeStatus brume_aggregation_create(BrumeAggregation *aggregation, const uint8_t *map, const BrumeMultigridLevel *fine,
                                     const BrumeField *coarse, bool red_only, BrumeError *error)
{
    *aggregation = (BrumeAggregation){0};
    const int count = list_reassigned(NULL, map, fine, coarse, red_only);
    BrumeReassignedCell *cells = brume_alloc((size_t)count + 1, sizeof *cells);
    if (!cells) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    (void)list_reassigned(cells, map, fine, coarse, red_only);
    *aggregation = (BrumeAggregation){.count = count, .cells = cells};
    return BRUME_OK;
}

void brume_aggregation_destroy(BrumeAggregation *aggregation)
{
    brume_free(aggregation->cells);
    *aggregation = (BrumeAggregation){0};
}

size_t brume_aggregation_bytes(const BrumeAggregation *aggregation)
{
    return (size_t)aggregation->count * sizeof *aggregation->cells;
}

void brume_aggregation_restrict(const BrumeAggregation *aggregation, const BrumeOperator *op, BrumeField *coarse_b,
                                const BrumeField *x, const BrumeField *b)
{
    if (aggregation->count == 0) {
        return;
    }
    // the block and the aggregate of a cell may be on two ranks, which then both compute its residual
    brume_exchange((const BrumeField *const[]){x, b}, 2, RESIDUAL_REACH);
    const ptrdiff_t from = coarse_b->sz * brume_lowest_plane(coarse_b->grid);
    const ptrdiff_t end = coarse_b->sz * (brume_highest_plane(coarse_b->grid) + 1);
    for (int n = 0; n < aggregation->count; n++) {
        const BrumeReassignedCell *cell = &aggregation->cells[n];
        const bool has_block = cell->block >= from && cell->block < end;
        const bool has_aggregate = cell->aggregate >= from && cell->aggregate < end;
        if (!has_block && !has_aggregate) {
            continue;
        }
        const float residual = brume_operator_residual_at(op, x, b, cell->i, cell->j, cell->k);
        if (has_block) {
            coarse_b->data[cell->block] -= residual;
        }
        if (has_aggregate) {
            coarse_b->data[cell->aggregate] += residual;
        }
    }
}

void brume_aggregation_prolong(const BrumeAggregation *aggregation, BrumeField *x, const BrumeField *coarse_x)
{
    const int nx = x->grid.nx;
    if (aggregation->count > 0) {
        brume_exchange_field(coarse_x, 1);
    }
    for (int n = 0; n < aggregation->count; n++) {
        const BrumeReassignedCell *cell = &aggregation->cells[n];
        if (!brume_has_plane(x->grid, cell->k)) {
            continue;
        }
        x->data[brume_parity_entry(nx, cell->i) + x->sy * cell->j + x->sz * cell->k] +=
            coarse_x->data[cell->aggregate] - coarse_x->data[cell->block];
    }
}
