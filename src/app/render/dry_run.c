/*
 * The time of a run is estimated from a few steps and one small picture, which take about two seconds for any scene: a
 * grid of many cells is replaced by a coarser one, and the picture by one of few pixels that shows the same frame. The
 * measured times are scaled by the numbers of cells, steps and rays. The path tracer's number of paths for the wanted
 * noise follows from the estimated error of the small picture, which falls with the square root of that number.
 */
#include "app/render/dry_run.h"

#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/scene_summary.h"
#include "app/render/disk_space.h"
#include "app/render/run_memory.h"
#include "brume/renderer.h"
#include "brume/sim.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/samples.h"
#include "io/png.h"
#include "video/video_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double simulation_seconds = 1.5; // the step in progress is then completed
static const double picture_seconds = 0.7;
static const double max_probe_cells = 1e6;
enum { MIN_PICTURE_HEIGHT = 16, MIN_SIDE = 8, PROBE_PATHS = 4 };

/** The settings of the probe, and the measured values. */
typedef struct Probe {
    const BrumeSimDef *full; ///< settings of the first frame, whose time is estimated
    BrumeSimDef settings;    ///< the same, or a coarser grid
    bool coarse;             ///< a coarser grid; the timeline is not applied then
    double start;            ///< [s] on the clock
    double frames;           ///< simulated frames
    int steps;
    double step_ms;               ///< mean
    double light_ms;              ///< load and light of an image
    double draw_ms;               ///< drawing of an image of the scene's size and samples
    int paths;                    ///< paths through each pixel by the path tracer; 0: ray marching
    double encode_ms;             ///< tone curve and PNG of an image, on one thread
    double cells_ratio, dx_ratio; ///< full cells / probed cells; probed dx / full dx
} Probe;

static double cells_of(const BrumeSimDef *def) { return (double)def->nx * def->ny * def->nz; }

static int longest_side(const BrumeSimDef *def) { return brume_max_int(brume_max_int(def->nx, def->ny), def->nz); }

static int coarse_side(int cells, double factor)
{
    return cells <= MIN_SIDE ? cells : brume_max_int((int)lround(cells / factor), MIN_SIDE);
}

/** Returns settings with at most about `cells` cells of the same box. */
static BrumeSimDef coarsen(const BrumeSimDef *def, double cells)
{
    BrumeSimDef coarse = *def;
    for (double factor = 1.0; cells_of(&coarse) > cells && factor < 4096.0; factor *= 1.05) {
        coarse.nx = coarse_side(def->nx, factor);
        coarse.ny = coarse_side(def->ny, factor);
        coarse.nz = coarse_side(def->nz, factor);
    }
    coarse.dx = def->dx * (float)longest_side(def) / (float)longest_side(&coarse);
    return coarse;
}

// creates the simulation that is timed: the scene's, or one of the same box on a coarser grid
static BrumeStatus create_simulation(Probe *probe, BrumeSim **sim, const BrumeScene *scene, BrumeError *error)
{
    const BrumeChange *first = brume_timeline_find(&scene->timeline, 0);
    probe->full = first && first->settings ? first->settings : &scene->sim;
    probe->coarse = brume_fmax(cells_of(probe->full), cells_of(&scene->sim)) > max_probe_cells;
    BrumeStatus status = BRUME_BAD_INPUT;
    if (!probe->coarse) {
        probe->settings = *probe->full;
        status = brume_sim_create(sim, &scene->sim, error);
    }
    // a coarse grid may not resolve the opening of an inflow
    for (double cells = max_probe_cells; probe->coarse && status == BRUME_BAD_INPUT; cells *= 4.0) {
        probe->settings = coarsen(probe->full, cells);
        status = brume_sim_create(sim, &probe->settings, error);
        if (cells >= cells_of(probe->full)) {
            break;
        }
    }
    probe->cells_ratio = cells_of(probe->full) / cells_of(&probe->settings);
    probe->dx_ratio = (double)probe->settings.dx / (double)probe->full->dx;
    return status;
}

// progress function of the probe; at least one step is taken, also if the preparation has used up the time
static bool continue_frame(void *context, double fraction, BrumeStage stage)
{
    const Probe *probe = context;
    (void)stage;
    const bool before_first_step = probe->steps == 0 && fraction <= 0.0;
    return !brume_interrupt_requested() && (before_first_step || brume_seconds() - probe->start < simulation_seconds);
}

/** Whether the next frame begins with a change to a grid of many cells. */
static bool meets_large_change(const BrumeScene *scene, const BrumeSim *sim)
{
    const BrumeChange *change = brume_timeline_find(&scene->timeline, brume_sim_frames(sim));
    return change && change->settings && cells_of(change->settings) > max_probe_cells;
}

