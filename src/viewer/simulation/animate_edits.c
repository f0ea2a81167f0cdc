#include "viewer/simulation/animate_edits.h"

#include "core/shape.h"

#include <string.h>

// the obstacles that the frame would move or place otherwise, by edits or by what the scene prescribes
static uint64_t changed_otherwise(const BrumePendingEdits *edits, const BrumeChange *scheduled)
{
    uint64_t found = scheduled && scheduled->settings ? scheduled->placed : 0;
    for (int n = 0; n < edits->motion_count; n++) {
        found |= (uint64_t)1 << edits->motions[n].obstacle;
    }
    for (int n = 0; scheduled && n < scheduled->move_count; n++) {
        found |= (uint64_t)1 << scheduled->moves[n].obstacle;
    }
    return found;
}

// the obstacles whose shapes differ
static uint64_t differing(const BrumeSimDef *now, const BrumeSimDef *next)
{
    uint64_t found = 0;
    for (int n = 0; n < now->obstacle_count; n++) {
        const bool same = brume_shape_equal(&now->obstacles[n].shape, &next->obstacles[n].shape);
        found |= same ? 0 : (uint64_t)1 << n;
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
        edits->moved_by_keys[n] = animated & (differing(now, &settings) | changed_otherwise(edits, scheduled));
        if (changed || edits->moved_by_keys[n] != 0) {
            edits->animated[n] = !edits->settings_changed[n];
            edits->settings_changed[n] = true;
            edits->settings[n] = settings;
        }
    }
}
