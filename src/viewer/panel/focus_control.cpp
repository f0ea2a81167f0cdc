// The keyboard focus: keys move it from control to control, press controls and change their values. Dear ImGui 1.86
// stops with Tab at numbers and texts only, and changes values as long as a key is held, however long a layout takes.
// Here the focus is one of the rectangles that the layout notes; a control is pressed by a click of ImGui's pointer
// there, in layouts that are not drawn, and every press of a key is one step.
#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstring>

static const char *const parts[] = {"##panel", "##curves", "##timeline"}; // windows of ImGui, in their order
static const int part_count = sizeof parts / sizeof parts[0];
static const int layouts_to_close = 3; // layouts until ImGui's focus returns from a closed list or dialog
static const ImGuiFocusedFlags this_window = ImGuiFocusedFlags_RootAndChildWindows | ImGuiFocusedFlags_NoPopupHierarchy;

// whether a control can have the focus
static bool can_focus(const BrumeSpot &spot) { return spot.kind != BrumeControlKind::None && spot.in_focused_window; }

static BrumeSpot *focused_spot(BrumePanel &panel)
{
    return panel.focus.spot < panel.spot_count ? &panel.spots[panel.focus.spot] : nullptr;
}

// finds the rectangle of one of the numbers of a control, or of the button after the numbers of a color
static void find_rectangle(const BrumeSpot &spot, int number, ImVec2 &lower, ImVec2 &upper)
{
    const float button = spot.has_swatch ? spot.upper.y - spot.lower.y : 0.0f;
    const float width = (spot.upper.x - spot.lower.x - button) / (float)spot.numbers;
    lower = ImVec2(spot.lower.x + (float)number * width, spot.lower.y);
    upper = ImVec2(number < spot.numbers ? lower.x + width : spot.upper.x, spot.upper.y);
}

static int stops_of(const BrumeSpot &spot) { return spot.numbers + (spot.has_swatch ? 1 : 0); }

// the kind of the n-th position of the focus in a control: one of its numbers, or the button of a color behind them
static BrumeControlKind kind_of(const BrumeSpot &spot, int number)
{
    return number < spot.numbers ? spot.kind : BrumeControlKind::Button;
}

// sets the focus to one of the numbers of a control
static void set_spot(BrumePanel &panel, int index, int number)
{
    BrumeKeyboardFocus &focus = panel.focus;
    focus.spot = index;
    focus.number = number;
    memcpy(focus.name, panel.spots[index].name, sizeof focus.name);
}

void brume_focus_leave(BrumePanel &panel)
{
    panel.focus.active = panel.focus.until_dialog = panel.focus.explains = panel.focus.changes = false;
}

void brume_focus_note_press(BrumePanel &panel, bool on_panel)
{
    panel.focus.is_used = false;
    if (panel.focus.active && !on_panel) {
        brume_focus_leave(panel);
    }
    const ImVec2 at = panel.pointer;
    for (int n = 0; n < panel.spot_count && on_panel; n++) {
        const BrumeSpot &spot = panel.spots[n];
        for (int number = 0; can_focus(spot) && spot.visible && number < stops_of(spot); number++) {
            ImVec2 lower;
            ImVec2 upper;
            find_rectangle(spot, number, lower, upper);
            if (at.x >= lower.x && at.x < upper.x && at.y >= lower.y && at.y < upper.y) {
                set_spot(panel, n, number);
            }
        }
    }
}

