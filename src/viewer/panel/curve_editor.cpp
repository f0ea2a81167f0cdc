// The curve editor at the foot of the window: the list of all curves, and the plot of the keys of the selected one.
#include "viewer/panel/curve_editor.h"

#include "core/vec3.h"

#include <cfloat>
#include <cstdio>
#include <cstring>

static const float bar_points = 30.0f;   // height of the row of buttons
static const float list_points = 160.0f; // width of the list, at most a third of the editor
static const float grab_points = 8.0f;   // distance from which a key is grabbed
static const float least_points = 170.0f;
static const float most_share = 0.7f;
static const float edge_points = 6.0f; // height of the edge that changes the size

static const ImU32 colors[] = {IM_COL32(230, 110, 90, 255),  IM_COL32(95, 175, 95, 255),   IM_COL32(85, 145, 225, 255),
                               IM_COL32(205, 155, 60, 255),  IM_COL32(175, 115, 205, 255), IM_COL32(70, 170, 175, 255),
                               IM_COL32(210, 105, 155, 255), IM_COL32(140, 150, 60, 255)};
enum { COLORS = sizeof colors / sizeof colors[0] };

float brume_curve_editor_height(const BrumePanel &panel, const BrumeControls &controls, float window_height)
{
    if (!controls.curve_editor) {
        return 0.0f;
    }
    const float least = std::fmin(least_points * panel.unit, most_share * window_height);
    return std::round(
        std::fmin(std::fmax(controls.curve_editor_share * window_height, least), most_share * window_height));
}

// the plot: its rectangle on the screen; the times and numbers at its edges are those of BrumeCurveEditor
struct KeyPlot {
    ImVec2 lower, size;
    const BrumeCurveEditor *view;
};

static float x_of(const KeyPlot &plot, double time)
{
    const BrumeCurveEditor &view = *plot.view;
    return plot.lower.x + plot.size.x * (float)((time - view.start) / (view.end - view.start));
}

static float y_of(const KeyPlot &plot, double number)
{
    const BrumeCurveEditor &view = *plot.view;
    return plot.lower.y + plot.size.y * (float)((view.top - number) / (view.top - view.bottom));
}

static double time_at(const KeyPlot &plot, float x)
{
    const BrumeCurveEditor &view = *plot.view;
    return view.start + (view.end - view.start) * (double)((x - plot.lower.x) / plot.size.x);
}

static double number_at(const KeyPlot &plot, float y)
{
    const BrumeCurveEditor &view = *plot.view;
    return view.top - (view.top - view.bottom) * (double)((y - plot.lower.y) / plot.size.y);
}

// shows all keys of a curve, and the time that is shown
static void frame_all(BrumeCurveEditor &view, const BrumeChannel &channel, double present)
{
    double start = std::fmin(present, 0.0);
    double end = std::fmax(present, 1.0);
    double bottom = DBL_MAX;
    double top = -DBL_MAX;
    const int count = brume_channel_keys(channel);
    for (int n = 0; n < count; n++) {
        start = std::fmin(start, brume_channel_key(channel, n).time);
        end = std::fmax(end, brume_channel_key(channel, n).time);
    }
    for (int n = 0; n <= 200; n++) { // a smooth curve exceeds its keys
        const double number = brume_channel_evaluate(channel, start + (end - start) * n / 200.0);
        bottom = std::fmin(bottom, number);
        top = std::fmax(top, number);
    }
    const double height = top - bottom > 1e-9 * (std::fabs(top) + 1e-3) ? top - bottom : std::fabs(top) + 0.1;
    view.start = start - 0.05 * (end - start);
    view.end = end + 0.08 * (end - start);
    view.bottom = bottom - 0.18 * height;
    view.top = top + 0.18 * height;
}

// 1, 2 or 5 times a power of 10, at least `least`
static double round_step(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    const double rest = least / power;
    return power * (rest <= 1.0 ? 1.0 : rest <= 2.0 ? 2.0 : rest <= 5.0 ? 5.0 : 10.0);
}

