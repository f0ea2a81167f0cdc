// The keyboard focus: keys that go from control to control, press them and change their values. ImGui 1.86 stops with
// Tab at numbers and texts only, and changes values as long as a key is held, however long a layout takes. Here Tab
// goes to every control, by a request for the item after or before the present one, and every press of a key is one
// step: it is down for a single layout (focus_commands.cpp).
#include "viewer/panel/focus.h"

#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstring>
#include <imgui_internal.h>

static const char *const parts[] = {"##panel", "##curves", "##timeline"}; // windows of ImGui, in their order
static_assert(sizeof parts / sizeof parts[0] == BRUME_PANEL_PARTS);

ImGuiWindow *brume_find_part(int part)
{
    ImGuiWindow *window = ImGui::FindWindowByName(parts[part]);
    return window && window->WasActive ? window : nullptr;
}

ImGuiWindow *brume_root_window(ImGuiWindow *window)
{
    while (window && window->ParentWindow && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0) {
        window = window->ParentWindow;
    }
    return window;
}

bool brume_is_part(const ImGuiWindow *window)
{
    for (int part = 0; part < BRUME_PANEL_PARTS; part++) {
        if (window && window == brume_find_part(part)) {
            return true;
        }
    }
    return false;
}

void brume_focus_leave(BrumePanel &panel)
{
    panel.focus.active = panel.focus.until_dialog = panel.focus.explains = false;
    panel.focus.releases = true;
    panel.focus.changed = 0;
    panel.focus.name[0] = '\0';
}

void brume_focus_note_press(BrumePanel &panel, bool on_panel)
{
    if (panel.focus.active && !on_panel) {
        brume_focus_leave(panel);
    }
}

void brume_focus_before_frame(BrumePanel &panel)
{
    ImGuiIO &io = ImGui::GetIO();
    // while text is typed, the arrows are those of the field
    const bool navigates = panel.focus.active && !io.WantTextInput;
    io.ConfigFlags = navigates ? io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard
                               : io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

void brume_focus_after_new_frame(BrumePanel &panel)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    BrumeKeyboardFocus &focus = panel.focus;
    focus.is_text = focus.has_keys = false;
    if (focus.releases) {
        ImGui::ClearActiveID();
        focus.releases = false;
    }
    if (focus.requests && g.NavWindow) {
        // also of controls that ImGui's Tab omits, without its activation of what is found
        ImGui::NavMoveRequestSubmit(ImGuiDir_None, focus.direction < 0 ? ImGuiDir_Up : ImGuiDir_Down,
                                    ImGuiNavMoveFlags_Tabbing | ImGuiNavMoveFlags_FocusApi, ImGuiScrollFlags_None);
        g.NavTabbingDir = focus.direction;
        g.NavTabbingResultFirst.Clear();
        g.NavTabbingCounter = -1;
    }
}

static float area_of(const BrumeSpot &spot) { return (spot.upper.x - spot.lower.x) * (spot.upper.y - spot.lower.y); }

// the name of the focused control, or that of the smallest one that contains it, as a vector its numbers
static void find_name(BrumePanel &panel, const ImGuiWindow *window)
{
    BrumeKeyboardFocus &focus = panel.focus;
    const ImGuiID control = ImGui::GetCurrentContext()->NavId;
    const ImVec2 middle(0.5f * (focus.lower.x + focus.upper.x), 0.5f * (focus.lower.y + focus.upper.y));
    const BrumeSpot *best = nullptr;
    for (int n = 0; n < panel.spot_count && !(best && best->id == control); n++) {
        const BrumeSpot &spot = panel.spots[n];
        const bool contains = spot.window == window->ID && middle.x >= spot.lower.x && middle.x < spot.upper.x &&
                              middle.y >= spot.lower.y && middle.y < spot.upper.y;
        if (spot.id == control || (contains && (!best || area_of(spot) < area_of(*best)))) {
            best = &spot;
        }
    }
    (void)snprintf(focus.name, sizeof focus.name, "%s", best ? best->name : "");
}

static void draw_outline(const BrumePanel &panel, ImGuiWindow *window)
{
    const float unit = panel.unit;
    const float gap = 1.5f * unit;
    const ImVec2 lower(panel.focus.lower.x - gap, panel.focus.lower.y - gap);
    const ImVec2 upper(panel.focus.upper.x + gap, panel.focus.upper.y + gap);
    ImDrawList *list = ImGui::GetForegroundDrawList();
    const ImRect clip = window->OuterRectClipped;
    list->PushClipRect(clip.Min, clip.Max);
    const float rounding = ImGui::GetStyle().FrameRounding + gap;
    list->AddRect(lower, upper, ImGui::GetColorU32(ImGuiCol_WindowBg), rounding, 0, 4.0f * unit);
    list->AddRect(lower, upper, brume_bright_text, rounding, 0, 2.0f * unit);
    list->PopClipRect();
}

void brume_focus_after_layout(BrumePanel &panel)
{
    ImGuiContext &g = *ImGui::GetCurrentContext();
    BrumeKeyboardFocus &focus = panel.focus;
    if (focus.requests) {
        focus.requests = false;
        ImGui::NavMoveRequestCancel(); // its results stay
    }
    if (focus.until_dialog && panel.dialog.purpose == BRUME_CHOOSE_NOTHING) {
        brume_focus_leave(panel);
    }
    focus.is_alive = focus.active && g.NavIdIsAlive && g.NavWindow != nullptr;
    focus.name[0] = '\0';
    if (!focus.is_alive) {
        return;
    }
    ImGuiWindow *window = g.NavWindow;
    focus.window = brume_is_part(brume_root_window(window)) ? brume_root_window(window)->ID : focus.window;
    const ImRect rect = ImGui::WindowRectRelToAbs(window, window->NavRectRel[g.NavLayer]);
    focus.lower = rect.Min;
    focus.upper = rect.Max;
    find_name(panel, window);
    draw_outline(panel, window);
}

bool brume_focus_is_used(const BrumePanel &panel)
{
    return panel.focus.active && ImGui::GetCurrentContext()->NavDisableMouseHover;
}

void brume_identify_item(ImGuiID &item, ImGuiID &window)
{
    item = ImGui::GetItemID();
    window = ImGui::GetCurrentContext()->CurrentWindow->ID;
}

bool brume_menu_key(const BrumePanel &panel)
{
    return panel.focus.delivered == SDLK_APPLICATION && brume_has_focus(panel);
}

bool brume_has_focus(const BrumePanel &panel)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    if (!panel.focus.active || !g.NavIdIsAlive || !g.NavWindow || g.NavWindow != g.CurrentWindow) {
        return false;
    }
    const ImRect rect = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
    return ImRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()).Contains(rect.GetCenter());
}

bool brume_text_field(BrumePanel &panel, const char *hint, char *text, size_t size, bool with_enter, const char *name)
{
    const bool entered =
        ImGui::InputTextWithHint(name, hint, text, size, with_enter ? ImGuiInputTextFlags_EnterReturnsTrue : 0);
    panel.typed_text = ImGui::IsItemActive() ? ImGui::GetItemID() : panel.typed_text;
    panel.focus.is_text = panel.focus.is_text || ImGui::GetItemID() == ImGui::GetCurrentContext()->NavId;
    return entered;
}

SDL_Keycode brume_focus_key(BrumePanel &panel)
{
    if (!panel.focus.active || ImGui::GetItemID() != ImGui::GetCurrentContext()->NavId) {
        return 0;
    }
    panel.focus.has_keys = true;
    return panel.focus.delivered;
}
