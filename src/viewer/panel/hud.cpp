// The parts that are drawn over the picture: HUD, color scale, messages and divider.
#include "core/vec3.h"
#include "viewer/panel/panel_internal.h"

#include <cfloat>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <math.h>

static const ImGuiWindowFlags overlay_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                              ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                              ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize |
                                              ImGuiWindowFlags_NoMove;
static const float margin_points = 12.0f;
static const float hud_points = 264.0f, short_hud_points = 152.0f;            // least widths
static const float most_hud_width = 1.0f / 3.0f, most_hud_area = 1.0f / 6.0f; // of the picture's; otherwise it is short
static const int hud_lines = 13;
static const float line_gap_points = 2.0f; // between lines of the HUD
static const float activity_points = 340.0f;
static const float scale_points = 240.0f, least_scale_points = 96.0f; // widths of the color scale
static const float message_points = 560.0f;                           // largest width
static const float scale_height_points = 12.0f;
static const float overlay_alpha = 0.82f; // of the background of windows over the picture
static const double message_seconds = 4.0, error_seconds = 8.0, fade_seconds = 0.8;

// places a window in the area of the picture; x and y as fractions of it
static void place_window(BrumePanel &panel, float x, float y, float pivot_x, float pivot_y)
{
    const BrumePictureArea &area = panel.readouts->area;
    const float margin = margin_points * panel.unit;
    ImGui::SetNextWindowPos(ImVec2(area.left + margin + x * (area.width - 2.0f * margin),
                                   area.top + margin + y * (area.height - 2.0f * margin)),
                            ImGuiCond_Always, ImVec2(pivot_x, pivot_y));
    ImGui::SetNextWindowBgAlpha(overlay_alpha);
}

// whether the HUD with all lines would take too much of the picture
static bool is_short(const BrumePanel &panel)
{
    const BrumePictureArea &area = panel.readouts->area;
    const float width = hud_points * panel.unit;
    const float height = (float)hud_lines * (ImGui::GetTextLineHeight() + line_gap_points * panel.unit) +
                         2.0f * ImGui::GetStyle().WindowPadding.y;
    return width > most_hud_width * area.width || width * height > most_hud_area * area.width * area.height;
}

// whether the lines of activities do not fit next to the HUD
static bool is_narrow(const BrumePanel &panel)
{
    const float hud = is_short(panel) ? short_hud_points : hud_points;
    return panel.readouts->area.width < (2.0f * (hud + margin_points) + activity_points) * panel.unit;
}

// returns the width of a window over the picture, limited to the picture's width
static float overlay_width(const BrumePanel &panel, float points)
{
    return std::fmin(points * panel.unit,
                     std::fmax(panel.readouts->area.width - 2.0f * margin_points * panel.unit, 1.0f));
}

__attribute__((format(printf, 3, 4))) static void draw_line(BrumePanel &panel, const char *label, const char *format,
                                                            ...)
{
    char text[96];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    ImGui::SameLine(78.0f * panel.unit);
    ImGui::TextUnformatted(text);
}

static void draw_cells(BrumePanel &panel)
{
    const BrumeGrid &grid = panel.readouts->grid;
    if (grid.nx == 0) { // before the first state
        return;
    }
    draw_line(panel, "cells", "%d × %d × %d = %.0f k", grid.nx, grid.ny, grid.nz,
              1e-3 * (double)brume_grid_cells(grid));
}

