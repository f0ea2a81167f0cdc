/**
 * @file field.h
 * A scalar on a grid of (nz+2) x (ny+2) x (nx+2) entries, x fastest, with one layer of ghosts on each side: the 3D form
 * of the (N+2)^2 layout of Stam 2003. The cells of the box have indices 1..nx, 1..ny, 1..nz; 0 and n+1 are ghosts. A
 * staggered velocity component has the same layout: its entry at a cell is the value on the lower face of the cell, so
 * that the nx+1 faces along x are entries 1..nx+1.
 */
#ifndef BRUME_FIELD_H
#define BRUME_FIELD_H

#include <stddef.h>

/** The cells of a grid along each axis, without ghosts. */
typedef struct BrumeGrid {
    int nx, ny, nz;
    const struct BrumeDomain *domain; ///< the planes that this process computes, if several share a grid; NULL: all
} BrumeGrid;

/** The cells, with indices from 0, from `lower` to before `upper` along x, y and z; none if an upper is not above. */
typedef struct BrumeCellBox {
    int lower[3], upper[3];
} BrumeCellBox;

/** A scalar field (nz+2 x ny+2 x nx+2). */
typedef struct BrumeField {
    BrumeGrid grid;
    ptrdiff_t sy; ///< entries from one row to the next: nx + 2
    ptrdiff_t sz; ///< entries from one plane to the next: (nx + 2) (ny + 2)
    float *data;  ///< entry (0, 0, 0), a ghost, 64-byte aligned
} BrumeField;

/** A grid with all its planes in this process. */
static inline BrumeGrid brume_grid(int nx, int ny, int nz)
{
    const BrumeGrid grid = {nx, ny, nz, NULL};
    return grid;
}

/** The number of entries of a field, ghosts included. */
static inline size_t brume_grid_entries(BrumeGrid grid)
{
    return (size_t)(grid.nx + 2) * (size_t)(grid.ny + 2) * (size_t)(grid.nz + 2);
}

/** The number of cells, ghosts excluded. */
static inline size_t brume_grid_cells(BrumeGrid grid) { return (size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz; }

/** The number of cells along an axis: 0 x, 1 y, 2 z. */
static inline int brume_cells_along(BrumeGrid grid, int axis)
{
    return axis == 0 ? grid.nx : axis == 1 ? grid.ny : grid.nz;
}

/** Offset of entry (i, j, k) in a field's data; 0 and n+1 are ghosts. */
static inline ptrdiff_t brume_field_index(const BrumeField *field, int i, int j, int k)
{
    return i + field->sy * j + field->sz * k;
}

/** The value at entry (i, j, k); 0 and n+1 are ghosts. */
static inline float brume_field_at(const BrumeField *field, int i, int j, int k)
{
    return field->data[brume_field_index(field, i, j, k)];
}

#endif
