/*
 * Moving bodies (Bridson 2015, chapter 5). In each step a body is at its position at the step's end. The faces
 * that it covers, surfaces included, hold its velocity, which enters the divergence before the projection, and pressure
 * does not act on them. Cells that a body uncovers are set to the mean of the air around them, layer by layer; with cut
 * cells their velocity is the one that was carried there, from the air behind the body or from the layers inside. The
 * content of cells that it covers is returned, for the transport to give it back to the air (transport/displacement.c).
 */
#include "core/domain.h"
#include "core/mesh.h"
#include "core/mesh/patch.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/grid/cut_cells.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

// offsets of cells in ascending order; scratch field 3
typedef struct CellList {
    int32_t *cells;
    ptrdiff_t count;
} CellList;

static CellList empty_list(const BrumeSim *sim) { return (CellList){(int32_t *)sim->scratch[3].data, 0}; }

// Adds the present contents of the cells of a list, by their bodies, of which `ids` are 1 + the numbers. The list is
// the same on all ranks. Overwrites scratch field 4.
static void add_contents(const BrumeSim *sim, const CellList *list, const uint8_t *ids, BrumeDisplaced *displaced,
                         double sums[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES])
{
    float *values = sim->scratch[4].data;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
        if (!field->data) {
            continue;
        }
        brume_gather_entries(field, list->cells, list->count, values);
        for (ptrdiff_t n = 0; n < list->count; n++) {
            sums[scalar][ids[list->cells[n]] - 1] += (double)values[n];
            displaced->low[scalar] = brume_fminf(values[n], displaced->low[scalar]);
            displaced->high[scalar] = brume_fmaxf(values[n], displaced->high[scalar]);
        }
    }
}

// adds the present contents of the cells that are air in `air` and solid in `solid`, by the body there
static void add_cells(const BrumeSim *sim, const BrumeCells *air, const BrumeCells *solid, BrumeDisplaced *displaced,
                      double sums[BRUME_SCALAR_COUNT][BRUME_MAX_BODIES])
{
    const BrumeIndexBox *rows = &solid->touched;
    CellList list = empty_list(sim);
    for (int k = rows->from[2]; solid->bodies && k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            const ptrdiff_t row = air->sy * j + air->sz * k;
            for (ptrdiff_t c = row + 1; c <= row + air->grid.nx; c++) {
                if (solid->flags[c] & ~air->flags[c] & BRUME_CELL_SOLID) {
                    list.cells[list.count++] = (int32_t)c;
                }
            }
        }
    }
    add_contents(sim, &list, solid->body_ids, displaced, sums);
}

enum { MOST_POSITIONS = 64 }; // between the start and the end of a step at which a body that turns is looked at

// the way of a body in a step
typedef struct BodySweep {
    BrumePlacedShape from, to;  // at its start and its end
    BrumeVec3 way;              // of a body that does not turn [m]
    float reach;                // the largest way of its points [m]
    int positions;              // of such a body, `between` start and end
    float apart;                // upper limit of the distance to a position of the points that it passes [m]
    bool deforms;               // then `reach` is the largest way of its points as well
    const BrumeField *distance; // from corners of cells at its end to solids, if it is one that cuts cells; else NULL
    float to_scale;             // least factor of scale at the end
    BrumePlacedShape between[MOST_POSITIONS];
    BrumeShape start, end, shapes[MOST_POSITIONS]; // of all of them, in the world
} BodySweep;

