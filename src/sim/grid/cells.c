/*
 * Voxelization of the bodies, and the faces through which cells exchange air.
 */
#include "sim/grid/cells.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/grid/mesh_crossings.h"

#include <string.h>

static const float THICK = 0.9999f; // thickness of a solid that needs no closed faces, up to rounding [cells]

static int clamp_index(float index, int from, int to)
{
    return index < (float)from ? from : index > (float)to ? to : (int)index;
}

BrumeIndexBox brume_cells_overlapping(const BrumeSimDef *def, const BrumeShape *shape)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const BrumeVec3 first = brume_scale(brume_sub(lower, def->origin), 1.0f / def->dx); // [cells]
    const BrumeVec3 last = brume_scale(brume_sub(upper, def->origin), 1.0f / def->dx);
    return (BrumeIndexBox){
        .from = {clamp_index(first.x, 1, def->nx), clamp_index(first.y, 1, def->ny), clamp_index(first.z, 1, def->nz)},
        .to = {clamp_index(last.x + 1.0f, 1, def->nx), clamp_index(last.y + 1.0f, 1, def->ny),
               clamp_index(last.z + 1.0f, 1, def->nz)},
    };
}

BrumeIndexBox brume_cell_block(const BrumeIndexBox *box, int i, int j, int k)
{
    BrumeIndexBox block = {.from = {i, j, k}};
    for (int axis = 0; axis < 3; axis++) {
        block.to[axis] = brume_min_int(block.from[axis] + BRUME_CELL_BLOCK - 1, box->to[axis]);
    }
    return block;
}

bool brume_block_is_near(const BrumeSimDef *def, const BrumePlacedShape *placed, const BrumeIndexBox *block,
                         float reach)
{
    const BrumeVec3 first = brume_cell_center(def, block->from[0], block->from[1], block->from[2]);
    const BrumeVec3 last = brume_cell_center(def, block->to[0], block->to[1], block->to[2]);
    const BrumeVec3 middle = brume_scale(brume_add(first, last), 0.5f);
    const float most = 1.001f * (reach + 0.5f * brume_length(brume_sub(last, first)));
    return brume_placed_distance_outside(placed, middle, 0.99f * most, 1.01f * most) < most;
}

static void set_solid(BrumeCells *cells, ptrdiff_t c, int body)
{
    cells->flags[c] = BRUME_CELL_SOLID;
    cells->body_ids[c] = (uint8_t)(body + 1);
}

void brume_cells_set_solid(BrumeCells *cells, ptrdiff_t c, int body)
{
    set_solid(cells, c, body);
    cells->bodies = true;
}

// a body, and where its surface lies between the centers of cells if it is a mesh
typedef struct CoveringBody {
    int number;
    BrumePlacedShape placed;
    BrumeMeshCrossings crossings;
    bool crossings_show_inside; // of a closed mesh
} CoveringBody;

// whether the center of a cell is inside; up to rounding, not one on the surface
static bool covers(const CoveringBody *body, const BrumeSimDef *def, int i, int j, int k)
{
    float depth = 0.0f;
    if (body->placed.shape->kind == BRUME_SHAPE_MESH) {
        const int bits = body->crossings.bits ? brume_crossing_bits(&body->crossings, i, j, k) : BRUME_LATTICE_TOUCHED;
        if (body->crossings_show_inside && !(bits & BRUME_LATTICE_TOUCHED)) {
            return bits & BRUME_LATTICE_INSIDE;
        }
        depth = 1e-6f * def->dx;
    }
    return brume_placed_distance(&body->placed, brume_cell_center(def, i, j, k), depth) < -0.5f * depth;
}

// marks the cells whose center is inside a body
static void voxelize(BrumeCells *cells, const BrumeSimDef *def, const CoveringBody *body)
{
    if (!brume_shape_is_solid(body->placed.shape)) {
        return;
    }
    const BrumeIndexBox box = brume_cells_overlapping(def, body->placed.shape);
    bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                if (covers(body, def, i, j, k)) {
                    set_solid(cells, i + cells->sy * j + cells->sz * k, body->number);
                    any = true;
                }
            }
        }
    }
    cells->bodies = cells->bodies || any;
}

