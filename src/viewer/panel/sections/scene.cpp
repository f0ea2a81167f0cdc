// The section of the scene: presets, files, and a button that resets the settings to the file's.
#include "viewer/panel/panel_internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {
#include "core/path.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/files/file_choice.h"
}
#pragma GCC diagnostic pop

#include <cstdio>
#include <cstring>
#include <unistd.h>

static float widest_preset(const BrumePanel &panel)
{
    float widest = ImGui::CalcTextSize(panel.readouts->scene).x;
    for (int n = 0; panel.presets && n < panel.presets->count; n++) {
        widest = std::fmax(widest, ImGui::CalcTextSize(panel.presets->names[n]).x);
    }
    return widest;
}

// a list of files, each of which is opened by its path
struct FileList {
    const char *name, *doc;
    bool counts; // the closed list shows the number of files, otherwise the latest file
    int count;
    const char *(*path)(const BrumeFileReadouts &files, int n);
    const char *(*label)(const BrumeFileReadouts &files, int n);
};

static const char *recent_path(const BrumeFileReadouts &files, int n) { return files.recent->paths[n]; }

static const char *recent_label(const BrumeFileReadouts &files, int n)
{
    return brume_path_name(files.recent->paths[n]);
}

static const char *kept_path(const BrumeFileReadouts &files, int n) { return files.kept->files[n].path; }

static const char *kept_label(const BrumeFileReadouts &files, int n) { return files.kept->files[n].label; }

static void draw_files(BrumePanel &panel, const FileList &list)
{
    const BrumeFileReadouts &files = panel.readouts->files;
    if (list.count == 0) {
        return;
    }
    char spot[64];
    char closed[256]; // text of the closed list
    (void)snprintf(spot, sizeof spot, "%s ", list.name);
    if (list.counts) {
        (void)snprintf(closed, sizeof closed, "%d scene%s", list.count, list.count == 1 ? "" : "s");
    } else {
        (void)snprintf(closed, sizeof closed, "%s", list.label(files, 0));
    }
    if (!brume_begin_row(panel, list.name, false, brume_combo_width(ImGui::CalcTextSize(closed).x))) {
        return;
    }
    ImGui::SetNextItemWidth(-1.0f); // without a reset button
    if (brume_begin_text_combo(closed, ImGuiComboFlags_HeightLarge)) {
        for (int n = 0; n < list.count; n++) {
            const char *path = list.path(files, n);
            ImGui::PushID(n);
            if (brume_selectable_text(list.label(files, n))) {
                (void)snprintf(panel.commands->open, sizeof panel.commands->open, "%s", path);
            }
            brume_note_spot(panel, spot, list.label(files, n));
            brume_explain(panel, path, path);
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    (void)brume_end_row(panel, list.name, false, list.doc);
}

static void draw_opened_before(BrumePanel &panel)
{
    const BrumeFileReadouts &files = panel.readouts->files;
    draw_files(panel, {"recent", "Files that were opened before, the latest first.", false,
                       files.recent ? files.recent->count : 0, recent_path, recent_label});
    draw_files(panel, {"unsaved",
                       "Scenes with edits that were not saved: before the window was closed, the simulation restarted "
                       "or another scene was opened. The latest first.",
                       true, files.kept ? files.kept->count : 0, kept_path, kept_label});
}

// Saves to the typed name with its extension. A second Enter replaces an existing file.
static void save_as_typed(BrumePanel &panel)
{
    BrumeSaveField &field = panel.save;
    BrumeCommands &commands = *panel.commands;
    char path[BRUME_VIEWER_PATH];
    (void)snprintf(path, sizeof path, "%s", field.name);
    const BrumeFilePurposeInfo &info = brume_file_purposes[BRUME_CHOOSE_SAVE];
    if (path[0] && !brume_add_extension(path, (int)sizeof path, info.extensions, ".yaml")) {
        return;
    }
    field.replaces = path[0] && !field.replaces && access(path, F_OK) == 0;
    field.focus = field.replaces; // Enter has taken the focus from the field
    if (!field.replaces) {
        commands.save = true;
        memcpy(commands.save_as, path, sizeof path);
    }
}

static void draw_save(BrumePanel &panel)
{
    BrumeSaveField &field = panel.save;
    if (!brume_begin_row(panel, "save", false, brume_slider_width(panel))) {
        return;
    }
    ImGui::SetNextItemWidth(-brume_browse_width());
    if (field.focus) {
        ImGui::SetKeyboardFocusHere();
        field.focus = false;
    }
    if (brume_text_field(panel, "name, Enter", field.name, sizeof field.name, true)) {
        save_as_typed(panel);
    }
    field.replaces = field.replaces && !ImGui::IsItemEdited();
    (void)brume_end_row(
        panel, "save", false,
        panel.readouts->timeline.shown
            ? "Writes camera, lights and materials as a scene file, with which brume render --look "
              "draws the frames as they are shown (G). Without a name, the file gets the next number."
            : "Writes settings, camera and all strokes as a scene file, from which brume render draws the "
              "same picture (G). Without a name, the file gets the next number.");
    brume_browse_button(panel, "save", BRUME_CHOOSE_SAVE);
    if (field.replaces) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_alarm);
        ImGui::TextWrapped("%s", BRUME_FILE_EXISTS);
        ImGui::PopStyleColor();
        brume_note_spot(panel, "save asks");
    }
}

