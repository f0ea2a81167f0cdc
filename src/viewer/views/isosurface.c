// Marching cubes (Lorensen and Cline 1987) on the grid of cell centres, in two passes: count the triangles of every
// layer of cubes, then write each layer to its offset, so that the order of the list does not depend on the number of
// threads.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/marching_cubes_table.h"
#include "viewer/views/overlay_geometry.h"

#include <assert.h>
#include <limits.h>

typedef struct Isosurface {
    const BrumeField *values;
    const BrumeCubeCase *table;
    float level;
    float dx;
    BrumeVec3 origin;
    const uint8_t *color;
} Isosurface;

// the value at a cell; 0 outside of the box
static float value_at(const BrumeField *values, int i, int j, int k)
{
    const BrumeGrid grid = values->grid;
    const bool within = i >= 1 && i <= grid.nx && j >= 1 && j <= grid.ny && k >= 1 && k <= grid.nz;
    return within ? brume_field_at(values, i, j, k) : 0.0f;
}

// the rows of values along the four x edges of the cubes (j, k), from index 0; NULL outside of the box
static void rows_of(const BrumeField *values, int j, int k, const float *rows[4])
{
    for (int n = 0; n < 4; n++) {
        const int row = j + (n & 1);
        const int plane = k + (n >> 1);
        const bool within = row >= 1 && row <= values->grid.ny && plane >= 1 && plane <= values->grid.nz;
        rows[n] = within ? values->data + brume_field_index(values, 0, row, plane) : NULL;
    }
}

// which corners of a cube's lower x face are inside, as bits 0, 2, 4 and 6
static inline int corners_inside(const float *const rows[4], int i, float level)
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

static float clamp(float at, float least, float most) { return at > least ? (at < most ? at : most) : least; }

// The vertex where the surface crosses an edge of the cube (i, j, k). All cubes at an edge compute it from the edge's
// lower to its upper end, so that they get the same bits. It is clamped to the box, and away from the ends of the edge,
// so that the vertices of two edges never coincide.
static BrumeOverlayVertex edge_vertex(const Isosurface *surface, int edge, int i, int j, int k)
{
    const int axis = edge / 4;
    const int corner = brume_cube_edge_corner(edge);
    const int ci = i + (corner & 1);
    const int cj = j + (corner >> 1 & 1);
    const int ck = k + (corner >> 2);
    const int ei = ci + (axis == 0);
    const int ej = cj + (axis == 1);
    const int ek = ck + (axis == 2);
    const float lower = value_at(surface->values, ci, cj, ck);
    const float upper = value_at(surface->values, ei, ej, ek);
    const float fraction = clamp((surface->level - lower) / (upper - lower), 0x1p-10f, 1.0f - 0x1p-10f);

    const BrumeGrid grid = surface->values->grid;
    const float x = clamp((float)ci - 0.5f + fraction * (float)(axis == 0), 0.0f, (float)grid.nx);
    const float y = clamp((float)cj - 0.5f + fraction * (float)(axis == 1), 0.0f, (float)grid.ny);
    const float z = clamp((float)ck - 0.5f + fraction * (float)(axis == 2), 0.0f, (float)grid.nz);
    const BrumeVec3 gradient = brume_add(brume_scale(gradient_at(surface->values, ci, cj, ck), 1.0f - fraction),
                                         brume_scale(gradient_at(surface->values, ei, ej, ek), fraction));
    BrumeVec3 normal = brume_normalize(brume_scale(gradient, -1.0f));
    if (!(brume_dot(normal, normal) > 0.5f)) { // no gradient: along the edge, out of the surface
        const float sign = lower > surface->level ? 1.0f : -1.0f;
        normal = brume_vec3(sign * (float)(axis == 0), sign * (float)(axis == 1), sign * (float)(axis == 2));
    }
    const uint8_t *c = surface->color;
    return (BrumeOverlayVertex){.position = brume_add(surface->origin, brume_scale(brume_vec3(x, y, z), surface->dx)),
                                .normal = normal,
                                .color = {c[0], c[1], c[2], c[3]}};
}

// writes the triangles of layer `k` of cubes to `out` unless that is NULL, and returns their number
static int64_t march_layer(const Isosurface *surface, int k, BrumeOverlayVertex *out)
{
    const BrumeGrid grid = surface->values->grid;
    int64_t triangle_count = 0;
    for (int j = 0; j <= grid.ny; j++) {
        const float *rows[4];
        rows_of(surface->values, j, k, rows);
        int before = 0; // the first cube begins outside of the box
        for (int i = 0; i <= grid.nx; i++) {
            const int after = i < grid.nx ? corners_inside(rows, i + 1, surface->level) : 0;
            const int inside = before | after << 1;
            before = after;
            if (inside == 0 || inside == 255) {
                continue;
            }
            const BrumeCubeCase *cube = &surface->table[inside];
            triangle_count += cube->triangle_count;
            for (int n = 0; n < 3 * cube->triangle_count && out != NULL; n++) {
                *out++ = edge_vertex(surface, cube->edges[n], i, j, k);
            }
        }
    }
    return triangle_count;
}

BrumeStatus brume_build_isosurface(BrumeOverlayGeometry *geometry, const BrumeField *values, float level, float dx,
                                   BrumeVec3 origin, const uint8_t color[4], BrumeError *error)
{
    assert(level >= 0.0f && dx > 0.0f);
    const Isosurface surface = {values, brume_cube_cases(), level, dx, origin, color};
    const int layers = values->grid.nz + 1;
    BrumeStatus status = BRUME_OK;
    int64_t *first = brume_alloc((size_t)layers + 1, sizeof *first); // number of triangles before each layer
    if (first == NULL) {
        status = brume_out_of_memory(error, "an isosurface");
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++) {
        first[k + 1] = march_layer(&surface, k, NULL);
    }
    for (int k = 0; k < layers; k++) {
        first[k + 1] += first[k];
    }
    BrumeOverlayVertex *vertices =
        first[layers] <= INT_MAX / 3 ? brume_overlay_geometry_add_triangles(geometry, 3 * (int)first[layers]) : NULL;
    if (vertices == NULL && first[layers] > 0) {
        status = brume_out_of_memory(error, "an isosurface of %lld triangles", (long long)first[layers]);
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++) {
        if (first[k + 1] > first[k]) {
            (void)march_layer(&surface, k, vertices + 3 * first[k]);
        }
    }
cleanup:
    brume_free(first);
    return status;
}
