// The benchmark of the renderer: several sizes of a scene or of a procedural plume, each with several numbers of
// threads.
#include "app/bench/case.h"
#include "app/bench/render/case.h"
#include "app/bench/render/plume.h"
#include "app/bench/report.h"
#include "brume/brume.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>

// the rendered volume at one size, with the owners of its memory
typedef struct Subject {
    BrumeRenderSubject subject;
    float *density; // of the procedural plume
    BrumeSim *sim;  // of a scene
} Subject;

// simulates the first seconds of the scene in a cube of size^3 cells
static BrumeStatus simulate(Subject *self, const BrumeScene *scene, int size, double seconds, BrumeError *error)
{
    BrumeBenchCase bench = {.def = scene->sim, .timeline = &scene->timeline};
    brume_bench_resize(&bench.def, size);
    BrumeStatus status = brume_sim_create(&self->sim, &bench.def, error);
    if (status == BRUME_OK) {
        status = brume_bench_warm_up(&bench, self->sim, seconds, &bench.dt, error);
    }
    if (status == BRUME_OK) {
        self->subject.volume = brume_sim_volume(self->sim);
        self->subject.settings =
            brume_scene_render_settings_at(scene, brume_sim_settings(self->sim), brume_sim_time(self->sim));
        self->subject.camera = brume_scene_camera(scene, brume_sim_time(self->sim));
    }
    return status;
}

static BrumeStatus create_subject(Subject *self, const BrumeBenchReport *report, int size, BrumeError *error)
{
    const BrumeBenchSettings *settings = report->settings;
    int most = 1;
    for (int t = 0; t < settings->threads.count; t++) {
        most = settings->threads.values[t] > most ? settings->threads.values[t] : most;
    }
    brume_set_threads(most);
    if (report->scene) {
        return simulate(self, report->scene, size, settings->warmup, error);
    }
    self->subject.settings = brume_default_render_settings();
    self->subject.camera = brume_plume_camera();
    return brume_plume_create(&self->subject.volume, &self->density, size, error);
}

static BrumeStatus measure_size(BrumeBenchReport *report, int size, BrumeError *error)
{
    const BrumeBenchSettings *settings = report->settings;
    Subject self = {.subject = {.width = settings->image.width, .height = settings->image.height}};
    BrumeRenderCase *cases = (BrumeRenderCase *)report->cases + report->count;
    BrumeStatus status = create_subject(&self, report, size, error);
    if (status == BRUME_OK) {
        for (int t = 0; t < settings->threads.count; t++) {
            cases[t].threads = settings->threads.values[t];
        }
        status = brume_bench_measure_render(cases, settings->threads.count, &self.subject, settings->rounds, error);
    }
    if (status == BRUME_OK) {
        report->count += settings->threads.count;
        brume_bench_print(report, BRUME_BENCH_CASES, report->count - settings->threads.count);
    }
    brume_free(self.density);
    brume_sim_destroy(self.sim);
    return status;
}

static BrumeStatus measure(BrumeBenchReport *report, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int s = 0; s < report->settings->sizes.count && status == BRUME_OK; s++) {
        status = measure_size(report, report->settings->sizes.values[s], error);
    }
    return status;
}

static void add_facts(BrumeBenchReport *report)
{
    const BrumeBenchSettings *settings = report->settings;
    if (report->path) {
        brume_bench_add_fact(report, "volume", "%s, after %g s of the scene", report->path, settings->warmup);
    } else {
        brume_bench_add_fact(report, "volume", "procedural plume");
    }
    brume_bench_add_fact(report, "measured",
                         "%d x %d pixels, one ray each; medians of %d rounds in turn, with the distance of "
                         "the quartiles",
                         settings->image.width, settings->image.height, settings->rounds);
}

enum {
    STAGES = BRUME_BENCH_CASES,
    SAMPLES = BRUME_BENCH_PARTS,
    SCALING = BRUME_BENCH_SCALING,
    PRINTED = BRUME_BENCH_PRINTED,
};

static void add_speedup(BrumeBenchLine *line, unsigned tables, const char *name, double speedup, double threads)
{
    brume_bench_number(line, tables, brume_bench_name("speedup_", name).text, name, 9, 2, speedup);
    brume_bench_share(line, tables, NULL, "", 5, 0, speedup / threads);
}

