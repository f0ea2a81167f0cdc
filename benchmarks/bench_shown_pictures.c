// Evaluates a log of the pictures that `brume view --log-pictures FOLDER` showed while drag_pointer turned the camera.
// Simulates the scene again, draws pictures of the log at full quality with the same camera and state, and compares
// them with the pixels that were shown. Prints one row of a table, of the time in which the pointer moved:
//     counted pictures/s | pictures/s | PSNR, 5 % and median [dB] | latency, median and 95 % [ms] | frames/s
// A picture counts if its camera is newer than the camera of the picture before, and if its state is the newest one or
// the one before that when it appears; of those, the share counts that has at least 30 dB. The latency is measured for
// every event: from its clock to the first picture whose camera has turned by it.
//     bench_shown_pictures SCENE.yaml FOLDER EVENTS [KEY=VALUE]...
#include "brume/brume.h"
#include "core/memory.h"
#include "core/quantile.h"
#include "psnr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PICTURES = 20000, MOST_EVENTS = 20000, MOST_COMPARED = 24, SWEEP = 400, MOST_OVERRIDES = 16 };

static const double radians_per_event = 0.005; // of `brume view`
static const double good_psnr = 30.0;          // [dB]

typedef struct Picture {
    double shown_at;
    int sample, frame, epoch, newer_states;
    BrumeCamera camera;
    int width, height;
} Picture;

typedef struct Bench {
    const BrumeScene *scene;
    BrumeSim *sim;
    int frame; // of the simulation
    BrumeRenderer *renderer;
    int picture_count, event_count;
    Picture pictures[MOST_PICTURES];
    double events[MOST_EVENTS];
    double latencies[MOST_EVENTS];
    double psnrs[MOST_PICTURES];
} Bench;

static bool read_pictures(Bench *bench, const char *folder)
{
    char line[1024];
    (void)snprintf(line, sizeof line, "%s/pictures.csv", folder);
    FILE *file = fopen(line, "r");
    if (!file) {
        (void)fprintf(stderr, "%s cannot be read\n", line);
        return false;
    }
    while (fgets(line, sizeof line, file) && bench->picture_count < MOST_PICTURES) {
        Picture *picture = &bench->pictures[bench->picture_count];
        BrumeCamera *camera = &picture->camera;
        *picture = (Picture){0};
        const int found =
            sscanf(line, "%lf,%d,%d,%d,%d,%*d,%*d,%*f,%*f,%f,%f,%f,%f,%f,%f,%f,%d,%d", &picture->shown_at,
                   &picture->sample, &picture->frame, &picture->epoch, &picture->newer_states, &camera->position.x,
                   &camera->position.y, &camera->position.z, &camera->target.x, &camera->target.y, &camera->target.z,
                   &camera->field_of_view, &picture->width, &picture->height);
        bench->picture_count += found == 14;
    }
    (void)fclose(file);
    return bench->picture_count > 0;
}

static bool read_events(Bench *bench, const char *path)
{
    FILE *file = fopen(path, "r");
    while (file && bench->event_count < MOST_EVENTS && fscanf(file, "%lf", &bench->events[bench->event_count]) == 1) {
        bench->event_count++;
    }
    if (file) {
        (void)fclose(file);
    }
    return bench->event_count > 1;
}

static double yaw_of(const BrumeCamera *camera)
{
    const BrumeVec3 *position = &camera->position;
    return atan2((double)(position->x - camera->target.x), (double)(position->z - camera->target.z));
}

static double pitch_of(const BrumeCamera *camera)
{
    const double x = (double)(camera->position.x - camera->target.x);
    const double y = (double)(camera->position.y - camera->target.y);
    const double z = (double)(camera->position.z - camera->target.z);
    return atan2(y, sqrt(x * x + z * z));
}

