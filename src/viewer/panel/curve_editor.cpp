// The curve editor at the foot of the window: the list of all curves, and the plot of the keys of the selected one.
#include "viewer/panel/curve_editor.h"

#include "core/vec3.h"

#include <cfloat>
#include <cstdio>
#include <cstring>

static const float bar_points = 30.0f;   // height of the row of buttons
static const float list_points = 160.0f; // width of the list, at most a third of the editor
static const float least_points = 170.0f;
static const float least_share = 0.15f, most_share = 0.7f;
static const float share_per_key = 0.02f;
static const float least_number_points = 74.0f; // least width of a field
static const float edge_points = 6.0f;          // height of the edge that changes the size

float brume_curve_editor_height(const BrumePanel &panel, const BrumeControls &controls, float window_height)
{
    if (!controls.curve_editor) {
        return 0.0f;
    }
    const float least = std::fmin(least_points * panel.unit, most_share * window_height);
    return std::round(
        std::fmin(std::fmax(controls.curve_editor_share * window_height, least), most_share * window_height));
}

static void draw_list(BrumePanel &panel, int active)
{
    BrumeCurveEditor &view = panel.curve_editor;
    BrumeControls &controls = *panel.controls;
    for (int n = 0; n < brume_channel_count(controls); n++) {
        const BrumeChannel channel = brume_channel_at(controls, n);
        char name[BRUME_ANIMATION_PATH];
        brume_channel_name(channel, name, sizeof name);
        ImGui::PushID(n);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float height = ImGui::GetTextLineHeight();
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(corner.x, corner.y + 0.2f * height),
                                                  ImVec2(corner.x + 4.0f * panel.unit, corner.y + 0.9f * height),
                                                  brume_curve_color(view, channel), 1.0f);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 9.0f * panel.unit);
        char title[BRUME_ANIMATION_PATH];
        brume_channel_title(channel, title, sizeof title);
        if (ImGui::Selectable(title, n == active)) {
            (void)snprintf(view.active, sizeof view.active, "%s", name);
            view.needs_frame = true;
            brume_curve_select_none(view);
        }
        brume_note_spot(panel, name);
        ImGui::PopID();
    }
}

// returns the index of the selected curve, of the first one where none is selected, -1 without curves
static int find_active(BrumePanel &panel)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const int count = brume_channel_count(*panel.controls);
    char name[BRUME_ANIMATION_PATH];
    for (int n = 0; n < count; n++) {
        brume_channel_name(brume_channel_at(*panel.controls, n), name, sizeof name);
        if (strcmp(name, view.active) == 0) {
            return n;
        }
    }
    if (count > 0) {
        brume_channel_name(brume_channel_at(*panel.controls, 0), view.active, sizeof view.active);
        view.needs_frame = true;
        brume_curve_select_none(view);
    }
    return count > 0 ? 0 : -1;
}

