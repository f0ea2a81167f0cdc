#include "viewer/views/overlay_geometry.h"

#include "core/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void brume_overlay_geometry_free(BrumeOverlayGeometry *geometry)
{
    brume_free(geometry->triangles);
    brume_free(geometry->lines);
    brume_free(geometry->slice);
    *geometry = (BrumeOverlayGeometry){0};
}

void brume_overlay_geometry_clear(BrumeOverlayGeometry *geometry)
{
    geometry->triangle_vertices = 0;
    geometry->line_vertices = 0;
    geometry->has_slice = false;
}

// Appends `count` vertices to a list and returns the first of them. A reallocation grows it by at least half.
static BrumeOverlayVertex *append(BrumeOverlayVertex **list, int *used, int *capacity, int count)
{
    assert(count >= 0);
    if (count > INT_MAX - *used) {
        return NULL;
    }
    const int needed = *used + count;
    if (needed > *capacity) {
        const int grown = *capacity < INT_MAX / 2 ? *capacity + *capacity / 2 : INT_MAX;
        const int new_capacity = needed > grown ? needed : grown;
        BrumeOverlayVertex *new_list = brume_alloc_untouched((size_t)new_capacity, sizeof *new_list);
        if (new_list == NULL) {
            return NULL;
        }
        if (*used > 0) {
            memcpy(new_list, *list, (size_t)*used * sizeof *new_list);
        }
        brume_free(*list);
        *list = new_list;
        *capacity = new_capacity;
    }
    BrumeOverlayVertex *appended = *list + *used;
    *used = needed;
    return appended;
}

BrumeOverlayVertex *brume_overlay_geometry_add_triangles(BrumeOverlayGeometry *geometry, int count)
{
    return append(&geometry->triangles, &geometry->triangle_vertices, &geometry->triangle_capacity, count);
}

BrumeOverlayVertex *brume_overlay_geometry_add_lines(BrumeOverlayGeometry *geometry, int count)
{
    return append(&geometry->lines, &geometry->line_vertices, &geometry->line_capacity, count);
}