// the number of events by which a camera has turned since the first picture (drag_pointer.c)
static int events_of(const Bench *bench, const BrumeCamera *camera)
{
    const BrumeCamera *first = &bench->pictures[0].camera;
    const double circle = 6.283185307179586;
    const double turned = fabs(remainder(yaw_of(camera) - yaw_of(first), circle));
    const int x = (int)lround(turned / radians_per_event);
    const int sweeps = (int)lround(fabs(pitch_of(camera) - pitch_of(first)) / radians_per_event);
    // an event between two sweeps moves along y alone
    return sweeps % 2 == 0 ? sweeps * SWEEP + x : sweeps * SWEEP + (SWEEP - 1 - x);
}

// simulates up to the frame of a picture, and lights its smoke
static BrumeStatus advance(Bench *bench, int frame, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    while (bench->frame < frame && status == BRUME_OK) {
        status = brume_sim_frame(bench->sim, NULL, error);
        bench->frame++;
    }
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeVolume volume = brume_sim_volume(bench->sim);
    BrumeRenderSettings settings = bench->scene->render_settings;
    settings.shutter = 0.0f; // as the viewer
    const BrumeSimDef *now = brume_sim_settings(bench->sim);
    for (int n = 0; n < now->body_count; n++) {
        const int surface = bench->scene->surface_of[n];
        if (surface >= 0) {
            settings.surfaces[surface].shape = now->bodies[n].shape;
        }
    }
    status = bench->renderer
                 ? brume_renderer_set_settings(bench->renderer, &settings, error)
                 : brume_renderer_create(&bench->renderer, volume.nx, volume.ny, volume.nz, &settings, error);
    status = status == BRUME_OK ? brume_renderer_load(bench->renderer, &volume, error) : status;
    if (status == BRUME_OK) {
        (void)brume_renderer_light(bench->renderer, NULL);
    }
    return status;
}

// the peak signal-to-noise ratio of a stored picture to the picture at full quality, or -1
static double compare(const Bench *bench, const Picture *picture, const char *folder)
{
    char path[1024];
    const size_t count = 3 * (size_t)picture->width * (size_t)picture->height;
    float *radiance = brume_alloc(count, sizeof *radiance);
    uint8_t *full = brume_alloc(count, 1);
    uint8_t *shown = brume_alloc(count, 1);
    (void)snprintf(path, sizeof path, "%s/picture_%04d.ppm", folder, picture->sample);
    FILE *file = fopen(path, "rb");
    int width = 0;
    int height = 0;
    double result = -1.0;
    if (file && radiance && full && shown && fscanf(file, "P6 %d %d 255", &width, &height) == 2 &&
        width == picture->width && height == picture->height && fgetc(file) == '\n' &&
        fread(shown, 1, count, file) == count) {
        const BrumeDrawDef def = {
            .width = width, .height = height, .samples = bench->scene->samples, .seed = (uint32_t)picture->frame};
        (void)brume_renderer_draw(bench->renderer, &picture->camera, &def, radiance, NULL);
        brume_tone_map(&bench->scene->render_settings, width, height, radiance, full);
        result = psnr_of_bytes(full, shown, count, 99.0);
        const char *pictures = getenv("BRUME_BENCH_PICTURES");
        BrumeError error;
        if (pictures && snprintf(path, sizeof path, "%s_%04d_full.png", pictures, picture->sample) > 0 &&
            brume_image_write(path, width, height, full, &error) == BRUME_OK) {
            (void)snprintf(path, sizeof path, "%s_%04d_shown.png", pictures, picture->sample);
            (void)brume_image_write(path, width, height, shown, &error);
        }
    }
    if (file) {
        (void)fclose(file);
    }
    brume_free(radiance);
    brume_free(full);
    brume_free(shown);
    return result;
}