// computes frames for some time, and measures the mean time of a step
static BrumeStatus probe_simulation(Probe *probe, BrumeSim *sim, const BrumeScene *scene, int max_frames,
                                    BrumeError *error)
{
    const BrumeSimHooks hooks = {.context = probe, .progress = continue_frame};
    brume_sim_set_hooks(sim, &hooks);
    double ms = 0.0;
    double start = brume_sim_time(sim);
    BrumeStatus status = BRUME_OK;
    while (status == BRUME_OK && probe->frames < max_frames && continue_frame(probe, 0.0, 0) &&
           (probe->coarse || !meets_large_change(scene, sim))) {
        BrumeFrameStats stats = {0};
        status = probe->coarse ? brume_sim_frame(sim, &stats, error) : brume_scene_frame(scene, sim, &stats, error);
        const double time = brume_sim_time(sim);
        probe->frames += (time - start) * (double)brume_sim_settings(sim)->fps;
        start = time;
        probe->steps += stats.steps;
        ms += stats.total_ms;
    }
    brume_sim_set_hooks(sim, NULL);
    if (brume_interrupt_requested()) {
        return brume_fail(error, BRUME_INTERRUPTED, "interrupted");
    }
    probe->step_ms = probe->steps > 0 ? ms / probe->steps : 0.0;
    return status == BRUME_INTERRUPTED ? BRUME_OK : status;
}

/** The time limit of a drawing, and its finished fraction. */
typedef struct DrawLimit {
    double end; ///< [s] on the clock
    double fraction;
} DrawLimit;

static bool continue_drawing(void *context, double fraction)
{
    DrawLimit *limit = context;
    limit->fraction = fraction;
    return !brume_interrupt_requested() && (fraction == 0.0 || brume_seconds() < limit->end);
}

/** Returns the light paths through each pixel until the error is at most the scene's noise, after doubling passes. */
static int paths_needed(const BrumeScene *scene, const BrumeTraceResult *probed)
{
    if (!(scene->noise > 0.0f) || probed->samples < 2) {
        return scene->samples;
    }
    const double ratio = probed->error / (double)scene->noise;
    const double least = brume_fmin(probed->samples * ratio * ratio, scene->samples);
    int paths = PROBE_PATHS; // paths of the first pass
    while (paths < least) {
        paths *= 2;
    }
    return brume_min_int(paths, scene->samples);
}

/** Draws a picture with the scene's integrator; `*samples` becomes the number of rays or paths through each pixel of
 * the scene's picture. */
static BrumeStatus draw_probe(const BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeScene *scene,
                              const BrumeDrawDef *draw, float *radiance, int *samples, BrumeError *error)
{
    *samples = scene->samples;
    if (scene->integrator == BRUME_INTEGRATOR_MARCH) {
        (void)brume_renderer_draw(renderer, camera, draw, radiance, NULL); // interrupted or complete
        return BRUME_OK;
    }
    const BrumeTraceDef trace = {.bounces = scene->bounces};
    BrumeTraceResult result = {0};
    const BrumeStatus status = brume_renderer_trace(renderer, camera, draw, &trace, radiance, &result, error);
    *samples = paths_needed(scene, &result);
    return status == BRUME_INTERRUPTED ? BRUME_OK : status;
}

/** Draws pictures of growing size until the time is used; the last one is measured. */
static BrumeStatus probe_drawing(Probe *probe, const BrumeRenderer *renderer, const BrumeCamera *camera,
                                 const BrumeScene *scene, BrumeError *error)
{
    const double end = brume_seconds() + picture_seconds;
    const double aspect = (double)scene->width / scene->height;
    const bool marches = scene->integrator == BRUME_INTEGRATOR_MARCH;
    const int few = marches ? 1 : brume_min_int(PROBE_PATHS, scene->samples);
    double spent = 0.0; // time of the last picture [s]
    double height = brume_fmin(MIN_PICTURE_HEIGHT, scene->height);
    do {
        const int samples = height < scene->height || !marches ? few : scene->samples;
        const BrumeDrawDef draw = {.width = (int)brume_fmax(1.0, height * aspect),
                                   .height = (int)height,
                                   .samples = samples,
                                   .seed = 1,
                                   .progress = continue_drawing,
                                   .context = &(DrawLimit){.end = end + picture_seconds}};
        const size_t pixels = (size_t)draw.width * (size_t)draw.height;
        float *radiance = brume_alloc(pixels, 3 * sizeof(float));
        uint8_t *rgb = brume_alloc(pixels, 3);
        if (!radiance || !rgb) {
            brume_free(radiance);
            brume_free(rgb);
            return brume_out_of_memory(error, "an image of %d x %d pixels", draw.width, draw.height);
        }
        const double start = brume_seconds();
        int full_samples;
        if (draw_probe(renderer, camera, scene, &draw, radiance, &full_samples, error) != BRUME_OK) {
            brume_free(radiance);
            brume_free(rgb);
            return error->status;
        }
        const double rays = (double)scene->width * scene->height * full_samples;
        const double drawn = brume_seconds();
        const double fraction = brume_fmax(((const DrawLimit *)draw.context)->fraction, 1e-6);
        probe->draw_ms = 1e3 * (drawn - start) / fraction * rays / ((double)pixels * samples);
        if (marches) {
            probe->draw_ms *= probe->dx_ratio; // shorter steps
        } else {
            probe->paths = full_samples;
        }
        brume_tone_map(&scene->render_settings, draw.width, draw.height, radiance, rgb);
        size_t size;
        brume_free(brume_png_encode(rgb, draw.width, draw.height, &size));
        spent = brume_seconds() - start;
        probe->encode_ms = 1e3 * (brume_seconds() - drawn) * ((double)scene->width * scene->height / (double)pixels);
        brume_free(radiance);
        brume_free(rgb);
        if (height >= scene->height || brume_interrupt_requested()) {
            break;
        }
        height = brume_fmin(2.0 * height, scene->height);
    } while (brume_seconds() + 4.0 * spent < end);
    return brume_interrupt_requested() ? brume_fail(error, BRUME_INTERRUPTED, "interrupted") : BRUME_OK;
}

