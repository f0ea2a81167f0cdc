// The actions of the keys with the select tool.
#include "viewer/edit/object_keys.h"
#include "viewer/edit/objects.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/window/input_internal.h"

#include <stdio.h>

static bool has_modifier(const SDL_Keysym *key, int wanted) { return ((int)key->mod & wanted) != 0; }

// Whether the selected object can be edited: emitters and bodies only at the present frame.
static bool can_edit(const BrumeControls *controls, BrumeCommands *commands)
{
    const BrumeSelectTool *tool = &controls->select;
    const bool can =
        brume_object_exists(controls, tool->selected) && brume_objects_can_change(controls, tool->selected.kind);
    commands->edited = commands->edited || can;
    commands->needs_present = !can && !brume_objects_can_change(controls, BRUME_OBJECT_EMITTER);
    return can;
}

// handles the keys that select an object or a mode of the gizmo
static bool press_plain(SDL_Keycode key, BrumeControls *controls)
{
    BrumeSelectTool *tool = &controls->select;
    switch (key) {
    case SDLK_w:
        tool->mode = BRUME_GIZMO_MOVE;
        return true;
    case SDLK_e:
        tool->mode = BRUME_GIZMO_TURN;
        return true;
    case SDLK_s:
        tool->mode = BRUME_GIZMO_SCALE;
        return true;
    case SDLK_PAGEUP:
        brume_select(controls, brume_object_next(controls, tool->selected, -1));
        return true;
    case SDLK_PAGEDOWN:
        brume_select(controls, brume_object_next(controls, tool->selected, 1));
        return true;
    default:
        return false;
    }
}

bool brume_input_press_select_key(BrumeInput *input, const SDL_Keysym *key, BrumeControls *controls,
                                  BrumeCommands *commands)
{
    BrumeSelectTool *tool = &controls->select;
    if (input->drag == BRUME_DRAG_GIZMO && key->sym == SDLK_ESCAPE) {
        brume_input_cancel_gizmo(input, controls, commands);
        return true;
    }
    if (input->drag == BRUME_DRAG_NONE && tool->active && key->sym == SDLK_d && has_modifier(key, KMOD_CTRL)) {
        if (can_edit(controls, commands)) {
            brume_object_duplicate_selected(controls);
        }
        return true;
    }
    if (input->drag != BRUME_DRAG_NONE || has_modifier(key, KMOD_CTRL | KMOD_ALT)) {
        return false; // W, E, S and Q fly the camera while the right button is held
    }
    if (key->sym == SDLK_q) {
        tool->active = !tool->active;
        return true;
    }
    if (tool->active && key->sym == SDLK_DELETE) {
        if (can_edit(controls, commands)) {
            brume_object_delete_selected(controls);
        }
        return true;
    }
    if (key->sym == SDLK_DELETE && brume_object_exists(controls, tool->selected)) {
        char name[64];
        brume_object_name(controls, tool->selected, name, sizeof name);
        (void)snprintf(commands->message, sizeof commands->message,
                       "Delete acts with the select tool alone: press Q, then Delete removes %s", name);
        return true;
    }
    return tool->active && press_plain(key->sym, controls);
}
