/*
 * MacCormack advection (Selle, Fedkiw, Kim, Liu, Rossignac 2008): carry the field along, carry the result back, and
 * take away half of what did not return. Second order; the result is held within the values that the first carry read,
 * so that no new extremum appears and any step is stable. Where the way back leaves the box, the correction is left
 * out.
 */
#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/advection/trilinear.h"

// quantities at one place, what the first carry gave, and where their air comes from and goes
typedef struct Correction {
    BrumePlace place;
    BrumeLeave back;
    BrumeLeave forth;
    ptrdiff_t sy, sz;
    int count;
    const float *field[BRUME_SCALARS_AT_ONCE];
    const float *guess[BRUME_SCALARS_AT_ONCE];
    float *result[BRUME_SCALARS_AT_ONCE];
    float keep[BRUME_SCALARS_AT_ONCE];
    const uint8_t *clean[BRUME_SCALARS_AT_ONCE]; // blocks in which there is nothing of it, or NULL
} Correction;

BRUME_INLINE void correct_entries(const Correction *correction, bool wraps, bool inside, const int *present,
                                  int quantities, ptrdiff_t c, int i, int j, int k, int count)
{
    const BrumePlace place = correction->place; // copies, which no store of a result can change
    const BrumeLeave leave_back = correction->back;
    const BrumeLeave leave_forth = correction->forth;
    BrumeStencil back;
    BrumeStencil forth;
    _Alignas(32) float halves[BRUME_STRETCH]; // 1/2, or 0 where the way forth leaves the box
    for (int n = 0; n < count; n++) {
        halves[n] = 0.5f;
    }
    brume_stencil(&back, &place, wraps, inside, false, &leave_back, c, i, j, k, count, NULL);
    brume_stencil(&forth, &place, wraps, inside, true, &leave_forth, c, i, j, k, count, halves);
    for (int p = 0; p < quantities; p++) {
        const int q = present[p];
        const float *before = correction->field[q];
        const float *guess = correction->guess[q];
        float *result = correction->result[q];
        const float keep = correction->keep[q];
        for (int n = 0; n < count; n += BRUME_LANES) {
            const int at = brume_eight_at(n, count);
            BrumeFloat8 field;
            BrumeFloat8 value;
            BrumeFloat8 half;
            BrumeFloat8 returned;
            BrumeFloat8 low;
            BrumeFloat8 high;
            brume_load8(&field, before + c + at);
            brume_load8(&value, guess + c + at);
            brume_load8(&half, halves + at);
            brume_sample8(&place, guess, &forth, at, &returned);
            brume_range8(&place, before, &back, at, &low, &high);
            value += half * (field - returned);
            brume_greater8(&value, &low);
            brume_lesser8(&value, &high);
            brume_scale8(&value, keep);
            brume_store8(result + c + at, &value);
        }
    }
}

BRUME_KERNEL static void correct_row(const Correction *correction, const int *present, int quantities, ptrdiff_t c,
                                     int i, int j, int k, int count)
{
    if (brume_inside(&correction->place, j, k)) {
        correct_entries(correction, correction->place.wraps, true, present, quantities, c, i, j, k, count);
    } else if (correction->place.wraps) {
        correct_entries(correction, true, false, present, quantities, c, i, j, k, count);
    } else {
        correct_entries(correction, false, false, present, quantities, c, i, j, k, count);
    }
}

static void correct_piece(const void *context, const BrumePiece *piece)
{
    const Correction *correction = context;
    const ptrdiff_t c = piece->i + correction->sy * piece->j + correction->sz * piece->k;
    int present[BRUME_SCALARS_AT_ONCE];
    const int count = brume_clear_clean(correction->clean, correction->count, piece, correction->result, c, present);
    if (count > 0) {
        correct_row(correction, present, count, c, piece->i, piece->j, piece->k, piece->count);
    }
}

static Correction make_correction(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep,
                                  const BrumeField *guesses, BrumeField *results, int count)
{
    const int location = brume_location(ids[0]);
    Correction correction = {
        .place = brume_place(sim, location),
        .back.below = location == BRUME_AT_CENTER ? 0 : brume_stride(&results[0], location),
        .sy = results[0].sy,
        .sz = results[0].sz,
        .count = count,
    };
    correction.forth.below = correction.back.below;
    for (int axis = 0; axis < 3; axis++) {
        correction.back.travel[axis] = sim->back.along[axis].data;
        correction.forth.travel[axis] = sim->forth.along[axis].data;
    }
    for (int n = 0; n < count; n++) {
        correction.field[n] = sim->fields[ids[n]].data;
        correction.guess[n] = guesses[n].data;
        correction.result[n] = results[n].data;
        correction.keep[n] = keep[n];
        correction.clean[n] = location == BRUME_AT_CENTER ? sim->clean[n] : NULL;
    }
    return correction;
}

static void advect(BrumeSim *sim, const BrumeFieldId *ids, const float *keep, int count)
{
    const float all[BRUME_SCALARS_AT_ONCE] = {1.0f, 1.0f};
    BrumeField *guesses = sim->scratch;
    BrumeField *results = sim->scratch + BRUME_SCALARS_AT_ONCE;
    brume_find_clean_all(sim, ids, count);
    brume_carry_back(sim, ids, all, guesses, count);
    for (int n = 0; n < count; n++) {
        brume_set_boundary(sim, ids[n], &guesses[n]);
    }
    const Correction correction = make_correction(sim, ids, keep, guesses, results, count);
    brume_walk(results[0].grid, correct_piece, &correction);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &results[n]);
    }
}

static void advect_velocity(BrumeSim *sim, float cells_per_mps)
{
    const float keep = 1.0f;
    BrumeField *guesses = sim->scratch;
    BrumeField *results = sim->scratch + 3;
    Correction corrections[3];
    brume_carry_velocity_back(sim, cells_per_mps, guesses);
    for (int axis = 0; axis < 3; axis++) {
        const BrumeFieldId id = (BrumeFieldId)axis;
        brume_set_boundary(sim, id, &guesses[axis]);
        corrections[axis] = make_correction(sim, &id, &keep, &guesses[axis], &results[axis], 1);
    }
    const BrumeFaceWork faces = {correct_piece, {&corrections[0], &corrections[1], &corrections[2]}};
    brume_trace(sim, &sim->forth, cells_per_mps, &faces);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &results[axis]);
    }
}

const BrumeAdvection brume_advection_maccormack = {
    .name = "maccormack",
    .needs_forth = true,
    .advect = advect,
    .advect_velocity = advect_velocity,
};
