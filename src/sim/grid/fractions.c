#include "sim/grid/fractions.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"

#include <string.h>

enum { AXES = 3, CORNERS = 8, TETRAHEDRA = 6 };

// the part of the edge from p to q on the side of p, whose sign differs from that of q
static float edge_part(float p, float q) { return p / (p - q); }

// the area of the triangle at corner p of a face that cuts the edges to q and r
static float corner_area(float p, float q, float r) { return 0.5f * edge_part(p, q) * edge_part(p, r); }

float brume_open_area(const float d[4])
{
    int air[4];
    int count = 0;
    for (int n = 0; n < 4; n++) {
        air[n] = d[n] > 0.0f;
        count += air[n];
    }
    if (count == 0 || count == 4) {
        return count == 0 ? 0.0f : 1.0f;
    }
    const int single = count == 3 ? 0 : 1; // `air` of the corners whose triangles are summed
    if (count == 2 && air[0] != air[2]) {  // a trapezoid: each air corner has one neighbor in the air
        const int first = air[0] && !air[3] ? 0 : air[1] && !air[0] ? 1 : air[2] && !air[1] ? 2 : 3;
        const float *next = &d[(first + 1) % 4];
        return 0.5f * (edge_part(d[first], d[(first + 3) % 4]) + edge_part(*next, d[(first + 2) % 4]));
    }
    // the distance at the saddle point of the bilinear interpolation is (d0 d2 - d1 d3) / (d0 + d2 - d1 - d3)
    const float saddle = (d[0] * d[2] - d[1] * d[3]) * (air[0] ? 1.0f : -1.0f);
    const int summed = count == 2 && saddle > 0.0f ? 0 : single;
    float area = 0.0f;
    for (int n = 0; n < 4; n++) {
        if (air[n] == summed) {
            area += corner_area(d[n], d[(n + 1) % 4], d[(n + 3) % 4]);
        }
    }
    return summed ? area : 1.0f - area;
}

// the corners of the open polygon of a face with these distances, in its unit square, and the distances there; returns
// their number
static int open_polygon(const float corners[4], float at[8][2], float d[8])
{
    static const float unit_square[4][2] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}};
    int count = 0;
    for (int n = 0; n < 4; n++) {
        const float here = corners[n];
        const float next = corners[(n + 1) % 4];
        if (here > 0.0f) {
            d[count] = here;
            at[count][0] = unit_square[n][0];
            at[count++][1] = unit_square[n][1];
        }
        if ((here > 0.0f) != (next > 0.0f)) {
            const float part = edge_part(here, next);
            d[count] = 0.0f;
            for (int axis = 0; axis < 2; axis++) {
                at[count][axis] = unit_square[n][axis] + part * (unit_square[(n + 1) % 4][axis] - unit_square[n][axis]);
            }
            count++;
        }
    }
    return count;
}

// the area of the triangle of the first corner of a polygon with corners n and n + 1
static float fan_triangle(float at[8][2], int n)
{
    return 0.5f *
           ((at[n][0] - at[0][0]) * (at[n + 1][1] - at[0][1]) - (at[n + 1][0] - at[0][0]) * (at[n][1] - at[0][1]));
}

float brume_open_distance(const float corners[4])
{
    float at[8][2];
    float d[8];
    const int count = open_polygon(corners, at, d);
    float area = 0.0f;
    float sum = 0.0f;
    for (int n = 1; n + 1 < count; n++) {
        const float triangle = fan_triangle(at, n);
        area += triangle;
        sum += triangle * (d[0] + d[n] + d[n + 1]) / 3.0f;
    }
    return area > 0.0f ? sum / area : 0.0f;
}