static void find_sweep(BodySweep *sweep, const BrumeSim *sim, const BrumeSimDef *def, int body, double dt)
{
    sweep->start = brume_present_shape(sim, body);
    sweep->end = brume_body_shape(def, body);
    sweep->from = brume_shape_place(&sweep->start);
    sweep->to = brume_shape_place(&sweep->end);
    sweep->way =
        brume_add(brume_sub(sweep->end.a, sweep->start.a), brume_sub(sweep->end.position, sweep->start.position));
    sweep->reach = brume_length(sweep->way);
    sweep->apart = 0.0f;
    sweep->positions = 0;
    sweep->deforms = brume_body_deforms(sim, body);
    if (sweep->deforms) {
        const BrumeVec3 scale = brume_shape_frame(&sweep->end).scale;
        const double largest = (double)brume_fmaxf(scale.x, brume_fmaxf(scale.y, scale.z));
        sweep->to_scale = brume_fminf(scale.x, brume_fminf(scale.y, scale.z));
        sweep->reach = (float)(dt * (brume_body_speed(sim, body) + largest * sim->deformed->bodies[body].speed));
    } else if (brume_length(sim->surface_velocity[body].spin) > 0.0f) {
        sweep->reach = (float)(brume_body_speed(sim, body) * dt);
        const float needed = ceilf(4.0f * sweep->reach / def->dx); // a quarter of a cell from one to the next
        sweep->positions = needed < (float)MOST_POSITIONS ? (int)needed : MOST_POSITIONS;
        sweep->apart = 0.5f * sweep->reach / (float)(sweep->positions + 1);
        for (int n = 0; n < sweep->positions; n++) {
            sweep->shapes[n] = brume_body_shape_at(sim, body, sim->time + dt * (n + 1) / (sweep->positions + 1));
            sweep->between[n] = brume_shape_place(&sweep->shapes[n]);
        }
    }
}

// the positions of a body one after the other, from its start, 0, to its end
static const BrumePlacedShape *position_of(const BodySweep *sweep, int n)
{
    return n == 0 ? &sweep->from : n <= sweep->positions ? &sweep->between[n - 1] : &sweep->to;
}

// the ways of the centers of a block of cells in the frame of a body, in a step
typedef struct BlockWays {
    float longest;        // in the world, at most [m]
    float bend;           // no point is farther from the straight way between its ends [m]
    BrumeMeshPatch patch; // of a mesh that turns, its surface near the ways
} BlockWays;

// the box around two points
static void enclose_points(BrumeVec3 a, BrumeVec3 b, float margin, BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeVec3 grown = brume_vec3(margin, margin, margin);
    *lower = brume_sub(brume_lower_corner(a, b), grown);
    *upper = brume_add(brume_upper_corner(a, b), grown);
}

// Whether a point crosses the surface of a mesh on its way in the frame of the mesh, from one position to the next.
static bool passes_mesh(const BodySweep *sweep, const BlockWays *ways, BrumeVec3 point)
{
    BrumeVec3 path[MOST_POSITIONS + 2];
    const int last = sweep->positions + 1;
    path[0] = brume_placed_own_point(&sweep->from, point);
    path[last] = brume_placed_own_point(&sweep->to, point);
    BrumeVec3 lower;
    BrumeVec3 upper;
    enclose_points(path[0], path[last], ways->bend, &lower, &upper);
    if (!brume_patch_is_near(&ways->patch, lower, upper)) {
        return false;
    }
    for (int n = 1; n < last; n++) {
        path[n] = brume_placed_own_point(position_of(sweep, n), point);
    }
    return brume_patch_crosses(&ways->patch, path, last + 1);
}

// Whether a body that deforms passes a point: the part of its surface that is nearest moves as a whole, along the way
// of its nearest point.
static bool passes_deforming(const BodySweep *sweep, BrumeVec3 point)
{
    const BrumeMesh *mesh = sweep->to.shape->mesh;
    const BrumeVec3 at = brume_placed_own_point(&sweep->to, point);
    BrumeMeshPoint nearest;
    if (!brume_mesh_closest(mesh, at, (double)(sweep->reach / sweep->to_scale), &nearest)) {
        return false;
    }
    const BrumeVec3 way = brume_mesh_way(sweep->from.shape->mesh, mesh, nearest.triangle, nearest.share);
    const BrumeVec3 rigid = brume_sub(brume_placed_own_point(&sweep->from, point), at);
    return brume_mesh_crosses(mesh, brume_add(brume_add(at, rigid), way), at);
}

// the center of the cell at a corner of a block, of eight [m]
static BrumeVec3 block_corner(const BrumeSimDef *def, const BrumeIndexBox *block, int corner)
{
    const int *at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = corner >> axis & 1 ? block->to : block->from;
    }
    return brume_cell_center(def, at[0][0], at[1][1], at[2][2]);
}

