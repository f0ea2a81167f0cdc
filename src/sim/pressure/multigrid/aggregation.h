/**
 * @file aggregation.h
 * Cells that leave their block. A coarse cell is a block of 2 x 2 x 2 finer ones; where a closed face runs through a
 * block, as a thin plate's does on coarse levels, the block is in parts that do not touch, and one value for all of
 * them would tie together what the plate keeps apart. Only the largest part stays then. The cells of another part
 * join the coarse cell beside the block that they are coupled with most, so that on the coarse level the plate lies
 * between blocks; where there is none, as in a room that is one cell wide, they stay after all.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_AGGREGATION_H
#define BRUME_SIM_PRESSURE_MULTIGRID_AGGREGATION_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/multigrid/stencil.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BrumeLevel BrumeLevel;

/** Of a cell that is part of the coarse cell of its block; other numbers stand for the steps to another. */
enum { BRUME_STAYS = 0 };

/** A cell that left its block, among those whose residuals are restricted. */
typedef struct BrumeStray {
    int i, j, k;
    ptrdiff_t block; ///< entry of the coarse cell that it lies in, in split rows
    ptrdiff_t owner; ///< of the one that it is part of
} BrumeStray;

/** All strays between two levels, in the order of memory. */
typedef struct BrumeStrays {
    int count;
    BrumeStray *cells;
} BrumeStrays;

/**
 * Finds where the cells of a level that is not settled belong: `moves` (its entries; all 0 on entry). Returns how many
 * do not stay.
 */
int brume_strays_find(uint8_t *moves, const BrumeLevel *fine);

/**
 * Lists them, all or only `red` ones, those of (i + j + k) % 2 == 0. BRUME_FAILED without memory, with nothing to
 * destroy.
 */
BrumeStatus brume_strays_create(BrumeStrays *strays, const uint8_t *moves, const BrumeLevel *fine,
                                const BrumeField *coarse, bool red, BrumeError *error);

void brume_strays_destroy(BrumeStrays *strays);

size_t brume_strays_bytes(const BrumeStrays *strays);

/** The coarse cell that a cell is part of; beyond a periodic side it is counted on. */
void brume_strays_owner(int owner[3], const uint8_t *moves, const BrumeLevel *fine, const int cell[3]);

/**
 * The lower faces of a coarse level's cells, as sums of the finer coefficients between what is part of each: `face`
 * (0 on entry) of the coarse grid along x, y and z. Couplings of cells that are not beside each other go by way of
 * others.
 */
void brume_strays_sum_faces(BrumeField face[3], const uint8_t *moves, const BrumeLevel *fine);

/** After brume_stencil_restrict of a whole level: takes the strays' residuals to where they belong. */
void brume_strays_restrict(const BrumeStrays *strays, const BrumeStencil *stencil, BrumeField *coarse_b,
                           const BrumeField *x, const BrumeField *b);

/** Before brume_stencil_prolong of a whole level: what makes its corrections right for strays. Its transpose. */
void brume_strays_prolong(const BrumeStrays *strays, BrumeField *x, const BrumeField *coarse_x);

#endif
