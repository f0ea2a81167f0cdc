// The section of the brush: its modes, and the parameters of the selected one.
#include "viewer/panel/panel_internal.h"

#include <cstdio>

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"plain", "color 1", "color 2", "color 3"};

static const char *const mode_docs[BRUME_BRUSH_MODES] = {
    "A left drag adds smoke of the selected color, with heat. M selects the next brush.",
    "A left drag heats the air, or cools it, without smoke.",
    "A left drag adds fuel, which burns where it mixes with air, or where it is hot (section Air).",
    "A left drag adds particles of the selected kind (section Particles).",
    "A left drag gives the air the velocity of the pointer; also Ctrl + left drag with any brush.",
    "A left drag attracts the air with its smoke to the axis from the camera through the pointer, or blows it away.",
    "A left drag turns the air about the axis from the camera through the pointer.",
    "A left drag removes smoke of all kinds, and its heat (U).",
};

// the parameters of each mode after the radius; -1: no more
static const int mode_parameters[BRUME_BRUSH_MODES][2] = {
    {BRUME_BRUSH_DENSITY, BRUME_BRUSH_HEAT_OF_SMOKE},
    {BRUME_BRUSH_TEMPERATURE, -1},
    {BRUME_BRUSH_FUEL_PART, BRUME_BRUSH_TEMPERATURE},
    {BRUME_BRUSH_BIRTHS, -1},
    {BRUME_BRUSH_RATE, -1},
    {BRUME_BRUSH_SUCK_SPEED, BRUME_BRUSH_RATE},
    {BRUME_BRUSH_TWIST_SPEED, BRUME_BRUSH_RATE},
    {BRUME_BRUSH_ERASE_TO, -1},
};

static ImVec4 swatch_of(BrumeVec3 albedo)
{
    return ImVec4(brume_srgb_from_linear(albedo.x), brume_srgb_from_linear(albedo.y), brume_srgb_from_linear(albedo.z),
                  1.0f);
}

static void draw_modes(BrumePanel &panel)
{
    BrumeBrush &brush = panel.controls->brush;
    const char *names[BRUME_BRUSH_MODES];
    for (int n = 0; n < BRUME_BRUSH_MODES; n++) {
        names[n] = brume_brush_mode_name((BrumeBrushMode)n);
    }
    int columns = brume_fitting_columns(names, BRUME_BRUSH_MODES, BRUME_BRUSH_MODES);
    const int half = (BRUME_BRUSH_MODES + 1) / 2;
    columns = columns < BRUME_BRUSH_MODES && columns > half ? half : columns; // two rows
    const float width = brume_column_width(columns);
    for (int n = 0; n < BRUME_BRUSH_MODES; n++) {
        if (n % columns > 0) {
            ImGui::SameLine();
        }
        const bool chosen = n == (int)brush.mode;
        if (brume_choice_button(panel, names[n], chosen, width, mode_docs[n])) {
            brume_brush_select(&brush, (BrumeBrushMode)n);
        }
    }
}

static void draw_swatches(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    const float width = brume_column_width(BRUME_SMOKE_KINDS);
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (kind > 0) {
            ImGui::SameLine();
        }
        ImGui::PushID(kind);
        const ImVec4 color = swatch_of(brume_controls_look(&controls)->smoke[kind].albedo);
        if (ImGui::ColorButton(smoke_names[kind], color, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                               ImVec2(width, 24.0f * panel.unit))) {
            brume_controls_set_smoke_kind(&controls, kind);
        }
        const bool selected = kind == controls.brush.kind;
        list->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), selected ? brume_accent : brume_dim_text,
                      ImGui::GetStyle().FrameRounding, 0, (selected ? 2.5f : 1.0f) * panel.unit);
        brume_note_spot(panel, smoke_names[kind]);
        char more[64];
        (void)snprintf(more, sizeof more, "%s smoke; K selects the next", smoke_names[kind]);
        brume_explain(panel, smoke_names[kind], "The smoke that a left drag adds.", more);
        ImGui::PopID();
    }
}

static void draw_particle_kinds(BrumePanel &panel)
{
    BrumeBrush &brush = panel.controls->brush;
    const float width = brume_column_width(BRUME_PARTICLE_KINDS);
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        if (kind > 0) {
            ImGui::SameLine();
        }
        const bool chosen = kind == (int)brush.particles;
        if (brume_choice_button(panel, brume_particle_kind_name((BrumeParticleKind)kind), chosen, width,
                                "The particles that a left drag adds.")) {
            brush.particles = (BrumeParticleKind)kind;
        }
    }
}

void brume_draw_brush(BrumePanel &panel)
{
    if (!brume_begin_simulation_section(panel, "Brush", true)) {
        return;
    }
    BrumeBrush &brush = panel.controls->brush;
    const BrumeBrush at_first = brume_brush_of_scene(panel.scene);
    const BrumeParameter *parameters = brume_parameters[BRUME_PARAMETERS_BRUSH].parameters;
    if (brume_is_searching(panel)) { // also the parameters of other modes
        brume_parameter_rows(panel, BRUME_PARAMETERS_BRUSH, &brush, &at_first);
        return;
    }
    draw_modes(panel);
    if (brush.mode == BRUME_BRUSH_SMOKE) {
        draw_swatches(panel);
    }
    if (brush.mode == BRUME_BRUSH_PARTICLES) {
        draw_particle_kinds(panel);
    }
    (void)brume_parameter_row(panel, parameters[BRUME_BRUSH_RADIUS], &brush, &at_first);
    for (const int parameter : mode_parameters[brush.mode]) {
        if (parameter >= 0) {
            (void)brume_parameter_row(panel, parameters[parameter], &brush, &at_first);
        }
    }
}