void brume_focus_note(BrumePanel &panel)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const int index = panel.spot_count - 1;
    BrumeSpot &spot = panel.spots[index];
    const bool is_disabled = ImGui::GetStyle().Alpha < 1.0f; // the public effect of ImGui::BeginDisabled
    spot.kind = is_disabled ? BrumeControlKind::None : focus.next_kind;
    spot.numbers = focus.next_numbers > 0 ? focus.next_numbers : 1;
    spot.has_swatch = focus.next_has_swatch;
    spot.in_focused_window = ImGui::IsWindowFocused(this_window);
    spot.is_default = ImGui::IsItemFocused();
    spot.margin = ImVec2(ImGui::GetWindowPos().x + 1.0f, ImGui::GetWindowPos().y + 0.5f * ImGui::GetWindowSize().y);
    spot.clip_lower = ImGui::GetWindowDrawList()->GetClipRectMin();
    spot.clip_upper = ImGui::GetWindowDrawList()->GetClipRectMax();
    focus.next_kind = BrumeControlKind::Button;
    focus.next_numbers = 0;
    focus.next_has_swatch = false;
    if (!focus.active || index != focus.spot) {
        return;
    }
    if (focus.types && spot.kind == BrumeControlKind::Text) {
        ImGui::SetKeyboardFocusHere(-1);
    }
    const bool is_above = spot.lower.y < spot.clip_lower.y;
    if (focus.scrolls && (is_above || spot.upper.y > spot.clip_upper.y)) {
        ImGui::SetScrollHereY(is_above ? 0.0f : 1.0f);
    }
}

// Finds the focused control in this layout by its name. Where it does not exist any more, such as a pressed reset
// button, its neighbor gets the focus; in an opened list or dialog, ImGui's default control, or the first one.
static void find_spot(BrumePanel &panel)
{
    BrumeKeyboardFocus &focus = panel.focus;
    focus.closed_for = focus.opener[0] && !panel.popup_open ? focus.closed_for + 1 : 0;
    const bool waits = focus.closed_for > 0 && focus.closed_for <= layouts_to_close;
    if (waits) {
        memcpy(focus.name, focus.opener, sizeof focus.name);
        focus.number = focus.opener_number;
    }
    int same = -1;
    int nearest = -1;
    int first = -1;
    for (int n = 0; n < panel.spot_count; n++) {
        const BrumeSpot &spot = panel.spots[n];
        if (!can_focus(spot)) {
            continue;
        }
        const int distance = std::abs(n - focus.spot);
        const bool has_name = strcmp(spot.name, focus.name) == 0;
        same = has_name && (same < 0 || distance < std::abs(same - focus.spot)) ? n : same;
        nearest = nearest < 0 || distance < std::abs(nearest - focus.spot) ? n : nearest;
        first = first < 0 || (spot.is_default && !panel.spots[first].is_default) ? n : first;
    }
    if (same >= 0 || focus.closed_for > layouts_to_close) {
        focus.opener[0] = focus.closed_for > 0 ? '\0' : focus.opener[0];
    }
    if (same >= 0) {
        focus.spot = same;
    } else if (waits) {
        nearest = -1;
    } else if (first >= 0 && panel.popup_open && !focus.opener[0]) {
        memcpy(focus.opener, focus.name, sizeof focus.opener);
        focus.opener_number = focus.number;
        set_spot(panel, first, 0);
    } else if (nearest >= 0) {
        set_spot(panel, nearest, 0);
    }
    focus.is_alive = nearest >= 0;
}

static void draw_outline(const BrumePanel &panel, const BrumeSpot &spot)
{
    const float unit = panel.unit;
    const float gap = 1.5f * unit;
    const ImVec2 lower(panel.focus.lower.x - gap, panel.focus.lower.y - gap);
    const ImVec2 upper(panel.focus.upper.x + gap, panel.focus.upper.y + gap);
    ImDrawList *list = ImGui::GetForegroundDrawList();
    list->PushClipRect(ImVec2(spot.clip_lower.x - 2.0f * gap, spot.clip_lower.y),
                       ImVec2(spot.clip_upper.x + 2.0f * gap, spot.clip_upper.y));
    const float rounding = ImGui::GetStyle().FrameRounding + gap;
    list->AddRect(lower, upper, ImGui::GetColorU32(ImGuiCol_WindowBg), rounding, 0, 4.0f * unit);
    list->AddRect(lower, upper, brume_bright_text, rounding, 0, 2.0f * unit);
    list->PopClipRect();
}

