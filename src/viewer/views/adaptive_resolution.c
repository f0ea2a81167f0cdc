#include "viewer/views/adaptive_resolution.h"

#include <math.h>
#include <stdbool.h>

enum { LEVELS = 5, MAX_SHRINK = 4 };

static const double scales[LEVELS] = {1.0, 2.0 / 3.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0};

// hysteresis, as fractions of the budget: a coarser level is chosen above the first, a finer one below the second
static const double coarser_above = 1.2;
static const double finer_below = 0.7;
static const double shrink_more_above = 1.3;

static double predicted_ms(const BrumeAdaptiveResolution *resolution, int level, double pixels)
{
    return resolution->ms_per_pixel * pixels * scales[level] * scales[level];
}

static int scaled(int size, int level)
{
    const int result = (int)lround(size * scales[level]);
    return result > 1 ? result : 1;
}

void brume_adaptive_resolution_choose(BrumeAdaptiveResolution *resolution, double budget, int width, int height,
                                      int *chosen_width, int *chosen_height)
{
    const double pixels = (double)width * height;
    if (resolution->ms_per_pixel <= 0.0) {
        resolution->level = LEVELS - 1; // not measured yet: the coarsest
    } else if (predicted_ms(resolution, resolution->level, pixels) > coarser_above * budget) {
        while (resolution->level < LEVELS - 1 && predicted_ms(resolution, resolution->level, pixels) > budget) {
            resolution->level++;
        }
    } else {
        while (resolution->level > 0 &&
               predicted_ms(resolution, resolution->level - 1, pixels) < finer_below * budget) {
            resolution->level--;
        }
    }
    *chosen_width = scaled(width, resolution->level);
    *chosen_height = scaled(height, resolution->level);
}

void brume_adaptive_resolution_record(BrumeAdaptiveResolution *resolution, double ms, double pixels)
{
    const double measured = ms / pixels;
    resolution->ms_per_pixel =
        resolution->ms_per_pixel > 0.0 ? 0.6 * resolution->ms_per_pixel + 0.4 * measured : measured;
}

int brume_choose_shrink(double full_ms, double budget, int current)
{
    int shrink = 1;
    while (shrink < MAX_SHRINK && full_ms / (shrink * shrink) > budget) {
        shrink++;
    }
    const bool is_close = full_ms / (current * current) < shrink_more_above * budget;
    return shrink == current + 1 && is_close ? current : shrink;
}
