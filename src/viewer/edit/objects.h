/**
 * @file objects.h
 * The emitters, obstacles and lights of the controls as objects with a position, an orientation and a size. The window
 * thread alone uses these functions.
 */
#ifndef BRUME_VIEWER_EDIT_OBJECTS_H
#define BRUME_VIEWER_EDIT_OBJECTS_H

#include "viewer/controls/controls.h"

/** Start of an emitter that is switched off: the latest that a scene allows [s]. */
#define BRUME_NEVER_STARTS 1e6f

/** Where an object is, how it is turned, and how large it is: a shape or a light, as its kind has it. */
typedef struct BrumePose {
    BrumeObjectKind kind;
    BrumeShape shape; ///< of an emitter or an obstacle
    BrumeLight light; ///< of a light
} BrumePose;

/** The number of objects of a kind; deleted obstacles included, which do not exist (brume_object_exists). */
int brume_object_count(const BrumeControls *controls, BrumeObjectKind kind);

/** Whether there is this object, and the tool can edit it. */
bool brume_object_exists(const BrumeControls *controls, BrumeObject object);

/** The object after (`step` 1) or before (-1) another one in the list of all, round about; none where there is none. */
BrumeObject brume_object_next(const BrumeControls *controls, BrumeObject object, int step);

/** What it is: "sphere", "spot"; and, in `text`, its name: "emitter 1, sphere". */
const char *brume_object_shape_name(const BrumeControls *controls, BrumeObject object);
void brume_object_name(const BrumeControls *controls, BrumeObject object, char *text, size_t size);

/** Whether an object is switched on: an emitter emits, a light shines, an obstacle is there. */
bool brume_object_is_on(const BrumeControls *controls, BrumeObject object);

/** The pose of an object that exists. */
BrumePose brume_object_pose(const BrumeControls *controls, BrumeObject object);

/**
 * Gives an object another pose, of the same kind; its center stays in the box, that of a light anywhere. An obstacle
 * that `moves` pushes the air on its way.
 */
void brume_object_set_pose(BrumeControls *controls, BrumeObject object, const BrumePose *pose, bool moves);

/** The middle of an object; of a sun, which has none, the middle of the box [m]. */
BrumeVec3 brume_pose_center(const BrumeControls *controls, const BrumePose *pose);

/** Whether a mode of the gizmo has an effect on it. */
bool brume_pose_can(const BrumePose *pose, BrumeGizmoMode mode);

/** Whether its size along the axes can be scaled one by one. */
bool brume_pose_scales_along(const BrumePose *pose, int axis);

/** The unit axes along which it is scaled: those of the world, of a rectangle its own. */
BrumeVec3 brume_pose_axis(const BrumePose *pose, int axis);

/** The pose moved by `by` [m]. */
BrumePose brume_pose_moved(const BrumePose *pose, BrumeVec3 by);

/** The pose turned about an axis (of unit length) through its middle, by `angle` [radians], counterclockwise. */
BrumePose brume_pose_turned(const BrumePose *pose, BrumeVec3 axis, float angle);

/** The pose scaled about its middle by factors above 0 along its axes; what has one size takes the geometric mean. */
BrumePose brume_pose_scaled(const BrumePose *pose, BrumeVec3 factors);

/** Where the symbol of a light is drawn [m]: a sun's beside the box, in the direction that its light comes from. */
BrumeVec3 brume_light_place(const BrumeControls *controls, const BrumeLight *light);

/** The half axes of a rectangle: along its width and its height [m]. */
void brume_rectangle_axes(const BrumeLight *light, BrumeVec3 *across, BrumeVec3 *along);

/** The lower and the upper corner of the box of the simulation [m]. */
void brume_controls_box(const BrumeControls *controls, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
