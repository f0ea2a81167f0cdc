#include "viewer/detail.h"

#include <math.h>

enum { LEVELS = 5 };

static const double shares[LEVELS] = {1.0, 2.0 / 3.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0};

// a level is left for a coarser one where it takes this much more than the time, for a finer one where that would
// take this much less: in between it stays, so that the picture does not flicker
static const double too_long = 1.2;
static const double short_enough = 0.7;

static double cost(const BrumeDetail *detail, int level, double pixels)
{
    return detail->ms_per_pixel * pixels * shares[level] * shares[level];
}

static int scaled(int size, int level)
{
    const int result = (int)lround(size * shares[level]);
    return result > 1 ? result : 1;
}

void brume_detail_choose(BrumeDetail *detail, double budget, int width, int height, int *chosen_width,
                         int *chosen_height)
{
    const double pixels = (double)width * height;
    if (detail->ms_per_pixel <= 0.0) {
        detail->level = LEVELS - 1; // nothing is known: be sure
    } else if (cost(detail, detail->level, pixels) > too_long * budget) {
        while (detail->level < LEVELS - 1 && cost(detail, detail->level, pixels) > budget) {
            detail->level++;
        }
    } else {
        while (detail->level > 0 && cost(detail, detail->level - 1, pixels) < short_enough * budget) {
            detail->level--;
        }
    }
    *chosen_width = scaled(width, detail->level);
    *chosen_height = scaled(height, detail->level);
}

void brume_detail_learn(BrumeDetail *detail, double ms, double pixels)
{
    const double measured = ms / pixels;
    detail->ms_per_pixel = detail->ms_per_pixel > 0.0 ? 0.6 * detail->ms_per_pixel + 0.4 * measured : measured;
}
