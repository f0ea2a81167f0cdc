/**
 * @file exports.h
 * What leaves the viewer as files beside pictures and scenes: the present state as a volume, and runs of the program
 * that draw or simulate the scene from its start, as jobs.
 */
#ifndef BRUME_VIEWER_EXPORTS_H
#define BRUME_VIEWER_EXPORTS_H

#include "viewer/controls/controls.h"

struct BrumeViewer;

/** Fills the readouts of what can be written. */
void brume_viewer_start_exports(struct BrumeViewer *viewer);

/**
 * Lists the jobs of a scene, or sequence, that was opened which were not completed when a viewer was closed, and says
 * how they go on.
 */
void brume_viewer_find_jobs(struct BrumeViewer *viewer);

/** Executes the commands of the section Export, but the pictures of capture.h. */
void brume_viewer_execute_exports(struct BrumeViewer *viewer, const BrumeExportCommands *commands);

/** Starts jobs, reads their progress and reports those that have ended. */
void brume_viewer_update_jobs(struct BrumeViewer *viewer);

/** Stops the jobs before the window closes: the one that runs completes its frame. */
void brume_viewer_stop_jobs(struct BrumeViewer *viewer);

/** Jobs that wait or run. */
int brume_viewer_jobs_left(const struct BrumeViewer *viewer);

#endif
