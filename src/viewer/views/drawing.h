/**
 * @file drawing.h
 * What is drawn over a picture of smoke: triangles, lines and a slice, in world space [m]. Built by the picture's
 * thread from a snapshot, drawn by the window's.
 */
#ifndef BRUME_VIEWER_VIEWS_DRAWING_H
#define BRUME_VIEWER_VIEWS_DRAWING_H

#include "core/error.h"
#include "viewer/views/field_view.h"

#include <stdint.h>

typedef struct BrumeVertex {
    BrumeVec3 position; ///< [m]
    BrumeVec3 normal;   ///< unit length; of lines: along the line
    uint8_t color[4];   ///< sRGB and alpha
} BrumeVertex;

/** Lists that grow and keep their memory; zeroed, it is empty. */
typedef struct BrumeDrawing {
    int triangle_vertices, triangle_capacity; ///< three a triangle
    BrumeVertex *triangles;
    int line_vertices, line_capacity; ///< two a line
    BrumeVertex *lines;
    bool has_slice;
    BrumeVec3 slice_corner, slice_u, slice_v; ///< a corner and the two edges of the slice [m]
    int slice_width, slice_height, slice_capacity;
    uint8_t *slice; ///< (height x width x 4) sRGB and alpha, along u, then along v
} BrumeDrawing;

/** Frees the lists and leaves them empty. */
void brume_drawing_free(BrumeDrawing *drawing);

/** Empties the lists and keeps their memory. */
void brume_drawing_clear(BrumeDrawing *drawing);

/** Room for `count` more vertices at the end of the triangles (lines), counted in; NULL without memory. */
BrumeVertex *brume_drawing_add_triangles(BrumeDrawing *drawing, int count);
BrumeVertex *brume_drawing_add_lines(BrumeDrawing *drawing, int count);

/**
 * Adds the surface on which `values` are `level`, values above it inside, by marching cubes (Lorensen and Cline 1987;
 * no holes, ambiguous faces decided alike from both sides), with normals from the gradient. Values beyond the box count
 * as 0, so it is closed. Shared edges give bit-equal vertices. BRUME_FAILED without memory.
 */
BrumeStatus brume_isosurface(BrumeDrawing *drawing, const BrumeField *values, float level, float dx, BrumeVec3 origin,
                             const uint8_t color[4], BrumeError *error);

/**
 * Adds arrows of the velocity on a coarse lattice of about `across` arrows along the longest side, those slower than a
 * hundredth of the scale left out, colored by speed. The longest is a lattice cell long.
 */
BrumeStatus brume_arrows(BrumeDrawing *drawing, const BrumeSnapshotSide *side, const BrumeScale *speed, int across,
                         BrumeError *error);

/**
 * Adds streamlines of the velocity, colored by speed: seeded where the air moves, on a lattice of about `across` points
 * along the longest side, followed both ways by RK4 until they leave, meet a solid or slow down.
 */
BrumeStatus brume_streamlines(BrumeDrawing *drawing, const BrumeSnapshotSide *side, const BrumeScale *speed, int across,
                              BrumeError *error);

/**
 * Sets the slice across `axis` (0 to 2) at the share `at` (0 to 1) of the box: one texel a cell, interpolated between
 * the two planes of centers beside it.
 */
BrumeStatus brume_slice(BrumeDrawing *drawing, const BrumeField *values, const BrumeScale *scale, int axis, float at,
                        float dx, BrumeVec3 origin, BrumeError *error);

#endif
