// The panel's input. ImGui 1.86 reads the state of mouse and keys once a frame, so a change that is undone before the
// frame is lost. Here every change of a button or key gets a separate frame, laid out but not drawn, with the position
// of the pointer at that time.
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstdlib>
#include <cstring>
#include <math.h>

static const double min_frame_seconds = 1e-4;   // ImGui requires that time passes from frame to frame
static const double double_click_seconds = 0.3; // longest time between its presses

// whether a window of the panel is under the pointer
static bool is_covered(const BrumePanel &panel)
{
    for (int n = 0; n < panel.covered_count; n++) {
        const ImVec2 *corners = panel.covered[n];
        if (panel.pointer.x >= corners[0].x && panel.pointer.x < corners[1].x && panel.pointer.y >= corners[0].y &&
            panel.pointer.y < corners[1].y) {
            return true;
        }
    }
    return false;
}

static bool is_held(const BrumePanel &panel) { return panel.down[0] || panel.down[1] || panel.down[2]; }

static int button_of(const SDL_Event &event)
{
    switch (event.button.button) {
    case SDL_BUTTON_LEFT:
        return 0;
    case SDL_BUTTON_RIGHT:
        return 1;
    case SDL_BUTTON_MIDDLE:
        return 2;
    default:
        return -1;
    }
}

// whether ImGui handles a key, apart from the text that it types
static bool is_known_key(const SDL_Keysym &key)
{
    static const SDL_Scancode known[] = {
        SDL_SCANCODE_TAB,    SDL_SCANCODE_LEFT,      SDL_SCANCODE_RIGHT,    SDL_SCANCODE_UP,
        SDL_SCANCODE_DOWN,   SDL_SCANCODE_PAGEUP,    SDL_SCANCODE_HOME,     SDL_SCANCODE_PAGEDOWN,
        SDL_SCANCODE_END,    SDL_SCANCODE_INSERT,    SDL_SCANCODE_DELETE,   SDL_SCANCODE_SPACE,
        SDL_SCANCODE_RETURN, SDL_SCANCODE_BACKSPACE, SDL_SCANCODE_KP_ENTER, SDL_SCANCODE_ESCAPE};
    for (const SDL_Scancode scancode : known) {
        if (key.scancode == scancode) {
            return true;
        }
    }
    const bool is_letter = key.scancode >= SDL_SCANCODE_A && key.scancode <= SDL_SCANCODE_Z;
    return (is_letter && (key.mod & (KMOD_CTRL | KMOD_GUI)) != 0) ||
           (key.scancode >= SDL_SCANCODE_LCTRL && key.scancode <= SDL_SCANCODE_RGUI);
}

// Whether an input method is active. Without one, SDL can report text at any time, so that text typed before the field
// is active is not lost; with one, keys of the viewer would start the composition of a text.
static bool has_input_method()
{
    const char *driver = SDL_GetCurrentVideoDriver();
    const char *modifiers = getenv("XMODIFIERS");
    const char *module = getenv("SDL_IM_MODULE");
    return !driver || strcmp(driver, "x11") != 0 || (modifiers && modifiers[0]) || (module && module[0]);
}

void brume_start_events(BrumePanel &panel)
{
    panel.pointer = ImVec2(-FLT_MAX, -FLT_MAX);
    panel.always_text = !has_input_method();
}

bool brume_panel_wants_keys(const BrumePanel *panel)
{
    ImGui::SetCurrentContext(panel->context);
    return ImGui::GetIO().WantTextInput || panel->dialog.purpose != BRUME_CHOOSE_NOTHING;
}

bool brume_panel_has_input(const BrumePanel *panel) { return panel->has_change || panel->has_key || panel->has_text; }

bool brume_panel_needs_layout(const BrumePanel *panel, const void *event)
{
    const SDL_Event &sdl_event = *static_cast<const SDL_Event *>(event);
    ImGui::SetCurrentContext(panel->context);
    switch (sdl_event.type) {
    case SDL_MOUSEMOTION:
        return panel->has_change;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: // a slider follows the pointer up to the release
        return brume_panel_has_input(panel) || (panel->has_motion && is_held(*panel));
    case SDL_MOUSEWHEEL:
    case SDL_TEXTINPUT:
    case SDL_WINDOWEVENT:
        return panel->has_change;
    case SDL_KEYDOWN:
        return panel->has_change || (panel->has_text && is_known_key(sdl_event.key.keysym));
    case SDL_KEYUP:
        return panel->has_change && is_known_key(sdl_event.key.keysym);
    default:
        return false;
    }
}

// a press belongs to the panel or to the picture, by where it was, until all buttons are released
static void handle_button(BrumePanel &panel, const SDL_Event &event)
{
    const int button = button_of(event);
    panel.pointer = ImVec2((float)event.button.x, (float)event.button.y);
    if (button < 0) {
        return;
    }
    const bool pressed = event.type == SDL_MOUSEBUTTONDOWN;
    if (pressed && button == 0) { // measured from `emptied_at`, before the press
        panel.second_press = panel.emptied_at - panel.pressed_at < double_click_seconds;
        panel.pressed_at = panel.event_clock;
    }
    if (pressed && !is_held(panel)) {
        panel.owned = panel.popup_open || is_covered(panel);
        brume_focus_note_press(panel, panel.owned);
    }
    panel.down[button] = pressed;
    panel.has_change = true;
}

