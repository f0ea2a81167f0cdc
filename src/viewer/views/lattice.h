/**
 * @file lattice.h
 * A coarse lattice of points through a snapshot's box, for what is shown in samples.
 */
#ifndef BRUME_VIEWER_VIEWS_LATTICE_H
#define BRUME_VIEWER_VIEWS_LATTICE_H

#include "core/field.h"
#include "core/vec3.h"

typedef struct BrumeLattice {
    int nx, ny, nz;   ///< points along each side
    float spacing;    ///< [m]
    BrumeVec3 corner; ///< the first point [m]
} BrumeLattice;

static inline int brume_lattice_points(int cells, int longest, int across)
{
    const int points = (2 * cells * across + longest) / (2 * longest);
    return points > 1 ? points : 1;
}

/** A lattice of `across` >= 1 points along the longest side of a box, centered in it. */
static inline BrumeLattice brume_lattice(BrumeGrid grid, float dx, BrumeVec3 origin, int across)
{
    const int larger = grid.nx > grid.ny ? grid.nx : grid.ny;
    const int longest = larger > grid.nz ? larger : grid.nz;
    BrumeLattice lattice = {
        .nx = brume_lattice_points(grid.nx, longest, across),
        .ny = brume_lattice_points(grid.ny, longest, across),
        .nz = brume_lattice_points(grid.nz, longest, across),
        .spacing = dx * (float)longest / (float)across,
    };
    const BrumeVec3 size = brume_scale(brume_vec3((float)grid.nx, (float)grid.ny, (float)grid.nz), dx);
    const BrumeVec3 span = brume_scale(
        brume_vec3((float)(lattice.nx - 1), (float)(lattice.ny - 1), (float)(lattice.nz - 1)), lattice.spacing);
    lattice.corner = brume_add(origin, brume_scale(brume_sub(size, span), 0.5f));
    return lattice;
}

static inline BrumeVec3 brume_lattice_point(const BrumeLattice *lattice, int i, int j, int k)
{
    return brume_add(lattice->corner, brume_scale(brume_vec3((float)i, (float)j, (float)k), lattice->spacing));
}

#endif
