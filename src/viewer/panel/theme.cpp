// Colors, sizes, fonts and pictograms of the panel.
#include "viewer/panel/panel_internal.h"

#include <initializer_list>
#include <math.h>
#include <unistd.h>

ImU32 brume_dim_text, brume_bright_text, brume_accent, brume_on_accent, brume_changed, brume_alarm;

static const float text_points = 14.0f;

// sets the colors of the dark theme, or of the light one with darker accents, on which text is light
static void set_palette(bool light)
{
    brume_dim_text = light ? IM_COL32(84, 92, 104, 255) : IM_COL32(150, 160, 173, 255);
    brume_bright_text = light ? IM_COL32(26, 30, 36, 255) : IM_COL32(228, 232, 238, 255);
    brume_accent = light ? IM_COL32(22, 108, 140, 255) : IM_COL32(92, 168, 196, 255);
    brume_on_accent = light ? IM_COL32(248, 250, 252, 255) : IM_COL32(12, 16, 20, 255);
    brume_changed = light ? IM_COL32(150, 84, 8, 255) : IM_COL32(232, 176, 104, 255);
    brume_alarm = light ? IM_COL32(186, 36, 26, 255) : IM_COL32(240, 98, 84, 255);
}

// returns a slightly blue gray of the dark theme, or its counterpart of the light one
static ImVec4 tinted_gray(bool light, float value, float alpha)
{
    if (light) {
        const float bright = 1.06f - 1.25f * value;
        return ImVec4(0.985f * bright, bright, std::fmin(1.015f * bright, 1.0f), alpha);
    }
    return ImVec4(0.92f * value, 0.98f * value, 1.1f * value, alpha);
}

static ImVec4 accent(float alpha)
{
    ImVec4 color = ImGui::ColorConvertU32ToFloat4(brume_accent);
    color.w = alpha;
    return color;
}

static void set_colors(ImVec4 *colors, bool light)
{
    const auto gray = [light](float value, float alpha = 1.0f) { return tinted_gray(light, value, alpha); };
    colors[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(brume_bright_text);
    colors[ImGuiCol_TextDisabled] = ImGui::ColorConvertU32ToFloat4(brume_dim_text);
    colors[ImGuiCol_WindowBg] = gray(0.085f);
    colors[ImGuiCol_ChildBg] = gray(0.0f, 0.0f);
    colors[ImGuiCol_PopupBg] = gray(0.11f, 0.98f);
    colors[ImGuiCol_Border] = gray(0.25f, 0.5f);
    colors[ImGuiCol_FrameBg] = gray(0.145f);
    colors[ImGuiCol_FrameBgHovered] = gray(0.19f);
    colors[ImGuiCol_FrameBgActive] = gray(0.22f);
    colors[ImGuiCol_ScrollbarBg] = gray(0.0f, 0.0f);
    colors[ImGuiCol_ScrollbarGrab] = gray(0.25f);
    colors[ImGuiCol_ScrollbarGrabHovered] = gray(0.33f);
    colors[ImGuiCol_ScrollbarGrabActive] = gray(0.4f);
    colors[ImGuiCol_CheckMark] = accent(1.0f);
    colors[ImGuiCol_Button] = gray(0.17f);
    colors[ImGuiCol_ButtonHovered] = gray(0.24f);
    colors[ImGuiCol_ButtonActive] = gray(0.3f);
    colors[ImGuiCol_Header] = gray(0.155f);
    colors[ImGuiCol_HeaderHovered] = gray(0.2f);
    colors[ImGuiCol_HeaderActive] = gray(0.22f);
    colors[ImGuiCol_Separator] = gray(0.2f);
    colors[ImGuiCol_Tab] = gray(0.13f);
    colors[ImGuiCol_TabHovered] = gray(0.24f);
    colors[ImGuiCol_TabActive] = gray(0.22f);
    colors[ImGuiCol_TextSelectedBg] = accent(0.35f);
    colors[ImGuiCol_PlotHistogram] = accent(0.5f); // the bars of jobs, with text on them
    colors[ImGuiCol_NavHighlight] = accent(1.0f);
}

static ImFont *load_font(const char *path, float pixels)
{
    static const ImWchar glyphs[] = {0x20, 0x17f, 0x2010, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212, 0};
    return access(path, R_OK) == 0 ? ImGui::GetIO().Fonts->AddFontFromFileTTF(path, pixels, nullptr, glyphs) : nullptr;
}

static ImFont *load_dejavu(const char *name, float pixels)
{
    static const char *const folders[] = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF",
                                          "/usr/share/fonts/dejavu", "/usr/share/fonts/dejavu-sans-fonts",
                                          "/usr/local/share/fonts/dejavu"};
    for (const char *folder : folders) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        ImFont *font = load_font(path, pixels);
        if (font) {
            return font;
        }
    }
    return nullptr;
}