static void handle_key(BrumePanel &panel, const SDL_Event &event)
{
    const SDL_Keysym &key = event.key.keysym;
    panel.has_key = panel.has_key || event.type == SDL_KEYDOWN;
    panel.has_change = panel.has_change || is_known_key(key);
    // ImGui would activate the next control as a text field, while the key hides the panel
    const bool is_tab_of_window = event.type == SDL_KEYDOWN && key.sym == SDLK_TAB && !ImGui::GetIO().WantTextInput;
    if (is_tab_of_window) {
        return;
    }
    (void)ImGui_ImplSDL2_ProcessEvent(&event);
    brume_set_modifiers(key.mod);
}

static void handle_window(BrumePanel &panel, const SDL_Event &event)
{
    if (event.window.event == SDL_WINDOWEVENT_LEAVE && !is_held(panel)) {
        panel.pointer = ImVec2(-FLT_MAX, -FLT_MAX);
        panel.has_motion = true;
    } else if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
        memset(panel.down, 0, sizeof panel.down);
        panel.has_change = true;
    }
    (void)ImGui_ImplSDL2_ProcessEvent(&event);
}

// Passes typed text. ImGui's fields for numbers discard a decimal comma: outside fields for text it becomes a point.
static void pass_text(BrumePanel &panel, const SDL_Event &event)
{
    SDL_Event typed = event;
    for (char *at = typed.text.text; *at && !panel.types_text; at++) {
        *at = *at == ',' ? '.' : *at;
    }
    (void)ImGui_ImplSDL2_ProcessEvent(&typed);
    panel.has_text = true;
}

void brume_panel_event(BrumePanel *panel, const void *event)
{
    const SDL_Event &sdl_event = *static_cast<const SDL_Event *>(event);
    ImGui::SetCurrentContext(panel->context);
    panel->event_clock = 1e-3 * (double)sdl_event.common.timestamp;
    switch (sdl_event.type) {
    case SDL_MOUSEMOTION:
        panel->pointer = ImVec2((float)sdl_event.motion.x, (float)sdl_event.motion.y);
        panel->has_motion = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        handle_button(*panel, sdl_event);
        break;
    case SDL_MOUSEWHEEL:
        if (brume_panel_wants_mouse(panel)) {
            (void)ImGui_ImplSDL2_ProcessEvent(&sdl_event);
            panel->has_change = true;
        }
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        handle_key(*panel, sdl_event);
        break;
    case SDL_TEXTINPUT:
        if (ImGui::GetIO().WantTextInput) {
            pass_text(*panel, sdl_event);
        }
        break;
    case SDL_WINDOWEVENT:
        handle_window(*panel, sdl_event);
        break;
    default:
        (void)ImGui_ImplSDL2_ProcessEvent(&sdl_event);
        break;
    }
}

void brume_panel_note_no_events(BrumePanel *panel, double clock) { panel->emptied_at = clock; }

bool brume_panel_wants_mouse(const BrumePanel *panel)
{
    return is_held(*panel) ? panel->owned : panel->popup_open || is_covered(*panel);
}

void brume_pass_events(BrumePanel &panel, double now)
{
    ImGuiIO &io = ImGui::GetIO();
    const BrumeKeyboardFocus &focus = panel.focus;
    const bool down[BRUME_PANEL_BUTTONS] = {panel.down[0] || focus.presses, panel.down[1], panel.down[2]};
    brume_set_mouse(focus.points ? focus.pointer : panel.pointer, down, BRUME_PANEL_BUTTONS);
    io.MouseDoubleClickTime = panel.second_press ? 1e30f : 0.0f; // ImGui measures to the layout, not to the press
    panel.focus.is_used = panel.focus.is_used && !panel.has_motion;
    const double elapsed = std::fmax(now - panel.clock, min_frame_seconds);
    panel.clock += elapsed;
    io.DeltaTime = (float)elapsed;
    panel.has_motion = panel.has_change = panel.has_key = panel.has_text = false;
}

void brume_pass_key(const BrumePanel &panel, SDL_Scancode scancode, bool down)
{
    SDL_Event event = {};
    event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
    event.key.windowID = SDL_GetWindowID(panel.window);
    event.key.keysym.scancode = scancode;
    event.key.keysym.sym = SDL_GetKeyFromScancode(scancode);
    (void)ImGui_ImplSDL2_ProcessEvent(&event);
}

void brume_update_text_input(BrumePanel &panel)
{
    const bool wants_text = panel.always_text || ImGui::GetIO().WantTextInput;
    if (wants_text != (SDL_IsTextInputActive() == SDL_TRUE)) {
        wants_text ? SDL_StartTextInput() : SDL_StopTextInput();
    }
}
