/**
 * @file report.h
 * The results of a benchmark of the renderer as tables on standard output (tables.c), as CSV and JSON (files.c) and as
 * a report in Markdown (markdown.c).
 */
#ifndef BRUME_APP_BENCH_RENDER_REPORT_H
#define BRUME_APP_BENCH_RENDER_REPORT_H

#include "app/bench/machine.h"
#include "app/bench/render/case.h"
#include "core/text.h"

/** The cases of a benchmark of the renderer and their common settings. */
typedef struct BrumeRenderReport {
    const char *scene_path; ///< NULL: the procedural plume
    BrumeBenchOrigin origin;
    double warmup;     ///< simulated time of the scene before the measurement [s]
    int rounds;        ///< measurements of each time
    int width, height; ///< of the picture [pixels]
    int count;         ///< measured cases
    BrumeRenderCase *cases;
} BrumeRenderReport;

/** Adds what is rendered: the path of the scene and the simulated time, or that it is the procedural plume. */
void brume_render_add_volume(BrumeText *text, const BrumeRenderReport *report);

/** Prints the machine, the build, the volume, the method of measurement, and the head of the table of cases. */
void brume_render_print_head(const BrumeRenderReport *report);

/** Prints a row of the table of cases: the times of the stages. */
void brume_render_print_case(const BrumeRenderCase *result);

/** Prints the table of samples: occupancy, rates beside the trilinear kernel's, gain of skipping. */
void brume_render_print_samples(const BrumeRenderReport *report);

/** Prints the table of speed-ups; nothing if there is only one number of threads. */
void brume_render_print_scaling(const BrumeRenderReport *report);

/** Writes a CSV file with one line per case, which repeats the machine and the build. */
BrumeStatus brume_render_write_csv(const BrumeRenderReport *report, const char *path, BrumeError *error);

/** Writes the same values as one JSON object. */
BrumeStatus brume_render_write_json(const BrumeRenderReport *report, const char *path, BrumeError *error);

/** Writes a report in Markdown: machine and build, stages, samples, scaling. The headings are of the second level. */
BrumeStatus brume_render_write_markdown(const BrumeRenderReport *report, const char *path, BrumeError *error);

#endif
