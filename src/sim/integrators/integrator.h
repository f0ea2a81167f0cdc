/**
 * @file integrator.h
 * Time integration: the order in which a step advances the terms of the equations. An integrator is one file that
 * defines a BrumeIntegrator named brume_integrator_<name> as a list of stages, and one line in the list below. The
 * default, second_order.c, has the derivation in docs/equations.md.
 */
#ifndef BRUME_SIM_INTEGRATORS_INTEGRATOR_H
#define BRUME_SIM_INTEGRATORS_INTEGRATOR_H

#include "brume/sim.h"
#include "sim/grid/blocks.h"
#include "sim/state/state.h"

/** Every integrator, the default first. */
#define BRUME_INTEGRATORS(INTEGRATOR)                                                                                  \
    INTEGRATOR(second_order)                                                                                           \
    INTEGRATOR(split)                                                                                                  \
    INTEGRATOR(classic)                                                                                                \
    INTEGRATOR(collocated)                                                                                             \
    INTEGRATOR(practical)                                                                                              \
    INTEGRATOR(prescribed)

/** A step in progress: the input and output of its stages. */
typedef struct BrumeStep {
    BrumeSim *sim;
    double dt;            ///< [s]
    double initial_speed; ///< largest velocity component at the start of the step [m/s]
    /** Fraction of the old pressure gradient that acts on the velocity before the projection, 0 to 1. */
    float pressure_share;
    bool partial;         ///< whether the velocity is carried in `active` blocks alone
    BrumeBlockSet active; ///< in which forces act; with `partial`
    BrumeStepStats *stats;
    BrumeError *error;
} BrumeStep;

/** The blocks in which the velocity of the step is carried; NULL for all. */
static inline const BrumeBlockSet *brume_step_active(const BrumeStep *step)
{
    return step->partial ? &step->active : NULL;
}

/** A stage of an integrator, and the BrumeStage under which its time is reported. */
typedef struct BrumeIntegratorStage {
    BrumeStage stage;
    BrumeStatus (*run)(BrumeStep *step);
} BrumeIntegratorStage;

enum { BRUME_MAX_INTEGRATOR_STAGES = 8 };

/** A time integrator. */
typedef struct BrumeIntegrator {
    const char *name; ///< as in a scene
    /** In their order; at the end of the last one, the velocity is free of divergence and its boundary is set. */
    BrumeIntegratorStage stages[BRUME_MAX_INTEGRATOR_STAGES];
    int stage_count;
    void (*replace_settings)(BrumeSimDef *def); ///< sets the settings that it prescribes; NULL for none
    /** A speed [m/s] for which steps are short enough, whatever the air does; NULL for none. */
    double (*least_speed)(const BrumeSimDef *def);
} BrumeIntegrator;

/** Why all blocks are active with these settings whatever the state, as in "the air is viscous"; NULL if they need not.
 */
const char *brume_all_blocks_reason(const BrumeSimDef *def);

/** The integrator with this name; NULL if there is none. */
const BrumeIntegrator *brume_integrator_find(const char *name);

#define BRUME_DECLARE_INTEGRATOR(integrator) extern const BrumeIntegrator brume_integrator_##integrator;
BRUME_INTEGRATORS(BRUME_DECLARE_INTEGRATOR)

#endif
