// The sections of the panel, from the scene at the top to the solver at the bottom.
#include "core/vec3.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float degrees_per_radian = 57.29577951f;
static const float never_starts = 1e6f; // start of an emitter that is switched off: the latest that a scene allows [s]
static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

static BrumeSimDef &edited_sim(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    return controls.sim[controls.compare ? controls.edited_variant : 0];
}

static float column_width(int count)
{
    const float gaps = (float)(count - 1) * ImGui::GetStyle().ItemSpacing.x;
    return std::floor((ImGui::GetContentRegionAvail().x - gaps) / (float)count);
}

// The columns of equal width that buttons with these labels need, at most `most`.
static int fitting_columns(const char *const *labels, int count, int most)
{
    float widest = 0.0f;
    for (int n = 0; n < count; n++) {
        widest = std::fmax(widest, ImGui::CalcTextSize(labels[n]).x + ImGui::GetStyle().FramePadding.x);
    }
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int fitting = (int)((ImGui::GetContentRegionAvail().x + gap) / (widest + gap));
    return fitting < 1 ? 1 : fitting < most ? fitting : most;
}

static void draw_buttons(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    const BrumeReadouts &readouts = *panel.readouts;
    panel.section = "";
    const int icons = 7;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float available = ImGui::GetContentRegionAvail().x;
    const float natural = (float)icons * panel.icon_width + (float)(icons - 1) * gap;
    const float group_gap = std::fmin(std::fmax(0.5f * (available - natural), 0.0f) + gap, 14.0f * panel.unit);
    panel.icon_width = std::fmin(panel.icon_width, (available - (float)(icons - 1) * gap) / (float)icons);
    if (brume_icon_button(panel, "run", controls.running ? BrumeIcon::Pause : BrumeIcon::Play,
                          readouts.timeline.shown ? "Plays or pauses (Space)."
                                                  : "Runs or pauses the simulation (Space).")) {
        controls.running = !controls.running;
    }
    ImGui::SameLine();
    commands.advance +=
        brume_icon_button(panel, "step", BrumeIcon::Step,
                          readouts.timeline.shown ? "Goes to the next frame (N)." : "Computes one frame (N).")
            ? 1
            : 0;
    ImGui::SameLine();
    commands.reset =
        brume_icon_button(panel, "restart", BrumeIcon::Restart,
                          readouts.timeline.shown ? "Goes to the first frame (R)." : "Restarts from time 0 (R).") ||
        commands.reset;
    ImGui::SameLine(0.0f, group_gap);
    commands.undo =
        brume_icon_button(panel, "undo", BrumeIcon::Undo, "Undoes the latest edit (Ctrl + Z).", readouts.can_undo) ||
        commands.undo;
    ImGui::SameLine();
    commands.redo =
        brume_icon_button(panel, "redo", BrumeIcon::Redo, "Redoes the edit (Ctrl + Shift + Z).", readouts.can_redo) ||
        commands.redo;
    ImGui::SameLine(0.0f, group_gap);
    commands.screenshot = brume_icon_button(panel, "screenshot", BrumeIcon::Camera,
                                            "Draws the picture at full quality to a file (F12).") ||
                          commands.screenshot;
    ImGui::SameLine();
    commands.record =
        brume_icon_button(panel, "record", BrumeIcon::Record,
                          readouts.recording ? "Stops the recording (F11)." : "Records every frame as a picture (F11).",
                          true, readouts.recording ? brume_alarm : 0) ||
        commands.record;
}

