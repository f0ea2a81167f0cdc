#include "sim/boundary/cut_walls.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/grid/cells.h"
#include "sim/grid/fractions.h"

enum { AXES = 3 };

// the velocity [m/s] along an axis of the solid that closes a part of a face of the cell at `index`
static float wall_velocity(const BrumeSim *sim, int axis, ptrdiff_t face, const int index[AXES])
{
    const uint8_t *id = sim->geometry->cells.wall_ids + face;
    const int nearest = brume_max_int(id[0], id[-brume_stride(&sim->fields[axis], axis)]);
    return nearest > 0 && brume_body_moves(sim, nearest - 1) ? brume_body_velocity_at(sim, nearest - 1, index, axis)
                                                             : 0.0f;
}

float brume_wall_velocity_beside(const BrumeSim *sim, int body, int component, ptrdiff_t face, int side, float distance)
{
    if (!brume_body_moves(sim, body)) {
        return 0.0f;
    }
    const BrumeField *field = &sim->fields[component];
    int index[AXES];
    brume_entry_indices(face, field->sy, field->sz, index);
    const float here = brume_body_velocity_at(sim, body, index, component);
    index[side / 2] += side % 2 ? 1 : -1;
    return here + distance * (brume_body_velocity_at(sim, body, index, component) - here);
}

// The volume of air that passes a face over dx^2, less what would pass at the velocity `reference` [m/s] of the wall in
// a cell. Of all faces of a cell, such fluxes add up to what the wall in it displaces, its area times its velocity.
static float air_flux(const BrumeSim *sim, int axis, ptrdiff_t face, float reference)
{
    return sim->geometry->cells.fractions->face[axis].data[face] * (sim->fields[axis].data[face] - reference);
}

// The part of face `face` that is outside of all bodies, though the face may be closed as a whole because a thin one
// passes.
static float part_outside(const BrumeCells *cells, int axis, ptrdiff_t face)
{
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const float *corner = cells->distance.data + face;
    const ptrdiff_t along = brume_stride(&cells->distance, inner);
    const ptrdiff_t across = brume_stride(&cells->distance, outer);
    return brume_open_area((const float[]){corner[0], corner[along], corner[along + across], corner[across]});
}

// The same with what passes the wall where the part of a face that is outside of all bodies is closed with the rest.
// Where two bodies of different velocities meet, each cell has the velocity of one of them: with the velocities of
// both, a cell of which almost nothing is open would have to let their difference, through its whole faces, out through
// what is open.
static float flux(const BrumeSim *sim, int axis, ptrdiff_t face, const int index[AXES], float reference)
{
    const BrumeCells *cells = &sim->geometry->cells;
    if (cells->fractions->face[axis].data[face] > 0.0f) {
        return air_flux(sim, axis, face, reference);
    }
    const float part = part_outside(cells, axis, face);
    return part > 0.0f ? part * (wall_velocity(sim, axis, face, index) - reference) : 0.0f;
}

float brume_cut_divergence(const BrumeSim *sim, int i, int j, int k)
{
    const BrumeField *u = &sim->fields[0];
    const BrumeCells *cells = &sim->geometry->cells;
    const ptrdiff_t c = brume_field_index(u, i, j, k);
    const int id = cells->wall_ids[c];
    const bool moves = id > 0 && brume_body_moves(sim, id - 1);
    const int index[AXES] = {i, j, k};
    const bool deforms = moves && brume_body_deforms(sim, id - 1);
    float along[AXES] = {0.0f};
    for (int axis = 0; cells->flags[c] & BRUME_CELL_FLUID && axis < AXES; axis++) {
        const float reference = deforms ? brume_wall_velocity_in_cell(sim, id - 1, index, axis)
                                : moves ? brume_body_velocity_at(sim, id - 1, index, axis)
                                        : 0.0f;
        const ptrdiff_t above = c + brume_stride(u, axis);
        along[axis] = deforms ? air_flux(sim, axis, above, reference) - air_flux(sim, axis, c, reference)
                              : flux(sim, axis, above, index, reference) - flux(sim, axis, c, index, reference);
    }
    return (along[0] + along[1]) + along[2];
}

void brume_cut_divergence_row(const BrumeSim *sim, float *out, float scale, int j, int k)
{
    for (int i = 1; i <= sim->fields[0].grid.nx; i++) {
        out[i] = scale * brume_cut_divergence(sim, i, j, k);
    }
}

void brume_set_covered_faces(const BrumeSim *sim, int axis, BrumeField *velocity)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeField *fraction = &cells->fractions->face[axis];
    const BrumeGrid grid = cells->grid;
    // entry n+1 along the axis is the face on the upper side
    const int last[AXES] = {grid.nx + (axis == 0), grid.ny + (axis == 1),
                            brume_planes_to(velocity->grid, grid.nz + (axis == 2))};
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(velocity->grid, 1); k <= last[2]; k++) {
        for (int j = 1; j <= last[1]; j++) {
            const ptrdiff_t row = brume_field_index(velocity, 0, j, k);
            if (!brume_cells_row_is_cut(cells, brume_min_int(j, grid.ny), brume_min_int(k, grid.nz))) {
                continue;
            }
            for (int i = 1; i <= last[0]; i++) {
                if (fraction->data[row + i] == 0.0f) {
                    velocity->data[row + i] = wall_velocity(sim, axis, row + i, (const int[]){i, j, k});
                }
            }
        }
    }
}

