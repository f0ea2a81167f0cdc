/*
 * Samples and meshes of a simulation that was created from saved bytes: it has read copies of its own. Where settings
 * in use elsewhere have equal samples, it refers to those instead, so that they are in memory once, settings can be
 * compared by their pointers, and a shape that was copied from the simulation is valid as long as those settings.
 * Meshes that deform and samples that vary have their frames there alone.
 */
#include "core/error.h"
#include "core/mesh.h"
#include "core/samples.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/lifecycle/lifecycle.h"

static void share_if_equal(const BrumeSamples **samples, const BrumeSamples *other)
{
    if (*samples && other && *samples != other && (*samples)->hash == other->hash &&
        (*samples)->vary == brume_samples_have_frames(other)) {
        brume_samples_retain(other);
        brume_samples_release(*samples);
        *samples = other;
    }
}

static void share_mesh_if_equal(const BrumeMesh **mesh, const BrumeMesh *other)
{
    if (*mesh && *mesh != other && brume_mesh_has_triangles(other) &&
        brume_mesh_hash(*mesh) == brume_mesh_hash(other) && brume_mesh_deforms(*mesh) == brume_mesh_has_frames(other)) {
        brume_mesh_retain(other);
        brume_mesh_release(*mesh);
        *mesh = other;
    }
}

// whether the frames give the triangles that the state was saved with
static BrumeStatus check_hashes(const BrumeSim *sim, BrumeError *error)
{
    for (int n = 0; sim->deformed && n < sim->def.body_count; n++) {
        const BrumeDeformedBody *body = &sim->deformed->bodies[n];
        if (body->first && brume_mesh_hash(body->meshes[sim->deformed_time.now]) != sim->deformed_hashes[n]) {
            const char *file = brume_mesh_file(body->first);
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the positions at frame %g are not those that the state was saved with (restore the "
                              "files)",
                              file ? file : "a mesh", sim->deformed_time.frames[sim->deformed_time.now]);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_sim_share_samples(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    bool gained_frames = false;
    for (int n = 0; n < sim->def.body_count && n < def->body_count; n++) {
        BrumeShape *shape = &sim->def.bodies[n].shape;
        const bool had_frames = brume_mesh_has_frames(shape->mesh);
        share_if_equal(&shape->samples, def->bodies[n].shape.samples);
        share_mesh_if_equal(&shape->mesh, def->bodies[n].shape.mesh);
        gained_frames = gained_frames || (!had_frames && brume_mesh_has_frames(shape->mesh));
        sim->motions[n].from.samples = shape->samples;
        sim->motions[n].from.mesh = shape->mesh;
    }
    for (int n = 0; n < sim->def.emitter_count && n < def->emitter_count; n++) {
        share_if_equal(&sim->def.emitters[n].shape.samples, def->emitters[n].shape.samples);
        share_mesh_if_equal(&sim->def.emitters[n].shape.mesh, def->emitters[n].shape.mesh);
        for (int component = 0; component < 3; component++) {
            share_if_equal(&sim->def.emitters[n].force.samples[component], def->emitters[n].force.samples[component]);
        }
    }
    const BrumeStatus status = gained_frames ? brume_restore_deformations(sim, error) : BRUME_OK;
    return status == BRUME_OK && gained_frames ? check_hashes(sim, error) : status;
}
