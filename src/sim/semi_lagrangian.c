/*
 * Semi-Lagrangian advection (Stam 1999, section 2.2): an entry takes the value that its air had where it came from.
 * First order in time and space, never a new extremum, stable at any step.
 */
#include "sim/advection.h"
#include "sim/stencil.h"

#include <string.h>

// quantities at one place, and where their air comes from
typedef struct Carry {
    BrumePlace place;
    BrumeLeave back;
    ptrdiff_t sy, sz;
    int count;
    const float *from[BRUME_SCALARS_AT_ONCE];
    float *to[BRUME_SCALARS_AT_ONCE];
    float keep[BRUME_SCALARS_AT_ONCE];
    const uint8_t *clean[BRUME_SCALARS_AT_ONCE]; // blocks in which there is nothing of it, or NULL
} Carry;

BRUME_INLINE void carry_entries(const Carry *carry, bool wraps, const int *present, int quantities, ptrdiff_t c, int i,
                                int j, int k, int count)
{
    const BrumePlace place = carry->place; // a copy, which no store of a result can change
    const BrumeLeave back = carry->back;
    BrumeStencil stencil;
    brume_stencil(&stencil, &place, wraps, true, &back, c, i, j, k, count, NULL);
    for (int p = 0; p < quantities; p++) {
        const int q = present[p];
        const float *from = carry->from[q];
        float *to = carry->to[q] + c;
        const float keep = carry->keep[q];
        for (int n = 0; n < count; n += BRUME_LANES) {
            const int at = brume_eight_at(n, count);
            BrumeFloat8 value;
            brume_sample8(&place, from, &stencil, at, &value);
            brume_scale8(&value, keep);
            brume_store8(to + at, &value);
        }
    }
}

BRUME_KERNEL static void carry_row(const Carry *carry, const int *present, int quantities, ptrdiff_t c, int i, int j,
                                   int k, int count)
{
    if (carry->place.wraps) {
        carry_entries(carry, true, present, quantities, c, i, j, k, count);
    } else {
        carry_entries(carry, false, present, quantities, c, i, j, k, count);
    }
}

static void carry_piece(const void *context, const BrumePiece *piece)
{
    const Carry *carry = context;
    const ptrdiff_t c = piece->i + carry->sy * piece->j + carry->sz * piece->k;
    int present[BRUME_SCALARS_AT_ONCE];
    const int count = brume_clear_clean(carry->clean, carry->count, piece, carry->to, c, present);
    if (count > 0) {
        carry_row(carry, present, count, c, piece->i, piece->j, piece->k, piece->count);
    }
}

int brume_clear_clean(const uint8_t *const *clean, int count, const BrumePiece *piece, float *const *to, ptrdiff_t c,
                      int *present)
{
    int found = 0;
    for (int q = 0; q < count; q++) {
        if (clean[q] && clean[q][piece->block]) {
            memset(to[q] + c, 0, (size_t)piece->count * sizeof(float));
        } else {
            present[found++] = q;
        }
    }
    return found;
}

void brume_carry_back(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count)
{
    const int location = brume_location(ids[0]);
    Carry carry = {
        .place = brume_place(sim, location),
        .back.below = location == BRUME_AT_CENTER ? 0 : brume_stride(&results[0], location),
        .sy = results[0].sy,
        .sz = results[0].sz,
        .count = count,
    };
    for (int axis = 0; axis < 3; axis++) {
        carry.back.travel[axis] = sim->back.along[axis].data;
    }
    for (int n = 0; n < count; n++) {
        carry.from[n] = sim->fields[ids[n]].data;
        carry.to[n] = results[n].data;
        carry.keep[n] = keep[n];
        carry.clean[n] = location == BRUME_AT_CENTER ? sim->clean[n] : NULL;
    }
    brume_walk(brume_carried(sim, location), carry_piece, &carry);
}

static void advect(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    brume_find_clean_all(sim, ids, count);
    brume_carry_back(sim, ids, keep, sim->scratch, count);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &sim->scratch[n]);
    }
}

const BrumeAdvection brume_advection_semi_lagrangian = {
    .name = "semi-lagrangian",
    .needs_forth = false,
    .advect = advect,
};
