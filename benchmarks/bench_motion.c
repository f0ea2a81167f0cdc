// Measures pictures in motion by the CPU as the viewer draws them: a camera that orbits, over two states of a scene,
// with the light of each state and with the pictures between them. Every picture is compared with the picture of the
// same state and camera at full quality. Prints the processor time of each stage, the mean of all pictures, and the
// peak signal-to-noise ratio, the least and the median.
//     bench_motion SCENE.yaml [resolution [frames [width [height [degrees [prefix of pictures]]]]]]
#include "brume/brume.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/threads.h"
#include "core/quantile.h"
#include "core/vec3.h"
#include "psnr.h"
#include "raymarch/cpu/preview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATES = 2, PICTURES = 4, ALL = STATES * PICTURES, RAYS = 4, REPEATS = 3, WAYS = 4 };

// a way to draw pictures in motion
typedef struct Way {
    const char *name;
    bool coarse_light;
    bool coarse_shadows;
    int shrink; // 0: the whole picture with one ray for each pixel
} Way;

static const Way ways[WAYS] = {
    {"full light, all pixels", false, false, 0},
    {"full light, 1/4", false, false, 4},
    {"coarse light, 1/4", true, false, 4},
    {"coarse light and shadows, 1/6", true, true, 6},
};

typedef struct Timing {
    double load_ms, light_ms, draw_ms, node_ms;
    double psnr[ALL];
} Timing;

typedef struct Bench {
    const BrumeScene *scene;
    BrumeSim *sim;
    BrumeRenderer *renderer;
    BrumePreview preview;
    int width, height, frames;
    double degrees; // from a picture to the next
    const char *prefix;
    float *radiance;
    uint8_t *rgb, *reference[PICTURES];
    Timing timings[WAYS];
} Bench;

static double cpu_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static BrumeCamera orbiting_camera(const Bench *bench, int picture)
{
    BrumeCamera camera = brume_scene_camera(bench->scene, 0.0);
    const float angle = (float)(bench->degrees * picture) * (3.14159265f / 180.0f);
    const BrumeVec3 from = brume_sub(camera.position, camera.target);
    const float c = brume_cosf(angle);
    const float s = brume_sinf(angle);
    camera.position = brume_add(camera.target, brume_vec3(c * from.x + s * from.z, from.y, c * from.z - s * from.x));
    return camera;
}

static BrumeStatus write_picture(const Bench *bench, const char *name, int picture, const uint8_t *rgb,
                                 BrumeError *error)
{
    char path[1024];
    if (bench->prefix == NULL) {
        return BRUME_OK;
    }
    (void)snprintf(path, sizeof path, "%s_%s_%d.png", bench->prefix, name, picture);
    return brume_image_write(path, bench->width, bench->height, rgb, error);
}

static BrumeStatus draw_references(Bench *bench, int state, const BrumeVolume *volume, BrumeError *error)
{
    BrumeStatus status = brume_renderer_load(bench->renderer, volume, error);
    if (status != BRUME_OK) {
        return status;
    }
    (void)brume_renderer_light(bench->renderer, NULL);
    const BrumeDrawDef def = {.width = bench->width, .height = bench->height, .samples = RAYS, .seed = 1};
    for (int n = 0; n < PICTURES && status == BRUME_OK; n++) {
        const BrumeCamera camera = orbiting_camera(bench, state * PICTURES + n);
        (void)brume_renderer_draw(bench->renderer, &camera, &def, bench->radiance, NULL);
        brume_tone_map(&bench->scene->render_settings, bench->width, bench->height, bench->radiance,
                       bench->reference[n]);
        status = write_picture(bench, "full", state * PICTURES + n, bench->reference[n], error);
    }
    return status;
}

static BrumeStatus draw_picture(Bench *bench, const Way *way, Timing *timing, int picture, BrumeError *error)
{
    const BrumeCamera camera = orbiting_camera(bench, picture);
    const double start = cpu_ms();
    if (way->shrink == 0) {
        const BrumeDrawDef def = {.width = bench->width, .height = bench->height, .samples = 1, .seed = 1};
        (void)brume_renderer_draw(bench->renderer, &camera, &def, bench->radiance, NULL);
        brume_tone_map(&bench->scene->render_settings, bench->width, bench->height, bench->radiance, bench->rgb);
        timing->draw_ms += cpu_ms() - start;
        return BRUME_OK;
    }
    const BrumePreviewDef def = {
        .width = bench->width,
        .height = bench->height,
        .right = bench->width,
        .shrink = way->shrink,
        .coarse_shadows = way->coarse_shadows,
        .seed = 1,
    };
    const BrumeStatus status = brume_preview_draw(&bench->preview, bench->renderer, &camera, &def, bench->rgb, error);
    const double ms = cpu_ms() - start;
    const double wall_ms = bench->preview.node_ms + bench->preview.pixel_ms;
    timing->draw_ms += ms;
    timing->node_ms += ms * bench->preview.node_ms / wall_ms;
    return status;
}

