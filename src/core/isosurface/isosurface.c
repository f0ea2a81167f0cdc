#include "core/isosurface/isosurface.h"

#include "core/isosurface/marching_cubes_table.h"
#include "core/vec3.h"

#include <stdbool.h>

BrumeIsosurface brume_isosurface_of_field(const BrumeField *field, float level, float dx, BrumeVec3 origin)
{
    return (BrumeIsosurface){
        .values = field->data + brume_field_index(field, 1, 1, 1),
        .cells = field->grid,
        .sy = field->sy,
        .sz = field->sz,
        .level = level,
        .dx = dx,
        .origin = origin,
    };
}

// the value at a cell; 0 outside of the box
static float value_at(const BrumeIsosurface *surface, int i, int j, int k)
{
    const BrumeGrid cells = surface->cells;
    const bool within = i >= 1 && i <= cells.nx && j >= 1 && j <= cells.ny && k >= 1 && k <= cells.nz;
    return within ? surface->values[i - 1 + surface->sy * (j - 1) + surface->sz * (k - 1)] : 0.0f;
}

// the rows of values along the four x edges of the cubes (j, k), from cell 1; NULL outside of the box
static void rows_of(const BrumeIsosurface *surface, int j, int k, const float *rows[4])
{
    for (int n = 0; n < 4; n++) {
        const int row = j + (n & 1);
        const int plane = k + (n >> 1);
        const bool within = row >= 1 && row <= surface->cells.ny && plane >= 1 && plane <= surface->cells.nz;
        rows[n] = within ? surface->values + surface->sy * (row - 1) + surface->sz * (plane - 1) : NULL;
    }
}

// which corners of a cube's upper x face, which is at cell i, are inside, as bits 0, 2, 4 and 6
static inline int corners_inside(const float *const rows[4], int i, float level)
{
    int inside = 0;
    for (int n = 0; n < 4; n++) {
        inside |= (int)(rows[n] != NULL && rows[n][i - 1] > level) << 2 * n;
    }
    return inside;
}

// The edge of the cube whose lower corner is cell (i, j, k). All cubes at an edge get the same cells, so that its
// vertex has the same bits in all of them.
static BrumeGridEdge edge_of_cube(int edge, int i, int j, int k)
{
    const int corner = brume_cube_edge_corner(edge);
    return (BrumeGridEdge){i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2), edge / 4};
}

int64_t brume_isosurface_layer(const BrumeIsosurface *surface, int k, BrumeAddSurfaceEdge *add, void *context)
{
    const BrumeCubeCase *cases = brume_cube_cases();
    const BrumeGrid cells = surface->cells;
    int64_t triangle_count = 0;
    for (int j = 0; j <= cells.ny; j++) {
        const float *rows[4];
        rows_of(surface, j, k, rows);
        int lower_corners = 0; // the first cube begins outside of the box
        for (int i = 0; i <= cells.nx; i++) {
            const int upper_corners = i < cells.nx ? corners_inside(rows, i + 1, surface->level) : 0;
            const int inside = lower_corners | upper_corners << 1;
            lower_corners = upper_corners;
            if (inside == 0 || inside == 255) {
                continue;
            }
            const BrumeCubeCase *cube = &cases[inside];
            triangle_count += cube->triangle_count;
            for (int n = 0; n < 3 * cube->triangle_count && add != NULL; n++) {
                const BrumeGridEdge edge = edge_of_cube(cube->edges[n], i, j, k);
                add(context, &edge);
            }
        }
    }
    return triangle_count;
}

static BrumeVec3 gradient_at(const BrumeIsosurface *surface, int i, int j, int k)
{
    return brume_vec3(value_at(surface, i + 1, j, k) - value_at(surface, i - 1, j, k),
                      value_at(surface, i, j + 1, k) - value_at(surface, i, j - 1, k),
                      value_at(surface, i, j, k + 1) - value_at(surface, i, j, k - 1));
}

static float clamp(float at, float least, float most) { return at > least ? (at < most ? at : most) : least; }

BrumeSurfaceVertex brume_isosurface_vertex(const BrumeIsosurface *surface, const BrumeGridEdge *edge)
{
    const int axis = edge->axis;
    const int ei = edge->i + (axis == 0);
    const int ej = edge->j + (axis == 1);
    const int ek = edge->k + (axis == 2);
    const float lower = value_at(surface, edge->i, edge->j, edge->k);
    const float upper = value_at(surface, ei, ej, ek);
    const float fraction = clamp((surface->level - lower) / (upper - lower), 0x1p-10f, 1.0f - 0x1p-10f);

    const BrumeGrid cells = surface->cells;
    const float x = clamp((float)edge->i - 0.5f + fraction * (float)(axis == 0), 0.0f, (float)cells.nx);
    const float y = clamp((float)edge->j - 0.5f + fraction * (float)(axis == 1), 0.0f, (float)cells.ny);
    const float z = clamp((float)edge->k - 0.5f + fraction * (float)(axis == 2), 0.0f, (float)cells.nz);
    const BrumeVec3 gradient = brume_add(brume_scale(gradient_at(surface, edge->i, edge->j, edge->k), 1.0f - fraction),
                                         brume_scale(gradient_at(surface, ei, ej, ek), fraction));
    BrumeVec3 normal = brume_normalize(brume_scale(gradient, -1.0f));
    if (!(brume_dot(normal, normal) > 0.5f)) { // no gradient: along the edge, out of the surface
        const float sign = lower > surface->level ? 1.0f : -1.0f;
        normal = brume_vec3(sign * (float)(axis == 0), sign * (float)(axis == 1), sign * (float)(axis == 2));
    }
    return (BrumeSurfaceVertex){
        .position = brume_add(surface->origin, brume_scale(brume_vec3(x, y, z), surface->dx)),
        .normal = normal,
    };
}
