#include "app/cli/args.h"

#include "core/error.h"
#include "core/suggest.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The command line is parsed twice: with the options of all commands, to find the command, and with the options of the
 * command alone. In the list of short options, "-" makes getopt_long return operands in their order as code 1
 * (OPERAND), and ":" suppresses its messages. Long options without a letter have codes from FIRST_CODE on.
 */
enum { MAX_OPTIONS = 64, OPERAND = 1, FIRST_CODE = 256 };

#define COMMON(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeCommonOptions, member)

// in the order of the bits of BrumeCommonOption
static const BrumeOption common_options[] = {
    {.name = "define",
     .letter = 'D',
     .value = "KEY=VALUE",
     COMMON(LIST, overrides),
     .complete = {BRUME_COMPLETE_SETTINGS, NULL},
     .help = "override a value of the scene, as -D solver.resolution=128; repeatable"},
    {.name = "threads",
     .letter = 't',
     .value = "N",
     COMMON(INT, threads),
     .least = 1,
     .most = BRUME_MAX_THREADS,
     .help = "threads of the simulation (default: OMP_NUM_THREADS, or the\nnumber of physical cores)"},
    {.name = "size",
     .value = "WxH",
     COMMON(CUSTOM, size),
     .parse = brume_parse_size,
     .complete = {BRUME_COMPLETE_NOTHING, NULL},
     .help = "pixels of the image or of the window, as 960x540 (default: those\nof the scene; of the last session of "
             "'view')"},
};

enum { COMMON_OPTION_COUNT = sizeof common_options / sizeof common_options[0] };

const BrumeOption *brume_command_option(const BrumeCommand *command, int index)
{
    if (index < command->option_count) {
        return &command->options[index];
    }
    index -= command->option_count;
    for (int n = 0; n < COMMON_OPTION_COUNT; n++) {
        if ((command->common & 1u << n) != 0 && index-- == 0) {
            return &common_options[n];
        }
    }
    return NULL;
}

static const BrumeOption help_option = {
    .name = "help", .letter = 'h', .help = "print the help of the command, or of the program"};
static const BrumeOption version_option = {.name = "version", .help = "print the version of the program"};

const BrumeOption *brume_program_option(int index)
{
    static const BrumeOption *const options[] = {&help_option, &version_option};
    return index < (int)(sizeof options / sizeof options[0]) ? options[index] : NULL;
}

BrumeCompletion brume_option_completion(const BrumeOption *option)
{
    const bool is_number = option->kind == BRUME_OPTION_INT || option->kind == BRUME_OPTION_NUMBER;
    return is_number ? (BrumeCompletion){.kind = BRUME_COMPLETE_NOTHING} : option->complete;
}

typedef struct Grammar {
    int count;
    const BrumeOption *options[MAX_OPTIONS];
    struct option longs[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 3];
} Grammar;

// the code that getopt_long returns for an option: its letter or, without one, a number above all letters
static int option_code(const Grammar *grammar, int index)
{
    const char letter = grammar->options[index]->letter;
    return letter ? letter : FIRST_CODE + index;
}

static void add_option(Grammar *grammar, const BrumeOption *option)
{
    for (int n = 0; n < grammar->count; n++) {
        if (strcmp(grammar->options[n]->name, option->name) == 0) {
            return;
        }
    }
    if (grammar->count == MAX_OPTIONS) {
        return;
    }
    const int index = grammar->count++;
    grammar->options[index] = option;
    grammar->longs[index] = (struct option){
        .name = option->name,
        .has_arg = !option->value           ? no_argument
                   : option->value_optional ? optional_argument
                                            : required_argument,
        .val = option_code(grammar, index),
    };
    if (option->letter) {
        const size_t used = strlen(grammar->letters);
        grammar->letters[used] = option->letter;
        grammar->letters[used + 1] = option->value ? ':' : '\0';
    }
}

static void add_command(Grammar *grammar, const BrumeCommand *command)
{
    const BrumeOption *option;
    for (int n = 0; (option = brume_command_option(command, n)) != NULL; n++) {
        add_option(grammar, option);
    }
}

// initializes the grammar with the options that every command has
static void init_grammar(Grammar *grammar)
{
    *grammar = (Grammar){.letters = "-:"};
    const BrumeOption *option;
    for (int n = 0; (option = brume_program_option(n)) != NULL; n++) {
        add_option(grammar, option);
    }
}

static void reset_getopt(void)
{
    optind = 0; // GNU extension: discards the state of an earlier scan
    opterr = 0;
}

static const BrumeOption *find_option(const Grammar *grammar, int code)
{
    for (int n = 0; n < grammar->count; n++) {
        if (option_code(grammar, n) == code) {
            return grammar->options[n];
        }
    }
    return NULL;
}

