/*
 * MacCormack advection (Selle, Fedkiw, Kim, Liu, Rossignac 2008, "An Unconditionally Stable MacCormack Method"): a
 * semi-Lagrangian step predicts the result, a second one backward in time traces the predicted field back to the start,
 * and half of the difference from the original field is added to the predicted value. Second order. The result is
 * clamped to the range of the eight values that the predictor interpolated, so that no new extremum appears and any
 * time step is stable. The correction is omitted where the arrival point is outside the box.
 *
 * The plain equivalent of the corrector below is in src/sim/reference/advection.c. This one processes eight entries at
 * a time, uses the same trilinear weights for several quantities, does not clamp positions in interior rows and clears
 * empty blocks; fast_kernels.h says why the results have the same bits.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "sim/advection/advection.h"
#include "sim/advection/fast_kernels.h"
#include "sim/advection/trilinear.h"
#include "sim/advection/trilinear_wide.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/extrapolation.h"
#include "sim/state/state.h"

#include <assert.h>
#include <omp.h>

// quantities at one location, their predicted values, and the offsets to their departure and arrival points
typedef struct MacCormackCorrector {
    BrumeSamplingDomain domain;
    BrumeDepartureOffsets backward;
    BrumeArrivalOffsets forward;
    ptrdiff_t sy, sz;
    int count;
    const float *field[BRUME_SCALARS_PER_PASS];
    const float *predicted[BRUME_SCALARS_PER_PASS];
    float *result[BRUME_SCALARS_PER_PASS];
    float decay[BRUME_SCALARS_PER_PASS];
    const uint8_t *empty[BRUME_SCALARS_PER_PASS]; // one per block, or NULL
} MacCormackCorrector;

BRUME_INLINE void correct_entries(const MacCormackCorrector *corrector, bool periodic, bool interior,
                                  const int *present, int quantities, ptrdiff_t c, int i, int j, int k, int count)
{
    const ptrdiff_t w =
        corrector->forward.per_thread * omp_get_thread_num() + i + corrector->sy * j + corrector->sz; // plane 1

    const BrumeSamplingDomain domain = corrector->domain; // local copies, which stores to a result cannot alias
    const BrumeDepartureOffsets to_departure = corrector->backward;
    const BrumeArrivalOffsets to_arrival = corrector->forward;
    BrumeTrilinearWeights backward;
    BrumeTrilinearWeights forward;
    _Alignas(32) float halves[BRUME_SEGMENT]; // 1/2, or 0 where the arrival point is outside the box
    brume_find_arrivals(&backward, &forward, &domain, periodic, interior, &to_departure, &to_arrival, w, c, i, j, k,
                        count, halves);
    for (int p = 0; p < quantities; p++) {
        const int q = present[p];
        const float *original = corrector->field[q];
        const float *predicted = corrector->predicted[q];
        float *result = corrector->result[q];
        const float decay = corrector->decay[q];
        for (int n = 0; n < count; n += BRUME_LANES) {
            const int at = brume_vector_start(n, count);
            BrumeFloat8 field;
            BrumeFloat8 value;
            BrumeFloat8 half;
            BrumeFloat8 back_traced;
            BrumeFloat8 low;
            BrumeFloat8 high;
            brume_load8(&field, original + c + at);
            brume_load8(&value, predicted + c + at);
            brume_load8(&half, halves + n);
            brume_interpolate8(&domain, predicted, &forward, n, &back_traced);
            brume_range8(&domain, original, &backward, n, &low, &high);
            value += half * (field - back_traced);
            brume_max8(&value, &low);
            brume_min8(&value, &high);
            brume_scale8(&value, decay);
            brume_store8(result + c + at, &value);
        }
    }
}

BRUME_KERNEL static void maccormack_row(const MacCormackCorrector *corrector, const int *present, int quantities,
                                        ptrdiff_t c, int i, int j, int k, int count)
{
    if (brume_is_interior_row(&corrector->domain, j, k)) {
        correct_entries(corrector, corrector->domain.periodic, true, present, quantities, c, i, j, k, count);
    } else if (corrector->domain.periodic) {
        correct_entries(corrector, true, false, present, quantities, c, i, j, k, count);
    } else {
        correct_entries(corrector, false, false, present, quantities, c, i, j, k, count);
    }
}

// as correct_entries for at least 16 entries, in vectors of 16
BRUME_WIDE_INLINE void correct_wide(const MacCormackCorrector *corrector, bool periodic, bool interior,
                                    const int *present, int quantities, ptrdiff_t c, int i, int j, int k, int count)
{
    const ptrdiff_t w =
        corrector->forward.per_thread * omp_get_thread_num() + i + corrector->sy * j + corrector->sz; // plane 1
    const BrumeSamplingDomain domain = corrector->domain;
    const float *const *backward = corrector->backward.displacement;
    const float *const *window = corrector->forward.window;
    const ptrdiff_t lower = corrector->backward.lower;
    BrumeWideAxis departure[3];
    BrumeWideAxis arrival[3];
    const int entry[3] = {i, j, k};
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        const bool inside = interior && axis > 0;
        brume_find_ends16(&departure[axis], &domain, periodic, inside, axis, entry[axis], backward[axis] + c, lower,
                          count);
        brume_find_ends16(&arrival[axis], &domain, periodic, inside, axis, entry[axis], window[axis] + w, lower, count);
    }
    for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
        const int v = n / BRUME_WIDE_LANES;
        const int at = brume_wide_start(n, count);
        const ptrdiff_t origin = brume_first_entry16(&domain, &departure[0], &departure[1], &departure[2], v);
        const ptrdiff_t end = brume_first_entry16(&domain, &arrival[0], &arrival[1], &arrival[2], v);
        if (origin < 0 || end < 0) {
            maccormack_row(corrector, present, quantities, c + at, i + at, j, k, BRUME_WIDE_LANES);
            continue;
        }
        const uint32_t clamped = arrival[0].clamped[v] | arrival[1].clamped[v] | arrival[2].clamped[v];
        const BrumeFloat16 half = brume_select16(clamped, brume_broadcast16(0.5f), brume_broadcast16(0.0f));
        for (int p = 0; p < quantities; p++) {
            const int q = present[p];
            const float *field = corrector->field[q];
            const float *predicted = corrector->predicted[q];
            float *result = corrector->result[q] + c + at;
            brume_prefetch_next_row16(&domain, predicted + end);
            brume_prefetch_next_row16(&domain, field + origin);
            __builtin_prefetch(result + domain.sy, 1);
            const BrumeFloat16 back_traced =
                brume_interpolate16(&domain, predicted + end, &arrival[0], &arrival[1], &arrival[2], v);
            BrumeFloat16 low;
            BrumeFloat16 high;
            brume_range16(&domain, field + origin, &departure[0], &departure[1], &departure[2], v, &low, &high);
            const BrumeFloat16 value =
                brume_load16(predicted + c + at) + half * (brume_load16(field + c + at) - back_traced);
            brume_store16(result, corrector->decay[q] * brume_min16(brume_max16(value, low), high));
        }
    }
}

BRUME_WIDE_KERNEL static void maccormack_wide(const MacCormackCorrector *corrector, const int *present, int quantities,
                                              ptrdiff_t c, int i, int j, int k, int count)
{
    if (corrector->domain.periodic) {
        correct_wide(corrector, true, false, present, quantities, c, i, j, k, count);
    } else if (!brume_is_interior_row(&corrector->domain, j, k)) {
        correct_wide(corrector, false, false, present, quantities, c, i, j, k, count);
    } else if (count < BRUME_SEGMENT) {
        correct_wide(corrector, false, true, present, quantities, c, i, j, k, count);
    } else { // a constant number of vectors, so that the loops over them are unrolled
        correct_wide(corrector, false, true, present, quantities, c, i, j, k, BRUME_SEGMENT);
    }
}

static void correct_segment(const void *context, const BrumeRowSegment *segment)
{
    const MacCormackCorrector *corrector = context;
    const ptrdiff_t c = segment->i + corrector->sy * segment->j + corrector->sz * segment->k;
    int present[BRUME_SCALARS_PER_PASS];
    const int count = brume_clear_empty(corrector->empty, corrector->count, segment, corrector->result, c, present);
    if (count > 0 && segment->count >= BRUME_WIDE_LANES && brume_has_wide_vectors()) {
        maccormack_wide(corrector, present, count, c, segment->i, segment->j, segment->k, segment->count);
    } else if (count > 0) {
        maccormack_row(corrector, present, count, c, segment->i, segment->j, segment->k, segment->count);
    }
}

static MacCormackCorrector make_corrector(const BrumeSim *sim, int location, const BrumeField *results)
{
    MacCormackCorrector corrector = {
        .domain = brume_sampling_domain(sim, location),
        .backward.lower = location == BRUME_AT_CENTER ? 0 : brume_stride(&results[0], location),
        .sy = results[0].sy,
        .sz = results[0].sz,
    };
    for (int axis = 0; axis < 3; axis++) {
        corrector.backward.displacement[axis] = sim->advection->backward.along[axis].data;
        corrector.forward.window[axis] = sim->advection->windows + axis * brume_window_entries(results[0].grid);
    }
    corrector.forward.per_thread = 3 * brume_window_entries(results[0].grid);
    return corrector;
}

// adds a quantity, whose `empty` may be NULL
static void add_quantity(MacCormackCorrector *corrector, const BrumeField *field, const BrumeField *predicted,
                         BrumeField *result, float decay, const uint8_t *empty)
{
    const int n = corrector->count++;
    corrector->field[n] = field->data;
    corrector->predicted[n] = predicted->data;
    corrector->result[n] = result->data;
    corrector->decay[n] = decay;
    corrector->empty[n] = empty;
}

void brume_correct_scalars_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids,
                                const float *decay, const BrumeField *predicted, BrumeField *results, int count)
{
    MacCormackCorrector corrector = make_corrector(sim, BRUME_AT_CENTER, results);
    for (int n = 0; n < count; n++) {
        assert(sim->advection->empty_scalar[n] == ids[n]); // predict_scalars has found their empty blocks
        add_quantity(&corrector, &sim->fields[ids[n]], &predicted[n], &results[n], decay[n], sim->advection->empty[n]);
    }
    const BrumePathKernels kernels = {.kernel = correct_segment, .contexts = {[BRUME_AT_CENTER] = &corrector}};
    brume_trace_forward(sim, transport, sim->advection->cells_per_mps, &kernels);
}

void brume_correct_velocity_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                                 float cells_per_mps, const BrumeField predicted[3], BrumeField results[3])
{
    MacCormackCorrector correctors[3];
    for (int axis = 0; axis < 3; axis++) {
        correctors[axis] = make_corrector(sim, axis, &results[axis]);
        add_quantity(&correctors[axis], &carried[axis], &predicted[axis], &results[axis], 1.0f, NULL);
    }
    const BrumePathKernels kernels = {correct_segment, {&correctors[0], &correctors[1], &correctors[2]}};
    brume_trace_forward(sim, transport, cells_per_mps, &kernels);
}

// the scheme

static void advect_velocity(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], float cells_per_mps,
                            BrumeField results[3])
{
    BrumeField *predicted = sim->scratch + BRUME_SCRATCH_PREDICTED;
    const uint8_t *region = sim->advection->region;
    sim->advection->region = region ? sim->advection->margin : NULL;
    sim->advection->kernels->predict_velocity(sim, transport, carried, cells_per_mps, predicted);
    sim->advection->region = region;
    brume_set_vector_boundary(sim, predicted);
    for (int axis = 0; axis < 3; axis++) { // for the limiter of the corrector
        brume_set_ghosts_on_sides(sim, (BrumeFieldId)axis, &carried[axis]);
    }
    if (carried == sim->fields) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY_GHOSTS);
    }
    brume_exchange_vectors(predicted, carried, sim->advection->reach);
    sim->advection->kernels->correct_velocity(sim, transport, carried, cells_per_mps, predicted, results);
}

static void advect_scalars(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids, const float *decay,
                           int count)
{
    const float no_decay[BRUME_SCALARS_PER_PASS] = {1.0f, 1.0f};
    enum { PREDICTED = 0, RESULTS = PREDICTED + BRUME_SCALARS_PER_PASS }; // fields of sim->scratch
    BrumeField *predicted = &sim->scratch[PREDICTED];
    BrumeField *results = &sim->scratch[RESULTS];
    const BrumeField *read[2 * BRUME_SCALARS_PER_PASS]; // the scalars and their predicted values
    for (int n = 0; n < count; n++) {
        read[n] = &sim->fields[ids[n]];
        read[count + n] = &predicted[n];
    }
    // `transport` need not be the velocity of the displacements
    const int forward = brume_path_reach(sim, transport, sim->advection->cells_per_mps);
    const int reach = brume_max_int(forward, sim->advection->reach);
    brume_exchange(read, count, reach);
    sim->advection->kernels->predict_scalars(sim, ids, no_decay, predicted, count);
    for (int n = 0; n < count; n++) {
        brume_set_boundary(sim, ids[n], &predicted[n]);
        brume_set_ghosts_on_sides(sim, ids[n], &sim->fields[ids[n]]);
    }
    brume_exchange_fields(transport, 3, reach);
    brume_exchange(read, 2 * count, reach);
    sim->advection->kernels->correct_scalars(sim, transport, ids, decay, predicted, results, count);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &results[n]);
    }
}

const BrumeAdvectionScheme brume_advection_maccormack = {
    .name = "maccormack",
    .advect_velocity = advect_velocity,
    .advect_scalars = advect_scalars,
};
