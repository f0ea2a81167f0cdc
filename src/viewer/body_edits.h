/**
 * @file body_edits.h
 * Passes the edits of bodies by the select tool to the simulation, as numbered edits that can be undone, and follows
 * the bodies that the simulation moves.
 */
#ifndef BRUME_VIEWER_BODY_EDITS_H
#define BRUME_VIEWER_BODY_EDITS_H

#include <stdbool.h>

struct BrumeViewer;

/** Passes the edits since the last call to the simulation thread, and adds them to the undo history. */
void brume_viewer_send_body_edits(struct BrumeViewer *viewer);

/** Ends the present edit; `cancels`: undoes it, so that it cannot be redone. */
void brume_viewer_end_body_edit(struct BrumeViewer *viewer, bool cancels);

/** Sets all bodies to the simulation's after an edit was undone or redone. */
void brume_viewer_release_bodies(struct BrumeViewer *viewer);

/** Sets the drag and lift coefficients of the selected body. */
void brume_viewer_update_flow(struct BrumeViewer *viewer);

/** Copies the bodies from the latest snapshot, except ones with recent edits that it lacks. */
void brume_viewer_follow_bodies(struct BrumeViewer *viewer);

#endif