void brume_focus_after_layout(BrumePanel &panel)
{
    BrumeKeyboardFocus &focus = panel.focus;
    if (focus.until_dialog && panel.dialog.purpose == BRUME_CHOOSE_NOTHING) {
        brume_focus_leave(panel);
    }
    focus.is_alive = false;
    if (!focus.active) {
        return;
    }
    find_spot(panel);
    const BrumeSpot *spot = focused_spot(panel);
    if (focus.is_alive && spot) {
        focus.number = focus.number < stops_of(*spot) ? focus.number : 0;
        find_rectangle(*spot, focus.number, focus.lower, focus.upper);
        draw_outline(panel, *spot);
    }
}

bool brume_menu_key(const BrumePanel &panel)
{
    return panel.focus.delivered == SDLK_APPLICATION && brume_has_focus(panel);
}

bool brume_has_focus(const BrumePanel &panel)
{
    const BrumeKeyboardFocus &focus = panel.focus;
    const ImVec2 middle(0.5f * (focus.lower.x + focus.upper.x), 0.5f * (focus.lower.y + focus.upper.y));
    const ImVec2 lower = ImGui::GetItemRectMin();
    const ImVec2 upper = ImGui::GetItemRectMax();
    return focus.active && focus.is_alive && ImGui::IsWindowFocused(this_window) && middle.x >= lower.x &&
           middle.x < upper.x && middle.y >= lower.y && middle.y < upper.y;
}

bool brume_text_field(BrumePanel &panel, const char *hint, char *text, size_t size, bool with_enter, const char *name)
{
    const bool entered =
        ImGui::InputTextWithHint(name, hint, text, size, with_enter ? ImGuiInputTextFlags_EnterReturnsTrue : 0);
    panel.types_text = panel.types_text || ImGui::IsItemActive();
    panel.focus.next_kind = BrumeControlKind::Text;
    return entered;
}

// whether the item drawn last, which is noted next, has the focus
static bool is_next(const BrumePanel &panel) { return panel.focus.active && panel.focus.spot == panel.spot_count; }

float brume_focus_numbers(BrumePanel &panel, int count, int &changed, bool has_swatch)
{
    panel.focus.next_kind = BrumeControlKind::Number;
    panel.focus.next_numbers = count;
    panel.focus.next_has_swatch = has_swatch;
    changed = panel.focus.number < count ? panel.focus.number : 0;
    return is_next(panel) && panel.focus.number < count ? panel.focus.hundredths : 0.0f;
}

bool brume_item_is_changed(const BrumePanel &panel)
{
    return ImGui::IsItemActive() || (panel.focus.changes && is_next(panel));
}

bool brume_item_was_changed(const BrumePanel &panel)
{
    return ImGui::IsItemDeactivatedAfterEdit() || (panel.focus.ends_change && is_next(panel));
}

SDL_Keycode brume_focus_key(BrumePanel &panel)
{
    BrumeSpot &spot = panel.spots[panel.spot_count - 1];
    spot.kind = BrumeControlKind::Keys;
    return panel.focus.active && panel.focus.spot == panel.spot_count - 1 ? panel.focus.delivered : 0;
}

static ImVec2 middle_of(ImVec2 lower, ImVec2 upper)
{
    return ImVec2(0.5f * (lower.x + upper.x), 0.5f * (lower.y + upper.y));
}

// Clicks with ImGui's pointer. The button is down for one layout, and up in the next one, which executes the click; a
// list that it opens is measured in the third layout, and has the focus from the fourth on.
static void click(BrumePanel &panel, ImVec2 at, int times)
{
    BrumeKeyboardFocus &focus = panel.focus;
    focus.points = true;
    focus.pointer = at;
    for (int n = 0; n < times; n++) {
        panel.second_press = n == 1;
        focus.presses = true;
        brume_lay_out_once(panel);
        focus.presses = false;
        brume_lay_out_once(panel);
    }
    focus.points = panel.second_press = false;
    brume_lay_out_once(panel);
    brume_lay_out_once(panel);
}

static BrumeControlKind focused_kind(BrumePanel &panel)
{
    const BrumeSpot *spot = focused_spot(panel);
    return panel.focus.is_alive && spot ? kind_of(*spot, panel.focus.number) : BrumeControlKind::None;
}

