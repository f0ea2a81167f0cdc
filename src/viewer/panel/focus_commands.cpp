// What the keys do with the keyboard focus: they move it, press its control, type in it and change its value. Each
// command lays out the panel as often as it needs.
#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstring>
#include <imgui_internal.h>

enum { MOST_SKIPPED = 256 };

static bool has_popup() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

// the window of ImGui in which the focus moves: that of a list or a dialog where one is open
static ImGuiWindow *focused_window(const BrumePanel &panel)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    if (has_popup() || brume_is_part(brume_root_window(g.NavWindow))) {
        return g.NavWindow;
    }
    ImGuiWindow *former = ImGui::FindWindowByID(panel.focus.window);
    ImGuiWindow *window = former && former->WasActive ? former : brume_find_part(0);
    if (window) {
        ImGui::FocusWindow(window);
    }
    return window;
}

static void request(BrumePanel &panel, int direction)
{
    panel.focus.requests = true;
    panel.focus.direction = direction;
    brume_lay_out_once(panel);
}

// the item that the request of the latest layout has found; nullptr where there is none
static const ImGuiNavItemData *found_item(const BrumePanel &panel)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    const bool first = panel.focus.direction >= 0 && g.NavMoveResultLocal.ID == 0; // behind the last item
    const ImGuiNavItemData *item = first ? &g.NavTabbingResultFirst : &g.NavMoveResultLocal;
    return item->ID != 0 && item->Window ? item : nullptr;
}

static void set_item(const ImGuiNavItemData &item)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    g.NavWindow = item.Window;
    ImGui::SetNavID(item.ID, ImGuiNavLayer_Main, item.FocusScopeId, item.RectRel);
    g.NavDisableHighlight = false;
    g.NavDisableMouseHover = true;
}

// child windows with lists of their own, and what is disabled
static bool is_skipped(const ImGuiNavItemData &item)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    for (const ImGuiWindow *window : g.Windows) {
        if (window->WasActive && window->ChildId == item.ID) {
            return true;
        }
    }
    return (item.InFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0;
}

// Goes to the next item in a direction that is a control; all of the window are followed by the first one.
static void move(BrumePanel &panel, int direction)
{
    BrumeKeyboardFocus &focus = panel.focus;
    if (!focused_window(panel)) {
        return;
    }
    focus.releases = true;
    focus.changed = 0;
    for (int n = 0; n < MOST_SKIPPED; n++) {
        request(panel, direction);
        const ImGuiNavItemData *item = found_item(panel);
        if (!item) {
            return;
        }
        set_item(*item);
        if (!is_skipped(*item)) {
            focus.control = item->ID;
            focus.takes_value = (item->InFlags & ImGuiItemFlags_Inputable) != 0;
            ImRect rect = ImGui::WindowRectRelToAbs(item->Window, item->RectRel);
            (void)ImGui::ScrollToRectEx(item->Window, rect, ImGuiScrollFlags_KeepVisibleEdgeY);
            break;
        }
        direction = direction == 0 ? 1 : direction;
    }
    brume_lay_out_once(panel); // scrolls
    brume_lay_out_once(panel); // with the names of the controls that are visible now
}

// Finds out of which kind the control is that has the focus by ImGui's own keys or by a click: by a request that comes
// to it from the item before.
static void update_kind(BrumePanel &panel)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    BrumeKeyboardFocus &focus = panel.focus;
    const ImGuiID control = g.NavId;
    if (!focus.active || control == focus.control || control == 0 || g.ActiveId != 0 || !focused_window(panel)) {
        return;
    }
    request(panel, -1);
    const ImGuiNavItemData *before = found_item(panel);
    if (before) {
        set_item(*before);
    }
    request(panel, 1); // without another item, it comes round to this one
    const ImGuiNavItemData *item = found_item(panel);
    if (item && item->ID == control) {
        set_item(*item);
        focus.control = control;
        focus.takes_value = (item->InFlags & ImGuiItemFlags_Inputable) != 0;
    }
    brume_lay_out_once(panel);
}

static void start_typing(BrumePanel &panel)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    if (!panel.focus.takes_value) {
        return;
    }
    g.NavNextActivateId = panel.focus.control;
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
    brume_lay_out_once(panel);
    brume_lay_out_once(panel); // ImGui reports an active text field one layout later
}

// The key that starts the typing is the first character. With an input method, SDL reports no text before a field is
// active.
static void type_first(BrumePanel &panel)
{
    static const char on_keypad[] = "1234567890";
    const SDL_Keycode key = panel.focus.key.sym;
    start_typing(panel);
    if (SDL_IsTextInputActive() == SDL_TRUE || !panel.focus.takes_value) {
        return;
    }
    const bool is_digit = key >= SDLK_KP_1 && key <= SDLK_KP_0;
    const int character = is_digit                ? on_keypad[key - SDLK_KP_1]
                          : key == SDLK_KP_MINUS  ? '-'
                          : key == SDLK_KP_PLUS   ? '+'
                          : key == SDLK_KP_PERIOD ? '.'
                                                  : (int)key;
    ImGui::GetIO().AddInputCharacter((unsigned)character);
    brume_lay_out_once(panel);
}

