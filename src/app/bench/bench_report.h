/**
 * @file bench_report.h
 * Measurements as tables on standard output, as CSV and as JSON.
 */
#ifndef BRUME_APP_BENCH_BENCH_REPORT_H
#define BRUME_APP_BENCH_BENCH_REPORT_H

#include "app/bench/bench_case.h"
#include "app/bench/machine.h"

/** A whole run. */
typedef struct BrumeBenchReport {
    const char *scene_path;
    const char *scene_name;
    BrumeMachine machine;
    char date[32]; ///< ISO 8601, UTC
    double load;   ///< of the machine before the run, see brume_machine_load
    double warmup; ///< [s]
    int steps;     ///< measured
    int count;
    BrumeBenchCase *cases; ///< those measured so far
} BrumeBenchReport;

/** Fills in machine, load and date. */
void brume_bench_report_start(BrumeBenchReport *report);

/** The pressure solver that these settings come to: what `auto` picks. */
const char *brume_bench_pressure(const BrumeSimDef *def);

/** Prints machine, build, scene and how it is measured. */
void brume_bench_print_head(const BrumeBenchReport *report);

/** Prints the head of the table of cases, and one case of it. */
void brume_bench_print_table_head(void);
void brume_bench_print_case(const BrumeBenchCase *result);

/** Prints the table of stages, of all cases. */
void brume_bench_print_stages(const BrumeBenchReport *report);

/** Prints the table of speed-ups and efficiencies; nothing where no series has two thread counts. */
void brume_bench_print_scaling(const BrumeBenchReport *report);

/** Writes one line a case, each with all that is known about it. */
BrumeStatus brume_bench_write_csv(const BrumeBenchReport *report, const char *path, BrumeError *error);

/** Writes the same as one JSON object. */
BrumeStatus brume_bench_write_json(const BrumeBenchReport *report, const char *path, BrumeError *error);

#endif
