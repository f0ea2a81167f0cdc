// The select tool in the picture: outlines of the objects, the handles of the selected one, and the change by a drag.
// Drawn behind panel and HUD, above the smoke.
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "viewer/edit/gizmo.h"
#include "viewer/edit/outlines.h"
#include "viewer/edit/select_drag.h"
}
#pragma GCC diagnostic pop

#include <cstdio>
#include <cstring>

namespace
{
const ImU32 shadow = IM_COL32(8, 10, 14, 130);
const ImU32 selected_color = IM_COL32(255, 158, 44, 255);
const ImU32 handle_hovered = IM_COL32(255, 226, 92, 255);
const ImU32 axis_colors[3] = {IM_COL32(235, 72, 78, 255), IM_COL32(112, 196, 58, 255), IM_COL32(64, 140, 250, 255)};
const ImU32 view_color = IM_COL32(236, 240, 246, 255);

struct Canvas {
    ImDrawList *list;
    BrumeScreen screen;
    ImVec2 corner;
    float unit;
};

ImVec2 window_point(const Canvas &canvas, BrumeScreenPoint at)
{
    return ImVec2(canvas.corner.x + at.x, canvas.corner.y + at.y);
}

ImU32 with_alpha(ImU32 color, float alpha)
{
    const ImU32 value = (ImU32)(alpha * (float)(color >> IM_COL32_A_SHIFT & 0xff));
    return (color & ~IM_COL32_A_MASK) | value << IM_COL32_A_SHIFT;
}

// whether the angle at `corner` is flat enough for a mitered joint, which is long at a sharp one
bool is_flat(const ImVec2 &from, const ImVec2 &corner, const ImVec2 &to)
{
    const ImVec2 a(corner.x - from.x, corner.y - from.y);
    const ImVec2 b(to.x - corner.x, to.y - corner.y);
    return a.x * b.x + a.y * b.y > 0.5f * std::hypot(a.x, a.y) * std::hypot(b.x, b.y);
}

// Draws every `step`-th line. Lines that continue at the end of the previous one are drawn as one polyline, so that
// joints are covered once.
void draw_lines(const Canvas &canvas, const BrumeVec3 (*ends)[2], int count, int step, ImU32 color, float width)
{
    static ImVec2 chain[BRUME_MAX_OUTLINE + 1];
    int length = 0;
    for (int n = 0; n < count; n += step) {
        BrumeScreenPoint points[2];
        if (!brume_screen_project_line(&canvas.screen, ends[n][0], ends[n][1], points)) {
            continue;
        }
        const ImVec2 from = window_point(canvas, points[0]);
        const ImVec2 to = window_point(canvas, points[1]);
        const bool goes_on = length > 1 && from.x == chain[length - 1].x && from.y == chain[length - 1].y &&
                             is_flat(chain[length - 2], from, to);
        if (!goes_on) {
            canvas.list->AddPolyline(chain, length, color, 0, width);
            chain[0] = from;
            length = 1;
        }
        chain[length++] = to;
    }
    canvas.list->AddPolyline(chain, length, color, 0, width);
}

void draw_outline(const BrumePanel &panel, const Canvas &canvas, BrumeObject object)
{
    const BrumeSelectTool &tool = panel.controls->select;
    const bool selected = brume_same_object(object, tool.selected);
    const bool hovered = brume_same_object(object, tool.hovered);
    static const ImU32 colors[] = {0, IM_COL32(255, 214, 170, 200), IM_COL32(196, 206, 220, 170),
                                   IM_COL32(255, 240, 170, 220)};
    const bool off = !brume_object_is_on(panel.controls, object);
    const ImU32 color = selected ? selected_color : hovered ? IM_COL32(255, 255, 255, 255) : colors[object.kind];
    const float width = (selected || hovered ? 2.0f : 1.25f) * canvas.unit;
    const BrumePose pose = brume_object_pose(panel.controls, object);
    static BrumeOutline outline;
    brume_object_outline(panel.controls, &pose, &canvas.screen, &outline);
    if (off && !selected) { // dashed
        draw_lines(canvas, outline.ends, outline.count, 2, with_alpha(shadow, 0.4f), width + 2.0f * canvas.unit);
        draw_lines(canvas, outline.ends, outline.count, 2, color, width);
    } else {
        draw_lines(canvas, outline.ends, outline.count, 1, shadow, width + 2.0f * canvas.unit);
        draw_lines(canvas, outline.ends, outline.count, 1, color, width);
    }
}

// the color of the handle's axis; a plane has the color of the axis orthogonal to it
ImU32 handle_color(BrumeGizmoHandle handle)
{
    return handle == BRUME_HANDLE_VIEW ? view_color
           : handle >= BRUME_HANDLE_YZ ? axis_colors[(int)handle - (int)BRUME_HANDLE_YZ]
                                       : axis_colors[(int)handle - (int)BRUME_HANDLE_X];
}

// draws the flat tip of the arrow of an axis, or the square of a scale
void draw_tip(const Canvas &canvas, const BrumeGizmo &gizmo, BrumeGizmoHandle handle, ImU32 color)
{
    BrumeScreenPoint corners[4];
    ImVec2 points[4];
    const int count = brume_gizmo_tip(&gizmo, handle, &canvas.screen, corners);
    for (int n = 0; n < count; n++) {
        points[n] = window_point(canvas, corners[n]);
    }
    if (count > 0) {
        canvas.list->AddPolyline(points, count, shadow, ImDrawFlags_Closed, 2.5f * canvas.unit);
        canvas.list->AddConvexPolyFilled(points, count, color);
    }
}

void draw_plane(const Canvas &canvas, const BrumeVec3 lines[4][2], ImU32 color, bool hot)
{
    ImVec2 corners[4];
    for (int n = 0; n < 4; n++) {
        BrumeScreenPoint at;
        if (!brume_screen_project(&canvas.screen, lines[n][0], &at)) {
            return;
        }
        corners[n] = window_point(canvas, at);
    }
    canvas.list->AddConvexPolyFilled(corners, 4, with_alpha(color, hot ? 0.75f : 0.4f));
    canvas.list->AddPolyline(corners, 4, color, ImDrawFlags_Closed, 1.25f * canvas.unit);
}

void draw_handle(const BrumePanel &panel, const Canvas &canvas, const BrumeGizmo &gizmo, BrumeGizmoHandle handle)
{
    const BrumeSelectTool &tool = panel.controls->select;
    const bool hot = tool.handle == handle;
    if (tool.dragging && !hot) {
        return; // only the dragged handle
    }
    const ImU32 color = hot ? handle_hovered : handle_color(handle);
    BrumeVec3 lines[BRUME_MAX_HANDLE_LINES][2];
    const int count = brume_gizmo_lines(&gizmo, handle, lines);
    const bool is_axis = handle <= BRUME_HANDLE_Z;
    const bool is_ring = is_axis && gizmo.mode == BRUME_GIZMO_TURN;
    const bool is_plane = !is_axis && handle != BRUME_HANDLE_VIEW;
    const float width = (handle == BRUME_HANDLE_VIEW ? 1.75f : hot ? 3.5f : 2.5f) * canvas.unit;
    if (is_plane) {
        draw_plane(canvas, lines, color, hot);
        return;
    }
    BrumeVec3 front[BRUME_MAX_HANDLE_LINES][2];
    BrumeVec3 back[BRUME_MAX_HANDLE_LINES][2];
    int front_count = 0;
    int back_count = 0;
    for (int n = 0; n < count; n++) {
        const bool behind = is_ring && !brume_gizmo_is_in_front(&gizmo, lines[n][0]);
        memcpy(behind ? back[back_count++] : front[front_count++], lines[n], sizeof lines[n]);
    }
    draw_lines(canvas, back, back_count, 1, with_alpha(color, 0.25f), 1.25f * canvas.unit);
    draw_lines(canvas, front, front_count, 1, shadow, width + 2.0f * canvas.unit);
    draw_lines(canvas, front, front_count, 1, color, width);
    if (is_axis && !is_ring) {
        draw_tip(canvas, gizmo, handle, color);
    }
}

void draw_gizmo(const BrumePanel &panel, const Canvas &canvas)
{
    const BrumeControls *controls = panel.controls;
    BrumeGizmo gizmo;
    if (!brume_gizmo_of(controls, controls->select.selected, brume_select_mode(controls), &canvas.screen, &gizmo)) {
        return;
    }
    static const BrumeGizmoHandle order[] = {BRUME_HANDLE_YZ, BRUME_HANDLE_ZX, BRUME_HANDLE_XY,  BRUME_HANDLE_X,
                                             BRUME_HANDLE_Y,  BRUME_HANDLE_Z,  BRUME_HANDLE_VIEW};
    for (const BrumeGizmoHandle handle : order) {
        if (gizmo.has[handle]) {
            draw_handle(panel, canvas, gizmo, handle);
        }
    }
}

// draws a line of text on a dark background next to a point of the picture
void draw_label(const Canvas &canvas, float x, float y, const char *text)
{
    const ImVec2 size = ImGui::CalcTextSize(text);
    const float gap = 6.0f * canvas.unit;
    const float most_x = canvas.corner.x + canvas.screen.width - size.x - 2.0f * gap;
    const float most_y = canvas.corner.y + canvas.screen.height - size.y - 2.0f * gap;
    const ImVec2 at(std::fmin(canvas.corner.x + x + 3.0f * gap, most_x),
                    std::fmin(canvas.corner.y + y + 2.0f * gap, most_y));
    canvas.list->AddRectFilled(ImVec2(at.x - gap, at.y - 0.5f * gap),
                               ImVec2(at.x + size.x + gap, at.y + size.y + 0.5f * gap), IM_COL32(16, 18, 22, 225),
                               4.0f * canvas.unit);
    canvas.list->AddText(at, IM_COL32(240, 243, 247, 255), text);
}
} // namespace