// draws a field for a typed number; returns whether it was entered
static bool number_field(BrumePanel &panel, const char *label, double *number, const char *unit, const char *doc)
{
    ImGui::SameLine();
    char text[BRUME_PARAMETER_TEXT + 32];
    char format[BRUME_PARAMETER_TEXT + 16];
    (void)snprintf(text, sizeof text, "%s %.5g %s", label, *number, unit);
    (void)snprintf(format, sizeof format, "%s %%.5g %s", label, unit);
    const float width = ImGui::CalcTextSize(text).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(std::fmax(width, least_number_points * panel.unit));
    ImGui::PushID(label);
    const bool entered = ImGui::InputDouble("##number", number, 0.0, 0.0, format, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopID();
    panel.focus.next_kind = BrumeControlKind::Text;
    brume_note_spot(panel, label);
    brume_explain(panel, label, doc);
    return entered;
}

// reports a key that could not be set to the typed time and value
static void report_moved(BrumePanel &panel, BrumeValueKey typed, BrumeValueKey moved, const char *unit)
{
    const bool has_time = std::fabs(moved.time - typed.time) < BRUME_KEY_DISTANCE;
    const bool has_value = std::fabs(moved.value - typed.value) <= 1e-4 * std::fabs(typed.value);
    if (!has_time || !has_value) {
        (void)snprintf(panel.commands->message, sizeof panel.commands->message,
                       "the key is at %.5g s with %.5g%s%s: between its neighbors, and in the range of its setting",
                       moved.time, moved.value, unit[0] ? " " : "", unit);
    }
}

// draws the fields for time and number of the selected key
static void draw_fields(BrumePanel &panel, const BrumeChannel &channel)
{
    BrumeCurveEditor &view = panel.curve_editor;
    int selected = -1;
    int count = 0;
    for (int n = 0; n < brume_channel_keys(channel); n++) {
        selected = view.selected[n] ? n : selected;
        count += view.selected[n];
    }
    if (count == 1) {
        BrumeValueKey key = brume_channel_key(channel, selected);
        char unit[BRUME_PARAMETER_TEXT];
        brume_channel_unit(channel, unit);
        const bool has_time = number_field(panel, "t", &key.time, "s", "Time of the selected key [s], with Enter.");
        if (number_field(panel, "v", &key.value, unit, "Value of the selected key, with Enter.") || has_time) {
            brume_channel_move(channel, selected, key.time, key.value);
            panel.commands->edited = true;
            report_moved(panel, key, brume_channel_key(channel, selected), unit);
        }
    }
    ImGui::BeginDisabled(count == 0);
    ImGui::SameLine();
    if (ImGui::Button("delete")) {
        view.deletes = true;
    }
    brume_note_spot(panel, "delete");
    brume_explain(panel, &view.deletes, "Deletes the selected keys (Delete, with the pointer over the curves).");
    ImGui::EndDisabled();
}

// draws the row above the plot: buttons, and the fields of the selected key
static void draw_bar(BrumePanel &panel, int active)
{
    BrumeCurveEditor &view = panel.curve_editor;
    if (ImGui::Button("close")) {
        panel.controls->curve_editor = false;
    }
    brume_note_spot(panel, "close");
    brume_explain(panel, "close", "Closes the curve editor (F6).");
    if (active < 0) {
        return;
    }
    ImGui::SameLine();
    if (ImGui::Button("frame all")) {
        view.needs_frame = true;
    }
    brume_note_spot(panel, "frame all");
    brume_explain(
        panel, "frame all",
        "Shows all keys of the curve (F, with the pointer over it). The wheel zooms, with Ctrl the time alone, "
        "with Shift the value; the middle button moves the view. A double-click adds a key, a drag selects.");
    const BrumeChannel channel = brume_channel_at(*panel.controls, active);
    if (channel.value) {
        static const char *const words[] = {"smooth", "linear", "hold"};
        ImGui::SameLine();
        ImGui::SetNextItemWidth(82.0f * panel.unit);
        BrumeKeyInterpolation &present = channel.value->interpolation;
        if (ImGui::BeginCombo("##interpolation", words[present])) {
            for (int kind = 0; kind < 3; kind++) {
                if (ImGui::Selectable(words[kind], kind == (int)present)) {
                    present = (BrumeKeyInterpolation)kind;
                    panel.commands->edited = true;
                }
                brume_note_spot(panel, words[kind]);
            }
            ImGui::EndCombo();
        }
        brume_note_spot(panel, "interpolation");
        brume_explain(panel, words,
                      "How the value changes between keys: along a Catmull-Rom spline, straight, or not.");
    }
    draw_fields(panel, channel);
}

// draws the upper edge of the editor, by which the pointer and the arrow keys change its height
static void draw_edge(BrumePanel &panel, float width)
{
    (void)ImGui::InvisibleButton("##edge", ImVec2(std::fmax(width, 1.0f), edge_points * panel.unit));
    brume_note_spot(panel, "edge");
    const SDL_Keycode key = brume_focus_key(panel);
    const bool active = ImGui::IsItemActive();
    if (key == SDLK_UP || key == SDLK_DOWN) {
        const float share = panel.controls->curve_editor_share + (key == SDLK_UP ? share_per_key : -share_per_key);
        panel.controls->curve_editor_share = std::fmin(std::fmax(share, least_share), most_share);
    }
    if (active || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        const ImVec2 lower = ImGui::GetItemRectMin();
        ImGui::GetWindowDrawList()->AddRectFilled(lower, ImVec2(lower.x + width, lower.y + 2.0f * panel.unit),
                                                  brume_accent);
    }
    if (active) {
        const float height = ImGui::GetIO().DisplaySize.y;
        const float share = (height - panel.foot - ImGui::GetIO().MousePos.y) / height;
        panel.controls->curve_editor_share = std::fmin(std::fmax(share, least_share), most_share);
    }
}

// projects a position to the window; false where it is behind the camera
static bool project(const BrumeCamera &camera, const BrumePictureArea &area, BrumeVec3 position, ImVec2 &point)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(&camera, &right, &up, &forward);
    const BrumeVec3 offset = brume_sub(position, camera.position);
    const float depth = brume_dot(offset, forward);
    const bool parallel = camera.projection == BRUME_ORTHOGRAPHIC;
    const float half =
        parallel ? 0.5f * camera.height : depth * std::tan(0.5f * camera.field_of_view * 3.14159265f / 180.0f);
    const float scale = 0.5f * area.height / half;
    point = ImVec2(area.left + 0.5f * area.width + brume_dot(offset, right) * scale,
                   area.top + 0.5f * area.height - brume_dot(offset, up) * scale);
    return depth > 1e-3f;
}

