/**
 * @file advection.h
 * What an advection scheme is built from. A scheme is one file that defines a BrumeAdvection, and one line in
 * advection.c.
 */
#ifndef BRUME_SIM_ADVECTION_H
#define BRUME_SIM_ADVECTION_H

#include "sim/sim_internal.h"

extern const BrumeAdvection brume_advection_maccormack;
extern const BrumeAdvection brume_advection_semi_lagrangian;

/**
 * The plain semi-Lagrangian step of Stam 1999 for quantities at one place: result[n] at an entry is the value of
 * field n at the other end of its `back` travel, times keep[n].
 */
void brume_carry_back(const BrumeSim *sim, const BrumeFieldId *ids, const float *keep, BrumeField *results, int count);

#endif
