/**
 * @file references.h
 * References to the samples that settings point to, held by every owner of a copy of the settings.
 */
#ifndef BRUME_SIM_SETTINGS_REFERENCES_H
#define BRUME_SIM_SETTINGS_REFERENCES_H

#include "brume/sim_def.h"

/** Adds a reference to all samples of the settings. */
void brume_settings_retain(const BrumeSimDef *def);

/** Releases a reference to all samples of the settings. */
void brume_settings_release(const BrumeSimDef *def);

#endif
