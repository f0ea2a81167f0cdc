/*
 * The trace: where the air at each cell center was at the start of the step. Runge-Kutta integration
 * of dx/dt = u(x) with the velocity held fixed during the step: second order (midpoint; Bridson 2015, section 3.2) or
 * third order (Ralston 1962; Bridson 2015, appendix A.2).
 */
#include "core/domain.h"
#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"
#include "sim/reference/advection.h"
#include "sim/state/state.h"

// the velocity at a cell center: the mean of the two faces across each axis [m/s]
static void velocity_at_center(const BrumeField transport[3], const int cell[3], float velocity[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *component = &transport[axis];
        const float *face = component->data + brume_field_index(component, cell[0], cell[1], cell[2]);
        velocity[axis] = 0.5f * (face[0] + face[brume_stride(component, axis)]);
    }
}

// the velocity at the point that is `step` * `direction` away from a cell center [m/s]
static void velocity_at(const BrumeSim *sim, const BrumeField transport[3], const int cell[3], float step,
                        const float direction[3], float velocity[3])
{
    for (int component = 0; component < 3; component++) {
        float position[3];
        for (int axis = 0; axis < 3; axis++) {
            // the center of cell i is at i + 1/2 among the faces across this axis, whose lower face is at i
            const float center = (float)cell[axis] + (axis == component ? 0.5f : 0.0f);
            position[axis] = center + step * direction[axis];
        }
        velocity[component] = brume_reference_sample(sim, &transport[component], component, position).value;
    }
}

static void trace_cell(const BrumeSim *sim, const BrumeField transport[3], const int cell[3], float step,
                       float displacement[3])
{
    float v1[3];
    float v2[3];
    float v3[3];
    velocity_at_center(transport, cell, v1);
    velocity_at(sim, transport, cell, 0.5f * step, v1, v2);
    if (sim->def.trace_order == 2) {
        for (int axis = 0; axis < 3; axis++) {
            displacement[axis] = step * v2[axis];
        }
        return;
    }
    velocity_at(sim, transport, cell, 0.75f * step, v2, v3);
    for (int axis = 0; axis < 3; axis++) {
        displacement[axis] = step / 9.0f * ((2.0f * v1[axis] + 3.0f * v2[axis]) + 4.0f * v3[axis]);
    }
}

void brume_reference_trace_center(const BrumeSim *sim, const BrumeField transport[3], const int center[3],
                                  float cells_per_mps, float displacement[3])
{
    int cell[3];
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(sim->geometry->cells.grid, axis);
        const bool periodic = sim->geometry->cells.periodic[axis];
        const bool beyond = center[axis] < 1 || center[axis] > n;
        const int adjacent = center[axis] < 1 ? 1 : n;
        cell[axis] = !beyond ? center[axis] : periodic ? n + 1 - adjacent : adjacent;
    }
    trace_cell(sim, transport, cell, cells_per_mps, displacement);
}

void brume_reference_trace(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps,
                           BrumeDisplacement *displacement)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    if (brume_first_plane(grid) > brume_last_plane(grid)) {
        return;
    }
    // with the plane below the first one of this rank, for the faces in between; above a periodic z there are none
    const int last = sim->geometry->cells.periodic[2] ? brume_last_plane(grid) : brume_highest_plane(grid);
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid) - 1; k <= last; k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            for (int i = 0; i <= grid.nx + 1; i++) {
                float along[3];
                brume_reference_trace_center(sim, transport, (const int[3]){i, j, k}, cells_per_mps, along);
                for (int axis = 0; axis < 3; axis++) {
                    BrumeField *component = &displacement->along[axis];
                    component->data[brume_field_index(component, i, j, k)] = along[axis];
                }
            }
        }
    }
}
