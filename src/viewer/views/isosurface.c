// The isosurface of a field as triangles of the overlay, in two passes: count the triangles of every layer of cubes,
// then write each layer to its offset, so that the order of the list does not depend on the number of threads.
#include "core/isosurface/isosurface.h"
#include "core/error.h"
#include "core/memory.h"
#include "viewer/views/overlay_geometry.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

typedef struct TriangleList {
    const BrumeIsosurface *surface;
    const uint8_t *color;
    BrumeOverlayVertex *next;
} TriangleList;

// appends the vertex on an edge of the grid to the triangles
static void add_vertex(void *context, const BrumeGridEdge *edge)
{
    TriangleList *list = context;
    const BrumeSurfaceVertex vertex = brume_isosurface_vertex(list->surface, edge);
    BrumeOverlayVertex *out = list->next++;
    out->position = vertex.position;
    out->normal = vertex.normal;
    memcpy(out->color, list->color, sizeof out->color);
}

BrumeStatus brume_build_isosurface(BrumeOverlayGeometry *geometry, const BrumeField *values, float level, float dx,
                                   BrumeVec3 origin, const uint8_t color[4], BrumeError *error)
{
    assert(level >= 0.0f && dx > 0.0f);
    const BrumeIsosurface surface = brume_isosurface_of_field(values, level, dx, origin);
    const int layers = values->grid.nz + 1;
    BrumeStatus status = BRUME_OK;
    int64_t *first = brume_alloc((size_t)layers + 1, sizeof *first); // number of triangles before each layer
    if (first == NULL) {
        status = brume_out_of_memory(error, "an isosurface");
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++) {
        first[k + 1] = brume_isosurface_layer(&surface, k, NULL, NULL);
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
            TriangleList list = {&surface, color, vertices + 3 * first[k]};
            (void)brume_isosurface_layer(&surface, k, add_vertex, &list);
        }
    }
cleanup:
    brume_free(first);
    return status;
}
