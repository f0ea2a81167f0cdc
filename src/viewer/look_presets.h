/**
 * @file look_presets.h
 * Applies, saves and deletes presets of media and lights, and keeps their thumbnails up to date while the panel shows
 * them. Window thread, except where stated.
 */
#ifndef BRUME_VIEWER_LOOK_PRESETS_H
#define BRUME_VIEWER_LOOK_PRESETS_H

#include "viewer/viewer_state.h"

/**
 * Reads the list of presets; `folder` has the installed ones, NULL for none. Starts the thread of the thumbnails, which
 * calls `wake` after each of them.
 */
void brume_viewer_start_looks(BrumeViewer *viewer, const char *folder, void (*wake)(void));

/** Executes the commands of the panel: each preset that is applied is one step of the undo history. */
void brume_viewer_change_looks(BrumeViewer *viewer, const BrumeCommands *commands);

/**
 * Requests new thumbnails where the list, the look, the camera or the state has changed: at once while the state does
 * not change, otherwise after some seconds.
 */
void brume_viewer_update_looks(BrumeViewer *viewer, double now);

/** Passes a snapshot to the thumbnails. Preparation thread. */
void brume_viewer_offer_to_looks(BrumeViewer *viewer, const BrumeSnapshot *snapshot);

/** Ends the thread of the thumbnails; after brume_render_thread_stop. */
void brume_viewer_end_looks(BrumeViewer *viewer);

#endif