void brume_theme_apply(BrumePanel &panel)
{
    const float pixels_per_point = panel.pixels_per_point * panel.ui_scale;
    set_palette(panel.light);
    ImGuiIO &io = ImGui::GetIO();
    const float pixels = std::round(text_points * pixels_per_point);
    panel.text = load_dejavu("DejaVuSans.ttf", pixels);
    panel.bold = panel.text ? load_dejavu("DejaVuSans-Bold.ttf", pixels) : nullptr;
    if (!panel.text) {
        ImFontConfig config;
        config.SizePixels = std::round(13.0f * pixels_per_point);
        panel.text = io.Fonts->AddFontDefault(&config);
    }
    panel.bold = panel.bold ? panel.bold : panel.text;
    io.FontGlobalScale = 1.0f / panel.pixels_per_unit;
    panel.unit = pixels_per_point / panel.pixels_per_unit;

    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = ImVec2(12.0f, 12.0f);
    style.FramePadding = ImVec2(8.0f, 4.0f);
    style.ItemSpacing = ImVec2(6.0f, 4.0f);
    style.ItemInnerSpacing = ImVec2(6.0f, 4.0f);
    style.IndentSpacing = 12.0f;
    style.ScrollbarSize = 9.0f;
    style.GrabMinSize = 9.0f;
    style.WindowRounding = 8.0f;
    style.FrameRounding = 5.0f;
    style.PopupRounding = 6.0f;
    style.GrabRounding = 4.0f;
    style.TabRounding = 5.0f;
    style.ScrollbarRounding = 5.0f;
    style.WindowBorderSize = 0.0f;
    style.PopupBorderSize = 1.0f;
    style.DisabledAlpha = panel.light ? 0.68f : 0.57f; // a contrast of about 3 of labels
    style.ScaleAllSizes(panel.unit);
    set_colors(style.Colors, panel.light);
}

// Draws a triangle with corners in any order: ImGui smooths the edges only of triangles with clockwise corners.
static void draw_triangle(ImDrawList *list, ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color)
{
    const bool clockwise = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0.0f;
    list->AddTriangleFilled(a, clockwise ? b : c, clockwise ? c : b, color);
}

// draws two arrows one after the other around a rectangle
static void draw_loop(ImDrawList *list, ImVec2 middle, float r, ImU32 color)
{
    for (const float side : {1.0f, -1.0f}) {
        const auto at = [&](float x, float y) { return ImVec2(middle.x + side * x * r, middle.y + side * y * r); };
        list->PathLineTo(at(-1.05f, 0.2f));
        list->PathBezierCubicCurveTo(at(-1.05f, -0.6f), at(-1.0f, -0.6f), at(-0.55f, -0.6f), 8);
        list->PathLineTo(at(0.45f, -0.6f));
        list->PathStroke(color, 0, 0.24f * r);
        draw_triangle(list, at(0.45f, -1.1f), at(1.1f, -0.6f), at(0.45f, -0.1f), color);
    }
}