static BrumeStatus probe_image(Probe *probe, const BrumeSim *sim, const BrumeScene *scene, BrumeError *error)
{
    const BrumeSimDef *settings = brume_sim_settings(sim);
    const BrumeRenderSettings look = brume_scene_render_settings_at(scene, settings, brume_sim_time(sim));
    BrumeRenderer *renderer = NULL;
    BrumeStatus status = brume_renderer_create(&renderer, settings->nx, settings->ny, settings->nz, &look, error);
    if (status != BRUME_OK) {
        return status;
    }
    const double start = brume_seconds();
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, brume_sim_time(sim));
    status = brume_renderer_load(renderer, &volume, error);
    if (status == BRUME_OK) {
        if (scene->integrator == BRUME_INTEGRATOR_MARCH) {
            (void)brume_renderer_light(renderer, NULL);
        }
        probe->light_ms = 1e3 * (brume_seconds() - start) * probe->cells_ratio;
        status = probe_drawing(probe, renderer, &camera, scene, error);
    }
    brume_renderer_destroy(renderer);
    return status;
}

static void print_disk(const BrumePictureOutput *pictures, int images, const char *output)
{
    const BrumeVideoFormat *video = output ? brume_video_format_of(output) : NULL;
    BrumeDisk disk;
    char free_space[64] = "";
    if (output && brume_disk_find(output, &disk)) {
        (void)snprintf(free_space, sizeof free_space, " (%s free)", brume_format_bytes(disk.free_bytes).text);
    }
    if (video) {
        const double size = brume_video_size(video, pictures->width, pictures->height, images);
        brume_print_labeled("disk", "about %s for a video of %d frames%s", brume_format_bytes(size).text, images,
                            free_space);
    } else {
        const double size = brume_most_image_bytes(pictures) * images;
        brume_print_labeled("disk", "at most %s for %d images%s", brume_format_bytes(size).text, images, free_space);
    }
}

static void print_probe(const Probe *probe, double steps, double step_ms)
{
    const BrumeSimDef *settings = &probe->settings;
    char cells[64] = "";
    char paths[48] = "";
    if (probe->paths > 0) {
        (void)snprintf(paths, sizeof paths, " with %d light %s per pixel", probe->paths,
                       probe->paths == 1 ? "path" : "paths");
    }
    if (probe->coarse) {
        (void)snprintf(cells, sizeof cells, ", scaled from %d x %d x %d cells", settings->nx, settings->ny,
                       settings->nz);
    }
    brume_print_labeled("probe", "%.3g %s with %d %s: %.1f steps per frame, %.1f ms per step, %.0f ms per image%s%s",
                        probe->frames, fabs(probe->frames - 1.0) < 0.01 ? "frame" : "frames", brume_get_threads(),
                        brume_get_threads() == 1 ? "thread" : "threads", steps, step_ms,
                        probe->light_ms + probe->draw_ms, paths, cells);
}

