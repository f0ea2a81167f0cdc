/**
 * @file standard_streams.h
 * Paths `-`: a scene from standard input, and tables on standard output.
 */
#ifndef BRUME_APP_CLI_STANDARD_STREAMS_H
#define BRUME_APP_CLI_STANDARD_STREAMS_H

#include "app/cli/args.h"
#include "brume/scene.h"
#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>

/** Whether a path of the command line means standard input or standard output; false for NULL. */
bool brume_is_standard_stream(const char *path);

/**
 * Reads and checks a scene as brume_scene_load does; from standard input where `*path` is "-". Errors call this
 * "stdin", and `*path` becomes "/dev/stdin", the file to which a shell has redirected standard input. Also BRUME_FAILED
 * where standard input cannot be read. The notes of the readers of files are appended to `notes`, each a line.
 */
BrumeStatus brume_load_scene_argument(BrumeScene **scene, const char **path, const BrumeTextList *overrides,
                                      BrumeText *notes, BrumeError *error);

#endif
