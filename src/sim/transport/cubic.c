/*
 * Semi-Lagrangian transport with monotone cubic interpolation (Fedkiw, Stam, Jensen 2001, "Visual Simulation of Smoke",
 * appendix B): along each axis a cubic through two values, with the slopes of central differences, which are 0 where
 * they have another sign than the difference of the two values. No overshoot; sums are not conserved.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/transport/path_ends.h"
#include "sim/transport/transport.h"

static float monotone_slope(float slope, float difference)
{
    const bool same = (slope > 0.0f && difference > 0.0f) || (slope < 0.0f && difference < 0.0f);
    return same ? slope : 0.0f;
}

// the cubic between v[1] and v[2] at a fraction t of the distance, limited to their range
static float interpolate(const float v[4], float t)
{
    const float difference = v[2] - v[1];
    const float lower = monotone_slope(0.5f * (v[2] - v[0]), difference);
    const float upper = monotone_slope(0.5f * (v[3] - v[1]), difference);
    const float cubic = lower + upper - 2.0f * difference;
    const float square = 3.0f * difference - 2.0f * lower - upper;
    const float value = ((cubic * t + square) * t + lower) * t + v[1];
    return brume_min_float(brume_max_float(value, brume_min_float(v[1], v[2])), brume_max_float(v[1], v[2]));
}

// the index of the n-th of the four entries around a path's end: from 0 to cells + 1, or wrapped
static int entry_of(const BrumeSamplingDomain *domain, int axis, int entry, int n)
{
    const int index = entry + n - 1;
    const int cells = domain->last[axis];
    if (domain->period[axis] > 0.0f) {
        return brume_wrap_any_index(index, cells);
    }
    return brume_max_int(0, brume_min_int(index, cells + 1));
}

static float sample(const BrumeField *field, const BrumeSamplingDomain *domain, const BrumePathEnd *end)
{
    float along_z[4];
    for (int z = 0; z < 4; z++) {
        float along_y[4];
        for (int y = 0; y < 4; y++) {
            const ptrdiff_t row = brume_field_index(field, 0, entry_of(domain, 1, end->entry[1], y),
                                                    entry_of(domain, 2, end->entry[2], z));
            float along_x[4];
            for (int x = 0; x < 4; x++) {
                along_x[x] = field->data[row + entry_of(domain, 0, end->entry[0], x)];
            }
            along_y[y] = interpolate(along_x, end->weight[0]);
        }
        along_z[z] = interpolate(along_y, end->weight[1]);
    }
    return interpolate(along_z, end->weight[2]);
}

static void advance(BrumeSim *sim, const BrumeField velocity[3], double dt, const BrumeFieldId *ids, const float *decay,
                    int count, BrumeScalarExchange *exchange)
{
    (void)velocity;
    (void)dt;
    (void)exchange;
    const BrumeSamplingDomain domain = brume_sampling_domain(sim, BRUME_AT_CENTER);
    BrumeField *result = &sim->scratch[0];
    const BrumeGrid grid = result->grid;
    const double longest = brume_longest_path(&sim->advection->backward.along[2], sim->planes);
    const BrumeField *fields[BRUME_TRANSPORT_SCALARS];
    for (int n = 0; n < count; n++) {
        fields[n] = &sim->fields[ids[n]];
        brume_set_boundary(sim, ids[n], &sim->fields[ids[n]]);
    }
    brume_exchange(fields, count, brume_path_depth(grid, longest) + 1); // four planes around the end of a path
    for (int n = 0; n < count; n++) {
        BrumeField *field = &sim->fields[ids[n]];
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const BrumePathEnd end = brume_path_end(&domain, &sim->advection->backward, i, j, k);
                    const float value = decay[n] * sample(field, &domain, &end);
                    // smaller values become 0, before they become denormal numbers
                    result->data[brume_field_index(result, i, j, k)] = fabsf(value) < 0x1p-60f ? 0.0f : value;
                }
            }
        }
        brume_field_swap(field, result);
    }
}

const BrumeTransportScheme brume_transport_cubic = {
    .name = "cubic",
    .conserves = false,
    .needs_displacement = true,
    .advance = advance,
};
