// The tables on standard output.
#include "app/bench/render/report.h"

#include "app/cli/format.h"

#include <stdio.h>

// the stages of a picture and their sum
enum { TIMES = BRUME_RENDER_PICTURE + 1 };

void brume_render_add_volume(BrumeText *text, const BrumeRenderReport *report)
{
    if (report->scene_path) {
        brume_text_add(text, "%s, after %g s of the scene", report->scene_path, report->warmup);
    } else {
        brume_text_add(text, "procedural plume");
    }
}

static void print_cells(const BrumeRenderCase *result)
{
    char cells[48];
    (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->nx, result->ny, result->nz);
    (void)printf("%-13s %7d", cells, result->threads);
}

void brume_render_print_head(const BrumeRenderReport *report)
{
    BrumeText volume = {0};
    brume_render_add_volume(&volume, report);
    brume_bench_print_origin(&report->origin);
    brume_print_labeled("volume", "%s", volume.data ? volume.data : "");
    brume_print_labeled("measured",
                        "%d x %d pixels, one ray each; medians of %d rounds in turn, with the distance of "
                        "the quartiles",
                        report->width, report->height, report->rounds);
    brume_text_destroy(&volume);

    (void)printf("\n%-13s %7s", "ms per stage", "threads");
    for (int time = 0; time < TIMES; time++) {
        (void)printf(" %16s", brume_render_time_name((BrumeRenderTime)time));
    }
    (void)printf("  %s\n", "picture's hash");
}

void brume_render_print_case(const BrumeRenderCase *result)
{
    print_cells(result);
    for (int time = 0; time < TIMES; time++) {
        const BrumeQuartiles ms = result->ms[time];
        (void)printf(" %9.2f (%3.0f%%)", ms.median, 100.0 * brume_relative_spread(ms));
    }
    (void)printf("  %016llx\n", (unsigned long long)result->hash);
    (void)fflush(stdout);
}

void brume_render_print_samples(const BrumeRenderReport *report)
{
    (void)printf("\n%-13s %7s %7s %8s %9s %9s %11s %10s %9s %12s %8s\n", "samples", "threads", "smoke", "macro",
                 "Msamples", "in smoke", "Msamples/s", "trilinear", "of it", "no skipping", "gain");
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        const double rate = brume_render_sample_rate(result);
        const BrumeMarchCounts *counts = &result->counts;
        print_cells(result);
        (void)printf(" %6.2f%% %7.2f%% %9.3f %8.1f%% %11.2f %10.1f %8.1f%% %9.2f ms %7.2fx\n",
                     100.0 * result->smoky_cells, 100.0 * result->occupied_macro_cells, 1e-6 * (double)counts->samples,
                     counts->samples > 0 ? 100.0 * (double)counts->in_smoke / (double)counts->samples : 0.0,
                     1e-6 * rate, 1e-6 * result->trilinear.median, 100.0 * rate / result->trilinear.median,
                     result->ms[BRUME_RENDER_DRAW_ALL].median, brume_render_skipping_gain(result));
    }
}

void brume_render_print_scaling(const BrumeRenderReport *report)
{
    bool started = false;
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        const BrumeRenderCase *base = brume_render_base(report->cases, report->count, n);
        if (base->threads == result->threads) {
            continue;
        }
        if (!started) {
            (void)printf("\n%-13s %7s %7s", "speed-up", "threads", "base");
            for (int time = 0; time < TIMES; time++) {
                (void)printf(" %13s", brume_render_time_name((BrumeRenderTime)time));
            }
            (void)printf(" %13s\n", "trilinear");
            started = true;
        }
        const double threads = (double)result->threads / base->threads;
        print_cells(result);
        (void)printf(" %7d", base->threads);
        for (int time = 0; time < TIMES; time++) {
            const double speedup = base->ms[time].median / result->ms[time].median;
            (void)printf(" %6.2f (%3.0f%%)", speedup, 100.0 * speedup / threads);
        }
        const double speedup = result->trilinear.median / base->trilinear.median;
        (void)printf(" %6.2f (%3.0f%%)\n", speedup, 100.0 * speedup / threads);
    }
}
