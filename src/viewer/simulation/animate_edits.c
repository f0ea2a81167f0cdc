#include "viewer/simulation/animate_edits.h"

#include "core/shape.h"

#include <string.h>

// the obstacles among `animated` whose shapes differ
static uint64_t differing(uint64_t animated, const BrumeSimDef *now, const BrumeSimDef *next)
{
    uint64_t found = 0;
    for (int n = 0; n < now->obstacle_count; n++) {
        const uint64_t bit = (uint64_t)1 << n;
        const bool same = brume_shape_equal(&now->obstacles[n].shape, &next->obstacles[n].shape);
        found |= same ? 0 : animated & bit;
    }
    return found;
}

void brume_animate_edits(const BrumeSession *session, const BrumeAnimation *animation, BrumePendingEdits *edits)
{
    if (animation->count == 0 || session->failed) {
        return;
    }
    const BrumeChange *scheduled = brume_timeline_find(&session->scene_timeline, session->frame);
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSim *sim = session->variants[n].sim;
        const BrumeSimDef *base = edits->settings_changed[n]         ? &edits->settings[n]
                                  : scheduled && scheduled->settings ? scheduled->settings
                                                                     : brume_sim_settings(sim);
        const BrumeSimDef *now = brume_sim_settings(sim);
        BrumeSimDef settings = *base;
        const bool changed = brume_animation_apply_sim(animation, brume_sim_time(sim), &settings);
        settings.obstacle_count = now->obstacle_count;
        memcpy(settings.obstacles, now->obstacles, sizeof settings.obstacles);
        const double end = brume_sim_time(sim) + 1.0 / (double)settings.fps;
        const uint64_t animated = brume_animation_apply_obstacles(animation, end, &settings);
        edits->moved_by_keys[n] = differing(animated, now, &settings);
        if (changed || edits->moved_by_keys[n] != 0) {
            edits->animated[n] = !edits->settings_changed[n];
            edits->settings_changed[n] = true;
            edits->settings[n] = settings;
        }
    }
}
