/*
 * Semi-Lagrangian advection (Stam 1999, section 2.2): an entry takes the value that its air had where it came from.
 * First order in time and space, never a new extremum, stable at any step.
 */
#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/advection/trilinear.h"

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

BRUME_INLINE void carry_entries(const Carry *carry, bool wraps, bool inside, const int *present, int quantities,
                                ptrdiff_t c, int i, int j, int k, int count)
{
    const BrumePlace place = carry->place; // a copy, which no store of a result can change
    const BrumeLeave back = carry->back;
    BrumeStencil stencil;
    brume_stencil(&stencil, &place, wraps, inside, true, &back, c, i, j, k, count, NULL);
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
    if (brume_inside(&carry->place, j, k)) {
        carry_entries(carry, carry->place.wraps, true, present, quantities, c, i, j, k, count);
    } else if (carry->place.wraps) {
        carry_entries(carry, true, false, present, quantities, c, i, j, k, count);
    } else {
        carry_entries(carry, false, false, present, quantities, c, i, j, k, count);
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

static Carry make_carry(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count)
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
    return carry;
}

void brume_carry_back(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count)
{
    const Carry carry = make_carry(sim, ids, keep, results, count);
    brume_walk(results[0].grid, carry_piece, &carry);
}

void brume_carry_velocity_back(BrumeSim *sim, float cells_per_mps, BrumeField *results)
{
    const float keep = 1.0f;
    Carry carries[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeFieldId id = (BrumeFieldId)axis;
        carries[axis] = make_carry(sim, &id, &keep, &results[axis], 1);
    }
    const BrumeFaceWork faces = {carry_piece, {&carries[0], &carries[1], &carries[2]}};
    brume_trace(sim, &sim->back, -cells_per_mps, &faces);
}

static void advect(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    brume_find_clean_all(sim, ids, count);
    brume_carry_back(sim, ids, keep, sim->scratch, count);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &sim->scratch[n]);
    }
}

static void advect_velocity(BrumeSim *sim, float cells_per_mps)
{
    brume_carry_velocity_back(sim, cells_per_mps, sim->scratch);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &sim->scratch[axis]);
    }
}

const BrumeAdvection brume_advection_semi_lagrangian = {
    .name = "semi-lagrangian",
    .needs_forth = false,
    .advect = advect,
    .advect_velocity = advect_velocity,
};
