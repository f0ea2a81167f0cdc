// The sections of the air and of the smoke that it carries.
#include "viewer/panel/panel_internal.h"

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

void brume_draw_air(BrumePanel &panel)
{
    if (brume_begin_simulation_section(panel, "Air", false)) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_AIR, brume_controls_sim(panel.controls), &panel.scene->sim);
    }
}

void brume_draw_smoke(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Smoke", false)) {
        return;
    }
    BrumeSimDef &sim = *brume_controls_sim(panel.controls);
    if (!ImGui::BeginTabBar("kinds")) {
        return;
    }
    for (int kind = 0; kind <= sim.color_count && kind < BRUME_SMOKE_KINDS; kind++) {
        const bool open = ImGui::BeginTabItem(smoke_names[kind]);
        brume_note_spot(panel, smoke_names[kind]);
        if (open) {
            ImGui::PushID(kind);
            brume_begin_simulation_controls(panel);
            brume_parameter_rows(panel, BRUME_PARAMETERS_SMOKE, &sim.smoke[kind], &panel.scene->sim.smoke[kind]);
            brume_end_simulation_controls(panel);
            brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM, &brume_controls_look(panel.controls)->smoke[kind],
                                 &panel.scene->render_settings.smoke[kind]);
            static const BrumeCurve identity = {BRUME_CURVE_LINEAR, 2, {{0.0f, 0.0f}, {1.0f, 1.0f}}};
            brume_curve_rows(panel, "curve", brume_controls_look(panel.controls)->density_curve[kind],
                             panel.scene->render_settings.density_curve[kind], identity,
                             "Extinction, as a multiple of the extinction above, by the density.");
            ImGui::PopID();
            ImGui::EndTabItem();
        }
    }
    ImGui::EndTabBar();
}
