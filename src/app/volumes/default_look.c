#include "app/volumes/default_look.h"

#include "app/info/volume_statistics.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>

static const double tangent = 0.363970234266202; // of half the field of view, which is 40 degrees by default
static const double aspect = 16.0 / 9.0;         // of the picture
static const double margin = 1.15;               // of the box in the picture
static const double elevation = 0.1;             // of the camera above the centre, per distance
static const double max_extinction = 10000.0;    // that a scene may have [1/m]
static const double max_position = 50000.0;      // half of what a camera may have [m]
static const double max_cells = 131072.0;        // from the origin; a position in single precision has 2^24 values

void brume_volume_extent_add(BrumeVolumeExtent *extent, const BrumeFrameGrids *frame)
{
    const double scale = brume_density_scale(frame);
    for (int axis = 0; axis < 3; axis++) {
        const double lower = frame->origin[axis];
        const double upper = lower + frame->dx * brume_cells_along(frame->cells, axis);
        extent->lower[axis] = extent->count > 0 ? brume_fmin(extent->lower[axis], lower) : lower;
        extent->upper[axis] = extent->count > 0 ? brume_fmax(extent->upper[axis], upper) : upper;
    }
    if (scale > 0.0) {
        extent->scale = extent->scale > 0.0 ? brume_fmin(extent->scale, scale) : scale;
    }
    extent->burns = extent->burns || brume_frame_grids_find(frame, "flame");
    extent->count++;
}

void brume_volume_extent_shift(const BrumeVolumeExtent *extent, double dx, double shift[3])
{
    const double most = brume_fmin(max_position, max_cells * dx);
    for (int axis = 0; axis < 3; axis++) {
        const double farthest = brume_fmax(fabs(extent->lower[axis]), fabs(extent->upper[axis]));
        shift[axis] = farthest > most ? -floor(0.5 * (extent->lower[axis] + extent->upper[axis]) + 0.5) : 0.0;
    }
}

// a position with the fewest decimals that are a thousandth of a size
typedef struct PointText {
    char text[96];
} PointText;

static int decimals_for(double size)
{
    int decimals = 0;
    for (double step = 1.0; step > 1e-3 * size && decimals < 9; step *= 0.1) {
        decimals++;
    }
    return decimals;
}

static PointText point_text(const double point[3], double size)
{
    const int decimals = decimals_for(size);
    double shown[3];
    for (int axis = 0; axis < 3; axis++) {
        shown[axis] = fabs(point[axis]) < 1e-4 * size ? 0.0 : point[axis]; // no -0
    }
    PointText result;
    (void)snprintf(result.text, sizeof result.text, "[%.*f,%.*f,%.*f]", decimals, shown[0], decimals, shown[1],
                   decimals, shown[2]);
    return result;
}

BrumeStatus brume_default_look(const BrumeVolumeExtent *extent, const char *name, char **text, char *options,
                               size_t size, BrumeError *error)
{
    double sides[3];
    double centre[3];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = extent->upper[axis] - extent->lower[axis];
        centre[axis] = 0.5 * (extent->lower[axis] + extent->upper[axis]);
    }
    const double height = margin * brume_fmax(sides[1], sides[0] / aspect);
    const double distance = 0.5 * height / tangent + 0.5 * sides[2];
    const double from[3] = {centre[0], centre[1] + elevation * distance, centre[2] + distance};
    const PointText position = point_text(from, distance);
    const PointText target = point_text(centre, distance);
    const int decimals = decimals_for(distance);
    const double scale = extent->scale > 0.0 ? brume_fmin(extent->scale, max_extinction) : 1.0;
    // the preset Fire
    const char *albedo = extent->burns ? ", albedo: [0.28,0.26,0.24]" : "";
    const char *glow = extent->burns ? ", emission: {intensity: 0.0022, temperature_scale: 26}" : "";
    const char *glow_options = extent->burns
                                   ? " -D smoke.density.albedo=[0.28,0.26,0.24] -D render.emission.intensity=0.0022"
                                     " -D render.emission.temperature_scale=26"
                                   : "";
    BrumeText scene = {0};
    brume_text_add(&scene, "name: ");
    brume_text_add_json_string(&scene, brume_quote(name).text);
    brume_text_add(&scene,
                   "\nsmoke: {density: {extinction: %.3g%s}}\nrender: {ground: {height: %.*f}%s}\n"
                   "camera: {position: %s, target: %s}\n",
                   scale, albedo, decimals, extent->lower[1], glow, position.text, target.text);
    (void)snprintf(options, size,
                   "-D camera.position=%s -D camera.target=%s -D render.ground.height=%.*f "
                   "-D smoke.density.extinction=%.3g%s",
                   position.text, target.text, decimals, extent->lower[1], scale, glow_options);
    *text = scene.data;
    if (scene.failed) {
        brume_text_destroy(&scene);
        *text = NULL;
        return brume_out_of_memory(error, "the look of a volume");
    }
    return BRUME_OK;
}