static void draw_variants(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    if (!controls.compare) {
        return;
    }
    panel.section = "";
    static const char *const names[] = {"A (left)", "B (right)", "copy to other"};
    const int columns = fitting_columns(names, 3, 3) == 3 ? 3 : 2;
    const float width = column_width(columns);
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        if (brume_choice_button(panel, names[variant], controls.edited_variant == variant, width,
                                "The variant that the panel edits.")) {
            controls.edited_variant = variant;
        }
        if (variant + 1 < columns) {
            ImGui::SameLine();
        }
    }
    if (ImGui::Button("copy to other", ImVec2(columns == 3 ? width : column_width(1), 0.0f))) {
        controls.sim[1 - controls.edited_variant] = controls.sim[controls.edited_variant];
        panel.commands->edited = true;
    }
    brume_note_spot(panel, "copy to other");
    brume_explain(panel, names, "Copies the settings of this variant to the other one.");
    const char *const keeps[] = {"keep A alone", "keep B alone"};
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        if (variant > 0) {
            ImGui::SameLine();
        }
        if (ImGui::Button(keeps[variant], ImVec2(column_width(BRUME_MAX_VARIANTS - variant), 0.0f))) {
            controls.edited_variant = variant;
            controls.compare = false;
        }
        brume_note_spot(panel, keeps[variant]);
        brume_explain(panel, keeps[variant], "Ends the comparison: this variant goes on, the other one is discarded.",
                      "B keeps the variant that is selected above");
    }
}

static float widest_preset(const BrumePanel &panel)
{
    float widest = ImGui::CalcTextSize(panel.readouts->scene).x;
    for (int n = 0; panel.presets && n < panel.presets->count; n++) {
        widest = std::fmax(widest, ImGui::CalcTextSize(panel.presets->names[n]).x);
    }
    return widest;
}

static void draw_scene(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Scene", true)) {
        return;
    }
    BrumeCommands &commands = *panel.commands;
    const BrumePresets *presets = panel.presets;
    brume_begin_simulation_controls(panel);
    brume_begin_row(panel, "preset", false, brume_combo_width(widest_preset(panel)));
    ImGui::SetNextItemWidth(-1.0f); // without a reset button
    if (ImGui::BeginCombo("##value", panel.readouts->scene, ImGuiComboFlags_HeightLarge)) {
        for (int n = 0; presets && n < presets->count; n++) {
            const bool present = strcmp(presets->paths[n], panel.readouts->scene_path) == 0;
            if (ImGui::Selectable(presets->names[n], present)) {
                (void)snprintf(commands.open, sizeof commands.open, "%s", presets->paths[n]);
            }
            brume_note_spot(panel, presets->names[n]);
        }
        ImGui::EndCombo();
    }
    (void)brume_end_row(panel, "preset", false, "Scenes that are installed with Brume.");

    brume_begin_row(panel, "open", false, brume_slider_width(panel));
    if (ImGui::InputTextWithHint("##value", "file.yaml, Enter", panel.open, sizeof panel.open,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        panel.open[0]) {
        (void)snprintf(commands.open, sizeof commands.open, "%s", panel.open);
    }
    (void)brume_end_row(panel, "open", false, "Opens a scene file; so does dropping a file on the window.");
    brume_end_simulation_controls(panel);

    brume_begin_row(panel, "save", false, brume_slider_width(panel));
    if (ImGui::InputTextWithHint("##value", "new name, Enter", panel.save, sizeof panel.save,
                                 ImGuiInputTextFlags_EnterReturnsTrue)) {
        commands.save = true;
        (void)snprintf(commands.save_as, sizeof commands.save_as, "%s", panel.save);
    }
    (void)brume_end_row(
        panel, "save", false,
        panel.readouts->timeline.shown
            ? "Writes camera, lights and materials as a scene file, with which brume render --look "
              "draws the frames as they are shown (G). Without a name, the file gets the next number."
            : "Writes settings, camera and all strokes as a scene file, from which brume render draws the "
              "same picture (G). Without a name, the file gets the next number.");

    const float width = column_width(2);
    if (ImGui::Button("reset all", ImVec2(width, 0.0f))) {
        for (BrumeSimDef &sim : panel.controls->sim) {
            sim = panel.scene->sim;
        }
        panel.controls->render_settings = panel.scene->render_settings;
        brume_controls_set_smoke_kind(panel.controls, panel.controls->brush.kind);
        commands.edited = true;
    }
    brume_note_spot(panel, "reset all");
    brume_explain(panel, &commands.edited, "Resets all settings to those of the scene; can be undone.");
    ImGui::SameLine();
    if (ImGui::Button("reload", ImVec2(width, 0.0f))) {
        (void)snprintf(commands.open, sizeof commands.open, "%s", panel.readouts->scene_path);
    }
    brume_note_spot(panel, "reload");
    brume_explain(panel, &commands.open, "Reads the scene file again.");
}

