#include "viewer/simulation/animate_edits.h"

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
        BrumeSimDef settings = *base;
        if (brume_animation_apply_sim(animation, brume_sim_time(sim), &settings)) {
            edits->animated[n] = !edits->settings_changed[n];
            edits->settings_changed[n] = true;
            edits->settings[n] = settings;
        }
    }
}
