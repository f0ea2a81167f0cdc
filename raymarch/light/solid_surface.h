/**
 * @file solid_surface.h
 * The surface of solids in one cell of a coarse grid, measured on lines through the cell along the three axes.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SOLID_SURFACE_H
#define BRUME_RAYMARCH_LIGHT_SOLID_SURFACE_H

#include "raymarch/light/scattered_light.h"

#include <stdbool.h>

/** Shared by all cells of a coarse grid. */
typedef struct BrumeSolidGrid {
    const BrumeRenderSettings *settings;
    BrumeVec3 origin; ///< [m]
    BrumeVec3 side;   ///< of a coarse cell [m]
    float dx;         ///< of a cell of the medium [m]
    float half_diagonal;
} BrumeSolidGrid;

BrumeSolidGrid brume_solid_grid(const BrumeTransportGrid *grid, const BrumeGridMedium *medium,
                                const BrumeRenderSettings *settings);

/** The center of a cell [m], whose indices count from 0. */
BrumeVec3 brume_solid_grid_center(const BrumeSolidGrid *grid, int i, int j, int k);

typedef enum BrumeSolidCellKind {
    BRUME_CELL_OPEN,
    BRUME_CELL_CROSSED, ///< or maybe crossed
    BRUME_CELL_INSIDE,
} BrumeSolidCellKind;

/** The kind of the cell with this center [m], by distances to the solids; whether one crossed contains it `inside`. */
BrumeSolidCellKind brume_solid_cell_kind(const BrumeSolidGrid *grid, BrumeVec3 center, bool *inside);

/** The surface that faces one side. */
typedef struct BrumeSurfaceSide {
    float area;                       ///< the sums below are weighted by area; the weights' sum
    BrumeVec3 normal, albedo, direct; ///< outward normal; irradiance / pi by the light of lights
} BrumeSurfaceSide;

/** The surface that lines through a cell meet. */
typedef struct BrumeCellSurface {
    float inside; ///< length of lines inside solids, over the number of lines and the side
    /** Mean, over the lines along each axis, of the fraction that this cell has of the line's whole way through a
     * solid, where that is not longer than two cells: adjacent cells share the opacity of a plate. */
    float thin[3];
    bool crossed;    ///< the sides have any area
    BrumeVec3 first; ///< normal at the first crossing, on the front side
    BrumeSurfaceSide front, back;
} BrumeCellSurface;

BrumeCellSurface brume_surface_in_cell(const BrumeSolidGrid *grid, const BrumeIncidentLight *sources, BrumeVec3 center);

#endif
