// Draws a volume file by ray marching or path tracing, and measures the processor time of each stage, for comparisons
// with other renderers (scripts/bench-cycles).
//     bench_picture VOLUME describe [KEY=VALUE ...]
//     bench_picture VOLUME march|path SAMPLES SEED REPEATS FILE [KEY=VALUE ...]
// `describe` prints the look of the volume as one JSON object. The others write linear radiance to FILE (height x width
// x 3 native floats, top row first), and print one JSON object: the user and system time [s] of all threads for
// loading, lighting and drawing, medians of REPEATS. KEY=VALUE are overrides of the scene. Runs OMP_NUM_THREADS
// threads, or one per physical core if that is not set.
#include "app/volumes/volume_look.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/quantile.h"
#include "exchange/volume_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_REPEATS = 99 };

// the volume to draw
typedef struct Subject {
    BrumeFrameGrids grids;
    BrumeVolume volume;
    BrumeScene *scene;
    BrumeCamera camera;
} Subject;

// how it is drawn
typedef struct Drawing {
    bool traced;
    int samples;
    int seed;
    int repeats;
    const char *file;
} Drawing;

// user and system time of all threads [s]
static double processor_seconds(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static BrumeStatus read_subject(Subject *subject, const char *path, const char *const *overrides, int count,
                                BrumeError *error)
{
    const BrumeOutputPattern pattern = {.width = -1}; // one file
    const BrumeSequence sequence = {.count = 1};
    const BrumeVolumeLookDef def = {
        .path = path,
        .overrides = overrides,
        .override_count = count,
        .last_frame = 1,
        .pattern = &pattern,
        .sequence = &sequence,
    };
    BrumeDrawnVolumes drawn = {.density = ""};
    BrumeMadeLook made = {.made = false};
    if (brume_drawn_volume_read(&subject->grids, path, &drawn, error) != BRUME_OK ||
        brume_volume_look_load(&subject->scene, &subject->grids, &def, &drawn, &made, error) != BRUME_OK) {
        return error->status;
    }
    subject->volume = brume_frame_grids_volume(&subject->grids);
    subject->camera = brume_scene_camera(subject->scene, subject->grids.time);
    if (!subject->volume.density[0]) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: it has no grid 'density'", path);
    }
    return BRUME_OK;
}

static void print_vector(const char *name, BrumeVec3 v)
{
    (void)printf("\"%s\": [%.9g, %.9g, %.9g], ", name, (double)v.x, (double)v.y, (double)v.z);
}

// of a constant sky, at most one sun, and a plain ground; and the members of `smoke` that the volume has
static BrumeStatus describe(const Subject *subject, BrumeError *error)
{
    const BrumeScene *scene = subject->scene;
    const BrumeRenderSettings *look = &scene->render_settings;
    const bool has_sun = look->light_count == 1 && look->lights[0].kind == BRUME_LIGHT_DIRECTIONAL;
    if (look->sky.kind != BRUME_SKY_CONSTANT || (look->light_count > 0 && !has_sun) ||
        look->phase.kind != BRUME_PHASE_HENYEY_GREENSTEIN) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "only a constant sky, one sun and a phase function of Henyey and Greenstein can be described");
    }
    const BrumeVolume *volume = &subject->volume;
    (void)printf("{\"width\": %d, \"height\": %d, ", scene->width, scene->height);
    print_vector("camera_position", subject->camera.position);
    print_vector("camera_target", subject->camera.target);
    (void)printf("\"field_of_view\": %.9g, ", (double)subject->camera.field_of_view);
    if (has_sun) {
        print_vector("sun_direction", look->lights[0].direction);
        print_vector("sun_color", look->lights[0].color);
        (void)printf("\"sun_irradiance\": %.9g, ", (double)look->lights[0].intensity);
    }
    print_vector("sky", look->sky.radiance);
    if (look->ground) {
        print_vector("ground_albedo", look->ground_albedo);
        (void)printf("\"ground_height\": %.9g, ", (double)look->ground_height);
    }
    const int cells = volume->nx > volume->ny ? volume->nx : volume->ny;
    (void)printf("\"longest_side\": %.9g, ", (double)(volume->dx * (float)(cells > volume->nz ? cells : volume->nz)));
    (void)printf("\"dx\": %.9g, ", (double)volume->dx);
    (void)printf("\"anisotropy\": %.9g, \"exposure\": %.9g, \"smoke\": [", (double)look->anisotropy,
                 (double)look->exposure);
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (volume->density[kind]) {
            const BrumeSmokeMedium *smoke = &look->smoke[kind];
            (void)printf("%s{\"kind\": %d, \"extinction\": %.9g, \"albedo\": [%.9g, %.9g, %.9g]}", kind > 0 ? ", " : "",
                         kind, (double)smoke->extinction, (double)smoke->albedo.x, (double)smoke->albedo.y,
                         (double)smoke->albedo.z);
        }
    }
    (void)printf("]}\n");
    return BRUME_OK;
}

