/**
 * @file polygon.h
 * Cuts a polygon into triangles by clipping ears (Meisters, "Polygons have ears", American Mathematical Monthly 82,
 * 1975; Eberly, "Triangulation by Ear Clipping", 2002).
 */
#ifndef BRUME_EXCHANGE_MESH_POLYGON_H
#define BRUME_EXCHANGE_MESH_POLYGON_H

#include "brume/vec3.h"

#include <stdbool.h>

/** A corner of the polygon that is cut: its position in the plane, and the corners beside it that are left. */
typedef struct BrumePolygonCorner {
    double x, y;
    int previous, next;
    bool reflex; ///< the angle inside is at least 180 degrees
} BrumePolygonCorner;

/**
 * Writes `count` - 2 triangles of the polygon with the corners `positions[corners[0 ... count - 1]]`: `triangles`
 * (count - 2 x 3) are numbers from `corners`, counterclockwise where the polygon is. The polygon need not be convex nor
 * planar: it is cut in its projection along the axis in which its area is largest, so that one that bends by less than
 * about 45 degrees is right. Holes may be joined to the outside by an edge that is passed twice. Corners on a straight
 * edge become corners of triangles with an area wherever possible, so that no gap opens to the polygon beside. The time
 * is of order count x (corners that are not convex + 1). A polygon that intersects itself or has no area gets as many
 * triangles, some without area. `scratch` has room for `count` corners. `count` is at least 3.
 */
void brume_cut_polygon(const BrumeVec3 *positions, const unsigned *corners, int count, BrumePolygonCorner *scratch,
                       int *triangles);

#endif