// a field of text is typed in as soon as it has the focus
static void move_and_type(BrumePanel &panel, int direction)
{
    move(panel, direction);
    if (panel.focus.is_text) {
        start_typing(panel);
    }
}

// the key is down for one layout
static void pass_key(BrumePanel &panel)
{
    ImGuiIO &io = ImGui::GetIO();
    const SDL_Scancode code = panel.focus.key.scancode;
    io.KeysDown[code] = true;
    brume_lay_out_once(panel);
    io.KeysDown[code] = false;
    brume_lay_out_once(panel);
}

static void deliver_key(BrumePanel &panel)
{
    panel.focus.delivered = panel.focus.key.sym;
    brume_lay_out_once(panel);
    panel.focus.delivered = 0;
    brume_lay_out_once(panel);
}

static void release_changed(BrumePanel &panel)
{
    if (panel.focus.changed != 0) {
        panel.focus.changed = 0;
        panel.focus.releases = true;
        brume_lay_out_once(panel);
    }
}

// An arrow changes a number from left to right; otherwise it moves the focus. With Ctrl steps are ten times as large,
// with Shift a tenth, as those of the select tool; ImGui has it the other way round.
static void change(BrumePanel &panel)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    BrumeKeyboardFocus &focus = panel.focus;
    const bool sideways = focus.key.sym == SDLK_LEFT || focus.key.sym == SDLK_RIGHT;
    if (focus.has_keys) {
        deliver_key(panel);
        return;
    }
    if (!sideways || !focus.takes_value || focus.is_text) {
        release_changed(panel);
        pass_key(panel);
        brume_lay_out_once(panel);
        return;
    }
    if (focus.changed != focus.control) {
        ImGui::ActivateItem(focus.control);
        brume_lay_out_once(panel);
        focus.changed = focus.control;
    }
    g.IO.KeyCtrl = (focus.key.mod & KMOD_SHIFT) != 0;
    g.IO.KeyShift = (focus.key.mod & KMOD_CTRL) != 0;
    pass_key(panel);
    g.IO.KeyCtrl = g.IO.KeyShift = false;
}

static void press(BrumePanel &panel)
{
    if (panel.focus.has_keys) {
        deliver_key(panel);
    } else if (panel.focus.takes_value) {
        start_typing(panel);
    } else if (ImGui::GetCurrentContext()->NavId != 0) {
        ImGui::ActivateItem(ImGui::GetCurrentContext()->NavId);
        brume_lay_out_once(panel);
        brume_lay_out_once(panel); // where it opens a list, this is measured
        brume_lay_out_once(panel); // and gets the focus
    }
}

// gives the focus to an item with a rectangle on the screen
static void focus_item(ImGuiWindow *window, ImGuiID item, const ImRect &rect)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    g.NavWindow = window;
    ImGui::SetNavID(item, ImGuiNavLayer_Main, 0, ImGui::WindowRectAbsToRel(window, rect));
    g.NavDisableHighlight = false;
    g.NavDisableMouseHover = true;
}

static ImVec2 middle_of(ImVec2 lower, ImVec2 upper)
{
    return ImVec2(0.5f * (lower.x + upper.x), 0.5f * (lower.y + upper.y));
}

// Where the focused control is no more, as a reset button that was pressed, the nearest one has the focus.
static void replace_lost_item(BrumePanel &panel)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    ImGuiWindow *window = g.NavWindow;
    if (!panel.focus.active || has_popup() || !window || g.NavId == 0 || g.NavIdIsAlive) {
        return;
    }
    const ImVec2 middle = middle_of(panel.focus.lower, panel.focus.upper);
    const BrumeSpot *nearest = nullptr;
    float least = FLT_MAX;
    for (int n = 0; n < panel.spot_count; n++) {
        const BrumeSpot &spot = panel.spots[n];
        const ImVec2 other = middle_of(spot.lower, spot.upper);
        const float distance = std::hypot(other.x - middle.x, other.y - middle.y);
        if (spot.id != 0 && spot.window == window->ID && distance < least) {
            least = distance;
            nearest = &spot;
        }
    }
    if (nearest) {
        focus_item(window, nearest->id, ImRect(nearest->lower, nearest->upper));
        brume_lay_out_once(panel);
    }
}

