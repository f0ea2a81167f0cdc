/*
 * The entries inside bodies: lists of the two outermost layers, built once for a geometry by marking entries layer
 * by layer, and the extrapolation along these lists.
 */
#include "sim/boundary/extrapolation.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "sim/grid/cut_cells.h"

#include <string.h>

enum { UNKNOWN = 0, CLOSED = 255 }; // marks of an entry; 1 is air, 1 + n the n-th layer inside the body

enum { LINEAR_REACH = 3 }; // entries from one in a body to the last of those by which a source is continued

static const float NARROW = 0.5f; // open parts of faces below this are narrow

// the bounding box of the solid and cut cells and their upper faces, grown by the entries that are looked at; all
// other entries are air
static BrumeIndexBox find_solid_box(const BrumeCells *cells)
{
    const BrumeGrid grid = cells->grid;
    const BrumeIndexBox *rows = &cells->touched;
    int from[3] = {grid.nx, grid.ny, grid.nz};
    int to[3] = {1, 1, 1};
#pragma omp parallel for schedule(static) reduction(min : from[:3]) reduction(max : to[:3])
    for (int k = rows->from[2]; k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; j <= rows->to[1]; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            int first = 1;
            int last = grid.nx;
            while (first <= last && !brume_cell_is_cut(cells, row + first)) {
                first++;
            }
            while (last >= first && !brume_cell_is_cut(cells, row + last)) {
                last--;
            }
            const int low[3] = {first, j, k};
            const int high[3] = {last, j, k};
            for (int axis = 0; first <= last && axis < 3; axis++) {
                from[axis] = brume_min_int(low[axis], from[axis]);
                to[axis] = brume_max_int(high[axis], to[axis]);
            }
        }
    }
    BrumeIndexBox box;
    const int margin = brume_extrapolation_reach(cells);
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(grid, axis);
        box.from[axis] = brume_max_int(from[axis] - margin, 1);
        box.to[axis] = brume_min_int(to[axis] + 1 + margin, n);
        if (cells->periodic[axis]) { // neighbors across the sides, whose faces 1 are the upper faces of the last cells
            box.from[axis] = 1;
            box.to[axis] = n;
        }
    }
    return box;
}

// whether a solid or cut cell is at a side of the box
static bool is_at_sides(const BrumeCells *cells)
{
    const BrumeGrid grid = cells->grid;
    const BrumeIndexBox *rows = &cells->touched;
    bool found = false;
    for (int k = rows->from[2]; !found && k <= rows->to[2]; k++) {
        for (int j = rows->from[1]; !found && j <= rows->to[1]; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            const bool inner = j > 1 && j < grid.ny && k > 1 && k < grid.nz;
            const int stride = inner && grid.nx > 1 ? grid.nx - 1 : 1;
            for (int i = 1; i <= grid.nx; i += stride) {
                found = found || brume_cell_is_cut(cells, row + i);
            }
        }
    }
    return found;
}

// of whole cells, by the flags of the cells at a row of entries and below
BRUME_KERNEL static void mark_row(uint8_t *restrict marks, const uint8_t *flags, const uint8_t *below, int count)
{
    for (int i = 0; i < count; i++) {
        const int both = flags[i] & below[i] & BRUME_CELL_SOLID;
        const int any = (flags[i] | below[i]) & BRUME_CELL_SOLID;
        marks[i] = (uint8_t)(both ? UNKNOWN : any ? CLOSED : 1);
    }
}

