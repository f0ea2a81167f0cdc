#include "sim/boundary/cut_walls.h"

#include "core/field.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cells.h"
#include "sim/pressure/poisson/poisson.h"

enum { AXES = 3 };

// the velocity [m/s] along an axis of the solid that closes a part of a face of the cell at `index`
static float wall_velocity(const BrumeSim *sim, int axis, ptrdiff_t face, const int index[AXES])
{
    const uint8_t *id = sim->geometry->cells.wall_ids + face;
    const int nearest = brume_max_int(id[0], id[-brume_stride(&sim->fields[axis], axis)]);
    return nearest > 0 ? brume_body_velocity_at(sim, nearest - 1, index, axis) : 0.0f;
}

float brume_wall_velocity_beside(const BrumeSim *sim, int body, int component, ptrdiff_t face, int side, float distance)
{
    if (!brume_body_moves(sim, body)) {
        return 0.0f;
    }
    const BrumeField *field = &sim->fields[component];
    int index[AXES] = {(int)(face % field->sy), (int)(face % field->sz / field->sy), (int)(face / field->sz)};
    const float here = brume_body_velocity_at(sim, body, index, component);
    index[side / 2] += side % 2 ? 1 : -1;
    return here + distance * (brume_body_velocity_at(sim, body, index, component) - here);
}

// The volume that passes a face of the cell at `index` over dx^2, less what would pass at the velocity `reference`
// [m/s]. With the velocity of the wall as reference, the closed part of a face adds nothing, and no rounding error of
// it.
static float flux(const BrumeSim *sim, int axis, ptrdiff_t face, const int index[AXES], float reference)
{
    const float open = sim->geometry->cells.fractions->face[axis].data[face];
    const float velocity = sim->fields[axis].data[face];
    if (open == 1.0f) {
        return velocity - reference;
    }
    const float wall = wall_velocity(sim, axis, face, index);
    return open * (velocity - wall) + (wall - reference);
}

void brume_cut_divergence_row(const BrumeSim *sim, float *out, float scale, int j, int k)
{
    const BrumeField *u = &sim->fields[0];
    const BrumeCells *cells = &sim->geometry->cells;
    for (int i = 1; i <= u->grid.nx; i++) {
        const ptrdiff_t c = brume_field_index(u, i, j, k);
        const int id = cells->wall_ids[c];
        const int index[AXES] = {i, j, k};
        float along[AXES];
        for (int axis = 0; axis < AXES; axis++) {
            const float reference = id > 0 ? brume_body_velocity_at(sim, id - 1, index, axis) : 0.0f;
            along[axis] =
                flux(sim, axis, c + brume_stride(u, axis), index, reference) - flux(sim, axis, c, index, reference);
        }
        out[i] = cells->flags[c] & BRUME_CELL_FLUID ? scale * ((along[0] + along[1]) + along[2]) : 0.0f;
    }
}

void brume_set_covered_faces(BrumeSim *sim)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumePoisson *poisson = brume_pressure_operator(sim->geometry->pressure);
    const BrumeGrid grid = cells->grid;
    if (!cells->fractions) {
        return;
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            if (!brume_poisson_cut(poisson, j, k)) {
                continue; // closed faces lie on solid cells alone
            }
            for (int axis = 0; axis < AXES; axis++) {
                BrumeField *velocity = &sim->fields[axis];
                const ptrdiff_t row = brume_field_index(velocity, 0, j, k);
                for (int i = 1; i <= grid.nx; i++) {
                    if (cells->fractions->face[axis].data[row + i] == 0.0f) {
                        velocity->data[row + i] = wall_velocity(sim, axis, row + i, (const int[]){i, j, k});
                    }
                }
            }
        }
    }
}
