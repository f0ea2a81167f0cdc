/**
 * @file commands.h
 * The commands of the program. Each is a file with its BrumeCommand and an entry in the list in help.c. The help, the
 * manual pages (app/generate/) and the completions of the shells (app/complete.h) are made from them.
 */
#ifndef BRUME_APP_COMMANDS_H
#define BRUME_APP_COMMANDS_H

#include "app/cli/args.h"

extern const BrumeCommand brume_view_command;
extern const BrumeCommand brume_render_command;
extern const BrumeCommand brume_sim_command;
extern const BrumeCommand brume_info_command;
extern const BrumeCommand brume_convert_command;
extern const BrumeCommand brume_refine_command;
extern const BrumeCommand brume_join_command;
extern const BrumeCommand brume_bench_command;
extern const BrumeCommand brume_help_command;

/** All commands in the order of the help; NULL at the end. */
extern const BrumeCommand *const brume_commands[];

/** The texts of the help and the manual on the program itself. */
typedef struct BrumeProgram {
    const char *summary; ///< half a line
    const char *details; ///< paragraphs, separated by an empty line
    const BrumeEntry *exit_statuses;
    const BrumeEntry *variables; ///< of the environment
    const BrumeEntry *files;
} BrumeProgram;

extern const BrumeProgram brume_program;

/** Prints the help of a command, or of the program if `command` is NULL, on standard output. */
void brume_print_help(const BrumeCommand *command);

#endif
