#include "core/field.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

static void fill_planes(BrumeField *field, int from, int to, float value)
{
    float *plane = field->data + field->sz * from;
    const ptrdiff_t entries = field->sz * (to - from + 1);
    for (ptrdiff_t n = 0; n < entries; n++) {
        plane[n] = value;
    }
}

void brume_field_fill(BrumeField *field, float value)
{
    const int first = brume_first_plane(field->grid);
    const int last = brume_last_plane(field->grid);
    // the threads of the first and last plane also fill the adjacent ghost planes
#pragma omp parallel for schedule(static)
    for (int k = first; k <= last; k++) {
        fill_planes(field, k == 1 ? 0 : k, k == field->grid.nz ? k + 1 : k, value);
    }
}

void brume_field_copy(BrumeField *to, const BrumeField *from)
{
#pragma omp parallel for schedule(static)
    for (int k = brume_lowest_plane(to->grid); k <= brume_highest_plane(to->grid); k++) {
        memcpy(to->data + to->sz * k, from->data + from->sz * k, (size_t)to->sz * sizeof *to->data);
    }
}

BrumeStatus brume_field_create(BrumeField *field, BrumeGrid grid, BrumeError *error)
{
    *field = (BrumeField){
        .grid = grid,
        .sy = grid.nx + 2,
        .sz = (ptrdiff_t)(grid.nx + 2) * (grid.ny + 2),
        .data = brume_alloc_untouched(brume_grid_entries(grid), sizeof(float)),
    };
    if (!field->data) {
        return brume_out_of_grid_memory(error, "a field of %d x %d x %d cells", grid.nx, grid.ny, grid.nz);
    }
    brume_field_fill(field, 0.0f);
    brume_poison_new_field(field);
    return BRUME_OK;
}

void brume_field_destroy(BrumeField *field)
{
    brume_free(field->data);
    *field = (BrumeField){0};
}
