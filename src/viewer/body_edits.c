#include "viewer/body_edits.h"

#include "core/mesh.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "viewer/edit/flow_coefficients.h"
#include "viewer/viewer_state.h"

#include <string.h>

// Frames until a snapshot certainly has an edit: the simulation may compute the next frame already.
enum { FRAMES_UNTIL_SEEN = 2 };

static bool has_bit(uint64_t bits, int n) { return (bits >> n & 1) != 0; }

void brume_viewer_send_body_edits(BrumeViewer *viewer)
{
    BrumePresentBodies *present = &viewer->controls.present;
    if ((present->moved | present->placed) == 0 || !viewer->simulation_thread) {
        return;
    }
    if (viewer->body_edit == 0) {
        viewer->body_edit = ++viewer->input.edit;
    }
    brume_undo_history_add_body_edit(viewer->history, &viewer->controls, viewer->body_edit);
    for (int n = 0; n < present->count; n++) {
        if (!has_bit(present->moved | present->placed, n)) {
            continue;
        }
        BrumeBodyMotion motion = {
            .edit = viewer->body_edit, .body = n, .survives_restart = true, .replaces = has_bit(present->placed, n)};
        if (motion.replaces) {
            motion.def = present->bodies[n];
        } else {
            motion.displacement = present->displacement[n];
            motion.turn = present->turn[n];
        }
        brume_simulation_thread_move_body(viewer->simulation_thread, &motion);
        present->held_until[n] = viewer->snapshot.frame + FRAMES_UNTIL_SEEN;
    }
    present->moved = present->placed = 0;
}

void brume_viewer_end_body_edit(BrumeViewer *viewer, bool cancels)
{
    const int number = viewer->body_edit;
    viewer->body_edit = 0;
    if (cancels) {
        viewer->controls.present.moved = viewer->controls.present.placed = 0;
    }
    int edit = 0;
    if (cancels && number > 0 && brume_undo_history_step(viewer->history, true, &viewer->controls, &edit)) {
        brume_undo_history_drop_redo(viewer->history);
        brume_simulation_thread_set_undone(viewer->simulation_thread, edit, true);
        brume_viewer_release_bodies(viewer);
    }
}

void brume_viewer_release_bodies(BrumeViewer *viewer)
{
    memset(viewer->controls.present.held_until, 0, sizeof viewer->controls.present.held_until);
}

// returns the area of a shape's projection, which is computed again where one of both has changed
static float frontal_area(BrumeViewer *viewer, const BrumeShape *shape, BrumeVec3 direction)
{
    BrumeFrontalArea *known = &viewer->frontal;
    if (known->area <= 0.0f || !brume_shape_equal(&known->shape, shape) ||
        brume_length(brume_sub(known->direction, direction)) > 1e-4f) {
        *known = (BrumeFrontalArea){*shape, direction, brume_frontal_area(shape, direction)};
    }
    return known->area;
}

void brume_viewer_update_flow(BrumeViewer *viewer)
{
    const BrumeObject body = viewer->controls.select.selected;
    BrumeFlowReadouts *flow = &viewer->readouts.flow;
    *flow = (BrumeFlowReadouts){.known = false};
    const bool shows = body.kind == BRUME_OBJECT_BODY && viewer->controls.panel && viewer->snapshot.variant_count > 0;
    if (viewer->simulation_thread) {
        brume_simulation_thread_measure_forces(viewer->simulation_thread, shows);
    }
    if (!shows) {
        return;
    }
    const bool compares = viewer->controls.compare && viewer->snapshot.variant_count > 1;
    const BrumeSnapshotVariant *state = &viewer->snapshot.variants[compares ? viewer->controls.edited_variant : 0];
    const BrumeVec3 stream = brume_free_stream(&state->settings);
    flow->speed = brume_length(stream);
    if (!state->has_forces || body.index >= state->settings.body_count ||
        !brume_body_is_solid(&state->settings.bodies[body.index]) || !(flow->speed > 0.0f)) {
        return;
    }
    const BrumeShape shape = brume_body_shape(&state->settings, body.index);
    flow->area = frontal_area(viewer, &shape, brume_normalize(stream));
    if (flow->area > 0.0f) {
        const BrumeFlowCoefficients found = brume_flow_coefficients(state->forces[body.index], stream, flow->area);
        flow->known = true;
        flow->drag = found.drag;
        flow->lift = found.lift;
    }
}

// stores the boxes around the meshes that deform, at the frame that is shown
static void update_deformed(BrumeViewer *viewer)
{
    BrumePresentBodies *present = &viewer->controls.present;
    const int side = viewer->controls.compare ? viewer->controls.edited_variant : 0;
    present->deformed = 0;
    for (int n = 0; n < present->count; n++) {
        const BrumeMesh *mesh = present->bodies[n].shape.mesh;
        if (brume_mesh_deforms(mesh) && brume_render_thread_mesh_bounds(viewer->render_thread, side, mesh,
                                                                        &present->lower[n], &present->upper[n])) {
            present->deformed |= (uint64_t)1 << n;
        }
    }
}

void brume_viewer_follow_bodies(BrumeViewer *viewer)
{
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    BrumePresentBodies *present = &viewer->controls.present;
    viewer->controls.select.lights_only = viewer->def.sequence != NULL;
    viewer->controls.select.keys_only = viewer->readouts.timeline.past;
    viewer->controls.select.time = snapshot->time;
    viewer->controls.select.aspect = viewer->readouts.area.width / viewer->readouts.area.height;
    viewer->controls.select.dragging = viewer->input.drag == BRUME_DRAG_GIZMO;
    if (!viewer->picture || !viewer->simulation_thread || snapshot->variant_count == 0) {
        return;
    }
    const bool compares = viewer->controls.compare && snapshot->variant_count > 1;
    const BrumeSimDef *now = &snapshot->variants[compares ? viewer->controls.edited_variant : 0].settings;
    BrumeSimDef keyed = *now;
    (void)brume_animation_apply_bodies(&viewer->controls.animation, snapshot->time, &keyed);
    (void)brume_animation_apply_sim(&viewer->controls.animation, snapshot->time, &keyed);
    int count = 0; // with added bodies that no snapshot has yet
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        int *until = &present->held_until[n];
        *until = snapshot->frame + FRAMES_UNTIL_SEEN < *until ? 0 : *until; // after a restart
        const bool held = snapshot->frame < *until || has_bit(present->moved | present->placed, n);
        const bool dragged = viewer->input.drag == BRUME_DRAG_GIZMO &&
                             viewer->input.gizmo.object.kind == BRUME_OBJECT_BODY &&
                             viewer->input.gizmo.object.index == n;
        if (n < now->body_count && !held && !dragged) {
            present->bodies[n] = keyed.bodies[n];
        }
        count = n < now->body_count || (held && n < present->count) ? n + 1 : count;
    }
    present->count = count;
    update_deformed(viewer);
    brume_select_update(&viewer->controls);
}