// the time of a sequence of frames
static void draw_playback(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    float speed = (float)controls.speed_limit;
    if (brume_slider_row(panel, "speed", &speed, 0.02f, 20.0f, "× real time", true,
                         "Time of the frames per second of real time.")) {
        controls.speed_limit = (double)speed;
    }
    (void)brume_switch_row(panel, "loop", &controls.loop, "Starts again at the other end (L).");
    (void)brume_switch_row(panel, "backwards", &controls.backwards, "Plays backwards (J).");
}

static void draw_time(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Time", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    if (panel.readouts->timeline.shown) {
        draw_playback(panel);
        return;
    }
    BrumeSimDef &sim = edited_sim(panel);
    bool unlimited = std::isinf(controls.speed_limit);
    if (brume_switch_row(panel, "unlimited", &unlimited, "Simulates as fast as the computer can.")) {
        controls.speed_limit = unlimited ? (double)INFINITY : 1.0;
    }
    if (!unlimited) {
        float speed_limit = (float)controls.speed_limit;
        if (brume_slider_row(panel, "speed limit", &speed_limit, 0.02f, 20.0f, "× real time", true,
                             "Largest simulated time per second of real time.")) {
            controls.speed_limit = (double)speed_limit;
        }
    }
    const int least = sim.min_steps;
    const int most = sim.max_steps;
    brume_parameter_rows(panel, BRUME_PARAMETERS_TIME, &sim, &panel.scene->sim);
    if (sim.min_steps != least && sim.min_steps > sim.max_steps) {
        sim.max_steps = sim.min_steps;
    } else if (sim.max_steps != most && sim.max_steps < sim.min_steps) {
        sim.min_steps = sim.max_steps;
    }
}

static ImVec4 swatch_of(BrumeVec3 albedo)
{
    return ImVec4(brume_srgb_from_linear(albedo.x), brume_srgb_from_linear(albedo.y), brume_srgb_from_linear(albedo.z),
                  1.0f);
}

static void draw_brush(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Brush", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    const float width = column_width(BRUME_SMOKE_KINDS);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (kind > 0) {
            ImGui::SameLine();
        }
        ImGui::PushID(kind);
        const ImVec4 color = swatch_of(controls.render_settings.smoke[kind].albedo);
        if (ImGui::ColorButton(smoke_names[kind], color, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                               ImVec2(width, 24.0f * panel.unit))) {
            controls.brush.erases = false;
            brume_controls_set_smoke_kind(&controls, kind);
        }
        if (kind == controls.brush.kind && !controls.brush.erases) {
            list->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), brume_accent,
                          ImGui::GetStyle().FrameRounding, 0, 2.5f * panel.unit);
        }
        brume_note_spot(panel, smoke_names[kind]);
        char more[64];
        (void)snprintf(more, sizeof more, "%s smoke; K selects the next", smoke_names[kind]);
        brume_explain(panel, smoke_names[kind], "The smoke that a left drag adds.", more);
        ImGui::PopID();
    }
    (void)brume_switch_row(panel, "erase", &controls.brush.erases,
                           "A left drag removes smoke of all kinds, and its heat, instead of adding it (U).");
    brume_parameter_rows(panel, BRUME_PARAMETERS_BRUSH, &controls.brush, nullptr);
}

static void draw_view_kinds(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    const char *names[BRUME_VIEW_COUNT];
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        names[view] = brume_view_name((BrumeViewKind)view);
    }
    const int columns = fitting_columns(names, BRUME_VIEW_COUNT, 3);
    const float width = column_width(columns);
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
    brume_begin_row(panel, "axis", false, brume_slider_width(panel));
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
    (void)brume_slider_row(panel, "position", &controls.slice_at, 0.0f, 1.0f, "", false,
                           "Position of the slice as a fraction of the box ([ and ]).");
}

