#include "app/bench/render/series.h"

#include "app/bench/case.h"
#include "app/bench/render/plume.h"
#include "app/bench/render/report.h"
#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"

// what is rendered at one size, with its owners
typedef struct Subject {
    BrumeRenderSubject subject;
    float *density; // of the procedural plume
    BrumeSim *sim;  // of a scene
} Subject;

static void destroy_subject(Subject *self)
{
    brume_free(self->density);
    brume_sim_destroy(self->sim);
    *self = (Subject){0};
}

// the scene in a cube of size^3 cells after the first seconds; destroy_subject after a failure too
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

static BrumeStatus create_subject(Subject *self, const BrumeScene *scene, const BrumeBenchSettings *settings, int size,
                                  BrumeError *error)
{
    int most = 1;
    for (int t = 0; t < settings->threads.count; t++) {
        most = settings->threads.values[t] > most ? settings->threads.values[t] : most;
    }
    brume_set_threads(most);
    self->subject.width = settings->image.width;
    self->subject.height = settings->image.height;
    if (scene) {
        return simulate(self, scene, size, settings->warmup, error);
    }
    self->subject.settings = brume_default_render_settings();
    self->subject.camera = brume_plume_camera();
    return brume_plume_create(&self->subject.volume, &self->density, size, error);
}

static BrumeStatus measure_size(BrumeRenderReport *report, const BrumeScene *scene, const BrumeBenchSettings *settings,
                                int size, BrumeError *error)
{
    Subject self = {.density = NULL};
    BrumeRenderCase *cases = report->cases + report->count;
    BrumeStatus status = create_subject(&self, scene, settings, size, error);
    if (status == BRUME_OK) {
        for (int t = 0; t < settings->threads.count; t++) {
            cases[t].threads = settings->threads.values[t];
        }
        status = brume_bench_measure_render(cases, settings->threads.count, &self.subject, settings->rounds, error);
    }
    if (status == BRUME_OK) {
        report->count += settings->threads.count;
        for (int t = 0; t < settings->threads.count; t++) {
            brume_render_print_case(&cases[t]);
        }
    }
    destroy_subject(&self);
    return status;
}

static BrumeStatus write_report(const BrumeRenderReport *report, const BrumeBenchSettings *settings, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (settings->csv) {
        status = brume_render_write_csv(report, settings->csv, error);
    }
    if (settings->json && status == BRUME_OK) {
        status = brume_render_write_json(report, settings->json, error);
    }
    if (settings->markdown && status == BRUME_OK) {
        status = brume_render_write_markdown(report, settings->markdown, error);
    }
    return status;
}

BrumeStatus brume_bench_render_run(const BrumeBenchSettings *settings, const char *path, BrumeError *error)
{
    BrumeScene *scene = NULL;
    BrumeRenderReport report = {
        .scene_path = path,
        .warmup = settings->warmup,
        .rounds = settings->rounds,
        .width = settings->image.width,
        .height = settings->image.height,
    };
    BrumeStatus status = BRUME_OK;
    if (path) {
        const BrumeTextList *overrides = &settings->common.overrides;
        status = brume_scene_load(&scene, path, overrides->texts, overrides->count, &brume_scene_readers, error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    report.cases = brume_alloc((size_t)settings->sizes.count * (size_t)settings->threads.count, sizeof *report.cases);
    if (!report.cases) {
        status = brume_out_of_memory(error, "the cases of the benchmark");
        goto cleanup;
    }
    status = brume_bench_check_outputs(settings, path, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    report.origin = brume_bench_origin();
    brume_render_print_head(&report);
    for (int s = 0; s < settings->sizes.count && status == BRUME_OK; s++) {
        status = measure_size(&report, scene, settings, settings->sizes.values[s], error);
    }
    if (status == BRUME_OK) {
        brume_render_print_samples(&report);
        brume_render_print_scaling(&report);
        status = write_report(&report, settings, error);
    }
cleanup:
    brume_free(report.cases);
    brume_scene_destroy(scene);
    return status;
}