static void draw_grid(const BrumePanel &panel, const KeyPlot &plot, const char *unit)
{
    const BrumeCurveEditor &view = *plot.view;
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 line = (brume_dim_text & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 55);
    const float size = 0.85f * ImGui::GetFontSize();
    char text[48];
    const double per_point = (view.end - view.start) / (double)plot.size.x;
    const double step = round_step(70.0 * (double)panel.unit * per_point);
    for (double time = std::ceil(view.start / step) * step; time <= view.end; time += step) {
        const float x = x_of(plot, time);
        list->AddLine(ImVec2(x, plot.lower.y), ImVec2(x, plot.lower.y + plot.size.y), line);
        (void)snprintf(text, sizeof text, "%.6g s", std::fabs(time) < 1e-9 * step ? 0.0 : time);
        list->AddText(ImGui::GetFont(), size, ImVec2(x + 3.0f * panel.unit, plot.lower.y + plot.size.y - size),
                      brume_dim_text, text);
    }
    const double rise = round_step(28.0 * (double)panel.unit * (view.top - view.bottom) / (double)plot.size.y);
    for (double number = std::ceil(view.bottom / rise) * rise; number <= view.top; number += rise) {
        const float y = y_of(plot, number);
        const double shown = std::fabs(number) < 1e-9 * rise ? 0.0 : number;
        list->AddLine(ImVec2(plot.lower.x, y), ImVec2(plot.lower.x + plot.size.x, y), line);
        (void)snprintf(text, sizeof text, "%.6g %s", shown, unit);
        if (y < plot.lower.y + plot.size.y - 2.2f * size) {
            list->AddText(ImGui::GetFont(), size, ImVec2(plot.lower.x + 4.0f * panel.unit, y + 1.0f), brume_dim_text,
                          text);
        }
    }
    const float from = x_of(plot, 0.0); // there is no time before 0
    if (from > plot.lower.x) {
        list->AddRectFilled(plot.lower, ImVec2(from, plot.lower.y + plot.size.y), IM_COL32(0, 0, 0, 40));
    }
}

static void draw_curve(const KeyPlot &plot, const BrumeChannel &channel, ImU32 color, float width)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const int segments = (int)(plot.size.x / 3.0f) + 1;
    ImVec2 before;
    for (int n = 0; n <= segments; n++) {
        const float x = plot.lower.x + plot.size.x * (float)n / (float)segments;
        const ImVec2 present(x, y_of(plot, brume_channel_evaluate(channel, time_at(plot, x))));
        if (n > 0) {
            list->AddLine(before, present, color, width);
        }
        before = present;
    }
}

// stores a rectangle that is no item of ImGui for brume_panel_find
static void note_key(BrumePanel &panel, int index, ImVec2 middle, float radius)
{
    if (panel.spot_count < BRUME_PANEL_SPOTS && index < 32) {
        BrumeSpot &spot = panel.spots[panel.spot_count++];
        (void)snprintf(spot.name, sizeof spot.name, "Curves.key %d", index + 1);
        spot.lower = ImVec2(middle.x - radius, middle.y - radius);
        spot.upper = ImVec2(middle.x + radius, middle.y + radius);
    }
}

static void draw_keys(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImU32 color)
{
    const BrumeCurveEditor &view = panel.curve_editor;
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float radius = 5.0f * panel.unit;
    for (int n = 0; n < brume_channel_keys(channel); n++) {
        const BrumeValueKey key = brume_channel_key(channel, n);
        const ImVec2 at(x_of(plot, key.time), y_of(plot, key.value));
        const ImVec2 points[4] = {ImVec2(at.x, at.y - radius), ImVec2(at.x + radius, at.y), ImVec2(at.x, at.y + radius),
                                  ImVec2(at.x - radius, at.y)};
        list->AddConvexPolyFilled(points, 4, view.selected[n] ? brume_bright_text : color);
        list->AddPolyline(points, 4, view.selected[n] ? color : brume_bright_text, ImDrawFlags_Closed, 1.0f);
        note_key(panel, n, at, radius);
    }
}

