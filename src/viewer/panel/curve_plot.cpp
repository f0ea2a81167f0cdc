// The plot of the curve editor: the keys of the selected curve, which the pointer and the keys of the keyboard move.
#include "viewer/panel/curve_editor.h"

#include <cfloat>
#include <cstdio>
#include <cstring>

static const float grab_points = 8.0f;     // largest distance at which a key is grabbed
static const double steps_per_side = 50.0; // number of steps along a side of the plot by which the keyboard moves a key

static const ImU32 colors[] = {IM_COL32(230, 110, 90, 255),  IM_COL32(95, 175, 95, 255),   IM_COL32(85, 145, 225, 255),
                               IM_COL32(205, 155, 60, 255),  IM_COL32(175, 115, 205, 255), IM_COL32(70, 170, 175, 255),
                               IM_COL32(210, 105, 155, 255), IM_COL32(140, 150, 60, 255)};
enum { COLORS = sizeof colors / sizeof colors[0] };

ImU32 brume_curve_color(BrumeCurveEditor &view, const BrumeChannel &channel)
{
    char name[BRUME_ANIMATION_PATH];
    brume_channel_name(channel, name, sizeof name);
    int n = 0;
    while (n < view.colored_count && strcmp(view.colored[n], name) != 0) {
        n++;
    }
    if (n == view.colored_count) { // a new curve has the next color
        n = n == BRUME_COLORED_CURVES ? 0 : n;
        memcpy(view.colored[n], name, sizeof name);
        view.colored_count = n + 1;
    }
    return colors[n % COLORS];
}

// the plot: its rectangle on the screen; BrumeCurveEditor has the times and numbers at its edges
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
void brume_curve_frame_all(BrumeCurveEditor &view, const BrumeChannel &channel, double present)
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

// returns 1, 2 or 5 times a power of 10, at least `least`
static double round_step(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    const double rest = least / power;
    return power * (rest <= 1.0 ? 1.0 : rest <= 2.0 ? 2.0 : rest <= 5.0 ? 5.0 : 10.0);
}

static const float label_scale = 0.85f;
static const float gap_points = 4.0f; // between an axis and its numbers

// returns the n-th number along an axis from `first` on, at multiples of `step`
static double tick(double first, double step, int n)
{
    const double number = (std::ceil(first / step) + n) * step;
    return std::fabs(number) < 1e-9 * step ? 0.0 : number;
}

// the numbers along the axis of values, with their unit
struct ValueAxis {
    double step;
    const char *unit;
};

static void value_label(const ValueAxis &axis, double number, char text[64])
{
    (void)snprintf(text, 64, "%.6g%s%s", number, axis.unit[0] ? " " : "", axis.unit);
}

// the numbers of the axis are at least 28 points apart
static ValueAxis value_axis(const BrumePanel &panel, float height, const char *unit)
{
    const BrumeCurveEditor &view = panel.curve_editor;
    const double per_point = (view.top - view.bottom) / (double)std::fmax(height, 1.0f);
    return {round_step(28.0 * (double)panel.unit * per_point), unit};
}

// returns the width of the widest number along the axis
static float label_width(const BrumePanel &panel, const ValueAxis &axis)
{
    const BrumeCurveEditor &view = panel.curve_editor;
    float widest = 0.0f;
    for (int n = 0; tick(view.bottom, axis.step, n) <= view.top; n++) {
        char text[64];
        value_label(axis, tick(view.bottom, axis.step, n), text);
        widest = std::fmax(widest, label_scale * ImGui::CalcTextSize(text).x);
    }
    return widest;
}

static void draw_values(const BrumePanel &panel, const KeyPlot &plot, const ValueAxis &axis, ImU32 line)
{
    const BrumeCurveEditor &view = *plot.view;
    const float size = label_scale * ImGui::GetFontSize();
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int n = 0; tick(view.bottom, axis.step, n) <= view.top; n++) {
        const double number = tick(view.bottom, axis.step, n);
        const float y = y_of(plot, number);
        char text[64];
        value_label(axis, number, text);
        const float left = plot.lower.x - gap_points * panel.unit - label_scale * ImGui::CalcTextSize(text).x;
        list->AddLine(ImVec2(plot.lower.x, y), ImVec2(plot.lower.x + plot.size.x, y), line);
        list->AddText(ImGui::GetFont(), size, ImVec2(left, y - 0.5f * size), brume_bright_text, text);
    }
}

