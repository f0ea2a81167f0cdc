// The sections of the panel in their order.
#include "viewer/panel/panel_internal.h"

// Sections that change the simulation. While its past is shown they have the settings of the present, and change
// nothing.
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

void brume_draw_sections(BrumePanel &panel)
{
    brume_draw_buttons(panel);
    brume_draw_variants(panel);
    brume_draw_scene(panel);
    draw_simulation_section(panel, brume_draw_brush);
    brume_draw_objects(panel);
    brume_draw_view(panel);
    brume_draw_look(panel);
    brume_draw_camera(panel);
    brume_draw_time(panel);
    draw_simulation_section(panel, brume_draw_air);
    draw_simulation_section(panel, brume_draw_smoke);
    brume_draw_lights(panel);
    draw_simulation_section(panel, brume_draw_solver);
    brume_draw_keyframes(panel);
    brume_draw_pictures(panel);
    brume_draw_export(panel);
    brume_draw_window_section(panel);
    panel.section = "";
}
