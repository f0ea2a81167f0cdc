#include "viewer/kept_scenes.h"

#include "core/error.h"
#include "core/parallel/clock.h"
#include "viewer/scene_file.h"
#include "viewer/viewer_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double quiet_time = 2.0;    // after an edit, before the scene is kept [s]
static const double longest_time = 20.0; // between two files while edits go on [s]

void brume_viewer_start_keeping(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->kept;
    if (!brume_window_state_folder(viewer->window_state_path, "unsaved", kept->folder, sizeof kept->folder)) {
        kept->folder[0] = '\0';
    }
    viewer->readouts.files.kept = &kept->files;
    brume_viewer_begin_kept_scene(viewer);
}

void brume_viewer_begin_kept_scene(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->kept;
    kept->path[0] = '\0';
    kept->kept = kept->seen = brume_undo_history_position(viewer->history);
    kept->failed = false;
    if (kept->folder[0]) {
        brume_kept_files_list(&kept->files, kept->folder, "");
    }
}

// whether there are edits that no file has
static bool has_edits(const BrumeViewer *viewer)
{
    return viewer->kept.folder[0] && viewer->simulation_thread &&
           brume_undo_history_position(viewer->history) != viewer->kept.kept;
}

static void fail(BrumeViewer *viewer, const BrumeError *error)
{
    if (!viewer->kept.failed) {
        brume_viewer_show_message(viewer, true, "edits are not kept: %s", error->text);
    }
    viewer->kept.failed = true;
}

// the user has saved all edits: the file that kept them is removed
static void drop(BrumeKeptScene *kept)
{
    if (kept->path[0]) {
        (void)unlink(kept->path);
        brume_kept_files_drop(kept->path);
        kept->path[0] = '\0';
    }
}

void brume_viewer_note_file_saved(BrumeViewer *viewer, const BrumeError *error)
{
    if (!error && !viewer->save.is_past) {
        viewer->kept.kept = viewer->save.position;
        drop(&viewer->kept);
    }
}

static void note_kept(BrumeViewer *viewer, const BrumeError *error)
{
    BrumeKeptScene *kept = &viewer->kept;
    if (error) {
        if (access(kept->path, F_OK) != 0) {
            drop(kept); // its folder
        }
        fail(viewer, error);
    } else {
        kept->kept = viewer->save.position;
        kept->failed = false;
    }
}

// requests the scene, which is written when its replay is there
static void request(BrumeViewer *viewer)
{
    BrumeKeptScene *kept = &viewer->kept;
    kept->kept_at = brume_seconds(); // of the attempt
    BrumeError error;
    if (!kept->path[0]) {
        if (brume_kept_files_add(kept->folder, viewer->opened.file_stem, time(NULL), kept->path, &error) != BRUME_OK) {
            fail(viewer, &error);
            return;
        }
        brume_kept_files_prune(kept->folder);
    }
    brume_viewer_request_save(viewer, BRUME_SAVE_KEPT, kept->path, note_kept);
}

void brume_viewer_keep_scene(BrumeViewer *viewer, double now)
{
    BrumeKeptScene *kept = &viewer->kept;
    const unsigned position = brume_undo_history_position(viewer->history);
    if (position != kept->seen || brume_input_is_editing(&viewer->input)) {
        kept->seen = position;
        kept->edited_at = now;
    }
    if (!has_edits(viewer)) {
        kept->kept_at = now; // from here on the next ones count
    } else if (viewer->save.destination == BRUME_SAVE_NOTHING &&
               ((now - kept->edited_at >= quiet_time && !kept->failed) || now - kept->kept_at >= longest_time)) {
        request(viewer);
    }
}

// waits until no scene is being saved
static void wait_for_save(BrumeViewer *viewer, double end)
{
    while (viewer->save.destination != BRUME_SAVE_NOTHING && brume_seconds() < end) {
        brume_viewer_finish_save(viewer);
        (void)usleep(500);
    }
}

bool brume_viewer_keep_scene_now(BrumeViewer *viewer, double seconds)
{
    const double end = brume_seconds() + seconds;
    wait_for_save(viewer, end);
    const bool is_kept = viewer->kept.path[0] != '\0'; // with an earlier frame and camera
    if ((has_edits(viewer) || is_kept) && viewer->save.destination == BRUME_SAVE_NOTHING) {
        request(viewer);
        wait_for_save(viewer, end);
    }
    if (viewer->save.destination == BRUME_SAVE_KEPT && !viewer->save.is_written) { // it would be of another scene
        viewer->save.destination = BRUME_SAVE_NOTHING;
    }
    return !has_edits(viewer);
}

bool brume_viewer_is_kept_scene(const BrumeViewer *viewer, const char *path)
{
    const size_t length = strlen(viewer->kept.folder);
    return length > 0 && strncmp(path, viewer->kept.folder, length) == 0 && path[length] == '/';
}
