/*
 * The semi-Lagrangian step (Stam 1999, "Stable Fluids", section 2.2) and the MacCormack corrector (Selle, Fedkiw, Kim,
 * Liu, Rossignac 2008, "An Unconditionally Stable MacCormack Method"). How the two are combined into schemes is in
 * src/sim/advection/semi_lagrangian.c and maccormack.c.
 */
#include "sim/reference/advection.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

/*
 * The position that an entry reaches by a displacement, in the index coordinates of its own field. Displacements are
 * known at cell centers; a face has the mean of the two adjacent centers.
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
 * The position that an entry reaches by a step forward in time. The displacements of centers are computed where they
 * are needed; they are not stored.
 */
static void end_of_forward_path(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps, int location,
                                const int entry[3], float position[3])
{
    int center[3] = {entry[0], entry[1], entry[2]};
    float above[3];
    float below[3];
    brume_reference_trace_center(sim, transport, center, cells_per_mps, above);
    if (location != BRUME_AT_CENTER) {
        center[location]--;
    }
    brume_reference_trace_center(sim, transport, center, cells_per_mps, below);
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = (float)entry[axis] + 0.5f * (above[axis] + below[axis]);
    }
}

// whether the kernels of a location set entry (i, j, k): all cell centers, and the faces in the active blocks
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
    for (int k = brume_first_plane(result->grid); k <= brume_planes_to(result->grid, entries.nz); k++) {
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
    for (int k = brume_first_plane(result->grid); k <= brume_planes_to(result->grid, entries.nz); k++) {
        for (int j = 1; j <= entries.ny; j++) {
            for (int i = 1; i <= entries.nx; i++) {
                if (!is_set(sim, location, i, j, k)) {
                    continue;
                }
                float departure[3];
                float arrival[3];
                end_of_path(&sim->advection->backward, location, (const int[3]){i, j, k}, departure);
                end_of_forward_path(sim, transport, cells_per_mps, location, (const int[3]){i, j, k}, arrival);
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

static void predict_velocity(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
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

static void predict_scalars(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results, int count)
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
    .predict_velocity = predict_velocity,
    .correct_velocity = correct_velocity,
    .predict_scalars = predict_scalars,
    .correct_scalars = correct_scalars,
};
