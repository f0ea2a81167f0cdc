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
                    .direction = {0.6395454f, -0.6928408f, 0.3330965f},
                    .color = {1.0f, 0.92f, 0.80f},
                    .intensity = 3.6f}},
        .sky_zenith = {0.17f, 0.27f, 0.46f},
        .sky_horizon = {0.52f, 0.60f, 0.68f},
        .ground = true,
        .ground_height = 0.0f,
        .ground_albedo = {0.34f, 0.33f, 0.32f},
        .exposure = 0.0f,
        .tone = BRUME_TONE_FILMIC,
        .step = 1.0f,
    };
}
