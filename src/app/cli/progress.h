/**
 * @file progress.h
 * How far a run is and when it will end. Later frames are heavier than early ones, so the rate is that of a trailing
 * window, not the average since the start.
 */
#ifndef BRUME_APP_CLI_PROGRESS_H
#define BRUME_APP_CLI_PROGRESS_H

#include <stddef.h>

enum { BRUME_PROGRESS_WINDOW = 12 };

typedef struct BrumeProgress {
    int frames;                             ///< frames of the whole run
    int done;                               ///< frames finished
    double started;                         ///< [s] on the clock
    double ends[BRUME_PROGRESS_WINDOW + 1]; ///< when the last frames ended [s], a ring indexed by their count
    double cell_rate;                       ///< cells that the last frame's steps passed over a second [1/s]
} BrumeProgress;

/** A run of `frames` frames that starts at `now` [s]. */
void brume_progress_start(BrumeProgress *progress, int frames, double now);

/** Counts a frame that ended at `now` [s], whose steps passed over `cell_steps` cells in `seconds`. */
void brume_progress_count(BrumeProgress *progress, double now, double cell_steps, double seconds);

/** Estimated time to the end [s], by the window; 0 before the first frame. */
double brume_progress_left(const BrumeProgress *progress);

/** "frame 12/120  10%  elapsed 0:34  left 5:06  8.3 Mcells/s" */
void brume_progress_line(const BrumeProgress *progress, char *line, size_t size);

#endif
