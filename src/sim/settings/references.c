#include "sim/settings/references.h"

#include "brume/samples.h"

static void visit(const BrumeSimDef *def, void (*change)(const BrumeSamples *samples))
{
    for (int n = 0; n < def->obstacle_count; n++) {
        change(def->obstacles[n].shape.samples);
    }
    for (int n = 0; n < def->emitter_count; n++) {
        change(def->emitters[n].shape.samples);
    }
    for (int n = 0; n < def->initial_count; n++) {
        for (int component = 0; component < 3; component++) {
            change(def->initial[n].samples[component]);
        }
    }
}

void brume_settings_retain(const BrumeSimDef *def) { visit(def, brume_samples_retain); }

void brume_settings_release(const BrumeSimDef *def) { visit(def, brume_samples_release); }
