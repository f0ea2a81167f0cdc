// The actions of the keys.
#include "viewer/window/input_internal.h"

#include <math.h>

static const float slice_per_key = 1.0f / 64.0f;

static float clamp(float value, float min, float max) { return fminf(fmaxf(value, min), max); }

static bool has_modifier(SDL_Keymod mods, int wanted) { return ((int)mods & wanted) != 0; }

unsigned brume_input_fly_key(SDL_Scancode code)
{
    switch (code) {
    case SDL_SCANCODE_W:
        return BRUME_FLY_FORWARD;
    case SDL_SCANCODE_S:
        return BRUME_FLY_BACK;
    case SDL_SCANCODE_A:
        return BRUME_FLY_LEFT;
    case SDL_SCANCODE_D:
        return BRUME_FLY_RIGHT;
    case SDL_SCANCODE_E:
        return BRUME_FLY_UP;
    case SDL_SCANCODE_Q:
        return BRUME_FLY_DOWN;
    case SDL_SCANCODE_LSHIFT:
    case SDL_SCANCODE_RSHIFT:
        return BRUME_FLY_FAST;
    default:
        return 0;
    }
}

/** 1 to 9 for the keys of the row above the letters, by position or by label; 0 for other keys. */
static int digit_of(const SDL_Keysym *key)
{
    if (key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9) {
        return (int)key->scancode - SDL_SCANCODE_1 + 1;
    }
    return key->sym >= SDLK_1 && key->sym <= SDLK_9 ? (int)(key->sym - SDLK_1) + 1 : 0;
}

static void press_digit(int digit, SDL_Keymod mods, BrumeControls *controls, BrumeCommands *commands)
{
    if (has_modifier(mods, KMOD_CTRL)) {
        commands->bookmark_save = digit;
    } else if (has_modifier(mods, KMOD_ALT)) {
        commands->bookmark_recall = digit;
    } else if (digit <= BRUME_VIEW_COUNT) {
        controls->view = (BrumeViewKind)(digit - 1);
    }
}

// changes the scale of panel and HUD in steps of a quarter
static void press_scale(SDL_Keycode key, BrumeControls *controls)
{
    const bool larger = key == SDLK_PLUS || key == SDLK_EQUALS || key == SDLK_KP_PLUS;
    const bool smaller = key == SDLK_MINUS || key == SDLK_KP_MINUS;
    const float step = larger ? 0.25f : smaller ? -0.25f : 0.0f;
    controls->ui_scale = key == SDLK_0 ? 1.0f : controls->ui_scale + step;
    controls->ui_scale = clamp(controls->ui_scale, BRUME_MIN_UI_SCALE, BRUME_MAX_UI_SCALE);
}

static void press_with_ctrl(SDL_Keycode key, bool shift, BrumeCommands *commands)
{
    commands->undo = commands->undo || (key == SDLK_z && !shift);
    commands->redo = commands->redo || (key == SDLK_z && shift) || key == SDLK_y;
    commands->save = commands->save || key == SDLK_s;
    commands->quit = commands->quit || key == SDLK_q;
    commands->choose = key == SDLK_o ? BRUME_CHOOSE_OPEN : commands->choose;
    commands->exports.frame = commands->exports.frame || key == SDLK_e;
    commands->exports.render = commands->exports.render || key == SDLK_F12;
}

static void move_slice(BrumeControls *controls, float amount)
{
    controls->slice = true;
    controls->slice_at = clamp(controls->slice_at + amount, 0.0f, 1.0f);
}

/** Handles the keys that repeat while they are held; returns whether this is one of them. */
static bool press_repeatable(const SDL_Keysym *key, BrumeControls *controls)
{
    switch (key->sym) {
    case SDLK_LEFTBRACKET:
        move_slice(controls, -slice_per_key);
        return true;
    case SDLK_RIGHTBRACKET:
        move_slice(controls, slice_per_key);
        return true;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        brume_input_resize_brush(&controls->brush, 1.0f);
        return true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        brume_input_resize_brush(&controls->brush, -1.0f);
        return true;
    default:
        return false;
    }
}

/** Handles the keys of the timeline, which repeat while they are held; returns whether this is one of them. */
static bool press_timeline(const SDL_Keysym *key, BrumeCommands *commands)
{
    switch (key->sym) {
    case SDLK_n:
        if (!has_modifier((SDL_Keymod)key->mod, KMOD_SHIFT)) {
            return false;
        }
        commands->timeline_steps--;
        return true;
    case SDLK_COMMA:
    case SDLK_LEFT:
        commands->timeline_steps--;
        return true;
    case SDLK_PERIOD:
    case SDLK_RIGHT:
        commands->timeline_steps++;
        return true;
    default:
        return false;
    }
}

// handles the keys for keyframes; returns whether this is one of them
static bool press_keyframes(SDL_Keycode key, bool shift, BrumeControls *controls, BrumeCommands *commands)
{
    if (key == SDLK_i) {
        commands->key = commands->key || !shift;
        commands->record_flight = commands->record_flight || shift;
        return true;
    }
    if (key == SDLK_F6) {
        controls->curve_editor = !controls->curve_editor;
        return true;
    }
    if (key == SDLK_f && shift) {
        controls->follow_path = !controls->follow_path && controls->camera_path.count > 0;
        return true;
    }
    return false;
}

static void play(BrumeControls *controls, bool backwards)
{
    controls->backwards = backwards;
    controls->running = true;
}