static void draw_view(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "View", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    draw_view_kinds(panel);
    if (controls.view == BRUME_VIEW_VELOCITY) {
        (void)brume_switch_row(panel, "streamlines", &controls.streamlines, "Streamlines, otherwise arrows (V).");
    }
    if (controls.view == BRUME_VIEW_ISOSURFACE) {
        (void)brume_slider_row(panel, "level", &controls.iso_level, 0.01f, 5.0f, "", true,
                               "Density at the isosurface.");
    }
    draw_slice(panel);
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
    if (controls.compare) {
        (void)brume_slider_row(panel, "divider", &controls.divider, 0.02f, 0.98f, "", false,
                               "Where variant A ends; can also be dragged in the picture.");
    }
    (void)brume_slider_row(panel, "fly speed", &controls.fly_speed, 0.01f, 100.0f, "m/s", true,
                           "Flight speed with the right button and W A S D; also right button + wheel.");
    (void)brume_switch_row(panel, "vsync", &controls.vsync, "Waits for the display's refresh, which avoids tearing.");
}

// a point of the camera, by three numbers that are dragged at `speed` [m per pixel]
static void draw_point(BrumePanel &panel, const char *label, BrumeVec3 &point, BrumeVec3 scene, float speed,
                       const char *doc)
{
    static const float farthest = 1e5f; // of scenes
    const bool changed = memcmp(&point, &scene, sizeof point) != 0;
    float xyz[3] = {point.x, point.y, point.z};
    brume_begin_row(panel, label, changed, brume_vector_width(panel));
    if (ImGui::DragFloat3("##value", xyz, speed, -farthest, farthest, "%.3g", ImGuiSliderFlags_AlwaysClamp)) {
        point = brume_vec3(xyz[0], xyz[1], xyz[2]);
    }
    if (brume_end_row(panel, label, changed, doc, "m; drag sideways, double-click to type")) {
        point = scene;
    }
}

// the camera, beside that of the scene at the time that is shown
static void draw_camera(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Camera", false)) {
        return;
    }
    BrumeCamera &camera = panel.controls->camera;
    const BrumeCamera scene = brume_scene_camera(panel.scene, panel.readouts->time);
    static const char *const projections[] = {"perspective", "orthographic"};
    const int columns = fitting_columns(projections, 2, 2);
    const float width = column_width(columns);
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
    const BrumeCamera before = camera;
    const float speed = 2e-3f * brume_length(brume_sub(camera.target, camera.position));
    draw_point(panel, "position", camera.position, scene.position, speed, "Position of the camera.");
    draw_point(panel, "target", camera.target, scene.target, speed, "Point at the centre of the picture.");
    if (camera.position.y < before.position.y) {
        const float lowest = brume_controls_lowest_camera(panel.controls);
        camera.position.y = std::fmax(camera.position.y, std::fmin(lowest, before.position.y));
    }
    if (!(brume_length(brume_sub(camera.target, camera.position)) > 0.0f)) { // it looks nowhere
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

static void draw_air(BrumePanel &panel)
{
    if (brume_begin_simulation_section(panel, "Air", false)) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_AIR, &edited_sim(panel), &panel.scene->sim);
    }
}

static void draw_smoke(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Smoke", false)) {
        return;
    }
    BrumeSimDef &sim = edited_sim(panel);
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
            brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM, &panel.controls->render_settings.smoke[kind],
                                 &panel.scene->render_settings.smoke[kind]);
            static const BrumeCurve identity = {BRUME_CURVE_LINEAR, 2, {{0.0f, 0.0f}, {1.0f, 1.0f}}};
            brume_curve_rows(panel, "curve", panel.controls->render_settings.density_curve[kind],
                             panel.scene->render_settings.density_curve[kind], identity,
                             "Extinction, as a multiple of the extinction above, by the density.");
            ImGui::PopID();
            ImGui::EndTabItem();
        }
    }
    ImGui::EndTabBar();
}