static BrumeStatus measure_way(Bench *bench, const Way *way, Timing *timing, int state, const BrumeVolume *volume,
                               BrumeError *error)
{
    const double start = cpu_ms();
    BrumeStatus status = brume_renderer_set_settings(bench->renderer, &bench->scene->render_settings, error);
    if (status == BRUME_OK) {
        status = brume_renderer_load(bench->renderer, volume, error);
    }
    const double loaded = cpu_ms();
    if (way->coarse_light) {
        brume_light_in_motion(bench->renderer);
    } else {
        (void)brume_renderer_light(bench->renderer, NULL);
    }
    timing->load_ms += loaded - start;
    timing->light_ms += cpu_ms() - loaded;
    for (int n = 0; n < PICTURES && status == BRUME_OK; n++) {
        const int picture = state * PICTURES + n;
        status = draw_picture(bench, way, timing, picture, error);
        timing->psnr[picture] =
            psnr_of_bytes(bench->rgb, bench->reference[n], 3 * (size_t)bench->width * (size_t)bench->height, 99.0);
    }
    return status;
}

static BrumeStatus measure(Bench *bench, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int frame = 1; frame < bench->frames && status == BRUME_OK; frame++) {
        status = brume_sim_frame(bench->sim, NULL, error);
    }
    for (int state = 0; state < STATES && status == BRUME_OK; state++) {
        status = brume_sim_frame(bench->sim, NULL, error);
        const BrumeVolume volume = brume_sim_volume(bench->sim);
        if (status == BRUME_OK) {
            status = draw_references(bench, state, &volume, error);
        }
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            for (int n = 0; n < WAYS && status == BRUME_OK; n++) { // in turns
                status = measure_way(bench, &ways[n], &bench->timings[n], state, &volume, error);
            }
        }
        for (int n = 0; n < WAYS && bench->prefix != NULL && status == BRUME_OK; n++) {
            char name[32];
            (void)snprintf(name, sizeof name, "way%d", n);
            Timing unused = {0};
            status = measure_way(bench, &ways[n], &unused, state, &volume, error);
            if (status == BRUME_OK) {
                status = write_picture(bench, name, state * PICTURES + PICTURES - 1, bench->rgb, error);
            }
        }
    }
    return status;
}

static void print_table(Bench *bench)
{
    (void)printf("| pictures | load [ms] | light [ms] | picture [ms] | of it nodes [ms] | least [dB] | median [dB] |\n"
                 "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 0; n < WAYS; n++) {
        Timing *timing = &bench->timings[n];
        double least = INFINITY;
        for (int picture = 0; picture < ALL; picture++) {
            least = fmin(least, timing->psnr[picture]);
        }
        const double states = STATES * REPEATS;
        const double pictures = ALL * REPEATS;
        (void)printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", ways[n].name, timing->load_ms / states,
                     timing->light_ms / states, timing->draw_ms / pictures, timing->node_ms / pictures, least,
                     brume_median(timing->psnr, ALL));
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fputs("usage: bench_motion SCENE.yaml [resolution [frames [width [height [degrees [prefix]]]]]]\n",
                    stderr);
        return 2;
    }
    char resolution[64];
    (void)snprintf(resolution, sizeof resolution, "solver.resolution=%s", argc > 2 ? argv[2] : "64");
    const char *const overrides[] = {resolution};
    Bench bench = {
        .frames = argc > 3 ? atoi(argv[3]) : 48,
        .width = argc > 4 ? atoi(argv[4]) : 640,
        .height = argc > 5 ? atoi(argv[5]) : 360,
        .degrees = argc > 6 ? atof(argv[6]) : 3.0,
        .prefix = argc > 7 ? argv[7] : NULL,
    };
    BrumeError error = {0};
    BrumeScene *scene = NULL;
    brume_set_threads(1); // processor time of one thread, without the time of threads that wait
    BrumeStatus status = brume_scene_load(&scene, argv[1], overrides, 1, NULL, &error);
    if (status == BRUME_OK) {
        scene->render_settings.shutter = 0.0f;
        bench.scene = scene;
        status = brume_sim_create(&bench.sim, &scene->sim, &error);
    }
    const size_t values = 3 * (size_t)bench.width * (size_t)bench.height;
    bool allocated = true;
    for (int n = 0; n < PICTURES; n++) {
        bench.reference[n] = brume_alloc(values, 1);
        allocated = allocated && bench.reference[n] != NULL;
    }
    bench.radiance = brume_alloc(values, sizeof *bench.radiance);
    bench.rgb = brume_alloc(values, 1);
    allocated = allocated && bench.radiance != NULL && bench.rgb != NULL;
    if (status == BRUME_OK) {
        const BrumeVolume volume = brume_sim_volume(bench.sim);
        status = allocated ? brume_renderer_create(&bench.renderer, volume.nx, volume.ny, volume.nz,
                                                   &scene->render_settings, &error)
                           : BRUME_FAILED;
        (void)printf("%s: %d x %d x %d cells, %d x %d pixels, %g degrees\n", scene->name, volume.nx, volume.ny,
                     volume.nz, bench.width, bench.height, bench.degrees);
    }
    if (status == BRUME_OK) {
        status = measure(&bench, &error);
    }
    if (status == BRUME_OK) {
        print_table(&bench);
    } else {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    brume_preview_destroy(&bench.preview);
    brume_renderer_destroy(bench.renderer);
    brume_free(bench.radiance);
    brume_free(bench.rgb);
    for (int n = 0; n < PICTURES; n++) {
        brume_free(bench.reference[n]);
    }
    brume_sim_destroy(bench.sim);
    brume_scene_destroy(scene);
    return (int)status;
}
