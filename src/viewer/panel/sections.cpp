// The sections of the panel, from the scene at the top to the solver at the bottom.
#include "core/vec3.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float degrees_per_radian = 57.29577951f;
static const float never = 1e6f; // when an emitter that is switched off begins [s]: the last time that a scene may name
static const char *const kind_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

static BrumeSimDef &edited_sim(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    return controls.sim[controls.compare ? controls.edited : 0];
}

static float share_of_width(int count)
{
    const float gaps = (float)(count - 1) * ImGui::GetStyle().ItemSpacing.x;
    return std::floor((ImGui::GetContentRegionAvail().x - gaps) / (float)count);
}

static void draw_transport(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    const BrumeFacts &facts = *panel.facts;
    panel.section = "";
    if (brume_icon_button(panel, "run", controls.running ? BrumeIcon::Pause : BrumeIcon::Play,
                          "Lets time run, or pauses it (Space).")) {
        controls.running = !controls.running;
    }
    ImGui::SameLine();
    commands.advance = brume_icon_button(panel, "step", BrumeIcon::Step, "One frame on (N).") || commands.advance;
    ImGui::SameLine();
    commands.reset =
        brume_icon_button(panel, "restart", BrumeIcon::Restart, "Starts anew from time 0 (R).") || commands.reset;
    ImGui::SameLine(0.0f, 14.0f * panel.unit);
    commands.undo =
        brume_icon_button(panel, "undo", BrumeIcon::Undo, "Takes back the newest edit (Ctrl + Z).", facts.can_undo) ||
        commands.undo;
    ImGui::SameLine();
    commands.redo =
        brume_icon_button(panel, "redo", BrumeIcon::Redo, "Does it again (Ctrl + Shift + Z).", facts.can_redo) ||
        commands.redo;
    ImGui::SameLine(0.0f, 14.0f * panel.unit);
    commands.screenshot =
        brume_icon_button(panel, "screenshot", BrumeIcon::Camera, "Keeps this picture as a file (F12).") ||
        commands.screenshot;
    ImGui::SameLine();
    commands.record = brume_icon_button(panel, "record", BrumeIcon::Record,
                                        facts.recording ? "Stops the recording (F11)."
                                                        : "Records every simulated frame as a picture (F11).",
                                        true, facts.recording ? brume_alarm : 0) ||
                      commands.record;
}

static void draw_sides(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    if (!controls.compare) {
        return;
    }
    panel.section = "";
    const float width = share_of_width(3);
    const char *const names[] = {"A (left)", "B (right)"};
    for (int side = 0; side < BRUME_MAX_SIDES; side++) {
        if (brume_choice_button(panel, names[side], controls.edited == side, width, "The side that the panel sets.")) {
            controls.edited = side;
        }
        ImGui::SameLine();
    }
    if (ImGui::Button("make equal", ImVec2(width, 0.0f))) {
        controls.sim[1 - controls.edited] = controls.sim[controls.edited];
        panel.commands->edited = true;
    }
    brume_note_spot(panel, "make equal");
    brume_explain(panel, names, "The other side takes the settings of this one.");
}

static void draw_scene(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Scene", true)) {
        return;
    }
    BrumeCommands &commands = *panel.commands;
    const BrumePresets *presets = panel.presets;
    brume_begin_row(panel, "preset");
    if (ImGui::BeginCombo("##value", panel.facts->scene, ImGuiComboFlags_HeightLarge)) {
        for (int n = 0; presets && n < presets->count; n++) {
            const bool present = strcmp(presets->paths[n], panel.facts->scene_path) == 0;
            if (ImGui::Selectable(presets->names[n], present)) {
                (void)snprintf(commands.open, sizeof commands.open, "%s", presets->paths[n]);
            }
            brume_note_spot(panel, presets->names[n]);
        }
        ImGui::EndCombo();
    }
    (void)brume_end_row(panel, "preset", false, "Scenes that come with Brume.");

    brume_begin_row(panel, "open");
    if (ImGui::InputTextWithHint("##value", "file.yaml, Enter", panel.open, sizeof panel.open,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        panel.open[0]) {
        (void)snprintf(commands.open, sizeof commands.open, "%s", panel.open);
    }
    (void)brume_end_row(panel, "open", false, "Opens a scene file; a file dropped on the window is opened too.");

    brume_begin_row(panel, "save");
    if (ImGui::InputTextWithHint("##value", "new name, Enter", panel.save, sizeof panel.save,
                                 ImGuiInputTextFlags_EnterReturnsTrue)) {
        commands.save = true;
        (void)snprintf(commands.save_as, sizeof commands.save_as, "%s", panel.save);
    }
    (void)brume_end_row(panel, "save", false,
                        "Writes settings, camera and all that was stirred as a scene, from which brume render makes "
                        "the same picture (G); without a name, under the next free one.");

    const float width = share_of_width(2);
    if (ImGui::Button("all as in the scene", ImVec2(width, 0.0f))) {
        for (BrumeSimDef &sim : panel.controls->sim) {
            sim = panel.scene->sim;
        }
        panel.controls->look = panel.scene->render_settings;
        brume_controls_set_kind(panel.controls, panel.controls->brush.kind);
        commands.edited = true;
    }
    brume_note_spot(panel, "all as in the scene");
    brume_explain(panel, &commands.edited, "Every setting goes back to the scene's; it can be undone.");
    ImGui::SameLine();
    if (ImGui::Button("load again", ImVec2(width, 0.0f))) {
        (void)snprintf(commands.open, sizeof commands.open, "%s", panel.facts->scene_path);
    }
    brume_note_spot(panel, "load again");
    brume_explain(panel, &commands.open, "Reads the scene's file anew.");
}

