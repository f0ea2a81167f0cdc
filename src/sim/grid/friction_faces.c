#include "sim/grid/friction_faces.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/grid/cells.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, SIDES = 6, CHUNK = 256 };

static const float LEAST_DISTANCE = 0.01f; // [dx], of the rate of a face in the layer

typedef struct FaceSearch {
    const BrumeCells *cells;
    const BrumeField *distance;
    int component;
} FaceSearch;

static float open_part(const FaceSearch *s, int axis, const int at[AXES])
{
    const BrumeField *face = &s->cells->fractions->face[axis];
    return face->data[brume_field_index(face, at[0], at[1], at[2])];
}

// the signed distances at the corners of a face of the component, in cyclic order
static void find_corners(const FaceSearch *s, const int at[AXES], float corners[4])
{
    int inner;
    int outer;
    brume_other_axes(s->component, &inner, &outer);
    const ptrdiff_t first = brume_stride(s->distance, inner);
    const ptrdiff_t second = brume_stride(s->distance, outer);
    const float *d = s->distance->data + brume_field_index(s->distance, at[0], at[1], at[2]);
    corners[0] = d[0];
    corners[1] = d[first];
    corners[2] = d[first + second];
    corners[3] = d[second];
}

// the signed distance at the center of a face of the component: the mean of those at its corners
static float distance_at(const FaceSearch *s, const int at[AXES])
{
    float d[4];
    find_corners(s, at, d);
    return 0.25f * ((d[0] + d[1]) + (d[3] + d[2]));
}

// moves an index across a periodic side; false where it is beyond another side
static bool find_cell(const BrumeCells *cells, int axis, int at[AXES])
{
    const int count = brume_cells_along(cells->grid, axis);
    at[axis] = cells->periodic[axis] ? brume_wrap_index(at[axis], count) : at[axis];
    return at[axis] >= 1 && at[axis] <= count;
}

// likewise a face of the component, which may be on the upper side of the box
static bool find_face(const FaceSearch *s, int axis, int at[AXES])
{
    return find_cell(s->cells, axis, at) ||
           (axis == s->component && at[axis] == brume_cells_along(s->cells->grid, axis) + 1);
}

// the solid that cuts the cells at a face of the component
static int solid_at(const FaceSearch *s, const int at[AXES])
{
    const BrumeCells *cells = s->cells;
    int id = 0;
    for (int n = 0; n < 2; n++) {
        int cell[AXES] = {at[0], at[1], at[2]};
        cell[s->component] -= n;
        if (find_cell(cells, s->component, cell)) {
            id = brume_max_int(id, cells->wall_ids[cell[0] + cells->sy * cell[1] + cells->sz * cell[2]]);
        }
    }
    return id;
}

// the open part of the area between a face and its neighbor on a side, which are not separated by a side of the box
static float open_between(const FaceSearch *s, const int at[AXES], const int neighbor[AXES], int side)
{
    const int axis = side / 2;
    if (axis == s->component) {
        return 0.5f * (open_part(s, axis, at) + open_part(s, axis, neighbor));
    }
    int upper[AXES] = {at[0], at[1], at[2]}; // the faces of the cells above and below
    upper[axis] += side % 2;
    int lower[AXES] = {upper[0], upper[1], upper[2]};
    lower[s->component]--;
    (void)find_cell(s->cells, s->component, lower);
    return 0.5f * (open_part(s, axis, upper) + open_part(s, axis, lower));
}

// whether all neighbors of a face are faces of the box
static bool is_inside(const FaceSearch *s, const int at[AXES])
{
    const BrumeGrid grid = s->cells->grid;
    return at[0] > 1 && at[1] > 1 && at[2] > 1 && at[0] < grid.nx && at[1] < grid.ny && at[2] < grid.nz;
}

// the same as slope_at where all neighbors are faces of the box
static float slope_inside(const FaceSearch *s, const int at[AXES])
{
    int inner;
    int outer;
    brume_other_axes(s->component, &inner, &outer);
    const ptrdiff_t a = brume_stride(s->distance, inner);
    const ptrdiff_t b = brume_stride(s->distance, outer);
    const float *here = s->distance->data + brume_field_index(s->distance, at[0], at[1], at[2]);
    float square = 0.0f;
    for (int axis = 0; axis < AXES; axis++) {
        const ptrdiff_t stride = brume_stride(s->distance, axis);
        const float *u = here + stride;
        const float *l = here - stride;
        const float slope =
            0.5f * (0.25f * ((u[0] + u[a]) + (u[b] + u[a + b])) - 0.25f * ((l[0] + l[a]) + (l[b] + l[a + b])));
        square += slope * slope;
    }
    return sqrtf(square);
}

