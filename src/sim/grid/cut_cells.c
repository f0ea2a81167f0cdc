#include "sim/grid/cut_cells.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/grid/mesh_crossings.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    NEAR = 3, // distances to a surface are needed up to this many cells
};

// the open part of a cell whose center is on the edge of a box that is not thin
static const float MOST_OPEN_AROUND_CENTER = 0.75f;
static const float ON_SURFACE = 1e-4f; // rounding of the distance of a corner on a surface [cells]

const char *brume_solids_name(int index)
{
    static const char *const names[] = {"cells", "cut"};
    return index >= 0 && index < (int)(sizeof names / sizeof names[0]) ? names[index] : NULL;
}

// the lower corner of cell (i, j, k)
static BrumeVec3 corner_of(const BrumeSimDef *def, int i, int j, int k)
{
    const float half = 0.5f * def->dx;
    return brume_sub(brume_cell_center(def, i, j, k), brume_vec3(half, half, half));
}

// Signed distances at the corners, at most NEAR cells in absolute value, and the body that is nearest to each.
typedef struct Corners {
    const BrumeSimDef *def;
    const BrumeIndexBox *rows; // of cells
    BrumeField *distance;
    uint8_t *bodies;
    uint8_t *crossed; // EDGE_CROSSED << axis: a mesh crosses the edge above a corner in the air; CELL_CROSSED: such an
                      // edge of the cell above it; NULL without a mesh
} Corners;

enum { EDGE_CROSSED = BRUME_LATTICE_X, CELL_CROSSED = BRUME_LATTICE_INSIDE };

// Marks the edges between two corners in the air that a mesh crosses, and the cells around them.
static void mark_crossed_edges(const Corners *corners, const BrumeMeshCrossings *crossings)
{
    const BrumeField *distance = corners->distance;
    const BrumeIndexBox *box = &crossings->box;
    const BrumeGrid grid = distance->grid;
    for (int k = brume_max_int(box->from[2], 1); k <= brume_min_int(box->to[2], grid.nz + 1); k++) {
        for (int j = brume_max_int(box->from[1], 1); j <= brume_min_int(box->to[1], grid.ny + 1); j++) {
            for (int i = brume_max_int(box->from[0], 1); i <= brume_min_int(box->to[0], grid.nx + 1); i++) {
                const int bits = brume_crossing_bits(crossings, i, j, k);
                const ptrdiff_t c = brume_field_index(distance, i, j, k);
                for (int axis = 0; axis < 3; axis++) {
                    const ptrdiff_t stride = brume_stride(distance, axis);
                    const int index[3] = {i, j, k};
                    if (!(bits & EDGE_CROSSED << axis) || index[axis] > brume_cells_along(grid, axis) ||
                        !(distance->data[c] > 0.0f && distance->data[c + stride] > 0.0f)) {
                        continue;
                    }
                    int inner;
                    int outer;
                    brume_other_axes(axis, &inner, &outer);
                    corners->crossed[c] |= (uint8_t)(EDGE_CROSSED << axis);
                    for (int n = 0; n < 4; n++) {
                        corners->crossed[c - (n & 1) * brume_stride(distance, inner) -
                                         (n >> 1) * brume_stride(distance, outer)] |= CELL_CROSSED;
                    }
                }
            }
        }
    }
}

// a body that cuts cells
typedef struct CuttingBody {
    int number;
    BrumePlacedShape placed;
    BrumeMeshCrossings crossings; // of a closed mesh, at the corners: the side on which each of them is
} CuttingBody;

// the side of a corner of which the distance to the triangles of a closed mesh is known
static float signed_distance(const CuttingBody *body, const BrumeSimDef *def, int i, int j, int k, float distance)
{
    const int bits = brume_crossing_bits(&body->crossings, i, j, k);
    if (bits & BRUME_LATTICE_TOUCHED) {
        return brume_placed_distance(&body->placed, corner_of(def, i, j, k), NEAR * def->dx);
    }
    return bits & BRUME_LATTICE_INSIDE ? brume_fminf(-distance, -FLT_MIN) : distance;
}

