// Simulates a scene, then draws its views and prints the time of each stage:
//     view_gallery SCENE.yaml PREFIX [resolution [frames [width]]]
// writes PREFIX_smoke.png, PREFIX_temperature.png, ...
#include "brume/image.h"
#include "brume/renderer.h"
#include "brume/scene.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "viewer/views/overlay_geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3 };

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

static BrumeVolume volume_of(const BrumeField densities[4], const BrumeSimDef *def)
{
    BrumeVolume volume = {.nx = def->nx,
                          .ny = def->ny,
                          .nz = def->nz,
                          .sy = densities[0].sy,
                          .sz = densities[0].sz,
                          .dx = def->dx,
                          .origin = def->origin};
    for (int n = 0; n < 4; n++) {
        volume.density[n] = densities[n].data + brume_field_index(&densities[n], 1, 1, 1);
    }
    return volume;
}

static float longest_side(const BrumeSimDef *def)
{
    const int larger = def->nx > def->ny ? def->nx : def->ny;
    return def->dx * (float)(larger > def->nz ? larger : def->nz);
}

static BrumeStatus draw_view(BrumeViewKind view, const BrumeScene *scene, const BrumeSnapshotVariant *variant,
                             BrumeField *values, BrumeField densities[4], const char *path, int width,
                             BrumeError *error)
{
    const BrumeSimDef *def = &variant->settings;
    const int height = width * 9 / 16;
    BrumeRenderSettings render_settings = scene->render_settings;
    BrumeRenderer *renderer = NULL;
    float *radiance = malloc((size_t)width * (size_t)height * 3 * sizeof *radiance);
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    BrumeStatus status = brume_renderer_create(&renderer, def->nx, def->ny, def->nz, &render_settings, error);
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, 0.0);
    const BrumeDrawDef draw = {.width = width, .height = height, .samples = 1};
    for (int repeat = 0; repeat < REPEATS && status == BRUME_OK && radiance && rgb; repeat++) {
        double start = brume_seconds();
        const BrumeColorScale scale = brume_evaluate_view(view, variant, NULL, values);
        const double field_ms = ms_since(start);
        start = brume_seconds();
        BrumeVolume volume = brume_snapshot_volume(variant);
        if (view != BRUME_VIEW_SMOKE) {
            brume_apply_transfer_function(values, &scale, longest_side(def), densities, &render_settings);
            volume = volume_of(densities, def);
        }
        const double transfer_ms = ms_since(start);
        start = brume_seconds();
        status = brume_renderer_set_settings(renderer, &render_settings, error);
        const double settings_ms = ms_since(start);
        start = brume_seconds();
        if (status == BRUME_OK) {
            status = brume_renderer_load(renderer, &volume, error);
        }
        const double load_ms = ms_since(start);
        if (status != BRUME_OK) {
            break;
        }
        start = brume_seconds();
        brume_renderer_light(renderer, NULL);
        const double light_ms = ms_since(start);
        start = brume_seconds();
        (void)brume_renderer_draw(renderer, &camera, &draw, radiance, NULL);
        printf("%-11s to %g %s: field %.1f, transfer %.1f, settings %.1f, load %.1f, light %.1f, draw %.1f ms\n",
               brume_view_name(view), (double)scale.upper, scale.unit, field_ms, transfer_ms, settings_ms, load_ms,
               light_ms, ms_since(start));
    }
    if (status == BRUME_OK && radiance && rgb) {
        brume_tone_map(&render_settings, width, height, radiance, rgb);
        status = brume_image_write(path, width, height, rgb, error);
    }
    brume_renderer_destroy(renderer);
    free(radiance);
    free(rgb);
    return status;
}

