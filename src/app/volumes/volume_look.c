#include "app/volumes/volume_look.h"

#include "app/volumes/default_look.h"
#include "core/text.h"
#include "scene/compare.h"

#include <stdio.h>
#include <string.h>

// an override of what the volumes already hold would have no effect
static BrumeStatus check_overrides(const BrumeScene *scene, const BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   BrumeError *error)
{
    BrumeScene *without = NULL;
    BrumeText differences = {0};
    BrumeStatus status =
        brume_scene_parse_written(&without, frame->scene_text, def->path, NULL, 0, BRUME_SCENE_FILES_NONE, error);
    if (status == BRUME_OK) {
        status = brume_scene_compare(without, scene, def->last_frame, &differences, error);
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

BrumeStatus brume_volume_look_load(BrumeScene **scene, BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   BrumeError *error)
{
    *scene = NULL;
    if (def->look) {
        return brume_scene_load(scene, def->look, def->overrides, def->override_count, error);
    }
    BrumeStatus status = BRUME_OK;
    if (!frame->scene_text) {
        const char *slash = strrchr(def->path, '/');
        status = brume_default_look(frame, slash ? slash + 1 : def->path, &frame->scene_text, error);
    }
    if (status == BRUME_OK) {
        status = brume_scene_parse_written(scene, frame->scene_text, def->path, def->overrides, def->override_count,
                                           BRUME_SCENE_FILES_OF_SURFACES, error);
    }
    if (status == BRUME_OK) {
        status = check_overrides(*scene, frame, def, error);
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
