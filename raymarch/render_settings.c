#include "brume/render_settings.h"

#include "raymarch/settings.h"

BrumeRenderSettings brume_default_render_settings(void)
{
    BrumeRenderSettings settings = {.light_count = 1};
    brume_settings_set_defaults(brume_render_setting_table, BRUME_RENDER_SETTING_COUNT, &settings);
    // late morning, from behind and to the left of a camera on the +z side
    brume_settings_set_defaults(brume_light_setting_table, BRUME_LIGHT_SETTING_COUNT, &settings.lights[0]);
    for (int n = 0; n < BRUME_MAX_RAKES; n++) {
        brume_settings_set_defaults(brume_rake_setting_table, BRUME_RAKE_SETTING_COUNT, &settings.rakes[n]);
    }
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        brume_settings_set_defaults(brume_medium_setting_table, BRUME_MEDIUM_SETTING_COUNT, &settings.smoke[kind]);
    }
    settings.smoke[1].albedo = (BrumeVec3){0.96f, 0.40f, 0.16f};
    settings.smoke[2].albedo = (BrumeVec3){0.22f, 0.56f, 0.96f};
    settings.smoke[3].albedo = (BrumeVec3){0.38f, 0.88f, 0.36f};
    return settings;
}

bool brume_draws_streamlines(const BrumeRenderSettings *settings)
{
    bool draws = false;
    for (int n = 0; n < settings->rake_count; n++) {
        draws = draws || settings->rakes[n].count > 0;
    }
    return draws;
}

bool brume_draws_pressure(const BrumeRenderSettings *settings)
{
    bool draws = settings->surface_colors.quantity == BRUME_FLOW_PRESSURE;
    for (int n = 0; n < settings->rake_count; n++) {
        const BrumeRake *rake = &settings->rakes[n];
        draws = draws || (rake->count > 0 && rake->colors.quantity == BRUME_FLOW_PRESSURE);
    }
    return draws;
}
