/*
 * Samples and meshes of a simulation that was created from saved bytes: it has read copies of its own. Where settings
 * in use elsewhere have equal samples, it refers to those instead, so that they are in memory once, settings can be
 * compared by their pointers, and a shape that was copied from the simulation is valid as long as those settings.
 */
#include "core/mesh.h"
#include "core/samples.h"
#include "sim/lifecycle/lifecycle.h"

static void share_if_equal(const BrumeSamples **samples, const BrumeSamples *other)
{
    if (*samples && other && *samples != other && (*samples)->hash == other->hash) {
        brume_samples_retain(other);
        brume_samples_release(*samples);
        *samples = other;
    }
}

static void share_mesh_if_equal(const BrumeMesh **mesh, const BrumeMesh *other)
{
    if (*mesh && *mesh != other && brume_mesh_has_triangles(other) &&
        brume_mesh_hash(*mesh) == brume_mesh_hash(other)) {
        brume_mesh_retain(other);
        brume_mesh_release(*mesh);
        *mesh = other;
    }
}

void brume_sim_share_samples(BrumeSim *sim, const BrumeSimDef *def)
{
    for (int n = 0; n < sim->def.body_count && n < def->body_count; n++) {
        share_if_equal(&sim->def.bodies[n].shape.samples, def->bodies[n].shape.samples);
        share_mesh_if_equal(&sim->def.bodies[n].shape.mesh, def->bodies[n].shape.mesh);
        sim->motions[n].from.samples = sim->def.bodies[n].shape.samples;
        sim->motions[n].from.mesh = sim->def.bodies[n].shape.mesh;
    }
    for (int n = 0; n < sim->def.emitter_count && n < def->emitter_count; n++) {
        share_if_equal(&sim->def.emitters[n].shape.samples, def->emitters[n].shape.samples);
        share_mesh_if_equal(&sim->def.emitters[n].shape.mesh, def->emitters[n].shape.mesh);
    }
}