// writes the option as it was typed, up to '='
static void typed_option(char *text, size_t size, char **argv)
{
    if (optopt > 0 && optopt < FIRST_CODE) {
        (void)snprintf(text, size, "-%c", optopt);
        return;
    }
    const char *typed = argv[optind - 1];
    const size_t length = strlen(typed);
    // getopt_long takes each byte of a UTF-8 character as a letter, negative as a char, and names an argument as the
    // present one when its last letter is read
    if (optopt < 0 && (length == 0 || typed[length - 1] != (char)optopt)) {
        typed = argv[optind];
    }
    (void)snprintf(text, size, "%.*s", (int)strcspn(typed, "="), typed);
}

static const BrumeCommand *find_command_with_option(const BrumeCommand *const *commands, const char *typed)
{
    for (; *commands; commands++) {
        const BrumeOption *option;
        for (int n = 0; (option = brume_command_option(*commands, n)) != NULL; n++) {
            const bool same_name = strncmp(typed, "--", 2) == 0 && strcmp(typed + 2, option->name) == 0;
            const bool same_letter = option->letter && typed[1] == option->letter && typed[2] == '\0';
            if (same_name || same_letter) {
                return *commands;
            }
        }
    }
    return NULL;
}

static BrumeStatus fail_option(BrumeError *error, const Grammar *grammar, const BrumeCommand *command,
                               const BrumeCommand *const *commands, char **argv)
{
    char typed[64];
    typed_option(typed, sizeof typed, argv);
    const BrumeOption *known = optopt ? find_option(grammar, optopt) : NULL;
    if (known) {
        return brume_fail(error, BRUME_BAD_INPUT, "option '--%s' takes no value", known->name);
    }
    const BrumeCommand *other = command ? find_command_with_option(commands, typed) : NULL;
    if (other) {
        return brume_fail(error, BRUME_BAD_INPUT, "option '%s' belongs to '%s', not to '%s'", typed, other->name,
                          command->name);
    }
    char of_command[64] = "";
    if (command) {
        (void)snprintf(of_command, sizeof of_command, " of '%s'", command->name);
    }
    BrumeSuggestion suggestion = {.word = typed + 2};
    for (int n = 0; strncmp(typed, "--", 2) == 0 && n < grammar->count; n++) {
        brume_suggest(&suggestion, grammar->options[n]->name);
    }
    if (suggestion.name) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown option '%s'%s (did you mean '--%s'?)", typed, of_command,
                          suggestion.name);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "unknown option '%s'%s (see 'brume help%s%s')", typed, of_command,
                      command ? " " : "", command ? command->name : "");
}

const BrumeCommand *brume_find_command(const BrumeCommand *const *commands, const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0) {
        commands++;
    }
    return *commands;
}

BrumeStatus brume_fail_command(BrumeError *error, const BrumeCommand *const *commands, const char *name)
{
    BrumeSuggestion suggestion = {.word = name};
    char list[256] = "";
    for (; *commands; commands++) {
        brume_suggest(&suggestion, (*commands)->name);
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", (*commands)->name);
    }
    if (suggestion.name) {
        return brume_fail(error, BRUME_BAD_INPUT, "unknown command '%s'%s", name,
                          brume_suggestion_hint(&suggestion).text);
    }
    return brume_fail(error, BRUME_BAD_INPUT, "unknown command '%s' (commands: %s)", name, list);
}

// sets the command to the first operand that names one, and `unknown_name` to the first operand that does not
static void match_command(BrumeRequest *request, const char **unknown_name, const BrumeCommand *const *commands,
                          const char *operand)
{
    if (!request->command) {
        request->command = brume_find_command(commands, operand);
        if (!request->command && !*unknown_name) {
            *unknown_name = operand;
        }
    }
}

BrumeStatus brume_args_request(BrumeRequest *request, const BrumeCommand *const *commands, int argc, char **argv,
                               BrumeError *error)
{
    *request = (BrumeRequest){0};
    Grammar grammar;
    init_grammar(&grammar);
    for (const BrumeCommand *const *command = commands; *command; command++) {
        add_command(&grammar, *command);
    }
    const char *unknown_name = NULL;
    BrumeStatus option_status = BRUME_OK;
    reset_getopt();
    for (int code; (code = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL)) != -1;) {
        if (code == OPERAND) {
            match_command(request, &unknown_name, commands, optarg);
        } else if (code == '?' && option_status == BRUME_OK) {
            option_status = fail_option(error, &grammar, NULL, commands, argv);
        } else if (find_option(&grammar, code) == &help_option) {
            request->help = true;
        } else if (find_option(&grammar, code) == &version_option) {
            request->version = true;
        }
    }
    for (; optind < argc; optind++) {
        match_command(request, &unknown_name, commands, argv[optind]);
    }
    if (request->command || request->version || (request->help && !unknown_name)) {
        return BRUME_OK; // brume_args_parse reports unknown options of the command
    }
    return unknown_name ? brume_fail_command(error, commands, unknown_name) : option_status;
}