// Draws the axis of time with the numbers of frames, or seconds where frames have no constant rate.
static void draw_frames(const BrumePanel &panel, const KeyPlot &plot, ImU32 line)
{
    const BrumeCurveEditor &view = *plot.view;
    const BrumeReadouts &readouts = *panel.readouts;
    const bool has_timeline = readouts.timeline.shown || readouts.timeline.kept;
    const double rate = brume_frame_rate(panel);
    const bool has_frames = rate > 0.0 && std::isfinite(rate);
    const double scale = has_frames ? rate : 1.0;
    const double present = has_timeline ? readouts.timeline.position : readouts.frame;
    const double at_start = has_frames ? std::round(present - readouts.time * rate) : 0.0; // the number at time 0
    const double first = view.start * scale + at_start;
    const double last = view.end * scale + at_start;
    const double least = round_step(48.0 * (double)panel.unit * (last - first) / (double)plot.size.x);
    const double step = has_frames ? std::fmax(least, 1.0) : least;
    const float size = label_scale * ImGui::GetFontSize();
    const float top = plot.lower.y + plot.size.y;
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int n = 0; tick(first, step, n) <= last; n++) {
        const double number = tick(first, step, n);
        const float x = x_of(plot, (number - at_start) / scale);
        char text[32];
        (void)snprintf(text, sizeof text, has_frames ? "%.0f" : "%.6g s", number);
        const float width = label_scale * ImGui::CalcTextSize(text).x;
        const float left = std::fmin(x - 0.5f * width, plot.lower.x + plot.size.x - width);
        list->AddLine(ImVec2(x, plot.lower.y), ImVec2(x, top), line);
        list->AddText(ImGui::GetFont(), size, ImVec2(left, top + 0.5f * gap_points * panel.unit), brume_bright_text,
                      text);
    }
    const char *name = has_frames ? "frame" : "time";
    const float width = label_scale * ImGui::CalcTextSize(name).x;
    const float left = std::fmax(plot.lower.x - 2.0f * gap_points * panel.unit - width, ImGui::GetWindowPos().x);
    list->AddText(ImGui::GetFont(), size, ImVec2(left, top + 0.5f * gap_points * panel.unit), brume_dim_text, name);
}