// marks air, faces on a surface (they hold the prescribed velocity and are no source), and entries inside; the covered
// faces of cut cells lie inside. Sets the marks around the box to UNKNOWN.
static void mark_air(const BrumeCells *cells, const BrumeIndexBox *box, int location, uint8_t *marks)
{
    const ptrdiff_t below = brume_cells_below(cells, location);
    const int count = box->to[0] - box->from[0] + 1;
#pragma omp parallel for schedule(static)
    for (int k = box->from[2] - 1; k <= box->to[2] + 1; k++) {
        for (int j = box->from[1] - 1; j <= box->to[1] + 1; j++) {
            memset(marks + cells->sy * j + cells->sz * k, UNKNOWN, (size_t)cells->sy);
            const ptrdiff_t c = box->from[0] + cells->sy * j + cells->sz * k;
            if (k < box->from[2] || k > box->to[2] || j < box->from[1] || j > box->to[1]) {
                continue;
            }
            if (cells->fractions) {
                brume_cells_mark_air(cells, location, c, count, 1, marks + c);
            } else {
                mark_row(marks + c, cells->flags + c, cells->flags + c - below, count);
            }
        }
    }
}

// of the marks of a component: narrow faces become UNKNOWN, and those that are not in the air CLOSED
static void mark_narrow(const BrumeCells *cells, const BrumeIndexBox *box, int axis, uint8_t *marks)
{
    const float *open = cells->fractions->face[axis].data;
#pragma omp parallel for schedule(static)
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (ptrdiff_t c = row + box->from[0]; c <= row + box->to[0]; c++) {
                marks[c] = (uint8_t)(marks[c] != 1 ? CLOSED : open[c] < NARROW ? UNKNOWN : 1);
            }
        }
    }
}

// The neighbors of an entry whose mark is `layer`: the ones in the air (1) or in the layer outside. Across a periodic
// side they are entries at the opposite side. `linear`: whether the sources may be continued linearly.
static void find_sources(const BrumeCells *cells, const uint8_t *marks, int layer, const int index[3], bool linear,
                         BrumeExtrapolationEntry *entry)
{
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    for (int n = 0; n < 6; n++) {
        const int axis = n / 2;
        const int step = n % 2 == 0 ? -1 : 1;
        const int last = brume_cells_along(cells->grid, axis);
        const bool leaves = cells->periodic[axis] && index[axis] == (n % 2 == 0 ? 1 : last);
        const ptrdiff_t distance = leaves ? 1 - last : 1;
        const ptrdiff_t neighbor = entry->index + strides[axis] * step * distance;
        if (marks[neighbor] == layer) {
            const int farthest = index[axis] + LINEAR_REACH * step;
            const bool continues = linear && farthest >= 1 && farthest <= last &&
                                   marks[neighbor + strides[axis] * step] == 1 &&
                                   marks[neighbor + strides[axis] * step * 2] == 1;
            entry->linear = (uint8_t)(entry->linear | continues << entry->count);
            entry->sources[entry->count++] = (int32_t)neighbor;
        }
    }
}

// sets a byte to 1 where an entry of a row is unknown and has a neighbor in layer `layer`, or may have one across a
// side
BRUME_KERNEL static void find_candidates(uint8_t *restrict found, const uint8_t *row, ptrdiff_t sy, ptrdiff_t sz,
                                         int layer, bool wraps, int count)
{
    for (int i = 0; i < count; i++) {
        const int near = (row[i - 1] == layer) | (row[i + 1] == layer) | (row[i - sy] == layer) |
                         (row[i + sy] == layer) | (row[i - sz] == layer) | (row[i + sz] == layer) | wraps;
        found[i] = (uint8_t)(near & (row[i] == UNKNOWN));
    }
}

