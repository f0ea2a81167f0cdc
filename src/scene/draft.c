#include "scene/draft.h"
#include "core/vec3.h"

#include <math.h>

static const float degrees_per_radian = 57.29577951f;

/** The sun that the default look has; it also gives the angles that a light has without its own. */
static BrumeLightDraft default_light(const BrumeRenderSettings *look)
{
    const BrumeLight sun = look->lights[0];
    return (BrumeLightDraft){
        .light = sun,
        .kind = BRUME_LIGHT_DIRECTIONAL,
        .azimuth = roundf(atan2f(-sun.direction.x, -sun.direction.z) * degrees_per_radian),
        .elevation = roundf(asinf(-sun.direction.y) * degrees_per_radian),
    };
}

void brume_draft_defaults(BrumeSceneDraft *draft)
{
    *draft = (BrumeSceneDraft){
        .scene = {.sim = brume_default_sim_def(),
                  .look = brume_default_render_settings(),
                  .frames = 120,
                  .width = 960,
                  .height = 540,
                  .samples = 4},
        .size = {1.0, 1.0, 1.0},
        .resolution = {64, 0, 0},
        .camera = {.field_of_view = 40.0f},
    };
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        draft->smoke[kind] = (BrumeSmokeDraft){draft->scene.sim.smoke[kind], draft->scene.look.smoke[kind]};
    }
    draft->tone = (int)draft->scene.look.tone;
    for (int i = 0; i < BRUME_MAX_EMITTERS; i++) {
        draft->emitters[i].def = brume_default_emitter_def();
    }
    for (int i = 0; i < BRUME_MAX_OBSTACLES; i++) {
        draft->obstacles[i].albedo = brume_vec3(0.6f, 0.6f, 0.6f);
        draft->obstacles[i].visible = true;
        draft->scene.surface_of[i] = -1;
    }
    for (int i = 0; i < BRUME_MAX_LIGHTS; i++) {
        draft->lights[i] = default_light(&draft->scene.look);
    }
    for (int i = 0; i < BRUME_MAX_CAMERA_KEYS; i++) {
        draft->camera_keys[i].camera = draft->camera;
    }
}
