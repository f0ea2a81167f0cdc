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
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        brume_settings_set_defaults(brume_particle_look_setting_table, BRUME_PARTICLE_LOOK_SETTING_COUNT,
                                    &settings.particles[kind]);
    }
    settings.particles[BRUME_PARTICLE_EMBERS].albedo = (BrumeVec3){0.05f, 0.05f, 0.05f};
    settings.particles[BRUME_PARTICLE_EMBERS].glow = 1250.0f;
    settings.particles[BRUME_PARTICLE_LEAVES].albedo = (BrumeVec3){0.42f, 0.2f, 0.05f};
    settings.particles[BRUME_PARTICLE_LEAVES].translucency = 0.3f;
    settings.particles[BRUME_PARTICLE_LEAVES].variation = 0.5f;
    settings.particles[BRUME_PARTICLE_LEAVES].outline = BRUME_OUTLINE_LEAF;
    settings.particles[BRUME_PARTICLE_FLAKES].albedo = (BrumeVec3){0.8f, 0.8f, 0.8f};
    settings.particles[BRUME_PARTICLE_FLAKES].translucency = 0.2f;
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
