#include "raymarch/look.h"

BrumeLook brume_default_look(void)
{
    return (BrumeLook){
        .smoke = {{.extinction = 30.0f, .albedo = {0.93f, 0.93f, 0.93f}},
                  {.extinction = 30.0f, .albedo = {0.96f, 0.40f, 0.16f}},
                  {.extinction = 30.0f, .albedo = {0.22f, 0.56f, 0.96f}},
                  {.extinction = 30.0f, .albedo = {0.38f, 0.88f, 0.36f}}},
        .anisotropy = 0.35f,
        .light_count = 1,
        // late morning, from behind and to the left of what a camera on the +z side sees
        .lights = {{.kind = BRUME_LIGHT_DIRECTIONAL,
                    .direction = {0.7572657f, -0.6310547f, 0.1682813f},
                    .color = {1.0f, 0.92f, 0.80f},
                    .intensity = 4.0f}},
        .sky_zenith = {0.15f, 0.21f, 0.31f},
        .sky_horizon = {0.40f, 0.45f, 0.50f},
        .ground = true,
        .ground_height = 0.0f,
        .ground_albedo = {0.20f, 0.195f, 0.19f},
        .exposure = 0.0f,
        .tone = BRUME_TONE_FILMIC,
        .step = 1.0f,
    };
}
