// The section of the camera.
#include "core/vec3.h"
#include "viewer/panel/panel_internal.h"

#include <cstring>

// draws a row for a point of the camera: three numbers that are dragged at `speed` [m per pixel]
static void draw_point(BrumePanel &panel, const char *label, BrumeVec3 &point, BrumeVec3 scene, float speed,
                       const char *doc)
{
    static const float farthest = 1e5f; // limit of coordinates in scenes
    const bool changed = memcmp(&point, &scene, sizeof point) != 0;
    float xyz[3] = {point.x, point.y, point.z};
    if (!brume_begin_row(panel, label, changed, brume_vector_width(), "m")) {
        return;
    }
    if (brume_drag_numbers(panel, xyz, 3, speed, -farthest, farthest, "%.3g", "m")) {
        point = brume_vec3(xyz[0], xyz[1], xyz[2]);
    }
    if (brume_end_row(panel, label, changed, doc, "drag sideways, double-click to type")) {
        point = scene;
    }
}

static void draw_projections(BrumePanel &panel)
{
    const BrumeCamera &camera = panel.controls->camera;
    static const char *const projections[] = {"perspective", "orthographic"};
    const int columns = brume_fitting_columns(projections, 2, 2);
    const float width = brume_column_width(columns);
    if (brume_choice_button(panel, "perspective", camera.projection == BRUME_PERSPECTIVE, width,
                            "Rays from one point (P).")) {
        panel.commands->change_projection = true;
    }
    if (columns == 2) {
        ImGui::SameLine();
    }
    if (brume_choice_button(panel, "orthographic", camera.projection == BRUME_ORTHOGRAPHIC, width,
                            "Parallel rays, for elevations and plans (P).")) {
        panel.commands->change_projection = true;
    }
}

// draws the rows of the camera, with buttons that reset it to the scene's camera at the shown time
void brume_draw_camera(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Camera", false)) {
        return;
    }
    BrumeCamera &camera = panel.controls->camera;
    const BrumeCamera scene = brume_controls_scene_camera(panel.controls, panel.scene, panel.readouts->time);
    if (!brume_is_searching(panel)) {
        draw_projections(panel);
    }
    const BrumeCamera before = camera;
    const float speed = 2e-3f * brume_length(brume_sub(camera.target, camera.position));
    draw_point(panel, "position", camera.position, scene.position, speed, "Position of the camera.");
    draw_point(panel, "target", camera.target, scene.target, speed, "Point at the center of the picture.");
    if (camera.position.y < before.position.y) {
        const float lowest = brume_controls_lowest_camera(panel.controls);
        camera.position.y = std::fmax(camera.position.y, std::fmin(lowest, before.position.y));
    }
    if (!(brume_length(brume_sub(camera.target, camera.position)) > 0.0f)) { // the target is at the position
        camera.position = before.position;
        camera.target = before.target;
    }
    const bool parallel = camera.projection == BRUME_ORTHOGRAPHIC;
    brume_parameter_rows(panel, parallel ? BRUME_PARAMETERS_ORTHOGRAPHIC : BRUME_PARAMETERS_PERSPECTIVE, &camera,
                         scene.projection == camera.projection ? &scene : nullptr);
    brume_parameter_rows(panel, BRUME_PARAMETERS_LENS, &camera, &scene);
    if (camera.lens_radius > 0.0f) {
        bool of_target = !(camera.focus > 0.0f);
        if (brume_switch_row(panel, "focus on target", &of_target, "Whether the target is in focus.")) {
            camera.focus = of_target ? 0.0f : brume_length(brume_sub(camera.target, camera.position));
        }
        if (!of_target) {
            brume_parameter_rows(panel, BRUME_PARAMETERS_FOCUS, &camera, nullptr);
        }
    }
}
