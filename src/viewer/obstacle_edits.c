#include "viewer/obstacle_edits.h"

#include "viewer/viewer_state.h"

#include <string.h>

// Frames after the present one in which an edit is surely seen: the simulation may compute the next one already.
enum { FRAMES_UNTIL_SEEN = 2 };

static bool has_bit(uint64_t bits, int n) { return (bits >> n & 1) != 0; }

void brume_viewer_send_obstacle_edits(BrumeViewer *viewer)
{
    BrumePresentObstacles *present = &viewer->controls.present;
    if ((present->moved | present->placed) == 0 || !viewer->simulation_thread) {
        return;
    }
    if (viewer->obstacle_edit == 0) {
        viewer->obstacle_edit = ++viewer->input.edit;
    }
    if (viewer->commands.resets) {
        brume_undo_history_add_with_controls(viewer->history, &viewer->controls, viewer->obstacle_edit);
    } else {
        brume_undo_history_add_edit(viewer->history, &viewer->controls, viewer->obstacle_edit);
    }
    for (int n = 0; n < present->count; n++) {
        BrumeObstacleMotion motion = {.edit = viewer->obstacle_edit, .obstacle = n, .stays = true};
        if (has_bit(present->placed, n)) {
            motion.places = true;
            motion.def = present->obstacles[n];
            brume_simulation_thread_move_obstacle(viewer->simulation_thread, &motion);
        } else if (has_bit(present->moved, n)) {
            motion.displacement = present->displacement[n];
            brume_simulation_thread_move_obstacle(viewer->simulation_thread, &motion);
        }
        if (has_bit(present->moved | present->placed, n)) {
            viewer->held_until[n] = viewer->snapshot.frame + FRAMES_UNTIL_SEEN;
        }
    }
    present->moved = present->placed = 0;
}

void brume_viewer_end_obstacle_edit(BrumeViewer *viewer, bool cancels)
{
    const int number = viewer->obstacle_edit;
    viewer->obstacle_edit = 0;
    viewer->controls.present.moved = cancels ? 0 : viewer->controls.present.moved;
    viewer->controls.present.placed = cancels ? 0 : viewer->controls.present.placed;
    int edit = 0;
    if (cancels && number > 0 && brume_undo_history_undo(viewer->history, &viewer->controls, &edit)) {
        brume_undo_history_drop_redo(viewer->history);
        brume_simulation_thread_set_undone(viewer->simulation_thread, edit, true);
        brume_viewer_release_obstacles(viewer);
    }
}

void brume_viewer_release_obstacles(BrumeViewer *viewer) { memset(viewer->held_until, 0, sizeof viewer->held_until); }

void brume_viewer_follow_obstacles(BrumeViewer *viewer)
{
    const BrumeSnapshot *snapshot = &viewer->snapshot;
    BrumePresentObstacles *present = &viewer->controls.present;
    viewer->controls.select.lights_only = viewer->sequence != NULL;
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
    (void)brume_animation_apply_obstacles(&viewer->controls.animation, snapshot->time, &keyed);
    (void)brume_animation_apply_sim(&viewer->controls.animation, snapshot->time, &keyed);
    int count = 0; // with those that were added and are not seen yet
    for (int n = 0; n < BRUME_MAX_OBSTACLES; n++) {
        viewer->held_until[n] = snapshot->frame + FRAMES_UNTIL_SEEN < viewer->held_until[n] ? 0 : viewer->held_until[n];
        const bool held = snapshot->frame < viewer->held_until[n] || has_bit(present->moved | present->placed, n);
        const bool dragged = viewer->input.drag == BRUME_DRAG_GIZMO &&
                             viewer->input.gizmo.object.kind == BRUME_OBJECT_OBSTACLE &&
                             viewer->input.gizmo.object.index == n;
        if (n < now->obstacle_count && !held && !dragged) {
            present->obstacles[n] = keyed.obstacles[n];
        }
        count = n < now->obstacle_count || (held && n < present->count) ? n + 1 : count;
    }
    present->count = count;
    brume_select_update(&viewer->controls);
}
