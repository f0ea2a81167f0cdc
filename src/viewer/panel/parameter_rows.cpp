// Rows of the parameters of settings: numbers, vectors, colors, switches and choices.
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static bool drag_vector(BrumePanel &panel, BrumeVec3 *value, float lower, float upper, const char *unit)
{
    float xyz[3] = {value->x, value->y, value->z};
    if (!brume_drag_numbers(panel, xyz, 3, 0.001f * (upper - lower), lower, upper, "%.3g", unit)) {
        return false;
    }
    *value = brume_vec3(xyz[0], xyz[1], xyz[2]);
    return true;
}

static float linear_from_srgb(float value)
{
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

// Edits a color by three numbers and a swatch. ImGui writes "R:203" where that just fits: wider gaps make it write the
// number alone.
static bool edit_color(BrumePanel &panel, float rgb[3])
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float swatch = ImGui::GetFrameHeight() + style.ItemInnerSpacing.x;
    const float number = (ImGui::CalcItemWidth() - swatch - 2.0f * style.ItemInnerSpacing.x) / 3.0f;
    const float text = ImGui::CalcTextSize("M:000").x;
    const bool touches = number > text && number < text + 2.0f * style.FramePadding.x;
    const float gap = style.ItemInnerSpacing.x + (touches ? std::ceil(number - text) : 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, ImVec2(gap, style.ItemInnerSpacing.y));
    const bool changed = ImGui::ColorEdit3("##value", rgb, ImGuiColorEditFlags_PickerHueWheel);
    ImGui::PopStyleVar();
    int n;
    const float step = 0.01f * brume_focus_numbers(panel, 3, n, true);
    rgb[n] = step != 0.0f ? std::fmin(std::fmax(rgb[n] + step, 0.0f), 1.0f) : rgb[n];
    return changed || step != 0.0f;
}

// edits a color in sRGB; a color above 1 is divided by its largest component, and the result multiplied by it
static bool pick_color(BrumePanel &panel, BrumeVec3 *value)
{
    const float scale = std::fmax(std::fmax(value->x, value->y), std::fmax(value->z, 1.0f));
    float rgb[3] = {brume_srgb_from_linear(value->x / scale), brume_srgb_from_linear(value->y / scale),
                    brume_srgb_from_linear(value->z / scale)};
    const float before[3] = {255.0f * rgb[0], 255.0f * rgb[1], 255.0f * rgb[2]}; // in the range of typed numbers
    const bool changed = edit_color(panel, rgb);
    brume_note_pressed(panel, before, 3);
    double typed[3] = {255.0 * (double)rgb[0], 255.0 * (double)rgb[1], 255.0 * (double)rgb[2]};
    if (!changed) {
        return false;
    }
    (void)brume_take_typed(panel, typed, 3, 0.0, 255.0, "");
    for (int n = 0; n < 3; n++) {
        rgb[n] = (float)(typed[n] / 255.0);
    }
    *value = brume_vec3(scale * linear_from_srgb(rgb[0]), scale * linear_from_srgb(rgb[1]),
                        scale * linear_from_srgb(rgb[2]));
    return true;
}

// returns the reason why a choice is not available with these settings; nullptr: it is
static const char *unmet_need(const BrumeParameter &parameter, const char *choice, const void *values)
{
    if (parameter.setting->name_at != brume_pressure_name) {
        return nullptr;
    }
    const BrumeSimDef *sim = static_cast<const BrumeSimDef *>(values);
    return brume_pressure_unmet_need(choice, brume_has_bodies(sim), brume_all_periodic(sim));
}

// draws a list of choices; returns whether another one was chosen
static bool choose(BrumePanel &panel, const BrumeParameter &parameter, void *values)
{
    const int present = brume_parameter_chosen(&parameter, values);
    int chosen = -1;
    char choice[BRUME_PARAMETER_TEXT] = "?";
    if (present >= 0) {
        (void)brume_parameter_choice(&parameter, present, choice);
    }
    char label[BRUME_PARAMETER_TEXT];
    brume_choice_label(choice, label);
    if (ImGui::BeginCombo("##value", label)) {
        for (int n = 0; brume_parameter_choice(&parameter, n, choice); n++) {
            brume_choice_label(choice, label);
            const char *unmet = unmet_need(parameter, choice, values);
            const ImGuiSelectableFlags flags = unmet ? ImGuiSelectableFlags_Disabled : ImGuiSelectableFlags_None;
            if (ImGui::Selectable(label, n == present, flags) && n != present) {
                chosen = n;
            }
            if (n == present) {
                ImGui::SetItemDefaultFocus();
            }
            brume_note_spot(panel, choice);
            if (unmet) {
                brume_explain(panel, unmet, unmet);
            }
        }
        ImGui::EndCombo();
    }
    if (chosen >= 0) {
        brume_parameter_choose(&parameter, values, chosen);
        panel.commands->edited = true;
    }
    return chosen >= 0;
}

