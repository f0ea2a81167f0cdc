/**
 * @file args.h
 * Parsing of the command line. Commands and their options are tables; the parser, the help, the suggestions for
 * misspelled options, the manual pages and the completions of the shells use them. The options that
 * several commands have are defined once (BrumeCommonOptions).
 */
#ifndef BRUME_APP_CLI_ARGS_H
#define BRUME_APP_CLI_ARGS_H

#include "app/cli/values.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { BRUME_MAX_LIST = 256, BRUME_MAX_OPERANDS = 2 };

/** The values of a repeatable option, in the order of the command line. */
typedef struct BrumeTextList {
    int count;
    const char *texts[BRUME_MAX_LIST];
} BrumeTextList;

/** The type of an option's member in the settings of its command, and how a value is stored there. */
typedef enum BrumeOptionKind {
    BRUME_OPTION_FLAG,   ///< bool; set to true
    BRUME_OPTION_COUNT,  ///< int; incremented
    BRUME_OPTION_INT,    ///< int from `least` to `most`
    BRUME_OPTION_NUMBER, ///< double from `least` to `most`
    BRUME_OPTION_TEXT,   ///< const char *
    BRUME_OPTION_LIST,   ///< BrumeTextList; the value is appended
    BRUME_OPTION_CUSTOM, ///< any type that `parse` can set
} BrumeOptionKind;

/** The completions that a shell offers for the value of an option or the operand of a command. */
typedef enum BrumeCompletionKind {
    BRUME_COMPLETE_FILES,    ///< files; `list` has their extensions, NULL means all files
    BRUME_COMPLETE_FOLDERS,  ///< folders
    BRUME_COMPLETE_WORDS,    ///< the words of `list`
    BRUME_COMPLETE_SETTINGS, ///< the keys of a scene as dotted paths, with values that are words
    BRUME_COMPLETE_COMMANDS, ///< the commands of the program
    BRUME_COMPLETE_NOTHING,  ///< nothing, for example for numbers
} BrumeCompletionKind;

/** A zero-initialized completion offers all files. */
typedef struct BrumeCompletion {
    BrumeCompletionKind kind;
    const char *list; ///< separated by blanks, as "yaml yml"
} BrumeCompletion;

/** A name with its explanation, as the help and the manual list them. Lists end with a NULL name. */
typedef struct BrumeEntry {
    const char *name;
    const char *text;
} BrumeEntry;

/** One option of a command. If an option is given several times, the last value applies, unless its kind says
 * otherwise. */
typedef struct BrumeOption {
    const char *name;  ///< long name without dashes
    const char *value; ///< name of the value in the help; NULL for an option without a value
    const char *help;  ///< one or more lines, separated by '\n'
    size_t offset;     ///< offset of the member in the settings
    /** Custom: sets `member` from `value` (NULL: not given), or fails with BRUME_BAD_INPUT and a text that starts with
     * the name `option`.
     */
    BrumeStatus (*parse)(void *member, const char *option, const char *value, BrumeError *error);
    BrumeOptionKind kind;
    bool value_optional;      ///< custom: without "=VALUE", `parse` gets NULL
    int least, most;          ///< inclusive limits of a number
    char letter;              ///< short name; 0: none
    BrumeCompletion complete; ///< completion of the value; not used for numbers, which have none
} BrumeOption;

/** Values of the common options: the first member of the settings of each command that has one of them. */
typedef struct BrumeCommonOptions {
    BrumeTextList overrides; ///< "KEY=VALUE" of values of the scene
    int threads;             ///< threads of the simulation; 0: not given
    BrumeImageSize size;     ///< size of the image or the window
} BrumeCommonOptions;

/** Bits that select common options. */
typedef enum BrumeCommonOption {
    BRUME_COMMON_DEFINE = 1,  ///< --define
    BRUME_COMMON_THREADS = 2, ///< --threads
    BRUME_COMMON_SIZE = 4,    ///< --size
} BrumeCommonOption;

/** One command of the program. */
typedef struct BrumeCommand {
    const char *name;
    const char *summary;        ///< half a line, for the list of commands
    const char *details;        ///< a paragraph for the command's help
    const char *usage;          ///< arguments after the name, for example "SCENE -o PATTERN [options]"
    const char *operand;        ///< name of its operand; NULL if it has none
    const char *second_operand; ///< name of the second operand; NULL if it has at most one
    bool operand_needed;        ///< all operands must be given
    BrumeCompletion complete;   ///< completion of the operands
    const BrumeEntry *examples; ///< command lines; NULL: none
    const BrumeEntry *files;    ///< files that it reads or writes without an option for them; NULL: none
    const BrumeOption *options; ///< options of this command alone
    int option_count;
    unsigned common; ///< bits of BrumeCommonOption
    /** Runs the command with the whole command line of the program; returns the exit status. */
    int (*run)(const struct BrumeCommand *command, int argc, char **argv);
} BrumeCommand;

/** The result of the first scan of the command line: the command and the options of the program itself. */
typedef struct BrumeRequest {
    const BrumeCommand *command; ///< NULL: none given
    bool help;                   ///< --help
    bool version;                ///< --version
} BrumeRequest;

/**
 * Finds the command, at any position among the arguments, and --help and --version. `commands` ends with NULL. Fails
 * with BRUME_BAD_INPUT if the command is unknown, or if there is no command and an option is unknown.
 */
BrumeStatus brume_args_request(BrumeRequest *request, const BrumeCommand *const *commands, int argc, char **argv,
                               BrumeError *error);

/**
 * Parses the options of `command` into `settings`, the struct of its options' offsets, which has the defaults, and its
 * operands into `operands` (NULL: not given), with room for BRUME_MAX_OPERANDS if the command has a second operand,
 * otherwise for one. `commands` are all commands, with NULL at the end: the error for an option of another command
 * names that command. Fails with BRUME_BAD_INPUT and a text of one line; `settings` then has the options before the
 * error.
 */
BrumeStatus brume_args_parse(const BrumeCommand *command, const BrumeCommand *const *commands, int argc, char **argv,
                             const char **operands, void *settings, BrumeError *error);

/** Returns the option at `index` of a command, its own before the common ones; NULL after the last one. */
const BrumeOption *brume_command_option(const BrumeCommand *command, int index);

/** Returns the option at `index` of the common --help and --version; NULL after the last. */
const BrumeOption *brume_program_option(int index);

/** Returns the completion of the value of an option that has one. */
BrumeCompletion brume_option_completion(const BrumeOption *option);

/** Returns the command with this name, or NULL. */
const BrumeCommand *brume_find_command(const BrumeCommand *const *commands, const char *name);

/** Fails with BRUME_BAD_INPUT and a text that says that the command `name` is unknown, with a suggestion or the list.
 */
BrumeStatus brume_fail_command(BrumeError *error, const BrumeCommand *const *commands, const char *name);

#endif
