// Draws the procedural plume and prints the time of each stage, to look at and to measure:
//     raymarch_gallery FILE.png [cells [width [samples [variant]]]]
// Variants: plain, sphere, colors, point, side (a low directional light along x), front.
#include "brume/image.h"
#include "brume/renderer.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "raymarch_plume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_variant(BrumeRenderSettings *settings, const char *variant)
{
    if (strcmp(variant, "sphere") == 0) {
        settings->surface_count = 3;
        settings->surfaces[0] = (BrumeSurface){
            .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.42f, 0.16f, 0.25f}, .b = {0.0f, 0.0f, 0.0f}, .radius = 0.16f},
            {0.6f, 0.25f, 0.2f}};
        settings->surfaces[1] = (BrumeSurface){
            .shape = {.kind = BRUME_SHAPE_BOX, .a = {-0.75f, 0.0f, -0.35f}, .b = {-0.5f, 0.4f, -0.1f}, .radius = 0.0f},
            {0.3f, 0.4f, 0.5f}};
        settings->surfaces[2] = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_CAPSULE,
                                                         .a = {-0.35f, 0.06f, 0.45f},
                                                         .b = {-0.1f, 0.06f, 0.55f},
                                                         .radius = 0.06f},
                                               {0.6f, 0.55f, 0.3f}};
    } else if (strcmp(variant, "point") == 0) {
        settings->lights[settings->light_count++] = (BrumeLight){.kind = BRUME_LIGHT_POINT,
                                                                 .position = {0.5f, 0.35f, 0.35f},
                                                                 .color = {1.0f, 0.55f, 0.25f},
                                                                 .intensity = 1.0f};
        settings->lights[0].intensity *= 0.15f;
        settings->sky_zenith = brume_scale(settings->sky_zenith, 0.2f);
        settings->sky_horizon = brume_scale(settings->sky_horizon, 0.2f);
    } else if (strcmp(variant, "side") == 0) {
        settings->lights[0].direction = brume_vec3(0.9f, -0.4f, -0.1f);
    } else if (strcmp(variant, "front") == 0) {
        settings->lights[0].direction = brume_vec3(0.3f, -0.6f, -0.7f);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: raymarch_gallery FILE.png [cells [width [samples [variant]]]]\n", stderr);
        return 2;
    }
    const int cells = argc > 2 ? atoi(argv[2]) : 128;
    const int width = argc > 3 ? atoi(argv[3]) : 960;
    const char *variant = argc > 5 ? argv[5] : "plain";
    const BrumeDrawDef def = {
        .width = width, .height = width * 9 / 16, .samples = argc > 4 ? atoi(argv[4]) : 1, .seed = 1};
    BrumeVolume volume = plume_create(cells, strcmp(variant, "colors") == 0);
    BrumeRenderSettings settings = brume_default_render_settings();
    set_variant(&settings, variant);
    const BrumeCamera camera = {.position = {0.0f, 0.75f, 3.4f}, .target = {0.0f, 0.68f, 0.0f}, .field_of_view = 32.0f};

    BrumeError error;
    BrumeRenderer *renderer;
    float *radiance = malloc((size_t)def.width * (size_t)def.height * 3 * sizeof *radiance);
    uint8_t *rgb = malloc((size_t)def.width * (size_t)def.height * 3);
    BrumeStatus status = brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error);
    if (radiance == NULL || rgb == NULL || status != BRUME_OK) {
        goto cleanup;
    }
    for (int repeat = 0; repeat < 3; repeat++) {
        const double start = brume_seconds();
        status = brume_renderer_load(renderer, &volume, &error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
        const double loaded = brume_seconds();
        brume_renderer_light(renderer, NULL);
        const double lit = brume_seconds();
        (void)brume_renderer_draw(renderer, &camera, &def, radiance, NULL);
        const double drawn = brume_seconds();
        brume_tone_map(&settings, def.width, def.height, radiance, rgb);
        const double toned = brume_seconds();
        status = brume_image_write(argv[1], def.width, def.height, rgb, &error);
        printf("load %.1f, light %.1f, draw %.1f, tone %.1f, write %.1f ms; %.1f MB\n", 1e3 * (loaded - start),
               1e3 * (lit - loaded), 1e3 * (drawn - lit), 1e3 * (toned - drawn), 1e3 * (brume_seconds() - toned),
               1e-6 * (double)brume_renderer_bytes(renderer));
    }
cleanup:
    if (status != BRUME_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
    free(radiance);
    free(rgb);
    return (int)status;
}
