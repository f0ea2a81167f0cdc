/**
 * @file bench_markdown.h
 * Measurements as a report in Markdown.
 */
#ifndef BRUME_APP_BENCH_BENCH_MARKDOWN_H
#define BRUME_APP_BENCH_BENCH_MARKDOWN_H

#include "app/bench/bench_report.h"

/**
 * Writes the machine and the build, the triad, the cases, their stages against the triad, the whole step against a
 * step of 430 bytes a cell, and scaling. Sections start with `##`, so that a longer report may take them in.
 */
BrumeStatus brume_bench_write_markdown(const BrumeBenchReport *report, const char *path, BrumeError *error);

#endif
