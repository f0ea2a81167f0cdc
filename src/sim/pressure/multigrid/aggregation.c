// Blocks are divided first; then the parts that do not stay look for an owner, in rounds: across a side lies a cell
// that stays or one that has found its owner in a round before, and what is coupled with that may share it. So along an
// edge where two plates cross, a part moves diagonally.
#include "sim/pressure/multigrid/aggregation.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/pressure/multigrid/level.h"
#include "sim/pressure/multigrid/split.h"

#include <math.h>
#include <stdlib.h>

enum {
    AXES = 3,
    SIDES = 6,
    BLOCK = 8,       ///< cells
    MOVES = 28,      ///< none, or 1 + (steps along x, y, z, each + 1, as digits to base 3)
    NO_STEPS = 13,   ///< all of them 0
    UNDECIDED = 255, ///< so far
    ROUNDS = 4,      ///< a corner takes three: it follows an edge, that a side
};

static int wrapped(int n, int count) { return n < 1 ? n + count : n > count ? n - count : n; }

// One block of 2 x 2 x 2 cells: cell n lies at the upper end along the axes whose bits it has.
typedef struct Block {
    int at[AXES];     ///< of the coarse cell
    int label[BLOCK]; ///< cells of one part share it: the lowest of their n; -1 for no or a dead cell
} Block;

static void cell_of(const Block *block, int n, int cell[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        cell[axis] = 2 * block->at[axis] - 1 + (n >> axis & 1);
    }
}

static float face_below(const BrumeLevel *level, int axis, const int cell[AXES])
{
    return brume_field_at(&level->face[axis], cell[0], cell[1], cell[2]);
}

static float face_on(const BrumeLevel *level, int side, const int cell[AXES])
{
    int beyond[AXES] = {cell[0], cell[1], cell[2]};
    beyond[side / 2] += side % 2;
    return face_below(level, side / 2, beyond);
}

static void join_parts(Block *block, int a, int b)
{
    const int kept = a < b ? a : b;
    const int given_up = a < b ? b : a;
    for (int n = 0; n < BLOCK; n++) {
        block->label[n] = block->label[n] == given_up ? kept : block->label[n];
    }
}