// the slope of the distance at the center of a face [m / dx]; 0 where it is not known
static float slope_at(const FaceSearch *s, const int at[AXES])
{
    if (is_inside(s, at)) {
        return slope_inside(s, at);
    }
    const float here = distance_at(s, at);
    float square = 0.0f;
    for (int axis = 0; axis < AXES; axis++) {
        int lower[AXES] = {at[0], at[1], at[2]};
        int upper[AXES] = {at[0], at[1], at[2]};
        lower[axis]--;
        upper[axis]++;
        const bool below = find_face(s, axis, lower);
        const bool above = find_face(s, axis, upper);
        const float rise = (above ? distance_at(s, upper) : here) - (below ? distance_at(s, lower) : here);
        const float slope = below && above ? 0.5f * rise : rise;
        square += slope * slope;
    }
    return sqrtf(square);
}

// a distance [m] near a face in cells
static float in_cells(float distance, float slope)
{
    return slope > 0.0f ? distance / slope : distance > 0.0f ? 1.0f : distance < 0.0f ? -1.0f : 0.0f;
}

// the signed distance from the center of a face to the surface [dx]
static float cells_to_surface(const FaceSearch *s, const int at[AXES])
{
    return in_cells(distance_at(s, at), slope_at(s, at));
}

// the distance from the surface to the centroid of the open part of a face [dx]
static float cells_to_open_part(const FaceSearch *s, const int at[AXES])
{
    float corners[4];
    find_corners(s, at, corners);
    return in_cells(brume_open_distance(corners), slope_at(s, at));
}

// the neighbor of a face on a side; false where there is none
static bool find_neighbor(const FaceSearch *s, const int at[AXES], int side, int neighbor[AXES])
{
    memcpy(neighbor, at, AXES * sizeof *neighbor);
    neighbor[side / 2] += side % 2 ? 1 : -1;
    return find_face(s, side / 2, neighbor);
}

// whether an open face in the layer has an open neighbor outside
static bool has_open_neighbor_outside(const FaceSearch *s, const int at[AXES])
{
    bool found = false;
    for (int side = 0; side < SIDES && !found; side++) {
        int neighbor[AXES];
        found = find_neighbor(s, at, side, neighbor) && open_part(s, s->component, neighbor) > 0.0f &&
                cells_to_surface(s, neighbor) >= BRUME_WALL_LAYER;
    }
    return found;
}

// Sets the weights of a face in the layer, `here` from the surface, whose neighbors are all in the layer: from those
// that have neighbors outside. Returns their sum.
static float weigh_layer(const FaceSearch *s, const int at[AXES], float here, float centroid, float weight[SIDES])
{
    float total = 0.0f;
    for (int side = 0; side < SIDES; side++) {
        int neighbor[AXES];
        const bool exists = find_neighbor(s, at, side, neighbor) && open_part(s, s->component, neighbor) > 0.0f;
        const float there = exists ? cells_to_surface(s, neighbor) : here;
        const float centroid_there = there > here ? cells_to_open_part(s, neighbor) : 0.0f;
        if (centroid_there > centroid && has_open_neighbor_outside(s, neighbor)) {
            weight[side] = (there - here) * centroid / centroid_there;
            total += there - here;
        }
    }
    return total;
}

static BrumeFrictionFace describe(const FaceSearch *s, const int at[AXES])
{
    const float here = cells_to_surface(s, at);
    const float centroid = cells_to_open_part(s, at);
    float total = 0.0f;
    BrumeFrictionFace face = {
        .index = (int32_t)brume_field_index(s->distance, at[0], at[1], at[2]),
        .in_layer = here < BRUME_WALL_LAYER,
        .id = (uint8_t)solid_at(s, at),
        .rate = 2.0f / brume_fmaxf(centroid, LEAST_DISTANCE),
    };
    for (int side = 0; side < SIDES; side++) {
        int neighbor[AXES];
        face.open[side] = 1.0f;
        if (!find_neighbor(s, at, side, neighbor)) {
            continue;
        }
        face.ids[side] = (uint8_t)brume_max_int(face.id, solid_at(s, neighbor));
        const bool closed = face.ids[side] > 0 && open_part(s, s->component, neighbor) == 0.0f;
        face.open[side] = closed ? 0.0f : open_between(s, at, neighbor, side);
        const float there = cells_to_surface(s, neighbor);
        if (!face.in_layer && there < BRUME_WALL_LAYER) {
            face.weight[side] = brume_fminf((here - there) / here, 1.0f / BRUME_WALL_LAYER);
        } else if (!face.in_layer && closed) {
            face.weight[side] = 1.0f;
        } else if (face.in_layer && there >= BRUME_WALL_LAYER && !closed) {
            face.weight[side] = (there - here) * centroid / there;
            total += there - here;
        }
    }
    face.is_inner = face.in_layer && total == 0.0f;
    if (face.is_inner) {
        total = weigh_layer(s, at, here, centroid, face.weight);
    }
    for (int side = 0; face.in_layer && total > 0.0f && side < SIDES; side++) {
        face.weight[side] /= total;
    }
    return face;
}

