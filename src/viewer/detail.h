/**
 * @file detail.h
 * How finely a picture in motion is drawn, so that it keeps its time.
 */
#ifndef BRUME_VIEWER_DETAIL_H
#define BRUME_VIEWER_DETAIL_H

/** Zeroed, nothing is known yet. */
typedef struct BrumeDetail {
    int level;           ///< 0 is the finest
    double ms_per_pixel; ///< of the last pictures, smoothed; 0: not known
} BrumeDetail;

/** The size, at most width x height, at which the next picture is to be drawn so that it takes about `budget` [ms]. */
void brume_detail_choose(BrumeDetail *detail, double budget, int width, int height, int *chosen_width,
                         int *chosen_height);

/** Learns what a picture of so many pixels took. */
void brume_detail_learn(BrumeDetail *detail, double ms, double pixels);

#endif