// The component along `axis` at a slip face, where the component along the normal of the velocity relative to the wall
// is removed. The other components are means of the entries around the face that are in the air or extrapolated.
static float slip_velocity(const BrumeSim *sim, const BrumeField velocity[AXES], int axis, const BrumeSlipFace *face)
{
    const ptrdiff_t c = face->entry;
    const float own = velocity[axis].data[c];
    float along_normal = 0.0f;
    int index[AXES];
    brume_entry_indices(c, velocity[axis].sy, velocity[axis].sz, index);
    for (int other = 0; other < AXES; other++) {
        const float wall =
            brume_body_moves(sim, face->body) ? brume_face_velocity_of_body(sim, face->body, index, axis, other) : 0.0f;
        if (other == axis) {
            along_normal += face->normal[axis] * (own - wall);
            continue;
        }
        float sum = 0.0f;
        float count = 0.0f;
        for (int n = 0; n < BRUME_SLIP_SOURCES; n++) {
            const ptrdiff_t source =
                c - (n % 2) * brume_stride(velocity, axis) + (n / 2) * brume_stride(velocity, other);
            const bool known = face->known[other] >> n & 1;
            sum += known ? velocity[other].data[source] : 0.0f;
            count += known ? 1.0f : 0.0f;
        }
        if (count == 0.0f && face->normal[other] != 0.0f) {
            return own;
        }
        along_normal += count > 0.0f ? face->normal[other] * (sum / count - wall) : 0.0f;
    }
    return own - face->normal[axis] * along_normal;
}

// the slip faces of a layer in the planes of this rank; those of the outer layer come first
static BrumeExtrapolationRange own_slip_faces(const BrumeExtrapolation *extrapolation, const BrumeField *component,
                                              int axis, int layer)
{
    const BrumeExtrapolationLayer *layers = extrapolation->layers[axis];
    BrumeExtrapolationRange own = brume_own_extrapolation(&layers[layer], component);
    const ptrdiff_t before = layer > 0 ? layers[0].count : 0;
    own.from += before;
    own.end += before;
    return own;
}

void brume_set_slip_faces(const BrumeSim *sim, BrumeField velocity[AXES])
{
    const BrumeExtrapolation *extrapolation = &sim->geometry->extrapolation;
    for (int n = 0; n < AXES * BRUME_EXTRAPOLATION_LAYERS; n++) {
        const int axis = n / BRUME_EXTRAPOLATION_LAYERS;
        BrumeSlipFace *faces = extrapolation->slip[axis];
        const BrumeExtrapolationRange own =
            own_slip_faces(extrapolation, &velocity[axis], axis, n % BRUME_EXTRAPOLATION_LAYERS);
#pragma omp parallel for schedule(static)
        for (ptrdiff_t f = own.from; f < own.end; f++) {
            faces[f].velocity = brume_body_has_no_slip(&sim->def, faces[f].body)
                                    ? velocity[axis].data[faces[f].entry]
                                    : slip_velocity(sim, velocity, axis, &faces[f]);
        }
    }
    for (int n = 0; n < AXES * BRUME_EXTRAPOLATION_LAYERS; n++) {
        const int axis = n / BRUME_EXTRAPOLATION_LAYERS;
        const BrumeSlipFace *faces = extrapolation->slip[axis];
        const BrumeExtrapolationRange own =
            own_slip_faces(extrapolation, &velocity[axis], axis, n % BRUME_EXTRAPOLATION_LAYERS);
#pragma omp parallel for schedule(static)
        for (ptrdiff_t f = own.from; f < own.end; f++) {
            velocity[axis].data[faces[f].entry] = faces[f].velocity;
        }
    }
}

void brume_exchange_wall_fluxes(const BrumeSim *sim, const BrumeField velocity[AXES])
{
    const BrumeWallFaces *walls = &sim->geometry->wall_faces;
    for (int axis = 0; axis < AXES; axis++) {
        const float *open = walls->count[axis] > 0 ? sim->geometry->cells.fractions->face[axis].data : NULL;
        BrumeWallFace *faces = walls->faces[axis];
#pragma omp parallel for schedule(static)
        for (ptrdiff_t n = 0; n < walls->count[axis]; n++) {
            const ptrdiff_t c = faces[n].entry;
            int index[AXES];
            brume_entry_indices(c, velocity[axis].sy, velocity[axis].sz, index);
            const float wall = wall_velocity(sim, axis, c, index);
            faces[n].kept = velocity[axis].data[c];
            velocity[axis].data[c] = open[c] * (faces[n].kept - wall) + wall;
        }
    }
}

void brume_restore_wall_velocities(const BrumeSim *sim, const BrumeField velocity[AXES])
{
    const BrumeWallFaces *walls = &sim->geometry->wall_faces;
    for (int axis = 0; axis < AXES; axis++) {
        for (ptrdiff_t n = 0; n < walls->count[axis]; n++) {
            velocity[axis].data[walls->faces[axis][n].entry] = walls->faces[axis][n].kept;
        }
    }
}
