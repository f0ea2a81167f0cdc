/**
 * @file object_keys.h
 * The keys of objects: which animated values their pose has. At an earlier frame than the present one, the pose of an
 * emitter or obstacle changes by its keys alone. The window thread alone uses these functions.
 */
#ifndef BRUME_VIEWER_EDIT_OBJECT_KEYS_H
#define BRUME_VIEWER_EDIT_OBJECT_KEYS_H

#include "scene/format/animation.h"
#include "viewer/controls/controls.h"

enum { BRUME_POSE_MEMBERS = 3 }; ///< most values that a mode of the gizmo changes

/** The number of a member among the controls, of an obstacle as it is at present; NULL where there is none. */
float *brume_controls_number(BrumeControls *controls, const BrumeAnimatedMember *member);

/** Whether a component of a member has keys, or all have. */
bool brume_controls_animate_any(const BrumeControls *controls, const BrumeAnimatedMember *member);
bool brume_controls_animate_all(const BrumeControls *controls, const BrumeAnimatedMember *member);

/** Sets keys of all components of a member at `time` [s] with their present values. */
void brume_controls_set_keys(BrumeControls *controls, const BrumeAnimatedMember *member, double time);

/** The values that a mode of the gizmo changes of an object that exists; returns how many. */
int brume_object_members(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode,
                         BrumeAnimatedMember members[BRUME_POSE_MEMBERS]);

/** Whether a mode of the gizmo may change an object: at an earlier frame, where all of these values have keys. */
bool brume_object_can_change(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode);

/** Whether an object can be added, deleted, duplicated and switched: lights always, the others in the present. */
bool brume_objects_can_change(const BrumeControls *controls, BrumeObjectKind kind);

/**
 * After a change of the pose of an object: sets keys at the time that is shown, of those of its values that have keys;
 * by `auto_key`, and at an earlier frame.
 */
void brume_object_set_keys(BrumeControls *controls, BrumeObject object);

/**
 * Adds, to the settings of an earlier frame at `time` [s], the emitters of the present ones that follow and have a key
 * up to then: they were put there, though they were added later.
 */
void brume_keep_keyed_emitters(BrumeSimDef *sim, const BrumeSimDef *present, const BrumeAnimation *animation,
                               double time);

#endif