static void draw_presets(BrumePanel &panel)
{
    BrumeCommands &commands = *panel.commands;
    const BrumePresets *presets = panel.presets;
    if (!brume_begin_row(panel, "preset", false, brume_combo_width(widest_preset(panel)))) {
        return;
    }
    ImGui::SetNextItemWidth(-1.0f); // without a reset button
    if (brume_begin_text_combo(panel.readouts->scene, ImGuiComboFlags_HeightLarge)) {
        for (int n = 0; presets && n < presets->count; n++) {
            const bool present = strcmp(presets->paths[n], panel.readouts->scene_path) == 0;
            if (ImGui::Selectable(presets->names[n], present)) {
                (void)snprintf(commands.open, sizeof commands.open, "%s", presets->paths[n]);
            }
            brume_note_spot(panel, presets->names[n]);
        }
        ImGui::EndCombo();
    }
    (void)brume_end_row(panel, "preset", false, "Scenes that are installed with Brume.");
}

static void draw_open(BrumePanel &panel)
{
    if (!brume_begin_row(panel, "open", false, brume_slider_width(panel))) {
        return;
    }
    ImGui::SetNextItemWidth(-brume_browse_width());
    if (brume_text_field(panel, "file.yaml, Enter", panel.open, sizeof panel.open, true) && panel.open[0]) {
        (void)snprintf(panel.commands->open, sizeof panel.commands->open, "%s", panel.open);
    }
    (void)brume_end_row(panel, "open", false, "Opens a scene file; so does dropping a file on the window.");
    brume_browse_button(panel, "open", BRUME_CHOOSE_OPEN);
}

static void draw_buttons(BrumePanel &panel)
{
    BrumeCommands &commands = *panel.commands;
    const float width = brume_column_width(2);
    if (ImGui::Button("reset all", ImVec2(width, 0.0f))) {
        for (BrumeSimDef &sim : panel.controls->sim) {
            sim = panel.scene->sim;
        }
        *brume_controls_look(panel.controls) = panel.scene->render_settings;
        brume_controls_set_smoke_kind(panel.controls, panel.controls->brush.kind);
        if (!panel.controls->select.keys_only) { // otherwise another frame than the present one is shown
            brume_bodies_reset(panel.controls, panel.scene);
        }
        commands.edited = true;
    }
    brume_note_spot(panel, "reset all");
    brume_explain(panel, &commands.edited,
                  "Resets all settings and the bodies that were edited to those of the scene; can be undone.");
    ImGui::SameLine();
    if (ImGui::Button("reload", ImVec2(width, 0.0f))) {
        (void)snprintf(commands.open, sizeof commands.open, "%s", panel.readouts->scene_path);
    }
    brume_note_spot(panel, "reload");
    brume_explain(panel, &commands.open, "Reads the scene file again.");
}

void brume_draw_scene(BrumePanel &panel)
{
    if (!brume_begin_section(panel, "Scene", true)) {
        return;
    }
    brume_begin_simulation_controls(panel);
    draw_presets(panel);
    brume_end_simulation_controls(panel);
    draw_opened_before(panel);
    draw_open(panel);
    draw_save(panel);
    if (!brume_is_searching(panel)) {
        draw_buttons(panel);
    }
}