static void start_typing(BrumePanel &panel)
{
    if (focused_kind(panel) == BrumeControlKind::Number) {
        click(panel, middle_of(panel.focus.lower, panel.focus.upper), 2);
    } else if (focused_kind(panel) == BrumeControlKind::Text) {
        panel.focus.types = true;
        brume_lay_out_once(panel);
        panel.focus.types = false;
        brume_lay_out_once(panel);
        brume_lay_out_once(panel); // ImGui reports an active text field one layout later
    }
}

// Types the key that starts the typing as the first character. With an input method, SDL reports no text before a field
// is active.
static void type_first(BrumePanel &panel)
{
    static const char on_keypad[] = "1234567890";
    const SDL_Keycode key = panel.focus.key.sym;
    start_typing(panel);
    if (SDL_IsTextInputActive() == SDL_TRUE || focused_kind(panel) != BrumeControlKind::Number) {
        return;
    }
    const bool is_digit = key >= SDLK_KP_1 && key <= SDLK_KP_0;
    const int character = is_digit                                     ? on_keypad[key - SDLK_KP_1]
                          : key == SDLK_KP_MINUS                       ? '-'
                          : key == SDLK_KP_PLUS                        ? '+'
                          : key == SDLK_KP_PERIOD || key == SDLK_COMMA ? '.'
                                                                       : (int)key;
    ImGui::GetIO().AddInputCharacter((unsigned)character);
    brume_lay_out_once(panel);
}

// ends a change by keys with a layout in which the control reports it as complete
static void end_change(BrumePanel &panel)
{
    if (panel.focus.changes) {
        panel.focus.changes = false;
        panel.focus.ends_change = true;
        brume_lay_out_once(panel);
        panel.focus.ends_change = false;
    }
}

// ends the typing by a click outside the controls of the window
static void end_typing(BrumePanel &panel)
{
    const BrumeSpot *spot = focused_spot(panel);
    if (ImGui::GetIO().WantTextInput && spot) {
        click(panel, spot->margin, 1);
    }
}

// sets the focus to a control, scrolls it into view, and starts typing in a field for text
static void go_to(BrumePanel &panel, int index, int number)
{
    end_change(panel);
    end_typing(panel);
    set_spot(panel, index, number);
    panel.focus.scrolls = true;
    brume_lay_out_once(panel);
    panel.focus.scrolls = false;
    brume_lay_out_once(panel); // with the names of the controls that are visible now
    if (focused_kind(panel) == BrumeControlKind::Text) {
        start_typing(panel);
    }
}

// returns the next control of the window from `index` on, in a cycle; -1: none
static int next_spot(const BrumePanel &panel, int index, int direction)
{
    for (int n = 1; n <= panel.spot_count; n++) {
        const int next = (index + direction * n + 2 * panel.spot_count) % panel.spot_count;
        if (can_focus(panel.spots[next])) {
            return next;
        }
    }
    return -1;
}

// moves the focus to the next (1) or previous (-1) number or control
static void move(BrumePanel &panel, int direction)
{
    // the active text field may have got its focus by the mouse
    for (int n = 0; n < panel.spot_count && ImGui::GetIO().WantTextInput; n++) {
        const BrumeSpot &spot = panel.spots[n];
        if (spot.is_default && can_focus(spot) && n != panel.focus.spot) {
            set_spot(panel, n, 0);
        }
    }
    const BrumeSpot *present = focused_spot(panel);
    const int number = panel.focus.number + direction;
    if (present && can_focus(*present) && number >= 0 && number < stops_of(*present)) {
        go_to(panel, panel.focus.spot, number);
        return;
    }
    const int next = next_spot(panel, panel.focus.spot, direction);
    if (next >= 0) {
        go_to(panel, next, direction > 0 ? 0 : stops_of(panel.spots[next]) - 1);
    }
}

