// The dialog for files where the system has none (dialogs/system_dialog.h): folders and files in a list, a name to
// type, and bookmarks. SDL 3.2 has no dialog of its own either.
#include "core/path.h"
#include "viewer/panel/imgui_versions.h"
#include "viewer/panel/panel_internal.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

static const char *const popup = "files";

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// shows another folder; where it cannot be read, shows the reason and keeps the present one
static void go_to(BrumeFileDialog &dialog, const char *folder)
{
    BrumeError error;
    char *absolute = realpath(folder, nullptr);
    char path[BRUME_CHOSEN_PATH];
    (void)snprintf(path, sizeof path, "%s", absolute ? absolute : folder);
    free(absolute);
    dialog.message[0] = '\0';
    dialog.replaces = false;
    if (brume_folder_list_read(&dialog.list, path, brume_file_purposes[dialog.purpose].extensions, &error) ==
        BRUME_OK) {
        memcpy(dialog.folder, path, sizeof dialog.folder);
        dialog.selected = -1;
        dialog.name[0] = '\0';
        dialog.focus = true;
    } else {
        (void)snprintf(dialog.message, sizeof dialog.message, "%s", error.text);
    }
}

void brume_panel_open_dialog(BrumePanel *panel, BrumeFilePurpose purpose, const char *folder)
{
    BrumeFileDialog &dialog = panel->dialog;
    dialog.purpose = purpose;
    dialog.opens = true;
    dialog.folder[0] = '\0';
    const char *chosen = panel->chosen_folder[purpose];
    go_to(dialog, chosen[0] ? chosen : folder[0] ? folder : ".");
    if (!dialog.folder[0]) { // the last folder does not exist any more
        go_to(dialog, ".");
    }
    panel->has_change = true;
}

void brume_panel_close_dialog(BrumePanel &panel)
{
    brume_folder_list_destroy(&panel.dialog.list);
    panel.dialog = BrumeFileDialog();
}

static void select_entry(BrumeFileDialog &dialog, int n)
{
    dialog.selected = n;
    dialog.replaces = false;
    dialog.message[0] = '\0';
    (void)snprintf(dialog.name, sizeof dialog.name, "%s", dialog.list.entries[n].name);
    dialog.renamed = true;
}

// writes the path of the typed name, with the required extension; false where it is too long
static bool find_path(const BrumePanel &panel, char *path, int size)
{
    const BrumeFileDialog &dialog = panel.dialog;
    const BrumeFilePurposeInfo &info = brume_file_purposes[dialog.purpose];
    if (!brume_join_path(dialog.folder, dialog.name, path, size)) {
        return false;
    }
    if (!info.saves || is_folder(path)) {
        return true;
    }
    const char *extension =
        dialog.purpose == BRUME_CHOOSE_FRAME ? brume_file_extension(panel.controls->exports.frame) : ".yaml";
    return brume_add_extension(path, size, info.extensions, extension);
}

// whether the path is complete; otherwise `dialog.message` has the reason
static bool is_accepted(BrumeFileDialog &dialog, const char *path)
{
    const BrumeFilePurposeInfo &info = brume_file_purposes[dialog.purpose];
    const bool exists = access(path, F_OK) == 0;
    const bool is_pattern = strpbrk(brume_path_name(path), "#%") != nullptr;
    if (!info.saves && !exists && !is_pattern) {
        (void)snprintf(dialog.message, sizeof dialog.message, "there is no such file");
        return false;
    }
    if (info.saves && exists && dialog.purpose == BRUME_CHOOSE_FRAME) {
        (void)snprintf(dialog.message, sizeof dialog.message, "this file exists: give another name");
        return false;
    }
    if (info.saves && exists && !dialog.replaces) {
        dialog.replaces = true;
        (void)snprintf(dialog.message, sizeof dialog.message, BRUME_FILE_EXISTS);
        return false;
    }
    return true;
}

static void choose(BrumePanel &panel, const char *path)
{
    BrumeFileDialog &dialog = panel.dialog;
    memcpy(panel.chosen_folder[dialog.purpose], dialog.folder, sizeof dialog.folder);
    brume_use_chosen_file(panel.controls, panel.commands, dialog.purpose, path);
    ImGui::CloseCurrentPopup();
    brume_panel_close_dialog(panel);
}

