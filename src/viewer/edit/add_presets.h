/**
 * @file add_presets.h
 * Adds emitters with sensible values in a box of any size: forces and fires. The window thread alone uses these
 * functions; each call is one edit.
 */
#ifndef BRUME_VIEWER_EDIT_ADD_PRESETS_H
#define BRUME_VIEWER_EDIT_ADD_PRESETS_H

#include "core/error.h"
#include "viewer/controls/controls.h"

/**
 * Adds a force (BrumeForceKind) in a sphere with a soft edge in the middle of the box and selects it; turbulence
 * follows the air then (BrumeSimDef.texture_period). Does nothing without room for an emitter. A flow cannot be added:
 * it needs a file.
 */
void brume_object_add_force(BrumeControls *controls, BrumeForceKind kind);

/** The name of the `index`-th fire, counted from 0, such as "gas burner"; NULL past the last. */
const char *brume_fire_name(int index);

/**
 * Adds an emitter of fuel on the floor of the box, whose flames are half as high as the box or lower, or a fireball
 * that burns from the present time on, and selects it. If nothing burns yet, the scene gets the fuel of this fire. Does
 * nothing without room for an emitter, or where the box cannot have a fire.
 */
void brume_object_add_fire(BrumeControls *controls, int index);

/** Whether the box can have a fire with the settings that the panel edits; `error` says why not. */
BrumeStatus brume_fire_check(const BrumeControls *controls, BrumeError *error);

/**
 * For a stroke of fuel: makes the fuel of a fireball burn as it mixes with air (BRUME_FIRE_MIXING), in both variants,
 * if nothing burns yet. The soot is a kind of smoke that nothing else emits, and it glows. Fails as brume_fire_check.
 */
BrumeStatus brume_fire_start(BrumeControls *controls, BrumeError *error);

#endif
