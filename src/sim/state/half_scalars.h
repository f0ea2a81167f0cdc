/**
 * @file half_scalars.h
 * Temperature, smoke and fuel as 16-bit numbers (IEEE binary16, "halves") from one step to the next, where the settings
 * ask for it: BRUME_STORAGE_HALF. The stages of a step compute with floats; at its end the scalars are rounded at
 * random to one of the two nearest halves, so that the expected value of the result is the float. Rounding to nearest
 * would lose every change below 2^-12 of a value, such as that of a slow dissipation or of a weak source; the random
 * errors cancel instead (Croci, Fasi, Higham, Mary, Mikaitis 2022, "Stochastic rounding: implementation, error analysis
 * and applications"). The random number is a hash of cell, frame, step and seed, and the same for all scalars of a
 * cell, so that no order of threads or ranks changes it and fuel never exceeds the mixture.
 */
#ifndef BRUME_SIM_STATE_HALF_SCALARS_H
#define BRUME_SIM_STATE_HALF_SCALARS_H

#include "core/archive.h"
#include "sim/state/state.h"

/** Rounds the scalars of all cells; clears BRUME_VALID_SCALAR_GHOSTS. */
void brume_round_scalars(BrumeSim *sim);

/**
 * Passes a field through an archive without loss: rows whose cells all have halves as 16-bit numbers, others as floats.
 * The ghosts at the ends of a row are floats.
 */
void brume_archive_halves(BrumeArchive *archive, BrumeField *field);

/** The least bytes that brume_archive_halves takes. */
size_t brume_least_bytes_of_halves(BrumeGrid grid);

#endif
