// Rows of the panel: a label, a control, and a button that resets it.
#include "core/vec3.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float label_points = 112.0f;
static const float reset_points = 20.0f;
static const double explain_after = 0.35; // [s]

bool brume_begin_section(BrumePanel &panel, const char *name, bool open_at_first)
{
    panel.section = "";
    ImGui::PushFont(panel.bold);
    const bool open = ImGui::CollapsingHeader(name, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopFont();
    brume_note_spot(panel, name);
    panel.section = name;
    return open;
}

void brume_note_spot(BrumePanel &panel, const char *label, const char *suffix)
{
    if (panel.spot_count == BRUME_PANEL_SPOTS || !ImGui::IsItemVisible()) {
        return;
    }
    BrumeSpot &spot = panel.spots[panel.spot_count++];
    (void)snprintf(spot.name, sizeof spot.name, "%s%s%s%s", panel.section, panel.section[0] ? "." : "", label, suffix);
    spot.lower = ImGui::GetItemRectMin();
    spot.upper = ImGui::GetItemRectMax();
}

void brume_explain(BrumePanel &panel, const void *what, const char *doc, const char *more)
{
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsItemActive()) {
        if (panel.hovered == what) {
            panel.hovered = nullptr;
        }
        return;
    }
    if (panel.hovered != what) {
        panel.hovered = what;
        panel.hovered_since = ImGui::GetTime();
    }
    if (ImGui::GetTime() - panel.hovered_since < explain_after) {
        return;
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(300.0f * panel.unit);
    ImGui::TextUnformatted(doc);
    if (more && more[0]) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::TextUnformatted(more);
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void brume_begin_row(BrumePanel &panel, const char *label, bool changed)
{
    ImGui::PushID(label);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, changed ? brume_changed : brume_dim_text);
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + label_points * panel.unit);
    ImGui::SetNextItemWidth(-reset_points * panel.unit);
}

bool brume_end_row(BrumePanel &panel, const char *label, bool changed, const char *doc, const char *more)
{
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc, more);
    panel.commands->edited = panel.commands->edited || ImGui::IsItemDeactivatedAfterEdit();
    bool reset = false;
    if (changed) {
        ImGui::SameLine();
        const float height = ImGui::GetFrameHeight();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - 0.85f * reset_points * panel.unit);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float width = 0.85f * reset_points * panel.unit;
        reset = ImGui::InvisibleButton("reset", ImVec2(width, height));
        brume_note_spot(panel, label, " reset");
        brume_draw_icon(BrumeIcon::Undo, ImVec2(corner.x + 0.5f * width, corner.y + 0.5f * height), 5.0f * panel.unit,
                        ImGui::IsItemHovered() ? brume_bright_text : brume_changed);
        brume_explain(panel, label, "Back to the scene's value.");
        panel.commands->edited = panel.commands->edited || reset;
    }
    ImGui::PopID();
    return reset;
}

// three digits that count, so that a slider stops at values that read well
static float rounded(float value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", (double)value);
    return std::strtof(text, nullptr);
}

static bool slide(float *value, float lower, float upper, const char *unit, bool logarithmic)
{
    char format[48];
    // a logarithmic way to 0 begins at the last of the format's digits
    const int digits = logarithmic && lower <= 0.0f ? 6 : 4;
    (void)snprintf(format, sizeof format, "%%.%dg%s%s", digits, unit[0] ? " " : "", unit);
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    if (!ImGui::SliderFloat("##value", value, lower, upper, format, flags)) {
        return false;
    }
    *value = rounded(*value);
    return true;
}

static bool slide_int(int *value, int lower, int upper, const char *unit, bool logarithmic)
{
    char format[48];
    (void)snprintf(format, sizeof format, "%%d%s%s", unit[0] ? " " : "", unit);
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return ImGui::SliderInt("##value", value, lower, upper, format, flags);
}

static bool drag_vector(BrumeVec3 *value, float lower, float upper)
{
    float xyz[3] = {value->x, value->y, value->z};
    if (!ImGui::DragFloat3("##value", xyz, 0.001f * (upper - lower), lower, upper, "%.3g",
                           ImGuiSliderFlags_AlwaysClamp)) {
        return false;
    }
    *value = brume_vec3(xyz[0], xyz[1], xyz[2]);
    return true;
}

