/**
 * @file exports.h
 * Exported files other than pictures and scenes: the present state as a volume, and jobs, which are runs of the program
 * that draw or simulate the scene from its start.
 */
#ifndef BRUME_VIEWER_EXPORTS_H
#define BRUME_VIEWER_EXPORTS_H

#include "viewer/controls/controls.h"

struct BrumeViewer;

/** Sets the readouts of the kinds of files that can be written. */
void brume_viewer_start_exports(struct BrumeViewer *viewer);

/**
 * Lists the jobs of the opened scene or sequence that were incomplete when a viewer was closed, and shows how to
 * continue them.
 */
void brume_viewer_find_jobs(struct BrumeViewer *viewer);

/** Executes the commands of the section Export, except the pictures of capture.h. */
void brume_viewer_execute_exports(struct BrumeViewer *viewer, const BrumeExportCommands *commands);

/** Starts jobs, reads their progress and reports those that have ended. */
void brume_viewer_update_jobs(struct BrumeViewer *viewer);

/** Stops the jobs before the window closes: the running job completes its frame. */
void brume_viewer_stop_jobs(struct BrumeViewer *viewer);

/** Returns the number of jobs that wait or run. */
int brume_viewer_jobs_left(const struct BrumeViewer *viewer);

#endif
