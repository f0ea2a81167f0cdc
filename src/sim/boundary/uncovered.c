/*
 * The entries that bodies uncover get the mean of the air around them, layer by layer. All ranks find all entries; each
 * sets those in its planes.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

#include <string.h>

enum { IS_AIR = 1, WAS_AIR = 2, UNCOVERED = IS_AIR, KNOWN = IS_AIR | WAS_AIR }; // marks of an entry

// whether cell c or one of its lower faces is in the air and was not; of whole cells the cell alone is looked at
static bool is_uncovered(const BrumeCells *cells, const BrumeCells *old_cells, ptrdiff_t c)
{
    bool uncovered = (old_cells->flags[c] & ~cells->flags[c] & BRUME_CELL_SOLID) != 0;
    for (int axis = 0; old_cells->fractions && !uncovered && axis < 3; axis++) {
        uncovered = brume_cells_in_air(cells, axis, c) && !brume_cells_in_air(old_cells, axis, c);
    }
    return uncovered;
}

// the bounding box of the cells of which an entry was solid and is not any more; `to` is 0 where there are none
static BrumeIndexBox find_uncovered(const BrumeCells *cells, const BrumeCells *old_cells)
{
    const BrumeGrid grid = cells->grid;
    const BrumeIndexBox *rows = &old_cells->touched;
    const int last_plane = old_cells->bodies ? rows->to[2] : 0;
    int from[3] = {grid.nx + 1, grid.ny + 1, grid.nz + 1};
    int to[3] = {0};
#pragma omp parallel for schedule(static) reduction(min : from[:3]) reduction(max : to[:3])
    for (int k = rows->from[2]; k <= last_plane; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (int i = 1; (!old_cells->fractions || brume_cells_row_is_cut(old_cells, j, k)) && i <= grid.nx; i++) {
                if (is_uncovered(cells, old_cells, row + i)) {
                    const int index[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        from[axis] = brume_min_int(index[axis], from[axis]);
                        to[axis] = brume_max_int(index[axis], to[axis]);
                    }
                }
            }
        }
    }
    return (BrumeIndexBox){{from[0], from[1], from[2]}, {to[0], to[1], to[2]}};
}

// the entries of a location at the cells of a box, and their neighbors
static BrumeIndexBox entries_around(BrumeIndexBox cells, BrumeGrid grid, int location)
{
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) {
        const int upper_face = location == axis;
        const int last = brume_cells_along(grid, axis) + upper_face;
        box.from[axis] = brume_max_int(cells.from[axis] - 1, 1);
        box.to[axis] = brume_min_int(cells.to[axis] + upper_face + 1, last);
    }
    return box;
}

// the uncovered entries of a location, in the order of their layers once these are found
typedef struct Uncovered {
    int location;
    BrumeIndexBox box;
    uint8_t *marks;
    int32_t *entries;
    ptrdiff_t count;
} Uncovered;

static void find_entries(Uncovered *list, const BrumeCells *cells, const BrumeCells *old_cells)
{
    const BrumeIndexBox *box = &list->box;
#pragma omp parallel for schedule(static)
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            const ptrdiff_t first = box->from[0] + cells->sy * j + cells->sz * k;
            const int count = box->to[0] - box->from[0] + 1;
            uint8_t *marks = list->marks + first;
            memset(marks, 0, (size_t)count);
            brume_cells_mark_air(cells, list->location, first, count, IS_AIR, marks);
            brume_cells_mark_air(old_cells, list->location, first, count, WAS_AIR, marks);
        }
    }
    list->count = 0;
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            const uint8_t *row = list->marks + cells->sy * j + cells->sz * k;
            const uint8_t *end = row + box->to[0] + 1;
            for (const uint8_t *at = row + box->from[0]; (at = memchr(at, UNCOVERED, (size_t)(end - at))) != NULL;
                 at++) {
                list->entries[list->count++] = (int32_t)(at - list->marks);
            }
        }
    }
}

// the mean of the known neighbors of entry c within the box; false if there are none
static bool mean_of_known(const Uncovered *list, const BrumeField *field, ptrdiff_t c, float *mean)
{
    int index[3];
    brume_entry_indices(c, field->sy, field->sz, index);
    float sum = 0.0f;
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const ptrdiff_t stride = brume_stride(field, axis);
        if (index[axis] > list->box.from[axis] && list->marks[c - stride] == KNOWN) {
            sum += field->data[c - stride];
            count++;
        }
        if (index[axis] < list->box.to[axis] && list->marks[c + stride] == KNOWN) {
            sum += field->data[c + stride];
            count++;
        }
    }
    *mean = count > 0 ? sum / (float)count : 0.0f;
    return count > 0;
}

// Fills the entries from the `first` in the list on that have a known neighbor, and puts them before the others.
// Returns their number.
static ptrdiff_t fill_layer(Uncovered *list, BrumeField *field, ptrdiff_t first)
{
    const ptrdiff_t own_from = field->sz * brume_lowest_plane(field->grid);
    const ptrdiff_t own_end = field->sz * (brume_highest_plane(field->grid) + 1);
    ptrdiff_t next = first;
    brume_exchange_field(field, 1);
    for (ptrdiff_t n = first; n < list->count; n++) {
        const int32_t c = list->entries[n];
        float mean;
        const bool is_known = mean_of_known(list, field, c, &mean);
        if (c >= own_from && c < own_end) {
            field->data[c] = mean;
        }
        if (is_known) {
            list->entries[n] = list->entries[next];
            list->entries[next++] = c;
        }
    }
    for (ptrdiff_t n = first; n < next; n++) {
        list->marks[list->entries[n]] = KNOWN;
    }
    return next - first;
}

void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *old_cells, BrumeFieldId first)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeIndexBox uncovered = find_uncovered(cells, old_cells);
    if (uncovered.to[0] == 0) {
        return;
    }
    Uncovered list = {.marks = (uint8_t *)sim->scratch[0].data, .entries = (int32_t *)sim->scratch[3].data};
    for (int id = (int)first; id < BRUME_FIELD_COUNT; id++) {
        BrumeField *field = &sim->fields[id];
        if (!field->data) {
            continue;
        }
        list.location = brume_location((BrumeFieldId)id);
        list.box = entries_around(uncovered, cells->grid, list.location);
        find_entries(&list, cells, old_cells);
        for (ptrdiff_t filled = 0, more = 1; more > 0; filled += more) {
            more = fill_layer(&list, field, filled);
        }
    }
}
