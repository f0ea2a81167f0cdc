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
 */
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/measures/measures_internal.h"
#include "sim/measures/sums.h"

enum { FORCES = 6 }; // pressure along x, y, z, then viscous

typedef struct Surface {
    const BrumeSim *sim;
    const BrumeCells *cells;
    uint8_t id;        // of the body's cells
    BrumeIndexBox box; // of its cells, within the grid
} Surface;

// the offset of the entry that lies `step` (-1 or 1) from index n along an axis, across periodic sides; 0 where there
// is none; entries have indices 1 to `last`
static ptrdiff_t neighbor(const Surface *surface, int axis, int n, int step, int last)
{
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? surface->cells->sy : surface->cells->sz;
    const int count = brume_cells_along(surface->cells->grid, axis);
    if (surface->cells->periodic[axis]) {
        return stride * (brume_wrap_index(n + step, count) - n);
    }
    return n + step >= 1 && n + step <= last ? stride * step : 0;
}

static void add_pressure(const Surface *surface, const int index[3], ptrdiff_t c, double forces[FORCES])
{
    const float *p = surface->sim->fields[BRUME_FIELD_PRESSURE].data;
    for (int axis = 0; axis < 3; axis++) {
        const int last = brume_cells_along(surface->cells->grid, axis);
        for (int step = -1; step <= 1; step += 2) {
            const ptrdiff_t offset = neighbor(surface, axis, index[axis], step, last);
            if (offset != 0 && surface->cells->flags[c + offset] & BRUME_CELL_FLUID) {
                forces[axis] -= step * (double)p[c + offset];
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

static void add_viscous(const Surface *surface, int component, const int index[3], ptrdiff_t c, double *force)
{
    const BrumeGrid grid = surface->cells->grid;
    const float *u = surface->sim->fields[component].data;
    if (owner_of_face(surface, component, index[component], c) != surface->id) {
        return;
    }
    const double weight = weight_of_face(surface, component, index[component], c);
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
                *force += weight * ((double)u[c + offset] - (double)u[c]);
            }
        }
    }
}

// the sums of plane k; viscous forces include the upper faces of the body's cells
static void measure_plane(const Surface *surface, int k, double forces[FORCES])
{
    const BrumeCells *cells = surface->cells;
    const bool viscous = surface->sim->def.viscosity > 0.0f;
    int last[3]; // of the faces along each axis; the last faces at a periodic side are the first ones again
    for (int axis = 0; axis < 3; axis++) {
        last[axis] = brume_cells_along(cells->grid, axis) + !cells->periodic[axis];
    }
    for (int j = surface->box.from[1]; j <= surface->box.to[1] + 1; j++) {
        for (int i = surface->box.from[0]; i <= surface->box.to[0] + 1; i++) {
            const int index[3] = {i, j, k};
            const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
            const bool is_cell = i <= cells->grid.nx && j <= cells->grid.ny && k <= cells->grid.nz;
            if (is_cell && cells->body_ids[c] == surface->id) {
                add_pressure(surface, index, c, forces);
            }
            for (int axis = 0; viscous && axis < 3; axis++) {
                const bool exists = i <= (axis == 0 ? last[0] : cells->grid.nx) &&
                                    j <= (axis == 1 ? last[1] : cells->grid.ny) &&
                                    k <= (axis == 2 ? last[2] : cells->grid.nz);
                if (exists) {
                    add_viscous(surface, axis, index, c, &forces[3 + axis]);
                }
            }
        }
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

static void measure_body(const BrumeSim *sim, int body, BrumeBodyForce *force)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeShape shape = brume_body_shape(&sim->def, body);
    const BrumeIndexBox box = brume_cells_overlapping(&sim->def, &shape);
    const Surface surface = {
        .sim = sim, .cells = cells, .id = (uint8_t)(body + 1), .box = whole_lines_where_periodic(cells, box)};
    const int from = surface.box.from[2];
    const int to = surface.box.to[2] + 1;
    const int nz = cells->grid.nz;
#pragma omp parallel for schedule(static)
    for (int k = from; k <= to; k++) {
        double forces[FORCES] = {0.0};
        measure_plane(&surface, k, forces);
        for (int n = 0; n < FORCES; n++) {
            sim->planes[n * (nz + 2) + k] = forces[n];
        }
    }
    const double dx = (double)sim->def.dx;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = from; k <= to; k++) {
            force->pressure[axis] += sim->planes[axis * (nz + 2) + k] * dx * dx;
            force->viscous[axis] += sim->planes[(3 + axis) * (nz + 2) + k] * (double)sim->def.viscosity * dx;
        }
    }
}

void brume_measure_bodies(const BrumeSim *sim, BrumeMeasures *measures)
{
    measures->body_count = sim->def.body_count;
    for (int n = 0; sim->geometry->cells.bodies && n < sim->def.body_count; n++) {
        measure_body(sim, n, &measures->bodies[n]);
    }
}
