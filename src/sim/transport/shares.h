/**
 * @file shares.h
 * The cells around the end of a path, and their shares of a cell there: for schemes with accounting.
 */
#ifndef BRUME_SIM_TRANSPORT_SHARES_H
#define BRUME_SIM_TRANSPORT_SHARES_H

#include "core/field.h"
#include "sim/boundary/geometry.h"
#include "sim/transport/path_ends.h"

enum { BRUME_SHARES = 8 };

/** The entries that the end of a path lies between, and their trilinear weights. */
typedef struct BrumeShares {
    ptrdiff_t entry[BRUME_SHARES];
    int plane[BRUME_SHARES];
    float share[BRUME_SHARES];
} BrumeShares;

/**
 * The domain of the ends of paths from centers. Paths may end between a wall and the centers next to it, where the
 * ghosts of the wall stand for the adjacent cells: they end at these centers instead.
 */
static inline BrumeSamplingDomain brume_shares_domain(const BrumeSim *sim)
{
    BrumeSamplingDomain domain = brume_sampling_domain(sim, BRUME_AT_CENTER);
    for (int axis = 0; axis < 3; axis++) {
        const bool periodic = domain.period[axis] > 0.0f;
        if (!periodic && sim->def.faces[2 * axis].kind == BRUME_WALL) {
            domain.lowest[axis] = 1.0f;
        }
        if (!periodic && sim->def.faces[2 * axis + 1].kind == BRUME_WALL) {
            domain.highest[axis] = (float)domain.last[axis];
        }
    }
    return domain;
}

/** The shares at the end of the path from the center of cell (i, j, k) of `field`. */
static inline BrumeShares brume_find_shares(const BrumeField *field, const BrumeSamplingDomain *domain,
                                            const BrumeDisplacement *paths, int i, int j, int k)
{
    const BrumePathEnd end = brume_path_end(domain, paths, i, j, k);
    BrumeShares shares;
    for (int n = 0; n < BRUME_SHARES; n++) {
        int cell[3];
        float share = 1.0f;
        for (int axis = 0; axis < 3; axis++) {
            const int upper = n >> axis & 1;
            const int entry = end.entry[axis] + upper;
            cell[axis] = domain->period[axis] > 0.0f ? brume_wrap_index(entry, domain->last[axis]) : entry;
            share *= upper ? end.weight[axis] : 1.0f - end.weight[axis];
        }
        shares.entry[n] = brume_field_index(field, cell[0], cell[1], cell[2]);
        shares.plane[n] = cell[2];
        shares.share[n] = share;
    }
    return shares;
}

#endif
