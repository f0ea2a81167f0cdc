// The section of the brush.
#include "viewer/panel/panel_internal.h"

#include <cstdio>

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

static ImVec4 swatch_of(BrumeVec3 albedo)
{
    return ImVec4(brume_srgb_from_linear(albedo.x), brume_srgb_from_linear(albedo.y), brume_srgb_from_linear(albedo.z),
                  1.0f);
}

void brume_draw_brush(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Brush", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    const float width = brume_column_width(BRUME_SMOKE_KINDS);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (kind > 0) {
            ImGui::SameLine();
        }
        ImGui::PushID(kind);
        const ImVec4 color = swatch_of(brume_controls_look(&controls)->smoke[kind].albedo);
        if (ImGui::ColorButton(smoke_names[kind], color, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                               ImVec2(width, 24.0f * panel.unit))) {
            controls.brush.erases = false;
            brume_controls_set_smoke_kind(&controls, kind);
        }
        if (kind == controls.brush.kind && !controls.brush.erases) {
            list->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), brume_accent,
                          ImGui::GetStyle().FrameRounding, 0, 2.5f * panel.unit);
        }
        brume_note_spot(panel, smoke_names[kind]);
        char more[64];
        (void)snprintf(more, sizeof more, "%s smoke; K selects the next", smoke_names[kind]);
        brume_explain(panel, smoke_names[kind], "The smoke that a left drag adds.", more);
        ImGui::PopID();
    }
    (void)brume_switch_row(panel, "erase", &controls.brush.erases,
                           "A left drag removes smoke of all kinds, and its heat, instead of adding it (U).");
    brume_parameter_rows(panel, BRUME_PARAMETERS_BRUSH, &controls.brush, nullptr);
}