static void print_estimate(const BrumeScene *scene, const BrumePictureOutput *pictures, const BrumeFrameRange *frames,
                           int turns, const char *output, const Probe *probe)
{
    const int images = turns > 0 ? turns : brume_frames_count(frames);
    const int lightings = turns > 0 ? 1 : images; // a turntable draws one state
    BrumeRunMemory memory = brume_run_memory(scene, pictures, false, frames->last);
    const BrumeVideoFormat *video = output ? brume_video_format_of(output) : NULL;
    memory.images += video ? brume_video_memory(video, scene->width, scene->height) : 0;
    brume_print_labeled("total", "%s with the renderer and its images; the machine has %s",
                        brume_format_bytes((double)brume_run_memory_total(&memory)).text,
                        brume_format_bytes((double)brume_physical_memory()).text);
    const BrumeSimDef *full = probe->full;
    // a finer grid needs more steps, within the limits of the scene
    const double unlimited = probe->steps / brume_fmax(probe->frames, 1e-9) * probe->dx_ratio;
    const double steps =
        probe->coarse ? brume_fmin(brume_fmax(unlimited, full->min_steps), full->max_steps) : unlimited;
    const double step_ms = probe->step_ms * probe->cells_ratio;
    print_probe(probe, steps, step_ms);
    // one thread encodes images while the others continue
    const double encoding = 1e-3 * probe->encode_ms * images;
    const double drawing =
        1e-3 * (probe->light_ms * lightings + probe->draw_ms * images) + encoding / brume_get_threads();
    const double most_steps = brume_estimate_steps(full, brume_estimate_scene_speed(scene, full));
    const double shortest = brume_fmax(1e-3 * step_ms * steps * frames->last + drawing, encoding);
    const double longest = brume_fmax(1e-3 * step_ms * most_steps * frames->last + drawing, encoding);
    if (most_steps > steps) {
        brume_print_labeled("estimate", "%s at the steps per frame of the probe, %s at %.0f",
                            brume_format_duration(shortest).text, brume_format_duration(longest).text, most_steps);
    } else {
        brume_print_labeled("estimate", "%s", brume_format_duration(shortest).text);
    }
}

// reads all frames of the meshes that deform up to the last frame, so that a bad file is found before the run
static BrumeStatus check_meshes(const BrumeScene *scene, int last_frame, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < scene->sim.body_count; n++) {
        const BrumeShape *shape = &scene->sim.bodies[n].shape;
        int frame = 0;
        int last = 0;
        if (shape->kind == BRUME_SHAPE_MESH) {
            (void)brume_mesh_frame_range(shape->mesh, &frame, &last);
        }
        last = brume_min_int(last, last_frame);
        for (; frame < last && status == BRUME_OK && !brume_interrupt_requested(); frame++) {
            double way;
            status = brume_mesh_largest_way(shape->mesh, frame, frame + 1.0, &way, error);
        }
    }
    return status;
}

// the same of samples
static BrumeStatus check_samples(const BrumeSamples *samples, int last_frame, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    int frame = 0;
    int last = 0;
    (void)brume_samples_frame_range(samples, &frame, &last);
    last = brume_min_int(last, last_frame);
    for (; frame < last && status == BRUME_OK && !brume_interrupt_requested(); frame++) {
        const BrumeSamples *found = NULL;
        status = brume_samples_find_at(&found, samples, frame + 1.0, error);
        brume_samples_release(found);
    }
    return status;
}

BrumeStatus brume_dry_run(const BrumeScene *scene, const BrumePictureOutput *pictures, const BrumeFrameRange *frames,
                          int turns, const char *output, BrumeError *error)
{
    Probe probe = {.start = brume_seconds()};
    BrumeSim *sim = NULL;
    BrumeStatus status = check_meshes(scene, frames->last, error);
    for (int n = 0; n < scene->sim.emitter_count && status == BRUME_OK; n++) {
        const BrumeEmitterDef *emitter = &scene->sim.emitters[n];
        status = check_samples(emitter->shape.samples, frames->last, error);
        status = status == BRUME_OK ? check_samples(emitter->force.samples[0], frames->last, error) : status;
    }
    if (status == BRUME_OK) {
        status = create_simulation(&probe, &sim, scene, error);
    }
    if (status == BRUME_OK) {
        status = probe_simulation(&probe, sim, scene, frames->last, error);
    }
    if (status == BRUME_OK) {
        status = probe_image(&probe, sim, scene, error);
    }
    if (status == BRUME_OK) {
        // the probe has drawn whole pictures
        const double share = (double)pictures->width * pictures->height / ((double)scene->width * scene->height);
        probe.draw_ms *= share;
        probe.encode_ms *= share;
        brume_print_scene_summary(scene);
        if (turns > 0) {
            brume_print_labeled("frames", "simulates %d to %d, draws %d pictures around the last one",
                                scene->first_frame, frames->last + scene->first_frame - 1, turns);
        } else {
            brume_print_labeled("frames", "simulates %d to %d, draws %d of them", scene->first_frame,
                                frames->last + scene->first_frame - 1, brume_frames_count(frames));
        }
        print_disk(pictures, turns > 0 ? turns : brume_frames_count(frames), output);
        print_estimate(scene, pictures, frames, turns, output, &probe);
    }
    brume_sim_destroy(sim);
    return status;
}
