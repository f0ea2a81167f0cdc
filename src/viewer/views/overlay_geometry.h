/**
 * @file overlay_geometry.h
 * Geometry that is drawn over a picture of the smoke: triangles, lines and a slice, in world space [m]. The render
 * thread builds it from a snapshot; the window thread draws it with OpenGL (window/overlay.h).
 */
#ifndef BRUME_VIEWER_VIEWS_OVERLAY_GEOMETRY_H
#define BRUME_VIEWER_VIEWS_OVERLAY_GEOMETRY_H

#include "core/error.h"
#include "viewer/views/field_view.h"

#include <stdint.h>

typedef struct BrumeOverlayVertex {
    BrumeVec3 position; ///< [m]
    BrumeVec3 normal;   ///< unit length; for lines the direction of the line
    uint8_t color[4];   ///< sRGB and alpha
} BrumeOverlayVertex;

/** Growing lists, which are cleared without freeing their memory. Zeroed, it is empty. */
typedef struct BrumeOverlayGeometry {
    int triangle_vertices, triangle_capacity; ///< three vertices per triangle
    BrumeOverlayVertex *triangles;
    int line_vertices, line_capacity; ///< two vertices per line
    BrumeOverlayVertex *lines;
    bool has_slice;
    BrumeVec3 slice_corner, slice_u, slice_v; ///< a corner of the slice and its two edges [m]
    int slice_width, slice_height, slice_capacity;
    uint8_t *slice; ///< (height x width x 4) sRGB and alpha, width along u, height along v
} BrumeOverlayGeometry;

/** Frees the lists and leaves them empty. */
void brume_overlay_geometry_free(BrumeOverlayGeometry *geometry);

/** Clears the lists and keeps their memory. */
void brume_overlay_geometry_clear(BrumeOverlayGeometry *geometry);

/** Appends `count` triangle (line) vertices and returns the first of them, to be filled; NULL without memory. */
BrumeOverlayVertex *brume_overlay_geometry_add_triangles(BrumeOverlayGeometry *geometry, int count);
BrumeOverlayVertex *brume_overlay_geometry_add_lines(BrumeOverlayGeometry *geometry, int count);

/**
 * Appends the isosurface of `values` at `level` by marching cubes (Lorensen and Cline 1987), with normals from the
 * gradient. Larger values are inside. Values outside of the box count as 0, so the surface is closed. Ambiguous faces
 * are decided by the face alone, so there are no holes, and the triangles at an edge have bit-equal vertices.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_build_isosurface(BrumeOverlayGeometry *geometry, const BrumeField *values, float level, float dx,
                                   BrumeVec3 origin, const uint8_t color[4], BrumeError *error);

/**
 * Appends arrows along the velocity at the points of a sample grid of `count` points along the longest side, colored by
 * speed. Points slower than 2/25 of the scale's end have none. The length is proportional to the square root of the
 * speed, so that the shaft of slow ones is visible; at the end of the scale it is one grid spacing. BRUME_FAILED
 * without memory; nothing is appended then.
 */
BrumeStatus brume_build_arrows(BrumeOverlayGeometry *geometry, const BrumeSnapshotVariant *variant,
                               const BrumeColorScale *speed, int count, BrumeError *error);

/**
 * Appends streamlines of the velocity, colored by speed, with a distance of 1 / `count` of the longest side at their
 * seeds, and half of it elsewhere. Each line is integrated in both directions by RK4 until it leaves the box, meets a
 * body or another line, comes back to itself, becomes slow, or turns within a cell. Its pieces are at most half a
 * cell long, and shorter where the velocity turns by more than 18 degrees along a piece. BRUME_FAILED without memory;
 * nothing is appended then.
 */
BrumeStatus brume_build_streamlines(BrumeOverlayGeometry *geometry, const BrumeSnapshotVariant *variant,
                                    const BrumeColorScale *speed, int count, BrumeError *error);

/**
 * Sets the slice across `axis` (0 to 2) at `at`, a fraction of the box (0 to 1): one texel per cell, interpolated
 * between the two nearest planes of cell centers. BRUME_FAILED without memory; the geometry is unchanged then.
 */
BrumeStatus brume_build_slice(BrumeOverlayGeometry *geometry, const BrumeField *values, const BrumeColorScale *scale,
                              int axis, float at, float dx, BrumeVec3 origin, BrumeError *error);

#endif
