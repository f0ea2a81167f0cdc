/**
 * @file scene_edits.h
 * Adds, copies, deletes and switches emitters, obstacles and lights of the controls. The window thread alone uses these
 * functions; each call is one edit.
 */
#ifndef BRUME_VIEWER_EDIT_SCENE_EDITS_H
#define BRUME_VIEWER_EDIT_SCENE_EDITS_H

#include "viewer/edit/objects.h"

/** Whether there is room for another object of a kind. */
bool brume_object_has_room(const BrumeControls *controls, BrumeObjectKind kind);

/**
 * Adds an emitter (of smoke and heat) or an obstacle, in the middle of the box or below it, beside those that are
 * there, and selects it. Nothing happens without room. Of a volume, none can be added: it needs a file.
 */
void brume_object_add_shape(BrumeControls *controls, BrumeObjectKind kind, BrumeShapeKind shape);

/**
 * Adds a light in the upper part of the picture, which shines on the middle of the box, and selects it. Nothing happens
 * without room.
 */
void brume_object_add_light(BrumeControls *controls, BrumeLightKind kind);

/** Whether it can be copied: there is room, and it is no obstacle of a volume file. */
bool brume_object_can_duplicate(const BrumeControls *controls, BrumeObject object);

/** Adds a copy of the selected object beside it, and selects that. Nothing happens where it cannot be copied. */
void brume_object_duplicate_selected(BrumeControls *controls);

/** Deletes the selected object; then nothing is selected. */
void brume_object_delete_selected(BrumeControls *controls);

/**
 * Switches an object on or off. An emitter that is off starts never; switched on, it has the times of `scene`, or emits
 * from now on where that is NULL or has it off. A light that is off has the intensity 0.
 */
void brume_object_switch(BrumeControls *controls, BrumeObject object, bool on, const BrumeEmitterDef *scene);

/**
 * Gives the obstacles the shapes, temperatures and switches of `scene`, and deletes those that it does not have. Those
 * that its timeline moves or changes stay: where they are depends on the time.
 */
void brume_obstacles_reset(BrumeControls *controls, const BrumeScene *scene);

#endif
