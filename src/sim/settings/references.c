#include "sim/settings/references.h"

int brume_settings_samples(BrumeSimDef *def, const BrumeSamples **places[BRUME_MAX_SETTINGS_SAMPLES])
{
    int count = 0;
    for (int n = 0; n < def->body_count; n++) {
        places[count++] = &def->bodies[n].shape.samples;
    }
    for (int n = 0; n < def->emitter_count; n++) {
        places[count++] = &def->emitters[n].shape.samples;
    }
    for (int n = 0; n < 3 * def->initial_count; n++) {
        places[count++] = &def->initial[n / 3].samples[n % 3];
    }
    return count;
}

static void for_each_samples(const BrumeSimDef *def, void (*change)(const BrumeSamples *samples))
{
    const BrumeSamples **places[BRUME_MAX_SETTINGS_SAMPLES];
    const int count = brume_settings_samples((BrumeSimDef *)def, places); // only read
    for (int n = 0; n < count; n++) {
        change(*places[n]);
    }
}

int brume_settings_meshes(BrumeSimDef *def, const BrumeMesh **places[BRUME_MAX_SETTINGS_MESHES])
{
    int count = 0;
    for (int n = 0; n < def->body_count; n++) {
        places[count++] = &def->bodies[n].shape.mesh;
    }
    for (int n = 0; n < def->emitter_count; n++) {
        places[count++] = &def->emitters[n].shape.mesh;
    }
    return count;
}

static void for_each_mesh(const BrumeSimDef *def, void (*change)(const BrumeMesh *mesh))
{
    const BrumeMesh **places[BRUME_MAX_SETTINGS_MESHES];
    const int count = brume_settings_meshes((BrumeSimDef *)def, places); // only read
    for (int n = 0; n < count; n++) {
        change(*places[n]);
    }
}

void brume_settings_retain(const BrumeSimDef *def)
{
    for_each_samples(def, brume_samples_retain);
    for_each_mesh(def, brume_mesh_retain);
}

void brume_settings_release(const BrumeSimDef *def)
{
    for_each_samples(def, brume_samples_release);
    for_each_mesh(def, brume_mesh_release);
}
