#include "sim/boundary/solids.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"

#include <string.h>

enum { UNKNOWN = 0, CLOSED = 255 }; // marks of an entry; 1 is air, 1 + n the n-th layer below it

// the entries that an obstacle may touch; everything else is air and needs no mark
typedef struct Region {
    int from[3], to[3];
} Region;

// the solid cells, their upper faces, and one entry around
static Region find_region(const BrumeCells *cells)
{
    const BrumeGrid grid = cells->grid;
    Region region = {{grid.nx, grid.ny, grid.nz}, {1, 1, 1}};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const uint8_t *row = cells->flags + cells->sy * j + cells->sz * k;
            int first = 1;
            int last = grid.nx;
            while (first <= last && !(row[first] & BRUME_CELL_SOLID)) {
                first++;
            }
            while (last >= first && !(row[last] & BRUME_CELL_SOLID)) {
                last--;
            }
            const int low[3] = {first, j, k};
            const int high[3] = {last, j, k};
            for (int axis = 0; first <= last && axis < 3; axis++) {
                region.from[axis] = low[axis] < region.from[axis] ? low[axis] : region.from[axis];
                region.to[axis] = high[axis] > region.to[axis] ? high[axis] : region.to[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(grid, axis);
        region.from[axis] = region.from[axis] > 1 ? region.from[axis] - 1 : 1;
        region.to[axis] = region.to[axis] + 2 < n ? region.to[axis] + 2 : n;
        if (cells->periodic[axis]) { // the first faces may be the upper ones of the last cells
            region.from[axis] = 1;
        }
    }
    return region;
}

static ptrdiff_t lower_neighbour(const BrumeCells *cells, int location)
{
    const ptrdiff_t strides[] = {1, cells->sy, cells->sz, 0};
    return strides[location];
}

// air, a closed face on a surface (its value is known to be 0 and is not continued), or inside
static void mark_air(const BrumeCells *cells, const Region *region, int location, uint8_t *marks)
{
    const ptrdiff_t below = lower_neighbour(cells, location);
    for (int k = region->from[2]; k <= region->to[2]; k++) {
        for (int j = region->from[1]; j <= region->to[1]; j++) {
            for (int i = region->from[0]; i <= region->to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                const bool solid = (cells->flags[c] & BRUME_CELL_SOLID) != 0;
                const bool solid_below = (cells->flags[c - below] & BRUME_CELL_SOLID) != 0;
                marks[c] = solid && solid_below ? UNKNOWN : solid || solid_below ? CLOSED : 1;
            }
        }
    }
}

// the neighbours that layer `layer` continues at entry c
static int find_sources(const BrumeCells *cells, const uint8_t *marks, int layer, ptrdiff_t c, int32_t sources[6])
{
    const ptrdiff_t steps[6] = {-1, 1, -cells->sy, cells->sy, -cells->sz, cells->sz};
    int count = 0;
    for (int n = 0; n < 6; n++) {
        if (marks[c + steps[n]] == layer) {
            sources[count++] = (int32_t)(c + steps[n]);
        }
    }
    return count;
}

// lists the entries of layer `layer` (from 1); with `entries` NULL only counts them
static ptrdiff_t list_layer(const BrumeCells *cells, const Region *region, const uint8_t *marks, int layer,
                            BrumeRimEntry *entries)
{
    ptrdiff_t count = 0;
    for (int k = region->from[2]; k <= region->to[2]; k++) {
        for (int j = region->from[1]; j <= region->to[1]; j++) {
            for (int i = region->from[0]; i <= region->to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                BrumeRimEntry entry = {.index = (int32_t)c};
                if (marks[c] == UNKNOWN) {
                    entry.count = find_sources(cells, marks, layer, c, entry.sources);
                }
                if (entry.count > 0 && entries) {
                    entries[count] = entry;
                }
                count += entry.count > 0;
            }
        }
    }
    return count;
}

BrumeStatus brume_solids_create(BrumeSolids *solids, const BrumeCells *cells, BrumeError *error)
{
    *solids = (BrumeSolids){0};
    if (!cells->obstacles) {
        return BRUME_OK;
    }
    BrumeStatus status = BRUME_OK;
    const Region region = find_region(cells);
    uint8_t *marks = brume_alloc(brume_grid_entries(cells->grid), sizeof *marks);
    for (int location = 0; marks && location < BRUME_RIM_LISTS; location++) {
        mark_air(cells, &region, location, marks);
        for (int n = 0; n < BRUME_RIM_LAYERS; n++) {
            BrumeRimLayer *layer = &solids->rims[location][n];
            const ptrdiff_t count = list_layer(cells, &region, marks, n + 1, NULL);
            layer->entries = brume_alloc((size_t)count, sizeof *layer->entries);
            if (!layer->entries) {
                status = BRUME_FAILED;
                goto cleanup;
            }
            layer->count = list_layer(cells, &region, marks, n + 1, layer->entries);
            for (ptrdiff_t e = 0; e < count; e++) {
                marks[layer->entries[e].index] = (uint8_t)(n + 2);
            }
        }
    }
    status = marks ? BRUME_OK : BRUME_FAILED;

cleanup:
    brume_free(marks);
    if (status != BRUME_OK) {
        brume_solids_destroy(solids);
        return brume_fail(error, status, "out of memory for the surfaces of the obstacles (lower the resolution)");
    }
    return BRUME_OK;
}

void brume_solids_destroy(BrumeSolids *solids)
{
    for (int location = 0; location < BRUME_RIM_LISTS; location++) {
        for (int n = 0; n < BRUME_RIM_LAYERS; n++) {
            brume_free(solids->rims[location][n].entries);
        }
    }
    *solids = (BrumeSolids){0};
}

size_t brume_solids_bytes(const BrumeSolids *solids)
{
    size_t bytes = 0;
    for (int location = 0; location < BRUME_RIM_LISTS; location++) {
        for (int n = 0; n < BRUME_RIM_LAYERS; n++) {
            bytes += (size_t)solids->rims[location][n].count * sizeof(BrumeRimEntry);
        }
    }
    return bytes;
}

BRUME_KERNEL static void clear_row(float *restrict row, const uint8_t *flags, const uint8_t *below, int count)
{
    for (int i = 0; i < count; i++) {
        row[i] = ((flags[i] | below[i]) & BRUME_CELL_SOLID) ? 0.0f : row[i];
    }
}

void brume_solids_clear_row(const BrumeCells *cells, int location, BrumeField *field, int j, int k)
{
    const ptrdiff_t below = lower_neighbour(cells, location);
    const ptrdiff_t c = 1 + cells->sy * j + cells->sz * k;
    clear_row(field->data + c, cells->flags + c, cells->flags + c - below, cells->grid.nx + 1);
}

void brume_solids_clear(const BrumeCells *cells, int location, BrumeField *field)
{
    if (!cells->obstacles) {
        return;
    }
    // one entry more along each axis: the far faces of cells at the upper sides
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells->grid.nz + 1; k++) {
        for (int j = 1; j <= cells->grid.ny + 1; j++) {
            brume_solids_clear_row(cells, location, field, j, k);
        }
    }
}

void brume_solids_fill_rims(const BrumeSolids *solids, int location, BrumeField *field)
{
    for (int n = 0; n < BRUME_RIM_LAYERS; n++) {
        const BrumeRimLayer *layer = &solids->rims[location][n];
#pragma omp parallel for schedule(static)
        for (ptrdiff_t e = 0; e < layer->count; e++) {
            const BrumeRimEntry *entry = &layer->entries[e];
            float sum = 0.0f;
            for (int s = 0; s < entry->count; s++) {
                sum += field->data[entry->sources[s]];
            }
            field->data[entry->index] = sum / (float)entry->count;
        }
    }
}
