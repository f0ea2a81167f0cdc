#include "viewer/opened_files.h"

#include "core/error.h"
#include "viewer/capture.h"
#include "viewer/controls/chosen_file.h"
#include "viewer/exports.h"
#include "viewer/files/folder_list.h"
#include "viewer/scene_saver.h"
#include "viewer/viewer_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void brume_viewer_start_files(BrumeViewer *viewer)
{
    brume_recent_files_drop_missing(&viewer->window_state.recent);
    viewer->readouts.files.recent = &viewer->window_state.recent;
}

// finds the initial folder of a dialog, absolute: where a scene was opened last, or the folder of exports
static void start_folder(const BrumeViewer *viewer, BrumeFilePurpose purpose, char folder[BRUME_CHOSEN_PATH])
{
    const bool opens = purpose == BRUME_CHOOSE_OPEN || purpose == BRUME_CHOOSE_BODY || purpose == BRUME_CHOOSE_SKY;
    const char *wanted = opens ? viewer->window_state.folder : viewer->controls.exports.folder;
    char *absolute = realpath(wanted[0] ? wanted : ".", NULL);
    (void)snprintf(folder, BRUME_CHOSEN_PATH, "%s", absolute ? absolute : ".");
    free(absolute);
}

void brume_viewer_choose_file(BrumeViewer *viewer, BrumeFilePurpose purpose)
{
    char folder[BRUME_CHOSEN_PATH];
    BrumeError error;
    const BrumeFileDialogKind kind = brume_file_dialog_kind();
    start_folder(viewer, purpose, folder);
    if (kind == BRUME_DIALOG_OWN) {
        brume_panel_open_dialog(viewer->panel, purpose, folder);
    } else if (brume_system_dialog_open(&viewer->dialog, kind, purpose, folder, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
        if (viewer->dialog.purpose == BRUME_CHOOSE_NOTHING) { // its program is missing
            brume_panel_open_dialog(viewer->panel, purpose, folder);
        }
    }
    viewer->needs_redraw = true;
}

// Completes a chosen name by its extension. A dialog of the system asks before it replaces only the name without it.
static bool is_complete(BrumeViewer *viewer, BrumeFilePurpose purpose)
{
    char *path = viewer->dialog.path;
    if (purpose != BRUME_CHOOSE_SAVE || brume_has_extension(path, brume_file_purposes[purpose].extensions)) {
        return true;
    }
    if (!brume_add_extension(path, BRUME_CHOSEN_PATH, brume_file_purposes[purpose].extensions, ".yaml")) {
        return false;
    }
    const bool exists = access(path, F_OK) == 0;
    if (exists) {
        brume_viewer_show_message(viewer, true, "%s exists (give its whole name to replace it)", path);
    }
    return !exists;
}

void brume_viewer_update_dialog(BrumeViewer *viewer)
{
    BrumeFilePurpose purpose;
    if (brume_system_dialog_poll(&viewer->dialog, &purpose) && is_complete(viewer, purpose)) {
        brume_use_chosen_file(&viewer->controls, &viewer->commands, purpose, viewer->dialog.path);
    }
}

void brume_viewer_note_opened(BrumeViewer *viewer, const char *path)
{
    BrumeWindowState *state = &viewer->window_state;
    if (!brume_viewer_is_kept_scene(viewer, path)) { // kept scenes have a separate list
        brume_recent_files_add(&state->recent, path);
        if (state->recent.count > 0) {
            (void)brume_join_path(state->recent.paths[0], "..", state->folder, sizeof state->folder);
        }
    }
    brume_viewer_find_jobs(viewer);
}

void brume_viewer_open_next(BrumeViewer *viewer, const char *path)
{
    const BrumeVolumeOpener *opener = viewer->def.opener;
    if (viewer->capture.recording.active || brume_viewer_pictures_left(viewer) > 0 ||
        brume_job_list_left(&viewer->exports.jobs) > 0) {
        brume_viewer_show_message(viewer, true, "%s: pictures or jobs are not written yet (stop them, or wait)", path);
    } else {
        (void)snprintf(opener->next, BRUME_VIEWER_PATH, "%s", path);
        viewer->commands.quit = true;
    }
}

bool brume_viewer_opens_elsewhere(BrumeViewer *viewer, const char *path)
{
    const BrumeVolumeOpener *opener = viewer->def.opener;
    const bool is_volumes = opener && opener->may_be_volumes(path);
    if (!viewer->def.sequence && strcmp(path, viewer->readouts.scene_path) == 0) { // it is read again
        return false;
    }
    if (!is_volumes && !brume_is_mesh_file(path) && !brume_has_extension(path, "yaml yml")) {
        brume_viewer_show_message(
            viewer, true,
            "%s: neither a scene (.yaml), nor volumes, nor a mesh (.obj, .glb, ...), nor an image of the sky "
            "(.hdr, .exr)",
            path);
        return true;
    }
    BrumeError error;
    char pattern[BRUME_VIEWER_PATH];
    if (!opener && viewer->def.sequence) {
        brume_viewer_show_message(viewer, true, "%s: this window does not open it (brume view does)", path);
        return true;
    }
    if (is_volumes && opener->find_volumes(path, pattern, sizeof pattern, &error) != BRUME_OK) {
        brume_viewer_show_message(viewer, true, "%s", error.text);
    } else if (is_volumes) {
        brume_viewer_open_next(viewer, pattern);
    }
    return is_volumes;
}
