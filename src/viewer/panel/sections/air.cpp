// The sections of the air and of the smoke that it carries.
#include "viewer/panel/panel_internal.h"

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

void brume_draw_air(BrumePanel &panel)
{
    if (brume_begin_simulation_section(panel, "Air", true)) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_AIR, brume_controls_sim(panel.controls), &panel.scene->sim);
        brume_parameter_rows(panel, BRUME_PARAMETERS_FIRE, brume_controls_sim(panel.controls), &panel.scene->sim);
        brume_parameter_rows(panel, BRUME_PARAMETERS_VAPOR, brume_controls_sim(panel.controls), &panel.scene->sim);
    }
}

static void draw_kind(BrumePanel &panel, int kind)
{
    static const BrumeCurve identity = {BRUME_CURVE_LINEAR, 2, {{0.0f, 0.0f}, {1.0f, 1.0f}}};
    ImGui::PushID(kind);
    brume_begin_simulation_controls(panel);
    brume_parameter_rows(panel, BRUME_PARAMETERS_SMOKE, &brume_controls_sim(panel.controls)->smoke[kind],
                         &panel.scene->sim.smoke[kind]);
    brume_end_simulation_controls(panel);
    brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM, &brume_controls_look(panel.controls)->smoke[kind],
                         &panel.scene->render_settings.smoke[kind]);
    brume_curve_rows(panel, "curve", brume_controls_look(panel.controls)->density_curve[kind],
                     panel.scene->render_settings.density_curve[kind], identity,
                     "Extinction, as a multiple of the extinction above, by the density.");
    ImGui::PopID();
}

void brume_draw_smoke(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Smoke", true)) {
        return;
    }
    const bool searching = brume_is_searching(panel);
    const int kinds = brume_controls_sim(panel.controls)->color_count + 1;
    if (!searching && !ImGui::BeginTabBar("kinds")) {
        return;
    }
    for (int kind = 0; kind < kinds && kind < BRUME_SMOKE_KINDS; kind++) {
        if (searching) { // lists all kinds, each with its name
            static const char *const titles[BRUME_SMOKE_KINDS] = {"Smoke", "Smoke color 1", "Smoke color 2",
                                                                  "Smoke color 3"};
            (void)brume_begin_section(panel, titles[kind], true);
            draw_kind(panel, kind);
            continue;
        }
        const bool open = ImGui::BeginTabItem(smoke_names[kind]);
        brume_note_spot(panel, smoke_names[kind]);
        if (open) {
            draw_kind(panel, kind);
            ImGui::EndTabItem();
        }
    }
    if (!searching) {
        ImGui::EndTabBar();
    }
}