void brume_open_centroid(const float corners[4], float centroid[2])
{
    float at[8][2];
    float d[8];
    const int count = open_polygon(corners, at, d);
    float area = 0.0f;
    float sums[2] = {0.0f};
    for (int n = 1; n + 1 < count; n++) {
        const float triangle = fan_triangle(at, n);
        area += triangle;
        for (int axis = 0; axis < 2; axis++) {
            sums[axis] += triangle * (at[0][axis] + at[n][axis] + at[n + 1][axis]) / 3.0f;
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        centroid[axis] = area > 0.0f ? sums[axis] / area : 0.5f;
    }
}

// The part of a tetrahedron where the linear interpolation of the distances at its corners is above 0. With two corners
// on each side it is a wedge of triangular ends, the sum of three tetrahedra.
static float open_part_of_tetrahedron(const float d[4])
{
    float air[4];
    float solid[4];
    int airs = 0;
    int solids = 0;
    for (int n = 0; n < 4; n++) {
        if (d[n] > 0.0f) {
            air[airs++] = d[n];
        } else {
            solid[solids++] = d[n];
        }
    }
    switch (airs) {
    case 0:
        return 0.0f;
    case 1:
        return edge_part(air[0], solid[0]) * edge_part(air[0], solid[1]) * edge_part(air[0], solid[2]);
    case 3:
        return 1.0f - edge_part(solid[0], air[0]) * edge_part(solid[0], air[1]) * edge_part(solid[0], air[2]);
    case 4:
        return 1.0f;
    default: {
        const float a0 = edge_part(air[0], solid[0]);
        const float a1 = edge_part(air[0], solid[1]);
        const float b0 = edge_part(air[1], solid[0]);
        const float b1 = edge_part(air[1], solid[1]);
        return a0 * a1 + a0 * b1 * (1.0f - a1) + b0 * b1 * (1.0f - a0);
    }
    }
}

// The open part of a cell. Corner n lies at the upper end along the axes whose bits are set in n. The tetrahedra have
// the diagonal from corner 0 to corner 7 in common (Kuhn 1960): each contains a path along three edges between them.
static float open_volume(const float d[CORNERS])
{
    static const int paths[TETRAHEDRA][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    float sum = 0.0f;
    for (int n = 0; n < TETRAHEDRA; n++) {
        sum += open_part_of_tetrahedron((const float[4]){d[0], d[paths[n][0]], d[paths[n][1]], d[7]});
    }
    return sum / (float)TETRAHEDRA;
}

// how many of the corners 1..count of a row are in the air
BRUME_KERNEL static int count_air(const float *distance, int count)
{
    int air = 0;
    for (int i = 1; i <= count; i++) {
        air += distance[i] > 0.0f;
    }
    return air;
}

static void fill_row(float *row, int count, float value)
{
    for (int i = 1; i <= count; i++) {
        row[i] = value;
    }
}

// Row (j, k) of the lower faces along an axis.
static void fill_face_row(BrumeField *face, const BrumeField *distance, int axis, int j, int k)
{
    const int count = face->grid.nx + (axis == 0);
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t a = brume_stride(distance, inner);
    const ptrdiff_t b = brume_stride(distance, outer);
    const ptrdiff_t start = brume_field_index(face, 0, j, k);
    const float *d = distance->data + start;
    for (int i = 1; i <= count; i++) {
        face->data[start + i] = brume_open_area((const float[4]){d[i], d[i + a], d[i + a + b], d[i + b]});
    }
}

static void fill_volume_row(BrumeField *volume, const BrumeField *distance, int j, int k)
{
    const ptrdiff_t start = brume_field_index(volume, 0, j, k);
    const ptrdiff_t sy = distance->sy;
    const ptrdiff_t sz = distance->sz;
    const float *d = distance->data + start;
    for (int i = 1; i <= volume->grid.nx; i++) {
        volume->data[start + i] = open_volume((const float[CORNERS]){
            d[i], d[i + 1], d[i + sy], d[i + sy + 1], d[i + sz], d[i + sz + 1], d[i + sz + sy], d[i + sz + sy + 1]});
    }
}

// The number of air corners of the rows of corners of the cells of row (j, k): rows j, j + 1 of planes k, k + 1.
static int count_air_around(const BrumeField *distance, int j, int k)
{
    const int count = distance->grid.nx + 1;
    const float *row = distance->data + brume_field_index(distance, 0, j, k);
    return count_air(row, count) + count_air(row + distance->sy, count) + count_air(row + distance->sz, count) +
           count_air(row + distance->sy + distance->sz, count);
}

// All fractions of row (j, k), before anything is closed. Beyond the last row and plane there are lower faces along y
// and z alone, whose corners lie in the box.
static void fill_rows(BrumeFractions *fractions, const BrumeField *distance, int j, int k)
{
    const BrumeGrid grid = distance->grid;
    const bool last_row = j > grid.ny;
    const bool last_plane = k > grid.nz;
    const bool present[AXES] = {!last_row && !last_plane, !last_plane, !last_row};
    const int air = last_row || last_plane ? -1 : count_air_around(distance, j, k);
    const bool equal = air == 0 || air == 4 * (grid.nx + 1);
    for (int axis = 0; axis < AXES; axis++) {
        BrumeField *face = &fractions->face[axis];
        if (equal) {
            fill_row(face->data + brume_field_index(face, 0, j, k), grid.nx + (axis == 0), air > 0 ? 1.0f : 0.0f);
        } else if (present[axis]) {
            fill_face_row(face, distance, axis, j, k);
        }
    }
    if (equal) {
        fill_row(fractions->volume.data + brume_field_index(&fractions->volume, 0, j, k), grid.nx,
                 air > 0 ? 1.0f : 0.0f);
    } else if (present[0]) {
        fill_volume_row(&fractions->volume, distance, j, k);
    }
}

// Makes the opposite faces across a periodic axis equal, and copies the volumes to the ghosts beyond them.
static void join_periodic_sides(BrumeFractions *fractions, int axis)
{
    BrumeField *face = &fractions->face[axis];
    BrumeField *volume = &fractions->volume;
    const BrumeGrid grid = face->grid;
    const ptrdiff_t stride = brume_stride(face, axis);
    const ptrdiff_t count = brume_cells_along(grid, axis);
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    for (int b = 1; b <= brume_cells_along(grid, outer); b++) {
        for (int a = 1; a <= brume_cells_along(grid, inner); a++) {
            const ptrdiff_t ghost = brume_stride(face, inner) * a + brume_stride(face, outer) * b;
            float *lower = &face->data[ghost + stride];
            float *upper = &face->data[ghost + stride * (count + 1)];
            *lower = brume_min_float(*lower, *upper);
            *upper = *lower;
            volume->data[ghost] = volume->data[ghost + stride * count];
            volume->data[ghost + stride * (count + 1)] = volume->data[ghost + stride];
        }
    }
}

static void close_small_volumes(BrumeField *volume, float least, const int from[3], const int to[3])
{
    const BrumeGrid grid = volume->grid;
#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= brume_min_int(to[2] + 1, grid.nz); k++) {
        for (int j = from[1]; j <= brume_min_int(to[1] + 1, grid.ny); j++) {
            float *row = volume->data + brume_field_index(volume, 0, j, k);
            for (int i = 1; i <= grid.nx; i++) {
                row[i] = row[i] < least ? 0.0f : row[i];
            }
        }
    }
}

// closes the small lower faces of row (j, k) along an axis, and those of closed cells
BRUME_KERNEL static void close_faces_row(float *restrict face, const float *volume, ptrdiff_t stride, float least,
                                         int count)
{
    for (int i = 1; i <= count; i++) {
        const float limit = volume[i] > 0.0f && volume[i - stride] > 0.0f ? least : 2.0f;
        face[i] = face[i] < limit ? 0.0f : face[i];
    }
}

static void close_faces(BrumeFractions *fractions, float least, const int from[3], const int to[3])
{
    const BrumeField *volume = &fractions->volume;
    const BrumeGrid grid = volume->grid;
#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= to[2] + 1; k++) {
        for (int j = from[1]; j <= to[1] + 1; j++) {
            const bool present[AXES] = {j <= grid.ny && k <= grid.nz, k <= grid.nz, j <= grid.ny};
            const ptrdiff_t start = brume_field_index(volume, 0, j, k);
            for (int axis = 0; axis < AXES; axis++) {
                if (present[axis]) {
                    close_faces_row(fractions->face[axis].data + start, volume->data + start,
                                    brume_stride(volume, axis), least, grid.nx + (axis == 0));
                }
            }
        }
    }
}

