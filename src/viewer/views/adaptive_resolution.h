/**
 * @file adaptive_resolution.h
 * Chooses the resolution of pictures while the camera or the smoke moves, so that each takes about the available time.
 * Both choices have a hysteresis, so that the resolution does not alternate between two levels.
 */
#ifndef BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H
#define BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H

#include <stdbool.h>

/** The changes from one picture to the next. */
typedef struct BrumePictureMotion {
    bool camera_moves;     ///< the camera, or another part of the request, changes
    bool source_runs;      ///< the source publishes new states of the smoke
    bool source_is_late;   ///< it publishes them too slowly
    double state_interval; ///< time between the latest two states [s]
} BrumePictureMotion;

/**
 * Returns the time for the next picture [ms]. `budget` is the time while camera and smoke move. If only the smoke
 * moves, pictures need not be faster than its states; without new states the solver needs no time.
 */
double brume_picture_budget(double budget, const BrumePictureMotion *motion);

/**
 * State of the choice for the CPU ray marcher (render thread), which draws surfaces at full size in any case. Zeroed,
 * nothing has been measured yet.
 */
typedef struct BrumeAdaptiveResolution {
    int shrink;          ///< pixels along a side for each ray through the smoke, latest choice
    double ms_per_node;  ///< running mean of the latest pictures for each ray; 0: not measured
    double ms_per_pixel; ///< the same for each pixel drawn at full size
} BrumeAdaptiveResolution;

/**
 * Returns the divisor of the smoke's resolution at which a picture of `pixels` takes about `budget` [ms]: 1 to 4, and
 * up to 8 for large pictures, of smaller ones already where camera and smoke move (`both_move`).
 */
int brume_adaptive_resolution_choose(BrumeAdaptiveResolution *resolution, double budget, double pixels, bool both_move);

/** Records that `nodes` rays through the smoke took `node_ms`, and `pixels` pixels, if any, `pixel_ms`. */
void brume_adaptive_resolution_record(BrumeAdaptiveResolution *resolution, double node_ms, double nodes,
                                      double pixel_ms, double pixels);

/**
 * Returns the divisor of width and height (1 to 4) at which a picture by OpenGL takes about `budget` [ms] (window
 * thread). `full_ms` is the time of a picture at full size, `current` the divisor of the latest one.
 */
int brume_choose_shrink(double full_ms, double budget, int current);

#endif
