// A vertex belongs to one edge of the grid of cell centers. While the layers of cubes are passed in order, the indices
// of the vertices on the edges of the present layer are kept: the x and y edges of its two planes, and the z edges
// between them.
#include "core/isosurface/surface_mesh.h"

#include "core/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { NO_VERTEX = -1, EDGES_PER_CELL = 3 };

typedef struct MeshBuilder {
    BrumeSurfaceMesh *mesh;
    const BrumeIsosurface *surface;
    int vertex_capacity;
    int32_t *next;       // index to write: the index of the next corner of a triangle
    int32_t *of_edge[2]; // of the planes of even and odd k: (ny + 2 x nx + 2 x 3), the vertex of each edge
    size_t edges;        // in one plane
    bool failed;         // no memory
} MeshBuilder;

static bool reserve_vertex(MeshBuilder *builder)
{
    BrumeSurfaceMesh *mesh = builder->mesh;
    if (mesh->vertex_count < builder->vertex_capacity) {
        return true;
    }
    const int old = builder->vertex_capacity;
    const int capacity = old < INT_MAX / 2 ? 2 * old + 1024 : INT_MAX;
    BrumeSurfaceVertex *grown = mesh->vertex_count < INT_MAX
                                    ? brume_realloc(mesh->vertices, (size_t)old * sizeof *mesh->vertices,
                                                    (size_t)capacity * sizeof *mesh->vertices)
                                    : NULL;
    if (!grown) {
        return false;
    }
    mesh->vertices = grown;
    builder->vertex_capacity = capacity;
    return true;
}

static void add_corner(void *context, const BrumeGridEdge *edge)
{
    MeshBuilder *builder = context;
    const size_t row = (size_t)builder->surface->cells.nx + 2;
    const size_t cell = (size_t)edge->i + row * (size_t)edge->j;
    int32_t *vertex = &builder->of_edge[edge->k % 2][EDGES_PER_CELL * cell + (size_t)edge->axis];
    if (*vertex == NO_VERTEX) {
        builder->failed = builder->failed || !reserve_vertex(builder);
        if (builder->failed) {
            return;
        }
        builder->mesh->vertices[builder->mesh->vertex_count] = brume_isosurface_vertex(builder->surface, edge);
        *vertex = builder->mesh->vertex_count++;
    }
    *builder->next++ = *vertex;
}

static void clear_edges(const MeshBuilder *builder, int k)
{
    memset(builder->of_edge[k % 2], 0xff, builder->edges * sizeof(int32_t)); // NO_VERTEX
}

BrumeStatus brume_surface_mesh_create(BrumeSurfaceMesh *mesh, const BrumeIsosurface *surface, BrumeError *error)
{
    *mesh = (BrumeSurfaceMesh){0};
    const BrumeGrid cells = surface->cells;
    MeshBuilder builder = {
        .mesh = mesh,
        .surface = surface,
        .edges = (size_t)EDGES_PER_CELL * ((size_t)cells.nx + 2) * ((size_t)cells.ny + 2),
    };
    BrumeStatus status = BRUME_OK;
    int64_t triangles = 0;
#pragma omp parallel for schedule(static) reduction(+ : triangles)
    for (int k = 0; k <= cells.nz; k++) {
        triangles += brume_isosurface_layer(surface, k, NULL, NULL);
    }
    if (triangles > INT_MAX / 3) {
        status = brume_fail(error, BRUME_FAILED, "an isosurface of %lld triangles; at most %d are possible",
                            (long long)triangles, INT_MAX / 3);
        goto cleanup;
    }
    mesh->triangles = brume_alloc_untouched(3 * (size_t)triangles + 1, sizeof *mesh->triangles);
    builder.of_edge[0] = brume_alloc_untouched(builder.edges, sizeof(int32_t));
    builder.of_edge[1] = brume_alloc_untouched(builder.edges, sizeof(int32_t));
    builder.failed = !mesh->triangles || !builder.of_edge[0] || !builder.of_edge[1];
    builder.next = mesh->triangles;
    for (int k = 0; k <= cells.nz && !builder.failed; k++) {
        if (k == 0) {
            clear_edges(&builder, 0);
        }
        clear_edges(&builder, k + 1);
        (void)brume_isosurface_layer(surface, k, add_corner, &builder);
    }
    if (builder.failed) {
        status = brume_out_of_memory(error, "an isosurface of %lld triangles", (long long)triangles);
        goto cleanup;
    }
    mesh->triangle_count = (int)triangles;
cleanup:
    brume_free(builder.of_edge[0]);
    brume_free(builder.of_edge[1]);
    if (status != BRUME_OK) {
        brume_surface_mesh_destroy(mesh);
    }
    return status;
}

void brume_surface_mesh_destroy(BrumeSurfaceMesh *mesh)
{
    brume_free(mesh->vertices);
    brume_free(mesh->triangles);
    *mesh = (BrumeSurfaceMesh){0};
}
