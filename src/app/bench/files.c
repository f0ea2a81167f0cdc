// The CSV and JSON files.
#include "app/bench/report.h"

#include "brume/brume.h"
#include "core/text.h"
#include "io/file.h"

#include <inttypes.h>

/** A column of the CSV file and a member of a case in the JSON file. */
typedef struct Column {
    const char *name;
    double (*value)(const BrumeBenchCase *result);
} Column;

static double nx_of(const BrumeBenchCase *result) { return result->def.nx; }
static double ny_of(const BrumeBenchCase *result) { return result->def.ny; }
static double nz_of(const BrumeBenchCase *result) { return result->def.nz; }
static double threads_of(const BrumeBenchCase *result) { return result->threads; }
static double dt_of(const BrumeBenchCase *result) { return result->dt; }
static double cfl_of(const BrumeBenchCase *result) { return result->cfl; }
static double step_ms_of(const BrumeBenchCase *result) { return result->step_ms; }
static double mcells_of(const BrumeBenchCase *result) { return 1e-6 * result->cell_rate; }
static double iterations_of(const BrumeBenchCase *result) { return result->iterations; }
static double residual_of(const BrumeBenchCase *result) { return result->residual; }
static double converged_of(const BrumeBenchCase *result) { return result->converged; }
static double bytes_of(const BrumeBenchCase *result) { return result->bytes_per_cell; }
static double traffic_of(const BrumeBenchCase *result) { return result->traffic; }
static double gbs_of(const BrumeBenchCase *result) { return 1e-9 * brume_bench_traffic_rate(result); }
static double triad_of(const BrumeBenchCase *result) { return 1e-9 * result->triad; }
static double triad_at_sim_size_of(const BrumeBenchCase *result) { return 1e-9 * result->triad_at_sim_size; }
static double share_of(const BrumeBenchCase *result) { return brume_bench_traffic_rate(result) / result->triad; }
static double imbalance_of(const BrumeBenchCase *result) { return result->imbalance; }

static const Column columns[] = {
    {"nx", nx_of},
    {"ny", ny_of},
    {"nz", nz_of},
    {"threads", threads_of},
    {"dt_s", dt_of},
    {"cfl", cfl_of},
    {"step_ms", step_ms_of},
    {"mcells_per_s", mcells_of},
    {"iterations", iterations_of},
    {"residual", residual_of},
    {"converged", converged_of},
    {"bytes_per_cell", bytes_of},
    {"traffic_bytes_per_cell", traffic_of},
    {"gb_per_s", gbs_of},
    {"triad_gb_per_s", triad_of},
    {"triad_at_sim_size_gb_per_s", triad_at_sim_size_of},
    {"share_of_triad", share_of},
    {"imbalance", imbalance_of},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static const char *series_of(const BrumeBenchCase *result) { return result->weak ? "weak" : "strong"; }

static void add_csv_row(BrumeText *text, const BrumeBenchReport *report, const BrumeBenchCase *result)
{
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(text, "%.6g,", columns[n].value(result));
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%.6g,", result->stage_ms[stage]);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%.6g,", result->stage_traffic[stage]);
    }
    brume_text_add(text, "%s,", series_of(result));
    brume_text_add(text, "%016" PRIx64 ",", result->hash);
    brume_bench_add_csv_text(text, report->scene_path);
    brume_bench_add_csv_text(text, result->def.advection);
    brume_bench_add_csv_text(text, brume_bench_pressure(&result->def));
    brume_text_add(text, "%g,%g,%d,", (double)result->def.tolerance, report->warmup, report->steps);
    brume_bench_add_origin_csv(text, &report->origin);
}

BrumeStatus brume_bench_write_csv(const BrumeBenchReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(&text, "%s,", columns[n].name);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(&text, "ms_%s,", brume_stage_name((BrumeStage)stage));
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(&text, "bytes_%s,", brume_stage_name((BrumeStage)stage));
    }
    brume_text_add(&text, "series,hash,scene,advection,pressure,tolerance,warmup_s,steps,");
    brume_bench_add_origin_csv_head(&text);
    for (int n = 0; n < report->count; n++) {
        add_csv_row(&text, report, &report->cases[n]);
    }
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&text);
    return status;
}

static void add_json_stages(BrumeText *text, const char *name, const double values[BRUME_STAGE_COUNT])
{
    brume_text_add(text, "\n     \"%s\": {", name);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%s\"%s\": ", stage > 0 ? ", " : "", brume_stage_name((BrumeStage)stage));
        brume_text_add_json_number(text, values[stage], 6);
    }
    brume_text_add(text, "}, ");
}

static void add_json_case(BrumeText *text, const BrumeBenchCase *result)
{
    brume_text_add(text, "    {");
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(text, "\"%s\": ", columns[n].name);
        brume_text_add_json_number(text, columns[n].value(result), 6);
        brume_text_add(text, ", ");
    }
    add_json_stages(text, "stage_ms", result->stage_ms);
    add_json_stages(text, "stage_traffic_bytes_per_cell", result->stage_traffic);
    brume_text_add(text, "\n     \"series\": \"%s\", \"hash\": \"%016" PRIx64 "\"}", series_of(result), result->hash);
}

BrumeStatus brume_bench_write_json(const BrumeBenchReport *report, const char *path, BrumeError *error)
{
    const BrumeSimDef *def = &report->cases[0].def;
    BrumeText text = {0};
    brume_text_add(&text, "{\n");
    brume_bench_add_origin_json(&text, &report->origin);
    brume_bench_add_json_text(&text, "scene", report->scene_path);
    brume_bench_add_json_text(&text, "advection", def->advection);
    brume_bench_add_json_text(&text, "pressure", brume_bench_pressure(def));
    brume_text_add(&text, "  \"tolerance\": %g,\n  \"warmup_s\": %g,\n  \"steps\": %d,\n  \"cases\": [\n",
                   (double)def->tolerance, report->warmup, report->steps);
    for (int n = 0; n < report->count; n++) {
        add_json_case(&text, &report->cases[n]);
        brume_text_add(&text, n + 1 < report->count ? ",\n" : "\n");
    }
    brume_text_add(&text, "  ]\n}\n");
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&text);
    return status;
}
