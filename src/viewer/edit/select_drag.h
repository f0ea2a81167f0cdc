/**
 * @file select_drag.h
 * What the pointer does with the select tool: it selects objects and drags the handles of the selected one. Used by the
 * window thread alone.
 */
#ifndef BRUME_VIEWER_EDIT_SELECT_DRAG_H
#define BRUME_VIEWER_EDIT_SELECT_DRAG_H

#include "viewer/edit/gizmo.h"

/** Selects an object, or none. */
void brume_select(BrumeControls *controls, BrumeObject object);

/** Drops a selection of what does not exist any more. */
void brume_select_update(BrumeControls *controls);

/** The mode in which the selected object has a gizmo: the one that is set, or the first that has an effect on it. */
BrumeGizmoMode brume_select_mode(const BrumeControls *controls);

/** Notes what is under the pointer, or that nothing is. */
void brume_select_hover(BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);
void brume_select_hover_nothing(BrumeControls *controls);

/**
 * The press of the button: begins the drag of a handle (true), or selects what is under the pointer (false). A press on
 * nothing close to a handle selects nothing else.
 */
bool brume_select_press(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint at);

/** Ends the drag; whether the object has changed. */
bool brume_select_release(const BrumeGizmoDrag *drag, BrumeControls *controls);

/** Ends the drag; the object is as it was before it. */
void brume_select_cancel(const BrumeGizmoDrag *drag, BrumeControls *controls);

#endif
