/**
 * @file opened_files.h
 * Files that the user chooses in a dialog, and those that were opened last.
 */
#ifndef BRUME_VIEWER_OPENED_FILES_H
#define BRUME_VIEWER_OPENED_FILES_H

#include "viewer/files/file_choice.h"

struct BrumeViewer;

/** Shows the recent files of the window state that still exist. */
void brume_viewer_start_files(struct BrumeViewer *viewer);

/** Opens a dialog: that of the system, or of the panel. */
void brume_viewer_choose_file(struct BrumeViewer *viewer, BrumeFilePurpose purpose);

/** Takes the choice of the user in a dialog of the system. */
void brume_viewer_update_dialog(struct BrumeViewer *viewer);

/**
 * Whether a path is opened by another window: volumes while a scene is simulated, and anything else while a sequence is
 * played. Then this one closes where the path can be read and nothing is left to be written; otherwise a message says
 * why it stays.
 */
bool brume_viewer_opens_elsewhere(struct BrumeViewer *viewer, const char *path);

/** Enters a file that was opened into the recent ones, and lists its jobs that were not completed. */
void brume_viewer_note_opened(struct BrumeViewer *viewer, const char *path);

#endif
