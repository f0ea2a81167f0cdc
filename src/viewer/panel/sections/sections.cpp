// The sections of the panel in their order.
#include "viewer/panel/panel_internal.h"

// Draws a section that changes the simulation. While the past is shown, it has the present settings and is disabled.
static void draw_simulation_section(BrumePanel &panel, void (*draw)(BrumePanel &panel))
{
    const bool is_past = panel.readouts->timeline.past;
    ImGui::BeginDisabled(is_past);
    panel.unavailable = is_past
                            ? "These settings are those of the present. Go on from the frame shown (Enter) or go to "
                              "the present (End) to change the simulation."
                            : nullptr;
    draw(panel);
    panel.unavailable = nullptr;
    ImGui::EndDisabled();
}

struct Section {
    void (*draw)(BrumePanel &panel);
    bool of_simulation; ///< all controls belong to the simulation; otherwise the section disables some itself
};

static const Section sections[] = {
    {brume_draw_air, true},
    {brume_draw_smoke, true},
    {brume_draw_particles, true},
    {brume_draw_scene, false},
    {brume_draw_brush, true},
    {brume_draw_objects, false},
    {brume_draw_view, false},
    {brume_draw_look, false},
    {brume_draw_camera, false},
    {brume_draw_time, false},
    {brume_draw_lights, false},
    {brume_draw_solver, true},
    {brume_draw_solver_details, true},
    {brume_draw_keyframes, false},
    {brume_draw_pictures, false},
    {brume_draw_export, false},
    {brume_draw_window_section, false},
};

void brume_draw_sections(BrumePanel &panel)
{
    brume_draw_buttons(panel);
    brume_draw_variants(panel);
    brume_draw_search(panel);
    int number = 0;
    for (const Section &section : sections) {
        ImGui::PushID(number++); // sections have controls with equal names
        if (section.of_simulation) {
            draw_simulation_section(panel, section.draw);
        } else {
            section.draw(panel);
        }
        ImGui::PopID();
    }
    panel.section = "";
    if (brume_is_searching(panel) && !panel.search.has_matches) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::TextWrapped(
            "No row has this name. Values of an emitter, a body or a light are found where it is selected.");
        ImGui::PopStyleColor();
    }
}
