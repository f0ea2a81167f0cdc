// The editor of a transfer curve: a switch, and a plot whose points are dragged, added and removed.
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float plot_points = 96.0f;               // height
static const float grab_points = 9.0f;                // largest distance at which a point is grabbed
static const float margin = 1.25f;                    // factor of the axes' ends to the largest position and value
static const float steps_per_side = 50.0f;            // steps of the keyboard along a side of the plot
static const float most_at = 1e5f, most_value = 1e4f; // the limits in a scene; the limit of a factor is the lowest

// the plot: its rectangle on the screen, and the position and value at its upper right corner
struct Plot {
    ImVec2 lower, size;
    float at, value;
};

// the position of a point of the curve in the window
static ImVec2 place(const Plot &plot, BrumeCurvePoint point)
{
    return ImVec2(plot.lower.x + plot.size.x * point.at / plot.at,
                  plot.lower.y + plot.size.y * (1.0f - point.value / plot.value));
}

// rounds to three significant digits, so that a scene has short numbers
static float rounded(float value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", (double)value);
    return std::strtof(text, nullptr);
}

static BrumeCurvePoint point_under(const Plot &plot, ImVec2 mouse)
{
    const float across = (mouse.x - plot.lower.x) / plot.size.x;
    const float up = 1.0f - (mouse.y - plot.lower.y) / plot.size.y;
    return {std::fmin(rounded(plot.at * std::fmin(std::fmax(across, 0.0f), 1.0f)), most_at),
            std::fmin(rounded(plot.value * std::fmin(std::fmax(up, 0.0f), 1.0f)), most_value)};
}

// returns the index of the point under the pointer; -1: none
static int find_point(const Plot &plot, const BrumeCurve &curve, ImVec2 mouse, float reach)
{
    int nearest = -1;
    for (int n = 0; n < curve.count; n++) {
        const ImVec2 at = place(plot, curve.points[n]);
        const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance < reach) {
            nearest = n;
            reach = distance;
        }
    }
    return nearest;
}

// moves a point, limited to the range between its neighbors
static void move_point(BrumeCurve &curve, int index, BrumeCurvePoint to)
{
    const bool above = index == 0 || to.at > curve.points[index - 1].at;
    const bool below = index == curve.count - 1 || to.at < curve.points[index + 1].at;
    curve.points[index].at = above && below ? to.at : curve.points[index].at;
    curve.points[index].value = to.value;
}

// adds a point; false without room, or where another point has its position
static bool add_point(BrumeCurve &curve, BrumeCurvePoint point)
{
    int index = 0;
    while (index < curve.count && curve.points[index].at < point.at) {
        index++;
    }
    if (curve.count == BRUME_MAX_CURVE_POINTS || (index < curve.count && curve.points[index].at == point.at)) {
        return false;
    }
    memmove(&curve.points[index + 1], &curve.points[index], (size_t)(curve.count - index) * sizeof curve.points[0]);
    curve.points[index] = point;
    curve.count++;
    return true;
}

// removes a point; unused points are zero, so that equal curves have equal bytes
static void remove_point(BrumeCurve &curve, int index)
{
    curve.count--;
    memmove(&curve.points[index], &curve.points[index + 1], (size_t)(curve.count - index) * sizeof curve.points[0]);
    curve.points[curve.count] = {0.0f, 0.0f};
}

// Handles the keyboard: keys select a point and move it, with Shift by a tenth. Each is one step of the undo history.
static void edit_by_keyboard(BrumePanel &panel, const Plot &plot, BrumeCurve &curve, int &selected, SDL_Keycode key)
{
    const bool ctrl = (panel.focus.key.mod & KMOD_CTRL) != 0;
    const float step = ((panel.focus.key.mod & KMOD_SHIFT) != 0 ? 0.1f : 1.0f) / steps_per_side;
    const int to_right = (key == SDLK_RIGHT ? 1 : 0) - (key == SDLK_LEFT ? 1 : 0);
    const int upwards = (key == SDLK_UP ? 1 : 0) - (key == SDLK_DOWN ? 1 : 0);
    const BrumeCurvePoint present = curve.points[selected];
    bool edited = false;
    if (key == SDLK_INSERT) { // in the middle between this point and its neighbor
        const int other = selected + 1 < curve.count ? selected + 1 : selected - 1;
        const float at = rounded(0.5f * (present.at + curve.points[other].at));
        edited = add_point(curve, {at, rounded(brume_curve_at(&curve, at))});
    } else if (key == SDLK_DELETE && curve.count > 2) {
        remove_point(curve, selected);
        edited = true;
    } else if (key == SDLK_HOME || key == SDLK_END) {
        selected = key == SDLK_HOME ? 0 : curve.count - 1;
    } else if (to_right != 0 && !ctrl) {
        selected = selected + to_right < 0 ? 0 : selected + to_right;
    } else if (to_right != 0 || upwards != 0) {
        const float at = present.at + (float)to_right * step * plot.at;
        const float value = present.value + (float)upwards * step * plot.value;
        move_point(
            curve, selected,
            {std::fmin(std::fmax(rounded(at), 0.0f), most_at), std::fmin(std::fmax(rounded(value), 0.0f), most_value)});
        edited = true;
    }
    selected = selected < curve.count ? selected : curve.count - 1;
    panel.commands->edited = panel.commands->edited || edited;
}