// draws the axes on the left and below, with lines through the plot at their numbers
static void draw_axes(const BrumePanel &panel, const KeyPlot &plot, const ValueAxis &values)
{
    const ImVec2 corner(plot.lower.x, plot.lower.y + plot.size.y);
    const ImU32 line = (brume_dim_text & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 55);
    ImDrawList *list = ImGui::GetWindowDrawList();
    draw_values(panel, plot, values, line);
    draw_frames(panel, plot, line);
    list->AddLine(plot.lower, corner, brume_dim_text, panel.unit);
    list->AddLine(corner, ImVec2(plot.lower.x + plot.size.x, corner.y), brume_dim_text, panel.unit);
    const float from = std::fmin(x_of(plot, 0.0), plot.lower.x + plot.size.x); // there is no time before 0
    if (from > plot.lower.x) {
        list->AddRectFilled(plot.lower, ImVec2(from, corner.y), IM_COL32(0, 0, 0, 40));
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

// registers the rectangle of a key, which is no item of ImGui, for brume_panel_find
static void note_key(BrumePanel &panel, int index, ImVec2 middle, float radius)
{
    if (panel.spot_count < BRUME_PANEL_SPOTS && index < 32) {
        BrumeSpot &spot = panel.spots[panel.spot_count++];
        (void)snprintf(spot.name, sizeof spot.name, "Curves.key %d", index + 1);
        spot.lower = ImVec2(middle.x - radius, middle.y - radius);
        spot.upper = ImVec2(middle.x + radius, middle.y + radius);
        spot.visible = true;
        spot.kind = BrumeControlKind::None;
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

void brume_curve_select_none(BrumeCurveEditor &view) { memset(view.selected, 0, sizeof view.selected); }

// returns the time of the nearest frame, at least 0; with Shift the time itself as a short number
static double snapped(const BrumePanel &panel, double time)
{
    const double fps = brume_frame_rate(panel);
    const bool free = ImGui::GetIO().KeyShift || !(fps > 0.0) || std::isinf(fps);
    return std::fmax(free ? std::round(time * 1e4) / 1e4 : std::round(time * fps) / fps, 0.0);
}

static void start_drag(BrumePanel &panel, const KeyPlot &plot, const BrumeChannel &channel, ImVec2 mouse)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const int key = key_under(panel, plot, channel, mouse);
    const bool adds = ImGui::GetIO().KeyShift || ImGui::GetIO().KeyCtrl;
    if (!adds && (key < 0 || !view.selected[key])) {
        brume_curve_select_none(view);
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

// moves the selected keys, starting with the last one in the direction of motion, so that none blocks another
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
            const double time = later == 0.0 ? view.before[n].time : snapped(panel, view.before[n].time + later);
            brume_channel_move(channel, n, time, view.before[n].value + higher);
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
    BrumeCurveEditor &view = panel.curve_editor;
    const double time = snapped(panel, time_at(plot, mouse.x));
    if (brume_channel_add(channel, time, number_at(plot, mouse.y))) {
        brume_curve_select_none(view);
        for (int n = 0; n < brume_channel_keys(channel); n++) {
            const double distance = brume_channel_key(channel, n).time - time;
            view.selected[n] = std::fabs(distance) < 0.5 * BRUME_KEY_DISTANCE;
        }
        view.drags_keys = view.drags_box = false;
        panel.commands->edited = true;
    }
}

void brume_curve_remove_selected(BrumePanel &panel, const BrumeChannel &channel)
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
    brume_curve_select_none(view);
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

// Handles the keyboard: keys select a key of the curve and move it, with Shift by a tenth of a step. Each motion is one
// step of the undo history.
static void edit_by_keyboard(BrumePanel &panel, const BrumeChannel &channel, SDL_Keycode key)
{
    BrumeCurveEditor &view = panel.curve_editor;
    const int count = brume_channel_keys(channel);
    const bool ctrl = (panel.focus.key.mod & KMOD_CTRL) != 0;
    const double step = ((panel.focus.key.mod & KMOD_SHIFT) != 0 ? 0.1 : 1.0) / steps_per_side;
    int selected = 0;
    while (selected < count && !view.selected[selected]) {
        selected++;
    }
    const int to_right = (key == SDLK_RIGHT ? 1 : 0) - (key == SDLK_LEFT ? 1 : 0);
    const int upwards = (key == SDLK_UP ? 1 : 0) - (key == SDLK_DOWN ? 1 : 0);
    if (key == SDLK_INSERT) {
        const double time = panel.readouts->time;
        panel.commands->edited = brume_channel_add(channel, time, brume_channel_evaluate(channel, time));
        brume_curve_select_none(view);
    } else if (key == SDLK_DELETE) {
        view.deletes = true;
    } else if ((to_right != 0 && !ctrl) || key == SDLK_HOME || key == SDLK_END) {
        const int next = key == SDLK_HOME ? 0 : key == SDLK_END ? count - 1 : selected + to_right;
        brume_curve_select_none(view);
        view.selected[selected == count || next < 0 ? 0 : next >= count ? count - 1 : next] = true;
    } else if ((to_right != 0 || upwards != 0) && selected < count) {
        const BrumeValueKey present = brume_channel_key(channel, selected);
        const double later = (double)to_right * step * (view.end - view.start);
        const double time = to_right != 0 ? std::round((present.time + later) * 1e4) / 1e4 : present.time;
        brume_channel_move(channel, selected, time, present.value + (double)upwards * step * (view.top - view.bottom));
        panel.commands->edited = true;
    }
}

static void draw_no_keys(const BrumePanel &panel, ImVec2 corner, ImVec2 size)
{
    const char *text = "no keys yet: a diamond in the panel sets one (I)";
    const float margin = 6.0f * panel.unit;
    const float wrap = std::fmax(size.x - 2.0f * margin, 1.0f);
    const ImVec2 extent = ImGui::CalcTextSize(text, nullptr, false, wrap);
    ImGui::GetWindowDrawList()->AddText(
        ImGui::GetFont(), ImGui::GetFontSize(),
        ImVec2(corner.x + std::fmax(0.5f * (size.x - extent.x), margin), corner.y + 0.5f * (size.y - extent.y)),
        brume_dim_text, text, nullptr, wrap);
}

void brume_draw_curve_plot(BrumePanel &panel, int active)
{
    BrumeCurveEditor &view = panel.curve_editor;
    BrumeControls &controls = *panel.controls;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float below = active < 0 ? 0.0f : label_scale * ImGui::GetFontSize() + gap_points * panel.unit;
    char unit[BRUME_PARAMETER_TEXT] = "";
    float beside = 0.0f;
    ValueAxis values = {1.0, unit};
    if (active >= 0) {
        brume_channel_unit(brume_channel_at(controls, active), unit);
        values = value_axis(panel, room.y - below, unit);
        beside = std::fmin(label_width(panel, values) + 2.0f * gap_points * panel.unit, 0.5f * room.x);
    }
    const ImVec2 size(std::fmax(room.x - beside, 1.0f), std::fmax(room.y - below, 1.0f)); // a tiny window leaves none
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + beside);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 upper(corner.x + size.x, corner.y + size.y);
    (void)ImGui::InvisibleButton("##plot", size);
    brume_note_spot(panel, "plot");
    const SDL_Keycode key = brume_focus_key(panel);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(corner, upper, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    if (active < 0) {
        draw_no_keys(panel, corner, size);
        return;
    }
    const KeyPlot plot = {corner, size, &view};
    const BrumeChannel channel = brume_channel_at(controls, active);
    const ImU32 color = brume_curve_color(view, channel);
    draw_axes(panel, plot, values);
    list->PushClipRect(corner, upper, true);
    for (int n = 0; n < brume_channel_count(controls); n++) {
        if (n != active) {
            const BrumeChannel other = brume_channel_at(controls, n);
            draw_curve(plot, other, (brume_curve_color(view, other) & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 70),
                       1.0f * panel.unit);
        }
    }
    edit_keys(panel, plot, channel);
    if (key != 0) {
        edit_by_keyboard(panel, channel, key);
    }
    draw_curve(plot, channel, color, 2.0f * panel.unit);
    const float present = x_of(plot, panel.readouts->time);
    list->AddLine(ImVec2(present, corner.y), ImVec2(present, upper.y), brume_accent, 1.5f * panel.unit);
    draw_keys(panel, plot, channel, color);
    list->PopClipRect();
}
