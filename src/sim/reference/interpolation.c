/*
 * Trilinear interpolation on the staggered grid (Bridson 2015, section 3.3): clamp the position to the box, split it
 * into an entry and a weight along each axis, interpolate along x, then y, then z.
 */
#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/reference/advection.h"
#include "sim/state/state.h"

#include <math.h>

/*
 * Clamps a position along an axis to the box. In the coordinates of a quantity at cell centers, the sides of the box
 * are at 1/2 and n + 1/2 and the ghosts at 0 and n + 1; in the coordinates of a quantity on faces across the axis, the
 * sides are at 1 and n + 1.
 */
static float clamp_to_box(const BrumeSim *sim, int location, int axis, float position, bool *clamped)
{
    const float n = (float)brume_cells_along(sim->geometry->cells.grid, axis);
    const bool periodic = sim->geometry->cells.periodic[axis];
    float lowest = 1.0f;
    float highest = n + 1.0f;
    if (location != axis) {
        const bool wall_below = sim->def.faces[2 * axis].kind == BRUME_WALL;
        const bool wall_above = sim->def.faces[2 * axis + 1].kind == BRUME_WALL;
        lowest = wall_below || periodic ? 0.5f : 0.0f;
        highest = wall_above || periodic ? n + 0.5f : n + 1.0f;
    }
    if (periodic) {
        position -= n * floorf((position - lowest) * (1.0f / n));
    }
    const float inside = brume_min_float(brume_max_float(position, lowest), highest);
    *clamped = *clamped || inside != position;
    return inside;
}

static float interpolate(float lower, float upper, float weight) { return lower + weight * (upper - lower); }

BrumeSample brume_reference_sample(const BrumeSim *sim, const BrumeField *field, int location, const float position[3])
{
    BrumeSample sample = {.low = INFINITY, .high = -INFINITY};
    int entry[3];
    float weight[3];
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(field->grid, axis);
        const float inside = clamp_to_box(sim, location, axis, position[axis], &sample.clamped);
        entry[axis] = (int)inside < n ? (int)inside : n; // a position at n + 1 is between entries n and n + 1
        weight[axis] = inside - (float)entry[axis];
    }
    float along_y[2];
    for (int z = 0; z < 2; z++) {
        float along_x[2];
        for (int y = 0; y < 2; y++) {
            const float lower = brume_field_at(field, entry[0], entry[1] + y, entry[2] + z);
            const float upper = brume_field_at(field, entry[0] + 1, entry[1] + y, entry[2] + z);
            along_x[y] = interpolate(lower, upper, weight[0]);
            sample.low = brume_min_float(brume_min_float(sample.low, lower), upper);
            sample.high = brume_max_float(brume_max_float(sample.high, lower), upper);
        }
        along_y[z] = interpolate(along_x[0], along_x[1], weight[1]);
    }
    sample.value = interpolate(along_y[0], along_y[1], weight[2]);
    return sample;
}
