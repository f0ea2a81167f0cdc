/**
 * @file objects.h
 * The emitters, bodies, lights and rakes of the controls as objects with a position, an orientation and a size. The
 * window thread alone uses these functions.
 */
#ifndef BRUME_VIEWER_EDIT_OBJECTS_H
#define BRUME_VIEWER_EDIT_OBJECTS_H

#include "viewer/controls/controls.h"

/** Start time of an emitter that is switched off: the maximum in a scene [s]. */
#define BRUME_NEVER_STARTS 1e6f

/** The position, orientation and size of an object: a shape or a light, depending on its kind. */
typedef struct BrumePose {
    BrumeObjectKind kind;
    BrumeShape shape; ///< of an emitter or a body; of a rake a capsule around its line
    BrumeLight light; ///< of a light
} BrumePose;

/** Returns the number of objects of a kind, deleted bodies included, for which brume_object_exists is false. */
int brume_object_count(const BrumeControls *controls, BrumeObjectKind kind);

/** Whether the object exists and the tool can edit it. */
bool brume_object_exists(const BrumeControls *controls, BrumeObject object);

/** Returns the object after (`step` 1) or before (-1) another one in the cyclic list of all, or none. */
BrumeObject brume_object_next(const BrumeControls *controls, BrumeObject object, int step);

/** Returns the name of a body, the kind of shape, "sphere" or "spot", of a force, "wind", or "fire", or the name of the
 * file of a mesh, "car.obj"; and writes the name to `text`: "emitter 1, sphere". */
const char *brume_object_shape_name(const BrumeControls *controls, BrumeObject object);
void brume_object_name(const BrumeControls *controls, BrumeObject object, char *text, size_t size);

/** Whether an object is switched on: an emitter emits, a light shines, a body is there. */
bool brume_object_is_on(const BrumeControls *controls, BrumeObject object);

/** The settings that the panel edits, with the present bodies. */
BrumeSimDef brume_present_settings(const BrumeControls *controls);

/** The pose of an object that exists. */
BrumePose brume_object_pose(const BrumeControls *controls, BrumeObject object);

/** The shape of an emitter or a body as it is outlined and picked: for a mesh that deforms, the box around it at the
 * frame that is shown; else the shape itself. */
BrumeShape brume_shown_shape(const BrumeControls *controls, const BrumeShape *shape);

/** Whether the `position` of a body or an emitter has keys, which is changed then in place of the ends of its shape. */
bool brume_position_is_keyed(const BrumeControls *controls, BrumeObject object);

/**
 * The values with which a body or an emitter of `settings` has this shape in the world: in the frame of its parent if
 * it has one, with the angles nearest to the present ones. Its `position` changes, or otherwise the ends of its shape.
 */
BrumeShape brume_follower_shape(const BrumeSimDef *settings, BrumeObject object, const BrumeShape *shape,
                                bool by_position);

/**
 * Sets the pose of an object, of the same kind. Its middle is limited to the box, unless it is a light; the factors of
 * scale of a body that others follow become equal. A body that `moves`, by its place and rotation alone, pushes the air
 * on its way.
 */
void brume_object_set_pose(BrumeControls *controls, BrumeObject object, const BrumePose *pose, bool moves);

/** Returns the pivot of a shape, the position of a light, or for a sun, which has none, the middle of the box [m]. */
BrumeVec3 brume_pose_center(const BrumeControls *controls, const BrumePose *pose);

/** Whether a mode of the gizmo has an effect on the object. */
bool brume_pose_can(const BrumePose *pose, BrumeGizmoMode mode);

/** Whether a shape is scaled by the factors of its frame; otherwise by its own sizes. */
bool brume_shape_scales_by_factors(const BrumeShape *shape);

/** Whether the size along this axis can be scaled separately. */
bool brume_pose_scales_along(const BrumePose *pose, int axis);

/** Returns the unit axis along which it is scaled: an axis of its own frame. */
BrumeVec3 brume_pose_axis(const BrumePose *pose, int axis);

/** The pose moved by `by` [m]. */
BrumePose brume_pose_moved(const BrumePose *pose, BrumeVec3 by);

/**
 * The pose turned about an axis (of unit length) through its pivot, by `angle` [radians], counterclockwise. A shape
 * gets the rotation with the least change of its angles.
 */
BrumePose brume_pose_turned(const BrumePose *pose, BrumeVec3 axis, float angle);

/** The pose scaled about its pivot by factors above 0 along its axes; a single size takes the geometric mean. */
BrumePose brume_pose_scaled(const BrumePose *pose, BrumeVec3 factors);

/** Returns the position of a light's symbol [m]: for a sun outside the box, towards its light. */
BrumeVec3 brume_light_place(const BrumeControls *controls, const BrumeLight *light);

/** Computes the half axes of a rectangle: along its width and its height [m]. */
void brume_rectangle_axes(const BrumeLight *light, BrumeVec3 *across, BrumeVec3 *along);

/** The lower and the upper corner of the box of the simulation [m]. */
void brume_controls_box(const BrumeControls *controls, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
