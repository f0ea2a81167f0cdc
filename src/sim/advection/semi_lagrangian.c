/*
 * Semi-Lagrangian advection (Stam 1999, "Stable Fluids", section 2.2): the new value of an entry is the old value at
 * its departure point, where its air was at the start of the step. First order in time and space, creates no new
 * extremum, stable for any time step.
 *
 * The plain equivalent of the kernel below is in src/sim/reference/advection.c. This one processes eight entries at a
 * time, uses the same trilinear weights for several quantities, does not clamp in interior rows and clears empty
 * blocks; fast_kernels.h says why the results have the same bits.
 */
#include "core/domain.h"
#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/advection/fast_kernels.h"
#include "sim/advection/trilinear.h"
#include "sim/advection/trilinear_wide.h"
#include "sim/state/state.h"

#include <string.h>

// quantities at one location and the offsets to their departure points
typedef struct SemiLagrangianStep {
    BrumeSamplingDomain domain;
    BrumeDepartureOffsets departure;
    ptrdiff_t sy, sz;
    int count;
    const float *field[BRUME_SCALARS_PER_PASS];
    float *result[BRUME_SCALARS_PER_PASS];
    float decay[BRUME_SCALARS_PER_PASS];
    const uint8_t *empty[BRUME_SCALARS_PER_PASS]; // one per block, or NULL
} SemiLagrangianStep;

BRUME_INLINE void advect_entries(const SemiLagrangianStep *step, bool periodic, bool interior, const int *present,
                                 int quantities, ptrdiff_t c, int i, int j, int k, int count)
{
    const BrumeSamplingDomain domain = step->domain; // a local copy, which stores to a result cannot alias
    const BrumeDepartureOffsets departure = step->departure;
    BrumeTrilinearWeights weights;
    brume_find_departures(&weights, &domain, periodic, interior, &departure, c, i, j, k, count);
    for (int p = 0; p < quantities; p++) {
        const int q = present[p];
        const float *field = step->field[q];
        float *result = step->result[q] + c;
        const float decay = step->decay[q];
        for (int n = 0; n < count; n += BRUME_LANES) {
            const int at = brume_vector_start(n, count);
            BrumeFloat8 value;
            brume_interpolate8(&domain, field, &weights, n, &value);
            brume_scale8(&value, decay);
            brume_store8(result + at, &value);
        }
    }
}

BRUME_KERNEL static void semi_lagrangian_row(const SemiLagrangianStep *step, const int *present, int quantities,
                                             ptrdiff_t c, int i, int j, int k, int count)
{
    if (brume_is_interior_row(&step->domain, j, k)) {
        advect_entries(step, step->domain.periodic, true, present, quantities, c, i, j, k, count);
    } else if (step->domain.periodic) {
        advect_entries(step, true, false, present, quantities, c, i, j, k, count);
    } else {
        advect_entries(step, false, false, present, quantities, c, i, j, k, count);
    }
}

// as advect_entries for at least 16 entries, in vectors of 16
BRUME_WIDE_INLINE void advect_wide(const SemiLagrangianStep *step, bool periodic, bool interior, const int *present,
                                   int quantities, ptrdiff_t c, int i, int j, int k, int count)
{
    const BrumeSamplingDomain domain = step->domain;
    const float *const *displacement = step->departure.displacement;
    const ptrdiff_t lower = step->departure.lower;
    BrumeWideAxis x;
    BrumeWideAxis y;
    BrumeWideAxis z;
    brume_find_ends16(&x, &domain, periodic, false, 0, i, displacement[0] + c, lower, count);
    brume_find_ends16(&y, &domain, periodic, interior, 1, j, displacement[1] + c, lower, count);
    brume_find_ends16(&z, &domain, periodic, interior, 2, k, displacement[2] + c, lower, count);
    for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
        const int v = n / BRUME_WIDE_LANES;
        const int at = brume_wide_start(n, count);
        const ptrdiff_t first = brume_first_entry16(&domain, &x, &y, &z, v);
        if (first < 0) {
            semi_lagrangian_row(step, present, quantities, c + at, i + at, j, k, BRUME_WIDE_LANES);
            continue;
        }
        for (int p = 0; p < quantities; p++) {
            const int q = present[p];
            const float *field = step->field[q] + first;
            float *result = step->result[q] + c + at;
            brume_prefetch_next_row16(&domain, field);
            __builtin_prefetch(result + domain.sy, 1);
            brume_store16(result, step->decay[q] * brume_interpolate16(&domain, field, &x, &y, &z, v));
        }
    }
}