// draws the picture once; the times [s] of load, light and draw
static BrumeStatus draw_once(const Subject *subject, const Drawing *drawing, BrumeRenderer *renderer, float *radiance,
                             double times[3], BrumeTraceResult *result, BrumeError *error)
{
    const BrumeDrawDef def = {.width = subject->scene->width,
                              .height = subject->scene->height,
                              .samples = drawing->samples,
                              .seed = (uint32_t)drawing->seed};
    double start = processor_seconds();
    BrumeStatus status = brume_renderer_load(renderer, &subject->volume, error);
    times[0] = processor_seconds() - start;
    if (status != BRUME_OK) {
        return status;
    }
    start = processor_seconds();
    if (!drawing->traced) {
        (void)brume_renderer_light(renderer, NULL);
    }
    times[1] = processor_seconds() - start;
    start = processor_seconds();
    if (drawing->traced) {
        const BrumeTraceDef trace = {.bounces = subject->scene->bounces};
        status = brume_renderer_trace(renderer, &subject->camera, &def, &trace, radiance, result, error);
    } else {
        status = brume_renderer_draw(renderer, &subject->camera, &def, radiance, NULL);
    }
    times[2] = processor_seconds() - start;
    return status;
}

static BrumeStatus write_floats(const char *path, const float *values, size_t count, BrumeError *error)
{
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(values, sizeof *values, count, file) == count;
    const bool closed = file && fclose(file) == 0;
    return written && closed ? BRUME_OK : brume_fail(error, BRUME_FAILED, "%s cannot be written", path);
}

static BrumeStatus draw(const Subject *subject, const Drawing *drawing, BrumeError *error)
{
    double times[3][MAX_REPEATS];
    double sums[MAX_REPEATS];
    BrumeTraceResult result = {0};
    BrumeRenderer *renderer = NULL;
    const BrumeVolume *volume = &subject->volume;
    const size_t floats = 3 * (size_t)subject->scene->width * (size_t)subject->scene->height;
    float *radiance = brume_alloc(floats, sizeof *radiance);
    BrumeStatus status = radiance ? BRUME_OK : brume_out_of_memory(error, "a picture");
    if (status == BRUME_OK) {
        status = brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, &subject->scene->render_settings,
                                       error);
    }
    for (int n = 0; n < drawing->repeats && status == BRUME_OK; n++) {
        double once[3] = {0};
        status = draw_once(subject, drawing, renderer, radiance, once, &result, error);
        for (int stage = 0; stage < 3; stage++) {
            times[stage][n] = once[stage];
        }
        sums[n] = once[0] + once[1] + once[2];
    }
    if (status == BRUME_OK) {
        status = write_floats(drawing->file, radiance, floats, error);
    }
    if (status == BRUME_OK) {
        (void)printf("{\"load\": %.6f, \"light\": %.6f, \"draw\": %.6f, \"picture\": %.6f, \"noise\": %.6f}\n",
                     brume_median(times[0], drawing->repeats), brume_median(times[1], drawing->repeats),
                     brume_median(times[2], drawing->repeats), brume_median(sums, drawing->repeats), result.error);
    }
    brume_renderer_destroy(renderer);
    brume_free(radiance);
    return status;
}

static BrumeStatus read_number(const char *text, int least, int most, int *number, BrumeError *error)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < least || value > most) {
        return brume_fail(error, BRUME_BAD_INPUT, "'%s' is not a number from %d to %d", text, least, most);
    }
    *number = (int)value;
    return BRUME_OK;
}

static BrumeStatus run(int argc, char **argv, BrumeError *error)
{
    const bool describes = argc > 2 && strcmp(argv[2], "describe") == 0;
    const bool traces = argc > 2 && strcmp(argv[2], "path") == 0;
    const int first_override = describes ? 3 : 7;
    if (argc < first_override || (!describes && !traces && strcmp(argv[2], "march") != 0)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "usage: bench_picture VOLUME describe [KEY=VALUE ...]\n"
                          "       bench_picture VOLUME march|path SAMPLES SEED REPEATS FILE [KEY=VALUE ...]");
    }
    Drawing drawing = {.traced = traces};
    if (!describes && (read_number(argv[3], 1, 65536, &drawing.samples, error) != BRUME_OK ||
                       read_number(argv[4], 0, 1000000, &drawing.seed, error) != BRUME_OK ||
                       read_number(argv[5], 1, MAX_REPEATS, &drawing.repeats, error) != BRUME_OK)) {
        return error->status;
    }
    drawing.file = describes ? NULL : argv[6];
    Subject subject = {0};
    BrumeStatus status =
        read_subject(&subject, argv[1], (const char *const *)argv + first_override, argc - first_override, error);
    if (status == BRUME_OK) {
        status = describes ? describe(&subject, error) : draw(&subject, &drawing, error);
    }
    brume_scene_destroy(subject.scene);
    brume_frame_grids_destroy(&subject.grids);
    return status;
}

int main(int argc, char **argv)
{
    brume_set_threads(brume_choose_threads(0));
    BrumeError error = {0};
    const BrumeStatus status = run(argc, argv, &error);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    return (int)status;
}
