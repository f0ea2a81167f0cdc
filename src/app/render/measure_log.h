/**
 * @file measure_log.h
 * The measures of all states of a run: stored for the statistics, and written to a CSV file line by line.
 */
#ifndef BRUME_APP_RENDER_MEASURE_LOG_H
#define BRUME_APP_RENDER_MEASURE_LOG_H

#include "app/render/measure_columns.h"
#include "brume/sim.h"
#include "core/error.h"
#include "core/text.h"
#include "io/line_file.h"

typedef struct BrumeMeasureLog {
    BrumeMeasureColumns columns;
    int column_count; ///< 0: no log
    BrumeColumnName *names;
    int capacity;         ///< states
    int first_frame;      ///< number of frame 1
    int states;           ///< measured states: the initial one, and one for each frame
    double *values;       ///< (capacity x column_count)
    BrumeLineFile file;   ///< not open without a path
    BrumeMeasures latest; ///< of the last state
} BrumeMeasureLog;

/** Prepares a log for frames 0 to `frames` of a scene. BRUME_FAILED without memory; brume_measure_log_destroy is
 * allowed. */
BrumeStatus brume_measure_log_create(BrumeMeasureLog *log, const BrumeScene *scene, int frames, BrumeError *error);

/**
 * Creates the CSV file (standard output where `path` is "-"), which may exist only with `overwrite` and whose folder is
 * created, and writes its header and a line for each state so far. BRUME_FAILED with the system's reason.
 */
BrumeStatus brume_measure_log_open(BrumeMeasureLog *log, const char *path, bool overwrite, BrumeError *error);

/** Measures the present state and writes its line. BRUME_FAILED where it cannot be written. */
BrumeStatus brume_measure_log_add(BrumeMeasureLog *log, BrumeSim *sim, BrumeError *error);

/** Appends the measures of state n as a JSON object; `null` where it is not measured. */
void brume_measure_log_json(const BrumeMeasureLog *log, int n, BrumeText *text);

/** Closes the file. BRUME_FAILED where its last lines did not reach the disk. All zero is allowed. */
BrumeStatus brume_measure_log_close(BrumeMeasureLog *log, BrumeError *error);

/** Frees the log and closes its file. All zero is allowed. */
void brume_measure_log_destroy(BrumeMeasureLog *log);

#endif
