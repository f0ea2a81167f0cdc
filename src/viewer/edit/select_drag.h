/**
 * @file select_drag.h
 * Actions of the pointer with the select tool: it selects objects and drags the handles of the selected one. Used by
 * the window thread alone.
 */
#ifndef BRUME_VIEWER_EDIT_SELECT_DRAG_H
#define BRUME_VIEWER_EDIT_SELECT_DRAG_H

#include "viewer/edit/gizmo.h"

/** Selects an object, or none. */
void brume_select(BrumeControls *controls, BrumeObject object);

/** Clears the selection of an object that does not exist any more. */
void brume_select_update(BrumeControls *controls);

/** Returns the gizmo mode for the selected object: the mode that is set, or the first with an effect on the object. */
BrumeGizmoMode brume_select_mode(const BrumeControls *controls);

/** Sets the hovered object and handle to the ones under the pointer, or to none. */
void brume_select_hover(BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);
void brume_select_hover_nothing(BrumeControls *controls);

/**
 * Handles a press of the button: begins the drag of a handle (true), or selects the object under the pointer (false). A
 * press near a handle, but on no object, does not change the selection.
 */
bool brume_select_press(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);

/** Ends the drag; returns whether the object has changed. */
bool brume_select_release(const BrumeGizmoDrag *drag, BrumeControls *controls);

/** Ends the drag and restores the object. */
void brume_select_cancel(const BrumeGizmoDrag *drag, BrumeControls *controls);

#endif
