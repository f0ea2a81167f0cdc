/**
 * @file line_points.h
 * Points of lines in a uniform grid, for finding whether a position is close to one of them.
 */
#ifndef BRUME_VIEWER_VIEWS_LINE_POINTS_H
#define BRUME_VIEWER_VIEWS_LINE_POINTS_H

#include "brume/vec3.h"
#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>

typedef struct BrumeLinePoint {
    BrumeVec3 position; ///< [m]
    int next;           ///< next point of the same cell, an index of `points`; -1: none
} BrumeLinePoint;

/** The points and their grid. Zeroed, it is empty and can be freed. */
typedef struct BrumeLinePoints {
    BrumeVec3 corner;
    float side;     ///< side of a cell of the grid: the largest distance for the search [m]
    BrumeGrid grid; ///< cells
    int *first;     ///< first point of each cell, an index of `points`, -1: none (nz x ny x nx)
    int count, capacity;
    BrumeLinePoint *points;
} BrumeLinePoints;

/** Creates an empty grid for the box [lower, upper] [m]. BRUME_FAILED without memory. */
BrumeStatus brume_line_points_create(BrumeLinePoints *points, BrumeVec3 lower, BrumeVec3 upper, float side,
                                     BrumeError *error);

/** Frees the memory and leaves it empty. */
void brume_line_points_free(BrumeLinePoints *points);

/** Adds a point of the box; false without memory. */
bool brume_line_points_add(BrumeLinePoints *points, BrumeVec3 point);

/** Whether one of the points is closer to `place` than `distance` <= side [m]. */
bool brume_line_points_are_near(const BrumeLinePoints *points, BrumeVec3 place, float distance);

#endif
