/**
 * @file args.h
 * The command line: commands and their options as tables, from which parsing, help and suggestions follow.
 */
#ifndef BRUME_APP_CLI_ARGS_H
#define BRUME_APP_CLI_ARGS_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { BRUME_MAX_LIST = 256 };

/** Values of an option that may be given again and again, in their order. */
typedef struct BrumeTextList {
    int count;
    const char *texts[BRUME_MAX_LIST];
} BrumeTextList;

/** What an option's member in the settings is. */
typedef enum BrumeOptionKind {
    BRUME_OPTION_FLAG,   ///< bool, set
    BRUME_OPTION_COUNT,  ///< int, one more each time
    BRUME_OPTION_INT,    ///< int from `least` to `most`
    BRUME_OPTION_NUMBER, ///< double from `least` to `most`
    BRUME_OPTION_TEXT,   ///< const char *
    BRUME_OPTION_LIST,   ///< BrumeTextList, one more each time
    BRUME_OPTION_CUSTOM, ///< whatever `parse` makes of it
} BrumeOptionKind;

/** One option of a command. Where an option is given twice, the last one counts. */
typedef struct BrumeOption {
    const char *name;  ///< long name without dashes
    const char *value; ///< what its value is called in the help; NULL for an option without one
    const char *help;  ///< one line or more, broken by '\n'
    size_t offset;     ///< of its member in the command's settings
    /** Custom: turns `value` into the member, or fails with BRUME_BAD_INPUT and a text that starts with `option`. */
    BrumeStatus (*parse)(void *member, const char *option, const char *value, BrumeError *error);
    BrumeOptionKind kind;
    int least, most; ///< of numbers
    char letter;     ///< short name, 0 for none
} BrumeOption;

/** One command of the program. */
typedef struct BrumeCommand {
    const char *name;
    const char *summary; ///< half a line, for the list of commands
    const char *details; ///< what it does, for its help
    const char *usage;   ///< what follows the name, for example "SCENE -o PATTERN [options]"
    const char *operand; ///< what its one operand is called; NULL where it takes none
    bool operand_needed;
    const BrumeOption *options;
    int option_count;
    /** Runs it with the program's whole command line; returns the exit status. */
    int (*run)(const struct BrumeCommand *command, int argc, char **argv);
} BrumeCommand;

/** What the command line asks for before any command reads its own options. */
typedef struct BrumeRequest {
    const BrumeCommand *command; ///< NULL where none is named
    bool help;
    bool version;
} BrumeRequest;

/**
 * Finds the command, wherever among the arguments it stands, and whether help or the version is wanted. Fails with
 * BRUME_BAD_INPUT for an unknown command, or an unknown option where there is no command.
 */
BrumeStatus brume_args_request(BrumeRequest *request, const BrumeCommand *const *commands, int argc, char **argv,
                               BrumeError *error);

/**
 * Reads the options of `command` into `settings` (the struct its table's offsets are of, which holds the defaults)
 * and its operand into `*operand` (NULL where there is none). `commands` are all commands, NULL at the end: an option
 * that belongs to another one is reported as such. Fails with BRUME_BAD_INPUT and one line.
 */
BrumeStatus brume_args_parse(const BrumeCommand *command, const BrumeCommand *const *commands, int argc, char **argv,
                             const char **operand, void *settings, BrumeError *error);

/** Reads a whole number from `least` to `most`; false where `text` is anything else. */
bool brume_parse_int(const char *text, int least, int most, int *value);

/** The command of that name, or NULL. */
const BrumeCommand *brume_find_command(const BrumeCommand *const *commands, const char *name);

/** Fails with BRUME_BAD_INPUT and a text on the unknown command `name`, with a suggestion or the list. */
BrumeStatus brume_fail_command(BrumeError *error, const BrumeCommand *const *commands, const char *name);

#endif
