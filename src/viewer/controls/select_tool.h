/**
 * @file select_tool.h
 * The state of the select tool, which selects and edits emitters, bodies and lights, and the present bodies.
 * Plain data, used by the window thread alone.
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
    BRUME_OBJECT_BODY,
    BRUME_OBJECT_LIGHT,
    BRUME_OBJECT_RAKE, ///< of streamlines
    BRUME_OBJECT_KINDS,
} BrumeObjectKind;

/** An object of the scene that can be selected. */
typedef struct BrumeObject {
    BrumeObjectKind kind;
    int index; ///< index in the emitters or bodies of the settings, or in the lights or rakes of the render settings
} BrumeObject;

static inline bool brume_same_object(BrumeObject a, BrumeObject b)
{
    return a.kind == b.kind && (a.kind == BRUME_OBJECT_NONE || a.index == b.index);
}

/** The action of the handles of the selected object. */
typedef enum BrumeGizmoMode {
    BRUME_GIZMO_MOVE,
    BRUME_GIZMO_TURN,
    BRUME_GIZMO_SCALE,
    BRUME_GIZMO_MODES,
} BrumeGizmoMode;

/** The handles of a gizmo. Mode and object determine which of them exist. */
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
    bool active;      ///< a left drag selects and moves objects; otherwise it moves the brush
    bool lights_only; ///< a sequence is shown: there are no emitters and bodies
    bool keys_only;   ///< the past is shown: only keys change emitters and bodies
    double time;      ///< time of the shown frame [s]
    float aspect;     ///< width of the picture over its height; 0: not known
    BrumeGizmoMode mode;
    BrumeObject selected;
    BrumeObject hovered;                     ///< under the pointer
    BrumeGizmoHandle handle;                 ///< handle that is dragged, or under the pointer
    bool dragging;                           ///< a handle is dragged
    char drag_text[64];                      ///< change by the drag, with its unit
    char typed[12];                          ///< number that was typed during the drag in place of it; "": none
    float drag_x, drag_y;                    ///< pointer [points of the picture]
    float light_intensity[BRUME_MAX_LIGHTS]; ///< earlier intensity of lights that are switched off; 0: unknown
    int rake_count[BRUME_MAX_RAKES];         ///< earlier streamlines of rakes that are switched off; 0: unknown
} BrumeSelectTool;

/**
 * The bodies at the present frame: motions of the simulation move them, edits change them here, and the viewer
 * passes the edits to the simulation.
 */
typedef struct BrumePresentBodies {
    int count;
    BrumeBodyDef bodies[BRUME_MAX_BODIES];
    uint64_t deleted;                         ///< a bit for each deleted body: if it is disabled, it does not exist
    uint64_t placed;                          ///< a bit for each body changed since the viewer passed it on
    uint64_t moved;                           ///< a bit for each body that was moved or turned and pushes the air
    BrumeVec3 displacement[BRUME_MAX_BODIES]; ///< displacement of moved bodies [m]
    BrumeVec3 turn[BRUME_MAX_BODIES];         ///< change of their rotation [degrees]
    int held_until[BRUME_MAX_BODIES];         ///< frame until which a body is at the position set by the user
    BrumeVec3 lower[BRUME_MAX_BODIES], upper[BRUME_MAX_BODIES]; ///< box around a mesh that deforms, in its frame [m]
    uint64_t deformed;                                          ///< a bit for each body with such a box
} BrumePresentBodies;

#endif
