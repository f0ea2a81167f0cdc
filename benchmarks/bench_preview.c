// Compares two ways to draw a picture in motion in little time, in turns: at a reduced size, enlarged as by a texture
// with bilinear interpolation, and with smoke and shadows alone at a reduced size (raymarch/cpu/preview.h). Prints the
// median processor time and the peak signal-to-noise ratio to the picture at full size with 16 rays per pixel.
//     bench_preview SCENE.yaml [resolution [frames [width [height [prefix of pictures]]]]]
#include "brume/brume.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/quantile.h"
#include "psnr.h"
#include "raymarch/cpu/preview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7, MOST_SHRINK = 4, RAYS = 16 };

typedef struct Picture {
    int width, height;
    size_t values;
    float *radiance;
    uint8_t *rgb;
} Picture;

typedef struct Bench {
    const BrumeScene *scene;
    BrumeCamera camera;
    BrumeRenderer *renderer;
    BrumePreview preview;
    Picture picture, small;
    uint8_t *reference;
} Bench;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool make_picture(Picture *picture, int width, int height)
{
    picture->width = width;
    picture->height = height;
    picture->values = 3 * (size_t)width * (size_t)height;
    picture->radiance = brume_alloc(picture->values, sizeof *picture->radiance);
    picture->rgb = brume_alloc(picture->values, 1);
    return picture->radiance != NULL && picture->rgb != NULL;
}

static void tone_map(const Bench *bench, Picture *picture)
{
    brume_tone_map(&bench->scene->render_settings, picture->width, picture->height, picture->radiance, picture->rgb);
}

// bilinear interpolation of bytes, clamped at the edges, as by OpenGL
static void enlarge(const Picture *from, Picture *to)
{
    for (int y = 0; y < to->height; y++) {
        const float v = ((float)y + 0.5f) * (float)from->height / (float)to->height - 0.5f;
        const int j = (int)floorf(v);
        const int rows[2] = {j < 0 ? 0 : j, j + 1 < from->height ? j + 1 : from->height - 1};
        for (int x = 0; x < to->width; x++) {
            const float u = ((float)x + 0.5f) * (float)from->width / (float)to->width - 0.5f;
            const int i = (int)floorf(u);
            const int columns[2] = {i < 0 ? 0 : i, i + 1 < from->width ? i + 1 : from->width - 1};
            for (int c = 0; c < 3; c++) {
                float sides[2];
                for (int row = 0; row < 2; row++) {
                    const uint8_t *line = from->rgb + 3 * (size_t)rows[row] * (size_t)from->width;
                    const float left = (float)line[3 * columns[0] + c];
                    sides[row] = left + (u - (float)i) * ((float)line[3 * columns[1] + c] - left);
                }
                to->rgb[3 * ((size_t)y * (size_t)to->width + (size_t)x) + (size_t)c] =
                    (uint8_t)(sides[0] + (v - (float)j) * (sides[1] - sides[0]) + 0.5f);
            }
        }
    }
}

static double draw_reduced(Bench *bench, int shrink)
{
    Picture *small = &bench->small;
    small->width = (bench->picture.width + shrink / 2) / shrink;
    small->height = (bench->picture.height + shrink / 2) / shrink;
    const double start = cpu_seconds();
    const BrumeDrawDef def = {.width = small->width, .height = small->height, .samples = 1, .seed = 1};
    (void)brume_renderer_draw(bench->renderer, &bench->camera, &def, small->radiance, NULL);
    tone_map(bench, small);
    return 1e3 * (cpu_seconds() - start);
}

static double draw_preview(Bench *bench, int shrink, BrumeError *error)
{
    Picture *picture = &bench->picture;
    const BrumePreviewDef def = {
        .width = picture->width, .height = picture->height, .right = picture->width, .shrink = shrink, .seed = 1};
    const double start = cpu_seconds();
    (void)brume_preview_draw(&bench->preview, bench->renderer, &bench->camera, &def, picture->rgb, error);
    return 1e3 * (cpu_seconds() - start);
}

static BrumeStatus write_picture(const Bench *bench, const char *prefix, const char *name, int shrink,
                                 const uint8_t *rgb, BrumeError *error)
{
    char path[1024];
    if (prefix == NULL) {
        return BRUME_OK;
    }
    (void)snprintf(path, sizeof path, "%s_%s_%d.png", prefix, name, shrink);
    return brume_image_write(path, bench->picture.width, bench->picture.height, rgb, error);
}

