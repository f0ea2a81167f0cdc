/**
 * @file object_keys.h
 * The keys of the poses of objects. While a frame before the present one is shown, only the keys of an emitter or
 * body can change its pose. The window thread alone uses these functions.
 */
#ifndef BRUME_VIEWER_EDIT_OBJECT_KEYS_H
#define BRUME_VIEWER_EDIT_OBJECT_KEYS_H

#include "scene/format/animation.h"
#include "viewer/controls/controls.h"

enum { BRUME_POSE_MEMBERS = 7 }; ///< maximum number of values of the place, rotation and size of an object

/** Returns the number in the controls for an animated member, for a body its present value; NULL: none. */
float *brume_controls_number(BrumeControls *controls, const BrumeAnimatedMember *member);

/** Whether one component of a member has keys, or all components. */
bool brume_controls_animate_any(const BrumeControls *controls, const BrumeAnimatedMember *member);
bool brume_controls_animate_all(const BrumeControls *controls, const BrumeAnimatedMember *member);

/** Sets keys of all components of a member at `time` [s] with their present values. */
void brume_controls_set_keys(BrumeControls *controls, const BrumeAnimatedMember *member, double time);

/** Lists the values that a mode of the gizmo changes of an existing object; returns their number. */
int brume_object_members(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode,
                         BrumeAnimatedMember members[BRUME_POSE_MEMBERS]);

/** Whether a mode of the gizmo may change an object: at an earlier frame only if all changed values have keys. */
bool brume_object_can_change(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode);

/** Whether objects can be added, deleted, duplicated and switched: lights always, others at the present frame. */
bool brume_objects_can_change(const BrumeControls *controls, BrumeObjectKind kind);

/**
 * Sets keys at the shown time after a change of the pose of an object, for its values that have keys, if `auto_key` is
 * set or an earlier frame is shown.
 */
void brume_object_set_keys(BrumeControls *controls, BrumeObject object);

/** Changes the keys of the place, rotation and scale of a body or an emitter to the frame of another parent (1 + the
 * index of a body; 0: none), so that it has the same shape in the world at the times of its keys. */
void brume_move_keys_into(BrumeControls *controls, BrumeObject object, int parent);

/**
 * Adds to the settings of an earlier frame at `time` [s] the present emitters that were added later, if they have a key
 * up to this time: their keys give them a position there.
 */
void brume_keep_keyed_emitters(BrumeSimDef *sim, const BrumeSimDef *present, const BrumeAnimation *animation,
                               double time);

#endif
