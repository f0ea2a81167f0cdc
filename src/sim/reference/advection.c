/*
 * The semi-Lagrangian step (Stam 1999, "Stable Fluids", section 2.2) and the MacCormack corrector (Selle, Fedkiw, Kim,
 * Liu, Rossignac 2008, "An Unconditionally Stable MacCormack Method"). How the two are combined into schemes is in
 * src/sim/advection/semi_lagrangian.c and maccormack.c.
 */
#include "sim/reference/advection.h"

#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

/*
 * The position that an entry reaches by a displacement, in the index coordinates of its own field. Displacements are
 * known at cell centres; a face has the mean of the two adjacent centres.
 */
static void end_of_path(const BrumeDisplacement *displacement, int location, const int entry[3], float position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *along = &displacement->along[axis];
        const float *above = along->data + brume_field_index(along, entry[0], entry[1], entry[2]);
        const float below = location == BRUME_AT_CENTER ? *above : *(above - brume_stride(along, location));
        position[axis] = (float)entry[axis] + 0.5f * (*above + below);
    }
}

/*
 * As end_of_path along `backward`, continued to the position that the entry reaches in the next step. The path is
 * x(t), and x(t + dt) - x(t) = 2 dt u + (x(t - dt) - x(t)) to third order in dt, where u is the velocity at x(t).
 * As every displacement of the step, this one is at most `displacement_bound`; only where u varies strongly from cell
 * to cell can it exceed the bound before it is limited.
 */
static void continued_path(const BrumeAdvection *advection, const BrumeField transport[3], float cells_per_mps,
                           int location, const int entry[3], float position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *along = &advection->backward.along[axis];
        const ptrdiff_t c = brume_field_index(along, entry[0], entry[1], entry[2]);
        const ptrdiff_t lower = location == BRUME_AT_CENTER ? 0 : brume_stride(along, location);
        const float *u = transport[axis].data;
        const ptrdiff_t next = brume_stride(along, axis);
        float twice; // 2 dt u, with u at the entry: at the face itself, or the mean of the two or four closest faces
        if (location == axis) {
            twice = 2.0f * cells_per_mps * u[c];
        } else if (location == BRUME_AT_CENTER) {
            twice = cells_per_mps * (u[c] + u[c + next]);
        } else {
            twice = 0.5f * cells_per_mps * ((u[c] + u[c + next]) + (u[c - lower] + u[c - lower + next]));
        }
        const float back = 0.5f * (along->data[c] + along->data[c - lower]);
        const float bound = (float)advection->displacement_bound;
        position[axis] = (float)entry[axis] + brume_min_float(brume_max_float(twice + back, -bound), bound);
    }
}

// whether the kernels of a location set entry (i, j, k): all of cell centres, and of faces those in the active blocks
static bool is_set(const BrumeSim *sim, int location, int i, int j, int k)
{
    const uint8_t *region = sim->advection->region;
    return location == BRUME_AT_CENTER || !region || region[brume_active_block(sim->geometry->cells.grid, i, j, k)];
}

// result(x) = decay field(x + backward), for all entries x of a location that are advected
static void advect(const BrumeSim *sim, int location, const BrumeField *field, float decay, BrumeField *result)
{
    const BrumeGrid entries = brume_advected_entries(sim, location);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= entries.nz; k++) {
        for (int j = 1; j <= entries.ny; j++) {
            for (int i = 1; i <= entries.nx; i++) {
                if (!is_set(sim, location, i, j, k)) {
                    continue;
                }
                float departure[3];
                end_of_path(&sim->advection->backward, location, (const int[3]){i, j, k}, departure);
                const float value = brume_reference_sample(sim, field, location, departure).value;
                result->data[brume_field_index(result, i, j, k)] = decay * value;
            }
        }
    }
}

/*
 * result(x) = decay clamp(predicted(x) + 1/2 (field(x) - back_traced(x))), where back_traced(x) = predicted(x +
 * forward), which would equal field(x) if advection were exact. The clamp is to the range of the eight values from
 * which predicted(x) was interpolated. The correction is omitted where x + forward is outside the box.
 */
static void correct(const BrumeSim *sim, int location, const BrumeField *field, float decay,
                    const BrumeField *predicted, const BrumeField transport[3], float cells_per_mps, BrumeField *result)
{
    const BrumeGrid entries = brume_advected_entries(sim, location);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= entries.nz; k++) {
        for (int j = 1; j <= entries.ny; j++) {
            for (int i = 1; i <= entries.nx; i++) {
                if (!is_set(sim, location, i, j, k)) {
                    continue;
                }
                float departure[3];
                float arrival[3];
                end_of_path(&sim->advection->backward, location, (const int[3]){i, j, k}, departure);
                continued_path(sim->advection, transport, cells_per_mps, location, (const int[3]){i, j, k}, arrival);
                const BrumeSample source = brume_reference_sample(sim, field, location, departure);
                const BrumeSample back_traced = brume_reference_sample(sim, predicted, location, arrival);
                const float half = back_traced.clamped ? 0.0f : 0.5f;
                const float error = brume_field_at(field, i, j, k) - back_traced.value;
                const float corrected = brume_field_at(predicted, i, j, k) + half * error;
                const float clamped = brume_min_float(brume_max_float(corrected, source.low), source.high);
                result->data[brume_field_index(result, i, j, k)] = decay * clamped;
            }
        }
    }
}

static void advect_velocity(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                            float cells_per_mps, BrumeField results[3])
{
    brume_reference_trace(sim, transport, -cells_per_mps, &sim->advection->backward);
    for (int axis = 0; axis < 3; axis++) {
        advect(sim, axis, &carried[axis], 1.0f, &results[axis]);
    }
}

static void correct_velocity(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                             float cells_per_mps, const BrumeField predicted[3], BrumeField results[3])
{
    for (int axis = 0; axis < 3; axis++) {
        correct(sim, axis, &carried[axis], 1.0f, &predicted[axis], transport, cells_per_mps, &results[axis]);
    }
}

static void advect_scalars(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results, int count)
{
    for (int n = 0; n < count; n++) {
        advect(sim, BRUME_AT_CENTER, &sim->fields[ids[n]], decay[n], &results[n]);
    }
}

static void correct_scalars(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids, const float *decay,
                            const BrumeField *predicted, BrumeField *results, int count)
{

    for (int n = 0; n < count; n++) {
        correct(sim, BRUME_AT_CENTER, &sim->fields[ids[n]], decay[n], &predicted[n], transport,
                sim->advection->cells_per_mps, &results[n]);
    }
}

const BrumeAdvectionKernels brume_reference_advection = {
    .advect_velocity = advect_velocity,
    .correct_velocity = correct_velocity,
    .advect_scalars = advect_scalars,
    .correct_scalars = correct_scalars,
};