static void draw_time(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Time", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    BrumeSimDef &sim = edited_sim(panel);
    bool unlimited = std::isinf(controls.pace);
    if (brume_switch_row(panel, "full speed", &unlimited, "Time runs as fast as the machine can.")) {
        controls.pace = unlimited ? (double)INFINITY : 1.0;
    }
    if (!unlimited) {
        float pace = (float)controls.pace;
        if (brume_slider_row(panel, "pace", &pace, 0.02f, 20.0f, "× real time", true,
                             "How fast time runs at most; a slow machine runs it slower.")) {
            controls.pace = (double)pace;
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
    if (!brume_begin_section(panel, "Brush", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    const float width = share_of_width(BRUME_SMOKE_KINDS);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (kind > 0) {
            ImGui::SameLine();
        }
        ImGui::PushID(kind);
        const ImVec4 color = swatch_of(controls.look.smoke[kind].albedo);
        if (ImGui::ColorButton(kind_names[kind], color, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                               ImVec2(width, 24.0f * panel.unit))) {
            brume_controls_set_kind(&controls, kind);
        }
        if (kind == controls.brush.kind) {
            list->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), brume_accent,
                          ImGui::GetStyle().FrameRounding, 0, 2.5f * panel.unit);
        }
        brume_note_spot(panel, kind_names[kind]);
        char more[64];
        (void)snprintf(more, sizeof more, "%s smoke; K takes the next", kind_names[kind]);
        brume_explain(panel, kind_names[kind], "The smoke that a left drag leaves.", more);
        ImGui::PopID();
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_BRUSH, &controls.brush, nullptr);
}

static void draw_view_kinds(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    const float width = share_of_width(3);
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        if (view % 3 != 0) {
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
    (void)brume_switch_row(panel, "slice", &controls.slice, "A plane through the box, colored by what is shown (T).");
    if (!controls.slice) {
        return;
    }
    static const char *const axes[] = {"x", "y", "z"};
    brume_begin_row(panel, "across");
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::CalcItemWidth() - 2.0f * gap) / 3.0f;
    for (int axis = 0; axis < 3; axis++) {
        if (axis > 0) {
            ImGui::SameLine();
        }
        if (brume_choice_button(panel, axes[axis], controls.slice_axis == axis, width, "Axis of the slice (X).")) {
            controls.slice_axis = axis;
        }
    }
    ImGui::PopID();
    (void)brume_slider_row(panel, "place", &controls.slice_at, 0.0f, 1.0f, "", false,
                           "Where the slice is: 0 and 1 are the box's ends ([ and ]).");
}

static void draw_view(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "View", true)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    draw_view_kinds(panel);
    if (controls.view == BRUME_VIEW_VELOCITY) {
        (void)brume_switch_row(panel, "streamlines", &controls.streamlines, "Lines along the flow, or arrows (V).");
    }
    if (controls.view == BRUME_VIEW_ISOSURFACE) {
        (void)brume_slider_row(panel, "level", &controls.iso_level, 0.01f, 5.0f, "", true,
                               "Density of smoke that the surface follows.");
    }
    draw_slice(panel);
    bool opengl = !controls.cpu;
    if (brume_switch_row(panel, "OpenGL", &opengl,
                         "Drawn by OpenGL; otherwise by the processor, which refines the picture at rest (C).")) {
        controls.cpu = !opengl;
    }
    (void)brume_switch_row(panel, "outline", &controls.box, "The edges of the box (O).");
    (void)brume_switch_row(panel, "side by side", &controls.compare,
                           "The same scene twice, with settings of its own on each side (B).");
    if (controls.compare) {
        (void)brume_slider_row(panel, "divider", &controls.divider, 0.02f, 0.98f, "", false,
                               "Where side A ends; it can be dragged in the picture too.");
    }
    (void)brume_slider_row(panel, "field of view", &controls.camera.field_of_view, 5.0f, 120.0f, "°", false,
                           "Vertical angle of view.");
    (void)brume_slider_row(panel, "fly speed", &controls.fly_speed, 0.01f, 100.0f, "m/s", true,
                           "Speed of flight with the right button and W A S D; its wheel too.");
    (void)brume_switch_row(panel, "vsync", &controls.vsync, "Pictures wait for the display, so that none is torn.");
}

