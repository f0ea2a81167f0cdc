// The report in Markdown.
#include "app/bench/render/report.h"

#include "io/file.h"

#include <inttypes.h>

// the stages of a picture and their sum
enum { TIMES = BRUME_RENDER_PICTURE + 1 };

static void add_stages(BrumeText *text, const BrumeRenderReport *report)
{
    brume_text_add(text,
                   "\n## Stages of a picture\n\nMedians [ms], and the distance of the quartiles over the median.\n\n"
                   "| cells | threads | load | light | draw | tone | picture | hash |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        brume_text_add(text, "| %d³ | %d |", result->nx, result->threads);
        for (int time = 0; time < TIMES; time++) {
            const BrumeQuartiles ms = result->ms[time];
            brume_text_add(text, " %.2f (%.0f %%) |", ms.median, 100.0 * brume_relative_spread(ms));
        }
        brume_text_add(text, " `%016" PRIx64 "` |\n", result->hash);
    }
}

static void add_samples(BrumeText *text, const BrumeRenderReport *report)
{
    brume_text_add(text,
                   "\n## Samples of camera rays\n\n"
                   "| cells | threads | cells with smoke | macro-cells with smoke | samples | of these in smoke | "
                   "Msamples/s | trilinear kernel, M/s | share of it | draw without skipping, ms | gain |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        const double rate = brume_render_sample_rate(result);
        const BrumeMarchCounts *counts = &result->counts;
        brume_text_add(
            text, "| %d³ | %d | %.2f %% | %.2f %% | %" PRId64 " | %.1f %% | %.2f | %.1f | %.1f %% | %.2f | %.2f× |\n",
            result->nx, result->threads, 100.0 * result->smoky_cells, 100.0 * result->occupied_macro_cells,
            counts->samples, counts->samples > 0 ? 100.0 * (double)counts->in_smoke / (double)counts->samples : 0.0,
            1e-6 * rate, 1e-6 * result->trilinear.median, 100.0 * rate / result->trilinear.median,
            result->ms[BRUME_RENDER_DRAW_ALL].median, brume_render_skipping_gain(result));
    }
}

static void add_scaling(BrumeText *text, const BrumeRenderReport *report)
{
    bool started = false;
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        const BrumeRenderCase *base = brume_render_base(report->cases, report->count, n);
        if (base->threads == result->threads) {
            continue;
        }
        if (!started) {
            brume_text_add(text,
                           "\n## Scaling\n\nSpeed-up over the case with the fewest threads, and efficiency.\n\n"
                           "| cells | threads | base | load | light | draw | tone | picture | trilinear kernel |\n"
                           "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
            started = true;
        }
        const double threads = (double)result->threads / base->threads;
        brume_text_add(text, "| %d³ | %d | %d |", result->nx, result->threads, base->threads);
        for (int time = 0; time < TIMES; time++) {
            const double speedup = base->ms[time].median / result->ms[time].median;
            brume_text_add(text, " %.2f (%.0f %%) |", speedup, 100.0 * speedup / threads);
        }
        const double speedup = result->trilinear.median / base->trilinear.median;
        brume_text_add(text, " %.2f (%.0f %%) |\n", speedup, 100.0 * speedup / threads);
    }
}

BrumeStatus brume_render_write_markdown(const BrumeRenderReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    brume_text_add(&text, "## Machine and build\n\n| | |\n| --- | --- |\n");
    brume_bench_add_origin_markdown(&text, &report->origin);
    brume_text_add(&text, "| volume | ");
    brume_render_add_volume(&text, report);
    brume_text_add(&text, " |\n| measured | %s, %d x %d pixels, one ray each, medians of %d rounds |\n",
                   report->origin.date, report->width, report->height, report->rounds);
    add_stages(&text, report);
    add_samples(&text, report);
    add_scaling(&text, report);
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&text);
    return status;
}