// the distance of the middle of a block; of a mesh, as far as it matters whether it is more than `near`
static float distance_of_block(const CuttingBody *body, const BrumeSimDef *def, const int from[3], BrumeVec3 middle,
                               float near, float radius)
{
    if (!body->crossings.bits) {
        return brume_placed_distance(&body->placed, middle, near + radius);
    }
    const float distance = brume_placed_distance_outside(&body->placed, middle, 0.99f * near, near + radius);
    return distance < near ? distance : signed_distance(body, def, from[0], from[1], from[2], distance);
}

// the distances to a body at the corners of a block, those that are not beyond its end in the order of brume_block_cell
static void find_distances(const CuttingBody *body, const BrumeSimDef *def, const BrumeIndexBox *block,
                           float distances[BRUME_BLOCK_CELLS])
{
    BrumeVec3 corners[BRUME_BLOCK_CELLS];
    int places[BRUME_BLOCK_CELLS][3];
    int count = 0;
    for (int n = 0; n < BRUME_BLOCK_CELLS; n++) {
        int *index = places[count];
        if (brume_block_cell(block, n, index)) {
            corners[count++] = corner_of(def, index[0], index[1], index[2]);
        }
    }
    const float near = NEAR * def->dx;
    if (!body->crossings.bits) {
        for (int n = 0; n < count; n++) {
            distances[n] = brume_placed_distance(&body->placed, corners[n], near);
        }
        return;
    }
    brume_placed_distances_outside(&body->placed, corners, count, near, distances);
    for (int n = 0; n < count; n++) {
        distances[n] = signed_distance(body, def, places[n][0], places[n][1], places[n][2], distances[n]);
    }
}

// the distances to a body at the corners of a block, which are set where it is nearer than others
static void fill_block(const Corners *corners, const CuttingBody *body, const BrumeIndexBox *block)
{
    const BrumeSimDef *def = corners->def;
    const int *from = block->from;
    const int *to = block->to;
    const float near = NEAR * def->dx;
    const BrumeVec3 half =
        brume_vec3(0.5f * (float)(to[0] - from[0]) * def->dx, 0.5f * (float)(to[1] - from[1]) * def->dx,
                   0.5f * (float)(to[2] - from[2]) * def->dx);
    const float radius = brume_length(half);
    const BrumeVec3 middle = brume_add(corner_of(def, from[0], from[1], from[2]), half);
    const float from_middle = distance_of_block(body, def, from, middle, near + radius, radius);
    if (from_middle > near + radius) {
        return;
    }
    const bool inside = from_middle < -near - radius;
    float distances[BRUME_BLOCK_CELLS];
    if (!inside) {
        find_distances(body, def, block, distances);
    }
    int next = 0;
    for (int n = 0; n < BRUME_BLOCK_CELLS; n++) {
        int index[3];
        if (!brume_block_cell(block, n, index)) {
            continue;
        }
        const ptrdiff_t c = brume_field_index(corners->distance, index[0], index[1], index[2]);
        const float distance = inside ? -near : distances[next++];
        if (distance < corners->distance->data[c]) {
            corners->distance->data[c] = brume_fmaxf(distance, -near);
            corners->bodies[c] = (uint8_t)body->number;
        }
    }
}

