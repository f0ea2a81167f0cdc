#include "viewer/views/drawing.h"

#include "core/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void brume_drawing_free(BrumeDrawing *drawing)
{
    brume_free(drawing->triangles);
    brume_free(drawing->lines);
    brume_free(drawing->slice);
    *drawing = (BrumeDrawing){0};
}

void brume_drawing_clear(BrumeDrawing *drawing)
{
    drawing->triangle_vertices = 0;
    drawing->line_vertices = 0;
    drawing->has_slice = false;
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

BrumeVertex *brume_drawing_add_triangles(BrumeDrawing *drawing, int count)
{
    return grow(&drawing->triangles, &drawing->triangle_vertices, &drawing->triangle_capacity, count);
}

BrumeVertex *brume_drawing_add_lines(BrumeDrawing *drawing, int count)
{
    return grow(&drawing->lines, &drawing->line_vertices, &drawing->line_capacity, count);
}
