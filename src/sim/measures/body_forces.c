/*
 * Forces on bodies, from the terms that the solver applies at their surfaces, so that the momentum that a body
 * receives equals the momentum that the air loses there:
 *
 *  - pressure: on each face between a fluid cell and a cell of the body acts the pressure of the fluid cell,
 * because the solver has no gradient of pressure across such a face;
 *  - viscosity: the faces of the body's cells hold its velocity u, and the viscous term transports nu (u' - u) dx
 * of momentum from each neighboring value u' in the air to a face on the surface, twice as much to a face between two
 *    cells of the body, because the surface is half as far away, and nothing where the air slips
 * (forces/diffusion.c).
 *
 * Where bodies cut the cells, both act on the true surface: the pressure of each cell on the area of the surface in it,
 * which is the difference of the open parts of opposite faces; and the friction of each face outside the layer at the
 * wall, as the solver has it (forces/diffusion_operator.c). A steeper slope at the surface, from a parabola through
 * more values, would not balance the momentum of the air: the torque of Couette flow then has an error of first order.
 *
 * A torque is the sum of (r - pivot) x force with r the point where each force acts. The viscous term of the solver is
 * nu lap u, whose flux through a surface is nu du/dn. The stress has the transposed gradient in addition, which is
 * nu n x spin on a rigid surface (n is its normal into the air). Over a closed surface its forces sum to 0, but its
 * torque does not: it is -2 nu V spin for a body of volume V.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/measures/measures_internal.h"
#include "sim/measures/sums.h"

#include <string.h>

enum { PRESSURE, VISCOUS = 3, PRESSURE_TORQUE = 6, VISCOUS_TORQUE = 9, SUMS = 12 }; // each along x, y, z
_Static_assert((int)SUMS <= (int)BRUME_PLANE_VALUES, "sim->planes holds the sums of all planes");

typedef struct Surface {
    const BrumeSim *sim;
    const BrumeCells *cells;
    uint8_t id;        // of the body's cells
    BrumeIndexBox box; // of its cells, within the grid
    double pivot[3];   // [cells] from the lower corner of the box
    double spin[3];    // times dx [m/s]; 0 where the air slips
} Surface;

// adds the torque of a force along `axis` at a point [cells]
static void add_torque(const Surface *surface, double torque[3], int axis, double force, const double at[3])
{
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    torque[next] += (at[last] - surface->pivot[last]) * force;
    torque[last] -= (at[next] - surface->pivot[next]) * force;
}

// the offset of the entry that lies `step` (-1 or 1) from index n along an axis, across periodic sides; 0 where there
// is none; entries have indices 1 to `last`
static ptrdiff_t neighbor(const Surface *surface, int axis, int n, int step, int last)
{
    const ptrdiff_t stride = brume_cells_below(surface->cells, axis);
    const int count = brume_cells_along(surface->cells->grid, axis);
    if (surface->cells->periodic[axis]) {
        return stride * (brume_wrap_index(n + step, count) - n);
    }
    return n + step >= 1 && n + step <= last ? stride * step : 0;
}

// adds what acts on the faces of a cell of the body
static void add_faces(const Surface *surface, const int index[3], ptrdiff_t c, double sums[SUMS])
{
    const float *p = surface->sim->fields[BRUME_FIELD_PRESSURE].data;
    for (int axis = 0; axis < 3; axis++) {
        const int last = brume_cells_along(surface->cells->grid, axis);
        const int after[2] = {(axis + 1) % 3, (axis + 2) % 3};
        for (int step = -1; step <= 1; step += 2) {
            const ptrdiff_t offset = neighbor(surface, axis, index[axis], step, last);
            if (offset != 0 && surface->cells->flags[c + offset] & BRUME_CELL_FLUID) {
                const double force = -step * (double)p[c + offset];
                double at[3] = {index[0] - 0.5, index[1] - 0.5, index[2] - 0.5};
                at[axis] += 0.5 * step;
                sums[PRESSURE + axis] += force;
                add_torque(surface, &sums[PRESSURE_TORQUE], axis, force, at);
                // n x spin
                add_torque(surface, &sums[VISCOUS_TORQUE], after[0], -step * surface->spin[after[1]], at);
                add_torque(surface, &sums[VISCOUS_TORQUE], after[1], step * surface->spin[after[0]], at);
            }
        }
    }
}

// the cell below face `c` of a component along `axis`, across a periodic side; -1 where it is beyond the box
static ptrdiff_t cell_below(const Surface *surface, int axis, int n, ptrdiff_t c)
{
    const ptrdiff_t offset = neighbor(surface, axis, n, -1, brume_cells_along(surface->cells->grid, axis) + 1);
    return offset != 0 ? c + offset : -1;
}

// the body on which a face lies: the body of the cell above it or else below; 0 in the air
static uint8_t owner_of_face(const Surface *surface, int axis, int n, ptrdiff_t c)
{
    const BrumeCells *cells = surface->cells;
    const ptrdiff_t below = cell_below(surface, axis, n, c);
    const uint8_t above = n <= brume_cells_along(cells->grid, axis) ? cells->body_ids[c] : 0;
    return above ? above : below >= 0 ? cells->body_ids[below] : 0;
}

// the weight of the difference to a face of the body: faces between two solid cells are beyond its surface
static double weight_of_face(const Surface *surface, int component, int n, ptrdiff_t c)
{
    const BrumeCells *cells = surface->cells;
    const ptrdiff_t below = cell_below(surface, component, n, c);
    const bool has_cell_above = n <= brume_cells_along(cells->grid, component);
    const bool inside = has_cell_above && below >= 0 && (cells->flags[c] & cells->flags[below] & BRUME_CELL_SOLID) != 0;
    return !inside ? 1.0 : brume_body_has_no_slip(&surface->sim->def, surface->id - 1) ? 2.0 : 0.0;
}

static void add_viscous(const Surface *surface, int component, const int index[3], ptrdiff_t c, double sums[SUMS])
{
    const BrumeGrid grid = surface->cells->grid;
    const float *u = surface->sim->fields[component].data;
    if (owner_of_face(surface, component, index[component], c) != surface->id) {
        return;
    }
    const double weight = weight_of_face(surface, component, index[component], c);
    double center[3] = {index[0] - 0.5, index[1] - 0.5, index[2] - 0.5};
    center[component] -= 0.5;
    for (int axis = 0; axis < 3; axis++) {
        const bool upper_face = axis == component && !surface->cells->periodic[axis];
        const int last = brume_cells_along(grid, axis) + upper_face;
        for (int step = -1; step <= 1; step += 2) {
            const ptrdiff_t offset = neighbor(surface, axis, index[axis], step, last);
            if (offset == 0) {
                continue;
            }
            int there = index[component];
            if (axis == component) {
                there = surface->cells->periodic[axis] ? brume_wrap_index(there + step, brume_cells_along(grid, axis))
                                                       : there + step;
            }
            if (owner_of_face(surface, component, there, c + offset) == 0) {
                const double force = weight * ((double)u[c + offset] - (double)u[c]);
                double at[3] = {center[0], center[1], center[2]};
                at[axis] += weight > 1.0 ? 0.5 * step : 0.0; // half a cell outside, on the surface
                sums[VISCOUS + component] += force;
                add_torque(surface, &sums[VISCOUS_TORQUE], component, force, at);
            }
        }
    }
}

// the sums of some rows of plane k; viscous forces include the upper faces of the body's cells
static void measure_rows(const Surface *surface, int k, int from, int to, double sums[SUMS])
{
    const BrumeCells *cells = surface->cells;
    const bool viscous = surface->sim->def.viscosity > 0.0f;
    int last[3]; // of the faces along each axis; the last faces at a periodic side are the first ones again
    for (int axis = 0; axis < 3; axis++) {
        last[axis] = brume_cells_along(cells->grid, axis) + !cells->periodic[axis];
    }
    for (int j = from; j <= to; j++) {
        for (int i = surface->box.from[0]; i <= surface->box.to[0] + 1; i++) {
            const int index[3] = {i, j, k};
            const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
            const bool is_cell = i <= cells->grid.nx && j <= cells->grid.ny && k <= cells->grid.nz;
            if (is_cell && cells->body_ids[c] == surface->id) {
                add_faces(surface, index, c, sums);
            }
            for (int axis = 0; viscous && axis < 3; axis++) {
                const bool exists = i <= (axis == 0 ? last[0] : cells->grid.nx) &&
                                    j <= (axis == 1 ? last[1] : cells->grid.ny) &&
                                    k <= (axis == 2 ? last[2] : cells->grid.nz);
                if (exists) {
                    add_viscous(surface, axis, index, c, sums);
                }
            }
        }
    }
}

// adds the force and the torque on the area [dx^2] of the surface in a cell of cut cells; the area is a vector into the
// air
static void add_area(const Surface *surface, const double area[3], double pressure, const double at[3],
                     double sums[SUMS])
{
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const int last = (axis + 2) % 3;
        const double force = -pressure * area[axis];
        sums[PRESSURE + axis] += force;
        add_torque(surface, &sums[PRESSURE_TORQUE], axis, force, at);
        add_torque(surface, &sums[VISCOUS_TORQUE], axis,
                   area[next] * surface->spin[last] - area[last] * surface->spin[next], at);
    }
}

// The pressure of cell c, which is of fluid, on the surface that it cuts. The pressure of a step is that of its middle
// (integrators/second_order.c), when a surface that moves was at x - u_wall dt / 2 instead of x, and with it the field
// of pressure around it. Its value there follows from the slope at the open faces of the cell.
static double pressure_at_surface(const Surface *surface, const int index[3], ptrdiff_t c)
{
    const BrumeSim *sim = surface->sim;
    const float *p = sim->fields[BRUME_FIELD_PRESSURE].data + c;
    const ptrdiff_t strides[3] = {1, surface->cells->sy, surface->cells->sz};
    double pressure = (double)p[0];
    for (int axis = 0; axis < 3 && brume_body_moves(sim, surface->id - 1); axis++) {
        const float *open = surface->cells->fractions->face[axis].data + c;
        const double above = open[strides[axis]] > 0.0f ? (double)p[strides[axis]] - (double)p[0] : 0.0;
        const double below = open[0] > 0.0f ? (double)p[0] - (double)p[-strides[axis]] : 0.0;
        const double slope = (above + below) / (open[0] > 0.0f && open[strides[axis]] > 0.0f ? 2.0 : 1.0);
        const double velocity = (double)brume_body_velocity_at(sim, surface->id - 1, index, axis);
        pressure -= 0.5 * sim->previous_dt * velocity / (double)sim->def.dx * slope;
    }
    return pressure;
}

// what the body covers of the faces of cell c, which is of fluid
static void add_covered_faces(const Surface *surface, const int index[3], ptrdiff_t c, double sums[SUMS])
{
    const BrumeCells *cells = surface->cells;
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    double area[3] = {0.0};
    bool covered = false;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const ptrdiff_t stride = strides[side / 2];
        const int own = cells->wall_ids[c];
        const int id = own > 0 ? own : cells->wall_ids[c + (side % 2 ? stride : -stride)];
        if (id == surface->id) {
            const float open = cells->fractions->face[side / 2].data[c + (side % 2 ? stride : 0)];
            area[side / 2] += (side % 2 ? -1.0 : 1.0) * (1.0 - (double)open);
            covered = covered || open < 1.0f;
        }
    }
    if (covered) {
        const double at[3] = {index[0] - 0.5, index[1] - 0.5, index[2] - 0.5};
        add_area(surface, area, pressure_at_surface(surface, index, c), at, sums);
    }
}

// the friction of the faces of some rows of plane k on the true surface
static void add_friction(const Surface *surface, int component, int k, int from, int to, double sums[SUMS])
{
    const BrumeCells *cells = surface->cells;
    const BrumeFrictionFaces *faces = &cells->friction_faces[component];
    const float *u = surface->sim->fields[component].data;
    // none before the first step with a viscosity
    const int32_t *rows = faces->rows ? faces->rows + (ptrdiff_t)(k - 1) * cells->grid.ny : NULL;
    for (int32_t n = rows ? rows[from - 1] : 0; rows && n < rows[to]; n++) {
        const BrumeFrictionFace *face = &faces->entries[n];
        int index[3];
        brume_entry_indices(face->index, cells->sy, cells->sz, index);
        double center[3] = {index[0] - 0.5, index[1] - 0.5, index[2] - 0.5};
        center[component] -= 0.5;
        for (int side = 0; side < BRUME_FACE_COUNT && !face->in_layer; side++) {
            if (face->ids[side] == surface->id && face->weight[side] > 0.0f) {
                const float distance = 1.0f / face->weight[side];
                const float wall =
                    brume_wall_velocity_beside(surface->sim, surface->id - 1, component, face->index, side, distance);
                const double force = (double)face->weight[side] * ((double)u[face->index] - (double)wall);
                double at[3] = {center[0], center[1], center[2]};
                at[side / 2] += (side % 2 ? 1.0 : -1.0) * (double)distance;
                sums[VISCOUS + component] += force;
                add_torque(surface, &sums[VISCOUS_TORQUE], component, force, at);
            }
        }
    }
}

// the same where bodies cut the cells
static void measure_cut_rows(const Surface *surface, int k, int from, int to, double sums[SUMS])
{
    const BrumeCells *cells = surface->cells;
    const BrumeSimDef *def = &surface->sim->def;
    for (int j = from; j <= to; j++) {
        for (int i = 1; i <= cells->grid.nx; i++) {
            const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
            if (cells->flags[c] & BRUME_CELL_FLUID) {
                add_covered_faces(surface, (const int[]){i, j, k}, c, sums);
            }
        }
    }
    for (int axis = 0; axis < 3 && def->viscosity > 0.0f && brume_body_has_no_slip(def, surface->id - 1); axis++) {
        add_friction(surface, axis, k, from, to, sums);
    }
}

// the cells of a box and one more layer below on periodic axes, where the face n+1 is face 1
static BrumeIndexBox whole_lines_where_periodic(const BrumeCells *cells, BrumeIndexBox box)
{
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(cells->grid, axis);
        if (cells->periodic[axis] && box.to[axis] >= n) {
            box.from[axis] = 1;
        }
        box.from[axis] = brume_max_int(box.from[axis], 1);
        box.to[axis] = brume_min_int(box.to[axis], n);
    }
    return box;
}

static Surface make_surface(const BrumeSim *sim, int body)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeShape shape = brume_present_shape(sim, body);
    const BrumeIndexBox box = brume_cells_overlapping(&sim->def, &shape);
    Surface surface = {
        .sim = sim, .cells = cells, .id = (uint8_t)(body + 1), .box = whole_lines_where_periodic(cells, box)};
    const BrumeVec3 pivot = brume_sub(brume_shape_pivot(&shape), sim->def.origin);
    const bool drags = sim->def.viscosity > 0.0f && brume_body_has_no_slip(&sim->def, body);
    for (int axis = 0; axis < 3; axis++) {
        surface.pivot[axis] = (double)brume_component(pivot, axis) / (double)sim->def.dx;
        surface.spin[axis] =
            drags ? (double)brume_component(sim->surface_velocity[body].spin, axis) * (double)sim->def.dx : 0.0;
    }
    return surface;
}

static void measure_body(const BrumeSim *sim, int body, BrumeBodyForce *force)
{
    const Surface surface = make_surface(sim, body);
    const bool cut = surface.cells->fractions;
    const BrumeGrid grid = surface.cells->grid;
    const int from = cut ? 1 : surface.box.from[2];
    const int to = cut ? grid.nz : surface.box.to[2] + 1;
    const int first_row = cut ? 1 : surface.box.from[1];
    const int last_row = cut ? grid.ny : surface.box.to[1] + 1;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, from); k <= brume_planes_to(grid, to); k++) {
        double *sums = sim->planes + (ptrdiff_t)SUMS * k;
        memset(sums, 0, SUMS * sizeof *sums);
        for (int j = first_row; j <= last_row;) {
            const int end = (j - 1) / BRUME_SUM_ROWS * BRUME_SUM_ROWS + BRUME_SUM_ROWS; // of the block
            const int last = end < grid.ny ? brume_min_int(end, last_row) : last_row;   // with the upper faces
            double block[SUMS] = {0.0};
            (cut ? measure_cut_rows : measure_rows)(&surface, k, j, last, block);
            brume_move_sums(block, sums, SUMS);
            j = last + 1;
        }
    }
    brume_gather_planes(grid, sim->planes, SUMS * sizeof *sim->planes);
    const double dx = (double)sim->def.dx;
    const double viscosity = (double)sim->def.viscosity;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = from; k <= to; k++) {
            const double *sums = &sim->planes[SUMS * k + axis];
            force->pressure[axis] += sums[PRESSURE] * dx * dx;
            force->viscous[axis] += sums[VISCOUS] * viscosity * dx;
            force->pressure_torque[axis] += sums[PRESSURE_TORQUE] * dx * dx * dx;
            force->viscous_torque[axis] += sums[VISCOUS_TORQUE] * viscosity * dx * dx;
        }
    }
}

void brume_measure_bodies(const BrumeSim *sim, BrumeMeasures *measures)
{
    measures->body_count = sim->def.body_count;
    if (sim->geometry->cells.bodies) { // the velocity of the next planes is current (brume_set_measured_ghosts)
        brume_exchange_field(&sim->fields[BRUME_FIELD_PRESSURE], 1);
    }
    for (int n = 0; sim->geometry->cells.bodies && n < sim->def.body_count; n++) {
        measure_body(sim, n, &measures->bodies[n]);
    }
}