static BrumeStatus fill_corners(Corners *corners, BrumeError *error)
{
    const BrumeSimDef *def = corners->def;
    BrumeStatus status = BRUME_OK;
    const BrumeIndexBox *rows = corners->rows;
#pragma omp parallel for schedule(static)
    for (int k = rows->from[2]; k <= rows->to[2] + 1; k++) {
        float *plane = corners->distance->data + brume_field_index(corners->distance, 0, rows->from[1], k);
        const ptrdiff_t count = corners->distance->sy * (rows->to[1] - rows->from[1] + 2);
        for (ptrdiff_t n = 0; n < count; n++) {
            plane[n] = NEAR * def->dx;
        }
    }
    for (int n = 0; n < def->body_count && status == BRUME_OK; n++) {
        const BrumeShape *shape = &def->bodies[n].shape;
        if (def->bodies[n].disabled || !brume_shape_is_solid(shape)) {
            continue;
        }
        CuttingBody body = {.number = n, .placed = brume_shape_place(shape)};
        BrumeMeshCrossings crossings;
        status = brume_cross_mesh(&crossings, def, &body.placed, true, error);
        if (crossings.bits && brume_mesh_info(shape->mesh)->closed) {
            body.crossings = crossings;
        }
        BrumeIndexBox box = brume_cells_overlapping(def, shape);
        const int last[3] = {def->nx + 1, def->ny + 1, def->nz + 1};
        for (int axis = 0; axis < 3; axis++) {
            box.from[axis] = brume_max_int(box.from[axis] - NEAR, 1);
            box.to[axis] = brume_min_int(box.to[axis] + NEAR + 1, last[axis]);
        }
#pragma omp parallel for schedule(dynamic)
        for (int k = box.from[2]; k <= box.to[2]; k += BRUME_CELL_BLOCK) {
            for (int j = box.from[1]; j <= box.to[1] && status == BRUME_OK; j += BRUME_CELL_BLOCK) {
                for (int i = box.from[0]; i <= box.to[0]; i += BRUME_CELL_BLOCK) {
                    const BrumeIndexBox block = brume_cell_block(&box, i, j, k);
                    fill_block(corners, &body, &block);
                }
            }
        }
        if (crossings.bits && !corners->crossed) {
            corners->crossed = brume_alloc(brume_grid_entries(corners->distance->grid), sizeof *corners->crossed);
            status = corners->crossed ? BRUME_OK : brume_out_of_grid_memory(error, "cut cells");
        }
        if (crossings.bits && corners->crossed) {
            mark_crossed_edges(corners, &crossings);
        }
        brume_free(crossings.bits);
    }
    return status;
}

// 1 + the body of the corner of cell c that lies deepest
static uint8_t wall_of_cell(const BrumeField *distance, const uint8_t *bodies, ptrdiff_t c)
{
    ptrdiff_t deepest = c;
    for (int n = 1; n < 8; n++) {
        const ptrdiff_t corner = brume_cell_corner(distance, c, n);
        deepest = distance->data[corner] < distance->data[deepest] ? corner : deepest;
    }
    return (uint8_t)(bodies ? 1 + bodies[deepest] : 1);
}

// Row (j, k): fluid where a part of the volume is open; which body closes the rest. Returns whether nothing is
// closed.
static bool set_cells(BrumeCells *cells, const BrumeField *distance, const uint8_t *bodies, int j, int k)
{
    const BrumeField *volume = &cells->fractions->volume;
    bool whole = true;
    for (int i = 1; i <= cells->grid.nx; i++) {
        const ptrdiff_t c = brume_field_index(volume, i, j, k);
        const bool open = volume->data[c] > 0.0f;
        uint8_t id = 0;
        if (volume->data[c] < 1.0f) {
            id = !open && cells->body_ids[c] > 0 ? cells->body_ids[c] : wall_of_cell(distance, bodies, c);
            whole = false;
        }
        cells->flags[c] = open ? BRUME_CELL_FLUID : BRUME_CELL_SOLID;
        cells->wall_ids[c] = id;
        cells->body_ids[c] = open ? 0 : id;
    }
    return whole;
}

