/**
 * @file marching_cubes_table.h
 * The triangles of marching cubes for each of the 256 cases, that is, for each set of cube corners that are inside.
 */
#ifndef BRUME_CORE_ISOSURFACE_MARCHING_CUBES_TABLE_H
#define BRUME_CORE_ISOSURFACE_MARCHING_CUBES_TABLE_H

#include <stdint.h>

enum { BRUME_CUBE_MAX_TRIANGLES = 5 };

/**
 * The triangles of one case. The corner at (x, y, z), each 0 or 1, has the number x + 2 y + 4 z. Edge 4 a + m runs
 * along axis a (0 x, 1 y, 2 z) from the corner whose coordinate along axis a + 1 (mod 3) is the lower bit of m and
 * whose coordinate along axis a + 2 (mod 3) is the upper bit.
 */
typedef struct BrumeCubeCase {
    uint8_t triangle_count;
    uint8_t edges[3 * BRUME_CUBE_MAX_TRIANGLES]; ///< the edges that hold a triangle's vertices, counterclockwise seen
                                                 ///< from outside
} BrumeCubeCase;

/** The lower corner of an edge; the upper corner has the bit of the edge's axis set in addition. */
static inline int brume_cube_edge_corner(int edge)
{
    const int axis = edge / 4;
    return (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
}

/** The table (256 cases), indexed by the inside corners: bit n for corner n. Built by the first call, in any thread. */
const BrumeCubeCase *brume_cube_cases(void);

#endif
