/**
 * @file animate_edits.h
 * Animated values as edits of settings: the values at the start of the coming frame become part of what it is given, so
 * that the log of the edits has them, and computes the same states again after the keys have changed.
 */
#ifndef BRUME_VIEWER_SIMULATION_ANIMATE_EDITS_H
#define BRUME_VIEWER_SIMULATION_ANIMATE_EDITS_H

#include "brume/animation.h"
#include "viewer/simulation/session.h"

/** Sets the settings of the coming frame of each variant in `edits`, where the animated values change them. */
void brume_animate_edits(const BrumeSession *session, const BrumeAnimation *animation, BrumePendingEdits *edits);

#endif
