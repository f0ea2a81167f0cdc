/**
 * @file standard_streams.h
 * Paths `-`: a scene from standard input, and tables on standard output.
 */
#ifndef BRUME_APP_CLI_STANDARD_STREAMS_H
#define BRUME_APP_CLI_STANDARD_STREAMS_H

#include "app/cli/args.h"
#include "brume/scene.h"
#include "core/error.h"

#include <stdbool.h>

/** Whether a path of the command line means standard input or standard output; NULL does not. */
bool brume_is_standard_stream(const char *path);

/**
 * Reads and checks a scene as brume_scene_load does; from standard input where `*path` is "-". Errors name that
 * "stdin", and `*path` becomes "/dev/stdin", which is the file that a shell has redirected. Also BRUME_FAILED where
 * standard input cannot be read.
 */
BrumeStatus brume_load_scene_argument(BrumeScene **scene, const char **path, const BrumeTextList *overrides,
                                      BrumeError *error);

#endif
