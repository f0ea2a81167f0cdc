#include "app/volumes/volume_look.h"

#include "app/cli/scene_readers.h"
#include "app/info/volume_statistics.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/path.h"
#include "core/text.h"
#include "scene/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// fails for an override of values that the volumes have, because it would have no effect
static BrumeStatus check_overrides(const BrumeScene *scene, const BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   bool made, BrumeError *error)
{
    BrumeScene *without = NULL;
    BrumeText differences = {0};
    BrumeStatus status =
        brume_scene_parse_written(&without, frame->scene_text, def->path, NULL, 0, BRUME_SCENE_FILES_NONE, NULL, error);
    if (status == BRUME_OK && made) {
        without->sim.fps = scene->sim.fps; // nothing in the files states it
    }
    if (status == BRUME_OK) {
        status = brume_scene_compare(without, scene, def->last_frame - scene->first_frame + 1, &differences, error);
    }
    for (int n = 0; status == BRUME_OK && n < def->override_count; n++) {
        int color = 0;
        // NOLINTNEXTLINE(cert-err34-c): the scene has been read with this override
        if (sscanf(def->overrides[n], "smoke.color_%d", &color) == 1 && color > without->sim.color_count) {
            status = brume_fail(error, BRUME_BAD_INPUT, "-D %.100s: the volumes have no smoke 'color_%d'",
                                def->overrides[n], color);
        }
    }
    if (status == BRUME_OK && differences.size > 0) {
        status =
            brume_fail(error, BRUME_BAD_INPUT,
                       "--define changes what was simulated, but volumes are only drawn: %.200s (simulate the scene "
                       "again)",
                       differences.data);
    }
    brume_text_destroy(&differences);
    brume_scene_destroy(without);
    return status;
}

/** The values that the look of a sequence depends on. Zeroed: no volume yet. */
typedef struct VolumeExtent {
    int count;                 ///< of volumes
    double lower[3], upper[3]; ///< corners of the box around all [m]
    double scale;              ///< least brume_density_scale; 0: no smoke
    bool burns;                ///< one has flames
} VolumeExtent;

static const double tangent = 0.363970234266202; // of half the field of view, which is 40 degrees by default
static const double aspect = 16.0 / 9.0;         // of the picture
static const double margin = 1.15;               // of the box in the picture
static const double elevation = 0.1;             // of the camera above the center, per distance
static const double max_extinction = 10000.0;    // that a scene may have [1/m]
static const double max_position = 50000.0;      // half of the limit of a camera [m]
static const double max_cells = 131072.0;        // from the origin; a position in single precision has 2^24 values

// adds a volume that brume_drawn_volume_read has read
static void add_extent(VolumeExtent *extent, const BrumeFrameGrids *frame)
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

// By how much volumes of this extent must be moved [m] so that positions in single precision suffice: 0 unless they are
// farther from the origin than a scene may be, or than 2^17 cells of side `dx` [m].
static void find_shift(const VolumeExtent *extent, double dx, double shift[3])
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

// the number of decimals for a thousandth of `size`
static int decimals_for(double size)
{
    int decimals = 0;
    for (double step = 1.0; step > 1e-3 * size && decimals < 9; step *= 0.1) {
        decimals++;
    }
    return decimals;
}

// writes a point [m] with the decimals for a box of this size
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

// Composes the text of a scene: the camera has the whole box in view, from the front and a little above, and the
// extinction is the density scale (1/m without smoke), so that the smoke is neither invisible nor black; flames glow as
// in the preset Fire. `name` is the title. `options`, of `size` bytes, become the options of the command line that give
// the same view and extinction.
static BrumeStatus compose_look(const VolumeExtent *extent, const char *name, char **text, char *options, size_t size,
                                BrumeError *error)
{
    double sides[3];
    double center[3];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = extent->upper[axis] - extent->lower[axis];
        center[axis] = 0.5 * (extent->lower[axis] + extent->upper[axis]);
    }
    const double height = margin * brume_fmax(sides[1], sides[0] / aspect);
    const double distance = 0.5 * height / tangent + 0.5 * sides[2];
    const double from[3] = {center[0], center[1] + elevation * distance, center[2] + distance};
    const PointText position = point_text(from, distance);
    const PointText target = point_text(center, distance);
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

// adds a file of the sequence; one that cannot be read is an error when it is drawn
static BrumeStatus add_file(VolumeExtent *extent, const char *path, BrumeDrawnVolumes *volumes, BrumeError *error)
{
    BrumeFrameGrids frame = {0};
    const BrumeStatus status = brume_drawn_volume_read(&frame, path, volumes, error);
    if (status == BRUME_OK) {
        add_extent(extent, &frame);
    }
    brume_frame_grids_destroy(&frame);
    return status == BRUME_BAD_INPUT ? BRUME_OK : status;
}