static BrumeStatus measure_geometry(const BrumeSnapshotVariant *variant, BrumeField *values, BrumeError *error)
{
    const BrumeSimDef *def = &variant->settings;
    const uint8_t white[4] = {255, 255, 255, 255};
    BrumeOverlayGeometry geometry = {0};
    BrumeStatus status = BRUME_OK;
    for (int repeat = 0; repeat < REPEATS && status == BRUME_OK; repeat++) {
        brume_overlay_geometry_clear(&geometry);
        const BrumeColorScale smoke = brume_evaluate_view(BRUME_VIEW_ISOSURFACE, variant, NULL, values);
        double start = brume_seconds();
        status = brume_build_isosurface(&geometry, values, 0.1f * smoke.upper, def->dx, def->origin, white, error);
        printf("isosurface %.1f ms, %d triangles; ", ms_since(start), geometry.triangle_vertices / 3);
        start = brume_seconds();
        status = status == BRUME_OK ? brume_build_slice(&geometry, values, &smoke, 2, 0.5f, def->dx, def->origin, error)
                                    : status;
        printf("slice %.1f ms; ", ms_since(start));
        const BrumeColorScale speed = brume_evaluate_view(BRUME_VIEW_VELOCITY, variant, NULL, values);
        start = brume_seconds();
        status = status == BRUME_OK ? brume_build_arrows(&geometry, variant, &speed, 20, error) : status;
        printf("arrows %.1f ms, %d; ", ms_since(start), geometry.line_vertices / 2);
        geometry.line_vertices = 0;
        start = brume_seconds();
        status = status == BRUME_OK ? brume_build_streamlines(&geometry, variant, &speed, 12, error) : status;
        printf("streamlines %.1f ms, %d pieces\n", ms_since(start), geometry.line_vertices / 2);
    }
    brume_overlay_geometry_free(&geometry);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: view_gallery SCENE.yaml PREFIX [resolution [frames [width]]]\n", stderr);
        return 2;
    }
    char resolution[64];
    (void)snprintf(resolution, sizeof resolution, "solver.resolution=%s", argc > 3 ? argv[3] : "64");
    const int frames = argc > 4 ? atoi(argv[4]) : 48;
    const int width = argc > 5 ? atoi(argv[5]) : 640;
    const char *const overrides[] = {resolution};
    BrumeError error = {0};
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeSnapshotVariant *variant = brume_alloc(1, sizeof *variant);
    BrumeField values = {0};
    BrumeField densities[4] = {0};
    BrumeStatus status = brume_scene_load(&scene, argv[1], overrides, 1, NULL, &error);
    if (status != BRUME_OK || variant == NULL) {
        goto cleanup;
    }
    status = brume_sim_create(&sim, &scene->sim, &error);
    for (int frame = 0; frame < frames && status == BRUME_OK; frame++) {
        status = brume_sim_frame(sim, NULL, &error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    variant->settings = scene->sim;
    variant->origin = scene->sim.origin;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        const BrumeField *field = brume_sim_field(sim, (BrumeFieldId)id);
        variant->fields[id] = field ? *field : (BrumeField){0};
    }
    const BrumeGrid grid = variant->fields[0].grid;
    status = brume_field_create(&values, grid, &error);
    for (int n = 0; n < 4 && status == BRUME_OK; n++) {
        status = brume_field_create(&densities[n], grid, &error);
    }
    printf("%d x %d x %d cells, %d x %d pixels\n", grid.nx, grid.ny, grid.nz, width, width * 9 / 16);
    for (int view = 0; view < BRUME_VIEW_ISOSURFACE && status == BRUME_OK; view++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s_%s.png", argv[2], brume_view_name((BrumeViewKind)view));
        status = draw_view((BrumeViewKind)view, scene, variant, &values, densities, path, width, &error);
    }
    if (status == BRUME_OK) {
        status = measure_geometry(variant, &values, &error);
    }
cleanup:
    if (status != BRUME_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    brume_field_destroy(&values);
    for (int n = 0; n < 4; n++) {
        brume_field_destroy(&densities[n]);
    }
    brume_free(variant);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return (int)status;
}