static void draw_simulation_lines(BrumePanel &panel)
{
    const BrumeReadouts &readouts = *panel.readouts;
    draw_line(panel, "step", "%.1f ms, %.0f per frame", readouts.sim_ms, readouts.sim_steps);
    draw_line(panel, "speed", "%.2f Mcells/s", readouts.mcells_per_second);
    draw_cells(panel);
    draw_line(panel, "memory", "%.0f MB + %.0f for pictures", 1e-6 * (double)readouts.sim_bytes,
              1e-6 * (double)readouts.picture_bytes);
    const BrumeTimelineReadouts &timeline = readouts.timeline;
    if (timeline.kept && timeline.file_bytes > 0) {
        draw_line(panel, "past", "%d frames, %.1f + %.1f GB", timeline.kept_count, 1e-9 * (double)timeline.bytes,
                  1e-9 * (double)timeline.file_bytes);
    } else if (timeline.kept && timeline.budget > 1000000000) {
        draw_line(panel, "past", "%d frames, %.2f of %.2f GB", timeline.kept_count, 1e-9 * (double)timeline.bytes,
                  1e-9 * (double)timeline.budget);
    } else if (timeline.kept) {
        draw_line(panel, "past", "%d frames, %.0f of %.0f MB", timeline.kept_count, 1e-6 * (double)timeline.bytes,
                  1e-6 * (double)timeline.budget);
    }
    draw_line(panel, "threads", "%d", readouts.threads);
    if (!readouts.converged) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_changed);
    }
    draw_line(panel, "pressure", "%d iteration%s%s", readouts.iterations, readouts.iterations == 1 ? "" : "s",
              readouts.converged ? "" : ", not converged");
    if (!readouts.converged) {
        ImGui::PopStyleColor();
    }
}

static void draw_sequence_lines(BrumePanel &panel)
{
    const BrumeTimelineReadouts &timeline = panel.readouts->timeline;
    const double wanted = timeline.fps / std::fmax(timeline.stride, 1);
    const bool playing = panel.controls->running && timeline.count > 1 && timeline.shown_per_second > 0.0;
    const bool skips = playing && timeline.shown_per_second < 0.85 * wanted;
    if (skips) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_changed);
    }
    if (playing) {
        draw_line(panel, "frames", "%.1f/s of %.4g%s", timeline.shown_per_second, wanted,
                  skips ? ", others skipped" : "");
    } else {
        draw_line(panel, "frames", "%.4g/s", wanted);
    }
    if (skips) {
        ImGui::PopStyleColor();
    }
    draw_line(panel, "reading", "%.0f ms per frame", timeline.read_ms);
    draw_cells(panel);
    draw_line(panel, "memory", "%.0f of %.0f MB, %d frames", 1e-6 * (double)timeline.bytes,
              1e-6 * (double)timeline.budget, timeline.in_memory);
}

// draws the lines of the short HUD
static void draw_short_lines(BrumePanel &panel)
{
    const BrumeReadouts &readouts = *panel.readouts;
    draw_line(panel, "pictures", "%.0f/s", readouts.pictures_per_second);
    if (readouts.timeline.shown) {
        draw_line(panel, "reading", "%.0f ms", readouts.timeline.read_ms);
    } else {
        draw_line(panel, "step", "%.1f ms", readouts.sim_ms);
    }
    draw_line(panel, "time", "%.2f s", readouts.time);
}

/** The edges of the windows over the right part of the picture. */
struct RightParts {
    float left;   ///< left edge of the HUD, or right edge of the picture without one
    float bottom; ///< lower edge of the HUD or of the windows below it, 0 without any
};