// labels the parts of a block; returns how many there are
static int find_parts(Block *block, const BrumeLevel *fine)
{
    const BrumeGrid grid = fine->grid;
    int parts = 0;
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        cell_of(block, n, cell);
        const bool inside = cell[0] <= grid.nx && cell[1] <= grid.ny && cell[2] <= grid.nz;
        const bool live = inside && brume_field_at(&fine->live, cell[0], cell[1], cell[2]) > 0.0f;
        block->label[n] = live ? n : -1;
    }
    for (int axis = 0; axis < AXES; axis++) {
        for (int n = 0; n < BLOCK; n++) {
            const int lower = n ^ 1 << axis;
            if (lower < n && block->label[n] >= 0 && block->label[lower] >= 0) {
                int cell[AXES];
                cell_of(block, n, cell);
                if (face_below(fine, axis, cell) > 0.0f) {
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

// the label of the part with most cells
static int largest_part(const Block *block)
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

// the coarse cell across a side of a block, along that axis, or 0 where there is none
static int block_across(const BrumeLevel *fine, int side, int n)
{
    const int axis = side / 2;
    const int count = brume_level_coarse_size(brume_cells_along(fine->grid, axis));
    const int across = side % 2 ? n + 1 : n - 1;
    if (across >= 1 && across <= count) {
        return across;
    }
    // across a seam of one or two blocks lies a block that is beside this one twice, or itself
    return fine->periodic[axis] && count > 2 ? (side % 2 ? 1 : count) : 0;
}

// whether a cell's face on `side` leads out of its block
static bool leads_out(const BrumeLevel *fine, int side, int n, const int cell[AXES])
{
    const bool upper = n >> (side / 2) & 1;
    const bool last = cell[side / 2] == brume_cells_along(fine->grid, side / 2);
    return side % 2 ? upper || last : !upper;
}

// the steps that a move code stands for
static void steps_of(int move, int steps[AXES])
{
    const int code = move == BRUME_STAYS ? NO_STEPS : move - 1;
    steps[0] = code % 3 - 1;
    steps[1] = code / 3 % 3 - 1;
    steps[2] = code / 9 - 1;
}

// the move that joins what lies across a side of a block, BRUME_STAYS where that is undecided or went too far away
static int follow(const uint8_t *moves, const BrumeLevel *fine, int side, const int cell[AXES])
{
    const int axis = side / 2;
    int beside[AXES] = {cell[0], cell[1], cell[2]};
    beside[axis] = wrapped(beside[axis] + (side % 2 ? 1 : -1), brume_cells_along(fine->grid, axis));
    const int move = moves[brume_field_index(&fine->x, beside[0], beside[1], beside[2])];
    int steps[AXES];
    steps_of(move == UNDECIDED ? BRUME_STAYS : move, steps);
    steps[axis] += side % 2 ? 1 : -1;
    if (move == UNDECIDED || abs(steps[axis]) > 1) {
        return BRUME_STAYS;
    }
    const int code = (steps[0] + 1) + 3 * (steps[1] + 1) + 9 * (steps[2] + 1);
    return code == NO_STEPS ? BRUME_STAYS : code + 1;
}

static int step_count(int move)
{
    int steps[AXES];
    steps_of(move, steps);
    return abs(steps[0]) + abs(steps[1]) + abs(steps[2]);
}

// where a part of a block goes: not further than need be, and to where it is coupled most
static int destination(const Block *block, int part, const uint8_t *moves, const BrumeLevel *fine)
{
    float weights[MOVES] = {0.0f};
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        cell_of(block, n, cell);
        for (int side = 0; side < SIDES && block->label[n] == part; side++) {
            if (leads_out(fine, side, n, cell) && block_across(fine, side, block->at[side / 2]) > 0) {
                weights[follow(moves, fine, side, cell)] += face_on(fine, side, cell);
            }
        }
    }
    int best = BRUME_STAYS;
    for (int move = 1; move < MOVES; move++) {
        if (weights[move] > 0.0f) {
            const int further = best == BRUME_STAYS ? -1 : step_count(move) - step_count(best);
            best = further < 0 || (further == 0 && weights[move] > weights[best]) ? move : best;
        }
    }
    return best;
}

static ptrdiff_t entry_of(const BrumeLevel *fine, const Block *block, int n)
{
    int cell[AXES];
    cell_of(block, n, cell);
    return brume_field_index(&fine->x, cell[0], cell[1], cell[2]);
}

// what does not stay is undecided at first
static void divide_block(uint8_t *moves, Block *block, const BrumeLevel *fine, int *count)
{
    if (find_parts(block, fine) < 2) {
        return;
    }
    const int kept = largest_part(block);
    for (int n = 0; n < BLOCK; n++) {
        if (block->label[n] >= 0 && block->label[n] != kept) {
            moves[entry_of(fine, block, n)] = UNDECIDED;
            (*count)++;
        }
    }
}

// decides on what can be decided by now; in the end, what is left stays
static void move_parts(uint8_t *moves, Block *block, const BrumeLevel *fine, int *count, bool end)
{
    bool undecided = false;
    for (int n = 0; n < BLOCK; n++) {
        int cell[AXES];
        cell_of(block, n, cell);
        const bool inside = cell[0] <= fine->grid.nx && cell[1] <= fine->grid.ny && cell[2] <= fine->grid.nz;
        undecided = undecided || (inside && moves[entry_of(fine, block, n)] == UNDECIDED);
    }
    if (!undecided) {
        return;
    }
    (void)find_parts(block, fine);
    for (int part = 0; part < BLOCK; part++) {
        if (block->label[part] != part || moves[entry_of(fine, block, part)] != UNDECIDED) {
            continue;
        }
        const int move = destination(block, part, moves, fine);
        for (int n = part; n < BLOCK && (move != BRUME_STAYS || end); n++) {
            if (block->label[n] == part) {
                moves[entry_of(fine, block, n)] = (uint8_t)move;
                *count -= move == BRUME_STAYS;
            }
        }
    }
}

int brume_strays_find(uint8_t *moves, const BrumeLevel *fine)
{
    const BrumeGrid grid = fine->grid;
    int count = 0;
    for (int round = 0; round == 0 || (count > 0 && round <= ROUNDS); round++) {
        for (int k = 1; k <= brume_level_coarse_size(grid.nz); k++) {
            for (int j = 1; j <= brume_level_coarse_size(grid.ny); j++) {
                for (int i = 1; i <= brume_level_coarse_size(grid.nx); i++) {
                    Block block = {.at = {i, j, k}};
                    if (round == 0) {
                        divide_block(moves, &block, fine, &count);
                    } else {
                        move_parts(moves, &block, fine, &count, round == ROUNDS);
                    }
                }
            }
        }
    }
    return count;
}

void brume_strays_owner(int owner[3], const uint8_t *moves, const BrumeLevel *fine, const int cell[3])
{
    int steps[AXES];
    steps_of(moves[brume_field_index(&fine->x, cell[0], cell[1], cell[2])], steps);
    for (int axis = 0; axis < AXES; axis++) {
        owner[axis] = (cell[axis] + 1) / 2 + steps[axis];
    }
}

static ptrdiff_t split_entry(const BrumeField *coarse, const int at[AXES])
{
    const BrumeGrid grid = coarse->grid;
    return brume_split_at(grid.nx, wrapped(at[0], grid.nx)) + coarse->sy * wrapped(at[1], grid.ny) +
           coarse->sz * wrapped(at[2], grid.nz);
}

BrumeStatus brume_strays_create(BrumeStrays *strays, const uint8_t *moves, const BrumeLevel *fine,
                                const BrumeField *coarse, bool red, BrumeError *error)
{
    const BrumeGrid grid = fine->grid;
    *strays = (BrumeStrays){0};
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const bool wanted = !red || (i + j + k) % 2 == 0;
                    if (moves[brume_field_index(&fine->x, i, j, k)] == BRUME_STAYS || !wanted) {
                        continue;
                    }
                    if (strays->cells) {
                        const int block[AXES] = {(i + 1) / 2, (j + 1) / 2, (k + 1) / 2};
                        int owner[AXES];
                        brume_strays_owner(owner, moves, fine, (const int[AXES]){i, j, k});
                        strays->cells[count] = (BrumeStray){.i = i,
                                                            .j = j,
                                                            .k = k,
                                                            .block = split_entry(coarse, block),
                                                            .owner = split_entry(coarse, owner)};
                    }
                    count++;
                }
            }
        }
        if (pass == 0) {
            strays->count = count;
            strays->cells = brume_alloc((size_t)count + 1, sizeof *strays->cells);
            if (!strays->cells) {
                *strays = (BrumeStrays){0};
                return brume_out_of_grid_memory(error, "the pressure solver");
            }
        }
    }
    return BRUME_OK;
}

void brume_strays_destroy(BrumeStrays *strays)
{
    brume_free(strays->cells);
    *strays = (BrumeStrays){0};
}

size_t brume_strays_bytes(const BrumeStrays *strays) { return (size_t)strays->count * sizeof *strays->cells; }

void brume_strays_restrict(const BrumeStrays *strays, const BrumeStencil *stencil, BrumeField *coarse_b,
                           const BrumeField *x, const BrumeField *b)
{
    for (int n = 0; n < strays->count; n++) {
        const BrumeStray *stray = &strays->cells[n];
        const float residual = brume_stencil_residual_at(stencil, x, b, stray->i, stray->j, stray->k);
        coarse_b->data[stray->block] -= residual;
        coarse_b->data[stray->owner] += residual;
    }
}

void brume_strays_prolong(const BrumeStrays *strays, BrumeField *x, const BrumeField *coarse_x)
{
    const int nx = x->grid.nx;
    for (int n = 0; n < strays->count; n++) {
        const BrumeStray *stray = &strays->cells[n];
        x->data[brume_split_at(nx, stray->i) + x->sy * stray->j + x->sz * stray->k] +=
            coarse_x->data[stray->owner] - coarse_x->data[stray->block];
    }
}