// whether the surface of a body may lie between the center of a cell and that of the next one along an axis
static bool may_cross(const CoveringBody *body, const int index[3], int axis, int step)
{
    int lower[3] = {index[0], index[1], index[2]};
    lower[axis] -= step < 0;
    return !body->crossings.bits ||
           (brume_crossing_bits(&body->crossings, lower[0], lower[1], lower[2]) & BRUME_LATTICE_X << axis) != 0;
}

// the face above a cell along an axis, or below one with `step` -1: where a body lies between two cells of air,
// the cell whose center is nearer becomes solid; at a side of the box that is no wall, the cell inside
static void close_face(BrumeCells *cells, const BrumeSimDef *def, const CoveringBody *body, const int index[3],
                       int axis, int step)
{
    const ptrdiff_t stride = brume_cells_below(cells, axis);
    const ptrdiff_t cell = index[0] + cells->sy * index[1] + cells->sz * index[2];
    const ptrdiff_t other = cell + step * stride;
    const int at = index[axis] + step;
    const bool leaves = at < 1 || at > brume_cells_along(cells->grid, axis);
    const int flags = cells->flags[cell] | (leaves ? 0 : cells->flags[other]); // ghosts are not set yet
    if ((leaves && def->faces[2 * axis + (step > 0)].kind == BRUME_WALL) || flags & BRUME_CELL_SOLID ||
        !may_cross(body, index, axis, step)) {
        return;
    }
    const BrumeVec3 from = brume_cell_center(def, index[0], index[1], index[2]);
    const float way = (float)step * (leaves ? 0.5f : 1.0f) * def->dx;
    const BrumeVec3 to = brume_add(from, brume_along(axis, way));
    if (brume_placed_passes_corners(&body->placed, from, to, THICK * def->dx)) {
        return;
    }
    const float entry = brume_placed_entry(&body->placed, from, to);
    if (entry <= 1.0f || (body->crossings.bits && !leaves)) {
        const bool nearer = leaves || entry <= brume_placed_entry(&body->placed, to, from);
        brume_cells_set_solid(cells, nearer ? cell : other, body->number);
    }
}

// whether the surface of a body may be between the center of a cell and those of the next ones
static bool is_near(const CoveringBody *body, const BrumeSimDef *def, int i, int j, int k)
{
    if (body->crossings.bits) {
        const int any = BRUME_LATTICE_X | BRUME_LATTICE_Y | BRUME_LATTICE_Z;
        return i == 1 || j == 1 || k == 1 || (brume_crossing_bits(&body->crossings, i, j, k) & any);
    }
    return brume_placed_rough_distance(&body->placed, brume_cell_center(def, i, j, k), 0.99f * def->dx, def->dx) <
           def->dx;
}

/*
 * A solid that is thinner than a cell may pass between the centers of cells, through which air would flow: of each two
 * cells that it separates, one becomes solid. A solid that is a cell thick contains a center on every way through it
 * that leads from cell to cell, whatever its direction. Of a mesh, the thickness is that of its parts.
 */
static void close_thin_parts(BrumeCells *cells, const BrumeSimDef *def, const CoveringBody *body)
{
    if (!(brume_shape_thickness(body->placed.shape) < THICK * def->dx)) {
        return;
    }
    const BrumeIndexBox box = brume_cells_overlapping(def, body->placed.shape);
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                if ((cells->flags[i + cells->sy * j + cells->sz * k] & BRUME_CELL_SOLID) ||
                    !is_near(body, def, i, j, k)) {
                    continue;
                }
                const int index[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++) {
                    close_face(cells, def, body, index, axis, 1);
                    if (index[axis] == 1) {
                        close_face(cells, def, body, index, axis, -1);
                    }
                }
            }
        }
    }
}

// whether the face of a fluid cell is open; it lies on a side of the box, or between the cell and `neighbor`
static bool face_is_open(uint8_t neighbor, bool at_side, bool side_is_open)
{
    return at_side ? side_is_open : (neighbor & BRUME_CELL_FLUID) != 0;
}