// draws an open ring with an arrow head at its end
static void draw_circular_arrow(ImDrawList *list, ImVec2 middle, float radius, ImU32 color, bool clockwise, float open)
{
    const float pi = 3.14159265f;
    const float from = clockwise ? -0.5f * pi + open : -0.5f * pi - open;
    const float to = clockwise ? from + 2.0f * pi - 1.6f * open : from - 2.0f * pi + 1.6f * open;
    list->PathArcTo(middle, radius, from, to, 24);
    list->PathStroke(color, 0, 0.22f * radius);
    const float r = 0.55f * radius;
    const float direction = clockwise ? -1.0f : 1.0f;
    const ImVec2 tip(middle.x + radius * std::cos(from), middle.y + radius * std::sin(from));
    const ImVec2 ahead(-direction * std::sin(from) * -1.0f, direction * std::cos(from) * -1.0f);
    const ImVec2 out(std::cos(from), std::sin(from));
    draw_triangle(list, ImVec2(tip.x - ahead.x * r * 1.3f, tip.y - ahead.y * r * 1.3f),
                  ImVec2(tip.x + out.x * r, tip.y + out.y * r), ImVec2(tip.x - out.x * r, tip.y - out.y * r), color);
}

void brume_draw_icon(BrumeIcon icon, ImVec2 middle, float radius, ImU32 color)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float x = middle.x;
    const float y = middle.y;
    const float r = radius;
    switch (icon) {
    case BrumeIcon::Play:
        list->AddTriangleFilled(ImVec2(x - 0.7f * r, y - r), ImVec2(x + r, y), ImVec2(x - 0.7f * r, y + r), color);
        break;
    case BrumeIcon::Pause:
        list->AddRectFilled(ImVec2(x - 0.8f * r, y - r), ImVec2(x - 0.2f * r, y + r), color, 0.1f * r);
        list->AddRectFilled(ImVec2(x + 0.2f * r, y - r), ImVec2(x + 0.8f * r, y + r), color, 0.1f * r);
        break;
    case BrumeIcon::Step:
        list->AddTriangleFilled(ImVec2(x - r, y - r), ImVec2(x + 0.4f * r, y), ImVec2(x - r, y + r), color);
        list->AddRectFilled(ImVec2(x + 0.45f * r, y - r), ImVec2(x + 0.95f * r, y + r), color, 0.1f * r);
        break;
    case BrumeIcon::StepBack:
        list->AddTriangleFilled(ImVec2(x + r, y - r), ImVec2(x + r, y + r), ImVec2(x - 0.4f * r, y), color);
        list->AddRectFilled(ImVec2(x - 0.95f * r, y - r), ImVec2(x - 0.45f * r, y + r), color, 0.1f * r);
        break;
    case BrumeIcon::Loop:
        draw_loop(list, middle, r, color);
        break;
    case BrumeIcon::Backwards:
        list->AddTriangleFilled(ImVec2(x + 0.05f * r, y - 0.9f * r), ImVec2(x + 0.05f * r, y + 0.9f * r),
                                ImVec2(x - r, y), color);
        list->AddTriangleFilled(ImVec2(x + r, y - 0.9f * r), ImVec2(x + r, y + 0.9f * r), ImVec2(x, y), color);
        break;
    case BrumeIcon::GoOn: // a branch that leaves a line
        list->AddLine(ImVec2(x - 0.95f * r, y + 0.7f * r), ImVec2(x + 0.95f * r, y + 0.7f * r), color, 0.22f * r);
        list->AddBezierCubic(ImVec2(x - 0.8f * r, y + 0.7f * r), ImVec2(x - 0.1f * r, y + 0.6f * r),
                             ImVec2(x - 0.5f * r, y - 0.45f * r), ImVec2(x + 0.3f * r, y - 0.45f * r), color,
                             0.24f * r);
        list->AddTriangleFilled(ImVec2(x + 0.2f * r, y - 1.0f * r), ImVec2(x + 1.0f * r, y - 0.45f * r),
                                ImVec2(x + 0.2f * r, y + 0.1f * r), color);
        break;
    case BrumeIcon::ToEnd:
        list->AddTriangleFilled(ImVec2(x - 1.0f * r, y - 0.9f * r), ImVec2(x - 0.2f * r, y),
                                ImVec2(x - 1.0f * r, y + 0.9f * r), color);
        list->AddTriangleFilled(ImVec2(x - 0.2f * r, y - 0.9f * r), ImVec2(x + 0.6f * r, y),
                                ImVec2(x - 0.2f * r, y + 0.9f * r), color);
        list->AddRectFilled(ImVec2(x + 0.6f * r, y - 0.9f * r), ImVec2(x + 0.95f * r, y + 0.9f * r), color, 0.1f * r);
        break;
    case BrumeIcon::Restart:
        draw_circular_arrow(list, middle, 0.85f * r, color, true, 0.55f);
        break;
    case BrumeIcon::Undo:
    case BrumeIcon::Redo: {
        const float direction = icon == BrumeIcon::Undo ? 1.0f : -1.0f;
        list->PathLineTo(ImVec2(x - direction * 0.35f * r, y - 0.45f * r)); // from the base of the head
        list->PathBezierCubicCurveTo(ImVec2(x + direction * 1.2f * r, y - 0.6f * r),
                                     ImVec2(x + direction * 1.2f * r, y + 0.9f * r),
                                     ImVec2(x - direction * 0.3f * r, y + 0.85f * r), 16);
        list->PathStroke(color, 0, 0.24f * r);
        draw_triangle(list, ImVec2(x - direction * 1.05f * r, y - 0.45f * r),
                      ImVec2(x - direction * 0.35f * r, y - 1.0f * r), ImVec2(x - direction * 0.35f * r, y + 0.1f * r),
                      color);
        break;
    }
    case BrumeIcon::Camera:
        list->AddRectFilled(ImVec2(x - 1.1f * r, y - 0.6f * r), ImVec2(x + 1.1f * r, y + 0.85f * r), color, 0.25f * r);
        list->AddRectFilled(ImVec2(x - 0.4f * r, y - 0.95f * r), ImVec2(x + 0.4f * r, y - 0.5f * r), color, 0.1f * r);
        list->AddCircleFilled(ImVec2(x, y + 0.12f * r), 0.45f * r, ImGui::GetColorU32(ImGuiCol_Button));
        break;
    case BrumeIcon::Record:
        list->AddCircleFilled(middle, 0.8f * r, color);
        break;
    case BrumeIcon::Eye:
    case BrumeIcon::ClosedEye: {
        const ImVec2 left(x - 1.15f * r, y);
        const ImVec2 right(x + 1.15f * r, y);
        list->AddBezierQuadratic(left, ImVec2(x, y + 1.5f * r), right, color, 0.2f * r);
        if (icon == BrumeIcon::Eye) {
            list->AddBezierQuadratic(left, ImVec2(x, y - 1.5f * r), right, color, 0.2f * r);
            list->AddCircleFilled(middle, 0.38f * r, color);
        }
        break;
    }
    case BrumeIcon::Solid: // a ball, or its outline alone
        list->AddCircleFilled(middle, 0.8f * r, color);
        break;
    case BrumeIcon::Passable:
        list->AddCircle(middle, 0.8f * r, color, 0, 0.2f * r);
        break;
    case BrumeIcon::Select: // a pointer: its head and its tail
        list->AddTriangleFilled(ImVec2(x - 0.65f * r, y - 1.05f * r), ImVec2(x + 0.85f * r, y + 0.35f * r),
                                ImVec2(x - 0.65f * r, y + 0.95f * r), color);
        list->AddLine(ImVec2(x - 0.05f * r, y + 0.2f * r), ImVec2(x + 0.4f * r, y + 1.15f * r), color, 0.42f * r);
        break;
    }
}