static int compare_pictures(Bench *bench, const char *folder, BrumeError *error)
{
    int samples = 0;
    for (int n = 0; n < bench->picture_count; n++) {
        const double at = bench->pictures[n].shown_at;
        samples += bench->pictures[n].sample >= 0 && at >= bench->events[0];
    }
    const int interval = samples > MOST_COMPARED ? (samples + MOST_COMPARED - 1) / MOST_COMPARED : 1;
    int compared = 0;
    int sample = 0;
    for (int n = 0; n < bench->picture_count; n++) {
        const Picture *picture = &bench->pictures[n];
        const bool moving =
            picture->shown_at >= bench->events[0] && picture->shown_at <= bench->events[bench->event_count - 1];
        if (picture->sample < 0 || !moving || sample++ % interval != 0) {
            continue;
        }
        if (advance(bench, picture->frame, error) != BRUME_OK) {
            return 0;
        }
        const double result = compare(bench, picture, folder);
        if (result >= 0.0) {
            bench->psnrs[compared++] = result;
        }
    }
    return compared;
}

static void print_row(Bench *bench, int compared)
{
    const double start = bench->events[0];
    const double end = bench->events[bench->event_count - 1];
    int all = 0;
    int current = 0;
    int latest_event = 0;
    int answered = 0;
    int first_frame = -1;
    int last_frame = 0;
    int epoch = bench->pictures[0].epoch;
    for (int n = 0; n < bench->picture_count; n++) {
        const Picture *picture = &bench->pictures[n];
        const int event = events_of(bench, &picture->camera);
        const bool moving = picture->shown_at >= start && picture->shown_at <= end;
        if (event > latest_event) {
            current += moving && picture->newer_states <= 1 && picture->epoch == epoch;
            latest_event = event < bench->event_count ? event : bench->event_count;
            while (answered < latest_event) { // the n-th event has the index n - 1
                bench->latencies[answered] = 1e3 * (picture->shown_at - bench->events[answered]);
                answered++;
            }
        }
        all += moving;
        if (moving) {
            first_frame = first_frame < 0 ? picture->frame : first_frame;
            last_frame = picture->frame;
        }
    }
    int good = 0;
    for (int n = 0; n < compared; n++) {
        good += bench->psnrs[n] >= good_psnr;
    }
    const double seconds = end - start;
    const double share = compared > 0 ? (double)good / compared : 0.0;
    const double low = compared > 0 ? brume_quantile(bench->psnrs, compared, 0.05) : 0.0;
    const double median = compared > 0 ? brume_quantile(bench->psnrs, compared, 0.5) : 0.0;
    (void)printf("%.1f | %.1f | %.1f, %.1f (%d of %d) | %.0f, %.0f | %.1f\n", current / seconds * share, all / seconds,
                 low, median, good, compared, answered > 0 ? brume_quantile(bench->latencies, answered, 0.5) : 0.0,
                 answered > 0 ? brume_quantile(bench->latencies, answered, 0.95) : 0.0,
                 (last_frame - first_frame) / seconds);
    if (answered < bench->event_count) {
        (void)fprintf(stderr, "no picture shows the last %d of %d events\n", bench->event_count - answered,
                      bench->event_count);
    }
}

int main(int argc, char **argv)
{
    static Bench bench;
    BrumeError error = {0};
    BrumeScene *scene = NULL;
    if (argc < 4 || argc > 4 + MOST_OVERRIDES) {
        (void)fputs("usage: bench_shown_pictures SCENE.yaml FOLDER EVENTS [KEY=VALUE]...\n", stderr);
        return 2;
    }
    if (!read_pictures(&bench, argv[2]) || !read_events(&bench, argv[3])) {
        (void)fputs("no pictures or no events\n", stderr);
        return 1;
    }
    const char *overrides[MOST_OVERRIDES];
    for (int n = 4; n < argc; n++) {
        overrides[n - 4] = argv[n];
    }
    BrumeStatus status = brume_scene_load(&scene, argv[1], overrides, argc - 4, NULL, &error);
    if (status == BRUME_OK) {
        bench.scene = scene;
        status = brume_sim_create(&bench.sim, &scene->sim, &error);
    }
    if (status == BRUME_OK) {
        print_row(&bench, compare_pictures(&bench, argv[2], &error));
        status = error.status;
    }
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    brume_renderer_destroy(bench.renderer);
    brume_sim_destroy(bench.sim);
    brume_scene_destroy(scene);
    return (int)status;
}
