/**
 * @file cube_table.h
 * The triangles of marching cubes, for each of the 256 ways in which the corners of a cube can be inside or outside.
 */
#ifndef BRUME_VIEWER_VIEWS_CUBE_TABLE_H
#define BRUME_VIEWER_VIEWS_CUBE_TABLE_H

#include <stdint.h>

enum { BRUME_CUBE_MOST_TRIANGLES = 5 };

/**
 * Corners have the numbers x + 2 y + 4 z with x, y, z of 0 and 1. Edge 4 a + m runs along axis a (0 x, 1 y, 2 z) from
 * the corner at which the next axis (a + 1 mod 3) has the lower bit of m and the one after it the upper.
 */
typedef struct BrumeCube {
    uint8_t triangles;                            ///< how many
    uint8_t edges[3 * BRUME_CUBE_MOST_TRIANGLES]; ///< three a triangle, counterclockwise seen from outside
} BrumeCube;

/** The lower corner of an edge; the upper is that with the bit of its axis set. */
static inline int brume_cube_edge_corner(int edge)
{
    const int axis = edge / 4;
    return (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
}

/** The table (256), by the set of corners inside: bit n for corner n. Made by the first call, from any thread. */
const BrumeCube *brume_cube_table(void);

#endif