BRUME_WIDE_KERNEL static void semi_lagrangian_wide(const SemiLagrangianStep *step, const int *present, int quantities,
                                                   ptrdiff_t c, int i, int j, int k, int count)
{
    if (step->domain.periodic) {
        advect_wide(step, true, false, present, quantities, c, i, j, k, count);
    } else if (!brume_is_interior_row(&step->domain, j, k)) {
        advect_wide(step, false, false, present, quantities, c, i, j, k, count);
    } else if (count < BRUME_SEGMENT) {
        advect_wide(step, false, true, present, quantities, c, i, j, k, count);
    } else { // a constant number of vectors, so that the loops over them are unrolled
        advect_wide(step, false, true, present, quantities, c, i, j, k, BRUME_SEGMENT);
    }
}

static void advect_segment(const void *context, const BrumeRowSegment *segment)
{
    const SemiLagrangianStep *step = context;
    const ptrdiff_t c = segment->i + step->sy * segment->j + step->sz * segment->k;
    int present[BRUME_SCALARS_PER_PASS];
    const int count = brume_clear_empty(step->empty, step->count, segment, step->result, c, present);
    if (count > 0 && segment->count >= BRUME_WIDE_LANES && brume_has_wide_vectors()) {
        semi_lagrangian_wide(step, present, count, c, segment->i, segment->j, segment->k, segment->count);
    } else if (count > 0) {
        semi_lagrangian_row(step, present, count, c, segment->i, segment->j, segment->k, segment->count);
    }
}

static SemiLagrangianStep make_step(const BrumeSim *sim, int location, BrumeField *results)
{
    SemiLagrangianStep step = {
        .domain = brume_sampling_domain(sim, location),
        .departure.lower = location == BRUME_AT_CENTER ? 0 : brume_stride(&results[0], location),
        .sy = results[0].sy,
        .sz = results[0].sz,
    };
    for (int axis = 0; axis < 3; axis++) {
        step.departure.displacement[axis] = sim->advection->backward.along[axis].data;
    }
    return step;
}

// adds a quantity, whose `empty` may be NULL
static void add_quantity(SemiLagrangianStep *step, const BrumeField *field, BrumeField *result, float decay,
                         const uint8_t *empty)
{
    const int n = step->count++;
    step->field[n] = field->data;
    step->result[n] = result->data;
    step->decay[n] = decay;
    step->empty[n] = empty;
}

void brume_predict_scalars_fast(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results,
                                int count)
{
    brume_find_empty_blocks(sim, ids, count);
    SemiLagrangianStep step = make_step(sim, BRUME_AT_CENTER, results);
    for (int n = 0; n < count; n++) {
        add_quantity(&step, &sim->fields[ids[n]], &results[n], decay[n], sim->advection->empty[n]);
    }
    brume_for_each_segment(results[0].grid, advect_segment, &step);
}

void brume_predict_velocity_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                                 float cells_per_mps, BrumeField results[3])
{
    SemiLagrangianStep steps[3];
    for (int axis = 0; axis < 3; axis++) {
        steps[axis] = make_step(sim, axis, &results[axis]);
        add_quantity(&steps[axis], &carried[axis], &results[axis], 1.0f, NULL);
    }
    const BrumePathKernels faces = {advect_segment, {&steps[0], &steps[1], &steps[2]}};
    brume_trace(sim, transport, cells_per_mps, &faces);
}

// the scheme

static void advect_velocity(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], float cells_per_mps,
                            BrumeField results[3])
{
    sim->advection->kernels->predict_velocity(sim, transport, carried, cells_per_mps, results);
}

static void advect_scalars(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids, const float *decay,
                           int count)
{
    (void)transport; // the displacements suffice
    BrumeField *results = sim->scratch;
    const BrumeField *scalars[BRUME_SCALARS_PER_PASS] = {NULL};
    for (int n = 0; n < count; n++) {
        scalars[n] = &sim->fields[ids[n]];
    }
    brume_exchange(scalars, count, sim->advection->reach);
    sim->advection->kernels->predict_scalars(sim, ids, decay, results, count);
    for (int n = 0; n < count; n++) {
        brume_field_swap(&sim->fields[ids[n]], &results[n]);
    }
}

const BrumeAdvectionScheme brume_advection_semi_lagrangian = {
    .name = "semi-lagrangian",
    .advect_velocity = advect_velocity,
    .advect_scalars = advect_scalars,
};
