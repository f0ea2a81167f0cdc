#include "sim/settings/references.h"

int brume_settings_samples(BrumeSimDef *def, const BrumeSamples **places[BRUME_MAX_SETTINGS_SAMPLES])
{
    int count = 0;
    for (int n = 0; n < def->body_count; n++) {
        places[count++] = &def->bodies[n].shape.samples;
    }
    for (int n = 0; n < def->emitter_count; n++) {
        places[count++] = &def->emitters[n].shape.samples;
        for (int component = 0; component < 3; component++) {
            places[count++] = &def->emitters[n].force.samples[component];
        }
    }
    for (int n = 0; n < 3 * def->initial_count; n++) {
        places[count++] = &def->initial[n / 3].samples[n % 3];
    }
    return count;
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

static void for_each(const BrumeSimDef *def, void (*of_samples)(const BrumeSamples *),
                     void (*of_mesh)(const BrumeMesh *))
{
    const BrumeSamples **samples[BRUME_MAX_SETTINGS_SAMPLES];
    const BrumeMesh **meshes[BRUME_MAX_SETTINGS_MESHES];
    const int sample_count = brume_settings_samples((BrumeSimDef *)def, samples); // only read
    const int mesh_count = brume_settings_meshes((BrumeSimDef *)def, meshes);
    for (int n = 0; n < sample_count; n++) {
        of_samples(*samples[n]);
    }
    for (int n = 0; n < mesh_count; n++) {
        of_mesh(*meshes[n]);
    }
}

void brume_settings_retain(const BrumeSimDef *def) { for_each(def, brume_samples_retain, brume_mesh_retain); }

void brume_settings_release(const BrumeSimDef *def) { for_each(def, brume_samples_release, brume_mesh_release); }
