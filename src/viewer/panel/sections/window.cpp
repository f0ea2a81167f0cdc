// The section of the window: its colors and the size of panel and HUD.
#include "viewer/panel/panel_internal.h"

#include <math.h>

// The width changes when the slider, which is as wide as the panel, is released.
static void draw_width(BrumePanel &panel)
{
    const bool own = panel.width > 0.0f;
    const float present = own ? panel.width : std::round(ImGui::GetWindowWidth() / panel.unit);
    float width = panel.width_held ? panel.chosen_width : present;
    if (!brume_begin_row(panel, "panel width", own, brume_slider_width(panel))) {
        return;
    }
    (void)brume_slider(panel, &width, BRUME_MIN_PANEL_POINTS, BRUME_MAX_PANEL_POINTS, 4, "points", false);
    panel.width_held = brume_item_is_changed(panel);
    panel.chosen_width = width;
    if (brume_item_was_changed(panel) || panel.pressed_slider.restored) {
        panel.width = std::fmin(std::fmax(width, BRUME_MIN_PANEL_POINTS), BRUME_MAX_PANEL_POINTS);
    }
    if (brume_end_row(panel, "panel width", own, "The width of the panel in points, at most half of the window.",
                      "200 to 640; reset: by the width of the window")) {
        panel.width = 0.0f;
    }
}

void brume_draw_window_section(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Window", false)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    (void)brume_switch_row(panel, "light", &controls.light, "Light colors, otherwise dark ones.");
    draw_width(panel);
    if (brume_is_searching(panel)) {
        return;
    }
    static const char *const labels[] = {"75 %", "100 %", "125 %", "150 %", "175 %", "200 %"};
    const int columns = 3;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = std::floor((ImGui::GetContentRegionAvail().x - (float)(columns - 1) * gap) / (float)columns);
    for (int n = 0; n < 6; n++) {
        const float scale = 0.75f + 0.25f * (float)n;
        if (n % columns != 0) {
            ImGui::SameLine();
        }
        if (brume_choice_button(panel, labels[n], std::fabs(controls.ui_scale - scale) < 0.01f, width,
                                "The size of panel and HUD, relative to that of the display (Ctrl + +, Ctrl + -).")) {
            controls.ui_scale = scale;
        }
    }
}