static bool is_emitted(const BrumeEmitterDef &emitter, const BrumeParameter &parameter)
{
    const char *at = reinterpret_cast<const char *>(&emitter) + brume_parameter_offset(&parameter);
    if (parameter.kind == BRUME_PARAMETER_SOURCE) {
        BrumeSource source;
        memcpy(&source, at, sizeof source);
        return source.mode != BRUME_SOURCE_NONE;
    }
    if (parameter.kind == BRUME_PARAMETER_VECTOR_SOURCE) {
        BrumeVectorSource source;
        memcpy(&source, at, sizeof source);
        return source.mode != BRUME_SOURCE_NONE;
    }
    return emitter.noise > 0.0f || parameter.setting->offset == offsetof(BrumeEmitterDef, noise);
}

static void switch_emitter(BrumeEmitterDef &emitter, const BrumeEmitterDef *scene, bool on)
{
    emitter.start = !on ? never_starts : scene && scene->start < never_starts ? scene->start : 0.0f;
    emitter.end = on && scene ? scene->end : INFINITY;
}

static void draw_emitter(BrumePanel &panel, BrumeEmitterDef &emitter, const BrumeEmitterDef *scene, int number)
{
    static const char *const shapes[] = {"sphere", "box", "cylinder", "capsule"};
    char title[48];
    (void)snprintf(title, sizeof title, "%d, a %s###%d", number + 1, shapes[emitter.shape.kind], number);
    bool on = emitter.start < never_starts;
    ImGui::PushID(number);
    char label[32];
    (void)snprintf(label, sizeof label, "%d on", number + 1);
    if (ImGui::Checkbox("##on", &on)) {
        switch_emitter(emitter, scene, on);
        panel.commands->edited = true;
    }
    brume_note_spot(panel, label);
    brume_explain(panel, &emitter, "Whether the emitter is active.");
    ImGui::SameLine();
    const bool open = ImGui::TreeNodeEx(title, ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_FramePadding |
                                                   (number == 0 ? ImGuiTreeNodeFlags_DefaultOpen : 0));
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_EMITTER];
    for (int n = 0; open && n < table.count; n++) {
        if (is_emitted(emitter, table.parameters[n])) {
            (void)brume_parameter_row(panel, table.parameters[n], &emitter, scene);
        }
    }
    ImGui::PopID();
}

static void draw_emitters(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Emitters", false)) {
        return;
    }
    BrumeSimDef &sim = edited_sim(panel);
    for (int n = 0; n < sim.emitter_count; n++) {
        const bool known = n < panel.scene->sim.emitter_count;
        draw_emitter(panel, sim.emitters[n], known ? &panel.scene->sim.emitters[n] : nullptr, n);
    }
    if (sim.emitter_count == 0) {
        ImGui::TextDisabled("none; add smoke with a left drag");
    }
}

// the position of the sun [degrees] as in a scene file: azimuth from +z towards +x, elevation above the horizon
static void draw_sun(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    const BrumeVec3 direction = light.direction;
    float azimuth = degrees_per_radian * std::atan2(-direction.x, -direction.z);
    float elevation = degrees_per_radian * std::atan2(-direction.y, std::hypot(direction.x, direction.z));
    const bool changed = scene && memcmp(&direction, &scene->direction, sizeof direction) != 0;
    brume_begin_row(panel, "azimuth", changed, brume_slider_width(panel));
    bool dragged = brume_slider(panel, &azimuth, -180.0f, 180.0f, 4, "°", false);
    bool reset =
        brume_end_row(panel, "azimuth", changed, "Horizontal direction of the sun: 0 towards +z, 90 towards +x.",
                      "-180 to 180 °; Ctrl + click to type");
    brume_begin_row(panel, "elevation", changed, brume_slider_width(panel));
    dragged = brume_slider(panel, &elevation, -10.0f, 89.0f, 4, "°", false) || dragged;
    reset = brume_end_row(panel, "elevation", changed, "Angle of the sun above the horizon.",
                          "-10 to 89 °; Ctrl + click to type") ||
            reset;
    if (reset && scene) {
        light.direction = scene->direction;
    } else if (dragged) {
        const float a = azimuth / degrees_per_radian;
        const float e = elevation / degrees_per_radian;
        light.direction = brume_vec3(-std::cos(e) * std::sin(a), -std::sin(e), -std::cos(e) * std::cos(a));
    }
}

