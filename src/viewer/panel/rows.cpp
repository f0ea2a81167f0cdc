// Rows of the panel: a label, a control, and a button that resets the value to the scene's.
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstring>

static const float label_points = 112.0f;
static const float reset_points = BRUME_RESET_POINTS;
static const float end_points = BRUME_RESET_POINTS + BRUME_KEY_POINTS;
static const double tooltip_delay = 0.35; // [s]
static const float tooltip_points = 300.0f;

static bool draw_header(BrumePanel &panel, const char *name, bool open_at_first)
{
    panel.section = "";
    ImGui::PushFont(panel.bold);
    const bool open = ImGui::CollapsingHeader(name, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopFont();
    brume_note_spot(panel, name);
    panel.section = name;
    return open;
}

bool brume_begin_section(BrumePanel &panel, const char *name, bool open_at_first)
{
    if (brume_is_searching(panel)) {
        panel.section = name;
        panel.search.has_title = false;
        return true;
    }
    const bool open = draw_header(panel, name, brume_section_is_open_at_first(panel, name, open_at_first));
    brume_note_section(panel, name, open);
    return open;
}

static const char *const needs_simulation =
    "Needs a simulation, but these frames were computed before: brume view SCENE starts one.";

bool brume_begin_simulation_section(BrumePanel &panel, const char *name, bool open_at_first)
{
    if (!panel.readouts->timeline.shown) {
        return brume_begin_section(panel, name, open_at_first);
    }
    if (brume_is_searching(panel)) {
        return false;
    }
    brume_begin_simulation_controls(panel);
    ImGui::SetNextItemOpen(false);
    ImGui::PushID("unavailable"); // its state is separate from the section that can be opened
    (void)draw_header(panel, name, false);
    ImGui::PopID();
    brume_explain(panel, name, needs_simulation);
    brume_end_simulation_controls(panel);
    return false;
}

void brume_begin_simulation_controls(BrumePanel &panel)
{
    panel.unavailable = panel.readouts->timeline.shown ? needs_simulation : nullptr;
    ImGui::BeginDisabled(panel.unavailable != nullptr);
}

void brume_end_simulation_controls(BrumePanel &panel)
{
    ImGui::EndDisabled();
    panel.unavailable = nullptr;
}

void brume_note_spot(BrumePanel &panel, const char *label, const char *suffix)
{
    if (panel.spot_count == BRUME_PANEL_SPOTS) {
        return;
    }
    BrumeSpot &spot = panel.spots[panel.spot_count++];
    (void)snprintf(spot.name, sizeof spot.name, "%s%s%s%s", panel.section, panel.section[0] ? "." : "", label, suffix);
    spot.lower = ImGui::GetItemRectMin();
    spot.upper = ImGui::GetItemRectMax();
    spot.visible = ImGui::IsItemVisible();
    brume_focus_note(panel);
}

// copies a documentation text without the backquotes of keys, and with the multiplication sign
static void copy_doc(const char *doc, char *text, size_t size)
{
    static const char product[] = " x ";
    static const char shown[] = " × ";
    size_t used = 0;
    while (*doc && used + sizeof shown < size) {
        if (strncmp(doc, product, sizeof product - 1) == 0) {
            memcpy(text + used, shown, sizeof shown - 1);
            used += sizeof shown - 1;
            doc += sizeof product - 1;
        } else {
            text[used] = *doc;
            used += *doc != '`' ? 1 : 0;
            doc++;
        }
    }
    text[used] = '\0';
}

// Puts the tooltip of a control below it, or above it where there is no room, so that it never covers the control.
static void place_tooltip(const BrumePanel &panel, ImVec2 lower, ImVec2 upper, ImVec2 size)
{
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 4.0f * panel.unit;
    const bool above = upper.y + gap + size.y > screen.y;
    const float left = std::fmax(std::fmin(lower.x, screen.x - size.x), 0.0f);
    ImGui::SetNextWindowPos(ImVec2(left, above ? lower.y - gap : upper.y + gap), ImGuiCond_Always,
                            ImVec2(0.0f, above ? 1.0f : 0.0f));
}

void brume_show_tooltip(BrumePanel &panel, ImVec2 lower, ImVec2 upper, const char *text, const char *more)
{
    const float wrap = tooltip_points * panel.unit;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 first = ImGui::CalcTextSize(text, nullptr, false, wrap - padding.x);
    ImVec2 size(first.x + 2.0f * padding.x, first.y + 2.0f * padding.y);
    if (more && more[0]) {
        const ImVec2 second = ImGui::CalcTextSize(more, nullptr, false, wrap - padding.x);
        size.x = std::fmax(first.x, second.x) + 2.0f * padding.x;
        size.y += second.y + ImGui::GetStyle().ItemSpacing.y;
    }
    place_tooltip(panel, lower, upper, size);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1.0f); // opaque also for a disabled control
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap);
    ImGui::TextUnformatted(text);
    if (more && more[0]) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::TextUnformatted(more);
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void brume_explain(BrumePanel &panel, const void *what, const char *doc, const char *more)
{
    const bool explained = panel.focus.explains && brume_has_focus(panel);
    const bool rests =
        !panel.focus.explains && !panel.focus.is_used && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    if (!explained && (!rests || ImGui::IsItemActive())) {
        if (panel.hovered == what) {
            panel.hovered = nullptr;
        }
        return;
    }
    if (panel.hovered != what) {
        panel.hovered = what;
        panel.hovered_since = ImGui::GetTime();
    }
    if (!explained && ImGui::GetTime() - panel.hovered_since < tooltip_delay) {
        return;
    }
    char text[512];
    copy_doc(panel.unavailable ? panel.unavailable : doc, text, sizeof text);
    // a focused control may be a part of the item, as one number of a vector
    brume_show_tooltip(panel, explained ? panel.focus.lower : ImGui::GetItemRectMin(),
                       explained ? panel.focus.upper : ImGui::GetItemRectMax(), text,
                       panel.unavailable ? nullptr : more);
}