static uint8_t open_faces(const BrumeCells *cells, const int index[3])
{
    const int n[3] = {cells->grid.nx, cells->grid.ny, cells->grid.nz};
    const ptrdiff_t stride[3] = {1, cells->sy, cells->sz};
    const uint8_t *cell = cells->flags + index[0] + cells->sy * index[1] + cells->sz * index[2];
    int bits = 0;
    for (int axis = 0; axis < 3; axis++) {
        // beyond a periodic side the neighbor is the cell at the opposite side
        const ptrdiff_t wrap = cells->coupled[axis] ? stride[axis] * n[axis] : 0;
        const bool at_lower = index[axis] == 1;
        const bool at_upper = index[axis] == n[axis];
        const uint8_t below = cell[-stride[axis] + (at_lower ? wrap : 0)];
        const uint8_t above = cell[stride[axis] - (at_upper ? wrap : 0)];
        const bool lower_side = at_lower && !cells->coupled[axis];
        const bool upper_side = at_upper && !cells->coupled[axis];
        bits |= face_is_open(below, lower_side, cells->open[2 * axis]) << (2 * axis);
        bits |= face_is_open(above, upper_side, cells->open[2 * axis + 1]) << (2 * axis + 1);
    }
    return (uint8_t)(bits | BRUME_CELL_FLUID);
}

// the flags of `count` fluid or solid cells inside a row, from which of their neighbors are solid
BRUME_KERNEL static void open_faces_row(uint8_t *restrict flags, const uint8_t *restrict ids,
                                        const uint8_t *restrict y_lower, const uint8_t *restrict y_upper,
                                        const uint8_t *restrict z_lower, const uint8_t *restrict z_upper, int count)
{
    for (int i = 0; i < count; i++) {
        const int bits = (ids[i - 1] == 0) | (ids[i + 1] == 0) << 1 | (y_lower[i] == 0) << 2 | (y_upper[i] == 0) << 3 |
                         (z_lower[i] == 0) << 4 | (z_upper[i] == 0) << 5 | BRUME_CELL_FLUID;
        flags[i] = (uint8_t)(ids[i] != 0 ? BRUME_CELL_SOLID : bits);
    }
}

// sets the open faces of row (j, k)
static void set_open_faces(BrumeCells *cells, int j, int k)
{
    const BrumeGrid grid = cells->grid;
    uint8_t *row = cells->flags + cells->sy * j + cells->sz * k;
    const bool inside = j > 1 && j < grid.ny && k > 1 && k < grid.nz && grid.nx > 2;
    int next = 2; // the cell after the first that is set one by one
    if (inside && cells->body_ids) {
        const uint8_t *ids = cells->body_ids + cells->sy * j + cells->sz * k + 2;
        open_faces_row(row + 2, ids, ids - cells->sy, ids + cells->sy, ids - cells->sz, ids + cells->sz, grid.nx - 2);
        next = grid.nx;
    } else if (inside) {
        memset(row + 2, BRUME_CELL_FACES | BRUME_CELL_FLUID, (size_t)grid.nx - 2);
        next = grid.nx;
    }
    for (int i = 1; i <= grid.nx; i = i == 1 ? next : i + 1) {
        if (!(row[i] & BRUME_CELL_SOLID)) {
            row[i] = open_faces(cells, (const int[3]){i, j, k});
        }
    }
}

// ghosts beyond periodic sides repeat the solid cells of the opposite side, so that faces on the side are closed there,
// and their bodies
static void copy_solids_to_ghosts(BrumeCells *cells)
{
    const int n[3] = {cells->grid.nx, cells->grid.ny, cells->grid.nz};
    const ptrdiff_t stride[3] = {1, cells->sy, cells->sz};
    for (int axis = 0; axis < 3; axis++) {
        int inner;
        int outer;
        brume_other_axes(axis, &inner, &outer);
        for (int b = 0; cells->periodic[axis] && b <= n[outer] + 1; b++) {
            for (int a = 0; a <= n[inner] + 1; a++) {
                uint8_t *line = cells->flags + stride[inner] * a + stride[outer] * b;
                line[0] = line[stride[axis] * n[axis]] & BRUME_CELL_SOLID;
                line[stride[axis] * (n[axis] + 1)] = line[stride[axis]] & BRUME_CELL_SOLID;
                for (int set = 0; set < 2; set++) {
                    uint8_t *ids = set == 0 ? cells->body_ids : cells->wall_ids;
                    if (ids) {
                        ids += line - cells->flags;
                        ids[0] = ids[stride[axis] * n[axis]];
                        ids[stride[axis] * (n[axis] + 1)] = ids[stride[axis]];
                    }
                }
            }
        }
    }
}

BRUME_KERNEL static void mark_whole_row(uint8_t *restrict marks, int bit, const uint8_t *flags, const uint8_t *below,
                                        int count)
{
    for (int i = 0; i < count; i++) {
        marks[i] |= (uint8_t)(((flags[i] | below[i]) & BRUME_CELL_SOLID) ? 0 : bit);
    }
}

