#include "app/volumes/volume_look.h"

#include "app/cli/scene_readers.h"
#include "app/volumes/default_look.h"
#include "core/text.h"
#include "scene/compare.h"

#include <stdio.h>
#include <string.h>

// an override of what the volumes already hold would have no effect
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

// adds a file of the sequence; one that cannot be read is an error when it is drawn
static BrumeStatus add_file(BrumeVolumeExtent *extent, const char *path, BrumeDrawnVolumes *volumes, BrumeError *error)
{
    BrumeFrameGrids frame = {0};
    const BrumeStatus status = brume_drawn_volume_read(&frame, path, volumes, error);
    if (status == BRUME_OK) {
        brume_volume_extent_add(extent, &frame);
    }
    brume_frame_grids_destroy(&frame);
    return status == BRUME_BAD_INPUT ? BRUME_OK : status;
}

static BrumeStatus make_look(BrumeFrameGrids *frame, const BrumeVolumeLookDef *def, BrumeDrawnVolumes *volumes,
                             BrumeMadeLook *made, BrumeError *error)
{
    BrumeVolumeExtent extent = {.count = 0};
    BrumeStatus status = BRUME_OK;
    const int count = def->sequence->count;
    made->files = count < BRUME_LOOK_FILES ? count : BRUME_LOOK_FILES;
    brume_volume_extent_add(&extent, frame);
    for (int n = 0; n < made->files && status == BRUME_OK && def->pattern->width >= 0; n++) {
        const int index = made->files > 1 ? (int)((long long)n * (count - 1) / (made->files - 1)) : 0;
        char path[BRUME_MAX_PATH];
        brume_pattern_path(def->pattern, def->sequence->frames[index], path);
        status = strcmp(path, def->path) == 0 ? BRUME_OK : add_file(&extent, path, volumes, error);
    }
    if (status == BRUME_OK) {
        brume_volume_extent_shift(&extent, frame->dx, volumes->shift);
        for (int axis = 0; axis < 3; axis++) {
            frame->origin[axis] += volumes->shift[axis];
            extent.lower[axis] += volumes->shift[axis];
            extent.upper[axis] += volumes->shift[axis];
        }
        const char *slash = strrchr(def->path, '/');
        status = brume_default_look(&extent, slash ? slash + 1 : def->path, &frame->scene_text, made->options,
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

bool brume_volume_look_place_obstacles(BrumeSimDef *def, const BrumeFrameGrids *frame)
{
    if (frame->obstacle_count != def->obstacle_count) {
        return false;
    }
    for (int n = 0; n < frame->obstacle_count; n++) {
        BrumeShape *shape = &def->obstacles[n].shape;
        const BrumeShape former = *shape;
        def->obstacles[n].disabled =
            frame->obstacles[n].kind == BRUME_SHAPE_SPHERE && !(frame->obstacles[n].radius > 0.0f);
        *shape = frame->obstacles[n];
        shape->samples = former.samples; // the frame has the position of a volume alone
        shape->threshold = former.threshold;
    }
    return true;
}

void brume_volume_look_warn_of_obstacles(const BrumeScene *look, const char *path, const BrumeFrameGrids *frame,
                                         BrumeMessages *messages)
{
    const int stored = frame->obstacle_count;
    const int looks = look->sim.obstacle_count;
    if (looks == 0 && stored > 0) {
        brume_messages_warning(messages, "%s has no obstacles, so the %d of the volumes %s not drawn (add as many)",
                               path, stored, stored == 1 ? "is" : "are");
    } else if (looks != stored) {
        brume_messages_warning(messages,
                               "%s has %d obstacle%s and the volumes have %d, so those of the look are drawn, at its "
                               "positions",
                               path, looks, looks == 1 ? "" : "s", stored);
    }
}
