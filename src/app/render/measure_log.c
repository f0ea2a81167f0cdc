#include "app/render/measure_log.h"

#include "app/cli/interrupt.h"
#include "app/cli/standard_streams.h"
#include "io/file.h"

#include <stdlib.h>

static BrumeStatus append(BrumeMeasureLog *log, BrumeText *line, BrumeError *error)
{
    brume_interrupt_block();
    const BrumeStatus status = brume_line_file_append(&log->file, line, error);
    brume_interrupt_unblock();
    brume_text_destroy(line);
    return status;
}

BrumeStatus brume_measure_log_create(BrumeMeasureLog *log, const BrumeScene *scene, int frames, BrumeError *error)
{
    static const BrumeMeasures none;
    *log = (BrumeMeasureLog){
        .columns = brume_measure_columns(scene), .capacity = frames + 1, .first_frame = scene->first_frame};
    log->column_count = brume_measure_column_count(&log->columns);
    log->names = calloc((size_t)log->column_count, sizeof *log->names);
    log->values = calloc((size_t)log->capacity * (size_t)log->column_count, sizeof *log->values);
    if (!log->names || !log->values) {
        return brume_out_of_memory(error, "the measures of %d frames", frames);
    }
    brume_measure_columns_get(&log->columns, &none, log->names, NULL);
    return BRUME_OK;
}

static void add_line(const BrumeMeasureLog *log, int state, BrumeText *text)
{
    const double *values = log->values + (ptrdiff_t)state * log->column_count;
    for (int n = 0; n < log->column_count; n++) {
        brume_text_add(text, "%s", n > 0 ? "," : "");
        brume_text_add_exact_number(text, values[n]);
    }
    brume_text_add(text, "\n");
}

BrumeStatus brume_measure_log_open(BrumeMeasureLog *log, const char *path, bool overwrite, BrumeError *error)
{
    const bool to_stream = brume_is_standard_stream(path);
    BrumeStatus status =
        to_stream ? brume_line_file_open_output(&log->file, error) : brume_file_make_folder(path, error);
    if (status == BRUME_OK && !to_stream) {
        status = brume_line_file_open(&log->file, path, overwrite, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    BrumeText lines = {0};
    for (int n = 0; n < log->column_count; n++) {
        brume_text_add(&lines, "%s%s", n > 0 ? "," : "", log->names[n].text);
    }
    brume_text_add(&lines, "\n");
    for (int state = 0; state < log->states; state++) {
        add_line(log, state, &lines);
    }
    return append(log, &lines, error);
}

BrumeStatus brume_measure_log_add(BrumeMeasureLog *log, BrumeSim *sim, BrumeError *error)
{
    brume_sim_measure(sim, &log->latest);
    if (log->states == log->capacity) {
        return BRUME_OK;
    }
    const int state = log->states++;
    double *values = log->values + (ptrdiff_t)state * log->column_count;
    brume_measure_columns_get(&log->columns, &log->latest, NULL, values);
    values[0] += log->first_frame - 1; // the number of the frame
    if (!log->file.open) {
        return BRUME_OK;
    }
    BrumeText line = {0};
    add_line(log, state, &line);
    return append(log, &line, error);
}

void brume_measure_log_json(const BrumeMeasureLog *log, int n, BrumeText *text)
{
    if (n >= log->states) {
        brume_text_add(text, "null");
        return;
    }
    const double *values = log->values + (ptrdiff_t)n * log->column_count;
    for (int column = 1; column < log->column_count; column++) { // without the number of the frame
        brume_text_add(text, "%s\"%s\": ", column == 1 ? "{" : ", ", log->names[column].text);
        brume_text_add_json_number(text, values[column], 17);
    }
    brume_text_add(text, "}");
}

BrumeStatus brume_measure_log_close(BrumeMeasureLog *log, BrumeError *error)
{
    return brume_line_file_close(&log->file, error);
}

void brume_measure_log_destroy(BrumeMeasureLog *log)
{
    BrumeError ignored;
    (void)brume_line_file_close(&log->file, &ignored);
    free(log->names);
    free(log->values);
    *log = (BrumeMeasureLog){0};
}