bool brume_begin_row(BrumePanel &panel, const char *label, bool changed, float width, const char *unit,
                     const char *path)
{
    if (brume_is_searching(panel) && !brume_search_matches(panel, label, path)) {
        return false;
    }
    ImGui::PushID(label);
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float unit_width = unit[0] ? ImGui::CalcTextSize(unit).x + gap : 0.0f;
    const float label_width = std::fmax(label_points * panel.unit, ImGui::CalcTextSize(label).x + unit_width + gap);
    const bool stacked = label_width + width + end_points * panel.unit > ImGui::GetContentRegionAvail().x;
    if (!stacked) {
        ImGui::AlignTextToFramePadding();
    }
    ImGui::PushStyleColor(ImGuiCol_Text, changed ? brume_changed : brume_dim_text);
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    if (unit[0]) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", unit);
    }
    if (!stacked) {
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + label_width);
    }
    ImGui::SetNextItemWidth(-end_points * panel.unit);
    return true;
}

float brume_slider_width(const BrumePanel &panel) { return 100.0f * panel.unit; }

float brume_vector_width()
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float number = ImGui::CalcTextSize("-0.04003").x + 2.0f * style.FramePadding.x;
    return 3.0f * number + 2.0f * style.ItemInnerSpacing.x;
}

float brume_combo_width(float text_width)
{
    return text_width + ImGui::GetFrameHeight() + 2.0f * ImGui::GetStyle().FramePadding.x;
}

bool brume_take_typed(BrumePanel &panel, double *numbers, int count, double lower, double upper, const char *unit)
{
    BrumePressedSlider &pressed = panel.pressed_slider;
    const bool has_unit = unit[0] && unit[0] != '='; // not the value in SI units that follows a factor
    pressed.refused[0] = '\0';
    for (int n = 0; n < count; n++) {
        if (!(numbers[n] >= lower && numbers[n] <= upper)) {
            (void)snprintf(pressed.refused, sizeof pressed.refused, "%.7g is not from %.7g to %.7g%s%s", numbers[n],
                           lower, upper, has_unit ? " " : "", has_unit ? unit : "");
        }
    }
    if (pressed.refused[0]) {
        memcpy(numbers, pressed.before, (size_t)count * sizeof *numbers);
    }
    return !pressed.refused[0];
}