// whether a face of a row of cells is not open as a whole; `x`, `y`, `z` are the fractions of the lower faces
BRUME_KERNEL static bool faces_are_cut(const float *x, const float *y, const float *z, ptrdiff_t sy, ptrdiff_t sz,
                                       int nx)
{
    int parts = x[nx + 1] != 1.0f;
    for (int i = 1; i <= nx; i++) {
        parts |= (x[i] != 1.0f) | (y[i] != 1.0f) | (y[i + sy] != 1.0f) | (z[i] != 1.0f) | (z[i + sz] != 1.0f);
    }
    return parts != 0;
}

static void find_cut_rows(BrumeFractions *fractions, const int from[3], const int to[3])
{
    const BrumeField *face = fractions->face;
    const BrumeGrid grid = face[0].grid;
#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            const ptrdiff_t row = brume_field_index(&face[0], 0, j, k);
            fractions->cut_rows[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)] = faces_are_cut(
                face[0].data + row, face[1].data + row, face[2].data + row, face[0].sy, face[0].sz, grid.nx);
        }
    }
}

BrumeStatus brume_fractions_create(BrumeFractions *fractions, const BrumeField *distance, const bool periodic[3],
                                   float least, BrumeError *error)
{
    const BrumeGrid grid = distance->grid;
    *fractions = (BrumeFractions){.periodic = {periodic[0], periodic[1], periodic[2]}};
    BrumeStatus status = brume_field_create(&fractions->volume, grid, error);
    for (int axis = 0; axis < AXES && status == BRUME_OK; axis++) {
        status = brume_field_create(&fractions->face[axis], grid, error);
    }
    if (status == BRUME_OK) {
        fractions->cut_rows = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *fractions->cut_rows);
        status = fractions->cut_rows ? BRUME_OK : brume_out_of_grid_memory(error, "cut cells");
    }
    if (status != BRUME_OK) {
        brume_fractions_destroy(fractions);
        return status;
    }
    brume_field_fill(&fractions->volume, 1.0f); // the ghosts
    brume_fractions_renew(fractions, distance, periodic, least, (const int[3]){1, 1, 1},
                          (const int[3]){grid.nx, grid.ny, grid.nz});
    return BRUME_OK;
}