// draws the HUD, as wide as its widest line
static RightParts draw_readouts(BrumePanel &panel)
{
    const BrumeReadouts &readouts = *panel.readouts;
    const bool short_hud = is_short(panel);
    place_window(panel, 1.0f, 0.0f, 1.0f, 0.0f);
    ImGui::SetNextWindowSizeConstraints(
        ImVec2(overlay_width(panel, short_hud ? short_hud_points : hud_points), 0.0f),
        ImVec2(std::fmax(readouts.area.width - 2.0f * margin_points * panel.unit, 1.0f), FLT_MAX));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6.0f * panel.unit, line_gap_points * panel.unit));
    const bool open = ImGui::Begin("##hud", nullptr, overlay_flags);
    if (open && short_hud) {
        draw_short_lines(panel);
    } else if (open) {
        draw_line(panel, "pictures", "%.0f/s shown, %.0f/s drawn", readouts.pictures_per_second,
                  readouts.renders_per_second);
        if (readouts.latency_ms > 0.0) {
            draw_line(panel, "latency", "%.0f ms", readouts.latency_ms);
        } else {
            draw_line(panel, "latency", "–");
        }
        if (readouts.timeline.shown) {
            draw_sequence_lines(panel);
        } else {
            draw_simulation_lines(panel);
        }
        draw_line(panel, "time", "%.2f s, frame %d%s", readouts.time, readouts.frame,
                  panel.controls->running ? "" : ", paused");
        draw_line(panel, "picture", "%d × %d, %d ray%s per pixel", readouts.width, readouts.height, readouts.samples,
                  readouts.samples == 1 ? "" : "s");
        draw_line(panel, "draw", "%.0f + %.0f ms", readouts.prepare_ms, readouts.draw_ms);
        // the device's name without the driver's additions in brackets
        const char *name = readouts.renderer ? readouts.renderer : "";
        draw_line(panel, "renderer", "%.*s", (int)std::fmin(strcspn(name, "(/"), 26), name);
    }
    const ImVec2 corner = ImGui::GetWindowPos();
    const RightParts parts = {corner.x, corner.y + ImGui::GetWindowSize().y};
    ImGui::End();
    ImGui::PopStyleVar();
    return parts;
}

static bool has_scale(BrumeViewKind view, bool slice)
{
    return view == BRUME_VIEW_TEMPERATURE || view == BRUME_VIEW_VELOCITY || view == BRUME_VIEW_VORTICITY ||
           view == BRUME_VIEW_PRESSURE || slice;
}

// what the colors of the picture show
struct Legend {
    const char *name, *unit;
    float lower, upper; // values at the ends of the map
    BrumeColorMap map;
};

// the legend of the view, else of the pressure on bodies, else of the first streamlines; without name: none
static Legend find_legend(const BrumePanel &panel)
{
    const BrumeControls &controls = *panel.controls;
    const BrumeColorScale &scale = panel.readouts->scale;
    if (has_scale(controls.view, controls.slice) && scale.name) {
        return {scale.name, scale.unit, scale.lower, scale.upper,
                scale.is_signed ? BRUME_MAP_BLUE_RED : BRUME_MAP_HEAT};
    }
    const BrumeRenderSettings &look = *brume_controls_edited_look(&controls);
    const BrumeFlowColors *colors = look.surface_colors.quantity != BRUME_FLOW_NONE ? &look.surface_colors : nullptr;
    for (int n = 0; n < look.rake_count && !colors; n++) {
        const bool shows = look.rakes[n].count > 0 && look.rakes[n].colors.quantity != BRUME_FLOW_NONE;
        colors = shows ? &look.rakes[n].colors : nullptr;
    }
    if (!colors) {
        return {};
    }
    static const char *const names[] = {"", "pressure coefficient", "speed", "temperature"};
    static const char *const units[] = {"", "", "m/s", "K"};
    const float far = brume_length(brume_velocity_far_away(&controls.sim[0]));
    const BrumeFlowColors shown =
        brume_flow_colors_resolved(colors, look.reference_speed > 0.0f ? look.reference_speed : far);
    return {names[shown.quantity], units[shown.quantity], shown.lower, shown.upper, shown.map};
}

static ImU32 color_at(const Legend &legend, float share)
{
    const BrumeVec3 color = brume_color_map_at(legend.map, share);
    return ImGui::ColorConvertFloat4ToU32(ImVec4(brume_srgb_from_linear(std::fmin(color.x, 1.0f)),
                                                 brume_srgb_from_linear(std::fmin(color.y, 1.0f)),
                                                 brume_srgb_from_linear(std::fmin(color.z, 1.0f)), 1.0f));
}

