// The CSV and JSON files.
#include "app/bench/render/report.h"

#include "io/file.h"

#include <inttypes.h>

/** A column of the CSV file and a member of a case in the JSON file. */
typedef struct RenderColumn {
    const char *name;
    double (*value)(const BrumeRenderCase *result);
} RenderColumn;

static double nx_of(const BrumeRenderCase *result) { return result->nx; }
static double ny_of(const BrumeRenderCase *result) { return result->ny; }
static double nz_of(const BrumeRenderCase *result) { return result->nz; }
static double threads_of(const BrumeRenderCase *result) { return result->threads; }
static double samples_of(const BrumeRenderCase *result) { return (double)result->counts.samples; }
static double in_smoke_of(const BrumeRenderCase *result) { return (double)result->counts.in_smoke; }
static double rate_of(const BrumeRenderCase *result) { return 1e-6 * brume_render_sample_rate(result); }
static double trilinear_of(const BrumeRenderCase *result) { return 1e-6 * result->trilinear.median; }
static double smoky_of(const BrumeRenderCase *result) { return result->smoky_cells; }
static double occupied_of(const BrumeRenderCase *result) { return result->occupied_macro_cells; }
static double gain_of(const BrumeRenderCase *result) { return brume_render_skipping_gain(result); }
static double bytes_of(const BrumeRenderCase *result) { return (double)result->bytes; }

static double share_of(const BrumeRenderCase *result)
{
    return brume_render_sample_rate(result) / result->trilinear.median;
}

static const RenderColumn columns[] = {
    {"nx", nx_of},
    {"ny", ny_of},
    {"nz", nz_of},
    {"threads", threads_of},
    {"samples", samples_of},
    {"samples_in_smoke", in_smoke_of},
    {"msamples_per_s", rate_of},
    {"trilinear_mpoints_per_s", trilinear_of},
    {"share_of_trilinear", share_of},
    {"smoky_cells", smoky_of},
    {"occupied_macro_cells", occupied_of},
    {"gain_of_skipping", gain_of},
    {"renderer_bytes", bytes_of},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

enum { DIGITS = 10 }; // counts of samples are exact

BrumeStatus brume_render_write_csv(const BrumeRenderReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(&text, "%s,", columns[n].name);
    }
    for (int time = 0; time < BRUME_RENDER_TIME_COUNT; time++) {
        const char *name = brume_render_time_name((BrumeRenderTime)time);
        brume_text_add(&text, "ms_%s,ms_lower_%s,ms_upper_%s,", name, name, name);
    }
    brume_text_add(&text, "hash,volume,rounds,width,height,");
    brume_bench_add_origin_csv_head(&text);
    BrumeText volume = {0};
    brume_render_add_volume(&volume, report);
    for (int n = 0; n < report->count; n++) {
        const BrumeRenderCase *result = &report->cases[n];
        for (int column = 0; column < COLUMN_COUNT; column++) {
            brume_text_add(&text, "%.*g,", DIGITS, columns[column].value(result));
        }
        for (int time = 0; time < BRUME_RENDER_TIME_COUNT; time++) {
            const BrumeQuartiles ms = result->ms[time];
            brume_text_add(&text, "%.6g,%.6g,%.6g,", ms.median, ms.lower, ms.upper);
        }
        brume_text_add(&text, "%016" PRIx64 ",", result->hash);
        brume_bench_add_csv_text(&text, volume.data ? volume.data : "");
        brume_text_add(&text, "%d,%d,%d,", report->rounds, report->width, report->height);
        brume_bench_add_origin_csv(&text, &report->origin);
    }
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&volume);
    brume_text_destroy(&text);
    return status;
}

static void add_quartiles(BrumeText *text, const char *name, BrumeQuartiles values)
{
    brume_text_add(text, "\"%s\": {\"median\": ", name);
    brume_text_add_json_number(text, values.median, 6);
    brume_text_add(text, ", \"lower\": ");
    brume_text_add_json_number(text, values.lower, 6);
    brume_text_add(text, ", \"upper\": ");
    brume_text_add_json_number(text, values.upper, 6);
    brume_text_add(text, "}");
}

// the ratios of the median times to those of the base with the fewest threads
static void add_speedups(BrumeText *text, const BrumeRenderReport *report, int index)
{
    const BrumeRenderCase *result = &report->cases[index];
    const BrumeRenderCase *base = brume_render_base(report->cases, report->count, index);
    brume_text_add(text, "\"base_threads\": %d,\n     \"speedup\": {", base->threads);
    for (int time = 0; time < BRUME_RENDER_TIME_COUNT; time++) {
        brume_text_add(text, "\"%s\": ", brume_render_time_name((BrumeRenderTime)time));
        brume_text_add_json_number(text, base->ms[time].median / result->ms[time].median, 6);
        brume_text_add(text, ", ");
    }
    brume_text_add(text, "\"trilinear\": ");
    brume_text_add_json_number(text, result->trilinear.median / base->trilinear.median, 6);
    brume_text_add(text, "},\n     ");
}

static void add_case(BrumeText *text, const BrumeRenderReport *report, int index)
{
    const BrumeRenderCase *result = &report->cases[index];
    brume_text_add(text, "    {");
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(text, "\"%s\": ", columns[n].name);
        brume_text_add_json_number(text, columns[n].value(result), DIGITS);
        brume_text_add(text, ", ");
    }
    brume_text_add(text, "\n     \"ms\": {");
    for (int time = 0; time < BRUME_RENDER_TIME_COUNT; time++) {
        brume_text_add(text, "%s", time > 0 ? ",\n       " : "");
        add_quartiles(text, brume_render_time_name((BrumeRenderTime)time), result->ms[time]);
    }
    brume_text_add(text, "},\n     ");
    add_speedups(text, report, index);
    brume_text_add(text, "\"hash\": \"%016" PRIx64 "\"}", result->hash);
}

BrumeStatus brume_render_write_json(const BrumeRenderReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    BrumeText volume = {0};
    brume_render_add_volume(&volume, report);
    brume_text_add(&text, "{\n");
    brume_bench_add_origin_json(&text, &report->origin);
    brume_bench_add_json_text(&text, "volume", volume.data ? volume.data : "");
    brume_text_add(&text, "  \"width\": %d,\n  \"height\": %d,\n  \"rounds\": %d,\n  \"cases\": [\n", report->width,
                   report->height, report->rounds);
    for (int n = 0; n < report->count; n++) {
        add_case(&text, report, n);
        brume_text_add(&text, n + 1 < report->count ? ",\n" : "\n");
    }
    brume_text_add(&text, "  ]\n}\n");
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&volume);
    brume_text_destroy(&text);
    return status;
}