// draws the path of the camera in the picture, with a tick at each key
static void draw_path(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    const BrumeCameraPath &path = controls.camera_path;
    if (path.count < 2 || controls.follow_path) { // a camera on the path does not see it
        return;
    }
    const BrumePictureArea &area = panel.readouts->area;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->PushClipRect(ImVec2(area.left, area.top), ImVec2(area.left + area.width, area.top + area.height));
    ImVec2 before;
    bool seen_before = false;
    constexpr int SEGMENTS = 400;
    const double first = path.keys[0].time;
    const double last = path.keys[path.count - 1].time;
    for (int n = 0; n <= SEGMENTS; n++) {
        const BrumeCamera camera =
            brume_controls_scene_camera(&controls, panel.scene, first + (last - first) * n / SEGMENTS);
        ImVec2 point;
        const bool seen = project(controls.camera, area, camera.position, point);
        if (seen && seen_before) {
            list->AddLine(before, point, brume_accent, 1.5f * panel.unit);
        }
        before = point;
        seen_before = seen;
    }
    for (int n = 0; n < path.count; n++) {
        const BrumeCamera camera = brume_controls_scene_camera(&controls, panel.scene, path.keys[n].time);
        ImVec2 point;
        if (project(controls.camera, area, camera.position, point)) {
            list->AddCircleFilled(point, 3.0f * panel.unit, brume_bright_text);
            list->AddCircle(point, 3.0f * panel.unit, brume_accent);
        }
    }
    list->PopClipRect();
}

void brume_draw_curve_editor(BrumePanel &panel, float left)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const float unit = panel.unit;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float height = brume_curve_editor_height(panel, *panel.controls, window.y);
    const ImVec2 corner(left, window.y - panel.foot - height);
    const ImVec2 extent(window.x - left, height);
    draw_path(panel);
    ImGui::SetNextWindowPos(corner);
    ImGui::SetNextWindowSize(extent);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8.0f * unit, 0.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(5.0f * unit, 3.0f * unit));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                   ImGuiWindowFlags_NoScrollWithMouse;
    panel.section = "Curves";
    view.hovered = false;
    if (ImGui::Begin("##curves", nullptr, flags)) {
        panel.covered[panel.covered_count][0] = corner;
        panel.covered[panel.covered_count][1] = ImVec2(corner.x + extent.x, corner.y + extent.y);
        panel.covered_count++;
        view.hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
        draw_edge(panel, extent.x - 16.0f * unit);
        const int active = find_active(panel);
        draw_bar(panel, active);
        const float list_width = std::fmin(list_points * unit, 0.33f * extent.x);
        const float below = extent.y - (bar_points + edge_points + 4.0f) * unit;
        ImGui::BeginChild("##list", ImVec2(list_width, below));
        draw_list(panel, active);
        ImGui::EndChild();
        ImGui::SameLine();
        ImGui::BeginChild("##plot area", ImVec2(0.0f, below), false, ImGuiWindowFlags_NoScrollWithMouse);
        if (view.needs_frame && active >= 0) {
            brume_curve_frame_all(view, brume_channel_at(*panel.controls, active), panel.readouts->time);
        }
        view.needs_frame = false;
        brume_draw_curve_plot(panel, active);
        ImGui::EndChild();
        if (view.deletes && active >= 0) {
            brume_curve_remove_selected(panel, brume_channel_at(*panel.controls, active));
        }
        view.deletes = false;
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    panel.section = "";
}

bool brume_curve_editor_takes_key(BrumePanel &panel, const SDL_Keysym &key)
{
    BrumeCurveEditor &view = panel.curve_editor;
    if (!view.hovered) {
        return false;
    }
    const bool has_modifier = (key.mod & (KMOD_CTRL | KMOD_ALT | KMOD_SHIFT | KMOD_GUI)) != 0;
    const bool frames = key.sym == SDLK_f && !has_modifier;
    const bool deletes = key.sym == SDLK_DELETE || key.sym == SDLK_BACKSPACE;
    view.needs_frame = view.needs_frame || frames;
    view.deletes = view.deletes || deletes;
    panel.has_change = panel.has_change || frames || deletes;
    return frames || deletes;
}
