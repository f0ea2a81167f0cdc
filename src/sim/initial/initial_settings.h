/**
 * @file initial_settings.h
 * The table of settings of BrumeInitialDef, which of them each kind uses, and their check.
 */
#ifndef BRUME_SIM_INITIAL_INITIAL_SETTINGS_H
#define BRUME_SIM_INITIAL_INITIAL_SETTINGS_H

#include "brume/sim_def.h"
#include "core/members.h"

/** Settings of BrumeInitialDef. */
enum {
    BRUME_INITIAL_SETTING_KIND,
    BRUME_INITIAL_SETTING_QUANTITY,
    BRUME_INITIAL_SETTING_PROFILE,
    BRUME_INITIAL_SETTING_AXIS,
    BRUME_INITIAL_SETTING_ALONG,
    BRUME_INITIAL_SETTING_ACROSS,
    BRUME_INITIAL_SETTING_CENTER,
    BRUME_INITIAL_SETTING_DIRECTION,
    BRUME_INITIAL_SETTING_VELOCITY,
    BRUME_INITIAL_SETTING_SPEED,
    BRUME_INITIAL_SETTING_VALUE,
    BRUME_INITIAL_SETTING_LOWER,
    BRUME_INITIAL_SETTING_UPPER,
    BRUME_INITIAL_SETTING_RADIUS,
    BRUME_INITIAL_SETTING_THICKNESS,
    BRUME_INITIAL_SETTING_WIDTH,
    BRUME_INITIAL_SETTING_PERTURBATION,
    BRUME_INITIAL_SETTING_SPREAD,
    BRUME_INITIAL_SETTING_CIRCULATION,
    BRUME_INITIAL_SETTING_RATE,
    BRUME_INITIAL_SETTING_SLOT_WIDTH,
    BRUME_INITIAL_SETTING_SLOT_DEPTH,
    BRUME_INITIAL_SETTING_WAVES,
    BRUME_INITIAL_SETTING_PHASE,
    BRUME_INITIAL_SETTING_SCALE,
    BRUME_INITIAL_SETTING_SEED,
    BRUME_INITIAL_SETTING_FORMULA,
    BRUME_INITIAL_SETTING_FACTOR,
    BRUME_INITIAL_SETTING_SIZE,
    BRUME_INITIAL_SETTING_PARTICLES,
    BRUME_INITIAL_SETTING_COUNT,
};
extern const BrumeSetting brume_initial_setting_table[];

/** The names of the kinds of particles in scenes; NULL at the end. */
extern const char *const brume_particle_kind_words[BRUME_PARTICLE_KINDS + 1];

/** All members of BrumeInitialDef. */
extern const BrumeMembers brume_initial_members;

/** How a kind of initial field uses a setting. */
typedef enum BrumeInitialUse {
    BRUME_INITIAL_UNUSED,
    BRUME_INITIAL_OPTIONAL,
    BRUME_INITIAL_REQUIRED, ///< a scene must have the key
} BrumeInitialUse;

/** The use of a setting by an initial field of this kind and quantity. */
BrumeInitialUse brume_initial_use(BrumeInitialKind kind, int quantity, int setting);

/** The quantity that a kind of field adds to where a scene does not name one. */
int brume_initial_default_quantity(BrumeInitialKind kind);

/** The profile of a kind where a scene does not name one. */
BrumeInitialProfile brume_initial_default_profile(BrumeInitialKind kind);

/** Whether the quantity is a velocity or its potential, with three components. */
bool brume_initial_has_components(int quantity);

/**
 * The place of a failure: `setting` is the index of the setting that is refused, BRUME_INITIAL_SETTING_COUNT for the
 * whole field; `component` and `column` are the component of a formula, from 0, and the character in it, from 1.
 */
typedef struct BrumeInitialFault {
    int setting, component, column;
} BrumeInitialFault;

/** Checks the members that the kind uses; `owner` names the field in errors. Fails with BRUME_BAD_INPUT. */
BrumeStatus brume_initial_check(const BrumeInitialDef *def, const BrumeSimDef *sim, const char *owner,
                                BrumeInitialFault *fault, BrumeError *error);

#endif
