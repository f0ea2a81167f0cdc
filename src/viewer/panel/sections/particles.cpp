// The section of the particles: what they are for the air, and how they look.
#include "viewer/panel/panel_internal.h"

static void draw_kind(BrumePanel &panel, int kind)
{
    ImGui::PushID(kind);
    brume_begin_simulation_controls(panel);
    brume_parameter_rows(panel, BRUME_PARAMETERS_PARTICLE, &brume_controls_sim(panel.controls)->particles[kind],
                         &panel.scene->sim.particles[kind]);
    brume_end_simulation_controls(panel);
    brume_parameter_rows(panel, BRUME_PARAMETERS_PARTICLE_LOOK, &brume_controls_look(panel.controls)->particles[kind],
                         &panel.scene->render_settings.particles[kind]);
    ImGui::PopID();
}

void brume_draw_particles(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Particles", false)) {
        return;
    }
    const bool searching = brume_is_searching(panel);
    if (!searching && !ImGui::BeginTabBar("particles")) {
        return;
    }
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        const char *name = brume_particle_kind_name(static_cast<BrumeParticleKind>(kind));
        if (searching) { // lists all kinds, each with its name
            (void)brume_begin_section(panel, name, true);
            draw_kind(panel, kind);
            continue;
        }
        const bool open = ImGui::BeginTabItem(name);
        brume_note_spot(panel, name);
        if (open) {
            draw_kind(panel, kind);
            ImGui::EndTabItem();
        }
    }
    if (!searching) {
        ImGui::EndTabBar();
    }
}
