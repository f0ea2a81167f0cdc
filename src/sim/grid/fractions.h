/**
 * @file fractions.h
 * Open fractions: the part of each face and of each cell that a solid leaves to the air, from the signed distance at
 * the corners of the cells. The distance is taken as linear along each edge. The open part of a face is then a polygon
 * (marching squares), the open part of a cell is summed over six tetrahedra; both are exact for a plane and of second
 * order in dx for a curved surface. The finite volumes of the pressure have these faces (Ng, Min, Gibou 2009, "An
 * efficient fluid-solid coupling algorithm for single-phase flows").
 *
 * A cell with less than a least part of its volume is closed with all its faces, and a face with less than this part of
 * its area. Both cells at a face see the same fraction, so a closed face changes neither the symmetry of the system nor
 * the balance of what passes. BRUME_LEAST_FRACTION is no more than rounding requires. A larger limit moves the wall by
 * parts of a cell: where cells below 5 % of their volume are closed, a projection has errors of first order in the
 * mean, and its largest error does not converge (tests/sim/test_sim_cut.c has the orders without). Small cells do not
 * impair the solve, because an update of Gauss-Seidel divides each equation by the sum of its own faces. But in the
 * creases of a mesh they are dead ends with small exits, from which the pressure drives jets: around scenes/car.yaml
 * (192 cells, wind of 20 m/s) the largest speed grew beyond 300 m/s within 4 frames, and with
 * BRUME_LEAST_FRACTION_OF_MESHES it stays below 80.
 */
#ifndef BRUME_SIM_GRID_FRACTIONS_H
#define BRUME_SIM_GRID_FRACTIONS_H

#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The smallest open part of a face, as a part of dx^2, and of a cell, as a part of dx^3. */
#define BRUME_LEAST_FRACTION 1e-6f

/** The same where meshes are among the bodies. */
#define BRUME_LEAST_FRACTION_OF_MESHES 0.05f

/** The open parts of a box of cells, from 0 (closed) to 1. */
typedef struct BrumeFractions {
    BrumeField face[3]; ///< of the area of the lower x, y, z faces; entry n + 1 along an axis is the upper side
    BrumeField volume;  ///< of the volume of each cell; ghosts are 1, and copies of the opposite cells if periodic
    uint8_t *cut_rows;  ///< (nz x ny): whether a face of a cell of row (j, k) is not open as a whole
    bool periodic[3];   ///< the axes along which the opposite sides of the box are the same
} BrumeFractions;

/**
 * Computes the fractions from a signed distance [m, or any unit: only ratios count], above 0 in the air. Its entry
 * (i, j, k), each from 1 to n + 1, is the corner at the lower end of cell (i, j, k). A corner of distance 0 belongs to
 * the solid: a face that lies in the surface is closed. On an ambiguous face, where two opposite corners are in the
 * air, the asymptotic decider (Nielson, Hamann 1991) joins or separates them; where the saddle point has distance 0,
 * they are separated. Opposite faces on periodic sides both get the smaller fraction. Parts below `least` are closed.
 * BRUME_FAILED without memory, with nothing to destroy. Same bits at any thread count.
 */
BrumeStatus brume_fractions_create(BrumeFractions *fractions, const BrumeField *distance, const bool periodic[3],
                                   float least, BrumeError *error);

/**
 * The same in existing arrays, in the rows (j, k) of from..to of y and z and those beyond their ends; the distances and
 * the fractions of all others have not changed.
 */
void brume_fractions_renew(BrumeFractions *fractions, const BrumeField *distance, const bool periodic[3], float least,
                           const int from[3], const int to[3]);

/** The open part of the area of a face, from 0 to 1, from the distances d at its corners in cyclic order. */
float brume_open_area(const float d[4]);

/**
 * The mean of the distance over the open part of a face, from the distances at its corners in cyclic order; 0 if no
 * part is open. For a linear distance it is that of the centroid.
 */
float brume_open_distance(const float corners[4]);

/**
 * The centroid of the open part of a face, from 0 to 1 along the sides from the first corner to the second and to the
 * last, from the distances at its corners in cyclic order; the middle if no part is open.
 */
void brume_open_centroid(const float corners[4], float centroid[2]);

/** Closes cell (i, j, k) and its faces, with their copies on the opposite periodic sides. */
void brume_fractions_close_cell(BrumeFractions *fractions, int i, int j, int k);

/** Whether a face of a cell of row (j, k) is not open as a whole. */
static inline bool brume_fractions_row_is_cut(const BrumeFractions *fractions, int j, int k)
{
    return fractions->cut_rows[(ptrdiff_t)(k - 1) * fractions->volume.grid.ny + (j - 1)];
}

/** Frees all memory; zeroed fractions are allowed. */
void brume_fractions_destroy(BrumeFractions *fractions);

/** Whether two fields have the same bits in the rows along x from..to, from[1] and from[2], and in the next ones. */
bool brume_field_rows_equal(const BrumeField *a, const BrumeField *b, const int from[3], const int to[3]);

/** Whether the fractions of the rows of cells from..to of y and z are equal, of two boxes of the same grid. */
bool brume_fractions_equal(const BrumeFractions *a, const BrumeFractions *b, const int from[3], const int to[3]);

/** Bytes allocated. */
size_t brume_fractions_bytes(const BrumeFractions *fractions);

#endif
