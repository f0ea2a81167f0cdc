// Marching cubes (Lorensen and Cline 1987) between the cell centers: count the triangles of every layer of cubes, then
// fill them into their places, so that the list's order does not depend on threads.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/cube_table.h"
#include "viewer/views/drawing.h"

#include <assert.h>
#include <limits.h>

typedef struct March {
    const BrumeField *values;
    const BrumeCube *table;
    float level;
    float dx;
    BrumeVec3 origin;
    const uint8_t *color;
} March;

// a value at a cell; 0 beyond the box
static float value_at(const BrumeField *values, int i, int j, int k)
{
    const BrumeGrid grid = values->grid;
    const bool within = i >= 1 && i <= grid.nx && j >= 1 && j <= grid.ny && k >= 1 && k <= grid.nz;
    return within ? brume_field_at(values, i, j, k) : 0.0f;
}

// the rows of the four edges of cubes (j, k) along x, from index 0; NULL beyond the box
static void rows_of(const BrumeField *values, int j, int k, const float *rows[4])
{
    for (int n = 0; n < 4; n++) {
        const int row = j + (n & 1);
        const int plane = k + (n >> 1);
        const bool within = row >= 1 && row <= values->grid.ny && plane >= 1 && plane <= values->grid.nz;
        rows[n] = within ? values->data + brume_field_index(values, 0, row, plane) : NULL;
    }
}

// the corners of a cube's lower x side that are inside, as bits 0, 2, 4 and 6
static inline int inside_at(const float *const rows[4], int i, float level)
{
    int inside = 0;
    for (int n = 0; n < 4; n++) {
        inside |= (int)(rows[n] != NULL && rows[n][i] > level) << 2 * n;
    }
    return inside;
}

static BrumeVec3 gradient_at(const BrumeField *values, int i, int j, int k)
{
    return brume_vec3(value_at(values, i + 1, j, k) - value_at(values, i - 1, j, k),
                      value_at(values, i, j + 1, k) - value_at(values, i, j - 1, k),
                      value_at(values, i, j, k + 1) - value_at(values, i, j, k - 1));
}

static float held(float at, float least, float most) { return at > least ? (at < most ? at : most) : least; }

// Where the surface crosses an edge of the cube (i, j, k). Computed from the edge's lower end to its upper in every
// cube, so that all agree. It stays off the ends, so that vertices of different edges stay apart, and in the box.
static BrumeVertex cross(const March *march, int edge, int i, int j, int k)
{
    const int axis = edge / 4;
    const int corner = brume_cube_edge_corner(edge);
    const int ci = i + (corner & 1);
    const int cj = j + (corner >> 1 & 1);
    const int ck = k + (corner >> 2);
    const int ei = ci + (axis == 0);
    const int ej = cj + (axis == 1);
    const int ek = ck + (axis == 2);
    const float lower = value_at(march->values, ci, cj, ck);
    const float upper = value_at(march->values, ei, ej, ek);
    const float share = held((march->level - lower) / (upper - lower), 0x1p-10f, 1.0f - 0x1p-10f);

    const BrumeGrid grid = march->values->grid;
    const float x = held((float)ci - 0.5f + share * (float)(axis == 0), 0.0f, (float)grid.nx);
    const float y = held((float)cj - 0.5f + share * (float)(axis == 1), 0.0f, (float)grid.ny);
    const float z = held((float)ck - 0.5f + share * (float)(axis == 2), 0.0f, (float)grid.nz);
    const BrumeVec3 rise = brume_add(brume_scale(gradient_at(march->values, ci, cj, ck), 1.0f - share),
                                     brume_scale(gradient_at(march->values, ei, ej, ek), share));
    BrumeVec3 normal = brume_normalize(brume_scale(rise, -1.0f));
    if (!(brume_dot(normal, normal) > 0.5f)) { // no slope: along the edge, away from the inside
        const float sign = lower > march->level ? 1.0f : -1.0f;
        normal = brume_vec3(sign * (float)(axis == 0), sign * (float)(axis == 1), sign * (float)(axis == 2));
    }
    const uint8_t *c = march->color;
    return (BrumeVertex){.position = brume_add(march->origin, brume_scale(brume_vec3(x, y, z), march->dx)),
                         .normal = normal,
                         .color = {c[0], c[1], c[2], c[3]}};
}

// the triangles of layer `k` of cubes, written to `out` unless that is NULL; how many
static int64_t march_layer(const March *march, int k, BrumeVertex *out)
{
    const BrumeGrid grid = march->values->grid;
    int64_t triangles = 0;
    for (int j = 0; j <= grid.ny; j++) {
        const float *rows[4];
        rows_of(march->values, j, k, rows);
        int before = 0; // cubes begin outside of the box
        for (int i = 0; i <= grid.nx; i++) {
            const int after = i < grid.nx ? inside_at(rows, i + 1, march->level) : 0;
            const int inside = before | after << 1;
            before = after;
            if (inside == 0 || inside == 255) {
                continue;
            }
            const BrumeCube *cube = &march->table[inside];
            triangles += cube->triangles;
            for (int n = 0; n < 3 * cube->triangles && out != NULL; n++) {
                *out++ = cross(march, cube->edges[n], i, j, k);
            }
        }
    }
    return triangles;
}

BrumeStatus brume_isosurface(BrumeDrawing *drawing, const BrumeField *values, float level, float dx, BrumeVec3 origin,
                             const uint8_t color[4], BrumeError *error)
{
    assert(level >= 0.0f && dx > 0.0f);
    const March march = {values, brume_cube_table(), level, dx, origin, color};
    const int layers = values->grid.nz + 1;
    BrumeStatus status = BRUME_OK;
    int64_t *first = brume_alloc((size_t)layers + 1, sizeof *first); // triangles before each layer
    if (first == NULL) {
        status = brume_out_of_memory(error, "an isosurface");
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++) {
        first[k + 1] = march_layer(&march, k, NULL);
    }
    for (int k = 0; k < layers; k++) {
        first[k + 1] += first[k];
    }
    BrumeVertex *vertices =
        first[layers] <= INT_MAX / 3 ? brume_drawing_add_triangles(drawing, 3 * (int)first[layers]) : NULL;
    if (vertices == NULL && first[layers] > 0) {
        status = brume_out_of_memory(error, "an isosurface of %lld triangles", (long long)first[layers]);
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++) {
        if (first[k + 1] > first[k]) {
            (void)march_layer(&march, k, vertices + 3 * first[k]);
        }
    }
cleanup:
    brume_free(first);
    return status;
}