BRUME_KERNEL static void mark_open_row(uint8_t *restrict marks, int bit, const float *open, int count)
{
    for (int i = 0; i < count; i++) {
        marks[i] |= (uint8_t)(open[i] > 0.0f ? bit : 0);
    }
}

void brume_cells_mark_air(const BrumeCells *cells, int location, ptrdiff_t first, int count, int bit, uint8_t *marks)
{
    if (cells->fractions && location < 3) {
        mark_open_row(marks, bit, cells->fractions->face[location].data + first, count);
    } else {
        const uint8_t *flags = cells->flags + first;
        mark_whole_row(marks, bit, flags, flags - brume_cells_below(cells, location), count);
    }
}

void brume_cells_find_open_faces(BrumeCells *cells)
{
    copy_solids_to_ghosts(cells);
    const BrumeIndexBox *rows = &cells->touched;
    for (int k = rows->from[2]; k <= rows->to[2]; k++) { // a cell reads the flags of those around it
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            set_open_faces(cells, j, k);
        }
    }
}

// makes the cells of all bodies solid, then those that their thin parts need
static BrumeStatus cover_cells(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    CoveringBody bodies[BRUME_MAX_BODIES];
    int count = 0;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < def->body_count && status == BRUME_OK; n++) {
        if (!def->bodies[n].disabled) {
            CoveringBody *body = &bodies[count++];
            *body = (CoveringBody){.number = n, .placed = brume_shape_place(&def->bodies[n].shape)};
            status = brume_cross_mesh(&body->crossings, def, &body->placed, false, error);
            body->crossings_show_inside = body->crossings.bits && brume_mesh_info(body->placed.shape->mesh)->closed;
        }
    }
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        voxelize(cells, def, &bodies[n]);
    }
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        close_thin_parts(cells, def, &bodies[n]);
    }
    for (int n = 0; n < count; n++) {
        brume_free(bodies[n].crossings.bits);
    }
    return status;
}

BrumeSimDef brume_placed_bodies(const BrumeSimDef *def)
{
    BrumeSimDef placed = *def;
    for (int n = 0; n < def->body_count; n++) {
        placed.bodies[n].shape = brume_body_shape(def, n);
        placed.bodies[n].parent = 0;
        placed.bodies[n].disabled = !brume_body_is_solid(&def->bodies[n]);
    }
    return placed;
}

BrumeIndexBox brume_enclosing_box(BrumeIndexBox a, BrumeIndexBox b)
{
    for (int axis = 0; axis < 3; axis++) {
        a.from[axis] = brume_min_int(a.from[axis], b.from[axis]);
        a.to[axis] = brume_max_int(a.to[axis], b.to[axis]);
    }
    return a;
}

void brume_cells_touch(BrumeCells *cells, BrumeIndexBox box)
{
    enum { MARGIN = 6 }; // of distances that are known, and of the faces and cells next to those that a body cuts
    for (int axis = 0; axis < 3; axis++) {
        const bool all = cells->periodic[0] || cells->periodic[1] || cells->periodic[2]; // sides repeat bodies
        const int last = brume_cells_along(cells->grid, axis);
        box.from[axis] = all ? 1 : brume_max_int(box.from[axis] - MARGIN, 1);
        box.to[axis] = all ? last : brume_min_int(box.to[axis] + MARGIN, last);
    }
    cells->touched = brume_enclosing_box(cells->touched, box);
}

static void touch_bodies(BrumeCells *cells, const BrumeSimDef *def)
{
    for (int n = 0; n < def->body_count; n++) {
        if (!def->bodies[n].disabled) {
            brume_cells_touch(cells, brume_cells_overlapping(def, &def->bodies[n].shape));
        }
    }
}

void brume_cells_touch_bodies_alone(BrumeCells *cells, const BrumeSimDef *def)
{
    const BrumeGrid grid = cells->grid;
    cells->touched = (BrumeIndexBox){{grid.nx, grid.ny, grid.nz}, {1, 1, 1}};
    touch_bodies(cells, def);
}