// Finds the ways of a block; false where the body is not near them. The length of a way of several parts, and how far
// it is from a straight one, are convex functions of the point, and so are largest at a corner.
static bool find_ways(BlockWays *ways, const BodySweep *sweep, const BrumeSimDef *def, const BrumeIndexBox *block)
{
    ways->longest = sweep->reach;
    const bool is_near = brume_block_is_near(def, &sweep->to, block, sweep->reach);
    if (!is_near || sweep->deforms || sweep->positions == 0) {
        return is_near;
    }
    const int last = sweep->positions + 1;
    BrumeVec3 lower = {INFINITY, INFINITY, INFINITY};
    BrumeVec3 upper = {-INFINITY, -INFINITY, -INFINITY};
    float longest = 0.0f;
    float bend = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        const BrumeVec3 point = block_corner(def, block, corner);
        const BrumeVec3 from = brume_placed_own_point(&sweep->from, point);
        const BrumeVec3 way = brume_sub(brume_placed_own_point(&sweep->to, point), from);
        BrumeVec3 before = from;
        float length = 0.0f;
        for (int n = 0; n <= last; n++) {
            const BrumeVec3 at = brume_placed_own_point(position_of(sweep, n), point);
            const BrumeVec3 straight = brume_add(from, brume_scale(way, (float)n / (float)last));
            bend = brume_fmaxf(brume_length(brume_sub(at, straight)), bend);
            length += brume_length(brume_sub(at, before));
            lower = brume_lower_corner(at, lower);
            upper = brume_upper_corner(at, upper);
            before = at;
        }
        longest = brume_fmaxf(length, longest);
    }
    ways->longest = brume_fminf(1.01f * longest * sweep->to.least_scale + sweep->apart, sweep->reach);
    if (sweep->to.shape->kind != BRUME_SHAPE_MESH) {
        return brume_block_is_near(def, &sweep->to, block, ways->longest);
    }
    ways->bend = 1.01f * bend + 1e-6f * brume_length(brume_sub(upper, lower));
    enclose_points(lower, upper, ways->bend, &lower, &upper);
    brume_mesh_patch(&ways->patch, sweep->to.shape->mesh, lower, upper);
    return ways->patch.count != 0;
}

// Whether a body passes a point of a block that is outside it before and after the step.
static bool passes(const BodySweep *sweep, const BlockWays *ways, BrumeVec3 point)
{
    if (sweep->deforms) {
        return passes_deforming(sweep, point);
    }
    if (sweep->positions == 0) {
        return brume_placed_entry(&sweep->to, point, brume_add(point, sweep->way)) <= 1.0f;
    }
    if (sweep->to.shape->kind == BRUME_SHAPE_MESH) {
        return passes_mesh(sweep, ways, point);
    }
    bool passed = false;
    if (brume_placed_distance_outside(&sweep->to, point, 0.0f, 1.01f * ways->longest) <= ways->longest) {
        for (int n = 0; n < sweep->positions && !passed; n++) {
            passed = brume_placed_rough_distance(&sweep->between[n], point, 0.99f * sweep->apart,
                                                 1.01f * sweep->apart) < sweep->apart;
        }
    }
    return passed;
}

// the cells that may be inside a body on its way
static BrumeIndexBox swept_box(const BrumeSimDef *def, const BodySweep *sweep)
{
    BrumeIndexBox box =
        brume_enclosing_box(brume_cells_overlapping(def, &sweep->start), brume_cells_overlapping(def, &sweep->end));
    for (int n = 0; n < sweep->positions; n++) {
        box = brume_enclosing_box(box, brume_cells_overlapping(def, &sweep->shapes[n]));
    }
    return box;
}

