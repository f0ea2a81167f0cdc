#include "brume/render_settings.h"

BrumeRenderSettings brume_default_render_settings(void)
{
    return (BrumeRenderSettings){
        .smoke = {{.extinction = 30.0f, .albedo = {0.93f, 0.93f, 0.93f}},
                  {.extinction = 30.0f, .albedo = {0.96f, 0.40f, 0.16f}},
                  {.extinction = 30.0f, .albedo = {0.22f, 0.56f, 0.96f}},
                  {.extinction = 30.0f, .albedo = {0.38f, 0.88f, 0.36f}}},
        .anisotropy = 0.35f,
        .light_count = 1,
        // late morning, from behind the smoke and from the left for a camera on the +z side
        .lights = {{.kind = BRUME_LIGHT_DIRECTIONAL,
                    .direction = {0.7572657f, -0.6310547f, 0.1682813f},
                    .color = {1.0f, 0.92f, 0.80f},
                    .intensity = 5.2f}},
        .sky_zenith = {0.10f, 0.15f, 0.23f},
        .sky_horizon = {0.30f, 0.345f, 0.39f},
        .ground = true,
        .ground_height = 0.0f,
        .ground_albedo = {0.165f, 0.163f, 0.16f},
        .exposure = 0.25f,
        .tone = BRUME_TONE_FILMIC,
        .step = 1.0f,
    };
}