// whether faces of row (j, k) may be near a wall; those on a side of the box are not diffused
static bool may_have_walls(const FaceSearch *s, int j, int k)
{
    const int index[AXES] = {2, j, k};
    if (index[s->component] == 1 && !s->cells->periodic[s->component]) {
        return false;
    }
    bool cut = false;
    for (int n = 0; n < 9; n++) {
        int at[AXES] = {1, j + n % 3 - 1, k + n / 3 - 1};
        cut = cut || (find_cell(s->cells, 1, at) && find_cell(s->cells, 2, at) &&
                      brume_cells_row_is_cut(s->cells, at[1], at[2]));
    }
    return cut;
}

// marks the faces of a row of which a body cuts or fills a cell or one of a neighbor; `ids` are the cells above the
// faces, `next_y` and `next_z` lead down from the cells under them
BRUME_KERNEL static void mark_near(uint8_t *restrict near, const uint8_t *ids, ptrdiff_t below, ptrdiff_t sy,
                                   ptrdiff_t sz, ptrdiff_t next_y, ptrdiff_t next_z, int count)
{
    for (int i = 0; i < count; i++) {
        const uint8_t *above = ids + i;
        const uint8_t *under = above - below;
        near[i] = (uint8_t)(above[0] | above[-1] | above[1] | above[-sy] | above[sy] | above[-sz] | above[sz] |
                            under[0] | under[-1] | under[1] | under[next_y] | under[sy] | under[next_z] | under[sz]);
    }
}

// a number of leading zeros of a row, in groups of eight
static int skip_far(const uint8_t *near, int count)
{
    static const uint8_t far[8] = {0};
    int n = 0;
    while (n + 8 <= count && memcmp(near + n, far, sizeof far) == 0) {
        n += 8;
    }
    return n;
}

// lists the open faces of row (j, k) near walls, or counts them where `entries` is NULL; returns their number
static int32_t list_row(const FaceSearch *s, int j, int k, BrumeFrictionFace *entries)
{
    const BrumeCells *cells = s->cells;
    const BrumeField *open = &cells->fractions->face[s->component];
    const int from = s->component == 0 && !cells->periodic[0] ? 2 : 1;
    const ptrdiff_t first = brume_field_index(open, from, j, k);
    const int total = cells->grid.nx - from + 1;
    // from the ghost cells under the faces on a periodic side to the last cells but one
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t next_y = s->component == 1 && j == 1 ? (grid.ny - 1) * open->sy : -open->sy;
    const ptrdiff_t next_z = s->component == 2 && k == 1 ? (grid.nz - 1) * open->sz : -open->sz;
    uint8_t near[CHUNK];
    int32_t count = 0;
    for (int start = 0; start < total && may_have_walls(s, j, k); start += CHUNK) {
        const int length = brume_min_int(total - start, CHUNK);
        mark_near(near, cells->wall_ids + first + start, brume_stride(open, s->component), open->sy, open->sz, next_y,
                  next_z, length);
        for (int n = 0; n < length; n++) {
            n += skip_far(near + n, length - n);
            if (n == length || near[n] == 0 || open->data[first + start + n] == 0.0f) {
                continue;
            }
            if (entries) {
                entries[count] = describe(s, (const int[]){from + start + n, j, k});
            }
            count++;
        }
    }
    return count;
}

BrumeStatus brume_friction_faces_create(BrumeFrictionFaces *faces, const BrumeCells *cells, int component,
                                        BrumeError *error)
{
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t rows = (ptrdiff_t)grid.ny * grid.nz;
    const FaceSearch search = {.cells = cells, .distance = &cells->distance, .component = component};
    *faces = (BrumeFrictionFaces){.rows = brume_alloc((size_t)rows + 1, sizeof *faces->rows)};
    if (!faces->rows) {
        goto no_memory;
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            faces->rows[(ptrdiff_t)(k - 1) * grid.ny + j] = list_row(&search, j, k, NULL);
        }
    }
    for (ptrdiff_t row = 0; row < rows; row++) {
        faces->rows[row + 1] += faces->rows[row];
    }
    faces->entries = brume_alloc((size_t)faces->rows[rows], sizeof *faces->entries);
    if (!faces->entries) {
        goto no_memory;
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = (ptrdiff_t)(k - 1) * grid.ny + (j - 1);
            if (faces->rows[row + 1] > faces->rows[row]) {
                (void)list_row(&search, j, k, &faces->entries[faces->rows[row]]);
            }
        }
    }
    return BRUME_OK;

no_memory:
    brume_friction_faces_destroy(faces);
    return brume_out_of_grid_memory(error, "the faces at walls");
}

void brume_friction_faces_destroy(BrumeFrictionFaces *faces)
{
    brume_free(faces->entries);
    brume_free(faces->rows);
    *faces = (BrumeFrictionFaces){0};
}

size_t brume_friction_faces_bytes(const BrumeFrictionFaces *faces, BrumeGrid grid)
{
    const size_t rows = (size_t)grid.ny * (size_t)grid.nz;
    return faces->rows ? (rows + 1) * sizeof *faces->rows + (size_t)faces->rows[rows] * sizeof *faces->entries : 0;
}