// lists the entries of layer `layer` (from 1) in plane k and returns their number; with `entries` NULL it only counts
static ptrdiff_t list_plane(const BrumeCells *cells, const BrumeIndexBox *box, const uint8_t *marks, bool linear,
                            int layer, int k, BrumeExtrapolationEntry *entries)
{
    enum { SEGMENT = 256 }; // entries of a row that are looked at together
    const bool wraps = cells->periodic[0] || cells->periodic[1] || cells->periodic[2];
    ptrdiff_t count = 0;
    for (int j = box->from[1]; j <= box->to[1]; j++) {
        for (int first = box->from[0]; first <= box->to[0]; first += SEGMENT) {
            const int length = brume_min_int(box->to[0] - first + 1, SEGMENT);
            const ptrdiff_t start = first + cells->sy * j + cells->sz * k;
            uint8_t found[SEGMENT];
            find_candidates(found, marks + start, cells->sy, cells->sz, layer, wraps, length);
            for (const uint8_t *at = found; (at = memchr(at, 1, (size_t)(found + length - at))) != NULL; at++) {
                BrumeExtrapolationEntry entry = {.index = (int32_t)(start + (at - found))};
                if (entries || wraps) {
                    const int index[3] = {first + (int)(at - found), j, k};
                    find_sources(cells, marks, layer, index, linear, &entry);
                }
                if (entry.count > 0 && entries) {
                    entries[count] = entry;
                }
                count += entry.count > 0 || !(entries || wraps);
            }
        }
    }
    return count;
}

// the same of all planes, whose entries follow each other; false without memory
static bool list_layer(BrumeExtrapolationLayer *list, const BrumeCells *cells, const BrumeIndexBox *box, uint8_t *marks,
                       bool linear, int layer)
{
    ptrdiff_t *ends = brume_alloc((size_t)box->to[2] + 1, sizeof *ends); // of the entries of each plane
    for (int pass = 0; ends && pass < 2; pass++) {
#pragma omp parallel for schedule(dynamic)
        for (int k = box->from[2]; k <= box->to[2]; k++) {
            const ptrdiff_t count = pass == 0 ? 0 : ends[k - 1];
            const ptrdiff_t listed =
                list_plane(cells, box, marks, linear, layer, k, pass == 0 ? NULL : list->entries + count);
            if (pass == 0) {
                ends[k] = listed;
            }
        }
        for (int k = box->from[2]; pass == 0 && k <= box->to[2]; k++) {
            ends[k] += ends[k - 1];
        }
        list->count = ends[box->to[2]];
        list->entries = pass == 0 ? brume_alloc_untouched((size_t)list->count, sizeof *list->entries) : list->entries;
        if (!list->entries) {
            list->count = 0;
            break;
        }
    }
    brume_free(ends);
    for (ptrdiff_t e = 0; e < list->count; e++) {
        marks[list->entries[e].index] = (uint8_t)(layer + 1);
    }
    return list->entries != NULL;
}

// the faces of the layers of a component; `marks` has those of all locations
static BrumeStatus list_slip_faces(BrumeExtrapolation *extrapolation, const BrumeCells *cells, int axis,
                                   const uint8_t *marks)
{
    const BrumeExtrapolationLayer *layers = extrapolation->layers[axis];
    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
    const size_t entries = brume_grid_entries(cells->grid);
    BrumeSlipFace *faces = brume_alloc((size_t)(layers[0].count + layers[1].count), sizeof *faces);
    extrapolation->slip[axis] = faces;
    extrapolation->slip_count[axis] = faces ? layers[0].count + layers[1].count : 0;
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < extrapolation->slip_count[axis]; n++) {
        BrumeSlipFace *face = &faces[n];
        const bool outer = n < layers[0].count;
        const ptrdiff_t c = layers[outer ? 0 : 1].entries[outer ? n : n - layers[0].count].index;
        int index[3];
        brume_entry_indices(c, cells->sy, cells->sz, index);
        const BrumeVec3 normal = brume_cells_face_normal(cells, axis, index);
        face->entry = (int32_t)c;
        face->body =
            (uint8_t)(brume_max_int(brume_max_int(cells->wall_ids[c], cells->wall_ids[c - strides[axis]]), 1) - 1);
        for (int other = 0; other < 3; other++) {
            face->normal[other] = brume_component(normal, other);
            for (int source = 0; other != axis && source < BRUME_SLIP_SOURCES; source++) {
                const ptrdiff_t entry = c - (source % 2) * strides[axis] + (source / 2) * strides[other];
                const bool known = marks[(ptrdiff_t)entries * other + entry] != UNKNOWN;
                face->known[other] = (uint8_t)(face->known[other] | known << source);
            }
        }
    }
    return faces ? BRUME_OK : BRUME_FAILED;
}

