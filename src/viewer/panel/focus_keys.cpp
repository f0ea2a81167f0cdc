// The mapping from keys to commands of the keyboard focus.
#include "viewer/panel/panel_internal.h"

static bool is_modifier(SDL_Keycode key)
{
    return (key >= SDLK_LCTRL && key <= SDLK_RGUI) || key == SDLK_CAPSLOCK || key == SDLK_MODE;
}

// returns the command of a key without Ctrl and Alt
static BrumeFocusCommand plain_command(SDL_Keycode key)
{
    switch (key) {
    case SDLK_SPACE:
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return BrumeFocusCommand::Press;
    case SDLK_LEFT:
    case SDLK_RIGHT:
    case SDLK_UP:
    case SDLK_DOWN:
        return BrumeFocusCommand::Arrow;
    case SDLK_HOME:
        return BrumeFocusCommand::First;
    case SDLK_END:
        return BrumeFocusCommand::Last;
    case SDLK_INSERT:
    case SDLK_DELETE:
        return BrumeFocusCommand::Deliver;
    case SDLK_BACKSPACE:
        return BrumeFocusCommand::Reset;
    case SDLK_i:
        return BrumeFocusCommand::SetKey;
    default:
        break;
    }
    const bool is_digit = (key >= SDLK_0 && key <= SDLK_9) || (key >= SDLK_KP_1 && key <= SDLK_KP_0);
    const bool is_sign = key == SDLK_MINUS || key == SDLK_PLUS || key == SDLK_PERIOD || key == SDLK_COMMA ||
                         key == SDLK_KP_MINUS || key == SDLK_KP_PLUS || key == SDLK_KP_PERIOD;
    return is_digit || is_sign ? BrumeFocusCommand::Type : BrumeFocusCommand::None;
}

static bool is_arrow(SDL_Keycode key)
{
    return key == SDLK_LEFT || key == SDLK_RIGHT || key == SDLK_UP || key == SDLK_DOWN;
}

static bool request_command(BrumePanel &panel, BrumeFocusCommand command, const SDL_Keysym &key)
{
    panel.focus.command = command;
    panel.focus.key = key;
    panel.has_change = true;
    return true;
}

// Whether Tab is for the panel. It moves the focus where the panel receives keys, text is typed, or a dialog is open;
// with Ctrl, or with Shift from the picture, it enters the panel.
static bool takes_tab(BrumePanel &panel, const SDL_Keysym &key)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const bool shift = (key.mod & KMOD_SHIFT) != 0;
    const bool ctrl = (key.mod & KMOD_CTRL) != 0;
    const bool has_dialog = panel.dialog.purpose != BRUME_CHOOSE_NOTHING;
    if ((key.mod & (KMOD_ALT | KMOD_GUI)) != 0) {
        return false;
    }
    if (ctrl && !has_dialog) {
        return request_command(panel, shift ? BrumeFocusCommand::PreviousPart : BrumeFocusCommand::NextPart, key);
    }
    if (focus.active || ImGui::GetIO().WantTextInput || has_dialog) {
        focus.until_dialog = focus.until_dialog || (!focus.active && has_dialog);
        focus.active = true;
        return request_command(panel, shift ? BrumeFocusCommand::Previous : BrumeFocusCommand::Next, key);
    }
    return shift && request_command(panel, BrumeFocusCommand::Enter, key);
}

// requests the command of a key; false where the key is not for the panel
static bool takes_key(BrumePanel &panel, const SDL_Keysym &key)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const bool has_dialog = panel.dialog.purpose != BRUME_CHOOSE_NOTHING;
    const bool other = (key.mod & (KMOD_ALT | KMOD_GUI)) != 0;
    if (key.sym == SDLK_F1 && (key.mod & KMOD_CTRL) != 0) {
        focus.explains = !focus.explains;
        panel.has_change = true;
        return true;
    }
    if (key.sym == SDLK_APPLICATION || (key.sym == SDLK_F10 && (key.mod & KMOD_SHIFT) != 0)) {
        SDL_Keysym menu = key;
        menu.sym = SDLK_APPLICATION;
        return request_command(panel, BrumeFocusCommand::Deliver, menu);
    }
    if (is_modifier(key.sym) || other || (key.sym >= SDLK_F1 && key.sym <= SDLK_F12)) {
        return false;
    }
    if ((key.mod & KMOD_CTRL) != 0) {
        return is_arrow(key.sym) && request_command(panel, BrumeFocusCommand::Arrow, key);
    }
    if (has_dialog && (key.sym == SDLK_UP || key.sym == SDLK_DOWN)) { // they select a file
        return false;
    }
    if (key.sym == SDLK_ESCAPE) {
        return !has_dialog &&
               request_command(panel, panel.popup_open ? BrumeFocusCommand::Close : BrumeFocusCommand::Leave, key);
    }
    return request_command(panel, plain_command(key.sym), key);
}

// whether the press or release of a key is for the panel alone
static bool takes_event(BrumePanel &panel, const SDL_Event &event)
{
    const bool has_help = panel.controls && panel.controls->help;
    if (event.type == SDL_KEYUP && is_arrow(event.key.keysym.sym) && panel.focus.changes) {
        (void)request_command(panel, BrumeFocusCommand::EndChange, event.key.keysym);
        return false;
    }
    if (event.type != SDL_KEYDOWN || has_help) {
        return false;
    }
    if (event.key.keysym.sym == SDLK_TAB) {
        return takes_tab(panel, event.key.keysym);
    }
    // the pointer has opened a list or menu
    const bool has_menu = panel.popup_open && panel.dialog.purpose == BRUME_CHOOSE_NOTHING && !panel.focus.active;
    if (has_menu && event.key.keysym.sym == SDLK_ESCAPE && !ImGui::GetIO().WantTextInput) {
        return request_command(panel, BrumeFocusCommand::Close, event.key.keysym);
    }
    return panel.focus.active && !ImGui::GetIO().WantTextInput && takes_key(panel, event.key.keysym);
}

bool brume_panel_takes_key(BrumePanel *panel, const void *event)
{
    SDL_Event sdl_event = *static_cast<const SDL_Event *>(event);
    ImGui::SetCurrentContext(panel->context);
    if (brume_search_takes_key(*panel, sdl_event)) {
        return true;
    }
    if (brume_search_is_entered(*panel, sdl_event)) {
        sdl_event.key.keysym.sym = SDLK_TAB;
    }
    return takes_event(*panel, sdl_event) || (sdl_event.type == SDL_KEYDOWN && !brume_panel_wants_keys(panel) &&
                                              brume_curve_editor_takes_key(*panel, sdl_event.key.keysym));
}