// whether the center of cell c is farther than `way` from a body, as the distances of its corners show
static bool is_beyond(const BodySweep *sweep, ptrdiff_t c, float way, float dx)
{
    const BrumeField *distance = sweep->distance;
    float largest = -INFINITY;
    for (int n = 0; distance && n < 8; n++) {
        largest = brume_fmaxf(distance->data[brume_cell_corner(distance, c, n)], largest);
    }
    return largest > 1.001f * (way + 0.8661f * dx);
}

// marks the cells of a block that a body passes, as pass_cells
static void mark_block(const BodySweep *sweep, const BrumeSimDef *def, const BrumeCells *cells,
                       const BrumeCells *new_cells, bool is_thin, BrumeIndexBox block, uint8_t *marks)
{
    BrumeVec3 points[BRUME_BLOCK_CELLS];
    ptrdiff_t in_air[BRUME_BLOCK_CELLS];
    int count = 0;
    for (int n = 0; n < BRUME_BLOCK_CELLS; n++) {
        int index[3];
        if (!brume_block_cell(&block, n, index)) {
            continue;
        }
        const ptrdiff_t c = index[0] + cells->sy * index[1] + cells->sz * index[2];
        marks[c] = 0;
        if (is_thin ? !((cells->flags[c] | new_cells->flags[c]) & BRUME_CELL_SOLID)
                    : !brume_cell_is_cut(cells, c) && !brume_cell_is_cut(new_cells, c)) {
            points[count] = brume_cell_center(def, index[0], index[1], index[2]);
            in_air[count++] = c;
        }
    }
    BlockWays ways;
    if (count == 0 || !find_ways(&ways, sweep, def, &block)) {
        return;
    }
    for (int n = 0; n < count; n++) {
        marks[in_air[n]] = !is_beyond(sweep, in_air[n], ways.longest, def->dx) && passes(sweep, &ways, points[n]);
    }
}

// Cells of air before and after the step that a body passes on its way from its present shape to the shape in
// `def`. They become solid in the cells before the step. Of a body that cuts cells, and is not thinner than them, cells
// that it cuts before or after the step are not passed, though their centers may be inside.
static void pass_cells(BrumeSim *sim, const BrumeSimDef *def, const BrumeCells *new_cells, int body, double dt,
                       BrumeDisplaced *displaced)
{
    BrumeCells *cells = &sim->geometry->cells;
    BodySweep sweep;
    find_sweep(&sweep, sim, def, body, dt);
    sweep.distance = new_cells->fractions && brume_shape_is_solid(sweep.to.shape) ? &new_cells->distance : NULL;
    const float thickness = brume_shape_thickness(sweep.to.shape);
    const bool is_thin = thickness > 0.0f && thickness < def->dx;
    const BrumeIndexBox box = swept_box(def, &sweep);
    uint8_t *marks = (uint8_t *)sim->scratch[0].data;
    brume_cells_touch(cells, box);
#pragma omp parallel for schedule(dynamic)
    for (int k = box.from[2]; k <= box.to[2]; k += BRUME_CELL_BLOCK) {
        for (int j = box.from[1]; j <= box.to[1]; j += BRUME_CELL_BLOCK) {
            for (int i = box.from[0]; i <= box.to[0]; i += BRUME_CELL_BLOCK) {
                mark_block(&sweep, def, cells, new_cells, is_thin, brume_cell_block(&box, i, j, k), marks);
            }
        }
    }
    CellList list = empty_list(sim);
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                if (marks[c]) {
                    list.cells[list.count++] = (int32_t)c;
                    brume_cells_set_solid(cells, c, body);
                    if (cells->fractions) {
                        brume_fractions_close_cell(cells->fractions, i, j, k);
                    }
                }
            }
        }
    }
    add_contents(sim, &list, cells->body_ids, displaced, displaced->covered);
}

// sets another geometry and returns the old one; entries of fields before `first` that bodies uncover keep their values
static BrumeGeometry *exchange_geometry(BrumeSim *sim, BrumeGeometry *geometry, BrumeFieldId first)
{
    BrumeGeometry *old_geometry = sim->geometry;
    sim->geometry = geometry;
    for (int axis = (int)first; axis < 3; axis++) { // advection does not write the faces on closed sides, known here
        brume_set_sides(sim, (BrumeFieldId)axis, &sim->fields[axis]);
    }
    brume_fill_uncovered(sim, &old_geometry->cells, first);
    brume_set_velocity_boundary(sim);
    return old_geometry;
}

