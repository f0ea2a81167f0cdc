// The sections of the panel in their order.
#include "viewer/panel/panel_internal.h"

void brume_draw_sections(BrumePanel &panel)
{
    brume_draw_buttons(panel);
    brume_draw_variants(panel);
    brume_draw_scene(panel);
    brume_draw_brush(panel);
    brume_draw_view(panel);
    brume_draw_look(panel);
    brume_draw_camera(panel);
    brume_draw_time(panel);
    brume_draw_air(panel);
    brume_draw_smoke(panel);
    brume_draw_emitters(panel);
    brume_draw_lights(panel);
    brume_draw_solver(panel);
    brume_draw_keyframes(panel);
    brume_draw_pictures(panel);
    brume_draw_export(panel);
    brume_draw_window_section(panel);
    panel.section = "";
}
