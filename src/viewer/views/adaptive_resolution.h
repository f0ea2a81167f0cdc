/**
 * @file adaptive_resolution.h
 * Chooses the resolution of pictures while the camera or the smoke moves, so that each takes about the time that is
 * left for it. Both choices have a hysteresis, so that the resolution does not alternate between two levels.
 */
#ifndef BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H
#define BRUME_VIEWER_VIEWS_ADAPTIVE_RESOLUTION_H

/** State of the choice for the CPU ray marcher (render thread). Zeroed, nothing has been measured yet. */
typedef struct BrumeAdaptiveResolution {
    int level;           ///< index in a list of scales, 0: full size
    double ms_per_pixel; ///< running mean of the latest pictures; 0: not measured
} BrumeAdaptiveResolution;

/** The size, at most width x height, at which the next picture takes about `budget` [ms]. */
void brume_adaptive_resolution_choose(BrumeAdaptiveResolution *resolution, double budget, int width, int height,
                                      int *chosen_width, int *chosen_height);

/** Records that a picture of `pixels` pixels took `ms`. */
void brume_adaptive_resolution_record(BrumeAdaptiveResolution *resolution, double ms, double pixels);

/**
 * The divisor of width and height (1 to 4) at which a picture by OpenGL takes about `budget` [ms] (window thread).
 * `full_ms` is the time of a picture at full size, `current` the divisor of the latest one.
 */
int brume_choose_shrink(double full_ms, double budget, int current);

#endif