// draws the scale as a bar with its least, middle and largest value
static void draw_scale_bar(const BrumePanel &panel, const Legend &legend, float width)
{
    const float height = scale_height_points * panel.unit;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const int pieces = 48;
    for (int n = 0; n < pieces; n++) {
        const float from = (float)n / pieces;
        const float to = (float)(n + 1) / pieces;
        const ImU32 left = color_at(legend, from);
        const ImU32 right = color_at(legend, to);
        list->AddRectFilledMultiColor(ImVec2(corner.x + from * width, corner.y),
                                      ImVec2(corner.x + to * width, corner.y + height), left, right, right, left);
    }
    ImGui::Dummy(ImVec2(width, height));
    const float left = ImGui::GetCursorPosX();
    char text[3][24];
    (void)snprintf(text[0], sizeof text[0], "%.3g", (double)legend.lower);
    (void)snprintf(text[1], sizeof text[1], "%.3g", 0.5 * (double)(legend.lower + legend.upper));
    (void)snprintf(text[2], sizeof text[2], "%.3g", (double)legend.upper);
    for (int n = 0; n < 3; n++) {
        const float share = 0.5f * (float)n;
        if (n > 0) {
            ImGui::SameLine();
        }
        ImGui::SetCursorPosX(left + share * (width - ImGui::CalcTextSize(text[n]).x));
        ImGui::TextUnformatted(text[n]);
    }
}

// Draws the color scale above the messages, whose upper edge is at `floor`: on the right below the other parts, or on
// the left where there is no room below them. Draws none where there is no room on the left either.
static void draw_legend(BrumePanel &panel, const RightParts &parts, float floor)
{
    const Legend legend = find_legend(panel);
    if (!legend.name || !(legend.upper > legend.lower)) {
        return;
    }
    const BrumePictureArea &area = panel.readouts->area;
    const ImGuiStyle &style = ImGui::GetStyle();
    const float margin = margin_points * panel.unit;
    char title[96];
    (void)snprintf(title, sizeof title, "%s  %s", legend.name, legend.unit ? legend.unit : "");
    const float bar = scale_height_points * panel.unit + ImGui::GetTextLineHeight() + 2.0f * style.ItemSpacing.y;
    const float padding = 2.0f * style.WindowPadding.x;
    float width = std::fmin(scale_points * panel.unit, overlay_width(panel, FLT_MAX) - padding);
    float height = ImGui::CalcTextSize(title, nullptr, false, width).y + bar + 2.0f * style.WindowPadding.y;
    const float bottom = std::fmin(floor, area.top + area.height) - margin;
    const bool on_right = bottom - height > parts.bottom;
    if (!on_right) {
        width = std::fmin(width, parts.left - area.left - 2.0f * margin - padding);
        height = ImGui::CalcTextSize(title, nullptr, false, width).y + bar + 2.0f * style.WindowPadding.y;
        if (width < least_scale_points * panel.unit || bottom - height < area.top) {
            return;
        }
    }
    ImGui::SetNextWindowPos(ImVec2(on_right ? area.left + area.width - margin : area.left + margin, bottom),
                            ImGuiCond_Always, ImVec2(on_right ? 1.0f : 0.0f, 1.0f));
    ImGui::SetNextWindowBgAlpha(overlay_alpha);
    if (ImGui::Begin("##legend", nullptr, overlay_flags)) {
        ImGui::PushTextWrapPos(style.WindowPadding.x + width);
        ImGui::TextUnformatted(title);
        ImGui::PopTextWrapPos();
        draw_scale_bar(panel, legend, width);
    }
    ImGui::End();
}

// Draws the latest message while it is visible; returns its upper edge, or the picture's lower edge without a message.
static float draw_message(BrumePanel &panel)
{
    const BrumeReadouts &readouts = *panel.readouts;
    const float foot = readouts.area.top + readouts.area.height;
    const double duration = readouts.message_is_error ? error_seconds : message_seconds;
    const double left = duration - readouts.message_age;
    if (!readouts.message[0] || !(left > 0.0)) {
        return foot;
    }
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const float wrap = overlay_width(panel, message_points) - padding.x;
    const ImVec2 size = ImGui::CalcTextSize(readouts.message, nullptr, false, wrap - padding.x);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, (float)std::fmin(left / fade_seconds, 1.0));
    place_window(panel, 0.5f, 1.0f, 0.5f, 1.0f);
    if (ImGui::Begin("##message", nullptr, overlay_flags)) {
        ImGui::PushTextWrapPos(wrap);
        ImGui::PushStyleColor(ImGuiCol_Text, readouts.message_is_error ? brume_alarm : brume_bright_text);
        ImGui::TextUnformatted(readouts.message);
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
    ImGui::PopStyleVar();
    return foot - margin_points * panel.unit - size.y - 2.0f * padding.y;
}

