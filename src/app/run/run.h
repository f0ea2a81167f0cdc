/**
 * @file run.h
 * A run of a scene, with or without images: the common part of `brume render` and `brume sim`.
 */
#ifndef BRUME_APP_RUN_RUN_H
#define BRUME_APP_RUN_RUN_H

#include "app/run/run_options.h"

/**
 * Parses the command line of a command with these settings, and runs the scene; returns the exit status. `commands` are
 * all commands of the program, as for brume_args_parse.
 */
int brume_run_scene(const BrumeCommand *command, const BrumeCommand *const *commands, bool draws, int argc,
                    char **argv);

#endif