// finds the unit of a value; for the intensity of a light, the unit depends on the kind of light
static void find_unit(const BrumeParameter &parameter, const BrumeSetting &setting, const void *values,
                      char unit[BRUME_PARAMETER_TEXT])
{
    brume_parameter_unit(&parameter, &setting, unit);
    if (&setting == &brume_light_setting_table[BRUME_LIGHT_INTENSITY]) {
        const BrumeLightKind kind = static_cast<const BrumeLight *>(values)->kind;
        static const char *const units[] = {"W/m²", "W/sr", "W/sr", "W"}; // by kind
        (void)snprintf(unit, BRUME_PARAMETER_TEXT, "%s", units[kind]);
    }
}

// draws the control of a parameter; returns whether its value was changed
static bool edit(BrumePanel &panel, const BrumeParameter &parameter, void *values)
{
    const BrumeSetting *setting = brume_parameter_setting(&parameter, values);
    const BrumeSliderRange range = brume_parameter_range(&parameter, setting);
    const float lower = (float)range.min;
    const float upper = (float)range.max;
    char unit[BRUME_PARAMETER_TEXT];
    char format[BRUME_PARAMETER_TEXT + 8];
    find_unit(parameter, *setting, values, unit);
    void *member = static_cast<char *>(values) + setting->offset;
    switch (parameter.kind) {
    case BRUME_PARAMETER_FLOAT:
    case BRUME_PARAMETER_SOURCE:
    case BRUME_PARAMETER_PERIOD:
    case BRUME_PARAMETER_FACTOR: {
        float *value = static_cast<float *>(member);
        float shown = brume_parameter_shown(&parameter, setting, *value);
        if (parameter.kind == BRUME_PARAMETER_FACTOR) { // with its SI value
            (void)snprintf(unit, sizeof unit, "= %.3g %s", (double)*value, setting->unit);
        }
        const bool changed = brume_slide_number(panel, &shown, lower, upper, unit, range.logarithmic);
        *value = changed ? brume_parameter_stored(&parameter, setting, shown) : *value;
        return changed;
    }
    case BRUME_PARAMETER_INT:
        (void)snprintf(format, sizeof format, "%%d%s%s", unit[0] ? " " : "", unit);
        return brume_slider(panel, static_cast<int *>(member), (int)lower, (int)upper, format, range.logarithmic);
    case BRUME_PARAMETER_SWITCH:
        return ImGui::Checkbox("##value", static_cast<bool *>(member));
    case BRUME_PARAMETER_VECTOR:
    case BRUME_PARAMETER_VECTOR_SOURCE:
        return drag_vector(panel, static_cast<BrumeVec3 *>(member), lower, upper, unit);
    case BRUME_PARAMETER_COLOR:
        return pick_color(panel, static_cast<BrumeVec3 *>(member));
    case BRUME_PARAMETER_CHOICE:
    case BRUME_PARAMETER_NAME:
        return choose(panel, parameter, values);
    }
    return false;
}

// writes the range of a control, and the scene's value, for the tooltip
static void describe(const BrumeParameter &parameter, const BrumeSetting &setting, const void *values,
                     const void *scene, char *text, size_t size)
{
    text[0] = '\0';
    const bool is_vector = parameter.kind == BRUME_PARAMETER_VECTOR || parameter.kind == BRUME_PARAMETER_VECTOR_SOURCE;
    const bool is_float = parameter.kind == BRUME_PARAMETER_FLOAT || parameter.kind == BRUME_PARAMETER_PERIOD ||
                          parameter.kind == BRUME_PARAMETER_FACTOR;
    const bool is_slider =
        is_float || parameter.kind == BRUME_PARAMETER_INT || parameter.kind == BRUME_PARAMETER_SOURCE;
    const BrumeSliderRange range = brume_parameter_range(&parameter, &setting);
    char unit[BRUME_PARAMETER_TEXT];
    find_unit(parameter, setting, values, unit);
    if (is_vector) {
        (void)snprintf(text, size, "%g to %g %s; drag sideways, double-click to type", range.min, range.max, unit);
    } else if (is_slider) {
        int used = snprintf(text, size, "%g to %g%s%s", range.min, range.max, unit[0] ? " " : "", unit);
        if (scene && is_float) {
            float value;
            memcpy(&value, static_cast<const char *>(scene) + setting.offset, sizeof value);
            used += snprintf(text + used, size - (size_t)used, "; the scene has %.4g",
                             (double)brume_parameter_shown(&parameter, &setting, value));
        }
        (void)snprintf(text + used, size - (size_t)used, "; double-click to type");
    }
}