// a light with a position; it keeps its direction where the row would leave it without one, and a spot its cone
static void draw_placed_light(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    brume_parameter_rows(panel, BRUME_PARAMETERS_POINT_LIGHT, &light, scene);
    const BrumeLight before = light;
    if (light.kind == BRUME_LIGHT_SPOT) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_SPOT, &light, scene);
        light.angle = light.angle > 0.0f ? light.angle : before.angle;
    } else if (light.kind == BRUME_LIGHT_RECTANGLE) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_RECTANGLE, &light, scene);
    }
    light.direction = brume_length(light.direction) > 0.0f ? light.direction : before.direction;
}

// the color is a value of its own or that of a temperature
static void draw_intensity_and_color(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    bool by_temperature = light.temperature > 0.0f;
    if (brume_switch_row(panel, "by temperature", &by_temperature,
                         "Whether the color is that of a black body of a temperature.")) {
        const float before = scene && scene->temperature > 0.0f ? scene->temperature : 5600.0f;
        light.temperature = by_temperature ? before : 0.0f;
    }
    const size_t hidden = by_temperature ? offsetof(BrumeLight, color) : offsetof(BrumeLight, temperature);
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_LIGHT];
    for (int n = 0; n < table.count; n++) {
        if (table.parameters[n].setting->offset != hidden) {
            (void)brume_parameter_row(panel, table.parameters[n], &light, scene);
        }
    }
}

// A sky that is an image needs a file: the former one stays until there is an image.
static void draw_picture(BrumePanel &panel, BrumeRenderSettings &render_settings, const BrumeRenderSettings &scene)
{
    const BrumeSkyKind former = render_settings.sky.kind;
    brume_parameter_rows(panel, BRUME_PARAMETERS_RENDER, &render_settings, &scene);
    if (render_settings.sky.kind == BRUME_SKY_IMAGE && !render_settings.sky.image.radiance) {
        render_settings.sky.kind = former;
        panel.sky_wanted = true;
    } else if (render_settings.sky.kind != former) {
        panel.sky_wanted = false;
    }
    if (render_settings.sky.kind != BRUME_SKY_IMAGE && !panel.sky_wanted) {
        return;
    }
    brume_begin_row(panel, "sky file", false, brume_slider_width(panel));
    if (ImGui::InputTextWithHint("##value", "file.hdr or .exr, Enter", panel.sky, sizeof panel.sky,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        panel.sky[0]) {
        (void)snprintf(panel.commands->open_sky, sizeof panel.commands->open_sky, "%s", panel.sky);
    }
    (void)brume_end_row(panel, "sky file", false,
                        "Shows a picture of all directions as the sky; so does dropping the file on the window.");
}

static void draw_lights(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Light", false)) {
        return;
    }
    BrumeRenderSettings &render_settings = panel.controls->render_settings;
    const BrumeRenderSettings &before = panel.scene->render_settings;
    for (int n = 0; n < render_settings.light_count; n++) {
        BrumeLight &light = render_settings.lights[n];
        const BrumeLight *scene = n < before.light_count ? &before.lights[n] : nullptr;
        ImGui::PushID(n);
        if (render_settings.light_count > 1) {
            ImGui::PushFont(panel.bold);
            static const char *const names[] = {"sun", "point light", "spot", "rectangle"};
            ImGui::Text("%s %d", names[light.kind], n + 1);
            ImGui::PopFont();
        }
        if (light.kind == BRUME_LIGHT_DIRECTIONAL) {
            draw_sun(panel, light, scene);
            brume_parameter_rows(panel, BRUME_PARAMETERS_SUN, &light, scene);
        } else {
            draw_placed_light(panel, light, scene);
        }
        draw_intensity_and_color(panel, light, scene);
        ImGui::PopID();
    }
    if (render_settings.light_count > 0) {
        ImGui::Separator();
    }
    draw_picture(panel, render_settings, before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM_SAMPLING, &render_settings, &before);
    brume_parameter_rows(panel, BRUME_PARAMETERS_PHASE, &render_settings, &before);
    if (render_settings.phase.kind == BRUME_PHASE_TWO_LOBES) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_LOBES, &render_settings, &before);
    } else if (render_settings.phase.kind == BRUME_PHASE_DROPLETS) {
        brume_parameter_rows(panel, BRUME_PARAMETERS_DROPLETS, &render_settings, &before);
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_EMISSION, &render_settings, &before);
    static const BrumeCurve constant = {BRUME_CURVE_LINEAR, 2, {{500.0f, 1.0f}, {2000.0f, 1.0f}}};
    brume_curve_rows(panel, "glow curve", render_settings.emission.curve, before.emission.curve, constant,
                     "A factor of the glow by the absolute temperature [K].");
    brume_parameter_rows(panel, BRUME_PARAMETERS_DETAIL, &render_settings, &before);
}