// returns the distance of a rectangle in the direction of an arrow, FLT_MAX where it is not in this direction
static float distance_to(const BrumeKeyboardFocus &focus, SDL_Keycode arrow, ImVec2 lower, ImVec2 upper)
{
    const bool sideways = arrow == SDLK_LEFT || arrow == SDLK_RIGHT;
    const float x = 0.5f * (lower.x + upper.x - focus.lower.x - focus.upper.x);
    const float y = 0.5f * (lower.y + upper.y - focus.lower.y - focus.upper.y);
    const float ahead = arrow == SDLK_LEFT ? -x : arrow == SDLK_RIGHT ? x : arrow == SDLK_UP ? -y : y;
    const bool overlaps = lower.y < focus.upper.y && upper.y > focus.lower.y;
    return ahead <= 1.0f || overlaps != sideways ? FLT_MAX : ahead + 0.3f * std::fabs(sideways ? y : x);
}

// moves the focus to the nearest control in the direction of an arrow
static void go_sideways(BrumePanel &panel, SDL_Keycode arrow)
{
    float least = FLT_MAX;
    int nearest = -1;
    int nearest_number = 0;
    for (int n = 0; n < panel.spot_count; n++) {
        const BrumeSpot &spot = panel.spots[n];
        for (int number = 0; can_focus(spot) && number < stops_of(spot); number++) {
            ImVec2 lower;
            ImVec2 upper;
            find_rectangle(spot, number, lower, upper);
            const float distance = distance_to(panel.focus, arrow, lower, upper);
            if (distance < least) {
                least = distance;
                nearest = n;
                nearest_number = number;
            }
        }
    }
    if (nearest >= 0) {
        go_to(panel, nearest, nearest_number);
    }
}

// lays out with the key, which the focused control handles itself, and twice more for its effects
static void deliver_key(BrumePanel &panel)
{
    panel.focus.delivered = panel.focus.key.sym;
    brume_lay_out_once(panel);
    panel.focus.delivered = 0;
    brume_lay_out_once(panel);
    brume_lay_out_once(panel);
}

// Changes the number, or moves the focus. As in the select tool, Ctrl makes steps ten times as large, Shift a tenth.
static void follow_arrow(BrumePanel &panel)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const SDL_Keycode arrow = focus.key.sym;
    const bool sideways = arrow == SDLK_LEFT || arrow == SDLK_RIGHT;
    if (focused_kind(panel) == BrumeControlKind::Keys) {
        deliver_key(panel);
    } else if (sideways && focused_kind(panel) == BrumeControlKind::Number) {
        const float size = (focus.key.mod & KMOD_CTRL) != 0 ? 10.0f : (focus.key.mod & KMOD_SHIFT) != 0 ? 0.1f : 1.0f;
        focus.hundredths = arrow == SDLK_LEFT ? -size : size;
        focus.changes = true;
        brume_lay_out_once(panel);
        focus.hundredths = 0.0f;
    } else {
        go_sideways(panel, arrow);
    }
}

static void press_or_type(BrumePanel &panel)
{
    switch (focused_kind(panel)) {
    case BrumeControlKind::Keys:
        deliver_key(panel);
        break;
    case BrumeControlKind::Button:
        click(panel, middle_of(panel.focus.lower, panel.focus.upper), 1);
        break;
    default:
        start_typing(panel);
        break;
    }
}

// presses a button in the row of the focused control, without moving the focus
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
    (void)snprintf(name + strlen(name), sizeof name - strlen(name), "%s", button);
    for (int n = 0; n < panel.spot_count; n++) {
        const BrumeSpot &spot = panel.spots[n];
        if (can_focus(spot) && strcmp(spot.name, name) == 0) {
            click(panel, middle_of(spot.lower, spot.upper), 1);
            return;
        }
    }
}

// the part of the window to which a control belongs: 0 panel, 1 curve editor, 2 timeline
static int part_of(const char *name)
{
    return strncmp(name, "Timeline.", 9) == 0 ? 2 : strncmp(name, "Curves.", 7) == 0 ? 1 : 0;
}