// closes the faces of a row of which no part is open; `x`, `y`, `z` are the fractions of the lower faces
BRUME_KERNEL static void close_covered_faces(uint8_t *restrict flags, const float *x, const float *y, const float *z,
                                             ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 1; i <= count; i++) {
        const int open = (x[i] > 0.0f) | (x[i + 1] > 0.0f) << 1 | (y[i] > 0.0f) << 2 | (y[i + sy] > 0.0f) << 3 |
                         (z[i] > 0.0f) << 4 | (z[i + sz] > 0.0f) << 5;
        flags[i] = (uint8_t)(flags[i] & (open | ~BRUME_CELL_FACES));
    }
}

// whether a shape is known to be thinner than a cell (a mesh or a volume is not): distances at corners may not show it
static bool is_thin(const BrumeShape *shape, float dx)
{
    const float thickness = brume_shape_thickness(shape);
    return shape->kind != BRUME_SHAPE_MESH && shape->kind != BRUME_SHAPE_VOLUME && thickness < dx;
}

// Whether the air of cell c is on several sides of bodies: its corners in the air are not connected by edges that no
// mesh crosses. Corners on a surface, up to `rounding` [m], are on neither side.
static bool is_divided(const BrumeField *distance, const uint8_t *crossed, ptrdiff_t c, float rounding)
{
    int air = 0;
    int edges[3] = {0x55, 0x33, 0x0f}; // their lower corners
    for (int n = 0; n < 8; n++) {
        const ptrdiff_t corner = brume_cell_corner(distance, c, n);
        air |= (distance->data[corner] > rounding) << n;
        for (int axis = 0; crossed && axis < 3; axis++) {
            edges[axis] &= crossed[corner] & EDGE_CROSSED << axis ? ~(1 << n) : ~0;
        }
    }
    int connected = air & -air; // to the first corner in the air
    for (int before = 0; before != connected;) {
        before = connected;
        for (int axis = 0; axis < 3; axis++) {
            const int step = 1 << axis; // from one corner to the next
            connected |= ((connected & edges[axis]) << step | (connected >> step & edges[axis])) & air;
        }
    }
    return connected != air;
}

// whether a cell that is solid because of its center, but of which a part is open, is closed as a whole
static bool is_closed_as_a_whole(const BrumeCells *cells, const BrumeSimDef *def, int i, int j, int k)
{
    const ptrdiff_t c = brume_field_index(&cells->distance, i, j, k);
    const BrumeShape *shape = &def->bodies[cells->body_ids[c] - 1].shape;
    return !brume_shape_is_solid(shape) || is_thin(shape, def->dx) ||
           cells->fractions->volume.data[c] > MOST_OPEN_AROUND_CENTER ||
           !(brume_shape_distance_within(shape, brume_cell_center(def, i, j, k), 0.0f) < 0.0f);
}

// whether a cell beside cell c has its center in a body, but is open in part: it is on the side of this part
static bool is_beside_cut_center(const BrumeCells *cells, ptrdiff_t c)
{
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    for (int n = 0; n < 6; n++) {
        const ptrdiff_t beside = c + (n % 2 ? 1 : -1) * strides[n / 2];
        if (cells->body_ids[beside] > 0 && cells->fractions->volume.data[beside] > 0.0f) {
            return true;
        }
    }
    return false;
}

