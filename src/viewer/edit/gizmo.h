/**
 * @file gizmo.h
 * The handles of the selected object, which have constant size in the picture, and the changes of the object by
 * dragging one. The drawn parts of a handle (its lines and its tip) are also the parts that picking tests. All
 * functions except brume_gizmo_drag_to are pure.
 */
#ifndef BRUME_VIEWER_EDIT_GIZMO_H
#define BRUME_VIEWER_EDIT_GIZMO_H

#include "viewer/edit/objects.h"
#include "viewer/edit/screen.h"

enum { BRUME_MAX_HANDLE_LINES = 64 };

/** Sizes in the picture [points], times the scale of the screen. */
#define BRUME_GIZMO_LENGTH 84.0f     ///< of the axes up to their tips, and radius of the rings
#define BRUME_GIZMO_TIP_LENGTH 16.0f ///< of the tip of an arrow
#define BRUME_GIZMO_TIP_RADIUS 5.5f  ///< half the width of the tip of an arrow, or of the square of a scale
#define BRUME_GIZMO_PLANE_FROM 26.0f ///< a plane's handle is a square between these distances along two axes
#define BRUME_GIZMO_PLANE_TO 46.0f
#define BRUME_GIZMO_MIDDLE 9.0f     ///< radius of the handle in the middle
#define BRUME_GIZMO_VIEW_RING 98.0f ///< radius of the ring about the viewing direction

/** The gizmo of an object in a picture. */
typedef struct BrumeGizmo {
    BrumeGizmoMode mode;
    BrumeVec3 center;             ///< [m]
    BrumeVec3 axes[3];            ///< of unit length
    BrumeVec3 view[2];            ///< right and up in the picture, of unit length
    BrumeVec3 towards;            ///< the camera, of unit length
    float unit;                   ///< length of one point of the sizes above [m]
    bool has[BRUME_HANDLE_COUNT]; ///< the handles that exist
} BrumeGizmo;

/** A snap of a drag to multiples of a step. */
typedef enum BrumeSnap { BRUME_SNAP_NONE, BRUME_SNAP_COARSE, BRUME_SNAP_FINE } BrumeSnap;

/** A drag of a handle. */
typedef struct BrumeGizmoDrag {
    BrumeObject object;
    BrumeGizmoHandle handle;
    BrumeGizmo gizmo; ///< as it was at the press
    BrumePose start;
    BrumeScreenPoint from;
    float last_angle, angle; ///< angle of the pointer around the middle, and its sum since the press [radians]
    BrumeScreen screen;      ///< of the latest brume_gizmo_drag_to
    BrumeScreenPoint at;
    BrumeSnap snap;
} BrumeGizmoDrag;

/** Computes the gizmo of an object; false where the mode has no effect on it, or it is behind the camera. */
bool brume_gizmo_of(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode, const BrumeScreen *screen,
                    BrumeGizmo *gizmo);

/** Writes the lines of a handle [m]; returns their number. A plane's handle has four, an axis one. */
int brume_gizmo_lines(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, BrumeVec3 lines[BRUME_MAX_HANDLE_LINES][2]);

/**
 * Writes the tip of an axis in the picture: the corners of the triangle of an arrow, or of the square of a scale.
 * Returns their number, 0 where the handle has no tip, or it is not visible.
 */
int brume_gizmo_tip(const BrumeGizmo *gizmo, BrumeGizmoHandle handle, const BrumeScreen *screen,
                    BrumeScreenPoint corners[4]);

/** Whether a point of a ring [m] is on the side of the camera. */
bool brume_gizmo_is_in_front(const BrumeGizmo *gizmo, BrumeVec3 point);

/** Returns the handle at a point `p` of the picture; BRUME_HANDLE_NONE: none. */
BrumeGizmoHandle brume_gizmo_pick(const BrumeGizmo *gizmo, const BrumeScreen *screen, BrumeScreenPoint p);

/** Whether a point `p` of the picture is close to a handle, so that a press there was probably meant for the handle. */
bool brume_gizmo_is_near(const BrumeGizmo *gizmo, const BrumeScreen *screen, BrumeScreenPoint p);

/** Begins the drag of a handle at the point `p` of the picture. */
BrumeGizmoDrag brume_gizmo_begin_drag(const BrumeControls *controls, BrumeObject object, const BrumeGizmo *gizmo,
                                      BrumeGizmoHandle handle, const BrumeScreen *screen, BrumeScreenPoint p);

/**
 * Sets the pose of the object for the pointer at `p`, and writes the change of the pose to
 * `controls->select.drag_text`: meters, degrees, or a factor.
 */
void brume_gizmo_drag_to(BrumeGizmoDrag *drag, BrumeControls *controls, const BrumeScreen *screen, BrumeScreenPoint p,
                         BrumeSnap snap);

/**
 * Takes a character that is typed during a drag: digits, a point or comma, a minus sign, and 8 (backspace) to delete
 * the last one. The number takes the place of the change by the pointer: meters (along the way of the pointer, where
 * the handle has no axis), degrees, or a factor. Returns false for other characters.
 */
bool brume_gizmo_type(BrumeGizmoDrag *drag, BrumeControls *controls, int character);

/** Returns the step of a coarse snap in a box with the longest side `side`: 1/20 of the power of ten below it [m]. */
float brume_snap_step(float side);

#endif
