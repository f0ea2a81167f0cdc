/**
 * @file adaptive_resolution.h
 * Chooses the resolution of pictures while the camera or the smoke moves, so that each takes about the time that is
 * left for it. Both choices have a hysteresis, so that the resolution does not alternate between two levels.
 */
#ifndef BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H
#define BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H

#include <stdbool.h>

/** What changes from one picture to the next. */
typedef struct BrumePictureMotion {
    bool camera_moves;     ///< or what else the window thread requests
    bool source_runs;      ///< new states of the smoke come
    bool source_is_late;   ///< more slowly than they should
    double state_interval; ///< between the latest two states [s]
} BrumePictureMotion;

/**
 * The time for the next picture [ms]. `budget` is that while camera and smoke move. The pictures of smoke alone need
 * not follow each other faster than its states, and without new states no time is left to a solver.
 */
double brume_picture_budget(double budget, const BrumePictureMotion *motion);

/**
 * State of the choice for the CPU ray marcher (render thread), which draws surfaces at full size in any case. Zeroed,
 * nothing has been measured yet.
 */
typedef struct BrumeAdaptiveResolution {
    int shrink;          ///< pixels along a side for each ray through the smoke, of the latest choice
    double ms_per_node;  ///< running mean of the latest pictures, for each of these rays; 0: not measured
    double ms_per_pixel; ///< the same for what is drawn at full size
} BrumeAdaptiveResolution;

/**
 * The divisor of the smoke's resolution at which a picture of so many pixels takes about `budget` [ms]: 1 to 4, and up
 * to 8 for large pictures.
 */
int brume_adaptive_resolution_choose(BrumeAdaptiveResolution *resolution, double budget, double pixels);

/** Records that so many rays through the smoke took `node_ms`, and so many pixels, if any, `pixel_ms`. */
void brume_adaptive_resolution_record(BrumeAdaptiveResolution *resolution, double node_ms, double nodes,
                                      double pixel_ms, double pixels);

/**
 * The divisor of width and height (1 to 4) at which a picture by OpenGL takes about `budget` [ms] (window thread).
 * `full_ms` is the time of a picture at full size, `current` the divisor of the latest one.
 */
int brume_choose_shrink(double full_ms, double budget, int current);

#endif