static int key_under(const BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    float reach = grab_points * panel.unit;
    int nearest = -1;
    for (int n = 0; n < brume_channel_keys(channel); n++) {
        const BrumeValueKey key = brume_channel_key(channel, n);
        const float distance = std::hypot(x_of(plot, key.time) - mouse.x, y_of(plot, key.value) - mouse.y);
        if (distance < reach) {
            reach = distance;
            nearest = n;
        }
    }
    return nearest;
}

static void select_none(BrumeCurveEditor &view) { memset(view.selected, 0, sizeof view.selected); }

static void start_drag(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const int key = key_under(panel, plot, channel, mouse);
    const bool adds = ImGui::GetIO().KeyShift || ImGui::GetIO().KeyCtrl;
    if (!adds && (key < 0 || !view.selected[key])) {
        select_none(view);
    }
    if (key >= 0) {
        view.selected[key] = adds ? !view.selected[key] : true;
    }
    view.drags_keys = key >= 0;
    view.drags_box = key < 0;
    view.has_moved = false;
    view.drag_from = mouse;
    for (int n = 0; n < brume_channel_keys(channel); n++) {
        view.before[n] = brume_channel_key(channel, n);
    }
}

// moves the selected keys; those that move to later times first from the last one, so that none stops another
static void drag_keys(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const double later = time_at(plot, mouse.x) - time_at(plot, view.drag_from.x);
    const double higher = number_at(plot, mouse.y) - number_at(plot, view.drag_from.y);
    view.has_moved = view.has_moved || std::hypot(mouse.x - view.drag_from.x, mouse.y - view.drag_from.y) > 2.0f;
    if (!view.has_moved) {
        return;
    }
    const int count = brume_channel_keys(channel);
    for (int i = 0; i < count; i++) {
        const int n = later > 0.0 ? count - 1 - i : i;
        if (view.selected[n]) {
            double time = view.before[n].time + later;
            time = std::round(time * 1e4) / 1e4; // short numbers in the scene
            brume_channel_move(channel, n, later == 0.0 ? view.before[n].time : time, view.before[n].value + higher);
        }
    }
}

static void select_box(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const ImVec2 lower(std::fmin(mouse.x, view.drag_from.x), std::fmin(mouse.y, view.drag_from.y));
    const ImVec2 upper(std::fmax(mouse.x, view.drag_from.x), std::fmax(mouse.y, view.drag_from.y));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(lower, upper, (brume_accent & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 40));
    list->AddRect(lower, upper, brume_accent);
    for (int n = 0; n < brume_channel_keys(channel); n++) {
        const BrumeValueKey key = brume_channel_key(channel, n);
        const float x = x_of(plot, key.time);
        const float y = y_of(plot, key.value);
        view.selected[n] = x >= lower.x && x <= upper.x && y >= lower.y && y <= upper.y;
    }
}

static void add_key(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    const double time = std::round(std::fmax(time_at(plot, mouse.x), 0.0) * 1e4) / 1e4;
    if (brume_channel_add(channel, time, number_at(plot, mouse.y))) {
        select_none(panel.curve_editor);
        panel.curve_editor.drags_keys = panel.curve_editor.drags_box = false;
        panel.commands->edited = true;
    }
}

static void remove_selected(BrumePanel &panel, const BrumeChannel &channel)
{
    BrumeCurveEditor &view = panel.curve_editor;
    for (int n = brume_channel_keys(channel) - 1; n >= 0; n--) {
        if (view.selected[n]) {
            panel.commands->edited = true;
            if (!brume_channel_remove(channel, n)) {
                view.active[0] = '\0';
                break;
            }
        }
    }
    select_none(view);
}

