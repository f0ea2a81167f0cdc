/**
 * @file select_tool.h
 * The state of the select tool, with which emitters, obstacles and lights are selected and edited, and the obstacles as
 * they are at present. Plain data, used by the window thread alone.
 */
#ifndef BRUME_VIEWER_CONTROLS_SELECT_TOOL_H
#define BRUME_VIEWER_CONTROLS_SELECT_TOOL_H

#include "brume/render_settings.h"
#include "brume/sim_def.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum BrumeObjectKind {
    BRUME_OBJECT_NONE,
    BRUME_OBJECT_EMITTER,
    BRUME_OBJECT_OBSTACLE,
    BRUME_OBJECT_LIGHT,
} BrumeObjectKind;

/** An object of the scene that can be selected. */
typedef struct BrumeObject {
    BrumeObjectKind kind;
    int index; ///< in the emitters or obstacles of the settings, or in the lights of the render settings
} BrumeObject;

static inline bool brume_same_object(BrumeObject a, BrumeObject b)
{
    return a.kind == b.kind && (a.kind == BRUME_OBJECT_NONE || a.index == b.index);
}

/** What the handles of the selected object do. */
typedef enum BrumeGizmoMode {
    BRUME_GIZMO_MOVE,
    BRUME_GIZMO_TURN,
    BRUME_GIZMO_SCALE,
    BRUME_GIZMO_MODES,
} BrumeGizmoMode;

/** The handles of a gizmo; which of them there are depends on mode and object. */
typedef enum BrumeGizmoHandle {
    BRUME_HANDLE_NONE,
    BRUME_HANDLE_X, ///< along, or about, an axis
    BRUME_HANDLE_Y,
    BRUME_HANDLE_Z,
    BRUME_HANDLE_YZ, ///< in the plane across x, y or z
    BRUME_HANDLE_ZX,
    BRUME_HANDLE_XY,
    BRUME_HANDLE_VIEW, ///< in the plane of the picture, about the viewing direction, or in all directions
    BRUME_HANDLE_COUNT,
} BrumeGizmoHandle;

/** The select tool. Zeroed, the brush is in use and nothing is selected. */
typedef struct BrumeSelectTool {
    bool active;      ///< a left drag selects and moves objects; otherwise it is the brush
    bool lights_only; ///< a sequence is shown: there are no emitters and obstacles
    bool keys_only;   ///< the past is shown: emitters and obstacles change by their keys alone
    double time;      ///< that is shown [s]
    float aspect;     ///< width of the picture over its height; 0: not known
    BrumeGizmoMode mode;
    BrumeObject selected;
    BrumeObject hovered;                     ///< under the pointer
    BrumeGizmoHandle handle;                 ///< of the gizmo: the one that is dragged, or under the pointer
    bool dragging;                           ///< a handle is dragged
    char drag_text[64];                      ///< by how much, with its unit
    float drag_x, drag_y;                    ///< pointer [points of the picture]
    float light_intensity[BRUME_MAX_LIGHTS]; ///< of lights that are switched off: the one before; 0: not known
} BrumeSelectTool;

/**
 * The obstacles as they are at present: motions of the simulation move them, edits change them here, and the viewer
 * passes the edits to the simulation.
 */
typedef struct BrumePresentObstacles {
    int count;
    BrumeObstacleDef obstacles[BRUME_MAX_OBSTACLES];
    uint64_t deleted; ///< a bit for each that was deleted: where it is disabled, it does not exist
    uint64_t placed;  ///< a bit for each that was changed since the viewer passed it on
    uint64_t moved;   ///< the same for those that were moved: they push the air
    BrumeVec3 displacement[BRUME_MAX_OBSTACLES]; ///< by how much [m]
    int held_until[BRUME_MAX_OBSTACLES];         ///< frame until which one is where the user has put it
} BrumePresentObstacles;

#endif