// returns the least width in which a control is readable
static float control_width(const BrumePanel &panel, const BrumeParameter &parameter, const BrumeSetting &setting)
{
    float widest = 0.0f;
    char choice[BRUME_PARAMETER_TEXT];
    switch (parameter.kind) {
    case BRUME_PARAMETER_SWITCH:
        return ImGui::GetFrameHeight();
    case BRUME_PARAMETER_VECTOR:
    case BRUME_PARAMETER_VECTOR_SOURCE:
        return brume_vector_width();
    case BRUME_PARAMETER_COLOR:
        return 1.5f * brume_slider_width(panel);
    case BRUME_PARAMETER_FACTOR: // with the value in SI units
        (void)snprintf(choice, sizeof choice, "0.0000 = 0.0000 %s", setting.unit);
        return ImGui::CalcTextSize(choice).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    case BRUME_PARAMETER_CHOICE:
    case BRUME_PARAMETER_NAME:
        for (int n = 0; brume_parameter_choice(&parameter, n, choice); n++) {
            char label[BRUME_PARAMETER_TEXT];
            brume_choice_label(choice, label);
            widest = std::fmax(widest, ImGui::CalcTextSize(label).x);
        }
        return brume_combo_width(widest);
    default:
        return brume_slider_width(panel);
    }
}

static bool draw_row(BrumePanel &panel, const BrumeParameter &parameter, void *values, const void *scene)
{
    const BrumeSetting *setting = brume_parameter_setting(&parameter, values);
    const bool differs = scene && !brume_parameter_is_equal(&parameter, values, scene);
    const bool is_vector = parameter.kind == BRUME_PARAMETER_VECTOR || parameter.kind == BRUME_PARAMETER_VECTOR_SOURCE;
    char unit[BRUME_PARAMETER_TEXT] = ""; // there is no room for a unit after the numbers of a vector
    if (is_vector) {
        find_unit(parameter, *setting, values, unit);
    }
    if (!brume_begin_row(panel, setting->label, differs, control_width(panel, parameter, *setting), unit,
                         setting->path)) {
        return false;
    }
    BrumeAnimatedMember member;
    const bool has_member = brume_find_member(panel, static_cast<char *>(values) + setting->offset, member);
    ImGui::BeginDisabled(!brume_can_edit_value(panel, &member, has_member));
    const bool changed = edit(panel, parameter, values);
    char more[160];
    describe(parameter, *setting, values, scene, more, sizeof more);
    const bool reset = brume_end_row(panel, setting->label, differs, setting->doc, more);
    ImGui::EndDisabled();
    if (parameter.kind == BRUME_PARAMETER_SWITCH) {
        panel.commands->edited = panel.commands->edited || changed;
    }
    if (reset) {
        brume_parameter_copy(&parameter, values, scene);
    }
    if (has_member) {
        const bool sets_keys = panel.controls->auto_key || panel.keys_only;
        if ((changed || reset) && sets_keys && brume_is_animated(panel, member)) {
            brume_set_keys(*panel.controls, member, panel.readouts->time);
        }
        brume_key_button(panel, setting->label, member);
    }
    return changed || reset;
}

// A value without effect has no row; in a search, it has a row with the reason.
bool brume_parameter_row(BrumePanel &panel, const BrumeParameter &parameter, void *values, const void *scene)
{
    const char *idle = brume_parameter_idle(&parameter, values);
    if (!idle) {
        return draw_row(panel, parameter, values, scene);
    }
    if (brume_is_searching(panel)) {
        const char *const unavailable = panel.unavailable;
        panel.unavailable = idle;
        ImGui::BeginDisabled();
        (void)draw_row(panel, parameter, values, scene);
        ImGui::EndDisabled();
        panel.unavailable = unavailable;
    }
    return false;
}

void brume_parameter_rows(BrumePanel &panel, BrumeParameterGroup group, void *values, const void *scene)
{
    for (int n = 0; n < brume_parameters[group].count; n++) {
        (void)brume_parameter_row(panel, brume_parameters[group].parameters[n], values, scene);
    }
}