static void zoom_and_pan(BrumeCurveEditor &view, const KeyPlot &plot)
{
    const ImGuiIO &io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && std::fabs(io.MouseWheel) > 0.0f) {
        const double factor = std::pow(0.85, (double)io.MouseWheel);
        const double time = time_at(plot, io.MousePos.x);
        const double number = number_at(plot, io.MousePos.y);
        if (!io.KeyShift && view.end - view.start > 1e-3 / factor) {
            view.start = time + (view.start - time) * factor;
            view.end = time + (view.end - time) * factor;
        }
        if (!io.KeyCtrl && view.top - view.bottom > 1e-9 / factor) {
            view.bottom = number + (view.bottom - number) * factor;
            view.top = number + (view.top - number) * factor;
        }
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) {
        view.pans = true;
    }
    view.pans = view.pans && ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    if (view.pans) {
        const double later = -(double)io.MouseDelta.x * (view.end - view.start) / (double)plot.size.x;
        const double higher = (double)io.MouseDelta.y * (view.top - view.bottom) / (double)plot.size.y;
        view.start += later;
        view.end += later;
        view.bottom += higher;
        view.top += higher;
    }
}

static void edit_keys(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    zoom_and_pan(view, plot);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
        key_under(panel, plot, channel, mouse) < 0) {
        add_key(panel, plot, channel, mouse);
    } else if (ImGui::IsItemActivated()) {
        start_drag(panel, plot, channel, mouse);
    }
    if (ImGui::IsItemActive() && view.drags_keys) {
        drag_keys(panel, plot, channel, mouse);
    } else if (ImGui::IsItemActive() && view.drags_box) {
        select_box(panel, plot, channel, mouse);
    }
    if (ImGui::IsItemDeactivated()) {
        panel.commands->edited = panel.commands->edited || (view.drags_keys && view.has_moved);
        view.drags_keys = view.drags_box = false;
    }
}

static void draw_plot(BrumePanel &panel, int active)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    const ImVec2 upper(corner.x + size.x, corner.y + size.y);
    (void)ImGui::InvisibleButton("##plot", size);
    brume_note_spot(panel, "plot");
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(corner, upper, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    if (active < 0) {
        const char *text = "no keys yet: a diamond in the panel sets one (I)";
        const ImVec2 extent = ImGui::CalcTextSize(text);
        list->AddText(ImVec2(corner.x + std::fmax(0.5f * (size.x - extent.x), 6.0f * panel.unit),
                             corner.y + 0.5f * (size.y - extent.y)),
                      brume_dim_text, text);
        return;
    }
    const KeyPlot plot = {corner, size, &view};
    BrumeControls &controls = *panel.controls;
    list->PushClipRect(corner, upper, true);
    const BrumeChannel channel = brume_channel_at(controls, active);
    draw_grid(panel, plot, brume_channel_unit(channel));
    for (int n = 0; n < brume_channel_count(controls); n++) {
        if (n != active) {
            draw_curve(plot, brume_channel_at(controls, n),
                       (colors[n % COLORS] & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 70), 1.0f * panel.unit);
        }
    }
    edit_keys(panel, plot, channel);
    draw_curve(plot, channel, colors[active % COLORS], 2.0f * panel.unit);
    const float present = x_of(plot, panel.readouts->time);
    list->AddLine(ImVec2(present, corner.y), ImVec2(present, upper.y), brume_accent, 1.5f * panel.unit);
    draw_keys(panel, plot, channel, colors[active % COLORS]);
    list->PopClipRect();
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
                                                  colors[n % COLORS], 1.0f);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 9.0f * panel.unit);
        if (ImGui::Selectable(name, n == active)) {
            (void)snprintf(view.active, sizeof view.active, "%s", name);
            view.needs_frame = true;
            select_none(view);
        }
        brume_note_spot(panel, name);
        ImGui::PopID();
    }
}

