/**
 * @file point.h
 * The box of an initial field and the points at which it is evaluated: centers, faces and edges of the cells.
 */
#ifndef BRUME_SIM_INITIAL_POINT_H
#define BRUME_SIM_INITIAL_POINT_H

#include "brume/sim_def.h"
#include "core/vec3.h"

#include <math.h>

/** The box in double precision. */
typedef struct BrumeInitialBox {
    int cells[3];
    bool periodic[3];
    double lower[3]; ///< lower corner [m]
    double sides[3]; ///< [m]
    double dx;       ///< [m]
    int first[3];    ///< place 0 of the grid, which may be a window of the box, from the lower corner [half cells]
} BrumeInitialBox;

/** A point of the lattice with half the spacing of the cells. */
typedef struct BrumeInitialPoint {
    double at[3];       ///< [m]
    double fraction[3]; ///< of the side of the box from its lower corner
} BrumeInitialPoint;

/** The box of these settings. */
static inline BrumeInitialBox brume_initial_box(const BrumeSimDef *def)
{
    BrumeInitialBox box = {.cells = {def->nx, def->ny, def->nz}, .dx = (double)def->dx};
    for (int axis = 0; axis < 3; axis++) {
        box.periodic[axis] = def->faces[2 * axis].kind == BRUME_PERIODIC;
        box.lower[axis] = (double)brume_component(def->origin, axis);
        box.sides[axis] = box.dx * box.cells[axis];
    }
    return box;
}

/**
 * The place at `half` half cells from the lower side of the grid along an axis, from that of the box. Along a periodic
 * axis it is moved into the box where `wrap`.
 */
static inline int brume_initial_place(const BrumeInitialBox *box, int axis, int half, bool wrap)
{
    const int count = 2 * box->cells[axis];
    const int place = box->first[axis] + half;
    return wrap && box->periodic[axis] ? (place + count) % count : place;
}

/**
 * The point at `half[axis]` half cells from the lower corner of the grid. Along periodic axes it is moved into the box
 * where `wrap`, so that both ends of the box are the same point.
 */
static inline BrumeInitialPoint brume_initial_point(const BrumeInitialBox *box, const int half[3], bool wrap)
{
    BrumeInitialPoint point;
    for (int axis = 0; axis < 3; axis++) {
        const int m = brume_initial_place(box, axis, half[axis], wrap);
        point.at[axis] = box->lower[axis] + 0.5 * box->dx * m;
        point.fraction[axis] = (double)m / (2 * box->cells[axis]);
    }
    return point;
}

/** Distance along an axis from a center [m], to its nearest image where the axis is periodic; 0 along one cell. */
static inline double brume_initial_offset(const BrumeInitialBox *box, const BrumeInitialPoint *point, BrumeVec3 center,
                                          int axis)
{
    const double offset = point->at[axis] - (double)brume_component(center, axis);
    if (box->cells[axis] == 1) {
        return 0.0;
    }
    return box->periodic[axis] ? offset - box->sides[axis] * floor(offset / box->sides[axis] + 0.5) : offset;
}

/** The angular wave number along an axis [rad/m]; 0 along an axis of one cell. */
static inline double brume_initial_wave_number(const BrumeInitialBox *box, BrumeVec3 waves, int axis)
{
    return box->cells[axis] == 1 ? 0.0 : 6.283185307179586 * (double)brume_component(waves, axis) / box->sides[axis];
}

#endif
