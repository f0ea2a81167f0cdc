/**
 * @file report.h
 * A benchmark of the solver or of the renderer: cases, which are measured one after the other, and one list of columns
 * for the printed tables and the CSV file.
 */
#ifndef BRUME_APP_BENCH_REPORT_H
#define BRUME_APP_BENCH_REPORT_H

#include "app/cli/args.h"
#include "app/cli/format.h"
#include "brume/scene.h"
#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>

enum { BRUME_BENCH_MAX_VALUES = 32 };

/** A list of whole numbers. */
typedef struct BrumeIntList {
    int count;
    int values[BRUME_BENCH_MAX_VALUES];
} BrumeIntList;

typedef struct BrumeBenchSettings {
    BrumeCommonOptions common;
    BrumeIntList sizes;   ///< strong series: cells along a side
    BrumeIntList weak;    ///< weak series: cells along a side per thread; may be empty
    BrumeIntList threads; ///< numbers of threads of each size
    double warmup;        ///< simulated time before the measurement [s]
    int steps;            ///< measured steps
    bool render;          ///< measure the renderer instead of the solver
    int rounds;           ///< for the renderer: measurements of each time
    BrumeImageSize image; ///< of the renderer's picture
    const char *csv;      ///< file to write; NULL: none
} BrumeBenchSettings;

/** The cases of a benchmark. */
typedef struct BrumeBenchReport {
    const struct BrumeBenchKind *kind;
    const BrumeBenchSettings *settings;
    const char *path;  ///< path of the scene; NULL: the renderer's procedural plume
    BrumeScene *scene; ///< NULL as above
    BrumeText facts;   ///< lines on the machine, the build and the method: comments of the CSV file
    void *cases;       ///< BrumeBenchCase or BrumeRenderCase
    int count;         ///< measured cases
} BrumeBenchReport;

/** The printed tables, as bits, and the CSV file. */
typedef enum BrumeBenchTable {
    BRUME_BENCH_FILE = 0,
    BRUME_BENCH_CASES = 1, ///< printed case by case
    BRUME_BENCH_PARTS = 2, ///< parts of a case: stages of a step, samples of a picture
    BRUME_BENCH_SCALING = 4,
    BRUME_BENCH_PRINTED = 7, ///< all but the file
} BrumeBenchTable;

/** A line of a table while its cells are added: the head, or a case. */
typedef struct BrumeBenchLine {
    BrumeText *text;
    BrumeBenchTable table;
    bool head;
    int cells; ///< added so far
} BrumeBenchLine;

/** The functions of a kind of benchmark. */
typedef struct BrumeBenchKind {
    size_t case_size;
    /** Adds facts of the subject and the method. */
    void (*add_facts)(BrumeBenchReport *report);
    /** Measures all cases and prints BRUME_BENCH_CASES. BRUME_FAILED, after all cases, where their hashes differ. */
    BrumeStatus (*measure)(BrumeBenchReport *report, BrumeError *error);
    /** Adds the cells of a case to a line; none where the case is not part of the table. */
    void (*add_columns)(BrumeBenchLine *line, const BrumeBenchReport *report, int index);
} BrumeBenchKind;

extern const BrumeBenchKind brume_bench_solver;
extern const BrumeBenchKind brume_bench_renderer;

/**
 * Adds a cell to `tables` (bits of BrumeBenchTable), where it has the head `title` and `width` characters (negative:
 * left-aligned), and to the file, where it has the head `name` (NULL: not part of the file).
 */
void brume_bench_text(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                      const char *value);

/** The same for a number that is printed with `decimals`, or, where these are negative, as many significant digits. */
void brume_bench_number(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                        int decimals, double value);

/** The same for a ratio that is printed as a percentage. */
void brume_bench_share(BrumeBenchLine *line, unsigned tables, const char *name, const char *title, int width,
                       int decimals, double value);

/** Adds a number to the file alone. */
void brume_bench_file_number(BrumeBenchLine *line, const char *name, double value);

/** Returns the name of a column of a stage, such as "ms_draw". */
BrumeShortText brume_bench_name(const char *prefix, const char *stage);

/** Prints a fact and adds it to the facts of the file. */
void brume_bench_add_fact(BrumeBenchReport *report, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Prints the cases from `first` on as a table, with the head above the case 0. */
void brume_bench_print(const BrumeBenchReport *report, BrumeBenchTable table, int first);

/**
 * Measures all cases of the scene in the file `path` (NULL: of the procedural plume), prints the tables and writes the
 * file. Fails as loading the scene, the measurement and the writing of files do, and, before anything is measured,
 * where the output file is the scene, is an existing file of another kind, or cannot be written. Sets the team size of
 * the calling thread.
 */
BrumeStatus brume_bench_run(const BrumeBenchKind *kind, const BrumeBenchSettings *settings, const char *path,
                            BrumeError *error);

#endif