static void finish_geometry(BrumeSim *sim, BrumeGeometry *old_geometry)
{
    brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[BRUME_FIELD_PRESSURE]);
    brume_pressure_fill_ghosts(sim->geometry->pressure, &sim->fields[BRUME_FIELD_PRESSURE]);
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT);
    if (!brume_cells_equal(&sim->geometry->cells, &old_geometry->cells)) {
        brume_invalidate_flow(sim);
    }
    sim->spare_cells = old_geometry->cells;
    old_geometry->cells = (BrumeCells){.flags = NULL};
    brume_geometry_destroy(old_geometry);
}

// the bodies are at their positions at the end of the step
static void take_positions(BrumeSim *sim, const BrumeSimDef *def)
{
    sim->def = *def;
    sim->deformed_time.now = 1;
}

BrumeStatus brume_move_bodies(BrumeSim *sim, double dt, BrumeDisplaced *displaced, BrumeError *error)
{
    memset(displaced, 0, sizeof *displaced);
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        displaced->low[scalar] = INFINITY;
        displaced->high[scalar] = -INFINITY;
    }
    BrumeSimDef def = sim->def;
    for (int n = 0; n < def.body_count; n++) {
        const BrumeMesh *mesh = def.bodies[n].shape.mesh; // settings may have changed since the motion began
        def.bodies[n].shape = brume_own_shape_at(sim, n, sim->time + dt);
        def.bodies[n].shape.mesh = mesh;
    }
    const BrumeSimDef shown = brume_deformed_settings(sim->deformed, &def, 1);
    BrumeCells cells;
    BrumeStatus status = brume_cells_create_by_solids(&cells, &sim->spare_cells, &shown, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeGeometry *geometry = NULL;
    if (brume_cells_equal(&cells, &sim->geometry->cells)) {
        sim->spare_cells = cells;
    } else {
        status = brume_geometry_from_cells(&geometry, &cells, &shown, sim->geometry->kernels, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    if (!geometry) {
        brume_regions_begin(&displaced->regions, sim, sim->geometry);
        brume_regions_cover(&displaced->regions, sim, 0);
        take_positions(sim, &def);
        brume_set_velocity_boundary(sim);
        return BRUME_OK;
    }
    brume_regions_begin(&displaced->regions, sim, geometry);
    add_cells(sim, &sim->geometry->cells, &geometry->cells, displaced, displaced->covered);
    int moving = 0;
    for (int n = 0; n < def.body_count; n++) {
        if (brume_body_moves(sim, n) && brume_body_is_solid(&def.bodies[n])) {
            pass_cells(sim, &shown, &geometry->cells, n, dt, displaced);
            moving = n;
        }
    }
    brume_regions_cover(&displaced->regions, sim, moving);
    take_positions(sim, &def);
    const bool is_carried = geometry->cells.fractions && brume_holds(sim, BRUME_VALID_PREVIOUS);
    BrumeGeometry *old_geometry = exchange_geometry(sim, geometry, is_carried ? BRUME_FIELD_PRESSURE : BRUME_FIELD_U);
    brume_regions_fill(&displaced->regions, sim, &old_geometry->cells);
    add_cells(sim, &geometry->cells, &old_geometry->cells, displaced, displaced->filled);
    finish_geometry(sim, old_geometry);
    return BRUME_OK;
}

void brume_replace_geometry(BrumeSim *sim, BrumeGeometry *geometry)
{
    BrumeGeometry *old_geometry = exchange_geometry(sim, geometry, BRUME_FIELD_U);
    if (!brume_cells_equal(&geometry->cells, &old_geometry->cells)) {
        brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    }
    brume_cells_destroy(&sim->spare_cells);
    finish_geometry(sim, old_geometry);
    brume_set_scalar_ghosts(sim);
    brume_cells_destroy(&sim->spare_cells); // of other settings
}
