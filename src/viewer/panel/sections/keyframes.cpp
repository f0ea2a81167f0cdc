// The section of keyframes: settings for keys, and the camera's keys.
#include "viewer/panel/panel_internal.h"

#include <cstdio>

// draws a button over a whole column
static bool button(BrumePanel &panel, const char *label, float width, bool active, const char *doc)
{
    if (active) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_alarm);
    }
    const bool pressed = ImGui::Button(label, ImVec2(width, 0.0f));
    if (active) {
        ImGui::PopStyleColor();
    }
    brume_note_spot(panel, label);
    brume_explain(panel, doc, doc);
    return pressed;
}

void brume_draw_keyframes(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Keyframes", false)) {
        return;
    }
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    const bool flying = panel.readouts->recording_flight;
    if (!brume_is_searching(panel)) {
        char keys[64];
        const int values = controls.animation.count;
        const int camera_keys = controls.camera_path.count;
        (void)snprintf(keys, sizeof keys, "%d value%s, %d camera key%s", values, values == 1 ? "" : "s", camera_keys,
                       camera_keys == 1 ? "" : "s");
        ImGui::TextDisabled("%s", keys);
    }
    (void)brume_switch_row(
        panel, "auto key", &controls.auto_key,
        "A change of an animated value sets a key at the present time. Otherwise it lasts until time "
        "goes on. The diamond of a row animates its value.");
    ImGui::BeginDisabled(controls.camera_path.count == 0);
    (void)brume_switch_row(panel, "follow camera", &controls.follow_path,
                           "The camera follows its keys as time runs (Shift + F). Moving it by hand ends that.");
    ImGui::EndDisabled();
    if (brume_is_searching(panel)) {
        return;
    }
    const float width = brume_column_width(2);
    commands.camera_key = button(panel, "camera key", width, false,
                                 "Sets a key of the camera at this time; removes it where the camera has not moved (I, "
                                 "with the pointer over the picture).") ||
                          commands.camera_key;
    ImGui::SameLine();
    commands.record_flight =
        button(panel, flying ? "end flight" : "record flight", width, flying,
               "Records the motion of the camera while time runs, and reduces it to few keys (Shift + I). They replace "
               "the keys of that time.") ||
        commands.record_flight;
    if (button(panel, controls.curve_editor ? "close curves" : "edit curves", brume_column_width(1), false,
               "Shows the curves of all keys at the foot of the window (F6).")) {
        controls.curve_editor = !controls.curve_editor;
    }
}