// covers cells in the rows that may be touched
static BrumeStatus cover_rows(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    const BrumeIndexBox *rows = &cells->touched;
    for (int k = rows->from[2]; k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            const ptrdiff_t row = 1 + cells->sy * j + cells->sz * k;
            memset(cells->flags + row, BRUME_CELL_FLUID, (size_t)cells->grid.nx);
            if (cells->body_ids) {
                memset(cells->body_ids + row, 0, (size_t)cells->grid.nx);
            }
        }
    }
    const BrumeStatus status = cover_cells(cells, def, error);
    if (status != BRUME_OK) {
        brume_cells_destroy(cells);
        return status;
    }
    brume_cells_find_open_faces(cells);
    return BRUME_OK;
}

BrumeStatus brume_cells_create(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    const BrumeGrid grid = brume_settings_grid(def);
    *cells = (BrumeCells){
        .grid = grid,
        .sy = grid.nx + 2,
        .sz = (ptrdiff_t)(grid.nx + 2) * (grid.ny + 2),
        .flags = brume_alloc(brume_grid_entries(grid), sizeof(uint8_t)),
        .body_ids = def->body_count > 0 ? brume_alloc(brume_grid_entries(grid), sizeof(uint8_t)) : NULL,
        .touched = {{1, 1, 1}, {grid.nx, grid.ny, grid.nz}},
    };
    if (!cells->flags || (def->body_count > 0 && !cells->body_ids)) {
        brume_cells_destroy(cells);
        return brume_out_of_grid_memory(error, "the flags of %d x %d x %d cells", grid.nx, grid.ny, grid.nz);
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        cells->open[face] = def->faces[face].kind == BRUME_OPEN;
        cells->periodic[face / 2] = cells->periodic[face / 2] || def->faces[face].kind == BRUME_PERIODIC;
        cells->coupled[face / 2] = cells->periodic[face / 2] && brume_cells_along(grid, face / 2) > 1;
    }
    return cover_rows(cells, def, error);
}

BrumeStatus brume_cells_renew(BrumeCells *cells, BrumeCells *spare, const BrumeSimDef *def, BrumeError *error)
{
    *cells = *spare;
    *spare = (BrumeCells){.flags = NULL};
    for (int axis = 0; axis < 3; axis++) {
        brume_friction_faces_destroy(&cells->friction_faces[axis]);
    }
    cells->bodies = cells->has_creases = false;
    touch_bodies(cells, def);
    return cover_rows(cells, def, error);
}

void brume_cells_destroy(BrumeCells *cells)
{
    brume_free(cells->flags);
    brume_free(cells->body_ids);
    brume_free(cells->wall_ids);
    for (int axis = 0; axis < 3; axis++) {
        brume_friction_faces_destroy(&cells->friction_faces[axis]);
    }
    brume_field_destroy(&cells->distance);
    if (cells->fractions) {
        brume_fractions_destroy(cells->fractions);
        brume_free(cells->fractions);
    }
    *cells = (BrumeCells){0};
}

size_t brume_cells_bytes(const BrumeCells *cells)
{
    size_t bytes =
        brume_grid_entries(cells->grid) * (size_t)(1 + (cells->body_ids != NULL) + (cells->wall_ids != NULL));
    for (int axis = 0; axis < 3; axis++) {
        bytes += brume_friction_faces_bytes(&cells->friction_faces[axis], cells->grid);
    }
    return bytes + (cells->fractions ? sizeof *cells->fractions + brume_fractions_bytes(cells->fractions) +
                                           brume_grid_entries(cells->grid) * sizeof(float)
                                     : 0);
}

bool brume_cells_equal(const BrumeCells *a, const BrumeCells *b)
{
    // equal body ids imply equal flags
    const bool cut = a->fractions || b->fractions;
    const uint8_t *ids[2] = {cut ? a->wall_ids : a->body_ids, cut ? b->wall_ids : b->body_ids};
    if (a->bodies != b->bodies || (cut && !(a->fractions && b->fractions))) {
        return false;
    }
    const BrumeIndexBox rows = brume_enclosing_box(a->touched, b->touched);
    const ptrdiff_t count = a->sy * (rows.to[1] - rows.from[1] + 1);
    bool equal = true;
    for (int k = rows.from[2]; a->bodies && equal && k <= rows.to[2]; k++) {
        const ptrdiff_t first = a->sy * rows.from[1] + a->sz * k;
        equal = memcmp(ids[0] + first, ids[1] + first, (size_t)count) == 0;
    }
    return equal && (!cut || (brume_fractions_equal(a->fractions, b->fractions, rows.from, rows.to) &&
                              brume_field_rows_equal(&a->distance, &b->distance, rows.from, rows.to)));
}
