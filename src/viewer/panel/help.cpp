// The help: all keys in columns of about equal height.
#include "viewer/panel/panel_internal.h"

#include <cstring>

// returns the number of bindings of a group, from the first one on
static int group_size(const BrumeBinding *first)
{
    int count = 0;
    while (first[count].group && strcmp(first[count].group, first->group) == 0) {
        count++;
    }
    return count;
}

static float group_gap(const BrumePanel &panel) { return 4.0f * panel.unit; }

static float group_height(const BrumePanel &panel, const BrumeBinding *first, float actions_wide)
{
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    float height = ImGui::GetTextLineHeight() + group_gap(panel) + 2.0f * spacing;
    for (int n = 0; n < group_size(first); n++) {
        height += ImGui::CalcTextSize(first[n].action, nullptr, false, actions_wide).y + spacing;
    }
    return height;
}

static ImVector<float> group_heights(const BrumePanel &panel, float actions_wide)
{
    ImVector<float> heights;
    for (const BrumeBinding *group = brume_bindings; group->group; group += group_size(group)) {
        heights.push_back(group_height(panel, group, actions_wide));
    }
    return heights;
}

// returns the number of columns for the groups, in their order, if none is higher than `most`
static int columns_needed(const ImVector<float> &heights, float most)
{
    int columns = 1;
    float used = 0.0f;
    for (const float height : heights) {
        columns += used > 0.0f && used + height > most ? 1 : 0;
        used = used > 0.0f && used + height > most ? height : used + height;
    }
    return columns;
}

// returns the least height of the columns in which all groups have room
static float balanced_height(const ImVector<float> &heights, int columns)
{
    float lower = 0.0f;
    float total = 0.0f;
    for (const float height : heights) {
        lower = std::fmax(lower, height);
        total += height;
    }
    const float step = ImGui::GetTextLineHeight();
    float most = std::fmax(lower, total / (float)columns);
    while (columns_needed(heights, most) > columns) {
        most += step;
    }
    return most;
}

// draws a group of bindings: its heading, then keys on the left and actions on the right
static void draw_group(BrumePanel &panel, const BrumeBinding *first, float keys_wide, float actions_wide)
{
    ImGui::PushFont(panel.bold);
    ImGui::PushStyleColor(ImGuiCol_Text, brume_accent);
    ImGui::TextUnformatted(first->group);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    const float left = ImGui::GetCursorPosX();
    for (int n = 0; n < group_size(first); n++) {
        ImGui::TextUnformatted(first[n].keys);
        ImGui::SameLine();
        ImGui::SetCursorPosX(left + keys_wide);
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + actions_wide);
        ImGui::TextUnformatted(first[n].action);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    ImGui::Dummy(ImVec2(0.0f, group_gap(panel)));
}

// draws all groups in columns, none of which is higher than `most`
static void draw_groups(BrumePanel &panel, const ImVector<float> &heights, float column_wide, float keys_wide,
                        float actions_wide, float most)
{
    const ImVec2 corner = ImGui::GetCursorPos();
    const BrumeBinding *group = brume_bindings;
    int column = 0;
    float used = 0.0f;
    ImGui::BeginGroup();
    for (const float height : heights) {
        if (used > 0.0f && used + height > most) {
            ImGui::EndGroup();
            column++;
            used = 0.0f;
            ImGui::SetCursorPos(ImVec2(corner.x + (float)column * column_wide, corner.y));
            ImGui::BeginGroup();
        }
        draw_group(panel, group, keys_wide, actions_wide);
        group += group_size(group);
        used += height;
    }
    ImGui::EndGroup();
}

// fades the lower edge of a region that can be scrolled down, to show that more lines follow
static void draw_fade()
{
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) {
        return;
    }
    const ImVec2 corner = ImGui::GetWindowPos();
    const ImVec2 extent = ImGui::GetWindowSize();
    const float right = corner.x + extent.x - ImGui::GetStyle().ScrollbarSize;
    const float bottom = corner.y + extent.y;
    const ImU32 opaque = ImGui::GetColorU32(ImGuiCol_WindowBg);
    const ImU32 clear = opaque & ~IM_COL32_A_MASK;
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor(ImVec2(corner.x, bottom - 2.0f * ImGui::GetTextLineHeight()),
                                                        ImVec2(right, bottom), clear, clear, opaque, opaque);
}

void brume_draw_help(BrumePanel &panel)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float unit = panel.unit;
    const float inner = size.x - 48.0f * unit;
    const int columns = (int)std::fmin(std::fmax(inner / (380.0f * unit), 1.0f), 4.0f);
    const float keys_wide = 140.0f * unit;
    const float column_wide = std::fmin(inner / (float)columns, 440.0f * unit);
    const float actions_wide = column_wide - keys_wide - 14.0f * unit;
    ImGui::SetNextWindowPos(ImVec2(0.5f * size.x, 0.5f * size.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::SetNextWindowFocus();
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("##help", nullptr, flags)) {
        ImGui::PushFont(panel.bold);
        ImGui::TextUnformatted("Keys and mouse");
        ImGui::PopFont();
        ImGui::SameLine(0.0f, 14.0f * unit);
        ImGui::TextDisabled("F1 or Esc closes");
        const ImVector<float> heights = group_heights(panel, actions_wide);
        const float height = balanced_height(heights, columns);
        const float foot = ImGui::GetTextLineHeightWithSpacing() + ImGui::GetStyle().WindowPadding.y + 16.0f * unit;
        const float room = size.y - ImGui::GetCursorPosY() - foot;
        ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, 12.0f * unit);
        ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, brume_dim_text);
        if (ImGui::BeginChild("##groups",
                              ImVec2((float)columns * column_wide + 16.0f * unit, std::fmin(height, room)))) {
            draw_groups(panel, heights, column_wide, keys_wide, actions_wide, height);
            draw_fade();
        }
        ImGui::EndChild();
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        ImGui::TextDisabled("Rest the pointer on a control of the panel for an explanation.");
        const ImVec2 corner = ImGui::GetWindowPos();
        const ImVec2 extent = ImGui::GetWindowSize();
        panel.covered[panel.covered_count][0] = corner;
        panel.covered[panel.covered_count][1] = ImVec2(corner.x + extent.x, corner.y + extent.y);
        panel.covered_count++;
    }
    ImGui::End();
}
