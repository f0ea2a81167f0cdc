/**
 * @file report.h
 * The results of a benchmark as tables on standard output (tables.c), as CSV and JSON (files.c) and as a report in
 * Markdown (markdown.c).
 */
#ifndef BRUME_APP_BENCH_REPORT_H
#define BRUME_APP_BENCH_REPORT_H

#include "app/bench/case.h"
#include "app/bench/machine.h"

/** The cases of a benchmark and their common settings. */
typedef struct BrumeBenchReport {
    const char *scene_path;
    const char *scene_name;
    BrumeBenchOrigin origin;
    double warmup; ///< simulated time before the measurement [s]
    int steps;     ///< measured steps of each case
    int count;     ///< measured cases
    BrumeBenchCase *cases;
} BrumeBenchReport;

/** The pressure solver of these settings; for `auto` the solver that it selects. */
const char *brume_bench_pressure(const BrumeSimDef *def);

/** The minimum traffic of a step over its median time [bytes/s]. */
double brume_bench_traffic_rate(const BrumeBenchCase *result);

/** Prints the machine, the build, the scene and the method of measurement. */
void brume_bench_print_head(const BrumeBenchReport *report);

/** Prints the head of the table of cases, and one row of it. */
void brume_bench_print_table_head(void);
void brume_bench_print_case(const BrumeBenchCase *result);

/** Prints the table of stages of all cases. */
void brume_bench_print_stages(const BrumeBenchReport *report);

/** Prints the table of speed-ups; nothing if no series has two numbers of threads. */
void brume_bench_print_scaling(const BrumeBenchReport *report);

/** Writes a CSV file with one line per case, which repeats the machine and the build. */
BrumeStatus brume_bench_write_csv(const BrumeBenchReport *report, const char *path, BrumeError *error);

/** Writes the same values as one JSON object. */
BrumeStatus brume_bench_write_json(const BrumeBenchReport *report, const char *path, BrumeError *error);

/**
 * Writes a report in Markdown: machine and build, triad, cases, stages beside the triad, and scaling. The headings are
 * of the second level (`##`), so that the text can be part of a longer report.
 */
BrumeStatus brume_bench_write_markdown(const BrumeBenchReport *report, const char *path, BrumeError *error);

#endif
