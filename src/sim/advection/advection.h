/**
 * @file advection.h
 * What an advection scheme is built from. A scheme is one file that defines a BrumeAdvection named
 * brume_advection_<scheme>, and one line in the list below.
 */
#ifndef BRUME_SIM_ADVECTION_ADVECTION_H
#define BRUME_SIM_ADVECTION_ADVECTION_H

#include "sim/advection/sampling.h"

/** Every scheme, the default first. */
#define BRUME_ADVECTION_SCHEMES(SCHEME)                                                                                \
    SCHEME(maccormack)                                                                                                 \
    SCHEME(semi_lagrangian)

#define BRUME_DECLARE_ADVECTION(scheme) extern const BrumeAdvection brume_advection_##scheme;
BRUME_ADVECTION_SCHEMES(BRUME_DECLARE_ADVECTION)

/** What is done to the faces across each axis, in pieces of rows. */
typedef struct BrumeFaceWork {
    BrumePieceWork *work;
    const void *contexts[3];
} BrumeFaceWork;

/**
 * Finds the `travel` of all centers while 1 m/s moves air by `cells_per_mps` cells (below 0 for the way back), through
 * the velocity, whose boundary is set and whose largest component is known; and does the work on all faces that are
 * carried, each when the travel of the two centers beside it is found. The velocity itself must stay as it is.
 */
void brume_trace(BrumeSim *sim, BrumeDisplacement *travel, float cells_per_mps, const BrumeFaceWork *faces);

/**
 * The plain semi-Lagrangian step of Stam 1999 for quantities at one place: result[n] at an entry is the value of
 * field n at the other end of its `back` travel, times keep[n].
 */
void brume_carry_back(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count);

/**
 * The same for the three components of velocity, and the trace back that they need: while 1 m/s moves air by
 * `cells_per_mps` cells.
 */
void brume_carry_velocity_back(BrumeSim *sim, float cells_per_mps, BrumeField *results);

/** Finds the blocks in which there is nothing of quantities at the centers: sim->clean[n] of field n. */
void brume_find_clean_all(BrumeSim *sim, const BrumeFieldId *ids, int count);

/**
 * Clears the results `to[n]` of a piece, at offset c, where its block is clean of quantity n, and lists the other
 * quantities in `present`; returns how many.
 */
int brume_clear_clean(const uint8_t *const *clean, int count, const BrumePiece *piece, float *const *to, ptrdiff_t c,
                      int *present);

#endif