// Closes the cells where a thin body passes. First of those whose centers are solid: where there are meshes, those with
// air on several sides of it; all that are solid because of one thinner than a cell; those that are solid though their
// centers are outside of all bodies; and those whose centers are inside though almost nothing is closed, because the
// corners are outside. Then of those whose centers are in the air: those with air on several sides, where air on the
// other side than the center's would pass to a cell that is open there alone. All others are on the side of their
// centers, between which nothing passes a body.
static void close_thin_parts(BrumeCells *cells, const BrumeSimDef *def, const uint8_t *crossed)
{
    BrumeFractions *fractions = cells->fractions;
    const BrumeIndexBox *rows = &cells->touched;
    for (int pass = 0; pass < (crossed ? 2 : 1); pass++) {
        for (int k = rows->from[2]; k <= rows->to[2]; k++) {
            for (int j = rows->from[1]; j <= rows->to[1]; j++) {
                for (int i = 1; i <= cells->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(&fractions->volume, i, j, k);
                    const float volume = fractions->volume.data[c];
                    const bool is_solid = cells->body_ids[c] > 0;
                    if (volume == 0.0f || is_solid != (pass == 0)) {
                        continue;
                    }
                    const bool divided = crossed && (volume < 1.0f || (crossed[c] & CELL_CROSSED)) &&
                                         is_divided(&cells->distance, crossed, c, ON_SURFACE * def->dx);
                    if (is_solid ? divided || is_closed_as_a_whole(cells, def, i, j, k)
                                 : divided && is_beside_cut_center(cells, c)) {
                        brume_fractions_close_cell(fractions, i, j, k);
                    }
                }
            }
        }
    }
}

// the fractions of cells->distance in arrays that the cells have, or in new ones
static BrumeStatus find_fractions(BrumeCells *cells, float least, BrumeError *error)
{
    const BrumeIndexBox *rows = &cells->touched;
    if (cells->fractions) {
        brume_fractions_renew(cells->fractions, &cells->distance, cells->periodic, least, rows->from, rows->to);
        return BRUME_OK;
    }
    cells->wall_ids = brume_alloc(brume_grid_entries(cells->grid), sizeof *cells->wall_ids);
    cells->fractions = brume_alloc(1, sizeof *cells->fractions);
    if (!cells->fractions || !cells->wall_ids) {
        return brume_out_of_grid_memory(error, "cut cells");
    }
    return brume_fractions_create(cells->fractions, &cells->distance, cells->periodic, least, error);
}

// Cuts the cells in the rows that may be touched by cells->distance; `bodies` are those nearest to the corners, NULL
// for the first one alone, with `def`; `crossed` as in Corners.
static BrumeStatus cut(BrumeCells *cells, const BrumeSimDef *def, const uint8_t *bodies, const uint8_t *crossed,
                       BrumeError *error)
{
    assert(cells->body_ids);
    const BrumeField *distance = &cells->distance;
    const BrumeIndexBox *rows = &cells->touched;
    for (int n = 0; def && n < def->body_count; n++) {
        cells->has_creases =
            cells->has_creases || (!def->bodies[n].disabled && def->bodies[n].shape.kind == BRUME_SHAPE_MESH);
    }
    const float least = cells->has_creases ? BRUME_LEAST_FRACTION_OF_MESHES : BRUME_LEAST_FRACTION;
    const BrumeStatus status = find_fractions(cells, least, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeFractions *fractions = cells->fractions;
    if (def) {
        close_thin_parts(cells, def, crossed);
    }
    bool whole = true;
#pragma omp parallel for schedule(static) reduction(&& : whole)
    for (int k = rows->from[2]; k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            whole = set_cells(cells, distance, bodies, j, k) && whole;
        }
    }
    cells->bodies = !whole;
    brume_cells_find_open_faces(cells);
#pragma omp parallel for schedule(static)
    for (int k = rows->from[2]; k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            const ptrdiff_t row = brume_field_index(distance, 0, j, k);
            if (brume_cells_row_is_cut(cells, j, k)) {
                close_covered_faces(cells->flags + row, fractions->face[0].data + row, fractions->face[1].data + row,
                                    fractions->face[2].data + row, distance->sy, distance->sz, cells->grid.nx);
            }
        }
    }
    return !def || def->viscosity > 0.0f ? brume_cells_find_friction_faces(cells, error) : BRUME_OK;
}

BrumeStatus brume_cells_find_friction_faces(BrumeCells *cells, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        brume_friction_faces_destroy(&cells->friction_faces[axis]);
        status = brume_friction_faces_create(&cells->friction_faces[axis], cells, axis, error);
    }
    return status;
}

