#include "app/render/dry_run.h"

#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "app/cli/scene_summary.h"
#include "app/render/run_memory.h"
#include "brume/renderer.h"
#include "brume/sim.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

static const double probe_seconds = 2.0;

/** Measurements of a short simulation and one image. */
typedef struct Probe {
    int frames, steps;
    double step_ms;  // mean
    double image_ms; // load, light and draw of the last state
} Probe;

static BrumeStatus probe_simulation(Probe *probe, BrumeSim *sim, const BrumeScene *scene, int max_frames,
                                    BrumeError *error)
{
    double ms = 0.0;
    while (probe->frames < max_frames && ms < 1e3 * probe_seconds) {
        BrumeFrameStats stats;
        const BrumeStatus status = brume_scene_frame(scene, sim, &stats, error);
        if (status != BRUME_OK) {
            return status;
        }
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted");
        }
        probe->frames++;
        probe->steps += stats.steps;
        ms += stats.total_ms;
    }
    probe->step_ms = probe->steps > 0 ? ms / probe->steps : 0.0;
    return BRUME_OK;
}

static BrumeStatus probe_image(Probe *probe, const BrumeSim *sim, const BrumeScene *scene, BrumeError *error)
{
    const BrumeGrid grid = brume_scene_largest_grid(scene);
    const BrumeRenderSettings look = brume_scene_render_settings(scene, brume_sim_settings(sim));
    BrumeRenderer *renderer = NULL;
    float *radiance = NULL;
    BrumeStatus status = brume_renderer_create(&renderer, grid.nx, grid.ny, grid.nz, &look, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    radiance = brume_alloc((size_t)scene->width * (size_t)scene->height, 3 * sizeof(float));
    if (!radiance) {
        status = brume_out_of_memory(error, "an image of %d x %d pixels", scene->width, scene->height);
        goto cleanup;
    }
    const double start = brume_seconds();
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, brume_sim_time(sim));
    const BrumeDrawDef draw = {.width = scene->width, .height = scene->height, .samples = scene->samples, .seed = 1};
    status = brume_renderer_load(renderer, &volume, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    brume_renderer_light(renderer);
    (void)brume_renderer_draw(renderer, &camera, &draw, radiance); // cannot be interrupted
    probe->image_ms = 1e3 * (brume_seconds() - start);
cleanup:
    brume_free(radiance);
    brume_renderer_destroy(renderer);
    return status;
}

// free space on the disk of `path`, found from its nearest existing folder [bytes]
static double free_space(const char *path)
{
    char folder[BRUME_MAX_PATH];
    (void)snprintf(folder, sizeof folder, "%s", path);
    struct statvfs disk;
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash != folder;) {
        *slash = '\0';
        if (statvfs(folder, &disk) == 0) {
            return (double)disk.f_bavail * (double)disk.f_frsize;
        }
    }
    return statvfs(path[0] == '/' ? "/" : ".", &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : 0.0;
}

static void print_disk(const BrumeScene *scene, int images, const char *output)
{
    const double bytes = 3.0 * scene->width * scene->height * images;
    if (output) {
        brume_print_labelled("disk", "at most %s for %d images (%s free)", brume_format_bytes(bytes).text, images,
                             brume_format_bytes(free_space(output)).text);
    } else {
        brume_print_labelled("disk", "at most %s for %d images", brume_format_bytes(bytes).text, images);
    }
}

static void print_estimate(const BrumeScene *scene, const BrumeFrameRange *frames, const Probe *probe)
{
    const int images = brume_frames_count(frames);
    const BrumeRunMemory memory = brume_run_memory(scene, true, false, frames->last);
    brume_print_labelled("total", "%s with the renderer and its images; the machine has %s",
                         brume_format_bytes((double)brume_run_memory_total(&memory)).text,
                         brume_format_bytes((double)brume_physical_memory()).text);
    brume_print_labelled("probe", "%d %s with %d %s: %.1f steps per frame, %.1f ms per step, %.0f ms per image",
                         probe->frames, probe->frames == 1 ? "frame" : "frames", brume_get_threads(),
                         brume_get_threads() == 1 ? "thread" : "threads", (double)probe->steps / probe->frames,
                         probe->step_ms, probe->image_ms);
    const double drawing = 1e-3 * probe->image_ms * images;
    const double probed_steps = (double)probe->steps / probe->frames; // per frame
    const double most_steps = brume_estimate_steps(&scene->sim, brume_estimate_max_speed(&scene->sim));
    const double shortest = 1e-3 * probe->step_ms * probed_steps * frames->last + drawing;
    const double longest = 1e-3 * probe->step_ms * most_steps * frames->last + drawing;
    if (most_steps > probed_steps) {
        brume_print_labelled("estimate", "%s at the steps per frame of the probe, %s at %.0f",
                             brume_format_duration(shortest).text, brume_format_duration(longest).text, most_steps);
    } else {
        brume_print_labelled("estimate", "%s", brume_format_duration(shortest).text);
    }
}

BrumeStatus brume_dry_run(const BrumeScene *scene, const BrumeFrameRange *frames, const char *output, BrumeError *error)
{
    Probe probe = {0};
    BrumeSim *sim = NULL;
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, error);
    if (status == BRUME_OK) {
        status = probe_simulation(&probe, sim, scene, frames->last, error);
    }
    if (status == BRUME_OK) {
        status = probe_image(&probe, sim, scene, error);
    }
    if (status == BRUME_OK) {
        brume_print_scene_summary(scene);
        brume_print_labelled("frames", "simulates 1 to %d, draws %d of them", frames->last, brume_frames_count(frames));
        print_disk(scene, brume_frames_count(frames), output);
        print_estimate(scene, frames, &probe);
    }
    brume_sim_destroy(sim);
    return status;
}