void brume_draw_selection(BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    const BrumeSelectTool &tool = controls.select;
    if (!tool.active) {
        return;
    }
    const BrumePictureArea &area = panel.readouts->area;
    const Canvas canvas = {ImGui::GetBackgroundDrawList(),
                           {panel.readouts->camera, area.width, area.height, area.scale},
                           ImVec2(area.left, area.top),
                           panel.unit};
    canvas.list->PushClipRect(canvas.corner, ImVec2(area.left + area.width, area.top + area.height));
    for (int pass = 0; pass < 2; pass++) { // the selected object and the one under the pointer last
        for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
            for (int n = 0; n < brume_object_count(&controls, (BrumeObjectKind)kind); n++) {
                const BrumeObject object = {(BrumeObjectKind)kind, n};
                const bool last = brume_same_object(object, tool.selected) || brume_same_object(object, tool.hovered);
                if (last == (pass == 1) && brume_object_exists(&controls, object)) {
                    draw_outline(panel, canvas, object);
                }
            }
        }
    }
    draw_gizmo(panel, canvas);
    if (tool.dragging && tool.drag_text[0]) {
        draw_label(canvas, tool.drag_x, tool.drag_y, tool.drag_text);
    } else if (brume_object_exists(&controls, tool.hovered) && !brume_same_object(tool.hovered, tool.selected)) {
        char name[48];
        brume_object_name(&controls, tool.hovered, name, sizeof name);
        const ImVec2 mouse = ImGui::GetMousePos();
        draw_label(canvas, mouse.x - area.left, mouse.y - area.top, name);
    }
    canvas.list->PopClipRect();
}