static int longest_side(const BrumeSimDef &sim) { return (int)std::fmax(std::fmax(sim.nx, sim.ny), sim.nz); }

// A change reallocates all fields, so it is applied when the slider is released.
static void draw_resolution(BrumePanel &panel)
{
    BrumeSimDef &sim = edited_sim(panel);
    const BrumeSimDef &scene = panel.scene->sim;
    const bool changed = sim.nx != scene.nx || sim.ny != scene.ny || sim.nz != scene.nz;
    int cells = panel.resolution_held ? panel.resolution : longest_side(sim);
    brume_begin_row(panel, "resolution", changed, brume_slider_width(panel));
    (void)brume_slider(panel, &cells, 16, 256, "%d cells", true);
    panel.resolution_held = ImGui::IsItemActive();
    panel.resolution = cells;
    BrumeSimDef requested = sim;
    if (cells != longest_side(sim)) {
        brume_set_resolution(&requested, &scene, cells);
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        sim = requested;
    }
    if (brume_end_row(panel, "resolution", changed, "Cells along the longest side; a change resamples smoke and heat.",
                      "16 to 256; Ctrl + click to type")) {
        brume_set_resolution(&sim, &scene, longest_side(scene));
    }
    const double megabytes = 1e-6 * (double)brume_sim_bytes_needed(&requested);
    ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
    ImGui::Text("%d × %d × %d cells, %.0f MB", requested.nx, requested.ny, requested.nz, megabytes);
    ImGui::PopStyleColor();
}

static void draw_solver(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Solver", false)) {
        return;
    }
    draw_resolution(panel);
    brume_begin_row(panel, "threads", false, brume_slider_width(panel));
    (void)brume_slider(panel, &panel.controls->threads, 1, SDL_GetCPUCount(), "%d", false);
    (void)brume_end_row(panel, "threads", false, "Threads of the solver; the result does not depend on their number.");
    brume_parameter_rows(panel, BRUME_PARAMETERS_SOLVER, &edited_sim(panel), &panel.scene->sim);
}

void brume_draw_sections(BrumePanel &panel)
{
    draw_buttons(panel);
    draw_variants(panel);
    draw_scene(panel);
    draw_brush(panel);
    draw_view(panel);
    draw_camera(panel);
    draw_time(panel);
    draw_air(panel);
    draw_smoke(panel);
    draw_emitters(panel);
    draw_lights(panel);
    draw_solver(panel);
    brume_draw_pictures(panel);
    brume_draw_window_section(panel);
    panel.section = "";
}
