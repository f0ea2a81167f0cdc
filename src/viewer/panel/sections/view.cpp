// The section of the view: the shown quantities of the smoke, and the renderer.
#include "viewer/panel/panel_internal.h"

static void draw_view_kinds(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    const char *names[BRUME_VIEW_COUNT];
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        names[view] = brume_view_name((BrumeViewKind)view);
    }
    const int columns = brume_fitting_columns(names, BRUME_VIEW_COUNT, 3);
    const float width = brume_column_width(columns);
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        if (view % columns != 0) {
            ImGui::SameLine();
        }
        if (brume_choice_button(panel, brume_view_name((BrumeViewKind)view), controls.view == (BrumeViewKind)view,
                                width, "What is shown (keys 1 to 6).")) {
            controls.view = (BrumeViewKind)view;
        }
    }
}

static void draw_slice(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    (void)brume_switch_row(panel, "slice", &controls.slice,
                           "A plane through the box, colored by the quantity of the view (T).");
    if (!controls.slice) {
        return;
    }
    static const char *const axes[] = {"x", "y", "z"};
    if (brume_begin_row(panel, "axis", false, brume_slider_width(panel))) {
        const float gap = ImGui::GetStyle().ItemSpacing.x;
        const float width = (ImGui::CalcItemWidth() - 2.0f * gap) / 3.0f;
        for (int axis = 0; axis < 3; axis++) {
            if (axis > 0) {
                ImGui::SameLine();
            }
            if (brume_choice_button(panel, axes[axis], controls.slice_axis == axis, width,
                                    "Axis orthogonal to the slice (X).")) {
                controls.slice_axis = axis;
            }
        }
        ImGui::PopID();
    }
    (void)brume_slider_row(panel, "position", &controls.slice_at, 0.0f, 1.0f, "", false,
                           "Position of the slice as a fraction of the box ([ and ]).");
}

void brume_draw_view(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "View", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    if (!brume_is_searching(panel)) {
        draw_view_kinds(panel);
    }
    if (controls.view == BRUME_VIEW_VELOCITY) {
        (void)brume_switch_row(panel, "streamlines", &controls.streamlines, "Streamlines, otherwise arrows (V).");
    }
    if (controls.view == BRUME_VIEW_ISOSURFACE) {
        (void)brume_slider_row(panel, "level", &controls.iso_level, 0.01f, 5.0f, "", true,
                               "Density at the isosurface.");
    }
    draw_slice(panel);
    brume_parameter_rows(panel, BRUME_PARAMETERS_FLOW, brume_controls_look(panel.controls),
                         &panel.scene->render_settings);
    bool opengl = !controls.cpu;
    if (brume_switch_row(panel, "OpenGL", &opengl,
                         "Draws with OpenGL; otherwise with the CPU, which refines the picture at rest (C).")) {
        controls.cpu = !opengl;
    }
    (void)brume_switch_row(panel, "outline", &controls.box, "The edges of the box (O).");
    brume_begin_simulation_controls(panel);
    (void)brume_switch_row(
        panel, "side by side", &controls.compare,
        "Two variants go on from the present state, each with its own settings (B). Switched off, the "
        "selected one goes on alone.");
    brume_end_simulation_controls(panel);
    bool looks = controls.compare_looks;
    if (brume_switch_row(
            panel, "two looks", &looks,
            "Two looks of the same smoke, left and right of a line (Shift + B). Switched off, the selected "
            "one stays; undo brings the other one back.")) {
        panel.commands->toggle_looks = true;
    }
    if (brume_controls_have_sides(&controls)) {
        (void)brume_slider_row(panel, "divider", &controls.divider, 0.02f, 0.98f, "", false,
                               "Where side A ends; can also be dragged in the picture.");
    }
    (void)brume_slider_row(panel, "fly speed", &controls.fly_speed, 0.01f, 100.0f, "m/s", true,
                           "Flight speed with the right button and W A S D; also right button + wheel.");
    (void)brume_switch_row(panel, "vsync", &controls.vsync, "Waits for the display's refresh, which avoids tearing.");
}
