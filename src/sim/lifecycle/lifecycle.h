/**
 * @file lifecycle.h
 * What the files that create, change, save and restore a simulation share.
 */
#ifndef BRUME_SIM_LIFECYCLE_LIFECYCLE_H
#define BRUME_SIM_LIFECYCLE_LIFECYCLE_H

#include "sim/state/state.h"

// create.c
void brume_use_listed_names(BrumeSimDef *def);

// resample.c: the state on another grid
BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, BrumeError *error);

#endif