// reports the reason why a number that was typed in the item drawn last was rejected
static void report_refused(BrumePanel &panel, const char *label)
{
    char *refused = panel.pressed_slider.refused;
    if (refused[0] && ImGui::IsItemDeactivated()) {
        (void)snprintf(panel.commands->message, sizeof panel.commands->message, "%s: %s; it stays as it was", label,
                       refused);
        refused[0] = '\0';
    }
}

bool brume_end_row(BrumePanel &panel, const char *label, bool changed, const char *doc, const char *more)
{
    panel.commands->edited = panel.commands->edited || brume_item_was_changed(panel);
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc, more);
    report_refused(panel, label);
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
        brume_explain(panel, label, panel.reset_doc ? panel.reset_doc : "Back to the scene's value.");
        panel.commands->edited = panel.commands->edited || reset;
    }
    ImGui::PopID();
    return reset;
}

// rounds to three significant digits, so that sliders give short numbers
static float rounded(float value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", (double)value);
    return std::strtof(text, nullptr);
}

// draws a slider, whose values have three digits unless they are typed
static bool slide(BrumePanel &panel, float *value, float lower, float upper, const char *unit, bool logarithmic)
{
    // the digits of the format determine the smallest value above 0 of a logarithmic slider
    const int digits = logarithmic && lower <= 0.0f ? 6 : 4;
    if (!brume_slider(panel, value, lower, upper, digits, unit, logarithmic)) {
        return false;
    }
    const bool is_typed = ImGui::GetIO().WantTextInput;
    *value = panel.pressed_slider.restored || is_typed ? *value : rounded(*value);
    return true;
}

// stores the numbers of the item drawn last from before it was pressed
static void note_pressed(BrumePanel &panel, const float *before, int count)
{
    if (ImGui::IsItemActivated()) {
        panel.pressed_slider = {ImGui::GetID("##value"), {}, false, ""};
        for (int n = 0; n < count; n++) {
            panel.pressed_slider.before[n] = (double)before[n];
        }
    }
}

bool brume_typing_goes_on(const BrumePanel &panel, double *edited, int count)
{
    const BrumeTypedNumbers &typed = panel.typed;
    const bool goes_on = typed.id == ImGui::GetID("##value") && typed.layout == ImGui::GetFrameCount() - 1;
    if (goes_on) {
        memcpy(edited, typed.numbers, (size_t)count * sizeof *edited);
    }
    return goes_on;
}

bool brume_hold_typed(BrumePanel &panel, double *edited, const double *present, int count)
{
    BrumeTypedNumbers &typed = panel.typed;
    double former[3];
    const size_t size = (size_t)count * sizeof *edited;
    const bool goes_on = brume_typing_goes_on(panel, former, count);
    const bool types = ImGui::IsItemActive() && ImGui::GetIO().WantTextInput;
    if (types) {
        typed.id = ImGui::GetID("##value");
        typed.layout = ImGui::GetFrameCount();
        memcpy(typed.before, goes_on ? typed.before : present, size);
        memcpy(typed.numbers, edited, size);
    } else if (goes_on) {
        const bool cancels = brume_is_pressed(ImGuiKey_Escape);
        for (int n = 0; n < count; n++) {
            edited[n] = cancels || edited[n] == typed.before[n] ? present[n] : edited[n];
        }
    }
    return types;
}

