/**
 * @file ordinates.h
 * The directions of discrete ordinates, along which light is transported through a coarse grid, and the transport along
 * one of them: radiance is carried from plane to plane of cells, interpolated between them (short characteristics:
 * Kunasz and Auer, "Short characteristic integration of radiative transfer problems", Journal of Quantitative
 * Spectroscopy and Radiative Transfer 39, 1988).
 */
#ifndef BRUME_RAYMARCH_LIGHT_ORDINATES_H
#define BRUME_RAYMARCH_LIGHT_ORDINATES_H

#include "brume/vec3.h"
#include "core/field.h"

#include <stdbool.h>

enum {
    BRUME_ORDINATES = 32,
    BRUME_SWEEP_TASKS = 6,         ///< of sweeps along the ordinates: one for each axis and sign
    BRUME_DOWNWARD_ORDINATES = 16, ///< of which the first travel downwards; n + 16 is opposite to n
};

/** One direction in which light travels. */
typedef struct BrumeOrdinate {
    BrumeVec3 direction; ///< unit length
    float weight;        ///< in means over all directions; the sum of all is 1
} BrumeOrdinate;

/**
 * The n-th ordinate: the vertices of an icosahedron and of the dodecahedron dual to it, rotated away from the axes.
 * Their weighted means are exact for polynomials of up to the ninth degree.
 */
BrumeOrdinate brume_ordinate(int n);

/** The axis whose planes of cells, of this size, a direction crosses most directly. */
int brume_ordinate_axis(BrumeVec3 direction, BrumeVec3 cell);

/** The input of one sweep. Fields have the same shape. */
typedef struct BrumeOrdinateSweep {
    const BrumeField *extinction; ///< [1/m or any unit of length]; 0 in the ghosts
    const BrumeField *source;     ///< emission over extinction; the ghosts repeat the outermost cells
    BrumeVec3 cell;               ///< sides of a cell, in the same unit of length
    float ramp;                   ///< 1/2 where extinction is linear between cells; 0 where it changes abruptly
    float thick_ramp;             ///< what it grows to between thick cells, which lose light through their surface
    bool by_extinction;           ///< whether the source between cells is their mean weighted by extinction
    BrumeVec3 direction;          ///< most directly across planes of y or z; for x, all fields are transposed
    float inflow;                 ///< radiance that enters the box
    const float *boundary;        ///< the same by place, from brume_ordinate_boundary; NULL: `inflow` everywhere
} BrumeOrdinateSweep;

/** Floats of scratch memory for sweeps through a grid or the grid with x and z exchanged. */
size_t brume_ordinate_scratch(BrumeGrid grid);

/** Floats of the boundary of a sweep through a grid or the grid with x and z exchanged. */
size_t brume_ordinate_boundary_entries(BrumeGrid grid);

/** The radiance that arrives along the direction of a sweep at a point next to the box, in the sweep's unit of length.
 */
typedef BrumeVec3 (*BrumeBoundaryRadiance)(const void *context, BrumeVec3 point);

/** Sets the boundaries of three sweeps, one for each color, that differ in their source and inflow only. */
void brume_ordinate_boundary(const BrumeOrdinateSweep *sweep, BrumeBoundaryRadiance radiance, const void *context,
                             float *const colors[3]);

/**
 * Adds the radiance at the centers of the cells, times each of `count` weights, to as many arrays of the shape of the
 * fields. Between two planes the transmittance follows from their mean extinction, and the source changes linearly;
 * each end's source counts in proportion to its extinction plus `ramp` times the extinction of the other end, which is
 * the integral of a linear extinction for 1/2. Between thick cells that is at least `thick_ramp` less the mean
 * transmittance, without which a thick cell beside air would have the radiance of its own source. A uniform source
 * equal to the inflow is reproduced exactly.
 */
void brume_ordinate_sweep(const BrumeOrdinateSweep *sweep, int count, float *const sums[], const float weights[],
                          float *scratch);

#endif