// presses a button of the row of the focused control, which keeps the focus
static void press_in_row(BrumePanel &panel, const char *button)
{
    static const char *const suffixes[] = {" reset", " key"};
    char name[sizeof panel.focus.name + 8];
    (void)snprintf(name, sizeof name, "%s", panel.focus.name);
    for (const char *suffix : suffixes) {
        const size_t length = strlen(name);
        const size_t end = strlen(suffix);
        if (length > end && strcmp(name + length - end, suffix) == 0) {
            name[length - end] = '\0';
        }
    }
    for (int n = 0; n < panel.spot_count; n++) {
        const size_t length = strlen(name);
        const BrumeSpot &spot = panel.spots[n];
        if (spot.id != 0 && strncmp(spot.name, name, length) == 0 && strcmp(spot.name + length, button) == 0) {
            ImGuiWindow *window = ImGui::GetCurrentContext()->NavWindow;
            const ImGuiID present = ImGui::GetCurrentContext()->NavId;
            const ImRect rect(panel.focus.lower, panel.focus.upper);
            ImGui::ActivateItem(spot.id);
            brume_lay_out_once(panel);
            focus_item(window, present, rect);
            brume_lay_out_once(panel);
            return;
        }
    }
}

static void enter_window(BrumePanel &panel, ImGuiWindow *window)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    BrumeKeyboardFocus &focus = panel.focus;
    focus.active = true;
    focus.window = window->ID;
    focus.control = 0;
    ImGui::FocusWindow(window);
    brume_lay_out_once(panel);
    if (g.NavId == 0 || !g.NavIdIsAlive) {
        move(panel, 0);
        return;
    }
    g.NavDisableHighlight = false;
    g.NavDisableMouseHover = true;
    update_kind(panel);
    ImGuiWindow *present = g.NavWindow;
    (void)ImGui::ScrollToRectEx(present, ImGui::WindowRectRelToAbs(present, present->NavRectRel[ImGuiNavLayer_Main]),
                                ImGuiScrollFlags_KeepVisibleEdgeY);
    brume_lay_out_once(panel);
    brume_lay_out_once(panel);
}

static void enter(BrumePanel &panel)
{
    panel.controls->panel = true;
    brume_lay_out_once(panel);
    brume_lay_out_once(panel);
    if (ImGuiWindow *window = brume_find_part(0)) {
        enter_window(panel, window);
    }
}

// to the next part of the window that is shown, or from the last one to the picture
static void go_to_part(BrumePanel &panel, int direction)
{
    int part = direction > 0 ? -1 : BRUME_PANEL_PARTS;
    ImGuiWindow *present = panel.focus.active ? brume_root_window(focused_window(panel)) : nullptr;
    for (int n = 0; n < BRUME_PANEL_PARTS && present; n++) {
        part = brume_find_part(n) == present ? n : part;
    }
    if (!panel.focus.active && direction > 0) {
        enter(panel);
        return;
    }
    panel.focus.releases = true;
    panel.focus.changed = 0;
    for (part += direction; part >= 0 && part < BRUME_PANEL_PARTS; part += direction) {
        if (ImGuiWindow *window = brume_find_part(part)) {
            enter_window(panel, window);
            return;
        }
    }
    brume_focus_leave(panel);
    brume_lay_out_once(panel);
}

bool brume_focus_do_command(BrumePanel &panel)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const BrumeFocusCommand command = focus.command;
    focus.command = BrumeFocusCommand::None;
    if (command == BrumeFocusCommand::None) {
        return false;
    }
    replace_lost_item(panel);
    update_kind(panel);
    switch (command) {
    case BrumeFocusCommand::Next:
        move_and_type(panel, ImGui::GetCurrentContext()->NavId != 0 ? 1 : 0);
        break;
    case BrumeFocusCommand::Previous:
        move_and_type(panel, -1);
        break;
    case BrumeFocusCommand::NextPart:
        go_to_part(panel, 1);
        break;
    case BrumeFocusCommand::PreviousPart:
        go_to_part(panel, -1);
        break;
    case BrumeFocusCommand::Enter:
        enter(panel);
        break;
    case BrumeFocusCommand::Leave:
        brume_focus_leave(panel);
        brume_lay_out_once(panel);
        break;
    case BrumeFocusCommand::Press:
        press(panel);
        break;
    case BrumeFocusCommand::Type:
        type_first(panel);
        break;
    case BrumeFocusCommand::Change:
        change(panel);
        break;
    case BrumeFocusCommand::EndChange:
        release_changed(panel);
        break;
    case BrumeFocusCommand::Close:
        if (has_popup()) {
            ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->OpenPopupStack.Size - 1, true);
        }
        brume_lay_out_once(panel);
        brume_lay_out_once(panel);
        break;
    case BrumeFocusCommand::Pass:
        if (focus.has_keys && focus.key.sym != SDLK_ESCAPE) {
            deliver_key(panel);
        } else {
            pass_key(panel);
            brume_lay_out_once(panel);
        }
        break;
    case BrumeFocusCommand::Deliver:
        deliver_key(panel);
        break;
    case BrumeFocusCommand::Reset:
        press_in_row(panel, " reset");
        break;
    case BrumeFocusCommand::SetKey:
        press_in_row(panel, " key");
        break;
    case BrumeFocusCommand::None:
        break;
    }
    replace_lost_item(panel);
    update_kind(panel);
    return true;
}
