#include "scene/format/defaults.h"

#include "raymarch/settings.h"
#include "scene/format/settings.h"
#include "sim/settings/settings.h"

void brume_parsed_scene_defaults(BrumeParsedScene *parsed)
{
    *parsed = (BrumeParsedScene){
        .scene = {.sim = brume_default_sim_def(), .render_settings = brume_default_render_settings()},
        .resolution = {brume_default_sim_def().nx, 0, 0},
    };
    brume_settings_set_defaults(brume_scene_setting_table, BRUME_SCENE_SETTING_COUNT, parsed);
    brume_settings_set_defaults(brume_camera_setting_table, BRUME_CAMERA_SETTING_COUNT, &parsed->camera.camera);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        parsed->smoke[kind] = (BrumeParsedSmoke){.flow = parsed->scene.sim.smoke[kind],
                                                 .medium = parsed->scene.render_settings.smoke[kind]};
    }
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        parsed->particles[kind] =
            (BrumeParsedParticle){parsed->scene.sim.particles[kind], parsed->scene.render_settings.particles[kind]};
    }
    const BrumeParsedShape shape = {
        .threshold = (float)brume_shape_setting_table[BRUME_SHAPE_THRESHOLD].defaults[0],
        .scale = {1.0f, 1.0f, 1.0f},
    };
    for (int i = 0; i < BRUME_MAX_EMITTERS; i++) {
        parsed->emitters[i].def = brume_default_emitter_def();
        parsed->emitters[i].shape = shape;
    }
    for (int i = 0; i < BRUME_MAX_INITIAL; i++) {
        parsed->initials[i].def = brume_default_initial_def();
    }
    for (int i = 0; i < BRUME_MAX_BODIES; i++) {
        parsed->bodies[i].shape = shape;
        BrumeSurface surface = {.albedo = {0}};
        brume_settings_set_defaults(brume_surface_setting_table, BRUME_SURFACE_SETTING_COUNT, &surface);
        brume_settings_set_defaults(brume_scene_body_setting_table, BRUME_SCENE_BODY_SETTING_COUNT, &parsed->bodies[i]);
        parsed->bodies[i].albedo = surface.albedo;
        parsed->scene.surface_of[i] = -1;
    }
    for (int i = 0; i < BRUME_MAX_LIGHTS; i++) {
        brume_settings_set_defaults(brume_light_setting_table, BRUME_LIGHT_SETTING_COUNT, &parsed->lights[i].light);
        brume_settings_set_defaults(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_SETTING_COUNT,
                                    &parsed->lights[i]);
    }
    for (int i = 0; i < BRUME_MAX_PROBES; i++) {
        brume_settings_set_defaults(brume_scene_probe_setting_table, BRUME_SCENE_PROBE_SETTING_COUNT,
                                    &parsed->probes[i]);
        parsed->probes[i].kind = -1;
        parsed->probes[i].quantity_count = -1;
    }
    for (int i = 0; i < BRUME_MAX_CAMERA_KEYS; i++) {
        parsed->camera_keys[i] = parsed->camera;
    }
}
