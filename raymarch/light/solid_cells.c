#include "raymarch/light/solid_cells.h"

#include "core/error.h"
#include "core/memory.h"
#include "raymarch/light/ordinates.h"

// as many cells as three surfaces across the whole grid have on each axis
static size_t capacity_of(BrumeGrid grid)
{
    const size_t nx = (size_t)grid.nx;
    const size_t ny = (size_t)grid.ny;
    const size_t nz = (size_t)grid.nz;
    return 3 * (nx * ny + ny * nz + nz * nx);
}

static size_t floats_needed(size_t capacity) { return (3 + 3 * 3 * BRUME_SWEEP_TASKS) * capacity; }

BrumeStatus brume_solid_cells_create(BrumeSolidCells *solids, BrumeGrid grid, BrumeError *error)
{
    const size_t capacity = capacity_of(grid);
    *solids = (BrumeSolidCells){.capacity = (int)capacity};
    solids->surface = brume_alloc_untouched(capacity, sizeof *solids->surface);
    solids->inner = brume_alloc_untouched(capacity, sizeof *solids->inner);
    solids->irradiance = brume_alloc_untouched(floats_needed(capacity), sizeof(float));
    if (solids->surface == NULL || solids->inner == NULL || solids->irradiance == NULL) {
        return brume_out_of_memory(error, "the light of solids");
    }
    solids->sums = solids->irradiance + 3 * capacity;
    return BRUME_OK;
}

void brume_solid_cells_destroy(BrumeSolidCells *solids)
{
    brume_free(solids->surface);
    brume_free(solids->inner);
    brume_free(solids->irradiance);
}

size_t brume_solid_cells_bytes(BrumeGrid grid)
{
    const size_t capacity = capacity_of(grid);
    return capacity * (sizeof(BrumeSurfaceCell) + sizeof(BrumeInnerCell)) + floats_needed(capacity) * sizeof(float);
}
