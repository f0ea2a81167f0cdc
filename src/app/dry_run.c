#include "app/dry_run.h"

#include "app/bench/outline.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_pattern.h"
#include "brume/renderer.h"
#include "brume/sim.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

static const double probe_seconds = 2.0;

/** What the probe measured. */
typedef struct Probe {
    int frames, steps;
    double step_ms;    // mean
    double picture_ms; // load, light and draw of the last state
    size_t sim_bytes, renderer_bytes;
} Probe;

static BrumeStatus probe_simulation(Probe *probe, BrumeSim *sim, const BrumeScene *scene, int most_frames,
                                    BrumeError *error)
{
    double ms = 0.0;
    while (probe->frames < most_frames && ms < 1e3 * probe_seconds) {
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

static BrumeStatus probe_picture(Probe *probe, const BrumeSim *sim, const BrumeScene *scene, BrumeError *error)
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
        status = brume_fail(error, BRUME_FAILED, "out of memory for a picture of %d x %d", scene->width, scene->height);
        goto cleanup;
    }
    const double start = brume_seconds();
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, brume_sim_time(sim));
    const BrumeDrawDef draw = {.width = scene->width, .height = scene->height, .samples = scene->samples, .seed = 1};
    brume_renderer_load(renderer, &volume);
    brume_renderer_light(renderer);
    brume_renderer_draw(renderer, &camera, &draw, radiance);
    probe->picture_ms = 1e3 * (brume_seconds() - start);
    probe->renderer_bytes = brume_renderer_bytes(renderer);
cleanup:
    brume_free(radiance);
    brume_renderer_destroy(renderer);
    return status;
}

// free bytes on the disk that `path` would be written to: that of the nearest folder that exists
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

static void print_disk(const BrumeScene *scene, int pictures, const char *output)
{
    const double picture = 3.0 * scene->width * scene->height;
    if (output) {
        brume_print_fact("disk", "at most %s for %d pictures (%s free)", brume_format_bytes(picture * pictures).text,
                         pictures, brume_format_bytes(free_space(output)).text);
    } else {
        brume_print_fact("disk", "at most %s for %d pictures", brume_format_bytes(picture * pictures).text, pictures);
    }
}

static void print_estimate(const BrumeScene *scene, const BrumeFrameRange *frames, const Probe *probe)
{
    const int pictures = brume_frames_count(frames);
    const double pixels = (double)scene->width * scene->height;
    const double picture_bytes = pixels * (3.0 * sizeof(float) + 2.0 * 3.0);
    brume_print_fact("in all", "%s with the renderer and its pictures, of the machine's %s",
                     brume_format_bytes((double)(probe->sim_bytes + probe->renderer_bytes) + picture_bytes).text,
                     brume_format_bytes((double)brume_physical_memory()).text);
    brume_print_fact("probe", "%d %s with %d %s: %.1f steps a frame, %.1f ms a step, %.0f ms a picture", probe->frames,
                     probe->frames == 1 ? "frame" : "frames", brume_get_threads(),
                     brume_get_threads() == 1 ? "thread" : "threads", (double)probe->steps / probe->frames,
                     probe->step_ms, probe->picture_ms);
    const double drawing = 1e-3 * probe->picture_ms * pictures;
    const double probed = (double)probe->steps / probe->frames;
    const double most = brume_steps_at_speed(&scene->sim, brume_likely_speed(&scene->sim));
    const double early = 1e-3 * probe->step_ms * probed * frames->last + drawing;
    const double late = 1e-3 * probe->step_ms * most * frames->last + drawing;
    if (most > probed) {
        brume_print_fact("estimate", "%s at the probe's steps a frame, %s at %.0f", brume_format_duration(early).text,
                         brume_format_duration(late).text, most);
    } else {
        brume_print_fact("estimate", "%s", brume_format_duration(early).text);
    }
}

BrumeStatus brume_dry_run(const BrumeScene *scene, const BrumeFrameRange *frames, const char *output, BrumeError *error)
{
    Probe probe = {.sim_bytes = brume_scene_bytes_needed(scene)};
    BrumeSim *sim = NULL;
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, error);
    if (status == BRUME_OK) {
        status = probe_simulation(&probe, sim, scene, frames->last, error);
    }
    if (status == BRUME_OK) {
        status = probe_picture(&probe, sim, scene, error);
    }
    if (status == BRUME_OK) {
        brume_print_outline(scene);
        brume_print_fact("frames", "simulates 1 to %d, draws %d of them", frames->last, brume_frames_count(frames));
        print_disk(scene, brume_frames_count(frames), output);
        print_estimate(scene, frames, &probe);
    }
    brume_sim_destroy(sim);
    return status;
}