void brume_fractions_renew(BrumeFractions *fractions, const BrumeField *distance, const bool periodic[3], float least,
                           const int from[3], const int to[3])
{
#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= to[2] + 1; k++) {
        for (int j = from[1]; j <= to[1] + 1; j++) {
            fill_rows(fractions, distance, j, k);
        }
    }
    close_small_volumes(&fractions->volume, least, from, to);
    for (int axis = 0; axis < AXES; axis++) {
        if (periodic[axis]) {
            join_periodic_sides(fractions, axis);
        }
    }
    close_faces(fractions, least, from, to);
    find_cut_rows(fractions, from, to);
}

// the cell that is beyond a periodic side, on the opposite one
static int across_side(int index, int count, bool periodic)
{
    return periodic && index < 1 ? count : periodic && index > count ? 1 : index;
}

void brume_fractions_close_cell(BrumeFractions *fractions, int i, int j, int k)
{
    const BrumeGrid grid = fractions->volume.grid;
    const ptrdiff_t c = brume_field_index(&fractions->volume, i, j, k);
    const int index[AXES] = {i, j, k};
    fractions->volume.data[c] = 0.0f;
    for (int axis = 0; axis < AXES; axis++) {
        BrumeField *face = &fractions->face[axis];
        const ptrdiff_t stride = brume_stride(face, axis);
        const ptrdiff_t count = brume_cells_along(grid, axis);
        face->data[c] = 0.0f;
        face->data[c + stride] = 0.0f;
        if (fractions->periodic[axis] && index[axis] == 1) {
            face->data[c + stride * count] = 0.0f;
            fractions->volume.data[c + stride * count] = 0.0f;
        }
        if (fractions->periodic[axis] && index[axis] == count) {
            face->data[c - stride * (count - 1)] = 0.0f;
            fractions->volume.data[c - stride * count] = 0.0f;
        }
    }
    const int rows[][2] = {{j, k}, {j - 1, k}, {j + 1, k}, {j, k - 1}, {j, k + 1}}; // of the cells at these faces
    for (int n = 0; n < 5; n++) {
        const int row = across_side(rows[n][0], grid.ny, fractions->periodic[1]);
        const int plane = across_side(rows[n][1], grid.nz, fractions->periodic[2]);
        if (row >= 1 && row <= grid.ny && plane >= 1 && plane <= grid.nz) {
            fractions->cut_rows[(ptrdiff_t)(plane - 1) * grid.ny + (row - 1)] = 1;
        }
    }
}

void brume_fractions_destroy(BrumeFractions *fractions)
{
    for (int axis = 0; axis < AXES; axis++) {
        brume_field_destroy(&fractions->face[axis]);
    }
    brume_field_destroy(&fractions->volume);
    brume_free(fractions->cut_rows);
    fractions->cut_rows = NULL;
}

bool brume_field_rows_equal(const BrumeField *a, const BrumeField *b, const int from[3], const int to[3])
{
    const size_t bytes = (size_t)a->sy * (size_t)(to[1] - from[1] + 2) * sizeof(float);
    bool equal = true;
    for (int k = from[2]; equal && k <= to[2] + 1; k++) {
        const ptrdiff_t row = brume_field_index(a, 0, from[1], k);
        equal = memcmp(a->data + row, b->data + row, bytes) == 0;
    }
    return equal;
}

bool brume_fractions_equal(const BrumeFractions *a, const BrumeFractions *b, const int from[3], const int to[3])
{
    bool equal = brume_field_rows_equal(&a->volume, &b->volume, from, to);
    for (int axis = 0; axis < AXES; axis++) {
        equal = equal && brume_field_rows_equal(&a->face[axis], &b->face[axis], from, to);
    }
    return equal;
}

size_t brume_fractions_bytes(const BrumeFractions *fractions)
{
    const BrumeGrid grid = fractions->volume.grid;
    return (AXES + 1) * brume_grid_entries(grid) * sizeof(float) +
           (size_t)grid.ny * (size_t)grid.nz * sizeof *fractions->cut_rows;
}
