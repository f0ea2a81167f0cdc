/**
 * @file commands.h
 * The commands of the program. Each is a file with its BrumeCommand and an entry in the list in help.c.
 */
#ifndef BRUME_APP_COMMANDS_H
#define BRUME_APP_COMMANDS_H

#include "app/cli/args.h"

extern const BrumeCommand brume_view_command;
extern const BrumeCommand brume_render_command;
extern const BrumeCommand brume_sim_command;
extern const BrumeCommand brume_info_command;
extern const BrumeCommand brume_convert_command;
extern const BrumeCommand brume_bench_command;
extern const BrumeCommand brume_help_command;

/** All commands in the order of the help; NULL at the end. */
extern const BrumeCommand *const brume_commands[];

/** Prints the help of a command, or that of the program if `command` is NULL, on standard output. */
void brume_print_help(const BrumeCommand *command);

#endif