static void draw_air(BrumePanel &panel)
{
    if (brume_begin_section(panel, "Air", false)) {
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
        const bool open = ImGui::BeginTabItem(kind_names[kind]);
        brume_note_spot(panel, kind_names[kind]);
        if (open) {
            ImGui::PushID(kind);
            brume_parameter_rows(panel, BRUME_PARAMETERS_SMOKE, &sim.smoke[kind], &panel.scene->sim.smoke[kind]);
            brume_parameter_rows(panel, BRUME_PARAMETERS_MEDIUM, &panel.controls->look.smoke[kind],
                                 &panel.scene->render_settings.smoke[kind]);
            ImGui::PopID();
            ImGui::EndTabItem();
        }
    }
    ImGui::EndTabBar();
}

static bool gives(const BrumeEmitterDef &emitter, const BrumeParameter &parameter)
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
    emitter.start = !on ? never : scene && scene->start < never ? scene->start : 0.0f;
    emitter.end = on && scene ? scene->end : INFINITY;
}

static void draw_emitter(BrumePanel &panel, BrumeEmitterDef &emitter, const BrumeEmitterDef *scene, int number)
{
    static const char *const shapes[] = {"sphere", "box", "cylinder", "capsule"};
    char title[48];
    (void)snprintf(title, sizeof title, "%d, a %s###%d", number + 1, shapes[emitter.shape.kind], number);
    bool on = emitter.start < never;
    ImGui::PushID(number);
    char label[32];
    (void)snprintf(label, sizeof label, "%d on", number + 1);
    if (ImGui::Checkbox("##on", &on)) {
        switch_emitter(emitter, scene, on);
        panel.commands->edited = true;
    }
    brume_note_spot(panel, label);
    brume_explain(panel, &emitter, "Whether it gives anything.");
    ImGui::SameLine();
    const bool open = ImGui::TreeNodeEx(title, ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_FramePadding |
                                                   (number == 0 ? ImGuiTreeNodeFlags_DefaultOpen : 0));
    const BrumeParameterTable &table = brume_parameters[BRUME_PARAMETERS_EMITTER];
    for (int n = 0; open && n < table.count; n++) {
        if (gives(emitter, table.parameters[n])) {
            (void)brume_parameter_row(panel, table.parameters[n], &emitter, scene);
        }
    }
    ImGui::PopID();
}

static void draw_emitters(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Emitters", false)) {
        return;
    }
    BrumeSimDef &sim = edited_sim(panel);
    for (int n = 0; n < sim.emitter_count; n++) {
        const bool known = n < panel.scene->sim.emitter_count;
        draw_emitter(panel, sim.emitters[n], known ? &panel.scene->sim.emitters[n] : nullptr, n);
    }
    if (sim.emitter_count == 0) {
        ImGui::TextDisabled("this scene has none; stir!");
    }
}

// where a sun stands [degrees], as a scene file has it: azimuth from +z to +x, elevation above the horizon
static void draw_sun(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    const BrumeVec3 way = light.direction;
    float azimuth = degrees_per_radian * std::atan2(-way.x, -way.z);
    float elevation = degrees_per_radian * std::atan2(-way.y, std::hypot(way.x, way.z));
    const bool changed = scene && memcmp(&way, &scene->direction, sizeof way) != 0;
    brume_begin_row(panel, "azimuth", changed);
    bool turned = ImGui::SliderFloat("##value", &azimuth, -180.0f, 180.0f, "%.1f °");
    bool reset =
        brume_end_row(panel, "azimuth", changed, "Where the sun stands: 0 in front (+z), 90 at the right (+x).",
                      "-180 to 180 °; Ctrl + click to type");
    brume_begin_row(panel, "elevation", changed);
    turned = ImGui::SliderFloat("##value", &elevation, -10.0f, 89.0f, "%.1f °") || turned;
    reset = brume_end_row(panel, "elevation", changed, "Height of the sun above the horizon.",
                          "-10 to 89 °; Ctrl + click to type") ||
            reset;
    if (reset) {
        light.direction = scene->direction;
    } else if (turned) {
        const float a = azimuth / degrees_per_radian;
        const float e = elevation / degrees_per_radian;
        light.direction = brume_vec3(-std::cos(e) * std::sin(a), -std::sin(e), -std::cos(e) * std::cos(a));
    }
}

