/**
 * @file output_files.h
 * Checks which files an output would replace: never the scene, and without --overwrite only files of its own kind.
 */
#ifndef BRUME_APP_CLI_OUTPUT_FILES_H
#define BRUME_APP_CLI_OUTPUT_FILES_H

#include "core/error.h"

/** The kinds of files that the program replaces without --overwrite. */
typedef enum BrumeOutputKind {
    BRUME_OUTPUT_ANY,       ///< not checked
    BRUME_OUTPUT_STATS,     ///< JSON of --stats
    BRUME_OUTPUT_CONTROLS,  ///< YAML of `view --controls`
    BRUME_OUTPUT_LOG,       ///< messages with times
    BRUME_OUTPUT_BENCH_CSV, ///< the results of `bench`
} BrumeOutputKind;

/** A file that an option names. */
typedef struct BrumeOutputFile {
    const char *path;   ///< NULL: the option is not given
    const char *option; ///< name in messages, such as "--stats"
    BrumeOutputKind kind;
} BrumeOutputFile;

/**
 * Fails with BRUME_FAILED if the file exists and cannot be read, with BRUME_BAD_INPUT if it is the scene at
 * `scene_path`, also by another name or link, or if it is a regular file that is not empty and does not start like a
 * file of its kind. The text names the file and the remedy. Devices and pipes are not opened.
 */
BrumeStatus brume_check_output_file(const BrumeOutputFile *output, const char *scene_path, BrumeError *error);

/**
 * Checks each of `count` outputs as brume_check_output_file does, and fails with BRUME_BAD_INPUT if two are the same
 * regular file.
 */
BrumeStatus brume_check_output_files(const BrumeOutputFile *outputs, int count, const char *scene_path,
                                     BrumeError *error);

#endif