// the index of the selected curve; of the first one where there is none; -1 without curves
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
        select_none(view);
    }
    return count > 0 ? 0 : -1;
}

// a field in which a number is typed; returns whether it was entered
static bool number_field(BrumePanel &panel, const char *label, double *number, const char *doc)
{
    ImGui::SameLine();
    ImGui::SetNextItemWidth(74.0f * panel.unit);
    ImGui::PushID(label);
    char format[16];
    (void)snprintf(format, sizeof format, "%s %%.5g", label);
    const bool entered = ImGui::InputDouble("##number", number, 0.0, 0.0, format, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopID();
    brume_note_spot(panel, label);
    brume_explain(panel, label, doc);
    return entered;
}

// time and number of the selected key
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
        const bool has_time = number_field(panel, "t", &key.time, "Time of the selected key [s], with Enter.");
        if (number_field(panel, "v", &key.value, "Value of the selected key, with Enter.") || has_time) {
            brume_channel_move(channel, selected, key.time, key.value);
            panel.commands->edited = true;
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
        int kind = (int)channel.value->interpolation;
        if (ImGui::Combo("##interpolation", &kind, words, 3)) {
            channel.value->interpolation = (BrumeKeyInterpolation)kind;
            panel.commands->edited = true;
        }
        brume_note_spot(panel, "interpolation");
        brume_explain(panel, words,
                      "How the value changes between keys: along a Catmull-Rom spline, straight, or not.");
    }
    draw_fields(panel, channel);
}

static void draw_edge(BrumePanel &panel, float width)
{
    (void)ImGui::InvisibleButton("##edge", ImVec2(width, edge_points * panel.unit));
    brume_note_spot(panel, "edge");
    const bool active = ImGui::IsItemActive();
    if (active || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        const ImVec2 lower = ImGui::GetItemRectMin();
        ImGui::GetWindowDrawList()->AddRectFilled(lower, ImVec2(lower.x + width, lower.y + 2.0f * panel.unit),
                                                  brume_accent);
    }
    if (active) {
        const float height = ImGui::GetIO().DisplaySize.y;
        const float share = (height - panel.foot - ImGui::GetIO().MousePos.y) / height;
        panel.controls->curve_editor_share = std::fmin(std::fmax(share, 0.15f), most_share);
    }
}

// the point of the window at which a position is seen; false where it is behind the camera
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

// the path of the camera in the picture, with a tick at each key
static void draw_path(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    const BrumeCameraPath &path = controls.camera_path;
    if (path.count < 2 || controls.follow_path) { // from on the path it is not seen
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
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
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
            frame_all(view, brume_channel_at(*panel.controls, active), panel.readouts->time);
        }
        view.needs_frame = false;
        draw_plot(panel, active);
        ImGui::EndChild();
        if (view.deletes && active >= 0) {
            remove_selected(panel, brume_channel_at(*panel.controls, active));
        }
        view.deletes = false;
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    panel.section = "";
}

bool brume_panel_takes_key(BrumePanel *panel, const void *event)
{
    const SDL_Event &sdl_event = *static_cast<const SDL_Event *>(event);
    BrumeCurveEditor &view = panel->curve_editor;
    if (sdl_event.type != SDL_KEYDOWN || !view.hovered) {
        return false;
    }
    const SDL_Keysym &key = sdl_event.key.keysym;
    const bool has_modifier = (key.mod & (KMOD_CTRL | KMOD_ALT | KMOD_SHIFT | KMOD_GUI)) != 0;
    const bool frames = key.sym == SDLK_f && !has_modifier;
    const bool deletes = key.sym == SDLK_DELETE || key.sym == SDLK_BACKSPACE;
    view.needs_frame = view.needs_frame || frames;
    view.deletes = view.deletes || deletes;
    panel->has_change = panel->has_change || frames || deletes;
    return frames || deletes;
}