static void draw_lamp(BrumePanel &panel, BrumeLight &light, const BrumeLight *scene)
{
    brume_parameter_rows(panel, BRUME_PARAMETERS_POINT_LIGHT, &light, scene);
}

static void draw_lights(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Light", false)) {
        return;
    }
    BrumeRenderSettings &look = panel.controls->look;
    const BrumeRenderSettings &before = panel.scene->render_settings;
    for (int n = 0; n < look.light_count; n++) {
        BrumeLight &light = look.lights[n];
        const BrumeLight *scene = n < before.light_count ? &before.lights[n] : nullptr;
        ImGui::PushID(n);
        if (look.light_count > 1) {
            ImGui::PushFont(panel.bold);
            ImGui::Text("%s %d", light.kind == BRUME_LIGHT_DIRECTIONAL ? "sun" : "lamp", n + 1);
            ImGui::PopFont();
        }
        if (light.kind == BRUME_LIGHT_DIRECTIONAL) {
            draw_sun(panel, light, scene);
        } else {
            draw_lamp(panel, light, scene);
        }
        brume_parameter_rows(panel, BRUME_PARAMETERS_LIGHT, &light, scene);
        ImGui::PopID();
    }
    if (look.light_count > 0) {
        ImGui::Separator();
    }
    brume_parameter_rows(panel, BRUME_PARAMETERS_RENDER, &look, &before);
}

static int longest_of(const BrumeSimDef &sim) { return (int)std::fmax(std::fmax(sim.nx, sim.ny), sim.nz); }

// a change lays memory out anew, so it is made when the slider is let go
static void draw_resolution(BrumePanel &panel)
{
    BrumeSimDef &sim = edited_sim(panel);
    const BrumeSimDef &scene = panel.scene->sim;
    const bool changed = sim.nx != scene.nx || sim.ny != scene.ny || sim.nz != scene.nz;
    int cells = panel.resolution_held ? panel.resolution : longest_of(sim);
    brume_begin_row(panel, "resolution", changed);
    (void)ImGui::SliderInt("##value", &cells, 16, 256, "%d cells",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic);
    panel.resolution_held = ImGui::IsItemActive();
    panel.resolution = cells;
    BrumeSimDef wished = sim;
    if (cells != longest_of(sim)) {
        brume_set_resolution(&wished, &scene, cells);
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        sim = wished;
    }
    if (brume_end_row(panel, "resolution", changed,
                      "Cells along the longest side; smoke and heat are kept when it changes.",
                      "16 to 256; Ctrl + click to type")) {
        brume_set_resolution(&sim, &scene, longest_of(scene));
    }
    const double megabytes = 1e-6 * (double)brume_sim_bytes_needed(&wished);
    ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
    ImGui::Text("%d × %d × %d cells, %.0f MB", wished.nx, wished.ny, wished.nz, megabytes);
    ImGui::PopStyleColor();
}

static void draw_solver(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Solver", false)) {
        return;
    }
    draw_resolution(panel);
    brume_begin_row(panel, "threads");
    (void)ImGui::SliderInt("##value", &panel.controls->threads, 1, SDL_GetCPUCount(), "%d",
                           ImGuiSliderFlags_AlwaysClamp);
    (void)brume_end_row(panel, "threads", false,
                        "Threads of the solver's team; the result is the same with any number.");
    brume_parameter_rows(panel, BRUME_PARAMETERS_SOLVER, &edited_sim(panel), &panel.scene->sim);
}

void brume_draw_sections(BrumePanel &panel)
{
    draw_transport(panel);
    draw_sides(panel);
    draw_scene(panel);
    draw_brush(panel);
    draw_view(panel);
    draw_time(panel);
    draw_air(panel);
    draw_smoke(panel);
    draw_emitters(panel);
    draw_lights(panel);
    draw_solver(panel);
    panel.section = "";
}