bool brume_drag_numbers(BrumePanel &panel, float *numbers, int count, float speed, float lower, float upper,
                        const char *format, const char *unit)
{
    float edited[3] = {};
    double present[3] = {};
    double typed[3] = {};
    for (int n = 0; n < count; n++) {
        present[n] = typed[n] = (double)numbers[n];
    }
    const bool was_typing = brume_typing_goes_on(panel, typed, count);
    for (int n = 0; n < count; n++) {
        edited[n] = (float)typed[n];
    }
    const bool changed =
        count == 1 ? ImGui::DragFloat("##value", edited, speed, lower, upper, format)
                   : ImGui::DragScalarN("##value", ImGuiDataType_Float, edited, count, speed, &lower, &upper, format);
    note_pressed(panel, numbers, count);
    int focused;
    const float step = 10.0f * speed * brume_focus_numbers(panel, count, focused);
    if (step != 0.0f) {
        numbers[focused] = std::fmin(std::fmax(rounded(numbers[focused] + step), lower), upper);
        return true;
    }
    for (int n = 0; n < count; n++) {
        typed[n] = (double)edited[n];
    }
    if (brume_hold_typed(panel, typed, present, count) ||
        (was_typing ? memcmp(typed, present, sizeof typed) == 0 : !changed)) {
        return false;
    }
    (void)brume_take_typed(panel, typed, count, (double)lower, (double)upper, unit);
    for (int n = 0; n < count; n++) {
        numbers[n] = (float)typed[n];
    }
    return true;
}

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
    note_pressed(panel, before, 3);
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
        const bool changed = slide(panel, &shown, lower, upper, unit, range.logarithmic);
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

bool brume_slider_row(BrumePanel &panel, const char *label, float *value, float lower, float upper, const char *unit,
                      bool logarithmic, const char *doc)
{
    if (!brume_begin_row(panel, label, false, brume_slider_width(panel))) {
        return false;
    }
    const bool changed = slide(panel, value, lower, upper, unit, logarithmic);
    (void)brume_end_row(panel, label, false, doc);
    return changed;
}

bool brume_switch_row(BrumePanel &panel, const char *label, bool *value, const char *doc)
{
    if (!brume_begin_row(panel, label, false, ImGui::GetFrameHeight())) {
        return false;
    }
    const bool changed = ImGui::Checkbox("##value", value);
    (void)brume_end_row(panel, label, false, doc);
    return changed;
}

bool brume_icon_button(BrumePanel &panel, const char *label, BrumeIcon icon, const char *doc, bool enabled, ImU32 color)
{
    const ImVec2 size(panel.icon_width, 26.0f * panel.unit);
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

bool brume_selectable_text(const char *text, bool selected, ImGuiSelectableFlags flags)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::PushID(text);
    const float width = std::fmax(ImGui::CalcTextSize(text).x, ImGui::GetContentRegionAvail().x);
    const bool chosen = ImGui::Selectable("##text", selected, flags, ImVec2(width, 0.0f));
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddText(corner, ImGui::GetColorU32(ImGuiCol_Text), text);
    return chosen;
}

bool brume_text_button(const char *text, float width)
{
    const bool pressed = ImGui::Button("##text", ImVec2(width, 0.0f));
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 lower = ImGui::GetItemRectMin();
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(lower, ImGui::GetItemRectMax(), true);
    list->AddText(ImVec2(lower.x + padding.x, lower.y + padding.y), ImGui::GetColorU32(ImGuiCol_Text), text);
    list->PopClipRect();
    return pressed;
}

bool brume_begin_text_combo(const char *text, ImGuiComboFlags flags)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 end(corner.x + ImGui::CalcItemWidth() - ImGui::GetFrameHeight(), corner.y + ImGui::GetFrameHeight());
    const bool open = ImGui::BeginCombo("##value", "", flags);
    list->PushClipRect(corner, end, true);
    list->AddText(ImVec2(corner.x + padding.x, corner.y + padding.y), ImGui::GetColorU32(ImGuiCol_Text), text);
    list->PopClipRect();
    return open;
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
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? brume_on_accent : brume_bright_text);
    const bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    ImGui::PopStyleColor(3);
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc);
    return pressed && !chosen;
}

float brume_column_width(int count)
{
    const float gaps = (float)(count - 1) * ImGui::GetStyle().ItemSpacing.x;
    return std::floor((ImGui::GetContentRegionAvail().x - gaps) / (float)count);
}

int brume_fitting_columns(const char *const *labels, int count, int most)
{
    float widest = 0.0f;
    for (int n = 0; n < count; n++) {
        widest = std::fmax(widest, ImGui::CalcTextSize(labels[n]).x + ImGui::GetStyle().FramePadding.x);
    }
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int fitting = (int)((ImGui::GetContentRegionAvail().x + gap) / (widest + gap));
    return fitting < 1 ? 1 : fitting < most ? fitting : most;
}
