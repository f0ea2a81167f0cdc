#include "viewer/geometry.h"

#include "core/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void brume_geometry_free(BrumeGeometry *geometry)
{
    brume_free(geometry->triangles);
    brume_free(geometry->lines);
    brume_free(geometry->slice);
    *geometry = (BrumeGeometry){0};
}

void brume_geometry_clear(BrumeGeometry *geometry)
{
    geometry->triangle_vertices = 0;
    geometry->line_vertices = 0;
    geometry->has_slice = false;
}

// the end of a list after it has grown, by half at least where it must move
static BrumeVertex *grow(BrumeVertex **list, int *held, int *capacity, int count)
{
    assert(count >= 0);
    if (count > INT_MAX - *held) {
        return NULL;
    }
    const int needed = *held + count;
    if (needed > *capacity) {
        const int half_more = *capacity < INT_MAX / 2 ? *capacity + *capacity / 2 : INT_MAX;
        const int room = needed > half_more ? needed : half_more;
        BrumeVertex *moved = brume_alloc_untouched((size_t)room, sizeof *moved);
        if (moved == NULL) {
            return NULL;
        }
        if (*held > 0) {
            memcpy(moved, *list, (size_t)*held * sizeof *moved);
        }
        brume_free(*list);
        *list = moved;
        *capacity = room;
    }
    BrumeVertex *end = *list + *held;
    *held = needed;
    return end;
}

BrumeVertex *brume_geometry_add_triangles(BrumeGeometry *geometry, int count)
{
    return grow(&geometry->triangles, &geometry->triangle_vertices, &geometry->triangle_capacity, count);
}

BrumeVertex *brume_geometry_add_lines(BrumeGeometry *geometry, int count)
{
    return grow(&geometry->lines, &geometry->line_vertices, &geometry->line_capacity, count);
}