static void press_plain(SDL_Keycode key, BrumeControls *controls, BrumeCommands *commands)
{
    switch (key) {
    case SDLK_SPACE:
        controls->running = !controls->running;
        break;
    case SDLK_n:
        commands->advance++;
        break;
    case SDLK_r:
        commands->reset = true;
        break;
    case SDLK_END:
        commands->seek_last = true;
        break;
    case SDLK_l:
        controls->loop = !controls->loop;
        break;
    case SDLK_f:
        commands->frame_smoke = true;
        break;
    case SDLK_p:
        commands->change_projection = true;
        break;
    case SDLK_HOME:
        commands->home = true;
        break;
    case SDLK_t:
        controls->slice = !controls->slice;
        break;
    case SDLK_x:
        controls->slice = true;
        controls->slice_axis = (controls->slice_axis + 1) % 3;
        break;
    case SDLK_v:
        controls->streamlines = !controls->streamlines;
        break;
    case SDLK_b:
        controls->compare = !controls->compare;
        break;
    case SDLK_c:
        controls->cpu = !controls->cpu;
        break;
    case SDLK_o:
        controls->box = !controls->box;
        break;
    case SDLK_u:
        brume_brush_toggle_erase(&controls->brush);
        commands->name_brush = true;
        break;
    case SDLK_m:
        brume_brush_select(&controls->brush, (BrumeBrushMode)((controls->brush.mode + 1) % BRUME_BRUSH_MODES));
        commands->name_brush = true;
        break;
    case SDLK_k:
        brume_brush_select(&controls->brush, BRUME_BRUSH_SMOKE);
        brume_controls_set_smoke_kind(controls, (controls->brush.kind + 1) % BRUME_SMOKE_KINDS);
        break;
    case SDLK_g:
        commands->save = true;
        break;
    case SDLK_TAB:
        controls->panel = !controls->panel;
        break;
    case SDLK_h:
        controls->hud = !controls->hud;
        break;
    case SDLK_F1:
        controls->help = !controls->help;
        break;
    case SDLK_F10:
        controls->fullscreen = !controls->fullscreen;
        break;
    case SDLK_F11:
        commands->record = true;
        break;
    case SDLK_F12:
        commands->screenshot = true;
        break;
    case SDLK_ESCAPE:
        controls->fullscreen = controls->fullscreen && controls->help;
        controls->help = false;
        break;
    default:
        break;
    }
}

/** Handles the keys of numbers that are typed during the drag of a handle; returns whether this is one of them. */
static bool press_number(BrumeInput *input, const SDL_Keysym *key, BrumeControls *controls, BrumeCommands *commands)
{
    const bool is_keypad = key->sym >= SDLK_KP_1 && key->sym <= SDLK_KP_0;
    const int digit = digit_of(key);
    const int character = digit > 0                                               ? '0' + digit
                          : key->sym == SDLK_0 || key->scancode == SDL_SCANCODE_0 ? '0'
                          : is_keypad ? '0' + (key->sym - SDLK_KP_1 + 1) % 10
                          : key->sym == SDLK_KP_PERIOD || key->sym == SDLK_KP_COMMA ? '.'
                          : key->sym == SDLK_KP_MINUS                               ? '-'
                                                                                    : key->sym; // of ASCII
    if (key->sym == SDLK_RETURN || key->sym == SDLK_KP_ENTER) {
        brume_input_release_gizmo(input, controls, commands);
        return true;
    }
    return brume_gizmo_type(&input->gizmo, controls, character);
}

void brume_input_press_key(BrumeInput *input, const SDL_Event *event, BrumeControls *controls, BrumeCommands *commands)
{
    const SDL_Keysym *const key = &event->key.keysym;
    const SDL_Keymod mods = (SDL_Keymod)key->mod;
    input->held_keys |= brume_input_fly_key(key->scancode);
    brume_input_note_fly_keys(input);
    const bool ctrl = has_modifier(mods, KMOD_CTRL);
    const bool alt = has_modifier(mods, KMOD_ALT);
    input->latest_event = brume_input_event_clock(input, event);
    if (!alt && input->drag == BRUME_DRAG_GIZMO && press_number(input, key, controls, commands)) {
        return;
    }
    if (!ctrl && !alt && (press_repeatable(key, controls) || press_timeline(key, commands))) {
        return;
    }
    if (event->key.repeat != 0) {
        return;
    }
    if (brume_input_press_select_key(input, key, controls, commands)) {
        return;
    }
    const int digit = digit_of(key);
    if (digit > 0) {
        press_digit(digit, mods, controls, commands);
    } else if (ctrl) {
        press_with_ctrl(key->sym, has_modifier(mods, KMOD_SHIFT), commands);
        press_scale(key->sym, controls);
    } else if (!alt && key->sym == SDLK_b && has_modifier(mods, KMOD_SHIFT)) {
        commands->toggle_looks = true;
    } else if (!alt && key->sym == SDLK_F12 && has_modifier(mods, KMOD_SHIFT)) {
        commands->window_picture = true;
    } else if (!alt && (key->sym == SDLK_RETURN || key->sym == SDLK_KP_ENTER)) {
        commands->go_on = true;
        commands->go_on_paused = has_modifier(mods, KMOD_SHIFT);
    } else if (!alt && key->sym == SDLK_j) {
        play(controls, !has_modifier(mods, KMOD_SHIFT));
    } else if (!alt && press_keyframes(key->sym, has_modifier(mods, KMOD_SHIFT), controls, commands)) {
        return;
    } else if (!alt) {
        press_plain(key->sym, controls, commands);
    } else if (key->sym == SDLK_RETURN || key->sym == SDLK_KP_ENTER) {
        controls->fullscreen = !controls->fullscreen;
    }
}