BrumeStatus brume_extrapolation_create(BrumeExtrapolation *extrapolation, const BrumeCells *cells, BrumeError *error)
{
    *extrapolation = (BrumeExtrapolation){0};
    if (!cells->bodies) {
        return BRUME_OK;
    }
    BrumeStatus status = BRUME_OK;
    extrapolation->at_sides = is_at_sides(cells);
    const BrumeIndexBox box = find_solid_box(cells);
    const size_t entries = brume_grid_entries(cells->grid);
    uint8_t *all_marks = brume_alloc_untouched(BRUME_LOCATION_COUNT * entries, sizeof *all_marks);
    for (int location = 0; all_marks && location < BRUME_LOCATION_COUNT; location++) {
        uint8_t *marks = all_marks + (size_t)location * entries;
        if (cells->has_creases && location < 3) {
            mark_air(cells, &box, location, marks);
            mark_narrow(cells, &box, location, marks);
            if (!list_layer(&extrapolation->narrow[location], cells, &box, marks, false, 1)) {
                status = BRUME_FAILED;
                goto cleanup;
            }
        }
        mark_air(cells, &box, location, marks);
        for (int n = 0; n < BRUME_EXTRAPOLATION_LAYERS; n++) {
            if (!list_layer(&extrapolation->layers[location][n], cells, &box, marks, cells->fractions && location < 3,
                            n + 1)) {
                status = BRUME_FAILED;
                goto cleanup;
            }
        }
    }
    status = all_marks ? BRUME_OK : BRUME_FAILED;
    for (int axis = 0; status == BRUME_OK && cells->fractions && axis < 3; axis++) {
        status = list_slip_faces(extrapolation, cells, axis, all_marks);
    }

cleanup:
    brume_free(all_marks);
    if (status != BRUME_OK) {
        brume_extrapolation_destroy(extrapolation);
        return brume_out_of_grid_memory(error, "the surfaces of the bodies");
    }
    return BRUME_OK;
}

