#include "app/bench/report.h"

#include "app/bench/machine.h"
#include "app/cli/output_files.h"
#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/memory.h"
#include "core/printable.h"
#include "io/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void brume_bench_text(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                      const char *value)
{
    if (line->table == BRUME_BENCH_FILE && name) {
        brume_text_add(line->text, "%s%s", line->cells++ ? "," : "", line->head ? name : value);
    } else if (line->table & tables) {
        brume_text_add(line->text, "%s%*s", line->cells++ ? " " : "", width, line->head ? title : value);
    }
}

void brume_bench_number(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                        int decimals, double value)
{
    char text[32];
    if (line->table == BRUME_BENCH_FILE) {
        (void)snprintf(text, sizeof text, "%.10g", value); // counts are exact
    } else {
        (void)snprintf(text, sizeof text, decimals < 0 ? "%.*g" : "%.*f", abs(decimals), value);
    }
    brume_bench_text(line, tables, name, title, width, text);
}

void brume_bench_share(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                       int decimals, double value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.*f%%", decimals, 100.0 * value);
    if (line->table == BRUME_BENCH_FILE) {
        brume_bench_number(line, tables, name, title, width, decimals, value);
    } else {
        brume_bench_text(line, tables, name, title, width, text);
    }
}

void brume_bench_file_number(BrumeBenchLine *line, const char *name, double value)
{
    brume_bench_number(line, 0, name, NULL, 0, 0, value);
}

BrumeShortText brume_bench_name(const char *prefix, const char *stage)
{
    BrumeShortText name;
    (void)snprintf(name.text, sizeof name.text, "%s%s", prefix, stage);
    return name;
}

void brume_bench_add_fact(BrumeBenchReport *report, const char *label, const char *format, ...)
{
    char text[1024];
    char printable[sizeof text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    brume_text_printable(printable, sizeof printable, text);
    brume_print_labeled(label, "%s", printable);
    brume_text_add(&report->facts, "# %s: %s\n", label, printable);
}

static void add_origin(BrumeBenchReport *report)
{
    const BrumeMachine machine = brume_machine();
    const double load = brume_machine_load();
    const time_t now = time(NULL);
    struct tm utc;
    char date[32];
    if (!gmtime_r(&now, &utc) || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        date[0] = '\0';
    }
    brume_bench_add_fact(report, "version", "brume %s, %s", brume_version(), date);
    brume_bench_add_fact(report, "machine", "%s, %d cores (%d processors), %s, %s", machine.cpu, machine.cores,
                         machine.processors, machine.caches, brume_format_bytes((double)machine.memory).text);
    brume_bench_add_fact(report, "system", "%s, load %.2f before the run%s", machine.os, load,
                         load > 0.5 ? " (other processes disturb the measurement)" : "");
    brume_bench_add_fact(report, "build", "%s, %s; row kernels in %s", machine.compiler, machine.flags,
                         machine.vectors);
}

static void add_line(BrumeText *text, const BrumeBenchReport *report, BrumeBenchTable table, int index, bool head)
{
    BrumeBenchLine line = {.text = text, .table = table, .head = head};
    report->kind->add_columns(&line, report, index);
    if (line.cells > 0) {
        brume_text_add(text, "\n");
    }
}

static void add_table(BrumeText *text, const BrumeBenchReport *report, BrumeBenchTable table, int first)
{
    for (int n = first; n < report->count; n++) {
        if (first == 0 && text->size == 0) {
            add_line(text, report, table, n, true);
        }
        add_line(text, report, table, n, false);
    }
}

void brume_bench_print(const BrumeBenchReport *report, BrumeBenchTable table, int first)
{
    BrumeText text = {0};
    add_table(&text, report, table, first);
    if (text.size > 0) {
        (void)printf("%s%s", first == 0 ? "\n" : "", text.data);
    }
    (void)fflush(stdout);
    brume_text_destroy(&text);
}

static BrumeStatus write_csv(const BrumeBenchReport *report, BrumeError *error)
{
    BrumeText text = {0};
    add_table(&text, report, BRUME_BENCH_FILE, 0);
    brume_text_add(&text, "%s", report->facts.data ? report->facts.data : "");
    text.failed = text.failed || report->facts.failed;
    const BrumeStatus status = brume_file_write_text(report->settings->csv, &text, error);
    brume_text_destroy(&text);
    return status;
}

static BrumeStatus check_output(const BrumeBenchReport *report, BrumeError *error)
{
    const BrumeOutputFile output = {report->settings->csv, "--csv", BRUME_OUTPUT_BENCH_CSV};
    const BrumeStatus status = brume_check_output_file(&output, report->path ? report->path : "", error);
    return status == BRUME_OK && output.path ? brume_file_check_writable(output.path, error) : status;
}

BrumeStatus brume_bench_run(const BrumeBenchKind *kind, const BrumeBenchSettings *settings, const char *path,
                            BrumeError *error)
{
    BrumeBenchReport report = {.kind = kind, .settings = settings, .path = path};
    const BrumeTextList *overrides = &settings->common.overrides;
    const size_t most = (size_t)(settings->sizes.count + settings->weak.count) * (size_t)settings->threads.count;
    BrumeStatus status =
        path ? brume_scene_load(&report.scene, path, overrides->texts, overrides->count, &brume_scene_readers, error)
             : BRUME_OK;
    if (status == BRUME_OK) {
        status = check_output(&report, error);
    }
    report.cases = brume_alloc(most, kind->case_size);
    if (status == BRUME_OK && !report.cases) {
        status = brume_out_of_memory(error, "the cases of the benchmark");
    }
    if (status == BRUME_OK) {
        add_origin(&report);
        kind->add_facts(&report);
        status = kind->measure(&report, error);
        brume_bench_print(&report, BRUME_BENCH_PARTS, 0);
        brume_bench_print(&report, BRUME_BENCH_SCALING, 0);
    }
    if (status == BRUME_OK && settings->csv) {
        status = write_csv(&report, error);
    }
    brume_text_destroy(&report.facts);
    brume_free(report.cases);
    brume_scene_destroy(report.scene);
    return status;
}
