// The section of the window: its colors and the size of panel and HUD.
#include "viewer/panel/panel_internal.h"

#include <math.h>

void brume_draw_window_section(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Window", false)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    (void)brume_switch_row(panel, "light", &controls.light, "Light colors, otherwise dark ones.");
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
