// Sliders: the number in the frame, and below it a thin bar with a grab, so that neither covers the other. ImGui draws
// its grab over the whole height of the frame; it is transparent here.
#include "viewer/panel/panel_internal.h"

#include <algorithm>
#include <cstring>
#include <math.h>

static const float bar_points = 2.5f;  // height of the bar
static const float grab_points = 7.0f; // width of the grab
static const float grab_height_points = 5.0f;

// returns the fraction of the range below a value, on the scale of ImGui's sliders; `digits` of the format determine
// the smallest value above 0 of a logarithmic slider
static float share_of(double value, double lower, double upper, bool logarithmic, int digits)
{
    if (!(upper > lower)) {
        return 0.0f;
    }
    value = std::fmin(std::fmax(value, lower), upper);
    const bool has_logarithm = logarithmic && lower >= 0.0 && upper > 0.0;
    if (!has_logarithm) {
        return (float)((value - lower) / (upper - lower));
    }
    const double least = std::fmax(lower, std::pow(0.1, digits));
    return value <= least ? 0.0f : (float)(std::log(value / least) / std::log(upper / least));
}

// returns the value at a fraction of the range
static double value_at(double share, double lower, double upper, bool logarithmic, int digits)
{
    share = std::fmin(std::fmax(share, 0.0), 1.0);
    const double least = std::fmax(lower, std::pow(0.1, digits));
    return !(logarithmic && lower >= 0.0 && upper > 0.0) ? lower + share * (upper - lower)
           : share <= 0.0                                ? lower
                                                         : least * std::pow(upper / least, share);
}

static void draw_bar(const BrumePanel &panel, float share)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float unit = panel.unit;
    const ImVec2 lower = ImGui::GetItemRectMin();
    const ImVec2 upper = ImGui::GetItemRectMax();
    const float half = 0.5f * grab_points * unit;
    const float left = lower.x + 2.0f * unit + half;
    const float right = std::fmax(upper.x - 2.0f * unit - half, left);
    const float x = left + share * (right - left);
    const float top = upper.y - bar_points * unit;
    const bool active = ImGui::IsItemActive() || ImGui::IsItemHovered();
    list->PushClipRect(lower, upper, true);
    list->AddRectFilled(ImVec2(lower.x + 2.0f * unit, top), ImVec2(upper.x - 2.0f * unit, upper.y),
                        ImGui::GetColorU32(ImGuiCol_ScrollbarGrab), bar_points * unit);
    list->AddRectFilled(ImVec2(lower.x + 2.0f * unit, top), ImVec2(x, upper.y), ImGui::GetColorU32(brume_accent),
                        bar_points * unit);
    list->AddRectFilled(ImVec2(x - half, upper.y - grab_height_points * unit), ImVec2(x + half, upper.y),
                        ImGui::GetColorU32(active ? brume_bright_text : brume_accent), 2.0f * unit);
    list->PopClipRect();
}

// whether the next item, with the height of a frame, is double-clicked now
static bool is_pressed_twice()
{
    const ImVec2 lower = ImGui::GetCursorScreenPos();
    const ImVec2 upper(lower.x + ImGui::CalcItemWidth(), lower.y + ImGui::GetFrameHeight());
    return ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered() &&
           ImGui::IsMouseHoveringRect(lower, upper);
}

// Draws a slider by ImGui's function for its type. The second press of a double click restores the value before the
// first press, whose edit is removed from the undo history, and starts typing, as ImGui does with Ctrl. A typed value
// outside the range is rejected.
template <typename Value, typename Draw>
static bool draw_slider(BrumePanel &panel, Value *value, Value lower, Value upper, const char *unit, Draw draw)
{
    BrumePressedSlider &pressed = panel.pressed_slider;
    const ImGuiID id = ImGui::GetID("##value");
    const bool types = pressed.id == id && !ImGui::GetIO().WantTextInput && is_pressed_twice();
    const bool ctrl = ImGui::GetIO().KeyCtrl;
    const Value before = *value;
    if (types) {
        *value = (Value)pressed.before[0];
        panel.commands->edit_is_dropped = panel.commands->edit_is_dropped || before != *value;
    }
    pressed.restored = before != *value;
    ImGui::GetIO().KeyCtrl = ctrl || types;
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, 0);
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, 0);
    double number = (double)*value;
    const bool was_typing = brume_typing_goes_on(panel, &number, 1);
    Value edited = (Value)number;
    bool changed = draw(&edited);
    ImGui::PopStyleColor(2);
    ImGui::GetIO().KeyCtrl = ctrl;
    if (ImGui::IsItemActivated() && !types) {
        pressed = {id, {(double)before}, false, ""};
    }
    const double present = (double)*value;
    number = (double)edited;
    changed = !brume_hold_typed(panel, &number, &present, 1) && (was_typing ? number != present : changed);
    if (changed) {
        (void)brume_take_typed(panel, &number, 1, (double)lower, (double)upper, unit);
        *value = (Value)number;
    }
    return (changed && *value != before) || pressed.restored;
}

static ImGuiSliderFlags flags_of(bool logarithmic) { return logarithmic ? ImGuiSliderFlags_Logarithmic : 0; }

bool brume_slider(BrumePanel &panel, float *value, float lower, float upper, int digits, const char *unit,
                  bool logarithmic)
{
    char format[96];
    char shown[BRUME_PARAMETER_TEXT];
    brume_unit_of_number(unit, (double)*value, shown);
    (void)snprintf(format, sizeof format, "%%.%dg%s%s", digits, unit[0] ? " " : "", shown);
    const bool changed = draw_slider(panel, value, lower, upper, unit, [&](float *edited) {
        return ImGui::SliderFloat("##value", edited, lower, upper, format, flags_of(logarithmic));
    });
    double share = (double)share_of((double)*value, (double)lower, (double)upper, logarithmic, digits);
    int only;
    const float hundredths = brume_focus_numbers(panel, 1, only);
    if (hundredths != 0.0f) {
        share += 0.01 * (double)hundredths;
        *value = (float)value_at(share, (double)lower, (double)upper, logarithmic, digits);
    }
    draw_bar(panel, (float)share);
    return changed || hundredths != 0.0f;
}

bool brume_slider(BrumePanel &panel, int *value, int lower, int upper, const char *format, bool logarithmic)
{
    const char *number = strstr(format, "%d "); // otherwise the format is a number without unit, or a word
    const bool changed = draw_slider(panel, value, lower, upper, number ? number + 3 : "", [&](int *edited) {
        return ImGui::SliderInt("##value", edited, lower, upper, format, flags_of(logarithmic));
    });
    const double share = (double)share_of(*value, lower, upper, logarithmic, 1);
    int only;
    const float hundredths = brume_focus_numbers(panel, 1, only);
    if (hundredths != 0.0f) { // by at least one
        const int moved = (int)std::lround(value_at(share + 0.01 * (double)hundredths, lower, upper, logarithmic, 1));
        const int next = *value + (hundredths > 0.0f ? 1 : -1);
        *value = std::max(lower, std::min(moved != *value ? moved : next, upper));
    }
    draw_bar(panel, share_of(*value, lower, upper, logarithmic, 1));
    return changed || hundredths != 0.0f;
}
