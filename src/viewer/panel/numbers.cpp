// Numbers that are dragged or typed, in rows of the panel.
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

// rounds to three significant digits, so that sliders give short numbers
static float rounded(float value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", (double)value);
    return std::strtof(text, nullptr);
}

bool brume_slide_number(BrumePanel &panel, float *value, float lower, float upper, const char *unit, bool logarithmic)
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

void brume_note_pressed(BrumePanel &panel, const float *before, int count)
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
    brume_note_pressed(panel, numbers, count);
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

bool brume_slider_row(BrumePanel &panel, const char *label, float *value, float lower, float upper, const char *unit,
                      bool logarithmic, const char *doc)
{
    if (!brume_begin_row(panel, label, false, brume_slider_width(panel))) {
        return false;
    }
    const bool changed = brume_slide_number(panel, value, lower, upper, unit, logarithmic);
    (void)brume_end_row(panel, label, false, doc);
    return changed;
}