static void accept(BrumePanel &panel)
{
    BrumeFileDialog &dialog = panel.dialog;
    char path[BRUME_CHOSEN_PATH];
    if (!dialog.name[0]) {
        if (dialog.purpose == BRUME_CHOOSE_FOLDER) {
            memcpy(path, dialog.folder, sizeof path);
            choose(panel, path);
        }
        return;
    }
    if (!find_path(panel, path, sizeof path)) {
        (void)snprintf(dialog.message, sizeof dialog.message, "the name is too long");
    } else if (is_folder(path)) {
        go_to(dialog, path);
    } else if (dialog.purpose == BRUME_CHOOSE_FOLDER) { // exports create it
        choose(panel, path);
    } else if (is_accepted(dialog, path)) {
        choose(panel, path);
    }
}

enum { MOST_BOOKMARKS = BRUME_RECENT_FILES + 3 };

/** The folders that were drawn as bookmarks; each is drawn once. */
struct Bookmarks {
    char folders[MOST_BOOKMARKS][BRUME_CHOSEN_PATH];
    int count;
};

static bool has_bookmark(const Bookmarks &bookmarks, const char *folder)
{
    for (int n = 0; n < bookmarks.count; n++) {
        if (strcmp(bookmarks.folders[n], folder) == 0) {
            return true;
        }
    }
    return false;
}

static void draw_bookmark(BrumePanel &panel, Bookmarks &bookmarks, const char *label, const char *folder)
{
    char *absolute = folder && folder[0] ? realpath(folder, nullptr) : nullptr;
    if (absolute && strlen(absolute) < BRUME_CHOSEN_PATH && bookmarks.count < MOST_BOOKMARKS &&
        !has_bookmark(bookmarks, absolute)) {
        char *path = bookmarks.folders[bookmarks.count++];
        memcpy(path, absolute, strlen(absolute) + 1);
        ImGui::PushID(bookmarks.count);
        if (brume_selectable_text(label)) {
            go_to(panel.dialog, path);
        }
        ImGui::PopID();
        brume_note_spot(panel, label);
        brume_explain(panel, label, path);
    }
    free(absolute);
}

static void draw_bookmarks(BrumePanel &panel)
{
    Bookmarks bookmarks;
    bookmarks.count = 0;
    draw_bookmark(panel, bookmarks, "home", getenv("HOME"));
    draw_bookmark(panel, bookmarks, "working folder", ".");
    char folder[BRUME_CHOSEN_PATH];
    if (panel.presets && panel.presets->count > 0) {
        if (brume_join_path(panel.presets->paths[0], "..", folder, sizeof folder)) {
            draw_bookmark(panel, bookmarks, "scenes of Brume", folder);
        }
    }
    const BrumeRecentFiles *recent = panel.readouts->files.recent;
    for (int n = 0; recent && n < recent->count; n++) {
        if (brume_join_path(recent->paths[n], "..", folder, sizeof folder)) {
            const char *slash = strrchr(folder, '/');
            draw_bookmark(panel, bookmarks, slash && slash[1] ? slash + 1 : folder, folder);
        }
    }
}

// handles the arrow keys, which select an entry
static void move_selection(BrumeFileDialog &dialog)
{
    const int step = (brume_is_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (brume_is_pressed(ImGuiKey_UpArrow) ? 1 : 0);
    const int last = dialog.list.count - 1;
    if (step != 0 && last >= 0) {
        const int next = dialog.selected + step;
        select_entry(dialog, next < 0 ? 0 : next > last ? last : next);
        dialog.scrolls = true;
    }
}

static void draw_entries(BrumePanel &panel)
{
    BrumeFileDialog &dialog = panel.dialog;
    int opened = -1;
    for (int n = 0; n < dialog.list.count; n++) {
        const BrumeFolderEntry &entry = dialog.list.entries[n];
        char label[280];
        (void)snprintf(label, sizeof label, "%s%s", entry.name, entry.is_folder ? "/" : "");
        if (brume_selectable_text(label, dialog.selected == n, ImGuiSelectableFlags_AllowDoubleClick)) {
            select_entry(dialog, n);
            opened = ImGui::IsMouseDoubleClicked(0) ? n : opened;
        }
        panel.focus.next_kind = BrumeControlKind::None; // the arrows select it
        brume_note_spot(panel, label);
        if (dialog.scrolls && dialog.selected == n) {
            ImGui::SetScrollHereY();
            dialog.scrolls = false;
        }
    }
    if (dialog.list.count == 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, brume_dim_text);
        ImGui::TextUnformatted("no folder, and no file of this kind");
        ImGui::PopStyleColor();
    }
    if (opened >= 0) {
        accept(panel);
    }
}