static float linear_from_srgb(float value)
{
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

// shown as the display shows it; a color that is brighter than the display is shown and kept by its hue and scale
static bool pick_color(BrumeVec3 *value)
{
    const float most = std::fmax(std::fmax(value->x, value->y), std::fmax(value->z, 1.0f));
    float rgb[3] = {brume_srgb_from_linear(value->x / most), brume_srgb_from_linear(value->y / most),
                    brume_srgb_from_linear(value->z / most)};
    if (!ImGui::ColorEdit3("##value", rgb, ImGuiColorEditFlags_PickerHueWheel)) {
        return false;
    }
    *value =
        brume_vec3(most * linear_from_srgb(rgb[0]), most * linear_from_srgb(rgb[1]), most * linear_from_srgb(rgb[2]));
    return true;
}

// what a name needs that the settings do not have, nullptr where it can be chosen
static const char *misfit(const BrumeParameter &knob, const char *name, const void *values)
{
    if (knob.name != brume_pressure_name) {
        return nullptr;
    }
    const BrumeSimDef *sim = static_cast<const BrumeSimDef *>(values);
    return brume_pressure_unmet_need(name, sim->obstacle_count > 0, brume_all_periodic(sim));
}

// one of several names; the index that was chosen, -1 for none
static int choose(BrumePanel &panel, const BrumeParameter &knob, int present, const void *values)
{
    int chosen = -1;
    if (ImGui::BeginCombo("##value", knob.name(present) ? knob.name(present) : "?")) {
        for (int n = 0; knob.name(n); n++) {
            const char *need = misfit(knob, knob.name(n), values);
            const ImGuiSelectableFlags flags = need ? ImGuiSelectableFlags_Disabled : ImGuiSelectableFlags_None;
            if (ImGui::Selectable(knob.name(n), n == present, flags) && n != present) {
                chosen = n;
            }
            if (need && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
                ImGui::SetTooltip("%s", need);
            }
            brume_note_spot(panel, knob.name(n));
        }
        ImGui::EndCombo();
    }
    panel.commands->edited = panel.commands->edited || chosen >= 0;
    return chosen;
}

static int index_of(const char *(*name)(int), const char *text)
{
    int n = 0;
    while (name(n) && strcmp(name(n), text) != 0) {
        n++;
    }
    return n;
}

static bool turn(BrumePanel &panel, const BrumeParameter &knob, void *values)
{
    void *at = static_cast<char *>(values) + knob.offset;
    switch (knob.kind) {
    case BRUME_PARAMETER_FLOAT:
        return slide(static_cast<float *>(at), knob.lower, knob.upper, knob.unit, knob.logarithmic);
    case BRUME_PARAMETER_INT:
        return slide_int(static_cast<int *>(at), (int)knob.lower, (int)knob.upper, knob.unit, knob.logarithmic);
    case BRUME_PARAMETER_PERIOD: {
        float *rate = static_cast<float *>(at);
        float period = 1000.0f / *rate;
        const bool turned = slide(&period, knob.lower, knob.upper, knob.unit, knob.logarithmic);
        *rate = turned ? 1000.0f / period : *rate;
        return turned;
    }
    case BRUME_PARAMETER_SWITCH:
        return ImGui::Checkbox("##value", static_cast<bool *>(at));
    case BRUME_PARAMETER_VECTOR:
        return drag_vector(static_cast<BrumeVec3 *>(at), knob.lower, knob.upper);
    case BRUME_PARAMETER_COLOR:
        return pick_color(static_cast<BrumeVec3 *>(at));
    case BRUME_PARAMETER_CHOICE: {
        int *value = static_cast<int *>(at);
        const int chosen = choose(panel, knob, *value - (int)knob.lower, values);
        *value = chosen >= 0 ? chosen + (int)knob.lower : *value;
        return chosen >= 0;
    }
    case BRUME_PARAMETER_NAME: {
        const char **value = static_cast<const char **>(at);
        const int chosen = choose(panel, knob, index_of(knob.name, *value), values);
        *value = chosen >= 0 ? knob.name(chosen) : *value;
        return chosen >= 0;
    }
    case BRUME_PARAMETER_SOURCE: {
        BrumeSource *source = static_cast<BrumeSource *>(at);
        char unit[32];
        (void)snprintf(unit, sizeof unit, "%s%s", knob.unit[0] || source->mode != BRUME_SOURCE_RATE ? knob.unit : "1",
                       source->mode == BRUME_SOURCE_RATE ? "/s" : "");
        return slide(&source->value, knob.lower, knob.upper, unit, knob.logarithmic);
    }
    case BRUME_PARAMETER_VECTOR_SOURCE:
        return drag_vector(&static_cast<BrumeVectorSource *>(at)->value, knob.lower, knob.upper);
    }
    return false;
}

// range and scene's value, as the tooltip tells them
static void describe(const BrumeParameter &knob, const void *scene, char *text, size_t room)
{
    text[0] = '\0';
    const bool is_slider = knob.kind == BRUME_PARAMETER_FLOAT || knob.kind == BRUME_PARAMETER_INT ||
                           knob.kind == BRUME_PARAMETER_PERIOD || knob.kind == BRUME_PARAMETER_SOURCE;
    if (knob.kind == BRUME_PARAMETER_VECTOR || knob.kind == BRUME_PARAMETER_VECTOR_SOURCE) {
        (void)snprintf(text, room, "%g to %g %s; drag sideways, double-click to type", (double)knob.lower,
                       (double)knob.upper, knob.unit);
    } else if (is_slider) {
        int used = snprintf(text, room, "%g to %g%s%s", (double)knob.lower, (double)knob.upper, knob.unit[0] ? " " : "",
                            knob.unit);
        const char *at = scene ? static_cast<const char *>(scene) + knob.offset : nullptr;
        if (at && knob.kind == BRUME_PARAMETER_FLOAT) {
            float value;
            memcpy(&value, at, sizeof value);
            used += snprintf(text + used, room - (size_t)used, "; the scene has %.4g", (double)value);
        }
        (void)snprintf(text + used, room - (size_t)used, "; Ctrl + click to type");
    }
}

bool brume_parameter_row(BrumePanel &panel, const BrumeParameter &knob, void *values, const void *scene)
{
    const bool changed = scene && !brume_parameter_is_equal(&knob, values, scene);
    brume_begin_row(panel, knob.label, changed);
    const bool turned = turn(panel, knob, values);
    char more[160];
    describe(knob, scene, more, sizeof more);
    const bool reset = brume_end_row(panel, knob.label, changed, knob.doc, more);
    if (knob.kind == BRUME_PARAMETER_SWITCH) {
        panel.commands->edited = panel.commands->edited || turned;
    }
    if (reset) {
        brume_parameter_copy(&knob, values, scene);
    }
    return turned || reset;
}

void brume_parameter_rows(BrumePanel &panel, BrumeParameterGroup group, void *values, const void *scene)
{
    for (int n = 0; n < brume_parameters[group].count; n++) {
        (void)brume_parameter_row(panel, brume_parameters[group].knobs[n], values, scene);
    }
}

bool brume_slider_row(BrumePanel &panel, const char *label, float *value, float lower, float upper, const char *unit,
                      bool logarithmic, const char *doc)
{
    brume_begin_row(panel, label);
    const bool turned = slide(value, lower, upper, unit, logarithmic);
    (void)brume_end_row(panel, label, false, doc);
    return turned;
}

bool brume_switch_row(BrumePanel &panel, const char *label, bool *value, const char *doc)
{
    brume_begin_row(panel, label);
    const bool turned = ImGui::Checkbox("##value", value);
    (void)brume_end_row(panel, label, false, doc);
    return turned;
}

bool brume_icon_button(BrumePanel &panel, const char *label, BrumeIcon icon, const char *doc, bool enabled, ImU32 color)
{
    const ImVec2 size(30.0f * panel.unit, 26.0f * panel.unit);
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(label);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::Button("##icon", size);
    ImGui::PopID();
    brume_note_spot(panel, label);
    brume_draw_icon(icon, ImVec2(corner.x + 0.5f * size.x, corner.y + 0.5f * size.y), 6.0f * panel.unit,
                    color ? color : ImGui::GetColorU32(ImGuiCol_Text));
    ImGui::EndDisabled();
    brume_explain(panel, doc, doc);
    return pressed;
}

bool brume_choice_button(BrumePanel &panel, const char *label, bool chosen, float width, const char *doc)
{
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Button, brume_accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, brume_accent);
    } else {
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_ButtonHovered));
    }
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? IM_COL32(12, 16, 20, 255) : brume_bright_text);
    const bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    ImGui::PopStyleColor(3);
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc);
    return pressed && !chosen;
}
