/**
 * @file medium_edges.h
 * The smoke of a loaded medium at the edges of the flow: at the open faces of the box, where it would be cut off, and
 * at solids, whose cells hold none although the surface that is drawn passes through them.
 */
#ifndef BRUME_RAYMARCH_MEDIUM_EDGES_H
#define BRUME_RAYMARCH_MEDIUM_EDGES_H

#include "brume/field.h"
#include "brume/render_settings.h"
#include "core/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The cells of a medium that are changed. */
typedef struct BrumeMediumCells {
    BrumeField *extinction; ///< [1/cell]
    BrumeCellBox box;       ///< the cells beyond are 0 and stay so
    float *kinds;     ///< extinction of each kind (nz+2 x ny+2 x nx+2 x BRUME_VOLUME_KINDS); NULL where there is one
    float dx;         ///< side of a cell [m]
    BrumeVec3 origin; ///< lower corner of the box [m]
    uint8_t *inside;  ///< room for brume_inside_bytes
    bool replaces;    ///< cells inside solids get the mean of their neighbors also where that is not larger
} BrumeMediumCells;

/** Bytes of a bit for each cell of a row. */
static inline size_t brume_inside_row_bytes(BrumeGrid grid) { return ((size_t)grid.nx + 7) / 8; }

/** Bytes of a bit for each cell, rows in bytes of their own. */
static inline size_t brume_inside_bytes(BrumeGrid grid)
{
    return brume_inside_row_bytes(grid) * (size_t)grid.ny * (size_t)grid.nz;
}

/**
 * Lets the smoke fade towards the settings' `fading_faces`, over their `edge_fade`: multiplies the opacity that smoke
 * of the extinction of each cell has on a way of three times that length by a smoothstep of the distance of the cell's
 * center from each of the faces, 0 at the face, 1 from `edge_fade` on. Parallel over z-planes.
 */
void brume_fade_edges(const BrumeMediumCells *medium, const BrumeRenderSettings *settings);

/**
 * Gives cells whose center lies inside a solid the mean extinction of their neighbors outside, where that is larger,
 * so that interpolation does not thin out smoke along the surface. Solids given by a volume are left as they are,
 * unless the cells are of another field, whose values are replaced.
 */
void brume_extend_into_solids(const BrumeMediumCells *medium, const BrumeRenderSettings *settings);

#endif
