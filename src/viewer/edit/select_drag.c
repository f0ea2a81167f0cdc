#include "viewer/edit/select_drag.h"

#include "viewer/edit/object_keys.h"
#include "viewer/edit/picking.h"

#include <string.h>

void brume_select(BrumeControls *controls, BrumeObject object)
{
    controls->select.selected = object;
    controls->select.handle = BRUME_HANDLE_NONE;
}

void brume_select_update(BrumeControls *controls)
{
    const BrumeObject none = {BRUME_OBJECT_NONE, 0};
    if (!brume_object_exists(controls, controls->select.selected)) {
        brume_select(controls, none);
    }
    if (!controls->select.active || !brume_object_exists(controls, controls->select.hovered)) {
        controls->select.hovered = none;
    }
}

BrumeGizmoMode brume_select_mode(const BrumeControls *controls)
{
    const BrumeSelectTool *tool = &controls->select;
    if (!brume_object_exists(controls, tool->selected)) {
        return tool->mode;
    }
    const BrumePose pose = brume_object_pose(controls, tool->selected);
    for (int n = 0; n < BRUME_GIZMO_MODES; n++) {
        const BrumeGizmoMode mode = (BrumeGizmoMode)(((int)tool->mode + n) % BRUME_GIZMO_MODES);
        if (brume_pose_can(&pose, mode)) {
            return mode;
        }
    }
    return tool->mode;
}

static BrumeGizmoHandle handle_at(const BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at,
                                  BrumeGizmo *gizmo)
{
    return brume_gizmo_of(controls, controls->select.selected, brume_select_mode(controls), screen, gizmo)
               ? brume_gizmo_pick(gizmo, screen, at)
               : BRUME_HANDLE_NONE;
}

// whether a press at a point has probably missed a handle
static bool is_near_handles(const BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at)
{
    BrumeGizmo gizmo;
    return brume_gizmo_of(controls, controls->select.selected, brume_select_mode(controls), screen, &gizmo) &&
           brume_gizmo_is_near(&gizmo, screen, at);
}

void brume_select_hover(BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at)
{
    BrumeSelectTool *tool = &controls->select;
    const BrumeObject none = {BRUME_OBJECT_NONE, 0};
    BrumeGizmo gizmo;
    tool->handle = handle_at(controls, screen, at, &gizmo);
    tool->hovered = tool->handle == BRUME_HANDLE_NONE ? brume_pick_object(controls, screen, at) : none;
}

void brume_select_hover_nothing(BrumeControls *controls)
{
    controls->select.handle = BRUME_HANDLE_NONE;
    controls->select.hovered = (BrumeObject){BRUME_OBJECT_NONE, 0};
}

bool brume_select_press(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at)
{
    BrumeSelectTool *tool = &controls->select;
    BrumeGizmo gizmo;
    brume_select_update(controls);
    const BrumeGizmoHandle handle = handle_at(controls, screen, at, &gizmo);
    if (handle == BRUME_HANDLE_NONE) {
        const BrumeObject object = brume_pick_object(controls, screen, at);
        if (object.kind != BRUME_OBJECT_NONE || !is_near_handles(controls, screen, at)) {
            brume_select(controls, object);
        }
        return false;
    }
    *drag = brume_gizmo_begin_drag(controls, tool->selected, &gizmo, handle, screen, at);
    tool->handle = handle;
    tool->hovered = (BrumeObject){BRUME_OBJECT_NONE, 0};
    tool->dragging = true;
    tool->drag_text[0] = tool->typed[0] = '\0';
    return true;
}

bool brume_select_release(const BrumeGizmoDrag *drag, BrumeControls *controls)
{
    controls->select.dragging = false;
    controls->select.drag_text[0] = controls->select.typed[0] = '\0';
    if (!brume_object_exists(controls, drag->object)) {
        return false;
    }
    const BrumePose pose = brume_object_pose(controls, drag->object);
    const bool changed = memcmp(&pose.shape, &drag->start.shape, sizeof pose.shape) != 0 ||
                         memcmp(&pose.light, &drag->start.light, sizeof pose.light) != 0;
    if (changed) {
        brume_object_set_keys(controls, drag->object);
    }
    return changed;
}

void brume_select_cancel(const BrumeGizmoDrag *drag, BrumeControls *controls)
{
    controls->select.dragging = false;
    controls->select.drag_text[0] = controls->select.typed[0] = '\0';
    if (brume_object_exists(controls, drag->object)) {
        brume_object_set_pose(controls, drag->object, &drag->start, drag->gizmo.mode != BRUME_GIZMO_SCALE);
    }
}