static BrumeStatus set_number(double *member, const BrumeOption *option, const char *value, BrumeError *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || number < option->least || number > option->most) {
        return brume_fail(error, BRUME_BAD_INPUT, "--%s: '%s' is not a number from %d to %d%s", option->name, value,
                          option->least, option->most, brume_point_hint(value).text);
    }
    *member = number;
    return BRUME_OK;
}

static BrumeStatus set_option(void *settings, const BrumeOption *option, const char *value, BrumeError *error)
{
    void *member = (char *)settings + option->offset;
    switch (option->kind) {
    case BRUME_OPTION_FLAG:
        *(bool *)member = true;
        return BRUME_OK;
    case BRUME_OPTION_COUNT:
        *(int *)member += 1;
        return BRUME_OK;
    case BRUME_OPTION_INT:
        if (!brume_parse_int(value, option->least, option->most, member)) {
            return brume_fail(error, BRUME_BAD_INPUT, "--%s: '%s' is not a whole number from %d to %d", option->name,
                              value, option->least, option->most);
        }
        return BRUME_OK;
    case BRUME_OPTION_NUMBER:
        return set_number(member, option, value, error);
    case BRUME_OPTION_TEXT:
        *(const char **)member = value;
        return BRUME_OK;
    case BRUME_OPTION_LIST: {
        BrumeTextList *list = member;
        if (list->count == BRUME_MAX_LIST) {
            return brume_fail(error, BRUME_BAD_INPUT, "--%s is given more than %d times", option->name, BRUME_MAX_LIST);
        }
        list->texts[list->count++] = value;
        return BRUME_OK;
    }
    case BRUME_OPTION_CUSTOM:
        break;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "--%s", option->name);
    return option->parse(member, name, value, error);
}

static BrumeStatus set_operand(const BrumeCommand *command, bool *command_seen, const char **operands, const char *text,
                               BrumeError *error)
{
    if (!*command_seen && strcmp(text, command->name) == 0) {
        *command_seen = true;
        return BRUME_OK;
    }
    if (!command->operand) {
        return brume_fail(error, BRUME_BAD_INPUT, "unexpected argument '%s' ('%s' takes none)", text, command->name);
    }
    const char **operand = !operands[0] || !command->second_operand ? &operands[0] : &operands[1];
    if (*operand && command->second_operand) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "unexpected argument '%s' ('%s' takes one %s and one %s, and has '%s' and '%s')", text,
                          command->name, command->operand, command->second_operand, operands[0], operands[1]);
    }
    if (*operand) {
        return brume_fail(error, BRUME_BAD_INPUT, "unexpected argument '%s' ('%s' takes one %s, and has '%s')", text,
                          command->name, command->operand, *operand);
    }
    *operand = text;
    return BRUME_OK;
}

BrumeStatus brume_args_parse(const BrumeCommand *command, const BrumeCommand *const *commands, int argc, char **argv,
                             const char **operands, void *settings, BrumeError *error)
{
    operands[0] = NULL;
    if (command->second_operand) {
        operands[1] = NULL;
    }
    Grammar grammar;
    init_grammar(&grammar);
    add_command(&grammar, command);
    bool command_seen = false;
    BrumeStatus status = BRUME_OK;
    reset_getopt();
    for (int code;
         status == BRUME_OK && (code = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL)) != -1;) {
        const BrumeOption *option = find_option(&grammar, code == ':' ? optopt : code);
        if (code == OPERAND) {
            status = set_operand(command, &command_seen, operands, optarg, error);
        } else if (code == '?') {
            status = fail_option(error, &grammar, command, commands, argv);
        } else if (code == ':') {
            status =
                brume_fail(error, BRUME_BAD_INPUT, "option '--%s' needs a value (%s)", option->name, option->value);
        } else if (option != &help_option && option != &version_option) {
            status = set_option(settings, option, optarg, error);
        }
    }
    for (; status == BRUME_OK && optind < argc; optind++) {
        status = set_operand(command, &command_seen, operands, argv[optind], error);
    }
    const char *missing = NULL;
    if (command->operand_needed) {
        missing = !operands[0]                              ? command->operand
                  : command->second_operand && !operands[1] ? command->second_operand
                                                            : NULL;
    }
    if (status == BRUME_OK && missing) {
        status =
            brume_fail(error, BRUME_BAD_INPUT, "no %s (usage: brume %s %s)", missing, command->name, command->usage);
    }
    return status;
}