static void draw_foot(BrumePanel &panel)
{
    BrumeFileDialog &dialog = panel.dialog;
    const BrumeFilePurposeInfo &info = brume_file_purposes[dialog.purpose];
    if (dialog.focus) {
        ImGui::SetKeyboardFocusHere();
        dialog.focus = false;
    }
    if (dialog.renamed) { // an active field has its own copy of the text, so a new field replaces it
        dialog.edition++;
        dialog.renamed = false;
        ImGui::SetKeyboardFocusHere();
    }
    char field[32];
    (void)snprintf(field, sizeof field, "##name%d", dialog.edition);
    ImGui::SetNextItemWidth(-1.0f);
    const bool entered =
        brume_text_field(panel, info.saves ? "new name" : "name", dialog.name, sizeof dialog.name, true, field);
    if (ImGui::IsItemEdited()) {
        dialog.replaces = false;
        dialog.message[0] = '\0';
    }
    brume_note_spot(panel, "name");
    ImGui::PushStyleColor(ImGuiCol_Text, brume_alarm);
    ImGui::TextUnformatted(dialog.message);
    ImGui::PopStyleColor();
    const float width = brume_column_width(2);
    const bool canceled = ImGui::Button("Cancel", ImVec2(width, 0.0f));
    brume_note_spot(panel, "cancel");
    ImGui::SameLine();
    const bool pressed = ImGui::Button(info.action, ImVec2(width, 0.0f));
    brume_note_spot(panel, "accept");
    if (canceled || brume_is_pressed(ImGuiKey_Escape)) {
        ImGui::CloseCurrentPopup();
        brume_panel_close_dialog(panel);
    } else if (entered || pressed) {
        accept(panel);
        dialog.focus = true; // after a name that was not accepted: Enter has removed the focus from the field
    }
}

static void draw_contents(BrumePanel &panel)
{
    BrumeFileDialog &dialog = panel.dialog;
    const ImGuiStyle &style = ImGui::GetStyle();
    ImGui::TextUnformatted(brume_file_purposes[dialog.purpose].title);
    if (ImGui::Button("Up")) {
        char above[BRUME_CHOSEN_PATH];
        if (brume_join_path(dialog.folder, "..", above, sizeof above)) {
            go_to(dialog, above);
        }
    }
    brume_note_spot(panel, "up");
    ImGui::SameLine();
    ImGui::TextUnformatted(dialog.folder);
    const float foot = 2.0f * ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
    const float height = ImGui::GetContentRegionAvail().y - foot;
    const float bookmarks = 0.26f * ImGui::GetContentRegionAvail().x;
    if (ImGui::BeginChild("bookmarks", ImVec2(bookmarks, height), true)) {
        draw_bookmarks(panel);
    }
    ImGui::EndChild();
    ImGui::SameLine(0.0f, style.ItemSpacing.x);
    if (ImGui::BeginChild("entries", ImVec2(0.0f, height), true)) {
        move_selection(dialog);
        draw_entries(panel);
    }
    ImGui::EndChild();
    if (dialog.purpose != BRUME_CHOOSE_NOTHING) { // not closed by a double click
        draw_foot(panel);
    }
}

void brume_draw_file_dialog(BrumePanel &panel)
{
    if (panel.dialog.purpose == BRUME_CHOOSE_NOTHING) {
        return;
    }
    if (panel.dialog.opens) {
        ImGui::OpenPopup(popup);
        panel.dialog.opens = false;
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::fmin(0.9f * screen.x, 640.0f * panel.unit);
    const float height = std::fmin(0.9f * screen.y, 460.0f * panel.unit);
    ImGui::SetNextWindowPos(ImVec2(std::round(0.5f * (screen.x - width)), std::round(0.5f * (screen.y - height))));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::SetNextWindowBgAlpha(1.0f);
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings;
    if (ImGui::BeginPopupModal(popup, nullptr, flags)) {
        panel.section = "dialog";
        draw_contents(panel);
        panel.section = "";
        ImGui::EndPopup();
    } else {
        brume_panel_close_dialog(panel);
    }
}

float brume_browse_width()
{
    const ImGuiStyle &style = ImGui::GetStyle();
    return ImGui::CalcTextSize("...").x + 2.0f * style.FramePadding.x + style.ItemSpacing.x;
}

void brume_browse_button(BrumePanel &panel, const char *label, BrumeFilePurpose purpose)
{
    ImGui::SameLine();
    ImGui::PushID(label);
    if (ImGui::Button("...")) {
        panel.commands->choose = purpose;
    }
    ImGui::PopID();
    brume_note_spot(panel, label, " ...");
    brume_explain(panel, &brume_file_purposes[purpose], "Chooses it in a list of files.");
}