static void draw_plot(const BrumePanel &panel, const Plot &plot, const BrumeCurve &curve, int held)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 upper(plot.lower.x + plot.size.x, plot.lower.y + plot.size.y);
    list->AddRectFilled(plot.lower, upper, ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    list->PushClipRect(plot.lower, upper, true);
    constexpr int SEGMENTS = 96;
    ImVec2 before;
    for (int n = 0; n <= SEGMENTS; n++) {
        const float at = plot.at * (float)n / (float)SEGMENTS;
        const ImVec2 present = place(plot, {at, brume_curve_at(&curve, at)});
        if (n > 0) {
            list->AddLine(before, present, brume_accent, 1.5f * panel.unit);
        }
        before = present;
    }
    for (int n = 0; n < curve.count; n++) {
        list->AddCircleFilled(place(plot, curve.points[n]), 4.0f * panel.unit,
                              n == held ? brume_bright_text : brume_accent);
    }
    list->PopClipRect();
}

// draws the plot, and adds, moves and removes points by mouse and keyboard
static void edit_points(BrumePanel &panel, const char *label, BrumeCurve &curve, const char *what)
{
    ImGui::PushID(label);
    Plot plot = {ImGui::GetCursorScreenPos(),
                 ImVec2(ImGui::GetContentRegionAvail().x - 2.0f * panel.unit, plot_points * panel.unit), 0.0f, 0.0f};
    // the axes do not change while a point is dragged
    float &at = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("at"), 0.0f);
    float &value = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("value"), 0.0f);
    int &held = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("held"), -1);
    if (held < 0 || held >= curve.count) {
        held = -1;
        at = margin * curve.points[curve.count - 1].at;
        value = 0.0f;
        for (int n = 0; n < curve.count; n++) {
            value = std::fmax(value, margin * curve.points[n].value);
        }
        value = value > 0.0f ? value : 1.0f;
    }
    plot.at = at;
    plot.value = value;
    (void)ImGui::InvisibleButton("plot", plot.size,
                                 ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    char name[48];
    (void)snprintf(name, sizeof name, "%s plot", label);
    brume_note_spot(panel, name);
    int &selected = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("selected"), 0);
    selected = selected < curve.count ? selected : curve.count - 1;
    if (const SDL_Keycode key = brume_focus_key(panel)) {
        edit_by_keyboard(panel, plot, curve, selected, key);
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int under = ImGui::IsItemHovered() ? find_point(plot, curve, mouse, grab_points * panel.unit) : -1;
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right) && under >= 0 && curve.count > 2) {
        remove_point(curve, under);
        panel.commands->edited = true;
    } else if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && under < 0) {
        panel.commands->edited = add_point(curve, point_under(plot, mouse)) || panel.commands->edited;
    } else if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        held = under;
    }
    if (held >= 0 && ImGui::IsItemActive()) {
        if (ImGui::GetIO().MouseDelta.x != 0.0f || ImGui::GetIO().MouseDelta.y != 0.0f) {
            move_point(curve, held, point_under(plot, mouse));
        }
    } else if (held >= 0) {
        held = -1;
        panel.commands->edited = true;
    }
    const int marked = held >= 0 ? held : under >= 0 ? under : brume_has_focus(panel) ? selected : -1;
    draw_plot(panel, plot, curve, marked);
    char more[160];
    int used = snprintf(more, sizeof more, "drag a point; double-click adds one, right click removes it");
    if (marked >= 0) {
        const BrumeCurvePoint point = curve.points[marked];
        (void)snprintf(more + used, sizeof more - (size_t)used, "; here %.3g: %.3g", (double)point.at,
                       (double)point.value);
    }
    brume_explain(panel, what, what, more);
    ImGui::PopID();
}

void brume_curve_rows(BrumePanel &panel, const char *label, BrumeCurve &curve, const BrumeCurve &scene,
                      const BrumeCurve &first, const char *doc)
{
    const bool differs = memcmp(&curve, &scene, sizeof curve) != 0;
    bool on = curve.count > 0;
    if (!brume_begin_row(panel, label, differs, ImGui::GetFrameHeight())) {
        return;
    }
    const bool switched = ImGui::Checkbox("##value", &on);
    if (switched) {
        curve = !on ? BrumeCurve{} : scene.count > 0 ? scene : first;
        panel.commands->edited = true;
    }
    if (brume_end_row(panel, label, differs, doc)) {
        curve = scene;
    }
    if (curve.count == 0) {
        return;
    }
    char name[48];
    (void)snprintf(name, sizeof name, "%s smooth", label);
    bool smooth = curve.kind == BRUME_CURVE_SMOOTH;
    if (brume_switch_row(panel, name, &smooth,
                         "Cubics without extrema between the points, otherwise straight lines.")) {
        curve.kind = smooth ? BRUME_CURVE_SMOOTH : BRUME_CURVE_LINEAR;
        panel.commands->edited = true;
    }
    edit_points(panel, label, curve, doc);
}
