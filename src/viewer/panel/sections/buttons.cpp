// The buttons at the top of the panel, and the buttons of a comparison.
#include "viewer/panel/panel_internal.h"

void brume_draw_buttons(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    BrumeCommands &commands = *panel.commands;
    const BrumeReadouts &readouts = *panel.readouts;
    panel.section = "";
    const int icons = 8;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float available = ImGui::GetContentRegionAvail().x;
    const float natural = (float)icons * panel.icon_width + (float)(icons - 1) * gap;
    const float group_gap = std::fmin(std::fmax(0.5f * (available - natural), 0.0f) + gap, 14.0f * panel.unit);
    panel.icon_width = std::fmin(panel.icon_width, (available - (float)(icons - 1) * gap) / (float)icons);
    if (brume_icon_button(panel, "run", controls.running ? BrumeIcon::Pause : BrumeIcon::Play,
                          readouts.timeline.shown || readouts.timeline.past
                              ? "Plays or pauses (Space)."
                              : "Runs or pauses the simulation (Space).")) {
        controls.running = !controls.running;
    }
    ImGui::SameLine();
    commands.advance +=
        brume_icon_button(panel, "step", BrumeIcon::Step,
                          readouts.timeline.shown || readouts.timeline.past ? "Goes to the next frame (N)."
                                                                            : "Computes one frame (N).")
            ? 1
            : 0;
    ImGui::SameLine();
    commands.reset =
        brume_icon_button(panel, "restart", BrumeIcon::Restart,
                          readouts.timeline.shown ? "Goes to the first frame (R)." : "Restarts from time 0 (R).") ||
        commands.reset;
    ImGui::SameLine(0.0f, group_gap);
    commands.undo =
        brume_icon_button(panel, "undo", BrumeIcon::Undo, "Undoes the latest edit (Ctrl + Z).", readouts.can_undo) ||
        commands.undo;
    ImGui::SameLine();
    commands.redo =
        brume_icon_button(panel, "redo", BrumeIcon::Redo, "Redoes the edit (Ctrl + Shift + Z).", readouts.can_redo) ||
        commands.redo;
    ImGui::SameLine(0.0f, group_gap);
    commands.screenshot = brume_icon_button(panel, "screenshot", BrumeIcon::Camera,
                                            "Draws the picture at full quality to a file (F12).") ||
                          commands.screenshot;
    ImGui::SameLine();
    commands.record =
        brume_icon_button(panel, "record", BrumeIcon::Record,
                          readouts.recording ? "Stops the recording (F11)." : "Records every frame as a picture (F11).",
                          true, readouts.recording ? brume_alarm : 0) ||
        commands.record;
    ImGui::SameLine(0.0f, group_gap);
    if (brume_icon_button(panel, "select", BrumeIcon::Select,
                          controls.select.active ? "The brush instead of the select tool (Q)."
                                                 : "Selects and moves emitters, bodies and lights (Q).",
                          true, controls.select.active ? brume_accent : 0)) {
        controls.select.active = !controls.select.active;
    }
}

void brume_draw_variants(BrumePanel &panel)
{
    BrumeControls &controls = *panel.controls;
    if (!brume_controls_have_sides(&controls)) {
        return;
    }
    panel.section = "";
    static const char *const names[] = {"A (left)", "B (right)", "copy to other"};
    const int columns = brume_fitting_columns(names, 3, 3) == 3 ? 3 : 2;
    const float width = brume_column_width(columns);
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        if (brume_choice_button(panel, names[variant], controls.edited_variant == variant, width,
                                controls.compare ? "The variant that the panel edits."
                                                 : "The look that the panel edits.")) {
            controls.edited_variant = variant;
        }
        if (variant + 1 < columns) {
            ImGui::SameLine();
        }
    }
    if (ImGui::Button("copy to other", ImVec2(columns == 3 ? width : brume_column_width(1), 0.0f))) {
        controls.sim[1 - controls.edited_variant] = *brume_controls_sim(&controls);
        if (controls.compare_looks) {
            const BrumeRenderSettings look = *brume_controls_look(&controls);
            controls.render_settings = look;
            controls.other_look = look;
        }
        panel.commands->edited = true;
    }
    brume_note_spot(panel, "copy to other");
    brume_explain(panel, names, "Copies the settings of this side to the other one.");
    const char *const keeps[] = {"keep A alone", "keep B alone"};
    for (int variant = 0; variant < BRUME_MAX_VARIANTS; variant++) {
        if (variant > 0) {
            ImGui::SameLine();
        }
        if (ImGui::Button(keeps[variant], ImVec2(brume_column_width(BRUME_MAX_VARIANTS - variant), 0.0f))) {
            controls.edited_variant = variant;
            controls.compare = false;
            panel.commands->toggle_looks = controls.compare_looks || panel.commands->toggle_looks;
        }
        brume_note_spot(panel, keeps[variant]);
        brume_explain(panel, keeps[variant],
                      controls.compare ? "Ends the comparison: this variant goes on, the other one is discarded."
                                       : "Ends the comparison: this look stays; undo brings the other one back.",
                      controls.compare ? "B keeps the variant that is selected above"
                                       : "Shift + B keeps the look that is selected above");
    }
}
