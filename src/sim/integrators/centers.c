#include "sim/integrators/centers.h"

#include "core/field.h"
#include "sim/boundary/boundary.h"
#include "sim/measures/monitor.h"

#include <assert.h>

void brume_set_center_ghosts(const BrumeSim *sim, BrumeField *field)
{
    brume_set_sides(sim, BRUME_FIELD_TEMPERATURE, field); // walls insulate
}

void brume_find_centers(BrumeSim *sim)
{
    if (brume_holds(sim, BRUME_VALID_PREVIOUS)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *faces = &sim->fields[axis];
        BrumeField *centers = &sim->previous[axis];
        const ptrdiff_t next = brume_stride(faces, axis);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= faces->grid.nz; k++) {
            for (int j = 1; j <= faces->grid.ny; j++) {
                for (int i = 1; i <= faces->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(faces, i, j, k);
                    centers->data[c] = 0.5f * (faces->data[c] + faces->data[c + next]);
                }
            }
        }
        brume_set_center_ghosts(sim, centers);
    }
    brume_establish(sim, BRUME_VALID_PREVIOUS);
}

void brume_centers_take_changes(BrumeSim *sim)
{
    assert(brume_holds(sim, BRUME_VALID_PREVIOUS));
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *faces = &sim->fields[axis];
        BrumeField *centers = &sim->previous[axis];
        BrumeField *results = &sim->scratch[axis];
        const ptrdiff_t next = brume_stride(faces, axis);
        const int last = brume_cells_along(faces->grid, axis);
        const bool walls[2] = {sim->def.faces[2 * axis].kind == BRUME_WALL,
                               sim->def.faces[2 * axis + 1].kind == BRUME_WALL};
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= faces->grid.nz; k++) {
            for (int j = 1; j <= faces->grid.ny; j++) {
                for (int i = 1; i <= faces->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(faces, i, j, k);
                    const int index[3] = {i, j, k};
                    const float *u = centers->data + c;
                    const float lower = faces->data[c] - 0.5f * (u[-next] + u[0]);
                    const float upper = faces->data[c + next] - 0.5f * (u[0] + u[next]);
                    const bool beside_lower = index[axis] == 1 && walls[0];
                    const bool beside_upper = index[axis] == last && walls[1];
                    const float change = beside_lower ? upper : beside_upper ? lower : 0.5f * (lower + upper);
                    results->data[c] = u[0] + change;
                }
            }
        }
        brume_field_swap(centers, results);
        brume_set_center_ghosts(sim, centers);
    }
}

void brume_centers_to_faces(BrumeSim *sim)
{
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *centers = &sim->previous[axis];
        BrumeField *faces = &sim->fields[axis];
        const ptrdiff_t next = brume_stride(faces, axis);
        brume_set_center_ghosts(sim, centers);
        const int planes = faces->grid.nz + (axis == 2);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= planes; k++) {
            for (int j = 1; j <= faces->grid.ny + (axis == 1); j++) {
                for (int i = 1; i <= faces->grid.nx + (axis == 0); i++) {
                    const ptrdiff_t c = brume_field_index(faces, i, j, k);
                    faces->data[c] = 0.5f * (centers->data[c - next] + centers->data[c]);
                }
            }
        }
    }
    brume_set_velocity_boundary(sim);
    brume_establish(sim, BRUME_VALID_DIVERGENCE_FREE);
    (void)brume_measure_flow(sim);
}
