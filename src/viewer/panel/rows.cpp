// Rows of the panel: a label, a control, and a button that resets the value to the scene's.
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

bool brume_switch_row(BrumePanel &panel, const char *label, bool *value, const char *doc)
{
    if (!brume_begin_row(panel, label, false, ImGui::GetFrameHeight())) {
        return false;
    }
    const bool changed = ImGui::Checkbox("##value", value);
    (void)brume_end_row(panel, label, false, doc);
    return changed;
}