// composes a look for all volumes of a sequence from the extent of some of them, and moves far ones to the origin
static BrumeStatus make_look(BrumeFrameGrids *frame, const BrumeVolumeLookDef *def, BrumeDrawnVolumes *volumes,
                             BrumeMadeLook *made, BrumeError *error)
{
    VolumeExtent extent = {.count = 0};
    BrumeStatus status = BRUME_OK;
    const int count = def->sequence->count;
    made->files = count < BRUME_LOOK_FILES ? count : BRUME_LOOK_FILES;
    add_extent(&extent, frame);
    for (int n = 0; n < made->files && status == BRUME_OK && def->pattern->width >= 0; n++) {
        const int index = made->files > 1 ? (int)((long long)n * (count - 1) / (made->files - 1)) : 0;
        char path[BRUME_MAX_PATH];
        brume_pattern_path(def->pattern, def->sequence->frames[index], path);
        status = strcmp(path, def->path) == 0 ? BRUME_OK : add_file(&extent, path, volumes, error);
    }
    if (status == BRUME_OK) {
        find_shift(&extent, frame->dx, volumes->shift);
        brume_drawn_volume_move(frame, volumes->shift);
        for (int axis = 0; axis < 3; axis++) {
            extent.lower[axis] += volumes->shift[axis];
            extent.upper[axis] += volumes->shift[axis];
        }
        status = compose_look(&extent, brume_path_name(def->path), &frame->scene_text, made->options,
                              sizeof made->options, error);
        made->made = status == BRUME_OK;
    }
    return status;
}

void brume_volume_look_list_notes(const BrumeScene *scene, const BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                  const BrumeDrawnVolumes *volumes, const BrumeMadeLook *made, BrumeText *lines)
{
    brume_volume_list_notes(frame, def->path, lines);
    if (!made->made) {
        return;
    }
    const double *shift = volumes->shift;
    if (shift[0] != 0.0 || shift[1] != 0.0 || shift[2] != 0.0) {
        brume_text_add(lines, "%s: is far from the origin, and is drawn moved by (%.0f, %.0f, %.0f) m\n", def->path,
                       shift[0], shift[1], shift[2]);
    }
    brume_text_add(lines,
                   "%s: has no scene; %g frames per second are assumed (-D time.fps=N)\n"
                   "view and extinction fit %d %s of %s; the same again: %s\n",
                   def->path, (double)scene->sim.fps, made->files, made->files == 1 ? "file" : "files",
                   def->pattern->text, made->options);
}

BrumeStatus brume_volume_look_load(BrumeScene **scene, BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   BrumeDrawnVolumes *volumes, BrumeMadeLook *made, BrumeError *error)
{
    *scene = NULL;
    if (def->look) {
        return brume_scene_load(scene, def->look, def->overrides, def->override_count, &brume_scene_readers, error);
    }
    BrumeStatus status = BRUME_OK;
    if (!frame->scene_text) {
        status = make_look(frame, def, volumes, made, error);
    }
    if (status == BRUME_OK) {
        status = brume_scene_parse_written(scene, frame->scene_text, def->path, def->overrides, def->override_count,
                                           BRUME_SCENE_FILES_OF_SURFACES, &brume_scene_readers, error);
    }
    if (status == BRUME_OK) {
        status = check_overrides(*scene, frame, def, made->made, error);
    }
    if (status != BRUME_OK) {
        brume_scene_destroy(*scene);
        *scene = NULL;
    }
    return status;
}

bool brume_volume_look_place_bodies(BrumeSimDef *def, const BrumeFrameGrids *frame)
{
    if (frame->body_count != def->body_count) {
        return false;
    }
    for (int n = 0; n < frame->body_count; n++) {
        BrumeShape *shape = &def->bodies[n].shape;
        const BrumeShape former = *shape;
        def->bodies[n].disabled = frame->bodies[n].kind == BRUME_SHAPE_SPHERE && !(frame->bodies[n].radius > 0.0f);
        *shape = frame->bodies[n]; // in the world
        def->bodies[n].parent = 0;
        shape->samples = former.samples; // the frame has the position of a volume or a mesh alone
        shape->mesh = former.mesh;
        shape->threshold = former.threshold;
    }
    return true;
}

void brume_volume_look_warn_of_bodies(const BrumeScene *look, const char *path, const BrumeFrameGrids *frame,
                                      BrumeMessages *messages)
{
    const int stored = frame->body_count;
    const int looks = look->sim.body_count;
    if (looks == 0 && stored > 0) {
        brume_messages_warning(messages, "%s has no bodies, so the %d of the volumes %s not drawn (add as many)", path,
                               stored, stored == 1 ? "is" : "are");
    } else if (looks != stored) {
        brume_messages_warning(messages,
                               "%s has %d %s and the volumes have %d, so those of the look are drawn, at its "
                               "positions",
                               path, looks, looks == 1 ? "body" : "bodies", stored);
    }
}
