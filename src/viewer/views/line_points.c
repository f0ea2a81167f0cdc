#include "viewer/views/line_points.h"

#include "core/memory.h"
#include "core/vec3.h"

#include <assert.h>
#include <string.h>

// more cells would not make the search faster
enum { MAX_CELLS_ALONG = 256 };

static int cells_along(float length, float side) { return (int)fminf(ceilf(length / side), MAX_CELLS_ALONG) + 1; }

BrumeStatus brume_line_points_create(BrumeLinePoints *points, BrumeVec3 lower, BrumeVec3 upper, float side,
                                     BrumeError *error)
{
    assert(side > 0.0f);
    const BrumeVec3 size = brume_sub(upper, lower);
    *points = (BrumeLinePoints){
        .corner = lower,
        .side = fmaxf(side, fmaxf(size.x, fmaxf(size.y, size.z)) / (float)MAX_CELLS_ALONG),
    };
    points->grid = brume_grid(cells_along(size.x, points->side), cells_along(size.y, points->side),
                              cells_along(size.z, points->side));
    const size_t cells = brume_grid_cells(points->grid);
    points->first = brume_alloc_untouched(cells, sizeof *points->first);
    if (points->first == NULL) {
        return brume_out_of_memory(error, "the distances of lines");
    }
    memset(points->first, -1, cells * sizeof *points->first);
    return BRUME_OK;
}

void brume_line_points_free(BrumeLinePoints *points)
{
    brume_free(points->first);
    brume_free(points->points);
    *points = (BrumeLinePoints){0};
}

// returns the cell along one axis, from 0; also for positions slightly outside the box
static int cell_along(float position, float corner, float side, int cells)
{
    return (int)fminf(fmaxf((position - corner) / side, 0.0f), (float)(cells - 1));
}

// the head of the linked list of the points in a cell
static int *first_in(const BrumeLinePoints *points, int i, int j, int k)
{
    const BrumeGrid grid = points->grid;
    return points->first + ((ptrdiff_t)k * grid.ny + j) * grid.nx + i;
}

bool brume_line_points_add(BrumeLinePoints *points, BrumeVec3 point)
{
    BrumeLinePoint *items = brume_make_room(points->points, points->count, &points->capacity, sizeof *items);
    if (items == NULL) {
        return false;
    }
    points->points = items;
    const BrumeGrid grid = points->grid;
    int *first = first_in(points, cell_along(point.x, points->corner.x, points->side, grid.nx),
                          cell_along(point.y, points->corner.y, points->side, grid.ny),
                          cell_along(point.z, points->corner.z, points->side, grid.nz));
    items[points->count] = (BrumeLinePoint){point, *first};
    *first = points->count++;
    return true;
}

static bool is_near_in_cell(const BrumeLinePoints *points, int first, BrumeVec3 place, float distance)
{
    for (int n = first; n >= 0; n = points->points[n].next) {
        const BrumeVec3 by = brume_sub(points->points[n].position, place);
        if (brume_dot(by, by) < distance * distance) {
            return true;
        }
    }
    return false;
}

bool brume_line_points_are_near(const BrumeLinePoints *points, BrumeVec3 place, float distance)
{
    assert(distance <= points->side);
    const BrumeGrid grid = points->grid;
    const int i = cell_along(place.x, points->corner.x, points->side, grid.nx);
    const int j = cell_along(place.y, points->corner.y, points->side, grid.ny);
    const int k = cell_along(place.z, points->corner.z, points->side, grid.nz);
    for (int c = k > 0 ? k - 1 : 0; c <= k + 1 && c < grid.nz; c++) {
        for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < grid.ny; b++) {
            for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < grid.nx; a++) {
                if (is_near_in_cell(points, *first_in(points, a, b, c), place, distance)) {
                    return true;
                }
            }
        }
    }
    return false;
}