static void add_columns(BrumeBenchLine *line, const BrumeBenchReport *report, int index)
{
    static const char *const times[BRUME_RENDER_TIME_COUNT] = {
        [BRUME_RENDER_LOAD] = "load", [BRUME_RENDER_LIGHT] = "light",     [BRUME_RENDER_DRAW] = "draw",
        [BRUME_RENDER_TONE] = "tone", [BRUME_RENDER_PICTURE] = "picture", [BRUME_RENDER_DRAW_ALL] = "draw_all",
    };
    static const char *const titles[] = {[STAGES] = "ms per stage", [SAMPLES] = "samples", [SCALING] = "speed-up"};
    const BrumeRenderCase *cases = report->cases;
    const BrumeRenderCase *result = &cases[index];
    const BrumeRenderCase *base = brume_render_base(cases, report->count, index);
    const double threads = (double)result->threads / base->threads;
    const double samples = (double)result->counts.samples;
    const double in_smoke = (double)result->counts.in_smoke;
    const double rate = brume_render_sample_rate(result);
    if (line->table == BRUME_BENCH_SCALING && threads == 1.0) {
        return;
    }
    char cells[48];
    char hash[17];
    (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->nx, result->ny, result->nz);
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    brume_bench_text(line, PRINTED, NULL, titles[line->table], -13, cells);
    brume_bench_file_number(line, "nx", result->nx);
    brume_bench_file_number(line, "ny", result->ny);
    brume_bench_file_number(line, "nz", result->nz);
    brume_bench_number(line, PRINTED, "threads", "threads", 7, 0, result->threads);
    brume_bench_number(line, SAMPLES, "samples", "samples", 10, 0, samples);
    brume_bench_file_number(line, "samples_in_smoke", in_smoke);
    brume_bench_share(line, SAMPLES, NULL, "in smoke", 8, 1, samples > 0.0 ? in_smoke / samples : 0.0);
    brume_bench_share(line, SAMPLES, "smoky_cells", "smoke", 7, 2, result->smoky_cells);
    brume_bench_share(line, SAMPLES, "occupied_macro_cells", "macro", 7, 2, result->occupied_macro_cells);
    brume_bench_number(line, SAMPLES, "msamples_per_s", "Msamples/s", 11, 2, 1e-6 * rate);
    brume_bench_number(line, SAMPLES, "trilinear_mpoints_per_s", "trilinear", 10, 1, 1e-6 * result->trilinear.median);
    brume_bench_share(line, SAMPLES, "share_of_trilinear", "of it", 8, 1, rate / result->trilinear.median);
    brume_bench_number(line, SCALING, "base_threads", "base", 7, 0, base->threads);
    for (int time = 0; time < BRUME_RENDER_TIME_COUNT; time++) {
        const BrumeQuartiles ms = result->ms[time];
        const char *name = times[time];
        const bool is_stage = time != BRUME_RENDER_DRAW_ALL;
        brume_bench_number(line, is_stage ? STAGES : SAMPLES, brume_bench_name("ms_", name).text,
                           is_stage ? name : "no skipping", is_stage ? 9 : 11, 2, ms.median);
        brume_bench_share(line, is_stage ? STAGES : 0, NULL, "", 5, 0, brume_relative_spread(ms));
        brume_bench_file_number(line, brume_bench_name("ms_lower_", name).text, ms.lower);
        brume_bench_file_number(line, brume_bench_name("ms_upper_", name).text, ms.upper);
        add_speedup(line, is_stage ? SCALING : 0, name, base->ms[time].median / ms.median, threads);
    }
    add_speedup(line, SCALING, "trilinear", result->trilinear.median / base->trilinear.median, threads);
    brume_bench_number(line, SAMPLES, "gain_of_skipping", "gain", 8, 2, brume_render_skipping_gain(result));
    brume_bench_file_number(line, "renderer_bytes", (double)result->bytes);
    brume_bench_text(line, STAGES, "hash", "picture's hash", 16, hash);
}

const BrumeBenchKind brume_bench_renderer = {
    .case_size = sizeof(BrumeRenderCase),
    .add_facts = add_facts,
    .measure = measure,
    .add_columns = add_columns,
};
