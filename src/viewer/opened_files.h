/**
 * @file opened_files.h
 * Files that the user chooses in a dialog, and recent files.
 */
#ifndef BRUME_VIEWER_OPENED_FILES_H
#define BRUME_VIEWER_OPENED_FILES_H

#include "viewer/files/file_choice.h"

struct BrumeViewer;

/** Shows the recent files of the window state that still exist. */
void brume_viewer_start_files(struct BrumeViewer *viewer);

/** Opens a dialog, the system's or the panel's. */
void brume_viewer_choose_file(struct BrumeViewer *viewer, BrumeFilePurpose purpose);

/** Uses the file that the user has chosen in a dialog of the system. */
void brume_viewer_update_dialog(struct BrumeViewer *viewer);

/**
 * Whether a path is opened by another window: volumes while a scene is simulated, and anything else while a sequence is
 * played. Then this one closes if the path can be read and no file is left to be written; otherwise a message has the
 * reason.
 */
bool brume_viewer_opens_elsewhere(struct BrumeViewer *viewer, const char *path);

/** Adds an opened file to the recent ones, and lists its incomplete jobs. */
void brume_viewer_note_opened(struct BrumeViewer *viewer, const char *path);

#endif
