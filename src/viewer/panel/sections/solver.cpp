// The section of the solver.
#include "viewer/panel/panel_internal.h"

static int longest_side(const BrumeSimDef &sim) { return (int)std::fmax(std::fmax(sim.nx, sim.ny), sim.nz); }

// A change reallocates all fields, so it is applied when the slider is released.
static void draw_resolution(BrumePanel &panel)
{
    BrumeSimDef &sim = *brume_controls_sim(panel.controls);
    const BrumeSimDef &scene = panel.scene->sim;
    const bool changed = sim.nx != scene.nx || sim.ny != scene.ny || sim.nz != scene.nz;
    int cells = panel.resolution_held ? panel.resolution : longest_side(sim);
    if (!brume_begin_row(panel, "resolution", changed, brume_slider_width(panel))) {
        return;
    }
    (void)brume_slider(panel, &cells, 16, 256, "%d cells", true);
    panel.resolution_held = brume_item_is_changed(panel);
    panel.resolution = cells;
    BrumeSimDef requested = sim;
    if (cells != longest_side(sim)) {
        brume_set_resolution(&requested, &scene, cells);
    }
    if (brume_item_was_changed(panel) || panel.pressed_slider.restored) {
        sim = requested;
    }
    if (brume_end_row(panel, "resolution", changed, "Cells along the longest side; a change resamples smoke and heat.",
                      "16 to 256; double-click to type")) {
        brume_set_resolution(&sim, &scene, longest_side(scene));
    }
    size_t bytes = 0;
    (void)brume_sim_bytes_needed(&requested, &bytes, nullptr);
    const double megabytes = 1e-6 * (double)bytes;
    ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
    ImGui::Text("%d × %d × %d cells, %.0f MB", requested.nx, requested.ny, requested.nz, megabytes);
    ImGui::PopStyleColor();
}

void brume_draw_solver(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Solver", false)) {
        return;
    }
    draw_resolution(panel);
    if (brume_begin_row(panel, "threads", false, brume_slider_width(panel))) {
        (void)brume_slider(panel, &panel.controls->threads, 1, SDL_GetCPUCount(), "%d", false);
        (void)brume_end_row(panel, "threads", false,
                            "Threads of the solver; the result does not depend on their number.");
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_SOLVER, brume_controls_sim(panel.controls), &panel.scene->sim);
}

void brume_draw_solver_details(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Solver details", false)) {
        return;
    }
    BrumeSimDef &sim = *brume_controls_sim(panel.controls);
    const int least = sim.min_steps;
    const int most = sim.max_steps;
    brume_parameter_rows(panel, BRUME_PARAMETERS_SOLVER_DETAILS, &sim, &panel.scene->sim);
    if (sim.min_steps != least && sim.min_steps > sim.max_steps) {
        sim.max_steps = sim.min_steps;
    } else if (sim.max_steps != most && sim.max_steps < sim.min_steps) {
        sim.min_steps = sim.max_steps;
    }
}
