#include "viewer/views/adaptive_resolution.h"

#include <math.h>
#include <stdbool.h>

enum { MAX_SHRINK = 4, MAX_LARGE_SHRINK = 8 };

// a picture has at least about this many rays through the smoke, unless MAX_SHRINK leaves fewer; the second number
// holds while camera and smoke move
static const double least_nodes = 320.0 * 180.0;
static const double least_nodes_of_both = 200.0 * 112.0;

// hysteresis, as fractions of the budget: a coarser level is chosen above the first, a finer one below the second
static const double coarser_above = 1.2;
static const double finer_below = 0.7;
static const double shrink_more_above = 1.3;

// factor where the frames of the source are late, so that more time is left for the solver
static const double late_factor = 0.5;
static const double rest_factor = 2.0;

// a picture of smoke without camera motion takes this part of the time between two states, at most so much [ms]
static const double interval_share = 0.4;
static const double most_for_smoke = 40.0;

double brume_picture_budget(double budget, const BrumePictureMotion *motion)
{
    if (!motion->source_runs) {
        return rest_factor * budget;
    }
    const double until_next = 1e3 * motion->state_interval;
    const double smoke = motion->camera_moves ? 0.0 : fmin(interval_share * until_next, most_for_smoke);
    return (motion->source_is_late ? late_factor : 1.0) * fmax(budget, smoke);
}

// expected time of a picture with a ray through the smoke for each shrink x shrink pixels
static double predicted_ms(const BrumeAdaptiveResolution *resolution, int shrink, double pixels)
{
    const double of_nodes = resolution->ms_per_node * pixels / (shrink * shrink);
    return shrink > 1 ? of_nodes + resolution->ms_per_pixel * pixels : of_nodes;
}

// the largest reduction that leaves about `least` rays
static int coarsest(double pixels, double least)
{
    int shrink = MAX_SHRINK;
    while (shrink < MAX_LARGE_SHRINK && pixels / ((shrink + 1) * (shrink + 1)) >= least) {
        shrink++;
    }
    return shrink;
}

int brume_adaptive_resolution_choose(BrumeAdaptiveResolution *resolution, double budget, double pixels, bool both_move)
{
    const int most = coarsest(pixels, both_move ? least_nodes_of_both : least_nodes);
    resolution->shrink = resolution->shrink < most ? resolution->shrink : most;
    if (resolution->ms_per_node <= 0.0) {
        resolution->shrink = most; // not measured yet
    } else if (predicted_ms(resolution, resolution->shrink, pixels) > coarser_above * budget) {
        while (resolution->shrink < most && predicted_ms(resolution, resolution->shrink, pixels) > budget) {
            resolution->shrink++;
        }
    } else {
        while (resolution->shrink > 1 &&
               predicted_ms(resolution, resolution->shrink - 1, pixels) < finer_below * budget) {
            resolution->shrink--;
        }
    }
    return resolution->shrink;
}

static void update_mean(double *mean, double measured)
{
    *mean = *mean > 0.0 ? 0.6 * *mean + 0.4 * measured : measured;
}

void brume_adaptive_resolution_record(BrumeAdaptiveResolution *resolution, double node_ms, double nodes,
                                      double pixel_ms, double pixels)
{
    update_mean(&resolution->ms_per_node, node_ms / nodes);
    if (pixels > 0.0) {
        update_mean(&resolution->ms_per_pixel, pixel_ms / pixels);
    }
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