void brume_extrapolation_destroy(BrumeExtrapolation *extrapolation)
{
    for (int location = 0; location < BRUME_LOCATION_COUNT; location++) {
        for (int n = 0; n < BRUME_EXTRAPOLATION_LAYERS; n++) {
            brume_free(extrapolation->layers[location][n].entries);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        brume_free(extrapolation->narrow[axis].entries);
        brume_free(extrapolation->slip[axis]);
    }
    *extrapolation = (BrumeExtrapolation){0};
}

size_t brume_extrapolation_bytes(const BrumeExtrapolation *extrapolation)
{
    size_t bytes = 0;
    for (int location = 0; location < BRUME_LOCATION_COUNT; location++) {
        for (int n = 0; n < BRUME_EXTRAPOLATION_LAYERS; n++) {
            bytes += (size_t)extrapolation->layers[location][n].count * sizeof(BrumeExtrapolationEntry);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        bytes += (size_t)extrapolation->narrow[axis].count * sizeof(BrumeExtrapolationEntry);
        bytes += (size_t)extrapolation->slip_count[axis] * sizeof *extrapolation->slip[axis];
    }
    return bytes;
}

BRUME_KERNEL static void clear_row(float *restrict row, const uint8_t *flags, const uint8_t *below, int count)
{
    for (int i = 0; i < count; i++) {
        row[i] = ((flags[i] | below[i]) & BRUME_CELL_SOLID) ? 0.0f : row[i];
    }
}

void brume_clear_solids_row(const BrumeCells *cells, int location, BrumeField *field, int j, int k)
{
    const ptrdiff_t below = brume_cells_below(cells, location);
    const ptrdiff_t c = 1 + cells->sy * j + cells->sz * k;
    clear_row(field->data + c, cells->flags + c, cells->flags + c - below, cells->grid.nx + 1);
}

void brume_clear_solids(const BrumeCells *cells, int location, BrumeField *field)
{
    if (!cells->bodies) {
        return;
    }
    const BrumeIndexBox *rows = &cells->touched; // and the faces above them
    const int last = brume_planes_to(field->grid, rows->to[2] + 1);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(field->grid, rows->from[2]); k <= last; k++) {
        for (int j = rows->from[1]; j <= rows->to[1] + 1; j++) {
            brume_clear_solids_row(cells, location, field, j, k);
        }
    }
}

// whether entry c, at a cell of a held body or at the face between two cells of which one is, keeps its value
static bool is_held(const BrumeCells *cells, const bool *held, ptrdiff_t c, ptrdiff_t below)
{
    const uint8_t *all = cells->wall_ids ? cells->wall_ids : cells->body_ids;
    const int ids[2] = {all[c], all[c - below]};
    return (ids[0] > 0 && held[ids[0] - 1]) || (ids[1] > 0 && held[ids[1] - 1]);
}

// the limited difference by which a source is continued to an entry
static float slope_at(const float *data, const BrumeExtrapolationEntry *entry, int source)
{
    const ptrdiff_t step = entry->sources[source] - entry->index;
    const float *near = data + entry->sources[source];
    const float first = near[0] - near[step];
    const float second = near[step] - near[2 * step];
    return brume_max_float(brume_min_float(first, second), 0.0f) +
           brume_min_float(brume_max_float(first, second), 0.0f);
}

// the number of entries of a layer before an offset in a field; the entries are in ascending order
static ptrdiff_t count_before(const BrumeExtrapolationLayer *layer, ptrdiff_t offset)
{
    ptrdiff_t before = 0;
    ptrdiff_t end = layer->count;
    while (before < end) {
        const ptrdiff_t middle = before + (end - before) / 2;
        if (layer->entries[middle].index < offset) {
            before = middle + 1;
        } else {
            end = middle;
        }
    }
    return before;
}

BrumeExtrapolationRange brume_own_extrapolation(const BrumeExtrapolationLayer *layer, const BrumeField *field)
{
    return (BrumeExtrapolationRange){
        .from = count_before(layer, field->sz * brume_lowest_plane(field->grid)),
        .end = count_before(layer, field->sz * (brume_highest_plane(field->grid) + 1)),
    };
}

static void extrapolate_layer(const BrumeExtrapolationLayer *layer, const BrumeCells *cells, int location,
                              BrumeField *field, const bool held[BRUME_MAX_BODIES])
{
    const ptrdiff_t below = brume_cells_below(cells, location);
    const BrumeExtrapolationRange own = brume_own_extrapolation(layer, field);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t e = own.from; e < own.end; e++) {
        const BrumeExtrapolationEntry *entry = &layer->entries[e];
        if (held && is_held(cells, held, entry->index, below)) {
            continue;
        }
        float sum = 0.0f;
        for (int s = 0; s < entry->count; s++) {
            sum += field->data[entry->sources[s]];
            sum += entry->linear >> s & 1 ? slope_at(field->data, entry, s) : 0.0f;
        }
        field->data[entry->index] = sum / (float)entry->count;
    }
}

int brume_extrapolation_reach(const BrumeCells *cells) { return cells->fractions ? LINEAR_REACH : 1; }

void brume_extrapolate(const BrumeExtrapolation *extrapolation, int layer, const BrumeCells *cells, int location,
                       BrumeField *field, const bool held[BRUME_MAX_BODIES])
{
    extrapolate_layer(&extrapolation->layers[location][layer], cells, location, field, held);
}

void brume_extrapolate_to_narrow_faces(const BrumeExtrapolation *extrapolation, const BrumeCells *cells, int axis,
                                       BrumeField *field, const bool held[BRUME_MAX_BODIES])
{
    extrapolate_layer(&extrapolation->narrow[axis], cells, axis, field, held);
}