// sets the focus to the first control of a part of the window; false where it is not shown or has none
static bool enter_part(BrumePanel &panel, int part)
{
    BrumeKeyboardFocus &focus = panel.focus;
    char before[sizeof focus.name];
    memcpy(before, focus.name, sizeof before);
    ImGui::SetWindowFocus(parts[part]);
    focus.active = true;
    brume_lay_out_once(panel);
    brume_lay_out_once(panel);
    const int first = next_spot(panel, -1, 1);
    if (first < 0 || part_of(panel.spots[first].name) != part) {
        return false;
    }
    const bool was_here = strcmp(focus.name, before) == 0;
    go_to(panel, was_here ? focus.spot : first, was_here ? focus.number : 0);
    return true;
}

// moves the focus from the picture to the part of the window that had it last
static void enter(BrumePanel &panel)
{
    panel.controls->panel = true;
    brume_lay_out_once(panel); // creates its window if it was hidden
    if (!enter_part(panel, part_of(panel.focus.name)) && !enter_part(panel, 0)) {
        brume_focus_leave(panel);
    }
}

// moves the focus to the next visible part of the window, or from the last part to the picture
static void go_to_part(BrumePanel &panel, int direction)
{
    if (!panel.focus.active && direction > 0) {
        enter(panel);
        return;
    }
    end_change(panel);
    int part = panel.focus.active ? part_of(panel.focus.name) : part_count;
    for (part += direction; part >= 0 && part < part_count; part += direction) {
        if (enter_part(panel, part)) {
            return;
        }
    }
    ImGui::SetWindowFocus(nullptr); // also ends the typing
    brume_focus_leave(panel);
    brume_lay_out_once(panel);
}

// closes a list or menu by Escape, for which ImGui's own keys must be enabled
static void close(BrumePanel &panel)
{
    ImGuiIO &io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    brume_pass_key(panel, SDL_SCANCODE_ESCAPE, true);
    brume_lay_out_once(panel);
    brume_pass_key(panel, SDL_SCANCODE_ESCAPE, false);
    brume_lay_out_once(panel);
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    brume_lay_out_once(panel);
}

bool brume_focus_do_command(BrumePanel &panel)
{
    const BrumeFocusCommand command = panel.focus.command;
    panel.focus.command = BrumeFocusCommand::None;
    panel.focus.is_used = panel.focus.is_used || command != BrumeFocusCommand::None;
    if (command == BrumeFocusCommand::None) {
        return false;
    }
    brume_lay_out_once(panel); // the controls as they are now
    switch (command) {
    case BrumeFocusCommand::Next:
    case BrumeFocusCommand::Previous:
        move(panel, command == BrumeFocusCommand::Next ? 1 : -1);
        break;
    case BrumeFocusCommand::First:
    case BrumeFocusCommand::Last:
        if (focused_kind(panel) == BrumeControlKind::Keys) {
            deliver_key(panel);
        } else if (focused_kind(panel) != BrumeControlKind::None) {
            const bool first = command == BrumeFocusCommand::First;
            go_to(panel, next_spot(panel, first ? -1 : panel.spot_count, first ? 1 : -1), 0);
        }
        break;
    case BrumeFocusCommand::NextPart:
    case BrumeFocusCommand::PreviousPart:
        go_to_part(panel, command == BrumeFocusCommand::NextPart ? 1 : -1);
        break;
    case BrumeFocusCommand::Enter:
        enter(panel);
        break;
    case BrumeFocusCommand::Leave:
        end_change(panel);
        brume_focus_leave(panel);
        brume_lay_out_once(panel);
        break;
    case BrumeFocusCommand::Press:
        end_change(panel);
        press_or_type(panel);
        break;
    case BrumeFocusCommand::Type:
        end_change(panel);
        type_first(panel);
        break;
    case BrumeFocusCommand::Arrow:
        follow_arrow(panel);
        break;
    case BrumeFocusCommand::EndChange:
        end_change(panel);
        break;
    case BrumeFocusCommand::Close:
        close(panel);
        break;
    case BrumeFocusCommand::Deliver:
        deliver_key(panel);
        break;
    case BrumeFocusCommand::Reset:
    case BrumeFocusCommand::SetKey:
        end_change(panel);
        press_in_row(panel, command == BrumeFocusCommand::Reset ? " reset" : " key");
        break;
    case BrumeFocusCommand::None:
        break;
    }
    return true;
}