static BrumeStatus compare(Bench *bench, const char *prefix, BrumeError *error)
{
    Picture *picture = &bench->picture;
    const BrumeDrawDef best = {.width = picture->width, .height = picture->height, .samples = RAYS, .seed = 1};
    (void)brume_renderer_draw(bench->renderer, &bench->camera, &best, picture->radiance, NULL);
    tone_map(bench, picture);
    memcpy(bench->reference, picture->rgb, picture->values);
    BrumeStatus status = write_picture(bench, prefix, "full", 1, picture->rgb, error);
    (void)printf("| shrink | reduced size [ms] | [dB] | reduced smoke [ms] | of it nodes [ms] | [dB] |\n"
                 "| --- | --- | --- | --- | --- | --- |\n");
    for (int shrink = 1; shrink <= MOST_SHRINK && status == BRUME_OK; shrink++) {
        double reduced_ms[REPEATS];
        double preview_ms[REPEATS];
        double node_share[REPEATS];
        for (int n = 0; n < REPEATS; n++) {
            reduced_ms[n] = draw_reduced(bench, shrink);
            preview_ms[n] = draw_preview(bench, shrink, error);
            const BrumePreview *preview = &bench->preview;
            node_share[n] = preview->node_ms / (preview->node_ms + preview->pixel_ms);
        }
        const double preview_psnr = psnr_of_bytes(picture->rgb, bench->reference, picture->values, INFINITY);
        status = write_picture(bench, prefix, "preview", shrink, picture->rgb, error);
        enlarge(&bench->small, picture);
        const double reduced_psnr = psnr_of_bytes(picture->rgb, bench->reference, picture->values, INFINITY);
        if (status == BRUME_OK) {
            status = write_picture(bench, prefix, "reduced", shrink, picture->rgb, error);
        }
        const double ms = brume_median(preview_ms, REPEATS);
        (void)printf("| %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", shrink, brume_median(reduced_ms, REPEATS),
                     reduced_psnr, ms, ms * brume_median(node_share, REPEATS), preview_psnr);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fputs("usage: bench_preview SCENE.yaml [resolution [frames [width [height [prefix]]]]]\n", stderr);
        return 2;
    }
    char resolution[64];
    (void)snprintf(resolution, sizeof resolution, "solver.resolution=%s", argc > 2 ? argv[2] : "64");
    const char *const overrides[] = {resolution};
    const int frames = argc > 3 ? atoi(argv[3]) : 48;
    const int width = argc > 4 ? atoi(argv[4]) : 640;
    const int height = argc > 5 ? atoi(argv[5]) : 360;
    BrumeError error = {0};
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    Bench bench = {0};
    BrumeStatus status = brume_scene_load(&scene, argv[1], overrides, 1, NULL, &error);
    if (status == BRUME_OK) {
        status = brume_sim_create(&sim, &scene->sim, &error);
    }
    for (int frame = 0; frame < frames && status == BRUME_OK; frame++) {
        status = brume_sim_frame(sim, NULL, &error);
    }
    BrumeVolume volume = {0};
    if (status == BRUME_OK) {
        volume = brume_sim_volume(sim);
        scene->render_settings.shutter = 0.0f;
        bench.scene = scene;
        bench.camera = brume_scene_camera(scene, 0.0);
        bench.reference = brume_alloc(3 * (size_t)width * (size_t)height, 1);
        const bool allocated =
            bench.reference && make_picture(&bench.picture, width, height) && make_picture(&bench.small, width, height);
        status = allocated ? brume_renderer_create(&bench.renderer, volume.nx, volume.ny, volume.nz,
                                                   &scene->render_settings, &error)
                           : BRUME_FAILED;
    }
    if (status == BRUME_OK) {
        status = brume_renderer_load(bench.renderer, &volume, &error);
    }
    if (status == BRUME_OK) {
        (void)brume_renderer_light(bench.renderer, NULL);
        (void)printf("%s: %d x %d x %d cells, %d x %d pixels\n", scene->name, volume.nx, volume.ny, volume.nz, width,
                     height);
        status = compare(&bench, argc > 6 ? argv[6] : NULL, &error);
    }
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    brume_preview_destroy(&bench.preview);
    brume_renderer_destroy(bench.renderer);
    brume_free(bench.picture.radiance);
    brume_free(bench.picture.rgb);
    brume_free(bench.small.radiance);
    brume_free(bench.small.rgb);
    brume_free(bench.reference);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return (int)status;
}
