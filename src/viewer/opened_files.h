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

/** Closes this window, so that the next one opens the path, if no file is left to be written; a message says so. */
void brume_viewer_open_next(struct BrumeViewer *viewer, const char *path);

/**
 * Whether this window does not read the scene of a path: it names volumes, which the next window opens if they can be
 * read, or a file that no window opens. A message has the reason of a refusal. Where a sequence is played, a scene is
 * read as a check, and brume_viewer_open_next opens it.
 */
bool brume_viewer_opens_elsewhere(struct BrumeViewer *viewer, const char *path);

/** Adds an opened file to the recent ones, and lists its incomplete jobs. */
void brume_viewer_note_opened(struct BrumeViewer *viewer, const char *path);

#endif
