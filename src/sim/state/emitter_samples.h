/**
 * @file emitter_samples.h
 * The samples of emitters that vary with time. The settings have those of the first frame; during a step, the
 * simulation holds those of its middle, with which rates and forces act, and those of its end, with which values are
 * imposed.
 */
#ifndef BRUME_SIM_STATE_EMITTER_SAMPLES_H
#define BRUME_SIM_STATE_EMITTER_SAMPLES_H

#include "core/error.h"
#include "sim/state/state.h"

/**
 * Reads the samples of the emitters that are active in the next step of `dt` [s]. Fails as brume_samples_find_at; the
 * state is unchanged then.
 */
BrumeStatus brume_read_emitter_samples(BrumeSim *sim, double dt, BrumeError *error);

/** Releases those that are held. */
void brume_release_emitter_samples(BrumeSim *sim);

/**
 * Gives the shape of an emitter, in the world or in the frame of its parent, its samples in the middle or at the end of
 * the step. Each frame of a volume lies where the place of the first one puts its positions.
 */
void brume_set_shape_samples(const BrumeSim *sim, int index, bool at_end, BrumeShape *shape);

/** The same of an emitter with its force. */
void brume_set_emitter_samples(const BrumeSim *sim, int index, bool at_end, BrumeEmitterDef *emitter);

#endif
