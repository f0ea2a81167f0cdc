// The circle of the brush at the pointer, with marks for the mode of the brush.
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "viewer/edit/screen.h"
}
#pragma GCC diagnostic pop

static const float min_radius_points = 3.0f, min_marked_points = 14.0f;

static ImU32 color_of(const BrumePanel &panel, const BrumeBrush &brush)
{
    const BrumeVec3 albedo = brume_controls_look(panel.controls)->smoke[brush.kind].albedo;
    switch (brush.mode) {
    case BRUME_BRUSH_HEAT:
        return brush.temperature < 0.0f ? IM_COL32(120, 200, 255, 255) : IM_COL32(255, 150, 50, 255);
    case BRUME_BRUSH_FUEL:
        return IM_COL32(255, 90, 30, 255);
    case BRUME_BRUSH_PARTICLES:
        return IM_COL32(225, 200, 150, 255);
    case BRUME_BRUSH_PUSH:
        return IM_COL32(110, 230, 130, 255);
    case BRUME_BRUSH_SUCK:
        return IM_COL32(205, 150, 255, 255);
    case BRUME_BRUSH_TWIST:
        return IM_COL32(250, 225, 80, 255);
    case BRUME_BRUSH_ERASE:
        return IM_COL32(255, 110, 110, 255);
    default: // the color of the smoke, half way to white, because smoke may be black
        return ImGui::ColorConvertFloat4ToU32(ImVec4(0.5f + 0.5f * brume_srgb_from_linear(albedo.x),
                                                     0.5f + 0.5f * brume_srgb_from_linear(albedo.y),
                                                     0.5f + 0.5f * brume_srgb_from_linear(albedo.z), 1.0f));
    }
}

static const ImU32 border_color = IM_COL32(0, 0, 0, 120);
static const float line_points = 2.0f, border_points = 4.0f;

// draws a bright line with a dark border, which is visible on bright and on dark pictures
static void draw_lines(ImDrawList *list, const ImVec2 *points, int count, ImU32 color, float unit)
{
    list->AddPolyline(points, count, border_color, 0, border_points * unit);
    list->AddPolyline(points, count, color, 0, line_points * unit);
}

// draws an arrow head whose tip is at `tip`; (x, y) is its unit direction
static void draw_head(ImDrawList *list, ImVec2 tip, float x, float y, float size, ImU32 color, float unit)
{
    const ImVec2 points[] = {ImVec2(tip.x - size * (x - 0.7f * y), tip.y - size * (y + 0.7f * x)), tip,
                             ImVec2(tip.x - size * (x + 0.7f * y), tip.y - size * (y - 0.7f * x))};
    draw_lines(list, points, 3, color, unit);
}

// draws four arrow heads on the circle: inwards, outwards or along it
static void draw_heads(ImDrawList *list, const BrumeBrushCursor &cursor, float radius, float inwards, float along,
                       ImU32 color, float unit)
{
    const float size = std::fmin(0.35f * radius, 10.0f * unit);
    for (int n = 0; n < 4; n++) {
        const float angle = 0.78539816f + 1.57079633f * (float)n;
        const float x = std::cos(angle);
        const float y = std::sin(angle);
        const float at = radius - 0.5f * size * inwards;
        // y points down in the window: counterclockwise is along (y, -x)
        draw_head(list,
                  ImVec2(cursor.x + at * x + 0.5f * size * along * y, cursor.y + at * y - 0.5f * size * along * x),
                  -inwards * x + along * y, -inwards * y - along * x, size, color, unit);
    }
}

void brume_draw_brush_cursor(BrumePanel &panel)
{
    const BrumeBrushCursor &cursor = panel.readouts->brush;
    if (!cursor.shown) {
        return;
    }
    BrumeBrush brush = panel.controls->brush;
    if (ImGui::GetIO().KeyCtrl) {
        brush.mode = BRUME_BRUSH_PUSH;
    }
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float unit = panel.unit;
    const float radius = std::fmax(cursor.radius, min_radius_points * unit);
    const ImU32 color = color_of(panel, brush);
    const int lines = brume_circle_lines(radius);
    list->AddCircle(ImVec2(cursor.x, cursor.y), radius, border_color, lines, border_points * unit);
    list->AddCircle(ImVec2(cursor.x, cursor.y), radius, color, lines, line_points * unit);
    if (radius < min_marked_points * unit) {
        return;
    }
    const float cross = std::fmin(0.25f * radius, 7.0f * unit);
    switch (brush.mode) {
    case BRUME_BRUSH_SUCK:
        draw_heads(list, cursor, radius, brush.suck < 0.0f ? -1.0f : 1.0f, 0.0f, color, unit);
        break;
    case BRUME_BRUSH_TWIST:
        draw_heads(list, cursor, radius, 0.0f, brush.twist < 0.0f ? -1.0f : 1.0f, color, unit);
        break;
    case BRUME_BRUSH_ERASE: {
        const ImVec2 points[] = {ImVec2(cursor.x - cross, cursor.y), ImVec2(cursor.x + cross, cursor.y)};
        draw_lines(list, points, 2, color, unit);
        break;
    }
    case BRUME_BRUSH_PUSH: // the direction of the pointer's motion is not known yet
        for (int n = 0; n < 4; n++) {
            const float x = n == 0 ? 1.0f : n == 1 ? -1.0f : 0.0f;
            const float y = n == 2 ? 1.0f : n == 3 ? -1.0f : 0.0f;
            draw_head(list, ImVec2(cursor.x + 0.7f * radius * x, cursor.y + 0.7f * radius * y), x, y, cross, color,
                      unit);
        }
        break;
    default:
        list->AddCircleFilled(ImVec2(cursor.x, cursor.y), 3.0f * unit, border_color);
        list->AddCircleFilled(ImVec2(cursor.x, cursor.y), 2.0f * unit, color);
        break;
    }
}