// like the flags, distances and fractions are whole on all ranks that share the grid
static BrumeStatus create_distances(BrumeCells *cells, BrumeError *error)
{
    const BrumeGrid grid = brume_grid(cells->grid.nx, cells->grid.ny, cells->grid.nz);
    return brume_field_create(&cells->distance, grid, error);
}

BrumeStatus brume_cells_cut_at(BrumeCells *cells, const BrumeField *distance, BrumeError *error)
{
    const BrumeStatus status = create_distances(cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_field_copy(&cells->distance, distance);
    return cut(cells, NULL, NULL, NULL, error);
}

// the field of distances, with their value far from all bodies where it is new
static BrumeStatus prepare_distances(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    if (cells->distance.data) {
        return BRUME_OK;
    }
    const BrumeStatus status = create_distances(cells, error);
    if (status == BRUME_OK) {
        brume_field_fill(&cells->distance, NEAR * def->dx);
    }
    return status;
}

BrumeStatus brume_cells_cut(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = prepare_distances(cells, def, error);
    // those of corners near no body are not read
    uint8_t *bodies = brume_alloc_untouched(brume_grid_entries(cells->grid), sizeof *bodies);
    if (status == BRUME_OK && !bodies) {
        status = brume_out_of_grid_memory(error, "cut cells");
    }
    Corners corners = {.def = def, .rows = &cells->touched, .distance = &cells->distance, .bodies = bodies};
    if (status == BRUME_OK) {
        status = fill_corners(&corners, error);
    }
    if (status == BRUME_OK) {
        status = cut(cells, def, bodies, corners.crossed, error);
    }
    brume_free(corners.crossed);
    brume_free(bodies);
    return status;
}

BrumeStatus brume_cells_create_by_solids(BrumeCells *cells, BrumeCells *spare, const BrumeSimDef *def,
                                         BrumeError *error)
{
    const BrumeSimDef placed = brume_placed_bodies(def);
    BrumeStatus status = spare && spare->flags ? brume_cells_renew(cells, spare, &placed, error)
                                               : brume_cells_create(cells, &placed, error);
    if (status == BRUME_OK && brume_has_bodies(def) && strcmp(def->solids, "cut") == 0) {
        status = brume_cells_cut(cells, &placed, error);
        if (status != BRUME_OK) {
            brume_cells_destroy(cells);
        }
    }
    if (status == BRUME_OK) {
        brume_cells_touch_bodies_alone(cells, &placed);
    }
    return status;
}

BrumeVec3 brume_cells_face_normal(const BrumeCells *cells, int axis, const int index[3])
{
    const BrumeField *distance = &cells->distance;
    const ptrdiff_t c = brume_field_index(distance, index[0], index[1], index[2]);
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t stride = brume_stride(distance, axis);
    const ptrdiff_t across[2] = {brume_stride(distance, inner), brume_stride(distance, outer)};
    const ptrdiff_t below = index[axis] > 1 ? stride : 0; // corners are within the box alone
    const ptrdiff_t above = index[axis] <= brume_cells_along(cells->grid, axis) ? stride : 0;
    float slope[3] = {0.0f}; // differences over one cell, of four corners
    for (int n = 0; n < 4; n++) {
        const ptrdiff_t corner = c + (n % 2) * across[0] + (n / 2) * across[1];
        const float *d = distance->data + corner;
        slope[axis] += (d[above] - d[-below]) / (below && above ? 2.0f : 1.0f);
        slope[inner] += n % 2 ? 2.0f * d[0] : -2.0f * d[0];
        slope[outer] += n / 2 ? 2.0f * d[0] : -2.0f * d[0];
    }
    const BrumeVec3 gradient = brume_vec3(slope[0], slope[1], slope[2]);
    return brume_length(gradient) > 0.0f ? brume_normalize(gradient) : brume_vec3(0.0f, 0.0f, 0.0f);
}