// draws a line of text with a dot in front of it
static void draw_activity(BrumePanel &panel, const char *text, ImU32 color)
{
    const float height = ImGui::GetTextLineHeight();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float radius = 0.36f * height;
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(corner.x + radius, corner.y + 0.52f * height), radius, color);
    ImGui::Dummy(ImVec2(2.0f * radius, height));
    ImGui::SameLine();
    ImGui::PushTextWrapPos(overlay_width(panel, activity_points) - ImGui::GetStyle().WindowPadding.x);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

// Draws the files that are written in the background, next to the HUD, or below it in a narrow window. Returns the new
// lower edge of the right parts.
static float draw_activities(BrumePanel &panel, float hud_bottom)
{
    const BrumeReadouts &readouts = *panel.readouts;
    const bool recording = readouts.recording || readouts.frames_left > 0;
    char pictures[96] = "";
    char job[160] = "";
    if (recording) {
        (void)snprintf(pictures, sizeof pictures, "recording%s: %d written, %d waiting",
                       readouts.recording ? "" : " ended", readouts.recorded, readouts.frames_left);
    } else if (readouts.pictures_left > 0 && !readouts.screenshot) {
        (void)snprintf(pictures, sizeof pictures, "%d picture%s to be written", readouts.pictures_left,
                       readouts.pictures_left == 1 ? "" : "s");
    }
    if (const BrumeJob *running = brume_running_job(readouts.exports.jobs)) {
        brume_describe_job(*running, job, sizeof job);
    }
    if (readouts.screenshot || (!pictures[0] && !job[0])) {
        return hud_bottom;
    }
    const bool below = is_narrow(panel) && hud_bottom > 0.0f;
    place_window(panel, below ? 1.0f : 0.5f, 0.0f, below ? 1.0f : 0.5f, 0.0f);
    if (below) {
        const ImVec2 corner(panel.readouts->area.left + panel.readouts->area.width - margin_points * panel.unit,
                            hud_bottom + 0.5f * margin_points * panel.unit);
        ImGui::SetNextWindowPos(corner, ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    }
    if (ImGui::Begin("##activities", nullptr, overlay_flags)) {
        if (pictures[0]) {
            draw_activity(panel, pictures, recording ? brume_alarm : brume_accent);
        }
        if (job[0]) {
            draw_activity(panel, job, brume_accent);
        }
    }
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
    ImGui::End();
    return below ? bottom : hud_bottom;
}

// draws the line between the two sides with its handle, and the letters of the sides
static void draw_divider(BrumePanel &panel)
{
    if (!brume_controls_have_sides(panel.controls)) {
        return;
    }
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const BrumePictureArea &area = panel.readouts->area;
    const float x = std::round(area.left + panel.controls->divider * area.width);
    const float bottom = area.top + area.height;
    const float middle = area.top + 0.5f * area.height;
    const float unit = panel.unit;
    const ImU32 white = IM_COL32(235, 240, 245, 220);
    list->AddRectFilled(ImVec2(x - 2.0f * unit, area.top), ImVec2(x + 2.0f * unit, bottom), IM_COL32(0, 0, 0, 90));
    list->AddRectFilled(ImVec2(x - 0.75f * unit, area.top), ImVec2(x + 0.75f * unit, bottom), white);
    list->AddCircleFilled(ImVec2(x, middle), 7.0f * unit, white);
    list->AddCircleFilled(ImVec2(x, middle), 5.0f * unit, brume_accent);
    const char *const names[] = {"A", "B"};
    for (int variant = 0; variant < 2; variant++) {
        const float at = variant == 0 ? x - 26.0f * unit : x + 10.0f * unit;
        const float top = is_narrow(panel) ? middle - 36.0f * unit : area.top + 52.0f * unit; // below the HUD
        const ImVec2 from(at, top);
        const ImVec2 to(at + 16.0f * unit, top + 20.0f * unit);
        const bool edited = panel.controls->edited_variant == variant;
        list->AddRectFilled(from, to, edited ? brume_accent : IM_COL32(20, 24, 30, 200), 4.0f * unit);
        const ImVec2 text = ImGui::CalcTextSize(names[variant]);
        list->AddText(ImVec2(0.5f * (from.x + to.x - text.x), 0.5f * (from.y + to.y - text.y)),
                      edited ? brume_on_accent : IM_COL32(228, 232, 238, 255), names[variant]);
    }
}

// draws notes on deviations of the picture from the request, below the HUD; returns their lower edge
static float draw_notes(BrumePanel &panel, float hud_bottom)
{
    const BrumeReadouts &readouts = *panel.readouts;
    const BrumeTimelineReadouts &timeline = readouts.timeline;
    char text[5][128] = {"", "", "", "", ""};
    if (panel.focus.active) {
        (void)snprintf(text[4], sizeof text[4],
                       "Keys go to the panel: Tab to the next control, arrows change it, Esc back to the picture.");
    }
    if (readouts.to_recompute > 0) {
        (void)snprintf(text[3], sizeof text[3], "Computing again since the edit: %d of %d frames (Esc cancels).",
                       readouts.recomputed, readouts.to_recompute);
    }
    (void)snprintf(text[2], sizeof text[2], "%s", readouts.preparation);
    if (timeline.past && !timeline.going_back) {
        (void)snprintf(text[3], sizeof text[3],
                       "Frame %d of the past. Enter goes on from here, End goes to the present.", readouts.frame);
    }
    if (readouts.missing) {
        const bool can_have = strcmp(readouts.missing, "pressure") != 0;
        (void)snprintf(text[0], sizeof text[0], "These frames have no %s: the smoke is shown.%s", readouts.missing,
                       can_have ? " brume sim writes it with --fields." : "");
    }
    if ((timeline.shown || timeline.past) && (timeline.is_missing || timeline.is_broken)) {
        const char *why = timeline.past && timeline.is_missing ? "is not kept"
                          : timeline.is_missing                ? "is missing"
                                                               : "cannot be read";
        const int used = snprintf(text[1], sizeof text[1], "Frame %d %s", timeline.position, why);
        if (timeline.frame > 0) {
            (void)snprintf(text[1] + used, sizeof text[1] - (size_t)used, ": frame %d is shown.", timeline.frame);
        }
    }
    bool has_text = false;
    for (const char *line : text) {
        has_text = has_text || line[0];
    }
    if (readouts.screenshot || !has_text) {
        return hud_bottom;
    }
    const float margin = margin_points * panel.unit;
    const BrumePictureArea &area = readouts.area;
    const float top = hud_bottom > 0.0f ? hud_bottom + 0.5f * margin : area.top + margin;
    ImGui::SetNextWindowPos(ImVec2(area.left + area.width - margin, top), ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::SetNextWindowBgAlpha(overlay_alpha);
    ImGui::SetNextWindowSize(ImVec2(overlay_width(panel, hud_points), 0.0f));
    if (ImGui::Begin("##notes", nullptr, overlay_flags & ~ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_changed);
        ImGui::PushTextWrapPos(0.0f);
        for (const char *line : text) {
            if (line[0]) {
                ImGui::TextUnformatted(line);
            }
        }
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
    ImGui::End();
    return bottom;
}

void brume_draw_hud(BrumePanel &panel)
{
    const BrumePictureArea &area = panel.readouts->area;
    draw_divider(panel);
    RightParts parts = {area.left + area.width, 0.0f};
    if (panel.controls->hud) {
        parts = draw_readouts(panel);
    }
    parts.bottom = draw_notes(panel, draw_activities(panel, parts.bottom));
    const float floor = draw_message(panel);
    if (panel.controls->hud) {
        draw_legend(panel, parts, floor);
    }
}
