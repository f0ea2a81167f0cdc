/**
 * @file references.h
 * References to the samples and meshes that settings point to, held by every owner of a copy of the settings.
 */
#ifndef BRUME_SIM_SETTINGS_REFERENCES_H
#define BRUME_SIM_SETTINGS_REFERENCES_H

#include "brume/sim_def.h"

enum {
    BRUME_MAX_SETTINGS_SAMPLES = BRUME_MAX_BODIES + 4 * BRUME_MAX_EMITTERS + 3 * BRUME_MAX_INITIAL,
    BRUME_MAX_SETTINGS_MESHES = BRUME_MAX_BODIES + BRUME_MAX_EMITTERS,
};

/** The members of the settings that are samples or NULL: of bodies, four of each emitter, then of initial fields. */
int brume_settings_samples(BrumeSimDef *def, const BrumeSamples **places[BRUME_MAX_SETTINGS_SAMPLES]);

/** The members of the settings that are meshes or NULL: of bodies, then of emitters. */
int brume_settings_meshes(BrumeSimDef *def, const BrumeMesh **places[BRUME_MAX_SETTINGS_MESHES]);

/** Adds a reference to all samples and meshes of the settings. */
void brume_settings_retain(const BrumeSimDef *def);

/** Releases a reference to all samples and meshes of the settings. */
void brume_settings_release(const BrumeSimDef *def);

#endif
