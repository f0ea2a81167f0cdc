// The key buttons of rows: a small diamond that shows whether a value is animated, and sets and removes its keys.
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "viewer/edit/object_keys.h"
}
#pragma GCC diagnostic pop

#include <cstdio>
#include <cstring>

static const float diamond_points = 4.5f; // half of its diagonal

static int components_of(const BrumeAnimatedMember &member) { return member.is_vector ? 3 : 1; }

// returns the animated value of a component; nullptr where it has no keys
static BrumeAnimatedValue *value_of(BrumeControls &controls, BrumeAnimatedMember member, int component)
{
    char path[BRUME_ANIMATION_PATH];
    member.component = component;
    brume_animated_path(&member, path);
    return brume_keys_find(&controls.animation, path);
}

// the present number of a component
static float number_of(BrumeControls &controls, BrumeAnimatedMember member, int component)
{
    member.component = component;
    const float *number = brume_controls_number(&controls, &member);
    return number ? *number : 0.0f;
}

bool brume_find_member(BrumePanel &panel, const void *address, BrumeAnimatedMember &member)
{
    // `present` has the bodies in place of the settings
    const BrumePresentBodies &present = panel.controls->present;
    const char *at = static_cast<const char *>(address);
    const char *first = reinterpret_cast<const char *>(present.bodies);
    if (at >= first && at < first + sizeof present.bodies) {
        address = reinterpret_cast<const char *>(brume_controls_sim(panel.controls)->bodies) + (at - first);
    }
    return brume_animated_find_address(address, brume_controls_sim(panel.controls), brume_controls_look(panel.controls),
                                       panel.controls->surface_of, &member);
}

bool brume_is_animated(BrumePanel &panel, const BrumeAnimatedMember &member)
{
    return brume_controls_animate_any(panel.controls, &member);
}

void brume_set_keys(BrumeControls &controls, const BrumeAnimatedMember &member, double time)
{
    brume_controls_set_keys(&controls, &member, time);
}

bool brume_can_edit_value(BrumePanel &panel, const BrumeAnimatedMember *members, int count)
{
    bool can = true;
    for (int n = 0; n < count; n++) {
        can = can && brume_controls_animate_all(panel.controls, &members[n]);
    }
    return !panel.keys_only || (count > 0 && can);
}

// whether all components have keys at a time; `same`: whether these also have the present numbers
static bool has_keys_at(BrumeControls &controls, const BrumeKeyedValue &keyed, double time, bool &same)
{
    bool all = true;
    same = true;
    for (int m = 0; m < keyed.count; m++) {
        const BrumeAnimatedMember &member = keyed.members[m];
        for (int n = 0; n < components_of(member); n++) {
            const BrumeAnimatedValue *value = value_of(controls, member, n);
            const int index = value ? brume_keys_at(value, time) : -1;
            all = all && index >= 0;
            same = same && index >= 0 && (float)value->keys[index].value == number_of(controls, member, n);
        }
    }
    return all;
}

// removes the keys at a time if they have the present numbers, otherwise sets them
static void toggle_keys(BrumeControls &controls, const BrumeKeyedValue &keyed, double time)
{
    bool same = false;
    (void)has_keys_at(controls, keyed, time, same);
    for (int m = 0; m < keyed.count; m++) {
        const BrumeAnimatedMember &member = keyed.members[m];
        if (!same) {
            brume_set_keys(controls, member, time);
        }
        for (int n = 0; n < components_of(member) && same; n++) {
            BrumeAnimatedValue *value = value_of(controls, member, n);
            brume_keys_remove(&controls.animation, value, brume_keys_at(value, time));
        }
    }
}

bool brume_panel_key_hovered(BrumePanel *panel, BrumeControls *controls, double time)
{
    if (panel->hovered_value.count == 0) {
        return false;
    }
    toggle_keys(*controls, panel->hovered_value, time);
    return true;
}

void brume_draw_diamond(ImVec2 middle, float radius, bool animated, bool has_key, bool hovered)
{
    const ImVec2 points[4] = {ImVec2(middle.x, middle.y - radius), ImVec2(middle.x + radius, middle.y),
                              ImVec2(middle.x, middle.y + radius), ImVec2(middle.x - radius, middle.y)};
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 color = animated ? brume_accent : brume_dim_text;
    if (has_key) {
        list->AddConvexPolyFilled(points, 4, color);
    }
    const ImU32 faint = (color & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 175); // a contrast of about 3
    list->AddPolyline(points, 4,
                      hovered    ? brume_bright_text
                      : animated ? color
                                 : faint,
                      ImDrawFlags_Closed, animated ? 1.5f : 1.0f);
}

static bool is_animated(BrumePanel &panel, const BrumeKeyedValue &keyed)
{
    bool found = false;
    for (int m = 0; m < keyed.count; m++) {
        found = found || brume_is_animated(panel, keyed.members[m]);
    }
    return found;
}

void brume_note_hovered_value(BrumePanel &panel, const BrumeKeyedValue &keyed, float top, float bottom)
{
    const float mouse = ImGui::GetIO().MousePos.y;
    if (ImGui::IsWindowHovered() && mouse >= top && mouse < bottom && !panel.unavailable) {
        panel.hovered_value = keyed;
    }
}

void brume_key_button(BrumePanel &panel, const char *label, const BrumeAnimatedMember &member)
{
    brume_key_button(panel, label, BrumeKeyedValue{1, {member}});
}

void brume_key_button(BrumePanel &panel, const char *label, const BrumeKeyedValue &keyed)
{
    BrumeControls &controls = *panel.controls;
    const double time = panel.readouts->time;
    const float top = ImGui::GetItemRectMin().y;
    const float bottom = ImGui::GetItemRectMax().y;
    const float width = BRUME_KEY_POINTS * panel.unit;
    const float height = ImGui::GetFrameHeight();
    const bool animated = is_animated(panel, keyed);
    bool same = false;
    const bool has_key = has_keys_at(controls, keyed, time, same);
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - (BRUME_KEY_POINTS + BRUME_RESET_POINTS) * panel.unit +
                         2.0f * panel.unit);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::PushID(label);
    const bool pressed = ImGui::InvisibleButton("key", ImVec2(width, height));
    ImGui::PopID();
    brume_note_spot(panel, label, " key");
    brume_draw_diamond(ImVec2(corner.x + 0.5f * width, corner.y + 0.5f * height), diamond_points * panel.unit, animated,
                       has_key, ImGui::IsItemHovered());
    brume_explain(panel, keyed.members[0].setting,
                  same       ? "Removes the key at this time (I)."
                  : has_key  ? "Gives the key at this time the present value (I)."
                  : animated ? "Sets another key at this time (I)."
                             : "Animates the value: sets its first key, at this time (I).",
                  "Keys act from the next frame on, those in the past after a restart (R), which replays them all.");
    brume_note_hovered_value(panel, keyed, top, bottom);
    if (pressed) {
        toggle_keys(controls, keyed, time);
        panel.commands->edited = true;
    }
}
