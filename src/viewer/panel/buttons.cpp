// Buttons with pictograms and texts, and columns of them.
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

bool brume_icon_button(BrumePanel &panel, const char *label, BrumeIcon icon, const char *doc, bool enabled, ImU32 color)
{
    const ImVec2 size(panel.icon_width, 26.0f * panel.unit);
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(label);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Button("##icon", size);
    ImGui::PopID();
    brume_note_spot(panel, label);
    brume_draw_icon(icon, ImVec2(corner.x + 0.5f * size.x, corner.y + 0.5f * size.y), 6.0f * panel.unit,
                    color ? color : ImGui::GetColorU32(ImGuiCol_Text));
    ImGui::EndDisabled();
    brume_explain(panel, doc, doc);
    return pressed;
}

bool brume_selectable_text(const char *text, bool selected, ImGuiSelectableFlags flags)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::PushID(text);
    const float width = std::fmax(ImGui::CalcTextSize(text).x, ImGui::GetContentRegionAvail().x);
    const bool chosen = ImGui::Selectable("##text", selected, flags, ImVec2(width, 0.0f));
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddText(corner, ImGui::GetColorU32(ImGuiCol_Text), text);
    return chosen;
}

bool brume_text_button(const char *text, float width)
{
    const bool pressed = ImGui::Button("##text", ImVec2(width, 0.0f));
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 lower = ImGui::GetItemRectMin();
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(lower, ImGui::GetItemRectMax(), true);
    list->AddText(ImVec2(lower.x + padding.x, lower.y + padding.y), ImGui::GetColorU32(ImGuiCol_Text), text);
    list->PopClipRect();
    return pressed;
}

bool brume_begin_text_combo(const char *text, ImGuiComboFlags flags)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 end(corner.x + ImGui::CalcItemWidth() - ImGui::GetFrameHeight(), corner.y + ImGui::GetFrameHeight());
    const bool open = ImGui::BeginCombo("##value", "", flags);
    list->PushClipRect(corner, end, true);
    list->AddText(ImVec2(corner.x + padding.x, corner.y + padding.y), ImGui::GetColorU32(ImGuiCol_Text), text);
    list->PopClipRect();
    return open;
}

bool brume_choice_button(BrumePanel &panel, const char *label, bool chosen, float width, const char *doc)
{
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Button, brume_accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, brume_accent);
    } else {
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_ButtonHovered));
    }
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? brume_on_accent : brume_bright_text);
    const bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    ImGui::PopStyleColor(3);
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc);
    return pressed && !chosen;
}

float brume_column_width(int count)
{
    const float gaps = (float)(count - 1) * ImGui::GetStyle().ItemSpacing.x;
    return std::floor((ImGui::GetContentRegionAvail().x - gaps) / (float)count);
}

int brume_fitting_columns(const char *const *labels, int count, int most)
{
    float widest = 0.0f;
    for (int n = 0; n < count; n++) {
        widest = std::fmax(widest, ImGui::CalcTextSize(labels[n]).x + ImGui::GetStyle().FramePadding.x);
    }
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int fitting = (int)((ImGui::GetContentRegionAvail().x + gap) / (widest + gap));
    return fitting < 1 ? 1 : fitting < most ? fitting : most;
}
