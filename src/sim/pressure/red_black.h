/**
 * @file red_black.h
 * The order in which a red-black sweep visits planes. A half-sweep of one color reads only the other color, so planes
 * may be visited in any order; here each thread lets the second color follow the first one plane behind, while the
 * planes are still in its cache. Only the two outermost planes of a thread's slab wait for its neighbors.
 */
#ifndef BRUME_SIM_PRESSURE_RED_BLACK_H
#define BRUME_SIM_PRESSURE_RED_BLACK_H

#include <stdbool.h>

/** What is swept. Ghosts within a plane are the half-sweep's matter. */
typedef struct BrumeRedBlack {
    void *context;
    int planes;                                           ///< they have indices 1..planes
    bool parallel;                                        ///< whether the grid is worth a team
    void (*first_half)(void *context, int k, int color);  ///< updates one color of plane k
    void (*second_half)(void *context, int k, int color); ///< the same for the color that comes second
    void (*wrap)(void *context);                          ///< renews the ghost planes; NULL where z is not periodic
} BrumeRedBlack;

/** Sweeps `first` (0 or 1), then the other color. */
void brume_red_black_sweep(const BrumeRedBlack *sweep, int first);

#endif
